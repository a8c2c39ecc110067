/* classical.c: construction by the classical algorithms, from recorded reads and
** writes.
*/
#include "core/classical/classical.h"

#include "core/classical/place.h"
#include "core/classical/rename.h"
#include "core/ir/contract.h"
#include "core/lookup/state.h"

/* What was written so far: by the entry, for parameters. */
static void take_over(ph_func *f, ph_ids *written, ph_arena *a) {
  const ph_state *state = f->state;
  for (uint32_t var = 1; var < f->vars.n; var++)
    ph_ids_push(written, a,
                state != NULL ? ph_current_def_read(&state->defs, var, 1) : 0);
}

void ph_classical_start(ph_func *f, ph_classic which) {
  ph_arena_mark bottom = ph_scratch_open(f);
  ph_ids written = {0};
  ph_require(ph_contract_isopen(f) && "a function under construction");
  ph_require(f->occurrences == NULL && !f->options.accesses &&
             f->blocks.n == 2 && f->peephole == NULL &&
             "a new function that does not simplify");
  ph_require(!f->keeps_unreachable && "no unreachable blocks");
  take_over(f, &written, &f->scratch);
  f->state = NULL;
  f->built = 0;
  ph_arena_done(&f->working);
  ph_occurrences_start(f, which);
  f->writes_more = true;
  for (uint32_t i = 0; i < written.n; i++)
    if (written.at[i] != 0)
      ph_occurrences_write(f, i + 1, 1, ph_body_resolve(f, written.at[i]));
  ph_scratch_leave(f, bottom);
}

bool ph_classical_isused(const ph_func *f) { return f->occurrences != NULL; }

ph_block ph_classical_unstructured(ph_func *f) {
  ph_block b = {0};
  if (f->occurrences != NULL && f->occurrences->algorithm == PH_BRANDIS) {
    ph_arena_mark bottom = ph_scratch_enter(f);
    ph_program p = ph_program_of(f, &f->scratch);
    b.id = ph_structure_place(&p);
    ph_scratch_leave(f, bottom);
  }
  return b;
}

static void place(ph_program *p, ph_classic which) {
  switch (which) {
    case PH_DJGRAPH:
      ph_djgraph_place(p);
      break;
    case PH_AYCOCK:
      ph_aycock_place(p);
      break;
    case PH_BRANDIS:
      ph_structure_place(p);
      break;
    default:
      ph_frontier_place(p, which);
  }
}

void ph_classical_run(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  ph_classic which = f->occurrences->algorithm;
  ph_program p = ph_program_of(f, &f->scratch);
  place(&p, which);
  ph_rename_run(&p, which == PH_AYCOCK);
  f->occurrences = NULL;
  f->writes_more = f->options.copies;
  f->as_placed = true;
  f->version++;
  ph_scratch_leave(f, bottom);
}
