/* parse_inst.h: instructions in text. */
#ifndef PH_TEXT_PARSE_INST_H
#define PH_TEXT_PARSE_INST_H

#include "core/text/parse_decls.h"

/* Reads the instruction from its op to the end of the line into r->inst and
** checks that its parts fit; `value`, `block` and `type` are set before. */
void ph_parse_inst_read(ph_reader *r);

#endif
