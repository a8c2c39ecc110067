/* handle_slots.c: where the handles of a function are stored.
**
** All functions share a weak table.  Its slots are given out in runs, which a
** function gives back when it is closed: so the table soon stops growing, stays
** an array, and a small function costs nothing in it.  Slots beyond
** PL_SLOT_SHARED are in a table of the function's own, which is freed with it.
** Giving back a run erases nothing: a handle tells which function it is of.
*/
#include "binding/state/handle_slots.h"

#include <string.h>

#include "binding/state/memory.h"

uint32_t pl_handle_slots_of(const pl_funcobj *h, int kind, uint32_t id) {
  const pl_handle_slots *s = &h->slots[kind - PL_UP_BLOCK];
  return id < s->n ? s->at[id] : 0;
}

enum { RUN = 32 };

/* Finalizers may run in here, and take or give back runs. */
static void make_room(pl_funcobj *h, pl_slot_runs *r) {
  uint32_t room = r->room > 0 ? 2 * r->room : 64;
  uint32_t *next = pl_memory_shared(h, NULL, 0, room * sizeof *next);
  uint32_t *old = r->next, old_room = r->room;
  if (old_room >= room) {
    pl_memory_shared(h, next, room * sizeof *next, 0);
    return;
  }
  r->next = next;
  r->room = room;
  if (old == NULL) return;
  memcpy(next, old, old_room * sizeof *next);
  pl_memory_shared(h, old, old_room * sizeof *old, 0);
}

/* Returns a run of slots for h: one that another function gave back, or a new
** one. */
static uint32_t take_run(pl_funcobj *h) {
  pl_slot_runs *r = &h->module->runs;
  uint32_t run;
  while (r->spare == 0 && r->n + 1 >= r->room) make_room(h, r);
  run = r->spare;
  if (run != 0)
    r->spare = r->next[run];
  else
    run = ++r->n;
  r->next[run] = h->run;
  h->run = run;
  return run;
}

static void give_runs(pl_funcobj *h) {
  pl_slot_runs *r = &h->module->runs;
  uint32_t run = h->run;
  while (run != 0) {
    uint32_t next = r->next[run];
    r->next[run] = r->spare;
    r->spare = run;
    run = next;
  }
  h->run = 0;
  h->nleft = 0;
}

static uint32_t next_slot(pl_funcobj *h) {
  if (h->nhandles >= PL_SLOT_SHARED)
    return (++h->nhandles - PL_SLOT_SHARED) | PL_SLOT_OWN;
  if (h->nleft == 0) {
    uint32_t run = take_run(h);
    h->nleft = RUN;
    h->slot = (run - 1) * RUN;
  }
  h->nleft--;
  h->nhandles++;
  return ++h->slot;
}

/* Slots are given out in the order of the handles' making: the table stays an
** array even if few values have a handle. */
uint32_t pl_handle_slots_claim(pl_funcobj *h, int kind, uint32_t id) {
  pl_handle_slots *s = &h->slots[kind - PL_UP_BLOCK];
  uint32_t n = s->n > 0 ? s->n : 64;
  if (id >= s->n) {
    while (n <= id) n *= 2;
    s->at = pl_memory_own(h, s->at, s->n * sizeof *s->at, n * sizeof *s->at);
    memset(s->at + s->n, 0, (n - s->n) * sizeof *s->at);
    s->n = n;
  }
  if (s->at[id] == 0) s->at[id] = next_slot(h);
  return s->at[id];
}

void pl_handle_slots_forget(pl_funcobj *h) {
  for (int i = 0; i < PL_HANDLE_KINDS; i++) {
    pl_handle_slots *s = &h->slots[i];
    pl_memory_own(h, s->at, s->n * sizeof *s->at, 0);
    s->at = NULL;
    s->n = 0;
  }
  give_runs(h);
}
