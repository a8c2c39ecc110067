/* library.c: shared objects made of phial functions, and calls of these.
**
** phial.native compiles and loads; this file knows only the shared object.  It
** exports, for each function that can be called, a wrapper over words of 64
** bits, and phial_state(), the address of its only variable, a pl_state: what
** the call in progress needs.  A library belongs to one Lua state, which one
** thread at a time uses, so that nothing in it is shared.
*/
#include <string.h>

#include "binding/native/system.h"
#include "binding/native/words.h"
#include "binding/run/mapping.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/method.h"

/* In the shared object; lua/phial/emit/c/prelude.lua declares the same. */
typedef struct {
  void (*trap)(void *data, const char *why, size_t n); /* does not return */
  /* Calls a function of Lua, which a site has; types: as of push_function. */
  void (*call)(void *data, uint32_t site, const char *types, uint64_t *words);
  void *data;      /* their argument */
  uintptr_t limit; /* of the stack's address in a recursion; 0: no call */
} pl_state;

typedef void pl_wrapper(uint64_t *words);
typedef pl_state *pl_get_state(void);
typedef void *const *pl_get_symbols(void);

/* The userdata phial.Library. */
typedef struct {
  void *handle; /* NULL once closed */
  pl_state *state;
  size_t stack;     /* bytes that a recursion may take */
  uint32_t running; /* calls in progress */
  uint32_t *nested; /* of the Lua state: pl_module */
  bool calls_out;   /* calls C functions, which may raise errors */
} pl_library;

/* User values of it: by name its functions, and why it does not have others;
** what raises errors of calls: a Lua function of the callee's name, what is
** wrong and arguments; the list of the mappings of its globals. */
enum { ITS_FUNCTIONS = 1, ITS_RAISE, ITS_MAPPINGS };

/* A function of a library: the upvalue of what calls it.  Its user values are
** its library and its name. */
typedef struct {
  pl_library *library;
  pl_wrapper *run;
  int nparams, nresults;
  ph_type types[]; /* of parameters, then of results */
} pl_native;

enum { ITS_LIBRARY = 1, ITS_NAME };

/* Upvalues of what calls it: itself; the functions of Lua that its library
** calls, by the number of the site, and what raises their errors behind 0. */
enum { UP_NATIVE = 1, UP_HOSTS };

/* The most words of a call on the stack. */
enum { WORDS = 16 };

/* The most calls of Lua by native code that are nested: each takes two or more of
** the 200 calls of C that Lua allows. */
enum { NESTED = 40 };

/*
** {== Calling =========================================================
*/

/* A call in progress. */
typedef struct {
  lua_State *L;
  pl_library *library;
  pl_wrapper *run;
  uint64_t *words;
  int hosts;      /* index of the functions of Lua while native code runs */
  pl_state outer; /* of the call around it, if any */
} call;

static void leave_call(call *c) {
  *c->library->state = c->outer;
  c->library->running--;
}

/* Before an error jumps over the frames of native code, where nothing needs to
** be freed. */
static void jump_out(call *c) {
  if (!c->library->calls_out) leave_call(c);
}

/* Native code calls it. */
static void trap_call(void *data, const char *why, size_t n) {
  call *c = data;
  jump_out(c);
  lua_pushlstring(c->L, why, n);
  lua_error(c->L);
}

/* Its stack indices: the call, and the functions of Lua. */
enum { CALL = 1, HOSTS };

static int run_call(lua_State *L) {
  const call *c = lua_touserdata(L, CALL);
  c->run(c->words);
  return 0;
}

/* Raises what is wrong with a call of Lua: "deep", "yield", or "misfit" of the
** result on top, which is not of the type of a letter. */
static void refuse_host(call *c, const char *what, uint32_t site, char letter) {
  lua_State *L = c->L;
  jump_out(c);
  lua_rawgeti(L, c->hosts, 0);
  lua_pushstring(L, what);
  lua_pushinteger(L, (lua_Integer)site);
  lua_pushlstring(L, &letter, 1);
  lua_pushvalue(L, -5);
  lua_call(L, 4, 0);
}

