/* refine.c: refinements of blocks that are sealed, and what finish does with
** lazy definitions.
**
** A refinement holds in a block that has no other predecessor.  On any other
** edge it needs a block of its own, which is made when the target is sealed: no
** look-up has passed the edge before.
*/
#include "core/construct/refine.h"

#include <stdlib.h>

#include "core/ir/block.h"
#include "core/ir/event.h"
#include "core/ir/value.h"
#include "core/lookup/lookup.h"
#include "core/lookup/trivial_phi.h"

/*
** {== Sealing ========================================================
*/

/* True if the terminator of r's block takes this target if and only if the
** condition is the constant that r says. */
static bool decides(const ph_func *f, const ph_refinement *r) {
  const uint32_t last = ph_blockrec_of(f, r->from)->last;
  const ph_op op = ph_node_of(f, last)->op;
  if ((op != PH_BRANCH && op != PH_SWITCH) ||
      ph_body_operand(f, last, 0) != ph_body_resolve(f, r->condition))
    return false;
  return op == PH_BRANCH || ph_body_operand(f, last, r->index) == r->side;
}

/* Returns the edge that r is about, or 0: it was folded away, or cannot be told
** from others that led to the same block, since rules have made another
** terminator. */
static uint32_t edge_of(const ph_func *f, const ph_refinement *r) {
  const ph_blockrec *from = ph_blockrec_of(f, r->from);
  uint32_t first = from->first_succ, n = from->nsuccs;
  if (n < 2 || r->index >= n || (r->shared && !decides(f, r))) return 0;
  if (f->edges.at[first + r->index].to == r->block) return first + r->index;
  if (n == 2 && f->edges.at[first + 1 - r->index].to == r->block)
    return first + 1 - r->index; /* rules have exchanged them */
  return 0;
}

/* True if the edge of a refinement is the only one into b, and still says
** something. */
static bool is_entered_by(const ph_func *f, uint32_t b,
                          const ph_refinement *r) {
  const ph_blockrec *block = ph_blockrec_of(f, b);
  return block->npreds == 1 && f->edges.at[block->first_pred].from == r->from &&
         ph_blockrec_of(f, r->from)->nsuccs > 1 &&
         (!r->shared || edge_of(f, r) == block->first_pred);
}

/* Replaces the incomplete phis of refined variables. */
static void replace_phis(ph_func *f, ph_lazy *l, uint32_t b) {
  uint32_t *link = &ph_blockrec_of(f, b)->incomplete;
  while (*link != 0) {
    ph_phirec r = f->phis.at[*link];
    uint32_t i = l->of_var.at[r.var];
    if (i == 0) {
      link = &f->phis.at[*link].next;
      continue;
    }
    *link = r.next;
    l->of_var.at[r.var] = 0;
    ph_trivial_phi_replace(f, r.value, ph_lookup_refine(f, r.var, b, i), NULL);
  }
}

/* Lets look-ups find the refinements of variables that b does not define. */
static void place_refinements(ph_func *f, ph_lazy *l, uint32_t b) {
  ph_current_def *d = &f->state->defs;
  for (uint32_t i = l->refined.at[b]; i != 0; i = l->refinements.at[i].next) {
    uint32_t var = l->refinements.at[i].var, number;
    if (l->of_var.at[var] != i) continue;
    l->of_var.at[var] = 0;
    if (d->cells.at[var].block == b || ph_current_def_number(d, var, b) != 0)
      continue;
    number = ph_current_def_add(d, &f->working, var, b, PH_LAZY);
    ph_idmap_set(&l->of_def, &f->working, number, i);
    f->state->skips.blocks.at[b].written |= ph_join_skip_bit(var);
  }
}

/* Replaces the incomplete phis of b by its refinements; what is left of these
** remains to be found. */
static void start_with_refinements(ph_func *f, ph_lazy *l, uint32_t b) {
  if (ph_lazy_refinementsof(l, b) == 0) return;
  ph_ids_extend(&l->of_var, &f->working, f->vars.n);
  for (uint32_t i = l->refined.at[b]; i != 0; i = l->refinements.at[i].next)
    if (is_entered_by(f, b, &l->refinements.at[i]))
      l->of_var.at[l->refinements.at[i].var] = i;
    else
      f->stats.dropped_refinements++;
  replace_phis(f, l, b);
  place_refinements(f, l, b);
}

