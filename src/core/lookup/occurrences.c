/* occurrences.c: records reads and writes. */
#include "core/lookup/occurrences.h"

#include "core/ir/value.h"

void ph_occurrences_start(ph_func *f, ph_classic which) {
  f->occurrences = ph_arena_zero(&f->working, sizeof *f->occurrences);
  f->occurrences->algorithm = which;
}

static void add(ph_func *f, uint32_t var, uint32_t b, uint32_t v, bool reads) {
  ph_occurrence it = {b, var, v, f->here, f->loc, reads};
  ph_occurrencelist_push(&f->occurrences->list, &f->working, it);
}

void ph_occurrences_write(ph_func *f, uint32_t var, uint32_t b, uint32_t v) {
  add(f, var, b, v, false);
}

uint32_t ph_occurrences_read(ph_func *f, uint32_t var, uint32_t b) {
  uint32_t v = ph_value_node(f, PH_UNDEF, f->vars.at[var].type);
  add(f, var, b, v, true);
  return v;
}
