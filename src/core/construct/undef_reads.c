/* undef_reads.c: finds reads that may see no definition of their variable.
**
** Construction records the reads that got a phi or an undef (f->reads), and the
** variables for which some look-up found no definition (`missing`).  Such a
** read is undefined if it got undef, or a phi of its own variable that undef
** reaches through phis of the same variable.  A phi of another variable was
** assigned, and is the concern of that variable.  (An undef that was assigned
** is indistinguishable from a missing definition, unless writes make copies.)
** Of a function with an undef function, all reads of other blocks are recorded,
** and the writes decide (unwritten.c).
**
** A witness is a path from the entry to the read on which the variable has no
** definition, found in linear time (docs/internals/analyses.md).
**
** Requires: nothing; before `finish`, the answer is for the existing edges.
** Changes only f->undefined and f->path, the answers.
*/
#include <assert.h>

#include "core/analysis/graph.h"
#include "core/analysis/rpo.h"
#include "core/analysis/reaching.h"
#include "core/construct/unwritten.h"
#include "core/ir/body.h"
#include "phial/construct.h"

static bool is_undef(const ph_func *f, uint32_t v) {
  return ph_node_of(f, v)->op == PH_UNDEF;
}

/* True if v is the value of a lazy definition: its variable is undefined there
** if operand 0 is. */
static bool is_lazy(const ph_func *f, uint32_t v) {
  return (ph_node_of(f, v)->flags & PH_IS_LAZY) != 0;
}

/* Returns the variable of a phi or lazy definition. */
static uint32_t var_of(const ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  return n->op == PH_PHI ? f->phis.at[n->aux].var : n->aux;
}

/*
** {== Phis that undef reaches ========================================
*/

typedef struct {
  const ph_func *f;
  ph_arena *a;
  const ph_rpo *order;
  ph_pairs edges;    /* from phis to phis of the same variable; what is said of
                        phis here is true of lazy definitions, too */
  uint32_t *reached; /* by value: 1 if undef reaches this phi, else 0 */
  ph_ids todo;       /* worklist: phis that undef reaches */
} spread;

static void reach(spread *s, uint32_t phi) {
  if (s->reached[phi]) return;
  s->reached[phi] = 1;
  ph_ids_push(&s->todo, s->a, phi);
}

static void add_operand(spread *s, uint32_t phi, uint32_t v) {
  if (is_undef(s->f, v))
    reach(s, phi);
  else if ((ph_body_iswhole(s->f, v) || is_lazy(s->f, v)) &&
           var_of(s->f, v) == var_of(s->f, phi))
    ph_csr_add(&s->edges, s->a, v, phi);
}

/* Ignores operands from unreachable blocks. */
static void add_phi(spread *s, uint32_t b, uint32_t phi) {
  const ph_func *f = s->f;
  uint32_t i = 0;
  if (!ph_body_iswhole(f, phi) || var_of(f, phi) == 0) return;
  PH_EACH_PRED(f, b, e) {
    uint32_t v = ph_body_operand(f, phi, i++);
    if (ph_rpo_reached(s->order, ph_blockid(f->edges.at[e].from)))
      add_operand(s, phi, v);
  }
}

static void add_lazy(spread *s, uint32_t b) {
  PH_EACH_INST(s->f, b, v) {
    if (is_lazy(s->f, v)) add_operand(s, v, ph_body_operand(s->f, v, 0));
  }
}

static void find_tainted(ph_func *f, const ph_rpo *o, ph_arena *a) {
  spread s = {f, a, o, {{0}, {0}}, NULL, {0}};
  ph_csr users;
  f->tainted.n = 0;
  ph_ids_extend(&f->tainted, &f->arena, f->nodes.n);
  s.reached = f->tainted.at;
  PH_EACH_BLOCK(f, b) {
    PH_EACH_PHI(f, b, v) add_phi(&s, b, v);
    if (f->refines) add_lazy(&s, b);
  }
  users = ph_csr_make(a, f->nodes.n, &s.edges);
  while (s.todo.n > 0) {
    uint32_t phi = s.todo.at[--s.todo.n];
    for (uint32_t e = users.first[phi]; e < users.first[phi + 1]; e++)
      reach(&s, users.to[e]);
  }
}

