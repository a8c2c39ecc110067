/* player.h: makes the functions of a trace through the C interface.
**
** Two programs are made of two players: bench/replay replays plain functions,
** bench/replay_typed typed ones.
*/
#ifndef PLAYER_H
#define PLAYER_H

#include "options.h"
#include "phial.h"
#include "trace.h"

typedef struct {
  const trace *t;
  ph_options options;
  const options *given;
  ph_pool *pool;
  ph_block *blocks, *targets; /* of the function being made */
  ph_var *vars;
} player;

/* Loads the trace.  The player of plain functions runs the other program if
** they are typed, that of typed ones refuses plain ones. */
trace player_load(const options *o, char **argv);
player player_new(const trace *t, const options *given);
void player_done(player *r);
/* Makes a function and replays its events; does not finish it. */
ph_func *player_build(player *r, const trace_func *tf);
/* Finishes it. */
void player_finish(const player *r, ph_func *f);

/* Returns n + 1 items, zeroed. */
void *player_array(size_t n, size_t size);

#endif
