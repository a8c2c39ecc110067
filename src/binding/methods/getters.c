/* getters.c: methods that ask one question, the rows of getters.def.
**
** A row becomes a function: it takes what it is called on, passes the question
** to the core and pushes the answer.
*/
#include <string.h>

#include "binding/analysis/analysis.h"
#include "binding/args/classes.h"
#include "binding/args/dialect.h"
#include "binding/args/payload.h"
#include "binding/emit/cursor.h"
#include "binding/methods/new_function.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/funcobj.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/*
** {== Questions that take more than a call ===========================
**
** A block that was dropped contains nothing, and no edge enters or leaves it.
*/

/* Exact if the function is finished; false before if nothing leads to the
** block, nor can. */
static bool is_reachable(pl_funcobj *h, ph_block b) {
  if (ph_block_isremoved(h->f, b)) return false;
  if (!ph_finish_isdone(h->f)) return !ph_block_isdead(h->f, b);
  return ph_rpo_isreached(pl_analysis_order(h), b);
}

/* None unless it can be added to. */
static ph_block current_block(const pl_funcobj *h) {
  ph_block b = h->current;
  if (ph_some(b) && (ph_block_isremoved(h->f, b) || ph_block_isfilled(h->f, b)))
    b.id = 0;
  return b;
}

static ph_value terminator(const ph_func *f, ph_block b) {
  return ph_block_isremoved(f, b) ? (ph_value){0} : ph_block_terminator(f, b);
}

static uint32_t loop_depth(const ph_loops *l, ph_block b) {
  return ph_loops_depth(l, ph_loops_of(l, b));
}

static ph_block loop_header(const ph_loops *l, ph_block b) {
  uint32_t loop = ph_loops_of(l, b);
  return loop != 0 ? ph_loops_header(l, loop) : (ph_block){0};
}

/* The index of uses is made when it is needed first: memory can run out. */
static void begin_uses(pl_funcobj *h, const char *doing, ph_value v) {
  pl_access_begin(h, doing, ph_value_block(h->f, v));
}

static uint32_t count_uses(pl_funcobj *h, ph_value v) {
  uint32_t n;
  begin_uses(h, "counting uses in", v);
  n = ph_uses_count(h->f, v);
  pl_access_endinner(h);
  return n;
}

/* }== Lists ========================================================== */

static void gather_rpo(pl_funcobj *h) {
  const ph_rpo *o = pl_analysis_order(h);
  for (uint32_t i = 0; i < ph_rpo_total(o); i++)
    pl_handle_gather(h, ph_rpo_at(o, i).id);
}

static void gather_accesses(lua_State *L, pl_funcobj *h, bool writes) {
  uint32_t n = ph_access_count(h->f);
  pl_access_checkrecords(L, h);
  for (uint32_t a = 1; a <= n; a++)
    if (ph_access_iswrite(h->f, (ph_access){a}) == writes)
      pl_handle_gather(h, a);
}

static void gather_preds(pl_funcobj *h, ph_block b) {
  bool removed = ph_block_isremoved(h->f, b);
  uint32_t e = removed ? 0 : ph_block_firstpred(h->f, b);
  for (; e != 0; e = ph_block_nextpred(h->f, e))
    pl_handle_gather(h, ph_block_edgefrom(h->f, e).id);
}

static void gather_succs(pl_funcobj *h, ph_block b) {
  bool removed = ph_block_isremoved(h->f, b);
  uint32_t n = removed ? 0 : ph_block_nsuccs(h->f, b);
  for (uint32_t i = 0; i < n; i++)
    pl_handle_gather(h, ph_block_succ(h->f, b, i).id);
}

typedef ph_value next_value(const ph_func *f, ph_block b, ph_value v);

static void gather_chain(pl_funcobj *h, ph_block b, next_value *next) {
  ph_value v = {0};
  if (ph_block_isremoved(h->f, b)) return;
  while (v = next(h->f, b, v), ph_some(v)) pl_handle_gather(h, v.id);
}

static void gather_params(pl_funcobj *h) {
  for (uint32_t i = 0; i < ph_value_nparams(h->f); i++)
    pl_handle_gather(h, h->first_var + i);
}

static void gather_live_in(pl_funcobj *h, ph_block b) {
  const ph_liveness *l = pl_analysis_liveness(h);
  for (uint32_t i = 0; i < ph_liveness_count(l, b); i++)
    pl_handle_gather(h, ph_liveness_at(l, b, i).id);
}

static void gather_live_out(pl_funcobj *h, ph_block b) {
  const ph_liveness *l = pl_analysis_liveness(h);
  for (uint32_t i = 0; i < ph_liveness_outcount(l, b); i++)
    pl_handle_gather(h, ph_liveness_outat(l, b, i).id);
}

/* What is live after an instruction or phi; across: and before it. */
static void gather_live_behind(lua_State *L, pl_funcobj *h, ph_value v,
                               bool across) {
  uint32_t n;
  pl_cursor_checkinst(L, h, v);
  n = ph_livepoints_count(h->f, pl_analysis_livepoints(h), v, across);
  for (uint32_t i = 0; i < n; i++)
    pl_handle_gather(h, ph_livepoints_at(h->f, i).id);
}

static void gather_args(pl_funcobj *h, ph_value v) {
  for (uint32_t i = 0; i < ph_value_nargs(h->f, v); i++)
    pl_handle_gather(h, ph_value_arg(h->f, v, i).id);
}

static void gather_users(pl_funcobj *h, ph_value v) {
  uint32_t use;
  begin_uses(h, "looking for uses in", v);
  use = ph_uses_first(h->f, v);
  for (; use != 0; use = ph_uses_next(h->f, v, use))
    pl_handle_gather(h, ph_uses_user(h->f, use).id);
  pl_access_endinner(h);
}

/* Makes v the i-th in the list; gaps are none. */
static void gather_at(pl_funcobj *h, uint64_t i, ph_value v) {
  while (h->buf.n <= i * sizeof v.id) pl_handle_gather(h, 0);
  memcpy(h->buf.at + i * sizeof v.id, &v.id, sizeof v.id);
}

static void remove_gaps(pl_funcobj *h) {
  uint32_t n = (uint32_t)(h->buf.n / sizeof(uint32_t));
  h->buf.n = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t id;
    memcpy(&id, h->buf.at + i * sizeof id, sizeof id);
    if (id != 0) pl_handle_gather(h, id);
  }
}

