/* structured.c: which functions have structured control flow. */
#include "structured.h"

#include "player.h"

#include <stdlib.h>

static bool is_structured(player *r, const trace_func *tf) {
  const ph_block none = {0};
  ph_func *f = player_build(r, tf);
  bool is = !ph_some(ph_finish_unsealed(f, none)) &&
            !ph_some(ph_classical_unstructured(f));
  ph_func_free(f);
  return is;
}

static bool is_event(int32_t kind) {
  return kind != TRACE_BLOCK && kind != TRACE_SEAL && kind != TRACE_PARAM &&
         kind != TRACE_VAR;
}

static size_t events_of(const int32_t *c) {
  size_t n = 0;
  for (; *c != TRACE_END; c += trace_width(c)) n += is_event(*c);
  return n;
}

void structured_keep(trace *t) {
  const options given = {.is_classic = true, .classic = PH_BRANDIS};
  player r = player_new(t, &given);
  size_t kept = 0;
  t->events = 0;
  for (size_t i = 0; i < t->nfuncs; i++) {
    trace_func tf = t->funcs[i];
    if (is_structured(&r, &tf)) {
      t->events += events_of(t->code + tf.start);
      t->funcs[kept++] = tf;
    } else {
      free(tf.name);
    }
  }
  t->nfuncs = kept;
  player_done(&r);
}
