/* suggest.h: the op whose name resembles an unknown one. */
#ifndef PL_STATE_SUGGEST_H
#define PL_STATE_SUGGEST_H

#include "binding/state/userdata.h"

/* The op that `name` is likely to mean, or PH_NONE. */
ph_op pl_suggest_op(const pl_funcobj *h, ph_str name);

#endif
