/* variable_access.c: reads and writes of variables as things: block:read_as, and
** the methods of accesses.
**
** The node of an access is a Lua value, which the function keeps alive
** (funcobj.c).
*/
#include "binding/analysis/analysis.h"
#include "binding/args/read.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/funcobj.h"
#include "binding/state/method.h"

/* block:read_as(node, var): the value */
static int l_read_as(lua_State *L) {
  const pl_handle *me = pl_arg_method(L, PL_UP_BLOCK, 2, 2);
  pl_funcobj *h = me->owner;
  int nodes;
  ph_block b;
  ph_var var;
  ph_value v;
  nodes = pl_funcobj_nodes(L, h);
  b = pl_handle_block(L, me);
  var = pl_handle_argvar(L, h, 3);
  pl_funcobj_setnode(L, h, nodes, 2);
  pl_read_begin(L, h, b);
  v = ph_build_read(h->f, var, b);
  pl_read_end(L, h, 0);
  pl_handle_give(L, h, 0, PL_UP_VALUE, ph_value_resolve(h->f, v).id);
  return pl_access_return(L, h, 1);
}

/*
** {== One access =====================================================
*/

/* The access that a method with at most `most` arguments is called on. */
static ph_access look(lua_State *L, pl_funcobj **h, int most) {
  pl_handle *me = pl_arg_method(L, PL_UP_ACCESS, 0, most);
  *h = me->owner;
  pl_access_read(L, me->owner);
  return (ph_access){me->id};
}

/* Pushes a handle, or nil for none. */
static int push(lua_State *L, pl_funcobj *h, int kind, uint32_t id) {
  if (id != 0)
    pl_handle_give(L, h, 0, kind, id);
  else
    lua_pushnil(L);
  return pl_access_return(L, h, 1);
}

static int l_is_write(lua_State *L) {
  pl_funcobj *h;
  ph_access a = look(L, &h, 0);
  lua_pushboolean(L, ph_access_iswrite(h->f, a));
  return 1;
}

static int l_is_may_write(lua_State *L) {
  pl_funcobj *h;
  ph_access a = look(L, &h, 0);
  lua_pushboolean(L, ph_access_ismaywrite(h->f, a));
  return 1;
}

static int l_var(lua_State *L) {
  pl_funcobj *h;
  ph_access a = look(L, &h, 0);
  return push(L, h, PL_UP_VAR, ph_access_var(h->f, a).id);
}

static int l_block(lua_State *L) {
  pl_funcobj *h;
  ph_access a = look(L, &h, 0);
  return push(L, h, PL_UP_BLOCK, ph_access_block(h->f, a).id);
}

static int l_value(lua_State *L) {
  pl_funcobj *h;
  ph_access a = look(L, &h, 0);
  return push(L, h, PL_UP_VALUE, ph_access_value(h->f, a).id);
}

static int l_id(lua_State *L) {
  pl_funcobj *h;
  lua_pushinteger(L, look(L, &h, 0).id);
  return 1;
}

static int l_node(lua_State *L) {
  pl_funcobj *h;
  ph_access a = look(L, &h, 0);
  pl_funcobj_pushnode(L, pl_handle_pushowner(L, 1), a);
  return 1;
}

static int l_place(lua_State *L) {
  pl_funcobj *h;
  ph_access a = look(L, &h, 0);
  return pl_srcloc_pushplace(L, h, ph_access_hostloc(h->f, a));
}

static int l_loc(lua_State *L) {
  pl_funcobj *h;
  ph_access a = look(L, &h, 0);
  return pl_srcloc_push(L, h, ph_access_loc(h->f, a));
}

/* access:set_loc(line, ...), with the arguments of fn:loc */
static int l_set_loc(lua_State *L) {
  pl_funcobj *h;
  ph_access a = look(L, &h, 5);
  ph_str file;
  ph_srcloc loc;
  pl_access_change(L, h);
  loc = pl_srcloc_take(L, &file);
  pl_access_begin(h, "noting a position in", ph_access_block(h->f, a));
  loc.file = ph_intern_add(h->f, file);
  ph_access_setloc(h->f, a, loc);
  pl_access_end(h);
  return pl_access_return(L, h, 0);
}

/* }== Lists of accesses ============================================== */

static int push_all(lua_State *L, bool writes) {
  pl_funcobj *h = pl_arg_method(L, PL_UP_FUNC, 0, 0);
  const ph_func *f = pl_access_read(L, h);
  uint32_t n = ph_access_count(f);
  pl_access_checkrecords(L, h);
  pl_handle_start(h);
  for (uint32_t a = 1; a <= n; a++)
    if (ph_access_iswrite(f, (ph_access){a}) == writes) pl_handle_gather(h, a);
  pl_handle_pushlist(L, h, 1, PL_UP_ACCESS);
  return pl_access_return(L, h, 1);
}

