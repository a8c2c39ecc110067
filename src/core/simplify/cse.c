/* cse.c: CSE: finds a value that computes the same and dominates.
**
** A value is merged with an earlier one only if that is known to dominate.
** During construction join_skip.c knows: all existing and future paths to the
** block pass through the block of the value.  The number of candidates is
** bounded.  What is missed for that reason, and values whose operands become
** equal later, are found by a pass over the finished function (revisit.c).  The
** pass need not visit all values: those that equal another one when they are
** emitted are marked, and what becomes equal by a changed operand is looked up
** among the others.
**
** A division that may trap is merged with an earlier one: if that has not
** trapped, this does not.
*/
#include "core/simplify/cse.h"

#include <string.h>

#include "core/ir/effects.h"
#include "core/ir/uses.h"
#include "core/lookup/state.h"

enum { CANDIDATES = 4 };

/*
** {== The table of values ============================================
**
** A hash table; its keys are op, type, operands and data.  The same expression
** may be computed in several blocks of which none dominates the others, so a
** slot holds the value added last, and older ones are chained to it; the caller
** decides which of them can be used, since construction and a finished function
** compute dominance by different means.
**
** When operands are replaced, their users stay in the wrong slot and are not
** found there: comparing resolves operands, so nothing wrong is found either.
*/

bool ph_cse_computes(const ph_func *f, uint32_t v, const ph_pending *p) {
  const ph_node *n = ph_node_of(f, v);
  ph_data d = f->datas.at[n->aux];
  if (n->op != p->op || n->type != p->type || n->nargs != p->nargs ||
      d.tag != p->data.tag || d.bits != p->data.bits)
    return false;
  for (uint32_t i = 0; i < p->nargs; i++)
    if (ph_body_operand(f, v, i) != p->args[i]) return false;
  return true;
}

void ph_cse_grow(ph_value_table *c) {
  uint32_t old = c->cap, cap = old == 0 ? 64 : 2 * old;
  ph_value_slot *from = c->at;
  c->at = ph_arena_zero(c->arena, cap * sizeof *c->at);
  c->cap = cap;
  for (uint32_t i = 0; i < old; i++) {
    uint32_t j = from[i].hash & (cap - 1);
    if (from[i].value == 0) continue;
    while (c->at[j].value != 0) j = (j + 1) & (cap - 1);
    c->at[j] = from[i];
  }
  ph_arena_drop(c->arena, from, old * sizeof *from);
}

/* Returns the value added before v, which may compute something else by now. */
static uint32_t older(const ph_value_table *c, uint32_t v) {
  return v < c->older.n ? c->older.at[v] : 0;
}

/* }== Further results ================================================
**
** Where instructions say the types of all their results, those of further ones
** are known by the projections alone.
*/

enum { PROJECTIONS = 16, USES = 64 };

/* Notes, by index, the types of what projects from v.  False: one is of another
** type than is noted, or not all have been looked at. */
static bool note_types(ph_func *f, uint32_t v, ph_type *types) {
  int uses = USES;
  PH_EACH_USE(f, v, use) {
    const ph_node *n = ph_node_of(f, ph_uses_user(f, use).id);
    uint64_t i = n->op == PH_PROJ ? f->datas.at[n->aux].bits : 0;
    if (uses-- == 0 || i >= PROJECTIONS) return false;
    if (n->op == PH_PROJ && types[i] != PH_NOTYPE && types[i] != n->type)
      return false;
    if (n->op == PH_PROJ) types[i] = n->type;
  }
  return true;
}

bool ph_cse_mayproject(ph_func *f, uint32_t v, uint32_t w) {
  ph_type types[PROJECTIONS] = {PH_NOTYPE};
  ph_op op = ph_node_of(f, w)->op;
  if (op < PH_OPS || ph_op_nresults(f, op) != PH_RESULTS_SAID ||
      !ph_op_needstype(f, op))
    return true;
  if (v == 0) memset(types, PH_SAIDTYPE, sizeof types);
  return (v == 0 || note_types(f, v, types)) && note_types(f, w, types);
}

/* }== Values that are available ====================================== */

/* True if a is known to dominate b, or is b.  Nothing is known of a block into
** which nothing was read or written and that was not sealed. */
static bool is_above(const ph_func *f, uint32_t a, uint32_t b) {
  const ph_state *state = f->state;
  if (a == b) return true;
  return state != NULL && a < state->skips.blocks.n &&
         b < state->skips.blocks.n && ph_join_skip_isabove(&state->skips, a, b);
}

bool ph_cse_reaches(const ph_func *f, const ph_cse *c, uint32_t v,
                    uint32_t block) {
  const ph_node *n = ph_node_of(f, v);
  const ph_site *site = c->site;
  if (ph_body_isgone(f, v)) return false;
  if (n->block == 0) return true;
  return site != NULL ? site->reaches(site, f, v)
                      : is_above(f, n->block, block);
}

