/* leave.c: locations for values, moves for phis.
**
** Values are merged into congruence classes along the affinities; classes
** become locations, numbered in the order of parameters, blocks and
** instructions; each edge into a block with phis gets a parallel copy.
**
** Requires: the function is finished.  Its definitions should dominate their
** uses: if they do not, the answer is of no use, but nothing else happens.
** Values of blocks that are not reached have locations of their own.  Changes
** nothing.
*/
#include "core/leave/leave.h"

#include "core/analysis/needed.h"
#include "core/ir/contract.h"
#include "core/leave/affinities.h"
#include "core/leave/classes.h"

typedef struct {
  ph_func *f;
  ph_arena *a;         /* of what is needed on the way */
  ph_arena *kept;      /* of the answer */
  const bool *needed;  /* by value: phis that are */
  const ph_rpo *order; /* which blocks count */
  ph_classes classes;
  bool coalesce;
  ph_leaving *l;
  ph_parallel_copy copy;
  uint32_t saved;   /* number of moves and copies that sharing avoids */
  uint32_t *latest; /* by block: the target of its edge met last, ... */
  uint32_t *nth;    /* ... and how many of these came before */
} work;

/*
** {== Classes ========================================================
*/

static bool *choose(const ph_func *f, ph_arena *a, const ph_affinities *list) {
  bool *chosen = ph_arena_zero(a, f->nodes.n * sizeof(bool));
  for (uint32_t i = 0; i < list->n; i++)
    chosen[list->at[i].result] = chosen[list->at[i].operand] = true;
  return chosen;
}

/* Returns, by value, what it is a copy of, through all copies. */
static uint32_t *find_same(const ph_func *f, ph_arena *a,
                           const ph_domtree *dom) {
  uint32_t *same = ph_arena_alloc(a, f->nodes.n * sizeof(uint32_t));
  for (uint32_t v = 0; v < f->nodes.n; v++) same[v] = v;
  for (uint32_t i = 0; i < dom->size[ph_block_entry(f).id]; i++) {
    PH_EACH_INST(f, dom->order[i], v) {
      if (ph_node_of(f, v)->op == PH_COPY)
        same[v] = same[ph_body_operand(f, v, 0)];
    }
  }
  return same;
}

static bool are_defined(const ph_live_ranges *r, const ph_affinity *it) {
  return r->home[it->result] != 0 && r->home[it->operand] != 0;
}

static void merge_all(work *w) {
  const ph_func *f = w->f;
  const ph_domtree *dom = ph_dom_blocks(f, w->a);
  const ph_loops *loops = ph_loops_compute(w->f, w->a, w->a);
  ph_affinities list = ph_affinities_find(f, w->a, dom, loops, w->needed);
  const bool *chosen = choose(f, w->a, &list);
  ph_live_ranges *r = ph_arena_alloc(w->a, sizeof *r);
  *r = ph_live_ranges_find(f, w->a, dom, chosen, w->needed);
  w->classes = ph_classes_new(w->a, r, find_same(f, w->a, dom));
  for (uint32_t i = 0; i < list.n; i++)
    if (are_defined(r, &list.at[i]))
      ph_classes_merge(&w->classes, list.at[i].result, list.at[i].operand);
}

/* }== Locations ====================================================== */

static void locate(work *w, uint32_t v) {
  uint32_t leader = w->coalesce ? ph_classes_find(&w->classes, v) : v;
  if (!ph_affinities_haslocation(w->f, v)) return;
  if (w->l->of[leader] == 0) {
    w->l->of[leader] = w->copy.types.n;
    ph_types_push(&w->copy.types, w->kept, ph_node_of(w->f, v)->type);
  }
  w->l->of[v] = w->l->of[leader];
}

static void locate_copy(work *w, uint32_t v) {
  uint32_t arg = ph_body_operand(w->f, v, 0);
  if (w->l->of[arg] == w->l->of[v])
    w->saved++;
  else
    w->l->copies++;
}

static void locate_all(work *w) {
  const ph_func *f = w->f;
  for (uint32_t i = 0; i < f->params.n; i++) locate(w, f->params.at[i]);
  PH_EACH_BLOCK(f, b) {
    if (!ph_rpo_counts(w->order, b)) continue;
    PH_EACH_PHI(f, b, v) {
      if (w->needed[v]) locate(w, v);
    }
    PH_EACH_INST(f, b, v) locate(w, v);
  }
  PH_EACH_BLOCK(f, b) {
    if (!ph_rpo_counts(w->order, b)) continue;
    PH_EACH_INST(f, b, v) {
      if (ph_node_of(f, v)->op == PH_COPY) locate_copy(w, v);
    }
  }
}

/* }== Moves ========================================================== */

static void add_move(work *w, uint32_t phi, uint32_t arg) {
  ph_move m = {w->l->of[phi], w->l->of[arg], {0}};
  if (m.to == m.from) {
    w->saved += arg != phi;
    return;
  }
  if (m.from == 0) m.constant.id = arg;
  ph_moves_push(&w->copy.copy, w->a, m);
}

static bool is_critical(const ph_func *f, const ph_edge *e) {
  return ph_blockrec_of(f, e->from)->nsuccs > 1 &&
         ph_blockrec_of(f, e->to)->npreds > 1;
}

static void add_critical(work *w, uint32_t e, uint32_t nth) {
  const ph_nth_edge it = {e, nth};
  ph_nth_edges_push(&w->l->critical, w->kept, it);
}

