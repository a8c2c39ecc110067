/* payload.c: Lua values as constants, as callees, and as what an instruction
** carries.
**
** The core holds what it can print.  A table, function, userdata or thread is
** hosted: it is stored in the function's table of PL_ITS_KEPT, and the core
** holds its index there.
*/
#include "binding/args/payload.h"

#include <string.h>

#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/funcobj.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/*
** {== Literals =======================================================
**
** A literal takes the type that is expected where it appears.  Integers fit
** integer types with them in range, ptr, and float types that represent them
** exactly; floats fit float types only; type any takes everything except nil.
*/

bool pl_literal_is(lua_State *L, int arg) {
  int type = lua_type(L, arg);
  return type == LUA_TNUMBER || type == LUA_TBOOLEAN || type == LUA_TSTRING;
}

ph_type pl_literal_alone(lua_State *L, int arg) {
  switch (lua_type(L, arg)) {
    case LUA_TNUMBER:
      return lua_isinteger(L, arg) ? PH_I64 : PH_F64;
    case LUA_TBOOLEAN:
      return PH_I1;
    default:
      return PH_ANY;
  }
}

static bool is_exact(lua_Integer i, ph_type type) {
  double d = (double)i;
  if (type == PH_F32) d = (double)(float)i;
  return d >= -0x1p63 && d < 0x1p63 && (lua_Integer)d == i;
}

bool pl_literal_fits(lua_State *L, int arg, ph_type type) {
  bool is_integer = lua_isinteger(L, arg);
  if (type == PH_ANY) return true;
  switch (lua_type(L, arg)) {
    case LUA_TBOOLEAN:
      return type == PH_I1;
    case LUA_TNUMBER:
      if (ph_type_isint(type) || type == PH_PTR)
        return is_integer && ph_const_fits(type, lua_tointeger(L, arg));
      return ph_type_isfloat(type) &&
             (!is_integer || is_exact(lua_tointeger(L, arg), type));
    default:
      return false;
  }
}

/* The datum that is a copy of the Lua value at `arg`; nil for what the core
** cannot hold. */
static ph_data copy_of(lua_State *L, ph_func *f, int arg) {
  ph_data data = {0, PH_DATA_NIL};
  ph_str s;
  double d;
  switch (lua_type(L, arg)) {
    case LUA_TBOOLEAN:
      data = (ph_data){(uint64_t)lua_toboolean(L, arg), PH_DATA_BOOL};
      break;
    case LUA_TNUMBER:
      if (lua_isinteger(L, arg)) {
        data = (ph_data){(uint64_t)lua_tointeger(L, arg), PH_DATA_INT};
        break;
      }
      d = lua_tonumber(L, arg);
      data.tag = PH_DATA_FLOAT;
      memcpy(&data.bits, &d, sizeof d);
      break;
    case LUA_TSTRING:
      s.at = lua_tolstring(L, arg, &s.n);
      data = (ph_data){ph_intern_add(f, s), PH_DATA_STR};
      break;
  }
  return data;
}

ph_data pl_literal_data(lua_State *L, ph_func *f, int arg, ph_type type) {
  double d = lua_tonumber(L, arg);
  ph_data data = {0, PH_DATA_FLOAT};
  if (!ph_type_isfloat(type)) {
    data = copy_of(L, f, arg);
    if (type != PH_ANY) data.tag = PH_DATA_INT;
    return data;
  }
  if (type == PH_F32) d = (double)(float)d;
  memcpy(&data.bits, &d, sizeof d);
  return data;
}

ph_value pl_literal_value(lua_State *L, ph_func *f, int arg, ph_type type) {
  if (type == PH_ANY) return ph_const_any(f, copy_of(L, f, arg));
  if (lua_type(L, arg) == LUA_TBOOLEAN)
    return ph_const_int(f, type, lua_toboolean(L, arg));
  if (!ph_type_isfloat(type))
    return ph_const_int(f, type, lua_tointeger(L, arg));
  return ph_const_float(f, type, lua_tonumber(L, arg));
}

lua_Integer pl_literal_wrap(ph_type type, lua_Integer i) {
  int unused = 64 - ph_type_width(type);
  if (type == PH_I1) return i & 1;
  return (lua_Integer)((uint64_t)i << unused) >> unused;
}

void pl_literal_push(lua_State *L, const ph_func *f, ph_type type,
                     ph_data data) {
  double d;
  ph_str s;
  switch (data.tag) {
    case PH_DATA_BOOL:
      lua_pushboolean(L, data.bits != 0);
      break;
    case PH_DATA_INT:
      if (type == PH_I1)
        lua_pushboolean(L, data.bits != 0);
      else
        lua_pushinteger(L, (lua_Integer)data.bits);
      break;
    case PH_DATA_FLOAT:
      memcpy(&d, &data.bits, sizeof d);
      lua_pushnumber(L, d);
      break;
    case PH_DATA_STR:
      s = ph_intern_string(f, (uint32_t)data.bits);
      lua_pushlstring(L, s.at, s.n);
      break;
    default:
      lua_pushnil(L);
  }
}

/* }== Symbols ======================================================== */

static bool is_global(lua_State *L, int arg) {
  bool same;
  if (lua_type(L, arg) != LUA_TTABLE ||
      luaL_getmetafield(L, arg, "__name") == LUA_TNIL)
    return false;
  lua_pushliteral(L, "phial.Global");
  same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same;
}

void pl_symbol_checkaddress(lua_State *L, pl_funcobj *h, int arg) {
  if (lua_type(L, arg) == LUA_TSTRING || is_global(L, arg)) return;
  if (pl_userdata_kind(L, h->module, arg, PL_KIND_FUNC) == NULL)
    pl_error_arg(L, h, arg, "global, function or name expected, got %g", arg);
}

int pl_symbol_resolve(lua_State *L, int fn, int at) {
  if (lua_type(L, at) != LUA_TSTRING ||
      lua_getiuservalue(L, fn, PL_ITS_SYMBOLS) != LUA_TTABLE)
    return at;
  lua_pushvalue(L, at);
  return lua_rawget(L, -2) == LUA_TNIL ? at : lua_gettop(L);
}

/* }== Callees ======================================================== */

/* True for what can be called, and for its name; not for values of a function.
*/
static bool is_callee(lua_State *L, int arg) {
  int type = lua_type(L, arg);
  if (type == LUA_TUSERDATA)
    return pl_userdata_test(L, arg, PL_KIND_BLOCK) == NULL &&
           pl_userdata_test(L, arg, PL_KIND_VAR) == NULL &&
           pl_userdata_test(L, arg, PL_KIND_VALUE) == NULL;
  return type == LUA_TFUNCTION || type == LUA_TSTRING || type == LUA_TTABLE;
}

void pl_callee_check(lua_State *L, pl_funcobj *h, int arg) {
  const pl_funcobj *c = pl_userdata_test(L, arg, PL_KIND_FUNC);
  if (c != NULL && pl_userdata_isclosed(c))
    pl_error_arg(L, h, arg, "function '%s' is closed", c->source_name);
  if (is_global(L, arg))
    pl_error_arg(L, h, arg,
                 "callee expected: a function or a name, got a "
                 "phial.Global");
  if (!is_callee(L, arg))
    pl_error_arg(L, h, arg, "callee expected: a function or a name, got %g",
                 arg);
}

void pl_callee_checktail(lua_State *L, pl_funcobj *h, int arg) {
  pl_callee_check(L, h, arg);
  if (lua_type(L, arg) != LUA_TSTRING &&
      pl_userdata_test(L, arg, PL_KIND_FUNC) == NULL)
    pl_error_arg(L, h, arg,
                 "callee of a tail call expected: a phial.Function or a name, "
                 "got a Lua %s",
                 pl_error_type(L, arg));
}

int pl_callee_resolve(lua_State *L, pl_funcobj *h, int fn, int arg) {
  int at = pl_symbol_resolve(L, fn, arg);
  if (at != arg && pl_userdata_test(L, at, PL_KIND_FUNC) == NULL)
    pl_error_arg(L, h, arg, "'%s' is a global: it cannot be called",
                 lua_tostring(L, arg));
  return at;
}

const pl_funcobj *pl_callee_signature(lua_State *L, int at) {
  const pl_funcobj *c = pl_userdata_test(L, at, PL_KIND_FUNC);
  return c != NULL && pl_userdata_isusable(c) ? c : NULL;
}

ph_type pl_callee_type(const pl_funcobj *h, const pl_funcobj *c, ph_type type) {
  ph_str name, dialect;
  if (type < PH_TYPES || h == c) return type;
  name = ph_type_name(c->f, type);
  dialect = ph_type_dialect(c->f, type);
  for (uint32_t t = PH_TYPES; t < PH_TYPES + h->dialects.ntypes; t++)
    /* a dialect's strings are the same for all functions */
    if (ph_type_name(h->f, (ph_type)t).at == name.at &&
        ph_type_dialect(h->f, (ph_type)t).at == dialect.at)
      return (ph_type)t;
  return PH_NOTYPE;
}

ph_type pl_callee_wants(const pl_funcobj *h, const pl_funcobj *c, int i) {
  ph_type type;
  if ((uint32_t)i >= ph_value_nparams(c->f)) return PH_NOTYPE;
  type = ph_value_type(c->f, ph_value_param(c->f, (uint32_t)i));
  return pl_callee_type(h, c, type);
}

/* }== Data =========================================================== */

static bool is_hosted(int type) {
  return type != LUA_TNIL && type != LUA_TBOOLEAN && type != LUA_TNUMBER &&
         type != LUA_TSTRING;
}

void pl_payload_keep(lua_State *L, pl_funcobj *h, int fn, int arg) {
  if (is_hosted(lua_type(L, arg)))
    pl_funcobj_keep(L, fn, (lua_Integer)h->nkept + 1, arg);
}

ph_data pl_payload_of(lua_State *L, pl_funcobj *h, int arg) {
  int type = lua_type(L, arg);
  if (type == LUA_TNIL) return (ph_data){0, PH_DATA_NONE};
  if (is_hosted(type)) return (ph_data){++h->nkept, PH_DATA_HOST};
  return copy_of(L, h->f, arg);
}

/* Pushes what the function keeps under that number; parsed text can have any.
*/
static void push_kept(lua_State *L, const pl_funcobj *h, int fn, uint64_t i) {
  if (i <= h->nkept)
    pl_funcobj_pushkept(L, fn, (lua_Integer)i);
  else
    lua_pushnil(L);
}

void pl_payload_push(lua_State *L, pl_funcobj *h, int fn, ph_data data) {
  if (data.tag == PH_DATA_HOST)
    push_kept(L, h, fn, data.bits);
  else if (data.tag == PH_DATA_SYMBOL)
    push_kept(L, h, fn, data.bits >> 32);
  else
    pl_literal_push(L, h->f, PH_ANY, data);
}

/* }== Symbols kept ===================================================
**
** A thing that has a name is kept once: its table has the number of the thing
** under the thing itself.
*/

/* Pushes the name of the Lua function at `at`, as Lua's error messages have it,
** or its place. */
static void push_function_name(lua_State *L, int at) {
  lua_Debug ar;
  lua_pushvalue(L, at);
  lua_getinfo(L, ">S", &ar);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING || !lua_istable(L, -1)) continue;
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
      if (lua_type(L, -2) != LUA_TSTRING || !lua_rawequal(L, -1, at)) continue;
      if (strcmp(lua_tostring(L, -4), LUA_GNAME) == 0)
        lua_pushvalue(L, -2);
      else
        lua_pushfstring(L, "%s.%s", lua_tostring(L, -4), lua_tostring(L, -2));
      return;
    }
  }
  if (*ar.what == 'C')
    lua_pushliteral(L, "C function");
  else
    lua_pushfstring(L, "%s:%d", ar.short_src, ar.linedefined);
}

