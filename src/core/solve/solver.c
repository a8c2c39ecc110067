/* solver.c: what a sparse data-flow problem has to evaluate next.
**
** Everything that can be evaluated has a position in one order: leaves, then
** the blocks in reverse postorder, in each block the phis, the instructions and
** the terminator, which stands for the edges that leave the block (backward,
** the same in reverse).  The two worklists of Wegman and Zadeck are one agenda
** of positions.
**
** The agenda is worked off in sweeps from small to large.  What is added after
** the position taken last belongs to the same sweep; what is added before it
** waits for the next one.  So everything that an iteration over a loop finds
** reaches the loop's header at once, also the results of a thousand branches:
** by priority alone, the header would come next after each of them.  Positions
** are bits, in a tree with 32 children to a node: adding and taking cost as
** many steps as the tree has levels, whatever the distance.
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
#include "phial/solve.h"

/*
** {== The agenda =====================================================
*/

enum { BITS = 32, LEVELS = 7 }; /* of a word; for 2^32 numbers */

/* A tree of bits.  Level 0 has one for each number; a bit of another level says
** that a word of the level below is not 0. */
typedef struct {
  uint32_t *level[LEVELS];
  uint32_t depth; /* number of levels */
  uint32_t n;     /* the numbers are 0 .. n - 1 */
  uint32_t next;  /* the sweep goes on from here */
} bit_tree;

static uint32_t words_for(uint32_t n) { return n / BITS + (n % BITS != 0); }

/* Returns the number of words that an agenda for n numbers needs. */
static size_t agenda_words(uint32_t n) {
  size_t sum = 0;
  do {
    n = words_for(n);
    sum += n;
  } while (n > 1);
  return sum;
}

/* Makes an empty agenda; words: that many, all 0. */
static void agenda_init(bit_tree *a, uint32_t n, uint32_t *words) {
  a->n = n;
  a->next = 0;
  a->depth = 0;
  do {
    n = words_for(n);
    a->level[a->depth++] = words;
    words += n;
  } while (n > 1);
}

static void agenda_add(bit_tree *a, uint32_t i) {
  for (uint32_t l = 0; l < a->depth; l++, i /= BITS)
    a->level[l][i / BITS] |= (uint32_t)1 << i % BITS;
}

static void agenda_remove(bit_tree *a, uint32_t i) {
  for (uint32_t l = 0; l < a->depth; l++, i /= BITS) {
    a->level[l][i / BITS] &= ~((uint32_t)1 << i % BITS);
    if (a->level[l][i / BITS] != 0) return;
  }
}

/* Returns the number of the lowest bit of w, which is not 0 (de Bruijn). */
static uint32_t lowest_bit(uint32_t w) {
  static const uint8_t number[BITS] = {
      0,  1,  28, 2,  29, 14, 24, 3, 30, 22, 20, 15, 25, 17, 4,  8,
      31, 27, 13, 23, 21, 19, 16, 7, 26, 12, 18, 6,  11, 5,  10, 9};
  return number[((w & (~w + 1)) * UINT32_C(0x077CB531)) >> 27];
}

/* Returns the first number from i on, or n. */
static uint32_t first_from(const bit_tree *a, uint32_t i) {
  uint32_t l = 0, n = a->n;
  for (; l < a->depth; l++, n = words_for(n)) {
    uint32_t w = i < n ? a->level[l][i / BITS] >> i % BITS : 0;
    if (w != 0) {
      i += lowest_bit(w);
      break;
    }
    i = i / BITS + 1;
  }
  if (l == a->depth) return a->n;
  while (l > 0) i = i * BITS + lowest_bit(a->level[--l][i]);
  return i;
}

/* Takes out the first number of the sweep, or of the next one if this one is
** over; false: there is none. */
static bool agenda_take(bit_tree *a, uint32_t *i) {
  *i = first_from(a, a->next);
  if (*i == a->n && a->next > 0) *i = first_from(a, 0);
  if (*i == a->n) return false;
  agenda_remove(a, *i);
  a->next = *i + 1;
  return true;
}

/* }== Memory ========================================================= */

#define NOWHERE UINT32_MAX
#define LAST UINT32_MAX

