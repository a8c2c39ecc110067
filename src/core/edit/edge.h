/* edge.h: terminators that a pass replaces, in its own scratch memory. */
#ifndef PH_EDIT_EDGE_H
#define PH_EDIT_EDGE_H

#include "phial/edit.h"
#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Do what ph_edge_newtargets and ph_edge_setterminator do. */
uint32_t ph_edge_findnew(ph_func *f, uint32_t b, const ph_block *targets,
                         uint32_t m, ph_block *news);
ph_value ph_edge_endanew(ph_func *f, uint32_t b, ph_op op, const ph_value *args,
                         uint32_t n, const ph_block *targets, uint32_t m,
                         const ph_incoming *in, uint32_t nin);

#pragma GCC visibility pop
#endif
