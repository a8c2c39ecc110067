/* build.h: construction's own data, made and freed with it. */
#ifndef PH_BUILD_H
#define PH_BUILD_H

#include "core/phi.h"

/* The builder of f, made when there is none, with room for all its variables
** and blocks. */
ph_builder *ph_build_room(ph_func *f);

static inline ph_builder *ph_build_data(ph_func *f) {
  const ph_builder *b = f->builder;
  bool has_room =
      b != NULL && b->defs.cells.n >= f->vars.n && b->skips.n >= f->blocks.n;
  return has_room ? f->builder : ph_build_room(f);
}

#endif
