/* payload.h: Lua values as constants, as callees, and as what an instruction
** carries.
*/
#ifndef PL_ARGS_PAYLOAD_H
#define PL_ARGS_PAYLOAD_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/*
** {== Literals =======================================================
*/

bool pl_literal_is(lua_State *L, int arg);
/* Its type where nothing else determines one. */
ph_type pl_literal_alone(lua_State *L, int arg);
bool pl_literal_fits(lua_State *L, int arg, ph_type type);
/* The datum that is a copy of the literal at `arg`, which fits the type. */
ph_data pl_literal_data(lua_State *L, ph_func *f, int arg, ph_type type);
ph_value pl_literal_value(lua_State *L, ph_func *f, int arg, ph_type type);
/* The value of the constant that is made from i: wrapped to the width of the
** integer type and sign-extended, except for i1. */
lua_Integer pl_literal_wrap(ph_type type, lua_Integer i);
/* Pushes what a constant or a datum holds. */
void pl_literal_push(lua_State *L, const ph_func *f, ph_type type,
                     ph_data data);

/* }== Symbols ======================================================== */

/* Returns the stack index of what a name at `at` means in the module of the
** function (fn: its stack index), which is pushed; `at` if that module does not
** know the name, or if it is not a name. */
int pl_symbol_resolve(lua_State *L, int fn, int at);
/* Checks that it is a global, a function of phial, or a name. */
void pl_symbol_checkaddress(lua_State *L, pl_funcobj *h, int arg);

/* }== Callees ======================================================== */

/* Checks that the Lua value at `arg` can be called. */
void pl_callee_check(lua_State *L, pl_funcobj *h, int arg);
/* The same for that of a tail call: what Lua's functions return is converted,
** and nothing can do that. */
void pl_callee_checktail(lua_State *L, pl_funcobj *h, int arg);
/* pl_symbol_resolve of a callee; an error if it is the name of a global. */
int pl_callee_resolve(lua_State *L, pl_funcobj *h, int fn, int arg);
/* The function at `at`, if its parameters and result are known; or NULL. */
const pl_funcobj *pl_callee_signature(lua_State *L, int at);
/* Returns the type of h that is `type` of c; PH_NOTYPE if h does not have its
** dialect. */
ph_type pl_callee_type(const pl_funcobj *h, const pl_funcobj *c, ph_type type);
/* Returns the type of parameter i of c, from 0, in h; PH_NOTYPE: any fits. */
ph_type pl_callee_wants(const pl_funcobj *h, const pl_funcobj *c, int i);

/* }== Data of instructions =========================================== */

/* Keeps the Lua value at `arg` alive (fn: stack index of the function) if the
** core cannot hold it; then makes the datum for it. */
void pl_payload_keep(lua_State *L, pl_funcobj *h, int fn, int arg);
ph_data pl_payload_of(lua_State *L, pl_funcobj *h, int arg);
/* Raises an error unless the message of a trap is at `arg`. */
void pl_payload_checkmessage(lua_State *L, pl_funcobj *h, int arg);
/* Pushes the Lua value of a datum. */
void pl_payload_push(lua_State *L, pl_funcobj *h, int fn, ph_data data);

/* The datum of a symbolic op: a name, or a thing that has one. */
typedef struct {
  int at, name;       /* stack indices; a name is its own */
  lua_Integer number; /* under which the thing is kept; 0: not yet */
} pl_symbol;

/* Do the same for a symbolic op; pushes the name of what is at `arg`, which can
** call a metamethod __symbol. */
pl_symbol pl_payload_keepsymbol(lua_State *L, pl_funcobj *h, int fn, int arg);
ph_data pl_payload_ofsymbol(lua_State *L, pl_funcobj *h, const pl_symbol *s);

/* }== Data of other functions ======================================== */

/* Marks in `numbers`, by number, what instructions of c refer to of the n
** things that it keeps; then has h keep these things, too (from, fn: stack
** indices of the functions, which may be the same), and stores their new
** numbers.  Returns how many are to be added to h->nkept. */
void pl_payload_mark(const pl_funcobj *c, uint32_t *numbers);
uint32_t pl_payload_share(lua_State *L, int from, pl_funcobj *h, int fn,
                          uint32_t *numbers, uint32_t n);

/* }=================================================================== */

#pragma GCC visibility pop
#endif
