/* classes.c: classes of effects among arguments: { reads = { "heap" } }. */
#include "binding/args/classes.h"

#include <string.h>

#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/*
** {== Take ===========================================================
*/

static bool is_all(lua_State *L, int at) {
  return lua_type(L, at) == LUA_TSTRING &&
         strcmp(lua_tostring(L, at), "all") == 0;
}

/* Replaces the option on top, if it is given, by its names. */
static void take_option(lua_State *L, pl_funcobj *h, const char *what,
                        pl_classes *c) {
  int list = lua_gettop(L);
  lua_Integer n;
  *c = (pl_classes){!lua_isnil(L, list), is_all(L, list), list, 0};
  if (!c->said || c->all) return;
  if (!lua_istable(L, list))
    pl_error(L, h,
             "%s: a list of names of classes, or \"all\", expected, got %g",
             what, list);
  n = pl_arg_list(L, 0, list, what);
  if (n > PH_CLASSES_MOST)
    pl_error(L, h, "%s: more than %d classes", what, PH_CLASSES_MOST);
  c->at = list + 1;
  c->n = (int)n;
  luaL_checkstack(L, c->n + 16, NULL);
  for (int i = 1; i <= c->n; i++) {
    lua_rawgeti(L, list, i);
    int at = lua_gettop(L);
    if (is_all(L, at))
      pl_error(L, h, "%s: \"all\" cannot be in a list: it is everything", what);
    if (lua_type(L, at) != LUA_TSTRING ||
        !ph_effects_isclass(pl_arg_str(L, at)))
      pl_error(L, h, "%s: an identifier expected, got %g", what, at);
  }
}

static void check_op(lua_State *L, pl_funcobj *h, ph_op op,
                     const pl_said *said) {
  ph_effects can = ph_effects_sayable(h->f, op);
  if (said->reads.said && can.reads == 0)
    pl_error(L, h, "'%o' has no option 'reads'", op);
  if (said->writes.said && can.writes == 0)
    pl_error(L, h, "'%o' has no option 'writes'", op);
  if (said->writes.said && !said->writes.all && said->writes.n == 0 &&
      !ph_effects_canbenone(op))
    pl_error(L, h, "'%o' writes something: option 'writes' is empty", op);
}

void pl_classes_take(lua_State *L, pl_funcobj *h, ph_op op, int arg,
                     pl_said *said) {
  pl_arg_field(L, arg, "reads");
  take_option(L, h, "option 'reads'", &said->reads);
  pl_arg_field(L, arg, "writes");
  take_option(L, h, "option 'writes'", &said->writes);
  pl_access_again(L, h);
  check_op(L, h, op, said);
}

/* }== Check and make ================================================= */

static bool has_class(const ph_func *f, ph_str name) {
  for (uint32_t i = 0; i < ph_effects_nclasses(f); i++) {
    ph_str s = ph_effects_class(f, i);
    if (s.n == name.n && memcmp(s.at, name.at, s.n) == 0) return true;
  }
  return false;
}

/* True if the name at `at` is among the first n of c. */
static bool is_among(lua_State *L, const pl_classes *c, int n, int at) {
  for (int i = 0; i < n; i++)
    if (lua_rawequal(L, c->at + i, at)) return true;
  return false;
}

static void check_name(lua_State *L, const pl_funcobj *h, int at, uint32_t *n) {
  if (has_class(h->f, pl_arg_str(L, at)) || ++*n <= PH_CLASSES_MOST) return;
  pl_error_plain(L, "class '%s' is one too many: a function has at most %d",
                 lua_tostring(L, at), PH_CLASSES_MOST);
}

void pl_classes_checkroom(lua_State *L, const pl_funcobj *h,
                          const pl_said *said) {
  const pl_classes *r = &said->reads, *w = &said->writes;
  uint32_t n = ph_effects_nclasses(h->f);
  if (!pl_classes_any(said)) return;
  for (int i = 0; i < r->n; i++)
    if (!is_among(L, r, i, r->at + i)) check_name(L, h, r->at + i, &n);
  for (int i = 0; i < w->n; i++)
    if (!is_among(L, r, r->n, w->at + i) && !is_among(L, w, i, w->at + i))
      check_name(L, h, w->at + i, &n);
}

static uint32_t make_set(lua_State *L, ph_func *f, const pl_classes *c,
                         uint32_t usual) {
  uint32_t set = 0;
  if (!c->said) return usual;
  if (c->all) return PH_EFFECTS_ALL;
  for (int i = 0; i < c->n; i++)
    ph_effects_find(f, pl_arg_str(L, c->at + i), &set);
  return set;
}

ph_effects pl_classes_make(lua_State *L, ph_func *f, const pl_said *said,
                           ph_effects usual) {
  return (ph_effects){make_set(L, f, &said->reads, usual.reads),
                      make_set(L, f, &said->writes, usual.writes)};
}

/* }== Give =========================================================== */

/* Pushes "all", or a list of names. */
static void push_set(lua_State *L, pl_funcobj *h, uint32_t set) {
  uint32_t list[PH_CLASSES_MOST], n;
  if (set == PH_EFFECTS_ALL) {
    lua_pushliteral(L, "all");
    return;
  }
  lua_newtable(L);
  n = ph_effects_list(pl_access_read(L, h), set, list);
  for (uint32_t i = 0; i < n; i++) {
    ph_str s = ph_effects_class(pl_access_read(L, h), list[i]);
    lua_pushlstring(L, s.at, s.n);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
}

int pl_classes_push(lua_State *L, pl_funcobj *h, ph_effects e) {
  push_set(L, h, e.reads);
  push_set(L, h, e.writes);
  return 2;
}

/* phial.core.said(v): the same for what differs from what follows from the op;
** nil for what does not */
static int l_said(lua_State *L) {
  const pl_handle *me = pl_arg_only(L, PL_KIND_VALUE);
  pl_funcobj *h = me->owner;
  ph_effects e, usual;
  ph_value v;
  pl_access_read(L, h);
  v = pl_handle_value(L, me);
  e = ph_effects_of(h->f, v);
  usual = ph_effects_usual(h->f, ph_value_op(h->f, v));
  lua_settop(L, 1);
  e.reads != usual.reads ? push_set(L, h, e.reads) : lua_pushnil(L);
  e.writes != usual.writes ? push_set(L, h, e.writes) : lua_pushnil(L);
  return 2;
}

/* }=================================================================== */

const pl_method pl_classes_methods[] = {
    {PL_OF_MODULE, "said", l_said},
    {0},
};
