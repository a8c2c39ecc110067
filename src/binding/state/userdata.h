/* userdata.h: the userdata of the binding, and how their kinds are told apart.
**
** Every function of the binding checks its arguments, calls the core once and
** pushes the answer.  Lua can run code of the user at any allocation
** (finalizers), so no function allocates in Lua between its checks and the
** core's answer: results get their handle before the checks, lists are gathered
** first and made into tables afterwards, and messages are composed in `buf`.
*/
#ifndef PL_STATE_USERDATA_H
#define PL_STATE_USERDATA_H

#include "lauxlib.h"
#include "lua.h"
#include "phial.h"

/* Lua declares these as if they returned. */
_Noreturn int lua_error(lua_State *L);
_Noreturn int luaL_error(lua_State *L, const char *fmt, ...);
_Noreturn int luaL_typeerror(lua_State *L, int arg, const char *name);

#pragma GCC visibility push(hidden)

/* The kinds of userdata, KIND(kind, name): PL_KIND_FUNC is that of
** phial.Function, and PL_OF_FUNC (method.h) a set of it alone. */
#define PL_EACH_KIND(KIND)   \
  KIND(FUNC, "Function")     \
  KIND(BLOCK, "Block")       \
  KIND(VAR, "Variable")      \
  KIND(VALUE, "Value")       \
  KIND(ACCESS, "Access")     \
  KIND(OP, "Op")             \
  KIND(CURSOR, "Cursor")     \
  KIND(RULES, "Rules")       \
  KIND(LEAVING, "Leaving")   \
  KIND(REPAIR, "Repair")     \
  KIND(SOLUTION, "Solution") \
  KIND(LIBRARY, "Library")   \
  KIND(GROUP, "Group")       \
  KIND(LANGUAGE, "Language") \
  KIND(WRITING, "Writing")   \
  KIND(ACTOR, "Actor")       \
  KIND(EVENT, "Event")

/* The module has the metatable of each as a user value of this number. */
enum {
  PL_KIND_NONE,
#define PL_KIND_NUMBER(kind, name) PL_KIND_##kind,
  PL_EACH_KIND(PL_KIND_NUMBER)
#undef PL_KIND_NUMBER
};
enum { PL_KINDS = PL_KIND_EVENT };

/* Upvalues of every C function: the module, the table of handles, the
** function's own name and, for op methods, the op. */
enum { PL_UP_MODULE = 1, PL_UP_HANDLES, PL_UP_NAME, PL_UP_OPNUM };

typedef struct pl_funcobj pl_funcobj;

/*
** {== The module =====================================================
*/

/* Its user values, besides the metatables: the prefix of the facade's sources;
** the standard set of rules, once it has been asked for; the callee of protected
** calls; the message of the error that phial raised last; the latest error of a
** callback with the name of its rule. */
enum {
  PL_MODULE_ROCK = PL_KINDS + 1,
  PL_MODULE_STANDARD,
  PL_MODULE_PROTECTED,
  PL_MODULE_REFUSAL,
  PL_MODULE_NAMED,
  PL_MODULE_USERVALUES = PL_MODULE_NAMED
};

/* The most memory that functions took of those that were closed lately, and
** their number. */
typedef struct {
  size_t largest, second;
  uint32_t n;
} pl_closings;

/* Runs of slots in the table of handles: for each run the next one in its
** list, which is that of a function or of the spare runs. */
typedef struct {
  uint32_t *next, n, room, spare;
} pl_slot_runs;

/* The head of a piece of memory that was got from Lua's allocator, in the ring
** of all pieces of the module; the piece follows it. */
typedef struct pl_piece pl_piece;
struct pl_piece {
  pl_piece *prev, *next;
  size_t size; /* with the head */
};

/* One for each Lua state. */
typedef struct {
  ph_pool *pool;                   /* memory of all functions; after this */
  pl_piece pieces;                 /* in the ring */
  bool closed;                     /* with its Lua state */
  bool describing;                 /* asks what comments of a text say */
  uint32_t tag;                    /* of the latest function's handles */
  lua_State *L;                    /* whose allocator the pool calls */
  pl_funcobj *asker;               /* the function that wants memory */
  const void *kinds[PL_KINDS + 1]; /* the metatables, by address */
  pl_slot_runs runs;
  pl_closings closings;
  size_t kept;          /* the limit of the pool */
  const char *rock;     /* prefix of the facade's sources */
  size_t position_size; /* bytes of the position before the latest message */
  uint32_t nested;      /* calls in progress of Lua by native code */
} pl_module;

/* }== Functions ====================================================== */

/* User values of a function: itself, where handles have their function; the
** table of what it keeps alive; a table of handles of its own, if it has many;
** its module, and the table of that module's symbols by name. */
enum {
  PL_ITS_SELF = 1,
  PL_ITS_KEPT,
  PL_ITS_HANDLES,
  PL_ITS_MODULE,
  PL_ITS_SYMBOLS,
  PL_FUNC_USERVALUES = PL_ITS_SYMBOLS
};

