/* join_skip.h: what look-ups pass over. */
#ifndef PH_CONSTRUCT_JOIN_SKIP_H
#define PH_CONSTRUCT_JOIN_SKIP_H

#include "core/ir/body.h"

#define PH_ALLVARS UINT64_MAX

/* What a look-up wants to know of a block.  Sets of variables have a bit for
** all variables of the same number modulo 64: no bit, no variable. */
typedef struct {
  uint64_t written;    /* in the block */
  uint64_t around;     /* on some way from `up` to the block */
  uint64_t kept;       /* those with a definition in its list, or the table */
  uint64_t passed;     /* the first two in all blocks from here up to `jump`,
                       without it */
  uint32_t up;         /* every way here comes through it; 0: unknown */
  uint32_t jump;       /* further up in its tree; the root's is the root */
  uint32_t tree;       /* its root */
  uint32_t depth;      /* the root's is 0 */
  uint32_t jump_depth; /* that of `jump` */
  uint32_t defs;       /* its list of definitions (current_def.c) */
  uint32_t unused[2];  /* 64 bytes are found by a shift */
} ph_join_skip;

PH_VEC(ph_join_skips, ph_join_skip)

static inline uint64_t ph_join_skip_bit(uint32_t var) {
  return (uint64_t)1 << (var & 63);
}

/* Makes room for all blocks. */
void ph_join_skip_room(ph_func *f, ph_join_skips *s);
/* Has ph_join_skip_link linked any block?  Record 0, which is of none, knows. */
static inline bool ph_join_skip_any(const ph_join_skips *s) {
  return s->at[0].up != 0;
}
/* Undoes all links: more is written in a filled block than they know of. */
void ph_join_skip_unlink(ph_join_skips *s);
/* b is filled: what is written in it is known. */
void ph_join_skip_fill(const ph_func *f, ph_join_skips *s, uint32_t b);
/* Is it known what every way to b comes through? */
static inline bool ph_join_skip_islinked(const ph_join_skips *s, uint32_t b) {
  return s->at[b].up != 0;
}
/* Is var what it was at the end of `up` when b begins? */
static inline bool ph_join_skip_passes(const ph_join_skips *s, uint32_t b,
                                       uint32_t var) {
  return !(s->at[b].around & ph_join_skip_bit(var));
}
/* Every way to b comes through `up`; `vars` may be written on the way. */
static inline void ph_join_skip_linkto(ph_join_skip *at, uint32_t b,
                                       uint32_t up, uint64_t vars) {
  const ph_join_skip *u = &at[up], *middle = &at[u->jump];
  bool alike = u->depth - u->jump_depth == u->jump_depth - middle->jump_depth;
  ph_join_skip *s = &at[b];
  s->up = up;
  s->depth = u->depth + 1;
  s->tree = u->tree;
  s->jump = alike ? middle->jump : up;
  s->jump_depth = alike ? middle->jump_depth : u->depth;
  s->around = vars;
}
/* b is sealed and not linked: tries to find what every way to it comes
** through.  Is it known now? */
bool ph_join_skip_linkjoin(const ph_func *f, ph_join_skips *s, uint32_t b);
static inline bool ph_join_skip_link(const ph_func *f, ph_join_skips *s,
                                     uint32_t b) {
  const ph_blockrec *block = ph_blockrec_of(f, b);
  if (block->npreds == 0) return false;
  s->at[0].up = 1;
  if (block->npreds != 1 || block->filled)
    return ph_join_skip_linkjoin(f, s, b);
  ph_join_skip_linkto(s->at, b, f->edges.at[block->first_pred].from, 0);
  return true;
}
/* Does every way to p come through b, and is that known? */
bool ph_join_skip_isabove(const ph_join_skips *s, uint32_t b, uint32_t p);

#endif
