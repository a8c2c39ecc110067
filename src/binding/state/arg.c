/* arg.c: arguments: self, counts, strings, numbers, types, tables of options,
** source locations; what is likely to be meant by an unknown name.
**
** Strings are never taken as numbers, nor numbers as strings.
*/
#include "binding/state/arg.h"

#include <string.h>

#include "binding/state/access.h"
#include "binding/state/error.h"
#include "binding/state/method.h"

/*
** {== Similar names ==================================================
**
** What is meant is an op that other languages call so (ph_op_alias), or else
** the name that resembles it most.
**
** The distance of two names is the number of insertions, deletions,
** replacements and swaps of neighbours between them (the restricted distance of
** Damerau and Levenshtein), computed row by row.  A third of the letters may
** differ, and in any case one.
*/

enum { LONGEST = 64 }; /* longer names get no suggestion */

static int least_of(int a, int b) { return a < b ? a : b; }

/* Both have at most LONGEST letters. */
static int distance(ph_str a, ph_str b) {
  int memory[3][LONGEST + 1];
  int *const rows[3] = {memory[0], memory[1], memory[2]};
  for (size_t j = 0; j <= b.n; j++) rows[0][j] = (int)j;
  for (size_t i = 1; i <= a.n; i++) {
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
  return rows[a.n % 3][b.n];
}

/* The most similar name so far. */
typedef struct {
  ph_str name; /* the unknown one */
  int least;   /* distance; a name as far away as this is not similar */
  ph_str found, dialect;
} search;

static search start_search(ph_str name) {
  int least = name.n < 3 ? 2 : (int)name.n / 3 + 1;
  return (search){name, name.n > LONGEST ? 0 : least, {NULL, 0}, {"", 0}};
}

static bool precedes(ph_str a, ph_str b) {
  int order = memcmp(a.at, b.at, a.n < b.n ? a.n : b.n);
  return order < 0 || (order == 0 && a.n < b.n);
}

/* Of several names that are equally similar, the first one is found. */
static void consider_name(search *s, int far, ph_str found, ph_str dialect) {
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

/* }== Unknown ops ==================================================== */

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

static search find_op(const pl_funcobj *h, ph_str name) {
  search s = start_search(name);
  for (uint32_t i = PH_CONST; s.least > 0 && i < PH_OPS + h->dialects.nops;
       i++) {
    if (i == PH_KNOWN_OPS) i = PH_OPS;
    if (i == PH_OPS + h->dialects.nops) break;
    ph_op op = (ph_op)i;
    ph_str dialect = ph_op_dialect(h->f, op), own = ph_op_name(h->f, op);
    if (op != PH_PHI && op != PH_PROJ && !(ph_op_flags(h->f, op) & PH_LEAF))
      consider_name(&s, how_far(dialect, own, name), own, dialect);
  }
  return s;
}

/* Pushes the suggestion for the name of an op. */
static const char *push_meant_op(lua_State *L, const pl_funcobj *h,
                                 ph_str name) {
  search s = find_op(h, name);
  bool exact = s.found.n > 0 && s.least == 0; /* but for the dialect */
  const char *found;
  ph_op here[2];
  if (!exact && ph_op_alias(name, here)) return push_alias(L, here);
  if (s.found.n == 0 && memchr(name.at, '.', name.n) != NULL)
    return lua_pushliteral(L, ": is its dialect in the option 'dialects'?");
  if (s.found.n == 0) return push_similar(L, NULL);
  found = lua_pushlstring(L, s.found.at, s.found.n);
  if (s.dialect.n > 0)
    found = lua_pushfstring(
        L, "%s.%s", lua_pushlstring(L, s.dialect.at, s.dialect.n), found);
  return push_similar(L, found);
}

const char *pl_arg_meantop(lua_State *L, pl_funcobj *h, ph_str name) {
  const char *text = push_meant_op(L, h, name);
  pl_access_again(L, h);
  return text;
}

/* }== Unknown methods ================================================ */

/* The most similar key of the table at 1. */
static search find_key(lua_State *L, ph_str name) {
  search s = start_search(name);
  for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) {
    ph_str key;
    int far = LONGEST;
    if (lua_type(L, -2) != LUA_TSTRING) continue;
    key.at = lua_tolstring(L, -2, &key.n);
    if (name.n <= LONGEST && key.n <= LONGEST) far = distance(name, key);
    consider_name(&s, far, key, (ph_str){"", 0});
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

/* Pushes what replaces a name that the class had once, or that other libraries
** have: " any more: use x", ": use x"; or pushes nil, and returns NULL. */
static const char *push_now(lua_State *L, const char *class, const char *name) {
  static const struct {
    const char *class, *name, *now;
  } rows[] = {
#define OLD_NAME(class, name, now) {class, name, now},
#include "binding/state/old_names.def"
#undef OLD_NAME
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].name, name) == 0) {
      if (strcmp(rows[i].class, class) == 0)
        return lua_pushfstring(L, " any more: use %s", rows[i].now);
      if (*rows[i].class == '\0')
        return lua_pushfstring(L, ": use %s", rows[i].now);
    }
  lua_pushnil(L);
  return NULL;
}

/* phial.core.now(class, name): what replaces a name that the class had before
** 0.9.0, or that other libraries have; or nil */
static int l_now(lua_State *L) {
  push_now(L, luaL_checkstring(L, 1), luaL_checkstring(L, 2));
  return 1;
}

/* Pushes the suggestion for the method `name` of the class, whose table is at
** 1. */
static const char *push_meant_method(lua_State *L, const char *class,
                                     ph_str name) {
  const char *now = push_now(L, class, name.at);
  ph_op here[2];
  if (now != NULL) return now;
  if (ph_op_alias(name, here) && has_method(L, name_of(here[0])))
    return push_alias(L, here);
  return push_similar(L, find_key(L, name).found.at);
}

int pl_arg_unknownmethod(lua_State *L) {
  const char *kind = lua_tostring(L, lua_upvalueindex(PL_UP_NAME));
  ph_str name = {"", 0};
  if (lua_type(L, 2) == LUA_TSTRING) name.at = lua_tolstring(L, 2, &name.n);
  push_meant_method(L, kind, name);
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

/* phial.core.similar(set, name): the most similar key of a set; or nil */
static int l_similar(lua_State *L) {
  ph_str name;
  luaL_checktype(L, 1, LUA_TTABLE);
  name.at = luaL_checklstring(L, 2, &name.n);
  lua_settop(L, 2);
  name = find_key(L, name).found;
  if (name.n > 0)
    lua_pushlstring(L, name.at, name.n);
  else
    lua_pushnil(L);
  return 1;
}

/* }== Self and the number of arguments =============================== */

/* Pushes a hint for a getter that was called as a setter, or "". */
static const char *push_setter(lua_State *L, const char *name) {
  const char *setter = lua_pushfstring(L, "set_%s", name);
  if (luaL_getmetafield(L, 1, "__index") == LUA_TTABLE) {
    lua_pushvalue(L, -2);
    if (lua_rawget(L, -2) != LUA_TNIL)
      return lua_pushfstring(L, ": '%s' sets it", setter);
  }
  return "";
}

void pl_arg_count(lua_State *L, int least, int most) {
  const char *name = lua_tostring(L, lua_upvalueindex(PL_UP_NAME));
  bool is_method = strncmp(name, "phial.", 6) != 0;
  int n = lua_gettop(L) - is_method;
  for (; n > most && most >= 0 && lua_isnil(L, -1); n--) lua_pop(L, 1);
  if (n >= least && (n <= most || most < 0)) return;
  if (most < 0)
    pl_error_plain(L,
                   "wrong number of arguments to '%s' (at least %d expected, "
                   "got %d)",
                   name, least, n);
  else if (least == most)
    pl_error_plain(L,
                   "wrong number of arguments to '%s' (%d expected, got %d)%s",
                   name, least, n, push_setter(L, name));
  else
    pl_error_plain(
        L, "wrong number of arguments to '%s' (%d to %d expected, got %d)",
        name, least, most, n);
}

void pl_arg_badself(lua_State *L, int kind) {
  pl_error_plain(L, "calling '%s' on bad self (%s expected, got %s) (use ':'?)",
                 lua_tostring(L, lua_upvalueindex(PL_UP_NAME)),
                 pl_userdata_names[kind], pl_error_type(L, 1));
}

void *pl_arg_refuse(lua_State *L, int kind, int top, int least, int most) {
  void *p;
  lua_settop(L, top);
  p = pl_userdata_test(L, 1, kind);
  if (p == NULL) pl_arg_badself(L, kind);
  pl_arg_count(L, least, most);
  lua_pushnil(L);
  return p;
}

/* }== Scalars ======================================================== */

static void check_type(lua_State *L, int arg, int type) {
  if (lua_type(L, arg) != type)
    pl_error_plainarg(L, arg, "%s expected, got %s", lua_typename(L, type),
                      pl_error_type(L, arg));
}

ph_str pl_arg_str(lua_State *L, int arg) {
  ph_str s;
  check_type(L, arg, LUA_TSTRING);
  s.at = lua_tolstring(L, arg, &s.n);
  return s;
}

ph_str pl_arg_optstr(lua_State *L, int arg) {
  return lua_isnoneornil(L, arg) ? (ph_str){"", 0} : pl_arg_str(L, arg);
}

lua_Integer pl_arg_int(lua_State *L, int arg, lua_Integer least,
                       lua_Integer most) {
  lua_Integer i;
  check_type(L, arg, LUA_TNUMBER);
  if (!lua_isinteger(L, arg))
    pl_error_plainarg(L, arg, "integer expected, got %s",
                      pl_error_tostring(L, arg));
  i = lua_tointeger(L, arg);
  if (i < least || i > most)
    pl_error_plainarg(L, arg, "%I is not in %I .. %I", (LUAI_UACINT)i,
                      (LUAI_UACINT)least, (LUAI_UACINT)most);
  return i;
}

ph_type pl_arg_type(lua_State *L, pl_funcobj *h, int arg) {
  ph_str name;
  ph_type type;
  if (lua_type(L, arg) != LUA_TSTRING)
    pl_error_arg(L, h, arg, "name of a type expected, got %g", arg);
  name = pl_arg_str(L, arg);
  if (!ph_type_find(h->f, name, &type))
    pl_error_arg(L, h, arg, "unknown type '%S'" PL_TYPES, name);
  return type;
}

ph_op pl_arg_op(lua_State *L, pl_funcobj *h, int arg) {
  ph_str name = pl_arg_str(L, arg);
  ph_op op;
  if (ph_op_find(h->f, name, &op)) return op;
  pl_error_arg(L, h, arg, "unknown op '%S'%s", name,
               pl_arg_meantop(L, h, name));
  return PH_NONE;
}

bool pl_arg_isident(ph_str s) {
  for (size_t i = 0; i < s.n; i++) {
    char c = s.at[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && (i == 0 || c < '0' || c > '9')) return false;
  }
  return s.n > 0;
}

/* }== Tables of options ============================================== */

const char *pl_arg_nottable(lua_State *L, int at) {
  const char *got = pl_error_type(L, at);
  return strcmp(got, "table") == 0 ? NULL : got;
}

void pl_arg_table(lua_State *L, int arg) {
  const char *got = pl_arg_nottable(L, arg);
  if (got != NULL) pl_error_plainarg(L, arg, "table expected, got %s", got);
}

/* True if the value at `at` is one of n names. */
static bool is_known(lua_State *L, int at, const char *const *known, int n) {
  if (lua_type(L, at) != LUA_TSTRING) return false;
  for (int i = 0; i < n; i++)
    if (strcmp(lua_tostring(L, at), known[i]) == 0) return true;
  return false;
}

/* Pushes the names as an error message lists them: a, b, c; with the quote "
** and the last separator " or ": "a", "b" or "c". */
static void list_names(lua_State *L, const char *const *names, int n,
                       const char *quote, const char *last) {
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (int i = 0; i < n; i++) {
    if (i > 0) luaL_addstring(&b, i < n - 1 ? ", " : last);
    luaL_addstring(&b, quote);
    luaL_addstring(&b, names[i]);
    luaL_addstring(&b, quote);
  }
  luaL_pushresult(&b);
}

void pl_arg_fields(lua_State *L, int arg, const char *const *known, int n) {
  if (lua_isnoneornil(L, arg)) return;
  pl_arg_table(L, arg);
  for (lua_pushnil(L); lua_next(L, arg) != 0;) {
    lua_pop(L, 1);
    if (!is_known(L, -1, known, n)) {
      pl_error_tostring(L, -1);
      list_names(L, known, n, "", ", ");
      pl_error_plainarg(L, arg, "unknown option '%s'; there are: %s",
                        lua_tostring(L, -2), lua_tostring(L, -1));
    }
  }
}

int pl_arg_field(lua_State *L, int arg, const char *name) {
  if (lua_isnoneornil(L, arg)) {
    lua_pushnil(L);
    return LUA_TNIL;
  }
  lua_pushstring(L, name);
  return lua_rawget(L, arg);
}

bool pl_arg_boolopt(lua_State *L, int arg, const char *name) {
  if (lua_type(L, -1) != LUA_TBOOLEAN)
    pl_error_plainarg(L, arg, "option '%s': boolean expected, got %s", name,
                      pl_error_type(L, -1));
  return lua_toboolean(L, -1);
}

bool pl_arg_flag(lua_State *L, int arg, const char *name, bool usual) {
  bool flag = usual;
  if (pl_arg_field(L, arg, name) != LUA_TNIL)
    flag = pl_arg_boolopt(L, arg, name);
  lua_pop(L, 1);
  return flag;
}

int pl_arg_choiceopt(lua_State *L, int arg, const char *name,
                     const char *const *choices, int n) {
  const char *got = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
  int choice = 0;
  while (got != NULL && choice < n && strcmp(got, choices[choice]) != 0)
    choice++;
  if (got == NULL || choice == n) {
    pl_error_got(L, -1);
    list_names(L, choices, n, "\"", " or ");
    pl_error_plainarg(L, arg, "option '%s': %s expected, got %s", name,
                      lua_tostring(L, -1), lua_tostring(L, -2));
  }
  return choice;
}

int pl_arg_choice(lua_State *L, int arg, const char *name,
                  const char *const *choices, int n) {
  int choice = 0;
  if (pl_arg_field(L, arg, name) != LUA_TNIL)
    choice = pl_arg_choiceopt(L, arg, name, choices, n);
  lua_pop(L, 1);
  return choice;
}

/* }== Lists ==========================================================
**
** They are read without metamethods, as tables of options are: so what has a
** length of its own is refused, for it has other elements than it shows.
*/

/* A list, for its errors. */
typedef struct {
  int arg, at;
  ph_str what; /* "" if it is the argument; can contain zeros */
} list;

/* Raises that the text on top is wrong with what was expected to be a list. */
static _Noreturn void refuse_list(lua_State *L, const list *l) {
  lua_pushlstring(L, l->what.at, l->what.n);
  lua_pushstring(L,
                 l->what.n > 0 ? ": a list expected, " : "a list expected, ");
  lua_rotate(L, -3, 2);
  lua_concat(L, 3);
  if (l->arg != 0) pl_error_plainarg(L, l->arg, "%s", lua_tostring(L, -1));
  pl_error_plaintop(L);
}

static void check_elements(lua_State *L, const list *l) {
  const char *got = pl_arg_nottable(L, l->at);
  if (got == NULL && luaL_getmetafield(L, l->at, "__len") != LUA_TNIL)
    got = "a table with a metamethod __len";
  if (got == NULL) return;
  lua_pushfstring(L, "got %s", got);
  refuse_list(L, l);
}

/* Raises that the list has the key on top, or lacks one before it. */
static _Noreturn void refuse_key(lua_State *L, const list *l) {
  lua_Integer i = 1;
  if (lua_isinteger(L, -1) && lua_tointeger(L, -1) > 0) {
    for (; lua_rawgeti(L, l->at, i) != LUA_TNIL; i++) lua_pop(L, 1);
    lua_pushfstring(L, "but position %I is missing", (LUAI_UACINT)i);
  } else {
    lua_pushfstring(L, "but '%s' is a key of it", pl_error_tostring(L, -1));
  }
  refuse_list(L, l);
}

static lua_Integer check_list(lua_State *L, const list *l,
                              const char *const *fields, int nfields) {
  lua_Integer n, found = 0;
  check_elements(L, l);
  n = (lua_Integer)lua_rawlen(L, l->at);
  for (lua_pushnil(L); lua_next(L, l->at) != 0;) {
    lua_pop(L, 1);
    if (is_known(L, -1, fields, nfields)) continue;
    if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 1 ||
        lua_tointeger(L, -1) > n)
      refuse_key(L, l);
    found++;
  }
  if (found == n) return n;
  lua_pushinteger(L, n);
  refuse_key(L, l);
}

lua_Integer pl_arg_listwith(lua_State *L, int arg, int at, const char *what,
                            const char *const *fields, int nfields) {
  const list l = {arg, at, {what, strlen(what)}};
  return check_list(L, &l, fields, nfields);
}

/* phial.core.list(it, what): a raw copy of the list `it`, which errors name `what`
*/
static int l_list(lua_State *L) {
  list l = {.at = 1};
  lua_Integer n;
  l.what.at = luaL_checklstring(L, 2, &l.what.n);
  lua_newtable(L); /* first: finalizers may run, and change the list */
  n = check_list(L, &l, NULL, 0);
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, 1, i);
    lua_rawseti(L, -2, i);
  }
  return 1;
}

