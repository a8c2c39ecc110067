/* func.h: a function: its life, and what it consists of.
**
** Creates functions, variables, blocks and constants, and reads everything that
** a function contains.  construct.h fills a function, edit.h changes a finished
** one.
**
** Unless it is said otherwise, ids that are passed are those of existing things
** of f.  The id of a value that was replaced (a trivial phi, a simplified
** instruction) stands for its replacement: every function takes either.
**
** All of a function is visited like this:
**
**   const ph_block no_block = {0};
**   const ph_value no_value = {0};
**   ph_block b = ph_block_next(f, no_block);
**   for (; ph_some(b); b = ph_block_next(f, b)) {
**     ph_value v = ph_block_nextphi(f, b, no_value);
**     for (; ph_some(v); v = ph_block_nextphi(f, b, v)) ...
**     v = ph_block_nextinst(f, b, no_value);
**     for (; ph_some(v); v = ph_block_nextinst(f, b, v)) ...
**   }
*/
#ifndef PHIAL_FUNC_H
#define PHIAL_FUNC_H

#include "phial/op.h"

PH_BEGIN_DECLS

/*
** {== Functions ======================================================
*/

/* Which variant of the paper's algorithm places phis.  Finished functions are
** the same; what they differ in is temporary phis. */
typedef enum {
  PH_MARKER, /* section 3.3: marks joins, makes a phi only where needed */
  PH_SIMPLE, /* Algorithms 1 to 4 as printed */
  PH_SCC,    /* section 3.3: finds cycles, makes necessary phis only, except in
                blocks that are not sealed */
  PH_OPERAND /* section 3.1: PH_SIMPLE for hosts without lists of users; leaves
                some trivial phis to ph_finish_run */
} ph_construction;

/* What a variable is where no definition reaches a read. */
typedef enum {
  PH_UNDEF_VALUE, /* undef, one value for each type */
  PH_UNDEF_ASK    /* what the host says: see ph_build_undefvar */
} ph_undefs;

typedef struct {
  ph_construction construction;
  ph_undefs undefs;
  bool copies;   /* every write makes a copy instruction of its own, so that
                    each assignment remains visible */
  bool accesses; /* reads and writes are recorded: see access.h; implies
                    `copies` */
  bool keep_unreachable; /* dead blocks add edges, as others do; finish keeps
                            unreachable blocks (construct.h) */
  bool variadic; /* further arguments may follow those of its parameters */
  bool internal; /* its linkage: other parts of a program do not see its name */
  PH_RESERVED;
} ph_options;

/* Returns a new function with its entry block, which is sealed: it has no
** predecessors.  `mem` is copied.  `result` is PH_NOTYPE for a function without
** a result; options NULL means all zero: PH_MARKER, PH_UNDEF_VALUE.  (A host
** whose allocator raises an exception anchors the memory first: see
** ph_func_blank.) */
ph_func *ph_func_new(const ph_mem *mem, ph_str name, ph_type result,
                     const ph_options *options);
/* Frees f, which ph_func_new made, and all that belongs to it; NULL: nothing. */
void ph_func_free(ph_func *f);

/* The same in the host's own memory: ph_func_size() bytes at f, aligned for any
** object.  ph_func_blank allocates nothing and makes f safe for ph_func_done;
** ph_func_init then makes it a function.  A function that is blank can also be
** given dialects (ph_op_attachdialect), or be read from text (ph_parse_func).
** ph_func_done frees what f holds and leaves it blank.  f must not move. */
size_t ph_func_size(void);
void ph_func_blank(ph_func *f, const ph_mem *mem);
void ph_func_init(ph_func *f, ph_str name, ph_type result,
                  const ph_options *options);
void ph_func_done(ph_func *f);

/* What f was made with; _result: the type of its first result. */
ph_str ph_func_name(const ph_func *f);
ph_type ph_func_result(const ph_func *f);
ph_options ph_func_options(const ph_func *f);

/* The most results of a function. */
enum { PH_RESULTS_MAX = 1000 };

/* Gives f, which has nothing but parameters, n results instead of what it was
** made with, none of type PH_NOTYPE.  ret gives all of them; PH_PROJ takes those
** of a call from the second on. */
void ph_func_setresults(ph_func *f, const ph_type *types, uint32_t n);
/* Returns the number of results. */
uint32_t ph_func_nresults(const ph_func *f);
/* Returns the type of result i, from 0; i < ph_func_nresults(f). */
ph_type ph_func_resulttype(const ph_func *f, uint32_t i);

/* Makes f, to which nothing but parameters was added, a declaration: what is
** known of a function that is defined elsewhere.  It has no body and is frozen.
*/
void ph_func_declare(ph_func *f);
bool ph_func_isdeclaration(const ph_func *f);

