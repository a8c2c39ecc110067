/* load.c: adds a text of rules to a set.
**
** A rule is read once for each of its alternatives; the first reading counts
** them.  Rules enter the set only after the whole text is read, so that a text
** with an error adds nothing.
*/
#include <string.h>

#include "phial/rules.h"
#include "core/base/ascii.h"
#include "core/rules/language/validate.h"
#include "core/rules/language/rule_parse.h"
#include "core/rules/set/ruleset.h"
#include "core/base/numfmt.h"
#include "core/ir/body.h"

/*
** {== Attributes =====================================================
*/

static void read_prio(ph_rule_draft *d) {
  bool negative = ph_rule_lex_accept(&d->scan, '-');
  ph_lexeme t = d->scan.now;
  int64_t prio = 0;
  if (!ph_rule_lex_expect(&d->scan, PH_RULE_TOK_INTEGER, "a number")) return;
  if (ph_numfmt_kind(t.s) != PH_INTEGER || !ph_numfmt_int(t.s, &prio) ||
      prio > 1000000)
    ph_rule_lex_fail(&d->scan, t.at, "a prio is a number up to 1000000");
  d->rule.prio = (int32_t)(negative ? -prio : prio);
}

static void read_unsafe(ph_rule_draft *d) {
  ph_lexeme t = d->scan.now;
  d->rule.flags |= PH_RULE_UNSAFE;
  if (!ph_rule_lex_expect(&d->scan, PH_RULE_TOK_STRING,
                          "a reason, in double quotes,"))
    return;
  d->rule.unsafe = (ph_str){t.s.at + 1, t.s.n - 2};
}

static void read_attribute(ph_rule_draft *d) {
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
static void read_name(ph_rule_draft *d) {
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
static void check_colon(ph_rule_draft *d) {
  const ph_rulenode *n = ph_rule_draft_node(d, d->rule.lhs);
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

static void read_parts(ph_rule_draft *d) {
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

/* Reads one alternative of the rule that starts at d->start. */
static void read_rule(ph_rule_draft *d) {
  ph_rule_draft_start(d);
  read_name(d);
  read_parts(d);
  if (d->scan.now.kind != PH_RULE_TOK_LINE &&
      d->scan.now.kind != PH_RULE_TOK_END)
    ph_rule_lex_unexpected(&d->scan, "the end of the rule");
  if (!d->scan.failed) ph_validate_rule(d);
}

static void keep_rule(ph_rule_draft *d, ph_rulelist *rules, uint32_t line) {
  const ph_rule *rule;
  d->rule.line = line;
  d->rule.alternative = d->alternatives == 0 ? 0 : d->choice + 1;
  d->rule.text =
      (ph_str){d->scan.text.at + d->start, d->scan.before - d->start};
  rule = ph_rule_draft_rule(d);
  ph_rulelist_push(rules, d->arena, rule);
}

static void read_rules(ph_rule_draft *d, ph_rulelist *rules) {
  uint32_t line = 1, counted = 0;
  while (d->scan.now.kind != PH_RULE_TOK_END && !d->scan.failed) {
    if (ph_rule_lex_accept(&d->scan, PH_RULE_TOK_LINE)) continue;
    d->start = d->scan.now.at;
    for (; counted < d->start; counted++)
      line += d->scan.text.at[counted] == '\n';
    d->alternatives = d->listed.n = d->brackets.n = 0;
    d->choice = 0;
    do {
      ph_rule_lex_start(&d->scan, d->scan.text, d->start, d->scan.why);
      read_rule(d);
      if (d->scan.failed) return;
      keep_rule(d, rules, line);
    } while (++d->choice < d->alternatives);
  }
}

/* }== Texts ========================================================== */

typedef struct {
  uint32_t line, col;
  ph_str text; /* of the line */
} position;

static position position_of(ph_str text, uint32_t at) {
  position p = {1, 1, {text.at, 0}};
  uint32_t start = 0, end;
  for (uint32_t i = 0; i < at; i++)
    if (text.at[i] == '\n') {
      p.line++;
      start = i + 1;
    }
  for (end = start; end < text.n && text.at[end] != '\n'; end++) continue;
  p.col = at - start + 1;
  p.text = (ph_str){text.at + start, end - start};
  return p;
}

/* Writes blanks for the first n bytes of a line, so that a caret is at its
** position: tabs stay tabs, a character of several bytes takes one. */
static void indent(ph_strbuf *b, ph_str line, uint32_t n) {
  for (uint32_t i = 0; i < n && i < line.n; i++) {
    if (line.at[i] == '\t')
      ph_strbuf_char(b, '\t');
    else if ((line.at[i] & 0xc0) != 0x80)
      ph_strbuf_char(b, ' ');
  }
}

static void put_line(ph_strbuf *b, ph_str line) {
  for (size_t i = 0; i < line.n; i++) {
    bool plain = line.at[i] == '\t' || !ph_ascii_iscontrol(line.at[i]);
    ph_strbuf_char(b, plain ? line.at[i] : ' ');
  }
}

static void tell(ph_strbuf *why, ph_str source, ph_str text, uint32_t at,
                 const ph_strbuf *message) {
  position p = position_of(text, at);
  ph_strbuf_add(why, source);
  ph_strbuf_char(why, ':');
  ph_strbuf_uint(why, p.line);
  ph_strbuf_char(why, ':');
  ph_strbuf_uint(why, p.col);
  ph_strbuf_puts(why, ": ");
  ph_strbuf_add(why, (ph_str){message->at, message->n});
  ph_strbuf_puts(why, "\n  ");
  put_line(why, p.text);
  ph_strbuf_puts(why, "\n  ");
  indent(why, p.text, p.col - 1);
  ph_strbuf_char(why, '^');
}

static void append(ph_ruleset *set, const ph_rulelist *rules, ph_str source) {
  for (uint32_t i = 0; i < rules->n; i++) {
    ph_rule rule = *rules->at[i];
    rule.source = source;
    ph_ruleset_append(set, &rule);
  }
}

/* The most bytes of a text, so that 32 bits can count them. */
#define MOST ((size_t)1 << 30)

bool ph_ruleset_load(ph_ruleset *set, ph_str source, ph_str text,
                     const ph_callback_names *callees, ph_strbuf *why) {
  ph_func *space = &set->space;
  ph_arena_mark bottom = ph_scratch_enter(space);
  const ph_mem mem = ph_arena_mem(&space->scratch);
  ph_strbuf message = {&mem, NULL, 0, 0};
  ph_rulelist rules = {NULL, 0, 0};
  ph_rule_draft d;
  memset(&d, 0, sizeof d);
  d.space = space;
  d.arena = &space->scratch;
  d.callees = callees;
  ph_rule_lex_start(&d.scan, text, 0, &message);
  if (text.n > MOST) ph_rule_lex_fail(&d.scan, 0, "a text has at most 1 GiB");
  read_rules(&d, &rules);
  if (d.scan.failed)
    tell(why, source, text, d.scan.where, &message);
  else
    append(set, &rules, source);
  ph_scratch_leave(space, bottom);
  return !d.scan.failed;
}

/* }=================================================================== */
