/* twins.c: merges phis of a block that have the same operands.
**
** Construction makes a phi for each variable that needs one, so two variables
** that are given the same values on all edges have two that are always equal.
** Phis that are equal only because they depend on each other, such as counters
** of a loop that start and step alike, stay: to find these needs a partition of
** all values.
*/
#include "core/simplify/twins.h"

#include "core/base/idmap.h"
#include "core/ir/event.h"
#include "core/ir/value.h"

static uint32_t hash_of(const ph_func *f, uint32_t phi) {
  const ph_node *n = ph_node_of(f, phi);
  uint32_t h = f->seed ^ n->type;
  for (uint32_t i = 0; i < n->nargs; i++) {
    h = (h ^ ph_body_operand(f, phi, i)) * UINT32_C(0x9e3779b1);
    h ^= h >> 15;
  }
  return h;
}

static bool are_twins(const ph_func *f, uint32_t a, uint32_t b) {
  if (ph_node_of(f, a)->type != ph_node_of(f, b)->type) return false;
  for (uint32_t i = 0; i < ph_node_of(f, a)->nargs; i++)
    if (ph_body_operand(f, a, i) != ph_body_operand(f, b, i)) return false;
  return true;
}

/* Returns the twin of the phi among those that `met` maps hashes to; or enters
** it and returns 0. */
static uint32_t find_twin(ph_func *f, ph_idmap *met, uint32_t phi) {
  uint32_t h = hash_of(f, phi), twin;
  for (;; h++) {
    if (h == 0) continue;
    twin = ph_idmap_get(met, h);
    if (twin == 0) break;
    if (are_twins(f, twin, phi)) return twin;
  }
  ph_idmap_set(met, &f->scratch, h, phi);
  return 0;
}

static bool has_several(const ph_func *f, uint32_t b) {
  uint32_t phi = ph_blockrec_of(f, b)->first_phi;
  return phi != 0 && ph_node_of(f, phi)->next != 0;
}

/* Returns how many phis of the block have a twin before them, which replaces
** them if they are to be merged. */
static uint32_t look_at_block(ph_func *f, uint32_t b, bool merges) {
  uint32_t phi = ph_blockrec_of(f, b)->first_phi, found = 0;
  ph_arena_mark bottom = ph_arena_here(&f->scratch);
  ph_idmap met = {0};
  while (phi != 0) {
    uint32_t next = ph_node_of(f, phi)->next;
    uint32_t twin = find_twin(f, &met, phi);
    if (twin != 0) found++;
    if (twin != 0 && merges) {
      ph_event_note(f, PH_EV_SIMPLIFIED, ph_node_of(f, phi)->block, 0, phi,
                    twin);
      ph_value_takeout(f, phi);
      ph_value_replace(f, phi, twin);
      f->stats.later.merged++;
    }
    phi = next;
  }
  ph_arena_release(&f->scratch, bottom);
  return found;
}

bool ph_twins_exist(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  bool exist = false;
  PH_EACH_BLOCK(f, b) {
    if (!exist && has_several(f, b)) exist = look_at_block(f, b, false) > 0;
  }
  ph_scratch_leave(f, bottom);
  return exist;
}

void ph_twins_merge(ph_func *f, const ph_domtree *d) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  for (uint32_t i = 0; i < d->size[1]; i++)
    if (has_several(f, d->order[i])) look_at_block(f, d->order[i], true);
  ph_scratch_leave(f, bottom);
}
