/* rpo.h: blocks in reverse postorder. */
#ifndef PH_ANALYSIS_RPO_H
#define PH_ANALYSIS_RPO_H

#include "core/ir/body.h"
#include "phial/analysis.h"
#include "core/analysis/csr.h"
#include "core/ir/body.h"

#define PH_UNREACHED UINT32_MAX

struct ph_rpo {
  uint32_t *rpo;     /* the reachable blocks, `count` of them */
  uint32_t *index;   /* by block: its position in rpo, or PH_UNREACHED */
  uint32_t count, n; /* n: length of `index` */
};

/* Computes the order of the blocks of f as they are now, in memory of `a`. */
ph_rpo *ph_rpo_compute(const ph_func *f, ph_arena *a);
/* Returns the graph of the blocks that are not removed. */
ph_csr ph_rpo_graph(const ph_func *f, ph_arena *a);

#endif
