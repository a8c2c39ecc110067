/* edit.h: instructions of a finished function. */
#ifndef PH_EDIT_EDIT_H
#define PH_EDIT_EDIT_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Makes an instruction that is not in a block yet. */
uint32_t ph_edit_make(ph_func *f, ph_op op, ph_type type, const ph_value *args,
                      uint32_t n);
/* Makes a block without predecessors or terminator. */
uint32_t ph_edit_open(ph_func *f, ph_str name);
/* Ends b, which has no terminator, with v. */
ph_value ph_edit_fill(ph_func *f, uint32_t b, uint32_t v);

#pragma GCC visibility pop
#endif
