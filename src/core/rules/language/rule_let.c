/* rule_let.c: let NAME(PARAMETERS) = FORM | FORM ...: patterns with names.
**
** A use is expanded while a rule is read (rule_parse.c): each form makes a rule of
** its own, so that neither matching nor checking knows of `let`.  Each form is
** read here, too, with values as parameters, so that mistakes in it are found
** where it is defined.
*/
#include "core/rules/language/rule_let.h"

#include "core/ir/op.h"
#include "core/rules/language/rule_leaf.h"
#include "core/rules/language/rule_parse.h"
#include "core/rules/set/constexpr.h"

/* True if the text is at a definition; no rule starts with two names. */
bool ph_rule_let_is(const ph_rule_lexer *s) {
  return ph_rule_lex_is(s, "let") && s->after.kind == PH_RULE_TOK_NAME;
}

static void read_params(ph_draft *d, ph_let *let) {
  ph_rule_lex_expect(&d->scan, '(', "'('");
  do {
    ph_lexeme t = d->scan.now;
    if (!ph_rule_lex_expect(&d->scan, PH_RULE_TOK_NAME, "a parameter")) return;
    if (ph_let_param(let, t.s) < let->params.n || ph_ascii_equal(t.s, "_"))
      ph_rule_lex_fail(&d->scan, t.at, "a parameter needs a name of its own");
    ph_strs_push(&let->params, d->arena, t.s);
  } while (ph_rule_lex_accept(&d->scan, ','));
  ph_rule_lex_expect(&d->scan, ')', "',' or ')'");
}

/* True if a node names the variable. */
static bool occurs(const ph_draft *d, uint32_t var) {
  for (uint32_t i = 1; i < d->nodes.n; i++) {
    const ph_rulenode *n = ph_draft_node(d, i);
    if ((n->kind == PH_R_VAR || n->kind == PH_R_CONST) && n->var == var)
      return true;
  }
  return false;
}

static void read_form(ph_draft *d, ph_let *let) {
  uint32_t at = d->scan.now.at;
  ph_lexers_push(&let->forms, d->arena, d->scan);
  d->chosen.n = 0;
  ph_draft_start(d);
  for (uint32_t k = 0; k < let->params.n; k++)
    ph_rule_leaf_declare(d, let->params.at[k]);
  ph_rule_parse_form(d);
  for (uint32_t k = 0; k < let->params.n; k++)
    if (!occurs(d, k + 1))
      ph_rule_lex_fail(&d->scan, at, "this form does not use '$'",
                       let->params.at[k]);
}

enum { MOST_LETS = 1000 }; /* since they are searched one by one */

/* Adds a definition, unless it repeats the one that the name has: the texts of
** rules have those that they use. */
static void keep_let(ph_draft *d, const ph_let *let, uint32_t at) {
  const ph_let *known = ph_draft_let(d, let->name);
  if (known != NULL && ph_ascii_same(known->text, let->text)) return;
  if (d->lets.n == MOST_LETS)
    ph_rule_lex_fail(&d->scan, at, "a text has at most # definitions",
                     MOST_LETS);
  ph_lets_push(&d->lets, d->arena, *let);
}

void ph_rule_let_read(ph_draft *d) {
  ph_let let = {{"", 0}, {"", 0}, {NULL, 0, 0}, {NULL, 0, 0}, false};
  uint32_t at = d->scan.now.at;
  ph_lexeme t;
  d->start = at;
  ph_rule_lex_next(&d->scan);
  t = d->scan.now;
  ph_rule_lex_next(&d->scan);
  ph_op op;
  if (ph_op_find(d->space, t.s, &op) || ph_function_find(t.s) != 0 ||
      ph_ascii_equal(t.s, "once"))
    ph_rule_lex_fail(&d->scan, t.at, "'$' has a meaning already", t.s);
  let.name = t.s;
  read_params(d, &let);
  ph_rule_lex_expect(&d->scan, '=', "'='");
  if (d->scan.failed) return;
  do read_form(d, &let);
  while (ph_rule_lex_accept(&d->scan, '|'));
  if (d->scan.now.kind != PH_RULE_TOK_LINE &&
      d->scan.now.kind != PH_RULE_TOK_END)
    ph_rule_lex_unexpected(&d->scan, "'|' or the end of the line");
  let.text = (ph_str){d->scan.text.at + at, d->scan.before - at};
  if (!d->scan.failed) keep_let(d, &let, t.at);
}

ph_str ph_rule_let_text(ph_draft *d, ph_str rule) {
  const ph_mem mem = ph_arena_mem(d->arena);
  ph_strbuf b = {&mem, NULL, 0, 0};
  for (uint32_t i = 0; i < d->lets.n; i++) {
    if (!d->lets.at[i].used) continue;
    ph_strbuf_add(&b, d->lets.at[i].text);
    ph_strbuf_char(&b, '\n');
  }
  if (b.n == 0) return rule;
  ph_strbuf_add(&b, rule);
  return (ph_str){b.at, b.n};
}

bool ph_rule_let_next(ph_draft *d) {
  ph_choices *all = &d->chosen;
  while (all->n > 0 && all->at[all->n - 1].now + 1 == all->at[all->n - 1].n)
    all->n--;
  if (all->n > 0) all->at[all->n - 1].now++;
  return all->n > 0;
}
