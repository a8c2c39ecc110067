/* copy.c: callee:copy_into(cursor, args): copies a function into another one,
** or into itself. */
#include <string.h>

#include "binding/args/dialect.h"
#include "binding/args/operand.h"
#include "binding/args/payload.h"
#include "binding/emit/cursor.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/funcobj.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/* Stack indices: the arguments, the function, the results but the map. */
enum { AT_CALLEE = 1, AT_CURSOR, AT_ARGS, AT_FN, AT_ENTRY, AT_REST, AT_RESULT };

typedef struct {
  pl_funcobj *h, *c; /* the callee is copied into h */
  ph_value at;
  uint32_t nargs, nkept; /* arguments; things that the callee keeps ... */
  uint32_t *numbers;     /* ... and, by number, under which h does */
  uint32_t nshared;      /* more things that h keeps */
  uint32_t nnodes;       /* of the callee, which h gets, too */
  uint32_t before[2];    /* versions of h and the callee */
  ph_value *args;
  ph_type *types;
  uint32_t nblocks, nvalues; /* of the callee */
  pl_handle *entry, *rest, *result;
  uint32_t nfurther; /* results from the second on, */
  int further; /* and the stack index of the handle of the first of them */
  ph_copying made;
} copying;

/*
** {== Checking =======================================================
*/

static void check_callee(lua_State *L, pl_funcobj *c) {
  ph_func *f = pl_access_change(L, c);
  if (ph_func_isdeclaration(f))
    pl_error_arg(L, c, AT_CALLEE, "'%f' is a declaration: it has no body");
  if (!ph_finish_isdone(f) || ph_finish_isfrozen(f))
    pl_error_arg(L, c, AT_CALLEE, "function '%f' is not finished");
  if (ph_func_options(f).variadic)
    pl_error_arg(L, c, AT_CALLEE,
                 "function '%f' is variadic: a copy would have the arguments "
                 "of another call");
  for (uint32_t i = 1; i <= ph_value_nparams(f); i++)
    if (ph_func_passing(f, i) == PH_BYVAL)
      pl_error_arg(L, c, AT_CALLEE,
                   "function '%f' has a copy of its parameter %d, which a copy "
                   "of the function would not have",
                   (int)i);
}

static void check_functions(lua_State *L, const copying *k) {
  check_callee(L, k->c);
  pl_access_edit(L, k->h);
  pl_cursor_block(L, k->h, k->at);
}

/* Checks argument i of the callee, from 0. */
static void check_argument(lua_State *L, copying *k, uint32_t i) {
  ph_value param = ph_value_param(k->c->f, i);
  int at = lua_gettop(L) + 1;
  bool fits;
  k->types[i] = pl_callee_wants(k->h, k->c, (int)i);
  lua_rawgeti(L, AT_ARGS, (lua_Integer)i + 1);
  k->args[i].id = 0;
  if (pl_literal_is(L, at)) {
    fits = pl_literal_fits(L, at, k->types[i]);
  } else {
    pl_handle_checkitem(L, k->h, AT_ARGS, at, PL_KIND_VALUE, "argument", i + 1);
    k->args[i] = pl_handle_valueat(L, k->h, at, AT_ARGS);
    fits = ph_value_type(k->h->f, k->args[i]) == k->types[i];
  }
  if (!fits)
    pl_error_arg(L, k->h, AT_ARGS,
                 "%t expected by parameter '%S' of '%S', got %g", k->types[i],
                 ph_value_name(k->c->f, param), ph_func_name(k->c->f), at);
  lua_settop(L, at - 1);
}

/* The callee's operands are values that its entry reaches. */
static void check_body(lua_State *L, pl_funcobj *c) {
  ph_value user;
  pl_access_begin(c, "looking for uses in", (ph_block){0});
  user = ph_edit_strayuser(c->f);
  pl_access_endinner(c);
  if (ph_some(user))
    pl_error_arg(L, c, AT_CALLEE,
                 "'%i' in block '%b' uses a value that no path from the entry "
                 "defines",
                 user, ph_value_block(c->f, user));
}

