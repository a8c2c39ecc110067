/* needed.c: the values that something needs, and how often code uses them.
**
** Roots are needed, and so are the operands of what is needed.  So unused
** cycles of phis are not, which counting all uses would keep.  What the roots
** are depends on who asks: code that has an effect (dce.c, emitters), reads and
** instructions (dce.c, for phis), all instructions (leave.c).
**
** A value enters the worklist when it becomes needed, so each operand of a
** needed value is met once, and can be counted then.
**
** Requires: nothing.  Changes nothing.
*/
#include "core/analysis/needed.h"

#include "phial/analysis.h"

/* Uses of a value by needed ones, in the block that computes it and in
** others. */
typedef struct {
  uint32_t near, far;
} use_count;

struct ph_needed {
  uint32_t n;        /* the number of values, and 1 */
  bool *needed;      /* by value */
  use_count *counts; /* by value */
};

typedef struct {
  const ph_func *f;
  ph_arena *a;
  const ph_rpo *o;
  ph_needed_roots roots;
  bool *needed;      /* by value */
  use_count *counts; /* by value; NULL: uses are not counted */
  ph_ids todo;       /* worklist: needed values to be visited */
} marking;

static void count_operands(marking *m, uint32_t v);

static inline void mark_value(marking *m, uint32_t v) {
  if (m->needed[v]) return;
  m->needed[v] = true;
  ph_ids_push(&m->todo, m->a, v);
}

static void mark_operands(marking *m, uint32_t v) {
  for (uint32_t i = 0; i < ph_node_of(m->f, v)->nargs; i++)
    mark_value(m, ph_body_operand(m->f, v, i));
}

static void mark_roots(marking *m, uint32_t first) {
  for (uint32_t v = first; v != 0; v = ph_node_of(m->f, v)->next)
    if (ph_needed_isroot(m->f, m->roots, v)) mark_value(m, v);
}

/* Marks all that is needed. */
static void mark_all(marking *m) {
  m->needed = ph_arena_zero(m->a, m->f->nodes.n * sizeof *m->needed);
  PH_EACH_BLOCK(m->f, b) {
    if (!ph_rpo_counts(m->o, b)) continue;
    mark_roots(m, ph_blockrec_of(m->f, b)->first_phi);
    mark_roots(m, ph_blockrec_of(m->f, b)->first);
  }
  while (m->todo.n > 0) {
    uint32_t v = m->todo.at[--m->todo.n];
    if (m->counts != NULL)
      count_operands(m, v);
    else
      mark_operands(m, v);
  }
}

bool *ph_needed_find(const ph_func *f, ph_arena *a, const ph_rpo *o,
                     ph_needed_roots roots) {
  marking m = {f, a, o, roots, NULL, NULL, {0}};
  mark_all(&m);
  return m.needed;
}

/*
** {== Counting =======================================================
*/

/* Returns the block that computes v; 0: none does. */
static uint32_t block_of(const ph_func *f, uint32_t v) {
  ph_op op = ph_node_of(f, v)->op;
  if (op == PH_PARAM) return ph_block_entry(f).id;
  return ph_node_of(f, op == PH_PROJ ? ph_body_operand(f, v, 0) : v)->block;
}

/* Counts operand i of `user`, which is used in block `where`. */
static void count_use(marking *m, uint32_t user, uint32_t i, uint32_t where) {
  uint32_t v = ph_body_operand(m->f, user, i);
  if (block_of(m->f, v) == where)
    m->counts[v].near++;
  else
    m->counts[v].far++;
  mark_value(m, v);
}

/* Operands of phis are used where the edges come from. */
static void count_operands(marking *m, uint32_t v) {
  const ph_node *n = ph_node_of(m->f, v);
  uint32_t nargs = n->op == PH_REFINE ? 1 : n->nargs, k = 0;
  if (n->op == PH_PROJ) return;
  if (n->op != PH_PHI) {
    for (uint32_t i = 0; i < nargs; i++) count_use(m, v, i, n->block);
    return;
  }
  PH_EACH_PRED(m->f, n->block, e) {
    if (k == n->nargs) break; /* it still waits for operands */
    uint32_t from = m->f->edges.at[e].from;
    if (ph_rpo_counts(m->o, from)) count_use(m, v, k, from);
    k++;
  }
}

const ph_needed *ph_needed_new(ph_func *f) {
  ph_arena *a = ph_asking_enter(f, &ph_ptr(f)->asking_code);
  ph_needed *n = ph_arena_zero(a, sizeof *n);
  marking m = {f, a, ph_rpo_compute(f, a), PH_ROOTS_RUN, NULL, NULL, {0}};
  n->counts = m.counts = ph_arena_zero(a, f->nodes.n * sizeof *m.counts);
  mark_all(&m);
  n->needed = m.needed;
  n->n = f->nodes.n;
  ph_asking_leave(&f->asking_code);
  return n;
}

bool ph_needed_has(const ph_needed *n, ph_value v) {
  ph_must(v.id < ph_ptr(n)->n && "a value of the function");
  return n->needed[v.id];
}

uint32_t ph_needed_near(const ph_needed *n, ph_value v) {
  ph_must(v.id < ph_ptr(n)->n && "a value of the function");
  return n->counts[v.id].near;
}

uint32_t ph_needed_far(const ph_needed *n, ph_value v) {
  ph_must(v.id < ph_ptr(n)->n && "a value of the function");
  return n->counts[v.id].far;
}

/* }=================================================================== */
