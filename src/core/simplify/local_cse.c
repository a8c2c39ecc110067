/* local_cse.c: CSE: replaces an instruction by an equal value that dominates.
**
** A value is merged with an earlier one only if that is known to dominate.
** During construction join_skip.c knows: all existing and future paths to the
** block pass through the block of the value.  The number of candidates is
** bounded.  What is missed for that reason, and values whose operands become
** equal later, are found by a pass over the finished function (revisit.c).  The
** pass need not visit all values: those that equal another one when they are
** emitted are marked, and what becomes equal by a changed operand is looked up
** among the others.
*/
#include "core/simplify/local_cse.h"

#include "core/lookup/current_def.h"
#include "core/lookup/trivial_phi.h"
#include "core/lookup/join_skip.h"

enum { CANDIDATES = 4 };

/* True if a is known to dominate b, or is b.  Nothing is known of a block into
** which nothing was read or written and that was not sealed. */
static bool is_above(const ph_func *f, uint32_t a, uint32_t b) {
  const ph_state *state = f->state;
  if (a == b) return true;
  return state != NULL && a < state->skips.blocks.n &&
         b < state->skips.blocks.n && ph_join_skip_isabove(&state->skips, a, b);
}

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

/* Tells the site of equal values after `before`: they can be merged with it. */
static void tell_rivals(ph_func *f, uint32_t v) {
  ph_site *site = f->peephole->site;
  for (int i = 0; i < CANDIDATES && v != 0; i++) {
    site->rival(site, f, v);
    v = ph_value_table_older(&site->cse, v);
  }
}

/* Marks equal values: finish visits them again. */
static void note_double(ph_func *f, uint32_t v, uint32_t w) {
  f->peephole->doubled = true;
  ph_node_of(f, v)->flags |= PH_IS_DOUBLE;
  ph_node_of(f, w)->flags |= PH_IS_DOUBLE;
}

/* A pass does not visit values that equalled no other when they were emitted.
** One that e equals now is entered into its table. */
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

/* Records that v is entered by the hash of e.  False if it was before, even if
** it is now too far down its list to be found: otherwise equal values, none of
** which dominates another, would enter each other again and again. */
static bool enter_once(ph_func *f, const ph_constexpr *e, uint32_t v) {
  ph_site *site = f->peephole->site;
  uint32_t mark = e->hash | 1;
  ph_ids_extend(&site->entered, site->cse.arena, f->nodes.n);
  if (site->entered.at[v] == mark) return false;
  site->entered.at[v] = mark;
  return true;
}

void ph_local_cse_keep(ph_func *f, const ph_local_cse *m, uint32_t self) {
  if (m->known || !enter_once(f, &m->e, self)) return;
  tell_rivals(f, m->slot->value);
  ph_value_table_put(f, table(f), m->slot, &m->e, self);
}

/*
** {== Memory =========================================================
**
** Within a block, two equal reads give the same unless something was written
** between them.  Instructions are emitted at ends of blocks, so that is so if
** the first one is younger than the last write in any block: ids are given in
** order of time.
*/

static bool is_gone(const ph_node *n) {
  return n->forward != 0 || (n->flags & PH_IS_DROPPED) != 0;
}

/* Returns what the last write has stored, if it is what *p loads; or 0. */
static uint32_t stored_value(ph_func *f, const ph_pending *p) {
  uint32_t store = f->peephole->written, v;
  const ph_node *n = ph_node_of(f, store);
  if (store == 0 || n->op != PH_STORE || n->block != p->block || is_gone(n))
    return 0;
  v = ph_body_operand(f, store, 1);
  if (ph_body_operand(f, store, 0) != p->args[0]) return 0;
  return ph_node_of(f, v)->type == p->type ? v : 0;
}

uint32_t ph_local_cse_findread(ph_func *f, ph_local_cse *m, const ph_pending *p,
                               ph_data data) {
  struct ph_peephole *s = f->peephole;
  uint32_t v;
  m->e = (ph_constexpr){p->op, p->type, p->nargs, p->args, data, 0};
  ph_value_table_hash(f, &m->e);
  m->slot = ph_value_table_find(f, &s->reads, &m->e);
  v = m->slot->value;
  if (v > s->written && ph_node_of(f, v)->block == p->block &&
      !is_gone(ph_node_of(f, v)))
    return v;
  if (p->op != PH_LOAD || data.tag != PH_DATA_NONE) return 0;
  return stored_value(f, p);
}

/* Only the youngest of equal reads is of use. */
void ph_local_cse_addread(const ph_func *f, const ph_local_cse *m, uint32_t v) {
  if (m->slot->value == 0) f->peephole->reads.n++;
  *m->slot = (ph_value_slot){m->e.hash, v};
}

/* }=================================================================== */