/* Returns the bytes that f holds now, without ph_func_size(). */
size_t ph_func_bytes(const ph_func *f);
/* Return counters of modifications.  ph_func_version grows with every change of
** f; _codeversion with those of blocks, edges, phis and instructions, but not
** of names and places; _flowversion with those of blocks and edges alone. */
uint32_t ph_func_version(const ph_func *f);
uint32_t ph_func_codeversion(const ph_func *f);
uint32_t ph_func_flowversion(const ph_func *f);

/* How many instructions were simplified, and how. */
typedef struct {
  uint32_t folded;  /* to a constant; terminators: to a jump */
  uint32_t applied; /* applications of rules */
  uint32_t merged;  /* with an equal value */
} ph_simplify_counts;

typedef struct {
  uint32_t blocks, values, phis; /* now; values: phis and instructions */
  uint32_t temporary_phis;       /* their operands were looked up, and they have
                                    been removed */
  uint32_t trivial_phis;         /* replaced as trivial; includes those that a
                                    read in an unsealed block returned and that
                                    turned out to need no operands */
  uint32_t redundant_phis;       /* replaced as members of a redundant set */
  ph_simplify_counts emitting;   /* when an instruction was emitted */
  ph_simplify_counts later;      /* by finish */
  uint32_t exhausted;            /* times that rules ran out of fuel */
  uint32_t dropped_refinements;  /* of edges that were not the only one into
                                    their target, or were folded away */
} ph_stats;

/* Counts what f has now (linear in its size) and what happened to it. */
ph_stats ph_func_stats(const ph_func *f);

/* }== Names ========================================================== */

/* Interns a string in f: returns the same number for the same bytes, 0 for the
** empty string. */
uint32_t ph_intern_add(ph_func *f, ph_str s);
/* Returns the string of a number from ph_intern_add; "" for 0.  It is valid
** until f is freed. */
ph_str ph_intern_string(const ph_func *f, uint32_t name);

/* }== Source locations =============================================== */

/* A function records two kinds of locations.  The *source location* is the
** frontend's position in the program that it translates.  The *host location*
** is where the host's own code was (for the Lua module, the line of Lua that
** called it).  Both are recorded for what is made while they are set; a
** location whose line is 0 records nothing. */

/* True if loc does not end before it begins. */
bool ph_srcloc_isrange(ph_srcloc loc);
/* Sets the source location of the values made from now on, a range. */
void ph_srcloc_set(ph_func *f, ph_srcloc loc);
/* Sets the host location of the variables and blocks made, filled and sealed
** from now on, and, if `each`, of every phi and instruction. */
void ph_srcloc_sethost(ph_func *f, ph_srcloc host, bool each);

/* }== Parameters and variables ======================================= */

/* The most parameters of a function: a caller in Lua has them on its stack. */
enum { PH_PARAMS_MAX = 250000 };

/* Adds a parameter after those that f has, fewer than PH_PARAMS_MAX, and
** returns its value.  type is not PH_NOTYPE; nor is it for variables, constants
** and undefs. */
ph_value ph_value_newparam(ph_func *f, ph_str name, ph_type type);
/* Returns the number of parameters. */
uint32_t ph_value_nparams(const ph_func *f);
/* Returns parameter i, from 0; i < ph_value_nparams(f). */
ph_value ph_value_param(const ph_func *f, uint32_t i);

/* How C passes a value of a type: a narrow integer, whose register or slot on
** the stack is wider, as it is, extended by zeros, or by its sign; an address as
** what is there: the va_list, the struct, or a struct that is the result of the
** function.  No run depends on it, except that a function has a copy of a struct
** that it gets. */
typedef enum {
  PH_PLAIN,
  PH_ZEROEXT,
  PH_SIGNEXT,
  PH_VALIST,
  PH_BYVAL,
  PH_SRET
} ph_passing;

/* Returns how a type is passed unless ph_func_setpassing says otherwise: i1 is
** extended by zeros, i8 and i16 by their sign, as `bool`, `int8_t` and `int16_t`
** are, and all others are plain. */
ph_passing ph_type_passing(ph_type type);
/* True if parameter i, from 1, or the result (0), can be said to be passed so if
** it is of that type: integers of 8, 16 and 32 bits extended, a parameter of type
** ptr as a va_list or PH_BYVAL, the first one as PH_SRET. */
bool ph_type_canpass(ph_type type, uint32_t i, ph_passing passing);
/* Returns what ph_type_canpass demands, as a message says it; passing is not
** PH_PLAIN. */
const char *ph_passing_demand(ph_passing passing);
/* Sets how parameter i, from 1, is passed, or the result (0); it can be. */
void ph_func_setpassing(ph_func *f, uint32_t i, ph_passing passing);
/* Returns how parameter i, from 1, is passed, or the result (0). */
ph_passing ph_func_passing(const ph_func *f, uint32_t i);