/* Calls the metamethod on top, a __symbol, for the thing at `at`, and leaves what
** it returns. */
static void call_symbol(lua_State *L, int at) {
  lua_pushvalue(L, at);
  if (lua_pcall(L, 1, 1, 0) == LUA_OK) return;
  if (pl_protect_hasyielded(L))
    pl_error_plain(L, "a metamethod __symbol may not yield");
  lua_error(L);
}

/* Pushes the name of the thing at `at`. */
static void push_name(lua_State *L, int at) {
  const pl_funcobj *h = pl_userdata_test(L, at, PL_KIND_FUNC);
  if (h != NULL) {
    ph_str name = {"", 0};
    if (pl_userdata_isusable(h)) name = ph_func_name(h->f);
    lua_pushlstring(L, name.at, name.n);
  } else if (lua_isfunction(L, at)) {
    push_function_name(L, at);
  } else if (luaL_getmetafield(L, at, "__symbol") == LUA_TFUNCTION) {
    call_symbol(L, at);
    if (lua_type(L, -1) != LUA_TSTRING) lua_pushliteral(L, "?");
  } else {
    lua_pushstring(L, luaL_typename(L, at));
  }
}

/* Returns the number that the thing at `at` has in the table on top, or 0. */
static lua_Integer number_of(lua_State *L, const pl_funcobj *h, int at) {
  lua_Integer i;
  bool is_it;
  lua_pushvalue(L, at);
  lua_rawget(L, -2);
  i = lua_tointeger(L, -1);
  lua_rawgeti(L, -2, i);
  is_it = i > 0 && i <= h->nkept && lua_rawequal(L, -1, at);
  lua_pop(L, 2);
  return is_it ? i : 0;
}

