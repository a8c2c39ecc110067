/* op.h: types and ops, dialects, what operands fit.
**
** op.def is the table of phial's ops.  A dialect adds ops and types of the
** host's own; they get numbers in each function that it is attached to.
*/
#ifndef PHIAL_OP_H
#define PHIAL_OP_H

#include "phial/base.h"

PH_BEGIN_DECLS

/* Numbers of types and ops never change, and new ones are appended; those of
** dialects begin where they leave room.  The numbers below PH_KNOWN_TYPES and
** PH_KNOWN_OPS are in use. */

/*
** {== Types ==========================================================
*/

enum {
  PH_NOTYPE = 0, /* of instructions without a result */
  PH_I1 = 1,
  PH_I8 = 2,
  PH_I16 = 3,
  PH_I32 = 4,
  PH_I64 = 5,
  PH_F32 = 6,
  PH_F64 = 7,
  PH_ANY = 8,
  PH_PTR = 9, /* an address */
  PH_KNOWN_TYPES,
  PH_TYPES = 16 /* the first type of a dialect */
};

/* Returns the bits of an integer or float type, 64 for ptr; 0 for other
** types. */
int ph_type_width(ph_type type);
bool ph_type_isint(ph_type type); /* i1 to i64 */
bool ph_type_isfloat(ph_type type);
/* True for types that memory holds: integers, floats, ptr. */
bool ph_type_isstored(ph_type type);
/* Return the name of a type without that of its dialect ("i64", "table"), and
** the name of its dialect ("" for types of phial, for which f may be NULL).  They
** are valid as long as the dialect. */
ph_str ph_type_name(const ph_func *f, ph_type type);
ph_str ph_type_dialect(const ph_func *f, ph_type type);
/* Looks up a type by its full name ("i64", "lua.table"); false: f has none. */
bool ph_type_find(const ph_func *f, ph_str name, ph_type *type);

/* }== Ops ============================================================ */

enum {
#define PH_OP(NAME, number, ...) PH_##NAME = number,
#include "phial/op.def"
  PH_OPS = 256,       /* the first op of a dialect */
  PH_OPS_END = 0xffc0 /* above all ops: functions of rules */
};
enum {
  PH_KNOWN_OPS = 0
#define PH_OP(NAME, ...) +1
#include "phial/op.def"
};

/* Classes of ops, which op.def describes. */
typedef enum {
#define PH_OPCLASS(NAME, name) PH_CLASS_##NAME,
#include "phial/op.def"
  PH_CLASSES
} ph_opclass;

/* What an instruction does besides giving its result. */
typedef enum {
  PH_EFFECT_WRITE, /* anything: it is never merged, nor dropped */
  PH_EFFECT_READ,  /* it sees what writes do: may be dropped, and merged if
                      nothing is written in between */
  PH_EFFECT_NEW, /* its result is a new thing each time (an allocation): may be
                      dropped, is never merged */
  PH_EFFECT_NONE /* nothing: may be merged or dropped */
} ph_effect;

/* Flags of an op. */
enum {
  PH_COMMUTATIVE = 1, /* the operands may be exchanged */
  PH_TERMINATOR = 2,  /* ends a block */
  PH_TRAPS = 4, /* may trap: is not dropped; one that dominates an equal one can
                   replace it if the effect is none */
  PH_LEAF = 8,  /* not an instruction: const, param, undef */
  PH_SYMBOLIC = 16 /* its data is a function or the like, or the name of one */
};

/* A number of operands or targets: any. */
#define PH_VARIADIC (-1)

/* A row of op.def. */
typedef struct {
  const char *name, *signature, *text;
  ph_op swapped;    /* or PH_NONE */
  uint8_t op_class; /* ph_opclass */
  uint8_t effect;   /* ph_effect */
  uint8_t flags, weight;
  int8_t targets; /* of a terminator, or PH_VARIADIC */
} ph_oprow;

