/* liveness.h: what is live at the start and at the end of blocks. */
#ifndef PH_ANALYSIS_LIVENESS_H
#define PH_ANALYSIS_LIVENESS_H

#include "core/analysis/graph.h"
#include "phial/analysis.h"

/* By block: the values live at its start and at its end, sorted by id. */
struct ph_liveness {
  ph_csr in, out;
};

#endif