/* Returns which of the edges between its blocks e is, from 0; edges that enter
** a block are met in order. */
static uint32_t count_edge(work *w, uint32_t e) {
  const ph_edge *edge = &w->f->edges.at[e];
  if (w->latest[edge->from] != edge->to) {
    w->latest[edge->from] = edge->to;
    w->nth[edge->from] = 0;
  }
  return w->nth[edge->from]++;
}

/* Makes the moves of edge e, the i-th that enters b. */
static void make_moves(work *w, uint32_t b, uint32_t e, uint32_t i) {
  uint32_t nth = count_edge(w, e);
  const ph_func *f = w->f;
  PH_EACH_PHI(f, b, v) {
    if (w->needed[v]) add_move(w, v, ph_body_operand(f, v, i));
  }
  w->l->first[e] = w->copy.out.n;
  ph_parallel_copy_sequence(&w->copy);
  w->l->count[e] = w->copy.out.n - w->l->first[e];
  if (w->l->count[e] > 0 && is_critical(f, &f->edges.at[e]))
    add_critical(w, e, nth);
}

static void make_all_moves(work *w) {
  const ph_func *f = w->f;
  PH_EACH_BLOCK(f, b) {
    uint32_t i = 0;
    if (ph_blockrec_of(f, b)->first_phi == 0) continue;
    if (!ph_rpo_counts(w->order, b)) continue;
    PH_EACH_PRED(f, b, e) make_moves(w, b, e, i++);
  }
}

/* }== The answer ===================================================== */

static ph_leaving *blank(const ph_func *f, ph_arena *a) {
  ph_leaving *l = ph_arena_zero(a, sizeof *l);
  l->nvalues = f->nodes.n;
  l->nedges = f->edges.n;
  l->of = ph_arena_zero(a, (l->nvalues + 2 * l->nedges) * sizeof(uint32_t));
  l->first = l->of + l->nvalues;
  l->count = l->first + l->nedges;
  return l;
}

/* Makes the answer with the classes of w, or without. */
static void answer(work *w, bool coalesce) {
  const ph_parallel_copy none = {.a = w->kept, .work = w->a};
  w->coalesce = coalesce;
  w->saved = 0;
  w->copy = none;
  ph_types_push(&w->copy.types, w->kept, PH_NOTYPE);
  w->l = blank(w->f, w->kept);
  w->latest = ph_arena_zero(w->a, 2 * w->f->blocks.n * sizeof(uint32_t));
  w->nth = w->latest + w->f->blocks.n;
  locate_all(w);
  make_all_moves(w);
  w->l->types = w->copy.types;
  w->l->moves = w->copy.out;
}

/* Moves that sharing avoids can be fewer than the temporaries that it causes:
** then each value gets a location of its own if that is better. */
static const ph_leaving *answer_coalesced(work *w) {
  const ph_leaving *l;
  merge_all(w);
  answer(w, true);
  if (w->copy.ntemps <= w->saved) return w->l;
  l = w->l;
  answer(w, false);
  return ph_leave_total(w->l) < ph_leave_total(l) ? w->l : l;
}

/* True if f has phis or copies. */
static bool can_share(const work *w) {
  PH_EACH_BLOCK(w->f, b) {
    if (!ph_rpo_counts(w->order, b)) continue;
    if (ph_blockrec_of(w->f, b)->first_phi != 0) return true;
    PH_EACH_INST(w->f, b, v) {
      if (ph_node_of(w->f, v)->op == PH_COPY) return true;
    }
  }
  return false;
}

/* A phi is needed if an instruction uses it, also through phis. */
static bool is_inst(const ph_func *f, uint32_t v) {
  return ph_node_of(f, v)->op != PH_PHI;
}

const ph_leaving *ph_leave_new(ph_func *f, bool coalesce) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  work w = {.f = f, .a = &f->scratch};
  const ph_leaving *l;
  assert(f->finished && "a finished function");
  w.kept = ph_asking_enter(f);
  w.order = ph_rpo_counting(f, w.a);
  w.needed = ph_needed_find(f, w.a, w.order, is_inst);
  if (coalesce && can_share(&w)) {
    l = answer_coalesced(&w);
  } else {
    answer(&w, false);
    l = w.l;
  }
  ph_asking_leave(f);
  ph_scratch_leave(f, bottom);
  return l;
}

uint32_t ph_leave_count(const ph_leaving *l) { return l->types.n - 1; }

ph_type ph_leave_type(const ph_leaving *l, uint32_t location) {
  assert(0 < location && location < l->types.n && "from 1 to ph_leave_count");
  return l->types.at[location];
}

uint32_t ph_leave_of(const ph_func *f, const ph_leaving *l, ph_value v) {
  uint32_t id;
  assert(ph_contract_hasvalue(f, v) && "a value of this function");
  id = ph_body_resolve(f, v.id);
  return id < l->nvalues ? l->of[id] : 0;
}

uint32_t ph_leave_nmoves(const ph_leaving *l, uint32_t edge) {
  return edge < l->nedges ? l->count[edge] : 0;
}

ph_move ph_leave_move(const ph_leaving *l, uint32_t edge, uint32_t i) {
  assert(i < ph_leave_nmoves(l, edge) && "from 0 to ph_leave_nmoves - 1");
  return l->moves.at[l->first[edge] + i];
}

uint32_t ph_leave_total(const ph_leaving *l) { return l->moves.n + l->copies; }

uint32_t ph_leave_ncritical(const ph_leaving *l) { return l->critical.n; }

ph_nth_edge ph_leave_critical(const ph_leaving *l, uint32_t i) {
  assert(i < l->critical.n && "from 0 to ph_leave_ncritical - 1");
  return l->critical.at[i];
}

/* }=================================================================== */
