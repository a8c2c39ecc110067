/* test.h: tests patterns against an instruction. */
#ifndef PH_RULES_MATCH_TEST_H
#define PH_RULES_MATCH_TEST_H

#include "core/rules/match/opmap.h"
#pragma GCC visibility push(hidden)

/* One instruction that patterns are tested against.  Its slots are the
** matcher's values from `base` on. */
typedef struct {
  ph_func *f;
  ph_matcher *m;
  const ph_ruletable *table;
  ph_pending *p;
  uint32_t base;
  uint32_t numbers, types; /* likewise, for the pattern being tried */
  const ph_pattern *pattern;
  uint32_t chosen;  /* the number of choices made (PH_TEST_LOADS) */
  uint32_t choices; /* a bit each: the operands are exchanged */
  uint32_t tags[PH_SLOTS];
  bool bound; /* ph_test_bind was called */
} ph_test_state;

static inline uint32_t *ph_test_slots(const ph_test_state *t) {
  return t->m->values.at + t->base;
}
static inline uint32_t ph_test_note(const ph_test_state *t, uint32_t list,
                                    uint32_t i) {
  return t->table->list.notes.at[list + i];
}

/* True if all tests of t->pattern pass except those that the class table
** decides and those that are tried first, which are not run; false also if a
** callback failed (m->failed). */
bool ph_test_run(ph_test_state *t);
/* Runs all tests of t->pattern, and returns the number of those that pass, with
** the choices for which it is largest. */
uint32_t ph_test_count(ph_test_state *t);

/* Pushes the constants and types of t->pattern above those of the attempts
** around this one, with room for a number for each node of its result; once. */
void ph_test_bind(ph_test_state *t);
/* Returns what the type of the rule is here. */
ph_type ph_test_type(const ph_test_state *t, uint32_t type);
/* Computes an expression of the rule; false: it has no value. */
bool ph_test_eval(ph_test_state *t, uint32_t node, int64_t *value);
/* Calls the callback of a PH_R_CALL, with *value for an action, NULL for a
** guard; returns what the callback does. */
int ph_test_call(ph_test_state *t, uint32_t node, ph_value *value);

#pragma GCC visibility pop
#endif
