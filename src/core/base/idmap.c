/* idmap.c: maps and sets of ids as open hashes.
**
** For analyses of a small part of a large function, where clearing an array by
** value would cost more than the answer.  Linear probing, at most half full;
** multiplying by 2^32 over the golden ratio scatters consecutive ids (Knuth,
** volume 3, 6.4).
*/
#include "core/base/idmap.h"

static ph_idpair *slot_of(const ph_idmap *m, uint32_t id) {
  uint32_t mask = m->cap - 1;
  uint32_t hash = id * UINT32_C(2654435769);
  uint32_t i = (hash ^ hash >> 16) & mask;
  while (m->at[i].id != 0 && m->at[i].id != id) i = (i + 1) & mask;
  return &m->at[i];
}

static void widen_table(ph_idmap *m, ph_arena *a) {
  ph_idmap old = *m;
  uint32_t cap = old.cap == 0 ? 16 : 2 * old.cap;
  m->at = ph_arena_zero(a, cap * sizeof *m->at);
  m->cap = cap;
  for (uint32_t i = 0; i < old.cap; i++)
    if (old.at[i].id != 0) *slot_of(m, old.at[i].id) = old.at[i];
  ph_arena_drop(a, old.at, old.cap * sizeof *old.at);
}

/* Maps id; true if it was not in m. */
static bool map_id(ph_idmap *m, ph_arena *a, uint32_t id, uint32_t to) {
  ph_idpair *slot;
  bool is_new;
  if (2 * m->n >= m->cap) widen_table(m, a);
  slot = slot_of(m, id);
  is_new = slot->id == 0;
  m->n += is_new;
  *slot = (ph_idpair){id, to};
  return is_new;
}

uint32_t ph_idmap_get(const ph_idmap *m, uint32_t id) {
  return m->cap == 0 ? 0 : slot_of(m, id)->to;
}

void ph_idmap_set(ph_idmap *m, ph_arena *a, uint32_t id, uint32_t to) {
  map_id(m, a, id, to);
}

bool ph_idset_add(ph_idset *s, ph_arena *a, uint32_t id) {
  return map_id(s, a, id, 1);
}

bool ph_idset_has(const ph_idset *s, uint32_t id) {
  return ph_idmap_get(s, id) != 0;
}
