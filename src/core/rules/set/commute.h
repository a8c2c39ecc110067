/* orders.h: the orders in which one pattern matches. */
#ifndef PH_ORDERS_H
#define PH_ORDERS_H

#include "core/rules/set/ruleset.h"

/* The nodes of a pattern that match both ways, and one of the orders: a bit
** each tells whether the operands are exchanged. */
typedef struct {
  const ph_func *space;
  const ph_rule *rule;
  ph_ids both;
  uint32_t bits;
} ph_orders;

/* Finds the nodes, in `a`; the bits are those of the pattern as written. */
void ph_orders_find(ph_orders *o, ph_arena *a, const ph_rules *set,
                    const ph_rule *rule);
/* The next order; false: that was the last one. */
static inline bool ph_orders_next(ph_orders *o) {
  return ++o->bits >> o->both.n == 0;
}
/* Can instructions have this order? */
bool ph_orders_canonical(const ph_orders *o);
/* The op and operand i of a node, in this order. */
ph_op ph_orders_op(const ph_orders *o, uint32_t node);
uint32_t ph_orders_kid(const ph_orders *o, uint32_t node, uint32_t i);

static inline bool ph_orders_isconst(const ph_rulenode *n) {
  return n->kind == PH_R_CONST || n->kind == PH_R_LIT || n->kind == PH_R_MIN ||
         n->kind == PH_R_MAX || n->kind == PH_R_EXPR;
}

#endif