/* Returns the row of an op of phial, op < PH_KNOWN_OPS. */
const ph_oprow *ph_op_row(ph_op op);
/* Returns the class of any op: PH_CLASS_OTHER for those of dialects. */
ph_opclass ph_op_class(ph_op op);
/* Returns the name of a class. */
const char *ph_op_classname(ph_opclass c);

/* As for types.  (An op that is passed is one of phial, or of a dialect that is
** attached to f.) */
ph_str ph_op_name(const ph_func *f, ph_op op);
ph_str ph_op_dialect(const ph_func *f, ph_op op);
bool ph_op_find(const ph_func *f, ph_str name, ph_op *op);
/* Looks up a name that other languages and compilers have for an op: sets
** here[0], and here[1] if it can mean one of two (else PH_NONE), to that op of
** phial ("div": PH_SDIV, PH_UDIV).  False: the name is not known. */
bool ph_op_alias(ph_str name, ph_op here[2]);

/* Returns the flags of an op. */
uint8_t ph_op_flags(const ph_func *f, ph_op op);
/* Returns the effect of an op, which does not matter if it is a terminator. */
ph_effect ph_op_effect(const ph_func *f, ph_op op);
/* Returns the name of an effect: "none", "read", "new" or "write". */
const char *ph_effect_name(ph_effect effect);
/* True if the op has no effect, does not trap and does not end a block. */
bool ph_op_ispure(const ph_func *f, ph_op op);
/* True if an instruction of that op can name a variable, and cannot have data:
** copies that writes make, refinements, may-writes. */
bool ph_op_namesvar(ph_op op);
/* Return the number of operands, or PH_VARIADIC; of targets (0 unless it is a
** terminator), or PH_VARIADIC; of results: more than 1 for some ops of
** dialects, PH_RESULTS_SAID for calls. */
int ph_op_nargs(const ph_func *f, ph_op op);
int ph_op_ntargets(const ph_func *f, ph_op op);
int ph_op_nresults(const ph_func *f, ph_op op);
/* Returns the type of result i, from 0, of an instruction of that op whose first
** result has type `first`; PH_NOTYPE: each projection says it, because both the
** type and the number of results are said.  Such projections are made before the
** next instruction of that op, which may be found to be equal. */
ph_type ph_op_resulttype(const ph_func *f, ph_op op, ph_type first, int i);
/* True if the result type does not follow from the operands and must be given
** (trunc, call). */
bool ph_op_needstype(const ph_func *f, ph_op op);

/* }== Dialects ======================================================= */

/* The type of a result that the instruction says (ph_opspec). */
#define PH_SAIDTYPE UINT8_MAX

/* As the number of an op's results: as many as the instruction says. */
#define PH_RESULTS_SAID UINT16_MAX

/* An op of a dialect.  Its types are PH_I64 and the like, or PH_TYPES + i for
** type i of the dialect, from 0. */
typedef struct {
  const char *name;
  const ph_type *args; /* nargs types; NULL: operands of any type */
  int nargs;           /* or PH_VARIADIC */
  int ntargets;        /* of a terminator, or PH_VARIADIC */
  ph_type result;      /* PH_NOTYPE: none; PH_SAIDTYPE: the instruction says */
  uint8_t flags;
  uint8_t effect;    /* ph_effect */
  uint16_t nresults; /* more than 1: further ones are taken by PH_PROJ;
                        PH_RESULTS_SAID: any number of them */
  uint16_t cost;     /* weight in rules; 0: 3, as add has; and what one less
                        saves; 0: 1 */

  /* Names of classes of effects (ph_effects_isclass), with NULL at the end; NULL:
  ** everything that the effect allows. */
  const char *const *reads;
  const char *const *writes;
  const ph_type *results; /* nresults types, the first of which is `result`;
                             NULL: all results have the type of the first */
  PH_RESERVED;
} ph_opspec;

