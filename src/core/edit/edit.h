/* edit.h: makes instructions and blocks of a finished function; replaces
** terminators. */
#ifndef PH_EDIT_EDIT_H
#define PH_EDIT_EDIT_H

#include "core/ir/body.h"
#include "phial/edit.h"
#pragma GCC visibility push(hidden)

/* Makes an instruction that is not in a block yet. */
uint32_t ph_edit_make(ph_func *f, ph_op op, ph_type type, const ph_value *args,
                      uint32_t n);
/* Makes a block without predecessors or terminator. */
uint32_t ph_edit_open(ph_func *f, ph_str name);
/* Ends b, which has no terminator, with v. */
ph_value ph_edit_fill(ph_func *f, uint32_t b, uint32_t v);
/* Moves the instructions of b from v on, which end b, to the end of another
** block, except allocas, which stay in the entry. */
void ph_edit_moverest(ph_func *f, uint32_t b, uint32_t v, uint32_t to);

/* Ends b with *t.  Its k-th edge is the one that was[k]-th, from 0, left b before,
** to the same block.  For a pass, in its own scratch memory. */
void ph_edge_renew(ph_func *f, uint32_t b, const ph_terminator *t,
                   const uint32_t *was);

#pragma GCC visibility pop
#endif
