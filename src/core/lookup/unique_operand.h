/* unique_operand.h: what the operand variant examines again when a phi is
** replaced (section 3.1).
*/
#ifndef PH_LOOKUP_UNIQUE_OPERAND_H
#define PH_LOOKUP_UNIQUE_OPERAND_H

#include "core/lookup/state.h"
#pragma GCC visibility push(hidden)

/* Prepares for the replacement of a phi by w, its unique operand: queues w for
** re-examination if it is a phi that has its operands. */
void ph_unique_operand_queue(ph_func *f, uint32_t w);

#pragma GCC visibility pop
#endif
