/* trivial_phi.c: tryRemoveTrivialPhi (Algorithm 3), in near-linear time.
**
** A phi is trivial if its operands are itself and at most one other value.  Two
** witnesses, operands that differ from each other and from the phi, show that
** it is not; watchers.c tells which phis must be examined again because a
** witness was replaced, or, in the operand variant, unique_operand.c.  The
** search for a new witness continues where it stopped: what it passed was equal
** to a witness or to the phi, and remains so.
**
** The same witnesses mostly show that a phi is in no redundant set either.  A
** value is firm if construction will not replace it any more: it is neither a
** phi nor an undef, or it is a phi with PH_IS_FIRM.  Any other phi has as its
** origin the one firm value that is known to flow to it, or none.  A phi that
** would have two origins is firm, and redundant_phi.c examines only the
** others (docs/internals/construction.md says why this is right).
*/
#include "core/lookup/trivial_phi.h"

#include "core/lookup/unique_operand.h"
#include "core/lookup/watchers.h"
#include "core/ir/value.h"
#include "core/ir/event.h"

/* Searches for two witnesses of the phi; true if two exist.  Otherwise one of
** its entries has the only one, or none exists.  `entry` is the first of its
** two entries, and so an even number. */
static bool find_witnesses(ph_func *f, uint32_t phi, uint32_t entry) {
  uint32_t n = ph_node_of(f, phi)->nargs;
  if (ph_watchers_witness(f, entry) == phi) ph_watchers_clear(f, entry);
  if (ph_watchers_witness(f, entry + 1) == phi ||
      ph_watchers_witness(f, entry + 1) == ph_watchers_witness(f, entry))
    ph_watchers_clear(f, entry + 1);
  for (;;) {
    uint32_t v;
    uint32_t a = ph_watchers_witness(f, entry),
             b = ph_watchers_witness(f, entry + 1);
    ph_watch *w = ph_watchers_record(f, entry);
    if (a != 0 && b != 0) return true;
    if (w->scanned == n) return false;
    v = ph_body_operand(f, phi, w->scanned++);
    if (v != phi && v != a && v != b)
      ph_watchers_set(f, a == 0 ? entry : entry + 1, v);
  }
}

/* Queues what may be trivial once v is replaced by w. */
static void queue_suspects(ph_func *f, uint32_t v, uint32_t w) {
  if (ph_watchers_arelisted(f))
    ph_watchers_merge(f, v, w);
  else
    ph_unique_operand_queue(f, w);
}

/* Replaces the phi, which watches nothing, by w; 0: it has no operand other
** than itself (or none), so it is unreachable or in the start block. */
static void remove_phi(ph_func *f, uint32_t phi, uint32_t w) {
  if (w == 0) w = ph_const_undef(f, ph_node_of(f, phi)->type).id;
  ph_event_note(f, PH_EV_TRIVIAL, ph_node_of(f, phi)->block, 0, phi, w);
  ph_value_takeout(f, phi);
  queue_suspects(f, phi, w);
  ph_value_replace(f, phi, w);
  f->stats.trivial_phis++;
}

/* Looks for new witnesses of a queued phi, and removes it if it is trivial. */
static void reexamine(ph_func *f, uint32_t phi) {
  uint32_t entry = 2 * ph_node_of(f, phi)->aux;
  uint32_t same;
  if (ph_node_of(f, phi)->forward != 0) return;
  ph_event_notedetail(f, PH_EV_REEXAMINED, ph_node_of(f, phi)->block, 0, phi);
  if (find_witnesses(f, phi, entry)) return;
  same = ph_watchers_witness(f, entry) != 0 ? ph_watchers_witness(f, entry)
                                            : ph_watchers_witness(f, entry + 1);
  ph_watchers_clear(f, entry);
  ph_watchers_clear(f, entry + 1);
  remove_phi(f, phi, same);
}

static void reexamine_suspects(ph_func *f) {
  ph_ids *suspects = &f->state->suspects;
  while (suspects->n > 0) reexamine(f, suspects->at[--suspects->n]);
}

static void tell_operands(ph_func *f, uint32_t phi, const uint32_t *args) {
  ph_event e = {.kind = PH_EV_OPERAND, .value = {phi}};
  e.block.id = ph_node_of(f, phi)->block;
  PH_EACH_PRED(f, e.block.id, edge) {
    e.from.id = f->edges.at[edge].from;
    e.other.id = ph_body_resolve(f, args[e.index]);
    ph_event_keep(f, e);
    e.index++;
  }
}

