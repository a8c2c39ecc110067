/* parallel_copy.c: a parallel copy as a sequence of moves.
**
** Algorithm 1 of Boissinot et al.: a location is written once its old value is
** not needed any more; if none is left that is, all that remain are in cycles,
** and one of them is saved in a temporary.  A value that was copied to several
** locations is read from the latest of them, so that a cycle with a way out
** needs no temporary.  (A move that is done is marked: the paper's test for
** that, in its last loop, can take it for one that is in a cycle.)
**
** Locations have types, and so have cycles: one temporary of each type is
** enough, since a cycle is done before the next one begins.
*/
#include "core/leave/parallel_copy.h"

static void emit(ph_parallel_copy *c, uint32_t to, uint32_t from,
                 ph_value constant) {
  const ph_move m = {to, from, constant};
  ph_moves_push(&c->out, c->a, m);
}

static void start(ph_parallel_copy *c) {
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

static void write(ph_parallel_copy *c, uint32_t to) {
  ph_move m = c->copy.at[c->pending.at[to] - 1];
  uint32_t holder = c->holder.at[m.from];
  c->pending.at[to] = 0;
  emit(c, to, holder, m.constant);
  if (m.from == 0) return;
  c->holder.at[m.from] = to;
  if (holder == m.from && c->pending.at[m.from] != 0)
    ph_ids_push(&c->ready, c->work, m.from);
}

static uint32_t temporary(ph_parallel_copy *c, ph_type type) {
  if (c->temp[type] == 0) {
    c->temp[type] = c->types.n;
    ph_types_push(&c->types, c->a, type);
  }
  return c->temp[type];
}

static void save(ph_parallel_copy *c, uint32_t location) {
  const ph_value none = {0};
  uint32_t temp = temporary(c, c->types.at[location]);
  emit(c, temp, location, none);
  c->ntemps++;
  c->holder.at[location] = temp;
  ph_ids_push(&c->ready, c->work, location);
}

static void write_all_ready(ph_parallel_copy *c) {
  while (c->ready.n > 0) write(c, c->ready.at[--c->ready.n]);
}

void ph_parallel_copy_sequence(ph_parallel_copy *c) {
  start(c);
  write_all_ready(c);
  while (c->todo.n > 0) {
    uint32_t to = c->todo.at[--c->todo.n];
    if (c->pending.at[to] == 0) continue;
    save(c, to);
    write_all_ready(c);
  }
  for (uint32_t i = 0; i < c->copy.n; i++) c->holder.at[c->copy.at[i].from] = 0;
  c->copy.n = 0;
}
