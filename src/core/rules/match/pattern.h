/* pattern.h: the pattern of a rule, in each order in which it matches, as a list of
** tests. */
#ifndef PH_RULES_MATCH_PATTERN_H
#define PH_RULES_MATCH_PATTERN_H

#include "core/rules/match/classes.h"
#include "core/rules/match/orders.h"
#pragma GCC visibility push(hidden)

/* The slots of values met while matching: the instruction itself (it has no
** value yet, only a type), its first two operands, the first two operands of
** these; tests load further ones. */
enum { PH_SLOT_ROOT, PH_SLOT_FIRST, PH_SLOT_SECOND, PH_SLOT_INNER };
enum { PH_SLOTS = PH_SLOT_INNER + 4 };

typedef enum {
#define PH_TEST(KIND, shape, text) PH_TEST_##KIND,
#include "core/rules/match/tests.def"
} ph_testkind;

typedef struct {
  uint8_t kind; /* ph_testkind */
  uint16_t slot;
  uint32_t arg;
} ph_test;
PH_VEC(ph_tests, ph_test)

/* One order of one rule, or several if it makes choices (PH_TEST_LOADS).  Its
** tests begin with those that the class table decides; then, up to `tried`,
** come those that match.c tries first (rule_table.h). */
typedef struct {
  const ph_rule *rule;
  uint32_t number;                     /* of the rule in its set */
  ph_wanted wanted;                    /* by the table */
  uint32_t first, decided, tried, end; /* in the tests */
  uint32_t slots;                      /* number of slots */
  uint32_t levels; /* of operands that it looks at; PH_LEVELS_ALL: any number */
  bool computes, finds; /* the result has expressions; values not to be made */
  /* Indices into the notes: by variable its slot or, for labels, the target; by
  ** type a slot that has it; the slots of inner instructions that the
  ** result does not keep, each with that of its user; by slot its node. */
  uint32_t vars, types, inner, ninner, nodes;
  /* Keys of the order of patterns. */
  uint32_t tier, ops, literals, equalities, order;
} ph_pattern;
PH_VEC(ph_patterns, ph_pattern)

typedef struct {
  ph_arena *arena, *scratch;
  ph_patterns patterns;
  ph_tests tests;
  ph_ids notes;
} ph_patternlist;

/* Of a rule that asks about values, by a function or callback, which may look
** anywhere. */
#define PH_LEVELS_ALL UINT32_MAX

/* A PH_TEST_LOADS without a choice: the op tells the order. */
enum { PH_NOCHOICE = 0xffff };

/* No slot has this type: it is fixed. */
#define PH_NOSLOT UINT32_MAX

/* Adds the patterns of rule `number` of the set whose root is `root`: one for
** each order in which it matches. */
void ph_pattern_add(ph_patternlist *l, const ph_ruleset *set, uint32_t number,
                    ph_op root);

#pragma GCC visibility pop
#endif