/* }== Source locations =============================================== */

static void push_file(lua_State *L, pl_funcobj *h, uint32_t file) {
  ph_str s = ph_intern_string(pl_access_read(L, h), file);
  lua_pushlstring(L, s.at, s.n);
}

static void push_number(lua_State *L, uint32_t n) {
  if (n != 0)
    lua_pushinteger(L, n);
  else
    lua_pushnil(L);
}

/* An optional line or column at `arg`, at least `least`. */
static uint32_t take_number(lua_State *L, int arg, int least) {
  if (lua_isnoneornil(L, arg)) return 0;
  return (uint32_t)pl_arg_int(L, arg, least, UINT32_MAX);
}

ph_srcloc pl_srcloc_take(lua_State *L, ph_str *file) {
  ph_srcloc loc = {0};
  loc.line = take_number(L, 2, 1);
  loc.col = take_number(L, 3, 0);
  *file = pl_arg_optstr(L, 4);
  loc.end_line = take_number(L, 5, 1);
  loc.end_col = take_number(L, 6, 0);
  if (loc.end_line == 0 && loc.end_col != 0) loc.end_line = loc.line;
  if (loc.end_line != 0 && loc.line == 0)
    pl_error_plainarg(L, 2, "the line of the beginning expected, got nil");
  if (!ph_srcloc_isrange(loc))
    pl_error_plainarg(L, loc.end_line == loc.line ? 6 : 5,
                      "the end precedes the beginning");
  return loc;
}

