/* trial.c: tries a rule at types and values, and tells a counterexample.
**
** The constants of a rule get values like its variables, and its guard is
** evaluated, so that a trial also finds out whether the rule ever applies.  The
** types that exist come in an order of their own, i8 before the others, so that
** counterexamples are of these; or integers of 1 to 4 bits.
**
** A rule holds if, wherever it applies, its result has the value of its
** pattern.  Traps and undefined results: if an operand of the pattern traps,
** the rule is never reached; if the pattern itself does, the policy decides
** (ph_trap_policy); if the pattern is undefined, any result will do; the result
** must be defined.  All nans are equal.
*/
#include "core/rulecheck/trial.h"

#include <string.h>

#include "core/rulecheck/run_action.h"
#include "core/base/numfmt.h"
#include "core/ir/body.h"
#include "core/rules/set/functions.h"

/*
** {== Words ==========================================================
*/

static void say_type(ph_strbuf *b, ph_exprtype t) {
  ph_strbuf_char(b, t.isfloat ? 'f' : 'i');
  ph_strbuf_uint(b, t.bits);
}

static bool is_same(ph_exprtype a, ph_exprtype b) {
  return a.bits == b.bits && a.isfloat == b.isfloat;
}

/* True if it is one of the chosen types, except the i1 of conditions. */
static bool is_chosen(const ph_trial *t, ph_exprtype type) {
  for (uint32_t i = 1; i < t->at.rule->ntypes; i++)
    if (t->at.rule->types[i].fixed != PH_I1 && is_same(type, t->at.types[i]))
      return true;
  return false;
}

/* Writes all types except the i1 of conditions, narrow ones first; i1 if no
** other. */
static void say_types(ph_trial *t) {
  const ph_exprtype truth = {1, false};
  uint32_t said = 0;
  for (uint8_t i = 2; i < 2 * 65; i++) {
    const ph_exprtype type = {(uint8_t)(i / 2), i % 2 != 0};
    if (!is_chosen(t, type)) continue;
    if (said++ > 0) ph_strbuf_puts(&t->text, ", ");
    say_type(&t->text, type);
  }
  if (said == 0) say_type(&t->text, truth);
}

static void say_number(ph_strbuf *b, ph_exprtype t, int64_t value) {
  if (t.isfloat)
    ph_numfmt_print(b, (uint64_t)value, t.bits == 32);
  else
    ph_strbuf_int(b, t.bits == 1 ? value & 1 : value);
}

static void say_values(ph_trial *t) {
  const ph_rule *rule = t->at.rule;
  uint32_t said = 0;
  for (uint32_t i = 1; i < rule->nvars; i++) {
    if (rule->vars[i].kind == PH_V_LABEL) continue;
    ph_strbuf_puts(&t->text, said++ > 0 ? ", " : ": ");
    ph_strbuf_add(&t->text, rule->vars[i].name);
    ph_strbuf_char(&t->text, '=');
    say_number(&t->text, t->at.types[rule->vars[i].type], t->at.vars[i]);
  }
}

static void say_meaning(ph_trial *t, ph_semantics m) {
  const ph_rule *rule = t->at.rule;
  const ph_rulenode *root = &rule->nodes[rule->lhs];
  if (m.is == PH_MEANS_TRAP)
    ph_strbuf_puts(&t->text, "a trap");
  else if (m.is == PH_MEANS_ANYTHING)
    ph_strbuf_puts(&t->text, "undefined");
  else if (root->type != 0)
    say_number(&t->text, t->at.types[root->type], m.bits);
  else if (root->op == PH_RET && root->first != 0)
    say_number(&t->text, t->at.types[rule->nodes[root->first].type], m.bits);
  else
    ph_strbuf_add(&t->text, rule->vars[m.bits].name);
}

static void say_wrong(ph_trial *t, const ph_finding *found) {
  t->out.verdict = PH_RULE_WRONG;
  ph_strbuf_puts(&t->text, "wrong at ");
  say_types(t);
  say_values(t);
  ph_strbuf_puts(&t->text, ": ");
  say_meaning(t, found->pattern);
  ph_strbuf_puts(&t->text, " -> ");
  say_meaning(t, found->result);
}

/* }== Guards ========================================================= */

static bool has_sides(const ph_rulenode *n) {
  return n->kind == PH_R_EXPR && (n->op == PH_F_AND || n->op == PH_F_OR);
}