static void note_versions(copying *k) {
  k->before[0] = ph_func_version(k->h->f) + k->h->nkept + k->h->nnodes;
  k->before[1] = ph_func_version(k->c->f) + k->c->nkept + k->c->nnodes;
}

/* Finalizers may have run since the versions were noted. */
static void check_versions(lua_State *L, const copying *k) {
  copying now = *k;
  note_versions(&now);
  if (now.before[0] != k->before[0] || now.before[1] != k->before[1])
    pl_error(L, k->h, "a finalizer has changed '%f' or what is copied into it");
}

/* }== Preparing ====================================================== */

static uint32_t *new_zeros(lua_State *L, uint32_t n) {
  size_t bytes = ((size_t)n + 1) * sizeof(uint32_t);
  return memset(lua_newuserdatauv(L, bytes, 0), 0, bytes);
}

/* Allocates arrays as large as the callee needs, and lets h keep what the callee
** does. */
static void prepare_arrays(lua_State *L, copying *k) {
  k->nblocks = ph_block_count(k->c->f);
  k->nvalues = ph_value_count(k->c->f);
  k->nkept = k->c->nkept;
  k->nnodes = k->h != k->c ? k->c->nnodes : 0;
  k->made.nodes = k->h->nnodes;
  note_versions(k);
  k->made.blocks = new_zeros(L, k->nblocks);
  k->made.values = new_zeros(L, k->nvalues);
  k->numbers = new_zeros(L, k->nkept);
  k->args = lua_newuserdatauv(L, (k->nargs + 1) * sizeof *k->args, 0);
  k->types = lua_newuserdatauv(L, (k->nargs + 1) * sizeof *k->types, 0);
  k->made.further =
      lua_newuserdatauv(L, (k->nfurther + 1) * sizeof *k->made.further, 0);
  check_functions(L, k);
  check_versions(L, k);
  pl_payload_mark(k->c, k->numbers);
  k->nshared =
      pl_payload_share(L, AT_CALLEE, k->h, AT_FN, k->numbers, k->nkept);
  pl_funcobj_sharenodes(L, AT_CALLEE, k->nnodes, k->h, AT_FN);
}

static void prepare(lua_State *L, copying *k) {
  if (k->h != k->c) pl_dialect_attach_those(L, k->h, AT_FN, k->c, AT_CALLEE);
  k->entry = pl_handle_prepare(L, k->h, AT_FN, PL_KIND_BLOCK);
  k->rest = pl_handle_prepare(L, k->h, AT_FN, PL_KIND_BLOCK);
  k->result = pl_handle_prepare(L, k->h, AT_FN, PL_KIND_VALUE);
  k->further = lua_gettop(L) + 1;
  for (uint32_t i = 0; i < k->nfurther; i++)
    pl_handle_prepare(L, k->h, AT_FN, PL_KIND_VALUE);
  check_functions(L, k);
  prepare_arrays(L, k);
  check_functions(L, k);
  check_body(L, k->c);
  check_functions(L, k);
  check_versions(L, k);
  for (uint32_t i = 0; i < k->nargs; i++) check_argument(L, k, i);
}

/* }== Copying ======================================================== */

static uint64_t number_in(void *ud, uint64_t number) {
  const copying *k = ud;
  return number <= k->nkept ? k->numbers[number] : 0;
}

static void copy_function(lua_State *L, copying *k) {
  pl_funcobj *h = k->h;
  k->made.host = number_in;
  k->made.ud = k;
  pl_access_beginhere(L, h, "copying a function into",
                      ph_value_block(h->f, k->at), PL_WHERE_ALL);
  h->now.reading = k->c;
  for (uint32_t i = 0; i < k->nargs; i++) {
    if (ph_some(k->args[i])) continue;
    lua_rawgeti(L, AT_ARGS, (lua_Integer)i + 1);
    k->args[i] = pl_literal_value(L, k->h->f, lua_gettop(L), k->types[i]);
    lua_pop(L, 1);
  }
  ph_edit_copyinto(h->f, k->at, k->c->f, k->args, &k->made);
  h->now.reading = NULL;
  h->nkept += k->nshared;
  h->nnodes += k->nnodes;
}

