/* live.h: liveness. */
#ifndef PH_LIVE_H
#define PH_LIVE_H

#include "core/analysis/csr.h"

/* The "targets" of a block are the values live at its start, by id. */
struct ph_liveness {
  ph_graph values;
};

#endif
