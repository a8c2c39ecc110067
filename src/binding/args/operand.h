/* operand.h: operands of a call: values, literals and variables to be read. */
#ifndef PL_ARGS_OPERAND_H
#define PL_ARGS_OPERAND_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Until it is read, an operand that is a variable is its id with this bit. */
#define PL_OPERAND_VAR 0x80000000u

static inline bool pl_operand_isvar(ph_value v) {
  return (v.id & PL_OPERAND_VAR) != 0;
}
static inline ph_var pl_operand_var(ph_value v) {
  return (ph_var){v.id & ~PL_OPERAND_VAR};
}

enum { PL_OPERANDS_FEW = 8 };
typedef struct {
  const ph_opspec *spec;    /* of the op, if its handle was given; or NULL */
  const pl_funcobj *callee; /* that they are passed to, if known; or NULL */
  ph_block reads; /* where variables are read; none: they are refused */
  int n;
  int nvars;  /* how many of them are variables */
  int first;  /* stack index of the first */
  int number; /* the first is argument #number; 0: it is self */
  ph_value *args;
  ph_type *types;
  ph_value few[PL_OPERANDS_FEW];
  ph_type few_types[PL_OPERANDS_FEW];
} pl_operands;

/* Makes room for n operands from stack index `first` on; can push.  Variables
** are refused until `reads` is set. */
void pl_operand_room(lua_State *L, pl_operands *o, int first, int n,
                     int number);
/* Checks them; *type is the result type that was given, if any, and becomes
** that of the result. */
void pl_operand_check(lua_State *L, pl_funcobj *h, pl_operands *o, ph_op op,
                      ph_type *type);
/* Checks that a callee returns n results which can become those of these types;
** n = 0: none is needed. */
void pl_operand_checkreturned(lua_State *L, pl_funcobj *h,
                              const pl_funcobj *callee, const ph_type *types,
                              int n);
/* Returns the op whose name is that of the method that makes an `op`: call, of an
** indirect call. */
ph_op pl_operand_direct(ph_op op);
/* True if the only argument, at `last`, cannot be the type of the result. An op
** of a dialect may have no operands. */
bool pl_operand_lackstype(lua_State *L, ph_op op, int last);
/* Raises an error: the last argument does not say the type of the result. */
_Noreturn void pl_operand_refuseuntyped(lua_State *L, pl_funcobj *h, ph_op op);
/* Checks the number m of targets of an op with n operands. */
void pl_operand_checktargets(lua_State *L, pl_funcobj *h, ph_op op, int n,
                             int m);
/* Returns the type of the operand at `arg`; it must be `type`, unless that is
** none.  var, if any, is named in the error as what expects the type. */
ph_type pl_operand_typed(lua_State *L, pl_funcobj *h, int arg, ph_type type,
                         ph_var var);
/* The same, but the operand can be a variable, too.  Sets *v: to none if the
** operand is a literal, with PL_OPERAND_VAR if it is a variable. */
ph_type pl_operand_take(lua_State *L, pl_funcobj *h, int arg, ph_type type,
                        ph_var var, ph_value *v);
/* Reads the variables, from left to right; fn: as for pl_read_end. */
void pl_operand_readvars(lua_State *L, pl_funcobj *h, pl_operands *o, int fn);
static inline void pl_operand_read(lua_State *L, pl_funcobj *h, pl_operands *o,
                                   int fn) {
  if (o->nvars > 0) pl_operand_readvars(L, h, o, fn);
}
/* Makes constants of the literals; call it after pl_operand_read. */
void pl_operand_make(lua_State *L, ph_func *f, pl_operands *o);
/* The value at `arg`, or the constant of that type for the literal there. */
ph_value pl_operand_one(lua_State *L, ph_func *f, int arg, ph_type type);

#pragma GCC visibility pop
#endif
