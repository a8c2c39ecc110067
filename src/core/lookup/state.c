/* state.c: the data that construction needs until a function is finished.
**
** It has an arena of its own, which is freed when the function is finished.
** Most functions are small: the first allocation has room for all that one of
** them needs.
*/
#include "core/lookup/state.h"

/* Room for a small function, in one allocation. */
typedef struct {
  ph_state state;
  ph_cell cells[16];
  ph_join_skip skips[20];
  ph_def defs[20];
  ph_frame frames[4];
  ph_watch watches[10];
  uint32_t values[16];
} small;
_Static_assert(sizeof(small) < PH_ARENA_LARGE, "see ph_arena_grow");

#define ROOM(array) array, sizeof(array) / sizeof *(array)

static ph_state *new_state(ph_func *f) {
  small *s = ph_arena_alloc(&f->working, sizeof *s);
  ph_state *state = &s->state;
  memset(state, 0, sizeof *state);
  ph_cells_start(&state->defs.cells, &f->working, ROOM(s->cells));
  ph_deflist_start(&state->defs.list, &f->working, ROOM(s->defs));
  ph_block_skips_start(&state->skips.blocks, &f->working, ROOM(s->skips));
  ph_watches_start(&state->watches, &f->working, ROOM(s->watches));
  ph_frames_start(&state->frames, &f->working, ROOM(s->frames));
  ph_ids_start(&state->values, &f->working, ROOM(s->values));
  state->defs.skips = &state->skips;
  state->sure = f->phis.n == 1;
  state->defs.factor = f->seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
  return state;
}

ph_state *ph_state_room(ph_func *f) {
  if (f->state == NULL) f->state = new_state(f);
  ph_cells_extend(&f->state->defs.cells, &f->working, f->vars.n);
  ph_join_skip_room(f, &f->state->skips);
  f->built = f->blocks.n;
  return f->state;
}

ph_lazy *ph_state_lazy(ph_func *f) {
  ph_current_def *d = &ph_state_of(f, 1)->defs;
  if (d->lazy != NULL) return d->lazy;
  d->lazy = ph_lazy_new(f);
  f->has_lazy = true;
  ph_body_derive(f);
  return d->lazy;
}
