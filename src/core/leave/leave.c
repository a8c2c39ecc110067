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
#include "core/analysis/needed.h"
#include "core/ir/contract.h"
#include "core/leave/coalesce.h"
#include "phial/edit.h"
#include "phial/leave.h"

PH_VEC(ph_moves, ph_move)
PH_VEC(ph_types, ph_type)
PH_VEC(ph_nth_edges, ph_nth_edge)

struct ph_leaving {
  uint32_t nvalues, nedges; /* lengths of `of` and `first` */
  uint32_t *of;             /* by value: its location, or 0 */
  uint32_t *next;           /* by value: the next one of its location, or 0 */
  uint32_t *first, *count;  /* by edge: its moves in `moves` */
  ph_types types;           /* by location */
  ph_ids values;            /* by location: its first value, or 0 */
  ph_moves moves;
  ph_nth_edges critical;
  uint32_t copies; /* number of copies that are left */
};

/*
** {== Parallel copies ================================================
*/

/* Algorithm 1 of Boissinot et al.: a location is written once its old value is
** not needed any more; if no such move is left, all that remain are in cycles, and
** one of them is saved in a temporary.  A value that was copied to several
** locations is read from the latest of them, so that a cycle with a way out
** needs no temporary.  (A move that is done is marked: the paper's test for
** that, in its last loop, can take it for one that is in a cycle.)
**
** Locations have types, and so have cycles: one temporary of each type is
** enough, since a cycle is done before the next one begins. */
typedef struct {
  ph_arena *a;     /* of `types` and `out` */
  ph_arena *work;  /* of all others */
  ph_types types;  /* by location; temporaries are appended */
  ph_moves out;    /* the sequences so far, one after the other */
  ph_moves copy;   /* the parallel copy: to different locations */
  uint32_t ntemps; /* number of moves to temporaries */
  ph_ids pending; /* by location: 1 + index in `copy` of the move to it, or 0 */
  ph_ids holder;  /* by location: where its old value is, or 0: not needed */
  ph_ids ready, todo;           /* locations: free to be written; all */
  uint32_t temp[UINT8_MAX + 1]; /* by type: the temporary, or 0 */
} parallel_copy;

static void append_move(parallel_copy *c, uint32_t to, uint32_t from,
                        ph_value constant) {
  const ph_move m = {to, from, constant};
  ph_moves_push(&c->out, c->a, m);
}

static void list_moves(parallel_copy *c) {
  ph_ids_extend(&c->pending, c->work, c->types.n);
  ph_ids_extend(&c->holder, c->work, c->types.n);
  for (uint32_t i = 0; i < c->copy.n; i++) {
    uint32_t from = c->copy.at[i].from;
    c->holder.at[from] = from;
    c->pending.at[c->copy.at[i].to] = i + 1;
    ph_ids_push(&c->todo, c->work, c->copy.at[i].to);
  }
  for (uint32_t i = 0; i < c->copy.n; i++)
    if (c->holder.at[c->copy.at[i].to] == 0)
      ph_ids_push(&c->ready, c->work, c->copy.at[i].to);
}

static void write_location(parallel_copy *c, uint32_t to) {
  ph_move m = c->copy.at[c->pending.at[to] - 1];
  uint32_t holder = c->holder.at[m.from];
  c->pending.at[to] = 0;
  append_move(c, to, holder, m.constant);
  if (m.from == 0) return;
  c->holder.at[m.from] = to;
  if (holder == m.from && c->pending.at[m.from] != 0)
    ph_ids_push(&c->ready, c->work, m.from);
}

static void save_location(parallel_copy *c, uint32_t location) {
  const ph_value none = {0};
  ph_type type = c->types.at[location];
  if (c->temp[type] == 0) {
    c->temp[type] = c->types.n;
    ph_types_push(&c->types, c->a, type);
  }
  append_move(c, c->temp[type], location, none);
  c->ntemps++;
  c->holder.at[location] = c->temp[type];
  ph_ids_push(&c->ready, c->work, location);
}

static void write_all_ready(parallel_copy *c) {
  while (c->ready.n > 0) write_location(c, c->ready.at[--c->ready.n]);
}