/* Notes by which sides a part of the guard has a truth value: of `or` by one of
** them if it is true, and of `and` if it is false.  A guard computes with 64
** bits, so a side can be false at all small widths. */
static void note_sides(ph_trial *t, uint32_t node, bool truth) {
  const ph_rule *rule = t->at.rule;
  const ph_rulenode *n = &rule->nodes[node];
  bool by_one = (n->op == PH_F_OR) == truth;
  if (n->kind == PH_R_EXPR && n->op == PH_F_NOT)
    note_sides(t, n->first, !truth);
  if (!has_sides(n)) return;
  PH_EACH_KID(rule, node, kid) {
    int64_t value;
    if (by_one && !(ph_semantics_expr(&t->at.values, kid, &value) &&
                    (value != 0) == truth))
      continue;
    t->held[kid] = true;
    note_sides(t, kid, truth);
    if (by_one) return;
  }
}

/* True if the rule has applied by each side of its guard. */
static bool all_held(const ph_trial *t) {
  const ph_rule *rule = t->at.rule;
  for (uint32_t i = 1; i < rule->nnodes; i++) {
    if (!has_sides(&rule->nodes[i])) continue;
    PH_EACH_KID(rule, i, kid) {
      if (!t->held[kid]) return false;
    }
  }
  return true;
}

/* }== Values ========================================================= */

/* Notes what was found; false: the rule is wrong, or an action has failed. */
static bool goes_on(ph_trial *t, const ph_finding *found) {
  t->guarded = t->guarded || found->guarded;
  t->meant = t->meant || found->meant;
  t->out.applied += found->applies;
  if (t->at.failed) t->out.verdict = PH_RULE_FAILED;
  if (!found->holds) say_wrong(t, found);
  return !t->at.failed && found->holds;
}

/* Returns the largest width of the chosen types. */
static uint32_t width_of(const ph_trial *t) {
  uint32_t width = 1;
  for (uint32_t i = 1; i < t->at.rule->ntypes; i++)
    if (t->at.types[i].bits > width) width = t->at.types[i].bits;
  return width;
}

static bool try_all(ph_trial *t, uint32_t bits) {
  uint64_t before = t->out.applied;
  bool wide = width_of(t) > 1;
  for (uint64_t i = 0; i >> bits == 0; i++) {
    ph_finding found;
    ph_inputs_every(&t->at.cases, i);
    found = ph_run_rule_run(&t->at);
    if (!goes_on(t, &found)) return false;
    if (found.applies && wide) note_sides(t, t->at.rule->guard, true);
  }
  if (t->out.applied > before && wide && all_held(t)) t->exhausted = true;
  return true;
}

/* Where a guard is seldom true, there are more attempts than cases; constants
** for which it is are tried with several values. */
enum { ATTEMPTS = 4, VARIED = 3 };

static bool try_some(ph_trial *t) {
  uint64_t enough = t->out.applied + t->cases;
  t->complete = false;
  for (uint64_t i = 0; i < ATTEMPTS * (uint64_t)t->cases; i++) {
    ph_finding found;
    ph_inputs_random(&t->at.cases);
    found = ph_run_rule_run(&t->at);
    if (!goes_on(t, &found)) return false;
    for (uint32_t k = 0; k < VARIED && found.applies; k++) {
      if (t->out.applied >= enough) return true;
      ph_inputs_vary(&t->at.cases);
      found = ph_run_rule_run(&t->at);
      if (!goes_on(t, &found)) return false;
    }
    if (t->out.applied >= enough) return true;
  }
  return true;
}

static bool try_action(ph_trial *t) {
  t->complete = false;
  for (uint32_t i = 0; i < t->cases / 20 + 1; i++) {
    ph_inputs_random(&t->at.cases);
    if (!ph_run_action_start(&t->at)) break;
    for (uint32_t j = 0; j < 20; j++) {
      ph_finding found = ph_run_action_run(&t->at);
      if (!goes_on(t, &found)) return false;
      ph_inputs_vary(&t->at.cases);
    }
  }
  if (t->at.failed) t->out.verdict = PH_RULE_FAILED;
  return !t->at.failed;
}

/* Tries values for the chosen types; false: the verdict is known. */
static bool try_values(ph_trial *t) {
  uint32_t bits;
  if (!ph_run_rule_fits(&t->at)) return true;
  t->fits = true;
  ph_run_rule_typed(&t->at);
  bits = ph_inputs_bits(&t->at.cases);
  if (ph_run_action_has(t->at.rule)) return try_action(t);
  if (ph_run_rule_excludes(&t->at)) return true;
  return bits <= t->limit ? try_all(t, bits) : try_some(t);
}

