/* check.c: checks whether rules hold, and says how surely.
**
** A rule holds if, wherever it applies, its result has the value of its
** pattern.  Traps and undefined results: if an operand of the pattern traps,
** the rule is never reached; if the pattern itself does, the policy decides
** (ph_trap_policy); if the pattern is undefined, any result will do; the result
** must be defined.  All nans are equal.  The constants of a rule get values like
** its variables, and its guard is evaluated, so that a check also finds out
** whether the rule ever applies.
**
** A rule is tried first at the types that exist, in an order of their own, i8
** before the others, so that counterexamples are of these.  Then integers of 1
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
#include "core/rulecheck/check.h"

#include <string.h>

#include "core/base/numfmt.h"
#include "core/base/strbuf.h"
#include "core/ir/body.h"
#include "core/ir/contract.h"
#include "core/ir/op.h"
#include "core/rulecheck/run_rule.h"

/* A rule that is tried, and what has been found. */
typedef struct {
  ph_run_rule at;
  ph_check_result out;
  ph_strbuf text;
  uint32_t limit, cases;     /* of each combination of types */
  bool fits, guarded, meant; /* at least once: why does it never apply? */
  bool valued;               /* its pattern had a value at least once */
  bool dialects;             /* it has ops of dialects */
  bool complete;             /* all values of the types tried were tried */
  bool exhausted; /* all values of some type wider than a bit were tried, and
                     the rule applied there, by each side of its guard */
  bool *held;     /* by node: the rule applied there by this side of an `or` */
  bool cut;       /* more types exist than were tried */
  bool unreal;    /* it applied, but not at types that exist */
} trial;

/*
** {== Words ==========================================================
*/

/* Writes a type, after those before it. */
static void say_type(trial *t, ph_exprtype type, uint32_t before) {
  if (before > 0) ph_strbuf_puts(&t->text, ", ");
  if (type.own != PH_NOTYPE) {
    ph_print_type(&t->text, &t->at.set->space, type.own);
    return;
  }
  ph_strbuf_char(&t->text, type.isfloat ? 'f' : 'i');
  ph_strbuf_uint(&t->text, type.bits);
}

static bool is_same(ph_exprtype a, ph_exprtype b) {
  return a.bits == b.bits && a.isfloat == b.isfloat && a.own == b.own;
}

/* True if it is one of the chosen types, except the i1 of conditions. */
static bool is_chosen(const trial *t, ph_exprtype type) {
  for (uint32_t i = 1; i < t->at.rule->ntypes; i++)
    if (t->at.rule->types[i].fixed != PH_I1 && is_same(type, t->at.types[i]))
      return true;
  return false;
}

/* Writes all types except the i1 of conditions, narrow ones first, then those of
** dialects; i1 if no other. */
static void say_types(trial *t) {
  const ph_exprtype truth = {1, false, PH_NOTYPE};
  uint32_t said = 0;
  for (uint8_t i = 2; i < 2 * 65; i++) {
    const ph_exprtype type = {(uint8_t)(i / 2), i % 2 != 0, PH_NOTYPE};
    if (is_chosen(t, type)) say_type(t, type, said++);
  }
  for (ph_type own = PH_ANY; own < PH_SAIDTYPE; own++) {
    const ph_exprtype type = {64, false, own};
    if (is_chosen(t, type)) say_type(t, type, said++);
  }
  if (said == 0) say_type(t, truth, 0);
}

static void say_number(trial *t, ph_exprtype type, int64_t value) {
  if (type.own != PH_NOTYPE)
    t->at.how->show(t->at.how->ud, &t->text, type.own, value);
  else if (type.isfloat)
    ph_numfmt_print(&t->text, (uint64_t)value, type.bits == 32);
  else
    ph_strbuf_int(&t->text, type.bits == 1 ? value & 1 : value);
}

static void say_values(trial *t) {
  const ph_rule *rule = t->at.rule;
  uint32_t said = 0;
  for (uint32_t i = 1; i < rule->nvars; i++) {
    if (rule->vars[i].kind == PH_V_LABEL || rule->vars[i].kind == PH_V_TEXT)
      continue;
    ph_strbuf_puts(&t->text, said++ > 0 ? ", " : ": ");
    ph_strbuf_add(&t->text, rule->vars[i].name);
    ph_strbuf_char(&t->text, '=');
    say_number(t, ph_run_rule_typeof(&t->at, &rule->vars[i]), t->at.vars[i]);
  }
}

