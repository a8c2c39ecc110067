/* op.h: properties of ops and types, beyond the public header. */
#ifndef PH_IR_OP_H
#define PH_IR_OP_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Returns the attached dialect of an op; NULL for those of phial. */
const ph_attached *ph_op_owner(const ph_func *f, ph_op op);
/* Return the letters of an op of phial in op.def: that of the result; those of
** the operands, with `*` after the last one if it stands for all that
** follow. */
char ph_op_result(ph_op op);
const char *ph_op_operands(ph_op op);
/* Returns the row of a dialect's op. */
const ph_opspec *ph_op_spec(const ph_func *f, ph_op op);

/* The rows of op.def, by op. */
extern const ph_oprow ph_op_rows[];

/* Returns the op that is equivalent with its two operands exchanged, or
** PH_NONE; ph_op_swappedown, of an op of a dialect. */
ph_op ph_op_swappedown(const ph_func *f, ph_op op);
static inline ph_op ph_op_swapped(const ph_func *f, ph_op op) {
  return op < PH_OPS ? ph_op_rows[op].swapped : ph_op_swappedown(f, op);
}

/* A byte of f->flags: the effect is stored above the flags. */
enum { PH_EFFECT_SHIFT = 6, PH_FLAGS = (1 << PH_EFFECT_SHIFT) - 1 };

static inline uint8_t ph_op_flagsof(const ph_func *f, ph_op op) {
  return op < PH_OPS ? ph_op_rows[op].flags
                     : f->flags.at[op - PH_OPS] & PH_FLAGS;
}
static inline bool ph_op_has(const ph_func *f, ph_op op, uint8_t flag) {
  return (ph_op_flagsof(f, op) & flag) != 0;
}
static inline ph_effect ph_op_effectof(const ph_func *f, ph_op op) {
  return op < PH_OPS ? (ph_effect)ph_op_rows[op].effect
                     : (ph_effect)(f->flags.at[op - PH_OPS] >> PH_EFFECT_SHIFT);
}

/*
** {== Classes ========================================================
*/

static inline ph_opclass ph_op_classof(ph_op op) {
  return op < PH_OPS ? (ph_opclass)ph_op_rows[op].op_class : PH_CLASS_OTHER;
}
/* True if constant operands give a constant result. */
static inline bool ph_op_computes(ph_op op) {
  return ph_op_classof(op) != PH_CLASS_OTHER;
}
static inline bool ph_op_isshift(ph_op op) {
  ph_opclass c = ph_op_classof(op);
  return c == PH_CLASS_LSHIFT || c == PH_CLASS_RSHIFT;
}
static inline bool ph_op_iscompare(ph_op op) {
  ph_opclass c = ph_op_classof(op);
  return c == PH_CLASS_COMPARE || c == PH_CLASS_UCOMPARE ||
         c == PH_CLASS_FCOMPARE;
}
static inline bool ph_op_iscast(ph_op op) {
  return ph_op_classof(op) >= PH_CLASS_NARROW;
}

/* True for loads and stores whose bytes nothing but stores changes. */
static inline bool ph_op_loads(ph_op op) {
  return op == PH_LOAD || op == PH_LOAD_UNALIGNED;
}
static inline bool ph_op_stores(ph_op op) {
  return op == PH_STORE || op == PH_STORE_UNALIGNED;
}

/* True if the data is the message of a trap, a string. */
static inline bool ph_op_tells(ph_op op) {
  return op == PH_TRAP_IF || op == PH_TRAP;
}
/* True if an instruction of that op can have that data: a message; what is
** called, or whose address it is, or the name of that. */
static inline bool ph_op_fitsdata(ph_op op, ph_data d) {
  bool is_name = d.tag == PH_DATA_STR;
  if (ph_op_tells(op)) return is_name;
  if (op >= PH_OPS || (ph_op_rows[op].flags & PH_SYMBOLIC) == 0) return true;
  return is_name ? d.bits != 0
                 : d.tag == PH_DATA_SYMBOL || d.tag == PH_DATA_HOST;
}

/* }== Types ========================================================== */

/* Returns the attached dialect of a type; NULL for those of phial. */
const ph_attached *ph_type_owner(const ph_func *f, ph_type type);
/* Returns the number that an op, or type, of `from` has in f: dialects are
** attached to each function and set in an order of its own.  PH_NONE, or
** PH_NOTYPE: its dialect is not attached to f. */
ph_op ph_op_owned(const ph_func *f, const ph_func *from, ph_op op);
ph_type ph_type_owned(const ph_func *f, const ph_func *from, ph_type type);
static inline ph_op ph_op_in(const ph_func *f, const ph_func *from, ph_op op) {
  return op < PH_OPS ? op : ph_op_owned(f, from, op);
}
static inline ph_type ph_type_in(const ph_func *f, const ph_func *from,
                                 ph_type type) {
  return type < PH_TYPES ? type : ph_type_owned(f, from, type);
}
/* Converts a type from the dialect's own numbering to that of the function. */
static inline ph_type ph_type_own(const ph_attached *a, ph_type t) {
  return t < PH_TYPES ? t : (ph_type)(t - PH_TYPES + a->type);
}

/* }=================================================================== */

#pragma GCC visibility pop
#endif
