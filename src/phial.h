/* phial.h: SSA construction on the fly, the C interface.
**
** A frontend makes a function, opens blocks in it, writes and reads
** variables, emits instructions, seals blocks and finishes the function.
** What comes out is minimal, pruned SSA form.  The algorithm is that of
** Braun, Buchwald, Hack, Leissa, Mallon and Zwinkau, "Simple and Efficient
** Construction of Static Single Assignment Form" (CC 2013), called "the
** paper" in all comments.
**
** Conventions.  Functions, blocks, variables and values are named by small
** integers in one-field structs; id 0 is none; ids are never used again.  They
** have 31 bits: more cannot be made of one kind in one function.
** A phi that turns out to be trivial or redundant is replaced: its id then
** stands for what replaced it, and every function here takes either.
** Misuse is a bug of the caller and is asserted; input that can be wrong
** (text, a function to verify) is answered with a list of problems.
** Nothing prints, exits or keeps global state.
**
** Contents, in this order.  (examples/c/figure2.c is a whole program.)
**   Words                        ids, strings, memory, data, places
**   Types and ops                dialects; what operands fit
**   Functions                    made, freed; names, variables, constants
**   Blocks, Values               what there is, one by one
**   Construction                 write, read, seal, emit, fill
**   Simplifying what is emitted  rules at work, functions of the host
**   Events                       what construction does, step by step
**   Reads without a definition   which, and on what path
**   Finishing                    the parts of finish; statistics
**   Questions about a function   order, dominators, liveness, loops, ...
**   Editing                      of finished functions
**   Text                         printed, parsed, verified
**   Rules                        sets of them: made, proved, asked about
*/
#ifndef PHIAL_H
#define PHIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
** {== Words ==========================================================
*/

typedef struct ph_func ph_func; /* one function under construction or done */
typedef struct ph_ruleset ph_ruleset; /* a set of rules */

typedef struct {
  uint32_t id;
} ph_value;
typedef struct {
  uint32_t id;
} ph_block;
typedef struct {
  uint32_t id;
} ph_var;

#define ph_same(a, b) ((a).id == (b).id)
#define ph_some(a) ((a).id != 0)

typedef uint16_t ph_op;  /* PH_ADD ..., then the ops of attached dialects */
typedef uint8_t ph_type; /* PH_I1 ..., then the types of attached dialects */

/* A string of n bytes; it need not end with a zero. */
typedef struct {
  const char *at;
  size_t n;
} ph_str;

/* The memory of the host.  realloc(ud, p, old, new) frees with new == 0,
** and never returns NULL otherwise: it raises or aborts.  `old` is the size
** of p, 0 when p is NULL.  A function that was being changed when it raised can
** only be freed. */
typedef struct {
  void *(*realloc)(void *ud, void *p, size_t old_size, size_t new_size);
  void *ud;
} ph_mem;

/* realloc and free of the C library; aborts when there is no memory. */
extern const ph_mem ph_mem_libc;

/* Memory for one function after the other: a pool keeps what they give back
** for the next one, at most `most` bytes, so that in the long run nothing is
** asked from `from`.  Functions that live at the same time can share it; it must
** outlive them. */
#define PH_POOL_SIZES 16
typedef struct {
  ph_mem mem; /* what to make functions with */
  ph_mem from;
  size_t held, most;
  void *spare[PH_POOL_SIZES]; /* pieces of 128 bytes, 256, 512, ..., chained */
} ph_pool;
void ph_pool_init(ph_pool *pool, const ph_mem *from, size_t most);
/* Gives back what is kept; ph_pool_done: keeps nothing from then on. */
void ph_pool_empty(ph_pool *pool);
void ph_pool_done(ph_pool *pool);

/* What a constant or the `data` of an instruction holds.  PH_DATA_HOST is
** something only the host can tell (a Lua table): `bits` is its index. */
typedef enum {
  PH_DATA_NONE,
  PH_DATA_NIL,
  PH_DATA_BOOL,
  PH_DATA_INT,   /* bits: the integer, sign-extended from its width */
  PH_DATA_FLOAT, /* bits: of the double */
  PH_DATA_STR,   /* bits: a name from ph_intern_add */
  PH_DATA_HOST
} ph_tag;

typedef struct {
  uint64_t bits;
  ph_tag tag;
} ph_data;

/* A place in a source text; file 0 is "the file", line 0 is "nowhere",
** col 0 is "not known". */
typedef struct {
  uint32_t file; /* a name from ph_intern_add */
  uint32_t line;
  uint32_t col;
} ph_srcloc;

/* }== Types and ops ================================================== */

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
#define PH_OP(NAME, name, signature, flags, targets) PH_##NAME,
#include "core/ir/op.def"
#undef PH_OP
  PH_OPS /* the first op of a dialect */
};

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
  PH_WRONG_KIND,  /* operand `arg` must be an integer ('i') or float ('f') */
  PH_WRONG_RESULT /* no such result type here (trunc to a wider type) */
} ph_mismatch_kind;

