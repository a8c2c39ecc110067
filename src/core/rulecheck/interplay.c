/* interplay.c: what the rules of a set do to what one of them is for.
**
** Whether a rule can apply beside the others, and whether they undo each other's
** work, could be concluded from their texts only in simple cases: guards,
** constants and uses decide.  So the pattern of a rule is emitted, and what
** happens is told.
*/
#include "core/rulecheck/interplay.h"

#include "phial/construct.h"
#include "phial/peephole.h"
#include "core/ir/op.h"
#include "core/rulecheck/check.h"
#include "core/rules/match/matcher.h"

typedef struct {
  ph_ruleset *set;
  uint32_t rule;
  ph_arena *arena;
  ph_interplay *found;
} trying;

/* The rules that come round again are the last ones. */
static void note_circle(trying *t, const ph_func *f) {
  uint32_t n = ph_peephole_ncircle(f);
  for (uint32_t i = n / 2; i < n; i++) {
    uint32_t rule = ph_peephole_circle(f, i);
    if (!ph_ids_has(&t->found->circle, rule))
      ph_ids_push(&t->found->circle, t->arena, rule);
  }
}

static bool try_once(void *ud, ph_run_rule *at) {
  trying *t = ud;
  const ph_mem mem = ph_arena_mem(at->arena);
  const ph_str name = {"lint", 4};
  const ph_func *space = &t->set->space;
  ph_func *f;
  f = ph_func_new(&mem, name, PH_NOTYPE, NULL);
  for (uint32_t i = 0; i < space->dialects.n; i++)
    ph_op_attachdialect(f, space->dialects.at[i].dialect);
  ph_peephole_enable(f, t->set, false);
  f->matcher->late = (at->rule->flags & PH_RULE_LATE) != 0;
  if (ph_run_rule_emit(at, f) != 0) {
    const ph_ids *hits = &f->matcher->hits;
    t->found->applied = ph_match_hits(f, t->rule) > 0;
    for (uint32_t n = 1; n < hits->n && !t->found->applied; n++)
      if (hits->at[n] > 0) t->found->before = n;
    note_circle(t, f);
  }
  ph_func_free(f);
  return !t->found->applied && t->found->circle.n == 0;
}

/* True if the rule needs the host, or a place in control flow. */
static bool is_beyond(const ph_func *space, const ph_rule *rule) {
  for (uint32_t i = 1; i < rule->nnodes; i++)
    if (ph_rule_iscall(&rule->nodes[i]) || rule->nodes[i].kind == PH_R_LABEL)
      return true;
  return !ph_op_ispure(space, rule->root);
}

void ph_interplay_try(ph_ruleset *set, uint32_t n, ph_arena *a,
                      ph_interplay *found) {
  trying t = {set, n, a, found};
  *found = (ph_interplay){0};
  if (is_beyond(&set->space, set->rules.at[n])) return;
  ph_check_visit(set, n, try_once, &t);
}
