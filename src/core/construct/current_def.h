/* current_def.h: currentDef, the paper's map (variable, block) -> value. */
#ifndef PH_CONSTRUCT_CURRENT_DEF_H
#define PH_CONSTRUCT_CURRENT_DEF_H

#include "core/construct/join_skip.h"

/* What a block is given as its definition of a variable while its look-up is
** under way: the marker of the paper's section 3.3. */
#define PH_MARK UINT32_MAX
/* Set in the number of a value that was looked up, not written, there. */
#define PH_MEMO ((uint32_t)1 << 31)

/* The latest definition of a variable, and what it was when it was last read
** or written: from there on in that block it is that. */
typedef struct {
  uint32_t block, value;
  uint32_t read_in, read;
} ph_cell;

typedef struct {
  uint32_t block, var, value;
  uint32_t next;   /* in the block's list */
  uint32_t length; /* of the list from here on */
} ph_def;

PH_VEC(ph_cells, ph_cell)
PH_VEC(ph_deflist, ph_def)

typedef struct {
  ph_cells cells;       /* by variable */
  ph_deflist list;      /* all other definitions, from 1 */
  ph_join_skips *skips; /* by block: the first of its list */
  uint32_t *at; /* those for which the lists are too long: an open hash */
  uint32_t n, cap;
  uint32_t shift;  /* 64 - log2(cap) */
  uint64_t factor; /* of the hash: no input can be made to collide */
} ph_current_def;

/* Makes room for variables below nvars. */
void ph_current_def_room(ph_current_def *d, ph_arena *a, uint32_t nvars);
/* What the block's list, or the table, has for var, with PH_MEMO if it was
** looked up; PH_MARK; or 0.  Asked when the block keeps var's bit. */
uint32_t ph_current_def_find(const ph_current_def *d, uint32_t var,
                             uint32_t block);
/* Gives var a definition in the block's list, or the table; its number in the
** list.  ph_current_def_add: the block has none yet. */
uint32_t ph_current_def_add(ph_current_def *d, ph_arena *a, uint32_t var,
                            uint32_t block, uint32_t value);
uint32_t ph_current_def_put(ph_current_def *d, ph_arena *a, uint32_t var,
                            uint32_t block, uint32_t value);
/* Makes value the latest definition of var, in block; ph_current_def_displace: the
** cell holds another block's, which moves to that block's list. */
void ph_current_def_displace(ph_current_def *d, ph_arena *a, uint32_t var,
                             uint32_t block, uint32_t value);
static inline void ph_current_def_set(ph_current_def *d, ph_arena *a,
                                      uint32_t var, uint32_t block,
                                      uint32_t value) {
  ph_cell *c = &d->cells.at[var];
  if (c->block != block && c->block != 0) {
    ph_current_def_displace(d, a, var, block, value);
    return;
  }
  c->block = c->read_in = block;
  c->value = c->read = value;
}
/* Notes the value of a read. */
static inline void ph_current_def_noteread(ph_current_def *d, uint32_t var,
                                           uint32_t block, uint32_t value) {
  d->cells.at[var].read_in = block;
  d->cells.at[var].read = value;
}
/* What var was when it was last read or written, if that was in block; or 0. */
static inline uint32_t ph_current_def_read(const ph_current_def *d,
                                           uint32_t var, uint32_t block) {
  if (var >= d->cells.n || d->cells.at[var].read_in != block) return 0;
  return d->cells.at[var].read;
}

#endif
