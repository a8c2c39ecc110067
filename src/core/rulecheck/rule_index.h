/* rule_index.h: rules that may be more general than a tree. */
#ifndef PH_RULECHECK_RULE_INDEX_H
#define PH_RULECHECK_RULE_INDEX_H

#include "core/rules/set/ruleset.h"

/* Rules with one root op that have one feature; feature 0: those without. */
typedef struct {
  uint32_t root, feature;
  uint32_t count; /* rules that have it */
  uint32_t first; /* of those that are filed under it; 0: none */
} ph_filed;

typedef struct {
  const ph_ruleset *set;
  ph_filed *at; /* a hash table of `cap` entries */
  uint32_t cap, used;
  uint32_t *next; /* by rule: the next one that is filed under the same */
} ph_rule_index;

/* Makes the index of the enabled rules of a set, in `a`. */
void ph_rule_index_make(ph_rule_index *x, ph_arena *a, const ph_ruleset *set);
/* Sets `found` to the rules with that root, in order, that have no feature which
** the tree of `node` lacks, and maybe some others. */
void ph_rule_index_find(const ph_rule_index *x, ph_arena *a, ph_op root,
                        const ph_rule *rule, uint32_t node, ph_ids *found);

#endif
