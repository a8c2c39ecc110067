/* parallel_copy.h: a parallel copy as a sequence of moves. */
#ifndef PH_LEAVE_PARALLEL_COPY_H
#define PH_LEAVE_PARALLEL_COPY_H

#include "core/base/vec.h"
#include "phial/leave.h"
#pragma GCC visibility push(hidden)

PH_VEC(ph_moves, ph_move)
PH_VEC(ph_types, ph_type)

typedef struct {
  ph_arena *a;     /* of `types` and `out` */
  ph_arena *work;  /* of all others */
  ph_types types;  /* by location; temporaries are appended */
  ph_moves out;    /* the sequences so far, one after the other */
  ph_moves copy;   /* the parallel copy: to different locations */
  uint32_t ntemps; /* number of moves to temporaries */
  ph_ids pending; /* by location: 1 + index in `copy` of the move to it, or 0 */
  ph_ids holder;  /* by location: where its old value is, or 0: not needed */
  ph_ids ready, todo;           /* locations: free to be written; all */
  uint32_t temp[UINT8_MAX + 1]; /* by type: the temporary, or 0 */
} ph_parallel_copy;

/* Appends the moves of c->copy to c->out, in an order in which they can be done
** one after the other, and empties c->copy. */
void ph_parallel_copy_sequence(ph_parallel_copy *c);

#pragma GCC visibility pop
#endif
