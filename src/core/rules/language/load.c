/* load.c: adds a text of rules to a set.
**
** A rule is read once for each of its alternatives; the first reading counts
** them.  Rules enter the set only after the whole text is read, so that a text
** with an error adds nothing.
**
** Of each rule is checked what its text shows.  It terminates: each op has a
** weight, and a rule that repeats none of its values makes a tree lighter, or
** leaves its weight and puts a lighter op at the root.  That is the order of
** D. Knuth and P. Bendix (Simple Word Problems in Universal Algebras, 1970), in
** which no tree has infinitely many lesser ones, whatever the order in which
** rules are applied.  (The weights are such that usual results are lighter: a
** shift than a product, a strict comparison than a non-strict one.)
** It does not repeat effects.  And its result is known: its values are bound,
** its types follow from the pattern.
*/
#include <string.h>

#include "phial/rules.h"
#include "core/base/numfmt.h"
#include "core/base/strbuf.h"
#include "core/ir/body.h"
#include "core/ir/contract.h"
#include "core/ir/op.h"
#include "core/rules/language/rule_let.h"
#include "core/rules/language/rule_parse.h"
#include "core/rules/set/ruleset.h"

/*
** {== Roots ==========================================================
*/

static bool is_terminator(const ph_draft *d, uint32_t node) {
  const ph_rulenode *n = ph_draft_node(d, node);
  return n->kind == PH_R_OP && ph_op_has(d->space, n->op, PH_TERMINATOR);
}

static void check_pattern_root(ph_draft *d) {
  const ph_rulenode *n = ph_draft_node(d, d->rule.lhs);
  if (n->kind == PH_R_EXPR)
    ph_rule_lex_fail(&d->scan, n->at, "constants are computed without a rule");
  else if (n->kind != PH_R_OP)
    ph_rule_lex_fail(&d->scan, n->at, "a pattern starts with an operation");
  else if (n->once || n->var != 0)
    ph_rule_lex_fail(
        &d->scan, n->at,
        n->once ? "the whole pattern has no uses yet"
                : "the whole pattern is not a value yet: it has no name");
}

static void check_inner(ph_draft *d) {
  for (uint32_t node = 1; node < d->nodes.n; node++)
    if (node != d->rule.lhs && node != d->rule.rhs && is_terminator(d, node))
      ph_rule_lex_fail(&d->scan, ph_draft_node(d, node)->at,
                       "'$' ends a block: it cannot be an operand",
                       ph_op_name(d->space, ph_draft_node(d, node)->op));
}

/* A helper has no values: what it gives is known before anything is made. */
static void check_helpers(ph_draft *d) {
  for (uint32_t node = 1; node < d->nodes.n; node++) {
    if (ph_draft_node(d, node)->kind != PH_R_HELPER) continue;
    PH_EACH_DRAFT_KID(d, node, kid) {
      if (ph_draft_node(d, kid)->kind == PH_R_VAR)
        ph_rule_lex_fail(&d->scan, ph_draft_node(d, kid)->at,
                         "a function of values makes a whole result, or is a "
                         "condition: here it can have constants only");
    }
  }
}

static void check_roots(ph_draft *d) {
  const ph_rulenode *l = ph_draft_node(d, d->rule.lhs);
  const ph_rulenode *r = ph_draft_node(d, d->rule.rhs);
  bool ends = is_terminator(d, d->rule.lhs);
  if (ends != is_terminator(d, d->rule.rhs)) {
    ph_rule_lex_fail(
        &d->scan, r->at,
        ends ? "the result must end a block, as the pattern does"
             : "the pattern does not end a block: the result cannot either");
  } else if (r->kind == PH_R_CALL) {
    if (r->type != 0) ph_draft_unify(d, l->type, r->type, r->at);
    ph_draft_node(d, d->rule.rhs)->type = l->type;
  } else if (l->type != 0 && r->type != 0) {
    ph_draft_unify(d, l->type, r->type, r->at);
  } else if (l->type != r->type) {
    ph_rule_lex_fail(&d->scan, r->at,
                     l->type != 0
                         ? "the result has no value, the pattern has one"
                         : "the pattern has no value, the result has one");
  }
}

