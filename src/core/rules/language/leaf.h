/* term.h: the smallest parts of rules. */
#ifndef PH_TERM_H
#define PH_TERM_H

#include "core/rules/language/rule_draft.h"

bool ph_term_isupper(ph_str s);
/* Is s this word? */
bool ph_term_is(ph_str s, const char *word);
/* What a token says that is no op: a literal, with a minus before it or not, or
** a name.  0 after a mistake, as all below. */
uint32_t ph_term_read(ph_draft *d, const ph_lexeme *t, bool negative);
uint32_t ph_term_name(ph_draft *d, const ph_lexeme *t);
/* Each reads a name that must be there: of a label; of a value; a type, or
** what has one (only its width counts). */
uint32_t ph_term_label(ph_draft *d);
uint32_t ph_term_value(ph_draft *d);
uint32_t ph_term_type(ph_draft *d);
/* Reads the type that stands behind a node without a blank, if there is one. */
void ph_term_annotate(ph_draft *d, uint32_t node);

#endif
