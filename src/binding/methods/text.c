/* text.c: functions and globals as text, and text as functions. */
#include <stdio.h>
#include <string.h>

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
    if (ph_value_isdropped(h->f, v) || ph_value_resolve(h->f, v).id != id ||
        !ph_some(ph_value_block(h->f, v)))
      continue;
    ph_data data = ph_value_data(h->f, v);
    if (data.tag != PH_DATA_HOST || data.bits > h->nkept) continue;
    ph_op op = ph_value_op(h->f, v);
    ph_str name = ph_op_name(h->f, op), dialect = ph_op_dialect(h->f, op);
    lua_pushcfunction(L, ask_description);
    pl_funcobj_pushkept(L, fn, (lua_Integer)data.bits);
    lua_pushlstring(L, name.at, name.n);
    pl_funcobj_pushdialect(L, fn, dialect);
    h->module->describing = true;
    if (lua_pcall(L, 3, 1, 0) != LUA_OK) {
      lua_pop(L, 1);
      lua_pushliteral(L, "?");
    }
    h->module->describing = false;
    lua_rawseti(L, -2, id);
  }
}

/* Appends the description of v in one line of printable characters. */
static void append_description(void *ud, ph_strbuf *b, ph_value v) {
  lua_State *L = ud;
  size_t n;
  lua_rawgeti(L, -1, v.id);
  const char *s = lua_tolstring(L, -1, &n);
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
  if (h->nkept > 0 && !h->module->describing) {
    /* Comments are what the field `describe` of the op, or __tostring, says of the
    ** data; an error becomes "?".  If they print a function, that text has no
    ** comments.  The table of them stays on the stack until the text is printed. */
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

/* }== Printing globals ===============================================
**
** What is known of a global is the table that lua/phial/module/global.lua has
** behind its handle, which no user gets.
*/

/* Stack indices of l_globals. */
enum { GLOBALS = 1, LINKAGE, ADDRESS, BUFFER, GLOBAL };

/* A buffer's memory is a userdata, which is garbage if an error leaves. */
static void *keep_buffer(void *ud, void *p, size_t old, size_t n) {
  lua_State *L = ud;
  void *to = lua_newuserdatauv(L, n, 0);
  if (old > 0) memcpy(to, p, old);
  lua_replace(L, BUFFER);
  return to;
}

static ph_str string_at(lua_State *L, int at) {
  ph_str s;
  s.at = lua_tolstring(L, at, &s.n);
  return s;
}

/* Appends the value on top, of that type. */
static void put_initial(lua_State *L, ph_strbuf *b, const char *type) {
  switch (lua_type(L, -1)) {
    case LUA_TBOOLEAN:
      ph_strbuf_puts(b, lua_toboolean(L, -1) ? "true" : "false");
      break;
    case LUA_TNUMBER:
      if (lua_isinteger(L, -1))
        ph_strbuf_int(b, lua_tointeger(L, -1));
      else
        ph_print_float(b, lua_tonumber(L, -1));
      break;
    case LUA_TSTRING:
      if (type != NULL && strcmp(type, "ptr") == 0) {
        ph_strbuf_puts(b, "@");
        ph_strbuf_name(b, string_at(L, -1));
      } else {
        ph_strbuf_quoted(b, string_at(L, -1));
      }
      break;
    default:
      lua_pushvalue(L, ADDRESS);
      lua_pushvalue(L, -2);
      lua_call(L, 1, 1);
      ph_strbuf_add(b, string_at(L, -1));
      lua_pop(L, 1);
  }
}

/* True if a list is on top: handles of the facade are tables, too. */
static bool is_list(lua_State *L) {
  if (!lua_istable(L, -1)) return false;
  if (!lua_getmetatable(L, -1)) return true;
  lua_pop(L, 1);
  return false;
}

/* Appends the runs in the table on top: { 0: i32 5, 8: ptr @f + 4, 16: "..." } */
static void put_runs(lua_State *L, ph_strbuf *b) {
  lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
  for (lua_Integer i = 1; i <= n; i++) {
    const char *type;
    lua_rawgeti(L, -1, i);
    lua_rawgeti(L, -1, 1);
    lua_rawgeti(L, -2, 2);
    lua_rawgeti(L, -3, 3);
    type = lua_tostring(L, -2);
    ph_strbuf_puts(b, i == 1 ? "{ " : ", ");
    ph_strbuf_int(b, lua_tointeger(L, -3));
    ph_strbuf_puts(b, ": ");
    if (strcmp(type, "bytes") != 0) {
      ph_strbuf_puts(b, type);
      ph_strbuf_puts(b, " ");
    }
    put_initial(L, b, type);
    lua_pop(L, 4);
  }
  ph_strbuf_puts(b, n > 0 ? " }" : "{}");
}

/* Pushes a field of the global. */
static ph_str string_of(lua_State *L, const char *field) {
  lua_getfield(L, GLOBAL, field);
  return string_at(L, -1);
}
static lua_Integer number_of(lua_State *L, const char *field) {
  lua_getfield(L, GLOBAL, field);
  return lua_tointeger(L, -1);
}
static bool flag_of(lua_State *L, const char *field) {
  lua_getfield(L, GLOBAL, field);
  return lua_toboolean(L, -1);
}

/* Appends the global: internal global table: bytes 64 align 16 = "..." */
static void put_global(lua_State *L, ph_strbuf *b) {
  ph_str linkage =
      lua_isnil(L, LINKAGE) ? string_of(L, "linkage") : string_at(L, LINKAGE);
  const char *type = string_of(L, "type").at;
  lua_Integer size = number_of(L, "size"), align = number_of(L, "align"),
              reserve = number_of(L, "reserve");
  if (flag_of(L, "is_declaration")) linkage = (ph_str){"declare", 7};
  if (strcmp(linkage.at, "external") != 0) {
    ph_strbuf_add(b, linkage);
    ph_strbuf_puts(b, " ");
  }
  ph_strbuf_puts(b, flag_of(L, "is_constant") ? "constant " : "global ");
  ph_strbuf_name(b, string_of(L, "name"));
  ph_strbuf_puts(b, type != NULL ? ": " : ": bytes ");
  if (type != NULL)
    ph_strbuf_puts(b, type);
  else
    ph_strbuf_int(b, size);
  if (reserve != 0) {
    ph_strbuf_puts(b, " reserve ");
    ph_strbuf_int(b, reserve);
  }
  if (align != (type != NULL ? size : 8)) {
    ph_strbuf_puts(b, " align ");
    ph_strbuf_int(b, align);
  }
  if (lua_getfield(L, GLOBAL, "initial") != LUA_TNIL) {
    ph_strbuf_puts(b, " = ");
    if (is_list(L))
      put_runs(L, b);
    else
      put_initial(L, b, type);
  }
  ph_strbuf_puts(b, "\n");
}

/* phial.core.globals(list, linkage, address): what is known of globals as text,
** with another linkage if that is given; address(value) is the text of what an
** initial value has the address of */
static int l_globals(lua_State *L) {
  ph_mem mem = {.realloc = keep_buffer, .ud = L};
  ph_strbuf b = {.mem = &mem};
  luaL_checktype(L, GLOBALS, LUA_TTABLE);
  lua_settop(L, GLOBAL);
  for (lua_Integer i = 1; lua_rawgeti(L, GLOBALS, i) != LUA_TNIL; i++) {
    lua_replace(L, GLOBAL);
    put_global(L, &b);
    lua_settop(L, GLOBAL);
  }
  lua_pushlstring(L, b.at, b.n);
  return 1;
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
                      pl_error_type(L, FILE_NAME));
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
    {PL_OF_MODULE, "globals", l_globals},
    {PL_OF_FUNC, "text", l_text},
    {PL_OF_FUNC, "find", l_find},
    {PL_OF_FUNC, "__tostring", l_tostring},
    {0},
};
