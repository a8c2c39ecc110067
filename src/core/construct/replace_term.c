/* renew.c: terminators of finished blocks become others.
**
** Most become jumps, of which cut.c takes the other edges away.  Rules can make
** any other one, to targets that were there before; these wait until the pass
** is over: what they lose are edges that others may still look along.  A
** terminator that needed a new edge is refused: nobody could say what phis are
** along it.
*/
#include "core/construct/replace_term.h"

#include "core/ir/op.h"

ph_renew ph_renew_start(ph_func *f, ph_arena *a) {
  ph_renew r = {f, a, NULL, {0}};
  r.done = ph_mem_zero(a, f->blocks.n * sizeof *r.done);
  return r;
}

static ph_pending pending(ph_func *f, uint32_t b, uint32_t *few) {
  const ph_blockrec *block = ph_block_of(f, b);
  uint32_t v = block->last;
  const ph_node *n = ph_node_of(f, v);
  ph_pending q = ph_simplify_room(f, n->nargs, block->nsuccs, few);
  q.block = b;
  q.op = n->op;
  for (uint32_t i = 0; i < n->nargs; i++) q.args[i] = ph_func_operand(f, v, i);
  for (uint32_t i = 0; i < block->nsuccs; i++)
    q.targets[i] = f->edges.at[block->first_succ + i].to;
  return q;
}

static bool is_same(const ph_func *f, const ph_pending *q) {
  const ph_blockrec *block = ph_block_of(f, q->block);
  const ph_node *n = ph_node_of(f, block->last);
  if (n->op != q->op || n->nargs != q->nargs || block->nsuccs != q->ntargets)
    return false;
  for (uint32_t i = 0; i < q->nargs; i++)
    if (ph_func_operand(f, block->last, i) != q->args[i]) return false;
  for (uint32_t i = 0; i < q->ntargets; i++)
    if (f->edges.at[block->first_succ + i].to != q->targets[i]) return false;
  return true;
}

static uint32_t edge_to(const ph_func *f, uint32_t b, uint32_t target) {
  const ph_blockrec *block = ph_block_of(f, b);
  for (uint32_t i = 0; i < block->nsuccs; i++)
    if (f->edges.at[block->first_succ + i].to == target)
      return block->first_succ + i;
  return 0;
}

/* The same in memory that stays. */
static ph_renewal kept(ph_renew *r, const ph_pending *q) {
  ph_renewal k = {q->block, q->nargs, q->ntargets, q->op, NULL, NULL};
  k.args = ph_mem_alloc(r->a, (k.n + 1) * sizeof *k.args);
  k.targets = ph_mem_alloc(r->a, (k.m + 1) * sizeof *k.targets);
  for (uint32_t i = 0; i < k.n; i++) k.args[i].id = q->args[i];
  for (uint32_t i = 0; i < k.m; i++) k.targets[i].id = q->targets[i];
  return k;
}

static bool needs_edges(ph_renew *r, const ph_renewal *k) {
  ph_block *news = ph_mem_alloc(r->a, (k->m + 1) * sizeof *news);
  return ph_edge_news(r->f, ph_blockid(k->block), k->targets, k->m, news) > 0;
}

ph_renewed ph_renew_look(ph_renew *r, ph_site *s, uint32_t b, uint32_t *edge) {
  uint32_t few[2 * PH_FEW];
  ph_pending q;
  ph_renewal k;
  if (r->done[b]) return PH_RENEW_NOT;
  q = pending(r->f, b, few);
  s->before = ph_block_of(r->f, b)->last;
  if (!ph_simplify_end(r->f, s, &q)) return PH_RENEW_FAILED;
  if (is_same(r->f, &q)) return PH_RENEW_NOT;
  r->done[b] = true;
  *edge = q.op == PH_JUMP ? edge_to(r->f, b, q.targets[0]) : 0;
  if (*edge != 0) return PH_RENEW_JUMP;
  k = kept(r, &q);
  if (needs_edges(r, &k)) return PH_RENEW_NOT;
  ph_renewals_push(&r->all, r->a, k);
  return PH_RENEW_OTHER;
}

void ph_renew_apply(ph_renew *r, const bool *dead) {
  for (uint32_t i = 0; i < r->all.n; i++) {
    const ph_renewal *k = &r->all.at[i];
    if (!dead[k->block])
      ph_edge_end(r->f, ph_blockid(k->block), k->op, k->args, k->n, k->targets,
                  k->m, NULL, 0);
  }
}
