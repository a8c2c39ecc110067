/* idf.c: iterated dominance frontiers in linear time, by the DJ graph.
**
** After Sreedhar and Gao, "A linear time algorithm for placing phi-nodes" (POPL
** 1995), without dominance frontiers.  The DJ graph has the edges of the
** dominator tree and the J edges, those of the control flow whose source does
** not strictly dominate their target.  The subtrees of the blocks of the set are
** walked, those deepest in the tree first: a J edge from such a subtree to a
** block that is not deeper than its root leads to the frontier, and that block
** joins the set.  A block that was walked need not be walked again, since the
** blocks that its edges lead to are known.
**
** A subtree is contiguous in the preorder of the tree, so that it is walked by
** counting.  The blocks to be walked are in one list for each level of the tree
** (the "piggy bank").
**
** Requires: nothing.  Changes nothing.
*/
#include "core/analysis/idf.h"

ph_idf ph_idf_start(const ph_func *f, const ph_domtree *d, ph_arena *a) {
  uint32_t n = f->blocks.n + 1;
  ph_idf g = {.f = f, .d = d, .a = a, .set = 1};
  g.level = ph_arena_zero(a, 5 * sizeof(uint32_t) * n);
  g.bank = g.level + n;
  g.banked = g.bank + n;
  g.placed = g.banked + n;
  g.walked = g.placed + n;
  g.next = ph_arena_alloc(a, n * sizeof(uint32_t));
  for (uint32_t i = 0; i < d->size[1]; i++)
    g.level[d->order[i]] = g.level[d->idom[d->order[i]]] + 1;
  return g;
}

void ph_idf_add(ph_idf *g, uint32_t b) {
  uint32_t *first = &g->bank[g->level[b]];
  if (g->banked[b] == g->set) return;
  g->banked[b] = g->set;
  g->next[b] = *first;
  *first = b;
  if (g->level[b] > g->deepest) g->deepest = g->level[b];
}

/* Takes the deepest block out of the bank; 0: none is left. */
static uint32_t take_deepest(ph_idf *g) {
  uint32_t b;
  while (g->deepest > 0 && g->bank[g->deepest] == 0) g->deepest--;
  b = g->bank[g->deepest];
  if (b != 0) g->bank[g->deepest] = g->next[b];
  return b;
}

/* Follows the J edges from b, a block in a subtree whose root has this level. */
static void follow_j_edges(ph_idf *g, uint32_t b, uint32_t level) {
  const ph_blockrec *block = ph_blockrec_of(g->f, b);
  for (uint32_t i = 0; i < block->nsuccs; i++) {
    uint32_t to = g->f->edges.at[block->first_succ + i].to;
    if (g->level[to] > level || g->placed[to] == g->set) continue;
    g->placed[to] = g->set;
    ph_ids_push(&g->found, g->a, to);
    ph_idf_add(g, to);
  }
}

static void walk_subtree(ph_idf *g, uint32_t root) {
  const ph_domtree *d = g->d;
  uint32_t i = d->at[root], end = i + d->size[root];
  while (i < end) {
    uint32_t b = d->order[i];
    if (g->walked[b] == g->set) {
      i += d->size[b];
      continue;
    }
    g->walked[b] = g->set;
    follow_j_edges(g, b, g->level[root]);
    i++;
  }
}

const ph_ids *ph_idf_find(ph_idf *g) {
  uint32_t b;
  g->found.n = 0;
  while ((b = take_deepest(g)) != 0) walk_subtree(g, b);
  g->set++;
  return &g->found;
}