/* Searches for two different operands other than the phi, and records where it
** stopped.  Returns how many it found. */
static int find_two(const ph_func *f, uint32_t phi, const uint32_t *args,
                    uint32_t n, ph_watch *w) {
  int found = 0;
  while (w->scanned < n && found < 2) {
    uint32_t v = ph_body_resolve(f, args[w->scanned++]);
    if (v != phi && (found == 0 || v != w->witness[0])) w->witness[found++] = v;
  }
  return found;
}

/* Returns the origin of v: v itself if it is firm, or the firm value that is
** known to flow to it, or 0. */
static uint32_t origin_of(const ph_func *f, uint32_t v) {
  if (!ph_watchers_mayhave(f, v) || ph_node_of(f, v)->flags & PH_IS_FIRM)
    return v;
  if (ph_node_of(f, v)->op == PH_UNDEF) return 0;
  return ph_watchers_record(f, 2 * ph_node_of(f, v)->aux)->origin;
}

/* Finds the origin of a phi from its two witnesses; if these have different
** origins, the phi is firm. */
static void find_origin(ph_func *f, uint32_t phi, ph_watch *w) {
  uint32_t a = origin_of(f, w->witness[0]), b = origin_of(f, w->witness[1]);
  w->origin = a != 0 ? a : b;
  if (a != 0 && b != 0 && a != b)
    ph_node_of(f, phi)->flags |= PH_IS_FIRM;
  else
    ph_ids_push(&f->state->unproven, &f->working, ph_node_of(f, phi)->aux);
}

static void start_watching(ph_func *f, uint32_t phi, const ph_watch *w) {
  uint32_t number = ph_node_of(f, phi)->aux;
  ph_watch *mine;
  if (f->state->watches.n < f->phis.n) ph_watchers_room(f);
  mine = ph_watchers_record(f, 2 * number);
  mine->scanned = w->scanned;
  mine->witness[0] = w->witness[0];
  mine->witness[1] = w->witness[1];
  find_origin(f, phi, mine);
  if (!ph_watchers_arelisted(f)) return;
  ph_watchers_add(f, 2 * number, w->witness[0]);
  ph_watchers_add(f, 2 * number + 1, w->witness[1]);
}

void ph_trivial_phi_complete(ph_func *f, uint32_t phi, const uint32_t *args,
                             uint32_t n) {
  ph_watch w = {0, 0, 0, {0, 0}, {0, 0}, {0, 0}};
  int found = find_two(f, phi, args, n, &w);
  ph_node_of(f, phi)->flags &= (uint8_t)~PH_IS_INCOMPLETE;
  if (f->listening) tell_operands(f, phi, args);
  if (found == 2) {
    ph_value_setargs(f, phi, args, n);
    start_watching(f, phi, &w);
  } else {
    remove_phi(f, phi, w.witness[0]);
    reexamine_suspects(f);
  }
}

void ph_trivial_phi_keep(ph_func *f, uint32_t phi, const uint32_t *args,
                         uint32_t n) {
  ph_node_of(f, phi)->flags &= (uint8_t)~PH_IS_INCOMPLETE;
  if (f->listening) tell_operands(f, phi, args);
  ph_value_setargs(f, phi, args, n);
}

void ph_trivial_phi_replace(ph_func *f, uint32_t phi, uint32_t v,
                            const uint32_t *args) {
  ph_node_of(f, phi)->flags &= (uint8_t)~PH_IS_INCOMPLETE;
  if (f->listening && args != NULL) tell_operands(f, phi, args);
  remove_phi(f, phi, v == phi ? 0 : v);
  reexamine_suspects(f);
}

void ph_trivial_phi_merge(ph_func *f, uint32_t v, uint32_t w) {
  w = ph_body_resolve(f, w);
  queue_suspects(f, v, w);
  ph_value_replace(f, v, w);
  reexamine_suspects(f);
}

const ph_ids *ph_trivial_phi_unproven(const ph_func *f) {
  const ph_state *state = f->state;
  return state != NULL && state->sure ? &state->unproven : NULL;
}

void ph_trivial_phi_forget(ph_func *f) {
  ph_state *state = f->state;
  if (state == NULL) return;
  state->watches.n = 0;
  state->sure = false;
  for (uint32_t v = 0; v < state->watched.n; v++) state->watched.at[v] = 0;
}