/* The newest value of a slot need not be compared: the slot was found by it. */
uint32_t ph_cse_equal(ph_func *f, const ph_cse *c, ph_cse_search *m,
                      const ph_pending *p, uint32_t self) {
  uint32_t v = m->slot->value;
  for (int i = 0; i < CANDIDATES && v != 0; i++) {
    if (v == self)
      m->known = true;
    else if ((i == 0 || ph_cse_computes(f, v, p)) &&
             ph_cse_reaches(f, c, v, p->block) && ph_cse_mayproject(f, self, v))
      return v;
    v = older(m->in, v);
  }
  return 0;
}

/* Tells the site of equal values after `before`: they can be merged with it. */
static void tell_rivals(ph_func *f, ph_site *site, uint32_t v) {
  for (int i = 0; i < CANDIDATES && v != 0; i++) {
    site->rival(site, f, v);
    v = older(&site->values, v);
  }
}

void ph_cse_takeover(ph_func *f, ph_cse *c, const ph_pending *p,
                     uint32_t hash) {
  ph_site *site = c->site;
  ph_cse_search m;
  uint32_t v;
  if (site->all || c->values.cap == 0) return;
  m = ph_cse_lookup(f, &c->values, p, hash);
  v = m.slot->value;
  if (v == 0 || (ph_node_of(f, v)->flags & PH_IS_DOUBLE)) return;
  ph_cse_notedouble(f, c, v, v);
  if (!site->met(site, v)) return;
  m = ph_cse_lookup(f, &site->values, p, hash);
  ph_cse_enter(f, &m, v);
}

/* Records that v is entered by this hash.  False if it was before, even if
** it is now too far down its list to be found: otherwise equal values, none of
** which dominates another, would enter each other again and again. */
static bool enter_once(const ph_func *f, ph_site *site, uint32_t hash,
                       uint32_t v) {
  uint32_t mark = hash | 1;
  ph_ids_extend(&site->entered, site->values.arena, f->nodes.n);
  if (site->entered.at[v] == mark) return false;
  site->entered.at[v] = mark;
  return true;
}

void ph_cse_keep(ph_func *f, ph_cse *c, const ph_cse_search *m, uint32_t self) {
  if (m->known || !enter_once(f, c->site, m->hash, self)) return;
  tell_rivals(f, c->site, m->slot->value);
  ph_cse_enter(f, m, self);
}

/* }== Memory ==========================================================
**
** Within a block, two equal reads give the same unless something that they read
** was written between them.  Instructions are emitted at ends of blocks, so that
** is so if the first one is younger than the last such write in any block: ids
** are given in order of time.
*/

void ph_cse_notewrite(ph_func *f, ph_cse *c, uint32_t writes, uint32_t v) {
  if (writes == PH_EFFECTS_ALL) c->written = v;
  if (writes == PH_EFFECTS_ALL || writes == 0) return;
  if (c->wrote == NULL)
    c->wrote = ph_arena_zero(&f->working, PH_CLASSES_MOST * sizeof *c->wrote);
  c->named |= writes;
  for (uint32_t i = 0; i < PH_CLASSES_MOST; i++)
    if (writes >> i & 1) c->wrote[i] = v;
}

/* Returns the last one emitted that writes any of these classes, or 0. */
static uint32_t last_write(const ph_cse *c, uint32_t reads) {
  uint32_t last = reads != 0 ? c->written : 0;
  reads &= c->named;
  for (uint32_t i = 0; i < PH_CLASSES_MOST && reads >> i != 0; i++)
    if (reads >> i & 1 && c->wrote[i] > last) last = c->wrote[i];
  return last;
}

/* Returns what the write `last` has stored, if it is what *p loads; or 0.  As
** for finish, the store must write all that is read. */
static uint32_t stored_value(const ph_func *f, uint32_t last,
                             const ph_pending *p, uint32_t reads) {
  const ph_node *n = ph_node_of(f, last);
  uint32_t v;
  if (last == 0 || !ph_op_stores(n->op) || n->block != p->block ||
      reads & ~ph_effects_get(f, last).writes)
    return 0;
  v = ph_body_operand(f, last, 1);
  if (ph_body_operand(f, last, 0) != p->args[0]) return 0;
  return ph_node_of(f, v)->type == p->type ? v : 0;
}

uint32_t ph_cse_findread(ph_func *f, ph_cse *c, ph_cse_search *m,
                         const ph_pending *p, uint32_t reads) {
  uint32_t last = last_write(c, reads), v;
  *m = ph_cse_lookup(f, &c->reads, p, ph_cse_hash(f, p));
  v = m->slot->value;
  if (v > last && ph_node_of(f, v)->block == p->block &&
      ph_effects_get(f, v).reads == reads && ph_cse_mayproject(f, 0, v))
    return v;
  if (!ph_op_loads(p->op) || p->data.tag != PH_DATA_NONE) return 0;
  return stored_value(f, last, p, reads);
}

/* Only the youngest of equal reads is of use. */
void ph_cse_addread(const ph_cse_search *m, uint32_t v) {
  if (m->slot->value == 0) m->in->n++;
  *m->slot = (ph_value_slot){m->hash, v};
}

/* }=================================================================== */
