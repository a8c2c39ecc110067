/* leaf.h: the smallest parts of rules. */
#ifndef PH_RULES_LANGUAGE_LEAF_H
#define PH_RULES_LANGUAGE_LEAF_H

#include "core/rules/language/rule_draft.h"

bool ph_leaf_isupper(ph_str s);
/* Is s this word? */
bool ph_leaf_is(ph_str s, const char *word);
/* What a token says that is no op: a literal, with a minus before it or not, or
** a name.  0 after a mistake, as all below. */
uint32_t ph_leaf_read(ph_rule_draft *d, const ph_lexeme *t, bool negative);
uint32_t ph_leaf_name(ph_rule_draft *d, const ph_lexeme *t);
/* Each reads a name that must be there: of a label; of a value; a type, or
** what has one (only its width counts). */
uint32_t ph_leaf_label(ph_rule_draft *d);
uint32_t ph_leaf_value(ph_rule_draft *d);
uint32_t ph_leaf_type(ph_rule_draft *d);
/* Reads the type that stands behind a node without a blank, if there is one. */
void ph_leaf_annotate(ph_rule_draft *d, uint32_t node);

#endif
