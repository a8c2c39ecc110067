/* ruleset.h: what the files about rules share. */
#ifndef PL_RULES_RULESET_H
#define PL_RULES_RULESET_H

#include "binding/state/funcobj.h"

/* User values of a set: its functions behind $name, a list; what it keeps
** alive: dialects by name, the set that it is based on at 1. */
enum { PL_ITS_CALLEES = 1, PL_ITS_HELD };

/* The userdata phial.Rules; the core's set lies behind it. */
typedef struct pl_ruleset pl_ruleset;
struct pl_ruleset {
  lua_State *L; /* of the call in progress: its allocator raises there */
  ph_ruleset *set;
  pl_ruleset *base;  /* or NULL */
  const char *doing; /* as of a function */
  bool closed, collecting;
  uint32_t calling; /* functions behind $name that matching waits for */
  size_t told;
  uint32_t ncallees;
  uint32_t nops, ntypes; /* of attached dialects */
  ph_mem mem;
  ph_strbuf buf;
};

/* The set at `arg`, to be read or changed; refused when it is broken. */
pl_ruleset *pl_ruleset_check(lua_State *L, int arg);
/* Lets the sets that h uses allocate in L; refuses when one is broken. */
void pl_ruleset_current(lua_State *L, pl_ruleset *r);
/* After a call of a function of the user, which may have used another L. */
void pl_ruleset_resume(lua_State *L, pl_ruleset *r);
/* Pushes the standard set, made when there is none; it never changes. */
void pl_ruleset_pushstandard(lua_State *L);
/* Pushes the new set of a call phial.rules(...) with these arguments. */
int pl_ruleset_new(lua_State *L);
/* Attaches the dialects of the set at `at` to h, at index fn. */
void pl_ruleset_attach(lua_State *L, pl_funcobj *h, int fn, int at);
/* Tells the collector of growth; returns n. */
int pl_ruleset_done(lua_State *L, pl_ruleset *r, int n);
extern const luaL_Reg pl_ruleset_methods[], pl_ruleset_meta[];

/* callback.c: h, at index fn, uses the set at `at` from now on. */
void pl_callback_start(lua_State *L, pl_funcobj *h, int fn, int at);
/* Before a call of the core that can apply rules. */
void pl_callback_begin(lua_State *L, pl_funcobj *h, int fn);
/* After one that returned none: undoes what pl_funcobj_begin did and raises what
** the function of the user raised. */
int pl_callback_fail(lua_State *L, pl_funcobj *h);
/* A question to a function behind $name, of that set. */
typedef struct {
  pl_funcobj *h;
  pl_ruleset *set;
  const ph_given *args;
  uint32_t n, rule; /* rule 0: not to be named in errors */
  bool acts;        /* it makes a result of that type */
  ph_type type;
} pl_callback_request;
/* Asks the function on top, in protected mode: its status; one result, checked,
** or the error is in its place. */
int pl_callback_ask(lua_State *L, pl_callback_request *r);
/* Pushes the table of hits by rule name. */
void pl_callback_pushhits(lua_State *L, pl_funcobj *h);

/* action_builder.c: the builder that an action gets. */
void pl_action_builder_push(lua_State *L, pl_funcobj *h, int fn);
int pl_action_builder_op(lua_State *L);
extern const luaL_Reg pl_action_builder_methods[], pl_action_builder_meta[];

/* explain.c: what can be asked about a set. */
extern const luaL_Reg pl_explain_methods[];
/* rule_check.c: whether its rules hold, and are of use. */
extern const luaL_Reg pl_rule_check_methods[];

#endif
