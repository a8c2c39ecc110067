/* ruleset.h: sets of rules in Lua. */
#ifndef PL_RULES_RULESET_H
#define PL_RULES_RULESET_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* User values of a set: the list of its functions behind $name; what it keeps
** alive: dialects by name, the set that it is based on at 1. */
enum { PL_ITS_CALLEES = 1, PL_ITS_HELD };

/* The userdata phial.Rules; the core's set follows it in memory. */
typedef struct pl_ruleset pl_ruleset;
struct pl_ruleset {
  pl_module *module;
  lua_State *L; /* of the call in progress: its allocator raises there */
  ph_ruleset *set;
  pl_ruleset *base;  /* or NULL */
  const char *doing; /* as of a function */
  bool closed, collecting;
  bool warned;      /* that its rules, as they are, ran in circles */
  uint32_t calling; /* functions behind $name that matching waits for */
  size_t reported;  /* bytes reported to Lua's collector */
  uint32_t ncallees;
  uint32_t nops, ntypes; /* of attached dialects */
  ph_mem mem;
  ph_strbuf buf;
};

int pl_ruleset_new(lua_State *L); /* phial.rules */
/* The set at `arg`, to be read or changed; raises an error if it is broken. */
pl_ruleset *pl_ruleset_check(lua_State *L, int arg);
/* False if r is NULL or closed. */
bool pl_ruleset_isopen(const pl_ruleset *r);
/* Lets r and the sets it is based on allocate in L; raises an error if one is
** broken. */
void pl_ruleset_current(lua_State *L, pl_ruleset *r);
/* The same without the check: after a callback, which may have used another L.
*/
void pl_ruleset_resume(lua_State *L, pl_ruleset *r);
/* Before a call of the core that can apply rules to h, at stack index fn. */
void pl_ruleset_begin(lua_State *L, pl_funcobj *h, int fn);
/* Pushes the standard set, which never changes. */
void pl_ruleset_pushstandard(lua_State *L);
/* Attaches the dialects of the set at `at` to h, at index fn. */
void pl_ruleset_attach(lua_State *L, pl_funcobj *h, int fn, int at);
/* Attaches the dialects of the set at `from`, and of that it is based on, to the
** one at `set`. */
void pl_ruleset_holdall(lua_State *L, int set, int from);
/* Appends "rule 'x' (text:3)". */
void pl_ruleset_say(ph_strbuf *b, const ph_ruleset *set, uint32_t rule);
/* The argument names no rule: raises an error. */
void pl_ruleset_refusename(lua_State *L, int arg);
/* Ends a call that has n results: reports growth to the collector; returns n.
*/
int pl_ruleset_return(lua_State *L, pl_ruleset *r, int n);

#pragma GCC visibility pop
#endif
