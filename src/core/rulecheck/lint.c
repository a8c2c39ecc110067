/* lint.c: reports suspicious rules of a set.
**
** These are warnings, not errors: rules are equations, so whichever applies,
** the result is right.  But a rule that can never apply is useless.
**
** Rules of one root are compared with each other, and with the inside of other
** patterns; an index (subsume.c) leaves few pairs.
*/
#include <string.h>

#include "phial/rulecheck.h"
#include "core/base/strbuf.h"
#include "core/ir/body.h"
#include "core/ir/op.h"
#include "core/rulecheck/check.h"
#include "core/rulecheck/interplay.h"
#include "core/rulecheck/subsume.h"
#include "core/rules/match/pattern.h"
#include "core/rules/match/rule_table.h"
#include "core/rules/set/constexpr.h"

typedef struct {
  ph_ruleset *set;
  ph_arena *arena;
  ph_texts texts;
  uint32_t *ranks; /* by rule: its rank among those of its root */
  bool *useless;   /* by rule: that has been told */
  ph_rule_index index;
  ph_ids found; /* what is left of the rules found in the index */
} linting;

/*
** {== Words ==========================================================
*/

static void say(linting *l, const char *s) { ph_strbuf_puts(&l->texts.all, s); }

static void say_rule(linting *l, uint32_t n) {
  say(l, "'");
  ph_ruleset_print(&l->texts.all, l->set, n);
  say(l, "'");
}

/* Starts a message about a rule; begin_useless: that it is of no use. */
static void begin_message(linting *l, uint32_t n) {
  const ph_rule *rule = l->set->rules.at[n];
  ph_ruleset_print(&l->texts.all, l->set, n);
  if (rule->alternative != 0) {
    say(l, ", alternative ");
    ph_strbuf_uint(&l->texts.all, rule->alternative);
  }
  say(l, ": ");
}

static void begin_useless(linting *l, uint32_t n) {
  l->useless[n] = true;
  begin_message(l, n);
}

static void end_message(linting *l) { ph_texts_end(&l->texts); }

/* }== One rule ======================================================= */

/* Returns what is saved at most of the kids of a pattern, and of theirs: what may
** trap stays. */
static uint32_t saved_below(const ph_func *space, const ph_rule *rule,
                            uint32_t node) {
  uint32_t cost = 0;
  PH_EACH_KID(rule, node, kid) {
    const ph_rulenode *n = &rule->nodes[kid];
    if (n->kind == PH_R_OP && (ph_op_flags(space, n->op) & PH_TRAPS) == 0)
      cost += ph_rule_cost(space, n);
    cost += saved_below(space, rule, kid);
  }
  return cost;
}

/* Counts the instructions that the result is sure to make: what follows a ! makes
** none, its operands may.  Returns what they cost. */
static uint32_t count_made(const ph_func *space, const ph_rule *rule,
                           uint32_t node, uint32_t *made) {
  const ph_rulenode *n = &rule->nodes[node];
  uint32_t cost = 0;
  if (n->kind == PH_R_ONLY && rule->nodes[n->first].kind == PH_R_OP)
    node = n->first;
  else if (n->kind == PH_R_OP)
    cost = ph_rule_cost(space, n);
  *made += cost > 0;
  PH_EACH_KID(rule, node, kid) cost += count_made(space, rule, kid, made);
  return cost;
}

/* True if the rule may not apply for what its result costs: never, if that is more
** than `saved` and its root. */
static bool is_costly(const ph_func *space, const ph_rule *rule, uint32_t saved,
                      uint32_t *makes, uint32_t *cost) {
  *makes = 0;
  *cost = count_made(space, rule, rule->rhs, makes);
  return *makes > 1 && (rule->flags & PH_RULE_ALWAYS) == 0 &&
         *cost > ph_rule_cost(space, &rule->nodes[rule->lhs]) + saved;
}