/* }== Variables and types ============================================ */

/* True if the node belongs to the pattern. */
static bool in_pattern(const ph_draft *d, const ph_rulenode *n) {
  return n->at < d->arrow;
}

/* Notes the variables that a tree of the pattern binds: those outside
** expressions. */
static void note_bound(const ph_draft *d, uint32_t node, bool *bound) {
  const ph_rulenode *n = ph_draft_node(d, node);
  if (n->kind == PH_R_VAR || n->kind == PH_R_CONST || n->kind == PH_R_LABEL)
    bound[n->var] = true;
  if (n->kind == PH_R_EXPR) return;
  PH_EACH_DRAFT_KID(d, node, kid) note_bound(d, kid, bound);
}

static void check_bound(ph_draft *d) {
  bool *bound = ph_arena_zero(d->arena, d->vars.n * sizeof *bound);
  note_bound(d, d->rule.lhs, bound);
  for (uint32_t node = d->nodes.n; node-- > 1;) {
    const ph_rulenode *n = ph_draft_node(d, node);
    if (in_pattern(d, n) && n->kind == PH_R_CONST && !bound[n->var])
      ph_rule_lex_fail(&d->scan, n->at,
                       "'$' occurs only in expressions: nothing binds it",
                       d->vars.at[n->var].name);
  }
}

/* Finds the types that the pattern determines, or that are fixed. */
static bool *find_told(ph_draft *d) {
  bool *told = ph_arena_zero(d->arena, d->types.n * sizeof *told);
  for (uint32_t node = 1; node < d->nodes.n; node++) {
    const ph_rulenode *n = ph_draft_node(d, node);
    if (in_pattern(d, n) && n->kind != PH_R_EXPR)
      told[ph_draft_find(d, n->type)] = true;
  }
  for (uint32_t i = 0; i < d->types.n; i++)
    if (d->types.at[i].is.fixed != PH_NOTYPE) told[i] = true;
  told[0] = true;
  return told;
}

static void check_told(ph_draft *d) {
  const bool *told = find_told(d);
  for (uint32_t node = 1; node < d->nodes.n; node++) {
    const ph_rulenode *n = ph_draft_node(d, node);
    if (!told[ph_draft_find(d, n->type)])
      ph_rule_lex_fail(
          &d->scan, n->at,
          n->kind == PH_R_OP || n->kind == PH_R_EXPR || n->kind == PH_R_HELPER
              ? "the type of this is not known: write it after it, "
                "f(x):i32"
              : "the type of this is not known: write it after it, "
                "0:i32");
  }
}

static ph_type fixed_type(const ph_draft *d, const ph_rulenode *n) {
  return d->types.at[ph_draft_find(d, n->type)].is.fixed;
}

/* Checks casts between types that are fixed by now. */
static void check_casts(ph_draft *d) {
  for (uint32_t node = 1; node < d->nodes.n; node++) {
    const ph_rulenode *n = ph_draft_node(d, node);
    ph_type from, to;
    if (n->kind != PH_R_OP || !ph_op_iscast(n->op)) continue;
    to = fixed_type(d, n);
    from = fixed_type(d, ph_draft_node(d, n->first));
    if (from == PH_NOTYPE || to == PH_NOTYPE) continue;
    if (ph_opcheck_types(d->space, n->op, &from, 1, &to).kind != PH_FITS)
      ph_rule_lex_fail(&d->scan, n->at, "'$' cannot convert $ to $",
                       ph_op_name(d->space, n->op),
                       ph_type_name(d->space, from),
                       ph_type_name(d->space, to));
  }
}

/* }== Effects ======================================================== */

/* Of terminators, none that matters: they replace each other only. */
static ph_effect effect_of(const ph_draft *d, const ph_rulenode *n) {
  if (n->kind != PH_R_OP || ph_op_has(d->space, n->op, PH_TERMINATOR))
    return PH_EFFECT_NONE;
  return ph_op_effectof(d->space, n->op);
}

/* All ops with an effect are of dialects. */
static void refuse_effect(ph_draft *d, uint32_t at, const ph_rulenode *n,
                          const char *format) {
  const char *effect = ph_effect_name(effect_of(d, n));
  ph_rule_lex_fail(&d->scan, at, format, ph_op_dialect(d->space, n->op),
                   ph_op_name(d->space, n->op), ph_ascii_str(effect));
}

