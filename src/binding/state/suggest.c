/* suggest.c: what somebody is likely to have meant by an unknown name.
**
** An op that other languages call so (ph_op_alias), or else the name that
** resembles it most.
**
** The distance of two names is the number of insertions, deletions,
** replacements and swaps of neighbours between them (the restricted distance of
** Damerau and Levenshtein), computed row by row.  A third of the letters may
** differ, and in any case one.
*/
#include "binding/state/suggest.h"

#include <string.h>

#include "binding/state/access.h"
#include "binding/state/error.h"
#include "binding/state/method.h"

enum { LONGEST = 40 }; /* longer names get no suggestion */

static int least_of(int a, int b) { return a < b ? a : b; }

/* rows: for i, i - 1 and i - 2 letters of a, indexed by letters of b. */
static void next_row(int *const rows[3], ph_str a, ph_str b, size_t i) {
  int *row = rows[i % 3], *last = rows[(i + 2) % 3],
      *before = rows[(i + 1) % 3];
  row[0] = (int)i;
  for (size_t j = 1; j <= b.n; j++) {
    bool same = a.at[i - 1] == b.at[j - 1];
    row[j] = least_of(last[j], row[j - 1]) + 1;
    row[j] = least_of(row[j], last[j - 1] + !same);
    if (i > 1 && j > 1 && a.at[i - 1] == b.at[j - 2] &&
        a.at[i - 2] == b.at[j - 1])
      row[j] = least_of(row[j], before[j - 2] + 1);
  }
}

/* Both have at most LONGEST letters. */
static int distance(ph_str a, ph_str b) {
  int memory[3][LONGEST + 1];
  int *const rows[3] = {memory[0], memory[1], memory[2]};
  for (size_t j = 0; j <= b.n; j++) rows[0][j] = (int)j;
  for (size_t i = 1; i <= a.n; i++) next_row(rows, a, b, i);
  return rows[a.n % 3][b.n];
}

/* The most similar name so far. */
typedef struct {
  ph_str name; /* the unknown one */
  int least;   /* distance; a name as far away as this is not similar */
  ph_str found, dialect;
} search;

static search start(ph_str name) {
  int least = name.n < 3 ? 2 : (int)name.n / 3 + 1;
  return (search){name, name.n > LONGEST ? 0 : least, {NULL, 0}, {"", 0}};
}

static bool precedes(ph_str a, ph_str b) {
  int order = memcmp(a.at, b.at, a.n < b.n ? a.n : b.n);
  return order < 0 || (order == 0 && a.n < b.n);
}

/* Of several names that are equally similar, the first one is found. */
static void consider(search *s, int far, ph_str found, ph_str dialect) {
  if (far > s->least || (far == s->least && s->found.n == 0)) return;
  if (far == s->least && !precedes(found, s->found)) return;
  s->least = far;
  s->found = found;
  s->dialect = dialect;
}

static const char *name_of(ph_op op) { return ph_op_row(op)->name; }

/* Pushes "'sdiv' or 'udiv'". */
static const char *push_names(lua_State *L, const ph_op here[2]) {
  if (here[1] == PH_NONE) return lua_pushfstring(L, "'%s'", name_of(here[0]));
  return lua_pushfstring(L, "'%s' or '%s'", name_of(here[0]), name_of(here[1]));
}

static const char *push_alias(lua_State *L, const ph_op here[2]) {
  return lua_pushfstring(L, ": did you mean %s?", push_names(L, here));
}

static const char *push_similar(lua_State *L, const char *name) {
  if (name == NULL) return lua_pushliteral(L, "");
  return lua_pushfstring(L, ": did you mean '%s'?", name);
}

/*
** {== Ops ============================================================
*/

/* The distance of `name` from the op's name, with or without its dialect. */
static int how_far(ph_str dialect, ph_str own, ph_str name) {
  char text[LONGEST];
  ph_str full = {text, dialect.n + 1 + own.n};
  if (own.n > LONGEST) return LONGEST;
  if (dialect.n == 0 || full.n > LONGEST) return distance(name, own);
  memcpy(text, dialect.at, dialect.n);
  text[dialect.n] = '.';
  memcpy(text + dialect.n + 1, own.at, own.n);
  return least_of(distance(name, own), distance(name, full));
}