typedef struct {
  ph_mismatch_kind fit;
  int want, arg, like; /* operands count from 0 */
  char kind;
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

/* }== Functions ====================================================== */

typedef enum {
  PH_MARKER, /* the paper's 3.3: mark blocks, place phis where needed */
  PH_SIMPLE  /* Algorithms 1 to 4 as printed */
} ph_construction;

typedef enum {
  PH_UNDEF_VALUE, /* an undefined variable reads as the undef of its type */
  PH_UNDEF_ASK    /* as an undef of its own until ph_build_define */
} ph_undefs;

typedef struct {
  ph_construction construction;
  ph_undefs undefs;
  bool copies; /* each write makes a copy of its own */
} ph_options;

/* A new function in memory of its own, with its entry block, which is sealed:
** nothing leads to it.  (A host whose allocator jumps out anchors the memory
** first: ph_func_blank, ph_func_init.) */
ph_func *ph_func_new(const ph_mem *mem, ph_str name, ph_type result,
                     const ph_options *options);
void ph_func_free(ph_func *f);
/* The same in memory of the host: ph_func_size() bytes at f.  ph_func_blank makes
** f safe for ph_func_done and allocates nothing; then ph_func_init. */
size_t ph_func_size(void);
void ph_func_blank(ph_func *f, const ph_mem *mem);
void ph_func_init(ph_func *f, ph_str name, ph_type result,
                  const ph_options *options);
void ph_func_done(ph_func *f);

ph_str ph_func_name(const ph_func *f);
ph_type ph_func_result(const ph_func *f);
ph_options ph_func_options(const ph_func *f);
/* Bytes held now, and a number that every change makes larger. */
size_t ph_func_bytes(const ph_func *f);
uint32_t ph_func_version(const ph_func *f);

/* Names: a string kept in f, the same number for the same bytes; 0 for "". */
uint32_t ph_intern_add(ph_func *f, ph_str s);
ph_str ph_intern_string(const ph_func *f, uint32_t name);

/* Places.  `here` is where the host is (recorded for blocks, seals and
** terminators; for each instruction with `every`); `loc` is the frontend's
** own position, recorded for each instruction made while it is set. */
void ph_srcloc_setcurrenthost(ph_func *f, ph_srcloc here, bool every);
void ph_srcloc_setcurrent(ph_func *f, ph_srcloc loc);
ph_srcloc ph_srcloc_value(const ph_func *f, ph_value v);
ph_srcloc ph_srcloc_host(const ph_func *f, ph_value v);
void ph_srcloc_setvalue(ph_func *f, ph_value v, ph_srcloc loc);

/* Parameters come first, in order; each is a value. */
ph_value ph_value_newparam(ph_func *f, ph_str name, ph_type type);
uint32_t ph_value_nparams(const ph_func *f);
ph_value ph_value_param(const ph_func *f, uint32_t i); /* from 0 */

ph_var ph_var_new(ph_func *f, ph_str name, ph_type type);
uint32_t ph_var_count(const ph_func *f); /* the largest id */
ph_str ph_var_name(const ph_func *f, ph_var var);
ph_type ph_var_type(const ph_func *f, ph_var var);

/* Constants are interned.  An integer must fit -2^(w-1) .. 2^w-1. */
bool ph_const_fits(ph_type type, int64_t i);
ph_value ph_const_int(ph_func *f, ph_type type, int64_t i);
ph_value ph_const_float(ph_func *f, ph_type type, double d);
ph_value ph_const_any(ph_func *f, ph_data data); /* a constant of type any */
ph_value ph_const_undef(ph_func *f, ph_type type);

/* }== Blocks ========================================================= */

ph_block ph_block_entry(const ph_func *f);
/* A new block; it seals itself when `preds` edges have arrived, or with
** preds < 0 when it is told to. */
ph_block ph_block_new(ph_func *f, ph_str name, int preds);
ph_block ph_block_next(const ph_func *f, ph_block b); /* none: the first */
uint32_t ph_block_count(const ph_func *f);            /* the largest id */
/* The number of edges told to ph_block_new, or < 0, and how many of them are
** still to come. */
int ph_block_announced(const ph_func *f, ph_block b);
uint32_t ph_block_awaited(const ph_func *f, ph_block b);
ph_str ph_block_name(const ph_func *f, ph_block b);
bool ph_block_removed(const ph_func *f, ph_block b); /* finish dropped it */
bool ph_block_sealed(const ph_func *f, ph_block b);
bool ph_block_filled(const ph_func *f, ph_block b);
/* Sealed without predecessors and not the entry: adds no edges. */
bool ph_block_dead(const ph_func *f, ph_block b);
ph_srcloc ph_srcloc_var(const ph_func *f, ph_var var);
typedef enum { PH_AT_MADE, PH_AT_FILLED, PH_AT_SEALED } ph_moment;
ph_srcloc ph_srcloc_block(const ph_func *f, ph_block b, ph_moment when);

/* Edges, in the order in which they arrived (preds) or are named by the
** terminator (succs).  An edge is a number; 0 is none. */
uint32_t ph_block_npreds(const ph_func *f, ph_block b);
uint32_t ph_block_nsuccs(const ph_func *f, ph_block b);
uint32_t ph_block_firstpred(const ph_func *f, ph_block b);
uint32_t ph_block_nextpred(const ph_func *f, uint32_t edge);
ph_block ph_block_edgefrom(const ph_func *f, uint32_t edge);
ph_block ph_block_edgeto(const ph_func *f, uint32_t edge);
ph_block ph_block_succ(const ph_func *f, ph_block b, uint32_t i); /* from 0 */

/* }== Values ========================================================= */

ph_value ph_value_now(const ph_func *f, ph_value v); /* what v stands for */
uint32_t ph_value_count(const ph_func *f);           /* the largest id */
/* Is it gone without a replacement (finish dropped its block; swept)? */
bool ph_value_dropped(const ph_func *f, ph_value v);
ph_op ph_value_op(const ph_func *f, ph_value v);
ph_type ph_value_type(const ph_func *f, ph_value v);
ph_block ph_value_block(const ph_func *f, ph_value v); /* none: a constant */
uint32_t ph_value_nargs(const ph_func *f, ph_value v);
ph_value ph_value_arg(const ph_func *f, ph_value v, uint32_t i);
ph_data ph_value_data(const ph_func *f, ph_value v);
void ph_value_setdata(ph_func *f, ph_value v, ph_data data);
ph_str ph_value_name(const ph_func *f, ph_value v);
void ph_value_setname(ph_func *f, ph_value v, ph_str name);
ph_var ph_value_var(const ph_func *f, ph_value v); /* a phi's, a copy's */
/* Is it a phi that waits for the sealing of its block? */
bool ph_value_incomplete(const ph_func *f, ph_value v);
/* Phis and instructions of a block, in order; the last one of a filled block
** is its terminator.  Given none they return the first. */
ph_value ph_block_nextphi(const ph_func *f, ph_block b, ph_value v);
ph_value ph_block_nextinst(const ph_func *f, ph_block b, ph_value v);
ph_value ph_block_terminator(const ph_func *f, ph_block b);

/* Uses: made at the first question, kept exact from then on.  A use is a
** number; 0 is none.  Operand `index` of `user` is v. */
uint32_t ph_uses_count(ph_func *f, ph_value v);
uint32_t ph_uses_first(ph_func *f, ph_value v);
uint32_t ph_uses_next(ph_func *f, ph_value v, uint32_t use);
ph_value ph_uses_user(const ph_func *f, uint32_t use);
uint32_t ph_uses_index(const ph_func *f, uint32_t use);

/* }== Construction =================================================== */

/* writeVariable and readVariable (Algorithm 1).  With options.copies a write
** makes a copy and returns it.  After the terminator a read gives the value
** at the block's end. */
ph_value ph_build_write(ph_func *f, ph_var var, ph_block b, ph_value v);
ph_value ph_build_read(ph_func *f, ph_var var, ph_block b);
/* Tells what var is at the end of b, which may be filled: after
** ph_finish_reopen nothing else is known of what was before.  For a variable
** that has not been read yet. */
void ph_build_assume(ph_func *f, ph_var var, ph_block b, ph_value v);
/* sealBlock (Algorithm 4). */
void ph_build_seal(ph_func *f, ph_block b);
/* Appends an instruction; type as from ph_opcheck_values. */
ph_value ph_build_emit(ph_func *f, ph_block b, ph_op op, ph_type type,
                       const ph_value *args, uint32_t n);
/* The same with data, which must not change later when f simplifies. */
ph_value ph_build_emitdata(ph_func *f, ph_block b, ph_op op, ph_type type,
                           const ph_value *args, uint32_t n, ph_data data);
/* Ends b; adds an edge to each target unless b is dead. */
ph_value ph_build_fill(ph_func *f, ph_block b, ph_op op, const ph_value *args,
                       uint32_t n, const ph_block *targets, uint32_t m);
/* Was b to lead to `to`, but does not: the edge was folded away, or b was dead
** when it was filled?  Construction knows until it is closed. */
bool ph_build_isfolded(const ph_func *f, ph_block b, ph_block to);
/* The same for the usual terminators.  ret: v none for no result.  switch:
** keys are constants; target 0 is the default, target i + 1 for key i. */
ph_value ph_build_jump(ph_func *f, ph_block b, ph_block target);
ph_value ph_build_branch(ph_func *f, ph_block b, ph_value cond, ph_block then,
                         ph_block otherwise);
ph_value ph_build_ret(ph_func *f, ph_block b, ph_value v);
/* A phi by hand in a sealed block, an operand for each edge, in order. */
ph_value ph_build_phi(ph_func *f, ph_block b, ph_type type,
                      const ph_value *args, uint32_t n);

/* }== Simplifying what is emitted ==================================== */

/* From now on f simplifies what is emitted: constants are folded, rules (NULL:
** none) applied, and what was computed before is used again; a branch on a
** constant becomes a jump.  Then ph_build_emit may return a value that is there
** already, and calls that emit or fill return none when a function of the host
** failed, or, if `strict`, when rules went round in circles; nothing has
** changed then.  Once, before anything is emitted. */
void ph_peephole_start(ph_func *f, ph_ruleset *rules, bool strict);

/* What a function of the host behind $name is called with: a constant, or, with
** PH_DATA_NONE, a value. */
typedef struct {
  ph_type type;
  ph_data constant;
  ph_value value;
} ph_given;

/* How they are called: for a rule by its number; `function` is the number that
** ph_callees gave.  They return 1; 0: the rule does not apply; -1: it failed,
** all is undone. */
typedef struct {
  void *ud;
  int (*guard)(void *ud, ph_func *f, uint32_t rule, uint32_t function,
               const ph_given *args, uint32_t n);
  /* *result: the value that stands for an instruction of that type. */
  int (*action)(void *ud, ph_func *f, uint32_t rule, uint32_t function,
                const ph_given *args, uint32_t n, ph_type type,
                ph_value *result);
} ph_hooks;
void ph_match_sethooks(ph_func *f, const ph_hooks *hooks);
/* Within an action: the block that it emits into; a pure instruction there,
** simplified, or none when a function of the host failed; is v known to be
** there? */
ph_block ph_match_block(const ph_func *f);
ph_value ph_match_emit(ph_func *f, ph_op op, ph_type type, const ph_value *args,
                       uint32_t n);
bool ph_match_reaches(ph_func *f, ph_value v);
/* How often has f applied that rule of its set? */
uint32_t ph_match_hits(const ph_func *f, uint32_t rule);
/* Did `strict` make the last call fail?  The rules that it applied, in order:
** how many; the i-th, from 0. */
bool ph_peephole_exhausted(const ph_func *f);
uint32_t ph_peephole_count(const ph_func *f);
uint32_t ph_peephole_applied(const ph_func *f, uint32_t i);

/* }== Events ========================================================= */

/* What happens while a function is constructed, for a host that explains or
** records it.  Values are named by the ids they had then. */
typedef enum {
  PH_EV_BLOCK,      /* block was made */
  PH_EV_VAR,        /* var was made */
  PH_EV_EMIT,       /* value, an instruction, was added to block */
  PH_EV_WRITE,      /* var is value in block */
  PH_EV_LOOKUP,     /* var is looked for beyond block: READ will follow */
  PH_EV_READ,       /* var was read in block: value */
  PH_EV_PHI,        /* value, a phi for var, was made in block */
  PH_EV_OPERAND,    /* operand `index` of the phi value is other, from `from` */
  PH_EV_TRIVIAL,    /* value, a phi, was trivial: other replaced it */
  PH_EV_REDUNDANT,  /* value was in a redundant set: other replaced it */
  PH_EV_RULE,       /* rule `index` changes what is emitted into block */
  PH_EV_SIMPLIFIED, /* value, an instruction, is other from now on */
  PH_EV_FILLED,     /* block ended with the terminator value */
  PH_EV_SEALED,     /* block was sealed: its phis get operands next */
  PH_EV_DEFINED,    /* where var has no definition it is value */
  PH_EV_DROPPED,    /* block was not reached: it is gone */
  PH_EV_FINISHED,   /* construction is over */
  PH_EV_REOPENED,   /* and goes on */
  PH_EV_EDITED      /* is edited: value, or block; other events may follow */
} ph_eventkind;

typedef struct {
  ph_eventkind kind;
  ph_block block;
  ph_var var;
  ph_value value, other;
  uint32_t index; /* from 0 */
  ph_block from;
} ph_event;

/* From now on events are kept, in order, until ph_event_clear. */
void ph_event_listen(ph_func *f);
uint32_t ph_event_count(const ph_func *f);
ph_event ph_event_at(const ph_func *f, uint32_t i); /* from 0 */
/* The operands of an instruction by the ids that they had when it was made. */
uint32_t ph_event_nargs(const ph_func *f, ph_value v);
ph_value ph_event_arg(const ph_func *f, ph_value v, uint32_t i);
void ph_event_clear(ph_func *f);

/* }== Reads without a definition ===================================== */

/* PH_UNDEF_ASK: the first variable that was read without a definition and has
** no value yet, or none; ph_build_define gives it a constant or an argument. */
ph_var ph_build_asked(const ph_func *f);
void ph_build_define(ph_func *f, ph_var var, ph_value v);

/* A read that may see no definition of its variable. */
typedef struct {
  ph_var var;
  ph_block block;
  ph_srcloc here, loc;
} ph_read;

/* Such reads, in order of reading.  Before finish it looks at what is known
** by now. */
uint32_t ph_undef_reads_count(ph_func *f);
ph_read ph_undef_reads_at(const ph_func *f, uint32_t i);
/* A path from the entry to read i on which its variable has no definition:
** its length; the k-th block of it. */
uint32_t ph_undef_reads_path(ph_func *f, uint32_t i);
ph_block ph_undef_reads_step(const ph_func *f, uint32_t k);

/* }== Finishing ====================================================== */

/* The first block (in order) that has no terminator, after b; none when all
** are filled; likewise unsealed ones. */
ph_block ph_finish_unfilled(const ph_func *f, ph_block b);
ph_block ph_finish_unsealed(const ph_func *f, ph_block b);

/* finish in its parts, in this order: every block must be filled.
** seal: the blocks that are not; drop: what the entry does not reach, with
** edges and phi operands; minimize: removes the redundant phis (paper, 3.2);
** simplify: see there; close: frees what construction needs. */
void ph_finish_seal(ph_func *f);
void ph_finish_drop(ph_func *f);
void ph_redundant_phi_run(ph_func *f);
/* If f simplifies: what has changed since it was emitted is simplified once
** more (`all`: everything is), and by dominators; branches on constants become
** jumps; what is unreachable or redundant then goes.  To a fixed point.  Also
** for a finished function.  false: a function of the host failed; f is all
** right, and not closed. */
bool ph_finish_simplify(ph_func *f, bool all);
void ph_finish_close(ph_func *f);
/* All of it; false as above. */
bool ph_finish_run(ph_func *f);
bool ph_finish_isdone(const ph_func *f);
/* Goes on after finish: new blocks and instructions; variables have no
** definitions but the ones written since. */
void ph_finish_reopen(ph_func *f);
/* Text of an unfinished function tells no definitions: parsed from such a
** text, a function can be looked at and not be continued. */
bool ph_finish_isfrozen(const ph_func *f);

/* How often an instruction was simplified. */
typedef struct {
  uint32_t folded;  /* to a constant; a terminator to a jump */
  uint32_t applied; /* rules */
  uint32_t merged;  /* with an equal one */
} ph_hits;

typedef struct {
  uint32_t blocks, values, phis; /* now */
  uint32_t temporary_phis;       /* got operands and are gone again */
  uint32_t trivial_phis;         /* replaced as trivial; also those that a read
                                    in an unsealed block was given and that
                                    never needed operands */
  uint32_t redundant_phis;       /* replaced as redundant */
  ph_hits emitting, later;       /* when it was emitted; by finish */
  uint32_t exhausted;            /* rules stopped: they went round in circles */
} ph_stats;
ph_stats ph_func_stats(const ph_func *f);

/* }== Questions about a function ===================================== */

/* An analysis is a value: made by *_new, asked, released by ph_analysis_free.  It
** answers for the function as it was (ph_func_version). */

/* Blocks that the entry reaches, in reverse postorder, from 0. */
typedef struct ph_rpo ph_rpo;
/* Immediate dominators (Lengauer and Tarjan, 1979). */
typedef struct ph_domtree ph_domtree;
/* Live values at the start of each block. */
typedef struct ph_liveness ph_liveness;

const ph_rpo *ph_rpo_new(ph_func *f);
uint32_t ph_rpo_count(const ph_rpo *o);
ph_block ph_rpo_at(const ph_rpo *o, uint32_t i);
bool ph_rpo_reached(const ph_rpo *o, ph_block b);
/* The position of b in the order; only for reached blocks. */
uint32_t ph_rpo_index(const ph_rpo *o, ph_block b);

const ph_domtree *ph_dom_new(ph_func *f);
ph_block ph_dom_idom(const ph_domtree *d, ph_block b); /* none: the entry */
/* Does every path from the entry to b lead through a?  Blocks that are not
** reached are dominated by all. */
bool ph_dom_dominates(const ph_domtree *d, ph_block a, ph_block b);
/* Is each retreating edge's target a dominator of its source? */
bool ph_dom_reducible(ph_func *f);

const ph_liveness *ph_liveness_new(ph_func *f);
uint32_t ph_liveness_count(const ph_liveness *l, ph_block b);
ph_value ph_liveness_at(const ph_liveness *l, ph_block b, uint32_t i);

/* Loops, numbered from 1, outer ones before inner ones; 0 is none.  A loop is a
** strongly connected set of blocks; its header is the first of them in reverse
** postorder; what is strongly connected without the header are the loops in
** it.  It is reducible when only its header can be entered from outside.  A
** loop's blocks, 0 being the header, include those of the loops in it. */
typedef struct ph_loops ph_loops;

const ph_loops *ph_loops_new(ph_func *f);
uint32_t ph_loops_count(const ph_loops *l);
ph_block ph_loops_header(const ph_loops *l, uint32_t loop);
uint32_t ph_loops_parent(const ph_loops *l, uint32_t loop); /* around it */
uint32_t ph_loops_depth(const ph_loops *l, uint32_t loop);  /* 1: outermost */
bool ph_loops_reducible(const ph_loops *l, uint32_t loop);
uint32_t ph_loops_size(const ph_loops *l, uint32_t loop);
ph_block ph_loops_block(const ph_loops *l, uint32_t loop, uint32_t i);
/* The innermost loop that b is in; is b in this loop? */
uint32_t ph_loops_of(const ph_loops *l, ph_block b);
bool ph_loops_contains(const ph_loops *l, uint32_t loop, ph_block b);

/* Gives back the memory of all analyses of f. */
void ph_analysis_free(ph_func *f);

/* The first phi of a redundant set (paper, Algorithm 5), or none: then f is
** minimal.  The first phi that no read and no instruction needs, or none:
** then f is pruned. */
ph_value ph_minimal_check_find(ph_func *f);
ph_value ph_prune_phi_find(ph_func *f);
/* The values that are no phis and reach v through phis: how many; the k-th. */
uint32_t ph_phi_sources_count(ph_func *f, ph_value v);
ph_value ph_phi_sources_at(const ph_func *f, uint32_t k);
/* Removes the phis that no read and no instruction needs; how many. */
uint32_t ph_prune_phi_run(ph_func *f);
/* Removes pure instructions and phis that nothing uses; how many. */
uint32_t ph_dce_run(ph_func *f);

/* }== Editing ======================================================== */

/* A finished function can be edited.  Uses, lists and edges are right after
** each call, ids stay.  Two things are not looked at: whether definitions
** dominate their uses (ph_verify_func tells), and whether phis have become
** redundant (ph_redundant_phi_run removes them).  Blocks that the entry does not
** reach any more stay until ph_finish_drop. */

/* All uses of v become uses of w, of the same type, but those by w itself: so
** w can be made from v. */
void ph_edit_replace(ph_func *f, ph_value v, ph_value w);
/* Operand i of v becomes w. */
void ph_edit_setarg(ph_func *f, ph_value v, uint32_t i, ph_value w);
/* A phi or instruction, other than v, that uses v; or none. */
ph_value ph_edit_user(ph_func *f, ph_value v);
/* Takes away a phi, or an instruction that is no terminator, without users. */
void ph_edit_erase(ph_func *f, ph_value v);
/* A new instruction before the instruction `at`; type as from ph_opcheck_values. */
ph_value ph_edit_insert(ph_func *f, ph_value at, ph_op op, ph_type type,
                        const ph_value *args, uint32_t n);
/* A new phi in b, an operand for each edge, in order. */
ph_value ph_edit_phi(ph_func *f, ph_block b, ph_type type, const ph_value *args,
                     uint32_t n);
/* Moves an instruction, no phi or terminator, before the instruction `at`. */
void ph_edit_move(ph_func *f, ph_value v, ph_value at);
/* A new block that nothing leads to; it ends with unreachable. */
ph_block ph_edit_block(ph_func *f, ph_str name);

/* What a phi is when control comes along a new edge.  Calls that make edges
** need one for each phi of the targets of new edges; several new edges to one
** target share them. */
typedef struct {
  ph_value phi, value;
} ph_incoming;

/* Ends b anew: it gets another terminator.  Of the edges to a target as many
** stay as there were, the first ones, with their phi operands.  No target is
** the entry. */
ph_value ph_edge_end(ph_func *f, ph_block b, ph_op op, const ph_value *args,
                     uint32_t n, const ph_block *targets, uint32_t m,
                     const ph_incoming *in, uint32_t nin);
/* The targets to which b would get new edges then: each once, by id; returns
** how many.  `news` has room for m. */
uint32_t ph_edge_news(ph_func *f, ph_block b, const ph_block *targets,
                      uint32_t m, ph_block *news);
/* Was b dead when it was filled?  Then it has no edges until it is ended anew,
** and none can lead to it. */
bool ph_edge_inert(const ph_func *f, ph_block b);
/* The edges from b to `from` lead to `to` instead; they come last there. */
void ph_edge_retarget(ph_func *f, ph_block b, ph_block from, ph_block to,
                      const ph_incoming *in, uint32_t nin);
/* One more edge.  A jump becomes a branch that takes it if `when`, a switch
** gets a case for the key `when`, a terminator of a dialect with any number of
** targets gets a last one; no others. */
void ph_edge_add(ph_func *f, ph_block b, ph_value when, ph_block to,
                 const ph_incoming *in, uint32_t nin);
/* Removes the i-th edge of b, from 0: control never goes there.  A branch
** becomes a jump, what has no more targets unreachable; the last case of a
** switch becomes its default when that goes.  Not the edges of dialects'
** terminators with a fixed number. */
void ph_edge_remove(ph_func *f, ph_block b, uint32_t i);
/* Puts a new block, which it returns, on the i-th edge of b. */
ph_block ph_edge_split(ph_func *f, ph_block b, uint32_t i, ph_str name);

/* }== Text =========================================================== */

/* Text in memory of its own; zeroed is empty but for mem. */
typedef struct {
  const ph_mem *mem;
  char *at;
  size_t n, cap;
} ph_strbuf;

void ph_strbuf_done(ph_strbuf *b);
void ph_strbuf_add(ph_strbuf *b, ph_str s);
void ph_strbuf_puts(ph_strbuf *b, const char *s);

typedef enum {
  PH_IDS_OWN,  /* permanent ids */
  PH_IDS_DENSE /* numbered in reverse postorder, phis sorted: to compare */
} ph_numbering;

void ph_print_func(ph_strbuf *b, ph_func *f, ph_numbering ids);
/* As they stand in the text: "%7", "%sum", "42", "head". */
void ph_print_value(ph_strbuf *b, ph_func *f, ph_value v);
void ph_print_blockname(ph_strbuf *b, ph_func *f, ph_block b_);
void ph_print_op(ph_strbuf *b, const ph_func *f, ph_op op);
void ph_print_type(ph_strbuf *b, const ph_func *f, ph_type type);

/* Reads text into f, which is blank (ph_func_blank) with the dialects attached
** after ph_parse_start.  false: the text is wrong, *line, *col and why say
** where; f is then only good for ph_func_done. */
void ph_parse_start(ph_func *f);
bool ph_parse_func(ph_func *f, ph_str text, ph_strbuf *why, uint32_t *line,
                   uint32_t *col);

/* Checks every invariant.  Problems, one a call, go to `report`; returns
** how many there are. */
typedef void ph_report(void *ud, ph_str problem);
uint32_t ph_verify_func(ph_func *f, ph_report *report, void *ud);

/* }== Rules ========================================================== */

/* A set of rules, written in the language of docs/rules.md.  Sets grow; many
** functions can share one.  What is added or removed holds from the next
** instruction on. */

/* A new set.  `base`: the rules it starts with; that set must not change from
** now on, and must outlive this one.  NULL: none. */
ph_ruleset *ph_ruleset_new(const ph_mem *mem, ph_ruleset *base);
void ph_ruleset_free(ph_ruleset *set);
/* The same in memory of the host, as for a function. */
size_t ph_ruleset_size(void);
void ph_ruleset_blank(ph_ruleset *set, const ph_mem *mem);
void ph_ruleset_init(ph_ruleset *set, ph_ruleset *base);
void ph_ruleset_done(ph_ruleset *set);
size_t ph_ruleset_bytes(const ph_ruleset *set);
/* The function that knows the names of ops and types of the set: attach
** dialects to it, before rules that name their ops. */
ph_func *ph_ruleset_space(ph_ruleset *set);
/* Is it the base of another? */
bool ph_ruleset_isfrozen(const ph_ruleset *set);

/* The functions behind $name in a text: by name their numbers, from 0, which
** are the host's; false: there is none of that name. */
typedef struct {
  bool (*find)(void *ud, ph_str name, uint32_t *number);
  void *ud;
} ph_callees;

/* Adds the rules of a text: all, or none and false.  Then `why` says what is
** wrong, where, with the line and a caret.  `source` names the text. */
bool ph_ruleset_load(ph_ruleset *set, ph_str source, ph_str text,
                     const ph_callees *callees, ph_strbuf *why);
/* Adds the rules of another set that are on; its functions number i become
** number `callees` + i. */
void ph_ruleset_include(ph_ruleset *set, const ph_ruleset *from,
                        uint32_t callees);
/* Adds rule n of another set, with the same numbers of functions, such that it
** applies wherever it can. */
void ph_ruleset_alone(ph_ruleset *set, const ph_ruleset *from, uint32_t n);
/* Rules by name, which several can share; how many there are. */
uint32_t ph_ruleset_remove(ph_ruleset *set, ph_str name);
uint32_t ph_ruleset_enable(ph_ruleset *set, ph_str name, bool on);

/* Rules have numbers from 1 on; one of several alternatives [a|b] is a rule. */
uint32_t ph_ruleset_count(const ph_ruleset *set); /* the largest number */
bool ph_ruleset_isremoved(const ph_ruleset *set, uint32_t n);
bool ph_ruleset_isenabled(const ph_ruleset *set, uint32_t n);
ph_str ph_ruleset_name(const ph_ruleset *set, uint32_t n);
ph_str ph_ruleset_text(const ph_ruleset *set, uint32_t n);
ph_str ph_ruleset_source(const ph_ruleset *set, uint32_t n);
uint32_t ph_ruleset_line(const ph_ruleset *set, uint32_t n);
/* As in messages: its name, or the line it stands in. */
void ph_ruleset_print(ph_strbuf *b, const ph_ruleset *set, uint32_t n);

/* What is odd about the rules that are on: one a call; how many.  Rules that
** are there twice or are never reached behind others, that match the same as
** others with another result, that can never apply, that need not end. */
uint32_t ph_ruleset_lint(ph_ruleset *set, ph_report *report, void *ud);

/* What is meant by a shift by the width or more: by the rest (as phial has
** it), 0 or the sign, or nothing that a rule may count on. */
typedef enum { PH_SHIFT_MOD, PH_SHIFT_ZERO, PH_SHIFT_UNDEF } ph_shifting;
/* A rule keeps traps as they are; or where the pattern traps (which is undefined
** then) it may do anything, but never traps on its own. */
typedef enum { PH_TRAP_KEPT, PH_TRAP_UNDEF } ph_trapping;

typedef struct {
  ph_trapping traps;
  ph_shifting shifts;
  uint32_t width; /* all widths up to it are looked at; 0: 4 */
  uint32_t limit; /* bits of variables up to which all values are; 0: 12 */
  uint32_t cases; /* values at random where not all are; 0: 500 */
  /* The functions behind $name, or NULL.  For a rule whose result one of them
  ** makes, the host opens a function without parameters or instructions that uses
  ** that rule alone (ph_ruleset_alone); NULL: it failed. */
  const ph_hooks *hooks;
  ph_func *(*open)(void *ud, uint32_t rule);
  void *ud;
} ph_checking;

typedef enum {
  PH_RULE_HOLDS,     /* for all values at some widths, for many at others */
  PH_RULE_TESTED,    /* for many values */
  PH_RULE_WRONG,     /* `text` tells values for which it does not hold */
  PH_RULE_NEVER,     /* it never applied */
  PH_RULE_UNCHECKED, /* `text` tells why */
  PH_RULE_FAILED     /* a function of the host failed: nothing comes behind */
} ph_verdict;

typedef struct {
  uint32_t rule;
  ph_verdict verdict;
  bool assumed;   /* what its guard asks of values was taken as it suits */
  uint32_t never; /* widths at which it never applies: 1 << width */
  ph_str text;    /* of all but PH_RULE_HOLDS: a line */
} ph_checked;

/* Checks the rule, or all that are on with 0: is each result worth its pattern?
** false: a function of the host failed. */
bool ph_ruleset_check(ph_ruleset *set, uint32_t rule, const ph_checking *how,
                      void (*report)(void *ud, const ph_checked *checked),
                      void *ud);

/* The text of the set that phial has for integers, floats and branches. */
void ph_ruleset_builtin(ph_strbuf *b);

/* Writes for each rule of the set that is about this op what keeps it from
** applying to such an instruction of f, or that it applies; hooks may be
** NULL. */
void ph_ruleset_explain(ph_strbuf *b, ph_func *f, ph_ruleset *set,
                        const ph_hooks *hooks, ph_op op, ph_type type,
                        const ph_value *args, uint32_t n,
                        const ph_block *targets, uint32_t m);

/* }=================================================================== */

#ifdef __cplusplus
}
#endif

#endif
