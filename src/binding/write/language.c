/* language.c: phial.core.language(spec): how a language writes ops. */
#include <string.h>

#include "binding/state/error.h"
#include "binding/state/method.h"
#include "binding/write/writing.h"

static const char *const word_names[PL_WORDS] = {
    "set",     "finish",   "drop",  "dropped", "jump",     "test",
    "then",    "begin",    "done",  "negate",  "trap",     "trapped",
    "between", "language", "sigil", "label",   "labelled", "otherwise",
    "number",  "local",    "leave", "slot",    "slotted",  "block",
    "blocked", "frame"};

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
  for (ph_type type = 1; type < PH_TYPES; type++) {
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
    if (lua_rawget(L, -2) == LUA_TSTRING) {
      l->has_form[c] = true;
      l->forms[c] = pl_template_compile(L, &l->t, lua_gettop(L), "form");
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* }== Rows =========================================================== */

static void read_row(lua_State *L, pl_language *l, ph_op op, int functions) {
  int type = lua_type(L, -1);
  if (type == LUA_TSTRING) {
    const char *what = lua_pushfstring(L, "row '%s'", ph_op_row(op)->name);
    l->ops[op].kind = PL_ROW_TEXT;
    l->ops[op].row = pl_template_compile(L, &l->t, lua_gettop(L) - 1, what);
    lua_pop(L, 1);
  } else if (type == LUA_TFUNCTION || type == LUA_TTABLE) {
    bool is_value = type == LUA_TTABLE;
    l->ops[op].kind = is_value ? PL_ROW_EXPRESSION : PL_ROW_STATEMENT;
    if (is_value) {
      l->ops[op].checks = lua_getfield(L, -1, "check") != LUA_TNIL;
      l->ops[op].patterns = lua_getfield(L, -2, "pattern") != LUA_TNIL;
      lua_pop(L, 2);
    }
    lua_pushvalue(L, -1);
    lua_rawseti(L, functions, op);
  }
}

static void read_ssa(lua_State *L, pl_language *l, int spec) {
  l->ssa = true;
  if (lua_getfield(L, spec, "incoming") == LUA_TSTRING)
    l->incoming = pl_template_compile(L, &l->t, lua_gettop(L), "incoming");
  lua_getfield(L, spec, "longest");
  l->longest = (uint32_t)lua_tointeger(L, -1);
  lua_pop(L, 2);
}

static void read_rows(lua_State *L, pl_language *l, int spec) {
  int functions;
  lua_newtable(L);
  functions = lua_gettop(L);
  lua_getfield(L, spec, "rows");
  for (ph_op op = 0; op < PH_OPS; op++) {
    lua_getfield(L, -1, ph_op_row(op)->name);
    read_row(L, l, op, functions);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  lua_setiuservalue(L, spec + 1, PL_LANGUAGE_FUNCTIONS);
}

/* Gives room to what rows are compiled into: an address in it is never null. */
static void start_templates(lua_State *L, pl_language *l) {
  pl_grown *all[] = {&l->t.texts, &l->t.parts, &l->t.tests, &l->t.lines,
                     &l->specials};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    pl_grown_more(L, all[i], 1);
    all[i]->n = 0;
  }
}

/* phial.core.language(spec) */
static int l_language(lua_State *L) {
  pl_language *l;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  l = lua_newuserdatauv(L, sizeof *l, PL_LANGUAGE_USERVALUES);
  memset(l, 0, sizeof *l);
  pl_userdata_setkind(L, PL_KIND_LANGUAGE);
  start_templates(L, l);
  read_words(L, l, 1);
  read_types(L, l, 1);
  read_forms(L, l, 1);
  read_rows(L, l, 1);
  lua_getfield(L, 1, "few");
  l->few = lua_toboolean(L, -1);
  lua_getfield(L, 1, "ssa");
  if (lua_toboolean(L, -1)) read_ssa(L, l, 1);
  lua_settop(L, 2);
  lua_getfield(L, 1, "constant");
  lua_setiuservalue(L, 2, PL_LANGUAGE_CONSTANT);
  lua_getfield(L, 1, "dialect");
  lua_setiuservalue(L, 2, PL_LANGUAGE_DIALECT);
  lua_getfield(L, 1, "quote");
  lua_setiuservalue(L, 2, PL_LANGUAGE_QUOTE);
  return 1;
}

static int l_gc(lua_State *L) {
  pl_language *l = pl_userdata_test(L, 1, PL_KIND_LANGUAGE);
  if (l != NULL && !pl_userdata_module(L)->closed) {
    pl_template_done(L, &l->t);
    pl_grown_done(L, &l->specials);
  }
  return 0;
}

/* }=================================================================== */

const pl_method pl_language_methods[] = {
    {PL_OF_MODULE, "language", l_language},
    {PL_OF_LANGUAGE, "__gc", l_gc},
    {0},
};
