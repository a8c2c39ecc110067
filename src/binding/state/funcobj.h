/* host.h: functions as userdata, their life, and what the module knows.
**
** Every function of the binding is: the checks of its arguments, one call of
** the core, one push.  Lua can run code of the user at any allocation
** (finalizers), so no function allocates in Lua between its checks and the
** core's answer: results get their handle before the checks, lists are gathered
** first and made into tables afterwards, and messages are composed in `buf`.
*/
#ifndef PH_BINDING_HOST_H
#define PH_BINDING_HOST_H

#include "lauxlib.h"
#include "lua.h"
#include "phial.h"

/* Upvalues of every C function: the metatables, the table of handles, what the
** module knows, the function's own name and, of op methods, the op. */
enum {
  PH_UP_FUNC = 1,
  PH_UP_BLOCK,
  PH_UP_VAR,
  PH_UP_VALUE,
  PH_UP_OP,
  PH_UP_CURSOR,
  PH_UP_RULES,
  PH_UP_ACTOR,
  PH_UP_HANDLES,
  PH_UP_MODULE,
  PH_UP_SHARED = PH_UP_MODULE,
  PH_UP_NAME,
  PH_UP_OPNUM
};

/* User values of a function: what it keeps alive; a table of handles of its
** own, when it has many. */
enum { PH_ITS_KEPT = 1, PH_ITS_HANDLES };

/* In the table of PH_ITS_KEPT: the set of rules, the list of log functions, the
** undef function; data follow from 1 on, dialects stand by their names. */
enum { PH_KEPT_RULES = -2, PH_KEPT_LOG, PH_KEPT_UNDEF };

enum { PH_HOST_GROWTH = 0x10000 }; /* bytes that the collector is told of */

typedef enum { PH_WHERE_NONE, PH_WHERE_BLOCKS, PH_WHERE_ALL } ph_where;
typedef enum { PH_POLICY_VALUE, PH_POLICY_ERROR, PH_POLICY_CALL } ph_policy;

typedef struct ph_host ph_host;

/* Runs of slots in the table of handles: of each the next in its list, those of
** a function or the spare ones. */
typedef struct {
  uint32_t *next, n, room, spare;
  bool closed;
} ph_runs;

/* User values of the module: the prefix of the facade's sources; the standard
** set of rules, when it has been asked for; what calls in protected mode. */
enum { PH_MODULE_ROCK = 1, PH_MODULE_STANDARD, PH_MODULE_PROTECTED };

/* What the module knows, once for each Lua state. */
typedef struct {
  ph_pool pool;                     /* of all functions of this Lua state */
  lua_State *L;                     /* for the pool */
  ph_host *asker;                   /* the function that wants memory */
  const void *kinds[PH_UP_HANDLES]; /* the metatables, by address */
  ph_runs runs;
  const char *rock; /* prefix of the facade's sources */
  size_t nrock;
} ph_module;

/* By the id of a block, variable or value: the slot of its handle. */
enum { PH_KINDS = PH_UP_VALUE - PH_UP_BLOCK + 1 };
typedef struct {
  uint32_t *at, n;
} ph_slots;

/* The userdata phial.Function. */
struct ph_host {
  ph_module *module;
  lua_State *L;      /* of the call in progress: its allocator raises there */
  ph_func *f;        /* NULL when it is closed */
  const char *doing; /* what is being done, or was when memory ended */
  ph_block doing_in;
  bool closed;
  bool done;       /* finished or frozen: ph_host_mark */
  bool calling;    /* a function of the user runs: no changes */
  bool matching;   /* behind $name: the core waits for it, so no closing */
  bool telling;    /* events are told: those made meanwhile will be, too */
  bool collecting; /* the allocator asked for a collection: no access */
  bool logged;     /* somebody wants events */
  bool placed;     /* places are noted for what is made now */
  bool strict;
  ph_where where;
  ph_policy policy;
  ph_type type; /* of variables that tell none */
  ph_block at;  /* value operators emit into it */
  ph_place loc; /* what fn:loc has told */
  ph_slots slots[PH_KINDS];
  uint32_t nhandles;  /* slots that were given out ... */
  uint32_t run, slot; /* ... the latest run and slot ... */
  uint32_t nleft;     /* ... and how many the run has left */
  uint32_t nprepared; /* handles; no fewer than slots */
  bool own;           /* there is a table of its own */
  uint32_t first_var; /* of the parameters */
  uint32_t nkept;     /* data in the table of PH_ITS_KEPT */
  uint32_t nchanges;  /* that the core's version does not tell */
  size_t bytes, told; /* that there are, that the collector knows of */
  uint32_t source;    /* the latest source name, and its number */
  char source_name[LUA_IDSIZE]; /* once closed: the function's own, or "" */
  const ph_dialect *latest;     /* dialect, and its first op in f */
  ph_op latest_op;
  uint32_t nops, ntypes;    /* of attached dialects */
  uint32_t version;         /* that the analyses are of */
  struct ph_ruleset *rules; /* that it uses, or NULL */
  int self;                 /* where the function lies in a call that can
                               reach functions behind $name */
  uint32_t actor;           /* the number of the builder that works, or 0 ... */
  uint32_t actors;          /* ... and the one given last */
  bool failed;              /* within an action: it could not go on */
  const ph_order *order;
  const ph_domtree *domtree;
  const ph_liveness *liveness;
  const ph_loops *loops;
  ph_mem mem;
  ph_buf buf;
};