/* Puts the thing at `at` into the table on top, and a symbol's number, too. */
static void keep_as(lua_State *L, int at, lua_Integer number, bool is_symbol) {
  lua_pushvalue(L, at);
  lua_rawseti(L, -2, number);
  if (!is_symbol) return;
  lua_pushvalue(L, at);
  lua_pushinteger(L, number);
  lua_rawset(L, -3);
}

pl_symbol pl_payload_keepsymbol(lua_State *L, pl_funcobj *h, int fn, int arg) {
  pl_symbol s = {arg, arg, 0};
  if (lua_type(L, arg) == LUA_TSTRING) return s;
  luaL_checkstack(L, 16, NULL);
  push_name(L, arg);
  s.name = lua_gettop(L);
  lua_getiuservalue(L, fn, PL_ITS_KEPT);
  s.number = number_of(L, h, arg);
  if (s.number == 0) keep_as(L, arg, h->nkept + 1, true);
  lua_pop(L, 1);
  return s;
}

ph_data pl_payload_ofsymbol(lua_State *L, pl_funcobj *h, const pl_symbol *s) {
  ph_str name;
  uint64_t number = s->number != 0 ? (uint64_t)s->number : ++h->nkept;
  if (s->name == s->at) return pl_payload_of(L, h, s->at);
  name.at = lua_tolstring(L, s->name, &name.n);
  return (ph_data){number << 32 | ph_intern_add(h->f, name), PH_DATA_SYMBOL};
}

