/* repair.c: fn:repair(v, ...): SSA reconstruction after edits.
**
** A repair keeps handles and literals in Lua tables: values can be replaced or
** erased before it is done, so everything is checked again then.
*/
#include <string.h>

#include "binding/args/operand.h"
#include "binding/args/payload.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/* The userdata phial.Repair. */
typedef struct {
  pl_funcobj *owner;
  ph_type type;
  uint32_t n, m; /* number of values, and of definitions */
  bool done;
} repair;

/* Its user values: the function; a list of values; the definitions: a list of
** place, value, place, value, ... */
enum { OWNER = 1, VALUES, DEFINITIONS, USERVALUES = DEFINITIONS };

static const ph_block nowhere = {0};

/*
** {== Beginning ======================================================
*/

/* Checks the values, the arguments from 2 to `last`; returns their type. */
static ph_type check_values(lua_State *L, pl_funcobj *h, int last) {
  ph_type type = PH_NOTYPE;
  for (int arg = 2; arg <= last; arg++) {
    ph_value v = pl_handle_argvalue(L, h, arg);
    ph_op op = ph_value_op(h->f, v);
    if (op == PH_CONST || op == PH_UNDEF)
      pl_error_arg(L, h, arg, "'%v' is a constant: it is the same everywhere",
                   v);
    if (ph_value_type(h->f, v) == PH_NOTYPE)
      pl_error_arg(L, h, arg, "'%i' has no result", v);
    if (arg == 2) type = ph_value_type(h->f, v);
    if (ph_value_type(h->f, v) != type)
      pl_error_arg(L, h, arg, "%t expected, got %g", type, arg);
  }
  return type;
}

/* Pushes a repair of the function of argument 1. */
static repair *push_new(lua_State *L, int last) {
  repair *r = lua_newuserdatauv(L, sizeof *r, USERVALUES);
  memset(r, 0, sizeof *r);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, OWNER);
  lua_createtable(L, last - 1, 0);
  for (int arg = 2; arg <= last; arg++) {
    lua_pushvalue(L, arg);
    lua_rawseti(L, -2, arg - 1);
  }
  lua_setiuservalue(L, -2, VALUES);
  lua_newtable(L);
  lua_setiuservalue(L, -2, DEFINITIONS);
  return r;
}

/* fn:repair(v, ...) */
static int l_repair(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_KIND_FUNC);
  int last = lua_gettop(L);
  repair *r;
  if (last < 2) pl_arg_count(L, 1, -1);
  r = push_new(L, last);
  pl_access_edit(L, h);
  r->type = check_values(L, h, last);
  r->owner = h;
  r->n = (uint32_t)last - 1;
  pl_userdata_setkind(L, PL_KIND_REPAIR);
  return 1;
}

static void check_begun(lua_State *L, const repair *r) {
  pl_access_edit(L, r->owner);
  if (r->done)
    pl_error(L, r->owner,
             "this repair of function '%f' is done: start another one, by "
             "fn:repair()");
}

/* Self, of a method with n arguments. */
static repair *take_self(lua_State *L, int n) {
  repair *r = pl_arg_method(L, PL_KIND_REPAIR, n, n);
  check_begun(L, r);
  return r;
}

/* }== Definitions ==================================================== */

static void check_place(lua_State *L, pl_funcobj *h, int arg) {
  ph_value v;
  if (pl_userdata_test(L, arg, PL_KIND_BLOCK) != NULL) {
    pl_handle_argblock(L, h, arg);
    return;
  }
  if (pl_userdata_test(L, arg, PL_KIND_VALUE) == NULL)
    pl_error_arg(L, h, arg, "block or instruction expected, got %g", arg);
  v = pl_handle_argvalue(L, h, arg);
  if (!ph_some(ph_value_block(h->f, v)))
    pl_error_arg(L, h, arg, "'%v' is not an instruction: it is in no block", v);
}

/* r:define(place, w) */
static int l_define(lua_State *L) {
  repair *r = take_self(L, 2);
  pl_funcobj *h = r->owner;
  check_place(L, h, 2);
  pl_operand_typed(L, h, 3, r->type, (ph_var){0});
  lua_getiuservalue(L, 1, DEFINITIONS);
  lua_insert(L, 2);
  lua_rawseti(L, 2, 2 * ((lua_Integer)r->m + 1));
  lua_rawseti(L, 2, 2 * (lua_Integer)r->m + 1);
  r->m++;
  lua_settop(L, 1);
  return 1;
}

/* }== Rewriting ====================================================== */

/* The lists on the stack, and what is made of them. */
typedef struct {
  repair *r;
  int values, definitions;
  ph_value *v;
  ph_definition *d;
} work;

