/* liveness.h: the values that are live at the start of each block. */
#ifndef PH_ANALYSIS_LIVENESS_H
#define PH_ANALYSIS_LIVENESS_H

#include "phial/analysis.h"
#include "core/analysis/csr.h"

/* The "targets" of a block are the values live at its start, sorted by id. */
struct ph_liveness {
  ph_csr values;
};

#endif
