/* callback.h: functions of the user behind $name. */
#ifndef PL_RULES_CALLBACK_H
#define PL_RULES_CALLBACK_H

#include "binding/rules/ruleset.h"
#include "binding/state/error.h"
#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Lets h, at stack index fn, use the set at `at` from now on. */
void pl_callback_start(lua_State *L, pl_funcobj *h, int fn, int at);
/* Runs the body, with h and the function at 1, while that uses the set at `set`;
** pushes its result. */
void pl_callback_phase(lua_State *L, pl_funcobj *h, pl_protect_body *body,
                       int set);
/* After a call of the core that returned none: ends the change and raises what
** a callback raised. */
int pl_callback_fail(lua_State *L, pl_funcobj *h);
/* Warns, once for a function, if rules have run in circles. */
void pl_callback_warn(lua_State *L, pl_funcobj *h);
/* A call of a function behind $name, of that set, or of the eval of an op. */
typedef struct {
  pl_funcobj *h;
  pl_ruleset *set;
  const ph_callback_arg *args;
  uint32_t n, rule;
  bool acts;    /* it makes a result, of that type */
  ph_type type; /* also that of a constant that is asked for, or PH_NOTYPE */
  ph_op op;
} pl_callback_request;
/* Asks the guard of that number, of the set at stack index `set` (0: that which
** the function uses).  Returns what a guard of ph_callbacks does; -1: the error
** stays on the stack until the core has returned. */
int pl_callback_guard(lua_State *L, pl_callback_request *r, int set,
                      uint32_t number);
/* Asks in the same way for a constant of r->type. */
int pl_callback_constant(lua_State *L, pl_callback_request *r, int set,
                         uint32_t number, ph_data *result);
/* True if what is on top can be such a constant; and what can be. */
bool pl_callback_isconstant(lua_State *L, ph_type type);
const char *pl_callback_wanted(ph_type type);
/* Pushes the name of rule n or, if it has none, SOURCE:LINE. */
void pl_callback_pushname(lua_State *L, const ph_ruleset *set, uint32_t n);
/* Pushes the table of hits by rule name. */
void pl_callback_pushhits(lua_State *L, pl_funcobj *h);

#pragma GCC visibility pop
#endif
