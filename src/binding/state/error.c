/* error.c: errors, positioned at the first frame outside phial; protected
** calls.
**
** The facade registers the prefix of its own files' names, the rock; frames
** from there are skipped.
*/
#include "binding/state/error.h"

#include <stdarg.h>
#include <string.h>

#include "binding/state/message.h"
#include "binding/state/method.h"

/*
** {== Where ==========================================================
*/

/* phial.core.rock(prefix) */
static int l_rock(lua_State *L) {
  pl_module *m = lua_touserdata(L, lua_upvalueindex(PL_UP_MODULE));
  const char *prefix = luaL_checkstring(L, 1);
  lua_settop(L, 1);
  lua_setiuservalue(L, lua_upvalueindex(PL_UP_MODULE), PL_MODULE_ROCK);
  m->rock = prefix;
  return 0;
}

/* Where there are two separators, Lua puts its own into the names that it makes
** of modules' names. */
static bool is_separator(char c) { return c == '/' || c == '\\'; }

/* True if a source is the facade's. */
static bool is_own(const pl_module *m, const char *source) {
  const char *own = m->rock;
  for (; *own != '\0'; own++, source++)
    if (*own != *source && !(is_separator(*own) && is_separator(*source)))
      return false;
  return own != m->rock;
}

/* Sets *direct to whether no frame of the facade is in between. */
static bool find_caller(lua_State *L, lua_Debug *ar, bool *direct) {
  const pl_module *m = pl_userdata_module(L);
  *direct = true;
  for (int level = 1; lua_getstack(L, level, ar); level++) {
    lua_getinfo(L, "Sl", ar);
    if (ar->currentline <= 0) continue;
    if (!is_own(m, ar->source)) return true;
    *direct = false;
  }
  return false;
}

bool pl_error_caller(lua_State *L, lua_Debug *ar) {
  bool direct;
  return find_caller(L, ar, &direct);
}

/* }== The frontend's location ======================================== */

static bool ends_with(const ph_strbuf *b, size_t from, size_t n) {
  return from >= n && memcmp(b->at + from - n, b->at + from, n) == 0;
}

/* Adds the frontend's location to the message in h->buf, unless it is there: an
** error can pass through several functions of the module. */
static void add_loc(lua_State *L, pl_funcobj *h) {
  size_t n = h->buf.n;
  if (h->complete || h->places.loc.line == 0) return;
  pl_message_add(L, h, "%l", h->places.loc);
  if (ends_with(&h->buf, n, h->buf.n - n)) h->buf.n = n;
}

/* The function that the handle at `arg` belongs to, or NULL. */
static pl_funcobj *function_at(lua_State *L, int arg) {
  const pl_handle *it = NULL;
  pl_funcobj *h = pl_userdata_test(L, arg, PL_KIND_FUNC);
  for (int kind = PL_KIND_BLOCK;
       h == NULL && it == NULL && kind <= PL_KIND_ACCESS; kind++)
    it = pl_userdata_test(L, arg, kind);
  if (h == NULL && it == NULL) it = pl_userdata_test(L, arg, PL_KIND_CURSOR);
  return it != NULL ? it->owner : h;
}

/* The same for the message on top, of a call with a handle as its first or, if
** it is that of an operator, second argument. */
static void add_loc_of_call(lua_State *L) {
  pl_funcobj *h = function_at(L, 1);
  size_t n;
  const char *text = lua_tolstring(L, -1, &n);
  if (h == NULL) h = function_at(L, 2);
  if (h == NULL || !pl_userdata_isusable(h)) return;
  h->L = L;
  h->buf.n = 0;
  ph_strbuf_add(&h->buf, (ph_str){text, n});
  add_loc(L, h);
  lua_pushlstring(L, h->buf.at, h->buf.n);
}

/* phial.core.place(): "file:line" of the first frame outside phial, or nil */
static int l_place(lua_State *L) {
  lua_Debug ar;
  if (pl_error_caller(L, &ar))
    lua_pushfstring(L, "%s:%d", ar.short_src, ar.currentline);
  else
    lua_pushnil(L);
  return 1;
}

/* }== Raising ======================================================== */

/* Raises the message on top, which starts with a position of position_size
** bytes. */
static _Noreturn int raise_top(lua_State *L, size_t position_size) {
  pl_userdata_module(L)->position_size = position_size;
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, lua_upvalueindex(PL_UP_MODULE), PL_MODULE_REFUSAL);
  lua_error(L);
}

