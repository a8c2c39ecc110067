/* construct.h: construction: write, read, seal, emit, fill, finish. */
#ifndef PHIAL_CONSTRUCT_H
#define PHIAL_CONSTRUCT_H

#include "phial/func.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
** {== Construction ======================================================
*/

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

/* }== Reads without a definition ======================================== */

/* PH_UNDEF_ASK: the first variable that was read without a definition and has
** no value yet, or none; ph_build_define gives it a constant or an argument. */
ph_var ph_build_undefined(const ph_func *f);
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

/* }== Finishing ========================================================= */

/* The first block (in order) that has no terminator, after b; none when all
** are filled; likewise unsealed ones. */
ph_block ph_finish_unfilled(const ph_func *f, ph_block b);
ph_block ph_finish_unsealed(const ph_func *f, ph_block b);

/* finish in its parts, in this order: every block must be filled.
** seal: the blocks that are not; drop: what the entry does not reach, with
** edges and phi operands; minimize: removes the redundant phis (paper, 3.2);
** simplify: see there; close: frees what construction needs. */
void ph_finish_sealall(ph_func *f);
void ph_finish_dropunreachable(ph_func *f);
void ph_redundant_phi_remove(ph_func *f);
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
} ph_simplify_counts;

typedef struct {
  uint32_t blocks, values, phis; /* now */
  uint32_t temporary_phis;       /* got operands and are gone again */
  uint32_t trivial_phis;         /* replaced as trivial; also those that a read
                                    in an unsealed block was given and that
                                    never needed operands */
  uint32_t redundant_phis;       /* replaced as redundant */
  ph_simplify_counts emitting, later; /* when it was emitted; by finish */
  uint32_t exhausted; /* rules stopped: they went round in circles */
} ph_stats;
ph_stats ph_func_stats(const ph_func *f);

/* }=================================================================== */

#ifdef __cplusplus
}
#endif

#endif