static void look_at_uses(linting *l, uint32_t n) {
  const ph_rule *rule = l->set->rules.at[n];
  const ph_func *space = &l->set->space;
  uint32_t makes, cost, saved = saved_below(space, rule, rule->lhs);
  if (!is_costly(space, rule, saved, &makes, &cost)) return;
  begin_useless(l, n);
  say(l, "never applies: its result is ");
  ph_strbuf_uint(&l->texts.all, makes);
  say(l, cost != makes ? " instructions, which cost more than all that go"
                       : " instructions, and too few of the pattern go");
  say(l, "; '@ always' allows it");
  end_message(l);
}

static void look_at_orders(linting *l, uint32_t n) {
  ph_orders orders;
  ph_orders_find(&orders, l->arena, l->set, l->set->rules.at[n]);
  if (orders.left == 0) return;
  begin_message(l, n);
  say(l, "does not match every order of operands: of its ");
  ph_strbuf_uint(&l->texts.all, PH_ORDERS_MOST + orders.left);
  say(l, " commutative ops and comparisons, the ");
  ph_strbuf_uint(&l->texts.all, PH_ORDERS_MOST);
  say(l, " outermost match both ways");
  end_message(l);
}

static void look_at_mark(linting *l, uint32_t n) {
  const ph_rule *rule = l->set->rules.at[n];
  ph_weights w;
  if ((rule->flags & PH_RULE_UNORIENTED) == 0) return;
  w = ph_rule_weigh(&l->set->space, l->arena, rule, rule->nodes, rule->vars,
                    rule->nvars);
  if (w.more != 0 || !w.lighter) return;
  begin_message(l, n);
  say(l, "is oriented: it needs no '@ unoriented'");
  end_message(l);
}

static void look_at_values(linting *l, const ph_check_result *checked) {
  if (checked->verdict != PH_RULE_NEVER) return;
  begin_useless(l, checked->rule);
  ph_strbuf_add(&l->texts.all, checked->text);
  end_message(l);
}

/* }== Two rules ====================================================== */

/* For ops and functions of constants. */
static bool may_have_no_value(uint16_t op) {
  return op >= PH_F_AND || ph_op_isshift(op) || ph_op_iscast(op) ||
         (ph_op_rows[op].flags & PH_TRAPS) != 0;
}

/* True if the rule may still fail at this node when its pattern matches. */
static bool can_fail(const ph_rulenode *n) {
  switch (n->kind) {
    case PH_R_ONLY:
    case PH_R_CALL:
    case PH_R_HELPER:
      return true;
    case PH_R_OP: /* a cast may lead to no type */
      return n->once || ph_op_iscast(n->op);
    case PH_R_EXPR:
      return may_have_no_value(n->op);
    default:
      return false;
  }
}

/* True if the rule applies wherever its pattern matches. */
static bool is_sure(const ph_func *space, const ph_rule *rule) {
  uint32_t makes, cost;
  if (rule->guard != 0 || (rule->flags & PH_RULE_LATE) ||
      is_costly(space, rule, 0, &makes, &cost))
    return false;
  for (uint32_t i = 1; i < rule->nnodes; i++)
    if (can_fail(&rule->nodes[i])) return false;
  return true;
}

static bool covers(linting *l, uint32_t a, uint32_t b, ph_subsume *c) {
  const ph_rulelist *rules = &l->set->rules;
  ph_subsume_start(c, &l->set->space, l->arena, rules->at[a], rules->at[b]);
  return ph_subsume_matches(c, rules->at[b]->lhs);
}

/* Returns what rule a, which covers b, means for b; NULL: nothing. */
static const char *relation_between(linting *l, uint32_t a, uint32_t b,
                                    ph_subsume *c) {
  const ph_rule *r = l->set->rules.at[a], *s = l->set->rules.at[b];
  bool same_guard = ph_subsume_same(c, r->guard, s->guard);
  bool first = l->ranks[a] != 0 && l->ranks[a] < l->ranks[b];
  ph_subsume back;
  if (same_guard && first && covers(l, b, a, &back))
    return ph_subsume_same(c, r->rhs, s->rhs)
               ? "is the same as "
               : "never applies: it has another result for the pattern of ";
  if (first && is_sure(&l->set->space, r))
    return "never applies: before it is tried ";
  return NULL;
}

