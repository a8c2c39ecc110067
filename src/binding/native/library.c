/* library.c: shared objects made of phial functions, and calls of these.
**
** phial.native compiles and loads; this file knows only the shared object.  It
** exports, for each function that can be called, a wrapper over words of 64
** bits, and phial_state(), the address of its only variable, a pl_state: what
** the call in progress needs.  A library belongs to one Lua state, which one
** thread at a time uses, so that nothing in it is shared.
*/
#include <string.h>

#include "binding/args/payload.h"
#include "binding/native/system.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/floats.h"
#include "binding/state/method.h"

/* In the shared object; lua/phial/emit/c/prelude.lua declares the same. */
typedef struct {
  void (*trap)(void *data, const char *why, size_t n); /* does not return */
  void *data;                                          /* its argument */
  uintptr_t limit; /* of the stack's address in a recursion; 0: no call */
} pl_state;

typedef void pl_wrapper(uint64_t *words);
typedef pl_state *pl_get_state(void);

/* The userdata phial.Library. */
typedef struct {
  void *handle; /* NULL once closed */
  pl_state *state;
  size_t stack;     /* bytes that a recursion may take */
  uint32_t running; /* calls in progress */
  bool calls_out;   /* calls C functions, which may raise errors */
} pl_library;

/* User values of it: by name its functions, and why it does not have others;
** what raises errors of calls: a Lua function of the callee's name, what is
** wrong and arguments. */
enum { ITS_FUNCTIONS = 1, ITS_RAISE };

/* A function of a library: the upvalue of what calls it.  Its user values are
** its library and its name. */
typedef struct {
  pl_library *library;
  pl_wrapper *run;
  int nparams, nresults;
  ph_type types[]; /* of parameters, then of results */
} pl_native;

enum { ITS_LIBRARY = 1, ITS_NAME };

/* The most words of a call on the stack. */
enum { WORDS = 16 };

/* The type of a letter. */
static ph_type type_of(char letter) {
  static const char letters[] = "-bcsilfd"; /* in the order of types */
  if (letter == 'p') return PH_PTR;
  return (ph_type)(strchr(letters, letter) - letters);
}

/*
** {== Lua values as words ============================================
**
** A word has the low bits of an integer; 0 or 1 for an i1; the bits of a float.
*/

/* An integer may be given with its sign or without one. */
static bool take_integer(lua_State *L, int at, ph_type type, uint64_t *word) {
  lua_Integer i = lua_tointeger(L, at);
  if (!lua_isinteger(L, at)) return false;
  if (type != PH_I64 && type != PH_PTR) {
    int width = ph_type_width(type);
    lua_Integer half = (lua_Integer)1 << (width - 1);
    if (i < -half || i >= 2 * half) return false;
  }
  *word = (uint64_t)i;
  return true;
}

/* Converts the value at `at` to a word; false: it does not fit the type.  What
** fits is what the Lua code of functions accepts. */
static bool take_word(lua_State *L, int at, ph_type type, uint64_t *word) {
  if (type == PH_F32 || type == PH_F64) {
    double x = (double)lua_tonumber(L, at);
    if (!pl_literal_fits(L, at, type)) return false;
    *word = type == PH_F32 ? pl_f32_narrowed(x) : pl_f64_bits(x);
    return true;
  }
  if (type != PH_I1) return take_integer(L, at, type, word);
  *word = (uint64_t)lua_toboolean(L, at);
  return lua_isboolean(L, at);
}

/* Pushes the value of a word. */
static void push_word(lua_State *L, ph_type type, uint64_t word) {
  switch (type) {
    case PH_F64:
      lua_pushnumber(L, (lua_Number)pl_f64_of(word));
      break;
    case PH_F32:
      lua_pushnumber(L, (lua_Number)pl_f32_widened((uint32_t)word));
      break;
    case PH_I64:
    case PH_PTR:
      lua_pushinteger(L, (lua_Integer)word);
      break;
    case PH_I1:
      lua_pushboolean(L, (word & 1) != 0);
      break;
    default:
      lua_pushinteger(L, pl_literal_wrap(type, (lua_Integer)word));
      break;
  }
}