/* Refuses effects below `root`, and that of the root unless it may have one:
** the leftmost one. */
static void check_places(ph_draft *d, uint32_t root, bool root_may,
                         const char *format) {
  const ph_rulenode *first = NULL;
  bool pattern = root == d->rule.lhs;
  for (uint32_t node = 1; node < d->nodes.n; node++) {
    const ph_rulenode *n = ph_draft_node(d, node);
    if (in_pattern(d, n) != pattern || (node == root && root_may) ||
        effect_of(d, n) == PH_EFFECT_NONE)
      continue;
    if (first == NULL || n->at < first->at) first = n;
  }
  if (first != NULL) refuse_effect(d, first->at, first, format);
}

/* A rule must neither move nor repeat what an instruction does: an op with an
** effect is a root only, in place of one with the same.  What does not write
** can go. */
static void check_effects(ph_draft *d) {
  const ph_rulenode *from = ph_draft_node(d, d->rule.lhs);
  const ph_rulenode *to = ph_draft_node(d, d->rule.rhs);
  bool same = effect_of(d, from) == effect_of(d, to);
  check_places(d, d->rule.lhs, true,
               "'$.$' has the effect \"$\": in a pattern it can be the root "
               "only");
  check_places(
      d, d->rule.rhs, same,
      "'$.$' has the effect \"$\": in a result it can be the root only, "
      "for a pattern with that effect");
  if (!same && effect_of(d, from) == PH_EFFECT_WRITE)
    refuse_effect(d, to->at, from,
                  "'$.$' has the effect \"$\": the result must have it, too");
}

/* }== Further results ================================================ */

/* True if instructions of both ops, whose first results have that type, have the
** same further results, at least those of `from`. */
static bool has_results(const ph_func *space, ph_op to, ph_op from,
                        ph_type first) {
  int n = ph_op_nresults(space, from);
  if (n > ph_op_nresults(space, to)) return false;
  if (n == PH_RESULTS_SAID)
    n = 2; /* all further ones have one type, or say it */
  for (int i = 1; i < n; i++) {
    ph_type type = ph_op_resulttype(space, to, first, i);
    if (type != PH_NOTYPE && type != ph_op_resulttype(space, from, first, i))
      return false;
  }
  return true;
}

/* What a rule replaces keeps its projections. */
static void check_results(ph_draft *d) {
  const ph_rulenode *from = ph_draft_node(d, d->rule.lhs);
  const ph_rulenode *to = ph_draft_node(d, d->rule.rhs);
  if (ph_op_nresults(d->space, from->op) < 2 ||
      (to->kind == PH_R_OP &&
       has_results(d->space, to->op, from->op, fixed_type(d, from))))
    return;
  ph_rule_lex_fail(&d->scan, to->at,
                   "'$.$' has several results: an op with the same ones "
                   "expected here",
                   ph_op_dialect(d->space, from->op),
                   ph_op_name(d->space, from->op));
}

/* }== Weights ======================================================== */

static void check_weights(ph_draft *d) {
  ph_weights w = ph_rule_weigh(d->space, d->arena, &d->rule, d->nodes.at,
                               d->vars.at, d->vars.n);
  if (d->rule.flags & PH_RULE_UNORIENTED) return;
  if (ph_draft_node(d, d->rule.rhs)->kind == PH_R_CALL) return;
  if (w.more != 0)
    ph_rule_lex_fail(&d->scan, d->arrow,
                     "this rule might be applied forever: its result has '$' "
                     "more often than its pattern; '@ unoriented' allows it",
                     d->vars.at[w.more].name);
  if (!w.lighter)
    ph_rule_lex_fail(&d->scan, d->arrow,
                     "this rule might be applied forever: its result weighs #, "
                     "its pattern #; '@ unoriented' allows it",
                     w.result, w.pattern);
}