/* Appends the moves of c->copy to c->out, in an order in which they can be done
** one after the other, and empties c->copy. */
static void sequence(parallel_copy *c) {
  list_moves(c);
  write_all_ready(c);
  while (c->todo.n > 0) {
    uint32_t to = c->todo.at[--c->todo.n];
    if (c->pending.at[to] == 0) continue;
    save_location(c, to);
    write_all_ready(c);
  }
  for (uint32_t i = 0; i < c->copy.n; i++) c->holder.at[c->copy.at[i].from] = 0;
  c->copy.n = 0;
}

/* }== Locations ====================================================== */

typedef struct {
  ph_func *f;
  ph_arena *a;            /* of what is needed on the way */
  ph_arena *kept;         /* of the answer */
  const bool *needed;     /* by value: phis that are */
  const ph_rpo *order;    /* blocks that are not reached do not count */
  const uint32_t *leader; /* by value: whose location it has */
  ph_leaving *l;
  parallel_copy copy;
  uint32_t saved;   /* number of moves and copies that sharing avoids */
  ph_ids last;      /* by location: its latest value */
  uint32_t *latest; /* by block: the target of its edge met last, ... */
  uint32_t *nth;    /* ... and how many of these came before */
} work;

static void locate_value(work *w, uint32_t v) {
  uint32_t leader = w->leader != NULL ? w->leader[v] : v, *last;
  if (!ph_coalesce_haslocation(w->f, v)) return;
  if (w->l->of[leader] == 0) {
    w->l->of[leader] = w->copy.types.n;
    ph_types_push(&w->copy.types, w->kept, ph_node_of(w->f, v)->type);
    ph_ids_push(&w->l->values, w->kept, v);
    ph_ids_push(&w->last, w->a, v);
  }
  w->l->of[v] = w->l->of[leader];
  last = &w->last.at[w->l->of[v]];
  if (*last != v) w->l->next[*last] = v;
  *last = v;
}

