/* compound.h: nodes for ops and functions with their operands. */
#ifndef PH_RULES_LANGUAGE_COMPOUND_H
#define PH_RULES_LANGUAGE_COMPOUND_H

#include "core/rules/language/rule_draft.h"
#pragma GCC visibility push(hidden)

/* True if a rule can have the op. */
bool ph_compound_isallowed(ph_op op);

uint32_t ph_compound_make(ph_rule_draft *d, uint16_t op, uint32_t at);
/* Completes a node, which has all its kids: infers its types. */
uint32_t ph_compound_close(ph_rule_draft *d, uint32_t node);

/* The kids of an operation, in two chains: operands, then labels. */
typedef struct {
  uint32_t node, n, m;
  uint32_t last, first_label, last_label;
} ph_kids;

/* True if a label must come next. */
bool ph_compound_wantslabel(const ph_rule_draft *d, uint16_t op,
                            const ph_kids *k);
void ph_compound_addkid(ph_rule_draft *d, ph_kids *k, uint32_t kid);
void ph_compound_addlabel(ph_rule_draft *d, ph_kids *k, uint32_t kid);
/* Completes the operation: checks the number of its kids. */
uint32_t ph_compound_end(ph_rule_draft *d, ph_kids *k);

/* True if the node is a condition. */
bool ph_compound_iscondition(const ph_rule_draft *d, uint32_t node);

#pragma GCC visibility pop
#endif
