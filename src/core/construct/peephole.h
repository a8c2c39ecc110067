/* peephole.h: the engine behind emitting: folds, applies rules, merges. */
#ifndef PH_CONSTRUCT_PEEPHOLE_H
#define PH_CONSTRUCT_PEEPHOLE_H

#include "core/construct/local_cse.h"

/* The value of an instruction at the end of b: an existing one, or new.
** 0: a function of the host failed, or fuel ran out in strict mode; nothing
** has changed then. */
uint32_t ph_peephole_emit(ph_func *f, uint32_t b, ph_op op, ph_type type,
                          const ph_value *args, uint32_t n, ph_data data);
/* Makes the terminator *p what it can be; its arrays may be others then, in
** f->scratch; with a site, it is there.  false as above. */
bool ph_peephole_end(ph_func *f, ph_site *s, ph_pending *p);
/* The same for v, which is in a block of a finished function: what it can be
** instead, v itself for nothing better (its operands may have changed places),
** or 0 as above.  With `rules` unset only what is equal is looked for. */
uint32_t ph_peephole_again(ph_func *f, ph_site *s, uint32_t v, bool rules);
/* Forgets what has been computed. */
void ph_peephole_forget(ph_func *f);
/* Room for n operands and m targets of a terminator: at `few`, or in f->scratch
** if these are many. */
#define PH_FEW 8
ph_pending ph_peephole_room(ph_func *f, uint32_t n, uint32_t m,
                            uint32_t few[2 * PH_FEW]);

#endif
