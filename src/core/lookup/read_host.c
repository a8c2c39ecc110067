/* read_host.c: reads by the host.
**
** They differ from look-ups for operands of phis in what is recorded of them,
** in listeners, and in that they are the outermost ones: what lazy definitions
** need is looked up when they are over.
*/
#include "core/lookup/read_host.h"

#include "core/base/noinline.h"
#include "core/ir/event.h"
#include "core/lookup/detail.h"
#include "core/lookup/occurrences.h"
#include "core/lookup/make_lazy.h"

/* True if var has ended in b. */
static PH_NOINLINE bool is_killed(const ph_func *f, uint32_t var, uint32_t b) {
  ph_landing l = ph_climb_from(f, var, b);
  return l.block == b && l.found == PH_KILLED;
}

static inline void push_read(ph_func *f, uint32_t var, uint32_t b, uint32_t v) {
  ph_readrec r = {var, b, v, f->here, f->loc, false};
  if (f->state->kills) r.killed = is_killed(f, var, b);
  ph_reads_push(&f->reads, &f->arena, r);
}

/* Records a read that found a phi or an undef: it may turn out to be undefined;
** so may any, if the host says what is found then. */
static inline void note_read(ph_func *f, uint32_t var, uint32_t b, uint32_t v) {
  ph_op op = ph_node_of(f, v)->op;
  if (op == PH_PHI) ph_node_of(f, v)->flags |= PH_IS_READ;
  if (op == PH_PHI || op == PH_UNDEF || f->options.undefs == PH_UNDEF_ASK)
    push_read(f, var, b, v);
}

/* True if the latest recorded read of var was in b, too, and found v.
** Variables with cells need not ask. */
static bool is_again(ph_func *f, uint32_t var, uint32_t b, uint32_t v) {
  ph_ids *latest;
  const ph_readrec *r;
  if (ph_groups_first(f->groups, var) == 0) return false;
  latest = &ph_make_lazy_room(f)->read;
  ph_ids_extend(latest, &f->working, var + 1);
  r = &f->reads.at[latest->at[var] - 1];
  if (latest->at[var] != 0 && r->block == b && r->value == v) return true;
  latest->at[var] = f->reads.n + 1;
  return false;
}

/* Does the same if v can be the value of a lazy definition. */
static void note_any(ph_func *f, uint32_t var, uint32_t b, uint32_t v) {
  ph_node *n = ph_node_of(f, v);
  bool can_go = n->op == PH_PHI || n->flags & PH_IS_LAZY;
  if (can_go) n->flags |= PH_IS_READ;
  if (!can_go && n->op != PH_UNDEF && f->options.undefs != PH_UNDEF_ASK) return;
  if (!is_again(f, var, b, v)) push_read(f, var, b, v);
}

/* Returns the value of var, which is not written in b, in a function with
** listeners or lazy definitions. */
static PH_NOINLINE uint32_t read_more(ph_func *f, uint32_t var, uint32_t b,
                                      ph_landing l) {
  uint32_t v;
  ph_event_note(f, PH_EV_LOOKUP, b, var, 0, 0);
  if (f->details) ph_detail_climb(f, var, b, l);
  v = ph_read_var_result(f, var, l);
  note_any(f, var, b, v);
  if (ph_groups_first(f->groups, var) == 0)
    ph_current_def_noteread(&f->state->defs, var, b, v);
  else if (l.block != b || l.found == 0)
    ph_current_def_put(&f->state->defs, &f->working, var, b, v | PH_MEMO);
  ph_read_lazy_settle(f);
  v = ph_body_resolve(f, v);
  ph_event_note(f, PH_EV_READ, b, var, v, 0);
  return v;
}

static bool is_written(ph_landing l, uint32_t b) {
  return l.block == b && l.found != 0 && !(l.found & PH_MEMO);
}

uint32_t ph_read_host_var(ph_func *f, uint32_t var, uint32_t b) {
  ph_state *state = ph_state_for(f, var, b);
  ph_landing l = ph_climb_from(f, var, b);
  uint32_t v;
  if (l.found == 0 && f->occurrences != NULL)
    return ph_occurrences_read(f, var, b);
  if (is_written(l, b)) {
    v = ph_body_resolve(f, l.found);
    ph_event_note(f, PH_EV_READ, b, var, v, 0);
    return v;
  }
  if (f->extra) return read_more(f, var, b, l);
  v = ph_read_var_result(f, var, l);
  note_read(f, var, b, v);
  ph_current_def_noteread(&state->defs, var, b, v);
  return v;
}
