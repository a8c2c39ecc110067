/* unit.c: what emitters ask of functions before these are written, and their
** texts put together.
*/
#include <stdio.h>
#include <string.h>

#include "binding/analysis/analysis.h"
#include "binding/args/payload.h"
#include "binding/state/access.h"
#include "binding/state/method.h"
#include "binding/write/writing.h"

/*
** {== What is referred to ============================================
*/

static bool is_symbolic(ph_op op) {
  return op == PH_CALL || op == PH_TAIL_CALL || op == PH_ADDRESS ||
         op == PH_CALL_INDIRECT || op == PH_TAIL_CALL_INDIRECT ||
         op == PH_ALLOCA;
}

/* The needed instruction that follows v in block b; the first one if v is
** none. */
static ph_value next_needed(pl_funcobj *h, ph_block b, ph_value v) {
  const ph_needed *needed = pl_analysis_needed(h);
  do v = ph_block_nextinst(h->f, b, v);
  while (ph_some(v) &&
         (!ph_needed_has(needed, v) || ph_value_op(h->f, v) == PH_PROJ));
  return v;
}

/* True if a value, needed or not, has a type that the language does not have. */
static bool lacks_type(const pl_language *l, const ph_func *f) {
  for (uint32_t id = ph_value_count(f); id > 0; id--) {
    ph_type type = ph_value_type(f, pl_valueid(id));
    if (type != PH_NOTYPE && !pl_language_has(l, type)) return true;
  }
  return false;
}

/* The last instruction of block b that acts; none does: 0. */
static ph_value last_act(pl_funcobj *h, ph_block b) {
  ph_value last = {0}, v = {0};
  while (v = next_needed(h, b, v), ph_some(v)) {
    ph_effect effect = pl_plan_effect(h->f, ph_value_op(h->f, v));
    if (effect == PH_EFFECT_READ || effect == PH_EFFECT_WRITE) last = v;
  }
  return last;
}

/* The arguments of phial.core.symbolic, which blocks only return, by id, and its
** first results. */
enum { FN = 1, LANGUAGE, CALLS, TEXTS, ENDS, IDS, OPS, LAST, DATA };

/* What is read: the values after `v` of blocks in order. */
typedef struct {
  pl_funcobj *h;
  uint32_t version;
  lua_Integer n; /* that are listed */
  bool has_others, recurs;
} reading;

/* To be called after what can run finalizers. */
static void check_unchanged(lua_State *L, const reading *r) {
  if (!pl_userdata_isusable(r->h) || ph_func_version(r->h->f) != r->version)
    pl_error_plain(L, "the function was changed while it was read");
}

/* True if nothing but a return follows block b.  Many blocks can jump to one, so
** whether that only returns is noted. */
static bool returns(lua_State *L, const reading *r, ph_block b) {
  const ph_func *f = r->h->f;
  ph_op op = ph_value_op(f, ph_block_terminator(f, b));
  ph_value first = {0};
  bool only;
  if (op != PH_JUMP) return op == PH_RET;
  b = ph_block_succ(f, b, 0);
  if (lua_rawgeti(L, ENDS, b.id) == LUA_TNIL) {
    first = next_needed(r->h, b, first);
    only = ph_value_op(f, first) == PH_RET;
    lua_pushboolean(L, only);
    lua_rawseti(L, ENDS, b.id);
    check_unchanged(L, r);
  } else {
    only = lua_toboolean(L, -1);
  }
  lua_pop(L, 1);
  return only;
}

/* Pushes what an instruction refers to. */
static void push_symbol(lua_State *L, const reading *r, ph_value v) {
  pl_payload_push(L, r->h, FN, ph_value_data(r->h->f, v));
  check_unchanged(L, r);
}

/* Lists an instruction, and what it refers to, which is on top. */
static void list(lua_State *L, reading *r, ph_value v) {
  ph_op op = ph_value_op(r->h->f, v);
  for (int i = IDS; r->n == 0 && i <= DATA; i++) {
    lua_newtable(L);
    lua_replace(L, i);
  }
  lua_rawseti(L, DATA, ++r->n);
  lua_pushinteger(L, v.id);
  lua_rawseti(L, IDS, r->n);
  lua_pushstring(L, ph_op_row(op)->name);
  lua_rawseti(L, OPS, r->n);
  check_unchanged(L, r);
}

