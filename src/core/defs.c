/* defs.c: currentDef, the paper's map (variable, block) -> value.
**
** Most reads ask for what was written or read last in the block that is being
** filled.  So the latest definition of each variable lies in a cell of its
** own; it moves into the table only when a definition in another block takes
** the cell.  Variables that are written once never reach the table.  A cell
** hides an older entry of its block in the table.  A cell also keeps what was
** read last and where; that can be looked up again and goes when it is
** displaced.
**
** The table is an open hash with linear probing, at most three quarters full:
** its size follows the definitions there are, never variables x blocks.  (One
** map for each variable, as the paper's pseudo-code has it, and an array for
** each block, as libFirm has it, both cost memory where nothing is defined.)
** It takes the upper bits of a product with an odd factor that nobody can
** guess (Dietzfelbinger et al., "A reliable randomized algorithm for the
** closest-pair problem", 1997).  Most questions are answered no: 64 bits of a
** block, one for all variables of the same number modulo 64, say so without
** the table.
*/
#include "core/defs.h"

static ph_entry *slot(const ph_defs *d, uint32_t var, uint32_t block) {
  uint64_t key = (uint64_t)block << 32 | var;
  uint32_t i = (uint32_t)(key * d->factor >> d->shift);
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
  d->shift = old.cap == 0 ? 64 - 5 : old.shift - 1;
  for (uint32_t i = 0; i < old.cap; i++)
    if (old.at[i].block != 0)
      *slot(d, old.at[i].var, old.at[i].block) = old.at[i];
  ph_mem_drop(a, old.at, old.cap * sizeof *at);
}

void ph_defs_room(ph_defs *d, ph_arena *a, uint32_t nvars) {
  const ph_cell none = {0, 0, 0, 0};
  ph_cells_reserve(&d->cells, a, nvars);
  while (d->cells.n < nvars) d->cells.at[d->cells.n++] = none;
}

uint32_t ph_defs_find(const ph_defs *d, uint32_t var, uint32_t block) {
  return slot(d, var, block)->value;
}

void ph_defs_put(ph_defs *d, ph_arena *a, uint32_t var, uint32_t block,
                 uint32_t value) {
  ph_entry *e;
  if (4 * (d->n + 1) > 3 * d->cap) grow(d, a);
  e = slot(d, var, block);
  if (e->block == 0) d->n++;
  *e = (ph_entry){block, var, value};
  d->skips->at[block].kept |= ph_skip_bit(var);
}

void ph_defs_set(ph_defs *d, ph_arena *a, uint32_t var, uint32_t block,
                 uint32_t value) {
  const ph_cell *old = &d->cells.at[var];
  if (old->block != 0 && old->block != block)
    ph_defs_put(d, a, var, old->block, old->value);
  d->cells.at[var] = (ph_cell){block, value, block, value};
}
