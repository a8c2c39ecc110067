/* subsume.h: whether a pattern is more general than another; an index of those
** that may be. */
#ifndef PH_RULECHECK_SUBSUME_H
#define PH_RULECHECK_SUBSUME_H

#include "core/rules/set/ruleset.h"
#pragma GCC visibility push(hidden)

/* Rule `a` and what its variables and types are in rule `b`. */
typedef struct {
  const ph_func *space;
  const ph_rule *a, *b;
  uint32_t *vars;  /* by variable of a: a node of b, or 0 */
  uint32_t *types; /* by type of a: a type of b, or 0 */
} ph_subsume;

void ph_subsume_start(ph_subsume *c, const ph_func *space, ph_arena *arena,
                      const ph_rule *a, const ph_rule *b);
/* True if the pattern of `a` matches all that node `of` of `b` matches. */
bool ph_subsume_matches(ph_subsume *c, uint32_t of);
/* True if, with the variables bound by that, both trees are the same. */
bool ph_subsume_same(const ph_subsume *c, uint32_t of_a, uint32_t of_b);

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
