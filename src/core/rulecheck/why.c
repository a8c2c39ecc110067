/* why.c: explains why a rule applies to an instruction or not.
**
** All patterns of the op are tried, with all their tests, including those that
** the class table decides: an error in the table would show here.  Of a rule
** with several orders the one that gets furthest is explained.
*/
#include "phial/rulecheck.h"
#include "core/base/strbuf.h"
#include "core/ir/body.h"
#include "core/ir/contract.h"
#include "core/ir/op.h"
#include "core/ir/opcheck.h"
#include "core/rules/match/match.h"
#include "core/rules/match/matcher.h"
#include "core/simplify/cse.h"

typedef struct {
  ph_strbuf *b;
  ph_test_state t;
} teller;

static void say(const teller *s, const char *text) {
  ph_strbuf_puts(s->b, text);
}

/*
** {== Places =========================================================
*/

static void say_value(const teller *s, uint32_t slot) {
  uint32_t v = ph_test_slots(&s->t)[slot];
  if (v == 0)
    say(s, "none");
  else
    ph_print_value(s->b, s->t.f, ph_valueid(v));
}

/* "operand 2 (%x)" of the instruction; those of its operands have no number. */
static void say_slot(const teller *s, uint32_t slot) {
  if (slot == PH_SLOT_ROOT) {
    say(s, "the instruction");
  } else if (slot <= PH_SLOT_SECOND) {
    say(s, "operand ");
    ph_strbuf_uint(s->b, slot);
    say(s, " (");
    say_value(s, slot);
    say(s, ")");
  } else {
    say(s, "inner operand ");
    say_value(s, slot);
  }
}

/* }== Failed tests =================================================== */

static void say_literal(const teller *s, const ph_rulenode *n) {
  if (n->kind == PH_R_LIT && n->var == PH_DATA_STR) {
    ph_strbuf_char(s->b, '"');
    ph_strbuf_add(s->b, s->t.pattern->rule->vars[n->op].name);
    ph_strbuf_char(s->b, '"');
  } else if (n->kind == PH_R_MIN)
    say(s, "INT_MIN");
  else if (n->kind == PH_R_MAX)
    say(s, "INT_MAX");
  else if (n->var == PH_DATA_BOOL)
    say(s, n->bits != 0 ? "true" : "false");
  else if (n->var == PH_DATA_NIL)
    say(s, "nil");
  else if (n->var == PH_DATA_FLOAT)
    say(s, "the number of the pattern");
  else
    ph_strbuf_int(s->b, (int64_t)n->bits);
}

/* True if the value in the slot is of an op, and has data. */
static bool has_data(const teller *s, uint32_t slot, uint32_t op) {
  const ph_node *n = ph_node_of(s->t.f, ph_test_slots(&s->t)[slot]);
  return slot != PH_SLOT_ROOT && n->aux != 0 &&
         ph_op_in(&s->t.m->set->space, s->t.f, n->op) == op;
}

static void say_want(const teller *s, const ph_test *test) {
  uint32_t node = ph_test_note(&s->t, s->t.pattern->nodes, test->slot);
  const ph_rulenode *n = &s->t.pattern->rule->nodes[node];
  say_slot(s, test->slot);
  if (test->arg < PH_TAG_CONST && has_data(s, test->slot, test->arg)) {
    say(s, " has data, of which its pattern says nothing");
  } else if (test->arg < PH_TAG_CONST) {
    say(s, " is not '");
    ph_print_op(s->b, &s->t.m->set->space, (ph_op)test->arg);
    say(s, "'");
  } else if (n->kind == PH_R_CONST || n->kind == PH_R_EXPR) {
    say(s, " is not a constant");
  } else {
    say(s, " is not ");
    say_literal(s, n);
  }
}

