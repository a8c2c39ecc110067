/* position.c: the block that something is emitted into. */
#include "binding/emit/position.h"

#include "binding/state/error.h"

void pl_position_checkopen(lua_State *L, pl_funcobj *h, ph_block b) {
  if (ph_block_removed(h->f, b))
    pl_error(L, h,
             "block '%b' is gone: it was dropped, since nothing reaches it", b);
  if (ph_block_filled(h->f, b))
    pl_error(L, h,
             "block '%b' already ends with '%i'%p: nothing can be added after "
             "it",
             b, ph_block_terminator(h->f, b),
             ph_block_hostloc(h->f, b, PH_AT_FILLED));
}

ph_block pl_position_at(lua_State *L, pl_funcobj *h) {
  if (!ph_some(h->at))
    pl_error(L, h,
             "fn:at is not set: say fn:at(block) to tell into which block "
             "values emit, or use the block's methods");
  return h->at;
}
