/* check.c: checks whether rules hold.
**
** A rule is evaluated with values: with all values at small widths, where an
** error in bit arithmetic nearly always shows (of some thousand rules with one
** token changed, widths 1 to 4 find every wrong one), and with many at the
** widths of phial's types, for what depends on these.  The constants of a rule
** get values like its variables, and its guard is evaluated, so that the check
** also tells whether the rule ever applies.
**
** A rule holds if, wherever it applies, its result has the value of its
** pattern.  Traps and undefined results: if an operand of the pattern traps,
** the rule is never reached; if the pattern itself does, the policy decides
** (ph_trap_policy); if the pattern is undefined, any result will do; the result
** must be defined.  All nans are equal.
*/
#include <assert.h>
#include <string.h>

#include "core/rulecheck/check.h"
#include "core/rulecheck/run_action.h"
#include "core/rules/set/ruleset.h"
#include "core/base/numfmt.h"
#include "core/ir/body.h"

/* The rule being checked. */
typedef struct {
  ph_run_rule at;
  ph_check_result out;
  ph_strbuf text;
  bool all;                      /* all values were tried at some widths */
  bool applied;                  /* the rule applied at least once */
  uint32_t applied_at, tried_at; /* widths, a bit each, of exhaustive runs */
} trying;

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

/* Writes all types except the i1 of conditions, each once; i1 if there is no
** other. */
static void say_types(trying *t) {
  const ph_exprtype truth = {1, false};
  const ph_exprtype *types = t->at.types;
  uint32_t said = 0;
  for (uint32_t i = 1; i < t->at.rule->ntypes; i++) {
    bool again = t->at.rule->types[i].fixed == PH_I1;
    for (uint32_t j = 1; j < i; j++)
      again = again || (is_same(types[i], types[j]) &&
                        t->at.rule->types[j].fixed != PH_I1);
    if (again) continue;
    if (said++ > 0) ph_strbuf_puts(&t->text, ", ");
    say_type(&t->text, types[i]);
  }
  if (said == 0) say_type(&t->text, truth);
}

static void say_number(ph_strbuf *b, ph_exprtype t, int64_t value) {
  if (t.isfloat)
    ph_numfmt_print(b, (uint64_t)value, t.bits == 32);
  else
    ph_strbuf_int(b, t.bits == 1 ? value & 1 : value);
}

