/* lookup.h: the look-up of a variable from the end of a block upwards
** (readVariableRecursive, Algorithm 2). */
#ifndef PH_LOOKUP_LOOKUP_H
#define PH_LOOKUP_LOOKUP_H

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
#define PH_LOOKUP_INTERVAL 64

/* Climbs from b to the first block
** - that has a definition of var, or a mark;
** - that has no link, or on whose paths from `up` var may be written;
** - or that is the last one that this climb examines. */
static inline ph_landing ph_lookup_climb(const ph_func *f, uint32_t var,
                                         uint32_t b) {
  const ph_current_def *defs = &f->state->defs;
  const ph_join_skip *at = f->state->skips.blocks.at;
  ph_cell latest = defs->cells.at[var];
  uint64_t bit = ph_join_skip_bit(var);
  ph_landing l = {b, 0};
  int left = PH_LOOKUP_INTERVAL;
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
/* Tells listeners that want details that a look-up of var climbed from block
** `from`, and ended at l, unless it stayed there and found nothing. */
void ph_lookup_tellclimb(ph_func *f, uint32_t var, uint32_t from, ph_landing l);

/* Continues a look-up from where its first climb ended. */
uint32_t ph_lookup_continue(ph_func *f, uint32_t var, ph_landing l);
/* Returns the result of a look-up whose first climb ended at l: where it found
** no value, but 0, PH_MARK, PH_LAZY or PH_KILLED, it continues. */
static inline uint32_t ph_lookup_result(ph_func *f, uint32_t var,
                                        ph_landing l) {
  if (l.found + 3 <= 3) return ph_lookup_continue(f, var, l);
  return ph_body_resolve(f, l.found & ~PH_MEMO);
}
/* Returns the value of var at the end of block b: a look-up that construction
** needs, for the operand of a phi. */
uint32_t ph_lookup_value(ph_func *f, uint32_t var, uint32_t b);

/* Makes a refinement of variable var at the start of b by record i.  What it
** needs is looked up later (ph_lookup_settle). */
uint32_t ph_lookup_refine(ph_func *f, uint32_t var, uint32_t b, uint32_t i);
/* Looks up what lazy values were made of, when no other look-up is under
** way. */
void ph_lookup_settle(ph_func *f);
/* Returns the value of var in b, a block without predecessors or one in which
** var ends. */
uint32_t ph_lookup_nodefinition(ph_func *f, uint32_t var, uint32_t b);

#pragma GCC visibility pop
#endif
