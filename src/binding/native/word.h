/* word.h: Lua values as words of 64 bits, which native functions take and give.
 */
#ifndef PL_NATIVE_WORD_H
#define PL_NATIVE_WORD_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Converts the value at `at` to a word.  An integer has its low bits in it, an
** i1 is 0 or 1, a float is stored by its bits.  Returns false if the value does
** not fit the type; what fits is what the Lua code of functions accepts. */
bool pl_word_take(lua_State *L, int at, ph_type type, uint64_t *word);
/* Pushes the value of a word. */
void pl_word_push(lua_State *L, ph_type type, uint64_t word);

#pragma GCC visibility pop
#endif
