/* funcobj.h: functions as userdata, their life, and what the module knows.
**
** Every function of the binding is: the checks of its arguments, one call of
** the core, one push.  Lua can run code of the user at any allocation
** (finalizers), so no function allocates in Lua between its checks and the
** core's answer: results get their handle before the checks, lists are gathered
** first and made into tables afterwards, and messages are composed in `buf`.
*/
#ifndef PL_STATE_FUNCOBJ_H
#define PL_STATE_FUNCOBJ_H

#include "lauxlib.h"
#include "lua.h"
#include "phial.h"

/* Upvalues of every C function: the metatables, the table of handles, what the
** module knows, the function's own name and, of op methods, the op. */
enum {
  PL_UP_FUNC = 1,
  PL_UP_BLOCK,
  PL_UP_VAR,
  PL_UP_VALUE,
  PL_UP_OP,
  PL_UP_CURSOR,
  PL_UP_RULES,
  PL_UP_ACTOR,
  PL_UP_HANDLES,
  PL_UP_MODULE,
  PL_UP_SHARED = PL_UP_MODULE,
  PL_UP_NAME,
  PL_UP_OPNUM
};

/* User values of a function: what it keeps alive; a table of handles of its
** own, when it has many. */
enum { PL_ITS_KEPT = 1, PL_ITS_HANDLES };

/* In the table of PL_ITS_KEPT: the set of rules, the list of log functions, the
** undef function; data follow from 1 on, dialects stand by their names. */
enum { PL_KEPT_RULES = -2, PL_KEPT_LOG, PL_KEPT_UNDEF };

enum { PL_FUNCOBJ_GROWTH = 0x10000 }; /* bytes that the collector is told of */

typedef enum { PL_WHERE_NONE, PL_WHERE_BLOCKS, PL_WHERE_ALL } pl_where;
typedef enum { PL_POLICY_VALUE, PL_POLICY_ERROR, PL_POLICY_CALL } pl_policy;

typedef struct pl_funcobj pl_funcobj;

/* Runs of slots in the table of handles: of each the next in its list, those of
** a function or the spare ones. */
typedef struct {
  uint32_t *next, n, room, spare;
  bool closed;
} pl_slot_runs;

/* User values of the module: the prefix of the facade's sources; the standard
** set of rules, when it has been asked for; what calls in protected mode. */
enum { PL_MODULE_ROCK = 1, PL_MODULE_STANDARD, PL_MODULE_PROTECTED };

/* What the module knows, once for each Lua state. */
typedef struct {
  ph_pool pool;                     /* of all functions of this Lua state */
  lua_State *L;                     /* for the pool */
  pl_funcobj *asker;                /* the function that wants memory */
  const void *kinds[PL_UP_HANDLES]; /* the metatables, by address */
  pl_slot_runs runs;
  const char *rock; /* prefix of the facade's sources */
  size_t nrock;
} pl_module;

/* By the id of a block, variable or value: the slot of its handle. */
enum { PL_KINDS = PL_UP_VALUE - PL_UP_BLOCK + 1 };
typedef struct {
  uint32_t *at, n;
} pl_handle_slots;

/* The userdata phial.Function. */
struct pl_funcobj {
  pl_module *module;
  lua_State *L;      /* of the call in progress: its allocator raises there */
  ph_func *f;        /* NULL when it is closed */
  const char *doing; /* what is being done, or was when memory ended */
  ph_block doing_in;
  bool closed;
  bool done;       /* finished or frozen: pl_funcobj_mark */
  bool calling;    /* a function of the user runs: no changes */
  bool matching;   /* behind $name: the core waits for it, so no closing */
  bool telling;    /* events are told: those made meanwhile will be, too */
  bool collecting; /* the allocator asked for a collection: no access */
  bool logged;     /* somebody wants events */
  bool placed;     /* places are noted for what is made now */
  bool strict;
  pl_where where;
  pl_policy policy;
  ph_type type;  /* of variables that tell none */
  ph_block at;   /* value operators emit into it */
  ph_srcloc loc; /* what fn:loc has told */
  pl_handle_slots slots[PL_KINDS];
  uint32_t nhandles;  /* slots that were given out ... */
  uint32_t run, slot; /* ... the latest run and slot ... */
  uint32_t nleft;     /* ... and how many the run has left */
  uint32_t nprepared; /* handles; no fewer than slots */
  bool own;           /* there is a table of its own */
  uint32_t first_var; /* of the parameters */
  uint32_t nkept;     /* data in the table of PL_ITS_KEPT */
  uint32_t nchanges;  /* that the core's version does not tell */
  size_t bytes, told; /* that there are, that the collector knows of */
  uint32_t source;    /* the latest source name, and its number */
  char source_name[LUA_IDSIZE]; /* once closed: the function's own, or "" */
  const ph_dialect *latest;     /* dialect, and its first op in f */
  ph_op latest_op;
  uint32_t nops, ntypes;    /* of attached dialects */
  uint32_t version;         /* that the analyses are of */
  struct pl_ruleset *rules; /* that it uses, or NULL */
  int self;                 /* where the function lies in a call that can
                               reach functions behind $name */
  uint32_t actor;           /* the number of the builder that works, or 0 ... */
  uint32_t actors;          /* ... and the one given last */
  bool failed;              /* within an action: it could not go on */
  const ph_rpo *order;
  const ph_domtree *domtree;
  const ph_liveness *liveness;
  const ph_loops *loops;
  ph_mem mem;
  ph_strbuf buf;
};

