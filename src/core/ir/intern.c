/* intern.c: interns strings, so that a name is a number, and finds out whether
** a name is unique.
**
** The table is an open hash of ids with linear probing, at most half full.  It
** stores no hashes; they are computed again when it grows.  value.c interns
** constants in a table of the same kind.
**
** Text needs to know for each name whether it is unique, since it shows such a
** name alone (naming.c).  So the things of each name form a list, which is
** searched until two present ones are found.  Entries of deleted things are
** unlinked on the way, so that they are met only once: a query takes constant
** time, amortised over the names that were given.
**
** Nothing is entered before the first query; until then names cost nothing.  A
** thing that is renamed is entered again, and its old entry counts as deleted,
** which the callback `look` detects.  So a list can contain the same thing
** twice.
*/
#include "core/ir/intern.h"

#include <string.h>

#include "core/ir/contract.h"

/*
** {== Tables =========================================================
*/

uint32_t *ph_intern_slot(ph_func *f, ph_table *t, uint32_t hash,
                         bool (*same)(const ph_func *f, uint32_t id,
                                      const void *key),
                         const void *key) {
  uint32_t mask = t->cap - 1;
  uint32_t i = hash & mask;
  while (t->at[i] != 0 && !same(f, t->at[i], key)) i = (i + 1) & mask;
  return &t->at[i];
}

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

/* }== Strings ======================================================== */

#define FEW 6 /* strings that need no table */

/* Hashes differ between functions, so that input cannot be made to collide. */
static uint32_t hash_bytes(const ph_func *f, const char *p, size_t n) {
  const unsigned char *s = (const unsigned char *)p;
  uint32_t h = 2166136261u ^ f->seed; /* FNV-1a */
  for (size_t i = 0; i < n; i++) h = (h ^ s[i]) * 16777619u;
  return h ^ (h >> 15);
}

static bool same_string(const ph_func *f, uint32_t id, const void *key) {
  const ph_str *s = key;
  const ph_str *have = &f->strings.at[id];
  return have->n == s->n && memcmp(have->at, s->at, s->n) == 0;
}

static uint32_t hash_of_string(const ph_func *f, uint32_t id) {
  return hash_bytes(f, f->strings.at[id].at, f->strings.at[id].n);
}

static uint32_t keep_string(ph_func *f, ph_str s) {
  char *copy = ph_arena_alloc(&f->arena, s.n);
  memcpy(copy, s.at, s.n);
  s.at = copy;
  ph_strs_push(&f->strings, &f->arena, s);
  return f->strings.n - 1;
}

/* Finds one of the first few strings. */
static uint32_t find_few(const ph_func *f, ph_str s) {
  for (uint32_t id = 1; id < f->strings.n; id++)
    if (same_string(f, id, &s)) return id;
  return 0;
}

static uint32_t *slot_of(ph_func *f, ph_str s) {
  return ph_intern_slot(f, &f->string_table, hash_bytes(f, s.at, s.n),
                        same_string, &s);
}

uint32_t ph_intern_add(ph_func *f, ph_str s) {
  uint32_t *slot, few;
  if (s.n == 0) return 0;
  if (ph_ptr(f)->strings.n <= FEW) {
    few = find_few(f, s);
    return few != 0 ? few : keep_string(f, s);
  }
  if (f->string_table.n == 0) {
    ph_table *t = &f->string_table;
    ph_intern_room(f, t, hash_of_string);
    for (uint32_t id = 1; id < f->strings.n; id++)
      reinsert(t, hash_of_string(f, id), id);
    t->n = f->strings.n - 1;
  }
  ph_intern_room(f, &f->string_table, hash_of_string);
  slot = slot_of(f, s);
  if (*slot != 0) return *slot;
  f->string_table.n++;
  return *slot = keep_string(f, s);
}

uint32_t ph_intern_find(ph_func *f, ph_str s) {
  return f->string_table.n == 0 ? find_few(f, s) : *slot_of(f, s);
}

ph_str ph_intern_string(const ph_func *f, uint32_t name) {
  ph_require(name < ph_ptr(f)->strings.n && "a number from ph_intern_add");
  return f->strings.at[name];
}

/* }== Things of a name =============================================== */

/* Adds a record; record 0 is none. */
static uint32_t add_record(ph_func *f, ph_name_counts *s, uint32_t id) {
  const ph_namerec none = {0, 0}, r = {id, 0};
  if (s->recs.n == 0) ph_namerecs_push(&s->recs, &f->arena, none);
  ph_namerecs_push(&s->recs, &f->arena, r);
  return s->recs.n - 1;
}

void ph_name_count_add(ph_func *f, ph_name_counts *s, uint32_t id,
                       uint32_t name) {
  uint32_t r;
  if (name == 0) return;
  if (name >= s->first.n) ph_ids_extend(&s->first, &f->arena, f->strings.n);
  r = add_record(f, s, id);
  s->recs.at[r].next = s->first.at[name];
  s->first.at[name] = r;
}

void ph_name_count_forget(ph_name_counts *s) {
  s->first.n = s->recs.n = s->met = 0;
}

uint32_t ph_name_count_only(ph_func *f, ph_name_counts *s, uint32_t name,
                            ph_name_count_look *look) {
  uint32_t found = 0, *link;
  if (name >= s->first.n) return 0;
  link = &s->first.at[name];
  while (*link != 0) {
    ph_namerec *r = &s->recs.at[*link];
    ph_presence is = look(f, r->id, name);
    if (is == PH_NAME_HERE && found != 0 && r->id != found) return 0;
    if (is == PH_NAME_GONE || r->id == found) {
      *link = r->next;
    } else {
      if (is == PH_NAME_HERE) found = r->id;
      link = &r->next;
    }
  }
  return found;
}

/* }=================================================================== */