static void list_all(lua_State *L, reading *r, ph_block b) {
  bool ends = returns(L, r, b), is_last;
  ph_value v = {0}, last = ends ? last_act(r->h, b) : v;
  is_last = ends && !ph_some(last);
  while (v = next_needed(r->h, b, v), ph_some(v)) {
    ph_op op = ph_value_op(r->h->f, v);
    if (ph_same(v, last)) is_last = true;
    if (op >= PH_OPS) r->has_others = true;
    if (!is_symbolic(op)) continue;
    push_symbol(L, r, v);
    list(L, r, v);
    lua_pushboolean(L, is_last);
    lua_rawseti(L, LAST, r->n);
  }
}

/* True if the host knows what an instruction refers to, which is on top. */
static bool is_known(lua_State *L, reading *r, ph_op op) {
  bool known;
  if (op != PH_CALL && op != PH_TAIL_CALL && op != PH_ADDRESS)
    return lua_isnil(L, -1);
  lua_pushvalue(L, -1);
  known = lua_rawget(L, op == PH_ADDRESS ? TEXTS : CALLS) != LUA_TNIL;
  if (op == PH_CALL && lua_rawequal(L, -1, FN)) r->recurs = true;
  lua_pop(L, 1);
  return known;
}

/* Calls are always needed: only of others it is asked. */
static void list_new(lua_State *L, reading *r, ph_block b) {
  const ph_func *f = r->h->f;
  ph_value v = {0};
  while (v = ph_block_nextinst(f, b, v), ph_some(v)) {
    ph_op op = ph_value_op(f, v);
    if (op >= PH_OPS && !r->has_others)
      r->has_others = ph_needed_has(pl_analysis_needed(r->h), v);
    if (!is_symbolic(op) || op == PH_ALLOCA) continue;
    push_symbol(L, r, v);
    if (is_known(L, r, op) ||
        (op == PH_ADDRESS && !ph_needed_has(pl_analysis_needed(r->h), v)))
      lua_pop(L, 1);
    else
      list(L, r, v);
  }
}

/* phial.core.symbolic(fn, language[, calls, texts]): of what refers to symbols, and
** of allocas, in order: ids; ops; whether each is a call after which the function
** returns; data.  Then whether a type may be none of the language; whether some op
** is of a dialect.  With the tables, by data, of callees and texts that are known:
** only of others, and no allocas; also whether a known callee is the function.
** Lists are nil if they are empty */
static int l_symbolic(lua_State *L) {
  reading r = {.h = pl_userdata_test(L, FN, PL_KIND_FUNC)};
  const pl_language *l = pl_userdata_test(L, LANGUAGE, PL_KIND_LANGUAGE);
  bool all = lua_isnoneornil(L, CALLS);
  if (l == NULL || r.h == NULL) return luaL_error(L, "bad arguments");
  lua_settop(L, TEXTS);
  if (all) lua_newtable(L);
  lua_settop(L, DATA);
  r.version = ph_func_version(pl_access_read(L, r.h));
  for (uint32_t k = 0; k < ph_rpo_count(pl_analysis_order(r.h)); k++) {
    ph_block b = ph_rpo_at(pl_analysis_order(r.h), k);
    if (all)
      list_all(L, &r, b);
    else
      list_new(L, &r, b);
  }
  pl_analysis_forget(r.h);
  lua_pushboolean(L, lacks_type(l, r.h->f));
  lua_pushboolean(L, r.has_others);
  lua_pushboolean(L, r.recurs);
  return pl_access_return(L, r.h, 7);
}

/* The value with an id, argument 2, of a function, argument 1, which is read. */
static ph_value take_value(lua_State *L, reading *r) {
  lua_Integer id = luaL_checkinteger(L, 2);
  r->h = pl_userdata_test(L, FN, PL_KIND_FUNC);
  if (r->h == NULL) pl_error_plainarg(L, FN, "not a function");
  r->version = ph_func_version(pl_access_read(L, r->h));
  luaL_argcheck(L, id > 0 && id <= ph_value_count(r->h->f), 2, "no such value");
  return pl_valueid((uint32_t)id);
}

