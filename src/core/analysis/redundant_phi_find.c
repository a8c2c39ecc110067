/* redundant_phi_find.c: searches for a redundant set of phis, as the paper
** does.
**
** This is Algorithm 5 as an oracle: it shares only the definition with
** redundant_phi_tops.c, and changes nothing.  The phis of a strongly connected
** component that have operands outside it cannot be in a smaller redundant set,
** so the search continues with the components of the others.  A redundant set
** is a component with one operand outside; a component without any is never
** entered, and counts as redundant, too.
**
** The recursion of the paper is a worklist of sets of phis; since nothing is
** replaced, their order does not matter.  Each round peels at least one phi off
** a component: quadratic for deep nests of loops.  So the search has a budget,
** in proportion to the phis and their operands, which hundreds of nested loops
** use up; beyond it dominators answer.  The search is meant for specs, and for
** hosts that ask; `verify` uses redundant_phi_tops.c alone.
**
** Requires: nothing.  Changes nothing.
*/
#include "phial/analysis.h"
#include "core/analysis/redundant_phi_tops.h"
#include "core/analysis/scc.h"
#include "core/ir/body.h"

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
  ph_ids bases;        /* for ph_redundant_phi_base */
} search;

static uint32_t operand(search *s, uint32_t phi, uint32_t i) {
  uint32_t v = ph_body_operand(s->f, phi, i);
  return ph_redundant_phi_base(s->f, &s->bases, s->a, v);
}

static int64_t cost_of(const search *s, uint32_t phi) {
  return 1 + (int64_t)ph_node_of(s->f, phi)->nargs;
}

static void put_aside(search *s, uint32_t start) {
  uint32_t count = s->todo.n - start;
  if (count > 0) ph_ids_push(&s->todo, s->a, count);
}

static void put_all_phis(search *s) {
  s->budget = VISITS;
  PH_EACH_BLOCK(s->f, b) {
    PH_EACH_PHI(s->f, b, v) {
      if (!ph_body_iswhole(s->f, v)) continue;
      ph_ids_push(&s->todo, s->a, v);
      s->budget += VISITS_EACH * cost_of(s, v);
    }
  }
  put_aside(s, 0);
}

static void take_set(search *s) {
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

static void leave_set(search *s) {
  for (uint32_t i = 1; i < s->set.n; i++)
    s->position[s->set.at[i]] = s->component[s->set.at[i]] = 0;
}

/* Returns the graph of the phis of the set. */
static ph_csr induced(search *s) {
  ph_pairs edges = {{0}, {0}};
  ph_csr g;
  for (uint32_t to = 1; to < s->set.n; to++) {
    uint32_t phi = s->set.at[to];
    for (uint32_t i = 0; i < ph_node_of(s->f, phi)->nargs; i++) {
      uint32_t from = s->position[operand(s, phi, i)];
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
    uint32_t v = operand(s, phi, i);
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
  put_aside(s, start);
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
  take_set(s);
  g = induced(s);
  sccs = ph_scc_compute(&g, s->a);
  found = search_components(s, &sccs);
  leave_set(s);
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
  put_all_phis(&s);
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
  ph_arena_mark bottom = ph_scratch_enter(f);
  bool done;
  uint32_t found = search_all(f, &done);
  if (!done) found = by_dominators(f);
  ph_scratch_leave(f, bottom);
  return ph_valueid(found);
}