static void say_values(trying *t) {
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

static void say_meaning(trying *t, ph_semantics m) {
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

static void say_wrong(trying *t, const ph_finding *found) {
  t->out.verdict = PH_RULE_WRONG;
  ph_strbuf_puts(&t->text, "wrong at ");
  say_types(t);
  say_values(t);
  ph_strbuf_puts(&t->text, ": ");
  say_meaning(t, found->pattern);
  ph_strbuf_puts(&t->text, " -> ");
  say_meaning(t, found->result);
}

/* }== Values ========================================================= */

static bool goes_on(trying *t, const ph_finding *found) {
  t->applied = t->applied || found->applies;
  if (t->at.failed) t->out.verdict = PH_RULE_FAILED;
  if (!found->holds) say_wrong(t, found);
  return !t->at.failed && found->holds;
}

/* Returns the largest width of the chosen types. */
static uint32_t width_of(const trying *t) {
  uint32_t width = 1;
  for (uint32_t i = 1; i < t->at.rule->ntypes; i++)
    if (t->at.types[i].bits > width) width = t->at.types[i].bits;
  return width;
}

static bool try_all(trying *t, uint32_t bits) {
  uint32_t bit = (uint32_t)1 << (width_of(t) & 31);
  t->all = true;
  t->tried_at |= bit;
  for (uint64_t i = 0; i >> bits == 0; i++) {
    ph_finding found;
    ph_inputs_every(&t->at.cases, i);
    found = ph_run_rule_run(&t->at);
    if (found.applies) t->applied_at |= bit;
    if (!goes_on(t, &found)) return false;
  }
  return true;
}

static bool try_some(trying *t, uint32_t cases) {
  for (uint32_t i = 0; i < cases; i++) {
    ph_finding found;
    ph_inputs_random(&t->at.cases);
    found = ph_run_rule_run(&t->at);
    if (!goes_on(t, &found)) return false;
  }
  return true;
}

static bool try_action(trying *t, uint32_t cases) {
  for (uint32_t i = 0; i < cases / 20 + 1; i++) {
    ph_inputs_random(&t->at.cases);
    if (!ph_run_action_start(&t->at)) break;
    for (uint32_t j = 0; j < 20; j++) {
      ph_finding found = ph_run_action_run(&t->at);
      if (!goes_on(t, &found)) return false;
      ph_run_action_vary(&t->at);
    }
  }
  if (t->at.failed) t->out.verdict = PH_RULE_FAILED;
  return !t->at.failed;
}

/* Tries values for the chosen types; false: the verdict is known. */
static bool try_values(trying *t) {
  const ph_check_options *how = t->at.how;
  uint32_t limit = how->limit != 0 ? how->limit : 12;
  uint32_t cases = how->cases != 0 ? how->cases : 500, bits;
  if (!ph_run_rule_fits(&t->at)) return true;
  ph_run_rule_typed(&t->at);
  bits = ph_inputs_bits(&t->at.cases);
  if (ph_run_action_has(t->at.rule)) return try_action(t, cases);
  return bits <= limit ? try_all(t, bits) : try_some(t, cases);
}

/* }== Types ========================================================== */

enum {
  INTS = 1 << PH_I1 | 1 << PH_I8 | 1 << PH_I16 | 1 << PH_I32 | 1 << PH_I64,
  FLOATS = 1 << PH_F32 | 1 << PH_F64
};

/* Chooses the next type after `t` (0 bits: the first) of the rule's type;
** false: there is none.  Small: widths up to `most`; else the types of
** phial. */
static bool next_type(const ph_ruletype *type, bool small, uint32_t most,
                      ph_exprtype *t) {
  uint32_t bits = t->bits;
  bool ints = (type->mask & INTS) != 0;
  if (ints && small && type->fixed == PH_NOTYPE) {
    bool wide = (type->mask & INTS & ~(1 << PH_I1)) != 0;
    *t = (ph_exprtype){(uint8_t)(bits + 1), false};
    return t->bits <= (wide ? most : 1);
  }
  for (ph_type i = PH_I1; i <= PH_F64; i++) {
    uint16_t kind = ints ? INTS : FLOATS;
    if ((type->mask & kind & 1 << i) == 0) continue;
    *t = (ph_exprtype){(uint8_t)ph_type_width(i), ph_type_isfloat(i)};
    if (t->bits > bits) return true;
  }
  return false;
}

static bool first_types(trying *t, bool small, uint32_t most) {
  memset(t->at.types, 0, t->at.rule->ntypes * sizeof *t->at.types);
  for (uint32_t i = 1; i < t->at.rule->ntypes; i++)
    if (!next_type(&t->at.rule->types[i], small, most, &t->at.types[i]))
      return false;
  return true;
}

/* Advances to the next combination, like an odometer. */
static bool next_types(trying *t, bool small, uint32_t most) {
  for (uint32_t i = 1; i < t->at.rule->ntypes; i++) {
    const ph_ruletype *type = &t->at.rule->types[i];
    if (next_type(type, small, most, &t->at.types[i])) return true;
    t->at.types[i] = (ph_exprtype){0, false};
    next_type(type, small, most, &t->at.types[i]);
  }
  return false;
}

enum { MOST = 300 }; /* combinations of types that are tried */

static bool try_types(trying *t, bool small) {
  uint32_t most = t->at.how->width != 0 ? t->at.how->width : 4, n = 0;
  if (!first_types(t, small, most)) return true;
  do
    if (!try_values(t)) return false;
  while (++n < MOST && next_types(t, small, most));
  return true;
}

/* }== Rules ========================================================== */

static void say_unchecked(trying *t, const char *what, ph_str name) {
  t->out.verdict = PH_RULE_UNCHECKED;
  ph_strbuf_puts(&t->text, "not checked: ");
  ph_strbuf_puts(&t->text, what);
  ph_strbuf_add(&t->text, name);
}

/* True if the rule has something that cannot be checked. */
static bool is_beyond(trying *t) {
  const ph_rule *rule = t->at.rule;
  const ph_func *space = &t->at.set->space;
  const ph_str none = {"", 0};
  ph_op op;
  if (rule->flags & PH_RULE_UNSAFE)
    say_unchecked(t, "", rule->unsafe);
  else if (!ph_semantics_isknown(rule, &op))
    say_unchecked(t, "nothing is known of ", ph_op_name(space, op));
  else if (ph_run_action_has(rule) && t->at.how->open == NULL)
    say_unchecked(t, "there are no functions", none);
  for (uint32_t i = 1; i < rule->ntypes; i++)
    if ((rule->types[i].mask & (INTS | FLOATS)) == 0 && t->text.n == 0)
      say_unchecked(t, "nothing is known of values of another type", none);
  return t->text.n > 0;
}

static void conclude(trying *t) {
  t->out.never = t->tried_at & ~t->applied_at;
  if (!t->applied) {
    t->out.verdict = PH_RULE_NEVER;
    ph_strbuf_puts(&t->text, "never applies");
  } else if (!t->all) {
    t->out.verdict = PH_RULE_TESTED;
    ph_strbuf_puts(&t->text, "tested only");
  }
}

static void try_rule(trying *t) {
  ph_run_rule_start(&t->at);
  if (is_beyond(t)) return;
  if (!ph_run_action_has(t->at.rule) && !try_types(t, true)) return;
  if (try_types(t, false)) conclude(t);
}

void ph_check_rule(ph_ruleset *set, uint32_t n, const ph_check_options *how,
                   ph_check_result *result) {
  ph_func *space = &set->space;
  const ph_mem mem = ph_arena_mem(&space->scratch);
  trying t;
  memset(&t, 0, sizeof t);
  t.text.mem = &mem;
  t.out.rule = n;
  t.at.set = set;
  t.at.number = n;
  t.at.rule = set->rules.at[n];
  t.at.how = how;
  t.at.arena = &space->scratch;
  try_rule(&t);
  t.out.assumed = t.at.assumed;
  t.out.text = (ph_str){t.text.at == NULL ? "" : t.text.at, t.text.n};
  *result = t.out;
}

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
