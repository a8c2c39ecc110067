/* texts.c: texts that are composed one after another and told at the end.
**
** A pass that has something to report reports it when its own memory is free
** again: then the host's callback may leave by longjmp, and may ask for other
** passes.
*/
#include "core/base/texts.h"

void ph_texts_start(ph_texts *t, ph_arena *a) {
  memset(t, 0, sizeof *t);
  t->a = a;
  t->mem = ph_arena_mem(a);
  t->all.mem = &t->mem;
}

void ph_texts_end(ph_texts *t) {
  ph_ids_push(&t->lengths, t->a, (uint32_t)(t->all.n - t->begin));
  t->begin = t->all.n;
}

void ph_texts_tell(const ph_texts *t, void (*report)(void *ud, ph_str text),
                   void *ud) {
  const char *at = t->all.at;
  for (uint32_t i = 0; i < t->lengths.n; i++) {
    report(ud, (ph_str){at, t->lengths.at[i]});
    at += t->lengths.at[i];
  }
}
