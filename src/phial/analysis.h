/* analysis.h: order, dominators, liveness, loops; checks of phis; DCE.
**
** Analyses can be made at any time, also of a function under construction; they
** answer for the function as it was when they were made.  Order, dominators and
** loops are the same as long as ph_func_flowversion is, all others as long as
** ph_func_codeversion is (reaching writes: and ph_access_count).  They lie in
** the memory of f and are valid until ph_func_freeanalyses, or until f is freed;
** each call of a ph_..._new makes another one.
*/
#ifndef PHIAL_ANALYSIS_H
#define PHIAL_ANALYSIS_H

#include "phial/func.h"

PH_BEGIN_DECLS

/* Free all analyses of f; order, dominators and loops; all others. */
void ph_func_freeanalyses(ph_func *f);
void ph_func_freeflowanalyses(ph_func *f);
void ph_func_freecodeanalyses(ph_func *f);

/*
** {== Reverse postorder ==============================================
*/

/* The blocks that the entry reaches, in reverse postorder.  If f keeps its
** unreachable blocks (ph_finish_keepunreachable) these follow. */
typedef struct ph_rpo ph_rpo;

/* Computes the order in linear time. */
const ph_rpo *ph_rpo_new(ph_func *f);
/* Returns the number of reached blocks, and of all in the order. */
uint32_t ph_rpo_count(const ph_rpo *o);
uint32_t ph_rpo_total(const ph_rpo *o);
/* Returns the block at position i, from 0 (the entry). */
ph_block ph_rpo_at(const ph_rpo *o, uint32_t i);
/* True if the entry reaches b. */
bool ph_rpo_isreached(const ph_rpo *o, ph_block b);
/* Returns the position of b, which must be in the order. */
uint32_t ph_rpo_index(const ph_rpo *o, ph_block b);

/* }== Paths ========================================================== */

/* True if a path of edges leads from block `from` to block `to`; each block
** reaches itself.  Neither was removed.  Searches back from `to`, among the
** edges that exist so far: linear in these. */
bool ph_block_canreach(ph_func *f, ph_block from, ph_block to);

/* }== Dominators ===================================================== */

typedef struct ph_domtree ph_domtree;

/* Computes immediate dominators (Lengauer and Tarjan, 1979). */
const ph_domtree *ph_dom_new(ph_func *f);
/* Returns the immediate dominator of b; none for the entry and for blocks that
** are not reached.  If f keeps its unreachable blocks, these have dominators
** among themselves, except where a virtual root leads to them: to one block of
** each strongly connected component that no other one leads to. */
ph_block ph_dom_idom(const ph_domtree *d, ph_block b);
/* True if every path from the entry to b contains a, in constant time.  A block
** that is not reached is dominated by all blocks, and dominates only such; if f
** keeps it, every path from the virtual root counts. */
bool ph_dom_dominates(const ph_domtree *d, ph_block a, ph_block b);
/* True if the target of every retreating edge dominates its source. */
bool ph_dom_isreducible(ph_func *f);

/* }== Liveness ======================================================= */

typedef struct ph_liveness ph_liveness;

/* Computes the values that are live at the start of each block, without its own
** phis.  An operand of a phi is used at the end of the predecessor.  Parameters
** are defined before the entry; constants and undefs are not listed.  All
** results of an instruction are defined there, wherever their projections are.
*/
const ph_liveness *ph_liveness_new(ph_func *f);
/* Returns how many are live at the start of b; the i-th, from 0. */
uint32_t ph_liveness_count(const ph_liveness *l, ph_block b);
ph_value ph_liveness_at(const ph_liveness *l, ph_block b, uint32_t i);
/* The same for the end of b, the operands that its edges give to phis
** included.  Both lists are sorted by id. */
uint32_t ph_liveness_outcount(const ph_liveness *l, ph_block b);
ph_value ph_liveness_outat(const ph_liveness *l, ph_block b, uint32_t i);

/* The values that are live at points within blocks. */
typedef struct ph_livepoints ph_livepoints;

/* Prepares answers for all points of f, l being its liveness, in time linear in
** the size of f and l. */
const ph_livepoints *ph_livepoints_new(ph_func *f, const ph_liveness *l);
/* Finds the values that are live right after v, sorted by id, and returns how
** many there are.  An instruction's operands are not among them unless they are
** used again; its results, all of which are defined there, wherever their
** projections are, are if they are used.  After a phi is after all phis of its
** block; a parameter is defined at the start of the entry; nothing is live
** after a constant or an undef.
** across: only those that are live before v, too.  Of a call these are what a
** collector has to know.
** Takes O(log n) for each value found. */
uint32_t ph_livepoints_count(ph_func *f, const ph_livepoints *p, ph_value v,
                             bool across);
