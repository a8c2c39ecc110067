/* orders.h: the orders of operands in which a pattern matches. */
#ifndef PH_RULES_MATCH_ORDERS_H
#define PH_RULES_MATCH_ORDERS_H

#include "core/rules/set/ruleset.h"
#pragma GCC visibility push(hidden)

/* At most so many ops of one pattern match both ways, the outermost. */
enum { PH_ORDERS_MOST = 16 };

/* The nodes of a pattern that match both ways, and one of the orders: a bit for
** each of `both` tells whether its operands are exchanged. */
typedef struct {
  const ph_func *space;
  const ph_rule *rule;
  ph_ids both;   /* whose orders are chosen here */
  ph_ids turned; /* whose operands are always exchanged */
  ph_ids open;   /* whose orders are chosen while matching */
  uint32_t left; /* the number of nodes that match as written only */
  uint32_t bits;
} ph_orders;

/* Finds the nodes, in memory of `a`; the bits are those of the first order. */
void ph_orders_find(ph_orders *o, ph_arena *a, const ph_ruleset *set,
                    const ph_rule *rule);
/* Goes to the next order; false: that was the last one. */
static inline bool ph_orders_next(ph_orders *o) {
  return ++o->bits >> o->both.n == 0;
}

/* True if the order of the node's operands is chosen while matching. */
bool ph_orders_isopen(const ph_orders *o, uint32_t node);
/* Return the op and operand i of a node in this order. */
ph_op ph_orders_op(const ph_orders *o, uint32_t node);
uint32_t ph_orders_kid(const ph_orders *o, uint32_t node, uint32_t i);

#pragma GCC visibility pop
#endif
