/* value.c: names and source positions of values; positions of accesses and of
** what is made from now on.
*/
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/* Constants and undefs are shared: they have no name and no position. */
static void refuse_constant(lua_State *L, pl_funcobj *h, ph_value v,
                            const char *why) {
  ph_op op = ph_value_op(h->f, v);
  if (op == PH_CONST || op == PH_UNDEF)
    pl_error(L, h, "'%v' is a constant: it %s", v, why);
}

/* Ends a setter: pushes what it was called on. */
static int done(lua_State *L, pl_funcobj *h) {
  pl_access_end(h);
  lua_settop(L, 1);
  return pl_access_return(L, h, 1);
}

/* v:arg(i) */
static int l_operand(lua_State *L) {
  const pl_handle *me = pl_arg_method(L, PL_KIND_VALUE, 1, 1);
  pl_funcobj *h = me->owner;
  uint32_t i;
  ph_value v, arg = {0};
  pl_access_read(L, h);
  i = (uint32_t)pl_arg_int(L, 2, 1, UINT32_MAX);
  v = pl_handle_value(L, me);
  if (i <= ph_value_nargs(h->f, v)) arg = ph_value_arg(h->f, v, i - 1);
  pl_handle_give(L, h, 0, PL_KIND_VALUE, arg.id);
  return pl_access_return(L, h, 1);
}

/* v:set_name(name) */
static int l_set_name(lua_State *L) {
  const pl_handle *me = pl_arg_method(L, PL_KIND_VALUE, 1, 1);
  pl_funcobj *h = me->owner;
  ph_value v;
  ph_str name;
  pl_access_change(L, h);
  v = pl_handle_value(L, me);
  name = pl_arg_str(L, 2);
  refuse_constant(L, h, v, "cannot be named");
  pl_access_begin(h, "naming a value in", ph_value_block(h->f, v));
  ph_value_setname(h->f, v, name);
  return done(L, h);
}

/* v:set_loc(line, ...), with the arguments of fn:set_loc */
static int l_setvalueloc(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_KIND_VALUE, 0, 5);
  pl_funcobj *h = me->owner;
  ph_str file;
  ph_srcloc loc;
  ph_value v;
  pl_access_change(L, h);
  loc = pl_srcloc_take(L, &file);
  v = pl_handle_value(L, me);
  refuse_constant(L, h, v, "cannot have a position");
  pl_access_begin(h, "noting a position in", ph_value_block(h->f, v));
  loc.file = ph_intern_add(h->f, file);
  ph_value_setloc(h->f, v, loc);
  return done(L, h);
}

/* access:set_loc(line, ...), with the arguments of fn:set_loc */
static int l_setaccessloc(lua_State *L) {
  const pl_handle *me = pl_arg_method(L, PL_KIND_ACCESS, 0, 5);
  pl_funcobj *h = me->owner;
  ph_access a = {me->id};
  ph_str file;
  ph_srcloc loc;
  pl_access_change(L, h);
  loc = pl_srcloc_take(L, &file);
  pl_access_begin(h, "noting a position in", ph_access_block(h->f, a));
  loc.file = ph_intern_add(h->f, file);
  ph_access_setloc(h->f, a, loc);
  return done(L, h);
}

/* fn:set_loc([line[, col[, file[, end_line[, end_col]]]]]); without arguments it
** forgets the location. */
static int l_set_loc(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_KIND_FUNC, 0, 5);
  ph_str file;
  ph_srcloc loc;
  pl_access_change(L, h);
  loc = pl_srcloc_take(L, &file);
  pl_access_begin(h, "noting a position in", (ph_block){0});
  loc.file = ph_intern_add(h->f, file);
  ph_srcloc_set(h->f, loc);
  h->places.loc = loc;
  return done(L, h);
}

const pl_method pl_value_methods[] = {
    {PL_OF_VALUE, "arg", l_operand},
    {PL_OF_VALUE, "set_name", l_set_name},
    {PL_OF_VALUE, "set_loc", l_setvalueloc},
    {PL_OF_ACCESS, "set_loc", l_setaccessloc},
    {PL_OF_FUNC, "set_loc", l_set_loc},
    {0},
};
