/* player.c: what players of plain and of typed functions share. */
#include "player.h"

#include <stdio.h>
#include <stdlib.h>

void *player_array(size_t n, size_t size) {
  void *a = calloc(n + 1, size);
  if (a == NULL) {
    fputs("out of memory\n", stderr);
    exit(EXIT_FAILURE);
  }
  return a;
}

player player_new(const trace *t, const options *given) {
  return (player){
      .t = t,
      .options = {.construction = given->construction},
      .given = given,
      .pool = ph_pool_new(&ph_mem_libc, SIZE_MAX),
      .blocks = (ph_block *)player_array(t->maxblocks, sizeof(ph_block)),
      .targets = (ph_block *)player_array(t->maxtargets, sizeof(ph_block)),
      .vars = (ph_var *)player_array(t->maxvars, sizeof(ph_var)),
  };
}

void player_done(player *r) {
  ph_pool_free(r->pool);
  free(r->blocks);
  free(r->targets);
  free(r->vars);
}
