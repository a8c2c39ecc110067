/* text.c: functions as text, and text as functions. */
#include <stdio.h>

#include "binding/analysis/analysis.h"
#include "binding/args/dialect.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/funcobj.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/*
** {== What texts say of data that only Lua knows =====================
**
** All is asked before anything is printed: then no Lua runs, and nothing is
** allocated, while the core prints.
*/

/* Stack indices of ask_description. */
enum { DATUM = 1, OP_NAME, DIALECT };

/* Pushes the function `describe` of the op named OP_NAME of DIALECT, or nil. */
static void push_describe(lua_State *L) {
  if (!luaL_getmetafield(L, DIALECT, "__index")) {
    lua_pushnil(L);
    return;
  }
  lua_getfield(L, -1, lua_tostring(L, OP_NAME));
  if (lua_isuserdata(L, -1))
    pl_dialect_op_pushfunction(L, lua_gettop(L), PL_OP_DESCRIBE);
}

/* Pushes what is to be said of the datum, or nil. */
static int ask_description(lua_State *L) {
  size_t n;
  push_describe(L);
  if (lua_isfunction(L, -1)) {
    lua_pushvalue(L, DATUM);
    lua_call(L, 1, 1);
  } else if (luaL_getmetafield(L, DATUM, "__tostring")) {
    luaL_tolstring(L, DATUM, &n);
  } else {
    lua_pushnil(L);
  }
  if (!lua_isnil(L, -1)) luaL_tolstring(L, -1, &n);
  return 1;
}

/* The functions that are called can change h: nothing is known from one value
** to the next. */
static void describe_all(lua_State *L, pl_funcobj *h, int fn) {
  for (uint32_t id = 1; pl_userdata_isusable(h) && id <= ph_value_count(h->f);
       id++) {
    ph_value v = {id};
    ph_data data;
    if (ph_value_isdropped(h->f, v) || ph_value_resolve(h->f, v).id != id ||
        !ph_some(ph_value_block(h->f, v)))
      continue;
    data = ph_value_data(h->f, v);
    if (data.tag != PH_DATA_HOST || data.bits > h->nkept) continue;
    ph_op op = ph_value_op(h->f, v);
    ph_str name = ph_op_name(h->f, op), dialect = ph_op_dialect(h->f, op);
    lua_pushcfunction(L, ask_description);
    pl_funcobj_pushkept(L, fn, (lua_Integer)data.bits);
    lua_pushlstring(L, name.at, name.n);
    pl_funcobj_pushdialect(L, fn, dialect);
    if (lua_pcall(L, 3, 1, 0) != LUA_OK) {
      lua_pop(L, 1);
      lua_pushliteral(L, "?");
    }
    lua_rawseti(L, -2, id);
  }
}

/* Appends the description of v in one line of printable characters. */
static void append_description(void *ud, ph_strbuf *b, ph_value v) {
  lua_State *L = ud;
  size_t n;
  const char *s;
  lua_rawgeti(L, -1, v.id);
  s = lua_tolstring(L, -1, &n);
  for (size_t i = 0; s != NULL && i < n && i < 200; i++) {
    char c = (unsigned char)s[i] < ' ' || s[i] == 0x7f ? ' ' : s[i];
    ph_strbuf_add(b, (ph_str){&c, 1});
  }
  lua_pop(L, 1);
}

/* }== Printing ======================================================= */

/* Pushes the text in the buffer, which is freed; a finalizer may use it, or close
** the function. */
static const char *push_buffer(lua_State *L, pl_funcobj *h) {
  const char *text = lua_pushlstring(L, h->buf.at, h->buf.n);
  if (!h->closed) ph_strbuf_done(&h->buf);
  return text;
}

static int push_text(lua_State *L, pl_funcobj *h, ph_print_style style) {
  if (h->nkept > 0) {
    /* Comments are what the field `describe` of the op says of the data, or the
    ** data's __tostring; both are called now, and their errors become "?".  The
    ** table stays on the stack until the text is printed. */
    luaL_checkstack(L, 16, NULL);
    lua_newtable(L);
    describe_all(L, h, 1);
    pl_access_read(L, h);
    ph_print_sethost(h->f, append_description, L);
  }
  h->buf.n = 0;
  ph_print_styled(&h->buf, h->f, style);
  if (!h->closed) ph_print_sethost(h->f, NULL, NULL);
  push_buffer(L, h);
  return pl_access_return(L, h, 1);
}

/* fn:text{ids = "own" or "dense", order = "id" or "rpo", positions = true} */
static int l_text(lua_State *L) {
  static const char *const known[] = {"ids", "order", "positions"};
  static const char *const ids[] = {"own", "dense"};
  static const char *const orders[] = {"id", "rpo"};
  pl_funcobj *h = pl_arg_method(L, PL_KIND_FUNC, 0, 1);
  ph_print_style style = {0};
  pl_access_read(L, h);
  pl_arg_fields(L, 2, known, 3);
  if (pl_arg_choice(L, 2, "ids", ids, 2) == 1) style.ids = PH_IDS_DENSE;
  style.in_rpo = pl_arg_choice(L, 2, "order", orders, 2) == 1;
  style.without_positions = !pl_arg_flag(L, 2, "positions", true);
  pl_access_again(L, h);
  return push_text(L, h, style);
}

/* Never raises an error: it helps to find out what went wrong. */
static int l_tostring(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_KIND_FUNC);
  if (!pl_userdata_isusable(h))
    return pl_userdata_pushunusable(L, h, PL_KIND_FUNC);
  pl_access_read(L, h);
  return push_text(L, h, (ph_print_style){0});
}

