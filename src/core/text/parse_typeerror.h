/* explain.h: why an instruction of a text is wrong. */
#ifndef PH_EXPLAIN_H
#define PH_EXPLAIN_H

#include "core/text/parse_decls.h"

/* Checks operands and result of r->inst; notes what does not fit. */
void ph_explain_misfit(ph_reader *r);
/* The name of a type, for a message. */
ph_str ph_explain_type(ph_reader *r, ph_type type);

#endif