struct ph_solver {
  ph_func *f;
  ph_direction direction;
  uint32_t version;   /* of f */
  bool evaluating;    /* backward: all edges are done, values have their turn */
  bit_tree agenda;    /* positions */
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
  uint8_t *needed;    /* by value: its fact is needed ... */
  bool chooses;       /* ... if not all are */
  uint32_t nblocks, nedges;
  ph_step step;     /* the latest; */
  uint32_t i;       /* its next edge or operand, or (forward, of a phi) slot */
  uint32_t words[]; /* the memory of all lists */
};

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
  bits = take_words(words, used, agenda_words(f->nodes.n));
  s->at = take_words(words, used, nodes);
  s->position = take_words(words, used, nodes);
  s->waiting = take_words(words, used, nodes);
  s->chain = take_words(words, used, f->operands.n + (size_t)1);
  s->first_in = take_words(words, used, blocks + 1);
  s->in = take_words(words, used, edges);
  s->nth = take_words(words, used, edges);
  bytes =
      take_words(words, used, (edges + blocks + nodes) / sizeof(uint32_t) + 1);
  if (words == NULL) return;
  agenda_init(&s->agenda, f->nodes.n, bits);
  s->taken = (uint8_t *)bytes;
  s->reached = s->taken + edges;
  s->needed = s->reached + blocks;
}

