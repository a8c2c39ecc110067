/* idf.h: iterated dominance frontiers: where the phis of a variable go. */
#ifndef PH_ANALYSIS_IDF_H
#define PH_ANALYSIS_IDF_H

#include "core/analysis/dom.h"
#pragma GCC visibility push(hidden)

/* Finds them for one set of blocks after the other.  What is noted of a block
** is true of the set at hand if its number there is that of the set. */
typedef struct {
  const ph_func *f;
  const ph_domtree *d;
  ph_arena *a;
  uint32_t *level;  /* by block: its depth in the tree; of the entry: 1 */
  uint32_t *bank;   /* by level: first block of a list of those to be walked */
  uint32_t *next;   /* by block: the next one of its level's list */
  uint32_t *banked; /* by block: it has been in the bank */
  uint32_t *placed; /* by block: it is in the frontier */
  uint32_t *walked; /* by block: it has been walked */
  uint32_t deepest; /* no list of a deeper level has a block */
  uint32_t set;     /* number of the set at hand */
  ph_ids found;
} ph_idf;

/* Prepares searches, in memory of a.  d: the dominator tree of f. */
ph_idf ph_idf_start(const ph_func *f, const ph_domtree *d, ph_arena *a);
/* Adds a block that the entry reaches to the set. */
void ph_idf_add(ph_idf *g, uint32_t b);
/* Returns the iterated dominance frontier of the set, which is empty then. */
const ph_ids *ph_idf_find(ph_idf *g);

#pragma GCC visibility pop
#endif
