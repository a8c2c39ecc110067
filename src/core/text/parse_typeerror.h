/* parse_typeerror.h: says why an instruction of a text is wrong. */
#ifndef PH_TEXT_PARSE_TYPEERROR_H
#define PH_TEXT_PARSE_TYPEERROR_H

#include "core/text/parse_decls.h"
#pragma GCC visibility push(hidden)

/* Checks the operands and the result of r->inst; reports what does not fit. */
void ph_parse_typeerror_misfit(ph_reader *r);
/* Reports that r->inst shows no result. */
void ph_parse_typeerror_noresult(ph_reader *r);
/* Returns the name of a type, for a message. */
ph_str ph_parse_typeerror_type(ph_reader *r, ph_type type);

#pragma GCC visibility pop
#endif