/* The most bytes of a struct that is passed. */
enum { PH_STRUCT_MAX = 1 << 20 };

/* True if the text describes a struct of at most PH_STRUCT_MAX bytes: the types
** of its members, which lie as in C, and how many an array has:
** "{i32, f64, i8[3]}". */
bool ph_struct_is(const ph_func *f, ph_str text);
/* Sets that parameter i, from 1, is a struct, PH_BYVAL or PH_SRET; it can be.
** PH_SRET is for functions without a result. */
void ph_func_setstruct(ph_func *f, uint32_t i, ph_passing passing,
                       ph_str members);
/* Returns the struct that parameter i is, as text; "": it is none. */
ph_str ph_func_struct(const ph_func *f, uint32_t i);

/* Returns a new variable.  Names may be empty and need not differ. */
ph_var ph_var_new(ph_func *f, ph_str name, ph_type type);
/* Returns the number of variables, which is the largest id. */
uint32_t ph_var_count(const ph_func *f);
ph_str ph_var_name(const ph_func *f, ph_var var);
ph_type ph_var_type(const ph_func *f, ph_var var);
/* Returns the host location at which the variable was made. */
ph_srcloc ph_var_hostloc(const ph_func *f, ph_var var);

/* }== Constants ====================================================== */

/* Constants and undefs belong to no block and are interned: equal ones are one
** value. */

/* True if `type` is an integer type of w bits and -2^(w-1) <= i < 2^w. */
bool ph_const_fits(ph_type type, int64_t i);
/* Returns the integer constant i, which must fit.  -1 and 255 are the same i8.
*/
ph_value ph_const_int(ph_func *f, ph_type type, int64_t i);
/* Returns a constant of a float type; for f32, d is rounded. */
ph_value ph_const_float(ph_func *f, ph_type type, double d);
/* Returns a constant of type any; data must not be PH_DATA_NONE. */
ph_value ph_const_any(ph_func *f, ph_data data);
/* Returns the undefined value of a type. */
ph_value ph_const_undef(ph_func *f, ph_type type);

/* }== Blocks ========================================================= */

/* Returns a new block without instructions in a function that is not finished.
** preds < 0: the host seals it by ph_build_seal.  preds >= 0: the block seals
** itself as soon as that many edges have arrived, and no more may; edges that
** were folded away, or leave a dead block, count. */
ph_block ph_block_new(ph_func *f, ph_str name, int preds);
/* Returns the entry. */
ph_block ph_block_entry(const ph_func *f);
/* Returns the block after b by id, or none; b none: the first.  Removed blocks
** are skipped. */
ph_block ph_block_next(const ph_func *f, ph_block b);
/* Returns the largest id of a block. */
uint32_t ph_block_count(const ph_func *f);
ph_str ph_block_name(const ph_func *f, ph_block b);

/* True if ph_finish_dropunreachable removed b: it is not in f any more. */
bool ph_block_isremoved(const ph_func *f, ph_block b);
/* True if no more predecessors will come. */
bool ph_block_issealed(const ph_func *f, ph_block b);
/* True if b has its terminator. */
bool ph_block_isfilled(const ph_func *f, ph_block b);
/* True if b is dead: sealed without predecessors, and not the entry.  A dead
** block can be filled, but its terminator adds no edges, except with the option
** keep_unreachable; ph_block_addsnone: it is dead, and adds none. */
bool ph_block_isdead(const ph_func *f, ph_block b);
bool ph_block_addsnone(const ph_func *f, ph_block b);
/* Returns the `preds` of ph_block_new (of the entry: 0), and how many of those
** edges have not come yet. */
int ph_block_announced(const ph_func *f, ph_block b);
uint32_t ph_block_awaited(const ph_func *f, ph_block b);

typedef enum { PH_AT_MADE, PH_AT_FILLED, PH_AT_SEALED } ph_moment;
/* Returns the host location at which b was made, filled or sealed. */
ph_srcloc ph_block_hostloc(const ph_func *f, ph_block b, ph_moment when);

/* Iterate over the phis, or the instructions, of b in order: return the one
** after v, or none; v none: the first.  v is in b and must not have been
** replaced or removed: ask for the next one before v is erased. */
ph_value ph_block_nextphi(const ph_func *f, ph_block b, ph_value v);
ph_value ph_block_nextinst(const ph_func *f, ph_block b, ph_value v);
/* Returns the terminator of b, which is its last instruction; none if b is not
** filled. */
ph_value ph_block_terminator(const ph_func *f, ph_block b);

/* }== Edges ========================================================== */

