/* order_lazy.c: the order of the values of lazy definitions.
**
** Values behind one instruction, or at the start of a block, are made in the
** order in which look-ups come upon their definitions, which depends on when
** blocks are sealed.  Here they are sorted by variable: those of one variable
** use each other, and keep their order; those of others do not.
**
** Requires: nothing.  Changes only the order of instructions with PH_IS_LAZY.
*/
#include "core/construct/order_lazy.h"

#include <stdlib.h>

#include "core/lookup/state.h"

typedef struct {
  uint32_t var, nth, value;
} entry;

typedef struct {
  ph_func *f;
  const uint32_t *anchor; /* by value: 1 + that of ph_madedef; or 0 */
  entry *run;             /* values with one anchor ... */
  uint32_t n;             /* ... and their number */
} sorter;

static int by_variable(const void *p, const void *q) {
  const entry *a = p, *b = q;
  if (a->var != b->var) return (a->var > b->var) - (a->var < b->var);
  return (a->nth > b->nth) - (a->nth < b->nth);
}

/* Chains the run, which `prev` precedes and `next` follows, in its order. */
static void chain(sorter *s, uint32_t b, uint32_t prev, uint32_t next) {
  ph_func *f = s->f;
  for (uint32_t i = 0; i <= s->n; i++) {
    uint32_t v = i < s->n ? s->run[i].value : next;
    *(prev != 0 ? &ph_node_of(f, prev)->next : &ph_blockrec_of(f, b)->first) =
        v;
    *(v != 0 ? &ph_node_of(f, v)->prev : &ph_blockrec_of(f, b)->last) = prev;
    prev = v;
  }
}

/* Sorts the run of values with one anchor that begins with v; returns what
** follows it. */
static uint32_t sort_run(sorter *s, uint32_t b, uint32_t v) {
  uint32_t prev = ph_node_of(s->f, v)->prev, anchor = s->anchor[v];
  for (s->n = 0; v != 0 && s->anchor[v] == anchor; s->n++) {
    s->run[s->n] = (entry){ph_node_of(s->f, v)->aux, s->n, v};
    v = ph_node_of(s->f, v)->next;
  }
  if (s->n == 1) return v;
  qsort(s->run, s->n, sizeof *s->run, by_variable);
  chain(s, b, prev, v);
  return v;
}

static void sort_block(sorter *s, uint32_t b) {
  uint32_t v = ph_blockrec_of(s->f, b)->first;
  while (v != 0)
    v = s->anchor[v] != 0 ? sort_run(s, b, v) : ph_node_of(s->f, v)->next;
}

void ph_order_lazy_run(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  const ph_lazy *l = f->state->defs.lazy;
  uint32_t *anchor = ph_arena_zero(&f->scratch, f->nodes.n * sizeof *anchor);
  sorter s = {f, anchor, NULL, 0};
  s.run = ph_arena_alloc(&f->scratch, (l->made.n + 1) * sizeof *s.run);
  for (uint32_t i = 0; i < l->made.n; i++)
    anchor[l->made.at[i].value] = l->made.at[i].anchor + 1;
  PH_EACH_BLOCK(f, b) sort_block(&s, b);
  ph_scratch_leave(f, bottom);
}
