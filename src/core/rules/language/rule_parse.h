/* rule_parse.h: the grammar of a rule. */
#ifndef PH_RULES_LANGUAGE_RULE_PARSE_H
#define PH_RULES_LANGUAGE_RULE_PARSE_H

#include "core/rules/language/draft.h"
#pragma GCC visibility push(hidden)

/* Read one, from the current token on, and make its nodes; 0 after an error. */
uint32_t ph_rule_parse_pattern(ph_draft *d);
/* Reads a form of `let`: it ends before |. */
uint32_t ph_rule_parse_form(ph_draft *d);
uint32_t ph_rule_parse_result(ph_draft *d);
uint32_t ph_rule_parse_guard(ph_draft *d);

#pragma GCC visibility pop
#endif
