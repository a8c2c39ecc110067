/* construct.h: SSA construction on the fly, and its end.
**
** A frontend writes and reads variables, emits instructions, ends blocks
** (fills them) and says when no more predecessors of a block will come (seals
** it).  Phis are placed meanwhile, by the algorithm of Braun et al.; finish
** removes what turned out to be redundant.  examples/c/figure2.c is a whole
** program.
**
** A block is sealed when the last edge into it has been added, not earlier: the
** commonest mistake is to seal the header of a loop before the jump back to it
** is emitted.  (Sealing all blocks at the end is right, too, and makes more
** phis on the way.)
**
** The function is not finished; blocks that are passed were not removed.
** Operands that are passed are copied.
*/
#ifndef PHIAL_CONSTRUCT_H
#define PHIAL_CONSTRUCT_H

#include "phial/func.h"

PH_BEGIN_DECLS

/*
** {== Variables ======================================================
*/

/* Makes v the value of var in b, which must not be filled (writeVariable,
** Algorithm 1).  v has the type of var.  Returns v, or with options.copies the
** copy that was made. */
ph_value ph_build_write(ph_func *f, ph_var var, ph_block b, ph_value v);
/* Ends var in b, which must not be filled: from there on, until the next write,
** it has no definition. */
void ph_build_kill(ph_func *f, ph_var var, ph_block b);
/* Returns the value of var at the present end of b, which may be filled
** (readVariable, Algorithms 1 and 2).  May make phis, in b and in blocks from
** which it is reached. */
ph_value ph_build_read(ph_func *f, ph_var var, ph_block b);
/* Says that var is v at the end of b, which may be filled.  For what was
** defined before ph_finish_reopen, which construction does not know any more.
** var must not have been read or written in b since; nor (which is not checked)
** read in a block that this definition reaches. */
void ph_build_assume(ph_func *f, ph_var var, ph_block b, ph_value v);
/* Returns a new group for variables of that type, which may-writes write
** together. */
ph_group ph_group_new(ph_func *f, ph_type type);
ph_type ph_group_type(const ph_func *f, ph_group group);
/* Adds a variable of the group's type, for may-writes from now on; nothing
** happens if it is in the group. */
void ph_group_add(ph_func *f, ph_group group, ph_var var);
/* Says that at the present end of b, which must not be filled, v may be written
** to each variable of the group, or not, as by a call or through an alias.  A
** read after it gives a PH_MAY of what was there and v, which is made for each
** variable that is read.  This takes constant time.  Returns v, or with
** options.accesses the copy that was made, one for the call. */
ph_value ph_build_maywrite(ph_func *f, ph_group group, ph_block b, ph_value v);
/* Does the same for n variables of v's type, in n steps: a may-write to each,
** of one copy. */
ph_value ph_build_maywriteto(ph_func *f, const ph_var *vars, uint32_t n,
                             ph_block b, ph_value v);
/* Seals b, which must not be sealed: no more predecessors will come (sealBlock,
** Algorithm 4).  Its incomplete phis get their operands. */
void ph_build_seal(ph_func *f, ph_block b);

/* }== Instructions =================================================== */

/* Appends an instruction to b, which must not be filled, and returns its
** value.  An alloca may come when the entry is filled: it is put before the
** terminator.  op is neither a terminator, a phi, nor PH_LEAF; its operands
** fit, and type is as ph_opcheck_values gives it.  If f simplifies
** (ph_peephole_enable) an existing value may be returned, or none if a callback
** failed; then nothing has changed. */
ph_value ph_build_emit(ph_func *f, ph_block b, ph_op op, ph_type type,
                       const ph_value *args, uint32_t n);
/* The same with data.  If f simplifies, the data must not be changed later.
** That of PH_TRAP_IF is its message: PH_DATA_STR and what ph_intern_add gives.
** That of PH_ADDRESS and PH_CALL is a function or global, or its name; the data
** of a PH_TAIL_CALL is set next, by ph_value_setdata. */
ph_value ph_build_emitdata(ph_func *f, ph_block b, ph_op op, ph_type type,
                           const ph_value *args, uint32_t n, ph_data data);