/* v and its further results, in the order of their numbers. */
static void gather_results(pl_funcobj *h, ph_value v) {
  uint32_t use;
  begin_uses(h, "looking for uses in", v);
  if (ph_value_type(h->f, v) != PH_NOTYPE) gather_at(h, 0, v);
  use = ph_uses_first(h->f, v);
  for (; use != 0; use = ph_uses_next(h->f, v, use)) {
    ph_value user = ph_uses_user(h->f, use);
    if (ph_value_op(h->f, user) == PH_PROJ)
      gather_at(h, ph_value_data(h->f, user).bits - 1, user);
  }
  pl_access_endinner(h);
  remove_gaps(h);
}

/* }== Answers ========================================================
**
** Each function pushes an answer and returns the number of results.  fn: stack
** index of the function, 0: it is that of the handle at 1.
*/

static int push_text(lua_State *L, ph_str s) {
  lua_pushlstring(L, s.at, s.n);
  return 1;
}

/* Pushes nil for "". */
static int push_name(lua_State *L, ph_str name) {
  if (name.n > 0)
    lua_pushlstring(L, name.at, name.n);
  else
    lua_pushnil(L);
  return 1;
}

static int push_buf(lua_State *L, const pl_funcobj *h) {
  lua_pushlstring(L, h->buf.at, h->buf.n);
  return 1;
}

static int push_op(lua_State *L, pl_funcobj *h, ph_op op) {
  h->buf.n = 0;
  ph_print_op(&h->buf, h->f, op);
  return push_buf(L, h);
}

static int push_type(lua_State *L, pl_funcobj *h, ph_type type) {
  h->buf.n = 0;
  if (type == PH_NOTYPE) return push_name(L, (ph_str){"", 0});
  ph_print_type(&h->buf, h->f, type);
  return push_buf(L, h);
}

