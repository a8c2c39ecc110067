/* words.h: Lua values as words of 64 bits, which native code takes and returns.
**
** A word has the low bits of an integer; 0 or 1 for an i1; the bits of a float.
*/
#ifndef PL_NATIVE_WORDS_H
#define PL_NATIVE_WORDS_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* The type of a letter. */
ph_type pl_word_type(char letter);
/* Converts the value at `at` to a word; false: it does not fit the type.  What
** fits is what the Lua code of functions accepts. */
bool pl_word_take(lua_State *L, int at, ph_type type, uint64_t *word);
/* Pushes the value of a word. */
void pl_word_push(lua_State *L, ph_type type, uint64_t word);

#pragma GCC visibility pop
#endif
