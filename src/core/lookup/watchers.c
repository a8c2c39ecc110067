/* watchers.c: finds the users of a replaced phi that may be trivial now, in
** near-linear time.
**
** The paper re-examines all users of a removed phi (Algorithm 3), which is
** quadratic on long cascades.  Here a phi watches two witnesses: operands that
** differ from each other and from the phi.  As long as they do, the phi is not
** trivial and need not be examined.
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
#include "core/lookup/watchers.h"

static uint32_t next(const ph_func *f, uint32_t entry) {
  return ph_watchers_record(f, entry)->next[entry % 2];
}

static uint32_t prev(const ph_func *f, uint32_t entry) {
  return ph_watchers_record(f, entry)->prev[entry % 2];
}

static void chain(const ph_func *f, uint32_t a, uint32_t b) {
  ph_watchers_record(f, a)->next[a % 2] = b;
  ph_watchers_record(f, b)->prev[b % 2] = a;
}

void ph_watchers_room(ph_func *f) {
  const ph_watch none = {0, 0, 0, {0, 0}, {0, 0}, {0, 0}};
  ph_watches *w = &f->state->watches;
  ph_watches_reserve(w, &f->working, f->phis.n);
  while (w->n < f->phis.n) w->at[w->n++] = none;
}

/* Returns where v, which has a list, stores its first entry; makes room. */
static uint32_t *head_of(ph_func *f, uint32_t v) {
  ph_state *state = f->state;
  if (ph_node_of(f, v)->op == PH_PHI) {
    if (state->watches.n < f->phis.n) ph_watchers_room(f);
    return &state->watches.at[ph_node_of(f, v)->aux].first;
  }
  if (v >= state->watched.n) ph_ids_extend(&state->watched, &f->working, v + 1);
  return &state->watched.at[v];
}

void ph_watchers_add(ph_func *f, uint32_t entry, uint32_t v) {
  uint32_t *head;
  if (!ph_watchers_mayhave(f, v)) return;
  head = head_of(f, v);
  if (*head == 0) {
    *head = entry;
    chain(f, entry, entry);
  } else {
    chain(f, prev(f, *head), entry);
    chain(f, entry, *head);
  }
}

void ph_watchers_set(ph_func *f, uint32_t entry, uint32_t v) {
  ph_watchers_record(f, entry)->witness[entry % 2] = v;
  if (ph_watchers_arelisted(f)) ph_watchers_add(f, entry, v);
}

void ph_watchers_clear(ph_func *f, uint32_t entry) {
  uint32_t *watched = &ph_watchers_record(f, entry)->witness[entry % 2];
  uint32_t v = ph_body_resolve(f, *watched);
  uint32_t *head;
  *watched = 0;
  if (v == 0 || !ph_watchers_mayhave(f, v) || !ph_watchers_arelisted(f)) return;
  head = head_of(f, v);
  if (next(f, entry) == entry) {
    *head = 0;
    return;
  }
  if (*head == entry) *head = next(f, entry);
  chain(f, prev(f, entry), next(f, entry));
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
    if (ph_watchers_witness(f, e ^ 1) == v) ph_watchers_queue(f, phi);
    e = next(f, e);
  } while (e != first);
}

static bool watches(const ph_func *f, uint32_t phi, uint32_t v) {
  uint32_t entry = 2 * ph_node_of(f, phi)->aux;
  return entry < 2 * f->state->watches.n &&
         (ph_watchers_witness(f, entry) == v ||
          ph_watchers_witness(f, entry + 1) == v);
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

void ph_watchers_merge(ph_func *f, uint32_t v, uint32_t w) {
  uint32_t a = *head_of(f, v), b;
  if (a == 0) return;
  *head_of(f, v) = 0;
  if (!ph_watchers_mayhave(f, w)) {
    queue_watchers(f, a, w);
    return;
  }
  if (ph_body_iswhole(f, w) && watches(f, w, v)) ph_watchers_queue(f, w);
  b = *head_of(f, w);
  *head_of(f, w) = a;
  if (b != 0) merge_lists(f, a, v, b, w);
}
