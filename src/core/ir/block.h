/* block.h: edges: add, take out. */
#ifndef PH_IR_BLOCK_H
#define PH_IR_BLOCK_H

#include "core/ir/body.h"

/* Makes m edges from b side by side, its successors.  When they are arriving,
** each is the last one into its target. */
void ph_block_connect(ph_func *f, uint32_t b, const ph_block *targets,
                      uint32_t m, bool arriving);
/* Makes `edge` the last one into its target. */
void ph_block_arrive(ph_func *f, uint32_t edge);
/* Takes the edges into b that `gone` tells (by edge) away, with their phi
** operands. */
typedef bool ph_block_gone(const void *ud, uint32_t edge);
void ph_block_unlink(ph_func *f, uint32_t b, ph_block_gone *gone,
                     const void *ud);

#endif
