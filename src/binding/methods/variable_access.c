/* variable_access.c: groups of variables and may-writes to them; which writes
** reach which reads.
*/
#include "binding/analysis/analysis.h"
#include "binding/args/operand.h"
#include "binding/args/payload.h"
#include "binding/args/read.h"
#include "binding/emit/cursor.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

static const ph_block nowhere = {0};

/*
** {== Lists of variables =============================================
*/

/* Variables of one function and one type. */
typedef struct {
  uint32_t n;
  ph_var *vars;
  ph_var few[PL_OPERANDS_FEW];
  ph_type type;
} var_list;

/* Checks that what is at `arg` is a list, and makes room for its variables; can
** push, and run finalizers. */
static void make_room(lua_State *L, int arg, var_list *l) {
  l->n = (uint32_t)pl_arg_list(L, arg, arg, "");
  l->vars = l->few;
  if (l->n > PL_OPERANDS_FEW)
    l->vars = lua_newuserdatauv(L, l->n * sizeof *l->vars, 0);
}

/* Takes the list at `arg`. */
static void take_list(lua_State *L, pl_funcobj *h, int arg, var_list *l) {
  l->type = PH_NOTYPE;
  for (uint32_t i = 0; i < l->n; i++) {
    ph_type got;
    l->vars[i] = pl_handle_listvar(L, h, arg, arg, "element", i + 1);
    got = ph_var_type(h->f, l->vars[i]);
    if (l->type == PH_NOTYPE) l->type = got;
    if (got != l->type)
      pl_error_arg(L, h, arg,
                   "variable '%x' has type %t: the variables of a may-write "
                   "have one type, %t here",
                   l->vars[i], got, l->type);
  }
}

static void refuse_classical(lua_State *L, pl_funcobj *h) {
  if (ph_classical_isused(h->f))
    pl_error(L, h,
             "function '%f' is constructed by a classical algorithm, which "
             "knows no may-writes");
}

/* }== Groups ========================================================= */

/* fn:group(list) */
static int l_group(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_KIND_FUNC, 1, 1);
  pl_handle *it;
  ph_group group;
  var_list l;
  pl_access_open(L, h);
  make_room(L, 2, &l);
  it = pl_handle_new(L, h, 1, PL_KIND_GROUP);
  pl_access_open(L, h);
  refuse_classical(L, h);
  take_list(L, h, 2, &l);
  pl_access_begin(h, "making a group of", nowhere);
  group = ph_group_new(h->f, l.n > 0 ? l.type : h->type);
  for (uint32_t i = 0; i < l.n; i++) ph_group_add(h->f, group, l.vars[i]);
  it->id = group.id;
  return pl_access_done(L, h, 1);
}

/* group:add(var, ...) */
static int l_add(lua_State *L) {
  pl_handle *me = pl_arg_self(L, PL_KIND_GROUP);
  pl_funcobj *h = me->owner;
  ph_group group = {me->id};
  int n = lua_gettop(L);
  pl_access_open(L, h);
  for (int i = 2; i <= n; i++) {
    ph_var var = pl_handle_argvar(L, h, i);
    if (ph_var_type(h->f, var) != ph_group_type(h->f, group))
      pl_error_arg(L, h, i,
                   "variable '%x' has type %t: those of the group have %t", var,
                   ph_var_type(h->f, var), ph_group_type(h->f, group));
  }
  pl_access_begin(h, "adding to a group of", nowhere);
  for (int i = 2; i <= n; i++)
    ph_group_add(h->f, group, pl_handle_argvar(L, h, i));
  pl_access_end(h);
  lua_settop(L, 1);
  return pl_access_return(L, h, 1);
}

/* }== May-writes ===================================================== */

/* block:may_write(group or list, value): the copy, if one was made */
static int l_may_write(lua_State *L) {
  pl_funcobj *h;
  ph_block b = pl_cursor_self(L, &h, lua_gettop(L), 2, 2);
  const pl_handle *it = pl_userdata_test(L, 2, PL_KIND_GROUP);
  ph_func *f;
  ph_group group;
  ph_value v = {0};
  var_list l;
  if (it == NULL && lua_type(L, 2) == LUA_TTABLE) make_room(L, 2, &l);
  f = pl_access_open(L, h);
  pl_cursor_checkend(L, h, b);
  refuse_classical(L, h);
  if (it == NULL && lua_type(L, 2) != LUA_TTABLE)
    pl_error_arg(L, h, 2, "phial.Group or list of variables expected, got %g",
                 2);
  if (it != NULL && it->owner != h)
    pl_error_arg(L, h, 2, "a group of another function");
  group = (ph_group){it != NULL ? it->id : 0};
  if (ph_some(group))
    l.type = ph_group_type(f, group);
  else
    take_list(L, h, 2, &l);
  l.type = pl_operand_typed(L, h, 3, l.type, (ph_var){0});
  if (l.type == PH_NOTYPE) /* of a terminator, and an empty list */
    pl_error_arg(L, h, 3, "a value expected, got %g", 3);
  if (!pl_literal_is(L, 3)) v = pl_handle_argvalue(L, h, 3);
  pl_access_beginhere(L, h, "writing in", b, PL_WHERE_ALL);
  if (!ph_some(v)) v = pl_literal_value(L, f, 3, l.type);
  v = ph_some(group) ? ph_build_maywrite(f, group, b, v)
                     : ph_build_maywriteto(f, l.vars, l.n, b, v);
  pl_access_end(h);
  if (!ph_func_options(f).accesses) return pl_access_return(L, h, 0);
  pl_handle_give(L, h, 0, PL_KIND_VALUE, v.id);
  return pl_access_return(L, h, 1);
}

