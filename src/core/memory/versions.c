/* versions.c: memory SSA, of all memory as one variable.
**
** A block with a write defines memory.  Phis are needed in the iterated
** dominance frontier of these blocks, which is found in linear time by walking
** the subtrees of the dominator tree from the deepest one up (Sreedhar and Gao,
** "A linear time algorithm for placing phi-nodes", POPL 1995): an edge that
** leads from a subtree to a block that is not deeper than its root leads to the
** frontier of the root.  A subtree that was walked before is skipped, since the
** blocks that its edges lead to are known.  A loop with a write has a phi at
** its header, whatever its shape.
**
** Nothing of this is stored in the function.
*/
#include "core/memory/versions.h"

#include "core/ir/op.h"

typedef struct {
  const ph_func *f;
  const ph_domtree *d;
  uint32_t *level;   /* by block: its depth in the tree */
  uint32_t *roots;   /* by level: a block whose frontier is wanted, or 0 */
  uint32_t *next;    /* by block: the next one of its level */
  uint32_t *written; /* by block: the last instruction that writes, or 0 */
  bool *walked, *has_phi;
} placement;

bool ph_versions_writes(const ph_func *f, uint32_t v) {
  ph_op op = ph_node_of(f, v)->op;
  if (op < PH_OPS) return ph_op_effectof(f, op) == PH_EFFECT_WRITE;
  return ph_op_effectof(f, op) == PH_EFFECT_WRITE ||
         ph_op_has(f, op, PH_TERMINATOR);
}

static void add_root(placement *p, uint32_t b) {
  p->next[b] = p->roots[p->level[b]];
  p->roots[p->level[b]] = b;
}

static void find_writes(placement *p) {
  for (uint32_t i = 0; i < p->d->size[1]; i++) {
    uint32_t b = p->d->order[i];
    p->level[b] = p->level[p->d->idom[b]] + 1;
    PH_EACH_INST(p->f, b, v) {
      if (ph_versions_writes(p->f, v)) p->written[b] = v;
    }
    if (p->written[b] != 0) add_root(p, b);
  }
}

/* Puts phis where edges of b leave the subtree of a root of that level. */
static void look_at_edges(placement *p, uint32_t b, uint32_t level) {
  const ph_blockrec *block = ph_blockrec_of(p->f, b);
  for (uint32_t i = 0; i < block->nsuccs; i++) {
    uint32_t to = p->f->edges.at[block->first_succ + i].to;
    if (p->level[to] > level || p->has_phi[to]) continue;
    p->has_phi[to] = true;
    if (p->written[to] == 0) add_root(p, to);
  }
}

static void walk_subtree(placement *p, uint32_t root) {
  uint32_t at = p->d->at[root], end = at + p->d->size[root];
  while (at < end) {
    uint32_t b = p->d->order[at];
    if (p->walked[b] && b != root) {
      at += p->d->size[b];
      continue;
    }
    p->walked[b] = true;
    look_at_edges(p, b, p->level[root]);
    at++;
  }
}

/* A block that is found is not deeper than the root, so it is not missed. */
static void place_phis(placement *p) {
  for (uint32_t level = p->d->size[1]; level > 0; level--)
    while (p->roots[level] != 0) {
      uint32_t root = p->roots[level];
      p->roots[level] = p->next[root];
      walk_subtree(p, root);
    }
}

static uint32_t *name_versions(const placement *p, ph_arena *a) {
  uint32_t *at_start = ph_arena_zero(a, p->f->blocks.n * sizeof(uint32_t));
  for (uint32_t i = 0; i < p->d->size[1]; i++) {
    uint32_t b = p->d->order[i], up = p->d->idom[b];
    if (p->has_phi[b])
      at_start[b] = p->f->nodes.n + b;
    else if (up != 0)
      at_start[b] = p->written[up] != 0 ? p->written[up] : at_start[up];
  }
  return at_start;
}

uint32_t *ph_versions_compute(const ph_func *f, const ph_domtree *d,
                              ph_arena *a) {
  size_t bytes = (f->blocks.n + 1) * sizeof(uint32_t);
  placement p = {.f = f, .d = d};
  p.level = ph_arena_zero(a, bytes);
  p.roots = ph_arena_zero(a, bytes);
  p.next = ph_arena_zero(a, bytes);
  p.written = ph_arena_zero(a, bytes);
  p.walked = ph_arena_zero(a, f->blocks.n * sizeof(bool));
  p.has_phi = ph_arena_zero(a, f->blocks.n * sizeof(bool));
  find_writes(&p);
  place_phis(&p);
  return name_versions(&p, a);
}
