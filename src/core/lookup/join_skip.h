/* join_skip.h: links between blocks, along which a look-up skips those that do
** not write its variable.
**
** A link leads from a block to `up`, one of its dominators, and has the set of
** variables that may be written on the paths between the two.  A jump leads
** over several links at once.  Jumps need depths, and depths need trees: a
** block that is linked before it is filled becomes a child of its `up` in the
** tree of that block.  Other blocks may already be below one that is linked
** later, and their depths are fixed: it stays the root of its tree, which hangs
** from its `up`.
*/
#ifndef PH_LOOKUP_JOIN_SKIP_H
#define PH_LOOKUP_JOIN_SKIP_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

#define PH_ALLVARS UINT64_MAX

/* The summary of a block; 64 bytes.  In a set of variables one bit stands for
** all variables with the same number modulo 64: if it is clear, none of them is
** in the set. */
typedef struct {
  /* Variables written in the block. */
  uint64_t written;
  /* Variables that may be written on a path from the end of `up` to the start
  ** of the block; without a link, all. */
  uint64_t around;
  /* Variables with a definition in the block's list or in the table. */
  uint64_t kept;
  /* The union of `written` and `around` of all blocks from this one up to
  ** `jump`, exclusive; until the block is filled, and for a root, all. */
  uint64_t written_to_jump;
  uint32_t up;         /* a dominator of the block; 0: it has no link */
  uint32_t jump;       /* an ancestor in the tree; for a root, itself */
  uint32_t tree;       /* the root of the block's tree */
  uint32_t depth;      /* in the tree; 0 for the root */
  uint32_t jump_depth; /* depth of `jump` */
  uint32_t defs;       /* first of the block's definitions (current_def.c) */
  uint32_t unused[2];  /* makes it 64 bytes, so that indexing is a shift */
} ph_join_skip;

PH_VEC(ph_block_skips, ph_join_skip)

typedef struct {
  ph_block_skips blocks; /* by block */
  bool linked; /* ph_join_skip_link has been called since the last unlink */
} ph_join_skips;

static inline uint64_t ph_join_skip_bit(uint32_t var) {
  return (uint64_t)1 << (var & 63);
}

/* Makes room for all blocks of f. */
void ph_join_skip_room(ph_func *f, ph_join_skips *s);
/* Undoes all links, because a filled block has gained a definition that their
** sets do not contain. */
void ph_join_skip_unlink(ph_join_skips *s);
/* True if b has a link. */
static inline bool ph_join_skip_islinked(const ph_join_skips *s, uint32_t b) {
  return s->blocks.at[b].up != 0;
}
/* True if var is known to have the same value at the start of b as at the end
** of `up`; false: unknown, or b has no link. */
static inline bool ph_join_skip_istransparent(const ph_join_skips *s,
                                              uint32_t b, uint32_t var) {
  return !(s->blocks.at[b].around & ph_join_skip_bit(var));
}
/* Links b, which is not filled, to `up`, which is on every path to b; `vars`
** may be written between. */
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
/* Tries to link b, which is sealed and has no link.  True if it has one now.
** ph_join_skip_linkjoin: b has several predecessors, or is filled. */
bool ph_join_skip_linkjoin(const ph_func *f, ph_join_skips *s, uint32_t b);
static inline bool ph_join_skip_link(const ph_func *f, ph_join_skips *s,
                                     uint32_t b) {
  const ph_blockrec *block = ph_blockrec_of(f, b);
  if (block->npreds == 0) return false;
  s->linked = true;
  if (block->npreds != 1 || block->filled)
    return ph_join_skip_linkjoin(f, s, b);
  ph_join_skip_linkto(s->blocks.at, b, f->edges.at[block->first_pred].from, 0);
  return true;
}
/* Records that b is about to be filled: the set of variables written in it is
** complete.  Links b if it is sealed, and sums up what may be written from it
** up to its jump: in and around the block itself, then in what the jumps of its
** parent pass. */
static inline void ph_join_skip_fill(const ph_func *f, ph_join_skips *skips,
                                     uint32_t b) {
  ph_join_skip *at = skips->blocks.at, *s = &at[b];
  if (s->up == 0 &&
      !(ph_blockrec_of(f, b)->sealed && ph_join_skip_link(f, skips, b)))
    return;
  s->written_to_jump = s->written | s->around;
  if (s->jump != s->up)
    s->written_to_jump |=
        at[s->up].written_to_jump | at[at[s->up].jump].written_to_jump;
}
/* True if every path to p is known to pass through b; false: unknown. */
bool ph_join_skip_isabove(const ph_join_skips *s, uint32_t b, uint32_t p);

#pragma GCC visibility pop
#endif