/* }== What reaches what ============================================== */

/* Pushes what n writes reach, at most `limit`; or, of n reads, what reaches them
** and whether they may be undefined. */
static int push_reaching(lua_State *L, pl_funcobj *h, int fn,
                         const ph_access *list, uint32_t n, uint32_t limit) {
  const ph_reaching *r;
  bool reads = n == 0 || !ph_access_iswrite(h->f, list[0]), undefined;
  uint32_t found;
  r = pl_analysis_reaching(h);
  pl_access_begin(h, "looking for uses in", ph_block_entry(h->f));
  found = ph_reaching_count(h->f, r, list, n, limit);
  pl_access_endinner(h);
  undefined = ph_reaching_isundefined(h->f);
  pl_handle_start(h);
  for (uint32_t k = 0; k < found; k++)
    pl_handle_gather(h, ph_reaching_at(h->f, k).id);
  pl_handle_pushlist(L, h, fn, PL_KIND_ACCESS);
  if (reads) lua_pushboolean(L, undefined);
  return pl_access_return(L, h, reads ? 2 : 1);
}

static int push_reached(lua_State *L, bool writes) {
  const pl_handle *me = pl_arg_method(L, PL_KIND_ACCESS, 0, 1);
  pl_funcobj *h = me->owner;
  ph_access a = {me->id};
  uint32_t limit = UINT32_MAX;
  pl_access_read(L, h);
  if (ph_access_iswrite(h->f, a) != writes)
    pl_error(L, h,
             writes ? "it is a read: writes() gives the writes that reach it"
                    : "it is a write: reads() gives the reads that it reaches");
  if (!lua_isnoneornil(L, 2)) limit = (uint32_t)pl_arg_int(L, 2, 1, UINT32_MAX);
  return push_reaching(L, h, pl_handle_pushowner(L, 1), &a, 1, limit);
}

static int l_reads(lua_State *L) { return push_reached(L, true); }

static int l_writes(lua_State *L) { return push_reached(L, false); }

/* fn:defs_and_uses(list): of reads or of writes */
static int l_defs_and_uses(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_KIND_FUNC, 1, 1);
  uint32_t n;
  ph_access *list;
  pl_access_checkrecords(L, h);
  n = (uint32_t)pl_arg_list(L, 2, 2, "");
  list = lua_newuserdatauv(L, (n + 1) * sizeof *list, 0);
  pl_access_checkrecords(L, h);
  for (uint32_t i = 0; i < n; i++) {
    int at = lua_gettop(L) + 1;
    lua_rawgeti(L, 2, (lua_Integer)i + 1);
    pl_handle_checkitem(L, h, 2, at, PL_KIND_ACCESS, "element", i + 1);
    list[i] = pl_handle_accessat(L, h, at, 2);
    lua_pop(L, 1);
    if (ph_access_iswrite(h->f, list[i]) != ph_access_iswrite(h->f, list[0]))
      pl_error_arg(L, h, 2, "element %d is a %s, element 1 is not", (int)i + 1,
                   ph_access_iswrite(h->f, list[i]) ? "write" : "read");
  }
  return push_reaching(L, h, 1, list, n, UINT32_MAX);
}

/* value:accesses() */
static int l_accesses(lua_State *L) {
  const pl_handle *me = pl_arg_only(L, PL_KIND_VALUE);
  pl_funcobj *h = me->owner;
  const ph_reaching *r;
  ph_value v;
  uint32_t n;
  pl_access_checkrecords(L, h);
  v = pl_handle_value(L, me);
  r = pl_analysis_reaching(h);
  pl_access_begin(h, "looking for accesses in", ph_block_entry(h->f));
  n = ph_reaching_ofvalue(h->f, r, v);
  pl_access_endinner(h);
  pl_handle_start(h);
  for (uint32_t k = 0; k < n; k++)
    pl_handle_gather(h, ph_reaching_at(h->f, k).id);
  pl_handle_pushlist(L, h, 0, PL_KIND_ACCESS);
  return pl_access_return(L, h, 1);
}

/* }=================================================================== */

const pl_method pl_variable_access_methods[] = {
    {PL_OF_FUNC, "group", l_group},
    {PL_OF_GROUP, "add", l_add},
    {PL_OF_END, "may_write", l_may_write},
    {PL_OF_FUNC, "defs_and_uses", l_defs_and_uses},
    {PL_OF_VALUE, "accesses", l_accesses},
    {PL_OF_ACCESS, "reads", l_reads},
    {PL_OF_ACCESS, "writes", l_writes},
    {0},
};
