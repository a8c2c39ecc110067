/* compound.h: ops and functions with their operands, as nodes. */
#ifndef PH_RULES_LANGUAGE_COMPOUND_H
#define PH_RULES_LANGUAGE_COMPOUND_H

#include "core/rules/language/rule_draft.h"

/* True if a rule can have the op. */
bool ph_compound_isallowed(ph_op op);

uint32_t ph_compound_make(ph_rule_draft *d, uint16_t op, uint32_t at);
/* Its kids are there: it gets its types. */
uint32_t ph_compound_close(ph_rule_draft *d, uint32_t node);

/* The kids of an operation, in two chains: operands, and labels behind. */
typedef struct {
  uint32_t node, n, m;
  uint32_t last, first_label, last_label;
} ph_kids;

/* Must a label come next? */
bool ph_compound_wantslabel(const ph_rule_draft *d, uint16_t op,
                            const ph_kids *k);
void ph_compound_addkid(ph_rule_draft *d, ph_kids *k, uint32_t kid);
void ph_compound_addlabel(ph_rule_draft *d, ph_kids *k, uint32_t kid);
/* All are there: checks how many, and closes it. */
uint32_t ph_compound_end(ph_rule_draft *d, ph_kids *k);

/* True if it is true or false. */
bool ph_compound_iscondition(const ph_rule_draft *d, uint32_t node);

#endif