/* Checks what the grammar does not; errors go to the draft. */
static void check_rule(ph_draft *d) {
  check_pattern_root(d);
  if (d->scan.failed) return;
  check_inner(d);
  check_helpers(d);
  check_roots(d);
  check_bound(d);
  check_told(d);
  check_casts(d);
  check_effects(d);
  check_results(d);
  if (!d->scan.failed) check_weights(d);
}

/* }== Attributes ===================================================== */

static void read_prio(ph_draft *d) {
  bool negative = ph_rule_lex_accept(&d->scan, '-');
  ph_lexeme t = d->scan.now;
  int64_t prio = 0;
  if (!ph_rule_lex_expect(&d->scan, PH_RULE_TOK_INTEGER, "a number")) return;
  if (ph_numfmt_kind(t.s) != PH_INTEGER || !ph_numfmt_int(t.s, &prio) ||
      prio > 1000000)
    ph_rule_lex_fail(&d->scan, t.at, "a prio is a number up to 1000000");
  d->rule.prio = (int32_t)(negative ? -prio : prio);
}

static void read_unsafe(ph_draft *d) {
  ph_lexeme t = d->scan.now;
  d->rule.flags |= PH_RULE_UNSAFE;
  if (!ph_rule_lex_expect(&d->scan, PH_RULE_TOK_STRING,
                          "a reason, in double quotes,"))
    return;
  d->rule.unsafe = (ph_str){t.s.at + 1, t.s.n - 2};
}

static void read_attribute(ph_draft *d) {
  static const struct {
    const char *name;
    uint8_t flag;
  } flags[] = {{"late", PH_RULE_LATE},
               {"always", PH_RULE_ALWAYS},
               {"unoriented", PH_RULE_UNORIENTED},
               {"tested", PH_RULE_SAMPLED}};
  bool prio = ph_rule_lex_is(&d->scan, "prio");
  bool unsafe = ph_rule_lex_is(&d->scan, "unsafe");
  uint8_t flag = 0;
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (ph_rule_lex_is(&d->scan, flags[i].name)) flag = flags[i].flag;
  d->rule.flags |= flag;
  if (!prio && !unsafe && flag == 0) {
    ph_rule_lex_unexpected(&d->scan,
                           "prio, late, always, unoriented, tested or unsafe");
    return;
  }
  ph_rule_lex_next(&d->scan);
  if (prio) read_prio(d);
  if (unsafe) read_unsafe(d);
}

/* }== Rules ========================================================== */

/* Reads NAME, a colon and a blank. */
static void read_name(ph_draft *d) {
  const ph_rule_lexer *s = &d->scan;
  ph_lexeme t = s->now;
  if (t.kind != PH_RULE_TOK_NAME || s->after.kind != ':' ||
      s->after.at != t.end)
    return;
  if (s->after.end < s->text.n && ph_ascii_isletter(s->text.at[s->after.end]))
    return;
  d->rule.name = t.s;
  ph_rule_lex_next(&d->scan);
  ph_rule_lex_next(&d->scan);
}

/* Refuses a rule's name without a colon, which reads as a pattern. */
static void check_colon(ph_draft *d) {
  const ph_rulenode *n = ph_draft_node(d, d->rule.lhs);
  if (d->rule.lhs == 0 || d->rule.name.n > 0 || n->at != d->start ||
      (n->kind != PH_R_VAR && n->kind != PH_R_CONST))
    return;
  if (d->scan.now.kind == PH_RULE_TOK_NAME || d->scan.now.kind == '(')
    ph_rule_lex_fail(
        &d->scan, d->scan.now.at,
        "'=>' expected, got '$'; the name of a rule is followed by "
        "a colon",
        d->scan.now.s);
}

static void read_parts(ph_draft *d) {
  d->rule.lhs = ph_rule_parse_pattern(d);
  check_colon(d);
  d->arrow = d->scan.now.at;
  ph_rule_lex_expect(&d->scan, PH_RULE_TOK_ARROW, "'=>'");
  if (!d->scan.failed) d->rule.rhs = ph_rule_parse_result(d);
  if (ph_rule_lex_is(&d->scan, "if")) {
    ph_rule_lex_next(&d->scan);
    d->rule.guard = ph_rule_parse_guard(d);
  }
  if (ph_rule_lex_accept(&d->scan, '@')) {
    do read_attribute(d);
    while (ph_rule_lex_accept(&d->scan, ','));
  }
}

