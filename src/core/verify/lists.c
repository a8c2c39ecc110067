/* lists.c: checks that a function's lists and edges are whole.
**
** Each value is in the list of its block once, each edge leaves one block and is
** among the predecessors of one block once, every id is in range.  All that is
** checked before anything follows a list; the walk of a list that runs into
** itself ends at once.  Edges between the same two blocks must be in the same
** order at both ends, because nothing else distinguishes them in text.
**
** Requires: nothing.  Changes nothing.
*/
#include "core/verify/lists.h"

#include "core/analysis/rpo.h"
#include "core/ir/op.h"

typedef struct {
  ph_problems *p;
  const ph_func *f;
  uint32_t *position;  /* by value: as returned */
  bool *arrived;       /* by edge: met among the predecessors of a block */
  uint32_t *latest;    /* by block: the last edge from it that was met */
  const ph_rpo *order; /* NULL: not needed so far */
  bool leads_out;      /* leads_out() */
} walker;

/*
** {== Lists of values ================================================
*/

/* True if v can follow `prev` in this list of b; otherwise reports why not. */
static bool is_linked(walker *c, uint32_t b, uint32_t v, uint32_t prev) {
  const ph_nodes *nodes = &c->f->nodes;
  if (v >= nodes->n)
    ph_report_add(c->p, "block %b lists %w, which does not exist", b, v);
  else if (c->position[v] != 0)
    ph_report_add(c->p, "block %b lists %w, which was listed before", b, v);
  else if (nodes->at[v].block != b)
    ph_report_add(c->p, "block %b lists %w, which belongs to no such list", b,
                  v);
  else if (nodes->at[v].prev != prev)
    ph_report_add(c->p, "block %b lists %w after %w, but not the other way", b,
                  v, prev);
  else
    return true;
  return false;
}

static void check_kind(walker *c, uint32_t b, uint32_t v, bool phis) {
  const ph_node *n = ph_node_of(c->f, v);
  if (n->forward != 0 || n->flags & PH_IS_DROPPED)
    ph_report_add(c->p, "block %b lists %w, which was removed", b, v);
  if (phis && n->op != PH_PHI)
    ph_report_add(c->p, "%w is among the phis of block %b, but is none", v, b);
  if (!phis && n->op == PH_PHI)
    ph_report_add(c->p,
                  "phi %w follows an instruction of block %b: phis "
                  "come first",
                  v, b);
  if (ph_op_has(c->f, n->op, PH_LEAF))
    ph_report_add(c->p,
                  "%w is a constant or an argument: it cannot be in "
                  "block %b",
                  v, b);
}

static void check_operands(walker *c, uint32_t v) {
  const ph_node *n = ph_node_of(c->f, v);
  if (n->nargs > c->f->operands.n || n->args > c->f->operands.n - n->nargs) {
    ph_report_add(c->p, "the operands of %w do not exist", v);
    return;
  }
  for (uint32_t i = 0; i < n->nargs; i++) {
    uint32_t operand = c->f->operands.at[n->args + i];
    if (operand == 0 || operand >= c->f->nodes.n)
      ph_report_add(c->p, "operand %n of %w, %w, does not exist", i + 1, v,
                    operand);
  }
}

static uint32_t check_list(walker *c, uint32_t b, bool phis,
                           uint32_t position) {
  const ph_blockrec *block = ph_blockrec_of(c->f, b);
  uint32_t last = phis ? block->last_phi : block->last;
  uint32_t v = phis ? block->first_phi : block->first, prev = 0;
  while (v != 0 && is_linked(c, b, v, prev)) {
    c->position[v] = ++position;
    check_kind(c, b, v, phis);
    check_operands(c, v);
    prev = v;
    v = ph_node_of(c->f, v)->next;
  }
  if (v == 0 && prev != last)
    ph_report_add(c->p, "the last one that block %b lists is %w, not %w", b,
                  prev, last);
  return position;
}

/* }== Edges ========================================================== */

static void check_succs(walker *c, uint32_t b) {
  const ph_blockrec *block = ph_blockrec_of(c->f, b);
  if (block->nsuccs > c->f->edges.n ||
      block->first_succ > c->f->edges.n - block->nsuccs) {
    ph_report_add(c->p, "the edges that leave block %b do not exist", b);
    return;
  }
  for (uint32_t i = 0; i < block->nsuccs; i++) {
    const ph_edge *e = &c->f->edges.at[block->first_succ + i];
    if (e->from != b)
      ph_report_add(c->p, "edge %n of block %b does not leave it", i + 1, b);
    if (e->to == 0 || e->to >= c->f->blocks.n)
      ph_report_add(c->p, "edge %n of block %b leads nowhere", i + 1, b);
  }
}

static bool is_among_succs(const ph_func *f, uint32_t edge) {
  const ph_blockrec *from = ph_blockrec_of(f, f->edges.at[edge].from);
  return edge - from->first_succ < from->nsuccs;
}