/* }== Printing for other programs ==================================== */

/* phial.core.dot(fn): its blocks as a graph in Graphviz's language */
static int l_dot(lua_State *L) {
  pl_funcobj *h = pl_arg_only(L, PL_KIND_FUNC);
  pl_access_read(L, h);
  h->buf.n = 0;
  ph_print_graph(&h->buf, h->f, pl_analysis_order(h), pl_analysis_domtree(h));
  push_buffer(L, h);
  return pl_access_return(L, h, 1);
}

/* Stack indices of l_json. */
enum { JSON_FN = 1, JSON_PLACES, JSON_VARS, JSON_ROWS };

static bool is_listed(void *ud, ph_var x) {
  lua_State *L = ud;
  bool is = lua_rawgeti(L, JSON_VARS, x.id) != LUA_TNIL;
  lua_pop(L, 1);
  return is;
}

static ph_str row_of(void *ud, ph_value v) {
  lua_State *L = ud;
  ph_str row = {NULL, 0};
  if (lua_rawgeti(L, JSON_ROWS, v.id) == LUA_TSTRING)
    row.at = lua_tolstring(L, -1, &row.n);
  lua_pop(L, 1);
  return row;
}

static uint32_t number_in(lua_State *L, const char *field) {
  uint32_t n;
  lua_getfield(L, -1, field);
  n = (uint32_t)lua_tointeger(L, -1);
  lua_pop(L, 1);
  return n;
}

/* Pushes memory with the positions of a log, of which there are n. */
static const ph_srcloc *push_places(lua_State *L, pl_funcobj *h, uint32_t n) {
  ph_srcloc *at = lua_newuserdatauv(L, n * sizeof *at, 0);
  for (uint32_t i = 0; i < n; i++) {
    ph_str file = {"", 0};
    lua_rawgeti(L, JSON_PLACES, i + 1);
    at[i] =
        (ph_srcloc){.line = number_in(L, "line"), .col = number_in(L, "col")};
    if (lua_getfield(L, -1, "file") == LUA_TSTRING)
      file.at = lua_tolstring(L, -1, &file.n);
    at[i].file = ph_intern_add(pl_access_read(L, h), file);
    lua_pop(L, 2);
  }
  return at;
}

/* phial.core.json(fn, places, vars, rows): lists of a document about a function:
** its variables, blocks, values, loops and places.  places, vars: of a log; rows:
** texts by the ids of values that are not in the function any more. */
static int l_json(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_KIND_FUNC, 3, 3);
  ph_json_known known = {.row = row_of, .lists = is_listed, .ud = L};
  size_t ends[PH_JSON_PARTS], at = 0;
  const char *all;
  known.nplaces = (uint32_t)lua_rawlen(L, JSON_PLACES);
  known.places = push_places(L, h, known.nplaces);
  pl_access_read(L, h);
  known.dom = pl_analysis_domtree(h);
  known.loops = pl_analysis_loops(h);
  h->buf.n = 0;
  ph_print_json(&h->buf, h->f, &known, ends);
  all = push_buffer(L, h);
  for (int i = 0; i < PH_JSON_PARTS; i++) {
    lua_pushlstring(L, all + at, ends[i] - at);
    at = ends[i];
  }
  return pl_access_return(L, h, PH_JSON_PARTS);
}

