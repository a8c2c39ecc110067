/* detail.c: what a look-up does on its way, for listeners that want details. */
#include "core/lookup/detail.h"

#include "core/ir/event.h"
#include "core/ir/value.h"

/* Returns the number of links from block `from` up to block `to`. */
static uint32_t count_links(const ph_func *f, uint32_t from, uint32_t to) {
  const ph_join_skip *at = f->state->skips.blocks.at;
  uint32_t n = 0;
  for (; at[from].tree != at[to].tree; from = at[at[from].tree].up)
    n += at[from].depth + 1;
  return n + at[from].depth - at[to].depth;
}

void ph_detail_climb(ph_func *f, uint32_t var, uint32_t from, ph_landing l) {
  ph_event e = {.kind = PH_EV_CLIMB, .block = {l.block}, .var = {var}};
  uint32_t links = count_links(f, from, l.block);
  e.from.id = from;
  e.index = links > 0 ? links - 1 : 0;
  if (l.found != 0 && l.found < PH_KILLED)
    e.value.id = ph_body_resolve(f, l.found & ~PH_MEMO);
  if (from != l.block || e.value.id != 0) ph_event_keep(f, e);
}