static bool can_be_meant(const ph_func *f, ph_op op) {
  return op != PH_PHI && op != PH_PROJ && !(ph_op_flags(f, op) & PH_LEAF);
}

static search find_op(const pl_funcobj *h, ph_str name) {
  search s = start(name);
  for (uint32_t i = PH_CONST; s.least > 0 && i < PH_OPS + h->nops; i++) {
    ph_op op = (ph_op)i;
    ph_str dialect = ph_op_dialect(h->f, op), own = ph_op_name(h->f, op);
    if (can_be_meant(h->f, op))
      consider(&s, how_far(dialect, own, name), own, dialect);
  }
  return s;
}

/* Pushes the suggestion for the name of an op. */
static const char *suggest_op(lua_State *L, const pl_funcobj *h, ph_str name) {
  search s = find_op(h, name);
  bool exact = s.found.n > 0 && s.least == 0; /* but for the dialect */
  const char *found;
  ph_op here[2];
  if (!exact && ph_op_alias(name, here)) return push_alias(L, here);
  if (s.found.n == 0) return push_similar(L, NULL);
  found = lua_pushlstring(L, s.found.at, s.found.n);
  if (s.dialect.n > 0) {
    lua_pushlstring(L, s.dialect.at, s.dialect.n);
    found = lua_pushfstring(L, "%s.%s", lua_tostring(L, -1), found);
  }
  return push_similar(L, found);
}

const char *pl_suggest_op(lua_State *L, pl_funcobj *h, ph_str name) {
  const char *text = suggest_op(L, h, name);
  pl_access_read(L, h); /* finalizers may have run */
  return text;
}

/* }== Methods ======================================================== */

/* The most similar key of the table at 1. */
static search find_method(lua_State *L, ph_str name) {
  search s = start(name);
  for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) {
    ph_str key;
    int far = LONGEST;
    if (lua_type(L, -2) != LUA_TSTRING) continue;
    key.at = lua_tolstring(L, -2, &key.n);
    if (name.n <= LONGEST && key.n <= LONGEST) far = distance(name, key);
    consider(&s, far, key, (ph_str){"", 0});
  }
  return s;
}

static bool has_method(lua_State *L, const char *name) {
  bool has;
  lua_pushstring(L, name);
  has = lua_rawget(L, 1) != LUA_TNIL;
  lua_pop(L, 1);
  return has;
}

/* Pushes the suggestion for the method `name` of the table at 1. */
static const char *suggest_method(lua_State *L, ph_str name) {
  ph_op here[2];
  if (ph_op_alias(name, here) && has_method(L, name_of(here[0])))
    return push_alias(L, here);
  return push_similar(L, find_method(L, name).found.at);
}

int pl_suggest_method(lua_State *L) {
  const char *kind = lua_tostring(L, lua_upvalueindex(PL_UP_NAME));
  ph_str name = {"", 0};
  if (lua_type(L, 2) == LUA_TSTRING) name.at = lua_tolstring(L, 2, &name.n);
  suggest_method(L, name);
  pl_error_tostring(L, 2);
  return pl_error_plain(L, "a %s has no method '%s'%s", kind,
                        lua_tostring(L, -1), lua_tostring(L, -2));
}

/* phial.core.alias(name): "'sdiv' or 'udiv'" for "div": what phial calls an op
** of other languages; or nil */
static int l_alias(lua_State *L) {
  ph_op here[2];
  ph_str name;
  name.at = luaL_checklstring(L, 1, &name.n);
  if (ph_op_alias(name, here))
    push_names(L, here);
  else
    lua_pushnil(L);
  return 1;
}

/* }=================================================================== */

const pl_method pl_suggest_methods[] = {
    {PL_OF_MODULE, "alias", l_alias},
    {0},
};
