/* name_count.c: finds out whether a name is unique.
**
** Text needs to know for each name that it shows alone (naming.c).  So the
** things of each name form a list, which is searched until two present ones are
** found.  Entries of deleted things are unlinked on the way, so that they are
** met only once: a query takes constant time, amortised over the names that
** were given.
**
** Nothing is entered before the first query; until then names cost nothing.  A
** thing that is renamed is entered again, and its old entry counts as deleted,
** which the callback `look` detects.  So a list can contain the same thing
** twice.
**
** Requires: ids below `met` have been entered.  Changes only the lists.
*/
#include "core/ir/name_count.h"

/* Adds a record; record 0 is none. */
static uint32_t record(ph_func *f, ph_name_counts *s, uint32_t id) {
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
  r = record(f, s, id);
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
