/* rule_parse.c: patterns, results and guards.
**
** All three have one grammar of expressions, with the operators and precedences
** of Lua; infix operators are those of integers.  They differ in what names
** mean and in where types come from (typeinfer.c).
**
** The parser is recursive; texts nest at most DEEPEST deep, as in Lua.
*/
#include "core/rules/language/rule_parse.h"

#include <string.h>

#include "core/rules/language/typeinfer.h"
#include "core/ir/op.h"
#include "core/rules/language/compound.h"
#include "core/rules/language/leaf.h"
#include "core/rules/set/functions.h"

enum { DEEPEST = 100 };

static uint32_t read_expression(ph_rule_draft *d, int limit);

/*
** {== Operations and functions ========================================
*/

/* Reads ( a, b, ... ) after the name of an op. */
static uint32_t read_operands(ph_rule_draft *d, uint16_t op, uint32_t at) {
  ph_kids k = {0, 0, 0, 0, 0, 0};
  k.node = ph_compound_make(d, op, at);
  ph_rule_lex_expect(&d->scan, '(', "'('");
  if (!ph_rule_lex_accept(&d->scan, ')')) {
    do {
      if (ph_compound_wantslabel(d, op, &k))
        ph_compound_addlabel(d, &k, ph_leaf_label(d));
      else
        ph_compound_addkid(d, &k, read_expression(d, 0));
    } while (ph_rule_lex_accept(&d->scan, ','));
    ph_rule_lex_expect(&d->scan, ')', "',' or ')'");
  }
  return ph_compound_end(d, &k);
}

static uint32_t read_argument(ph_rule_draft *d, uint16_t function) {
  if (ph_function_isof(function, PH_OF_TYPE)) return ph_leaf_type(d);
  if (ph_function_isof(function, PH_OF_VALUE)) return ph_leaf_value(d);
  return read_expression(d, 0);
}

/* Reads a function, whose arguments are as in a guard wherever it occurs. */
static uint32_t read_function(ph_rule_draft *d, uint16_t op, uint32_t at) {
  const ph_function *f = ph_function_row(op);
  uint32_t node = ph_compound_make(d, op, at), last = 0;
  ph_part part = d->part;
  bool asks = f->argument == PH_OF_VALUE || f->result == PH_GIVES_TRUTH;
  if (part != PH_IN_GUARD && asks)
    ph_rule_lex_fail(&d->scan, at, "'$' is a condition: it belongs after 'if'",
                     (ph_str){f->name, strlen(f->name)});
  d->part = PH_IN_GUARD;
  ph_rule_lex_expect(&d->scan, '(', "'('");
  for (int k = 0; k < f->count && !d->scan.failed; k++) {
    uint32_t kid;
    if (k > 0) ph_rule_lex_expect(&d->scan, ',', "','");
    kid = read_argument(d, op);
    ph_rule_draft_link(d, node, last, kid);
    last = kid;
  }
  ph_rule_lex_expect(&d->scan, ')', "')'");
  if (!d->scan.failed) ph_typeinfer_guard(d, node);
  d->part = part;
  return ph_compound_close(d, node);
}

static uint32_t read_host_argument(ph_rule_draft *d) {
  const ph_lexeme *t = &d->scan.now;
  bool is_value = t->kind == PH_RULE_TOK_NAME && !ph_leaf_isupper(t->s) &&
                  d->scan.after.kind != '(' && !ph_leaf_is(t->s, "true") &&
                  !ph_leaf_is(t->s, "false") && !ph_leaf_is(t->s, "nil");
  return is_value ? ph_leaf_value(d) : read_expression(d, 0);
}

/* Reads the arguments after the opening bracket. */
static void read_host_arguments(ph_rule_draft *d, uint32_t node) {
  uint32_t last = 0;
  if (ph_rule_lex_accept(&d->scan, ')')) return;
  do {
    uint32_t kid = read_host_argument(d);
    if (kid != 0) ph_rule_draft_link(d, node, last, kid);
    last = kid;
  } while (ph_rule_lex_accept(&d->scan, ','));
  ph_rule_lex_expect(&d->scan, ')', "',' or ')'");
}