static void locate_all(work *w) {
  const ph_func *f = w->f;
  for (uint32_t i = 0; i < f->params.n; i++) locate_value(w, f->params.at[i]);
  PH_EACH_BLOCK(f, b) {
    if (!ph_rpo_counts(w->order, b)) continue;
    PH_EACH_PHI(f, b, v) {
      if (w->needed[v]) locate_value(w, v);
    }
    PH_EACH_INST(f, b, v) locate_value(w, v);
  }
  PH_EACH_BLOCK(f, b) {
    if (!ph_rpo_counts(w->order, b)) continue;
    PH_EACH_INST(f, b, v) {
      if (ph_node_of(f, v)->op == PH_COPY) {
        uint32_t arg = ph_body_operand(w->f, v, 0);
        if (w->l->of[arg] == w->l->of[v])
          w->saved++;
        else
          w->l->copies++;
      }
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
  sequence(&w->copy);
  w->l->count[e] = w->copy.out.n - w->l->first[e];
  if (w->l->count[e] > 0 && is_critical(f, &f->edges.at[e])) {
    const ph_nth_edge it = {e, nth};
    ph_nth_edges_push(&w->l->critical, w->kept, it);
  }
}

static void make_all_moves(work *w) {
  const ph_func *f = w->f;
  PH_EACH_BLOCK(f, b) {
    uint32_t i = 0;
    if (ph_blockrec_of(f, b)->first_phi == 0) continue;
    if (!ph_rpo_counts(w->order, b)) continue;
    PH_EACH_PRED(f, b, e) {
      if (ph_rpo_counts(w->order, f->edges.at[e].from)) make_moves(w, b, e, i);
      i++;
    }
  }
}

/* }== The answer ===================================================== */

/* Makes the answer; leader NULL: each value has a location of its own. */
static void make_answer(work *w, const uint32_t *leader) {
  const parallel_copy none = {.a = w->kept, .work = w->a};
  w->leader = leader;
  w->saved = 0;
  w->copy = none;
  ph_types_push(&w->copy.types, w->kept, PH_NOTYPE);
  ph_leaving *l = ph_arena_zero(w->kept, sizeof *l);
  l->nvalues = w->f->nodes.n;
  l->nedges = w->f->edges.n;
  l->of = ph_arena_zero(w->kept, 2 * ((size_t)l->nvalues + l->nedges) *
                                     sizeof(uint32_t));
  l->next = l->of + l->nvalues;
  l->first = l->next + l->nvalues;
  l->count = l->first + l->nedges;
  w->l = l;
  w->last = (ph_ids){0};
  ph_ids_push(&w->l->values, w->kept, 0);
  ph_ids_push(&w->last, w->a, 0);
  w->latest = ph_arena_zero(w->a, 2 * sizeof(uint32_t) * w->f->blocks.n);
  w->nth = w->latest + w->f->blocks.n;
  locate_all(w);
  make_all_moves(w);
  w->l->types = w->copy.types;
  w->l->moves = w->copy.out;
}

/* Moves that sharing avoids can be fewer than the temporaries that it causes:
** then each value gets a location of its own if that is better. */
static const ph_leaving *make_coalesced(work *w) {
  const ph_leaving *l;
  make_answer(w, ph_coalesce_find(w->f, w->a, w->needed));
  if (w->copy.ntemps <= w->saved) return w->l;
  l = w->l;
  make_answer(w, NULL);
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

const ph_leaving *ph_leave_new(ph_func *f, bool coalesce) {
  ph_arena_mark bottom = ph_scratch_enter(ph_ptr(f));
  work w = {.f = f, .a = &f->scratch};
  const ph_leaving *l;
  ph_must(f->finished && "a finished function");
  w.kept = ph_asking_enter(f, &f->asking_code);
  w.order = ph_rpo_compute(f, w.a);
  w.needed = ph_needed_find(f, w.a, w.order, PH_ROOTS_INSTS);
  if (coalesce && can_share(&w)) {
    l = make_coalesced(&w);
  } else {
    make_answer(&w, NULL);
    l = w.l;
  }
  ph_asking_leave(&f->asking_code);
  ph_scratch_leave(f, bottom);
  return l;
}

uint32_t ph_leave_count(const ph_leaving *l) { return ph_ptr(l)->types.n - 1; }

ph_type ph_leave_type(const ph_leaving *l, uint32_t location) {
  ph_must(0 < location && location < ph_ptr(l)->types.n &&
          "from 1 to ph_leave_count");
  return l->types.at[location];
}

uint32_t ph_leave_of(const ph_func *f, const ph_leaving *l, ph_value v) {
  uint32_t id;
  ph_must(ph_contract_hasvalue(f, v) && "a value of this function");
  id = ph_body_resolve(f, v.id);
  return id < ph_ptr(l)->nvalues ? l->of[id] : 0;
}

ph_value ph_leave_nextvalue(const ph_leaving *l, uint32_t location,
                            ph_value v) {
  ph_must(0 < location && location < ph_ptr(l)->types.n &&
          "from 1 to ph_leave_count");
  ph_must(v.id < l->nvalues && "a value of the location, or none");
  if (ph_some(v)) return ph_valueid(l->next[v.id]);
  return ph_valueid(location < l->values.n ? l->values.at[location] : 0);
}

uint32_t ph_leave_nmoves(const ph_leaving *l, uint32_t edge) {
  return edge < ph_ptr(l)->nedges ? l->count[edge] : 0;
}

ph_move ph_leave_move(const ph_leaving *l, uint32_t edge, uint32_t i) {
  ph_must(i < ph_leave_nmoves(ph_ptr(l), edge) &&
          "from 0 to ph_leave_nmoves - 1");
  return l->moves.at[l->first[edge] + i];
}

uint32_t ph_leave_total(const ph_leaving *l) {
  return ph_ptr(l)->moves.n + l->copies;
}

uint32_t ph_leave_ncritical(const ph_leaving *l) {
  return ph_ptr(l)->critical.n;
}

ph_nth_edge ph_leave_critical(const ph_leaving *l, uint32_t i) {
  ph_must(i < ph_ptr(l)->critical.n && "from 0 to ph_leave_ncritical - 1");
  return l->critical.at[i];
}

uint32_t ph_leave_split(ph_func *f, const ph_leaving *l) {
  const ph_str nameless = {NULL, 0};
  (void)ph_ptr(f);
  for (uint32_t i = 0; i < ph_ptr(l)->critical.n; i++)
    ph_edge_splitedge(f, l->critical.at[i].edge, nameless);
  return l->critical.n;
}

/* }=================================================================== */
