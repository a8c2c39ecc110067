/* rule_leaf.h: the leaves of patterns, results and guards. */
#ifndef PH_RULES_LANGUAGE_RULE_LEAF_H
#define PH_RULES_LANGUAGE_RULE_LEAF_H

#include "core/rules/language/draft.h"
#pragma GCC visibility push(hidden)

/* True if a name is that of a constant, a label or a type variable. */
bool ph_rule_leaf_isupper(ph_str s);

/* Makes a variable for a parameter of that name. */
void ph_rule_leaf_declare(ph_draft *d, ph_str name);
/* Make the node of one token, which has been read: a name; a name or number,
** after a minus if it is negative.  0: an error. */
uint32_t ph_rule_leaf_named(ph_draft *d, const ph_lexeme *t);
uint32_t ph_rule_leaf_read(ph_draft *d, const ph_lexeme *t, bool negative);
/* Gives the name of a token to an operation of the pattern: z @ (x + y).  0: an
** error. */
uint32_t ph_rule_leaf_name(ph_draft *d, const ph_lexeme *t, uint32_t node);
/* Makes another node that stands for an operation with a name. */
uint32_t ph_rule_leaf_again(ph_draft *d, uint32_t node);
/* Reads the type, if any, that follows a node without a blank. */
void ph_rule_leaf_annotation(ph_draft *d, uint32_t node);

/* Makes the node of data from one token, which has been read: a literal, `_`, or
** a name.  0: an error. */
uint32_t ph_rule_leaf_data(ph_draft *d, const ph_lexeme *t, bool negative);
/* Read a required name: of a label; of a value; of a type, or of what has one
** (only its width counts). */
uint32_t ph_rule_leaf_label(ph_draft *d);
uint32_t ph_rule_leaf_value(ph_draft *d);
uint32_t ph_rule_leaf_type(ph_draft *d);

#pragma GCC visibility pop
#endif
