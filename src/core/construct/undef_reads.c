/* undef_reads.c: finds reads that may see no definition of their variable.
**
** Construction records the reads that got a phi or an undef (f->reads), and the
** variables for which some look-up found no definition (`missing`).  Such a
** read is undefined if it got undef, or a phi of its own variable that undef
** reaches through phis of the same variable.  A phi of another variable was
** assigned, and is the concern of that variable.  (An undef that was assigned
** is indistinguishable from a missing definition, unless writes make copies.)
** Of a function with an undef function, all reads of other blocks are recorded,
** and the writes decide.
**
** A witness is a path from the entry to the read on which the variable has no
** definition, found in linear time (docs/internals/analyses.md).
**
** To a read that gets nothing but undef, maybe no path writes the variable: only
** then its value does not say enough, and the writes decide.
**
** Requires: nothing; before `finish`, the answer is for the existing edges.
** Changes only the answers, in f->undef_reads.
*/
#include "core/construct/undef_reads.h"

#include "core/analysis/graph.h"
#include "core/analysis/reaching.h"
#include "core/analysis/rpo.h"
#include "core/ir/contract.h"
#include "core/lookup/state.h"
#include "phial/construct.h"

/* The last writes of blocks, and the last ends of variables: from variables to
** blocks. */
typedef struct {
  ph_pairs writes, kills;
} last_defs;

struct ph_undef_reads {
  ph_ids found; /* the last answer of ph_undef_reads_count: indices of reads */
  ph_ids path;  /* the last answer of ph_undef_reads_path: blocks */
  ph_ids tainted; /* by value: what reaches this phi, see below */
  last_defs kept; /* of missing variables, when construction has ended */
};

static ph_undef_reads *answers_of(ph_func *f) {
  if (f->undef_reads == NULL)
    f->undef_reads = ph_arena_zero(&f->arena, sizeof *f->undef_reads);
  return f->undef_reads;
}

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

/* What reaches a phi: undef, or something that its variable was assigned. */
enum { UNDEFINED = 1, DEFINED = 2 };

typedef struct {
  const ph_func *f;
  ph_arena *a;
  const ph_rpo *order;
  ph_pairs edges;    /* from phis to phis of the same variable; what is said of
                        phis here is true of lazy definitions, too */
  uint32_t *reached; /* by value: what reaches this phi */
  ph_ids todo;       /* worklist: phis that something else reaches now */
} spread;

static void reach_phi(spread *s, uint32_t phi, uint32_t what) {
  if ((s->reached[phi] | what) == s->reached[phi]) return;
  s->reached[phi] |= what;
  ph_ids_push(&s->todo, s->a, phi);
}

static void add_operand(spread *s, uint32_t phi, uint32_t v) {
  if (is_undef(s->f, v))
    reach_phi(s, phi, UNDEFINED);
  else if ((ph_body_iswhole(s->f, v) || is_lazy(s->f, v)) &&
           var_of(s->f, v) == var_of(s->f, phi))
    ph_csr_add(&s->edges, s->a, v, phi);
  else
    reach_phi(s, phi, DEFINED);
}

/* Ignores operands from unreachable blocks. */
static void add_phi(spread *s, uint32_t b, uint32_t phi) {
  const ph_func *f = s->f;
  uint32_t i = 0;
  if (!ph_body_iswhole(f, phi) || var_of(f, phi) == 0) return;
  PH_EACH_PRED(f, b, e) {
    uint32_t v = ph_body_operand(f, phi, i++);
    if (ph_rpo_isreached(s->order, ph_blockid(f->edges.at[e].from)))
      add_operand(s, phi, v);
  }
}

