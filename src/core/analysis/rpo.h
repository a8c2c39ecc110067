/* rpo.h: blocks in reverse postorder. */
#ifndef PH_ANALYSIS_RPO_H
#define PH_ANALYSIS_RPO_H

#include "core/ir/body.h"
#include "core/analysis/csr.h"

#define PH_UNREACHED UINT32_MAX

struct ph_rpo {
  uint32_t *rpo;     /* the blocks, `count` of them */
  uint32_t *index;   /* by block: its position in rpo, or PH_UNREACHED */
  uint32_t count, n; /* n: length of `index` */
};

/* The order of f's blocks as they are now, in memory of `a`. */
ph_rpo *ph_rpo_compute(const ph_func *f, ph_arena *a);
/* The blocks that are not removed, and their edges. */
ph_csr ph_rpo_graph(const ph_func *f, ph_arena *a);

#endif
