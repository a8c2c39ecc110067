/* memory.h: the memory of functions, from Lua's allocator. */
#ifndef PL_STATE_MEMORY_H
#define PL_STATE_MEMORY_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

enum { PL_MEMORY_GROWTH = 0x10000 }; /* bytes that are reported at once */

/* The pool, which all functions of the module share; closing it frees all
** memory of functions and sets of rules that is left. */
void pl_memory_start(lua_State *L, pl_module *m);
void pl_memory_close(lua_State *L, pl_module *m);
/* Reallocates a piece of memory of the module; NULL: the allocator failed. */
void *pl_memory_piece(lua_State *L, pl_module *m, void *p, size_t old,
                      size_t n);
/* Reallocates memory of the module, on behalf of h. */
void *pl_memory_shared(pl_funcobj *h, void *p, size_t old, size_t n);
/* Reallocates memory of the function ud, and counts it. */
void *pl_memory_own(void *ud, void *p, size_t old, size_t n);
/* Raises the error that memory has run out, as Lua says it; true if the error on
** top says that.  The status of a call would not tell: C cannot raise Lua's own
** error of memory, nor can a program that passes it on. */
_Noreturn int pl_memory_raise(lua_State *L);
bool pl_memory_israised(lua_State *L);
/* Notes that h is closed, before it gives its memory back. */
void pl_memory_closing(pl_funcobj *h);
/* Reports the function's growth to Lua's collector. */
void pl_memory_report(lua_State *L, pl_funcobj *h);
/* Lets the collector work as if that much had been allocated in Lua. */
void pl_memory_step(lua_State *L, size_t bytes);

#pragma GCC visibility pop
#endif
