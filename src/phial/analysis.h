/* analysis.h: order, dominators, liveness, loops, phis. */
#ifndef PHIAL_ANALYSIS_H
#define PHIAL_ANALYSIS_H

#include "phial/func.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An analysis is a value: made by *_new, asked, released by ph_func_freeanalyses.  It
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
void ph_func_freeanalyses(ph_func *f);

/* The first phi of a redundant set (paper, Algorithm 5), or none: then f is
** minimal.  The first phi that no read and no instruction needs, or none:
** then f is pruned. */
ph_value ph_redundant_phi_find(ph_func *f);
ph_value ph_dead_phi_find(ph_func *f);
/* The values that are no phis and reach v through phis: how many; the k-th. */
uint32_t ph_phi_sources_count(ph_func *f, ph_value v);
ph_value ph_phi_sources_at(const ph_func *f, uint32_t k);
/* Removes the phis that no read and no instruction needs; how many. */
uint32_t ph_dead_phi_remove(ph_func *f);
/* Removes pure instructions and phis that nothing uses; how many. */
uint32_t ph_dce_run(ph_func *f);

#ifdef __cplusplus
}
#endif

#endif