/*
** {== A function's life ==============================================
*/

/* Pushes a new function, blank. */
ph_host *ph_host_new(lua_State *L);
/* The function, to be read or to be changed; refused when it is closed,
** broken or busy; ph_host_open: and when it is finished; ph_host_edit: and
** when it is not. */
void ph_host_refuse(lua_State *L, ph_host *h);
static inline ph_func *ph_host_look(lua_State *L, ph_host *h) {
  if (h->closed || h->doing != NULL || h->collecting) ph_host_refuse(L, h);
  h->L = L;
  return h->f;
}
ph_func *ph_host_change(lua_State *L, ph_host *h);
void ph_host_refuseopen(lua_State *L, ph_host *h);
static inline ph_func *ph_host_open(lua_State *L, ph_host *h) {
  ph_func *f = ph_host_look(L, h);
  if (h->calling || h->done) ph_host_refuseopen(L, h);
  return f;
}
ph_func *ph_host_edit(lua_State *L, ph_host *h);
/* After what finishes or reopens it. */
static inline void ph_host_mark(ph_host *h) {
  h->done = ph_finish_isdone(h->f) || ph_finish_isfrozen(h->f);
}
/* Around the core's changes: when memory ends between the two, the function
** is broken. */
static inline void ph_host_begin(ph_host *h, const char *doing, ph_block b) {
  h->doing_in = b;
  h->doing = doing;
}
void ph_host_leave(ph_host *h);
static inline void ph_host_end(ph_host *h) {
  if (h->placed) ph_host_leave(h);
  h->doing = NULL;
}
/* Notes the place of the caller for what is made until ph_host_end. */
void ph_host_note(lua_State *L, ph_host *h);
static inline void ph_host_here(lua_State *L, ph_host *h, ph_where least) {
  if (h->where >= least) ph_host_note(L, h);
}
/* Tells events, and the collector of growth; returns n. */
int ph_host_tell(lua_State *L, ph_host *h, int n);
static inline int ph_host_done(lua_State *L, ph_host *h, int n) {
  if (h->logged || h->bytes - h->told > PH_HOST_GROWTH)
    return ph_host_tell(L, h, n);
  return n;
}
void ph_host_close(lua_State *L, ph_host *h);
/* After a call that can read: asks the undef function of the user. */
void ph_host_settle(lua_State *L, ph_host *h, int fn);
/* Memory of the module, which h wants. */
void *ph_host_shared(ph_host *h, void *p, size_t old, size_t n);
/* The memory of all functions. */
void ph_host_startpool(lua_State *L, ph_module *m);
void ph_host_closepool(lua_State *L, ph_module *m);
/* Runs body(L, ud) in protected mode, with the n values on top as arguments: its
** status; leaves one result or the error.  Outside of it nothing is allocated,
** so no finalizer runs and no error goes past the caller. */
typedef int ph_body(lua_State *L, void *ud);
int ph_host_protect(lua_State *L, ph_body *body, void *ud, int n);
/* The Lua function that does so, a user value of the module. */
int ph_host_protected(lua_State *L);
extern const luaL_Reg ph_host_methods[], ph_host_meta[];

/* }== log.c: the option `log` ======================================== */

/* Functions at fn and log: events go there too from now on. */
void ph_log_start(lua_State *L, ph_host *h, int fn, int log);
/* Hands the events so far to the log functions. */
void ph_log_tell(lua_State *L, ph_host *h);

/* }=================================================================== */

#endif