/* Reads $name(args). */
static uint32_t read_call(ph_rule_draft *d) {
  uint32_t node = ph_rule_draft_make(d, PH_R_CALL, d->scan.now.at), number = 0;
  ph_part part = d->part;
  ph_lexeme t;
  if (part == PH_IN_PATTERN)
    ph_rule_lex_fail(&d->scan, d->scan.now.at,
                     "functions belong after '=>' or 'if'");
  ph_rule_lex_next(&d->scan);
  t = d->scan.now;
  ph_rule_lex_expect(&d->scan, PH_RULE_TOK_NAME, "the name of a function");
  if (d->scan.failed) return 0;
  if (d->callees == NULL || d->callees->find == NULL ||
      !d->callees->find(d->callees->ud, t.s, &number))
    ph_rule_lex_fail(&d->scan, t.at,
                     "no function '$' was given with these rules", t.s);
  ph_rule_draft_node(d, node)->var = number;
  d->part = PH_IN_GUARD;
  if (ph_rule_lex_expect(&d->scan, '(', "'('")) read_host_arguments(d, node);
  d->part = part;
  return d->scan.failed ? 0 : node;
}

/* }== Expressions ==================================================== */

static uint32_t read_bracketed(ph_rule_draft *d) {
  uint32_t node;
  ph_rule_lex_expect(&d->scan, '(', "'('");
  node = read_expression(d, 0);
  ph_rule_lex_expect(&d->scan, ')', "')'");
  return node;
}

static uint32_t read_once(ph_rule_draft *d, uint32_t at) {
  uint32_t node;
  if (d->part != PH_IN_PATTERN)
    ph_rule_lex_fail(&d->scan, at, "once() belongs in a pattern");
  node = read_bracketed(d);
  if (node == 0) return 0;
  if (ph_rule_draft_node(d, node)->kind != PH_R_OP)
    ph_rule_lex_fail(&d->scan, at, "once() asks about an operation");
  ph_rule_draft_node(d, node)->once = true;
  return node;
}

/* Functions that other languages name otherwise; their ops: ph_op_alias. */
static const char *function_here(ph_str name) {
  static const struct {
    const char *name, *here;
  } foreign[] = {
      {"cttz", "ctz"},        {"ctlz", "clz"},    {"ctpop", "popcnt"},
      {"popcount", "popcnt"}, {"ispow2", "pow2"}, {"mulhu", "umulh"},
      {"mulhs", "smulh"},     {"ilog2", "log2"},
  };
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    if (ph_leaf_is(name, foreign[i].name)) return foreign[i].here;
  return NULL;
}

static void refuse_op(ph_rule_draft *d, const ph_lexeme *t) {
  const char *function = function_here(t->s);
  ph_op here[2];
  if (function != NULL)
    ph_rule_lex_fail(&d->scan, t->at, "there is no op '$': did you mean '$'?",
                     t->s, (ph_str){function, strlen(function)});
  else if (!ph_op_alias(t->s, here))
    ph_rule_lex_fail(&d->scan, t->at, "there is no op '$'", t->s);
  else if (here[1] == PH_NONE)
    ph_rule_lex_fail(&d->scan, t->at, "there is no op '$': did you mean '$'?",
                     t->s, ph_op_name(d->space, here[0]));
  else
    ph_rule_lex_fail(
        &d->scan, t->at, "there is no op '$': did you mean '$' or '$'?", t->s,
        ph_op_name(d->space, here[0]), ph_op_name(d->space, here[1]));
}

/* Reads what follows a name and starts with (. */
static uint32_t read_named_op(ph_rule_draft *d, const ph_lexeme *t) {
  ph_op op;
  uint16_t function = ph_function_find(t->s);
  if (ph_leaf_is(t->s, "once")) return read_once(d, t->at);
  if (function != 0) return read_function(d, function, t->at);
  if (!ph_op_find(d->space, t->s, &op)) {
    refuse_op(d, t);
  } else if (op == PH_PHI || ph_compound_isallowed(op)) {
    if (d->part == PH_IN_GUARD && !ph_op_computes(op))
      ph_rule_lex_fail(&d->scan, t->at, "'$' cannot be computed here", t->s);
    return read_operands(d, op, t->at);
  } else {
    ph_rule_lex_fail(&d->scan, t->at, "rules cannot have '$'", t->s);
  }
  return 0;
}

