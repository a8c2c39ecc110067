/* parse_const.h: constants in text. */
#ifndef PH_TEXT_PARSE_CONST_H
#define PH_TEXT_PARSE_CONST_H

#include "core/text/parse_decls.h"

/* Each reads one and goes on.  A constant or a reference to a value: which
** value it is; 0 after a mistake. */
uint32_t ph_parse_const_operand(ph_reader *r);
/* Behind an op: {12}; nothing there is PH_DATA_NONE. */
ph_data ph_parse_const_data(ph_reader *r);
/* A number that fits 32 bits; `what` says which is missing. */
uint32_t ph_parse_const_count(ph_reader *r, const char *what);

#endif
