/* local_cse.c: a value that is there already, in place of an equal one.
**
** A value is merged with an earlier one only when that is known to dominate.
** During construction join_skip.c knows: all ways that there are, and can be, to the
** block come through the value's.  The number of candidates is bounded.  What
** is missed so, and values whose operands become the same later, a pass over
** the finished function finds (revisit.c).  That need not look at all values:
** the ones that are equal to another when they are emitted are marked, and
** what becomes equal by a changed operand is looked up among the others.
*/
#include "core/construct/local_cse.h"

#include "core/construct/current_def.h"
#include "core/construct/trivial_phi.h"
#include "core/construct/join_skip.h"

enum { CANDIDATES = 4 };

/* Is a above b, or b itself, as far as is known by now?  Nothing is known of
** blocks into which has only been emitted. */
static bool is_above(const ph_func *f, uint32_t a, uint32_t b) {
  const ph_state *state = f->state;
  if (a == b) return true;
  return state != NULL && a < state->skips.n && b < state->skips.n &&
         ph_join_skip_isabove(&state->skips, a, b);
}

/* Is v there at the end of the block, or at the site? */
bool ph_local_cse_reaches(ph_func *f, uint32_t v, uint32_t block) {
  const ph_node *n = ph_node_of(f, v);
  const ph_site *site = f->peephole->site;
  if (n->forward != 0 || (n->flags & PH_IS_DROPPED)) return false;
  if (n->block == 0) return true;
  return site != NULL ? site->reaches(site, f, v)
                      : is_above(f, n->block, block);
}

static ph_value_table *table(const ph_func *f) {
  struct ph_peephole *s = f->peephole;
  return s->site != NULL ? &s->site->cse : &s->cse;
}

static uint32_t equal_value(ph_func *f, ph_local_cse *m, uint32_t block,
                            uint32_t self) {
  const ph_value_table *c = table(f);
  uint32_t v = m->slot->value;
  m->known = false;
  for (int i = 0; i < CANDIDATES && v != 0; i++) {
    if (v == self)
      m->known = true;
    else if (ph_value_table_is(f, v, &m->e) &&
             ph_local_cse_reaches(f, v, block))
      return v;
    v = ph_value_table_older(c, v);
  }
  return 0;
}

/* Those that are there later than `before` can be merged with it. */
static void tell_rivals(ph_func *f, uint32_t v) {
  ph_site *site = f->peephole->site;
  for (int i = 0; i < CANDIDATES && v != 0; i++) {
    site->rival(site, f, v);
    v = ph_value_table_older(&site->cse, v);
  }
}

/* They are looked at again when construction is over. */
static void note_double(ph_func *f, uint32_t v, uint32_t w) {
  f->peephole->doubled = true;
  ph_node_of(f, v)->flags |= PH_IS_DOUBLE;
  ph_node_of(f, w)->flags |= PH_IS_DOUBLE;
}

/* A pass does not look at what nothing was equal to when it was emitted.  Now
** that e is, it does. */
static void take_over(ph_func *f, const ph_constexpr *e) {
  struct ph_peephole *s = f->peephole;
  uint32_t v;
  if (s->site == NULL || s->site->all || s->cse.cap == 0) return;
  v = ph_value_table_find(f, &s->cse, e)->value;
  if (v == 0 || (ph_node_of(f, v)->flags & PH_IS_DOUBLE)) return;
  note_double(f, v, v);
  if (s->site->met(s->site, v))
    ph_value_table_put(f, &s->site->cse,
                       ph_value_table_find(f, &s->site->cse, e), e, v);
}

uint32_t ph_local_cse_find(ph_func *f, ph_local_cse *m, const ph_pending *p,
                           ph_data data, uint32_t self) {
  m->e = (ph_constexpr){p->op, p->type, p->nargs, p->args, data, 0};
  ph_value_table_hash(f, &m->e);
  take_over(f, &m->e);
  m->slot = ph_value_table_find(f, table(f), &m->e);
  return equal_value(f, m, p->block, self);
}

void ph_local_cse_add(ph_func *f, const ph_local_cse *m, uint32_t v) {
  if (m->slot->value != 0) note_double(f, v, m->slot->value);
  ph_value_table_put(f, table(f), m->slot, &m->e, v);
}

void ph_local_cse_keep(ph_func *f, const ph_local_cse *m, uint32_t self) {
  if (m->known) return;
  tell_rivals(f, m->slot->value);
  ph_value_table_put(f, table(f), m->slot, &m->e, self);
}
