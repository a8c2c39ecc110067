/* again.c: construction on the fly in a finished function.
**
** Construction starts again for variables that the function did not have: the
** blocks are visited in an order in which all predecessors but those of back
** edges come first, a block counts as filled when it has been visited, and is
** sealed when all its predecessors have been.  So phis are placed as if the
** frontend had had these variables, in near-linear time, and those that turn
** out to be redundant are removed as by finish.
**
** Requires: all blocks are filled and sealed, the entry reaches them, or edges
** from others are cut.  Changes: values.  Keeps: blocks, edges.
*/
#include "core/construct/again.h"

#include "core/construct/build.h"
#include "core/edit/dce.h"
#include "core/ir/value.h"
#include "core/lookup/lookup.h"
#include "phial/construct.h"

ph_again ph_again_open(ph_func *f, const ph_domtree *d, ph_arena *a) {
  ph_again g = {.f = f, .d = d, .first = f->phis.n};
  g.waits = ph_arena_zero(a, f->blocks.n * sizeof *g.waits);
  for (uint32_t i = 0; i < d->size[1]; i++) {
    uint32_t b = d->order[i];
    g.waits[b] = ph_blockrec_of(f, b)->npreds;
    ph_blockrec_of(f, b)->filled = false;
    ph_blockrec_of(f, b)->sealed = b == 1;
  }
  ph_state_room(f);
  return g;
}

void ph_again_write(ph_func *f, uint32_t b, uint32_t var, uint32_t v) {
  ph_state *state = ph_state_for(f, var, b);
  state->skips.blocks.at[b].written |= ph_join_skip_bit(var);
  ph_current_def_set(&state->defs, &f->working, var, b, v);
}

uint32_t ph_again_read(ph_func *f, uint32_t b, uint32_t var) {
  ph_state *state = ph_state_for(f, var, b);
  uint32_t v = ph_current_def_read(&state->defs, var, b);
  if (v == 0) {
    v = ph_lookup_value(f, var, b);
    ph_current_def_noteread(&state->defs, var, b, v);
  }
  return ph_body_resolve(f, v);
}

void ph_again_fill(const ph_again *g, uint32_t b) {
  ph_func *f = g->f;
  ph_blockrec *block = ph_blockrec_of(f, b);
  ph_join_skip_fill(f, &f->state->skips, b);
  block->filled = true;
  for (uint32_t i = 0; i < block->nsuccs; i++) {
    uint32_t to = f->edges.at[block->first_succ + i].to;
    if (--g->waits[to] > 0) continue;
    ph_blockrec_of(f, to)->sealed = true;
    ph_build_complete(f, to);
  }
}

/* What construction says of the new phis is for finish. */
uint32_t ph_again_close(const ph_again *g) {
  ph_func *f = g->f;
  uint32_t n = 0;
  ph_redundant_phi_remove(f);
  f->state = NULL;
  f->built = 0;
  ph_arena_done(&f->working);
  ph_dead_phi_remove(f);
  for (uint32_t i = g->first; i < f->phis.n; i++) {
    ph_phirec *r = &f->phis.at[i];
    if (f->vars.at[r->var].name == 0) r->var = 0;
    n += !ph_body_isgone(f, r->value);
  }
  return n;
}

void ph_again_drop(ph_func *f, uint32_t v, uint32_t by) {
  ph_value_takeout(f, v);
  ph_value_replace(f, v, by);
}
