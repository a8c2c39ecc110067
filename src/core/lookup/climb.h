/* climb.h: the way from a block up to the one that decides which value a
** variable has.
*/
#ifndef PH_LOOKUP_CLIMB_H
#define PH_LOOKUP_CLIMB_H

#include "core/lookup/state.h"
#pragma GCC visibility push(hidden)

/* Where a climb ended, and what it found there: a value, with PH_MEMO if it was
** looked up; PH_MARK; PH_LAZY; PH_KILLED; or 0. */
typedef struct {
  uint32_t block, found;
} ph_landing;

/* The number of blocks that one climb examines.  What is found further up is
** stored in the last of them, so that the next look-up of this variable need
** not climb the same path again; in all of them, it would take too much
** memory. */
#define PH_CLIMB_INTERVAL 64

/* Climbs from b to the first block
** - that has a definition of var, or a mark;
** - that has no link, or on whose paths from `up` var may be written;
** - or that is the last one that this climb examines. */
static inline ph_landing ph_climb_from(const ph_func *f, uint32_t var,
                                       uint32_t b) {
  const ph_current_def *defs = &f->state->defs;
  const ph_join_skip *at = f->state->skips.blocks.at;
  ph_cell latest = defs->cells.at[var];
  uint64_t bit = ph_join_skip_bit(var);
  ph_landing l = {b, 0};
  int left = PH_CLIMB_INTERVAL;
  for (;;) {
    const ph_join_skip *s = &at[l.block];
    if (!(s->written_to_jump & bit)) {
      l.block = s->jump;
      continue;
    }
    if (l.block == latest.block)
      l.found = latest.value;
    else if (s->kept & bit)
      l.found = ph_current_def_find(defs, var, l.block);
    if (l.found != 0 || s->around & bit || left-- == 0) return l;
    l.block = s->up;
  }
}

/* Returns the value at the end of a climb that found a value or nothing: what
** was found there, or a phi or undef that is made there.  0: the block's
** predecessors, or its `up`, must be looked up. */
uint32_t ph_climb_decide(ph_func *f, uint32_t var, ph_landing l);
/* Tries to link a join that had no link when it was sealed.  True if it has one
** now: a climb from it may lead further. */
bool ph_climb_link(const ph_func *f, uint32_t b);

/* Records a definition of var in b, which has none; returns its number. */
static inline uint32_t ph_climb_record(ph_func *f, uint32_t var, uint32_t b,
                                       uint32_t value) {
  return ph_current_def_add(&f->state->defs, &f->working, var, b, value);
}
/* Makes a phi for var, without operands yet. */
uint32_t ph_climb_newphi(ph_func *f, uint32_t var, uint32_t b);
/* Makes one in b, which is not sealed: it gets operands when that is sealed. */
uint32_t ph_climb_incomplete(ph_func *f, uint32_t var, uint32_t b);
/* Returns the value of var in b, a block without predecessors or one in which
** var ends. */
uint32_t ph_climb_nodefinition(ph_func *f, uint32_t var, uint32_t b);

#pragma GCC visibility pop
#endif