/* }== Types ========================================================== */

enum {
  INTS = 1 << PH_I1 | 1 << PH_I8 | 1 << PH_I16 | 1 << PH_I32 | 1 << PH_I64,
  OTHERS = 1 << PH_F32 | 1 << PH_F64 | 1 << PH_PTR
};

/* The types of phial in the order in which they are tried. */
static const ph_type order[] = {PH_I8,  PH_I16, PH_I32, PH_I64,
                                PH_F32, PH_F64, PH_I1,  PH_PTR};
enum { TYPES = sizeof order / sizeof *order };

/* Returns a mask of the types to try: integers, if the type can be one. */
static uint16_t tried(const ph_ruletype *type) {
  return type->mask & ((type->mask & INTS) != 0 ? INTS : OTHERS);
}

bool ph_trial_has(const ph_ruletype *type) { return tried(type) != 0; }

bool ph_trial_hassmall(const ph_rule *rule) {
  if (ph_run_action_has(rule)) return false;
  for (uint32_t i = 1; i < rule->ntypes; i++)
    if (rule->types[i].fixed == PH_NOTYPE && (rule->types[i].mask & INTS) != 0)
      return true;
  return false;
}

/* Chooses the next type after `t` (0 bits: the first) of the rule's type;
** false: that was the last one.  Small: widths up to `most`; else the types of
** phial. */
static bool next_type(const ph_ruletype *type, bool small, uint32_t most,
                      ph_exprtype *t) {
  bool found = t->bits == 0;
  if ((type->mask & INTS) != 0 && small && type->fixed == PH_NOTYPE) {
    bool wide = (type->mask & INTS & ~(1 << PH_I1)) != 0;
    *t = (ph_exprtype){(uint8_t)(t->bits + 1), false};
    return t->bits <= (wide ? most : 1);
  }
  for (uint32_t i = 0; i < TYPES; i++) {
    const ph_exprtype is = {(uint8_t)ph_type_width(order[i]),
                            ph_type_isfloat(order[i])};
    if ((tried(type) & 1 << order[i]) == 0) continue;
    if (found) {
      *t = is;
      return true;
    }
    found = is_same(is, *t);
  }
  return false;
}

static bool first_types(ph_trial *t, bool small, uint32_t most) {
  memset(t->at.types, 0, t->at.rule->ntypes * sizeof *t->at.types);
  for (uint32_t i = 1; i < t->at.rule->ntypes; i++)
    if (!next_type(&t->at.rule->types[i], small, most, &t->at.types[i]))
      return false;
  return true;
}

/* Advances to the next combination, like an odometer. */
static bool next_types(ph_trial *t, bool small, uint32_t most) {
  for (uint32_t i = 1; i < t->at.rule->ntypes; i++) {
    const ph_ruletype *type = &t->at.rule->types[i];
    if (next_type(type, small, most, &t->at.types[i])) return true;
    t->at.types[i] = (ph_exprtype){0, false};
    next_type(type, small, most, &t->at.types[i]);
  }
  return false;
}

enum { MOST = 20000 }; /* combinations of types that are looked at */

/* Combinations of types at which the rule can apply. */
static uint32_t count_types(ph_trial *t, bool small, uint32_t most) {
  uint32_t n = 0, looked = 0;
  if (!first_types(t, small, most)) return 0;
  do n += ph_run_rule_fits(&t->at) && !ph_run_rule_excludes(&t->at);
  while (++looked < MOST && next_types(t, small, most));
  return n;
}

enum { LEAST = 50 }; /* cases of a combination of types */

bool ph_trial_types(ph_trial *t, bool small, uint32_t times) {
  const ph_check_options *how = t->at.how;
  uint32_t most = how->width != 0 ? how->width : 4, n = 0;
  uint32_t cases = (how->cases != 0 ? how->cases : 5000) * times;
  uint32_t shares = count_types(t, small, most);
  t->cases = shares > 1 ? cases / shares : cases;
  if (t->cases < LEAST) t->cases = cases < LEAST ? cases : LEAST;
  if (!first_types(t, small, most)) return true;
  do
    if (!try_values(t)) return false;
  while (++n < MOST && next_types(t, small, most));
  if (n == MOST) t->cut = true;
  return true;
}

/* }=================================================================== */