/* }== Calling ======================================================== */

/* A call in progress. */
typedef struct {
  lua_State *L;
  pl_library *library;
  pl_wrapper *run;
  uint64_t *words;
  pl_state outer; /* of the call around it, if any */
} call;

static void leave_call(call *c) {
  *c->library->state = c->outer;
  c->library->running--;
}

/* Native code calls it.  Nothing there needs to be freed: the error jumps over
** its frames. */
static void trap_call(void *data, const char *why, size_t n) {
  call *c = data;
  if (!c->library->calls_out) leave_call(c);
  lua_pushlstring(c->L, why, n);
  lua_error(c->L);
}

static int run_call(lua_State *L) {
  const call *c = lua_touserdata(L, 1);
  c->run(c->words);
  return 0;
}

/* The lowest address that a recursion may reach; nested calls share one stack.
*/
static uintptr_t stack_limit(const pl_library *it, const void *here) {
  uintptr_t at = (uintptr_t)here;
  uintptr_t limit = at > it->stack ? at - it->stack : 1;
  return limit > it->state->limit ? limit : it->state->limit;
}

static void run_function(lua_State *L, const pl_native *f, uint64_t *words) {
  call c = {L, f->library, f->run, words, *f->library->state};
  pl_state now = {trap_call, &c, stack_limit(f->library, &c)};
  *f->library->state = now;
  f->library->running++;
  if (f->library->calls_out) {
    /* Errors of C functions jump over the frames of native code, too. */
    int status;
    lua_pushcfunction(L, run_call);
    lua_pushlightuserdata(L, &c);
    status = lua_pcall(L, 1, 0, 0);
    leave_call(&c);
    if (status != LUA_OK) lua_error(L);
  } else {
    f->run(words);
    leave_call(&c);
  }
}

/* Raises what is wrong: "closed", "count", or "misfit" of the argument at `at`.
*/
static int refuse_call(lua_State *L, const char *what, int at) {
  int top = lua_gettop(L);
  luaL_checkstack(L, 8, NULL);
  lua_getiuservalue(L, lua_upvalueindex(1), ITS_LIBRARY);
  lua_getiuservalue(L, -1, ITS_RAISE);
  lua_getiuservalue(L, lua_upvalueindex(1), ITS_NAME);
  lua_pushstring(L, what);
  lua_pushinteger(L, at != 0 ? at : top);
  if (at != 0)
    lua_pushvalue(L, at);
  else
    lua_pushnil(L);
  lua_call(L, 4, 0);
  return 0;
}

/* The function of a library's function. */
static int l_run(lua_State *L) {
  const pl_native *f = lua_touserdata(L, lua_upvalueindex(1));
  uint64_t some[WORDS], *words = some;
  int n = lua_gettop(L);
  if (f->library->handle == NULL) return refuse_call(L, "closed", 0);
  if (n != f->nparams && !(n == f->nparams + 1 && lua_isnil(L, n)))
    return refuse_call(L, "count", 0);
  if (f->nparams > WORDS || f->nresults > WORDS)
    words = lua_newuserdatauv(
        L, (size_t)(f->nparams + f->nresults) * sizeof *words, 0);
  for (int i = 0; i < f->nparams; i++)
    if (!take_word(L, i + 1, f->types[i], &words[i]))
      return refuse_call(L, "misfit", i + 1);
  run_function(L, f, words);
  if (f->nresults > 1) luaL_checkstack(L, f->nresults, NULL);
  for (int i = 0; i < f->nresults; i++)
    push_word(L, f->types[f->nparams + i], words[i]);
  return f->nresults;
}

/* }== Opening ======================================================== */

static pl_library *check_library(lua_State *L, int least, int most) {
  return pl_arg_method(L, PL_KIND_LIBRARY, least, most);
}