int pl_srcloc_push(lua_State *L, pl_funcobj *h, ph_srcloc loc) {
  push_number(L, loc.line);
  if (loc.line == 0) return 1;
  push_number(L, loc.col);
  if (loc.file != 0)
    push_file(L, h, loc.file);
  else
    lua_pushnil(L);
  if (loc.end_line == 0) return 3;
  push_number(L, loc.end_line);
  push_number(L, loc.end_col);
  return 5;
}

int pl_srcloc_pushplace(lua_State *L, pl_funcobj *h, ph_srcloc loc) {
  lua_pushnil(L);
  if (loc.line == 0) return 1;
  push_file(L, h, loc.file);
  lua_pushfstring(L, "%s:%d", lua_tostring(L, -1), (int)loc.line);
  lua_replace(L, -3);
  lua_pop(L, 1);
  return 1;
}

void pl_srcloc_setplace(lua_State *L, pl_funcobj *h, ph_srcloc loc) {
  pl_srcloc_pushplace(L, h, loc);
  lua_setfield(L, -2, "place");
}

static void set_known(lua_State *L, const char *name, uint32_t n) {
  if (n != 0) pl_userdata_setnumber(L, name, n);
}

void pl_srcloc_pushtable(lua_State *L, ph_srcloc loc) {
  lua_createtable(L, 0, loc.end_line != 0 ? 5 : 3);
  set_known(L, "line", loc.line);
  set_known(L, "col", loc.col);
  set_known(L, "end_line", loc.end_line);
  set_known(L, "end_col", loc.end_col);
}

void pl_srcloc_setloc(lua_State *L, pl_funcobj *h, ph_srcloc loc) {
  if (loc.line == 0) return;
  pl_srcloc_pushtable(L, loc);
  if (loc.file != 0) {
    push_file(L, h, loc.file);
    lua_setfield(L, -2, "file");
  }
  lua_setfield(L, -2, "loc");
}

/* }=================================================================== */

const pl_method pl_arg_methods[] = {
    {PL_OF_MODULE, "alias", l_alias},
    {PL_OF_MODULE, "similar", l_similar},
    {PL_OF_MODULE, "now", l_now},
    {PL_OF_MODULE, "list", l_list},
    {0},
};