/* Reads one form of the rule that starts at d->start. */
static void read_rule(ph_draft *d) {
  ph_draft_start(d);
  read_name(d);
  read_parts(d);
  if (d->scan.now.kind != PH_RULE_TOK_LINE &&
      d->scan.now.kind != PH_RULE_TOK_END) {
    static const char *const words[] = {"where", "when", "unless", "given"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      if (ph_rule_lex_is(&d->scan, words[i]))
        ph_rule_lex_fail(&d->scan, d->scan.now.at, "a guard starts with 'if'");
    ph_rule_lex_unexpected(&d->scan, "the end of the rule");
  }
  if (!d->scan.failed) check_rule(d);
}

enum { MOST_FORMS = 256 };

static void keep_rule(ph_draft *d, ph_rulelist *rules, uint32_t line,
                      uint32_t form) {
  const ph_str text = {d->scan.text.at + d->start, d->scan.before - d->start};
  const ph_rule *rule;
  bool alone = d->alternatives == 0 && d->chosen.n == 0 && form == 1;
  if (form > MOST_FORMS && d->chosen.n > 0)
    ph_rule_lex_fail(&d->scan, d->start, "this rule has more than # forms",
                     MOST_FORMS);
  d->rule.line = line;
  d->rule.alternative = alone ? 0 : form;
  d->rule.text = ph_rule_let_text(d, text);
  rule = ph_draft_finish(d);
  ph_rulelist_push(rules, d->arena, rule);
}

/* Reads the rule at d->start with each of its alternatives, and these with each
** form of what they name. */
static void read_forms(ph_draft *d, ph_rulelist *rules, uint32_t line) {
  uint32_t form = 0;
  d->alternatives = d->listed.n = d->brackets.n = 0;
  d->choice = 0;
  do {
    d->chosen.n = 0;
    do {
      ph_rule_lex_start(&d->scan, d->scan.text, d->start, d->scan.why);
      read_rule(d);
      if (!d->scan.failed) keep_rule(d, rules, line, ++form);
      if (d->scan.failed) return;
    } while (ph_rule_let_next(d));
  } while (++d->choice < d->alternatives);
}

static void read_rules(ph_draft *d, ph_rulelist *rules) {
  uint32_t line = 1, counted = 0;
  while (d->scan.now.kind != PH_RULE_TOK_END && !d->scan.failed) {
    if (ph_rule_lex_accept(&d->scan, PH_RULE_TOK_LINE)) continue;
    d->start = d->scan.now.at;
    for (; counted < d->start; counted++)
      line += d->scan.text.at[counted] == '\n';
    if (ph_rule_let_is(&d->scan))
      ph_rule_let_read(d);
    else
      read_forms(d, rules, line);
  }
}

/* }== Texts ========================================================== */

/* Returns the line of byte `at`, which is in column `col`. */
static ph_str line_at(ph_str text, uint32_t at, uint32_t col) {
  uint32_t start = at - (col - 1), end = start;
  while (end < text.n && text.at[end] != '\n') end++;
  return (ph_str){text.at + start, end - start};
}

/* Writes blanks for the first n bytes of a line, so that a caret is at its
** position: tabs stay tabs, a character of several bytes takes one. */
static void put_indent(ph_strbuf *b, ph_str line, uint32_t n) {
  for (uint32_t i = 0; i < n && i < line.n; i++) {
    if (line.at[i] == '\t')
      ph_strbuf_char(b, '\t');
    else if ((line.at[i] & 0xc0) != 0x80)
      ph_strbuf_char(b, ' ');
  }
}

static void write_message(ph_strbuf *why, ph_str source, ph_str text,
                          uint32_t at, const ph_strbuf *message) {
  uint32_t line, col;
  ph_str shown;
  ph_ascii_position(text, at, &line, &col);
  shown = line_at(text, at, col);
  ph_strbuf_add(why, source);
  ph_strbuf_char(why, ':');
  ph_strbuf_uint(why, line);
  ph_strbuf_char(why, ':');
  ph_strbuf_uint(why, col);
  ph_strbuf_puts(why, ": ");
  ph_strbuf_add(why, (ph_str){message->at, message->n});
  ph_strbuf_puts(why, "\n  ");
  for (size_t i = 0; i < shown.n; i++) {
    bool plain = shown.at[i] == '\t' || !ph_ascii_iscontrol(shown.at[i]);
    ph_strbuf_char(why, plain ? shown.at[i] : ' ');
  }
  ph_strbuf_puts(why, "\n  ");
  put_indent(why, shown, col - 1);
  ph_strbuf_char(why, '^');
}

/* The most bytes of a text, so that 32 bits can count them. */
#define MOST ((size_t)1 << 30)

enum { MOST_MISTAKES = 10 };

/* Returns the offset of the next line after `at`, or of the end of the text. */
static uint32_t next_line(ph_str text, uint32_t at) {
  while (at < text.n && text.at[at] != '\n') at++;
  return at < text.n ? at + 1 : at;
}

/* True if a rule seems to begin with the line at `at`: there is a name with a
** colon, or an arrow after something with as many brackets opened as closed. */
static bool begins_rule(ph_str text, uint32_t at) {
  uint32_t start, end, open = 0;
  while (at < text.n && (text.at[at] == ' ' || text.at[at] == '\t')) at++;
  start = at;
  end = ph_ascii_skipname(text, at);
  if (end > at && end + 1 < text.n && text.at[end] == ':' &&
      !ph_ascii_isletter(text.at[end + 1]))
    return true;
  for (; at + 1 < text.n && text.at[at] != '\n'; at++) {
    if (text.at[at] == '(' || text.at[at] == '[') open++;
    if (text.at[at] == ')' || text.at[at] == ']') open--;
    if (text.at[at] == '=' && text.at[at + 1] == '>')
      return open == 0 && at > start;
  }
  return false;
}

/* After a mistake, goes on with the next rule.  False: there is none, or what
** has failed is a `let`, which later rules may need. */
static bool start_again(ph_draft *d, ph_strbuf *message) {
  const ph_str let = {"let ", 4};
  ph_str text = d->scan.text;
  uint32_t at = d->scan.where > d->start ? d->scan.where : d->start;
  if (text.n > MOST) return false;
  if (text.n - d->start > let.n &&
      ph_ascii_same((ph_str){text.at + d->start, let.n}, let))
    return false;
  do at = next_line(text, at);
  while (at < text.n && !begins_rule(text, at));
  if (at >= text.n) return false;
  message->n = 0;
  d->use = NULL;
  ph_rule_lex_start(&d->scan, text, at, message);
  return true;
}

bool ph_ruleset_load(ph_ruleset *set, ph_str source, ph_str text,
                     const ph_callback_names *callees, ph_strbuf *why) {
  ph_func *space = &ph_ptr(set)->space;
  ph_arena_mark bottom = ph_scratch_enter(space);
  const ph_mem mem = ph_arena_mem(&space->scratch);
  ph_strbuf message = {&mem, NULL, 0, 0};
  ph_rulelist rules = {NULL, 0, 0};
  uint32_t mistakes = 0;
  ph_draft d;
  (void)ph_ptr(why);
  ph_must((callees == NULL || ph_contract_isblank(callees)) &&
          "reserved words that are zero");
  memset(&d, 0, sizeof d);
  d.space = space;
  d.arena = &space->scratch;
  d.callees = callees;
  ph_rule_lex_start(&d.scan, text, 0, &message);
  if (text.n > MOST) ph_rule_lex_fail(&d.scan, 0, "a text has at most 1 GiB");
  read_rules(&d, &rules);
  while (d.scan.failed) {
    if (mistakes++ > 0) ph_strbuf_char(why, '\n');
    write_message(why, source, text, d.scan.where, &message);
    if (mistakes == MOST_MISTAKES || !start_again(&d, &message)) break;
    read_rules(&d, &rules);
  }
  if (mistakes == 0) {
    for (uint32_t i = 0; i < rules.n; i++) {
      ph_rule rule = *rules.at[i];
      rule.source = source;
      ph_ruleset_append(set, &rule);
    }
  }
  ph_scratch_leave(space, bottom);
  return mistakes == 0;
}

/* }=================================================================== */
