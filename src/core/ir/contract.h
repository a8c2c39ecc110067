/* contract.h: what the public headers require of a host, asserted.
**
** A public function asserts its requirements at its entry, before it changes
** anything; the string in the assertion states the requirement.
**
** Where that takes a noticeable part of the call, it is done by ph_require.  A
** build with -DPH_TRUSTED does without: it is for a host that checks all
** arguments itself, as the Lua module does (its builds for tests are not
** trusted).  -DNDEBUG leaves out all assertions.
*/
#ifndef PH_IR_CONTRACT_H
#define PH_IR_CONTRACT_H

#include <assert.h>

#include "core/ir/body.h"

#if defined PH_TRUSTED || defined NDEBUG
#define ph_require(condition) ((void)(0 && (condition)))
#else
#define ph_require(condition) assert(condition)
#endif

/* True if what a later version may give a meaning is zero (PH_RESERVED). */
#define ph_contract_isblank(s)                               \
  (((s)->reserved[0] | (s)->reserved[1] | (s)->reserved[2] | \
    (s)->reserved[3]) == 0)

/* True if the function is under construction: it can be filled. */
static inline bool ph_contract_isopen(const ph_func *f) {
  return !f->finished && !f->frozen;
}
/* True if f has a block, variable, value, edge of this id, even a removed
** one. */
static inline bool ph_contract_hasblock(const ph_func *f, ph_block b) {
  return b.id != 0 && b.id < f->blocks.n;
}
static inline bool ph_contract_hasvar(const ph_func *f, ph_var var) {
  return var.id != 0 && var.id < f->vars.n;
}
static inline bool ph_contract_hasvalue(const ph_func *f, ph_value v) {
  return v.id != 0 && v.id < f->nodes.n;
}
static inline bool ph_contract_hasedge(const ph_func *f, uint32_t edge) {
  return edge != 0 && edge < f->edges.n;
}
/* True if these are values of f that were not removed. */
static inline bool ph_contract_hasvalues(const ph_func *f, const ph_value *args,
                                         uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (!ph_contract_hasvalue(f, args[i]) ||
        (f->nodes.at[ph_body_resolve(f, args[i].id)].flags & PH_IS_DROPPED))
      return false;
  return true;
}
/* True if it is an op of phial, PH_NONE included, or of an attached dialect. */
static inline bool ph_contract_hasop(const ph_func *f, ph_op op) {
  return op < PH_KNOWN_OPS || (op >= PH_OPS && op < PH_OPS + f->flags.n);
}
/* True if the block exists and was not removed. */
static inline bool ph_contract_keeps(const ph_func *f, ph_block b) {
  return ph_contract_hasblock(f, b) && !f->blocks.at[b.id].removed;
}
/* True if v is in a block, and not a phi. */
static inline bool ph_contract_isinst(const ph_func *f, uint32_t v) {
  const ph_node *n = &f->nodes.at[v];
  return n->block != 0 && n->op != PH_PHI && !(n->flags & PH_IS_DROPPED);
}
/* True if the function is finished and the block was not removed. */
static inline bool ph_contract_canedit(const ph_func *f, ph_block b) {
  return f->finished && ph_contract_keeps(f, b);
}
/* True if f has phis, or instructions other than the copies of writes. */
static inline bool ph_contract_isbegun(const ph_func *f) {
  for (uint32_t v = 1; v < f->nodes.n; v++)
    if (f->nodes.at[v].block != 0 && f->nodes.at[v].op != PH_COPY) return true;
  return false;
}

#endif
