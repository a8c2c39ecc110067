/* djgraph.c: phis by the DJ graph, without dominance frontiers.
**
** The DJ graph has the edges of the dominator tree and the J edges, those of
** the control flow whose source does not strictly dominate their target.  The
** iterated frontier of the writes of a variable is found by walking the
** subtrees of the blocks that have a definition, those deepest in the tree
** first: a J edge from such a subtree to a block that is not deeper than its
** root leads to a phi.  A block that was walked need not be walked again, so
** that the phis of one variable take linear time.
**
** A subtree is contiguous in the preorder of the tree, so that it is walked by
** counting.  The blocks to be walked are in one list for each level of the
** tree (the "piggy bank").
*/
#include "core/classical/program.h"

/* A block has a property if its number there is that of the variable. */
typedef struct {
  ph_program *p;
  uint32_t *level;  /* by block: its depth in the tree; 0: the entry */
  uint32_t *bank;   /* by level: first block of a list, or 0 */
  uint32_t *next;   /* by block: the next one of its level's list */
  uint32_t *banked; /* it has been in the bank */
  uint32_t *placed; /* it has a phi */
  uint32_t *walked; /* it has been walked */
  uint32_t current; /* no list of a deeper level has a block */
} placing;

static void find_levels(placing *g) {
  const ph_domtree *d = g->p->d;
  for (uint32_t i = 1; i < d->size[1]; i++)
    g->level[d->order[i]] = g->level[d->idom[d->order[i]]] + 1;
}

static void put_in_bank(placing *g, uint32_t var, uint32_t b) {
  uint32_t *first = &g->bank[g->level[b]];
  if (g->banked[b] == var) return;
  g->banked[b] = var;
  g->next[b] = *first;
  *first = b;
  if (g->level[b] > g->current) g->current = g->level[b];
}

/* Takes the deepest block out of the bank; 0: none is left. */
static uint32_t take_deepest(placing *g) {
  uint32_t b;
  while (g->current > 0 && g->bank[g->current] == 0) g->current--;
  b = g->bank[g->current];
  if (b != 0) g->bank[g->current] = g->next[b];
  return b;
}

/* Places phis at the J edges from b, a block in the subtree of `root`. */
static void place_at_j_edges(placing *g, uint32_t var, uint32_t root,
                             uint32_t b) {
  const ph_func *f = g->p->f;
  const ph_blockrec *block = ph_blockrec_of(f, b);
  for (uint32_t i = 0; i < block->nsuccs; i++) {
    uint32_t to = f->edges.at[block->first_succ + i].to;
    if (g->level[to] > g->level[root] || g->placed[to] == var) continue;
    g->placed[to] = var;
    ph_program_place(g->p, var, to);
    put_in_bank(g, var, to);
  }
}

static void walk_subtree(placing *g, uint32_t var, uint32_t root) {
  const ph_domtree *d = g->p->d;
  uint32_t i = d->at[root], end = i + d->size[root];
  while (i < end) {
    uint32_t b = d->order[i];
    if (g->walked[b] == var) {
      i += d->size[b];
      continue;
    }
    g->walked[b] = var;
    place_at_j_edges(g, var, root, b);
    i++;
  }
}

static void place_var(placing *g, uint32_t var) {
  const ph_csr *writers = &g->p->writers;
  uint32_t b;
  for (uint32_t i = writers->first[var]; i < writers->first[var + 1]; i++)
    put_in_bank(g, var, writers->to[i]);
  while ((b = take_deepest(g)) != 0) walk_subtree(g, var, b);
}

void ph_djgraph_place(ph_program *p) {
  placing g = {.p = p};
  g.level = ph_program_numbers(p);
  g.bank = ph_program_numbers(p);
  g.next = ph_program_numbers(p);
  g.banked = ph_program_numbers(p);
  g.placed = ph_program_numbers(p);
  g.walked = ph_program_numbers(p);
  find_levels(&g);
  for (uint32_t var = 1; var < p->nvars; var++) place_var(&g, var);
}
