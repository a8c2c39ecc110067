/* current_def.h: currentDef, the paper's map (variable, block) -> value. */
#ifndef PH_LOOKUP_CURRENT_DEF_H
#define PH_LOOKUP_CURRENT_DEF_H

#include "core/lookup/join_skip.h"
#include "core/lookup/lazy.h"
#pragma GCC visibility push(hidden)

/* The definition of a variable in a block while the look-up there is under way:
** the marker of section 3.3. */
#define PH_MARK UINT32_MAX
/* The definition of a variable in a block where a lazy one (lazy.h) is to be
** made. */
#define PH_LAZY (UINT32_MAX - 1)
/* Set in the number of a value that was looked up in the block, not written. */
#define PH_MEMO ((uint32_t)1 << 31)

/* The definition of a variable that has ended (ph_build_kill): no value. */
#define PH_KILLED (UINT32_MAX - 2)

/* The latest definition of a variable, and its value at its latest read or
** write, which holds from there to the end of that block. */
typedef struct {
  uint32_t block, value;
  uint32_t read_in, read;
} ph_cell;

typedef struct {
  uint32_t block, var, value;
  uint32_t next; /* in the block's list */
  union {
    uint32_t length; /* in a list: number of entries from this one on */
    uint32_t age; /* in a block with may-writes: number of the last one that is
                     older; else, in the table, 0 */
  };
} ph_def;

PH_VEC(ph_cells, ph_cell)
PH_VEC(ph_deflist, ph_def)

typedef struct {
  ph_cells cells;       /* by variable */
  ph_deflist list;      /* all other definitions, from 1 */
  ph_join_skips *skips; /* `defs` of a block: the first entry of its list */
  uint32_t *at;         /* open hash of entries whose block has a long list */
  uint32_t n, cap;
  uint32_t shift;  /* 64 - log2(cap) */
  uint64_t factor; /* of the hash, random: input cannot be made to collide */
  ph_lazy *lazy;   /* NULL: all definitions are made at once */
} ph_current_def;

/* Returns the value of var in the block's list or in the table, with PH_MEMO if
** it was looked up; PH_MARK; PH_LAZY; PH_KILLED; or 0.  For blocks that have
** var's bit in `kept`. */
uint32_t ph_current_def_find(const ph_current_def *d, uint32_t var,
                             uint32_t block);
/* Returns the number of var's definition in the block's list or in the table;
** 0: there is none. */
uint32_t ph_current_def_number(const ph_current_def *d, uint32_t var,
                               uint32_t block);
/* Sets the definition of var in the block's list or in the table; returns its
** number in `list`.  ph_current_def_add: the block has none yet. */
uint32_t ph_current_def_add(ph_current_def *d, ph_arena *a, uint32_t var,
                            uint32_t block, uint32_t value);
uint32_t ph_current_def_put(ph_current_def *d, ph_arena *a, uint32_t var,
                            uint32_t block, uint32_t value);
/* Prepares a block for may-writes to these variables: its definitions are found
** together with them. */
void ph_current_def_cover(ph_current_def *d, ph_arena *a, uint32_t block,
                          uint64_t vars);
/* Empties the cell of var, whose definitions are in lists and the table from
** now on. */
void ph_current_def_evict(ph_current_def *d, ph_arena *a, uint32_t var);
/* Makes value the latest definition of var, in block.
** ph_current_def_displace: the cell holds a definition of another block, which
** moves to that block's list. */
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
/* Records the value of a read. */
static inline void ph_current_def_noteread(ph_current_def *d, uint32_t var,
                                           uint32_t block, uint32_t value) {
  d->cells.at[var].read_in = block;
  d->cells.at[var].read = value;
}
/* Ends var in block: from there on it has no value. */
static inline void ph_current_def_kill(ph_current_def *d, ph_arena *a,
                                       uint32_t var, uint32_t block) {
  ph_current_def_set(d, a, var, block, PH_KILLED);
  d->cells.at[var].read_in = 0;
}
/* Returns the value of var at its latest read or write if that was in block,
** else 0. */
static inline uint32_t ph_current_def_read(const ph_current_def *d,
                                           uint32_t var, uint32_t block) {
  if (var >= d->cells.n || d->cells.at[var].read_in != block) return 0;
  return d->cells.at[var].read;
}

#pragma GCC visibility pop
#endif
