/* solver.c: what a sparse data-flow problem has to evaluate next.
**
** Everything that can be evaluated has a position in one order: leaves, then
** the blocks in reverse postorder, in each block the phis, the instructions and
** the terminator, which stands for the edges that leave the block (backward,
** the same in reverse).  The two worklists of Wegman and Zadeck are one agenda
** of positions.
**
** A phi has a list of those of its operands that are new to it, a chain of
** operand slots.  So joining costs what has changed, not the number of
** predecessors, and however often the phi of a large switch is evaluated, all
** its evaluations together are linear.
**
** Termination is the host's business: each step follows from a change of a
** fact, or from an edge, which is taken once.
**
** Memory: one piece, whose size depends on the numbers of things in f.
*/
#include "core/analysis/rpo.h"
#include "core/ir/contract.h"
#include "core/ir/uses.h"
#include "core/solve/agenda.h"
#include "phial/solve.h"

#define NOWHERE UINT32_MAX
#define LAST UINT32_MAX

struct ph_solver {
  ph_func *f;
  ph_direction direction;
  uint32_t version;   /* of f */
  bool evaluating;    /* backward: all edges are done, values have their turn */
  ph_agenda agenda;   /* positions */
  uint32_t n;         /* number of positions */
  uint32_t *at;       /* by position: a value */
  uint32_t *position; /* by value, or NOWHERE */
  uint32_t *waiting;  /* by phi: the first slot of its list, or 0 */
  uint32_t *chain; /* by slot, from 1: the next one of the list, LAST, or 0: in
                         none */
  uint32_t *first_in; /* by block: index in `in` */
  uint32_t *in;       /* edges, by target, in the order of phis' operands */
  uint32_t *nth;      /* by edge: which of those of its target it is, from 0 */
  uint8_t *taken;     /* by edge */
  uint8_t *reached;   /* by block */
  uint32_t nblocks, nedges;
  ph_step step; /* the latest; */
  uint32_t i;   /* its next edge or operand, or (forward, of a phi) slot */
};

/*
** {== Memory =========================================================
*/

/* Takes n words; `words` NULL: only counts them. */
static uint32_t *take_words(uint32_t *words, size_t *used, size_t n) {
  uint32_t *at = words != NULL ? words + *used : NULL;
  *used += n;
  return at;
}

/* Divides the words, from *used on. */
static void lay_out(ph_solver *s, const ph_func *f, uint32_t *words,
                    size_t *used) {
  uint32_t *bits, *bytes;
  size_t nodes = f->nodes.n, blocks = f->blocks.n, edges = f->edges.n;
  bits = take_words(words, used, ph_agenda_words(f->nodes.n));
  s->at = take_words(words, used, nodes);
  s->position = take_words(words, used, nodes);
  s->waiting = take_words(words, used, nodes);
  s->chain = take_words(words, used, f->operands.n + (size_t)1);
  s->first_in = take_words(words, used, blocks + 1);
  s->in = take_words(words, used, edges);
  s->nth = take_words(words, used, edges);
  bytes = take_words(words, used, (edges + blocks) / sizeof(uint32_t) + 1);
  if (words == NULL) return;
  ph_agenda_init(&s->agenda, f->nodes.n, bits);
  s->taken = (uint8_t *)bytes;
  s->reached = s->taken + edges;
}

size_t ph_solver_size(ph_func *f) {
  ph_solver s;
  size_t words = 0;
  ph_body_settle(f);
  lay_out(&s, f, NULL, &words);
  return sizeof s + words * sizeof(uint32_t);
}

/* }== Positions ====================================================== */

static bool is_forward(const ph_solver *s) {
  return s->direction == PH_FORWARD;
}

static bool has_edges(const ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  return n->block != 0 && ph_blockrec_of(f, n->block)->nsuccs > 0 &&
         ph_blockrec_of(f, n->block)->last == v;
}

static void append(ph_solver *s, uint32_t v) { s->at[s->n++] = v; }

/* Appends the leaves, whose facts are needed before all others. */
static void append_leaves(ph_solver *s) {
  ph_func *f = s->f;
  for (uint32_t i = 0; i < f->params.n; i++) append(s, f->params.at[i]);
  for (uint32_t v = 1; v < f->nodes.n; v++) {
    ph_op op = ph_node_of(f, v)->op;
    if ((op == PH_CONST || op == PH_UNDEF) && ph_uses_find(f, v) != 0)
      append(s, v);
  }
}

