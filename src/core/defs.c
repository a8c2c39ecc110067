/* defs.c: currentDef, the paper's map (variable, block) -> value.
**
** Most reads ask for what was written or read last in the block that is being
** filled.  So the latest definition of each variable lies in a cell of its
** own; it moves into the table only when a definition in another block takes
** the cell.  Variables that live in one block never reach the table.  A cell
** hides an older entry of its block in the table.
**
** The table is an open hash with linear probing, at most three quarters full:
** its size follows the look-ups made, never variables x blocks.  (One map for
** each variable, as the paper's pseudo-code has it, and an array for each
** block, as libFirm has it, both cost memory where nothing was looked up.)
**
** Most questions that look-ups ask are answered no.  64 bits a block, one for
** all variables of the same number modulo 64, say so without the table.
*/
#include "core/defs.h"

static uint32_t home(const ph_defs *d, uint32_t var, uint32_t block) {
  uint64_t h = ((uint64_t)block << 32 | var) ^ d->seed;
  h *= UINT64_C(0x9e3779b97f4a7c15);
  h = (h ^ h >> 32) * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(h >> 32) & (d->cap - 1);
}

static ph_entry *slot(const ph_defs *d, uint32_t var, uint32_t block) {
  uint32_t i = home(d, var, block);
  ph_entry *e = &d->at[i];
  while (e->block != 0 && (e->block != block || e->var != var)) {
    i = (i + 1) & (d->cap - 1);
    e = &d->at[i];
  }
  return e;
}

static void grow(ph_defs *d, ph_arena *a) {
  ph_defs old = *d;
  uint32_t cap = old.cap == 0 ? 32 : 2 * old.cap;
  ph_entry *at = ph_mem_zero(a, cap * sizeof *at);
  d->at = at;
  d->cap = cap;
  for (uint32_t i = 0; i < old.cap; i++)
    if (old.at[i].block != 0)
      *slot(d, old.at[i].var, old.at[i].block) = old.at[i];
  ph_mem_drop(a, old.at, old.cap * sizeof *at);
}

void ph_defs_room(ph_defs *d, ph_arena *a, uint32_t nvars, uint32_t nblocks) {
  const ph_cell none = {0, 0};
  const ph_glance blank = {0, 0};
  if (d->cells.n < nvars) {
    ph_cells_reserve(&d->cells, a, nvars);
    while (d->cells.n < nvars) d->cells.at[d->cells.n++] = none;
  }
  if (d->glances.n < nblocks) {
    ph_glances_reserve(&d->glances, a, nblocks);
    while (d->glances.n < nblocks) d->glances.at[d->glances.n++] = blank;
  }
}

uint32_t ph_defs_get(const ph_defs *d, uint32_t var, uint32_t block) {
  if (d->cells.at[var].block == block) return d->cells.at[var].value;
  if (d->cap == 0 || !ph_defs_may(d, var, block)) return 0;
  return slot(d, var, block)->value;
}

void ph_defs_put(ph_defs *d, ph_arena *a, uint32_t var, uint32_t block,
                 uint32_t value) {
  ph_entry *e;
  if (4 * (d->n + 1) > 3 * d->cap) grow(d, a);
  e = slot(d, var, block);
  if (e->block == 0) d->n++;
  *e = (ph_entry){block, var, value};
  d->glances.at[block].vars |= (uint64_t)1 << (var & 63);
}

void ph_defs_set(ph_defs *d, ph_arena *a, uint32_t var, uint32_t block,
                 uint32_t value) {
  ph_cell cell = d->cells.at[var];
  if (cell.block != 0 && cell.block != block)
    ph_defs_put(d, a, var, cell.block, cell.value);
  d->cells.at[var] = (ph_cell){block, value};
  d->glances.at[block].vars |= (uint64_t)1 << (var & 63);
}
