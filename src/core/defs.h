/* defs.h: currentDef, the paper's map (variable, block) -> value. */
#ifndef PH_DEFS_H
#define PH_DEFS_H

#include "core/func.h"

/* What a block is given as its definition of a variable while its look-up is
** under way: the marker of the paper's section 3.3. */
#define PH_MARK UINT32_MAX
/* Set in the number of a value that was looked up, not written, there. */
#define PH_MEMO ((uint32_t)1 << 31)

typedef struct {
  uint32_t block, value;
} ph_cell;

typedef struct {
  uint32_t block, var, value; /* block 0: free */
} ph_entry;

/* What a look-up that climbs wants to know of a block: is there a definition
** of the variable (bit var % 64; no bit, no definition), and where to go on:
** the one predecessor of a sealed block, or 0. */
typedef struct {
  uint64_t vars;
  uint32_t pred;
} ph_glance;

PH_VEC(ph_cells, ph_cell)
PH_VEC(ph_glances, ph_glance)

typedef struct {
  ph_cells cells;     /* by variable: its latest definition */
  ph_glances glances; /* by block */
  ph_entry *at;       /* all others: an open hash */
  uint32_t n, cap;
  uint64_t seed; /* of the hash: no input can be made to collide */
} ph_defs;

/* Makes room for variables below nvars and blocks below nblocks. */
void ph_defs_room(ph_defs *d, ph_arena *a, uint32_t nvars, uint32_t nblocks);
/* The definition of var at the end of block, with PH_MEMO if it was looked
** up; PH_MARK; or 0. */
uint32_t ph_defs_get(const ph_defs *d, uint32_t var, uint32_t block);
/* Makes value the latest definition of var, in block. */
void ph_defs_set(ph_defs *d, ph_arena *a, uint32_t var, uint32_t block,
                 uint32_t value);
/* The same without making it the latest. */
void ph_defs_put(ph_defs *d, ph_arena *a, uint32_t var, uint32_t block,
                 uint32_t value);

/* May block have a definition of var?  False is certain. */
static inline bool ph_defs_may(const ph_defs *d, uint32_t var, uint32_t block) {
  return (d->glances.at[block].vars >> (var & 63) & 1) != 0;
}

#endif