/* True if both are alternatives of one rule, which may overlap. */
static bool is_one_rule(const linting *l, uint32_t a, uint32_t b) {
  const ph_rule *r = l->set->rules.at[a], *s = l->set->rules.at[b];
  return r->line == s->line && r->source.at == s->source.at &&
         r->text.at == s->text.at;
}

/* Reports the pair if b is useless; true if it is. */
static bool look_at_pair(linting *l, uint32_t a, uint32_t b) {
  const char *s;
  ph_subsume c;
  if (is_one_rule(l, a, b) || !covers(l, a, b, &c)) return false;
  s = relation_between(l, a, b, &c);
  if (s == NULL) return false;
  begin_useless(l, b);
  say(l, s);
  say_rule(l, a);
  end_message(l);
  return true;
}

/* Returns a rule that rewrites everything that an inner node matches, or 0. */
static uint32_t rewriter_of(linting *l, const ph_rule *rule, uint32_t node) {
  ph_rule_index_find(&l->index, l->arena, rule->nodes[node].op, rule, node,
                     &l->found);
  for (uint32_t n; (n = ph_rule_index_next(&l->index, &l->found)) != 0;) {
    ph_subsume c;
    if (!is_sure(&l->set->space, l->set->rules.at[n])) continue;
    ph_subsume_start(&c, &l->set->space, l->arena, l->set->rules.at[n], rule);
    if (ph_subsume_matches(&c, node)) return n;
  }
  return 0;
}

/* True if `node` is below `root`. */
static bool is_inside(const ph_rule *rule, uint32_t root, uint32_t node) {
  PH_EACH_KID(rule, root, kid)
  if (kid == node || is_inside(rule, kid, node)) return true;
  return false;
}

static void look_inside(linting *l, uint32_t b) {
  const ph_rule *rule = l->set->rules.at[b];
  for (uint32_t i = 1; i < rule->nnodes; i++) {
    uint32_t a;
    if (rule->nodes[i].kind != PH_R_OP || !is_inside(rule, rule->lhs, i))
      continue;
    a = rewriter_of(l, rule, i);
    if (a == 0) continue;
    begin_useless(l, b);
    say(l, "never applies: ");
    say_rule(l, a);
    say(l, " rewrites its '");
    ph_strbuf_add(&l->texts.all, ph_op_name(&l->set->space, rule->nodes[i].op));
    say(l, "' first");
    end_message(l);
    return;
  }
}

/* A circle is told once, of its first rule. */
static void say_circle(linting *l, uint32_t n, const ph_ids *circle) {
  uint32_t said = 0;
  for (uint32_t i = 0; i < circle->n; i++)
    if (circle->at[i] < n) return;
  begin_message(l, n);
  say(l, "goes round in circles");
  for (uint32_t i = 0; i < circle->n; i++) {
    if (circle->at[i] == n) continue;
    say(l, said++ == 0 ? " with " : ", ");
    say_rule(l, circle->at[i]);
  }
  end_message(l);
}

/* Looks at what others do to what the rule is for. */
static void look_at_others(linting *l, uint32_t n) {
  ph_arena_mark bottom = ph_arena_here(l->arena);
  ph_interplay found;
  ph_interplay_try(l->set, n, l->arena, &found);
  if (ph_ids_has(&found.circle, n)) {
    say_circle(l, n, &found.circle);
  } else if (!l->useless[n] && !found.applied && found.before != 0 &&
             !is_one_rule(l, n, found.before) && found.circle.n == 0) {
    begin_message(l, n);
    say(l, "never applies: ");
    say_rule(l, found.before);
    say(l, " applies where it would");
    end_message(l);
  }
  ph_arena_release(l->arena, bottom);
}

/* }== The set ======================================================== */

