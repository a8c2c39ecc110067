/* check.c: checks whether rules hold, and says how surely.
**
** A rule is tried (trial.c) first at the types that exist.  Then integers of 1
** to 4 bits follow, with all values: an error in bit arithmetic nearly always
** shows there (of some thousand rules with one token changed, these widths find
** every wrong one).  But what depends on the width, as a mask of width(x) - 1 or
** a rotation, may fail at 3 bits only: then the widths that do not exist are
** left out, and the others are looked at more closely.
**
** A verdict says what was done: proved, all values of all types; checked, all
** values at small widths, at some of which the rule applied, by each side of an
** `or` in its guard; tested, samples.
*/
#include <assert.h>
#include <string.h>

#include "core/rulecheck/check.h"
#include "core/rulecheck/run_action.h"
#include "core/rulecheck/trial.h"
#include "core/rules/set/ruleset.h"
#include "core/ir/body.h"
#include "core/ir/op.h"
#include "core/rules/set/functions.h"

/*
** {== What cannot be checked ==========================================
*/

static void say_unchecked(ph_trial *t, const char *what, ph_str name) {
  t->out.verdict = PH_RULE_UNCHECKED;
  ph_strbuf_puts(&t->text, "not checked: ");
  ph_strbuf_puts(&t->text, what);
  ph_strbuf_add(&t->text, name);
}

static void say_op(ph_trial *t, const char *before, ph_op op,
                   const char *behind) {
  const ph_func *space = &t->at.set->space;
  say_unchecked(t, before, ph_op_dialect(space, op));
  if (op >= PH_OPS) ph_strbuf_char(&t->text, '.');
  ph_strbuf_add(&t->text, ph_op_name(space, op));
  ph_strbuf_puts(&t->text, behind);
}

/* True if an op cannot be evaluated. */
static bool is_op_beyond(ph_trial *t, const ph_rulenode *n) {
  const ph_check_options *how = t->at.how;
  if (n->nkids > PH_SEMANTICS_MOST)
    say_op(t, "'", n->op, "' has too many operands");
  else if (n->op < PH_OPS)
    return false;
  else if (how->evals == NULL || !how->evals(how->ud, n->op))
    say_op(t, "'", n->op, "' has no eval");
  else if (ph_op_effectof(&t->at.set->space, n->op) != PH_EFFECT_NONE)
    say_op(t, "'", n->op, "' has an effect");
  else if (ph_run_action_has(t->at.rule))
    say_op(t, "an action is for '", n->op, "'");
  else
    return false;
  return true;
}

/* True if the rule has something that cannot be checked. */
static bool is_beyond(ph_trial *t) {
  const ph_rule *rule = t->at.rule;
  const ph_str none = {"", 0};
  if (rule->flags & PH_RULE_UNSAFE)
    say_unchecked(t, "", rule->unsafe);
  else if (ph_run_action_has(rule) && t->at.how->open == NULL)
    say_unchecked(t, "there are no functions", none);
  for (uint32_t i = 1; i < rule->nnodes && t->text.n == 0; i++)
    if (rule->nodes[i].kind == PH_R_OP) is_op_beyond(t, &rule->nodes[i]);
  for (uint32_t i = 1; i < rule->ntypes && t->text.n == 0; i++)
    if (!ph_trial_has(&rule->types[i]))
      say_unchecked(t, "nothing is known of values of another type", none);
  return t->text.n > 0;
}

/* }== Verdicts ======================================================= */

static const char *why_never(const ph_trial *t) {
  if (t->unreal) return "it applied only at widths that no type has";
  if (!t->fits) return "no types fit it";
  if (!t->guarded) return "its guard was never true";
  if (ph_run_action_has(t->at.rule)) return "its action made nothing";
  if (!t->meant) return "its pattern never had a value";
  return "its result never had a value";
}

static void say_applied(ph_trial *t) {
  ph_strbuf_puts(&t->text, ", applied in ");
  ph_strbuf_uint(&t->text, t->out.applied);
  ph_strbuf_puts(&t->text, t->out.applied == 1 ? " case" : " cases");
  if (t->cut) ph_strbuf_puts(&t->text, ", at some combinations of types only");
}

static void conclude(ph_trial *t) {
  static const char *const words[] = {"proved", "checked", "tested"};
  ph_verdict is = t->complete && !t->cut ? PH_RULE_PROVED
                  : t->exhausted         ? PH_RULE_CHECKED
                                         : PH_RULE_TESTED;
  const ph_str none = {"", 0};
  if (t->at.beyond) {
    say_unchecked(t, "its action makes what cannot be evaluated", none);
    return;
  }
  if (t->out.applied == 0) {
    t->out.verdict = PH_RULE_NEVER;
    ph_strbuf_puts(&t->text, "never applies: ");
    ph_strbuf_puts(&t->text, why_never(t));
    return;
  }
  t->out.verdict = is;
  ph_strbuf_puts(&t->text, words[is]);
  if (is != PH_RULE_PROVED) say_applied(t);
  if (t->at.nans) ph_strbuf_puts(&t->text, ", up to the bits of nans");
  if (t->at.assumed)
    ph_strbuf_puts(&t->text, ", whatever its guard is told of values");
}

/* }== One rule ======================================================= */