/* Scans [a|b|...] and notes its alternatives. */
static void scan_alternatives(ph_rule_draft *d) {
  uint32_t at = d->scan.now.at, n = 0;
  uint32_t first = d->listed.n;
  ph_bracket bracket;
  ph_rule_lex_next(&d->scan);
  do {
    ph_alternative a;
    a.negative = ph_rule_lex_accept(&d->scan, '-');
    a.token = d->scan.now;
    ph_alternatives_push(&d->listed, d->arena, a);
    n++;
    if (d->scan.now.kind != PH_RULE_TOK_NAME &&
        d->scan.now.kind != PH_RULE_TOK_INTEGER &&
        d->scan.now.kind != PH_RULE_TOK_FLOAT)
      ph_rule_lex_unexpected(&d->scan, "a name or a number");
    ph_rule_lex_next(&d->scan);
  } while (ph_rule_lex_accept(&d->scan, '|'));
  ph_rule_lex_expect(&d->scan, ']', "'|' or ']'");
  if (d->alternatives == 0) d->alternatives = n;
  if (n != d->alternatives)
    ph_rule_lex_fail(&d->scan, at,
                     "# alternatives here, # elsewhere in this rule", n,
                     d->alternatives);
  bracket = (ph_bracket){at, first, d->scan};
  ph_brackets_push(&d->brackets, d->arena, bracket);
}

/* Reads [a|b|...] and returns the chosen alternative. */
static ph_alternative take_alternative(ph_rule_draft *d) {
  uint32_t i = 0;
  while (i < d->brackets.n && d->brackets.at[i].at != d->scan.now.at) i++;
  if (i == d->brackets.n)
    scan_alternatives(d);
  else
    d->scan = d->brackets.at[i].after;
  if (d->scan.failed) return (ph_alternative){d->scan.now, false};
  return d->listed.at[d->brackets.at[i].first + d->choice];
}

static uint32_t read_name(ph_rule_draft *d) {
  ph_lexeme t = d->scan.now;
  ph_rule_lex_next(&d->scan);
  return d->scan.now.kind == '(' ? read_named_op(d, &t) : ph_leaf_name(d, &t);
}

static uint32_t read_number(ph_rule_draft *d) {
  ph_lexeme t = d->scan.now;
  ph_rule_lex_next(&d->scan);
  return ph_leaf_read(d, &t, false);
}

static uint32_t read_alternative(ph_rule_draft *d) {
  ph_alternative a = take_alternative(d);
  if (d->scan.failed) return 0;
  return d->scan.now.kind == '(' ? read_named_op(d, &a.token)
                                 : ph_leaf_read(d, &a.token, a.negative);
}

static uint32_t read_primary(ph_rule_draft *d) {
  switch (d->scan.now.kind) {
    case PH_RULE_TOK_NAME:
      return read_name(d);
    case PH_RULE_TOK_INTEGER:
    case PH_RULE_TOK_FLOAT:
      return read_number(d);
    case '[':
      return read_alternative(d);
    case '(':
      return read_bracketed(d);
    case '$':
      return read_call(d);
    default:
      ph_rule_lex_unexpected(&d->scan, "an operand");
      return 0;
  }
}

enum { UNARY = 12 };

static uint32_t read_unary_op(ph_rule_draft *d, uint16_t op) {
  uint32_t node = ph_compound_make(d, op, d->scan.now.at), kid;
  ph_rule_lex_next(&d->scan);
  kid = read_expression(d, UNARY);
  if (kid == 0) return 0;
  ph_rule_draft_link(d, node, 0, kid);
  return ph_compound_close(d, node);
}

static uint32_t read_only(ph_rule_draft *d) {
  uint32_t node = ph_rule_draft_make(d, PH_R_ONLY, d->scan.now.at), kid;
  if (d->part != PH_IN_RESULT)
    ph_rule_lex_fail(&d->scan, d->scan.now.at,
                     d->part == PH_IN_GUARD
                         ? "'!' belongs in a result: of conditions it is 'not'"
                         : "'!' belongs in a result");
  ph_rule_lex_next(&d->scan);
  kid = read_expression(d, UNARY);
  if (kid == 0) return 0;
  ph_rule_draft_link(d, node, 0, kid);
  ph_rule_draft_node(d, node)->type = ph_rule_draft_node(d, kid)->type;
  return node;
}

static void check_condition(ph_rule_draft *d, uint32_t node) {
  if (node == 0 || ph_compound_iscondition(d, node)) return;
  ph_rule_lex_fail(&d->scan, ph_rule_draft_node(d, node)->at,
                   "a condition expected here, a comparison for instance");
}

