/* shortest_path.c: a shortest path between two blocks, breadth first.
**
** The paths appear in messages, and people can check a short one most easily.
** The search runs backwards from the goal and stores for each block the next
** one on the path there, so that the path can be written from its start.
**
** Requires: nothing.  Changes nothing.
*/
#include "core/analysis/shortest_path.h"

#include <assert.h>

#include "core/ir/contract.h"
#include "phial/analysis.h"

typedef struct {
  const ph_func *f;
  ph_arena *a;
  uint32_t *next; /* by block: the next one on the path; 0: not met */
  ph_ids met;     /* worklist; those before `done` have been examined */
  uint32_t done;
} walk;

static void meet(walk *w, uint32_t b, uint32_t next) {
  if (w->next[b] != 0) return;
  w->next[b] = next;
  ph_ids_push(&w->met, w->a, b);
}

static void walk_back(walk *w, uint32_t from, uint32_t avoid) {
  while (w->done < w->met.n && w->next[from] == 0) {
    uint32_t b = w->met.at[w->done++];
    PH_EACH_PRED(w->f, b, e) {
      uint32_t pred = w->f->edges.at[e].from;
      if (pred != avoid) meet(w, pred, b);
    }
  }
}

ph_ids ph_shortest_path_find(const ph_func *f, ph_arena *a, uint32_t from,
                             uint32_t to, uint32_t avoid) {
  walk w = {f, a, NULL, {0}, 0};
  ph_ids path = {0};
  w.next = ph_arena_zero(a, f->blocks.n * sizeof(uint32_t));
  meet(&w, to, to);
  walk_back(&w, from, avoid);
  if (w.next[from] == 0) return path;
  for (uint32_t b = from; b != to; b = w.next[b]) ph_ids_push(&path, a, b);
  ph_ids_push(&path, a, to);
  return path;
}

bool ph_block_reaches(ph_func *f, ph_block from, ph_block to) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  bool yes;
  assert(ph_contract_keeps(f, from) && ph_contract_keeps(f, to) &&
         "blocks of this function");
  yes = ph_shortest_path_find(f, &f->scratch, from.id, to.id, 0).n > 0;
  ph_scratch_leave(f, bottom);
  return yes;
}