static bool is_on(const linting *l, uint32_t n) {
  return ph_ruleset_ison(l->set, n);
}

/* Ranks the rules of root `from`; compares also match with swapped operands, so
** a root can have rules of two. */
static void rank_some(linting *l, ph_patternlist *list, ph_op from,
                      ph_op root) {
  for (uint32_t n = ph_ruleset_first(l->set, from); n != 0;
       n = l->set->next.at[n]) {
    l->ranks[n] = 0;
    if (is_on(l, n)) ph_pattern_add(list, l->set, n, root);
  }
}

/* Compares rule b with those of root `from`; true if one was reported. */
static bool look_along(linting *l, ph_op from, uint32_t b) {
  const ph_rule *rule = l->set->rules.at[b];
  ph_rule_index_find(&l->index, l->arena, from, rule, rule->lhs, &l->found);
  for (uint32_t a; (a = ph_rule_index_next(&l->index, &l->found)) != 0;)
    if (look_at_pair(l, a, b)) return true;
  return false;
}

static void look_at_root(linting *l, ph_op root) {
  ph_op swapped = ph_op_swapped(&l->set->space, root);
  if (swapped == PH_NONE) swapped = root;
  ph_patternlist list;
  memset(&list, 0, sizeof list);
  list.arena = list.scratch = l->arena;
  rank_some(l, &list, root, root);
  if (swapped != root) rank_some(l, &list, swapped, root);
  ph_rule_table_sort(&list);
  for (uint32_t i = list.patterns.n; i-- > 0;)
    l->ranks[list.patterns.at[i].number] = i + 1;
  for (uint32_t b = ph_ruleset_first(l->set, root); b != 0;
       b = l->set->next.at[b])
    if (is_on(l, b) && !look_along(l, root, b) && swapped != root)
      look_along(l, swapped, b);
}

/* True if the guard's truth needs the host. */
static bool needs_host(const ph_rule *rule) {
  for (uint32_t i = 1; i < rule->nnodes; i++)
    if (rule->nodes[i].kind == PH_R_HELPER) return true;
  return false;
}

static void look_at_rule(linting *l, uint32_t n) {
  const ph_check_options quick = {.width = 3, .limit = 9, .cases = 100};
  ph_check_result result;
  ph_arena_mark bottom;
  look_at_uses(l, n);
  look_at_orders(l, n);
  look_at_mark(l, n);
  look_inside(l, n);
  if (l->set->rules.at[n]->guard != 0 && !needs_host(l->set->rules.at[n])) {
    bottom = ph_arena_here(l->arena);
    ph_check_rule(l->set, n, &quick, &result);
    look_at_values(l, &result);
    ph_arena_release(l->arena, bottom);
  }
  look_at_others(l, n);
}

uint32_t ph_ruleset_lint(ph_ruleset *set, ph_report *report, void *ud) {
  ph_arena_mark bottom = ph_scratch_enter(&ph_ptr(set)->space);
  linting l;
  (void)ph_ptr(report);
  memset(&l, 0, sizeof l);
  l.set = set;
  l.arena = &set->space.scratch;
  ph_arena_done(&set->space.told); /* if `report` has jumped out last time */
  ph_texts_start(&l.texts, &set->space.told);
  l.ranks = ph_arena_zero(l.arena, set->rules.n * sizeof *l.ranks);
  l.useless = ph_arena_zero(l.arena, set->rules.n * sizeof *l.useless);
  ph_rule_index_make(&l.index, l.arena, set);
  for (uint32_t root = 0; root < set->first.n; root++)
    if (set->first.at[root] != 0) look_at_root(&l, (ph_op)root);
  for (uint32_t n = 1; n < set->rules.n; n++)
    if (is_on(&l, n)) look_at_rule(&l, n);
  ph_scratch_leave(&set->space, bottom);
  ph_texts_tell(&l.texts, report, ud);
  ph_arena_done(&set->space.told);
  return l.texts.lengths.n;
}

/* }=================================================================== */
