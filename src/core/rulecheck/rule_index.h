/* rule_index.h: rules that may be more general than a tree. */
#ifndef PH_RULECHECK_RULE_INDEX_H
#define PH_RULECHECK_RULE_INDEX_H

#include "core/rules/set/ruleset.h"
#pragma GCC visibility push(hidden)

/* Rules with one root op that have one feature; feature 0: those without. */
typedef struct {
  uint32_t root, feature;
  uint32_t count;       /* rules that have it */
  uint32_t first, last; /* of those that are filed under it; 0: none */
} ph_filed;

typedef struct {
  const ph_ruleset *set;
  ph_filed *at; /* a hash table of `cap` entries */
  uint32_t cap, used;
  uint32_t *next; /* by rule: the next one that is filed under the same */
} ph_rule_index;

/* Makes the index of the enabled rules of a set, in `a`. */
void ph_rule_index_make(ph_rule_index *x, ph_arena *a, const ph_ruleset *set);
/* Finds, in memory of `a`, the rules with that root whose features the tree of
** `node` has, and maybe some others.  At the root of the rule's pattern, its
** guard is a part of the tree; elsewhere rules with a guard may be missing.
** Writes the next rule of each list to `heads`. */
void ph_rule_index_find(const ph_rule_index *x, ph_arena *a, ph_op root,
                        const ph_rule *rule, uint32_t node, ph_ids *heads);
/* Returns the next rule that was found, in order, or 0. */
uint32_t ph_rule_index_next(const ph_rule_index *x, ph_ids *heads);

#pragma GCC visibility pop
#endif
