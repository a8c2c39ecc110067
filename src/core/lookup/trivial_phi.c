/* trivial_phi.c: tryRemoveTrivialPhi (Algorithm 3), in near-linear time.
**
** A phi is trivial if its operands are itself and at most one other value.  The
** paper re-examines all users of a removed phi, which is quadratic on long
** cascades.  Here a phi watches two witnesses: operands that differ from each
** other and from the phi.  As long as they do, the phi is not trivial and need
** not be examined.
**
** Replacing a phi merges its class of equal values with another one.  Only a
** phi with witnesses in both classes can become trivial then (or the other
** value itself, if it is a phi that watches the class).  Such phis are in the
** lists of both classes, so it is enough to walk the shorter list: each entry
** is visited O(log n) times in all.  The search for a new witness continues
** where it stopped: what it passed was equal to a witness or to the phi, and
** remains so.
**
** During construction only phis are replaced, and undefs that the host will
** define: other values need no list.  If the other value has none, the list of
** the phi is walked and dropped, once.
**
** The same witnesses mostly show that a phi is in no redundant set either.  A
** value is firm if construction will not replace it any more: it is neither a
** phi nor an undef, or it is a phi with PH_IS_FIRM.  Any other phi has as its
** origin the one firm value that is known to flow to it, or none.  A phi that
** would have two origins is firm, and redundant_phi.c examines only the others
** (docs/internals/construction.md says why this is right).
**
** An entry is 2 * phi + slot, where phi is its number in f->phis; the entries
** of a value form a circular doubly linked list.
*/
#include "core/lookup/trivial_phi.h"

#include "core/ir/const.h"
#include "core/ir/event.h"
#include "core/ir/value.h"

static ph_watch *watch_of(const ph_func *f, uint32_t entry) {
  return &f->state->watches.at[entry / 2];
}

static uint32_t next(const ph_func *f, uint32_t entry) {
  return watch_of(f, entry)->next[entry % 2];
}

static uint32_t prev(const ph_func *f, uint32_t entry) {
  return watch_of(f, entry)->prev[entry % 2];
}

static void chain(const ph_func *f, uint32_t a, uint32_t b) {
  watch_of(f, a)->next[a % 2] = b;
  watch_of(f, b)->prev[b % 2] = a;
}

static bool has_list(const ph_func *f, uint32_t v) {
  ph_op op = ph_node_of(f, v)->op;
  return op == PH_PHI || op == PH_UNDEF;
}

/* Makes records for all phis. */
static void widen(ph_func *f) {
  const ph_watch none = {0, 0, 0, {0, 0}, {0, 0}, {0, 0}};
  ph_watches *w = &f->state->watches;
  ph_watches_reserve(w, &f->working, f->phis.n);
  while (w->n < f->phis.n) w->at[w->n++] = none;
}

/* Returns where v, which has a list, stores its first entry; makes room. */
static uint32_t *head_of(ph_func *f, uint32_t v) {
  ph_state *state = f->state;
  if (ph_node_of(f, v)->op == PH_PHI) {
    if (state->watches.n < f->phis.n) widen(f);
    return &state->watches.at[ph_node_of(f, v)->aux].first;
  }
  if (v >= state->watched.n) ph_ids_extend(&state->watched, &f->working, v + 1);
  return &state->watched.at[v];
}

/* Adds the entry, whose witness is v, to v's list. */
static void enlist(ph_func *f, uint32_t entry, uint32_t v) {
  uint32_t *head;
  if (!has_list(f, v)) return;
  head = head_of(f, v);
  if (*head == 0) {
    *head = entry;
    chain(f, entry, entry);
  } else {
    chain(f, prev(f, *head), entry);
    chain(f, entry, *head);
  }
}

static void watch(ph_func *f, uint32_t entry, uint32_t v) {
  watch_of(f, entry)->witness[entry % 2] = v;
  enlist(f, entry, v);
}

static void unwatch(ph_func *f, uint32_t entry) {
  uint32_t *watched = &watch_of(f, entry)->witness[entry % 2];
  uint32_t v = ph_body_resolve(f, *watched);
  uint32_t *head;
  *watched = 0;
  if (v == 0 || !has_list(f, v)) return;
  head = head_of(f, v);
  if (next(f, entry) == entry) {
    *head = 0;
    return;
  }
  if (*head == entry) *head = next(f, entry);
  chain(f, prev(f, entry), next(f, entry));
}

static uint32_t witness(const ph_func *f, uint32_t entry) {
  return ph_body_resolve(f, watch_of(f, entry)->witness[entry % 2]);
}