static void find_tainted(ph_func *f, const ph_rpo *o, ph_arena *a) {
  spread s = {f, a, o, {{0}, {0}}, NULL, {0}};
  ph_csr users;
  f->undef_reads->tainted.n = 0;
  ph_ids_extend(&f->undef_reads->tainted, &f->arena, f->nodes.n);
  s.reached = f->undef_reads->tainted.at;
  PH_EACH_BLOCK(f, b) {
    PH_EACH_PHI(f, b, v) add_phi(&s, b, v);
    if (f->refines) {
      PH_EACH_INST(s.f, b, v) {
        if (!is_lazy(s.f, v)) continue;
        add_operand(&s, v, ph_body_operand(s.f, v, 0));
        if (ph_node_of(s.f, v)->op != PH_REFINE) reach_phi(&s, v, DEFINED);
      }
    }
  }
  users = ph_csr_make(a, f->nodes.n, &s.edges);
  while (s.todo.n > 0) {
    uint32_t phi = s.todo.at[--s.todo.n];
    for (uint32_t e = users.first[phi]; e < users.first[phi + 1]; e++)
      reach_phi(&s, users.to[e], s.reached[phi]);
  }
}

static bool may_be_undef(const ph_func *f, uint32_t var, uint32_t v) {
  return is_undef(f, v) ||
         ((f->undef_reads->tainted.at[v] & UNDEFINED) && var_of(f, v) == var);
}

static bool must_be_undef(const ph_func *f, uint32_t var, uint32_t v) {
  return may_be_undef(f, var, v) && !(f->undef_reads->tainted.at[v] & DEFINED);
}

/* }== Writes =========================================================
**
** The values of a function with an undef function do not tell: its
** answer is a constant or a parameter like any other.  So its writes
** are asked, while it is constructed those in current_def, later those kept at
** the end.
*/

static void add_write(const ph_func *f, last_defs *l, ph_arena *a, uint32_t var,
                      uint32_t block, uint32_t value) {
  if (!f->vars.at[var].missing) return;
  if (value == PH_KILLED)
    ph_csr_add(&l->kills, a, var, block);
  else if (!(value & PH_MEMO))
    ph_csr_add(&l->writes, a, var, block);
}

/* Adds the writes in current_def. */
static void add_state(const ph_func *f, last_defs *l, ph_arena *a) {
  const ph_current_def *d = &f->state->defs;
  for (uint32_t i = 1; i < d->list.n; i++) {
    const ph_def *def = &d->list.at[i];
    add_write(f, l, a, def->var, def->block, def->value);
  }
  for (uint32_t var = 1; var < d->cells.n; var++) {
    const ph_cell *cell = &d->cells.at[var];
    if (cell->block != 0) add_write(f, l, a, var, cell->block, cell->value);
  }
}

void ph_undef_reads_keep(ph_func *f) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < f->reads.n; i++)
    if (f->vars.at[f->reads.at[i].var].missing)
      f->reads.at[kept++] = f->reads.at[i];
  f->reads.n = kept;
  if (f->options.undefs == PH_UNDEF_ASK && f->state != NULL)
    add_state(f, &answers_of(f)->kept, &f->arena);
}

static void add_pairs(ph_pairs *to, ph_arena *a, const ph_pairs *from) {
  for (uint32_t i = 0; i < from->from.n; i++)
    ph_csr_add(to, a, from->from.at[i], from->to.at[i]);
}

/* }== Where a variable has no value ==================================
**
** A variable is followed backwards from its reads, through blocks that do not
** write it, and then forwards from the entry through the blocks found: so the
** work is that of its liveness, not all blocks for each variable.
*/

/* Answers for one variable after the other. */
typedef struct {
  const ph_func *f;
  ph_arena *a;
  const ph_rpo *order;
  ph_csr writes;     /* by variable: the blocks that write it */
  ph_csr kills;      /* the same of blocks at whose end it has ended */
  uint32_t *writing; /* by block: the last variable known to be written there */
  uint32_t *killing; /* ... or to have ended there */
  uint32_t *near;    /* ... whose reads the block leads to, without a write */
  uint32_t *reached; /* ... that can be without a value at the block's start */
  ph_ids ends;       /* blocks where it ended, whose end leads to a read */
  ph_ids work;
  bool inverse; /* where it can be with a value; `ends` are writes */
} unwritten;

