/* places.c: where values are defined.
**
** Instructions first, since a projection can precede, in the order of blocks,
** the block of what it is a result of.
**
** Requires: nothing.  Changes nothing.
*/
#include "core/analysis/places.h"

bool ph_places_isresult(const ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v), *main;
  if (n->op != PH_PROJ) return false;
  main = ph_node_of(f, ph_body_operand(f, v, 0));
  return main->block != 0 && main->op != PH_PHI && main->op != PH_PROJ;
}

static void place_value(ph_places *p, uint32_t v, uint32_t home, uint32_t at) {
  p->home[v] = home;
  p->at[v] = at;
}

ph_places ph_places_find(const ph_func *f, ph_arena *a) {
  ph_places p;
  p.home = ph_arena_zero(a, f->nodes.n * sizeof(uint32_t));
  p.at = ph_arena_zero(a, f->nodes.n * sizeof(uint32_t));
  for (uint32_t i = 0; i < f->params.n; i++)
    place_value(&p, f->params.at[i], ph_block_entry(f).id, 0);
  PH_EACH_BLOCK(f, b) {
    uint32_t at = 0;
    PH_EACH_PHI(f, b, v) place_value(&p, v, b, 0);
    PH_EACH_INST(f, b, v) place_value(&p, v, b, ++at);
  }
  PH_EACH_BLOCK(f, b) {
    PH_EACH_INST(f, b, v) {
      if (ph_places_isresult(f, v)) {
        uint32_t main = ph_body_operand(f, v, 0);
        place_value(&p, v, p.home[main], p.at[main]);
      }
    }
  }
  return p;
}
