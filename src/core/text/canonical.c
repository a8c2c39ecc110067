/* canonical.c: canonical numbers, for comparing functions.
**
** Two functions that were constructed in different ways (another order of
** sealing, another variant of the algorithm) differ in their ids, and in the
** order of the phis of a block.  They do not differ when they are numbered in
** reverse postorder, with the phis of a block sorted by variable.
**
** Unreachable blocks follow: in reverse postorder if the function keeps them,
** otherwise in the order of their ids.  All phis are sorted at
** once, by counting: linear, however many a block has.
**
** Requires: nothing.  Changes nothing.
*/
#include "core/text/canonical.h"

#include <string.h>

#include "core/analysis/rpo.h"

uint32_t *ph_canonical_order(const ph_func *f, ph_arena *a, uint32_t *count) {
  const ph_rpo *o = ph_rpo_whole(f, a);
  uint32_t *blocks = ph_arena_alloc(a, f->blocks.n * sizeof(uint32_t));
  *count = o->total;
  memcpy(blocks, o->rpo, *count * sizeof(uint32_t));
  PH_EACH_BLOCK(f, b) {
    if (o->index[b] == PH_UNREACHED) blocks[(*count)++] = b;
  }
  return blocks;
}

static void number_blocks(ph_canonical *d, const ph_func *f, ph_arena *a) {
  d->blocks = ph_canonical_order(f, a, &d->count);
  d->block_number = ph_arena_zero(a, f->blocks.n * sizeof(uint32_t));
  for (uint32_t i = 0; i < d->count; i++) d->block_number[d->blocks[i]] = i + 1;
}

static uint32_t var_of(const ph_func *f, uint32_t phi) {
  return f->phis.at[ph_node_of(f, phi)->aux].var;
}

/* Marks the phis in next_phi and counts those of each variable.  Returns, by
** variable, the index of its first phi in the sorted list of all. */
static uint32_t *count_phis(ph_canonical *d, const ph_func *f, ph_arena *a) {
  uint32_t *starts = ph_arena_zero(a, (f->vars.n + 1) * sizeof(uint32_t));
  PH_EACH_BLOCK(f, b) {
    PH_EACH_PHI(f, b, v) {
      d->next_phi[v] = 1;
      starts[var_of(f, v) + 1]++;
    }
  }
  for (uint32_t i = 0; i < f->vars.n; i++) starts[i + 1] += starts[i];
  return starts;
}

/* Returns all phis, sorted by variable, those of one variable by id. */
static uint32_t *sort_phis(ph_canonical *d, const ph_func *f, ph_arena *a,
                           uint32_t *count) {
  uint32_t *starts = count_phis(d, f, a);
  uint32_t *sorted = ph_arena_alloc(a, f->phis.n * sizeof(uint32_t));
  *count = 0;
  for (uint32_t v = 1; v < f->nodes.n; v++) {
    if (d->next_phi[v] == 0) continue;
    sorted[starts[var_of(f, v)]++] = v;
    ++*count;
  }
  return sorted;
}

/* Chains the phis of each block, from the last to the first, so that each chain
** begins with the first. */
static void chain_phis(ph_canonical *d, const ph_func *f, ph_arena *a) {
  const uint32_t *sorted;
  uint32_t i;
  d->first_phi = ph_arena_zero(a, f->blocks.n * sizeof(uint32_t));
  d->next_phi = ph_arena_zero(a, f->nodes.n * sizeof(uint32_t));
  sorted = sort_phis(d, f, a, &i);
  while (i-- > 0) {
    uint32_t *first = &d->first_phi[ph_node_of(f, sorted[i])->block];
    d->next_phi[sorted[i]] = *first;
    *first = sorted[i];
  }
}

static void number_values(ph_canonical *d, const ph_func *f, ph_arena *a) {
  uint32_t n = 0;
  d->value_number = ph_arena_zero(a, f->nodes.n * sizeof(uint32_t));
  for (uint32_t i = 0; i < f->params.n; i++)
    d->value_number[f->params.at[i]] = ++n;
  for (uint32_t i = 0; i < d->count; i++) {
    uint32_t b = d->blocks[i];
    for (uint32_t v = d->first_phi[b]; v != 0; v = d->next_phi[v])
      d->value_number[v] = ++n;
    PH_EACH_INST(f, b, v) {
      if (ph_node_of(f, v)->type != PH_NOTYPE) d->value_number[v] = ++n;
    }
  }
}

ph_canonical ph_canonical_compute(const ph_func *f, ph_arena *a) {
  ph_canonical d;
  number_blocks(&d, f, a);
  chain_phis(&d, f, a);
  number_values(&d, f, a);
  return d;
}
