/* read_scc.c: what the SCC variant does with the blocks that a look-up enters
** (section 3.3).
**
** The look-up is that of lookup.c up to where it enters a block, in order to
** look up the predecessors.  Here such a block becomes a node of a search in
** which Tarjan's algorithm ("Depth-first search and linear graph algorithms",
** 1972) finds the strongly connected components: cycles through which the
** variable's value flows, or single blocks.
**
** When a component is complete, the values that enter it are known:
** - One value: it is that of all blocks of the component; no phi.
** - Several values: each block with a predecessor outside the component gets a
**   phi.  The paper finds the operands by further look-ups, to which these phis
**   are definitions: the blocks that are left may form cycles in their turn, to
**   which the same applies.
**
** Look-up after look-up, n nested loops would take n / 2 of them, each as long
** as what is left.  One dominator tree tells what all of them would find: let a
** root lead to each block with a predecessor outside.  A block then needs a phi
** if and only if the root is its immediate dominator, because two values flow to it
** on paths that meet nowhere before.  Any other block has the value of the
** child of the root above it: what flows to it, flows through that one.
**
** So no unnecessary phi is made, as long as only sealed blocks are
** met.  Unsealed ones get incomplete phis, which may turn out to be trivial.
**
** A node's number is its place on Tarjan's stack; its block contains a mark.
** Blocks on a long climb (lookup.h) are nodes, too, with `up` as their only
** predecessor.
*/
#include "core/lookup/read_scc.h"

#include "core/analysis/dom.h"
#include "core/ir/event.h"
#include "core/ir/value.h"
#include "core/lookup/trivial_phi.h"

/* A result is a value or, with this bit, the number of a node whose value is
** not known yet: it has become part of a cycle. */
#define OPEN PH_MEMO

static ph_open *node_of(const ph_func *f, uint32_t number) {
  return &f->state->nodes.at[number];
}

/* Returns the frame of the innermost node. */
static ph_frame *top_of(const ph_func *f) {
  const ph_frames *frames = &f->state->frames;
  return &frames->at[frames->n - 1];
}

void ph_read_scc_enter(ph_func *f, uint32_t var, uint32_t b) {
  ph_state *state = f->state;
  ph_open node = {b, 0, state->values.n, state->nodes.n};
  ph_frame frame = {b, 0, node.base, node.least};
  uint32_t n = 1;
  if (!ph_join_skip_istransparent(&state->skips, b, var)) {
    frame.edge = ph_blockrec_of(f, b)->first_pred;
    n = ph_blockrec_of(f, b)->npreds;
  }
  node.def = ph_current_def_add(&state->defs, &f->working, var, b, PH_MARK);
  ph_ids_extend(&state->values, &f->working, node.base + n);
  ph_ids_extend(&state->node, &f->working, f->blocks.n);
  state->node.at[b] = node.least;
  ph_opens_push(&state->nodes, &f->working, node);
  ph_frames_push(&state->frames, &f->working, frame);
  ph_event_notedetail(f, PH_EV_MARKED, b, var, 0);
}

uint32_t ph_read_scc_marked(ph_func *f, uint32_t var, uint32_t b) {
  ph_event_notedetail(f, PH_EV_MARKFOUND, b, var, 0);
  return f->state->node.at[b] | OPEN;
}

/*
** {== Components =====================================================
*/

/* A component: the nodes from `first` on, and their results. */
typedef struct {
  ph_func *f;
  uint32_t var, first, n;
  uint32_t base; /* of its first node's results */
} component;

static uint32_t value_at(const component *c, uint32_t node) {
  const ph_state *state = c->f->state;
  return state->defs.list.at[node_of(c->f, node)->def].value & ~PH_MEMO;
}

static void set_value(const component *c, uint32_t node, uint32_t v) {
  ph_state *state = c->f->state;
  state->defs.list.at[node_of(c->f, node)->def].value = v | PH_MEMO;
}

/* The same where no phi is placed: the block just loses its mark. */
static void unmark(const component *c, uint32_t node, uint32_t v) {
  uint32_t b = node_of(c->f, node)->block;
  set_value(c, node, v);
  ph_event_notedetail(c->f, PH_EV_UNMARKED, b, c->var, v);
}

/* Returns how many different values enter c, at most 2; *one is the first. */
static int count_entering(const component *c, uint32_t *one) {
  const ph_ids *values = &c->f->state->values;
  *one = 0;
  for (uint32_t i = c->base; i < values->n; i++) {
    uint32_t v = values->at[i];
    if (v & OPEN || v == *one) continue;
    if (*one != 0) return 2;
    *one = v;
  }
  return *one != 0;
}

static uint32_t end_of(const component *c, uint32_t node) {
  return node + 1 < c->first + c->n ? node_of(c->f, node + 1)->base
                                    : c->f->state->values.n;
}

