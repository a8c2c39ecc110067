/* block.h: makes blocks, adds and removes edges. */
#ifndef PH_IR_BLOCK_H
#define PH_IR_BLOCK_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* As ph_block_new, also for a finished function. */
ph_block ph_block_make(ph_func *f, ph_str name, int preds);
/* Appends `edge` to the predecessors of `to`, its target. */
static inline void ph_edge_append(ph_edge *edges, uint32_t edge,
                                  ph_blockrec *to) {
  *(to->last_pred != 0 ? &edges[to->last_pred].next : &to->first_pred) = edge;
  to->last_pred = edge;
  to->npreds++;
}
/* Makes m contiguous edges from b, its successors: in line, for each block that
** ends passes here.  If `arriving`, each is
** appended to the predecessors of its target; else it is to arrive later, or to
** be cut. */
static inline void ph_block_connect(ph_func *f, uint32_t b,
                                    const ph_block *targets, uint32_t m,
                                    bool arriving) {
  uint32_t first = f->edges.n;
  ph_edge *edges;
  ph_edges_reserve(&f->edges, &f->arena, first + m);
  f->edges.n = first + m;
  edges = f->edges.at;
  for (uint32_t i = 0; i < m; i++) {
    edges[first + i] = (ph_edge){b, targets[i].id, 0};
    if (arriving)
      ph_edge_append(edges, first + i, ph_blockrec_of(f, targets[i].id));
  }
  ph_blockrec_of(f, b)->first_succ = first;
  ph_blockrec_of(f, b)->nsuccs = m;
}
/* Appends `edge` to the predecessors of its target. */
void ph_block_arrive(ph_func *f, uint32_t edge);
/* Returns the first edge that leaves b for `to`, or 0. */
uint32_t ph_block_findedge(const ph_func *f, uint32_t b, uint32_t to);
/* Notes that `edge`, which is not among the predecessors of its target, has
** been cut. */
static inline void ph_block_cut(ph_func *f, uint32_t edge) {
  f->edges.at[edge].next = edge;
  ph_blockrec_of(f, f->edges.at[edge].from)->inert = true;
}
/* Cuts the edges into b for which `gone` is true, and removes their phi
** operands. */
typedef bool ph_block_gone(const void *ud, uint32_t edge);
void ph_block_unlink(ph_func *f, uint32_t b, ph_block_gone *gone,
                     const void *ud);

#pragma GCC visibility pop
#endif
