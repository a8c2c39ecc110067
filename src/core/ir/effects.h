/* effects.h: which parts of memory instructions read and write. */
#ifndef PH_IR_EFFECTS_H
#define PH_IR_EFFECTS_H

#include "core/ir/op.h"
#pragma GCC visibility push(hidden)

/* Returns what is said of v: an index in `effects`, or 0. */
static inline uint32_t ph_effects_said(const ph_func *f, uint32_t v) {
  return v < f->said.n ? f->said.at[v] : 0;
}
/* The same as ph_effects_usual, faster as long as no op of a dialect has
** classes. */
static inline ph_effects ph_effects_ofop(const ph_func *f, ph_op op) {
  const ph_effects none = {0, 0}, read = {PH_EFFECTS_ALL, 0};
  const ph_effects all = {PH_EFFECTS_ALL, PH_EFFECTS_ALL};
  ph_effect effect = ph_op_effectof(f, op);
  if (ph_op_has(f, op, PH_TERMINATOR) || f->op_effects.n > 0)
    return ph_effects_usual(f, op);
  if (effect == PH_EFFECT_WRITE)
    return op >= PH_OPS ? all : ph_effects_usual(f, op);
  return effect == PH_EFFECT_READ ? read : none;
}
/* Returns what v reads and writes. */
static inline ph_effects ph_effects_get(const ph_func *f, uint32_t v) {
  uint32_t said = ph_effects_said(f, v);
  return said != 0 ? f->effects.at[said]
                   : ph_effects_ofop(f, ph_node_of(f, v)->op);
}
/* True if an instruction of that op, with these effects, only reads: equal ones
** give the same if nothing is written in between. */
static inline bool ph_effects_isread(const ph_func *f, ph_op op, ph_effects e) {
  return ph_op_effectof(f, op) == PH_EFFECT_READ ||
         (ph_op_effectof(f, op) == PH_EFFECT_WRITE && e.writes == 0);
}
/* Keeps e for ph_effects_say; returns its index in `effects`. */
uint32_t ph_effects_keep(ph_func *f, ph_effects e);
/* Says effects[said] of v. */
void ph_effects_say(ph_func *f, uint32_t v, uint32_t said);

#pragma GCC visibility pop
#endif