static bool may_be_undef(const ph_func *f, uint32_t var, uint32_t v) {
  return is_undef(f, v) || (f->tainted.at[v] != 0 && var_of(f, v) == var);
}

/* }== Reads ========================================================== */

static bool is_undefined(const ph_func *f, const ph_rpo *o,
                         const ph_readrec *r) {
  return f->vars.at[r->var].missing &&
         ph_rpo_reached(o, ph_blockid(r->block)) &&
         may_be_undef(f, r->var, ph_body_resolve(f, r->value));
}

static void count_by_values(ph_func *f) {
  const ph_rpo *o = ph_rpo_compute(f, &f->scratch);
  find_tainted(f, o, &f->scratch);
  for (uint32_t i = 0; i < f->reads.n; i++)
    if (is_undefined(f, o, &f->reads.at[i]))
      ph_ids_push(&f->undefined, &f->arena, i);
}

/* The blocks of recorded reads, by variable: those of missing ones. */
static ph_csr group_reads(const ph_func *f, ph_arena *a) {
  ph_pairs p = {{0}, {0}};
  for (uint32_t i = 0; i < f->reads.n; i++)
    if (f->vars.at[f->reads.at[i].var].missing)
      ph_csr_add(&p, a, f->reads.at[i].var, i);
  return ph_csr_make(a, f->vars.n, &p);
}

/* Marks the reads of var that the entry reaches without a write. */
static void mark_unwritten(const ph_func *f, ph_unwritten *u, uint32_t var,
                           const uint32_t *reads, uint32_t n, uint8_t *marks) {
  ph_ids blocks = {0};
  for (uint32_t i = 0; i < n; i++)
    ph_ids_push(&blocks, u->a, f->reads.at[reads[i]].block);
  ph_unwritten_find(u, var, blocks.at, n);
  for (uint32_t i = 0; i < n; i++)
    marks[reads[i]] =
        f->reads.at[reads[i]].killed || ph_unwritten_at(u, var, blocks.at[i]);
}

static void count_by_writes(ph_func *f) {
  ph_arena *a = &f->scratch;
  ph_csr reads = group_reads(f, a);
  ph_unwritten u = ph_unwritten_start(f, a);
  uint8_t *marks = ph_arena_zero(a, f->reads.n);
  const ph_rpo *o = ph_rpo_compute(f, a);
  for (uint32_t var = 1; var < f->vars.n; var++) {
    uint32_t first = reads.first[var], n = reads.first[var + 1] - first;
    if (n > 0) mark_unwritten(f, &u, var, reads.to + first, n, marks);
  }
  for (uint32_t i = 0; i < f->reads.n; i++)
    if (marks[i] && ph_rpo_reached(o, ph_blockid(f->reads.at[i].block)))
      ph_ids_push(&f->undefined, &f->arena, i);
}

uint32_t ph_undef_reads_count(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  f->undefined.n = 0;
  if (f->reads.n > 0 && f->options.undefs == PH_UNDEF_ASK)
    count_by_writes(f);
  else if (f->reads.n > 0)
    count_by_values(f);
  ph_scratch_leave(f, bottom);
  return f->undefined.n;
}

ph_read ph_undef_reads_at(const ph_func *f, uint32_t i) {
  ph_readrec r;
  ph_read read;
  assert(i < f->undefined.n && "from 0 to ph_undef_reads_count - 1");
  r = f->reads.at[f->undefined.at[i]];
  read.var = (ph_var){r.var};
  read.block = ph_blockid(r.block);
  read.here = f->places.at[r.here];
  read.loc = f->places.at[r.loc];
  return read;
}

/* }== Paths ========================================================== */

typedef struct {
  const ph_func *f;
  ph_arena *a;
  uint32_t var;
  uint32_t *value; /* by block: the variable's value at its end; 0: not met */
  uint32_t *next;  /* by block: the next one on the path to the read */
  ph_ids met;      /* worklist; those before `done` have been examined */
  uint32_t done;
} walk;

static void meet(walk *w, uint32_t b, uint32_t value, uint32_t next) {
  if (w->value[b] != 0 || !may_be_undef(w->f, w->var, value)) return;
  w->value[b] = value;
  w->next[b] = next;
  ph_ids_push(&w->met, w->a, b);
}