/* Returns the k-th of the values found last, from 0. */
ph_value ph_livepoints_at(const ph_func *f, uint32_t k);

/* }== Loops ========================================================== */

/* A loop is a strongly connected component of the blocks, with at least one
** edge; its header is the first of them in reverse postorder.  The components
** of what remains without the header are the loops nested in it.  A loop is
** reducible if control enters it only at its header.  Loops have numbers from 1
** on, outer ones before those nested in them; 0 is none. */
typedef struct ph_loops ph_loops;

/* Finds the loops (Havlak, 1997; Ramalingam, 1999). */
const ph_loops *ph_loops_new(ph_func *f);
/* Returns the number of loops. */
uint32_t ph_loops_count(const ph_loops *l);
ph_block ph_loops_header(const ph_loops *l, uint32_t loop);
/* Returns the innermost loop around `loop`, or 0. */
uint32_t ph_loops_parent(const ph_loops *l, uint32_t loop);
/* Returns the nesting depth: 1 for outermost loops, 0 for loop 0. */
uint32_t ph_loops_depth(const ph_loops *l, uint32_t loop);
bool ph_loops_isreducible(const ph_loops *l, uint32_t loop);
/* Returns how many blocks the loop has, those of nested loops included; the
** i-th, from 0 (the header). */
uint32_t ph_loops_size(const ph_loops *l, uint32_t loop);
ph_block ph_loops_block(const ph_loops *l, uint32_t loop, uint32_t i);
/* Returns how many blocks of other loops precede those of the loop in a list in
** which the blocks of each loop are contiguous: the blocks of the outermost
** loops, one loop after the other. */
uint32_t ph_loops_first(const ph_loops *l, uint32_t loop);
/* Returns the innermost loop that contains b, or 0. */
uint32_t ph_loops_of(const ph_loops *l, ph_block b);
/* True if b is a block of the loop, or of one nested in it. */
bool ph_loops_contains(const ph_loops *l, uint32_t loop, ph_block b);

/* }== Phis =========================================================== */

/* Returns a phi of a redundant set, or none: then f is minimal.  This is the
** search of Algorithm 5, independent of ph_redundant_phi_remove, as long as it
** visits each phi some 64 times at most, on average; hundreds of nested loops
** can need more.  Then the dominators of the phis decide, as they do there. */
ph_value ph_redundant_phi_find(ph_func *f);
/* Returns a dead phi, one that no read and no instruction needs, or none: then
** f is pruned. */
ph_value ph_dead_phi_find(ph_func *f);
/* Removes the dead phis and returns how many there were.  Editing can make
** phis dead; construction does not leave any. */
uint32_t ph_dead_phi_remove(ph_func *f);

/* }== Flow =========================================================== */

/* Finds the values other than phis that reach v through phis (v itself if it is
** not a phi), but no more than `limit`, and returns how many were found.  A phi
** that still waits for its operands is found like any other value. */
uint32_t ph_flow_sources(ph_func *f, ph_value v, uint32_t limit);
/* Returns the k-th of the values found last, from 0. */
ph_value ph_flow_at(const ph_func *f, uint32_t k);

/* }== Dead code ====================================================== */

/* The values that the code of a function needs, and how often it uses them.
** That code is what an emitter would write: it
** - has the blocks that the entry reaches, and phis with their operands over
**   the edges from these;
** - has the instructions that write or may trap, terminators and ops of
**   dialects, and what their operands need;
** - has the projections of an instruction next to it: they are needed, and not
**   uses of it;
** - uses the first operand of a refinement only, which is its value. */
typedef struct ph_needed ph_needed;

/* Finds them in linear time. */
const ph_needed *ph_needed_new(ph_func *f);
/* True if v, a value of f, is needed. */
bool ph_needed_has(const ph_needed *n, ph_value v);
/* Returns how many needed values use v in the block that computes it, and how
** many in other blocks.  A phi uses an operand in the block that the edge comes
** from. */
uint32_t ph_needed_near(const ph_needed *n, ph_value v);
uint32_t ph_needed_far(const ph_needed *n, ph_value v);

/* Removes, from a finished function, the pure instructions and the phis that no
** other instruction needs, even those that a read returned; returns how
** many. */
uint32_t ph_dce_run(ph_func *f);

/* }=================================================================== */

PH_END_DECLS

#endif
