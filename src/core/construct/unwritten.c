/* unwritten.c: where a variable can be without a value, by its writes.
**
** The values of a function with an undef function do not tell: what that
** function answers is a constant or a parameter like any other.  So its writes
** are asked, while it is constructed those in current_def, later those kept at
** the end.
**
** A variable is followed backwards from its reads, through blocks that do not
** write it, and then forwards from the entry through the blocks found: so the
** work is that of its liveness, not all blocks for each variable.
**
** Requires: option PH_UNDEF_ASK.
*/
#include "core/construct/unwritten.h"

#include "core/analysis/rpo.h"
#include "core/lookup/state.h"

/*
** {== Writes =========================================================
*/

/* The last writes of blocks, and the last ends of variables. */
typedef struct {
  ph_pairs writes, kills;
} lists;

static void add(const ph_func *f, lists *l, ph_arena *a, uint32_t var,
                uint32_t block, uint32_t value) {
  if (!f->vars.at[var].missing) return;
  if (value == PH_KILLED)
    ph_csr_add(&l->kills, a, var, block);
  else if (!(value & PH_MEMO))
    ph_csr_add(&l->writes, a, var, block);
}

/* Adds the writes in current_def. */
static void add_state(const ph_func *f, lists *l, ph_arena *a) {
  const ph_current_def *d = &f->state->defs;
  for (uint32_t i = 1; i < d->list.n; i++) {
    const ph_def *def = &d->list.at[i];
    add(f, l, a, def->var, def->block, def->value);
  }
  for (uint32_t var = 1; var < d->cells.n; var++) {
    const ph_cell *cell = &d->cells.at[var];
    if (cell->block != 0) add(f, l, a, var, cell->block, cell->value);
  }
}

void ph_unwritten_keep(ph_func *f) {
  lists l = {{f->write_vars, f->write_blocks}, {f->kill_vars, f->kill_blocks}};
  if (f->options.undefs != PH_UNDEF_ASK || f->state == NULL) return;
  add_state(f, &l, &f->arena);
  f->write_vars = l.writes.from;
  f->write_blocks = l.writes.to;
  f->kill_vars = l.kills.from;
  f->kill_blocks = l.kills.to;
}

static void add_kept(ph_pairs *p, ph_arena *a, const ph_ids *vars,
                     const ph_ids *blocks) {
  for (uint32_t i = 0; i < vars->n; i++)
    ph_csr_add(p, a, vars->at[i], blocks->at[i]);
}

/* No path ends a variable in an unreachable block: what is there counts as
** written. */
static void drop_unreached(const ph_func *f, lists *l, ph_arena *a) {
  ph_pairs all = l->kills;
  const ph_rpo *o;
  if (all.from.n == 0) return;
  o = ph_rpo_compute(f, a);
  l->kills = (ph_pairs){{0}, {0}};
  for (uint32_t i = 0; i < all.from.n; i++) {
    bool reached = ph_rpo_reached(o, ph_blockid(all.to.at[i]));
    ph_csr_add(reached ? &l->kills : &l->writes, a, all.from.at[i],
               all.to.at[i]);
  }
}

ph_unwritten ph_unwritten_start(const ph_func *f, ph_arena *a) {
  size_t size = f->blocks.n * sizeof(uint32_t);
  ph_unwritten u = {.f = f, .a = a};
  lists l = {{{0}, {0}}, {{0}, {0}}};
  add_kept(&l.writes, a, &f->write_vars, &f->write_blocks);
  add_kept(&l.kills, a, &f->kill_vars, &f->kill_blocks);
  if (f->state != NULL) add_state(f, &l, a);
  drop_unreached(f, &l, a);
  u.writes = ph_csr_make(a, f->vars.n, &l.writes);
  u.kills = ph_csr_make(a, f->vars.n, &l.kills);
  u.writing = ph_arena_zero(a, size);
  u.killing = ph_arena_zero(a, size);
  u.near = ph_arena_zero(a, size);
  u.reached = ph_arena_zero(a, size);
  return u;
}

/* }== Following ====================================================== */

static void visit(ph_unwritten *u, uint32_t *marks, uint32_t var, uint32_t b) {
  if (marks[b] == var) return;
  marks[b] = var;
  ph_ids_push(&u->work, u->a, b);
}

static void go_back(ph_unwritten *u, uint32_t var, uint32_t from) {
  if (u->killing[from] == var)
    ph_ids_push(&u->ends, u->a, from);
  else if (u->writing[from] != var)
    visit(u, u->near, var, from);
}

/* Finds the blocks from which a read can be reached without a write. */
static void follow_back(ph_unwritten *u, uint32_t var) {
  while (u->work.n > 0) {
    uint32_t b = u->work.at[--u->work.n];
    PH_EACH_PRED(u->f, b, e) go_back(u, var, u->f->edges.at[e].from);
  }
}

static void go_on(ph_unwritten *u, uint32_t var, uint32_t b) {
  const ph_blockrec *r = ph_blockrec_of(u->f, b);
  for (uint32_t i = 0; i < r->nsuccs; i++) {
    uint32_t to = u->f->edges.at[r->first_succ + i].to;
    if (u->near[to] == var) visit(u, u->reached, var, to);
  }
}

/* Finds those among them to which the entry, or an end of the variable, leads
** without a write. */
static void follow(ph_unwritten *u, uint32_t var) {
  if (u->near[1] == var) visit(u, u->reached, var, 1);
  for (uint32_t i = 0; i < u->ends.n; i++) go_on(u, var, u->ends.at[i]);
  while (u->work.n > 0) {
    uint32_t b = u->work.at[--u->work.n];
    if (u->writing[b] != var && u->killing[b] != var) go_on(u, var, b);
  }
}

static void mark(uint32_t *marks, const ph_csr *blocks, uint32_t var) {
  for (uint32_t i = blocks->first[var]; i < blocks->first[var + 1]; i++)
    marks[blocks->to[i]] = var;
}

void ph_unwritten_find(ph_unwritten *u, uint32_t var, const uint32_t *blocks,
                       uint32_t n) {
  mark(u->writing, &u->writes, var);
  mark(u->killing, &u->kills, var);
  u->ends.n = 0;
  for (uint32_t i = 0; i < n; i++) visit(u, u->near, var, blocks[i]);
  follow_back(u, var);
  follow(u, var);
}

/* }=================================================================== */
