/* watchers.h: the phis that watch a value: those to examine again when it is
** replaced.
*/
#ifndef PH_LOOKUP_WATCHERS_H
#define PH_LOOKUP_WATCHERS_H

#include "core/lookup/state.h"
#pragma GCC visibility push(hidden)

static inline ph_watch *ph_watchers_record(const ph_func *f, uint32_t entry) {
  return &f->state->watches.at[entry / 2];
}
/* Returns the value that the entry watches, or 0. */
static inline uint32_t ph_watchers_witness(const ph_func *f, uint32_t entry) {
  return ph_body_resolve(f, ph_watchers_record(f, entry)->witness[entry % 2]);
}
/* True if v can be replaced during construction. */
static inline bool ph_watchers_mayhave(const ph_func *f, uint32_t v) {
  ph_op op = ph_node_of(f, v)->op;
  return op == PH_PHI || op == PH_UNDEF;
}
/* True if watchers are in lists: the operand variant does without
** (unique_operand.c). */
static inline bool ph_watchers_arelisted(const ph_func *f) {
  return f->options.construction != PH_OPERAND;
}
/* Makes records for all phis. */
void ph_watchers_room(ph_func *f);
/* Adds the entry, whose witness is v, to v's list. */
void ph_watchers_add(ph_func *f, uint32_t entry, uint32_t v);
/* Makes v the witness of the entry, which has none; or removes it. */
void ph_watchers_set(ph_func *f, uint32_t entry, uint32_t v);
void ph_watchers_clear(ph_func *f, uint32_t entry);
/* Prepares for the replacement of v by w: queues the phis that it may make
** trivial, and gives w the list of v. */
void ph_watchers_merge(ph_func *f, uint32_t v, uint32_t w);
/* Queues the phi for re-examination. */
static inline void ph_watchers_queue(ph_func *f, uint32_t phi) {
  ph_ids_push(&f->state->suspects, &f->working, phi);
}

#pragma GCC visibility pop
#endif
