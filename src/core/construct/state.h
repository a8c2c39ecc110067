/* state.h: construction's own data, made and freed with it. */
#ifndef PH_CONSTRUCT_STATE_H
#define PH_CONSTRUCT_STATE_H

#include "core/construct/current_def.h"

/* Two different operands of a phi, neither of them the phi, witness that it
** is not trivial.  Each is watched: an entry in its value's list. */
typedef struct {
  uint32_t first;            /* of the phi's own list: who watches it */
  uint32_t scanned;          /* operands looked at */
  uint32_t source;           /* of a phi that is not firm, or 0 */
  uint32_t witness[2];       /* 0: none */
  uint32_t next[2], prev[2]; /* entries */
} ph_watch;

PH_VEC(ph_watches, ph_watch)

typedef struct {
  uint32_t join; /* the block that the look-up came to */
  uint32_t edge; /* the edge into it that is looked up; 0: its `up` is */
  uint32_t base; /* its first value on the stack */
  uint32_t def;  /* edge not 0: where the definition of `join` is kept */
} ph_frame;

PH_VEC(ph_frames, ph_frame)

/* What construction needs until the function is finished. */
struct ph_state {
  ph_current_def defs;
  ph_join_skips skips; /* by block */
  ph_watches watches;  /* by phi: its number in f->phis */
  ph_ids watched;      /* by value, of undefs: the first entry of its list */
  ph_ids doubtful;     /* phis to look at again */
  ph_ids unproven;     /* numbers of phis that are not known to be firm */
  bool sure;           /* all others are */
  uint32_t sealed;     /* blocks sealed one by one */
  uint32_t entered;  /* those of them with a first edge from one made before */
  ph_frames frames;  /* of look-ups under way */
  ph_ids values;     /* and their results so far */
  ph_ids asked;      /* variables for ph_build_define, in order */
  uint32_t answered; /* how many of them have been defined */
  ph_ids folded;     /* edges folded away: a target, the next one's index */
  ph_ids unfolded;   /* by block: index of its first one, or 0 */
};

/* The state of f, made when there is none, with room for all its variables
** and blocks. */
ph_state *ph_state_room(ph_func *f);
/* The state, with room for block b; and for the variable. */
static inline ph_state *ph_state_of(ph_func *f, uint32_t b) {
  return b < f->built ? f->state : ph_state_room(f);
}
static inline ph_state *ph_state_for(ph_func *f, uint32_t var, uint32_t b) {
  ph_state *state = ph_state_of(f, b);
  return var < state->defs.cells.n ? state : ph_state_room(f);
}

#endif