/* }== Results ======================================================== */

static void settle_handles(lua_State *L, const copying *k) {
  ph_value result = k->made.result;
  pl_handle_settle(L, k->entry, PL_KIND_BLOCK, AT_ENTRY, k->made.entry.id);
  pl_handle_settle(L, k->rest, PL_KIND_BLOCK, AT_REST, k->made.rest.id);
  for (uint32_t i = 0; i < k->nfurther; i++) {
    int at = k->further + (int)i;
    pl_handle_found(L, lua_touserdata(L, at), PL_KIND_VALUE, at,
                    k->made.further[i].id);
  }
  if (ph_some(result)) {
    pl_handle_found(L, k->result, PL_KIND_VALUE, AT_RESULT, result.id);
    return;
  }
  lua_pushnil(L);
  lua_replace(L, AT_RESULT);
}

/* Adds the things of that kind that have a copy to the table on top. */
static void add_copies(lua_State *L, const copying *k, int kind,
                       const uint32_t *copies, uint32_t n) {
  for (uint32_t i = 1; i <= n; i++) {
    if (copies[i] == 0) continue;
    pl_handle_give(L, k->c, AT_CALLEE, kind, i);
    pl_handle_give(L, k->h, AT_FN, kind, copies[i]);
    lua_rawset(L, -3);
  }
}

/* }== The call ======================================================= */

/* callee:copy_into(cursor, args): entry, rest, result, map, further results */
static int l_copy_into(lua_State *L) {
  copying k = {.c = pl_arg_method(L, PL_KIND_FUNC, 1, 2)};
  lua_settop(L, AT_ARGS);
  check_callee(L, k.c);
  const pl_handle *cursor = pl_userdata_test(L, AT_CURSOR, PL_KIND_CURSOR);
  if (cursor == NULL)
    pl_error_arg(L, k.c, AT_CURSOR, "phial.Cursor expected, got %g", AT_CURSOR);
  k.h = cursor->owner;
  k.at.id = cursor->id;
  pl_handle_pushowner(L, AT_CURSOR);
  check_functions(L, &k);
  if (!lua_isnil(L, AT_ARGS))
    k.nargs = (uint32_t)pl_arg_list(L, AT_ARGS, AT_ARGS, "");
  check_functions(L, &k);
  uint32_t want = ph_value_nparams(k.c->f);
  if (k.nargs != want)
    pl_error_arg(L, k.c, AT_ARGS, "'%f' takes %d argument%s, got %d", (int)want,
                 want == 1 ? "" : "s", (int)k.nargs);
  k.nfurther = ph_func_nresults(k.c->f);
  if (k.nfurther > 0) k.nfurther--;
  luaL_checkstack(L, LUA_MINSTACK + 2 * (int)k.nfurther, NULL);
  check_functions(L, &k);
  prepare(L, &k);
  copy_function(L, &k);
  settle_handles(L, &k);
  pl_access_end(k.h);
  lua_newtable(L);
  add_copies(L, &k, PL_KIND_BLOCK, k.made.blocks, k.nblocks);
  add_copies(L, &k, PL_KIND_VALUE, k.made.values, k.nvalues);
  for (int at = AT_ENTRY; at <= AT_RESULT; at++) lua_pushvalue(L, at);
  lua_rotate(L, -4, 3);
  for (uint32_t i = 0; i < k.nfurther; i++)
    lua_pushvalue(L, k.further + (int)i);
  return pl_access_return(L, k.h, 4 + (int)k.nfurther);
}

/* }=================================================================== */

const pl_method pl_copy_methods[] = {
    {PL_OF_FUNC, "copy_into", l_copy_into},
    {0},
};