/* Pushes a list of the types of the results of h. */
static int push_results(lua_State *L, pl_funcobj *h) {
  uint32_t n = ph_func_nresults(h->f);
  lua_createtable(L, (int)n, 0);
  for (uint32_t i = 0; i < n; i++) {
    pl_access_read(L, h);
    push_type(L, h, ph_func_resulttype(h->f, i));
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

static int push_handle(lua_State *L, pl_funcobj *h, int fn, int kind,
                       uint32_t id) {
  pl_handle_give(L, h, fn, kind, id);
  return 1;
}

/* Pushes true, or false and the value that was found. */
static int push_no_value(lua_State *L, pl_funcobj *h, int fn, ph_value v) {
  lua_pushboolean(L, !ph_some(v));
  if (!ph_some(v)) return 1;
  pl_handle_give(L, h, fn, PL_KIND_VALUE, v.id);
  return 2;
}

static int push_list(lua_State *L, pl_funcobj *h, int fn, int kind) {
  pl_handle_pushlist(L, h, fn, kind);
  return 1;
}

/* The same without duplicates. */
static int push_unique(lua_State *L, pl_funcobj *h, int fn, int kind) {
  lua_Integer n, kept = 0;
  int list, had, out;
  pl_handle_pushlist(L, h, fn, kind);
  list = lua_gettop(L), had = list + 1, out = list + 2;
  n = (lua_Integer)lua_rawlen(L, list);
  lua_newtable(L); /* a set */
  lua_newtable(L);
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, list, i);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, had) == LUA_TNIL) {
      lua_pushvalue(L, -2);
      lua_pushboolean(L, true);
      lua_rawset(L, had);
      lua_pushvalue(L, -2);
      lua_rawseti(L, out, ++kept);
    }
    lua_pop(L, 2);
  }
  return 1;
}

/* The Lua value of a constant and its type. */
static int push_constant(lua_State *L, pl_funcobj *h, ph_value v) {
  ph_type type = ph_value_type(h->f, v);
  if (ph_value_op(h->f, v) != PH_CONST) return push_name(L, (ph_str){"", 0});
  pl_literal_push(L, h->f, type, ph_value_data(h->f, v));
  pl_access_read(L, h);
  push_type(L, h, type);
  return 2;
}

static int push_op_name(lua_State *L, const pl_ophandle *o) {
  lua_pushfstring(L, "%s.%s", o->dialect->name, o->dialect->ops[o->index].name);
  return 1;
}

/* Pushes the number of an op's results; "*": the instruction says it. */
static int push_nresults(lua_State *L, int n) {
  if (n == PH_RESULTS_SAID)
    lua_pushliteral(L, "*");
  else
    lua_pushinteger(L, n);
  return 1;
}

static int push_node(lua_State *L, uint32_t node) {
  pl_funcobj_pushnode(L, pl_handle_pushowner(L, 1), node);
  return 1;
}

/* }== The functions ================================================== */

#define PUSH_TRUTH(fn, is) (lua_pushboolean(L, is), 1)
#define PUSH_NUMBER(fn, n) (lua_pushinteger(L, n), 1)
#define PUSH_TEXT(fn, s) push_text(L, s)
#define PUSH_NAME(fn, s) push_name(L, s)
#define PUSH_OP(fn, op) push_op(L, h, op)
#define PUSH_TYPE(fn, type) push_type(L, h, type)
#define PUSH_TYPES(fn, h) push_results(L, h)
#define PUSH_PLACE(fn, loc) pl_srcloc_pushplace(L, h, loc)
#define PUSH_LOC(fn, loc) pl_srcloc_push(L, h, loc)
#define PUSH_BLOCK(fn, b) push_handle(L, h, fn, PL_KIND_BLOCK, (b).id)
#define PUSH_VAR(fn, x) push_handle(L, h, fn, PL_KIND_VAR, (x).id)
#define PUSH_VALUE(fn, v) push_handle(L, h, fn, PL_KIND_VALUE, (v).id)
#define PUSH_NO_VALUE(fn, v) push_no_value(L, h, fn, v)
#define PUSH_CONSTANT(fn, v) push_constant(L, h, v)
#define PUSH_EFFECTS(fn, e) pl_classes_push(L, h, e)
#define PUSH_NODE(fn, node) push_node(L, node)
#define PUSH_USER_VALUE(fn, n) (lua_getiuservalue(L, fn, n), 1)
#define PUSH_WORD(fn, s) (lua_pushstring(L, s), 1)
#define PUSH_OP_NAME(fn, o) push_op_name(L, o)
#define PUSH_NRESULTS(fn, n) push_nresults(L, n)
#define PUSH_OP_FUNCTION(fn, which) (pl_dialect_op_pushfunction(L, 1, which), 1)
#define LIST(push, fn, kind, gather) \
  (pl_handle_start(h), gather, push(L, h, fn, kind))