/* phial.core.where(fn, id): an instruction as errors name it */
static int l_where(lua_State *L) {
  reading r;
  ph_value v = take_value(L, &r);
  pl_trap_where(L, r.h, FN, v);
  return pl_access_return(L, r.h, 1);
}

/* phial.core.instruction(fn, id): its type, and the ids and types of its operands */
static int l_instruction(lua_State *L) {
  reading r;
  ph_value v = take_value(L, &r);
  pl_funcobj *h = r.h;
  uint32_t n = ph_value_nargs(h->f, v);
  ph_str name;
  lua_createtable(L, (int)n, 0);
  lua_createtable(L, (int)n, 0);
  check_unchanged(L, &r);
  for (uint32_t i = 0; i < n; i++) {
    ph_value arg = ph_value_arg(h->f, v, i);
    lua_pushinteger(L, arg.id);
    lua_rawseti(L, 3, (lua_Integer)i + 1);
    name = ph_type_name(h->f, ph_value_type(h->f, arg));
    lua_pushlstring(L, name.at, name.n);
    lua_rawseti(L, 4, (lua_Integer)i + 1);
    check_unchanged(L, &r);
  }
  if (ph_value_type(h->f, v) == PH_NOTYPE) {
    lua_pushnil(L);
  } else {
    name = ph_type_name(h->f, ph_value_type(h->f, v));
    lua_pushlstring(L, name.at, name.n);
  }
  lua_insert(L, 3);
  return pl_access_return(L, h, 3);
}

/* The first line of a text that is a directive without a number, or its end.
** Counts the lines before it. */
static const char *find_mark(const char *at, const char *to, int *line) {
  static const char mark[] = "#line";
  ptrdiff_t n = sizeof mark - 1;
  while (at < to) {
    const char *end = memchr(at, '\n', (size_t)(to - at));
    if ((end != NULL ? end : to) - at == n && memcmp(at, mark, (size_t)n) == 0)
      return at;
    if (end == NULL) break;
    at = end + 1;
    ++*line;
  }
  return to;
}

/* Replaces the text on top, which begins at a line: directives without a number
** become those of `file`, so that lines have their own numbers again.  Counts its
** lines. */
static void number_lines(lua_State *L, int file, int *line) {
  size_t n;
  const char *at = lua_tolstring(L, -1, &n), *to = at + n;
  const char *mark = find_mark(at, to, line);
  int text = lua_gettop(L);
  luaL_Buffer b;
  ++*line; /* or that of a directive */
  if (mark == to) return;
  luaL_buffinit(L, &b);
  while (mark < to) {
    char digits[24];
    luaL_addlstring(&b, at, (size_t)(mark - at));
    snprintf(digits, sizeof digits, "#line %d ", *line);
    luaL_addstring(&b, digits);
    lua_pushvalue(L, file);
    luaL_addvalue(&b);
    at = mark + sizeof "#line" - 1;
    if (at == to) break;
    mark = find_mark(at + 1, to, line);
    ++*line;
  }
  luaL_addlstring(&b, at, (size_t)(to - at));
  luaL_pushresult(&b);
  lua_replace(L, text);
}

enum { JOINED_AT_ONCE = 50000 };

/* phial.core.joined(texts[, file]): a list as one text, with line breaks between
** its texts; lines have numbers if there is a file.  (A buffer would be a further
** copy.) */
static int l_joined(lua_State *L) {
  int n, joined = 0, line = 1;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  n = (int)lua_rawlen(L, 1);
  for (int i = 1; i <= n; i++) {
    luaL_checkstack(L, 8, NULL);
    if (i > 1) lua_pushliteral(L, "\n");
    lua_rawgeti(L, 1, i);
    if (!lua_isnil(L, 2)) number_lines(L, 2, &line);
    if (i % JOINED_AT_ONCE == 0 || i == n)
      lua_concat(L, lua_gettop(L) - 2 - joined++);
  }
  lua_concat(L, joined);
  return 1;
}

/* }=================================================================== */

const pl_method pl_unit_methods[] = {
    {PL_OF_MODULE, "symbolic", l_symbolic},
    {PL_OF_MODULE, "where", l_where},
    {PL_OF_MODULE, "instruction", l_instruction},
    {PL_OF_MODULE, "joined", l_joined},
    {0},
};