static void say_data(const teller *s, const ph_test *test) {
  const ph_rulenode *nodes = s->t.pattern->rule->nodes, *n = &nodes[test->arg];
  const ph_rulenode *data = &nodes[n->bits];
  uint32_t slot = test->slot, v = ph_test_slots(&s->t)[slot];
  if (test->arg == 0) {
    say(s, "it has data, of which its pattern says nothing");
  } else if (slot != PH_SLOT_ROOT &&
             ph_matcher_op(s->t.f, s->t.m, ph_node_of(s->t.f, v)->op) !=
                 n->op) {
    say_slot(s, slot);
    say(s, " is not '");
    ph_print_op(s->b, &s->t.m->set->space, n->op);
    say(s, "'");
  } else if (ph_test_dataof(&s->t, slot).tag == PH_DATA_NONE) {
    say_slot(s, slot);
    say(s, " has no data");
  } else {
    say(s, "the data of ");
    say_slot(s, slot);
    say(s, " are not ");
    if (data->kind == PH_R_LIT)
      say_literal(s, data);
    else
      ph_strbuf_add(s->b, s->t.pattern->rule->vars[data->var].name);
  }
}

static void say_spare(const teller *s, uint32_t want) {
  uint32_t inner = s->t.pattern->ninner;
  say(s, "its result is ");
  ph_strbuf_uint(s->b, want + 1);
  say(s, " instructions, so ");
  ph_strbuf_uint(s->b, want);
  say(s, " of the ");
  ph_strbuf_uint(s->b, inner);
  say(s, " that its pattern takes apart must have no other use, and ");
  ph_strbuf_uint(s->b, ph_test_spare(&s->t, inner));
  say(s, " are so; '@ always' does not count them");
}

static void say_cost(const teller *s, uint32_t want) {
  say(s, "its result costs ");
  ph_strbuf_uint(s->b, want);
  say(s, " more than the instruction, and what else it makes redundant saves ");
  ph_strbuf_uint(s->b, ph_test_saved(&s->t, false));
  say(s, " of ");
  ph_strbuf_uint(s->b, ph_test_saved(&s->t, true));
}

/* How a failed test is reported; tests.def describes the shapes. */
static const struct {
  enum { RULE, SLOT, SLOTS, COUNT, SPARE, COST, WANT, LITERAL, DATA } shape;
  const char *text;
} failures[] = {
#define PH_TEST(KIND, shape, text) {shape, text},
#include "core/rules/match/tests.def"
};

static void say_what(const teller *s, const ph_test *test) {
  switch (failures[test->kind].shape) {
    case RULE:
      break;
    case SLOT:
      say_slot(s, test->slot);
      break;
    case SLOTS:
      say_slot(s, test->arg);
      say(s, " and ");
      say_slot(s, test->slot);
      break;
    case COUNT:
      say_slot(s, test->slot);
      say(s, " does not have ");
      ph_strbuf_uint(s->b, test->arg);
      break;
    case SPARE:
      say_spare(s, test->arg);
      break;
    case COST:
      say_cost(s, test->arg);
      break;
    case WANT:
      say_want(s, test);
      break;
    case DATA:
      say_data(s, test);
      break;
    case LITERAL:
      say_slot(s, test->slot);
      say(s, " is not ");
      say_literal(s, &s->t.pattern->rule->nodes[test->arg]);
      break;
  }
}

/* }== Rules ========================================================== */

/* Returns the number of tests that the pattern passes; 0 once a callback has
** failed. */
static uint32_t passed(teller *s, const ph_pattern *p) {
  if (s->t.m->failed) return 0;
  s->t.pattern = p;
  return ph_test_count(&s->t);
}

static const ph_pattern *pattern_at(const teller *s, uint32_t i) {
  return &s->t.table->list.patterns.at[i];
}

static bool is_first(const teller *s, uint32_t i) {
  for (uint32_t k = 0; k < i; k++)
    if (pattern_at(s, k)->number == pattern_at(s, i)->number) return false;
  return true;
}

