/* unreached.c: where a virtual root enters what the entry does not reach.
**
** Analyses of a function that keeps its unreachable blocks treat these as if a
** virtual root led to them, besides the entry.  It must lead to as few as
** possible: control that could start anywhere would spoil all dominance.  So it
** leads to one block of each strongly connected component that no other one
** leads to: to the block of the smallest id, since frontends make the header of
** a loop before its body.
**
** Inside such a component, if it is a cycle, no path is the first one: there, a
** value can be computed from itself.  The verifier asks for this.
**
** Requires: nothing.  Changes nothing.
*/
#include "core/analysis/unreached.h"

#include "core/analysis/scc.h"

typedef struct {
  const ph_func *f;
  const uint32_t *index;
  ph_arena *a;
  ph_sccs components;
  uint32_t *of;  /* by block: its component */
  bool *entered; /* by component: an edge comes from another one */
} search;

static bool is_unreached(const search *s, uint32_t b) {
  return s->index[b] == PH_UNREACHED && !ph_blockrec_of(s->f, b)->removed;
}

/* The graph of the unreachable blocks; its edges are marked. */
static ph_csr graph(const search *s, bool *arrives) {
  ph_pairs edges = {{0}, {0}};
  PH_EACH_BLOCK(s->f, b) {
    if (!is_unreached(s, b)) continue;
    PH_EACH_PRED(s->f, b, e) {
      ph_csr_add(&edges, s->a, s->f->edges.at[e].from, b);
      arrives[e] = true;
    }
  }
  return ph_csr_make(s->a, s->f->blocks.n, &edges);
}

static void number(search *s) {
  const ph_sccs *c = &s->components;
  for (uint32_t i = 0; i < c->n; i++)
    for (uint32_t k = c->first[i]; k < c->first[i + 1]; k++)
      s->of[c->at[k]] = i;
}

static void find_entered(search *s, const ph_csr *g) {
  for (uint32_t b = 1; b < g->n; b++)
    for (uint32_t e = g->first[b]; e < g->first[b + 1]; e++)
      if (s->of[g->to[e]] != s->of[b]) s->entered[s->of[g->to[e]]] = true;
}

/* Takes the block of the smallest id of each component that is not entered. */
static void take_roots(search *s, ph_unreached *u) {
  uint32_t *root = ph_arena_zero(s->a, s->components.n * sizeof *root);
  PH_EACH_BLOCK(s->f, b) {
    uint32_t i = s->of[b];
    if (!is_unreached(s, b) || s->entered[i]) continue;
    if (root[i] == 0) ph_ids_push(&u->roots, s->a, root[i] = b);
    if (ph_blockrec_of(s->f, b)->npreds > 0) u->cycle[b] = root[i];
  }
}

ph_unreached ph_unreached_find(const ph_func *f, const uint32_t *index,
                               ph_arena *a) {
  search s = {f, index, a, {0}, NULL, NULL};
  ph_unreached u = {{0}, NULL, NULL};
  ph_csr g;
  u.arrives = ph_arena_zero(a, f->edges.n * sizeof *u.arrives);
  g = graph(&s, u.arrives);
  s.components = ph_scc_compute(&g, a);
  s.of = ph_arena_zero(a, f->blocks.n * sizeof *s.of);
  s.entered = ph_arena_zero(a, s.components.n * sizeof *s.entered);
  u.cycle = ph_arena_zero(a, f->blocks.n * sizeof *u.cycle);
  number(&s);
  find_entered(&s, &g);
  take_roots(&s, &u);
  return u;
}
