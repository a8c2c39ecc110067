/* climb.c: what ends a climb: a definition, an unsealed block (it gets an
** incomplete phi) or a block without predecessors (undefined).
*/
#include "core/lookup/climb.h"

#include "core/ir/value.h"

uint32_t ph_climb_newphi(ph_func *f, uint32_t var, uint32_t b) {
  return ph_value_newphi(f, b, var, f->vars.at[var].type);
}

uint32_t ph_climb_incomplete(ph_func *f, uint32_t var, uint32_t b) {
  uint32_t phi = ph_climb_newphi(f, var, b);
  uint32_t number = ph_node_of(f, phi)->aux;
  f->phis.at[number].next = ph_blockrec_of(f, b)->incomplete;
  ph_blockrec_of(f, b)->incomplete = number;
  return phi;
}

static uint32_t incomplete_phi(ph_func *f, uint32_t var, uint32_t b) {
  uint32_t phi = ph_climb_incomplete(f, var, b);
  ph_climb_record(f, var, b, phi | PH_MEMO);
  return phi;
}

/* Makes the pending undef of var, which ph_build_define will replace: not the
** undef of its type, which has other uses. */
static uint32_t pending_undef(ph_func *f, uint32_t var) {
  uint32_t v = ph_value_node(f, PH_UNDEF, f->vars.at[var].type);
  ph_ids_push(&f->state->asked, &f->working, var);
  return v;
}

uint32_t ph_climb_nodefinition(ph_func *f, uint32_t var, uint32_t b) {
  ph_varrec *r = &f->vars.at[var];
  if (ph_body_isdead(f, b))
    return ph_const_undef(f, r->type).id; /* nothing reaches b */
  r->missing = true;
  if (r->undef == 0) {
    uint32_t v = f->options.undefs == PH_UNDEF_ASK
                     ? pending_undef(f, var)
                     : ph_const_undef(f, r->type).id;
    f->vars.at[var].undef = v;
  }
  return ph_body_resolve(f, f->vars.at[var].undef);
}

uint32_t ph_climb_decide(ph_func *f, uint32_t var, ph_landing l) {
  const ph_blockrec *block = ph_blockrec_of(f, l.block);
  uint32_t v;
  if (l.found != 0) return l.found & ~PH_MEMO;
  if (!block->sealed) return incomplete_phi(f, var, l.block);
  if (block->npreds > 0) return 0;
  v = ph_climb_nodefinition(f, var, l.block);
  ph_climb_record(f, var, l.block, v | PH_MEMO);
  return v;
}

bool ph_climb_link(const ph_func *f, uint32_t b) {
  ph_join_skips *skips = &f->state->skips;
  return !ph_join_skip_islinked(skips, b) && ph_join_skip_link(f, skips, b);
}