/* Returns the order of that pattern's rule that gets furthest; *n: how far. */
static const ph_pattern *furthest(teller *s, uint32_t i, uint32_t *n) {
  const ph_pattern *best = pattern_at(s, i);
  *n = passed(s, best);
  for (uint32_t k = i + 1; k < s->t.table->list.patterns.n; k++) {
    const ph_pattern *p = pattern_at(s, k);
    uint32_t got;
    if (best->first + *n == best->end) break;
    if (p->number != best->number) continue;
    got = passed(s, p);
    if (got <= *n && p->first + got < p->end) continue;
    best = p;
    *n = got;
  }
  return best;
}

static bool has_only(const ph_rule *rule, uint32_t node) {
  if (rule->nodes[node].kind == PH_R_ONLY) return true;
  PH_EACH_KID(rule, node, kid) {
    if (has_only(rule, kid)) return true;
  }
  return false;
}

/* Tells whether the pattern that fits has a result. */
static void say_result(teller *s, const ph_rule *rule) {
  ph_op missing = ph_rewrite_missing(&s->t, rule->rhs);
  if (missing != PH_NONE) {
    say(s, "its result needs the dialect '");
    ph_strbuf_add(s->b, ph_op_dialect(&s->t.m->set->space, missing));
    say(s, "', which function '");
    ph_strbuf_add(s->b, ph_func_name(s->t.f));
    say(s, "' does not have");
  } else if (!ph_rewrite_computes(&s->t)) {
    say(s, "an expression of its result has no value");
  } else if (rule->nodes[rule->rhs].kind == PH_R_CALL) {
    say(s, "applies, if its action wants to");
  } else if (has_only(rule, rule->rhs)) {
    say(s, "applies, if what it marks with '!' exists already");
  } else {
    say(s, "applies");
  }
}

/* Explains the rule of pattern i. */
static void say_rule(teller *s, uint32_t i) {
  uint32_t n = 0;
  const ph_pattern *p = furthest(s, i, &n);
  say(s, "\n  ");
  ph_ruleset_print(s->b, s->t.m->set, p->number);
  say(s, ": ");
  passed(s, p);
  if (s->t.m->failed) return;
  if (p->first + n == p->end) {
    say_result(s, p->rule);
  } else {
    const ph_test *test = &s->t.table->list.tests.at[p->first + n];
    say_what(s, test);
    say(s, failures[test->kind].text);
  }
}

static void say_instruction(const teller *s) {
  const ph_pending *p = s->t.p;
  ph_print_op(s->b, s->t.f, p->op);
  for (uint32_t i = 0; i < p->nargs; i++) {
    say(s, i == 0 ? " " : ", ");
    ph_print_value(s->b, s->t.f, ph_valueid(p->args[i]));
  }
  for (uint32_t i = 0; i < p->ntargets; i++) {
    say(s, i + p->nargs == 0 ? " " : ", ");
    ph_print_blockname(s->b, s->t.f, ph_blockid(p->targets[i]));
  }
}

/* }== Asking ========================================================= */

/* Explains the rules of that name, or all ("").  self: the instruction, if it
** exists. */
static bool explain(ph_strbuf *b, ph_func *f, ph_ruleset *set,
                    const ph_callbacks *callbacks, ph_pending *p, uint32_t self,
                    ph_str name) {
  ph_matcher guest = {
      .set = set, .arena = &f->scratch, .late = f->finished, .self = self};
  teller s = {.b = b};
  uint32_t said = 0;
  if (callbacks != NULL) guest.callbacks = *callbacks;
  s.t.f = f;
  s.t.m = &guest;
  s.t.p = p;
  s.t.table = ph_rule_table_table(set, ph_matcher_op(f, &guest, p->op));
  ph_ids_extend(&guest.values, guest.arena, s.t.table->slots);
  ph_match_look(&s.t, true);
  say_instruction(&s);
  say(&s, ":");
  for (uint32_t i = 0; i < s.t.table->list.patterns.n; i++) {
    uint32_t rule = pattern_at(&s, i)->number;
    if (!is_first(&s, i) ||
        (name.n > 0 && !ph_ascii_same(ph_ruleset_name(set, rule), name)))
      continue;
    said++;
    if (p->data.tag != PH_DATA_NONE &&
        !ph_ruleset_takesdata(set, s.t.table->root)) {
      say(&s, " it has data, of which patterns say nothing");
      break;
    }
    say_rule(&s, i);
  }
  if (said == 0) say(&s, " no rule is about it");
  return !guest.failed;
}

