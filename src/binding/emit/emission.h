/* emission.h: how instructions are made, all of them in these steps:
**
**   start  takes self, which tells the block, and refuses a function that
**          cannot be changed
**   take   takes the op, and what this op is given, from the arguments
**   check  checks the place, operands and results
**   begin  reads the variables among the operands; the change begins
**   make   has the core make the instruction
**   give   gives the results handles, or writes them to variables
**
** Up to `check`, anything may allocate in Lua, and so run finalizers, which may
** close or change the function: what is read of it earlier serves to tell early
** what is wrong, and is read again by `check`.  After that nothing allocates
** except reads of variables, whose callbacks cannot change the function.
*/
#ifndef PL_EMIT_EMISSION_H
#define PL_EMIT_EMISSION_H

#include "binding/args/classes.h"
#include "binding/args/operand.h"
#include "binding/args/payload.h"
#include "binding/args/phi_inputs.h"
#include "binding/emit/cursor.h"
#include "binding/rules/ruleset.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/handle.h"
#pragma GCC visibility push(hidden)

typedef struct {
  pl_funcobj *h;
  int top; /* stack index of the last argument */
  int fn;  /* stack index of the function, 0: it is that of argument 1 */
  ph_block b;
  ph_value before; /* at a cursor: what it precedes; or none */
  ph_op op;
  const ph_opspec *spec; /* of op, if its handle was given; or NULL */
  ph_type type;          /* of the result; none until it is known */
  int results; /* the number of results that is said, for ops that need it ... */
  const ph_type *said; /* ... and their types, if these are said; or NULL */
  int vars; /* so many variables, from stack index 2 on, get the results;
                  0: handles do */
  int data; /* stack index of its datum; 0: none */
  const pl_funcobj *callee; /* of a call, if its signature is known; or NULL */
  int callee_at;            /* its stack index */
  pl_said classes;          /* which classes it reads and writes */
  pl_symbol symbol;         /* the datum of a symbolic op; at 0: none */
  pl_operands operands;
  pl_phi_inputs in;      /* of a terminator at a cursor */
  pl_refinements refine; /* of a branch or switch */
} pl_emission;

/*
** {== Start ==========================================================
*/

/* Sets everything except the operands, which pl_operand_room sets. */
static inline void pl_emission_init(pl_emission *e, pl_funcobj *h, int top) {
  e->h = h;
  e->top = top;
  e->fn = 0;
  e->b.id = e->before.id = 0;
  e->op = PH_NONE;
  e->spec = NULL;
  e->type = PH_NOTYPE;
  e->results = 1;
  e->said = NULL;
  e->vars = e->data = 0;
  e->callee = NULL;
  e->classes.reads.said = e->classes.writes.said = false;
  e->symbol = (pl_symbol){0, 0, 0};
  e->in = (pl_phi_inputs){0, 0, 0, NULL, NULL};
  e->refine.n = 0;
  e->refine.split = false;
  e->refine.vars = NULL;
}
/* Takes self, a block, a function or a cursor; may leave a value above the
** arguments.  A function stands for its current block; true if it is one, which
** was found to be open. */
void pl_emission_selfcursor(lua_State *L, pl_emission *e, int top);
static inline bool pl_emission_self(lua_State *L, pl_emission *e) {
  const void *const *kinds = pl_userdata_module(L)->kinds;
  int top = lua_gettop(L);
  const void *kind = pl_userdata_peekmeta(L, 1);
  if (kind == kinds[PL_KIND_BLOCK]) {
    const pl_handle *me = lua_touserdata(L, 1);
    pl_emission_init(e, me->owner, top);
    e->b.id = me->id;
  } else if (kind == kinds[PL_KIND_FUNC]) {
    pl_emission_init(e, lua_touserdata(L, 1), top);
    e->fn = 1;
    pl_access_open(L, e->h);
    e->b = pl_cursor_current(L, e->h);
    return true;
  } else {
    pl_emission_selfcursor(L, e, top);
  }
  return false;
}
/* Checks the number of arguments, self not counted (most < 0: no limit). */
void pl_emission_refusecount(lua_State *L, pl_emission *e, int least, int most);
static inline void pl_emission_count(lua_State *L, pl_emission *e, int least,
                                     int most) {
  if (e->top <= least || (most >= 0 && e->top > most + 1))
    pl_emission_refusecount(L, e, least, most);
}
/* Refuses a function that cannot be changed there. */
void pl_emission_openedit(lua_State *L, pl_emission *e);
static inline void pl_emission_open(lua_State *L, pl_emission *e) {
  if (ph_some(e->before))
    pl_emission_openedit(L, e);
  else
    pl_access_open(L, e->h);
}
/* All of these, for a method with `least` to `most` arguments. */
static inline void pl_emission_start(lua_State *L, pl_emission *e, int least,
                                     int most) {
  bool is_open = pl_emission_self(L, e);
  pl_emission_count(L, e, least, most);
  if (!is_open) pl_emission_open(L, e);
}
/* The same for a method that cursors do not have. */
static inline void pl_emission_startblock(lua_State *L, pl_emission *e,
                                          int least, int most) {
  bool is_open = pl_emission_self(L, e);
  if (ph_some(e->before)) pl_arg_badself(L, PL_KIND_BLOCK);
  pl_emission_count(L, e, least, most);
  if (!is_open) pl_access_open(L, e->h);
}
/* The same for a method of values and variables, which emits into the current
** block; self is at stack index `self`. */
void pl_emission_startcurrent(lua_State *L, pl_emission *e, int self);