size_t ph_solver_size(ph_func *f) {
  ph_solver s;
  size_t words = 0;
  ph_body_settle(ph_ptr(f));
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

static void append_position(ph_solver *s, uint32_t v) { s->at[s->n++] = v; }

/* Appends the leaves, whose facts are needed before all others. */
static void append_leaves(ph_solver *s) {
  ph_func *f = s->f;
  for (uint32_t i = 0; i < f->params.n; i++)
    append_position(s, f->params.at[i]);
  for (uint32_t v = 1; v < f->nodes.n; v++) {
    ph_op op = ph_node_of(f, v)->op;
    if ((op == PH_CONST || op == PH_UNDEF) && ph_uses_find(f, v) != 0)
      append_position(s, v);
  }
}

static void append_block(ph_solver *s, uint32_t b) {
  const ph_func *f = s->f;
  PH_EACH_PHI(f, b, v) append_position(s, v);
  PH_EACH_INST(f, b, v) {
    if (!is_forward(s) || ph_node_of(f, v)->type != PH_NOTYPE ||
        has_edges(f, v))
      append_position(s, v);
  }
}

static void order_positions(ph_solver *s) {
  ph_func *f = s->f;
  ph_arena_mark bottom = ph_scratch_enter(f);
  const ph_rpo *o = ph_rpo_compute(f, &f->scratch);
  if (is_forward(s)) append_leaves(s);
  for (uint32_t i = 0; i < o->count; i++) append_block(s, o->rpo[i]);
  ph_scratch_leave(f, bottom);
  if (!is_forward(s)) {
    for (uint32_t i = 0, k = s->n; i + 1 < k; i++) {
      uint32_t v = s->at[--k];
      s->at[k] = s->at[i];
      s->at[i] = v;
    }
  }
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

/* }== Adding to the agenda =========================================== */

static void queue_value(ph_solver *s, uint32_t v) {
  if (s->position[v] != NOWHERE) agenda_add(&s->agenda, s->position[v]);
}

/* Operand i of a phi is new to it. */
static void queue_slot(ph_solver *s, uint32_t phi, uint32_t i) {
  uint32_t slot = ph_node_of(s->f, phi)->args + i + 1;
  if (s->chain[slot] != 0) return;
  s->chain[slot] = s->waiting[phi] != 0 ? s->waiting[phi] : LAST;
  s->waiting[phi] = slot;
  queue_value(s, phi);
}

static void reach_block(ph_solver *s, uint32_t b) {
  const ph_func *f = s->f;
  s->reached[b] = 1;
  PH_EACH_INST(f, b, v) {
    if (is_forward(s) || has_edges(f, v)) queue_value(s, v);
  }
}

void ph_solver_take(ph_solver *s) {
  const ph_func *f = ph_ptr(s)->f;
  uint32_t to;
  ph_must(s->step.kind == PH_STEP_EDGE && "the latest step is an edge");
  to = f->edges.at[s->step.edge].to;
  if (s->taken[s->step.edge]) return;
  s->taken[s->step.edge] = 1;
  if (!s->reached[to]) reach_block(s, to);
  if (!is_forward(s)) return;
  PH_EACH_PHI(f, to, v) queue_slot(s, v, s->nth[s->step.edge]);
}

static void assert_current(const ph_solver *s) {
  ph_must(ph_func_version(s->f) == s->version && "f has not changed since");
  (void)s;
}

void ph_solver_changed(ph_solver *s, ph_value v) {
  uint32_t id;
  ph_must(ph_contract_hasvalue(ph_ptr(s)->f, v) && "a value of this function");
  assert_current(s);
  id = ph_body_resolve(s->f, v.id);
  if (!is_forward(s)) {
    if (s->reached[ph_node_of(s->f, id)->block]) queue_value(s, id);
    return;
  }
  PH_EACH_USE(s->f, id, use) {
    uint32_t user = ph_uses_user(s->f, use).id;
    uint32_t i = ph_uses_index(s->f, use);
    const ph_node *n = ph_node_of(s->f, user);
    if (n->op != PH_PHI) {
      if (s->reached[n->block]) queue_value(s, user);
    } else if (s->taken[s->in[s->first_in[n->block] + i]]) {
      queue_slot(s, user, i);
    }
  }
}

void ph_solver_revisit(ph_solver *s, ph_value v) {
  uint32_t id, b;
  ph_must(ph_contract_hasvalue(ph_ptr(s)->f, v) && "a value of this function");
  assert_current(s);
  id = ph_body_resolve(s->f, v.id);
  b = ph_node_of(s->f, id)->block;
  ph_must(ph_node_of(s->f, id)->op != PH_PHI && "not a phi");
  if (b == 0 || s->reached[b]) queue_value(s, id);
}

void ph_solver_need(ph_solver *s, ph_value v) {
  ph_func *f = ph_ptr(s)->f;
  ph_arena_mark bottom = ph_scratch_enter(f);
  ph_ids todo = {0};
  ph_must((!ph_some(v) || ph_contract_hasvalue(f, v)) &&
          "a value of this function, or none");
  ph_must(is_forward(s) && "facts flow from operands");
  assert_current(s);
  s->chooses = true;
  if (ph_some(v)) ph_ids_push(&todo, &f->scratch, ph_body_resolve(f, v.id));
  while (todo.n > 0) {
    uint32_t w = todo.at[--todo.n], b = ph_node_of(f, w)->block;
    if (s->needed[w]) continue;
    s->needed[w] = 1;
    if (b == 0 || s->reached[b]) queue_value(s, w);
    for (uint32_t i = 0; i < ph_node_of(f, w)->nargs; i++)
      ph_ids_push(&todo, &f->scratch, ph_body_operand(f, w, i));
  }
  ph_scratch_leave(f, bottom);
}

bool ph_solver_isneeded(const ph_solver *s, ph_value v) {
  ph_must(ph_contract_hasvalue(ph_ptr(s)->f, v) && "a value of this function");
  return !s->chooses || s->needed[ph_body_resolve(s->f, v.id)];
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
static bool start_step(ph_solver *s, uint32_t p) {
  uint32_t v = s->at[p];
  bool is_phi = ph_node_of(s->f, v)->op == PH_PHI;
  s->step = (ph_step){PH_STEP_VALUE, ph_valueid(v), 0};
  s->i = 0;
  if (!s->evaluating && has_edges(s->f, v)) {
    s->step.kind = PH_STEP_EDGE;
    return next_edge(s);
  }
  if (s->chooses && !s->needed[v]) return false;
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
      agenda_add(&s->agenda, p);
}

ph_step ph_solver_next(ph_solver *s) {
  const ph_step none = {PH_STEP_NONE, {0}, 0};
  uint32_t p;
  assert_current(ph_ptr(s));
  if (s->step.kind == PH_STEP_EDGE && next_edge(s)) return s->step;
  for (;;) {
    while (agenda_take(&s->agenda, &p))
      if (start_step(s, p)) return s->step;
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
  uint32_t v = ph_ptr(s)->step.value.id;
  const ph_node *n = ph_node_of(s->f, v);
  assert_current(s);
  if (s->step.kind == PH_STEP_JOIN) return operand_of_list(s);
  while (n->op == PH_PHI && s->i < n->nargs &&
         !s->taken[s->in[s->first_in[n->block] + s->i]])
    s->i++;
  if (s->i >= n->nargs) return ph_valueid(0);
  return ph_valueid(ph_body_operand(s->f, v, s->i++));
}

/* }== Interface ====================================================== */

ph_solver *ph_solver_init(ph_func *f, void *memory, ph_direction direction) {
  ph_solver *s = ph_ptr(memory);
  size_t used = 0;
  ph_must(ph_ptr(f)->finished && "a finished function");
  ph_body_settle(f);
  ph_uses_find(f, 0);
  memset(memory, 0, ph_solver_size(f));
  s->f = f;
  s->direction = direction;
  s->version = ph_func_version(f);
  s->nblocks = f->blocks.n;
  s->nedges = f->edges.n;
  lay_out(s, f, s->words, &used);
  memset(s->position, 0xff, f->nodes.n * sizeof *s->position);
  index_edges(s);
  order_positions(s);
  for (uint32_t p = 0; p < s->n && is_forward(s); p++)
    if (ph_node_of(f, s->at[p])->block == 0) agenda_add(&s->agenda, p);
  reach_block(s, ph_block_entry(f).id);
  return s;
}

bool ph_solver_isreached(const ph_solver *s, ph_block b) {
  return b.id < ph_ptr(s)->nblocks && s->reached[b.id];
}

bool ph_solver_istaken(const ph_solver *s, uint32_t edge) {
  return edge < ph_ptr(s)->nedges && s->taken[edge];
}

/* }=================================================================== */
