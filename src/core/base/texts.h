/* texts.h: texts that are composed one after another and told at the end. */
#ifndef PH_BASE_TEXTS_H
#define PH_BASE_TEXTS_H

#include "core/base/vec.h"
#pragma GCC visibility push(hidden)

/* Refers to itself: not to be copied. */
typedef struct {
  ph_arena *a;
  ph_mem mem;     /* the arena, for `all` */
  ph_strbuf all;  /* all texts, the current one last */
  size_t begin;   /* of the current one */
  ph_ids lengths; /* of those that are complete */
} ph_texts;

void ph_texts_start(ph_texts *t, ph_arena *a);
/* Completes the current text, and begins the next one. */
void ph_texts_end(ph_texts *t);
/* Calls report(ud, text) for each complete text, in order. */
void ph_texts_tell(const ph_texts *t, void (*report)(void *ud, ph_str text),
                   void *ud);

#pragma GCC visibility pop
#endif
