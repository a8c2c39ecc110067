/* parse_inst.h: reads the parts of an instruction. */
#ifndef PH_TEXT_PARSE_INST_H
#define PH_TEXT_PARSE_INST_H

#include "core/text/parse_decls.h"
#pragma GCC visibility push(hidden)

/* Reads the instruction from its op to the end of the line into r->inst and
** checks that its parts fit; `value`, `block` and `type` have been set by the
** caller. */
void ph_parse_inst_read(ph_reader *r);

#pragma GCC visibility pop
#endif