/* Refuses what is gone, or has become a constant, since fn:repair. */
static void take_values(lua_State *L, work *k) {
  pl_funcobj *h = k->r->owner;
  for (uint32_t i = 0; i < k->r->n; i++) {
    ph_value v;
    lua_rawgeti(L, k->values, (lua_Integer)i + 1);
    v.id = ((const pl_handle *)lua_touserdata(L, -1))->id;
    if (ph_value_isdropped(h->f, v))
      pl_error(L, h, "value %d of the repair, '%v', is gone: " PL_HANDLE_ERASED,
               (int)i + 1, v);
    if (ph_value_op(h->f, v) == PH_CONST || ph_value_op(h->f, v) == PH_UNDEF)
      pl_error(L, h, "value %d of the repair was replaced by '%v', a constant",
               (int)i + 1, v);
    k->v[i] = v;
    lua_pop(L, 1);
  }
}

/* Takes the value of the handle on top, of definition i. */
static ph_value take_defined(lua_State *L, pl_funcobj *h, uint32_t i) {
  ph_value v = {((const pl_handle *)lua_touserdata(L, -1))->id};
  if (ph_value_isdropped(h->f, v))
    pl_error(L, h,
             "definition %d of the repair: '%v' is gone: " PL_HANDLE_ERASED,
             (int)i + 1, v);
  return v;
}

static void take_where(lua_State *L, work *k, uint32_t i) {
  pl_funcobj *h = k->r->owner;
  const pl_handle *it = lua_touserdata(L, -1);
  ph_definition *d = &k->d[i];
  d->block = nowhere;
  d->behind.id = 0;
  if (pl_userdata_test(L, lua_gettop(L), PL_KIND_BLOCK) != NULL) {
    d->block.id = it->id;
    if (ph_block_isremoved(h->f, d->block))
      pl_error(
          L, h,
          "definition %d of the repair: block '%b' is gone: it was dropped",
          (int)i + 1, d->block);
    return;
  }
  d->behind = take_defined(L, h, i);
  if (!ph_some(ph_value_block(h->f, d->behind)))
    pl_error(L, h,
             "definition %d of the repair: the instruction before it was "
             "replaced by '%v'",
             (int)i + 1, d->behind);
}

static void take_definitions(lua_State *L, work *k) {
  for (uint32_t i = 0; i < k->r->m; i++) {
    lua_rawgeti(L, k->definitions, 2 * (lua_Integer)i + 1);
    take_where(L, k, i);
    lua_rawgeti(L, k->definitions, 2 * ((lua_Integer)i + 1));
    k->d[i].value.id = 0;
    if (!pl_literal_is(L, lua_gettop(L)))
      k->d[i].value = take_defined(L, k->r->owner, i);
    lua_pop(L, 2);
  }
}

static void make_literals(lua_State *L, work *k) {
  for (uint32_t i = 0; i < k->r->m; i++) {
    if (ph_some(k->d[i].value)) continue;
    lua_rawgeti(L, k->definitions, 2 * ((lua_Integer)i + 1));
    k->d[i].value =
        pl_literal_value(L, k->r->owner->f, lua_gettop(L), k->r->type);
    lua_pop(L, 1);
  }
}

/* r:rewrite() */
static int l_rewrite(lua_State *L) {
  work k = {.r = take_self(L, 0), .values = 2, .definitions = 3};
  pl_funcobj *h = k.r->owner;
  ph_repaired counts;
  lua_getiuservalue(L, 1, VALUES);
  lua_getiuservalue(L, 1, DEFINITIONS);
  k.v = lua_newuserdatauv(L, (k.r->n + 1) * sizeof *k.v, 0);
  k.d = lua_newuserdatauv(L, (k.r->m + 1) * sizeof *k.d, 0);
  check_begun(L, k.r);
  take_values(L, &k);
  take_definitions(L, &k);
  pl_access_beginhere(L, h, "repairing", nowhere, PL_WHERE_ALL);
  make_literals(L, &k);
  counts = ph_repair_rewrite(h->f, k.v, k.r->n, k.d, k.r->m);
  k.r->done = true;
  pl_access_end(h);
  lua_createtable(L, 0, 4);
  pl_userdata_setnumber(L, "visited", counts.visited);
  pl_userdata_setnumber(L, "uses", counts.uses);
  pl_userdata_setnumber(L, "phis", counts.phis);
  pl_userdata_setnumber(L, "removed", counts.removed);
  return pl_access_return(L, h, 1);
}

/* }=================================================================== */

const pl_method pl_repair_methods[] = {
    {PL_OF_FUNC, "repair", l_repair},
    {PL_OF_REPAIR, "define", l_define},
    {PL_OF_REPAIR, "rewrite", l_rewrite},
    {0},
};
