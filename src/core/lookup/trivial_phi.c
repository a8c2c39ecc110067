/* trivial_phi.c: tryRemoveTrivialPhi (Algorithm 3), in near-linear time.
**
** A phi is trivial if its operands are itself and at most one other value.  Two
** witnesses, operands that differ from each other and from the phi, show that
** it is not: as long as they do, it need not be examined.  The search for a new
** witness continues where it stopped: what it passed was equal to a witness or
** to the phi, and remains so.
**
** The same witnesses mostly show that a phi is in no redundant set either.  A
** value is firm if construction will not replace it any more: it is neither a
** phi nor an undef, or it is a phi with PH_IS_FIRM.  Any other phi has as its
** origin the one firm value that is known to flow to it, or none.  A phi that
** would have two origins is firm, and redundant_phi.c examines only the
** others (docs/internals/construction.md says why this is right).
*/
#include "core/lookup/trivial_phi.h"

#include "core/ir/event.h"
#include "core/ir/value.h"

/*
** {== Watchers =======================================================
**
** The paper examines all users of a removed phi again, which is quadratic on
** long cascades.  Here a phi watches its two witnesses, and is examined again
** when one of them is replaced.
**
** Replacing a phi merges its class of equal values with another one.  Only a
** phi with witnesses in both classes can become trivial then (or the other
** value itself, if it is a phi that watches the class).  Such phis are in the
** lists of both classes, so it is enough to walk the shorter list: each entry
** is visited O(log n) times in all.
**
** During construction only phis are replaced, and undefs that the host will
** define: other values need no list.  If the other value has none, the list of
** the phi is walked and dropped, once.
**
** An entry is 2 * phi + slot, where phi is its number in f->phis; the entries
** of a value form a circular doubly linked list.
*/

static ph_watch *record_of(const ph_func *f, uint32_t entry) {
  return &f->state->watches.at[entry / 2];
}

/* Returns the value that the entry watches, or 0. */
static uint32_t witness_of(const ph_func *f, uint32_t entry) {
  return ph_body_resolve(f, record_of(f, entry)->witness[entry % 2]);
}

/* True if v can be replaced during construction. */
static bool can_be_replaced(const ph_func *f, uint32_t v) {
  ph_op op = ph_node_of(f, v)->op;
  return op == PH_PHI || op == PH_UNDEF;
}

/* True if watchers are in lists: the operand variant does without. */
static bool has_lists(const ph_func *f) {
  return f->options.construction != PH_OPERAND;
}

/* Queues the phi for re-examination. */
static void queue_phi(ph_func *f, uint32_t phi) {
  ph_ids_push(&f->state->suspects, &f->working, phi);
}

static uint32_t next_entry(const ph_func *f, uint32_t entry) {
  return record_of(f, entry)->next[entry % 2];
}

static uint32_t prev_entry(const ph_func *f, uint32_t entry) {
  return record_of(f, entry)->prev[entry % 2];
}

static void chain_entries(const ph_func *f, uint32_t a, uint32_t b) {
  record_of(f, a)->next[a % 2] = b;
  record_of(f, b)->prev[b % 2] = a;
}

/* Makes records for all phis. */
static void make_records(ph_func *f) {
  ph_watches_extend(&f->state->watches, &f->working, f->phis.n);
}

/* Returns where v, which has a list, stores its first entry; makes room. */
static uint32_t *head_of(ph_func *f, uint32_t v) {
  ph_state *state = f->state;
  if (ph_node_of(f, v)->op == PH_PHI) {
    if (state->watches.n < f->phis.n) make_records(f);
    return &state->watches.at[ph_node_of(f, v)->aux].first;
  }
  if (v >= state->watched.n) ph_ids_extend(&state->watched, &f->working, v + 1);
  return &state->watched.at[v];
}

/* Adds the entry, whose witness is v, to v's list. */
static void add_watcher(ph_func *f, uint32_t entry, uint32_t v) {
  uint32_t *head;
  if (!can_be_replaced(f, v)) return;
  head = head_of(f, v);
  if (*head == 0) {
    *head = entry;
    chain_entries(f, entry, entry);
  } else {
    chain_entries(f, prev_entry(f, *head), entry);
    chain_entries(f, entry, *head);
  }
}

/* Makes v the witness of the entry, which has none. */
static void set_witness(ph_func *f, uint32_t entry, uint32_t v) {
  record_of(f, entry)->witness[entry % 2] = v;
  if (has_lists(f)) add_watcher(f, entry, v);
}

static void clear_witness(ph_func *f, uint32_t entry) {
  uint32_t *watched = &record_of(f, entry)->witness[entry % 2];
  uint32_t v = ph_body_resolve(f, *watched);
  uint32_t *head;
  *watched = 0;
  if (v == 0 || !can_be_replaced(f, v) || !has_lists(f)) return;
  head = head_of(f, v);
  if (next_entry(f, entry) == entry) {
    *head = 0;
    return;
  }
  if (*head == entry) *head = next_entry(f, entry);
  chain_entries(f, prev_entry(f, entry), next_entry(f, entry));
}

/* Returns the shorter one of two circular lists. */
static uint32_t shorter(const ph_func *f, uint32_t a, uint32_t b) {
  uint32_t x = next_entry(f, a), y = next_entry(f, b);
  while (x != a && y != b) {
    x = next_entry(f, x);
    y = next_entry(f, y);
  }
  return x == a ? a : b;
}