/* }== Data of other functions ========================================
**
** A hosted datum of a copy gets a number of its own, since v:set_data replaces
** what is kept under a number; a symbol is kept once.
*/

enum { USED = 1, USED_SYMBOL };

static void mark_datum(const pl_funcobj *c, ph_data data, uint32_t *numbers) {
  if (data.tag == PH_DATA_HOST && data.bits <= c->nkept)
    numbers[data.bits] = USED;
  if (data.tag == PH_DATA_SYMBOL) numbers[data.bits >> 32] = USED_SYMBOL;
}

void pl_payload_mark(const pl_funcobj *c, uint32_t *numbers) {
  ph_block b = ph_block_next(c->f, (ph_block){0});
  for (; ph_some(b); b = ph_block_next(c->f, b)) {
    ph_value v = ph_block_nextinst(c->f, b, (ph_value){0});
    for (; ph_some(v); v = ph_block_nextinst(c->f, b, v))
      mark_datum(c, ph_value_data(c->f, v), numbers);
  }
}

uint32_t pl_payload_share(lua_State *L, int from, pl_funcobj *h, int fn,
                          uint32_t *numbers, uint32_t n) {
  uint32_t last = h->nkept, had = last;
  for (uint32_t i = 1; i <= n; i++) {
    bool is_symbol = numbers[i] == USED_SYMBOL;
    int at;
    if (numbers[i] == 0) continue;
    pl_funcobj_pushkept(L, from, i);
    at = lua_gettop(L);
    lua_getiuservalue(L, fn, PL_ITS_KEPT);
    numbers[i] = is_symbol ? (uint32_t)number_of(L, h, at) : 0;
    if (numbers[i] == 0) {
      numbers[i] = ++last;
      keep_as(L, at, last, is_symbol);
    }
    lua_settop(L, at - 1);
  }
  return last - had;
}

