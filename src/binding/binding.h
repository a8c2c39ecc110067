/* binding.h: what the files of the binding share.
**
** Every function here is: the checks of its arguments, one call of the core,
** one push.  Lua can run code of the user at any allocation (finalizers), so
** no function allocates in Lua between its checks and the core's answer:
** results get their handle before the checks, lists are gathered first and
** made into tables afterwards, and messages are composed in `buf`.
*/
#ifndef PH_BINDING_H
#define PH_BINDING_H

#include <stdarg.h>

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

/* What the module knows, once for each Lua state.  User value 2 is the standard
** set of rules, when it has been asked for. */
typedef struct {
  ph_pool pool;                     /* of all functions of this Lua state */
  lua_State *L;                     /* for the pool */
  ph_host *asker;                   /* the function that wants memory */
  const void *kinds[PH_UP_HANDLES]; /* the metatables, by address */
  ph_runs runs;
  const char *rock; /* prefix of the facade's sources; user value 1 */
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

/* The userdata of a block, a variable or a value; of a cursor: the value that
** it stands before. */
typedef struct {
  ph_host *host;
  uint32_t id;
} ph_handle;

/* The userdata phial.Op. */
typedef struct {
  const ph_dialect *dialect;
  uint32_t index;
} ph_ophandle;

/*
** {== host.c: a function's life ======================================
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
extern const luaL_Reg ph_host_methods[], ph_host_meta[];

/* }== log.c: the option `log` ========================================== */

/* Functions at fn and log: events go there too from now on. */
void ph_log_start(lua_State *L, ph_host *h, int fn, int log);
/* Hands the events so far to the log functions. */
void ph_log_tell(lua_State *L, ph_host *h);

/* }== fail.c: errors =================================================== */

/* Where the first frame outside phial is; false: there is none. */
bool ph_fail_caller(lua_State *L, lua_Debug *ar);
/* Raises, positioned there.  Plain: as lua_pushfstring. */
int ph_fail_plain(lua_State *L, const char *fmt, ...);
int ph_fail_plainarg(lua_State *L, int arg, const char *fmt, ...);
/* The same about a function; fmt knows
**   %s string   %d int   %S ph_str   %b block   %v value   %x variable
**   %t type     %o op    %i value as instruction
**   %p place " (at file:line)"   %l place " @ line:col"
**   %g argument as found   %f the function's name  */
int ph_fail(lua_State *L, ph_host *h, const char *fmt, ...);
int ph_fail_arg(lua_State *L, ph_host *h, int arg, const char *fmt, ...);
/* In parts. */
void ph_fail_start(lua_State *L, ph_host *h);
void ph_fail_say(lua_State *L, ph_host *h, const char *fmt, ...);
int ph_fail_raise(lua_State *L, ph_host *h);
/* phial.core.rock: where the facade's own files lie. */
int ph_fail_setrock(lua_State *L);

/* }== handle.c: handles ================================================ */

/* Checks the number of arguments (most < 0: there may be any number more);
** methods do not count themselves. */
void ph_arg_count(lua_State *L, int least, int most);

static inline ph_module *ph_handle_module(lua_State *L) {
  return lua_touserdata(L, lua_upvalueindex(PH_UP_MODULE));
}
/* The userdata at `arg` when it is of that kind, or NULL. */
static inline void *ph_handle_kind(lua_State *L, const ph_module *m, int arg,
                                   int kind) {
  bool same;
  if (!lua_getmetatable(L, arg)) return NULL;
  same = lua_topointer(L, -1) == m->kinds[kind];
  lua_pop(L, 1);
  return same ? lua_touserdata(L, arg) : NULL;
}
static inline void *ph_handle_test(lua_State *L, int arg, int kind) {
  return ph_handle_kind(L, ph_handle_module(L), arg, kind);
}
/* The same, quicker: leaves the metatable, if there is one, on the stack. */
static inline void *ph_handle_peek(lua_State *L, const ph_module *m, int arg,
                                   int kind) {
  if (!lua_getmetatable(L, arg) || lua_topointer(L, -1) != m->kinds[kind])
    return NULL;
  return lua_touserdata(L, arg);
}
void ph_handle_badself(lua_State *L, int kind);
/* Argument 1 of a method, which takes `least` to `most` more. */
static inline void *ph_handle_self(lua_State *L, int kind) {
  void *p = ph_handle_test(L, 1, kind);
  if (p == NULL) ph_handle_badself(L, kind);
  return p;
}
static inline void *ph_handle_method(lua_State *L, int kind, int least,
                                     int most) {
  void *p = ph_handle_self(L, kind);
  int n = lua_gettop(L) - 1;
  if (n < least || n > most) ph_arg_count(L, least, most);
  return p;
}
/* The same for `n` arguments, quicker: leaves a value above them. */
void ph_handle_refuse(lua_State *L, int kind, int top, int least, int most);
static inline void *ph_handle_quick(lua_State *L, int kind, int n) {
  int top = lua_gettop(L);
  void *p = ph_handle_peek(L, ph_handle_module(L), 1, kind);
  if (p == NULL || top != n + 1) ph_handle_refuse(L, kind, top, n, n);
  return p;
}
/* The block, value of a method, which is there still. */
ph_block ph_handle_block(lua_State *L, const ph_handle *me);
ph_value ph_handle_value(lua_State *L, const ph_handle *me);
/* Argument `arg`: a handle of the same function, of something there. */
ph_block ph_handle_argblock(lua_State *L, ph_host *h, int arg);
/* The same for what came with argument `arg` and lies at `at`. */
ph_block ph_handle_blockat(lua_State *L, ph_host *h, int at, int arg);
ph_value ph_handle_valueat(lua_State *L, ph_host *h, int at, int arg);
ph_value ph_handle_argvalue(lua_State *L, ph_host *h, int arg);
ph_var ph_handle_checkvar(lua_State *L, ph_host *h, int arg);
/* Leaves a value on the stack. */
static inline ph_var ph_handle_argvar(lua_State *L, ph_host *h, int arg) {
  const ph_handle *a = ph_handle_peek(L, h->module, arg, PH_UP_VAR);
  if (a == NULL || a->host != h) return ph_handle_checkvar(L, h, arg);
  return (ph_var){a->id};
}
/* Pushes the function of the handle at `arg`; returns its index. */
int ph_handle_pushowner(lua_State *L, int arg);
/* Pushes the handle; fn: index of the function. */
void ph_handle_pushblock(lua_State *L, int fn, ph_block b);
void ph_handle_pushvar(lua_State *L, int fn, ph_var var);
void ph_handle_pushvalue(lua_State *L, int fn, ph_value v);
/* Pushes the handle of that kind; fn 0: argument 1 is a handle of the same
** function. */
void ph_handle_give(lua_State *L, ph_host *h, int fn, int kind, uint32_t id);
/* Pushes the handle, or nil when there is none; argument 1 is one of the same
** function. */
void ph_handle_find(lua_State *L, const ph_host *h, int kind, uint32_t id);
/* Pushes a handle for what is still to be made (fn: as above); gives the one
** at `at`, which is `it`, its id then. */
ph_handle *ph_handle_prepare(lua_State *L, ph_host *h, int fn, int kind);
void ph_handle_settle(lua_State *L, ph_handle *it, int kind, int at,
                      uint32_t id);
/* The same for what may be there already: then its own handle replaces it. */
void ph_handle_found(lua_State *L, ph_handle *it, int kind, int at,
                     uint32_t id);
/* Lists: gather ids, then push them all as a table of handles. */
void ph_handle_start(ph_host *h);
void ph_handle_gather(ph_host *h, uint32_t id);
void ph_handle_pushlist(lua_State *L, ph_host *h, int fn, int kind);
extern const luaL_Reg ph_handle_blockmeta[], ph_handle_varmeta[],
    ph_handle_valuemeta[];

/* }== slot.c: where handles lie ======================================== */

enum { PH_SLOT_SHARED = 4096 };
#define PH_SLOT_OWN 0x80000000u /* a slot in the function's own table */
/* Where the handle is, or has been; 0: it has had none. */
uint32_t ph_slot_of(const ph_host *h, int kind, uint32_t id);
/* The same; gives it a slot if it has none; 0: the module is closed. */
uint32_t ph_slot_claim(ph_host *h, int kind, uint32_t id);
/* Forgets all slots; the function is closed. */
void ph_slot_forget(ph_host *h);

/* }== arg.c: other arguments =========================================== */

ph_str ph_arg_str(lua_State *L, int arg);
ph_str ph_arg_optstr(lua_State *L, int arg);
lua_Integer ph_arg_int(lua_State *L, int arg, lua_Integer least,
                       lua_Integer most);
ph_type ph_arg_type(lua_State *L, ph_host *h, int arg);
ph_op ph_arg_op(lua_State *L, ph_host *h, int arg); /* by its name */
/* near.c: the op whose name is near, or PH_NONE. */
ph_op ph_near_op(const ph_host *h, ph_str name);
bool ph_arg_isident(ph_str s);
void ph_arg_table(lua_State *L, int arg);
/* Checks that the table at `arg` (or nil) has no field but the n known. */
void ph_arg_fields(lua_State *L, int arg, const char *const *known, int n);
/* Pushes a field of it, nil when there is no table; returns its type. */
int ph_arg_field(lua_State *L, int arg, const char *name);
/* Fields of that table: boolean, or one of n choices; ph_arg_boolopt,
** ph_arg_choiceopt: what lies on top. */
bool ph_arg_boolopt(lua_State *L, int arg, const char *name);
int ph_arg_choiceopt(lua_State *L, int arg, const char *name,
                     const char *const *choices, int n);
bool ph_arg_boolfield(lua_State *L, int arg, const char *name, bool def);
int ph_arg_choice(lua_State *L, int arg, const char *name,
                  const char *const *choices, int n);

/* }== literal.c: Lua values as constants =============================== */

bool ph_literal_is(lua_State *L, int arg);
/* The type of a literal that nothing gives a type to. */
ph_type ph_literal_alone(lua_State *L, int arg);
bool ph_literal_fits(lua_State *L, int arg, ph_type type);
ph_value ph_literal_value(lua_State *L, ph_func *f, int arg, ph_type type);
/* Pushes what a constant or a datum holds. */
void ph_literal_push(lua_State *L, const ph_func *f, ph_type type,
                     ph_data data);

/* }== operand.c: operands of a call ==================================== */

enum { PH_OPERANDS_FEW = 8 };
typedef struct {
  const ph_opspec *spec; /* of the op, when its handle was given; or NULL */
  int n;
  int first;  /* stack index of the first */
  int number; /* the first is argument #number; 0: it is self */
  ph_value *args;
  ph_type *types;
  ph_value few[PH_OPERANDS_FEW];
  ph_type few_types[PH_OPERANDS_FEW];
} ph_operands;

/* Room for n operands from stack index `first` on; can push. */
void ph_operand_room(lua_State *L, ph_operands *o, int first, int n,
                     int number);
/* Checks them and gives the result type (in: the one that was said). */
void ph_operand_check(lua_State *L, ph_host *h, ph_operands *o, ph_op op,
                      ph_type *type);
/* Checks that the operand at `arg` can be of `type`, which may be none, or
** of var's type; returns it. */
ph_type ph_operand_typed(lua_State *L, ph_host *h, int arg, ph_type type,
                         ph_var var);
/* The same; sets *v, to none when it is a literal. */
ph_type ph_operand_take(lua_State *L, ph_host *h, int arg, ph_type type,
                        ph_var var, ph_value *v);
/* Makes constants of the literals. */
void ph_operand_make(lua_State *L, ph_func *f, ph_operands *o);
ph_value ph_operand_one(lua_State *L, ph_func *f, int arg, ph_type type);

/* }== query.c: analyses, kept until the function changes =============== */

const ph_order *ph_query_order(ph_host *h);
const ph_domtree *ph_query_domtree(ph_host *h);
const ph_loops *ph_query_loops(ph_host *h);
/* Sets field `loc` of the table on top, unless p is nowhere. */
void ph_query_setloc(lua_State *L, ph_host *h, ph_place p);

/* }== data.c: data of instructions ===================================== */

/* Puts the Lua value at `arg` where the function keeps what only the host
** knows (fn: index), and then makes the datum for it. */
void ph_data_keep(lua_State *L, ph_host *h, int fn, int arg);
ph_data ph_data_of(lua_State *L, ph_host *h, int arg);
/* Pushes the Lua value. */
void ph_data_push(lua_State *L, ph_host *h, int fn, ph_data data);
int ph_data_method(lua_State *L); /* value:data([new]) */

/* }== incoming.c: what phis are along new edges ======================== */

typedef struct {
  uint32_t n;
  int arg;  /* the argument that they are */
  int list; /* stack index of the list of phi, value, phi, ... */
  ph_incoming *at;
  uint32_t *phis; /* sorted */
} ph_incomings;

/* Copies the table at `at`, which came with argument `arg`, unless it is nil;
** pushes. */
void ph_incoming_take(lua_State *L, ph_incomings *in, int at, int arg);
/* Checks that it has a value for each phi of the n blocks in `news`, which are
** sorted, for an edge from b, and nothing else. */
void ph_incoming_check(lua_State *L, ph_host *h, ph_block b, ph_incomings *in,
                       const ph_block *news, uint32_t n);
/* Makes constants of the literals. */
void ph_incoming_make(lua_State *L, ph_func *f, ph_incomings *in);

/* }== emit.c, terminator.c: instructions =============================== */

/* An instruction to be made, as it is read from the stack. */
typedef struct {
  ph_host *h;
  int top; /* stack index of the last argument */
  int fn;  /* stack index of the function, 0: it is that of argument 1 */
  ph_block b;
  ph_value before; /* at a cursor: what that stands before; or none */
  ph_op op;
  const ph_opspec *spec; /* of op, when its handle was given */
  ph_type type;
  ph_operands operands;
  int data;        /* stack index of its datum; 0: none */
  ph_incomings in; /* of a terminator at a cursor */
} ph_emission;

/* The stack index of the function; can push. */
static inline int ph_emit_owner(lua_State *L, ph_emission *e) {
  if (e->fn == 0) e->fn = ph_handle_pushowner(L, 1);
  return e->fn;
}
/* Makes it; pushes its results. */
int ph_emit_run(lua_State *L, ph_emission *e);
/* Ends e->b with e->op and the m targets from `first` on, or those in the
** table at `extra` (0: none). */
int ph_terminator_run(lua_State *L, ph_emission *e, int first, int m,
                      int extra);
/* In parts: the block or cursor of a method, which takes `least` to `most`
** arguments, and at a cursor, if there are targets, what phis are along new
** edges; can it end there; the edges to m targets (spare: room for m more);
** filling. */
void ph_terminator_start(lua_State *L, ph_emission *e, ph_op op, int least,
                         int most);
void ph_terminator_place(lua_State *L, ph_emission *e);
void ph_terminator_check(lua_State *L, ph_emission *e, const ph_block *targets,
                         ph_block *spare, uint32_t m);
void ph_terminator_begin(lua_State *L, ph_emission *e);
int ph_terminator_end(lua_State *L, ph_emission *e, const ph_block *targets,
                      uint32_t m);
/* switch.c: i as a constant of the type is kept. */
lua_Integer ph_switch_key(ph_type type, lua_Integer i);
/* edge.c: can b get an edge to t, in a finished function? */
void ph_edge_checktarget(lua_State *L, ph_host *h, ph_block b, ph_block t);
/* b takes no more. */
void ph_block_checkopen(lua_State *L, ph_host *h, ph_block b);
/* operator.c: the block of fn:at. */
ph_block ph_operator_block(lua_State *L, ph_host *h);
/* What is written for a metamethod of values: "+" for "__add"; other names as
** they are. */
const char *ph_operator_sign(const char *event);
/* The methods made from the op table, of blocks and of values. */
int ph_emit_blockop(lua_State *L);
int ph_emit_valueop(lua_State *L);

/* }== cursor.c: places in a finished function ========================== */

/* Argument 1 of a method that blocks and cursors have: sets e->h, e->b,
** e->before, e->fn, e->spec and e->top; may leave a value on the stack. */
void ph_cursor_self(lua_State *L, ph_emission *e);
static inline void ph_cursor_start(lua_State *L, ph_emission *e) {
  const ph_handle *me;
  e->top = lua_gettop(L);
  e->fn = 0;
  e->spec = NULL;
  e->before.id = 0;
  me = ph_handle_peek(L, ph_handle_module(L), 1, PH_UP_BLOCK);
  if (me == NULL) {
    ph_cursor_self(L, e);
    return;
  }
  e->h = me->host;
  e->b.id = me->id;
}
/* Can something be emitted there? */
void ph_cursor_check(lua_State *L, ph_emission *e);
/* The instruction that follows when one is put before or behind v. */
ph_value ph_cursor_before(lua_State *L, ph_host *h, ph_value v);
ph_value ph_cursor_after(lua_State *L, ph_host *h, ph_value v);
extern const luaL_Reg ph_cursor_methods[], ph_cursor_meta[],
    ph_cursor_blockmethods[], ph_cursor_valuemethods[];

/* }== dialect.c, attach.c ============================================== */

/* The dialect at `at`, or NULL. */
const ph_dialect *ph_dialect_test(lua_State *L, int at);
/* Sets e->op and e->spec to the op of a dialect, at `arg`; attaches it. */
void ph_attach_op(lua_State *L, ph_emission *e, int arg);
/* The same, where nothing is emitted (yet). */
ph_op ph_attach_opof(lua_State *L, ph_host *h, int fn, int arg);
/* Attaches the dialects in the list at `arg`. */
void ph_attach_all(lua_State *L, ph_host *h, int fn, int arg);

/* }== What the module is made of ======================================= */

LUAMOD_API int luaopen_phial_core(lua_State *L);
int ph_maker_new(lua_State *L);   /* phial.fn */
int ph_dialect_new(lua_State *L); /* phial.dialect */
int ph_text_parse(lua_State *L);  /* phial.parse */

/* The methods of each kind, by file. */
extern const luaL_Reg ph_function_methods[], ph_ending_methods[],
    ph_query_methods[], ph_text_methods[], ph_text_meta[], ph_log_methods[];
extern const luaL_Reg ph_block_methods[], ph_terminator_methods[],
    ph_switch_methods[], ph_emit_methods[], ph_handphi_methods[],
    ph_terminator_blockmethods[];
extern const luaL_Reg ph_value_methods[], ph_operator_meta[];
extern const luaL_Reg ph_variable_methods[];
extern const luaL_Reg ph_edit_methods[], ph_edge_methods[],
    ph_edge_blockmethods[], ph_loop_methods[], ph_loop_blockmethods[];
extern const luaL_Reg ph_attach_opmethods[], ph_attach_opmeta[];

/* }=================================================================== */

#endif
