/* read.c: the undef function, which defines what is read without a definition.
**
** While the core reads, it only lists the variables that need a definition; the
** function is called for them when the core is done.
*/
#include "binding/args/read.h"

#include "binding/args/payload.h"
#include "binding/state/error.h"
#include "binding/state/funcobj.h"

/* Its arguments: the function and the undef function. */
static int call_body(lua_State *L, void *ud) {
  pl_handle_pushvar(L, 1, *(const ph_var *)ud);
  lua_call(L, 1, 1);
  return 1;
}

/* Calls it for var; leaves its answer or the error.  What has been checked must
** hold afterwards: finalizers that run when the handle is made can change the
** function no more than the undef function can. */
static int call_undef(lua_State *L, pl_funcobj *h, int fn, ph_var var) {
  int status;
  luaL_checkstack(L, 6, NULL);
  lua_pushvalue(L, fn);
  pl_funcobj_pushkept(L, fn, PL_KEPT_UNDEF);
  h->now.in_callback = true;
  status = pl_protect_run(L, call_body, &var, 2);
  h->now.in_callback = false;
  if (h->closed) pl_error_plain(L, "the undef function closed its function");
  h->L = L;
  return status;
}

static bool is_answer(lua_State *L, pl_funcobj *h, ph_type type) {
  const pl_handle *v = pl_userdata_test(L, -1, PL_KIND_VALUE);
  ph_value value;
  ph_op op;
  if (v == NULL) return pl_literal_is(L, -1) && pl_literal_fits(L, -1, type);
  value.id = v->id;
  if (v->owner != h || ph_value_isdropped(h->f, value)) return false;
  op = ph_value_op(h->f, value);
  return (op == PH_CONST || op == PH_PARAM) &&
         ph_value_type(h->f, value) == type;
}

/* The constant or argument on top, which is_answer accepts. */
static ph_value take_answer(lua_State *L, ph_func *f, ph_type type) {
  const pl_handle *v = pl_userdata_test(L, -1, PL_KIND_VALUE);
  if (v == NULL) return pl_literal_value(L, f, -1, type);
  return ph_value_resolve(f, (ph_value){v->id});
}

/* A variable for which it fails stays in the list: the next call that can read
** asks again. */
static void ask_for_definition(lua_State *L, pl_funcobj *h, int fn,
                               ph_var var) {
  const ph_block nowhere = {0};
  ph_type type = ph_var_type(h->f, var);
  if (call_undef(L, h, fn, var) != LUA_OK) {
    if (pl_protect_hasyielded(L))
      pl_error(L, h, "the undef function may not yield");
    lua_error(L);
  }
  if (!is_answer(L, h, type))
    pl_error(L, h,
             "the undef function must return a constant or an argument of "
             "type %t for variable '%x', got %g",
             type, var, -1);
  pl_access_begin(h, "asking for definitions in", nowhere);
  ph_build_define(h->f, var, take_answer(L, h->f, type));
  pl_access_end(h);
  lua_pop(L, 1);
}

void pl_undef_settle(lua_State *L, pl_funcobj *h, int fn) {
  while (h->undef_policy == PL_UNDEF_CALL && ph_some(ph_build_undefvar(h->f)))
    ask_for_definition(L, h, fn, ph_build_undefvar(h->f));
}

void pl_undef_place(lua_State *L, pl_funcobj *h) {
  uint32_t n = ph_undef_reads_recorded(h->f);
  if (n == h->nreads) return;
  pl_access_here(L, h, PL_WHERE_BLOCKS);
  ph_undef_reads_place(h->f, h->nreads);
  h->nreads = n;
}
