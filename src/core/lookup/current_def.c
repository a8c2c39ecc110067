/* current_def.c: currentDef, the paper's map (variable, block) -> value.
**
** Most reads ask for what was written or read last in the block that is being
** filled.  So the latest definition of each variable has a cell of its own,
** and leaves it only when a definition in another block displaces it; the
** definitions of variables that are written once never do.  A cell hides older
** definitions of its block.  It also remembers the latest read; that is lost
** when the cell is displaced, since it can be looked up again.
**
** A displaced definition goes into a list of its block.  Most lists are short
** and contiguous in memory, in the order in which blocks were filled.  A block
** with many definitions (the header of a large loop) keeps them in a hash table
** shared by all such blocks, with linear probing, at most three quarters full.
** So memory follows the definitions that exist, never variables x blocks.
**
** The table hashes by the upper bits of a product with a random odd factor
** (Dietzfelbinger et al., "A reliable randomized algorithm for the closest-pair
** problem", 1997).  Most questions are answered "no" by a set of 64 bits of the
** block (join_skip.h), without any search.
*/
#include "core/lookup/current_def.h"

#include "core/base/noinline.h"

#define LONGEST 12 /* entries of a list; longer ones go to the table */
#define IN_TABLE UINT32_MAX
#define IN_LAZY (UINT32_MAX - 1) /* the same, and the block has may-writes */

/*
** {== The table ======================================================
*/

static uint32_t *slot_of(const ph_current_def *d, uint32_t var,
                         uint32_t block) {
  uint64_t key = (uint64_t)block << 32 | var;
  uint32_t i = (uint32_t)(key * d->factor >> d->shift);
  for (;; i = (i + 1) & (d->cap - 1)) {
    const ph_def *def = &d->list.at[d->at[i]];
    if (d->at[i] == 0 || (def->var == var && def->block == block)) break;
  }
  return &d->at[i];
}

static void grow_table(ph_current_def *d, ph_arena *a) {
  ph_current_def old = *d;
  uint32_t cap = old.cap == 0 ? 32 : 2 * old.cap;
  uint32_t *at = ph_arena_zero(a, cap * sizeof *at);
  d->at = at;
  d->cap = cap;
  d->shift = old.cap == 0 ? 64 - 5 : old.shift - 1;
  for (uint32_t i = 0; i < old.cap; i++) {
    const ph_def *def = &d->list.at[old.at[i]];
    if (old.at[i] != 0) *slot_of(d, def->var, def->block) = old.at[i];
  }
  ph_arena_drop(a, old.at, old.cap * sizeof *at);
}

/* }== The lists ====================================================== */

static uint32_t *first_of(const ph_current_def *d, uint32_t block) {
  return &d->skips->blocks.at[block].defs;
}

static uint32_t find_number(const ph_current_def *d, uint32_t var,
                            uint32_t block) {
  uint32_t i = *first_of(d, block);
  if (i >= IN_LAZY) return *slot_of(d, var, block);
  while (i != 0 && d->list.at[i].var != var) i = d->list.at[i].next;
  return i;
}

static void put_in_table(ph_current_def *d, ph_arena *a, uint32_t i) {
  if (4 * (d->n + 1) > 3 * d->cap) grow_table(d, a);
  *slot_of(d, d->list.at[i].var, d->list.at[i].block) = i;
  d->n++;
}

static void leave_list(ph_current_def *d, ph_arena *a, uint32_t *first) {
  uint32_t i = *first;
  for (; i != 0; i = d->list.at[i].next) {
    d->list.at[i].age = 0;
    put_in_table(d, a, i);
  }
  *first = IN_TABLE;
}

/* Records that the definition is newer than all may-writes so far. */
static void note_age(const ph_current_def *d, uint32_t i) {
  ph_def *def = &d->list.at[i];
  if (*first_of(d, def->block) == IN_LAZY && def->value != PH_LAZY)
    def->age = d->lazy->maywrites.n - 1;
}