static void say_meaning(trial *t, ph_semantics m) {
  const ph_rule *rule = t->at.rule;
  const ph_rulenode *root = &rule->nodes[rule->lhs];
  if (m.is == PH_MEANS_TRAP)
    ph_strbuf_puts(&t->text, "a trap");
  else if (m.is == PH_MEANS_ANYTHING)
    ph_strbuf_puts(&t->text, "undefined");
  else if (root->type != 0)
    say_number(t, t->at.types[root->type], m.bits);
  else if (root->op == PH_RET && root->first != 0)
    say_number(t, t->at.types[rule->nodes[root->first].type], m.bits);
  else
    ph_strbuf_add(&t->text, rule->vars[m.bits].name);
}

/* A rule whose guard asks a callback about values may be right for those of
** which that is true. */
static void say_wrong(trial *t, const ph_finding *found) {
  t->out.verdict = t->at.supposed ? PH_RULE_UNCHECKED : PH_RULE_WRONG;
  if (t->at.supposed)
    ph_strbuf_puts(
        &t->text, "not checked: 'facts' does not say of which values its guard "
                  "is true; if of all: ");
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
static void note_sides(trial *t, uint32_t node, bool truth) {
  const ph_rule *rule = t->at.rule;
  const ph_rulenode *n = &rule->nodes[node];
  bool by_one = (n->op == PH_F_OR) == truth;
  if (n->kind == PH_R_EXPR && n->op == PH_F_NOT)
    note_sides(t, n->first, !truth);
  if (!has_sides(n)) return;
  PH_EACH_KID(rule, node, kid) {
    int64_t value;
    if (by_one &&
        !(ph_run_rule_expr(&t->at, kid, &value) && (value != 0) == truth))
      continue;
    t->held[kid] = true;
    note_sides(t, kid, truth);
    if (by_one) return;
  }
}

/* True if the rule has applied by each side of its guard. */
static bool all_held(const trial *t) {
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
static bool goes_on(trial *t, const ph_finding *found) {
  t->guarded = t->guarded || found->guarded;
  t->meant = t->meant || found->meant;
  t->valued = t->valued || (found->meant && found->pattern.is != PH_MEANS_TRAP);
  t->out.applied += found->applies;
  if (t->at.failed) t->out.verdict = PH_RULE_FAILED;
  if (!found->holds) say_wrong(t, found);
  return !t->at.failed && found->holds;
}

/* Returns the largest width of the chosen types. */
static uint32_t width_of(const trial *t) {
  uint32_t width = 1;
  for (uint32_t i = 1; i < t->at.rule->ntypes; i++)
    if (t->at.types[i].bits > width) width = t->at.types[i].bits;
  return width;
}

static bool try_all(trial *t, uint32_t bits) {
  uint64_t before = t->out.applied;
  bool wide = width_of(t) > 1;
  for (uint64_t i = 0; i >> bits == 0; i++) {
    ph_finding found;
    ph_inputs_every(&t->at.cases, i);
    found = ph_run_rule_run(&t->at);
    if (!goes_on(t, &found)) return false;
    if (found.applies && wide) note_sides(t, t->at.rule->guard, true);
  }
  /* an eval may tell types apart, not only widths */
  if (t->out.applied > before && wide && all_held(t) && !t->dialects)
    t->exhausted = true;
  return true;
}

/* Where a guard is seldom true, there are more attempts than cases; constants
** for which it is are tried with several values. */
enum { ATTEMPTS = 4, VARIED = 3 };

static bool try_some(trial *t) {
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

/* Tries the cases that the host gives. */
static bool try_given(trial *t) {
  const ph_rule *rule = t->at.rule;
  for (uint32_t n = 0; n < t->at.how->given; n++) {
    ph_finding found;
    ph_inputs_random(&t->at.cases);
    for (uint32_t i = 1; i < rule->nvars; i++) {
      const ph_rulevar *var = &rule->vars[i];
      const ph_exprtype type = t->at.types[var->type];
      ph_data value;
      if (var->kind <= PH_V_CONST && var->node == 0 && type.own == PH_NOTYPE &&
          t->at.how->give(t->at.how->ud, n, var->name, &value) &&
          type.isfloat == (value.tag == PH_DATA_FLOAT))
        t->at.vars[i] = ph_exprtype_normal(type, value.bits);
    }
    found = ph_run_rule_run(&t->at);
    if (!goes_on(t, &found)) return false;
  }
  return true;
}

static bool try_action(trial *t) {
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
static bool try_values(trial *t) {
  uint32_t bits;
  if (!ph_run_rule_fits(&t->at)) return true;
  t->fits = true;
  ph_run_rule_typed(&t->at);
  bits = ph_inputs_bits(&t->at.cases);
  if (ph_run_action_has(t->at.rule)) return try_action(t);
  if (ph_run_rule_excludes(&t->at)) return true;
  if (!try_given(t)) return false;
  return bits <= t->limit ? try_all(t, bits) : try_some(t);
}

/* }== Combinations of types ========================================== */

enum {
  INTS = 1 << PH_I1 | 1 << PH_I8 | 1 << PH_I16 | 1 << PH_I32 | 1 << PH_I64,
  OTHERS = 1 << PH_F32 | 1 << PH_F64 | 1 << PH_PTR
};

/* The types of phial in the order in which they are tried. */
static const ph_type order[] = {PH_I8,  PH_I16, PH_I32, PH_I64,
                                PH_F32, PH_F64, PH_I1,  PH_PTR};
enum { TYPES = sizeof order / sizeof *order };

/* Returns a mask of the types to try: integers, if the type can be one; but all
** where ops of dialects may tell them apart. */
static uint16_t tried(const trial *t, const ph_ruletype *type) {
  if (t->dialects) return type->mask & (INTS | OTHERS);
  return type->mask & ((type->mask & INTS) != 0 ? INTS : OTHERS);
}

/* True if integers of widths that do not exist are of use for the rule. */
static bool has_small(const trial *t) {
  const ph_rule *rule = t->at.rule;
  if (ph_run_action_has(rule) || t->dialects) return false;
  for (uint32_t i = 1; i < rule->ntypes; i++)
    if (rule->types[i].fixed == PH_NOTYPE && (rule->types[i].mask & INTS) != 0)
      return true;
  return false;
}

/* True if the type can be that one, whose values are the host's. */
static bool can_be_own(const trial *t, const ph_ruletype *type, ph_type own) {
  if (type->fixed == own) return true;
  if (type->fixed != PH_NOTYPE || ph_run_rule_samples(t->at.how, own) == 0)
    return false;
  return own == PH_ANY ? (type->mask & 1 << PH_ANY) != 0 : type->dialects;
}

/* Chooses the next type after `t` (0 bits: the first) of the rule's type;
** false: that was the last one.  Small: widths up to `most`; else the types of
** phial. */
static bool next_type(const trial *t, const ph_ruletype *type, bool small,
                      uint32_t most, ph_exprtype *at) {
  bool found = at->bits == 0;
  ph_type own = at->own != PH_NOTYPE ? at->own + 1 : PH_ANY;
  if ((type->mask & INTS) != 0 && small && type->fixed == PH_NOTYPE) {
    bool wide = (type->mask & INTS & ~(1 << PH_I1)) != 0;
    *at = (ph_exprtype){(uint8_t)(at->bits + 1), false, PH_NOTYPE};
    return at->bits <= (wide ? most : 1);
  }
  for (uint32_t i = 0; i < TYPES && at->own == PH_NOTYPE; i++) {
    const ph_exprtype is = ph_exprtype_of(order[i]);
    if ((tried(t, type) & 1 << order[i]) == 0) continue;
    if (found) {
      *at = is;
      return true;
    }
    found = is_same(is, *at);
  }
  for (; own < PH_SAIDTYPE && t->dialects; own++) {
    if (!can_be_own(t, type, own)) continue;
    *at = (ph_exprtype){64, false, own};
    return true;
  }
  return false;
}

static bool first_types(trial *t, bool small, uint32_t most) {
  memset(t->at.types, 0, t->at.rule->ntypes * sizeof *t->at.types);
  for (uint32_t i = 1; i < t->at.rule->ntypes; i++)
    if (!next_type(t, &t->at.rule->types[i], small, most, &t->at.types[i]))
      return false;
  return true;
}

/* Advances to the next combination, like an odometer. */
static bool next_types(trial *t, bool small, uint32_t most) {
  for (uint32_t i = 1; i < t->at.rule->ntypes; i++) {
    const ph_ruletype *type = &t->at.rule->types[i];
    if (next_type(t, type, small, most, &t->at.types[i])) return true;
    t->at.types[i] = (ph_exprtype){0};
    next_type(t, type, small, most, &t->at.types[i]);
  }
  return false;
}

/* The most combinations of types that are looked at; fewer where Lua computes. */
static uint32_t most_types(const trial *t) {
  return t->dialects ? 1000 : 20000;
}

/* Combinations of types at which the rule can apply. */
static uint32_t count_types(trial *t, bool small, uint32_t most) {
  uint32_t n = 0, looked = 0;
  if (!first_types(t, small, most)) return 0;
  do n += ph_run_rule_fits(&t->at) && !ph_run_rule_excludes(&t->at);
  while (++looked < most_types(t) && next_types(t, small, most));
  return n;
}

/* The least cases of a combination of types. */
static uint32_t least_cases(const trial *t) { return t->dialects ? 5 : 50; }

/* Tries values of each combination of the rule's types, those of phial or, if
** small, integers of the least widths; each gets its share of the cases,
** `times` over.  False: the verdict is known, as the rule is wrong or an action
** has failed. */
static bool try_types(trial *t, bool small, uint32_t times) {
  const ph_check_options *how = t->at.how;
  uint32_t most = how->width != 0 ? how->width : 4, n = 0;
  uint32_t cases = (how->cases != 0 ? how->cases : 5000) * times;
  uint32_t shares = count_types(t, small, most);
  t->cases = shares > 1 ? cases / shares : cases;
  if (t->cases < least_cases(t))
    t->cases = cases < least_cases(t) ? cases : least_cases(t);
  if (!first_types(t, small, most)) return true;
  do
    if (!try_values(t)) return false;
  while (++n < most_types(t) && next_types(t, small, most));
  if (n == most_types(t)) t->cut = true;
  return true;
}

/* }== What cannot be checked ========================================= */

static void say_unchecked(trial *t, const char *what, ph_str name) {
  t->out.verdict = PH_RULE_UNCHECKED;
  ph_strbuf_puts(&t->text, "not checked: ");
  ph_strbuf_puts(&t->text, what);
  ph_strbuf_add(&t->text, name);
}

static void say_op(trial *t, const char *before, ph_op op, const char *behind) {
  const ph_func *space = &t->at.set->space;
  say_unchecked(t, before, ph_op_dialect(space, op));
  if (op >= PH_OPS) ph_strbuf_char(&t->text, '.');
  ph_strbuf_add(&t->text, ph_op_name(space, op));
  ph_strbuf_puts(&t->text, behind);
}

/* True if an op cannot be evaluated. */
static bool is_op_beyond(trial *t, const ph_rulenode *n) {
  const ph_check_options *how = t->at.how;
  if (n->nkids > PH_OPERANDS_MOST)
    say_op(t, "'", n->op, "' has too many operands");
  else if (n->op < PH_OPS)
    return false;
  else if (how->evals == NULL || !how->evals(how->ud, n->op))
    say_op(t, "'", n->op, "' has no eval");
  else if (ph_op_effectof(&t->at.set->space, n->op) != PH_EFFECT_NONE)
    say_op(t, "'", n->op, "' has an effect");
  else if (n == &t->at.rule->nodes[t->at.rule->lhs] &&
           ph_op_nresults(&t->at.set->space, n->op) > 1)
    say_op(t, "'", n->op, "' has several results");
  else
    return false;
  return true;
}

/* True if variables can have the type, one of a dialect or PH_ANY, and nothing
** is known of its values. */
static bool is_type_beyond(trial *t, ph_type own, const char *of) {
  if (own != PH_ANY && own < PH_TYPES) return false;
  if (*of == 'v' && ph_run_rule_samples(t->at.how, own) > 0) return false;
  say_unchecked(t, "nothing is known of ", ph_ascii_str(of));
  ph_strbuf_puts(&t->text, " of type '");
  ph_print_type(&t->text, &t->at.set->space, own);
  ph_strbuf_puts(&t->text, *of == 'v' ? "': see option 'samples'" : "'");
  return true;
}

static void look_at_types(trial *t) {
  const ph_rule *rule = t->at.rule;
  for (uint32_t i = 1; i < rule->nvars && t->text.n == 0; i++) {
    uint32_t before;
    if (rule->vars[i].kind == PH_V_DATA &&
        ph_run_rule_data(&t->at, i, &before) == 0)
      say_unchecked(t, "option 'samples' has none of its data ",
                    rule->vars[i].name);
    else if (rule->vars[i].kind <= PH_V_CONST && rule->vars[i].node == 0)
      is_type_beyond(t, rule->types[rule->vars[i].type].fixed,
                     rule->vars[i].kind == PH_V_CONST ? "constants" : "values");
  }
  for (uint32_t i = 1; i < rule->nnodes && t->text.n == 0; i++) {
    ph_type own = rule->types[rule->nodes[i].type].fixed;
    if (rule->nodes[i].kind == PH_R_ANY) is_type_beyond(t, own, "values");
    if (rule->nodes[i].kind == PH_R_LIT) is_type_beyond(t, own, "constants");
  }
}

/* True if the rule has something that cannot be checked. */
static bool is_beyond(trial *t) {
  const ph_rule *rule = t->at.rule;
  const ph_str none = {"", 0};
  if (rule->flags & PH_RULE_UNSAFE)
    say_unchecked(t, "", rule->unsafe);
  else if (ph_run_action_has(rule) && t->at.how->open == NULL)
    say_unchecked(t, "there are no functions", none);
  for (uint32_t i = 1; i < rule->nnodes && t->text.n == 0; i++)
    if (rule->nodes[i].kind == PH_R_OP) is_op_beyond(t, &rule->nodes[i]);
  if (t->text.n == 0) look_at_types(t);
  return t->text.n > 0;
}

/* }== Verdicts ======================================================= */

static const char *why_never(const trial *t) {
  if (t->unreal) return "it applied only at widths that no type has";
  if (!t->fits) return "no types fit it";
  if (!t->guarded) return "its guard was never true";
  if (ph_run_action_has(t->at.rule)) return "its action made nothing";
  if (!t->meant) return "its pattern never had a value";
  return "its result never had a value";
}

static void conclude(trial *t) {
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
  if (t->dialects && !t->valued) {
    say_unchecked(t, "its pattern trapped in each case that was tried", none);
    return;
  }
  t->out.verdict = is;
  ph_strbuf_puts(&t->text, words[is]);
  if (is != PH_RULE_PROVED) {
    ph_strbuf_puts(&t->text, ", applied in ");
    ph_strbuf_uint(&t->text, t->out.applied);
    ph_strbuf_puts(&t->text, t->out.applied == 1 ? " case" : " cases");
    if (t->cut)
      ph_strbuf_puts(&t->text, ", at some combinations of types only");
  }
  if (t->at.nans) ph_strbuf_puts(&t->text, ", up to the bits of nans");
  if (t->at.assumed)
    ph_strbuf_puts(&t->text, ", for all answers that its guard may get");
}

/* }== One rule ======================================================= */

/* True if the op's result, as a number, depends on the width. */
static bool counts_bits(ph_op op) {
  return ph_op_isshift(op) || ph_op_iscast(op) || op == PH_ROTL ||
         op == PH_ROTR || op == PH_CLZ || op == PH_CTZ || op == PH_POPCNT;
}

/* True if what the node means depends on the width, or on its literals: a rule
** with it may hold at the widths that exist and not at others. */
static bool hangs_on_width(const ph_rulenode *n) {
  if (n->kind == PH_R_LIT)
    return n->var == PH_DATA_INT && n->bits + 1 > 2; /* -1, 0, 1 */
  if (n->kind == PH_R_HELPER) return true;
  if (n->kind != PH_R_OP && n->kind != PH_R_EXPR) return false;
  if (n->op > PH_F_NOT) return true;
  return n->op < PH_OPS && counts_bits(n->op);
}

static bool is_of_width(const ph_rule *rule) {
  for (uint32_t i = 1; i < rule->nnodes; i++)
    if (hangs_on_width(&rule->nodes[i])) return true;
  return false;
}

enum { CLOSER = 10, CLOSER_LIMIT = 18 };

/* Starts again, and looks at the types that exist more closely. */
static bool try_closer(trial *t) {
  t->out.verdict = PH_RULE_PROVED;
  t->text.n = 0;
  t->out.applied = 0;
  t->exhausted = false;
  memset(t->held, 0, t->at.rule->nnodes * sizeof *t->held);
  t->complete = true;
  if (t->limit < CLOSER_LIMIT) t->limit = CLOSER_LIMIT;
  return try_types(t, false, CLOSER);
}

/* Tries integers of widths that do not exist.  A rule that fails there is
** judged by the others if it depends on the width, and so is one that applies
** only there. */
static bool try_small(trial *t) {
  bool seldom = t->out.applied == 0, right = try_types(t, true, 1), exhausted;
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

static void try_rule(trial *t) {
  t->held = ph_arena_zero(t->at.arena, t->at.rule->nnodes * sizeof *t->held);
  t->limit = t->at.how->limit != 0 ? t->at.how->limit : 12;
  if (is_beyond(t)) return;
  t->complete = true;
  if (!try_types(t, false, 1)) return;
  if (!t->complete && has_small(t) && !try_small(t)) return;
  conclude(t);
}

/* When strict, samples are enough only for a rule that is marked so, and so is
** nothing. */
static void judge(trial *t) {
  uint32_t marks = t->at.rule->flags;
  ph_verdict is = t->out.verdict;
  t->out.good = is != PH_RULE_WRONG && is != PH_RULE_NEVER;
  t->out.unknown = is == PH_RULE_UNCHECKED && (marks & PH_RULE_UNSAFE) == 0;
  if (!t->at.how->strict) return;
  if (t->out.unknown) t->out.good = false;
  if (is != PH_RULE_TESTED || (marks & PH_RULE_SAMPLED) != 0) return;
  t->out.good = false;
  ph_strbuf_puts(&t->text, ": '@ tested' says that this is enough");
}

static void start_trial(trial *t, ph_ruleset *set, uint32_t n,
                        const ph_check_options *how) {
  memset(t, 0, sizeof *t);
  t->out.rule = n;
  t->at.set = set;
  t->at.number = n;
  t->at.rule = set->rules.at[n];
  t->at.how = how;
  t->at.arena = &set->space.scratch;
  for (uint32_t i = 1; i < t->at.rule->nnodes; i++)
    t->dialects = t->dialects || (t->at.rule->nodes[i].kind == PH_R_OP &&
                                  t->at.rule->nodes[i].op >= PH_OPS);
  ph_run_rule_start(&t->at);
}

void ph_check_rule(ph_ruleset *set, uint32_t n, const ph_check_options *how,
                   ph_check_result *result) {
  const ph_mem mem = ph_arena_mem(&set->space.scratch);
  trial t;
  start_trial(&t, set, n, how);
  t.text.mem = &mem;
  try_rule(&t);
  judge(&t);
  t.out.assumed = t.at.assumed;
  t.out.text = (ph_str){t.text.at == NULL ? "" : t.text.at, t.text.n};
  *result = t.out;
}

enum { VISITED_TYPES = 100, VISITS = 4, LOOKED = 300 };

void ph_check_visit(ph_ruleset *set, uint32_t n,
                    bool (*visit)(void *ud, ph_run_rule *at), void *ud) {
  const ph_check_options plain = {.limit = 1};
  uint32_t types = 0;
  trial t;
  start_trial(&t, set, n, &plain);
  if (!first_types(&t, false, 0)) return;
  do {
    uint32_t visits = 0;
    if (!ph_run_rule_fits(&t.at) || ph_run_rule_excludes(&t.at)) continue;
    ph_run_rule_typed(&t.at);
    for (uint32_t i = 0; i < LOOKED && visits < VISITS; i++) {
      ph_inputs_random(&t.at.cases);
      if (!ph_run_rule_guarded(&t.at)) continue;
      visits++;
      if (!visit(ud, &t.at)) return;
    }
    types++;
  } while (types < VISITED_TYPES && next_types(&t, false, 0));
}

/* }== A set of rules ================================================= */

typedef void reporter(void *ud, const ph_check_result *checked);

/* Returns s, copied to where it stays while it is reported. */
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
  uint32_t last = rule != 0 ? rule : ph_ruleset_count(ph_ptr(set));
  ph_must(rule <= ph_ruleset_count(set) && "0, or from 1 to ph_ruleset_count");
  ph_must(ph_contract_isblank(ph_ptr(how)) && "reserved words that are zero");
  for (uint32_t n = rule != 0 ? rule : 1; n <= last; n++)
    if (rule != 0 || ph_ruleset_ison(set, n))
      if (!check_rule(set, n, ph_ptr(how), ph_ptr(report), ud)) return false;
  return true;
}

void ph_ruleset_abandon(ph_ruleset *set) {
  ph_arena_done(&ph_ptr(set)->space.scratch);
  ph_arena_done(&set->space.told);
}

/* }=================================================================== */