#define PUSH_BLOCKS(fn, gather) LIST(push_list, fn, PL_KIND_BLOCK, gather)
#define PUSH_VALUES(fn, gather) LIST(push_list, fn, PL_KIND_VALUE, gather)
#define PUSH_VARS(fn, gather) LIST(push_list, fn, PL_KIND_VAR, gather)
#define PUSH_ACCESSES(fn, gather) LIST(push_list, fn, PL_KIND_ACCESS, gather)
#define PUSH_UNIQUE_VALUES(fn, gather) \
  LIST(push_unique, fn, PL_KIND_VALUE, gather)

/* What a method is called on, and what its question is about. */
#define SELF_FUNC                                   \
  pl_funcobj *h = pl_arg_quick(L, PL_KIND_FUNC, 0); \
  ph_func *f = pl_access_read(L, h)
#define SELF_HANDLE(kind, type, id)               \
  const pl_handle *me = pl_arg_quick(L, kind, 0); \
  pl_funcobj *h = me->owner;                      \
  ph_func *f = pl_access_read(L, h);              \
  type id
#define SELF_BLOCK SELF_HANDLE(PL_KIND_BLOCK, ph_block, b) = {me->id}
#define SELF_VAR SELF_HANDLE(PL_KIND_VAR, ph_var, x) = {me->id}
#define SELF_VALUE \
  SELF_HANDLE(PL_KIND_VALUE, ph_value, v) = pl_handle_value(L, me)
#define SELF_ACCESS SELF_HANDLE(PL_KIND_ACCESS, ph_access, a) = {me->id}
/* The stack index of the function. */
enum { FN_FUNC = 1, FN_BLOCK = 0, FN_VAR = 0, FN_VALUE = 0, FN_ACCESS = 0 };

#define GETTER(owner, name, answer, question)                           \
  static int l_##owner##_##name(lua_State *L) {                         \
    SELF_##owner;                                                       \
    (void)f;                                                            \
    return pl_access_return(L, h, PUSH_##answer(FN_##owner, question)); \
  }
#define OP_GETTER(name, answer, question)                  \
  static int l_OP_##name(lua_State *L) {                   \
    const pl_ophandle *o = pl_arg_quick(L, PL_KIND_OP, 0); \
    const ph_opspec *spec = &o->dialect->ops[o->index];    \
    (void)spec;                                            \
    return PUSH_##answer(0, question);                     \
  }
#include "binding/methods/getters.def"
#undef GETTER
#undef OP_GETTER

static int l_opstring(lua_State *L) {
  return push_op_name(L, pl_arg_self(L, PL_KIND_OP));
}

/* phial.core.type(it): the type of a value; nil if it is something else, or has
** none */
static int l_typeof(lua_State *L) {
  if (pl_userdata_test(L, 1, PL_KIND_VALUE) != NULL) return l_VALUE_type(L);
  return push_name(L, (ph_str){"", 0});
}

/* }=================================================================== */

const pl_method pl_getters_methods[] = {
#define GETTER(owner, name, answer, question) \
  {PL_OF_##owner, #name, l_##owner##_##name},
#define OP_GETTER(name, answer, question) {PL_OF_OP, #name, l_OP_##name},
#include "binding/methods/getters.def"
#undef GETTER
#undef OP_GETTER
    {PL_OF_OP, "__tostring", l_opstring},
    {PL_OF_MODULE, "type", l_typeof},
    {0},
};