/* Appends a call of a function by its name, not empty; type: of its result. */
ph_value ph_build_call(ph_func *f, ph_block b, ph_type type, ph_str callee,
                       const ph_value *args, uint32_t n);
/* Appends a phi that belongs to no variable to b, which must be sealed.  n is
** the number of incoming edges; operand i belongs to edge i.  Returns the phi,
** or the value that it stands for if it is trivial. */
ph_value ph_build_phi(ph_func *f, ph_block b, ph_type type,
                      const ph_value *args, uint32_t n);

/* }== Terminators ==================================================== */

/* Ends b with a terminator and adds an edge to each of the m targets, unless b
** is dead.  b must not be filled, and the number of operands and targets fits
** op.  No target is the entry, or sealed (unless b is dead), or gets more edges
** than ph_block_new announced.  Returns the terminator, or none if a callback
** failed; then nothing has changed.  If f simplifies, the terminator can be
** another one with fewer targets.
**
** PH_SWITCH: operand 0 is the value, the others are distinct constants, the
** keys; target 0 is the default, target i belongs to operand i. */
ph_value ph_build_fill(ph_func *f, ph_block b, ph_op op, const ph_value *args,
                       uint32_t n, const ph_block *targets, uint32_t m);
/* The same for the usual ones; v has the type of the result, and is none for a
** function without one. */
ph_value ph_build_jump(ph_func *f, ph_block b, ph_block target);
ph_value ph_build_branch(ph_func *f, ph_block b, ph_value cond, ph_block then,
                         ph_block otherwise);
ph_value ph_build_ret(ph_func *f, ph_block b, ph_value v);
/* The same for PH_TRAP, whose data is the message. */
ph_value ph_build_trap(ph_func *f, ph_block b, ph_str message);
/* Variables of which the edges of a branch say something.  split: a block is
** made on an edge that is not the only one into its target when that is sealed;
** if no read finds a refinement there, ph_finish_run removes it again. */
typedef struct {
  const ph_var *vars;
  uint32_t n;
  bool split;
} ph_refined;

/* The same for a branch or switch, and after each edge something is known of
** these variables: a read there gives a PH_REFINE of the value.  Operand 1 is
** operand 0 of the terminator as it is given here, operand 2 the constant that
** it is on this edge: 1 or 0, of type PH_I1, or the key of the switch.  Nothing
** is known on the default edge of a switch.  A refinement holds in a target
** that has no other edge when it is sealed; the others are dropped and counted
** (ph_stats), unless their edges are split. */
ph_value ph_build_refine(ph_func *f, ph_block b, ph_op op, const ph_value *args,
                         uint32_t n, const ph_block *targets, uint32_t m,
                         const ph_refined *what);
/* True if b was filled with `to` as a target and no edge leads there: it was
** folded away, or b was dead.  Known until ph_finish_close. */
bool ph_build_isfolded(const ph_func *f, ph_block b, ph_block to);

/* }== Reads without a definition ===================================== */

/* With PH_UNDEF_ASK: returns the first variable that was read without a
** definition and has not been given a value for that yet; none: there is no
** such variable.  To be asked after each call that reads or seals. */
ph_var ph_build_undefvar(const ph_func *f);
/* Says that var, the variable of ph_build_undefvar, is v wherever it has no
** definition.  v is a constant or a parameter, of the type of var. */
void ph_build_define(ph_func *f, ph_var var, ph_value v);

/* A read that some path from the entry reaches without a definition of the
** variable. */
typedef struct {
  ph_var var;
  ph_block block;
  ph_srcloc here, loc; /* of the read: host location, source location */
} ph_read;

