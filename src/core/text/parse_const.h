/* parse_const.h: reads constants. */
#ifndef PH_TEXT_PARSE_CONST_H
#define PH_TEXT_PARSE_CONST_H

#include "core/text/parse_decls.h"
#pragma GCC visibility push(hidden)

/* Each of these reads one thing and goes on.  ph_parse_const_operand reads a
** constant or a reference to a value, and returns the value; 0 after an
** error. */
uint32_t ph_parse_const_operand(ph_reader *r);
/* Reads what may follow an op: {12}, or @name if it is symbolic; PH_DATA_NONE
** if nothing does. */
ph_data ph_parse_const_data(ph_reader *r, bool symbolic);
/* Reads a number that fits 32 bits; `what` is what the error says is
** expected. */
uint32_t ph_parse_const_count(ph_reader *r, const char *what);

#pragma GCC visibility pop
#endif
