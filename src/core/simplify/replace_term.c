/* replace_term.c: replaces terminators of filled blocks.
**
** Most become jumps, whose other edges dce.c removes.  Rules can make
** any other terminator, to targets the block had before; these wait until the
** pass is over, because others may still look along the edges they lose.  A
** terminator that would need a new edge is refused: phis at its target would
** have no operand for it.
*/
#include "core/simplify/replace_term.h"

#include "core/edit/edge_index.h"
#include "core/edit/edit.h"
#include "core/ir/block.h"
#include "core/ir/op.h"

ph_replace_term ph_replace_term_start(ph_func *f, ph_arena *a) {
  ph_replace_term r = {f, a, NULL, {0}};
  r.done = ph_arena_zero(a, f->blocks.n * sizeof *r.done);
  return r;
}

static ph_pending pending(ph_func *f, uint32_t b, uint32_t *few) {
  const ph_blockrec *block = ph_blockrec_of(f, b);
  uint32_t v = block->last;
  const ph_node *n = ph_node_of(f, v);
  ph_pending q = ph_peephole_room(f, n->nargs, block->nsuccs, few);
  q.block = b;
  q.op = n->op;
  for (uint32_t i = 0; i < n->nargs; i++) q.args[i] = ph_body_operand(f, v, i);
  for (uint32_t i = 0; i < block->nsuccs; i++)
    q.targets[i] = f->edges.at[block->first_succ + i].to;
  return q;
}

static bool is_same(const ph_func *f, const ph_pending *q) {
  const ph_blockrec *block = ph_blockrec_of(f, q->block);
  const ph_node *n = ph_node_of(f, block->last);
  if (n->op != q->op || n->nargs != q->nargs || block->nsuccs != q->ntargets)
    return false;
  for (uint32_t i = 0; i < q->nargs; i++)
    if (ph_body_operand(f, block->last, i) != q->args[i]) return false;
  for (uint32_t i = 0; i < q->ntargets; i++)
    if (f->edges.at[block->first_succ + i].to != q->targets[i]) return false;
  return true;
}

/* Copies q into memory that outlives the pass's next step. */
static ph_renewal kept(ph_replace_term *r, const ph_pending *q) {
  ph_renewal k = {q->block, q->nargs, q->ntargets, q->op, NULL, NULL};
  k.args = ph_arena_alloc(r->a, (k.n + 1) * sizeof *k.args);
  k.targets = ph_arena_alloc(r->a, (k.m + 1) * sizeof *k.targets);
  for (uint32_t i = 0; i < k.n; i++) k.args[i].id = q->args[i];
  for (uint32_t i = 0; i < k.m; i++) k.targets[i].id = q->targets[i];
  return k;
}

static bool needs_edges(ph_replace_term *r, const ph_renewal *k) {
  ph_block *news = ph_arena_alloc(r->a, (k->m + 1) * sizeof *news);
  return ph_edge_findnew(r->f, k->block, k->targets, k->m, news) > 0;
}

ph_renewed ph_replace_term_look(ph_replace_term *r, ph_site *s, uint32_t b,
                                uint32_t *edge) {
  uint32_t few[2 * PH_FEW];
  ph_pending q;
  ph_renewal k;
  if (r->done[b]) return PH_REPLACE_TERM_NOT;
  q = pending(r->f, b, few);
  s->before = ph_blockrec_of(r->f, b)->last;
  if (!ph_peephole_end(r->f, s, &q)) return PH_REPLACE_TERM_FAILED;
  if (is_same(r->f, &q)) return PH_REPLACE_TERM_NOT;
  r->done[b] = true;
  *edge = q.op == PH_JUMP ? ph_block_findedge(r->f, b, q.targets[0]) : 0;
  if (*edge != 0) return PH_REPLACE_TERM_JUMP;
  k = kept(r, &q);
  if (needs_edges(r, &k)) return PH_REPLACE_TERM_NOT;
  ph_renewals_push(&r->all, r->a, k);
  return PH_REPLACE_TERM_OTHER;
}

void ph_replace_term_apply(ph_replace_term *r, const bool *dead) {
  for (uint32_t i = 0; i < r->all.n; i++) {
    const ph_renewal *k = &r->all.at[i];
    const ph_terminator t = {k->op, k->args, k->n, k->targets, k->m};
    if (!dead[k->block]) ph_edge_endanew(r->f, k->block, &t, NULL, 0);
  }
  ph_edge_index_forget(r->f);
}
