/* arg.h: arguments: self, counts, strings, numbers, types, tables of options,
** source locations.
*/
#ifndef PL_STATE_ARG_H
#define PL_STATE_ARG_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/*
** {== Self and the number of arguments ===============================
*/

/* Checks the number of arguments, self not counted (most < 0: no limit); nils
** that exceed it are as if absent, and leave the stack. */
void pl_arg_count(lua_State *L, int least, int most);
_Noreturn void pl_arg_badself(lua_State *L, int kind);
/* Argument 1 of a method, which takes `least` to `most` more. */
static inline void *pl_arg_self(lua_State *L, int kind) {
  void *p = pl_userdata_test(L, 1, kind);
  if (p == NULL) pl_arg_badself(L, kind);
  return p;
}
static inline void *pl_arg_method(lua_State *L, int kind, int least, int most) {
  void *p = pl_arg_self(L, kind);
  int n = lua_gettop(L) - 1;
  if (n < least || n > most) pl_arg_count(L, least, most);
  return p;
}
/* The same for a method without arguments. */
static inline void *pl_arg_only(lua_State *L, int kind) {
  return pl_arg_method(L, kind, 0, 0);
}
/* The same for n arguments, quicker: leaves a value above them.  _refuse: raises
** what is wrong, or returns argument 1, if only nils exceed the arguments. */
void *pl_arg_refuse(lua_State *L, int kind, int top, int least, int most);
static inline void *pl_arg_quick(lua_State *L, int kind, int n) {
  int top = lua_gettop(L);
  void *p = pl_userdata_peek(L, pl_userdata_module(L), 1, kind);
  if (p == NULL || top != n + 1) return pl_arg_refuse(L, kind, top, n, n);
  return p;
}

/* The __index of a table of methods: raises that the method does not exist.
** Its own name is that of the kind. */
int pl_arg_unknownmethod(lua_State *L);

/* }== Scalars ======================================================== */

ph_str pl_arg_str(lua_State *L, int arg);
ph_str pl_arg_optstr(lua_State *L, int arg); /* "" unless it is given */
lua_Integer pl_arg_int(lua_State *L, int arg, lua_Integer least,
                       lua_Integer most);
/* What follows the name of an unknown type in messages. */
#define PL_TYPES "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any"
ph_type pl_arg_type(lua_State *L, pl_funcobj *h, int arg); /* by its name */
ph_op pl_arg_op(lua_State *L, pl_funcobj *h, int arg);     /* by its name */
/* Pushes ": did you mean 'add'?" about the unknown op `name`, or "" if no op
** resembles it; returns the text. */
const char *pl_arg_meantop(lua_State *L, pl_funcobj *h, ph_str name);
bool pl_arg_isident(ph_str s);

/* }== Tables of options ============================================== */

void pl_arg_table(lua_State *L, int arg);
/* Returns what is at `at` instead of a table: also one that stands for something
** else, as the facade's handles do.  NULL: a table; otherwise can push. */
const char *pl_arg_nottable(lua_State *L, int at);
/* Checks that the table at `arg`, if any, has only the n known fields. */
void pl_arg_fields(lua_State *L, int arg, const char *const *known, int n);
/* Pushes a field of it, nil without a table; returns the field's type. */
int pl_arg_field(lua_State *L, int arg, const char *name);
/* The boolean in that field, or `usual` without it. */
bool pl_arg_flag(lua_State *L, int arg, const char *name, bool usual);
/* The value on top is that of option `name`: a boolean, or the index of one of
** n choices.  pl_arg_choice looks it up; the first choice is the default. */
bool pl_arg_boolopt(lua_State *L, int arg, const char *name);
int pl_arg_choiceopt(lua_State *L, int arg, const char *name,
                     const char *const *choices, int n);
int pl_arg_choice(lua_State *L, int arg, const char *name,
                  const char *const *choices, int n);

/* }== Lists ========================================================== */

/* Returns the length n of the list at `at`, a table whose keys are 1 to n, and
** maybe some of the fields.  Otherwise raises an error about argument `arg` (0:
** about none) and `what` of it, "option 'refine'" ("": all of it).  `at` is an
** absolute index.  Can run finalizers. */
lua_Integer pl_arg_listwith(lua_State *L, int arg, int at, const char *what,
                            const char *const *fields, int nfields);
/* The same without fields. */
static inline lua_Integer pl_arg_list(lua_State *L, int arg, int at,
                                      const char *what) {
  return pl_arg_listwith(L, arg, at, what, NULL, 0);
}

/* }== Source locations =============================================== */

/* Takes line, column, file, line and column of the end at stack indices 2 to 6,
** all optional.  The file is not interned yet. */
ph_srcloc pl_srcloc_take(lua_State *L, ph_str *file);
/* Pushes line, column, file and, if it is known, line and column of the end;
** nil if loc is nowhere.  Returns the number of results. */
int pl_srcloc_push(lua_State *L, pl_funcobj *h, ph_srcloc loc);
/* Pushes {line =, col =, end_line =, end_col =}, with what is known. */
void pl_srcloc_pushtable(lua_State *L, ph_srcloc loc);
/* Pushes "file:line", or nil if loc is nowhere; returns 1. */
int pl_srcloc_pushplace(lua_State *L, pl_funcobj *h, ph_srcloc loc);
/* Set a field of the table on top, unless loc is nowhere:
** place = "file:line", loc = {line =, col =, file =, ...}. */
void pl_srcloc_setplace(lua_State *L, pl_funcobj *h, ph_srcloc loc);
void pl_srcloc_setloc(lua_State *L, pl_funcobj *h, ph_srcloc loc);

/* }=================================================================== */

#pragma GCC visibility pop
#endif