/* Ops and types of the host, which owns them: they do not change, and outlive
** the functions and sets of rules to which they are attached, at most 65,216 ops
** and 239 types to each.  `ops` and `types` may be NULL if there are none. */
typedef struct {
  const char *name;
  const ph_opspec *ops; /* found by name faster if they are sorted by it */
  const char *const *types;
  uint16_t nops, ntypes;
  bool classes; /* some op has `reads` or `writes`; required of a dialect that
                   has such ops, since no function looks for them */
  PH_RESERVED;
} ph_dialect;

/* Attaches d to f, which may be blank, unless that has been done.  Returns the
** number of its op 0 in f; op i has that number plus i. */
ph_op ph_op_attachdialect(ph_func *f, const ph_dialect *d);
/* Returns the i-th dialect that was attached to f, from 0; NULL if there are not
** that many. */
const ph_dialect *ph_op_attached(const ph_func *f, uint32_t i);
/* Returns the number in f of a type of the attached dialect d; `type` is as in
** ph_opspec. */
ph_type ph_type_ofdialect(const ph_func *f, const ph_dialect *d, ph_type type);

/* }== Operands ======================================================= */

/* Why operands do not fit an op. */
typedef enum {
  PH_FITS,
  PH_WRONG_COUNT, /* there must be `want` operands */
  PH_WRONG_TYPE,  /* operand `arg` must have type `type` */
  PH_WRONG_LIKE,  /* operand `arg` must have type `type`, like operand `like` */
  PH_WANTS_INT,   /* operand `arg` must be an integer, of any type */
  PH_WANTS_FLOAT, /* operand `arg` must be a float, of any type */
  PH_WANTS_INTPTR, /* operand `arg` must be an integer or a ptr */
  PH_WANTS_WIDE,   /* operand `arg` must be an integer of 16 bits or more */
  PH_WANTS_STORED, /* operand `arg` must be of a type that memory holds */
  PH_WANTS_VALUE,  /* operand `arg` has no result */
  PH_WRONG_RESULT  /* the op cannot have the given type here (trunc to
                     a wider type) */
} ph_mismatch_kind;

/* Fields that the kind does not mention are 0. */
typedef struct {
  ph_mismatch_kind kind;
  int want, arg, like; /* operands count from 0 */
  ph_type type;
} ph_mismatch;

/* Checks n operands of an op.  For ops that need a type (ph_op_needstype),
** *type is checked as well; otherwise it is set to the type of the result if
** the operands fit. */
ph_mismatch ph_opcheck_values(const ph_func *f, ph_op op, const ph_value *args,
                              int n, ph_type *type);
/* The same by the types of the operands. */
ph_mismatch ph_opcheck_types(const ph_func *f, ph_op op, const ph_type *args,
                             int n, ph_type *type);
/* Returns the type that a constant should have as operand i of n, given the
** types of the others (PH_NOTYPE: not known yet): theirs, or the one that the
** op requires; PH_NOTYPE if nothing says. */
ph_type ph_opcheck_wants(const ph_func *f, ph_op op, const ph_type *args, int n,
                         int i);

/* The most bytes of an alloca, and its largest alignment. */
#define PH_ALLOCA_MOST (INT64_C(1) << 30)
#define PH_ALIGN_MOST 4096

typedef enum {
  PH_ALLOCA_FITS,
  PH_ALLOCA_SIZE, /* the size is not a constant from 1 to PH_ALLOCA_MOST */
  PH_ALLOCA_ALIGN /* the alignment is not a constant power of two, at most
                     PH_ALIGN_MOST */
} ph_alloca_fault;

/* Check the operands of an alloca, as numbers or as values of f.  (An alloca
** belongs into the entry.) */
ph_alloca_fault ph_opcheck_alloca(int64_t size, int64_t align);
ph_alloca_fault ph_opcheck_allocaargs(const ph_func *f, ph_value size,
                                      ph_value align);

/* }=================================================================== */

PH_END_DECLS

#endif
