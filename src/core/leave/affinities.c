/* affinities.c: pairs of values that had better share a location.
**
** Each operand of a phi is a move, on its edge, unless the two share a
** location; so is a copy.  Moves in deeper loops come first, then those that
** more edges have (a phi can have one operand several times), as a counting
** sort by both orders them; then the order is that of the blocks.
*/
#include "core/leave/affinities.h"

/* Weights are DEPTHS depths of loops times COUNTS logarithms of the number of
** edges, the largest of each standing for all above. */
enum { DEPTHS = 32, COUNTS = 8 };

typedef struct {
  const ph_func *f;
  ph_arena *a;
  const ph_domtree *dom;
  const ph_loops *loops;
  ph_affinities list;
  ph_ids edges;   /* by pair: number of edges */
  uint32_t *pair; /* by value: 1 + index of the latest pair that it is in */
} search;

static uint32_t depth_of(const search *s, uint32_t b) {
  return ph_loops_depth(s->loops, ph_loops_of(s->loops, ph_blockid(b)));
}

static void add(search *s, uint32_t result, uint32_t operand, uint32_t depth) {
  uint32_t k = s->pair[operand];
  if (k == 0 || s->list.at[k - 1].result != result) {
    const ph_affinity it = {result, operand, depth};
    ph_affinities_push(&s->list, s->a, it);
    ph_ids_push(&s->edges, s->a, 0);
    s->pair[operand] = k = s->list.n;
  }
  if (s->list.at[k - 1].weight < depth) s->list.at[k - 1].weight = depth;
  s->edges.at[k - 1]++;
}

static void add_phi(search *s, uint32_t b, uint32_t phi) {
  const ph_func *f = s->f;
  uint32_t depth = depth_of(s, b), i = 0;
  PH_EACH_PRED(f, b, e) {
    uint32_t arg = ph_body_operand(f, phi, i++), from = f->edges.at[e].from;
    uint32_t outside = depth_of(s, from);
    if (arg == phi || !ph_affinities_haslocation(f, arg)) continue;
    if (s->dom->size[from] == 0) continue;
    add(s, phi, arg, depth < outside ? depth : outside);
  }
}

static void add_copy(search *s, uint32_t b, uint32_t v) {
  uint32_t arg = ph_body_operand(s->f, v, 0);
  if (ph_affinities_haslocation(s->f, arg)) add(s, v, arg, depth_of(s, b));
}

static uint32_t logarithm(uint32_t n) {
  uint32_t log = 0;
  while (n > 1) {
    n >>= 1;
    log++;
  }
  return log;
}

/* Returns the pairs in descending order of weight. */
static ph_affinities sorted(search *s) {
  ph_affinities list = {0};
  ph_pairs by_weight = {0};
  ph_csr order;
  for (uint32_t k = 0; k < s->list.n; k++) {
    uint32_t depth = s->list.at[k].weight, count = logarithm(s->edges.at[k]);
    uint32_t weight = (depth < DEPTHS ? depth : DEPTHS - 1) * COUNTS +
                      (count < COUNTS ? count : COUNTS - 1);
    ph_csr_add(&by_weight, s->a, DEPTHS * COUNTS - 1 - weight, k);
  }
  order = ph_csr_make(s->a, DEPTHS * COUNTS, &by_weight);
  ph_affinities_reserve(&list, s->a, s->list.n);
  for (uint32_t k = 0; k < s->list.n; k++)
    ph_affinities_push(&list, s->a, s->list.at[order.to[k]]);
  return list;
}

ph_affinities ph_affinities_find(const ph_func *f, ph_arena *a,
                                 const ph_domtree *dom, const ph_loops *loops,
                                 const bool *needed) {
  search s = {.f = f, .a = a, .dom = dom, .loops = loops};
  s.pair = ph_arena_zero(a, f->nodes.n * sizeof(uint32_t));
  for (uint32_t i = 0; i < dom->size[ph_block_entry(f).id]; i++) {
    uint32_t b = dom->order[i];
    PH_EACH_PHI(f, b, v) {
      if (needed[v]) add_phi(&s, b, v);
    }
    PH_EACH_INST(f, b, v) {
      if (ph_node_of(f, v)->op == PH_COPY) add_copy(&s, b, v);
    }
  }
  return sorted(&s);
}
