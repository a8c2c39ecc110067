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

#include "core/lookup/state.h"

/*
** {== Writes =========================================================
*/

static void add_write(const ph_func *f, ph_pairs *p, ph_arena *a, uint32_t var,
                      uint32_t block) {
  if (f->vars.at[var].missing) ph_csr_add(p, a, var, block);
}

/* Adds the writes in current_def. */
static void add_state(const ph_func *f, ph_pairs *p, ph_arena *a) {
  const ph_current_def *d = &f->state->defs;
  for (uint32_t i = 1; i < d->list.n; i++)
    if (!(d->list.at[i].value & PH_MEMO))
      add_write(f, p, a, d->list.at[i].var, d->list.at[i].block);
  for (uint32_t var = 1; var < d->cells.n; var++)
    if (d->cells.at[var].block != 0)
      add_write(f, p, a, var, d->cells.at[var].block);
}

void ph_unwritten_keep(ph_func *f) {
  ph_pairs p = {f->write_vars, f->write_blocks};
  if (f->options.undefs != PH_UNDEF_ASK || f->state == NULL) return;
  add_state(f, &p, &f->arena);
  f->write_vars = p.from;
  f->write_blocks = p.to;
}

ph_unwritten ph_unwritten_start(const ph_func *f, ph_arena *a) {
  size_t size = f->blocks.n * sizeof(uint32_t);
  ph_unwritten u = {.f = f, .a = a};
  ph_pairs p = {{0}, {0}};
  for (uint32_t i = 0; i < f->write_vars.n; i++)
    ph_csr_add(&p, a, f->write_vars.at[i], f->write_blocks.at[i]);
  if (f->state != NULL) add_state(f, &p, a);
  u.writes = ph_csr_make(a, f->vars.n, &p);
  u.writing = ph_arena_zero(a, size);
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

/* Finds the blocks from which a read can be reached without a write. */
static void follow_back(ph_unwritten *u, uint32_t var) {
  while (u->work.n > 0) {
    uint32_t b = u->work.at[--u->work.n];
    PH_EACH_PRED(u->f, b, e) {
      uint32_t from = u->f->edges.at[e].from;
      if (u->writing[from] != var) visit(u, u->near, var, from);
    }
  }
}

/* Finds those among them that the entry leads to without a write. */
static void follow(ph_unwritten *u, uint32_t var) {
  if (u->near[1] == var) visit(u, u->reached, var, 1);
  while (u->work.n > 0) {
    uint32_t b = u->work.at[--u->work.n];
    const ph_blockrec *r = ph_blockrec_of(u->f, b);
    if (u->writing[b] == var) continue;
    for (uint32_t i = 0; i < r->nsuccs; i++) {
      uint32_t to = u->f->edges.at[r->first_succ + i].to;
      if (u->near[to] == var) visit(u, u->reached, var, to);
    }
  }
}

void ph_unwritten_find(ph_unwritten *u, uint32_t var, const uint32_t *blocks,
                       uint32_t n) {
  for (uint32_t i = u->writes.first[var]; i < u->writes.first[var + 1]; i++)
    u->writing[u->writes.to[i]] = var;
  for (uint32_t i = 0; i < n; i++) visit(u, u->near, var, blocks[i]);
  follow_back(u, var);
  follow(u, var);
}

/* }=================================================================== */
