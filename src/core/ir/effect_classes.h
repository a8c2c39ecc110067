/* effect_classes.h: classes of effects. */
#ifndef PH_IR_EFFECT_CLASSES_H
#define PH_IR_EFFECT_CLASSES_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Finds the classes of the ops of d, which is being attached: they are the next
** in `flags`. */
void ph_effects_attach(ph_func *f, const ph_dialect *d);

#pragma GCC visibility pop
#endif
