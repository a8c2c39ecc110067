/* read_lazy.c: what the values of lazy definitions are made of; refinements in
** blocks that are sealed.
**
** The operand of a lazy value is what its variable is at the start of the
** block: that of all predecessors, or a phi of the block.  The phi is no
** definition of the block: look-ups that come to the block find the lazy value,
** which is behind it.
*/
#include "core/lookup/read_lazy.h"

#include "core/ir/value.h"
#include "core/lookup/make_lazy.h"

/*
** {== Operands =======================================================
*/

/* Returns the value on which the values from `base` on agree, or 0. */
static uint32_t agreed(const ph_func *f, uint32_t base) {
  const ph_ids *values = &f->state->values;
  uint32_t same = ph_body_resolve(f, values->at[base]);
  for (uint32_t i = base + 1; i < values->n; i++)
    if (ph_body_resolve(f, values->at[i]) != same) return 0;
  return same;
}

/* Looks up all predecessors of b. */
static uint32_t of_predecessors(ph_func *f, uint32_t var, uint32_t b) {
  ph_ids *values = &f->state->values;
  uint32_t base = values->n, v;
  PH_EACH_PRED(f, b, e) {
    v = ph_read_var_lookup(f, var, f->edges.at[e].from);
    ph_ids_push(values, &f->working, v);
  }
  v = agreed(f, base);
  if (v == 0) {
    v = ph_climb_newphi(f, var, b);
    ph_trivial_phi_complete(f, v, values->at + base, values->n - base);
  }
  values->n = base;
  return ph_body_resolve(f, v);
}

/* Returns what var is at the start of b. */
static uint32_t at_start(ph_func *f, uint32_t var, uint32_t b) {
  const ph_join_skips *skips = &f->state->skips;
  const ph_blockrec *block = ph_blockrec_of(f, b);
  if (!block->sealed) return ph_climb_incomplete(f, var, b);
  if (block->npreds == 0) return ph_climb_nodefinition(f, var, b);
  if (ph_join_skip_istransparent(skips, b, var))
    return ph_read_var_lookup(f, var, skips->blocks.at[b].up);
  return of_predecessors(f, var, b);
}

static void give_operands(ph_func *f, const ph_opendef *d, uint32_t before) {
  const ph_lazy *l = f->state->defs.lazy;
  uint32_t args[3] = {before, 0, 0}, n = 2;
  if (ph_node_of(f, d->value)->op == PH_REFINE) {
    const ph_refinement *r = &l->refinements.at[d->record];
    args[1] = ph_body_resolve(f, r->condition);
    args[n++] = r->side;
  } else {
    args[1] = ph_body_resolve(f, l->maywrites.at[d->record].value);
  }
  ph_value_setargs(f, d->value, args, n);
}

void ph_read_lazy_settle(ph_func *f) {
  ph_lazy *l = f->state->defs.lazy;
  if (l == NULL) return;
  while (l->open.n > 0) {
    ph_opendef d = l->open.at[--l->open.n];
    give_operands(f, &d, at_start(f, d.var, d.block));
  }
}

/* }== Sealing ======================================================== */

/* True if the edge of a refinement is the only one into b, and still says
** something. */
static bool is_entered_by(const ph_func *f, uint32_t b,
                          const ph_refinement *r) {
  const ph_blockrec *block = ph_blockrec_of(f, b);
  return block->npreds == 1 && f->edges.at[block->first_pred].from == r->from &&
         ph_blockrec_of(f, r->from)->nsuccs > 1;
}

/* Notes the refinements of b by variable; drops those that do not hold. */
static void gather(ph_func *f, ph_lazy *l, uint32_t b) {
  ph_ids_extend(&l->of_var, &f->working, f->vars.n);
  for (uint32_t i = l->refined.at[b]; i != 0; i = l->refinements.at[i].next)
    if (is_entered_by(f, b, &l->refinements.at[i]))
      l->of_var.at[l->refinements.at[i].var] = i;
    else
      f->stats.dropped_refinements++;
}

/* Replaces the incomplete phis of refined variables. */
static void replace_phis(ph_func *f, ph_lazy *l, uint32_t b) {
  uint32_t *link = &ph_blockrec_of(f, b)->incomplete;
  while (*link != 0) {
    ph_phirec r = f->phis.at[*link];
    uint32_t i = l->of_var.at[r.var];
    if (i == 0) {
      link = &f->phis.at[*link].next;
      continue;
    }
    *link = r.next;
    l->of_var.at[r.var] = 0;
    ph_trivial_phi_replace(f, r.value, ph_make_lazy_refine(f, r.var, b, i),
                           NULL);
  }
}

/* Lets look-ups find the refinements of variables that b does not define. */
static void place(ph_func *f, ph_lazy *l, uint32_t b) {
  ph_current_def *d = &f->state->defs;
  for (uint32_t i = l->refined.at[b]; i != 0; i = l->refinements.at[i].next) {
    uint32_t var = l->refinements.at[i].var, number;
    if (l->of_var.at[var] != i) continue;
    l->of_var.at[var] = 0;
    if (d->cells.at[var].block == b || ph_current_def_number(d, var, b) != 0)
      continue;
    number = ph_current_def_add(d, &f->working, var, b, PH_LAZY);
    ph_idmap_set(&l->of_def, &f->working, number, i);
    f->state->skips.blocks.at[b].written |= ph_join_skip_bit(var);
  }
}

void ph_read_lazy_seal(ph_func *f, uint32_t b) {
  ph_lazy *l = f->state->defs.lazy;
  if (l == NULL || ph_lazy_refinementsof(l, b) == 0) return;
  gather(f, l, b);
  replace_phis(f, l, b);
  place(f, l, b);
}

/* }=================================================================== */