/* Keys in the table of PL_ITS_KEPT: the data of blocks, by id, those of
** variables, nodes by number, the set of rules, the list of log
** functions, the undef function; data of instructions have the keys from 1 on,
** dialects their names. */
enum {
  PL_KEPT_BLOCKS = -5,
  PL_KEPT_VARS,
  PL_KEPT_NODES,
  PL_KEPT_RULES,
  PL_KEPT_LOG,
  PL_KEPT_UNDEF
};

typedef enum { PL_WHERE_NONE, PL_WHERE_BLOCKS, PL_WHERE_ALL } pl_where;
/* The option `undef`; _UNSAID: it was not given; _UNWRITTEN: nor in the call of
** phial.build that has made the function. */
typedef enum {
  PL_UNDEF_UNSAID,
  PL_UNDEF_VALUE,
  PL_UNDEF_UNWRITTEN,
  PL_UNDEF_ERROR,
  PL_UNDEF_CALL
} pl_undef_policy;

/* What a function is busy with. */
typedef struct {
  const char *doing;   /* the change in progress, or the one memory ended in; */
  ph_block block;      /* in this block, or none */
  pl_funcobj *reading; /* the change reads this other function; or NULL */
  bool in_callback;    /* a callback of the user runs: no changes */
  bool core_waits;     /* the core waits for a callback of a rule: no closing */
  bool flushing;   /* events are passed to log functions, new ones included */
  bool collecting; /* the allocator asked for a collection: no access */
} pl_activity;

typedef struct {
  pl_where where;
  bool is_set;    /* what is made now gets the place of the caller */
  ph_srcloc loc;  /* the frontend's location, set by fn:set_loc */
  ph_srcloc made; /* the call of phial.fn; nowhere if there was none */
} pl_places;

/* By the id of a block, variable, value or access: the slot of its handle. */
enum { PL_HANDLE_KINDS = PL_KIND_ACCESS - PL_KIND_BLOCK + 1 };
typedef struct {
  uint32_t *at, n;
} pl_handle_slots;

typedef struct {
  pl_handle_slots slots[PL_HANDLE_KINDS];
  uint32_t n;         /* slots given out ... */
  uint32_t run, slot; /* ... the latest run and slot ... */
  uint32_t nleft;     /* ... and how many slots the run has left */
  uint32_t nprepared; /* handles made; at least as many as slots */
  bool own_table;     /* some are in a table of the function's own */
} pl_handles;

typedef struct {
  size_t bytes, peak; /* held; the most so far */
  size_t reported;    /* bytes reported to Lua's collector */
} pl_memory_use;

typedef struct {
  const ph_dialect *latest; /* used last, and its first op in the function */
  ph_op first_op;
  uint32_t nops, ntypes; /* of all that are attached */
} pl_dialects;

/* Callbacks of rules. */
typedef struct {
  int fn; /* stack index of the function in a call that can reach them */
  uint32_t builder; /* number of the action's builder that may work, or 0 ... */
  uint32_t nbuilders; /* ... and the number given out last */
  bool failed;        /* the builder has raised an error */
} pl_actions;

/* The last answers about blocks and edges, */
typedef struct {
  uint32_t version; /* ph_func_flowversion */
  const ph_rpo *order;
  const ph_domtree *domtree;
  const ph_loops *loops;
} pl_flow_analyses;

/* and those that also depend on phis and instructions. */
typedef struct {
  uint32_t version; /* ph_func_codeversion */
  const ph_liveness *liveness;
  const ph_livepoints *livepoints;
  const ph_needed *needed;
  const ph_reaching *reaching; /* of the first `naccesses` accesses */
  uint32_t naccesses;
  const ph_leaving *leaving[2]; /* by option `coalesce` */
} pl_code_analyses;

/* The userdata phial.Function. */
struct pl_funcobj {
  pl_module *module;
  lua_State *L; /* of the call in progress: its allocator raises there */
  ph_func *f;   /* NULL once closed */
  pl_activity now;
  uint32_t tag; /* of its handles: pl_userdata_tag */
  bool closed;
  bool complete;   /* finished or frozen; pl_access_notecomplete updates it */
  bool is_watched; /* runs are told of its changes: pl_access_tellruns */
  bool has_log;    /* events go to log functions, by `flush` */
  bool strict;
  bool split; /* edges with refinements, if need be */
  pl_undef_policy undef_policy;
  uint32_t nreads;  /* recorded, and given a place, with PL_UNDEF_UNWRITTEN */
  ph_type type;     /* of variables declared without one */
  ph_block current; /* where methods of the function and operators emit */
  pl_places places;
  pl_handles handles;
  pl_memory_use memory;
  pl_dialects dialects;
  struct pl_ruleset *rules; /* in use, or NULL */
  pl_actions actions;
  pl_flow_analyses flow_analyses;
  pl_code_analyses code_analyses;
  uint32_t first_var; /* variable of the first parameter */
  uint32_t nkept;     /* data of instructions in the table of PL_ITS_KEPT */
  uint32_t nnodes;    /* given by fn:set_node */
  uint32_t nchanges;  /* changes that the core's version does not count */
  uint32_t source;    /* the latest source name: its number and text; */
  char source_name[LUA_IDSIZE]; /* once closed: the function's name, or "" */
  void (*flush)(lua_State *L, pl_funcobj *h); /* tells the events so far */
  ph_mem mem;
  ph_strbuf buf;
};