/* }== The map ======================================================== */

/* Does the same as ph_current_def_find where the block has its definitions in
** the table: a may-write that is newer than the definition hides it. */
static PH_NOINLINE uint32_t find_in_table(const ph_current_def *d, uint32_t var,
                                          uint32_t block) {
  const ph_def *def = &d->list.at[*slot_of(d, var, block)];
  if (*first_of(d, block) == IN_LAZY &&
      ph_lazy_newest(d->lazy, var, block) > def->age)
    return PH_LAZY;
  return def->value;
}

uint32_t ph_current_def_find(const ph_current_def *d, uint32_t var,
                             uint32_t block) {
  if (*first_of(d, block) >= IN_LAZY) return find_in_table(d, var, block);
  return d->list.at[find_number(d, var, block)].value;
}

uint32_t ph_current_def_number(const ph_current_def *d, uint32_t var,
                               uint32_t block) {
  bool may_be = d->skips->blocks.at[block].kept & ph_join_skip_bit(var);
  return may_be ? find_number(d, var, block) : 0;
}

/* Adds def where `list` must grow, or the block's list is too long or already
** in the table. */
static PH_NOINLINE uint32_t add_slowly(ph_current_def *d, ph_arena *a,
                                       ph_def def) {
  uint32_t *first = first_of(d, def.block), i = d->list.n;
  ph_deflist_push(&d->list, a, def);
  if (*first >= IN_LAZY) {
    d->list.at[i].age = 0;
    note_age(d, i);
    put_in_table(d, a, i);
    return i;
  }
  *first = i;
  if (def.length > LONGEST) leave_list(d, a, first);
  return i;
}

uint32_t ph_current_def_add(ph_current_def *d, ph_arena *a, uint32_t var,
                            uint32_t block, uint32_t value) {
  ph_join_skip *s = &d->skips->blocks.at[block];
  ph_def def = {block, var, value, s->defs, {1}};
  s->kept |= ph_join_skip_bit(var);
  if (s->defs < IN_LAZY) def.length += d->list.at[s->defs].length;
  if (def.length > LONGEST || s->defs >= IN_LAZY || d->list.n == d->list.cap ||
      PH_VEC_MOVES(d->list.n + 1))
    return add_slowly(d, a, def);
  s->defs = d->list.n++;
  d->list.at[s->defs] = def;
  return s->defs;
}

uint32_t ph_current_def_put(ph_current_def *d, ph_arena *a, uint32_t var,
                            uint32_t block, uint32_t value) {
  uint32_t i = ph_current_def_number(d, var, block);
  if (i == 0) return ph_current_def_add(d, a, var, block, value);
  d->list.at[i].value = value;
  if (d->lazy != NULL) note_age(d, i);
  return i;
}

void ph_current_def_cover(ph_current_def *d, ph_arena *a, uint32_t block,
                          uint64_t vars) {
  ph_join_skip *s = &d->skips->blocks.at[block];
  s->written |= vars;
  s->kept |= vars;
  if (d->cap == 0) grow_table(d, a);
  if (s->defs < IN_LAZY) leave_list(d, a, &s->defs);
  s->defs = IN_LAZY;
}

void ph_current_def_evict(ph_current_def *d, ph_arena *a, uint32_t var) {
  const ph_cell none = {0, 0, 0, 0}, c = d->cells.at[var];
  if (c.block != 0) ph_current_def_put(d, a, var, c.block, c.value);
  d->cells.at[var] = none;
}

PH_NOINLINE void ph_current_def_displace(ph_current_def *d, ph_arena *a,
                                         uint32_t var, uint32_t block,
                                         uint32_t value) {
  ph_cell *c = &d->cells.at[var];
  ph_current_def_put(d, a, var, c->block, c->value);
  *c = (ph_cell){block, value, block, value};
}

/* }=================================================================== */
