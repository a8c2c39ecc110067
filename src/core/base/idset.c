/* idset.c: sets of ids as open hashes.
**
** For analyses of a small part of a large function, where clearing an array by
** value would cost more than the answer.  Linear probing, at most half full;
** multiplying by 2^32 over the golden ratio scatters consecutive ids (Knuth,
** volume 3, 6.4).
*/
#include "core/base/idset.h"

static uint32_t *slot_of(const ph_idset *s, uint32_t id) {
  uint32_t mask = s->cap - 1;
  uint32_t hash = id * UINT32_C(2654435769);
  uint32_t i = (hash ^ hash >> 16) & mask;
  while (s->at[i] != 0 && s->at[i] != id) i = (i + 1) & mask;
  return &s->at[i];
}

static void widen(ph_idset *s, ph_arena *a) {
  ph_idset old = *s;
  uint32_t cap = old.cap == 0 ? 16 : 2 * old.cap;
  s->at = ph_arena_zero(a, cap * sizeof(uint32_t));
  s->cap = cap;
  for (uint32_t i = 0; i < old.cap; i++)
    if (old.at[i] != 0) *slot_of(s, old.at[i]) = old.at[i];
  ph_arena_drop(a, old.at, old.cap * sizeof(uint32_t));
}

bool ph_idset_add(ph_idset *s, ph_arena *a, uint32_t id) {
  uint32_t *slot;
  if (2 * s->n >= s->cap) widen(s, a);
  slot = slot_of(s, id);
  if (*slot == id) return false;
  *slot = id;
  s->n++;
  return true;
}

bool ph_idset_has(const ph_idset *s, uint32_t id) {
  return s->cap != 0 && *slot_of(s, id) == id;
}