/* Searches for two witnesses of the phi; true if two exist.  Otherwise one of
** its entries has the only one, or none exists.  `entry` is the first of its
** two entries, and so an even number. */
static bool find_witnesses(ph_func *f, uint32_t phi, uint32_t entry) {
  uint32_t n = ph_node_of(f, phi)->nargs;
  if (witness(f, entry) == phi) unwatch(f, entry);
  if (witness(f, entry + 1) == phi ||
      witness(f, entry + 1) == witness(f, entry))
    unwatch(f, entry + 1);
  for (;;) {
    uint32_t v;
    uint32_t a = witness(f, entry), b = witness(f, entry + 1);
    ph_watch *w = watch_of(f, entry);
    if (a != 0 && b != 0) return true;
    if (w->scanned == n) return false;
    v = ph_body_operand(f, phi, w->scanned++);
    if (v != phi && v != a && v != b) watch(f, a == 0 ? entry : entry + 1, v);
  }
}

/* Queues the phi for re-examination. */
static void queue(ph_func *f, uint32_t phi) {
  ph_ids_push(&f->state->suspects, &f->working, phi);
}

/* Returns the shorter one of two circular lists. */
static uint32_t shorter(const ph_func *f, uint32_t a, uint32_t b) {
  uint32_t x = next(f, a), y = next(f, b);
  while (x != a && y != b) {
    x = next(f, x);
    y = next(f, y);
  }
  return x == a ? a : b;
}

/* Queues the phis in the list of `first` that also watch v. */
static void queue_watchers(ph_func *f, uint32_t first, uint32_t v) {
  uint32_t e = first;
  do {
    uint32_t phi = f->phis.at[e / 2].value;
    if (witness(f, e ^ 1) == v) queue(f, phi);
    e = next(f, e);
  } while (e != first);
}

static bool watches(const ph_func *f, uint32_t phi, uint32_t v) {
  uint32_t entry = 2 * ph_node_of(f, phi)->aux;
  return entry < 2 * f->state->watches.n &&
         (witness(f, entry) == v || witness(f, entry + 1) == v);
}

/* Merges list a, of v, and list b, of w, and queues the phis in both. */
static void merge_lists(ph_func *f, uint32_t a, uint32_t v, uint32_t b,
                        uint32_t w) {
  uint32_t last_a = prev(f, a), last_b = prev(f, b);
  if (shorter(f, a, b) == a)
    queue_watchers(f, a, w);
  else
    queue_watchers(f, b, v);
  chain(f, last_a, b);
  chain(f, last_b, a);
}

/* Prepares for the replacement of v by w: queues the phis that it may make
** trivial, and gives w the list of v. */
static void merge_watchers(ph_func *f, uint32_t v, uint32_t w) {
  uint32_t a = *head_of(f, v), b;
  if (a == 0) return;
  *head_of(f, v) = 0;
  if (!has_list(f, w)) {
    queue_watchers(f, a, w);
    return;
  }
  if (ph_body_iswhole(f, w) && watches(f, w, v)) queue(f, w);
  b = *head_of(f, w);
  *head_of(f, w) = a;
  if (b != 0) merge_lists(f, a, v, b, w);
}

/* Replaces the phi, which watches nothing, by w; 0: it has no operand other
** than itself (or none), so it is unreachable or in the start block. */
static void remove_phi(ph_func *f, uint32_t phi, uint32_t w) {
  if (w == 0) w = ph_const_undef(f, ph_node_of(f, phi)->type).id;
  ph_event_note(f, PH_EV_TRIVIAL, ph_node_of(f, phi)->block, 0, phi, w);
  ph_value_takeout(f, phi);
  merge_watchers(f, phi, w);
  ph_value_replace(f, phi, w);
  f->stats.trivial_phis++;
}

/* Looks for new witnesses of a queued phi, and removes it if it is trivial. */
static void reexamine(ph_func *f, uint32_t phi) {
  uint32_t entry = 2 * ph_node_of(f, phi)->aux;
  uint32_t same;
  if (ph_node_of(f, phi)->forward != 0 || find_witnesses(f, phi, entry)) return;
  same = witness(f, entry) != 0 ? witness(f, entry) : witness(f, entry + 1);
  unwatch(f, entry);
  unwatch(f, entry + 1);
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
  if (!has_list(f, v) || ph_node_of(f, v)->flags & PH_IS_FIRM) return v;
  if (ph_node_of(f, v)->op == PH_UNDEF) return 0;
  return watch_of(f, 2 * ph_node_of(f, v)->aux)->origin;
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
  if (f->state->watches.n < f->phis.n) widen(f);
  mine = watch_of(f, 2 * number);
  mine->scanned = w->scanned;
  mine->witness[0] = w->witness[0];
  mine->witness[1] = w->witness[1];
  find_origin(f, phi, mine);
  enlist(f, 2 * number, w->witness[0]);
  enlist(f, 2 * number + 1, w->witness[1]);
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

void ph_trivial_phi_replace(ph_func *f, uint32_t phi, uint32_t v,
                            const uint32_t *args) {
  ph_node_of(f, phi)->flags &= (uint8_t)~PH_IS_INCOMPLETE;
  if (f->listening) tell_operands(f, phi, args);
  remove_phi(f, phi, v == phi ? 0 : v);
  reexamine_suspects(f);
}

void ph_trivial_phi_merge(ph_func *f, uint32_t v, uint32_t w) {
  w = ph_body_resolve(f, w);
  merge_watchers(f, v, w);
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
