/* arg.h: arguments that are no handles, and operands. */
#ifndef PL_STATE_ARG_H
#define PL_STATE_ARG_H

#include "binding/state/funcobj.h"

/*
** {== arg.c: other arguments =========================================
*/

/* Checks the number of arguments (most < 0: there may be any number more);
** methods do not count themselves. */
void pl_arg_count(lua_State *L, int least, int most);
ph_str pl_arg_str(lua_State *L, int arg);
ph_str pl_arg_optstr(lua_State *L, int arg);
lua_Integer pl_arg_int(lua_State *L, int arg, lua_Integer least,
                       lua_Integer most);
ph_type pl_arg_type(lua_State *L, pl_funcobj *h, int arg);
ph_op pl_arg_op(lua_State *L, pl_funcobj *h, int arg); /* by its name */
/* suggest.c: the op whose name is near, or PH_NONE. */
ph_op pl_suggest_op(const pl_funcobj *h, ph_str name);
bool pl_arg_isident(ph_str s);
void pl_arg_table(lua_State *L, int arg);
/* Checks that the table at `arg` (or nil) has no field but the n known. */
void pl_arg_fields(lua_State *L, int arg, const char *const *known, int n);
/* Pushes a field of it, nil when there is no table; returns its type. */
int pl_arg_field(lua_State *L, int arg, const char *name);
/* Its option `name`, which lies on top: a boolean, one of n choices;
** pl_arg_choice: looked up, the first choice when it is not there. */
bool pl_arg_boolopt(lua_State *L, int arg, const char *name);
int pl_arg_choiceopt(lua_State *L, int arg, const char *name,
                     const char *const *choices, int n);
int pl_arg_choice(lua_State *L, int arg, const char *name,
                  const char *const *choices, int n);

/* }== literal.c: Lua values as constants ============================= */

bool pl_literal_is(lua_State *L, int arg);
/* The type of a literal that nothing gives a type to. */
ph_type pl_literal_alone(lua_State *L, int arg);
bool pl_literal_fits(lua_State *L, int arg, ph_type type);
ph_value pl_literal_value(lua_State *L, ph_func *f, int arg, ph_type type);
/* Pushes what a constant or a datum holds. */
void pl_literal_push(lua_State *L, const ph_func *f, ph_type type,
                     ph_data data);

/* }== operand.c: operands of a call ================================== */

enum { PL_OPERANDS_FEW = 8 };
typedef struct {
  const ph_opspec *spec; /* of the op, when its handle was given; or NULL */
  int n;
  int first;  /* stack index of the first */
  int number; /* the first is argument #number; 0: it is self */
  ph_value *args;
  ph_type *types;
  ph_value few[PL_OPERANDS_FEW];
  ph_type few_types[PL_OPERANDS_FEW];
} pl_operands;

/* Room for n operands from stack index `first` on; can push. */
void pl_operand_room(lua_State *L, pl_operands *o, int first, int n,
                     int number);
/* Checks them and gives the result type (in: the one that was said). */
void pl_operand_check(lua_State *L, pl_funcobj *h, pl_operands *o, ph_op op,
                      ph_type *type);
/* Checks that the operand at `arg` can be of `type`, which may be none, or
** of var's type; returns it. */
ph_type pl_operand_typed(lua_State *L, pl_funcobj *h, int arg, ph_type type,
                         ph_var var);
/* The same; sets *v, to none when it is a literal. */
ph_type pl_operand_take(lua_State *L, pl_funcobj *h, int arg, ph_type type,
                        ph_var var, ph_value *v);
/* Makes constants of the literals. */
void pl_operand_make(lua_State *L, ph_func *f, pl_operands *o);
ph_value pl_operand_one(lua_State *L, ph_func *f, int arg, ph_type type);

/* }=================================================================== */

#endif
