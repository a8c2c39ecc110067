/* language.c: phial.core.language(spec): how a language writes ops. */
#include <string.h>

#include "binding/args/dialect.h"
#include "binding/state/funcobj.h"
#include "binding/state/method.h"
#include "binding/write/writing.h"

static const char *const word_names[PL_WORDS] = {
    "set",     "finish",   "drop",    "dropped", "jump",     "test",
    "then",    "begin",    "done",    "negate",  "trap",     "trapped",
    "between", "language", "sigil",   "label",   "labelled", "otherwise",
    "number",  "at",       "place",   "local",   "leave",    "slot",
    "slotted", "block",    "blocked", "frame"};

/* Copies the string on top into the texts, and pops it. */
static pl_span copy_text(lua_State *L, pl_language *l) {
  size_t n;
  const char *at = lua_tolstring(L, -1, &n);
  pl_span span = {(uint32_t)l->t.texts.n, (uint32_t)n};
  if (at == NULL) return (pl_span){0, 0};
  memcpy(pl_grown_more(L, &l->t.texts, n), at, n);
  lua_pop(L, 1);
  return span;
}

static void read_words(lua_State *L, pl_language *l, int spec) {
  lua_getfield(L, spec, "words");
  for (int i = 0; i < PL_WORDS; i++) {
    if (lua_getfield(L, -1, word_names[i]) == LUA_TSTRING)
      l->words[i] = copy_text(L, l);
    else
      lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* Reads the words of types: types.i8.T is what $T stands for. */
static void read_types(lua_State *L, pl_language *l, int spec) {
  lua_getfield(L, spec, "types");
  for (ph_type type = 1; type < PH_KNOWN_TYPES; type++) {
    ph_str name = ph_type_name(NULL, type);
    lua_pushlstring(L, name.at, name.n);
    if (lua_gettable(L, -2) == LUA_TTABLE) {
      l->has_type[type] = true;
      for (int i = 0; i < PL_LETTERS; i++) {
        char letter = (char)('A' + i);
        lua_pushlstring(L, &letter, 1);
        if (lua_rawget(L, -2) == LUA_TSTRING)
          l->types[type][i] = copy_text(L, l);
        else
          lua_pop(L, 1);
      }
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static void read_forms(lua_State *L, pl_language *l, int spec) {
  lua_getfield(L, spec, "forms");
  luaL_checktype(L, -1, LUA_TTABLE);
  for (int c = ' '; c < PL_FORMS; c++) {
    char name = (char)c;
    lua_pushlstring(L, &name, 1);
    if (lua_rawget(L, -2) == LUA_TSTRING)
      l->forms[c] = pl_template_compile(L, &l->t, lua_gettop(L), "form");
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* }== Rows =========================================================== */

static pl_oprow *row_at(pl_language *l, uint32_t number) {
  return &PL_OPROWS(l)[number];
}

/* Adds a row, and returns its number. */
static uint32_t add_row(lua_State *L, pl_language *l) {
  uint32_t number = (uint32_t)(l->rows.n / sizeof(pl_oprow));
  memset(pl_grown_more(L, &l->rows, sizeof(pl_oprow)), 0, sizeof(pl_oprow));
  return number;
}

/* Takes the row of number i, which is on top, and pops it. */
static void read_row(lua_State *L, pl_language *l, uint32_t i, int functions,
                     const char *name) {
  int type = lua_type(L, -1);
  pl_oprow *it = row_at(l, i);
  if (type == LUA_TSTRING) {
    const char *what = lua_pushfstring(L, "row '%s'", name);
    it->kind = PL_ROW_TEXT;
    it->row = pl_template_compile(L, &l->t, lua_gettop(L) - 1, what);
    lua_pop(L, 1);
  } else if (type == LUA_TFUNCTION || type == LUA_TTABLE) {
    bool is_value = type == LUA_TTABLE;
    it->kind = is_value ? PL_ROW_EXPRESSION : PL_ROW_STATEMENT;
    if (is_value) {
      it->checks = lua_getfield(L, -1, "check") != LUA_TNIL;
      it->patterns = lua_getfield(L, -2, "pattern") != LUA_TNIL;
      lua_pop(L, 2);
    }
    lua_pushvalue(L, -1);
    lua_rawseti(L, functions, i);
  }
  lua_pop(L, 1);
}

static pl_row read_part(lua_State *L, pl_language *l, int spec,
                        const char *name) {
  pl_row row = {0, 0};
  if (lua_getfield(L, spec, name) == LUA_TSTRING)
    row = pl_template_compile(L, &l->t, lua_gettop(L), name);
  lua_pop(L, 1);
  return row;
}

/* Reads the rows of ops of phial, then those of dialects, as "dialect.op". */
static void read_rows(lua_State *L, pl_language *l, int spec) {
  int functions, rows;
  lua_newtable(L);
  functions = lua_gettop(L);
  lua_getfield(L, spec, "rows");
  rows = functions + 1;
  for (uint32_t op = 0; op < PH_KNOWN_OPS; op++) {
    const char *name = ph_op_row((ph_op)op)->name;
    add_row(L, l);
    lua_getfield(L, rows, name);
    read_row(L, l, op, functions, name);
  }
  row_at(l, add_row(L, l))->kind = PL_ROW_STATEMENT;
  for (lua_pushnil(L); lua_next(L, rows) != 0;) {
    const char *name =
        lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
    if (strchr(name, '.') != NULL) {
      uint32_t i = add_row(L, l);
      l->t.may.results = PH_RESULTS_SAID;
      lua_pushinteger(L, i);
      lua_setfield(L, functions, name);
      read_row(L, l, i, functions, name);
    } else {
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
  lua_setiuservalue(L, spec + 1, PL_LANGUAGE_FUNCTIONS);
}

/* }== Rows of dialects =============================================== */

/* Pushes the op as its dialect has it, above that, which has the names, too. */
static const pl_ophandle *push_op(pl_writing *w, ph_op op) {
  ph_str name = ph_op_name(w->program.f, op);
  lua_getiuservalue(w->L, w->self, PL_WRITING_FUNC);
  pl_funcobj_pushdialect(w->L, lua_gettop(w->L),
                         ph_op_dialect(w->program.f, op));
  lua_getfield(w->L, -1, name.at);
  return pl_userdata_test(w->L, lua_gettop(w->L), PL_KIND_OP);
}

/* The row for the text on top, which is compiled once for all ops of so many
** operands. */
static uint32_t row_of_text(pl_writing *w, const ph_opspec *spec) {
  lua_State *L = w->L;
  pl_language *l = w->language;
  int text = lua_gettop(L);
  uint32_t i;
  pl_writing_language(w, PL_LANGUAGE_TEXTS);
  lua_pushvalue(L, text);
  lua_pushfstring(L, "\n%d", spec->nargs);
  lua_concat(L, 2);
  lua_pushvalue(L, -1);
  if (lua_rawget(L, -3) == LUA_TNUMBER) return (uint32_t)lua_tointeger(L, -1);
  l->t.may = pl_template_saying(spec, l->ssa);
  l->t.may.few = l->few;
  l->t.may.options = true;
  i = add_row(L, l);
  row_at(l, i)->row = pl_template_compile(L, &l->t, text, "a dialect");
  row_at(l, i)->kind = PL_ROW_TEXT;
  lua_pop(L, 1);
  lua_pushinteger(L, i);
  lua_rawset(L, -3);
  return i;
}

static uint32_t find_row(pl_writing *w, ph_op op) {
  lua_State *L = w->L;
  int top = lua_gettop(L);
  uint32_t number = PL_ROW_DIALECT;
  ph_str dialect = ph_op_dialect(w->program.f, op),
         name = ph_op_name(w->program.f, op);
  luaL_checkstack(L, 12, NULL);
  pl_writing_language(w, PL_LANGUAGE_FUNCTIONS);
  lua_pushlstring(L, dialect.at, dialect.n);
  lua_pushliteral(L, ".");
  lua_pushlstring(L, name.at, name.n);
  lua_concat(L, 3);
  pl_writing_check(w);
  if (lua_rawget(L, -2) == LUA_TNUMBER) {
    number = (uint32_t)lua_tointeger(L, -1);
  } else if (w->language->has_column) {
    const pl_ophandle *it = push_op(w, op);
    if (it != NULL)
      pl_dialect_op_pushfunction(L, -1, (pl_opfunction)w->language->column);
    if (it != NULL && lua_type(L, -1) == LUA_TSTRING)
      number = row_of_text(w, &it->dialect->ops[it->index]);
  }
  lua_settop(L, top);
  pl_writing_check(w);
  while (w->own.n <= (op - PH_OPS) * sizeof number)
    *(uint32_t *)pl_grown_more(L, &w->own, sizeof number) = 0;
  ((uint32_t *)(void *)w->own.at)[op - PH_OPS] = number + 1;
  return number;
}

uint32_t pl_language_row(pl_writing *w, ph_op op) {
  uint32_t i = (uint32_t)op - PH_OPS;
  if (op < PH_OPS) return op;
  if (i < w->own.n / sizeof i && ((const uint32_t *)(const void *)w->own.at)[i])
    return ((const uint32_t *)(const void *)w->own.at)[i] - 1;
  return find_row(w, op);
}

/* }== The language =================================================== */

/* Reads what kind of language it is. */
static void read_kind(lua_State *L, pl_language *l, int spec) {
  lua_getfield(L, spec, "ssa");
  l->ssa = lua_toboolean(L, -1);
  l->t.may = pl_template_own(l->ssa);
  lua_getfield(L, spec, "few");
  l->few = l->t.may.few = lua_toboolean(L, -1);
  lua_getfield(L, spec, "longest");
  l->longest = (uint32_t)lua_tointeger(L, -1);
  lua_getfield(L, spec, "helpers");
  l->t.may.helpers = lua_toboolean(L, -1);
  if (lua_getfield(L, spec, "column") == LUA_TSTRING) {
    pl_opfunction which = PL_OP_EVAL;
    l->has_column = pl_dialect_op_findfunction(lua_tostring(L, -1), &which);
    l->column = (uint8_t)which;
  }
  l->t.may.options = lua_getfield(L, spec, "flag") != LUA_TSTRING;
  if (!l->t.may.options)
    memcpy(l->t.flags[l->t.nflags++], lua_tostring(L, -1),
           lua_rawlen(L, -1) + 1);
  lua_pop(L, 6);
}

/* phial.core.language(spec) */
static int l_language(lua_State *L) {
  pl_language *l;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  l = lua_newuserdatauv(L, sizeof *l, PL_LANGUAGE_USERVALUES);
  memset(l, 0, sizeof *l);
  pl_userdata_setkind(L, PL_KIND_LANGUAGE);
  pl_template_start(L, &l->t);
  pl_grown_more(L, &l->specials, 1);
  l->specials.n = 0;
  read_kind(L, l, 1);
  read_words(L, l, 1);
  read_types(L, l, 1);
  read_forms(L, l, 1);
  l->argument = read_part(L, l, 1, "argument");
  l->incoming = read_part(L, l, 1, "incoming");
  read_rows(L, l, 1);
  lua_newtable(L);
  lua_setiuservalue(L, 2, PL_LANGUAGE_TEXTS);
  lua_getfield(L, 1, "constant");
  lua_setiuservalue(L, 2, PL_LANGUAGE_CONSTANT);
  lua_getfield(L, 1, "dialect");
  lua_setiuservalue(L, 2, PL_LANGUAGE_DIALECT);
  l->quotes = lua_getfield(L, 1, "quote") != LUA_TNIL;
  lua_setiuservalue(L, 2, PL_LANGUAGE_QUOTE);
  return 1;
}

static int l_gc(lua_State *L) {
  pl_language *l = pl_userdata_test(L, 1, PL_KIND_LANGUAGE);
  if (l != NULL && !pl_userdata_module(L)->closed) {
    pl_template_done(L, &l->t);
    pl_grown_done(L, &l->rows);
    pl_grown_done(L, &l->specials);
    for (size_t i = 0; i < PL_BUFFERS; i++) pl_grown_done(L, &l->spare[i]);
  }
  return 0;
}

/* }=================================================================== */

const pl_method pl_language_methods[] = {
    {PL_OF_MODULE, "language", l_language},
    {PL_OF_LANGUAGE, "__gc", l_gc},
    {0},
};