bool ph_ruleset_explain(ph_strbuf *b, ph_func *f, ph_ruleset *set,
                        const ph_callbacks *callbacks, ph_op op, ph_type type,
                        const ph_value *args, uint32_t n,
                        const ph_block *targets, uint32_t m) {
  ph_arena_mark bottom = ph_scratch_enter(ph_ptr(f));
  ph_pending p = {.op = op, .type = type, .nargs = n, .ntargets = m};
  const ph_str all = {"", 0};
  bool done;
  (void)ph_ptr(b), (void)ph_ptr(set);
  ph_must(ph_contract_hasop(f, op) && "an op of this function");
  ph_must(ph_contract_hasvalues(f, args, n) &&
          "operands are values of this function");
  ph_must(ph_opcheck_fits(f, op, type, args, n) &&
          "operands and a type that fit the op");
  ph_must(ph_opcheck_fittargets(f, op, n, m) &&
          "as many targets as the op takes");
  for (uint32_t i = 0; i < m; i++)
    ph_must(ph_contract_hasblock(f, ph_ptr(targets)[i]) &&
            "targets are blocks of this function");
  ph_must((callbacks == NULL || ph_contract_isblank(callbacks)) &&
          "reserved words that are zero");
  p.args = ph_arena_alloc(&f->scratch, (n + m + 1) * sizeof *p.args);
  p.targets = p.args + n;
  for (uint32_t i = 0; i < n; i++) p.args[i] = ph_body_resolve(f, args[i].id);
  for (uint32_t i = 0; i < m; i++) p.targets[i] = targets[i].id;
  ph_cse_order(f, &p);
  done = explain(ph_ptr(b), f, set, callbacks, &p, 0, all);
  ph_scratch_leave(f, bottom);
  return done;
}

bool ph_value_explain(ph_strbuf *b, ph_func *f, ph_ruleset *set,
                      const ph_callbacks *callbacks, ph_value v, ph_str name) {
  ph_arena_mark bottom = ph_scratch_enter(ph_ptr(f));
  ph_pending p = {0};
  const ph_node *node;
  bool done;
  ph_must(ph_contract_hasvalue(f, v) && "a value of this function");
  v.id = ph_body_resolve(f, v.id);
  node = ph_node_of(f, v.id);
  p.op = node->op;
  p.type = node->type;
  p.block = node->block;
  p.data = ph_value_data(f, v);
  p.nargs = node->nargs;
  if (ph_op_flags(f, p.op) & PH_TERMINATOR)
    p.ntargets = ph_block_nsuccs(f, ph_blockid(p.block));
  p.args =
      ph_arena_alloc(&f->scratch, (p.nargs + p.ntargets + 1) * sizeof *p.args);
  p.targets = p.args + p.nargs;
  for (uint32_t i = 0; i < p.nargs; i++)
    p.args[i] = ph_body_operand(f, v.id, i);
  for (uint32_t i = 0; i < p.ntargets; i++)
    p.targets[i] = ph_block_succ(f, ph_blockid(p.block), i).id;
  done = explain(ph_ptr(b), f, ph_ptr(set), callbacks, &p, v.id, name);
  ph_scratch_leave(f, bottom);
  return done;
}

/* }=================================================================== */