/* Prepares answers, in memory of a. */
static unwritten start_unwritten(const ph_func *f, ph_arena *a) {
  size_t size = f->blocks.n * sizeof(uint32_t);
  unwritten u = {.f = f, .a = a, .order = ph_rpo_compute(f, a)};
  last_defs l = {{{0}, {0}}, {{0}, {0}}};
  add_pairs(&l.writes, a, &f->undef_reads->kept.writes);
  add_pairs(&l.kills, a, &f->undef_reads->kept.kills);
  if (f->state != NULL) add_state(f, &l, a);
  u.writes = ph_csr_make(a, f->vars.n, &l.writes);
  u.kills = ph_csr_make(a, f->vars.n, &l.kills);
  u.writing = ph_arena_zero(a, size);
  u.killing = ph_arena_zero(a, size);
  u.near = ph_arena_zero(a, size);
  u.reached = ph_arena_zero(a, size);
  return u;
}

static void visit_block(unwritten *u, uint32_t *marks, uint32_t var,
                        uint32_t b) {
  if (marks[b] == var) return;
  marks[b] = var;
  ph_ids_push(&u->work, u->a, b);
}

static bool is_reached(const unwritten *u, uint32_t b) {
  return ph_rpo_isreached(u->order, ph_blockid(b));
}

static void go_on(unwritten *u, uint32_t var, uint32_t b) {
  const ph_blockrec *r = ph_blockrec_of(u->f, b);
  for (uint32_t i = 0; i < r->nsuccs; i++) {
    uint32_t to = u->f->edges.at[r->first_succ + i].to;
    if (u->near[to] == var) visit_block(u, u->reached, var, to);
  }
}

/* Finds those among them to which the entry, or an end of the variable, leads
** without a write; inversely, those to which a write leads. */
static void follow_forth(unwritten *u, uint32_t var) {
  if (u->near[1] == var && !u->inverse) visit_block(u, u->reached, var, 1);
  for (uint32_t i = 0; i < u->ends.n; i++)
    if (is_reached(u, u->ends.at[i])) go_on(u, var, u->ends.at[i]);
  while (u->work.n > 0) {
    uint32_t b = u->work.at[--u->work.n];
    if (u->writing[b] != var && u->killing[b] != var) go_on(u, var, b);
  }
}

static void mark_blocks(uint32_t *marks, const ph_csr *blocks, uint32_t var) {
  for (uint32_t i = blocks->first[var]; i < blocks->first[var + 1]; i++)
    marks[blocks->to[i]] = var;
}

/* Looks at var, which is read in n blocks before it is written there. */
static void find_unwritten(unwritten *u, uint32_t var, const uint32_t *blocks,
                           uint32_t n) {
  mark_blocks(u->writing, &u->writes, var);
  mark_blocks(u->killing, &u->kills, var);
  u->ends.n = 0;
  for (uint32_t i = 0; i < n; i++) visit_block(u, u->near, var, blocks[i]);
  while (u->work.n > 0) {
    uint32_t b = u->work.at[--u->work.n];
    PH_EACH_PRED(u->f, b, e) {
      uint32_t from = u->f->edges.at[e].from;
      bool kills = u->killing[from] == var, writes = u->writing[from] == var;
      if (u->inverse ? writes : kills)
        ph_ids_push(&u->ends, u->a, from);
      else if (!kills && !writes)
        visit_block(u, u->near, var, from);
    }
  }
  follow_forth(u, var);
}

/* }== Reads ========================================================== */

typedef bool is_bad(const ph_func *f, uint32_t var, uint32_t v);

/* Finds the reads whose values are bad, or (NULL) all that have been recorded of
** missing variables. */
static void find_by_values(ph_func *f, is_bad *bad) {
  const ph_rpo *o = ph_rpo_compute(f, &f->scratch);
  if (bad != NULL) find_tainted(f, o, &f->scratch);
  for (uint32_t i = 0; i < f->reads.n; i++) {
    const ph_readrec *r = &f->reads.at[i];
    if (f->vars.at[r->var].missing &&
        ph_rpo_isreached(o, ph_blockid(r->block)) &&
        (bad == NULL || bad(f, r->var, ph_body_resolve(f, r->value))))
      ph_ids_push(&f->undef_reads->found, &f->arena, i);
  }
}

