/* unwritten.h: where a variable can be without a value, by its writes. */
#ifndef PH_CONSTRUCT_UNWRITTEN_H
#define PH_CONSTRUCT_UNWRITTEN_H

#include "core/analysis/graph.h"
#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Answers for one variable after the other. */
typedef struct {
  const ph_func *f;
  ph_arena *a;
  ph_csr writes; /* by variable: the blocks that write it */
  ph_csr kills;  /* the same of reachable blocks at whose end it has ended */
  uint32_t *writing; /* by block: the last variable known to be written there */
  uint32_t *killing; /* ... or to have ended there */
  uint32_t *near;    /* ... whose reads the block leads to, without a write */
  uint32_t *reached; /* ... that leads to the block without a write: the entry,
                        or a block where it ended */
  ph_ids ends;       /* blocks where it ended, whose end leads to a read */
  ph_ids work;
} ph_unwritten;

/* Keeps the writes that unwritten asks about, before construction ends. */
void ph_unwritten_keep(ph_func *f);
/* Prepares answers, in memory of a. */
ph_unwritten ph_unwritten_start(const ph_func *f, ph_arena *a);
/* Looks at var, which is read in n blocks before it is written there. */
void ph_unwritten_find(ph_unwritten *u, uint32_t var, const uint32_t *blocks,
                       uint32_t n);
/* True if a path to the start of b, one of these blocks or one on a path to
** them, does not write var, the variable looked at last: a path from the entry
** or from a block where var ended. */
static inline bool ph_unwritten_at(const ph_unwritten *u, uint32_t var,
                                   uint32_t b) {
  return u->reached[b] == var;
}
/* True if b writes it. */
static inline bool ph_unwritten_ends(const ph_unwritten *u, uint32_t var,
                                     uint32_t b) {
  return u->writing[b] == var;
}

/* True if var has ended at the end of b. */
static inline bool ph_unwritten_kills(const ph_unwritten *u, uint32_t var,
                                      uint32_t b) {
  return u->killing[b] == var;
}

#pragma GCC visibility pop
#endif
