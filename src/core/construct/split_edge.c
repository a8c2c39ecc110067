/* split_edge.c: splits edges that refine variables.
**
** A refinement holds in a block that has no other predecessor.  On any other
** edge it needs a block of its own, which is made when the target is sealed: no
** look-up has passed the edge before.  The new edge has the place of the old
** one among those into the target, so phis do not notice.  Blocks in which no
** read has found anything are removed by finish.
*/
#include "core/construct/split_edge.h"

#include "core/ir/block.h"
#include "core/ir/event.h"
#include "core/ir/value.h"
#include "core/lookup/read_lazy.h"

/* Returns the edge that r is about, or 0: it was folded away. */
static uint32_t edge_of(const ph_func *f, const ph_refinement *r) {
  const ph_blockrec *from = ph_blockrec_of(f, r->from);
  uint32_t first = from->first_succ, n = from->nsuccs;
  if (n < 2 || r->index >= n) return 0;
  if (f->edges.at[first + r->index].to == r->block) return first + r->index;
  if (n == 2 && f->edges.at[first + 1 - r->index].to == r->block)
    return first + 1 - r->index; /* rules have exchanged them */
  return 0;
}

/* Makes the block on an edge to b: the edge leads there, and another one, which
** has not arrived, from there to b. */
static void make_block(ph_func *f, uint32_t edge, uint32_t b) {
  const ph_str no_name = {"", 0};
  uint32_t m = ph_block_make(f, no_name, -1).id, v;
  ph_state *state = ph_state_of(f, m);
  ph_block to = {b};
  f->edges.at[edge].to = m;
  ph_block_arrive(f, edge);
  ph_join_skip_linkto(state->skips.blocks.at, m, f->edges.at[edge].from, 0);
  v = ph_value_add(f, m, PH_JUMP, PH_NOTYPE, NULL, 0);
  ph_block_connect(f, m, &to, 1, false);
  ph_blockrec_of(f, m)->sealed = ph_blockrec_of(f, m)->filled = true;
  ph_event_note(f, PH_EV_SEALED, m, 0, 0, 0);
  ph_event_note(f, PH_EV_FILLED, m, 0, v, 0);
  ph_ids_push(&state->defs.lazy->split, &f->working, m);
}

/* Gives refinement i to its edge's block, which may have to be made; false: it
** stays. */
static bool move(ph_func *f, ph_lazy *l, uint32_t i, uint32_t b) {
  ph_refinement *r = &l->refinements.at[i];
  uint32_t m;
  if (r->edge == 0) return false;
  if (f->edges.at[r->edge].to == b) make_block(f, r->edge, b);
  m = f->edges.at[r->edge].to;
  ph_ids_extend(&l->refined, &f->working, m + 1);
  r->block = m;
  r->next = l->refined.at[m];
  l->refined.at[m] = i;
  return true;
}

/* Distributes the refinements of b. */
static void move_all(ph_func *f, ph_lazy *l, uint32_t b) {
  uint32_t i = l->refined.at[b], kept = 0;
  for (uint32_t k = i; k != 0; k = l->refinements.at[k].next)
    if (l->refinements.at[k].split)
      l->refinements.at[k].edge = edge_of(f, &l->refinements.at[k]);
  while (i != 0) {
    uint32_t next = l->refinements.at[i].next;
    if (!move(f, l, i, b)) {
      l->refinements.at[i].next = kept;
      kept = i;
    }
    i = next;
  }
  l->refined.at[b] = kept;
}

/* Returns the edges into b in their order. */
static uint32_t *edges_into(ph_func *f, uint32_t b) {
  uint32_t n = 0, npreds = ph_blockrec_of(f, b)->npreds;
  uint32_t *edges = ph_arena_alloc(&f->scratch, (npreds + 1) * sizeof *edges);
  PH_EACH_PRED(f, b, e) edges[n++] = e;
  return edges;
}

/* Lets these edges arrive at b, and no others. */
static void arrive_all(ph_func *f, uint32_t b, const uint32_t *edges,
                       uint32_t n) {
  ph_blockrec *block = ph_blockrec_of(f, b);
  block->first_pred = block->last_pred = block->npreds = 0;
  for (uint32_t i = 0; i < n; i++) ph_block_arrive(f, edges[i]);
}

void ph_split_edge_seal(ph_func *f, uint32_t b) {
  ph_lazy *l = f->state->defs.lazy;
  uint32_t n = ph_blockrec_of(f, b)->npreds, *edges, first;
  ph_arena_mark bottom;
  if (l == NULL || n < 2 || ph_lazy_refinementsof(l, b) == 0) return;
  first = l->split.n;
  bottom = ph_scratch_open(f);
  edges = edges_into(f, b);
  move_all(f, l, b);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t to = f->edges.at[edges[i]].to;
    if (to != b) edges[i] = ph_blockrec_of(f, to)->first_succ;
  }
  arrive_all(f, b, edges, n);
  ph_scratch_leave(f, bottom);
  for (uint32_t i = first; i < l->split.n; i++) {
    ph_read_lazy_seal(f, l->split.at[i]);
    ph_join_skip_fill(f, &f->state->skips, l->split.at[i]);
  }
}

/*
** {== Undoing ========================================================
*/

/* True if m, which was made here, has nothing but its jump. */
static bool is_empty(const ph_func *f, uint32_t m) {
  const ph_blockrec *block = ph_blockrec_of(f, m);
  return !block->removed && block->first == block->last &&
         block->first_phi == 0 && block->npreds == 1;
}

static void remove_block(ph_func *f, uint32_t m) {
  uint32_t jump = ph_blockrec_of(f, m)->last;
  ph_uses_unlink(f, jump);
  ph_node_of(f, jump)->flags |= PH_IS_DROPPED;
  ph_blockrec_of(f, m)->removed = true;
  ph_event_note(f, PH_EV_DROPPED, m, 0, 0, 0);
}

/* Replaces the edges into b that come from empty blocks. */
static void join_edges(ph_func *f, uint32_t b) {
  uint32_t n = ph_blockrec_of(f, b)->npreds, *edges = edges_into(f, b);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t m = f->edges.at[edges[i]].from;
    if (!f->state->defs.lazy->is_split.at[m] || !is_empty(f, m)) continue;
    edges[i] = ph_blockrec_of(f, m)->first_pred;
    f->edges.at[edges[i]].to = b;
    remove_block(f, m);
  }
  arrive_all(f, b, edges, n);
}

/* Replaces the edge from m, an empty block, which was cut, by the edge to m. */
static void join_cut(ph_func *f, uint32_t m) {
  uint32_t edge = ph_blockrec_of(f, m)->first_pred;
  f->edges.at[edge].to = f->edges.at[ph_blockrec_of(f, m)->first_succ].to;
  ph_block_cut(f, edge);
  remove_block(f, m);
}

void ph_split_edge_undo(ph_func *f) {
  ph_lazy *l = f->state->defs.lazy;
  ph_arena_mark bottom = ph_scratch_enter(f);
  ph_ids_extend(&l->is_split, &f->working, f->blocks.n);
  for (uint32_t i = 0; i < l->split.n; i++) l->is_split.at[l->split.at[i]] = 1;
  for (uint32_t i = 0; i < l->split.n; i++) {
    uint32_t m = l->split.at[i], edge = ph_blockrec_of(f, m)->first_succ;
    if (!is_empty(f, m)) continue;
    if (ph_body_iscut(f, edge))
      join_cut(f, m);
    else
      join_edges(f, f->edges.at[edge].to);
  }
  l->split.n = 0;
  f->version++;
  ph_scratch_leave(f, bottom);
}

/* }=================================================================== */