/* Marks the reads of var that the entry reaches without a write; inversely,
** those that a write reaches. */
static void mark_unwritten(const ph_func *f, unwritten *u, uint32_t var,
                           const uint32_t *reads, uint32_t n, uint8_t *marks) {
  ph_ids blocks = {0};
  for (uint32_t i = 0; i < n; i++)
    ph_ids_push(&blocks, u->a, f->reads.at[reads[i]].block);
  find_unwritten(u, var, blocks.at, n);
  for (uint32_t i = 0; i < n; i++)
    marks[reads[i]] = f->reads.at[reads[i]].killed
                          ? !u->inverse
                          : u->reached[blocks.at[i]] == var;
}

/* Keeps those among the reads found that the entry reaches without a write;
** inversely, those that no write reaches. */
static void filter_by_writes(ph_func *f, bool inverse) {
  ph_arena *a = &f->scratch;
  ph_ids *found = &f->undef_reads->found;
  ph_pairs p = {{0}, {0}};
  ph_csr reads;
  unwritten u = start_unwritten(f, a);
  uint8_t *marks = ph_arena_zero(a, f->reads.n);
  uint32_t kept = 0;
  u.inverse = inverse;
  for (uint32_t i = 0; i < found->n; i++)
    ph_csr_add(&p, a, f->reads.at[found->at[i]].var, found->at[i]);
  reads = ph_csr_make(a, f->vars.n, &p);
  for (uint32_t var = 1; var < f->vars.n; var++) {
    uint32_t first = reads.first[var], n = reads.first[var + 1] - first;
    if (n > 0) mark_unwritten(f, &u, var, reads.to + first, n, marks);
  }
  for (uint32_t i = 0; i < found->n; i++)
    if (marks[found->at[i]] != inverse) found->at[kept++] = found->at[i];
  found->n = kept;
}

/* Forgets the last answer; true if reads can be found. */
static bool start_answer(ph_func *f) {
  uint32_t i = 0;
  answers_of(f)->found.n = 0;
  while (i < f->reads.n && !f->vars.at[f->reads.at[i].var].missing) i++;
  return i < f->reads.n;
}

uint32_t ph_undef_reads_count(ph_func *f) {
  bool asks = ph_ptr(f)->options.undefs == PH_UNDEF_ASK;
  ph_arena_mark bottom = ph_scratch_enter(f);
  if (start_answer(f)) {
    find_by_values(f, asks ? NULL : may_be_undef);
    if (asks) filter_by_writes(f, false);
  }
  ph_scratch_leave(f, bottom);
  return f->undef_reads->found.n;
}

uint32_t ph_undef_reads_unwritten(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(ph_ptr(f));
  ph_require(ph_contract_isopen(f) && "a function under construction");
  if (start_answer(f)) {
    find_by_values(f, must_be_undef);
    if (f->undef_reads->found.n > 0) filter_by_writes(f, true);
  }
  ph_scratch_leave(f, bottom);
  return f->undef_reads->found.n;
}

uint32_t ph_undef_reads_recorded(const ph_func *f) {
  return ph_ptr(f)->reads.n;
}

void ph_undef_reads_place(ph_func *f, uint32_t i) {
  for (; i < ph_ptr(f)->reads.n; i++) f->reads.at[i].here = f->here;
}

