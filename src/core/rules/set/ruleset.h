/* ruleset.h: sets of rules.
**
** A set over a base starts with the base's rules.  Whether a rule is enabled is
** stored in the set.
**
** A set has a function of its own, `space`, without blocks: only its tables of
** ops, types and names are used.  So a dialect is attached to a set as to a
** function, and ops and types in rules are numbers of `space`.
*/
#ifndef PH_RULES_SET_RULESET_H
#define PH_RULES_SET_RULESET_H

#include "core/rules/set/rule.h"
#pragma GCC visibility push(hidden)

PH_VEC(ph_rulelist, const ph_rule *)

enum { PH_RULE_ON, PH_RULE_OFF, PH_RULE_REMOVED };

typedef struct ph_compiled ph_compiled;

/* Rules by name (rule_names.c). */
typedef struct {
  ph_ids table;   /* an open hash: the last rule of a name */
  uint32_t count; /* number of names in it */
  ph_ids next;    /* by rule: the next one with its name, in a ring */
  uint32_t met;   /* smaller numbers have been entered */
} ph_rulenames;

/* Rules are numbered from 1 in order of definition, those of the base first;
** removing rules keeps the numbers. */
struct ph_ruleset {
  ph_func space; /* must be first; its arena holds the whole set */
  ph_ruleset *base;
  ph_rulelist rules;
  ph_ids states;  /* by rule: PH_RULE_ON ... */
  ph_ids next;    /* by rule: the next one with the same root */
  ph_ids first;   /* by root: its first rule ... */
  ph_ids last;    /* ... and its last */
  ph_ids version; /* by root: changes whenever its rules do; the base's as
                     long as they have not */
  ph_rulenames names;
  uint32_t changes;      /* the last version assigned */
  bool frozen;           /* it is the base of other sets: it must not change */
  ph_compiled *compiled; /* rule_table.h */
  void (*forget)(ph_ruleset *set); /* frees `compiled`; or NULL */
};

/* Returns the first rule with this root, or 0; set->next has the next one.
** Some may be off. */
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
/* To be called when the rules with this root change. */
void ph_ruleset_change(ph_ruleset *set, ph_op root);

#pragma GCC visibility pop
#endif