static int l_allreads(lua_State *L) { return push_all(L, false); }

static int l_allwrites(lua_State *L) { return push_all(L, true); }

/* Pushes what n writes reach; or, of n reads, what reaches them and whether they
** may be undefined. */
static int push_reaching(lua_State *L, pl_funcobj *h, int fn,
                         const ph_access *list, uint32_t n) {
  const ph_reaching *r;
  bool reads = n == 0 || !ph_access_iswrite(h->f, list[0]), undefined;
  uint32_t found;
  r = pl_analysis_reaching(h);
  pl_access_begin(h, "looking for uses in", ph_block_entry(h->f));
  found = ph_reaching_count(h->f, r, list, n);
  h->doing = NULL;
  undefined = ph_reaching_undefined(h->f);
  pl_handle_start(h);
  for (uint32_t k = 0; k < found; k++)
    pl_handle_gather(h, ph_reaching_at(h->f, k).id);
  pl_handle_pushlist(L, h, fn, PL_UP_ACCESS);
  if (reads) lua_pushboolean(L, undefined);
  return pl_access_return(L, h, reads ? 2 : 1);
}

static int push_reached(lua_State *L, bool writes) {
  pl_funcobj *h;
  ph_access a = look(L, &h, 0);
  if (ph_access_iswrite(h->f, a) != writes)
    pl_error(L, h,
             writes ? "it is a read: writes() gives the writes that reach it"
                    : "it is a write: reads() gives the reads that it reaches");
  return push_reaching(L, h, pl_handle_pushowner(L, 1), &a, 1);
}

static int l_reads(lua_State *L) { return push_reached(L, true); }

static int l_writes(lua_State *L) { return push_reached(L, false); }

/* Takes element i of the list at index 2. */
static ph_access take_element(lua_State *L, pl_funcobj *h, uint32_t i) {
  ph_access a;
  int at;
  lua_rawgeti(L, 2, (lua_Integer)i + 1);
  at = lua_gettop(L);
  if (pl_userdata_kind(L, h->module, at, PL_UP_ACCESS) == NULL)
    pl_error_arg(L, h, 2, "element %d: phial.Access expected, got %g",
                 (int)i + 1, at);
  a = pl_handle_accessat(L, h, at, 2);
  lua_pop(L, 1);
  return a;
}

/* fn:reaching(list): of reads or of writes */
static int l_reaching(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_UP_FUNC, 1, 1);
  uint32_t n;
  ph_access *list;
  pl_access_checkrecords(L, h);
  pl_arg_table(L, 2);
  n = (uint32_t)lua_rawlen(L, 2);
  list = lua_newuserdatauv(L, (n + 1) * sizeof *list, 0);
  pl_access_checkrecords(L, h);
  for (uint32_t i = 0; i < n; i++) {
    list[i] = take_element(L, h, i);
    if (ph_access_iswrite(h->f, list[i]) != ph_access_iswrite(h->f, list[0]))
      pl_error_arg(L, h, 2, "element %d is a %s, element 1 is not", (int)i + 1,
                   ph_access_iswrite(h->f, list[i]) ? "write" : "read");
  }
  return push_reaching(L, h, 1, list, n);
}

/* }=================================================================== */

const pl_method pl_variable_access_methods[] = {
    {PL_OF_BLOCK, "read_as", l_read_as},
    {PL_OF_FUNC, "reads", l_allreads},
    {PL_OF_FUNC, "writes", l_allwrites},
    {PL_OF_FUNC, "reaching", l_reaching},
    {PL_OF_ACCESS, "is_write", l_is_write},
    {PL_OF_ACCESS, "is_may_write", l_is_may_write},
    {PL_OF_ACCESS, "var", l_var},
    {PL_OF_ACCESS, "block", l_block},
    {PL_OF_ACCESS, "value", l_value},
    {PL_OF_ACCESS, "id", l_id},
    {PL_OF_ACCESS, "node", l_node},
    {PL_OF_ACCESS, "place", l_place},
    {PL_OF_ACCESS, "loc", l_loc},
    {PL_OF_ACCESS, "set_loc", l_set_loc},
    {PL_OF_ACCESS, "reads", l_reads},
    {PL_OF_ACCESS, "writes", l_writes},
    {0},
};