/* Pushes the function of a symbol, whose name is at the index `name`; types: a
** letter for each parameter, ':', and one for each result.  Returns false if the
** object does not have the symbol. */
static bool push_function(lua_State *L, int at, int name, const char *symbol,
                          const char *types) {
  pl_library *it = lua_touserdata(L, at);
  const char *results = strchr(types, ':') + 1;
  size_t n = strlen(types) - 1;
  pl_native *f = lua_newuserdatauv(L, sizeof *f + n, ITS_NAME);
  f->library = it;
  f->nparams = (int)(results - types) - 1;
  f->nresults = (int)strlen(results);
  for (int i = 0; i < f->nparams; i++) f->types[i] = type_of(types[i]);
  for (int i = 0; i < f->nresults; i++)
    f->types[f->nparams + i] = type_of(results[i]);
  lua_pushvalue(L, at);
  lua_setiuservalue(L, -2, ITS_LIBRARY);
  lua_pushvalue(L, name);
  lua_setiuservalue(L, -2, ITS_NAME);
  if (!pl_system_find(it->handle, symbol, &f->run)) return false;
  lua_pushcclosure(L, l_run, 1);
  return true;
}

/* phial.core.open_library(path, stack, raise, calls_out): opens a shared
** object; or nil and why that is impossible.  stack: bytes for a recursion; 0:
** by the system's limit.  calls_out: it calls functions of C. */
static int l_open_library(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  size_t stack = (size_t)luaL_checkinteger(L, 2);
  pl_library *it;
  pl_get_state *get_state;
  lua_settop(L, 4);
  it = lua_newuserdatauv(L, sizeof *it, ITS_RAISE);
  memset(it, 0, sizeof *it);
  it->calls_out = lua_toboolean(L, 4);
  pl_userdata_setkind(L, PL_KIND_LIBRARY);
  lua_newtable(L);
  lua_setiuservalue(L, -2, ITS_FUNCTIONS);
  lua_pushvalue(L, 3);
  lua_setiuservalue(L, -2, ITS_RAISE);
  it->stack = pl_system_stack(stack);
  it->handle = pl_system_open(path);
  if (it->handle == NULL ||
      !pl_system_find(it->handle, "phial_state", &get_state)) {
    lua_pushnil(L);
    lua_pushstring(L, pl_system_whynot());
    return 2;
  }
  it->state = get_state();
  return 1;
}

/* phial.core.hide(library, name, why): notes why it does not have a function */
static int l_hide(lua_State *L) {
  lua_getiuservalue(L, 1, ITS_FUNCTIONS);
  lua_insert(L, 2);
  lua_rawset(L, 2);
  return 0;
}

/* phial.core.link(library, name, symbol, types): adds a function */
static int l_link(lua_State *L) {
  const char *symbol = luaL_checkstring(L, 3);
  const char *types = luaL_checkstring(L, 4);
  luaL_argcheck(L, strchr(types, ':') != NULL, 4, "':' expected");
  lua_getiuservalue(L, 1, ITS_FUNCTIONS);
  lua_pushvalue(L, 2);
  if (!push_function(L, 1, 2, symbol, types))
    return luaL_error(L, "no symbol '%s'", symbol);
  lua_rawset(L, -3);
  return 0;
}

/* }== Folders and files ============================================== */

/* phial.core.folder(template): makes a folder of its own; or nil and why that
** is impossible */
static int l_folder(lua_State *L) {
  size_t n;
  const char *template = luaL_checklstring(L, 1, &n);
  char *path = lua_newuserdatauv(L, n + 1, 0);
  memcpy(path, template, n + 1);
  if (pl_system_mkdir(path)) {
    lua_pushstring(L, path);
    return 1;
  }
  lua_pushnil(L);
  lua_pushstring(L, pl_system_whynodir());
  return 2;
}

/* phial.core.remove_folder(path): true if that was possible */
static int l_remove_folder(lua_State *L) {
  lua_pushboolean(L, pl_system_rmdir(luaL_checkstring(L, 1)));
  return 1;
}

