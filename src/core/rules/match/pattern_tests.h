/* pattern_tests.h: the pattern of a rule as a list of tests. */
#ifndef PH_RULES_MATCH_PATTERN_TESTS_H
#define PH_RULES_MATCH_PATTERN_TESTS_H

#include "core/rules/match/classes.h"
#include "core/rules/set/ruleset.h"

/* Where matching keeps the values it has met: the instruction itself (it has
** no value yet, only a type), its first two operands, the first two operands
** of these; further ones as tests load them. */
enum { PH_SLOT_ROOT, PH_SLOT_FIRST, PH_SLOT_SECOND, PH_SLOT_INNER };
enum { PH_SLOTS = PH_SLOT_INNER + 4 };

typedef enum {
  PH_TEST_LATE,    /* construction is over */
  PH_TEST_COUNT,   /* `slot` has `arg` operands */
  PH_TEST_TARGETS, /* there are `arg` targets */
  PH_TEST_TARGET,  /* targets `slot` and `arg` are the same */
  PH_TEST_WANT,    /* the tag of `slot` is one that ph_want `arg` takes */
  PH_TEST_LOAD, /* not a test: `slot` is operand arg & 0xffff of slot arg >> 16 */
  PH_TEST_SAME,    /* slots `slot` and `arg` hold the same value */
  PH_TEST_LITERAL, /* the constant in `slot` is the literal of node `arg` */
  PH_TEST_TYPE,    /* the type of `slot` is one of the rule's type `arg` */
  PH_TEST_LIKE,    /* slots `slot` and `arg` have the same type */
  PH_TEST_CAST,    /* the cast of the result at node `arg` is possible */
  PH_TEST_ONCE,    /* only the instruction in slot `arg` has used `slot` */
  PH_TEST_SPARE,   /* that holds for `arg` of the pattern's instructions */
  PH_TEST_EQUAL,   /* the constant in `slot` is what node `arg` computes */
  PH_TEST_GUARD    /* node `arg` is true */
} ph_testkind;

typedef struct {
  uint8_t kind; /* ph_testkind */
  uint16_t slot;
  uint32_t arg;
} ph_test;
PH_VEC(ph_tests, ph_test)

/* One order of one rule.  Its tests begin with those that a dispatch table
** decides; then come those that are tried first, of its candidate (rule_table.h),
** up to `tried`. */
typedef struct {
  const ph_rule *rule;
  uint32_t number;                     /* of the rule in its set */
  ph_wanted wanted;                    /* by the table */
  uint32_t first, decided, tried, end; /* in the tests */
  uint32_t slots;                      /* how many it needs */
  /* In the notes: by variable the slot or, of labels, which target; by type
  ** a slot that has it; the slots of inner instructions, each with that of
  ** its user; by slot the node. */
  uint32_t vars, types, inner, ninner, nodes;
  /* For the order of patterns. */
  uint32_t tier, ops, literals, equalities, order;
} ph_pattern;
PH_VEC(ph_patterns, ph_pattern)

typedef struct {
  ph_arena *arena, *scratch;
  ph_patterns patterns;
  ph_tests tests;
  ph_ids notes;
} ph_patternlist;

/* No slot has this type, it is fixed. */
#define PH_NOSLOT UINT32_MAX

/* Adds the patterns of rule `number` of the set whose root is `root`: in all
** orders of commutative ops and of compares that an instruction can have. */
void ph_pattern_tests_add(ph_patternlist *l, const ph_ruleset *set,
                          uint32_t number, ph_op root);

#endif
