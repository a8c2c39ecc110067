/* refine.c: branches that say something of variables.
**
** What their edges say is recorded before they are made, because a target can
** seal itself when its last edge arrives.
*/
#include "core/ir/contract.h"
#include "core/lookup/make_lazy.h"
#include "phial/construct.h"

/* Returns the constant that the condition of b is on its way to target i, or
** none: on the default edge of a switch, nothing is known. */
static ph_value side_of(ph_func *f, ph_op op, const ph_value *args,
                        uint32_t i) {
  if (op == PH_BRANCH) return ph_const_int(f, PH_I1, i == 0);
  return i > 0 ? args[i] : ph_valueid(0);
}

/* Records what the edges from b to its targets say of the variables. */
static void refine(ph_func *f, uint32_t b, ph_op op, const ph_value *args,
                   const ph_block *targets, uint32_t m,
                   const ph_refined *what) {
  ph_lazy *l = ph_make_lazy_room(f);
  for (uint32_t i = 0; i < m; i++) {
    ph_refinement r = {.from = b, .condition = args[0].id, .index = i};
    r.split = what->split;
    r.side = side_of(f, op, args, i).id;
    for (uint32_t j = 0; j < what->n && r.side != 0; j++) {
      r.var = what->vars[j].id;
      ph_lazy_refine(f, l, targets[i].id, r);
    }
  }
}

ph_value ph_build_refine(ph_func *f, ph_block b, ph_op op, const ph_value *args,
                         uint32_t n, const ph_block *targets, uint32_t m,
                         const ph_refined *what) {
  uint32_t before;
  ph_value v;
  ph_require((op == PH_BRANCH || op == PH_SWITCH) && "a branch or a switch");
  ph_require(f->occurrences == NULL && "construction on the fly");
  for (uint32_t j = 0; j < what->n; j++)
    ph_require(ph_contract_hasvar(f, what->vars[j]) &&
               "variables of this function");
  if (ph_body_isdead(f, b.id)) {
    f->stats.dropped_refinements += what->n * (op == PH_BRANCH ? 2 : m - 1);
    return ph_build_fill(f, b, op, args, n, targets, m);
  }
  before = ph_make_lazy_room(f)->refinements.n;
  refine(f, b.id, op, args, targets, m, what);
  v = ph_build_fill(f, b, op, args, n, targets, m);
  if (!ph_some(v)) ph_lazy_forget(f->state->defs.lazy, before);
  return v;
}
