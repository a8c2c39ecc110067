/* ruleset.h: sets of rules.
**
** A set over a base starts with the base's rules.  What a set says of a rule
** (is it enabled?) is kept in the set.
**
** A set has a function of its own, `space`, which has no blocks: only its
** tables of ops, types and names are used.  So a dialect is attached to a set
** as to a function, and ops and types in rules are numbers of `space`.
*/
#ifndef PH_RULES_SET_RULESET_H
#define PH_RULES_SET_RULESET_H

#include "core/rules/set/rule.h"

PH_VEC(ph_rulelist, const ph_rule *)

enum { PH_RULE_ON, PH_RULE_OFF, PH_RULE_REMOVED };

typedef struct ph_compiled ph_compiled;

/* Rules are numbered from 1 in order of definition, those of the base first; a
** number stays when rules are removed. */
struct ph_ruleset {
  ph_func space; /* first: its arena holds all of the set */
  ph_ruleset *base;
  ph_rulelist rules;
  ph_ids states;    /* by rule: PH_RULE_ON ... */
  ph_ids next;      /* by rule: the next one with the same root */
  ph_ids first;     /* by root: its first rule ... */
  ph_ids last;      /* ... and its last */
  ph_ids version;   /* by root: changes with each change of its rules; that of
                     the base as long as nothing has changed */
  uint32_t changes; /* the version given last */
  bool frozen;      /* it is the base of others: nothing may change */
  ph_compiled *compiled;           /* rule_table.h */
  void (*forget)(ph_ruleset *set); /* frees that; or NULL */
};

/* The first rule with this root, or 0; then set->next.  Some may be off. */
static inline uint32_t ph_ruleset_first(const ph_ruleset *set, ph_op root) {
  return root < set->first.n ? set->first.at[root] : 0;
}
static inline uint32_t ph_ruleset_version(const ph_ruleset *set, ph_op root) {
  return root < set->version.n ? set->version.at[root] : 0;
}
static inline bool ph_ruleset_ison(const ph_ruleset *set, uint32_t n) {
  return set->states.at[n] == PH_RULE_ON;
}

/* Adds a copy of a rule. */
void ph_ruleset_append(ph_ruleset *set, const ph_rule *rule);

#endif
