/* rule_let.h: let NAME(PARAMETERS) = FORM | FORM ...: patterns with names. */
#ifndef PH_RULES_LANGUAGE_RULE_LET_H
#define PH_RULES_LANGUAGE_RULE_LET_H

#include "core/rules/language/draft.h"
#pragma GCC visibility push(hidden)

/* True if a definition comes next, and not a rule. */
bool ph_rule_let_is(const ph_rule_lexer *s);
/* Reads it; errors go to the draft. */
void ph_rule_let_read(ph_draft *d);
/* Returns the text of a rule that has been read, after the definitions that it
** uses, in the draft's arena. */
ph_str ph_rule_let_text(ph_draft *d, ph_str rule);
/* Chooses other forms for the rule that has been read; false: it had all. */
bool ph_rule_let_next(ph_draft *d);

#pragma GCC visibility pop
#endif
