/* identity.h: the nodes of the host that values were made for. */
#ifndef PH_IR_IDENTITY_H
#define PH_IR_IDENTITY_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Returns what v was made for: an index in `identities`, or 0. */
static inline uint32_t ph_identity_of(const ph_func *f, uint32_t v) {
  return v < f->made_for.n ? f->made_for.at[v] : 0;
}
/* Returns a new identity: a node of the host, and 0; or two others. */
uint32_t ph_identity_new(ph_func *f, uint32_t first, uint32_t then);
/* Adds an identity, not 0, to those of v, unless v is in no block. */
void ph_identity_add(ph_func *f, uint32_t v, uint32_t identity);
/* Gives w the nodes of v, which keeps them. */
static inline void ph_identity_share(ph_func *f, uint32_t v, uint32_t w) {
  uint32_t identity = ph_identity_of(f, v);
  if (identity != 0) ph_identity_add(f, w, identity);
}
/* Gives v the current node. */
static inline void ph_identity_stamp(ph_func *f, uint32_t v) {
  if (f->identity != 0) ph_identity_add(f, v, f->identity);
}

#pragma GCC visibility pop
#endif
