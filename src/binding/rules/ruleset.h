/* rules.h: what the files about rules share. */
#ifndef PH_BINDING_RULES_H
#define PH_BINDING_RULES_H

#include "binding/state/funcobj.h"

/* User values of a set: its functions behind $name, a list; what it keeps
** alive: dialects by name, the set that it is based on at 1. */
enum { PH_ITS_CALLEES = 1, PH_ITS_HELD };

/* The userdata phial.Rules; the core's set lies behind it. */
typedef struct ph_ruleset ph_ruleset;
struct ph_ruleset {
  lua_State *L; /* of the call in progress: its allocator raises there */
  ph_rules *set;
  ph_ruleset *base;  /* or NULL */
  const char *doing; /* as of a function */
  bool closed, collecting;
  uint32_t calling; /* functions behind $name that matching waits for */
  size_t told;
  uint32_t ncallees;
  uint32_t nops, ntypes; /* of attached dialects */
  ph_mem mem;
  ph_buf buf;
};

/* The set at `arg`, to be read or changed; refused when it is broken. */
ph_ruleset *ph_rules_check(lua_State *L, int arg);
/* Lets the sets that h uses allocate in L; refuses when one is broken. */
void ph_rules_current(lua_State *L, ph_ruleset *r);
/* After a call of a function of the user, which may have used another L. */
void ph_rules_resume(lua_State *L, ph_ruleset *r);
/* Pushes the standard set, made when there is none; it never changes. */
void ph_rules_pushstandard(lua_State *L);
/* Pushes the new set of a call phial.rules(...) with these arguments. */
int ph_rules_new(lua_State *L);
/* Attaches the dialects of the set at `at` to h, at index fn. */
void ph_rules_attach(lua_State *L, ph_host *h, int fn, int at);
/* Tells the collector of growth; returns n. */
int ph_rules_done(lua_State *L, ph_ruleset *r, int n);
extern const luaL_Reg ph_rules_methods[], ph_rules_meta[];

/* hook.c: h, at index fn, uses the set at `at` from now on. */
void ph_hook_start(lua_State *L, ph_host *h, int fn, int at);
/* Before a call of the core that can apply rules. */
void ph_hook_begin(lua_State *L, ph_host *h, int fn);
/* After one that returned none: undoes what ph_host_begin did and raises what
** the function of the user raised. */
int ph_hook_fail(lua_State *L, ph_host *h);
/* A question to a function behind $name, of that set. */
typedef struct {
  ph_host *h;
  ph_ruleset *set;
  const ph_given *args;
  uint32_t n, rule; /* rule 0: not to be named in errors */
  bool acts;        /* it makes a result of that type */
  ph_type type;
} ph_request;
/* Asks the function on top, in protected mode: its status; one result, checked,
** or the error is in its place. */
int ph_hook_ask(lua_State *L, ph_request *r);
/* Pushes the table of hits by rule name. */
void ph_hook_pushhits(lua_State *L, ph_host *h);

/* actor.c: the builder that an action gets. */
void ph_actor_push(lua_State *L, ph_host *h, int fn);
int ph_actor_op(lua_State *L);
extern const luaL_Reg ph_actor_methods[], ph_actor_meta[];

/* inquiry.c: what can be asked about a set. */
extern const luaL_Reg ph_inquiry_methods[];
/* soundness.c: whether its rules hold, and are of use. */
extern const luaL_Reg ph_soundness_methods[];

#endif
