/* program.h: a function before phis, as the classical algorithms see it. */
#ifndef PH_CLASSICAL_PROGRAM_H
#define PH_CLASSICAL_PROGRAM_H

#include "core/analysis/dom.h"
#include "phial/classical.h"
#pragma GCC visibility push(hidden)

/* A read or a write.  The value of a read is in no block, and is replaced when
** variables are renamed. */
typedef struct {
  uint32_t block, var, value; /* value 0: the variable ends */
  uint32_t here, loc;         /* indices in `places` */
  bool reads;
} ph_occurrence;

PH_VEC(ph_occurrences, ph_occurrence)

typedef struct {
  ph_func *f;
  ph_arena *a;
  const ph_domtree *d;
  uint32_t nblocks, nvars;    /* counting 0 */
  const ph_occurrences *list; /* in order of time, from 0 */
  /* The occurrences in block b are at[first[b]] .. at[first[b + 1] - 1]. */
  const ph_occurrence *at;
  const uint32_t *first;
  ph_csr writers; /* by variable: the blocks that write it */
  ph_csr readers; /* by variable: those that read it before they write it */
  ph_pairs phis;  /* where phis were placed: block, variable */
} ph_program;

/* Returns zeroed numbers, one for each block. */
static inline uint32_t *ph_program_numbers(const ph_program *p) {
  return ph_arena_zero(p->a, p->nblocks * sizeof(uint32_t));
}
/* Places a phi for var in b. */
static inline void ph_program_place(ph_program *p, uint32_t var, uint32_t b) {
  ph_csr_add(&p->phis, p->a, b, var);
}
/* True if some block reads var before it writes it: otherwise a phi is never
** read. */
static inline bool ph_program_isglobal(const ph_program *p, uint32_t var) {
  return p->readers.first[var] != p->readers.first[var + 1];
}

/* Place phis: Cytron et al., Briggs et al., Choi et al. */
void ph_frontier_place(ph_program *p, ph_classic which);
/* Brandis and Moessenboeck.  Returns a block at which the control flow is seen
** not to be structured; 0: it is, and phis are placed. */
uint32_t ph_structure_place(ph_program *p);

/* Makes the phis that were placed, replaces each read by its definition, and
** gives the phis their operands; if `sparse`, without those that are trivial
** then. */
void ph_rename_run(ph_program *p, bool sparse);

#pragma GCC visibility pop
#endif
