/* phi.h: trivial phis. */
#ifndef PH_PHI_H
#define PH_PHI_H

#include "core/defs.h"
#include "core/skip.h"

/* Two different operands of a phi, neither of them the phi, witness that it
** is not trivial.  Each is watched: an entry in its value's list. */
typedef struct {
  uint32_t first;            /* of the phi's own list: who watches it */
  uint32_t scanned;          /* operands looked at */
  uint32_t witness[2];       /* 0: none */
  uint32_t next[2], prev[2]; /* entries */
} ph_watch;

PH_VEC(ph_watches, ph_watch)

typedef struct {
  uint32_t join; /* the block that the look-up came to */
  uint32_t edge; /* the edge into it that is looked up */
  uint32_t base; /* its first value on the stack */
  uint32_t def;  /* where the definition at the end of `join` is kept */
} ph_frame;

PH_VEC(ph_frames, ph_frame)

/* What construction needs until the function is finished. */
struct ph_builder {
  ph_defs defs;
  ph_skips skips;     /* by block */
  ph_watches watches; /* by phi: its number in f->phis */
  ph_ids watched;     /* by value, of undefs: the first entry of its list */
  ph_ids doubtful;    /* phis to look at again */
  ph_frames frames;   /* of look-ups under way */
  ph_ids values;      /* and their results so far */
  ph_ids asked;       /* variables for ph_build_define, in order */
  uint32_t answered;  /* how many of them have been defined */
  ph_ids folded;      /* edges folded away: a target, the next one's index */
  ph_ids unfolded;    /* by block: index of its first one, or 0 */
};

/* Gives an operandless phi its operands; removes it and every other phi that
** is trivial then. */
void ph_phi_complete(ph_func *f, uint32_t phi, const uint32_t *args,
                     uint32_t n);
/* The same for a phi whose operands, if one looked them up, would all be v or
** the phi: they are not needed, `args` is for listeners. */
void ph_phi_settle(ph_func *f, uint32_t phi, uint32_t v, const uint32_t *args);
/* v, which is in no block, is w from now on; removes the phis that become
** trivial by that. */
void ph_phi_merge(ph_func *f, uint32_t v, uint32_t w);

/* Forgets all witnesses: what follows may change phis behind the back of
** this file.  Phis that become trivial by it stay until finish. */
void ph_phi_forget(ph_func *f);

#endif