/* An edge is a number; 0 is none.  Edges of a block are ordered: incoming ones
** as they arrived, which is the order of the operands of its phis; outgoing
** ones as the terminator names its targets.  Several edges can join the same
** two blocks.  Edge numbers are valid until an edge is added or removed. */

/* Return the number of incoming and of outgoing edges. */
uint32_t ph_block_npreds(const ph_func *f, ph_block b);
uint32_t ph_block_nsuccs(const ph_func *f, ph_block b);
/* Iterate over the incoming edges: the first into b, the one after `edge`; 0:
** no more. */
uint32_t ph_block_firstpred(const ph_func *f, ph_block b);
uint32_t ph_block_nextpred(const ph_func *f, uint32_t edge);
/* Return the block that an edge leaves, and the one that it enters. */
ph_block ph_block_edgefrom(const ph_func *f, uint32_t edge);
ph_block ph_block_edgeto(const ph_func *f, uint32_t edge);
/* Return target i of b, from 0, and the edge to it; i < ph_block_nsuccs(f, b).
*/
ph_block ph_block_succ(const ph_func *f, ph_block b, uint32_t i);
uint32_t ph_block_succedge(const ph_func *f, ph_block b, uint32_t i);

/* }== Values ========================================================= */

/* Returns what v stands for now: v itself, or what replaced it.  Two handles
** are the same value if they resolve to the same id. */
ph_value ph_value_resolve(const ph_func *f, ph_value v);
/* Resolves *v and stores the type of its result; false: it was removed. */
bool ph_value_take(const ph_func *f, ph_value *v, ph_type *type);
/* Returns the largest id of a value. */
uint32_t ph_value_count(const ph_func *f);
/* True if v was removed without a replacement: with its block, by ph_dce_run,
** or erased. */
bool ph_value_isdropped(const ph_func *f, ph_value v);
ph_op ph_value_op(const ph_func *f, ph_value v);
/* Returns the type of the result; PH_NOTYPE if there is none. */
ph_type ph_value_type(const ph_func *f, ph_value v);
/* Returns the block of a phi or instruction; none for other values. */
ph_block ph_value_block(const ph_func *f, ph_value v);
/* Returns the number of operands.  A phi has one for each incoming edge, in
** their order, or none as long as it is incomplete. */
uint32_t ph_value_nargs(const ph_func *f, ph_value v);
/* Returns operand i, from 0; i < ph_value_nargs(f, v). */
ph_value ph_value_arg(const ph_func *f, ph_value v, uint32_t i);
/* Returns the data of v: of a constant, what it is; of a parameter, its number
** from 0; of another instruction, what it was given, or PH_DATA_NONE. */
ph_data ph_value_data(const ph_func *f, ph_value v);
/* Sets the data of an instruction that is neither a phi nor a copy.  (If f
** simplifies, use ph_build_emitdata.) */
void ph_value_setdata(ph_func *f, ph_value v, ph_data data);
/* A name for text, "" if it has none; it need not be unique. */
ph_str ph_value_name(const ph_func *f, ph_value v);
void ph_value_setname(ph_func *f, ph_value v, ph_str name);
/* Returns the variable for which a phi or a copy was made, or none. */
ph_var ph_value_var(const ph_func *f, ph_value v);
/* True if v is a phi that waits for its block to be sealed. */
bool ph_value_isincomplete(const ph_func *f, ph_value v);

/* Returns the source location of v. */
ph_srcloc ph_value_loc(const ph_func *f, ph_value v);
/* Sets it, whatever ph_srcloc_set said when v was made. */
void ph_value_setloc(ph_func *f, ph_value v, ph_srcloc loc);
/* Returns the host location of v, if one was recorded for each value. */
ph_srcloc ph_value_hostloc(const ph_func *f, ph_value v);

/* }== Uses =========================================================== */

/* Def-use chains are made when they are first asked for, in linear time, and
** kept exact from then on.  A use is a number; 0 is none: it says that operand
** ph_uses_index of ph_uses_user is v.  Uses are valid until operands of those
** users change, are added or removed. */

/* Returns how many operands are v.  Asking for nothing but counts makes no
** chains. */
uint32_t ph_uses_count(ph_func *f, ph_value v);
/* Iterate over the uses of v, in no particular order; 0: no more. */
uint32_t ph_uses_first(ph_func *f, ph_value v);
uint32_t ph_uses_next(ph_func *f, ph_value v, uint32_t use);
/* Return the phi or instruction that has the operand, and which one it is, from
** 0. */
ph_value ph_uses_user(const ph_func *f, uint32_t use);
uint32_t ph_uses_index(const ph_func *f, uint32_t use);

/* }=================================================================== */

PH_END_DECLS

#endif