/* }== Data of values ================================================= */

/* False for phis and ops that name a variable, and for constants, parameters
** and projections, whose data are the core's. */
static bool has_data(pl_funcobj *h, ph_value v) {
  ph_op op = ph_value_op(h->f, v);
  return op != PH_PHI && op != PH_PROJ && !ph_op_namesvar(op) &&
         !(ph_op_flags(h->f, op) & PH_LEAF);
}

/* Replaces the present datum in its table, if both are hosted. */
static bool replace_hosted(lua_State *L, pl_funcobj *h, int fn, ph_value v) {
  ph_data old = ph_value_data(h->f, v);
  if (old.tag != PH_DATA_HOST || old.bits > h->nkept ||
      !is_hosted(lua_type(L, 2)))
    return false;
  pl_funcobj_keep(L, fn, (lua_Integer)old.bits, 2);
  h->nchanges++;
  return true;
}

void pl_payload_checkmessage(lua_State *L, pl_funcobj *h, int arg) {
  if (lua_type(L, arg) != LUA_TSTRING)
    pl_error_arg(L, h, arg, "message expected, a string, got %g", arg);
}

/* v:set_data(datum): v */
static int l_set_data(lua_State *L) {
  const pl_handle *me = pl_arg_method(L, PL_KIND_VALUE, 1, 1);
  pl_funcobj *h = me->owner;
  int fn = pl_handle_pushowner(L, 1);
  ph_value v;
  pl_access_change(L, h);
  v = pl_handle_value(L, me);
  if (!has_data(h, v)) pl_error(L, h, "'%i' cannot be given data", v);
  if (ph_value_op(h->f, v) == PH_TRAP || ph_value_op(h->f, v) == PH_TRAP_IF)
    pl_payload_checkmessage(L, h, 2);
  if (ph_op_flags(h->f, ph_value_op(h->f, v)) & PH_SYMBOLIC) {
    ph_op op = ph_value_op(h->f, v);
    pl_symbol s;
    if (op == PH_CALL) pl_callee_check(L, h, 2);
    if (op == PH_TAIL_CALL) pl_callee_checktail(L, h, 2);
    if (op == PH_ADDRESS) pl_symbol_checkaddress(L, h, 2);
    s = pl_payload_keepsymbol(L, h, fn, 2);
    pl_access_begin(h, "setting data in", ph_value_block(h->f, v));
    ph_value_setdata(h->f, v, pl_payload_ofsymbol(L, h, &s));
    pl_access_end(h);
  } else if (!replace_hosted(L, h, fn, v)) {
    pl_payload_keep(L, h, fn, 2);
    pl_access_begin(h, "setting data in", ph_value_block(h->f, v));
    ph_value_setdata(h->f, v, pl_payload_of(L, h, 2));
    pl_access_end(h);
  }
  lua_settop(L, 1);
  return pl_access_return(L, h, 1);
}

static int l_data(lua_State *L) {
  const pl_handle *me = pl_arg_only(L, PL_KIND_VALUE);
  int fn = pl_handle_pushowner(L, 1);
  ph_value v;
  pl_access_read(L, me->owner);
  v = pl_handle_value(L, me);
  if (has_data(me->owner, v))
    pl_payload_push(L, me->owner, fn, ph_value_data(me->owner->f, v));
  else
    lua_pushnil(L);
  return 1;
}

