/* op.h: types and ops, dialects, what operands fit. */
#ifndef PHIAL_OP_H
#define PHIAL_OP_H

#include "phial/base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  PH_NOTYPE, /* of instructions without a result */
  PH_I1,
  PH_I8,
  PH_I16,
  PH_I32,
  PH_I64,
  PH_F32,
  PH_F64,
  PH_ANY,
  PH_TYPES /* the first type of a dialect */
};

enum {
#define PH_OP(NAME, ...) PH_##NAME,
#include "phial/op.def"
  PH_OPS /* the first op of a dialect */
};

/* Classes of ops, which op.def describes. */
typedef enum {
#define PH_OPCLASS(NAME, name) PH_CLASS_##NAME,
#include "phial/op.def"
  PH_CLASSES
} ph_opclass;

/* Flags of an op. */
enum {
  PH_PURE = 1,        /* no effect, no trap: may be merged or dropped */
  PH_COMMUTATIVE = 2, /* both operands may change places */
  PH_TERMINATOR = 4,  /* ends a block */
  PH_TRAPS = 8,       /* may trap, has no other effect */
  PH_LEAF = 16        /* no instruction of a block: const, param, undef */
};

/* Arity of an op or number of targets of a terminator: any number. */
#define PH_VARIADIC (-1)

/* What op.def says of an op of phial. */
typedef struct {
  const char *name, *signature, *text;
  ph_op swapped;    /* or PH_NONE */
  uint8_t op_class; /* ph_opclass */
  uint8_t flags, weight;
  int8_t targets; /* of a terminator, or PH_VARIADIC */
} ph_oprow;

const ph_oprow *ph_op_row(ph_op op);

/* One op of a dialect.  Types are given as numbers: PH_I64 ..., PH_TYPES + i
** for the i-th type of the dialect. */
typedef struct {
  const char *name;
  const ph_type *args; /* nargs types; NULL: any type is taken */
  int nargs;           /* or PH_VARIADIC */
  int ntargets;        /* of a terminator, or PH_VARIADIC */
  ph_type result;      /* PH_NOTYPE: none */
  uint8_t flags;
  uint16_t nresults; /* more than 1: further ones by PH_PROJ */
  uint16_t cost;     /* for rules, which make things cheaper; 0: 3, as add */
} ph_opspec;

/* A dialect: the ops and types of a user.  It is owned by the host and must
** outlive the functions it is attached to. */
typedef struct {
  const char *name;
  const ph_opspec *ops;
  const char *const *types;
  uint16_t nops, ntypes;
} ph_dialect;

/* Attaches d to f, which may be blank still (once; later calls give the same)
** and returns the op number of its first op; the i-th is that plus i. */
ph_op ph_op_attach(ph_func *f, const ph_dialect *d);
/* The type number in f of type t of the attached dialect d. */
ph_type ph_op_typeof(const ph_func *f, const ph_dialect *d, ph_type t);
/* Op and type by name ("add", "lua.call"; "i64", "lua.table"); false when f
** knows none of that name. */
bool ph_op_find(const ph_func *f, ph_str name, ph_op *op);
bool ph_op_findtype(const ph_func *f, ph_str name, ph_type *type);
/* The name without, and the dialect's name ("" for the ops of phial). */
ph_str ph_op_name(const ph_func *f, ph_op op);
ph_str ph_op_dialect(const ph_func *f, ph_op op);
ph_str ph_op_typename(const ph_func *f, ph_type type);
ph_str ph_op_typedialect(const ph_func *f, ph_type type);
uint8_t ph_op_flags(const ph_func *f, ph_op op);
/* PH_CLASS_OTHER for ops of dialects. */
ph_opclass ph_op_class(ph_op op);
const char *ph_op_classname(ph_opclass c);
int ph_op_nargs(const ph_func *f, ph_op op);
int ph_op_ntargets(const ph_func *f, ph_op op);
int ph_op_nresults(const ph_func *f, ph_op op);
/* Does the result type have to be said (trunc, call)? */
bool ph_op_saystype(const ph_func *f, ph_op op);
/* Bits of an integer or float type, 0 for others. */
int ph_op_width(ph_type type);
bool ph_op_isint(ph_type type);
bool ph_op_isfloat(ph_type type);

/* Why operands do not fit an op. */
typedef enum {
  PH_FITS,
  PH_WRONG_COUNT, /* `want` operands expected */
  PH_WRONG_TYPE,  /* operand `arg` must have type `type` */
  PH_WRONG_LIKE,  /* operand `arg` must have the type of operand `like` */
  PH_WANTS_INT,   /* operand `arg` must be an integer, of any type */
  PH_WANTS_FLOAT, /* operand `arg` must be a float, of any type */
  PH_WANTS_VALUE, /* operand `arg` must be a value: it has no result */
  PH_WRONG_RESULT /* no such result type here (trunc to a wider type) */
} ph_mismatch_kind;

typedef struct {
  ph_mismatch_kind kind;
  int want, arg, like; /* operands count from 0 */
  ph_type type;
} ph_mismatch;

/* Checks n operands of `op` and, for the ops that say it, the result type;
** *type is set to the result type when it fits. */
ph_mismatch ph_opcheck_values(const ph_func *f, ph_op op, const ph_value *args,
                              int n, ph_type *type);

/* The same for operands that are not values yet: by their types. */
ph_mismatch ph_opcheck_types(const ph_func *f, ph_op op, const ph_type *args,
                             int n, ph_type *type);

/* The type that constant operand i should have beside operands of these
** types (PH_NOTYPE: not known yet): that of the others, or what the op says;
** PH_NOTYPE when nothing tells. */
ph_type ph_opcheck_wants(const ph_func *f, ph_op op, const ph_type *args, int n,
                         int i);

#ifdef __cplusplus
}
#endif

#endif
