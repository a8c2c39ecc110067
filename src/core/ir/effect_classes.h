/* effect_classes.h: classes of effects. */
#ifndef PH_IR_EFFECT_CLASSES_H
#define PH_IR_EFFECT_CLASSES_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Finds the classes of the ops of d, whose first op has that number after
** phial's ops. */
void ph_effects_attach(ph_func *f, const ph_dialect *d, uint32_t first);
/* Forgets the classes of f, which has no instructions, and finds those of its
** dialects again: what is found in between comes first. */
void ph_effects_forget(ph_func *f);
void ph_effects_reattach(ph_func *f);

#pragma GCC visibility pop
#endif
