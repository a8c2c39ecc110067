/* text.c: functions as text, and text as functions. */
#include <stdio.h>

#include "binding/args/dialect.h"
#include "binding/methods/description.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/funcobj.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

static int push_text(lua_State *L, pl_funcobj *h, ph_print_style style) {
  if (h->nkept > 0) pl_description_begin(L, h, 1);
  h->buf.n = 0;
  ph_print_styled(&h->buf, h->f, style);
  pl_description_end(h);
  lua_pushlstring(L, h->buf.at, h->buf.n);
  if (!h->closed) ph_strbuf_done(&h->buf);
  return pl_access_return(L, h, 1);
}

/* fn:text{ids = "own" or "dense", order = "id" or "rpo", positions = true} */
static int l_text(lua_State *L) {
  static const char *const known[] = {"ids", "order", "positions"};
  static const char *const ids[] = {"own", "dense"};
  static const char *const orders[] = {"id", "rpo"};
  pl_funcobj *h = pl_arg_method(L, PL_UP_FUNC, 0, 1);
  ph_print_style style = {0};
  pl_access_read(L, h);
  pl_arg_fields(L, 2, known, 3);
  if (pl_arg_choice(L, 2, "ids", ids, 2) == 1) style.ids = PH_IDS_DENSE;
  style.in_rpo = pl_arg_choice(L, 2, "order", orders, 2) == 1;
  if (pl_arg_field(L, 2, "positions") != LUA_TNIL)
    style.without_positions = !pl_arg_boolopt(L, 2, "positions");
  pl_access_read(L, h); /* finalizers may have run */
  return push_text(L, h, style);
}

/* Never raises an error: it helps to find out what went wrong. */
static int l_tostring(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_UP_FUNC);
  if (!pl_userdata_isusable(h)) {
    lua_pushfstring(L, "phial.Function (%s)",
                    pl_userdata_isclosed(h) ? "closed" : "broken");
    return 1;
  }
  pl_access_read(L, h);
  return push_text(L, h, (ph_print_style){0});
}

/*
** {== Finding ========================================================
*/

/* fn:find(name): the value or block that has this name in the text, or nil */
static int l_find(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_UP_FUNC, 1, 1);
  ph_str name;
  ph_value v = {0};
  ph_block b = {0};
  pl_access_read(L, h);
  name = pl_arg_str(L, 2);
  if (name.n > 0 && name.at[0] == '%')
    v = ph_find_value(h->f, name);
  else
    b = ph_find_block(h->f, name);
  if (ph_some(v))
    pl_handle_pushvalue(L, 1, v);
  else if (ph_some(b))
    pl_handle_pushblock(L, 1, b);
  else
    lua_pushnil(L);
  return pl_access_return(L, h, 1);
}

/* }== Parsing ======================================================== */

/* Makes a variable for each parameter, as phial.fn does. */
static void make_vars(pl_funcobj *h) {
  uint32_t n = ph_value_nparams(h->f);
  h->first_var = ph_var_count(h->f) + 1;
  for (uint32_t i = 0; i < n; i++) {
    ph_value arg = ph_value_param(h->f, i);
    ph_var_new(h->f, ph_value_name(h->f, arg), ph_value_type(h->f, arg));
  }
}

static int push_why(lua_State *L, pl_funcobj *h, const char *file,
                    uint32_t line, uint32_t col) {
  char at[40];
  snprintf(at, sizeof at, "%lu:%lu: ", (unsigned long)line, (unsigned long)col);
  lua_pushnil(L);
  lua_pushlstring(L, h->buf.at, h->buf.n);
  lua_pushfstring(L, "%s%s%s%s", file != NULL ? file : "",
                  file != NULL ? ":" : "", at, lua_tostring(L, -1));
  lua_remove(L, -2);
  pl_funcobj_close(L, h);
  return 2;
}

/* Stack indices of the arguments of parse. */
enum { ARG_TEXT = 1, ARG_OPTS, FILE_NAME, DIALECTS, FN };

/* Reads the text from byte *at on, or all of it (at NULL); pushes the function;
** or nil and why not, and returns 2. */
static int parse(lua_State *L, ph_str text, size_t *at) {
  const ph_block nowhere = {0};
  uint32_t line = 0, col = 0;
  pl_funcobj *h = pl_funcobj_new(L);
  h->type = PH_I64;
  pl_access_begin(h, "parsing", nowhere);
  ph_parse_start(h->f);
  pl_access_end(h);
  pl_dialect_attach_all(L, h, FN, DIALECTS);
  pl_access_begin(h, "parsing", nowhere);
  h->buf.n = 0;
  if (!ph_parse_part(h->f, text, at, &h->buf, &line, &col))
    return push_why(L, h, lua_tostring(L, FILE_NAME), line, col);
  pl_access_notecomplete(h);
  make_vars(h);
  pl_access_end(h);
  return pl_access_return(L, h, 1);
}

static ph_str take_text(lua_State *L) {
  static const char *const known[] = {"dialects", "file"};
  ph_str text = pl_arg_str(L, ARG_TEXT);
  lua_settop(L, ARG_OPTS);
  pl_arg_fields(L, ARG_OPTS, known, 2);
  if (pl_arg_field(L, ARG_OPTS, "file") != LUA_TNIL) pl_arg_str(L, FILE_NAME);
  pl_arg_field(L, ARG_OPTS, "dialects");
  return text;
}

/* phial.core.parse(text[, {dialects =, file =}]): a function, or nil and an
** error */
static int l_parse(lua_State *L) {
  pl_arg_count(L, 1, 2);
  return parse(L, take_text(L), NULL);
}

/* phial.core.parse_part(text, opts, at): the function that starts at byte `at`,
** and the byte that follows it; or nil and an error */
static int l_parse_part(lua_State *L) {
  size_t at = (size_t)pl_arg_int(L, 3, 1, PTRDIFF_MAX) - 1;
  if (parse(L, take_text(L), &at) == 2) return 2;
  lua_pushinteger(L, (lua_Integer)at + 1);
  return 2;
}

/* }=================================================================== */

const pl_method pl_text_methods[] = {
    {PL_OF_MODULE, "parse", l_parse},
    {PL_OF_MODULE, "parse_part", l_parse_part},
    {PL_OF_FUNC, "text", l_text},
    {PL_OF_FUNC, "find", l_find},
    {PL_OF_FUNC, "__tostring", l_tostring},
    {0},
};