static int close_regular(lua_State *L) {
  luaL_Stream *it = luaL_checkudata(L, 1, LUA_FILEHANDLE);
  return luaL_fileresult(L, fclose(it->f) == 0, NULL);
}

/* phial.core.open_regular(path): a file of io, to read; nil unless it is a
** regular one that can be opened */
static int l_open_regular(lua_State *L) {
  ph_str path = pl_arg_str(L, 1);
  luaL_Stream *it = lua_newuserdatauv(L, sizeof *it, 0);
  it->closef = NULL;
  luaL_setmetatable(L, LUA_FILEHANDLE);
  it->f = strlen(path.at) == path.n ? pl_system_regular(path.at) : NULL;
  if (it->f == NULL) return 0;
  it->closef = close_regular;
  return 1;
}

/* }== phial.Library ================================================== */

/* Pushes the function `name` of the library at 1. */
static void push_named(lua_State *L, int name) {
  const pl_library *it = lua_touserdata(L, 1);
  ph_str s = pl_arg_str(L, name);
  int type;
  if (it->handle == NULL) pl_error_calling(L, "the library is closed");
  lua_getiuservalue(L, 1, ITS_FUNCTIONS);
  lua_pushvalue(L, name);
  type = lua_rawget(L, -2);
  if (type == LUA_TSTRING)
    pl_error_plain(L, "the library has no function '%s': it is %s", s.at,
                   lua_tostring(L, -1));
  if (type == LUA_TNIL)
    pl_error_plain(L, "the library has no function '%s'", s.at);
}

/* lib:get(name) */
static int l_get(lua_State *L) {
  check_library(L, 1, 1);
  push_named(L, 2);
  return 1;
}

/* lib:call(name, ...) */
static int l_call(lua_State *L) {
  if (pl_userdata_test(L, 1, PL_KIND_LIBRARY) == NULL)
    pl_arg_badself(L, PL_KIND_LIBRARY);
  if (lua_gettop(L) < 2) pl_arg_count(L, 1, -1);
  push_named(L, 2);
  lua_replace(L, 2);
  lua_pop(L, 1);
  lua_call(L, lua_gettop(L) - 2, LUA_MULTRET);
  return lua_gettop(L) - 1;
}

/* While native code runs it stays: it belongs to frames of the C stack. */
static void unload(pl_library *it) {
  if (it->handle == NULL || it->running > 0) return;
  pl_system_close(it->handle);
  it->handle = NULL;
}

static int l_gc(lua_State *L) {
  unload(check_library(L, 0, 0));
  return 0;
}

static int l_close(lua_State *L) {
  pl_library *it = pl_arg_self(L, PL_KIND_LIBRARY);
  if (it->running > 0)
    pl_error_plain(L, "the library cannot be closed: a function of it runs");
  unload(it);
  return 0;
}

static int l_tostring(lua_State *L) {
  const pl_library *it = pl_arg_self(L, PL_KIND_LIBRARY);
  if (it->handle == NULL)
    lua_pushliteral(L, "phial.Library (closed)");
  else
    lua_pushfstring(L, "phial.Library: %p", (const void *)it);
  return 1;
}

/* }=================================================================== */

const pl_method pl_library_methods[] = {
    {PL_OF_MODULE, "open_library", l_open_library},
    {PL_OF_MODULE, "link", l_link},
    {PL_OF_MODULE, "hide", l_hide},
    {PL_OF_MODULE, "folder", l_folder},
    {PL_OF_MODULE, "remove_folder", l_remove_folder},
    {PL_OF_MODULE, "open_regular", l_open_regular},
    {PL_OF_LIBRARY, "get", l_get},
    {PL_OF_LIBRARY, "call", l_call},
    {PL_OF_LIBRARY, "close", l_close},
    {PL_OF_LIBRARY, "__close", l_close},
    {PL_OF_LIBRARY, "__gc", l_gc},
    {PL_OF_LIBRARY, "__tostring", l_tostring},
    {0},
};
