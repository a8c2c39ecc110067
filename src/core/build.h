/* build.h: construction's own data, made and freed with it. */
#ifndef PH_BUILD_H
#define PH_BUILD_H

#include "core/phi.h"

/* The builder of f, made when there is none, with room for all its variables
** and blocks. */
ph_builder *ph_build_data(ph_func *f);

#endif
