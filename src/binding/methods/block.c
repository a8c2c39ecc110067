/* block.c: reading variables in blocks, sealing blocks, the current block. */
#include "binding/args/operand.h"
#include "binding/args/read.h"
#include "binding/emit/cursor.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

static int read_in(lua_State *L, pl_funcobj *h, ph_block b, ph_var var) {
  ph_value v;
  pl_read_begin(L, h, b);
  v = ph_build_read(h->f, var, b);
  pl_read_end(L, h, 0);
  v = ph_value_resolve(h->f, v);
  pl_handle_give(L, h, 0, PL_KIND_VALUE, v.id);
  return pl_access_return(L, h, 1);
}

/* All arguments are checked before the first read; a read can replace the
** result of an earlier one, and finalizers can run once handles are made. */
static int read_several(lua_State *L, pl_funcobj *h, ph_block b, int n) {
  ph_value few[PL_OPERANDS_FEW], *values = few;
  ph_func *f;
  if (n > 4) luaL_checkstack(L, 2 * n + 8, NULL);
  if (n > PL_OPERANDS_FEW)
    values = lua_newuserdatauv(L, (size_t)n * sizeof *values, 0);
  f = pl_access_open(L, h);
  pl_handle_checkblock(L, h, b);
  for (int i = 0; i < n; i++) values[i].id = pl_handle_argvar(L, h, i + 2).id;
  pl_read_begin(L, h, b);
  for (int i = 0; i < n; i++)
    values[i] = ph_build_read(f, (ph_var){values[i].id}, b);
  pl_read_end(L, h, 0);
  for (int i = 0; i < n; i++) values[i] = ph_value_resolve(f, values[i]);
  for (int i = 0; i < n; i++)
    pl_handle_give(L, h, 0, PL_KIND_VALUE, values[i].id);
  return pl_access_return(L, h, n);
}

/* block:read(var, ...): the value of each. */
static int l_read(lua_State *L) {
  int n = lua_gettop(L) - 1;
  pl_funcobj *h;
  ph_block b = pl_cursor_self(L, &h, n + 1, 1, -1);
  return n == 1 ? read_in(L, h, b, pl_handle_argvar(L, h, 2))
                : read_several(L, h, b, n);
}

static const char *why_sealed(const ph_func *f, ph_block b) {
  if (ph_same(b, ph_block_entry(f))) return "the entry always is";
  if (ph_block_announced(f, b) >= 0)
    return "made with a number of predecessors, it seals itself";
  return "seal it once, when no more predecessors will come";
}

/* Seals b; fn: stack index of the function, 0: it is that of argument 1. */
static void seal_block(lua_State *L, pl_funcobj *h, int fn, ph_block b) {
  pl_access_beginhere(L, h, "sealing", b, PL_WHERE_BLOCKS);
  ph_build_seal(h->f, b);
  pl_read_end(L, h, fn);
}

static int l_seal(lua_State *L) {
  pl_handle *me = pl_arg_quick(L, PL_KIND_BLOCK, 0);
  pl_funcobj *h = me->owner;
  ph_func *f = pl_access_open(L, h);
  ph_block b = pl_handle_block(L, me);
  if (ph_block_issealed(f, b))
    pl_error(L, h, "block '%b' is already sealed%p: %s", b,
             ph_block_hostloc(f, b, PH_AT_SEALED), why_sealed(f, b));
  seal_block(L, h, 0, b);
  return pl_access_return(L, h, 0);
}

/* Takes the block without a terminator, or nil, at 2. */
static ph_block take_current(lua_State *L, pl_funcobj *h) {
  const pl_handle *it = pl_userdata_ownkind(L, h, 2, PL_KIND_BLOCK);
  ph_block b = {it != NULL ? it->id : 0};
  if (it == NULL && lua_isnil(L, 2)) return b;
  if (it == NULL || ph_block_isremoved(h->f, b))
    b = pl_handle_argblock(L, h, 2);
  if (ph_block_isfilled(h->f, b))
    pl_error_arg(L, h, 2, "block '%b' already ends with '%i'%p", b,
                 ph_block_terminator(h->f, b),
                 ph_block_hostloc(h->f, b, PH_AT_FILLED));
  return b;
}

/* fn:set_current(block or nil) */
static int l_set_current(lua_State *L) {
  pl_funcobj *h = pl_arg_quick(L, PL_KIND_FUNC, 1);
  pl_access_open(L, h);
  h->current = take_current(L, h);
  lua_settop(L, 1);
  return 1;
}

/* phial.core.enter(fn, block): seals it, unless it is sealed; then
** fn:set_current(block) */
static int l_enter(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_KIND_FUNC);
  ph_func *f = pl_access_open(L, h);
  ph_block b = pl_handle_argblock(L, h, 2);
  if (!ph_block_issealed(f, b)) seal_block(L, h, 1, b);
  h->current = b;
  return pl_access_return(L, h, 0);
}

/* ROOM: what a structure and its body need of Lua's stack, until the next one.
** LARGEST: bytes of the largest stack, about. */
enum { ROOM = 1000, LARGEST = 16 << 20 };

/* Raises an error unless Lua's stack has room: that memory is out, if it is, which
** lua_checkstack does not tell from a stack that may not grow. */
static void check_room(lua_State *L, pl_funcobj *h) {
  if (lua_checkstack(L, ROOM)) return;
  lua_newuserdatauv(L, LARGEST, 0);
  lua_pop(L, 1);
  if (!lua_checkstack(L, ROOM))
    pl_error(L, h, "the body of function '%f' is nested too deeply");
}

/* phial.core.start(fn[, value or true]): raises unless instructions can be
** emitted into the current block (true: it may be filled), the value is one of
** the function, and Lua's stack has room.  So a structure is refused before it
** makes blocks. */
static int l_start(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_KIND_FUNC);
  pl_access_open(L, h);
  check_room(L, h);
  if (lua_isboolean(L, 2) && ph_some(h->current)) return 0;
  pl_cursor_current(L, h);
  if (lua_isuserdata(L, 2) &&
      pl_userdata_ownkind(L, h, 2, PL_KIND_VALUE) == NULL)
    pl_error(L, h, "%g belongs to another function, not to '%f'", 2);
  return pl_access_return(L, h, 0);
}

const pl_method pl_block_methods[] = {
    {PL_OF_END, "read", l_read},
    {PL_OF_BLOCK, "seal", l_seal},
    {PL_OF_FUNC, "set_current", l_set_current},
    {PL_OF_MODULE, "enter", l_enter},
    {PL_OF_MODULE, "start", l_start},
    {0},
};
