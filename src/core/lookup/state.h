/* state.h: construction's own data, from the first read or write to finish. */
#ifndef PH_LOOKUP_STATE_H
#define PH_LOOKUP_STATE_H

#include "core/lookup/current_def.h"
#pragma GCC visibility push(hidden)

/* Two different operands of a phi, neither of them the phi itself, witness that
** it is not trivial.  Each is watched by an entry in the list of its value. */
typedef struct {
  uint32_t first;            /* entry of the phi's own list: its watchers */
  uint32_t scanned;          /* operands examined so far */
  uint32_t origin;           /* if the phi is not firm: its origin, or 0 */
  uint32_t witness[2];       /* 0: none */
  uint32_t next[2], prev[2]; /* entries in the lists of the witnesses */
} ph_watch;

PH_VEC(ph_watches, ph_watch)

/* A look-up that waits for others: in the predecessors of a join, one after the
** other, or in the `up` of a block on a long climb. */
typedef struct {
  uint32_t block; /* the join, or the block on the climb */
  uint32_t edge;  /* of a join: the edge whose predecessor is being looked up;
                     on a climb: 0 */
  uint32_t base;  /* index of its first result on the stack of values */
  uint32_t def;   /* of a join: its definition's number in current_def's list */
} ph_frame;

PH_VEC(ph_frames, ph_frame)

/* A block entered by the SCC variant (read_scc.c), until the values of its
** component are known.  While its predecessors are looked up, it has a frame,
** whose `base` is the index of the next result, and whose `def` is the number
** of this node. */
typedef struct {
  uint32_t block;
  uint32_t def;   /* number of its mark in current_def's list */
  uint32_t base;  /* index of its first result on the stack of values */
  uint32_t least; /* number of the first node that it is known to reach */
} ph_open;

PH_VEC(ph_opens, ph_open)

struct ph_state {
  ph_current_def defs;
  ph_join_skips skips; /* links between blocks */
  ph_watches watches;  /* by a phi's number in f->phis */
  ph_ids watched;      /* by value, for undefs: first entry of its watchers */
  ph_ids suspects;     /* worklist: phis that may have become trivial */
  ph_ids unproven;     /* numbers of phis that are not known to be firm */
  bool kills;          /* variables have been ended */
  bool sure;           /* all phis not in `unproven` are firm */
  uint32_t sealed;     /* number of blocks sealed by ph_build_seal */
  uint32_t entered;    /* those among them whose first edge comes from an older
                          block */
  ph_frames frames;    /* of look-ups under way, innermost last */
  ph_ids values;       /* their results so far */
  ph_opens nodes;      /* of components that are not complete */
  ph_ids node;         /* by block with a mark: number of its node */
  ph_ids asked;        /* variables with a pending undef, which ph_build_define
                          replaces, in order */
  uint32_t answered;   /* how many of them are defined */
  ph_ids folded;       /* edges folded away: target, index of the next one */
  ph_ids unfolded;     /* by block: index of its first folded edge, or 0 */
};

/* True if the state has counted every block except the entry.  It does not
** count blocks that are older than it, or that were made sealed. */
static inline bool ph_state_countsall(const ph_func *f, uint32_t count) {
  return count == f->blocks.n - 2;
}
/* Returns the state of f, created if necessary, with room for all its variables
** and blocks. */
ph_state *ph_state_room(ph_func *f);
/* Returns the lazy definitions of f, created if necessary. */
ph_lazy *ph_state_lazy(ph_func *f);
/* Returns the state, with room for block b (and for the variable). */
static inline ph_state *ph_state_of(ph_func *f, uint32_t b) {
  return b < f->built ? f->state : ph_state_room(f);
}
static inline ph_state *ph_state_for(ph_func *f, uint32_t var, uint32_t b) {
  ph_state *state = ph_state_of(f, b);
  return var < state->defs.cells.n ? state : ph_state_room(f);
}

#pragma GCC visibility pop
#endif