/* True if what the node means depends on the width, or on its literals: a rule
** with it may hold at the widths that exist and not at others. */
static bool hangs_on_width(const ph_rulenode *n) {
  if (n->kind == PH_R_LIT)
    return n->var == PH_DATA_INT && n->bits + 1 > 2; /* -1, 0, 1 */
  if (n->kind != PH_R_OP && n->kind != PH_R_EXPR) return false;
  if (n->op > PH_F_NOT) return true;
  return n->op < PH_OPS && (ph_op_isshift(n->op) || n->op == PH_ROTL ||
                            n->op == PH_ROTR || ph_op_iscast(n->op));
}

static bool is_of_width(const ph_rule *rule) {
  for (uint32_t i = 1; i < rule->nnodes; i++)
    if (hangs_on_width(&rule->nodes[i])) return true;
  return false;
}

enum { CLOSER = 10, CLOSER_LIMIT = 18 };

/* Starts again, and looks at the types that exist more closely. */
static bool try_closer(ph_trial *t) {
  t->out.verdict = PH_RULE_PROVED;
  t->text.n = 0;
  t->out.applied = 0;
  t->exhausted = false;
  memset(t->held, 0, t->at.rule->nnodes * sizeof *t->held);
  t->complete = true;
  if (t->limit < CLOSER_LIMIT) t->limit = CLOSER_LIMIT;
  return ph_trial_types(t, false, CLOSER);
}

/* Tries integers of widths that do not exist.  A rule that fails there is
** judged by the others if it depends on the width, and so is one that applies
** only there. */
static bool try_small(ph_trial *t) {
  bool seldom = t->out.applied == 0, right = ph_trial_types(t, true, 1),
       exhausted;
  if (!right && (t->at.failed || !is_of_width(t->at.rule))) return false;
  if (right && !(seldom && t->out.applied > 0)) {
    t->complete = false;
    return true;
  }
  t->unreal = true;
  exhausted = right && t->exhausted;
  if (!try_closer(t)) return false;
  t->exhausted = t->exhausted || exhausted;
  return true;
}

static void try_rule(ph_trial *t) {
  ph_run_rule_start(&t->at);
  t->held = ph_arena_zero(t->at.arena, t->at.rule->nnodes * sizeof *t->held);
  t->limit = t->at.how->limit != 0 ? t->at.how->limit : 12;
  if (is_beyond(t)) return;
  t->complete = true;
  if (!ph_trial_types(t, false, 1)) return;
  if (!t->complete && ph_trial_hassmall(t->at.rule) && !try_small(t)) return;
  conclude(t);
}

/* When strict, samples are enough only for a rule that is marked so. */
static void judge(ph_trial *t) {
  bool marked = (t->at.rule->flags & PH_RULE_SAMPLED) != 0;
  t->out.good =
      t->out.verdict != PH_RULE_WRONG && t->out.verdict != PH_RULE_NEVER;
  if (!t->at.how->strict || t->out.verdict != PH_RULE_TESTED || marked) return;
  t->out.good = false;
  ph_strbuf_puts(&t->text, ": '@ tested' says that this is enough");
}

void ph_check_rule(ph_ruleset *set, uint32_t n, const ph_check_options *how,
                   ph_check_result *result) {
  ph_func *space = &set->space;
  const ph_mem mem = ph_arena_mem(&space->scratch);
  ph_trial t;
  memset(&t, 0, sizeof t);
  t.text.mem = &mem;
  t.out.rule = n;
  t.at.set = set;
  t.at.number = n;
  t.at.rule = set->rules.at[n];
  t.at.how = how;
  t.at.arena = &space->scratch;
  try_rule(&t);
  judge(&t);
  t.out.assumed = t.at.assumed;
  t.out.text = (ph_str){t.text.at == NULL ? "" : t.text.at, t.text.n};
  *result = t.out;
}

/* }== A set of rules ================================================= */

typedef void reporter(void *ud, const ph_check_result *checked);

/* Returns s, copied to where it stays while it is told. */
static ph_str to_tell(ph_func *space, ph_str s) {
  char *at;
  ph_arena_done(&space->told); /* if `report` has jumped out last time */
  if (s.n == 0) return s;
  at = ph_arena_alloc(&space->told, s.n);
  return (ph_str){memcpy(at, s.at, s.n), s.n};
}

static bool check_rule(ph_ruleset *set, uint32_t n, const ph_check_options *how,
                       reporter *report, void *ud) {
  ph_func *space = &set->space;
  ph_arena_mark bottom = ph_scratch_enter(space);
  ph_check_result result;
  ph_check_rule(set, n, how, &result);
  result.text = to_tell(space, result.text);
  ph_scratch_leave(space, bottom);
  report(ud, &result);
  ph_arena_done(&space->told);
  return result.verdict != PH_RULE_FAILED;
}

bool ph_ruleset_check(ph_ruleset *set, uint32_t rule,
                      const ph_check_options *how, reporter *report, void *ud) {
  uint32_t last = rule != 0 ? rule : ph_ruleset_count(set);
  assert(rule <= ph_ruleset_count(set) && "0, or from 1 to ph_ruleset_count");
  for (uint32_t n = rule != 0 ? rule : 1; n <= last; n++)
    if (rule != 0 || ph_ruleset_ison(set, n))
      if (!check_rule(set, n, how, report, ud)) return false;
  return true;
}

/* }=================================================================== */
