/* program.h: a function before phis, as the classical algorithms see it. */
#ifndef PH_CLASSICAL_PROGRAM_H
#define PH_CLASSICAL_PROGRAM_H

#include "core/analysis/dom.h"
#include "core/lookup/occurrences.h"
#pragma GCC visibility push(hidden)

typedef struct {
  ph_func *f;
  ph_arena *a;
  const ph_domtree *d;
  uint32_t nblocks, nvars; /* counting 0 */
  /* The occurrences in block b are at[first[b]] .. at[first[b + 1] - 1]. */
  const ph_occurrence *at;
  const uint32_t *first;
  ph_csr writers; /* by variable: the blocks that write it */
  ph_csr readers; /* by variable: those that read it before they write it */
  ph_pairs phis;  /* where phis were placed: block, variable */
} ph_program;

/* Returns the program of f, in memory of a.  No block is unreachable. */
ph_program ph_program_of(ph_func *f, ph_arena *a);
/* Returns zeroed numbers, one for each block. */
static inline uint32_t *ph_program_numbers(const ph_program *p) {
  return ph_arena_zero(p->a, p->nblocks * sizeof(uint32_t));
}
/* Places a phi for var in b. */
static inline void ph_program_place(ph_program *p, uint32_t var, uint32_t b) {
  ph_csr_add(&p->phis, p->a, b, var);
}

#pragma GCC visibility pop
#endif