/* }== Finding ======================================================== */

/* fn:find(name): the value or block that has this name in the text, or nil */
static int l_find(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_KIND_FUNC, 1, 1);
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
  else
    pl_handle_pushblock(L, 1, b);
  return pl_access_return(L, h, 1);
}

/* }== Parsing ======================================================== */

/* Stack indices of the arguments of parse. */
enum { ARG_TEXT = 1, ARG_OPTS, FILE_NAME, DIALECTS, FN };

/* nil, "file:line:column: message" */
static int push_why(lua_State *L, pl_funcobj *h, uint32_t line, uint32_t col) {
  bool has_file = lua_isstring(L, FILE_NAME);
  char at[40];
  snprintf(at, sizeof at, "%s%lu:%lu: ", has_file ? ":" : "",
           (unsigned long)line, (unsigned long)col);
  lua_pushnil(L);
  if (has_file)
    lua_pushvalue(L, FILE_NAME);
  else
    lua_pushliteral(L, "");
  lua_pushstring(L, at);
  lua_pushlstring(L, h->buf.at, h->buf.n);
  lua_concat(L, 3);
  pl_funcobj_close(L, h);
  return 2;
}

/* Reads the text from byte *at on, or all of it (at NULL); pushes the function;
** or nil and why not, and returns 2. */
static int parse_function(lua_State *L, ph_str text, size_t *at) {
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
    return push_why(L, h, line, col);
  pl_access_notecomplete(h);
  uint32_t n = ph_value_nparams(h->f);
  h->first_var = ph_var_count(h->f) + 1;
  for (uint32_t i = 0; i < n; i++) {
    ph_value arg = ph_value_param(h->f, i);
    ph_var_new(h->f, ph_value_name(h->f, arg), ph_value_type(h->f, arg));
  }
  return pl_access_done(L, h, 1);
}

static ph_str take_text(lua_State *L) {
  static const char *const known[] = {"dialects", "file"};
  ph_str text = pl_arg_str(L, ARG_TEXT);
  lua_settop(L, ARG_OPTS);
  pl_arg_fields(L, ARG_OPTS, known, 2);
  if (pl_arg_field(L, ARG_OPTS, "file") != LUA_TNIL &&
      lua_type(L, FILE_NAME) != LUA_TSTRING)
    pl_error_plainarg(L, ARG_OPTS, "option 'file': string expected, got %s",
                      luaL_typename(L, FILE_NAME));
  pl_arg_field(L, ARG_OPTS, "dialects");
  return text;
}

/* phial.core.parse(text[, {dialects =, file =}]): a function, or nil and an
** error */
static int l_parse(lua_State *L) {
  pl_arg_count(L, 1, 2);
  return parse_function(L, take_text(L), NULL);
}

/* phial.core.parse_part(text, opts, at): the function that starts at byte `at`,
** and the byte that follows it; or nil and an error */
static int l_parse_part(lua_State *L) {
  size_t at = (size_t)pl_arg_int(L, 3, 1, PTRDIFF_MAX) - 1;
  if (parse_function(L, take_text(L), &at) == 2) return 2;
  lua_pushinteger(L, (lua_Integer)at + 1);
  return 2;
}

/* }=================================================================== */

const pl_method pl_text_methods[] = {
    {PL_OF_MODULE, "parse", l_parse},
    {PL_OF_MODULE, "parse_part", l_parse_part},
    {PL_OF_MODULE, "dot", l_dot},
    {PL_OF_MODULE, "json", l_json},
    {PL_OF_FUNC, "text", l_text},
    {PL_OF_FUNC, "find", l_find},
    {PL_OF_FUNC, "__tostring", l_tostring},
    {0},
};
