/* rule_table.h: the rules of a set, ready to be matched, by root op. */
#ifndef PH_RULES_MATCH_RULE_TABLE_H
#define PH_RULES_MATCH_RULE_TABLE_H

#include "core/rules/match/pattern_tests.h"

/* What is tried of a pattern first, all of it at hand: the tag of a slot,
** masked; and that two slots hold the same value. */
typedef struct {
  uint8_t slot, same, as;
  uint32_t mask, tag;
  uint32_t pattern;
} ph_candidate;
PH_VEC(ph_candidates, ph_candidate)

/* The patterns with one root. */
typedef struct ph_ruletable ph_ruletable;
struct ph_ruletable {
  ph_ruletable *next; /* of those kept, or of those that are out of date */
  ph_op root;
  ph_arena arena;
  uint32_t version, swapped; /* of its root, and of the swapped op */
  ph_classes dispatch;
  ph_candidates candidates; /* side by side with the lists of the table */
  ph_patternlist list;
  uint32_t slots; /* the most that a pattern needs */
};
PH_VEC(ph_ruletables, ph_ruletable *)

struct ph_compiled {
  ph_arena arena, scratch;
  uint32_t changes; /* of the set, for which the tables are right */
  ph_ruletables at; /* by root; NULL: to be compiled */
  ph_ruletable *kept, *old;
  uint32_t running; /* functions of the host that are called from matching:
                       until they return no table goes */
};

/* Puts patterns in the order in which they are to be tried. */
void ph_rule_table_sort(ph_patternlist *l);

/* The table of the rules with this root, compiled anew where rules have
** changed. */
const ph_ruletable *ph_rule_table_root(ph_ruleset *set, ph_op root);

static inline const ph_ruletable *ph_rule_table_table(ph_ruleset *set,
                                                      ph_op root) {
  const ph_compiled *c = set->compiled;
  if (c != NULL && c->changes == set->changes && root < c->at.n &&
      c->at.at[root] != NULL)
    return c->at.at[root];
  return ph_rule_table_root(set, root);
}

#endif
