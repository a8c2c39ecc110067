/* grammar.h: the grammar of a rule. */
#ifndef PH_GRAMMAR_H
#define PH_GRAMMAR_H

#include "core/rules/language/rule_draft.h"

/* Each reads one, from the token that is there, and makes its nodes; 0 after
** a mistake. */
uint32_t ph_grammar_pattern(ph_draft *d);
uint32_t ph_grammar_result(ph_draft *d);
uint32_t ph_grammar_guard(ph_draft *d);

#endif