/* Closing the module ends all functions, also those whose finalizer Lua could
** not run. */
static inline bool pl_userdata_isclosed(const pl_funcobj *h) {
  return h->closed || h->module->closed;
}
/* True unless the function is closed, broken or waiting for memory. */
static inline bool pl_userdata_isusable(const pl_funcobj *h) {
  return !pl_userdata_isclosed(h) && h->now.doing == NULL && !h->now.collecting;
}

/* }== Handles ======================================================== */

/* The userdata of a block, a variable, a value, an access, a group, a cursor
** (id: the value that it precedes) or an action's builder (id: its number). */
typedef struct {
  pl_funcobj *owner;
  uint32_t id;
  uint32_t tag; /* unless of a cursor or builder: see pl_userdata_own */
} pl_handle;

/* }== Kinds ========================================================== */

extern const char *const pl_userdata_names[PL_KINDS + 1];
/* Pushes the text of a userdata of h, which is not usable: "phial.Block
** (closed)"; returns 1. */
int pl_userdata_pushunusable(lua_State *L, const pl_funcobj *h, int kind);
/* Makes the userdata on top one of that kind. */
static inline void pl_userdata_setkind(lua_State *L, int kind) {
  lua_getiuservalue(L, lua_upvalueindex(PL_UP_MODULE), kind);
  lua_setmetatable(L, -2);
}
/* Pushes a C function of the module; `name` is its own.  The n values on top
** become further upvalues, after PL_UP_NAME. */
void pl_userdata_pushfunction(lua_State *L, lua_CFunction run, const char *name,
                              int n);

/* Sets a field of the table on top. */
static inline void pl_userdata_setnumber(lua_State *L, const char *name,
                                         lua_Integer n) {
  lua_pushinteger(L, n);
  lua_setfield(L, -2, name);
}

/* The tag of handles of h; no two functions have the same one. */
static inline uint32_t pl_userdata_tag(const pl_funcobj *h, int kind) {
  return h->tag + (uint32_t)kind;
}
/* The block, variable, value or access of h, which is not closed, at `arg`, or
** NULL.
** Its kind is in its tag.  Comparing the owner is quicker than looking up the
** metatable, and as safe: only handles hold a function's address, and a foreign
** userdata whose memory was never written can at most look like an earlier
** handle of h, whose id is still one of h. */
static inline const pl_handle *pl_userdata_own(lua_State *L,
                                               const pl_funcobj *h, int arg) {
  const pl_handle *it = lua_touserdata(L, arg);
  if (it == NULL || lua_rawlen(L, arg) != sizeof *it || it->owner != h)
    return NULL;
  return it;
}
static inline const pl_handle *
pl_userdata_ownkind(lua_State *L, const pl_funcobj *h, int arg, int kind) {
  const pl_handle *it = pl_userdata_own(L, h, arg);
  return it != NULL && it->tag == pl_userdata_tag(h, kind) ? it : NULL;
}

static inline pl_module *pl_userdata_module(lua_State *L) {
  return lua_touserdata(L, lua_upvalueindex(PL_UP_MODULE));
}
/* The userdata at `arg` if it is of that kind, or NULL. */
static inline void *pl_userdata_kind(lua_State *L, const pl_module *m, int arg,
                                     int kind) {
  bool same;
  if (!lua_getmetatable(L, arg)) return NULL;
  same = lua_topointer(L, -1) == m->kinds[kind];
  lua_pop(L, 1);
  return same ? lua_touserdata(L, arg) : NULL;
}
static inline void *pl_userdata_test(lua_State *L, int arg, int kind) {
  return pl_userdata_kind(L, pl_userdata_module(L), arg, kind);
}
/* These leave the metatable of `arg`, if any, on the stack: its address, one of
** the module's `kinds` if it is a userdata of phial; and the same as _kind,
** quicker. */
static inline const void *pl_userdata_peekmeta(lua_State *L, int arg) {
  return lua_getmetatable(L, arg) ? lua_topointer(L, -1) : NULL;
}
static inline void *pl_userdata_peek(lua_State *L, const pl_module *m, int arg,
                                     int kind) {
  if (pl_userdata_peekmeta(L, arg) != m->kinds[kind]) return NULL;
  return lua_touserdata(L, arg);
}

/* }=================================================================== */

#pragma GCC visibility pop
#endif