static void check_guard(ph_rule_draft *d, const char *what, uint32_t at) {
  if (d->part == PH_IN_GUARD) return;
  ph_rule_lex_fail(&d->scan, at, "'$' belongs after 'if': on bits it is '$'",
                   (ph_str){what, strlen(what)},
                   (ph_str){what[0] == 'a'   ? "&"
                            : what[0] == 'o' ? "|"
                                             : "~",
                            1});
}

static uint32_t read_not(ph_rule_draft *d) {
  uint32_t node = ph_compound_make(d, PH_F_NOT, d->scan.now.at), kid;
  check_guard(d, "not", d->scan.now.at);
  ph_rule_lex_next(&d->scan);
  kid = read_expression(d, UNARY);
  check_condition(d, kid);
  if (d->scan.failed) return 0;
  ph_rule_draft_link(d, node, 0, kid);
  return ph_compound_close(d, node);
}

static uint32_t read_unary(ph_rule_draft *d) {
  ph_lexeme number;
  if (ph_rule_lex_is(&d->scan, "not")) return read_not(d);
  switch (d->scan.now.kind) {
    case '-':
      number = d->scan.after;
      if (number.kind != PH_RULE_TOK_INTEGER &&
          number.kind != PH_RULE_TOK_FLOAT)
        return read_unary_op(d, PH_NEG);
      ph_rule_lex_next(&d->scan);
      ph_rule_lex_next(&d->scan);
      return ph_leaf_read(d, &number, true);
    case '~':
      return read_unary_op(d, PH_BNOT);
    case '!':
      return read_only(d);
    default:
      return read_primary(d);
  }
}

static const struct {
  const char *sign;
  int precedence;
  ph_op op;
} infix[] = {
#define PH_INFIX(sign, precedence, event, on_ints, on_floats, hint) \
  {sign, precedence, PH_##on_ints},
#define PH_RELATION(sign, precedence, op) {sign, precedence, PH_##op},
#include "phial/infix.def"
};

static int precedence_of(const ph_rule_lexer *s, uint16_t *op) {
  if (s->now.kind == PH_RULE_TOK_NAME) {
    bool both = ph_rule_lex_is(s, "and");
    *op = both ? PH_F_AND : PH_F_OR;
    return both ? 2 : ph_rule_lex_is(s, "or");
  }
  for (size_t i = 0; i < sizeof infix / sizeof *infix; i++)
    if (infix[i].sign[0] == s->now.s.at[0] &&
        ph_leaf_is(s->now.s, infix[i].sign)) {
      *op = infix[i].op;
      return infix[i].precedence;
    }
  return 0;
}

static uint32_t read_binary(ph_rule_draft *d, uint32_t left, uint16_t op,
                            int precedence) {
  uint32_t node = ph_compound_make(d, op, d->scan.now.at), right;
  bool logical = op >= PH_F_AND;
  if (logical) check_guard(d, op == PH_F_AND ? "and" : "or", d->scan.now.at);
  ph_rule_lex_next(&d->scan);
  right = read_expression(d, precedence);
  if (logical) check_condition(d, left);
  if (logical) check_condition(d, right);
  if (d->scan.failed) return 0;
  ph_rule_draft_link(d, node, 0, left);
  ph_rule_draft_link(d, node, left, right);
  return ph_compound_close(d, node);
}

/* Reads operators that bind tighter than `limit`. */
static uint32_t read_expression(ph_rule_draft *d, int limit) {
  uint32_t node;
  uint16_t op = 0;
  int precedence;
  if (++d->depth > DEEPEST)
    ph_rule_lex_fail(&d->scan, d->scan.now.at, "this is nested too deeply");
  if (d->scan.failed) return 0;
  node = read_unary(d);
  ph_leaf_annotate(d, node);
  while (node != 0 && !d->scan.failed &&
         (precedence = precedence_of(&d->scan, &op)) > limit) {
    node = read_binary(d, node, op, precedence);
  }
  d->depth--;
  return d->scan.failed ? 0 : node;
}

uint32_t ph_rule_parse_pattern(ph_rule_draft *d) {
  d->part = PH_IN_PATTERN;
  return read_expression(d, 0);
}

uint32_t ph_rule_parse_result(ph_rule_draft *d) {
  d->part = PH_IN_RESULT;
  return read_expression(d, 0);
}

uint32_t ph_rule_parse_guard(ph_rule_draft *d) {
  uint32_t node;
  d->part = PH_IN_GUARD;
  node = read_expression(d, 0);
  check_condition(d, node);
  return node;
}

/* }=================================================================== */