/* Queues the phis in the list of `first` that also watch v. */
static void queue_watchers(ph_func *f, uint32_t first, uint32_t v) {
  uint32_t e = first;
  do {
    uint32_t phi = f->phis.at[e / 2].value;
    if (witness_of(f, e ^ 1) == v) queue_phi(f, phi);
    e = next_entry(f, e);
  } while (e != first);
}

static bool watches(const ph_func *f, uint32_t phi, uint32_t v) {
  uint32_t entry = 2 * ph_node_of(f, phi)->aux;
  return entry < 2 * f->state->watches.n &&
         (witness_of(f, entry) == v || witness_of(f, entry + 1) == v);
}

/* Merges list a, of v, and list b, of w, and queues the phis in both. */
static void merge_lists(ph_func *f, uint32_t a, uint32_t v, uint32_t b,
                        uint32_t w) {
  uint32_t last_a = prev_entry(f, a), last_b = prev_entry(f, b);
  if (shorter(f, a, b) == a)
    queue_watchers(f, a, w);
  else
    queue_watchers(f, b, v);
  chain_entries(f, last_a, b);
  chain_entries(f, last_b, a);
}

/* Prepares for the replacement of v by w: queues the phis that it may make
** trivial, and gives w the list of v. */
static void merge_watchers(ph_func *f, uint32_t v, uint32_t w) {
  uint32_t a = *head_of(f, v), b;
  if (a == 0) return;
  *head_of(f, v) = 0;
  if (!can_be_replaced(f, w)) {
    queue_watchers(f, a, w);
    return;
  }
  if (ph_body_iswhole(f, w) && watches(f, w, v)) queue_phi(f, w);
  b = *head_of(f, w);
  *head_of(f, w) = a;
  if (b != 0) merge_lists(f, a, v, b, w);
}

/* }== Without lists of users =========================================
**
** The operand variant (section 3.1).  An IR that does not record users can
** examine the unique operand of the replaced phi instead: if that is a phi, it
** can have been a user of the replaced one, as the phis of two nested loops are
** operands of each other, and now be trivial itself.  Then its own unique
** operand follows.
**
** This is incomplete: other users of the replaced phi may be trivial now, and
** are not found, be they before it or after it in the flow.  They are one
** value with their only operand, so the search for redundant phis at finish
** (section 3.2) removes them; until then they are visible.
**
** The witnesses of a phi are recorded as for Algorithm 3, without lists: a phi
** that many others were replaced by is examined as often, and the search for
** its witnesses continues where it stopped each time.
*/

/* Queues w, the unique operand of a phi that it replaces, if it is a phi with
** its operands; one without a record is older than this construction. */
static void queue_operand(ph_func *f, uint32_t w) {
  if (ph_body_iswhole(f, w) && ph_node_of(f, w)->aux < f->state->watches.n)
    queue_phi(f, w);
}

/* }== Removing trivial phis ========================================== */

/* Searches for two witnesses of the phi; true if two exist.  Otherwise one of
** its entries has the only one, or none exists.  `entry` is the first of its
** two entries, and so an even number. */
static bool find_witnesses(ph_func *f, uint32_t phi, uint32_t entry) {
  uint32_t n = ph_node_of(f, phi)->nargs;
  if (witness_of(f, entry) == phi) clear_witness(f, entry);
  if (witness_of(f, entry + 1) == phi ||
      witness_of(f, entry + 1) == witness_of(f, entry))
    clear_witness(f, entry + 1);
  for (;;) {
    uint32_t v;
    uint32_t a = witness_of(f, entry), b = witness_of(f, entry + 1);
    ph_watch *w = record_of(f, entry);
    if (a != 0 && b != 0) return true;
    if (w->scanned == n) return false;
    v = ph_body_operand(f, phi, w->scanned++);
    if (v != phi && v != a && v != b)
      set_witness(f, a == 0 ? entry : entry + 1, v);
  }
}

/* Queues what may be trivial once v is replaced by w. */
static void queue_suspects(ph_func *f, uint32_t v, uint32_t w) {
  if (has_lists(f))
    merge_watchers(f, v, w);
  else
    queue_operand(f, w);
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
  same = witness_of(f, entry) != 0 ? witness_of(f, entry)
                                   : witness_of(f, entry + 1);
  clear_witness(f, entry);
  clear_witness(f, entry + 1);
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
  if (!can_be_replaced(f, v) || ph_node_of(f, v)->flags & PH_IS_FIRM) return v;
  if (ph_node_of(f, v)->op == PH_UNDEF) return 0;
  return record_of(f, 2 * ph_node_of(f, v)->aux)->origin;
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
  if (f->state->watches.n < f->phis.n) make_records(f);
  mine = record_of(f, 2 * number);
  mine->scanned = w->scanned;
  mine->witness[0] = w->witness[0];
  mine->witness[1] = w->witness[1];
  find_origin(f, phi, mine);
  if (!has_lists(f)) return;
  add_watcher(f, 2 * number, w->witness[0]);
  add_watcher(f, 2 * number + 1, w->witness[1]);
}

void ph_trivial_phi_complete(ph_func *f, uint32_t phi, const uint32_t *args,
                             uint32_t n) {
  ph_watch w = {0};
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

/* }=================================================================== */
