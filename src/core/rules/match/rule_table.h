/* rule_table.h: the rules of a set, compiled for matching, by root op. */
#ifndef PH_RULES_MATCH_RULE_TABLE_H
#define PH_RULES_MATCH_RULE_TABLE_H

#include "core/rules/match/divide.h"
#pragma GCC visibility push(hidden)

/* The first tests of a pattern, on data at hand: the tag of a slot, masked; and
** that two slots hold the same value.  The one before those of a list has, as
** `pattern`, the number of the list in `divisions`, from 1, or 0; `deep` tells
** whether a pattern of the list looks into operands. */
typedef struct {
  uint8_t slot, same, as;
  bool deep;
  uint32_t mask, tag;
  uint32_t pattern;
} ph_candidate;
PH_VEC(ph_candidates, ph_candidate)

/* The patterns with one root. */
typedef struct ph_ruletable ph_ruletable;
struct ph_ruletable {
  ph_ruletable *next; /* in the list of current or of old tables */
  ph_op root;
  ph_arena arena;
  uint32_t version, swapped; /* of its root, and of the swapped op */
  ph_classes dispatch;
  ph_candidates candidates; /* parallel to the lists of the table */
  ph_divisions divisions;   /* of long lists */
  ph_patternlist list;
  uint32_t slots;  /* the most that a pattern needs */
  uint32_t levels; /* ... that it looks at; 0: there are no patterns */
};
PH_VEC(ph_ruletables, ph_ruletable *)

struct ph_compiled {
  ph_arena arena, scratch;
  uint32_t changes; /* of the set, for which the tables are current */
  ph_ruletables at; /* by root; NULL: not compiled */
  ph_ruletable *kept, *old;
  uint32_t running; /* callbacks; until they return no table is freed */
};

/* Sorts patterns into the order in which they are tried. */
void ph_rule_table_sort(ph_patternlist *l);

/* Returns the table of the rules with this root, recompiled if they have
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

#pragma GCC visibility pop
#endif
