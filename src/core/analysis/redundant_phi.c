/* redundant_phi.c: redundant sets of phis (section 3.2), found by dominators;
** and the paper's search for one.
**
** A set of phis is redundant if its phis have only each other and one further
** value as operands: then all of them are that value.
** Construction leaves such sets where control flow is irreducible.  The paper's
** Algorithm 5 finds them as components within components, which is quadratic
** for the phis of nested loops: it peels two at a time.
**
** The same sets are found by dominators.  Take the graph of values with an edge
** from each operand to its phi, and a virtual root: a node that is not a value,
** with an edge to each value that is not a phi.  A phi is redundant if and
** only if the root is not its immediate dominator; it can be replaced by its
** ancestor that is a child of the root.  Every other phi is a child of the root
** itself afterwards, so one pass is enough.  (docs/internals/construction.md has
** the argument.)
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
** The paper's search is an oracle: it shares only the definition with the other
** one.  The phis of a strongly connected component that have operands outside
** it cannot be in a smaller redundant set, so the search continues with the
** components of the others.  A redundant set is a component with one operand
** outside; a component without any is never entered, and counts as redundant,
** too.
**
** The recursion of the paper is a worklist of sets of phis; since nothing is
** replaced, their order does not matter.  Each round peels at least one phi off
** a component: quadratic for deep nests of loops.  So the search has a budget,
** in proportion to the phis and their operands, which hundreds of nested loops
** use up; beyond it dominators answer.  It is meant for specs, and for hosts
** that ask; `verify` uses dominators alone.
**
** Requires: nothing.  Changes nothing.
*/
#include "core/analysis/redundant_phi.h"

#include "core/analysis/dom.h"
#include "core/analysis/graph.h"
#include "core/base/noinline.h"
#include "phial/analysis.h"

/*
** {== Origins ========================================================
*/

/* The undecided phis: not known to be children of the root. */
typedef struct {
  const ph_func *f;
  uint8_t certain;   /* flags of phis that are children of the root */
  uint32_t *origin;  /* by a phi's number: its origin, the phi itself if it is a
                       child of the root, or 0 */
  uint32_t *left, n; /* numbers of the n undecided phis */
  ph_ids base;       /* for base_of */
  ph_arena *a;
} undecided;

static bool is_refinement(const ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  return n->op == PH_REFINE && n->flags & PH_IS_LAZY;
}

/* Returns what v is at run time: v, or if construction has made that as a
** refinement, the first value below that is none.  Of refinements in a cycle
** that nothing enters, it is one of them.  *bases, in a, is empty at first. */
static uint32_t base_of(const ph_func *f, ph_ids *bases, ph_arena *a,
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
  v = base_of(d->f, &d->base, d->a, v);
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

static void make_round(undecided *d, bool forward) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < d->n; k++) d->origin[d->left[k]] = 0;
  for (uint32_t k = 0; k < d->n; k++) {
    uint32_t i = d->left[forward ? k : d->n - 1 - k];
    d->origin[i] = find_origin(d, d->f->phis.at[i].value);
  }
  for (uint32_t k = 0; k < d->n; k++) {
    uint32_t i = d->left[k];
    if (d->origin[i] != d->f->phis.at[i].value) d->left[kept++] = i;
  }
  d->n = kept;
}

static void add_undecided(undecided *d, uint32_t i) {
  const ph_node *n = ph_node_of(d->f, d->f->phis.at[i].value);
  if (n->forward == 0 && !(n->flags & (PH_IS_DROPPED | PH_IS_INCOMPLETE)))
    d->left[d->n++] = i;
}

static void list_undecided(undecided *d, const ph_ids *unproven) {
  if (unproven != NULL)
    for (uint32_t k = 0; k < unproven->n; k++)
      add_undecided(d, unproven->at[k]);
  else
    for (uint32_t i = 1; i < d->f->phis.n; i++) add_undecided(d, i);
}

/* Makes rounds forward and backward as long as they pay: one direction finds
** more from inner loops to outer ones, the other one from outer to inner. */
static void make_rounds(undecided *d) {
  uint32_t before;
  do {
    before = d->n;
    make_round(d, true);
    if (d->n > 0) make_round(d, false);
  } while (d->n > 0 && d->n < before - before / 8);
}

/* }== The graph of values ============================================ */

enum { ROOT = 1 }; /* the virtual root; node 0 is none */

/* The graph of values that may contain redundant sets. */
typedef struct {
  undecided *d;
  ph_arena *a;
  uint32_t *node; /* by value; 0: not met */
  ph_ids value;   /* by node */
  ph_pairs edges;
  uint32_t nothing; /* node of undefs that do not exist yet, or 0 */
} values;

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

static uint32_t *replacements(undecided *d, ph_arena *a) {
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
  list_undecided(&d, unproven);
  make_rounds(&d);
  if (d.n > 0) top = replacements(&d, a);
  ph_arena_drop(a, d.origin, bytes);
  return top;
}

/* }== The paper's search ============================================= */

/* How often each phi and operand may be visited on average, and how many visits
** there may be in any case. */
enum { VISITS_EACH = 64, VISITS = 10000 };

typedef struct {
  const ph_func *f;
  ph_arena *a;
  ph_ids todo;         /* worklist of sets: the phis, then their number */
  ph_ids set;          /* the current set: phis, from 1 */
  uint32_t *position;  /* by value: its index in `set`, or 0 */
  uint32_t *component; /* by value: its component in the set, from 1, or 0 */
  int64_t budget;      /* visits that are left */
  ph_ids bases;        /* for base_of */
} search;

static uint32_t base_of_operand(search *s, uint32_t phi, uint32_t i) {
  uint32_t v = ph_body_operand(s->f, phi, i);
  return base_of(s->f, &s->bases, s->a, v);
}