/* Returns the graph in which the root, 1, leads to the nodes that a value
** enters; node i of c is 2 + i - first. */
static ph_csr graph_of(const component *c, ph_arena *a) {
  const uint32_t *values = c->f->state->values.at;
  ph_pairs edges = {{0}, {0}};
  for (uint32_t k = 0; k < c->n; k++) {
    uint32_t node = c->first + k, end = end_of(c, node);
    for (uint32_t i = node_of(c->f, node)->base; i < end; i++) {
      uint32_t v = values[i];
      ph_csr_add(&edges, a, v & OPEN ? 2 + (v & ~OPEN) - c->first : 1, 2 + k);
    }
  }
  return ph_csr_make(a, c->n + 2, &edges);
}

static void place_phi(const component *c, uint32_t node) {
  uint32_t b = node_of(c->f, node)->block;
  ph_type type = c->f->vars.at[c->var].type;
  set_value(c, node, ph_value_newphi(c->f, b, c->var, type));
}

/* Gives each node of c, which several values enter, its value: a phi of its
** own or that of another node. */
static void place_phis(const component *c) {
  ph_func *f = c->f;
  ph_arena_mark bottom = ph_scratch_open(f);
  ph_csr g = graph_of(c, &f->scratch);
  const ph_domtree *d = ph_dom_compute(&g, 1, &f->scratch);
  uint32_t above = 0;
  for (uint32_t i = 1; i <= c->n; i++) {
    uint32_t node = c->first + d->order[i] - 2;
    if (d->idom[d->order[i]] == 1)
      place_phi(c, above = node);
    else
      unmark(c, node, value_at(c, above));
  }
  ph_scratch_leave(f, bottom);
}

/* Gives the phi of the node, if it has one of its own, its operands. */
static void complete_phi(const component *c, uint32_t node) {
  ph_func *f = c->f;
  uint32_t phi = value_at(c, node), base = node_of(f, node)->base;
  uint32_t *at = f->state->values.at;
  uint32_t end = end_of(c, node);
  if (ph_node_of(f, phi)->block != node_of(f, node)->block) return;
  for (uint32_t i = base; i < end; i++)
    if (at[i] & OPEN) at[i] = value_at(c, at[i] & ~OPEN);
  ph_trivial_phi_complete(f, phi, at + base, end - base);
}

/* Gives the blocks of the component from node `first` on their values, and
** forgets it.  Returns the value of `first`. */
static uint32_t settle_component(ph_func *f, uint32_t var, uint32_t first) {
  ph_state *state = f->state;
  uint32_t base = node_of(f, first)->base;
  component c = {f, var, first, state->nodes.n - first, base};
  uint32_t v;
  int entering = count_entering(&c, &v);
  if (entering == 0) v = ph_const_undef(f, f->vars.at[var].type).id;
  if (entering < 2) {
    for (uint32_t i = 0; i < c.n; i++) unmark(&c, first + i, v);
  } else {
    if (c.n == 1)
      place_phi(&c, first);
    else
      place_phis(&c);
    for (uint32_t i = c.n; i-- > 0;) complete_phi(&c, first + i);
    v = ph_body_resolve(f, value_at(&c, first));
  }
  state->nodes.n = first;
  state->values.n = base;
  return v;
}

/* }== The search ===================================================== */

static void note_reached(const ph_func *f, uint32_t from, uint32_t number) {
  ph_open *node = node_of(f, from);
  if (number < node->least) node->least = number;
}

/* Stores a result of the innermost node.  True if it has another predecessor
** to look up. */
static bool take_result(const ph_func *f, uint32_t result) {
  ph_frame *top = top_of(f);
  f->state->values.at[top->base++] = result;
  if (result & OPEN) note_reached(f, top->def, result & ~OPEN);
  top->edge = f->edges.at[top->edge].next; /* of edge 0, none: 0 */
  return top->edge != 0;
}

/* Ends the frame of the innermost node, all of whose results are known; returns
** its own.  The outermost one reaches no other: it ends a component. */
static uint32_t leave_node(ph_func *f, uint32_t var) {
  uint32_t number = top_of(f)->def;
  f->state->frames.n--;
  if (node_of(f, number)->least == number)
    return settle_component(f, var, number);
  note_reached(f, top_of(f)->def, node_of(f, number)->least);
  return number | OPEN;
}

uint32_t ph_read_scc_handback(ph_func *f, uint32_t var, uint32_t bottom,
                              uint32_t result) {
  if (!(result & OPEN)) result = ph_body_resolve(f, result);
  while (f->state->frames.n > bottom) {
    if (take_result(f, result)) return 0;
    result = leave_node(f, var);
  }
  return result;
}

/* }=================================================================== */
