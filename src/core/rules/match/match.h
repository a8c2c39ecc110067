/* match.h: applies rules to an instruction that is about to be made. */
#ifndef PH_RULES_MATCH_MATCH_H
#define PH_RULES_MATCH_MATCH_H

#include "core/rules/match/matcher.h"
#pragma GCC visibility push(hidden)

/* Makes f use the rules of the set. */
void ph_match_use(ph_func *f, ph_ruleset *set, const ph_engine *engine);
/* Lets late rules apply from now on, or no longer; returns true if there are
** any. */
bool ph_match_late(ph_func *f, bool late);
/* Fills the slots for the instruction's first two operands, and, if `deep`, for
** theirs, and the tags of the latter. */
void ph_match_look(ph_test_state *t, bool deep);
/* The patterns of a root op that the ops of the operands allow. */
typedef struct {
  const ph_ruletable *table;
  uint32_t at; /* 0: none */
} ph_matchlist;

/* Returns the offset of the row for the tag of v. */
static inline uint32_t ph_match_row(const ph_func *f, ph_matcher *m,
                                    const ph_classes *d, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  if (n->op != PH_CONST && n->op < PH_OPS) return n->aux != 0 ? 0 : n->op;
  return ph_classes_row(d, ph_matcher_tag(f, m, v));
}

static inline ph_matchlist ph_match_list(ph_func *f, const ph_pending *p) {
  ph_matchlist none = {NULL, 0}, l;
  ph_matcher *m = f->matcher;
  ph_op op = ph_matcher_op(f, m, p->op);
  const uint32_t *args = p->args;
  uint32_t a = 0, b = 0;
  bool same = false;
  if (op == PH_NONE) return none;
  l.table = ph_rule_table_table(m->set, op);
  if (p->nargs > 0) a = ph_match_row(f, m, &l.table->dispatch, args[0]);
  if (p->nargs > 1) {
    b = ph_match_row(f, m, &l.table->dispatch, args[1]);
    same = args[0] == args[1];
  } else if (p->ntargets > 1) {
    same = p->targets[0] == p->targets[1];
  }
  l.at = ph_classes_list(&l.table->dispatch, a, b, same);
  return l;
}

/* Returns how many levels of operands are looked at by rules with that op at
** their root; 0 if it has no rules. */
static inline uint32_t ph_match_levels(ph_func *f, ph_op op) {
  ph_matcher *m = f->matcher;
  if (m == NULL) return 0;
  op = ph_matcher_op(f, m, op);
  return op == PH_NONE ? 0 : ph_rule_table_table(m->set, op)->levels;
}

/* True if a rule is for instructions of that op with data.  Requires:
** f->matcher. */
bool ph_match_takesdata(const ph_func *f, ph_op op);

/* Tries the patterns of the list.  Requires: f->matcher. */
ph_matched ph_match_try(ph_func *f, ph_matchlist list, ph_pending *p);

/* The first op of the set at or below a node of the result whose dialect t->f
** does not have; PH_NONE: the result is possible. */
ph_op ph_rewrite_missing(const ph_test_state *t, uint32_t node);

/* Computes the expressions of the result of t->pattern, which fits; false: one
** of them has no value. */
bool ph_rewrite_computes(ph_test_state *t);

#pragma GCC visibility pop
#endif