static void append_block(ph_solver *s, uint32_t b) {
  const ph_func *f = s->f;
  PH_EACH_PHI(f, b, v) append(s, v);
  PH_EACH_INST(f, b, v) {
    if (!is_forward(s) || ph_node_of(f, v)->type != PH_NOTYPE ||
        has_edges(f, v))
      append(s, v);
  }
}

static void turn_round(ph_solver *s) {
  for (uint32_t i = 0, k = s->n; i + 1 < k; i++) {
    uint32_t v = s->at[--k];
    s->at[k] = s->at[i];
    s->at[i] = v;
  }
}

static void order(ph_solver *s) {
  ph_func *f = s->f;
  ph_arena_mark bottom = ph_scratch_enter(f);
  const ph_rpo *o = ph_rpo_compute(f, &f->scratch);
  if (is_forward(s)) append_leaves(s);
  for (uint32_t i = 0; i < o->count; i++) append_block(s, o->rpo[i]);
  ph_scratch_leave(f, bottom);
  if (!is_forward(s)) turn_round(s);
  for (uint32_t i = 0; i < s->n; i++) s->position[s->at[i]] = i;
}

static void index_edges(ph_solver *s) {
  const ph_func *f = s->f;
  uint32_t n = 0;
  for (uint32_t b = 1; b < f->blocks.n; b++) {
    s->first_in[b] = n;
    if (f->blocks.at[b].removed) continue;
    PH_EACH_PRED(f, b, e) {
      s->nth[e] = n - s->first_in[b];
      s->in[n++] = e;
    }
  }
}

/* }== The agenda ===================================================== */

static void queue(ph_solver *s, uint32_t v) {
  if (s->position[v] != NOWHERE) ph_agenda_add(&s->agenda, s->position[v]);
}

/* Operand i of a phi is new to it. */
static void queue_slot(ph_solver *s, uint32_t phi, uint32_t i) {
  uint32_t slot = ph_node_of(s->f, phi)->args + i + 1;
  if (s->chain[slot] != 0) return;
  s->chain[slot] = s->waiting[phi] != 0 ? s->waiting[phi] : LAST;
  s->waiting[phi] = slot;
  queue(s, phi);
}

static void reach(ph_solver *s, uint32_t b) {
  const ph_func *f = s->f;
  s->reached[b] = 1;
  PH_EACH_INST(f, b, v) {
    if (is_forward(s) || has_edges(f, v)) queue(s, v);
  }
}

void ph_solver_take(ph_solver *s) {
  const ph_func *f = s->f;
  uint32_t to;
  assert(s->step.kind == PH_STEP_EDGE && "the latest step is an edge");
  to = f->edges.at[s->step.edge].to;
  if (s->taken[s->step.edge]) return;
  s->taken[s->step.edge] = 1;
  if (!s->reached[to]) reach(s, to);
  if (!is_forward(s)) return;
  PH_EACH_PHI(f, to, v) queue_slot(s, v, s->nth[s->step.edge]);
}

static void queue_user(ph_solver *s, uint32_t user, uint32_t i) {
  const ph_node *n = ph_node_of(s->f, user);
  if (n->op != PH_PHI) {
    if (s->reached[n->block]) queue(s, user);
  } else if (s->taken[s->in[s->first_in[n->block] + i]]) {
    queue_slot(s, user, i);
  }
}

static void assert_current(const ph_solver *s) {
  assert(ph_func_version(s->f) == s->version && "f has not changed since");
  (void)s;
}

void ph_solver_changed(ph_solver *s, ph_value v) {
  uint32_t id;
  assert(ph_contract_hasvalue(s->f, v) && "a value of this function");
  assert_current(s);
  id = ph_body_resolve(s->f, v.id);
  if (!is_forward(s)) {
    if (s->reached[ph_node_of(s->f, id)->block]) queue(s, id);
    return;
  }
  for (uint32_t use = ph_uses_find(s->f, id); use != 0;
       use = ph_uses_next(s->f, ph_valueid(id), use))
    queue_user(s, ph_uses_user(s->f, use).id, ph_uses_index(s->f, use));
}

