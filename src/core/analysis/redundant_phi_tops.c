/* redundant_phi_tops.c: what redundant phis can be replaced by, found by
** dominators.
**
** A set of phis is redundant if its phis have only each other and one further
** value as operands: then all of them are that value (section 3.2).
** Construction leaves such sets where control flow is irreducible.  The paper's
** Algorithm 5 finds them as components within components, which is quadratic
** for the phis of nested loops: it peels two at a time.
**
** The same sets are found by dominators.  Take the graph of values with an edge
** from each operand to its phi, and a virtual root: a node that is not a value,
** with an edge to each value that is not a phi.  A phi is redundant exactly if
** the root is not its immediate dominator; it can be replaced by its ancestor
** that is a child of the root.  Every other phi is a child of the root itself
** afterwards, so one pass is enough.  (docs/internals/construction.md has the
** argument.)
**
** Most functions have no such sets, and that is mostly easy to see: a phi to
** which two values flow on disjoint paths is a child of the root.  A round over
** the phis gives each the value that flows to it through other phis, its
** origin, as far as one is known.  The paths from two different origins are
** disjoint, because no phi is given two: a phi to which two flow is decided,
** and an origin itself from then on.  Only phis that remain undecided enter the
** graph.  Construction has found most origins before (trivial_phi.c): unless
** other code has changed phis, the rounds begin with the phis that it left
** undecided.
**
** A refinement that construction made is its operand at run time: in the graph
** it is a node with one edge, from that operand.  So refinements of one value
** that meet are that value, and a phi is replaced by its nearest ancestor that
** is not a redundant phi: a child of the root or a refinement.
**
** Phis that the root does not reach (a cycle that no value enters) are undef,
** which meets other values as a value of its own: the one that other undefs of
** the type are.
** An incomplete phi is a value like any other.
**
** Requires: nothing.  Changes nothing.
*/
#include "core/analysis/redundant_phi_tops.h"

#include "core/analysis/dom.h"
#include "core/base/noinline.h"

enum { ROOT = 1 }; /* the virtual root; node 0 is none */

/* The undecided phis: not known to be children of the root. */
typedef struct {
  const ph_func *f;
  uint8_t certain;   /* flags of phis that are children of the root */
  uint32_t *origin;  /* by a phi's number: its origin, the phi itself if it is a
                       child of the root, or 0 */
  uint32_t *left, n; /* numbers of the n undecided phis */
  ph_ids base;       /* for ph_redundant_phi_base */
  ph_arena *a;
} undecided;

/* The graph of values that may contain redundant sets. */
typedef struct {
  undecided *d;
  ph_arena *a;
  uint32_t *node; /* by value; 0: not met */
  ph_ids value;   /* by node */
  ph_pairs edges;
  uint32_t nothing; /* node of undefs that do not exist yet, or 0 */
} values;

static bool is_refinement(const ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  return n->op == PH_REFINE && n->flags & PH_IS_LAZY;
}

uint32_t ph_redundant_phi_base(const ph_func *f, ph_ids *bases, ph_arena *a,
                               uint32_t v) {
  uint32_t *base, end = v;
  if (!is_refinement(f, v)) return v;
  ph_ids_extend(bases, a, f->nodes.n);
  base = bases->at;
  for (; is_refinement(f, end) && base[end] == 0;
       end = ph_body_operand(f, end, 0))
    base[end] = end;
  if (is_refinement(f, end)) end = base[end];
  while (v != end && is_refinement(f, v) && base[v] == v) {
    base[v] = end;
    v = ph_body_operand(f, v, 0);
  }
  return end;
}

static PH_NOINLINE uint32_t origin_of_refinement(undecided *d, uint32_t v) {
  const ph_node *n;
  v = ph_redundant_phi_base(d->f, &d->base, d->a, v);
  n = ph_node_of(d->f, v);
  if (n->op != PH_PHI || n->flags & d->certain) return v;
  return d->origin[n->aux];
}

static uint32_t origin_of(undecided *d, uint32_t v) {
  const ph_node *n = ph_node_of(d->f, v);
  if (n->op == PH_PHI) return n->flags & d->certain ? v : d->origin[n->aux];
  return n->op == PH_REFINE ? origin_of_refinement(d, v) : v;
}

static uint32_t find_origin(undecided *d, uint32_t phi) {
  uint32_t nargs = ph_node_of(d->f, phi)->nargs, one = 0;
  for (uint32_t i = 0; i < nargs; i++) {
    uint32_t s = origin_of(d, ph_body_operand(d->f, phi, i));
    if (s == 0 || s == one) continue;
    if (one != 0) return phi;
    one = s;
  }
  return one;
}

static void look_at(undecided *d, uint32_t k) {
  uint32_t i = d->left[k];
  d->origin[i] = find_origin(d, d->f->phis.at[i].value);
}

static void go_round(undecided *d, bool forward) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < d->n; k++) d->origin[d->left[k]] = 0;
  for (uint32_t k = 0; k < d->n; k++) look_at(d, forward ? k : d->n - 1 - k);
  for (uint32_t k = 0; k < d->n; k++) {
    uint32_t i = d->left[k];
    if (d->origin[i] != d->f->phis.at[i].value) d->left[kept++] = i;
  }
  d->n = kept;
}