/* phial.core.refusal(err): the message without its position, if err is the one
** that phial has raised last; or nil */
static int l_refusal(lua_State *L) {
  lua_settop(L, 1);
  lua_getiuservalue(L, lua_upvalueindex(PL_UP_MODULE), PL_MODULE_REFUSAL);
  if (lua_type(L, 1) == LUA_TSTRING && lua_rawequal(L, 1, 2))
    lua_pushstring(L,
                   lua_tostring(L, 1) + pl_userdata_module(L)->position_size);
  else
    lua_pushnil(L);
  return 1;
}

/* }== Plain errors =================================================== */

_Noreturn int pl_error_plaintop(lua_State *L) {
  lua_Debug ar;
  size_t position_size = 0;
  add_loc_of_call(L);
  if (pl_error_caller(L, &ar)) {
    lua_pushfstring(L, "%s:%d: ", ar.short_src, ar.currentline);
    position_size = lua_rawlen(L, -1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  raise_top(L, position_size);
}

/* phial.core.raise(message, fn?): the function is that under construction */
static int l_raise(lua_State *L) {
  lua_settop(L, 2);
  lua_pushvalue(L, 1);
  pl_error_plaintop(L);
}

int pl_error_plain(lua_State *L, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  lua_pushvfstring(L, fmt, ap);
  va_end(ap);
  pl_error_plaintop(L);
}

static const char *own_name(lua_State *L) {
  return lua_tostring(L, lua_upvalueindex(PL_UP_NAME));
}

int pl_error_calling(lua_State *L, const char *fmt, ...) {
  lua_Debug ar;
  bool direct;
  va_list ap;
  va_start(ap, fmt);
  lua_pushvfstring(L, fmt, ap);
  va_end(ap);
  if (*own_name(L) != '\0' && find_caller(L, &ar, &direct) && direct)
    lua_pushfstring(L, "calling '%s': %s", pl_error_sign(own_name(L)),
                    lua_tostring(L, -1));
  pl_error_plaintop(L);
}

/* True if `name` is that of a method, which does not count self: functions are
** named with a prefix, and metamethods count all operands. */
static bool is_method(const char *name) {
  return strncmp(name, "phial.", 6) != 0 && strncmp(name, "__", 2) != 0;
}

int pl_error_plainarg(lua_State *L, int arg, const char *fmt, ...) {
  const char *name = own_name(L);
  va_list ap;
  va_start(ap, fmt);
  lua_pushvfstring(L, fmt, ap);
  va_end(ap);
  lua_pushfstring(L, "bad argument #%d to '%s' (%s)",
                  is_method(name) ? arg - 1 : arg, name, lua_tostring(L, -1));
  pl_error_plaintop(L);
}

const char *pl_error_tostring(lua_State *L, int at) {
  char room[32];
  ph_strbuf b = {.at = room, .cap = sizeof room}; /* enough for any float */
  if (lua_type(L, at) != LUA_TNUMBER || lua_isinteger(L, at))
    return luaL_tolstring(L, at, NULL);
  ph_print_float(&b, lua_tonumber(L, at));
  return lua_pushlstring(L, b.at, b.n);
}

const char *pl_error_got(lua_State *L, int at) {
  if (lua_type(L, at) == LUA_TSTRING)
    return lua_pushfstring(L, "\"%s\"", lua_tostring(L, at));
  if (lua_isnumber(L, at) || lua_isboolean(L, at))
    return pl_error_tostring(L, at);
  return lua_pushstring(L, pl_error_type(L, at));
}

const char *pl_error_type(lua_State *L, int at) {
  int type = luaL_getmetafield(L, at, "__name");
  if (type == LUA_TSTRING) return lua_tostring(L, -1);
  if (type != LUA_TNIL) lua_pop(L, 1);
  return luaL_typename(L, at);
}

/* phial.core.tostring(value) */
static int l_tostring(lua_State *L) {
  luaL_checkany(L, 1);
  pl_error_tostring(L, 1);
  return 1;
}

/* }== Operators ====================================================== */

static const struct {
  const char *event, *sign;
} signs[] = {
#define PH_INFIX(sign, precedence, event, on_ints, on_floats, hint) \
  {event, sign},
#define PH_PREFIX(sign, event, on_ints, on_floats) {event, sign},
#include "phial/infix.def"
};

const char *pl_error_sign(const char *event) {
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (strcmp(signs[i].event, event) == 0) return signs[i].sign;
  return event;
}

/* }== Errors about a function ======================================== */

const char *pl_error_pushname(lua_State *L, const pl_funcobj *h) {
  ph_str name = {"", 0};
  if (h->closed)
    name = (ph_str){h->source_name, strlen(h->source_name)};
  else if (!h->module->closed)
    name = ph_func_name(h->f);
  if (name.n == 0) return lua_pushliteral(L, "the function");
  lua_pushlstring(L, name.at, name.n);
  return lua_pushfstring(L, "function '%s'", lua_tostring(L, -1));
}

/* What a message says of its arguments has been pushed before, so a finalizer
** may have closed the function. */
void pl_error_start(lua_State *L, pl_funcobj *h) {
  lua_Debug ar;
  if (pl_userdata_isclosed(h))
    pl_error_calling(L, "%s is closed", pl_error_pushname(L, h));
  h->L = L;
  h->buf.n = 0;
  if (pl_error_caller(L, &ar)) {
    ph_strbuf_puts(&h->buf, ar.short_src);
    pl_message_add(L, h, ":%d: ", ar.currentline);
  }
  h->module->position_size = h->buf.n;
}

int pl_error_raiselist(lua_State *L, pl_funcobj *h) {
  lua_pushlstring(L, h->buf.at, h->buf.n);
  raise_top(L, h->module->position_size);
}

int pl_error_raise(lua_State *L, pl_funcobj *h) {
  add_loc(L, h);
  pl_error_raiselist(L, h);
}

int pl_error_raiseforeign(lua_State *L, pl_funcobj *h) {
  ph_str text;
  text.at = lua_tolstring(L, -1, &text.n);
  pl_error_start(L, h);
  ph_strbuf_add(&h->buf, text);
  add_loc(L, h);
  lua_pushlstring(L, h->buf.at, h->buf.n);
  lua_error(L);
}

int pl_error(lua_State *L, pl_funcobj *h, const char *fmt, ...) {
  va_list ap;
  pl_error_start(L, h);
  va_start(ap, fmt);
  pl_message_addv(L, h, fmt, &ap);
  va_end(ap);
  pl_error_raise(L, h);
}

int pl_error_arg(lua_State *L, pl_funcobj *h, int arg, const char *fmt, ...) {
  const char *name = own_name(L);
  int number = is_method(name) ? arg - 1 : arg; /* 0: self */
  va_list ap;
  pl_error_start(L, h);
  if (number > 0)
    pl_message_add(L, h, "bad argument #%d to '%s' (", number,
                   pl_error_sign(name));
  else
    pl_message_add(L, h, "calling '%s' on bad self (", name);
  va_start(ap, fmt);
  pl_message_addv(L, h, fmt, &ap);
  va_end(ap);
  ph_strbuf_puts(&h->buf, ")");
  pl_error_raise(L, h);
}

/* }== Protected calls ================================================
**
** A closure made for each call would have to be allocated: so one serves all,
** which gets what it has to run as a light userdata.
*/

typedef struct {
  pl_protect_body *body;
  void *ud;
} request;

int pl_protect_callee(lua_State *L) {
  const request *r = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return r->body(L, r->ud);
}

int pl_protect_run(lua_State *L, pl_protect_body *body, void *ud, int n) {
  request r = {body, ud};
  lua_getiuservalue(L, lua_upvalueindex(PL_UP_MODULE), PL_MODULE_PROTECTED);
  lua_insert(L, -n - 1);
  lua_pushlightuserdata(L, &r);
  return lua_pcall(L, n + 1, 1, 0);
}

bool pl_protect_hasyielded(lua_State *L) {
  return lua_type(L, -1) == LUA_TSTRING &&
         strcmp(lua_tostring(L, -1),
                "attempt to yield across a C-call boundary") == 0;
}

/* }=================================================================== */

const pl_method pl_error_methods[] = {
    {PL_OF_MODULE, "rock", l_rock},
    {PL_OF_MODULE, "place", l_place},
    {PL_OF_MODULE, "refusal", l_refusal},
    {PL_OF_MODULE, "tostring", l_tostring},
    {PL_OF_MODULE, "raise", l_raise},
    {0},
};
