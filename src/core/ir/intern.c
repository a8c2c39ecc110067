/* intern.c: interns strings, so that a name is a number.
**
** The table is an open hash of ids with linear probing, at most half full.  It
** stores no hashes; they are computed again when it grows.  const.c interns
** constants in a table of the same kind.
*/
#include "core/ir/intern.h"

#include <string.h>

#include "core/ir/contract.h"

/* Hashes differ between functions, so that input cannot be made to collide. */
static uint32_t hash_bytes(const ph_func *f, const char *p, size_t n) {
  const unsigned char *s = (const unsigned char *)p;
  uint32_t h = 2166136261u ^ f->seed; /* FNV-1a */
  for (size_t i = 0; i < n; i++) h = (h ^ s[i]) * 16777619u;
  return h ^ (h >> 15);
}

uint32_t *ph_intern_slot(ph_func *f, ph_table *t, uint32_t hash,
                         bool (*same)(const ph_func *f, uint32_t id,
                                      const void *key),
                         const void *key) {
  uint32_t mask = t->cap - 1;
  uint32_t i = hash & mask;
  while (t->at[i] != 0 && !same(f, t->at[i], key)) i = (i + 1) & mask;
  return &t->at[i];
}

#define FEW 6

static void reinsert(ph_table *t, uint32_t hash, uint32_t id) {
  uint32_t mask = t->cap - 1;
  uint32_t i = hash & mask;
  while (t->at[i] != 0) i = (i + 1) & mask;
  t->at[i] = id;
}

void ph_intern_room(ph_func *f, ph_table *t,
                    uint32_t (*hash_of)(const ph_func *f, uint32_t id)) {
  ph_table old = *t;
  ph_table bigger = {NULL, old.n, old.cap == 0 ? 16 : 2 * old.cap};
  if (2 * (old.n + 1) <= old.cap) return;
  bigger.at = ph_arena_zero(&f->arena, bigger.cap * sizeof(uint32_t));
  for (uint32_t i = 0; i < old.cap; i++)
    if (old.at[i] != 0) reinsert(&bigger, hash_of(f, old.at[i]), old.at[i]);
  *t = bigger;
  ph_arena_drop(&f->arena, old.at, old.cap * sizeof(uint32_t));
}

static bool same_string(const ph_func *f, uint32_t id, const void *key) {
  const ph_str *s = key;
  const ph_str *have = &f->strings.at[id];
  return have->n == s->n && memcmp(have->at, s->at, s->n) == 0;
}

static uint32_t hash_of_string(const ph_func *f, uint32_t id) {
  return hash_bytes(f, f->strings.at[id].at, f->strings.at[id].n);
}

static uint32_t keep(ph_func *f, ph_str s) {
  char *copy = ph_arena_alloc(&f->arena, s.n);
  memcpy(copy, s.at, s.n);
  s.at = copy;
  ph_strs_push(&f->strings, &f->arena, s);
  return f->strings.n - 1;
}

/* Finds one of the first few strings, which need no table. */
static uint32_t find_few(const ph_func *f, ph_str s) {
  for (uint32_t id = 1; id < f->strings.n; id++)
    if (same_string(f, id, &s)) return id;
  return 0;
}

static void start_table(ph_func *f) {
  ph_table *t = &f->string_table;
  ph_intern_room(f, t, hash_of_string);
  for (uint32_t id = 1; id < f->strings.n; id++)
    reinsert(t, hash_of_string(f, id), id);
  t->n = f->strings.n - 1;
}

static uint32_t *slot_of(ph_func *f, ph_str s) {
  return ph_intern_slot(f, &f->string_table, hash_bytes(f, s.at, s.n),
                        same_string, &s);
}

uint32_t ph_intern_add(ph_func *f, ph_str s) {
  uint32_t *slot, few;
  if (s.n == 0) return 0;
  if (f->strings.n <= FEW) {
    few = find_few(f, s);
    return few != 0 ? few : keep(f, s);
  }
  if (f->string_table.n == 0) start_table(f);
  ph_intern_room(f, &f->string_table, hash_of_string);
  slot = slot_of(f, s);
  if (*slot != 0) return *slot;
  f->string_table.n++;
  return *slot = keep(f, s);
}

uint32_t ph_intern_find(ph_func *f, ph_str s) {
  return f->string_table.n == 0 ? find_few(f, s) : *slot_of(f, s);
}

uint32_t ph_intern_count(const ph_func *f) { return f->strings.n - 1; }

ph_str ph_intern_string(const ph_func *f, uint32_t name) {
  ph_require(name < f->strings.n && "a number from ph_intern_add");
  return f->strings.at[name];
}