/* Finds these reads and returns how many there are.  Before finish it answers
** for the edges that exist so far. */
uint32_t ph_undef_reads_count(ph_func *f);
/* The same of those among them to which no path writes the variable.  Under
** construction. */
uint32_t ph_undef_reads_unwritten(ph_func *f);
/* Returns the i-th of the reads found last, from 0, in order of reading. */
ph_read ph_undef_reads_at(const ph_func *f, uint32_t i);
/* Finds a path from the entry to read i on which its variable has no
** definition; returns the number of its blocks. */
uint32_t ph_undef_reads_path(ph_func *f, uint32_t i);
/* Returns the k-th block of the path found last, from 0. */
ph_block ph_undef_reads_step(const ph_func *f, uint32_t k);
/* For a host that finds out where it is only if a read may be undefined:
** returns how many reads have been recorded as such; gives those from the i-th
** on, from 0, the host location that is set now. */
uint32_t ph_undef_reads_recorded(const ph_func *f);
void ph_undef_reads_place(ph_func *f, uint32_t i);

/* }== Finishing ====================================================== */

/* Return the first block after b (by id; b none: the first) that is not filled,
** or not sealed; none if all are. */
ph_block ph_finish_unfilled(const ph_func *f, ph_block b);
ph_block ph_finish_unsealed(const ph_func *f, ph_block b);

/* Ends construction: does the steps below in their order.  Every block must be
** filled (ph_finish_unfilled finds the others).  false: a callback failed,
** which never happens without callbacks; f stays valid and is not closed. */
bool ph_finish_run(ph_func *f);

/* The steps, for a host that has to do something between them, for example to
** verify f before it is closed.  To simplify a finished function once more, do
** those from PH_FINISH_REACHABLE to PH_FINISH_SIMPLIFIED: of everything, now. */
typedef enum {
  PH_FINISH_SEALED,
  PH_FINISH_REACHABLE,
  PH_FINISH_PHIS,
  PH_FINISH_SIMPLIFIED,
  PH_FINISH_CLOSED,
  PH_FINISH_STEPS
} ph_finish_step;

/* Does that step; false: as ph_finish_run. */
bool ph_finish_do(ph_func *f, ph_finish_step step);

/* Says whether the steps keep unreachable blocks, which they remove otherwise.
** Those that are kept make no difference to the others, whose form is as if
** they did not exist.  Analyses that are made with ph_..._new, and the
** verifier, count them, as if a virtual root led to them; what runs or exports
** f does not.  Not with a classical algorithm. */
void ph_finish_keepunreachable(ph_func *f, bool keep);
bool ph_finish_keepsunreachable(const ph_func *f);

/* 1. Seals the blocks that are not sealed. */
void ph_finish_sealall(ph_func *f);
/* 2. Removes the blocks that the entry does not reach, with their edges and the
** phi operands of these; if f keeps them, only the edges that lead from them to
** reachable blocks.  If f keeps them and simplifies, they are absent until
** ph_finish_simplify puts them back as they were.  Also for a finished
** function. */
void ph_finish_dropunreachable(ph_func *f);
/* 3. Replaces redundant phis; with a classical algorithm (classical.h), places
** phis. */
void ph_finish_phis(ph_func *f);
/* Replaces redundant phis (section 3.2): f is minimal then, whatever its
** control flow.  Also for a finished function. */
void ph_redundant_phi_remove(ph_func *f);
/* 4. If f simplifies: simplifies once more what has changed since it was
** emitted (all: everything), now with dominators; turns branches on constants
** into jumps; and removes what becomes unreachable or redundant; to a fixed
** point.  Also for a finished function.  false: a callback failed; f stays
** valid. */
bool ph_finish_simplify(ph_func *f, bool all);
/* 5. Frees the memory that only construction needs.  f is finished then. */
void ph_finish_close(ph_func *f);

/* True if f is finished: it can be edited, and not be filled. */
bool ph_finish_isdone(const ph_func *f);
/* Continues the construction of a finished function: blocks and instructions
** can be added.  Variables have no definitions except those written or assumed
** since. */
void ph_finish_reopen(ph_func *f);
/* True if f was parsed from the text of an unfinished function: it can be read,
** but not be continued, because the text does not contain definitions of
** variables. */
bool ph_finish_isfrozen(const ph_func *f);

/* }=================================================================== */

PH_END_DECLS

#endif
