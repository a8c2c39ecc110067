/* parse_value.h: reads literals and constants. */
#ifndef PH_TEXT_PARSE_VALUE_H
#define PH_TEXT_PARSE_VALUE_H

#include "core/text/parse_decls.h"
#pragma GCC visibility push(hidden)

/* Reads a number that fits 32 bits; `what` is what the error says is
** expected. */
uint32_t ph_parse_value_count(ph_reader *r, const char *what);
/* Reads what may follow an op: {12}, or @name if it is symbolic; PH_DATA_NONE
** if nothing does. */
ph_data ph_parse_value_data(ph_reader *r, bool symbolic);
/* Reads an operand: %name, a constant or undef.  Returns 0 if it failed. */
uint32_t ph_parse_value_read(ph_reader *r);

#pragma GCC visibility pop
#endif
