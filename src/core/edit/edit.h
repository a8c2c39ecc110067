/* edit.h: instructions of a finished function. */
#ifndef PH_EDIT_EDIT_H
#define PH_EDIT_EDIT_H

#include "core/ir/body.h"

/* An instruction in no block yet. */
uint32_t ph_edit_make(ph_func *f, ph_op op, ph_type type, const ph_value *args,
                      uint32_t n);
/* A new block that nothing leads to, without a terminator. */
uint32_t ph_edit_open(ph_func *f, ph_str name);
/* A terminator for b, which has none: b ends here and now. */
ph_value ph_edit_fill(ph_func *f, uint32_t b, uint32_t v);

#endif