void ph_solver_revisit(ph_solver *s, ph_value v) {
  uint32_t id, b;
  assert(ph_contract_hasvalue(s->f, v) && "a value of this function");
  assert_current(s);
  id = ph_body_resolve(s->f, v.id);
  b = ph_node_of(s->f, id)->block;
  assert(ph_node_of(s->f, id)->op != PH_PHI && "not a phi");
  if (b == 0 || s->reached[b]) queue(s, id);
}

/* }== Steps ========================================================== */

/* Goes on with the edges of the terminator; false: none is left. */
static bool next_edge(ph_solver *s) {
  const ph_func *f = s->f;
  const ph_blockrec *b =
      ph_blockrec_of(f, ph_node_of(f, s->step.value.id)->block);
  while (s->i < b->nsuccs) {
    s->step.edge = b->first_succ + s->i++;
    if (!s->taken[s->step.edge]) return true;
  }
  return false;
}

/* Starts the step of what is at position p; false: it has nothing to do. */
static bool start(ph_solver *s, uint32_t p) {
  uint32_t v = s->at[p];
  bool is_phi = ph_node_of(s->f, v)->op == PH_PHI;
  s->step = (ph_step){PH_STEP_VALUE, ph_valueid(v), 0};
  s->i = 0;
  if (!s->evaluating && has_edges(s->f, v)) {
    s->step.kind = PH_STEP_EDGE;
    return next_edge(s);
  }
  if (is_phi && is_forward(s)) {
    s->step.kind = PH_STEP_JOIN;
    s->i = s->waiting[v];
    s->waiting[v] = 0;
  }
  return true;
}

/* Backward, once all edges are done. */
static void queue_values(ph_solver *s) {
  s->evaluating = true;
  for (uint32_t p = 0; p < s->n; p++)
    if (s->reached[ph_node_of(s->f, s->at[p])->block])
      ph_agenda_add(&s->agenda, p);
}

ph_step ph_solver_next(ph_solver *s) {
  const ph_step none = {PH_STEP_NONE, {0}, 0};
  uint32_t p;
  assert_current(s);
  if (s->step.kind == PH_STEP_EDGE && next_edge(s)) return s->step;
  for (;;) {
    while (ph_agenda_take(&s->agenda, &p))
      if (start(s, p)) return s->step;
    if (is_forward(s) || s->evaluating) return s->step = none;
    queue_values(s);
  }
}

static ph_value operand_of_list(ph_solver *s) {
  uint32_t slot = s->i;
  if (slot == 0) return ph_valueid(0);
  s->i = s->chain[slot] != LAST ? s->chain[slot] : 0;
  s->chain[slot] = 0;
  return ph_valueid(ph_body_resolve(s->f, s->f->operands.at[slot - 1]));
}

ph_value ph_solver_operand(ph_solver *s) {
  uint32_t v = s->step.value.id;
  const ph_node *n = ph_node_of(s->f, v);
  assert_current(s);
  if (s->step.kind == PH_STEP_JOIN) return operand_of_list(s);
  while (n->op == PH_PHI && s->i < n->nargs &&
         !s->taken[s->in[s->first_in[n->block] + s->i]])
    s->i++;
  if (s->i >= n->nargs) return ph_valueid(0);
  return ph_valueid(ph_body_operand(s->f, v, s->i++));
}

/* }=================================================================== */

ph_solver *ph_solver_init(ph_func *f, void *memory, ph_direction direction) {
  ph_solver *s = memory;
  size_t used = 0;
  assert(f->finished && "a finished function");
  ph_body_settle(f);
  ph_uses_find(f, 0);
  memset(memory, 0, ph_solver_size(f));
  s->f = f;
  s->direction = direction;
  s->version = ph_func_version(f);
  s->nblocks = f->blocks.n;
  s->nedges = f->edges.n;
  lay_out(s, f, (uint32_t *)(s + 1), &used);
  memset(s->position, 0xff, f->nodes.n * sizeof *s->position);
  index_edges(s);
  order(s);
  for (uint32_t p = 0; p < s->n && is_forward(s); p++)
    if (ph_node_of(f, s->at[p])->block == 0) ph_agenda_add(&s->agenda, p);
  reach(s, ph_block_entry(f).id);
  return s;
}

bool ph_solver_reached(const ph_solver *s, ph_block b) {
  return b.id < s->nblocks && s->reached[b.id];
}

bool ph_solver_taken(const ph_solver *s, uint32_t edge) {
  return edge < s->nedges && s->taken[edge];
}
