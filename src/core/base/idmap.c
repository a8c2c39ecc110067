/* idmap.c: maps from ids to numbers as open hashes, made as idset.c makes
** sets. */
#include "core/base/idmap.h"

static ph_idpair *slot_of(const ph_idmap *m, uint32_t id) {
  uint32_t mask = m->cap - 1;
  uint32_t hash = id * UINT32_C(2654435769);
  uint32_t i = (hash ^ hash >> 16) & mask;
  while (m->at[i].id != 0 && m->at[i].id != id) i = (i + 1) & mask;
  return &m->at[i];
}

static void widen(ph_idmap *m, ph_arena *a) {
  ph_idmap old = *m;
  uint32_t cap = old.cap == 0 ? 16 : 2 * old.cap;
  m->at = ph_arena_zero(a, cap * sizeof *m->at);
  m->cap = cap;
  for (uint32_t i = 0; i < old.cap; i++)
    if (old.at[i].id != 0) *slot_of(m, old.at[i].id) = old.at[i];
  ph_arena_drop(a, old.at, old.cap * sizeof *old.at);
}

uint32_t ph_idmap_get(const ph_idmap *m, uint32_t id) {
  return m->cap == 0 ? 0 : slot_of(m, id)->to;
}

void ph_idmap_set(ph_idmap *m, ph_arena *a, uint32_t id, uint32_t to) {
  ph_idpair *slot;
  if (2 * m->n >= m->cap) widen(m, a);
  slot = slot_of(m, id);
  m->n += slot->id == 0;
  *slot = (ph_idpair){id, to};
}