ph_read ph_undef_reads_at(const ph_func *f, uint32_t i) {
  ph_readrec r;
  ph_read read;
  ph_must(ph_ptr(f)->undef_reads != NULL && i < f->undef_reads->found.n &&
          "from 0 to ph_undef_reads_count - 1");
  r = f->reads.at[f->undef_reads->found.at[i]];
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

static void meet_block(walk *w, uint32_t b, uint32_t value, uint32_t next) {
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

/* Takes any path: the value has come to the read by way of another variable. */
static void take_any_path(ph_func *f, uint32_t to) {
  ph_ids path = ph_shortest_path_find(f, &f->scratch, 1, to, 0);
  for (uint32_t i = 0; i < path.n; i++)
    ph_ids_push(&f->undef_reads->path, &f->arena, path.at[i]);
}

static void path_by_values(ph_func *f, walk *w, const ph_readrec *r) {
  meet_block(w, r->block, ph_body_resolve(f, r->value), 0);
  while (w->done < w->met.n && w->value[1] == 0) {
    uint32_t b = w->met.at[w->done++], i = 0;
    uint32_t v = at_start(w->f, w->value[b], b);
    bool is_here = ph_node_of(w->f, v)->block == b;
    PH_EACH_PRED(w->f, b, e) {
      uint32_t value = is_here ? ph_body_operand(w->f, v, i++) : v;
      meet_block(w, w->f->edges.at[e].from, value, b);
    }
  }
  if (w->value[1] == 0) {
    take_any_path(f, r->block);
  } else {
    for (uint32_t b = 1; b != 0; b = w->next[b])
      ph_ids_push(&f->undef_reads->path, &f->arena, b);
  }
}

/* Walks back by writes to the entry or to a block where the variable ended, and
** returns it; *rest: the block after it, or 0.  `value` of a block that has
** been met is the variable. */
static uint32_t walk_unwritten(walk *w, const unwritten *u, uint32_t *rest) {
  while (w->done < w->met.n && w->value[1] == 0) {
    uint32_t b = w->met.at[w->done++];
    PH_EACH_PRED(w->f, b, e) {
      uint32_t from = w->f->edges.at[e].from;
      *rest = b;
      if (u->killing[from] == w->var && is_reached(u, from)) return from;
      if (w->value[from] != 0 || u->reached[from] != w->var) continue;
      w->value[from] = w->var;
      w->next[from] = b;
      ph_ids_push(&w->met, w->a, from);
    }
  }
  *rest = w->next[1];
  return 1;
}

static void path_by_writes(ph_func *f, walk *w, const ph_readrec *r) {
  unwritten u = start_unwritten(f, w->a);
  uint32_t start = r->block, rest = 0;
  find_unwritten(&u, w->var, &r->block, 1);
  if (!r->killed) {
    ph_ids_push(&w->met, w->a, r->block);
    w->value[r->block] = w->var;
    start = walk_unwritten(w, &u, &rest);
  }
  take_any_path(f, start);
  for (; rest != 0; rest = w->next[rest])
    ph_ids_push(&f->undef_reads->path, &f->arena, rest);
}

uint32_t ph_undef_reads_path(ph_func *f, uint32_t i) {
  ph_arena_mark bottom = ph_scratch_enter(ph_ptr(f));
  ph_arena *a = &f->scratch;
  ph_readrec r;
  walk w = {f, a, 0, NULL, NULL, {0}, 0};
  ph_must(f->undef_reads != NULL && i < f->undef_reads->found.n &&
          "from 0 to ph_undef_reads_count - 1");
  r = f->reads.at[f->undef_reads->found.at[i]];
  w.var = r.var;
  w.value = ph_arena_zero(a, f->blocks.n * sizeof(uint32_t));
  w.next = ph_arena_zero(a, f->blocks.n * sizeof(uint32_t));
  f->undef_reads->path.n = 0;
  if (f->options.undefs == PH_UNDEF_ASK)
    path_by_writes(f, &w, &r);
  else
    path_by_values(f, &w, &r);
  ph_scratch_leave(f, bottom);
  return f->undef_reads->path.n;
}

ph_block ph_undef_reads_step(const ph_func *f, uint32_t k) {
  ph_must(ph_ptr(f)->undef_reads != NULL && k < f->undef_reads->path.n &&
          "from 0 to ph_undef_reads_path - 1");
  return ph_blockid(f->undef_reads->path.at[k]);
}

/* }=================================================================== */