/* }== Take =========================================================== */

/* Takes the op, a name or a handle, at `arg`. */
void pl_emission_takeop(lua_State *L, pl_emission *e, int arg);
/* True if the op is a terminator. */
bool pl_emission_endsblock(const pl_emission *e);
/* Takes the datum from the table that may follow the arguments from `first` on;
** returns the index of the argument before that table. */
int pl_emission_takedata(lua_State *L, pl_emission *e, int first);
/* Gives the instruction n results; pushes and returns room for their types, which
** the caller fills in. */
ph_type *pl_emission_sayresults(lua_State *L, pl_emission *e, int n);
/* Takes the callee at `at`; its result has the type named at `type` (0: that of
** e->type). */
void pl_emission_takecallee(lua_State *L, pl_emission *e, int at, int type);
/* Takes the type, named at `arg`, of what a callee returns, or a list of types.
** nil: what its signature says, if that is known; false: it is not needed. */
void pl_emission_takeresult(lua_State *L, pl_emission *e, int arg);
/* Takes the classes of a call from the table that may be its last argument, from
** stack index `first` on. */
void pl_emission_takeclasses(lua_State *L, pl_emission *e, int first);
/* True if a value or variable is at `arg`: a callee that is one is called by
** call_indirect or tail_call_indirect. */
bool pl_emission_isoperand(lua_State *L, int arg);
/* Take the arguments of an op from stack index `first` to `last`: of alloca, a
** type's name or a size, and an alignment; of address, what has one. */
void pl_emission_takealloca(lua_State *L, pl_emission *e, int first, int last);
void pl_emission_takeaddress(lua_State *L, pl_emission *e, int first, int last);

/* }== Check, begin, make, give ======================================= */

/* Keeps the datum alive; pl_emission_datum makes it. */
void pl_emission_keepdatum(lua_State *L, pl_emission *e);
ph_data pl_emission_datum(lua_State *L, const pl_emission *e);
/* The stack index of the function; can push. */
static inline int pl_emission_owner(lua_State *L, pl_emission *e) {
  if (e->fn == 0) e->fn = pl_handle_pushowner(L, 1);
  return e->fn;
}
/* Checks the operands, and sets e->type to the type of the result; variables
** among them are read where the instruction is put, but not at a cursor. */
static inline void pl_emission_check(lua_State *L, pl_emission *e) {
  pl_operands *o = &e->operands;
  if (!ph_some(e->before)) o->reads = e->b;
  o->spec = e->spec;
  if (e->callee != NULL) /* finalizers may have closed it */
    o->callee = pl_callee_signature(L, e->callee_at);
  pl_operand_check(L, e->h, o, e->op, &e->type);
}
/* Reads variables, and begins the change that `doing` names; records the place
** of the caller if at least that much of it is asked for. */
static inline void pl_emission_begin(lua_State *L, pl_emission *e,
                                     const char *doing, pl_where least) {
  pl_operand_read(L, e->h, &e->operands, e->fn);
  if (e->h->rules != NULL) pl_ruleset_begin(L, e->h, pl_emission_owner(L, e));
  pl_access_begin(e->h, doing, e->b);
  if (e->symbol.at != 0 && e->symbol.at == e->symbol.name)
    pl_access_placeeach(L, e->h); /* a name that the module may not know yet */
  else
    pl_access_here(L, e->h, least);
}
/* All the steps after `take`, for an instruction that does not end a block;
** returns the number of results, which are pushed. */
int pl_emission_run(lua_State *L, pl_emission *e);

/* }=================================================================== */

#pragma GCC visibility pop
#endif
