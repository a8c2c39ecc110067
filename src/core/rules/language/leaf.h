/* leaf.h: the smallest parts of rules. */
#ifndef PH_RULES_LANGUAGE_LEAF_H
#define PH_RULES_LANGUAGE_LEAF_H

#include "core/rules/language/rule_draft.h"
#pragma GCC visibility push(hidden)

bool ph_leaf_isupper(ph_str s);
/* True if s is this word. */
bool ph_leaf_is(ph_str s, const char *word);
/* Reads a token that is not an op: a literal, after a minus if it is negative,
** or a name.  Returns 0 after an error, like all below. */
uint32_t ph_leaf_read(ph_rule_draft *d, const ph_lexeme *t, bool negative);
uint32_t ph_leaf_name(ph_rule_draft *d, const ph_lexeme *t);
/* Read a required name: of a label; of a value; of a type, or of what has one
** (only its width counts). */
uint32_t ph_leaf_label(ph_rule_draft *d);
uint32_t ph_leaf_value(ph_rule_draft *d);
uint32_t ph_leaf_type(ph_rule_draft *d);
/* Reads the type that follows a node without a blank, if there is one. */
void ph_leaf_annotate(ph_rule_draft *d, uint32_t node);

#pragma GCC visibility pop
#endif