/*
** {== A function's life ==============================================
*/

/* Pushes a new function, blank. */
pl_funcobj *pl_funcobj_new(lua_State *L);
/* The function, to be read or to be changed; refused when it is closed,
** broken or busy; pl_funcobj_open: and when it is finished; pl_funcobj_edit: and
** when it is not. */
void pl_funcobj_refuse(lua_State *L, pl_funcobj *h);
static inline ph_func *pl_funcobj_look(lua_State *L, pl_funcobj *h) {
  if (h->closed || h->doing != NULL || h->collecting) pl_funcobj_refuse(L, h);
  h->L = L;
  return h->f;
}
ph_func *pl_funcobj_change(lua_State *L, pl_funcobj *h);
void pl_funcobj_refuseopen(lua_State *L, pl_funcobj *h);
static inline ph_func *pl_funcobj_open(lua_State *L, pl_funcobj *h) {
  ph_func *f = pl_funcobj_look(L, h);
  if (h->calling || h->done) pl_funcobj_refuseopen(L, h);
  return f;
}
ph_func *pl_funcobj_edit(lua_State *L, pl_funcobj *h);
/* After what finishes or reopens it. */
static inline void pl_funcobj_mark(pl_funcobj *h) {
  h->done = ph_finish_isdone(h->f) || ph_finish_isfrozen(h->f);
}
/* Around the core's changes: when memory ends between the two, the function
** is broken. */
static inline void pl_funcobj_begin(pl_funcobj *h, const char *doing,
                                    ph_block b) {
  h->doing_in = b;
  h->doing = doing;
}
void pl_funcobj_leave(pl_funcobj *h);
static inline void pl_funcobj_end(pl_funcobj *h) {
  if (h->placed) pl_funcobj_leave(h);
  h->doing = NULL;
}
/* Notes the place of the caller for what is made until pl_funcobj_end. */
void pl_funcobj_note(lua_State *L, pl_funcobj *h);
static inline void pl_funcobj_here(lua_State *L, pl_funcobj *h,
                                   pl_where least) {
  if (h->where >= least) pl_funcobj_note(L, h);
}
/* Tells events, and the collector of growth; returns n. */
int pl_funcobj_tell(lua_State *L, pl_funcobj *h, int n);
static inline int pl_funcobj_done(lua_State *L, pl_funcobj *h, int n) {
  if (h->logged || h->bytes - h->told > PL_FUNCOBJ_GROWTH)
    return pl_funcobj_tell(L, h, n);
  return n;
}
void pl_funcobj_close(lua_State *L, pl_funcobj *h);
/* After a call that can read: asks the undef function of the user. */
void pl_funcobj_settle(lua_State *L, pl_funcobj *h, int fn);
/* Memory of the module, which h wants. */
void *pl_funcobj_shared(pl_funcobj *h, void *p, size_t old, size_t n);
/* The memory of all functions. */
void pl_funcobj_startpool(lua_State *L, pl_module *m);
void pl_funcobj_closepool(lua_State *L, pl_module *m);
/* Runs body(L, ud) in protected mode, with the n values on top as arguments: its
** status; leaves one result or the error.  Outside of it nothing is allocated,
** so no finalizer runs and no error goes past the caller. */
typedef int pl_body(lua_State *L, void *ud);
int pl_funcobj_protect(lua_State *L, pl_body *body, void *ud, int n);
/* The Lua function that does so, a user value of the module. */
int pl_funcobj_protected(lua_State *L);
extern const luaL_Reg pl_funcobj_methods[], pl_funcobj_meta[];

/* }== log.c: the option `log` ======================================== */

/* Functions at fn and log: events go there too from now on. */
void pl_log_start(lua_State *L, pl_funcobj *h, int fn, int log);
/* Hands the events so far to the log functions. */
void pl_log_tell(lua_State *L, pl_funcobj *h);

/* }=================================================================== */

#endif
