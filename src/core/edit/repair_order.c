/* repair_order.c: puts definitions and uses of a variable in order.
**
** Instructions have no numbers.  Those of a block are counted where the block
** has both a definition behind an instruction and another mention: from that
** definition in both directions, until all mentions of the block are found.
** Most uses of a value are near to it, so large blocks are not walked through.
*/
#include "core/edit/repair_order.h"

#include <stdlib.h>

#include "core/base/idmap.h"

static int compare(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

static int by_inst(const void *p, const void *q) {
  const ph_mention *a = p, *b = q;
  if (a->block != b->block) return compare(a->block, b->block);
  return compare(a->inst, b->inst);
}

static int by_order(const void *p, const void *q) {
  const ph_mention *a = p, *b = q;
  if (a->block != b->block) return compare(a->block, b->block);
  if (a->order != b->order) return compare(a->order, b->order);
  if ((a->value != 0) != (b->value != 0)) return a->value != 0 ? 1 : -1;
  return compare(a->index, b->index);
}

/* The mentions at[0] .. at[n - 1] are all those of a block. */
typedef struct {
  const ph_func *f;
  ph_mention *at;
  uint32_t n;
  ph_idmap order; /* by instruction with mentions */
} group;

/* Enters the instructions of the group; returns how many. */
static uint32_t enter(group *g, ph_arena *a) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < g->n; i++) {
    uint32_t inst = g->at[i].inst;
    if (inst == 0 || ph_idmap_get(&g->order, inst) != 0) continue;
    ph_idmap_set(&g->order, a, inst, PH_MENTION_MIDDLE);
    n++;
  }
  return n;
}

/* An instruction of the group that a definition is behind, or 0. */
static uint32_t find_defined(const group *g) {
  for (uint32_t i = 0; i < g->n; i++)
    if (g->at[i].value != 0 && g->at[i].inst != 0) return g->at[i].inst;
  return 0;
}

/* Gives v its order if it has mentions; returns whether it has. */
static bool meet(group *g, ph_arena *a, uint32_t v, uint32_t order) {
  if (v == 0 || ph_idmap_get(&g->order, v) == 0) return false;
  ph_idmap_set(&g->order, a, v, order);
  return true;
}

static void count(group *g, ph_arena *a, uint32_t from, uint32_t left) {
  uint32_t behind = from, before = from;
  for (uint32_t k = 1; left > 0; k++) {
    if (behind != 0) behind = ph_node_of(g->f, behind)->next;
    if (before != 0) before = ph_node_of(g->f, before)->prev;
    left -= meet(g, a, behind, PH_MENTION_MIDDLE + k);
    left -= meet(g, a, before, PH_MENTION_MIDDLE - k);
  }
}

static void number(group *g, ph_arena *a) {
  uint32_t from = find_defined(g), n;
  if (from == 0) return;
  n = enter(g, a);
  count(g, a, from, n - 1);
  for (uint32_t i = 0; i < g->n; i++)
    if (g->at[i].inst != 0)
      g->at[i].order = ph_idmap_get(&g->order, g->at[i].inst);
}

void ph_repair_order(const ph_func *f, ph_mentions *all, ph_arena *a) {
  group g = {f, NULL, 0, {0}};
  qsort(all->at, all->n, sizeof *all->at, by_inst);
  for (uint32_t i = 0; i < all->n; i += g.n) {
    g.at = all->at + i;
    for (g.n = 1; i + g.n < all->n; g.n++)
      if (g.at[g.n].block != g.at->block) break;
    number(&g, a);
  }
  qsort(all->at, all->n, sizeof *all->at, by_order);
}