/* Raises the error on top, of a function of Lua; Lua's own that it was called
** too deep, or has yielded, by the name of the site. */
static void raise_host(call *c, uint32_t site) {
  lua_State *L = c->L;
  const char *why = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  if (strcmp(why, "C stack overflow") == 0) refuse_host(c, "deep", site, '-');
  if (strcmp(why, "attempt to yield from outside a coroutine") == 0 ||
      pl_protect_hasyielded(L))
    refuse_host(c, "yield", site, '-');
  jump_out(c);
  lua_error(L);
}

/* Native code calls it.  Until an error is to jump out, nothing here raises
** one. */
static void call_host(void *data, uint32_t site, const char *types,
                      uint64_t *words) {
  call *c = data;
  lua_State *L = c->L;
  int top = lua_gettop(L), n = (int)strlen(types) - 1, status;
  ph_type result = pl_word_type(types[n]);
  uint32_t *nested = c->library->nested;
  if ((uintptr_t)&c < c->library->state->limit || *nested == NESTED ||
      !lua_checkstack(L, n + 8))
    refuse_host(c, "deep", site, '-');
  lua_rawgeti(L, c->hosts, (lua_Integer)site);
  for (int i = 0; i < n; i++) pl_word_push(L, pl_word_type(types[i]), words[i]);
  ++*nested;
  status = lua_pcall(L, n, result != PH_NOTYPE, 0);
  --*nested;
  if (status != LUA_OK) raise_host(c, site);
  if (result != PH_NOTYPE && !pl_word_take(L, -1, result, words))
    refuse_host(c, "misfit", site, types[n]);
  lua_settop(L, top);
}

/* The lowest address that a recursion may reach; nested calls share one stack.
*/
static uintptr_t stack_limit(const pl_library *it, const void *here) {
  uintptr_t at = (uintptr_t)here;
  uintptr_t limit = at > it->stack ? at - it->stack : 1;
  return limit > it->state->limit ? limit : it->state->limit;
}

