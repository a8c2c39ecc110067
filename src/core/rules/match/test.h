/* test.h: does a pattern fit? */
#ifndef PH_RULES_MATCH_TEST_H
#define PH_RULES_MATCH_TEST_H

#include "core/rules/match/opmap.h"

/* One instruction on which patterns are tried.  Its slots are the matcher's
** values from `base` on. */
typedef struct {
  ph_func *f;
  ph_matcher *m;
  const ph_ruletable *table;
  ph_pending *p;
  uint32_t base;
  uint32_t numbers, types; /* likewise, of the pattern being tried */
  const ph_pattern *pattern;
  uint32_t tags[PH_SLOTS];
  bool bound; /* its constants and types are among the numbers and types */
} ph_test_state;

static inline uint32_t *ph_test_slots(const ph_test_state *t) {
  return t->m->values.at + t->base;
}
static inline uint32_t ph_test_note(const ph_test_state *t, uint32_t list,
                                    uint32_t i) {
  return t->table->list.notes.at[list + i];
}

/* The test; false: it failed, or (m->failed) a function of the host did. */
bool ph_test_passes(ph_test_state *t, const ph_test *test);
/* All tests of t->pattern but those that the dispatch table decides and those
** of its candidate. */
bool ph_test_run(ph_test_state *t);

/* What the type of the rule is here. */
ph_type ph_test_type(const ph_test_state *t, uint32_t type);
/* The value of an expression of the rule; false: it has none. */
bool ph_test_eval(ph_test_state *t, uint32_t node, int64_t *value);
/* Calls the host's function of a PH_R_CALL; *value is an action's, NULL for a
** guard.  As the callbacks. */
int ph_test_call(ph_test_state *t, uint32_t node, ph_value *value);

#endif
