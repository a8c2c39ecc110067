/* handle_slots.c: where the handles of functions lie.
**
** Handles are in a weak table that all functions share.  Slots there come in
** runs, which a function gives back when it is closed: so the table has its
** size soon, stays an array, and a small function costs nothing in it.  Slots
** beyond PL_SLOT_SHARED are in a table of the function's own: what a large
** function had is not kept.  Nothing is erased when a run is given back: a
** handle tells whose it is.
*/
#include "binding/state/handle_slots.h"

#include <string.h>

#include "binding/state/memory.h"

uint32_t pl_handle_slots_of(const pl_funcobj *h, int kind, uint32_t id) {
  const pl_handle_slots *s = &h->slots[kind - PL_UP_BLOCK];
  return id < s->n ? s->at[id] : 0;
}

enum { RUN = 32 };

/* Finalizers may run in here, and want or give runs. */
static void make_room(pl_funcobj *h, pl_slot_runs *r) {
  uint32_t room = r->room > 0 ? 2 * r->room : 64;
  uint32_t *next = pl_memory_shared(h, NULL, 0, room * sizeof *next);
  uint32_t *old = r->next, old_room = r->room;
  if (r->closed || old_room >= room) {
    pl_memory_shared(h, next, room * sizeof *next, 0);
    return;
  }
  r->next = next;
  r->room = room;
  if (old == NULL) return;
  memcpy(next, old, old_room * sizeof *next);
  pl_memory_shared(h, old, old_room * sizeof *old, 0);
}

/* A run of slots for h: one that another function has given back, or a new
** one; 0: the module is closed. */
static uint32_t take_run(pl_funcobj *h) {
  pl_slot_runs *r = &h->module->runs;
  uint32_t run;
  while (r->spare == 0 && r->n + 1 >= r->room && !r->closed) make_room(h, r);
  if (r->closed) return 0;
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
  uint32_t run = r->closed ? 0 : h->run;
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
    if (run == 0) return 0;
    h->nleft = RUN;
    h->slot = (run - 1) * RUN;
  }
  h->nleft--;
  h->nhandles++;
  return ++h->slot;
}

/* Slots are given out in the order in which handles are made, so that the
** table stays an array though few values have a handle. */
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
  for (int i = 0; i < PL_KINDS; i++) {
    pl_handle_slots *s = &h->slots[i];
    pl_memory_own(h, s->at, s->n * sizeof *s->at, 0);
    s->at = NULL;
    s->n = 0;
  }
  give_runs(h);
}