/* v:index(): which result a projection is; nil of anything else */
static int l_index(lua_State *L) {
  pl_handle *me = pl_arg_only(L, PL_KIND_VALUE);
  const ph_func *f = pl_access_read(L, me->owner);
  ph_value v = pl_handle_value(L, me);
  ph_data data = ph_value_data(f, v);
  if (ph_value_op(f, v) == PH_PROJ && data.tag == PH_DATA_INT)
    lua_pushinteger(L, (lua_Integer)data.bits);
  else
    lua_pushnil(L);
  return 1;
}

/* phial.core.symbol(v): the name that the text has for the data of a symbolic
** op; nil if it has no data */
static int l_symbol(lua_State *L) {
  pl_handle *me = pl_arg_only(L, PL_KIND_VALUE);
  ph_data data;
  ph_str name;
  pl_access_read(L, me->owner);
  data = ph_value_data(me->owner->f, pl_handle_value(L, me));
  if (data.tag != PH_DATA_STR && data.tag != PH_DATA_SYMBOL) return 0;
  name = ph_intern_string(me->owner->f, (uint32_t)data.bits);
  lua_pushlstring(L, name.at, name.n);
  return 1;
}

/* Gathers the data of instructions that refer to a thing. */
static void gather_symbols(pl_funcobj *h) {
  ph_block b = ph_block_next(h->f, (ph_block){0});
  pl_handle_start(h);
  for (; ph_some(b); b = ph_block_next(h->f, b)) {
    ph_value v = ph_block_nextinst(h->f, b, (ph_value){0});
    for (; ph_some(v); v = ph_block_nextinst(h->f, b, v)) {
      ph_data data = ph_value_data(h->f, v);
      if (data.tag == PH_DATA_SYMBOL)
        ph_strbuf_add(&h->buf,
                      (ph_str){(const char *)&data.bits, sizeof data.bits});
    }
  }
}

/* phial.core.symbols(fn, list): appends what its instructions call, or have the
** address of, other than by name: each thing, followed by its name in the text,
** in the order in which they are first met */
static int l_symbols(lua_State *L) {
  enum { FN = 1, LIST, GATHERED, SEEN };
  pl_funcobj *h = pl_arg_method(L, PL_KIND_FUNC, 1, 1);
  lua_Integer n;
  luaL_checktype(L, LIST, LUA_TTABLE);
  pl_access_read(L, h);
  gather_symbols(h);
  if (h->buf.n == 0) return 0;
  n = (lua_Integer)lua_rawlen(L, LIST);
  lua_pushlstring(L, h->buf.at, h->buf.n);
  lua_newtable(L);
  for (size_t at = 0; at < lua_rawlen(L, GATHERED); at += sizeof(uint64_t)) {
    ph_data data = {.tag = PH_DATA_SYMBOL};
    ph_str name;
    memcpy(&data.bits, lua_tostring(L, GATHERED) + at, sizeof data.bits);
    if (lua_rawgeti(L, SEEN, (lua_Integer)data.bits) == LUA_TNIL) {
      pl_payload_push(L, h, FN, data);
      lua_rawseti(L, LIST, ++n);
      name = ph_intern_string(pl_access_read(L, h), (uint32_t)data.bits);
      lua_pushlstring(L, name.at, name.n);
      lua_rawseti(L, LIST, ++n);
      lua_pushboolean(L, true);
      lua_rawseti(L, SEEN, (lua_Integer)data.bits);
    }
    lua_pop(L, 1);
  }
  return 0;
}

/* }=================================================================== */

const pl_method pl_payload_methods[] = {
    {PL_OF_MODULE, "symbol", l_symbol}, {PL_OF_MODULE, "symbols", l_symbols},
    {PL_OF_VALUE, "data", l_data},      {PL_OF_VALUE, "set_data", l_set_data},
    {PL_OF_VALUE, "index", l_index},    {0},
};
