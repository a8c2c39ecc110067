/* again.h: construction on the fly in a finished function, of new variables. */
#ifndef PH_CONSTRUCT_AGAIN_H
#define PH_CONSTRUCT_AGAIN_H

#include "core/analysis/dom.h"
#pragma GCC visibility push(hidden)

typedef struct {
  ph_func *f;
  const ph_domtree *d;
  uint32_t *waits; /* by block: the predecessors that are not filled */
  uint32_t first;  /* phis from this one on are new */
} ph_again;

/* Opens all blocks that the entry reaches.  d: ph_dom_blocks; the memory of `a`
** is needed until the end. */
ph_again ph_again_open(ph_func *f, const ph_domtree *d, ph_arena *a);
/* Writes and reads a variable in b, which is not filled. */
void ph_again_write(ph_func *f, uint32_t b, uint32_t var, uint32_t v);
uint32_t ph_again_read(ph_func *f, uint32_t b, uint32_t var);
/* Fills b; to be called for all blocks, in the order of d. */
void ph_again_fill(const ph_again *g, uint32_t b);
/* Ends construction, removes phis that are redundant or dead; returns how many
** new ones are left. */
uint32_t ph_again_close(const ph_again *g);
/* Removes v, an instruction, and replaces it by another value, or 0. */
void ph_again_drop(ph_func *f, uint32_t v, uint32_t by);

#pragma GCC visibility pop
#endif