static void run_function(lua_State *L, const pl_native *f, uint64_t *words) {
  pl_library *it = f->library;
  call c = {L,
            it,
            f->run,
            words,
            it->calls_out ? HOSTS : lua_upvalueindex(UP_HOSTS),
            *it->state};
  pl_state now = {trap_call, call_host, &c, stack_limit(it, &c)};
  *it->state = now;
  it->running++;
  if (it->calls_out) {
    /* Errors of C functions jump over the frames of native code, too. */
    int status;
    lua_pushcfunction(L, run_call);
    lua_pushlightuserdata(L, &c);
    lua_pushvalue(L, lua_upvalueindex(UP_HOSTS));
    status = lua_pcall(L, 2, 0, 0);
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
  lua_getiuservalue(L, lua_upvalueindex(UP_NATIVE), ITS_LIBRARY);
  lua_getiuservalue(L, -1, ITS_RAISE);
  lua_getiuservalue(L, lua_upvalueindex(UP_NATIVE), ITS_NAME);
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
  const pl_native *f = lua_touserdata(L, lua_upvalueindex(UP_NATIVE));
  uint64_t some[WORDS], *words = some;
  int n = lua_gettop(L);
  if (f->library->handle == NULL) return refuse_call(L, "closed", 0);
  if (n != f->nparams && !(n == f->nparams + 1 && lua_isnil(L, n)))
    return refuse_call(L, "count", 0);
  if (f->nparams > WORDS || f->nresults > WORDS)
    words = lua_newuserdatauv(
        L, (size_t)(f->nparams + f->nresults) * sizeof *words, 0);
  for (int i = 0; i < f->nparams; i++)
    if (!pl_word_take(L, i + 1, f->types[i], &words[i]))
      return refuse_call(L, "misfit", i + 1);
  run_function(L, f, words);
  if (f->nresults > 1) luaL_checkstack(L, f->nresults, NULL);
  for (int i = 0; i < f->nresults; i++)
    pl_word_push(L, f->types[f->nparams + i], words[i]);
  return f->nresults;
}

/* }== Opening ======================================================== */

static pl_library *check_library(lua_State *L, int least, int most) {
  return pl_arg_method(L, PL_KIND_LIBRARY, least, most);
}

/* Pushes the function of a symbol, whose name is at the index `name`; types: a
** letter for each parameter, ':', and one for each result; hosts: the index of
** the functions of Lua that its library calls, or nil.  Returns false if the
** object does not have the symbol. */
static bool push_function(lua_State *L, int at, int name, const char *symbol,
                          const char *types, int hosts) {
  pl_library *it = lua_touserdata(L, at);
  const char *results = strchr(types, ':') + 1;
  size_t n = strlen(types) - 1;
  pl_native *f = lua_newuserdatauv(L, sizeof *f + n, ITS_NAME);
  f->library = it;
  f->nparams = (int)(results - types) - 1;
  f->nresults = (int)strlen(results);
  for (int i = 0; i < f->nparams; i++) f->types[i] = pl_word_type(types[i]);
  for (int i = 0; i < f->nresults; i++)
    f->types[f->nparams + i] = pl_word_type(results[i]);
  lua_pushvalue(L, at);
  lua_setiuservalue(L, -2, ITS_LIBRARY);
  lua_pushvalue(L, name);
  lua_setiuservalue(L, -2, ITS_NAME);
  if (!pl_system_find(it->handle, symbol, &f->run)) return false;
  lua_pushvalue(L, hosts);
  lua_pushcclosure(L, l_run, UP_HOSTS);
  return true;
}

/* phial.core.open_library(path, stack, raise, calls_out, mappings): opens a
** shared object; or nil and why that is impossible.  stack: bytes for a
** recursion; 0: by the system's limit.  calls_out: it calls functions of C. */
static int l_open_library(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  size_t stack = (size_t)luaL_checkinteger(L, 2);
  pl_library *it;
  pl_get_state *get_state;
  lua_settop(L, 5);
  it = lua_newuserdatauv(L, sizeof *it, ITS_MAPPINGS);
  memset(it, 0, sizeof *it);
  it->calls_out = lua_toboolean(L, 4);
  it->nested = &pl_userdata_module(L)->nested;
  pl_userdata_setkind(L, PL_KIND_LIBRARY);
  lua_newtable(L);
  lua_setiuservalue(L, -2, ITS_FUNCTIONS);
  lua_pushvalue(L, 3);
  lua_setiuservalue(L, -2, ITS_RAISE);
  lua_pushvalue(L, 5);
  lua_setiuservalue(L, -2, ITS_MAPPINGS);
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

/* phial.core.link(library, name, symbol, types, hosts): adds a function */
static int l_link(lua_State *L) {
  const char *symbol = luaL_checkstring(L, 3);
  const char *types = luaL_checkstring(L, 4);
  luaL_argcheck(L, strchr(types, ':') != NULL, 4, "':' expected");
  lua_settop(L, 5);
  lua_getiuservalue(L, 1, ITS_FUNCTIONS);
  lua_pushvalue(L, 2);
  if (!push_function(L, 1, 2, symbol, types, 5))
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

/* }== Memory ========================================================= */

/* The library at 1; raises if it is closed. */
static const pl_library *check_open(lua_State *L) {
  const pl_library *it = lua_touserdata(L, 1);
  if (it->handle == NULL) pl_error_calling(L, "the library is closed");
  return it;
}

/* phial.core.address(library, it): the address of a symbol of its table, by its
** number from 0, or of one that lies elsewhere, by its name; nil: it has none */
static int l_address(lua_State *L) {
  const pl_library *it = check_open(L);
  void *at = NULL;
  if (lua_isinteger(L, 2)) {
    pl_get_symbols *get_symbols;
    if (pl_system_find(it->handle, "phial_symbols", &get_symbols))
      at = get_symbols()[lua_tointeger(L, 2)];
  } else {
    const char *name = luaL_checkstring(L, 2);
    if (!pl_system_find(it->handle, name, &at)) pl_system_find(NULL, name, &at);
  }
  if (at == NULL) return 0;
  lua_pushinteger(L, (lua_Integer)(uintptr_t)at);
  return 1;
}

/* phial.core.is_open(library) */
static int l_is_open(lua_State *L) {
  lua_pushboolean(L,
                  ((const pl_library *)lua_touserdata(L, 1))->handle != NULL);
  return 1;
}

/* phial.core.reserve(bytes): a mapping, whose bytes do not move, and its
** address; or nil: it is not to be had */
static int l_reserve(lua_State *L) {
  const pl_mapping *m;
  if (!pl_mapping_stays()) return 0;
  m = pl_mapping_push(L, (uint64_t)luaL_checkinteger(L, 1));
  if (m == NULL) return 0;
  lua_pushinteger(L, (lua_Integer)(uintptr_t)m->base);
  return 2;
}

/* phial.core.grow(mapping, n): adds n bytes; returns the old size, or nil if so
** many are not reserved */
static int l_grow(lua_State *L) {
  pl_mapping *m = lua_touserdata(L, 1);
  uint64_t before = m->size;
  if (!pl_mapping_grow(m, (uint64_t)luaL_checkinteger(L, 2))) return 0;
  lua_pushinteger(L, (lua_Integer)before);
  return 1;
}

static void *address_at(lua_State *L, int at) {
  uintptr_t address = (uintptr_t)lua_tointeger(L, at);
  void *p;
  memcpy(&p, &address, sizeof p);
  return p;
}

/* Bytes of what a word holds of a type. */
static size_t size_of(ph_type type) {
  return type == PH_PTR ? 8 : ((size_t)ph_type_width(type) + 7) / 8;
}

/* Where they are in a word. */
static char *low_bytes(uint64_t *word, size_t n) {
  const union {
    uint16_t number;
    char bytes[2];
  } one = {1};
  return (char *)word + (one.bytes[0] == 1 ? 0 : sizeof *word - n);
}

/* phial.core.peek(library, p, what, known): what is at an address: a value of
** the type of a letter, or so many bytes; nil: the system says that it is not
** memory.  known: it is memory of the library. */
static int l_peek(lua_State *L) {
  const void *from = address_at(L, 2);
  bool known = lua_toboolean(L, 4);
  if (lua_isinteger(L, 3)) {
    size_t n = (size_t)lua_tointeger(L, 3);
    luaL_Buffer buffer;
    char *to = luaL_buffinitsize(L, &buffer, n);
    check_open(L); /* a finalizer may have closed it */
    if (!pl_system_copy(to, from, n, known ? PL_KNOWN : PL_READ)) return 0;
    luaL_pushresultsize(&buffer, n);
  } else {
    ph_type type = pl_word_type(*luaL_checkstring(L, 3));
    size_t n = size_of(type);
    uint64_t word = 0;
    char *to = low_bytes(&word, n);
    check_open(L);
    if (!pl_system_copy(to, from, n, known ? PL_KNOWN : PL_READ)) return 0;
    pl_word_push(L, type, word);
  }
  return 1;
}

/* phial.core.poke(library, p, letter, it, known): writes a value, or a string
** without a letter; false: the system says that it cannot be written there */
static int l_poke(lua_State *L) {
  void *to = address_at(L, 2);
  pl_copying how = lua_toboolean(L, 5) ? PL_KNOWN : PL_WRITE;
  check_open(L);
  if (lua_isnil(L, 3)) {
    size_t n;
    const char *from = luaL_checklstring(L, 4, &n);
    lua_pushboolean(L, pl_system_copy(to, from, n, how));
  } else {
    ph_type type = pl_word_type(*luaL_checkstring(L, 3));
    size_t n = size_of(type);
    uint64_t word = 0;
    if (!pl_word_take(L, 4, type, &word)) return 0;
    lua_pushboolean(L, pl_system_copy(to, low_bytes(&word, n), n, how));
  }
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

/* Unloads the library at 1.  While native code runs it stays: it belongs to
** frames of the C stack. */
static void unload(lua_State *L, pl_library *it) {
  if (it->handle == NULL || it->running > 0) return;
  pl_system_close(it->handle);
  it->handle = NULL;
  if (lua_getiuservalue(L, 1, ITS_MAPPINGS) != LUA_TTABLE) return;
  for (int i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; i++) {
    pl_mapping_free(lua_touserdata(L, -1));
    lua_pop(L, 1);
  }
}

static int l_gc(lua_State *L) {
  unload(L, check_library(L, 0, 0));
  return 0;
}

static int l_close(lua_State *L) {
  pl_library *it = pl_arg_self(L, PL_KIND_LIBRARY);
  if (it->running > 0)
    pl_error_plain(L, "the library cannot be closed: a function of it runs");
  unload(L, it);
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
    {PL_OF_MODULE, "is_open", l_is_open},
    {PL_OF_MODULE, "address", l_address},
    {PL_OF_MODULE, "reserve", l_reserve},
    {PL_OF_MODULE, "grow", l_grow},
    {PL_OF_MODULE, "peek", l_peek},
    {PL_OF_MODULE, "poke", l_poke},
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