static void take_up(undecided *d, uint32_t i) {
  const ph_node *n = ph_node_of(d->f, d->f->phis.at[i].value);
  if (n->forward == 0 && !(n->flags & (PH_IS_DROPPED | PH_IS_INCOMPLETE)))
    d->left[d->n++] = i;
}

static void gather(undecided *d, const ph_ids *unproven) {
  if (unproven != NULL)
    for (uint32_t k = 0; k < unproven->n; k++) take_up(d, unproven->at[k]);
  else
    for (uint32_t i = 1; i < d->f->phis.n; i++) take_up(d, i);
}

/* Makes rounds forward and backward as long as they pay: one direction finds
** more from inner loops to outer ones, the other one from outer to inner. */
static void rule_out(undecided *d) {
  uint32_t before;
  do {
    before = d->n;
    go_round(d, true);
    if (d->n > 0) go_round(d, false);
  } while (d->n > 0 && d->n < before - before / 8);
}

static uint32_t node_of(values *vs, uint32_t v) {
  if (vs->node[v] != 0) return vs->node[v];
  vs->node[v] = vs->value.n;
  if (origin_of(vs->d, v) == v)
    ph_csr_add(&vs->edges, vs->a, ROOT, vs->value.n);
  ph_ids_push(&vs->value, vs->a, v);
  return vs->node[v];
}

/* Adds the edges into v from its first n operands. */
static void add_edges(values *vs, uint32_t v, uint32_t n) {
  uint32_t to = node_of(vs, v);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t from = node_of(vs, ph_body_operand(vs->d->f, v, i));
    ph_csr_add(&vs->edges, vs->a, from, to);
  }
}

static void add_phis(values *vs) {
  ph_ids_push(&vs->value, vs->a, 0);
  ph_ids_push(&vs->value, vs->a, 0);
  for (uint32_t k = 0; k < vs->d->n; k++) {
    uint32_t phi = vs->d->f->phis.at[vs->d->left[k]].value;
    add_edges(vs, phi, ph_node_of(vs->d->f, phi)->nargs);
  }
  for (uint32_t i = ROOT + 1; i < vs->value.n; i++)
    if (is_refinement(vs->d->f, vs->value.at[i]))
      add_edges(vs, vs->value.at[i], 1);
}

/* In the tree's preorder, each node follows its parent.  A parent without value
** is undef (undef_node). */
static void find_tops(const values *vs, const ph_domtree *d, uint32_t *top) {
  for (uint32_t i = 1; i < d->size[ROOT]; i++) {
    uint32_t node = d->order[i], v = vs->value.at[node];
    uint32_t parent = vs->value.at[d->idom[node]];
    if (d->idom[node] == ROOT || is_refinement(vs->d->f, v)) continue;
    if (parent == 0)
      top[v] = PH_NOTHING;
    else
      top[v] = top[parent] != 0 ? top[parent] : parent;
  }
}

static const ph_domtree *dominators(values *vs) {
  ph_csr g = ph_csr_make(vs->a, vs->value.n, &vs->edges);
  return ph_dom_compute(&g, ROOT, vs->a);
}

/* Returns the node of the undef of a type.  One without value serves all types
** that have no undef: values of different types do not meet. */
static uint32_t undef_node(values *vs, ph_type type) {
  const ph_ids *undefs = &vs->d->f->undefs;
  uint32_t v = type < undefs->n ? undefs->at[type] : 0;
  if (v != 0) return node_of(vs, v);
  if (vs->nothing != 0) return vs->nothing;
  vs->nothing = vs->value.n;
  ph_csr_add(&vs->edges, vs->a, ROOT, vs->nothing);
  ph_ids_push(&vs->value, vs->a, 0);
  return vs->nothing;
}

/* Adds edges from undefs to the values that the root does not reach; true if
** any are. */
static bool find_lost(values *vs, const ph_domtree *d) {
  bool any = false;
  for (uint32_t node = ROOT + 1; node < d->n; node++) {
    ph_type type = ph_node_of(vs->d->f, vs->value.at[node])->type;
    if (d->size[node] != 0) continue;
    ph_csr_add(&vs->edges, vs->a, undef_node(vs, type), node);
    any = true;
  }
  return any;
}

static uint32_t *compute(undecided *d, ph_arena *a) {
  values vs = {.d = d, .a = a};
  const ph_domtree *tree;
  vs.node = ph_arena_zero(a, d->f->nodes.n * sizeof(uint32_t));
  add_phis(&vs);
  tree = dominators(&vs);
  if (find_lost(&vs, tree)) tree = dominators(&vs);
  for (uint32_t v = 0; v < d->f->nodes.n; v++) vs.node[v] = 0;
  find_tops(&vs, tree, vs.node);
  return vs.node;
}

uint32_t *ph_redundant_phi_tops(const ph_func *f, ph_arena *a,
                                const ph_ids *unproven) {
  size_t bytes = 2 * sizeof(uint32_t) * f->phis.n;
  undecided d = {f, PH_IS_INCOMPLETE, NULL, NULL, 0, {0}, a};
  uint32_t *top = NULL;
  if (f->phis.n <= 1) return NULL;
  if (unproven != NULL) d.certain |= PH_IS_FIRM;
  d.origin = ph_arena_zero(a, bytes);
  d.left = d.origin + f->phis.n;
  gather(&d, unproven);
  rule_out(&d);
  if (d.n > 0) top = compute(&d, a);
  ph_arena_drop(a, d.origin, bytes);
  return top;
}
