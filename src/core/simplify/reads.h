/* reads.h: which reads of memory give what has been read or written before. */
#ifndef PH_SIMPLIFY_READS_H
#define PH_SIMPLIFY_READS_H

#include "core/analysis/dom.h"
#pragma GCC visibility push(hidden)

/* What is known of memory during a walk over the dominator tree in preorder. */
typedef struct ph_reads_walk ph_reads_walk;

/* Starts such a walk, with memory of a.  d: the dominator tree.  Requires: all
** blocks are filled, sealed and reached. */
ph_reads_walk *ph_reads_begin(ph_func *f, const ph_domtree *d, ph_arena *a);
/* The walk comes to block b. */
void ph_reads_enter(const ph_reads_walk *r, uint32_t b);
/* The walk comes to the instruction v, which may have been replaced by now.
** Returns the value that v gives if it only reads and that is known: of an equal
** read that dominates it and sees the same version of memory, or, of a load, what
** was stored there; or 0. */
uint32_t ph_reads_meet(ph_reads_walk *r, uint32_t v);
/* True if two instructions read or store the same, at whatever versions: without
** that, a walk finds nothing. */
bool ph_reads_mayanswer(ph_func *f);

#pragma GCC visibility pop
#endif