/* True if e can be among the predecessors of b; otherwise reports why not.
** Requires: the lists of edges that leave blocks are right. */
static bool is_pred(walker *c, uint32_t b, uint32_t e) {
  uint32_t from;
  if (e >= c->f->edges.n || c->f->edges.at[e].from == 0 ||
      c->f->edges.at[e].from >= c->f->blocks.n || !is_among_succs(c->f, e)) {
    ph_report_add(c->p, "an edge into block %b leaves no block", b);
    return false;
  }
  from = c->f->edges.at[e].from;
  if (c->f->edges.at[e].to != b)
    ph_report_add(c->p, "block %b lists an edge from %b that leads elsewhere",
                  b, from);
  else if (c->arrived[e])
    ph_report_add(c->p, "block %b lists an edge from %b twice", b, from);
  else
    return true;
  return false;
}

/* The edges that leave a block are numbered in their order, so parallel edges
** must arrive in ascending order. */
static void check_parallel(walker *c, uint32_t b, uint32_t e) {
  uint32_t from = c->f->edges.at[e].from, before = c->latest[from];
  c->latest[from] = e;
  if (c->f->edges.at[before].to == b && before > e)
    ph_report_add(c->p,
                  "the edges from block %b to block %b arrive in another "
                  "order than they leave in",
                  from, b);
}

static void check_preds(walker *c, uint32_t b) {
  const ph_blockrec *block = ph_blockrec_of(c->f, b);
  uint32_t count = 0, last = 0, e = block->first_pred;
  for (; e != 0 && is_pred(c, b, e); e = c->f->edges.at[e].next) {
    uint32_t from = c->f->edges.at[e].from;
    c->arrived[e] = true;
    check_parallel(c, b, e);
    if (ph_blockrec_of(c->f, from)->removed)
      ph_report_add(c->p, "block %b has the removed block %b as predecessor", b,
                    from);
    count++;
    last = e;
  }
  if (e != 0) return;
  if (count != block->npreds)
    ph_report_add(c->p, "block %b has %n predecessor%e, but lists %n", b,
                  block->npreds, count);
  if (last != block->last_pred)
    ph_report_add(c->p, "the last edge into block %b is not the last listed",
                  b);
}

/* True if the entry was removed, or an edge leads to a block that was: the
** edges of removed blocks are not checked. */
static bool leads_out(const ph_func *f) {
  if (ph_blockrec_of(f, ph_block_entry(f).id)->removed) return true;
  PH_EACH_BLOCK(f, b) {
    const ph_blockrec *block = ph_blockrec_of(f, b);
    for (uint32_t i = 0; i < block->nsuccs; i++)
      if (ph_blockrec_of(f, f->edges.at[block->first_succ + i].to)->removed)
        return true;
  }
  return false;
}

/* True if the entry reaches b, or if that cannot be found out. */
static bool is_reached(walker *c, uint32_t b) {
  if (c->leads_out) return true;
  if (c->order == NULL) c->order = ph_rpo_compute(c->f, &c->p->f->scratch);
  return ph_rpo_isreached(c->order, ph_blockid(b));
}

/* Checks that the edges that leave b arrive at their targets.  Those that were
** cut need not, as long as b is unreachable. */
static void check_arrived(walker *c, uint32_t b) {
  const ph_blockrec *block = ph_blockrec_of(c->f, b);
  for (uint32_t i = 0; i < block->nsuccs; i++) {
    uint32_t e = block->first_succ + i, to = c->f->edges.at[e].to;
    if (c->arrived[e] || (ph_body_iscut(c->f, e) && !is_reached(c, b)))
      continue;
    if (ph_blockrec_of(c->f, to)->removed)
      ph_report_add(c->p, "block %b leads to block %b, which was removed", b,
                    to);
    else
      ph_report_add(c->p, "block %b leads to %b, but is no predecessor of it",
                    b, to);
  }
}

const uint32_t *ph_lists_check(ph_problems *p, const ph_func *f, ph_arena *a) {
  walker c = {.p = p, .f = f};
  c.position = ph_arena_zero(a, f->nodes.n * sizeof(uint32_t));
  c.arrived = ph_arena_zero(a, f->edges.n * sizeof(bool));
  c.latest = ph_arena_zero(a, f->blocks.n * sizeof(uint32_t));
  PH_EACH_BLOCK(f, b) {
    check_list(&c, b, false, check_list(&c, b, true, 0));
    check_succs(&c, b);
  }
  if (p->count > 0) return c.position;
  PH_EACH_BLOCK(f, b) check_preds(&c, b);
  c.leads_out = leads_out(f);
  PH_EACH_BLOCK(f, b) check_arrived(&c, b);
  return c.position;
}

/* }=================================================================== */
