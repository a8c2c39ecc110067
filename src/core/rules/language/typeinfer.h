/* typeinfer.h: the types in a rule. */
#ifndef PH_RULES_LANGUAGE_TYPEINFER_H
#define PH_RULES_LANGUAGE_TYPEINFER_H

#include "core/rules/language/rule_draft.h"

/* A node whose kids are there gets its type, and gives its kids theirs, as the
** op says: an operation, or an expression in the place of an operand. */
void ph_typeinfer_place(ph_rule_draft *d, uint32_t node);
/* The same for an expression in a guard, of plain integers as far as widths do
** not matter. */
void ph_typeinfer_guard(ph_rule_draft *d, uint32_t node);
/* The types that a literal can have: those that represent it. */
uint32_t ph_typeinfer_literal(ph_rule_draft *d, uint32_t node);
/* Is every operand wanted, and no more?  n operands and m labels. */
void ph_typeinfer_count(ph_rule_draft *d, ph_op op, uint32_t n, uint32_t m,
                        uint32_t at);

#endif