/* }== Splitting edges ================================================
**
** The new edge has the place of the old one among those into the target, so
** phis do not notice.
*/

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
static bool move_refinement(ph_func *f, ph_lazy *l, uint32_t i, uint32_t b) {
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
static void move_refinements(ph_func *f, ph_lazy *l, uint32_t b) {
  uint32_t i = l->refined.at[b], kept = 0;
  for (uint32_t k = i; k != 0; k = l->refinements.at[k].next)
    if (l->refinements.at[k].split)
      l->refinements.at[k].edge = edge_of(f, &l->refinements.at[k]);
  while (i != 0) {
    uint32_t next = l->refinements.at[i].next;
    if (!move_refinement(f, l, i, b)) {
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
  uint32_t *edges = ph_arena_alloc(&f->scratch, npreds * sizeof *edges);
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

/* Puts a block on each edge into b that refines something and is to be split
** for that, unless it is the only one. */
static void split_edges(ph_func *f, ph_lazy *l, uint32_t b) {
  uint32_t n = ph_blockrec_of(f, b)->npreds, *edges, first = l->split.n;
  ph_arena_mark bottom;
  if (n < 2 || ph_lazy_refinementsof(l, b) == 0) return;
  bottom = ph_scratch_open(f);
  edges = edges_into(f, b);
  move_refinements(f, l, b);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t to = f->edges.at[edges[i]].to;
    if (to != b) edges[i] = ph_blockrec_of(f, to)->first_succ;
  }
  arrive_all(f, b, edges, n);
  ph_scratch_leave(f, bottom);
  for (uint32_t i = first; i < l->split.n; i++) {
    start_with_refinements(f, l, l->split.at[i]);
    ph_join_skip_fill(f, &f->state->skips, l->split.at[i]);
  }
}

void ph_refine_seal(ph_func *f, uint32_t b) {
  ph_lazy *l = f->state->defs.lazy;
  if (l == NULL) return;
  split_edges(f, l, b);
  start_with_refinements(f, l, b);
}

/* }== Joining them again =============================================
**
** Blocks in which no read has found anything are removed by finish.
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

void ph_refine_unsplit(ph_func *f) {
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
  f->flow_changes++;
  ph_scratch_leave(f, bottom);
}

/* }== Order ==========================================================
**
** Values after one instruction, or at the start of a block, are made in the
** order in which look-ups come upon their definitions, which depends on when
** blocks are sealed.  Here they are sorted by variable: those of one variable
** use each other, and keep their order; those of others do not.
*/

typedef struct {
  uint32_t var, nth, value;
} entry;

typedef struct {
  ph_func *f;
  const uint32_t *anchor; /* by value: 1 + that of ph_madedef; or 0 */
  entry *run;             /* values with one anchor ... */
  uint32_t n;             /* ... and their number */
} sorter;

static int by_variable(const void *p, const void *q) {
  const entry *a = p, *b = q;
  if (a->var != b->var) return (a->var > b->var) - (a->var < b->var);
  return (a->nth > b->nth) - (a->nth < b->nth);
}

/* Chains the run, which `prev` precedes and `next`, at the latest the terminator,
** follows, in its order. */
static void chain_run(sorter *s, uint32_t b, uint32_t prev, uint32_t next) {
  ph_func *f = s->f;
  for (uint32_t i = 0; i <= s->n; i++) {
    uint32_t v = i < s->n ? s->run[i].value : next;
    *(prev != 0 ? &ph_node_of(f, prev)->next : &ph_blockrec_of(f, b)->first) =
        v;
    ph_node_of(f, v)->prev = prev;
    prev = v;
  }
}

/* Sorts the run of values with one anchor that begins with v; returns what
** follows it. */
static uint32_t sort_run(sorter *s, uint32_t b, uint32_t v) {
  uint32_t prev = ph_node_of(s->f, v)->prev, anchor = s->anchor[v];
  for (s->n = 0; s->anchor[v] == anchor; s->n++) {
    s->run[s->n] = (entry){ph_node_of(s->f, v)->aux, s->n, v};
    v = ph_node_of(s->f, v)->next;
  }
  if (s->n == 1) return v;
  qsort(s->run, s->n, sizeof *s->run, by_variable);
  chain_run(s, b, prev, v);
  return v;
}

void ph_refine_order(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  const ph_lazy *l = f->state->defs.lazy;
  uint32_t *anchor = ph_arena_zero(&f->scratch, f->nodes.n * sizeof *anchor);
  sorter s = {f, anchor, NULL, 0};
  s.run = ph_arena_alloc(&f->scratch, l->made.n * sizeof *s.run);
  for (uint32_t i = 0; i < l->made.n; i++)
    anchor[l->made.at[i].value] = l->made.at[i].anchor + 1;
  PH_EACH_BLOCK(f, b) {
    uint32_t v = ph_blockrec_of(s.f, b)->first;
    while (v != 0)
      v = s.anchor[v] != 0 ? sort_run(&s, b, v) : ph_node_of(s.f, v)->next;
  }
  ph_scratch_leave(f, bottom);
}

/* }=================================================================== */
