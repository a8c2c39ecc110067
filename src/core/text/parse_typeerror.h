/* parse_typeerror.h: why an instruction of a text is wrong. */
#ifndef PH_TEXT_PARSE_TYPEERROR_H
#define PH_TEXT_PARSE_TYPEERROR_H

#include "core/text/parse_decls.h"

/* Checks operands and result of r->inst; notes what does not fit. */
void ph_parse_typeerror_misfit(ph_reader *r);
/* The name of a type, for a message. */
ph_str ph_parse_typeerror_type(ph_reader *r, ph_type type);

#endif