/* Returns what the variable, which is v at the end of b, is at its start, or
** the phi there. */
static uint32_t at_start(const ph_func *f, uint32_t v, uint32_t b) {
  while (is_lazy(f, v) && ph_node_of(f, v)->block == b)
    v = ph_body_operand(f, v, 0);
  return v;
}

static void walk_back(walk *w) {
  while (w->done < w->met.n && w->value[1] == 0) {
    uint32_t b = w->met.at[w->done++], i = 0;
    uint32_t v = at_start(w->f, w->value[b], b);
    bool is_here = ph_node_of(w->f, v)->block == b;
    PH_EACH_PRED(w->f, b, e) {
      uint32_t value = is_here ? ph_body_operand(w->f, v, i++) : v;
      meet(w, w->f->edges.at[e].from, value, b);
    }
  }
}

/* Takes any path: the value has come to the read by way of another variable. */
static void take_any_path(ph_func *f, uint32_t to) {
  ph_ids path = ph_shortest_path_find(f, &f->scratch, 1, to, 0);
  for (uint32_t i = 0; i < path.n; i++)
    ph_ids_push(&f->path, &f->arena, path.at[i]);
}

static void add_path(ph_func *f, const walk *w) {
  for (uint32_t b = 1; b != 0; b = w->next[b])
    ph_ids_push(&f->path, &f->arena, b);
}

static void path_by_values(ph_func *f, walk *w, const ph_readrec *r) {
  meet(w, r->block, ph_body_resolve(f, r->value), 0);
  walk_back(w);
  if (w->value[1] == 0)
    take_any_path(f, r->block);
  else
    add_path(f, w);
}

/* True if var, which does not end in `from`, can be without a value there. */
static bool lacks_value(const ph_unwritten *u, uint32_t var, uint32_t from) {
  return ph_unwritten_at(u, var, from) && !ph_unwritten_ends(u, var, from);
}

/* Walks back by writes to the entry or to a block where the variable ended, and
** returns it; *rest: the block after it, or 0.  `value` of a block that has
** been met is the variable. */
static uint32_t walk_unwritten(walk *w, const ph_unwritten *u, uint32_t *rest) {
  while (w->done < w->met.n && w->value[1] == 0) {
    uint32_t b = w->met.at[w->done++];
    PH_EACH_PRED(w->f, b, e) {
      uint32_t from = w->f->edges.at[e].from;
      *rest = b;
      if (ph_unwritten_kills(u, w->var, from)) return from;
      if (w->value[from] != 0 || !lacks_value(u, w->var, from)) continue;
      w->value[from] = w->var;
      w->next[from] = b;
      ph_ids_push(&w->met, w->a, from);
    }
  }
  *rest = w->next[1];
  return 1;
}

static void path_by_writes(ph_func *f, walk *w, const ph_readrec *r) {
  ph_unwritten u = ph_unwritten_start(f, w->a);
  uint32_t start = r->block, rest = 0;
  ph_unwritten_find(&u, w->var, &r->block, 1);
  if (!r->killed) {
    ph_ids_push(&w->met, w->a, r->block);
    w->value[r->block] = w->var;
    start = walk_unwritten(w, &u, &rest);
  }
  take_any_path(f, start);
  for (; rest != 0; rest = w->next[rest])
    ph_ids_push(&f->path, &f->arena, rest);
}

uint32_t ph_undef_reads_path(ph_func *f, uint32_t i) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  ph_arena *a = &f->scratch;
  ph_readrec r;
  walk w = {f, a, 0, NULL, NULL, {0}, 0};
  assert(i < f->undefined.n && "from 0 to ph_undef_reads_count - 1");
  r = f->reads.at[f->undefined.at[i]];
  w.var = r.var;
  w.value = ph_arena_zero(a, f->blocks.n * sizeof(uint32_t));
  w.next = ph_arena_zero(a, f->blocks.n * sizeof(uint32_t));
  f->path.n = 0;
  if (f->options.undefs == PH_UNDEF_ASK)
    path_by_writes(f, &w, &r);
  else
    path_by_values(f, &w, &r);
  ph_scratch_leave(f, bottom);
  return f->path.n;
}

ph_block ph_undef_reads_step(const ph_func *f, uint32_t k) {
  assert(k < f->path.n && "from 0 to ph_undef_reads_path - 1");
  return ph_blockid(f->path.at[k]);
}

/* }=================================================================== */
