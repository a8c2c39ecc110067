/* cfg.h: blocks in reverse postorder. */
#ifndef PH_CFG_H
#define PH_CFG_H

#include "core/ir/func.h"
#include "core/analysis/csr.h"

#define PH_UNREACHED UINT32_MAX

struct ph_order {
  uint32_t *rpo;     /* the blocks, `count` of them */
  uint32_t *index;   /* by block: its position in rpo, or PH_UNREACHED */
  uint32_t count, n; /* n: length of `index` */
};

/* The order of f's blocks as they are now, in memory of `a`. */
ph_order *ph_cfg_compute(const ph_func *f, ph_arena *a);
/* The blocks that are not removed, and their edges. */
ph_graph ph_cfg_graph(const ph_func *f, ph_arena *a);

#endif
