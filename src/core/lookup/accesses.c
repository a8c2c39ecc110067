/* accesses.c: records reads and writes. */
#include "core/lookup/accesses.h"

#include "core/ir/value.h"

void ph_accesses_start(ph_func *f, ph_classic which) {
  f->accesses = ph_arena_zero(&f->working, sizeof *f->accesses);
  f->accesses->algorithm = which;
}

static void add(ph_func *f, uint32_t var, uint32_t b, uint32_t v, bool reads) {
  ph_access it = {b, var, v, f->here, f->loc, reads};
  ph_accesslist_push(&f->accesses->list, &f->working, it);
}

void ph_accesses_write(ph_func *f, uint32_t var, uint32_t b, uint32_t v) {
  add(f, var, b, v, false);
}

uint32_t ph_accesses_read(ph_func *f, uint32_t var, uint32_t b) {
  uint32_t v = ph_value_node(f, PH_UNDEF, f->vars.at[var].type);
  add(f, var, b, v, true);
  return v;
}
