/* needed.h: the values that something needs. */
#ifndef PH_ANALYSIS_NEEDED_H
#define PH_ANALYSIS_NEEDED_H

#include "core/analysis/rpo.h"
#include "core/ir/op.h"
#pragma GCC visibility push(hidden)

/* What is needed even if nothing uses it. */
typedef enum {
  PH_ROOTS_ACT,     /* what writes, may trap or ends a block */
  PH_ROOTS_RUN,     /* the same, ops of dialects and further results */
  PH_ROOTS_INSTS,   /* all instructions */
  PH_ROOTS_UNPRUNED /* what pruned SSA form keeps: instructions and reads, but
                       for values of lazy definitions that were not read */
} ph_needed_roots;

/* True if v writes, ends a block or may trap: a division by most constants
** does none of that. */
static inline bool ph_needed_acts(const ph_func *f, uint32_t v) {
  ph_op op = ph_node_of(f, v)->op;
  if (op >= PH_SDIV && op <= PH_UREM) {
    const ph_node *by = ph_node_of(f, ph_body_operand(f, v, 1));
    int64_t i = by->op == PH_CONST ? (int64_t)f->datas.at[by->aux].bits : 0;
    return i == 0 || (op == PH_SDIV && (i == -1 || by->type == PH_I1));
  }
  return ph_op_effectof(f, op) == PH_EFFECT_WRITE ||
         ph_op_has(f, op, PH_TRAPS | PH_TERMINATOR);
}

/* True if v, a phi or an instruction, is among the roots. */
static inline bool ph_needed_isroot(const ph_func *f, ph_needed_roots roots,
                                    uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  if (roots == PH_ROOTS_INSTS) return n->op != PH_PHI;
  if (roots == PH_ROOTS_UNPRUNED)
    return (n->op != PH_PHI && !(n->flags & PH_IS_LAZY)) ||
           n->flags & PH_IS_READ;
  return ph_needed_acts(f, v) ||
         (roots == PH_ROOTS_RUN && (n->op >= PH_OPS || n->op == PH_PROJ));
}

/* Returns, by value and in `a`, whether it is needed: it is a root in a block
** that counts (ph_rpo_counts), or an operand of what is needed. */
bool *ph_needed_find(const ph_func *f, ph_arena *a, const ph_rpo *o,
                     ph_needed_roots roots);

#pragma GCC visibility pop
#endif
