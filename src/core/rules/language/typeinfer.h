/* typeinfer.h: infers the types in a rule. */
#ifndef PH_RULES_LANGUAGE_TYPEINFER_H
#define PH_RULES_LANGUAGE_TYPEINFER_H

#include "core/rules/language/rule_draft.h"
#pragma GCC visibility push(hidden)

/* Infers the type of a node with all its kids, and theirs, from the op: an
** operation, or an expression that stands for an operand. */
void ph_typeinfer_place(ph_rule_draft *d, uint32_t node);
/* The same for an expression in a guard, of plain integers unless a width
** matters. */
void ph_typeinfer_guard(ph_rule_draft *d, uint32_t node);
/* Returns the types that can represent a literal. */
uint32_t ph_typeinfer_literal(ph_rule_draft *d, uint32_t node);
/* Checks the number of operands, n, and of labels, m. */
void ph_typeinfer_count(ph_rule_draft *d, ph_op op, uint32_t n, uint32_t m,
                        uint32_t at);

#pragma GCC visibility pop
#endif