static int64_t cost_of(const search *s, uint32_t phi) {
  return 1 + (int64_t)ph_node_of(s->f, phi)->nargs;
}

static void pack_set(search *s, uint32_t start) {
  uint32_t count = s->todo.n - start;
  if (count > 0) ph_ids_push(&s->todo, s->a, count);
}

static void unpack_set(search *s) {
  uint32_t count = s->todo.at[--s->todo.n];
  s->set.n = 0;
  ph_ids_push(&s->set, s->a, 0);
  s->todo.n -= count;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t v = s->todo.at[s->todo.n + i];
    s->budget -= cost_of(s, v);
    s->position[v] = s->set.n;
    ph_ids_push(&s->set, s->a, v);
  }
}

/* Returns the graph of the phis of the set. */
static ph_csr induced_graph(search *s) {
  ph_pairs edges = {{0}, {0}};
  ph_csr g;
  for (uint32_t to = 1; to < s->set.n; to++) {
    uint32_t phi = s->set.at[to];
    for (uint32_t i = 0; i < ph_node_of(s->f, phi)->nargs; i++) {
      uint32_t from = s->position[base_of_operand(s, phi, i)];
      if (from != 0) ph_csr_add(&edges, s->a, from, to);
    }
  }
  g = ph_csr_make(s->a, s->set.n, &edges);
  ph_csr_forget(s->a, &edges);
  return g;
}

/* Counts the different operands of phi outside component c, up to two.  *outer
** is the first one met in the component. */
static uint32_t count_outer(search *s, uint32_t phi, uint32_t c,
                            uint32_t *outer) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < ph_node_of(s->f, phi)->nargs; i++) {
    uint32_t v = base_of_operand(s, phi, i);
    if (s->component[v] == c) continue;
    if (*outer == 0) *outer = v;
    count = count == 2 || v != *outer ? 2 : 1;
  }
  return count;
}

/* processSCC: true if component c is redundant.  Adds its inner phis to the
** worklist, for the case that it is not. */
static bool is_redundant(search *s, const uint32_t *at, uint32_t n,
                         uint32_t c) {
  uint32_t start = s->todo.n;
  uint32_t outer = 0;
  bool several = false;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t phi = s->set.at[at[i]];
    uint32_t count = count_outer(s, phi, c, &outer);
    if (count == 2) several = true;
    if (count == 0) ph_ids_push(&s->todo, s->a, phi);
  }
  pack_set(s, start);
  return !several;
}

static uint32_t smallest(const search *s, const uint32_t *at, uint32_t n) {
  uint32_t least = s->set.at[at[0]];
  for (uint32_t i = 1; i < n; i++)
    if (s->set.at[at[i]] < least) least = s->set.at[at[i]];
  return least;
}

static uint32_t search_components(search *s, const ph_sccs *sccs) {
  for (uint32_t c = 0; c < sccs->n; c++)
    for (uint32_t i = sccs->first[c]; i < sccs->first[c + 1]; i++)
      s->component[s->set.at[sccs->at[i]]] = c + 1;
  for (uint32_t c = 0; c < sccs->n; c++) {
    const uint32_t *at = sccs->at + sccs->first[c];
    uint32_t n = sccs->first[c + 1] - sccs->first[c];
    if (is_redundant(s, at, n, c + 1)) return smallest(s, at, n);
  }
  return 0;
}

/* removeRedundantPhis for one set, but without removing any: returns a phi of a
** redundant set, or 0. */
static uint32_t search_set(search *s) {
  ph_csr g;
  ph_sccs sccs;
  uint32_t found;
  unpack_set(s);
  g = induced_graph(s);
  sccs = ph_scc_compute(&g, s->a);
  found = search_components(s, &sccs);
  for (uint32_t i = 1; i < s->set.n; i++)
    s->position[s->set.at[i]] = s->component[s->set.at[i]] = 0;
  ph_scc_drop(s->a, &sccs, &g);
  ph_csr_drop(s->a, &g);
  return found;
}

/* Returns a phi of a redundant set, or 0.  *done: the budget was enough. */
static uint32_t search_all(ph_func *f, bool *done) {
  ph_arena_mark bottom = ph_arena_here(&f->scratch);
  search s = {.f = f, .a = &f->scratch};
  uint32_t found = 0;
  s.position = ph_arena_zero(s.a, f->nodes.n * sizeof(uint32_t));
  s.component = ph_arena_zero(s.a, f->nodes.n * sizeof(uint32_t));
  s.budget = VISITS;
  PH_EACH_BLOCK(s.f, b) {
    PH_EACH_PHI(s.f, b, v) {
      if (!ph_body_iswhole(s.f, v)) continue;
      ph_ids_push(&s.todo, s.a, v);
      s.budget += VISITS_EACH * cost_of(&s, v);
    }
  }
  pack_set(&s, 0);
  while (s.todo.n > 0 && found == 0 && s.budget > 0) found = search_set(&s);
  *done = s.todo.n == 0 || found != 0;
  ph_arena_release(&f->scratch, bottom);
  return found;
}

static uint32_t by_dominators(ph_func *f) {
  const uint32_t *top = ph_redundant_phi_tops(f, &f->scratch, NULL);
  for (uint32_t i = 1; top != NULL && i < f->phis.n; i++)
    if (top[f->phis.at[i].value] != 0) return f->phis.at[i].value;
  return 0;
}

ph_value ph_redundant_phi_find(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(ph_ptr(f));
  bool done;
  uint32_t found = search_all(f, &done);
  if (!done) found = by_dominators(f);
  ph_scratch_leave(f, bottom);
  return ph_valueid(found);
}

/* }=================================================================== */
