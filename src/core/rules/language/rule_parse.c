/* rule_parse.c: patterns, results and guards.
**
** All three have one grammar of expressions, with the operators and precedences
** of Lua; infix operators are those of integers, in guards also of floats.  They differ in what names
** mean (a pattern introduces names, a result and a guard use those of the
** pattern, and a guard cannot use values) and in where types come from: in
** guards literals have none until something needs one (draft.c).
**
** The parser is recursive; texts nest at most DEEPEST deep, as in Lua.
*/
#include "core/rules/language/rule_parse.h"

#include <string.h>

#include "core/base/strbuf.h"
#include "core/ir/op.h"
#include "core/rules/language/rule_leaf.h"
#include "core/rules/set/constexpr.h"

enum { DEEPEST = 100 };
enum { UNARY = 12 }; /* the precedence of prefixes */

static uint32_t read_expression(ph_draft *d, int limit);

/*
** {== Operations and functions =======================================
*/

static uint32_t read_call(ph_draft *d);
static ph_alternative take_alternative(ph_draft *d);

/* Reads { data }, if they follow the name of an op. */
static uint32_t read_data(ph_draft *d, uint16_t op) {
  uint32_t at = d->scan.now.at, node;
  ph_alternative a = {.negative = false};
  if (!ph_rule_lex_accept(&d->scan, '{')) return 0;
  if (op < PH_OPS || ph_op_has(d->space, op, PH_TERMINATOR))
    ph_rule_lex_fail(&d->scan, at,
                     "'$' has no data here: only ops of dialects have, but for "
                     "terminators",
                     ph_op_name(d->space, op));
  if (d->scan.now.kind == '$') {
    node = read_call(d);
  } else {
    if (d->scan.now.kind == '[') {
      a = take_alternative(d);
    } else {
      a.negative = ph_rule_lex_accept(&d->scan, '-');
      a.token = d->scan.now;
      ph_rule_lex_next(&d->scan);
    }
    node = d->scan.failed ? 0 : ph_rule_leaf_data(d, &a.token, a.negative);
  }
  ph_rule_lex_expect(&d->scan, '}', "'}'");
  return node;
}

/* Reads { data } ( a, b, ... ) after the name of an op. */
static uint32_t read_operands(ph_draft *d, uint16_t op, uint32_t at) {
  ph_operation o = {.node = ph_draft_makeop(d, op, at)};
  uint32_t data = read_data(d, op);
  bool in_form = d->in_form;
  ph_draft_node(d, o.node)->bits = data;
  d->in_form = false;
  ph_rule_lex_expect(&d->scan, '(', "'('");
  if (!ph_rule_lex_accept(&d->scan, ')')) {
    do {
      if (ph_draft_wantslabel(d, op, &o))
        ph_ids_push(&o.labels, d->arena, ph_rule_leaf_label(d));
      else
        ph_draft_addkid(d, &o, read_expression(d, 0));
    } while (ph_rule_lex_accept(&d->scan, ','));
    ph_rule_lex_expect(&d->scan, ')', "',' or ')'");
  }
  d->in_form = in_form;
  return ph_draft_endop(d, &o);
}

/* Reads an argument that is not a value. */
static uint32_t read_plain(ph_draft *d) {
  uint32_t node = read_expression(d, 0);
  if (node != 0 && ph_draft_node(d, node)->kind == PH_R_DATA)
    ph_rule_lex_fail(&d->scan, ph_draft_node(d, node)->at,
                     "data can be an argument of $f only", (ph_str){"$", 1});
  return node;
}

static uint32_t read_argument(ph_draft *d, uint16_t function) {
  if (ph_function_isof(function, PH_OF_TYPE)) return ph_rule_leaf_type(d);
  if (ph_function_asks(function)) return ph_rule_leaf_value(d);
  return read_plain(d);
}

/* Reads a function, whose arguments are as in a guard wherever it occurs. */
static uint32_t read_function(ph_draft *d, uint16_t op, uint32_t at) {
  const ph_function *f = ph_function_row(op);
  uint32_t node = ph_draft_makeop(d, op, at), last = 0;
  ph_part part = d->part;
  bool asks = ph_function_asks(op) || f->result == PH_GIVES_TRUTH;
  if (part != PH_IN_GUARD && asks)
    ph_rule_lex_fail(&d->scan, at, "'$' is a condition: it belongs after 'if'",
                     ph_ascii_str(f->name));
  d->part = PH_IN_GUARD;
  ph_rule_lex_expect(&d->scan, '(', "'('");
  for (int k = 0; k < f->count && !d->scan.failed; k++) {
    uint32_t kid;
    if (k > 0) ph_rule_lex_expect(&d->scan, ',', "','");
    kid = read_argument(d, op);
    ph_draft_link(d, node, last, kid);
    last = kid;
  }
  ph_rule_lex_expect(&d->scan, ')', "')'");
  if (!d->scan.failed) ph_draft_inferguard(d, node);
  d->part = part;
  return ph_draft_close(d, node);
}

/* True if the token names a value. */
static bool is_value(const ph_rule_lexer *s) {
  const ph_lexeme *t = &s->now;
  return t->kind == PH_RULE_TOK_NAME && !ph_rule_leaf_isupper(t->s) &&
         s->after.kind != '(' && !ph_ascii_equal(t->s, "true") &&
         !ph_ascii_equal(t->s, "false") && !ph_ascii_equal(t->s, "nil");
}

/* True if a value is named in the brackets that come next, except where only
** its type counts. */
static bool has_values(const ph_draft *d) {
  ph_rule_lexer s = d->scan;
  size_t said = s.why->n;
  uint32_t open = 0;
  bool found = false, is_type = false, takes_type = false;
  do {
    int kind = s.now.kind;
    open += kind == '(';
    open -= kind == ')';
    found = is_value(&s) && !is_type;
    is_type = kind == ':' || (kind == '(' && takes_type);
    takes_type = kind == PH_RULE_TOK_NAME &&
                 ph_function_isof(ph_function_find(s.now.s), PH_OF_TYPE);
    ph_rule_lex_next(&s);
  } while (!found && open > 0 && !s.failed && s.now.kind != PH_RULE_TOK_END);
  s.why->n = said;
  return found;
}

/* Reads the arguments after the opening bracket. */
static void read_host_arguments(ph_draft *d, uint32_t node) {
  uint32_t last = 0;
  if (ph_rule_lex_accept(&d->scan, ')')) return;
  do {
    uint32_t kid =
        is_value(&d->scan) ? ph_rule_leaf_value(d) : read_expression(d, 0);
    if (kid != 0) ph_draft_link(d, node, last, kid);
    last = kid;
  } while (ph_rule_lex_accept(&d->scan, ','));
  ph_rule_lex_expect(&d->scan, ')', "',' or ')'");
}

/* Reads $name(args), as a helper until it turns out to be a condition, or a
** whole result. */
static uint32_t read_call(ph_draft *d) {
  uint32_t node = ph_draft_make(d, PH_R_HELPER, d->scan.now.at), number = 0;
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
  ph_draft_node(d, node)->var = number;
  d->part = PH_IN_GUARD;
  if (ph_rule_lex_expect(&d->scan, '(', "'('")) read_host_arguments(d, node);
  d->part = part;
  return d->scan.failed ? 0 : node;
}

/* }== Expressions ==================================================== */

/* Refuses (add x y), given what was read of it. */
static void refuse_lisp(ph_draft *d, uint32_t node) {
  int kind = d->scan.now.kind;
  if (node == 0 || ph_draft_node(d, node)->kind == PH_R_OP) return;
  if (kind == PH_RULE_TOK_NAME || kind == '(' || kind == PH_RULE_TOK_INTEGER)
    ph_rule_lex_fail(&d->scan, d->scan.now.at,
                     "')' expected, got '$'; an op precedes the bracket and "
                     "commas separate its operands: add(x, y)",
                     d->scan.now.s);
}

static uint32_t read_bracketed(ph_draft *d) {
  bool in_form = d->in_form;
  uint32_t node;
  ph_rule_lex_expect(&d->scan, '(', "'('");
  d->in_form = false;
  node = read_expression(d, 0);
  d->in_form = in_form;
  refuse_lisp(d, node);
  ph_rule_lex_expect(&d->scan, ')', "')'");
  return node;
}

static uint32_t read_once(ph_draft *d, uint32_t at) {
  uint32_t node;
  if (d->part != PH_IN_PATTERN)
    ph_rule_lex_fail(&d->scan, at, "once() belongs in a pattern");
  node = read_bracketed(d);
  if (node == 0) return 0;
  if (ph_draft_node(d, node)->kind != PH_R_OP)
    ph_rule_lex_fail(&d->scan, at, "once() asks about an operation");
  ph_draft_node(d, node)->once = true;
  return node;
}

/* Functions that other languages name otherwise; their ops: ph_op_alias. */
static const char *function_here(ph_str name) {
  static const struct {
    const char *name, *here;
  } foreign[] = {
      {"ispow2", "pow2"},       {"is_pow2", "pow2"},
      {"isPowerOfTwo", "pow2"}, {"ilog2", "log2"},
      {"is_const", "isconst"},  {"is_phi", "isphi"},
      {"bitwidth", "width"},    {"bits", "width"},
      {"hasOneUse", "once"},    {"trailing_zeros", "ctz"},
      {"leading_zeros", "clz"}, {"count_ones", "popcnt"},
  };
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    if (ph_ascii_equal(name, foreign[i].name)) return foreign[i].here;
  return NULL;
}

/* Returns an op of a dialect with that name, or PH_NONE. */
static ph_op op_of_dialect(const ph_func *space, ph_str name) {
  for (uint32_t i = 0; i < space->dialects.n; i++) {
    const ph_attached *a = &space->dialects.at[i];
    for (uint32_t k = 0; k < a->dialect->nops; k++)
      if (ph_ascii_equal(name, a->dialect->ops[k].name))
        return (ph_op)(a->op + k);
  }
  return PH_NONE;
}

static void refuse_op(ph_draft *d, const ph_lexeme *t) {
  const char *function = function_here(t->s);
  ph_op here[2], own = op_of_dialect(d->space, t->s);
  if (own != PH_NONE)
    ph_rule_lex_fail(&d->scan, t->at, "there is no op '$': did you mean '$.$'?",
                     t->s, ph_op_dialect(d->space, own), t->s);
  else if (function != NULL)
    ph_rule_lex_fail(&d->scan, t->at, "there is no op '$': did you mean '$'?",
                     t->s, ph_ascii_str(function));
  else if (!ph_op_alias(t->s, here))
    ph_rule_lex_fail(&d->scan, t->at,
                     memchr(t->s.at, '.', t->s.n) != NULL
                         ? "there is no op '$': is its dialect attached?"
                         : "there is no op '$'",
                     t->s);
  else if (here[1] == PH_NONE)
    ph_rule_lex_fail(&d->scan, t->at, "there is no op '$': did you mean '$'?",
                     t->s, ph_op_name(d->space, here[0]));
  else
    ph_rule_lex_fail(
        &d->scan, t->at, "there is no op '$': did you mean '$' or '$'?", t->s,
        ph_op_name(d->space, here[0]), ph_op_name(d->space, here[1]));
}

/* True if a rule can have the op. */
static bool is_allowed(ph_op op) {
  return op >= PH_OPS || ph_op_rows[op].weight > 0;
}

/* }== Named patterns ================================================= */

/* A use of `let` is read as the rule would be with a form of it in its place:
** the lexer goes to the form, and from a parameter to its operand. */

/* Skips an operand. */
static void skip_argument(ph_draft *d) {
  uint32_t open = 0;
  for (; d->scan.now.kind != PH_RULE_TOK_END; ph_rule_lex_next(&d->scan)) {
    int kind = d->scan.now.kind;
    if (open == 0 && (kind == ',' || kind == ')')) return;
    open += kind == '(' || kind == '[';
    open -= kind == ')' || kind == ']';
  }
}

/* Notes where the operands are, and skips them. */
static void find_arguments(ph_draft *d, ph_let_use *use, uint32_t at) {
  uint32_t n = use->let->params.n, k = 0;
  ph_rule_lex_expect(&d->scan, '(', "'('");
  do {
    if (k < n) use->args[k] = d->scan;
    k++;
    skip_argument(d);
  } while (ph_rule_lex_accept(&d->scan, ','));
  if (k != n)
    ph_rule_lex_fail(&d->scan, at, "'$' has # parameter$, not #",
                     use->let->name, n, (ph_str){"s", n != 1}, k);
  ph_rule_lex_expect(&d->scan, ')', "')'");
}

/* Returns the number of a form out of n; the others have their turn when the
** rule is read again. */
static uint32_t choose_form(ph_draft *d, uint32_t n) {
  const ph_choice first = {0, n};
  if (n == 1) return 0;
  if (d->choices == d->chosen.n) ph_choices_push(&d->chosen, d->arena, first);
  return d->chosen.at[d->choices++].now;
}

/* Reads the expression at another place, as it is read within `use`. */
static uint32_t read_elsewhere(ph_draft *d, const ph_rule_lexer *place,
                               ph_let_use *use, bool in_form) {
  ph_rule_lexer here = d->scan;
  ph_let_use *outer = d->use;
  bool was_in_form = d->in_form;
  uint32_t node;
  if (d->scan.failed) return 0;
  d->scan = *place;
  d->use = use;
  d->in_form = in_form;
  node = read_expression(d, 0);
  if (!in_form && d->scan.now.kind != ',' && d->scan.now.kind != ')')
    ph_rule_lex_unexpected(&d->scan, "',' or ')'");
  d->use = outer;
  d->in_form = was_in_form;
  if (d->scan.failed) return 0;
  d->scan = here;
  return node;
}

static uint32_t read_use(ph_draft *d, ph_let *let, uint32_t at) {
  ph_let_use use = {let, d->use, NULL, NULL};
  use.args = ph_arena_zero(d->arena, let->params.n * sizeof *use.args);
  use.nodes = ph_arena_zero(d->arena, let->params.n * sizeof *use.nodes);
  let->used = true;
  if (d->part != PH_IN_PATTERN)
    ph_rule_lex_fail(&d->scan, at, "'$' is for patterns", let->name);
  find_arguments(d, &use, at);
  return read_elsewhere(d, &let->forms.at[choose_form(d, let->forms.n)], &use,
                        true);
}

/* Reads the operand of parameter k.  An instruction is read once, so that it is
** one where the parameter is repeated. */
static uint32_t read_param(ph_draft *d, uint32_t k) {
  ph_let_use *use = d->use;
  uint32_t known = use->nodes[k];
  if (known == 0 || ph_draft_node(d, known)->kind != PH_R_OP)
    return use->nodes[k] = read_elsewhere(d, &use->args[k], use->outer, false);
  if (ph_draft_node(d, known)->var != 0) return ph_rule_leaf_again(d, known);
  ph_rule_lex_fail(&d->scan, ph_draft_node(d, known)->at,
                   "'$' uses '$' more than once: give it a name, z @ ...",
                   use->let->name, use->let->params.at[k]);
  return 0;
}

/* }== Expressions ==================================================== */

/* Reads what follows a name and starts with (.  A name that both a function and
** an op have is that of the op where it is applied to values. */
static uint32_t read_named_op(ph_draft *d, const ph_lexeme *t) {
  ph_op op;
  ph_let *let = ph_draft_let(d, t->s);
  uint16_t function = ph_function_find(t->s);
  bool known = ph_op_find(d->space, t->s, &op);
  if (let != NULL) return read_use(d, let, t->at);
  if (ph_ascii_equal(t->s, "once")) return read_once(d, t->at);
  if (function != 0 && (!known || d->part == PH_IN_GUARD || !has_values(d)))
    return read_function(d, function, t->at);
  if (!known)
    refuse_op(d, t);
  else if (op == PH_PHI)
    ph_rule_lex_fail(&d->scan, t->at,
                     "rules do not look into a phi, whose operands are known "
                     "in its predecessors only: isphi(x) asks for one");
  else if (!is_allowed(op))
    ph_rule_lex_fail(&d->scan, t->at, "rules cannot have '$'", t->s);
  else if (d->part == PH_IN_GUARD && !ph_op_computes(op))
    ph_rule_lex_fail(&d->scan, t->at, "'$' cannot be computed here", t->s);
  else
    return read_operands(d, op, t->at);
  return 0;
}

/* Scans [a|b|...] and notes its alternatives. */
static void scan_alternatives(ph_draft *d) {
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
        d->scan.now.kind != PH_RULE_TOK_FLOAT &&
        d->scan.now.kind != PH_RULE_TOK_STRING)
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
static ph_alternative take_alternative(ph_draft *d) {
  uint32_t i = 0;
  while (i < d->brackets.n && d->brackets.at[i].at != d->scan.now.at) i++;
  if (i == d->brackets.n)
    scan_alternatives(d);
  else
    d->scan = d->brackets.at[i].after;
  if (d->scan.failed) return (ph_alternative){d->scan.now, false};
  return d->listed.at[d->brackets.at[i].first + d->choice];
}

static uint32_t read_name(ph_draft *d) {
  ph_lexeme t = d->scan.now;
  ph_rule_lex_next(&d->scan);
  if (d->part == PH_IN_PATTERN && ph_rule_lex_accept(&d->scan, '@'))
    return ph_rule_leaf_name(d, &t, read_expression(d, UNARY));
  if (d->use != NULL && ph_let_param(d->use->let, t.s) < d->use->let->params.n)
    return read_param(d, ph_let_param(d->use->let, t.s));
  return d->scan.now.kind == '(' || d->scan.now.kind == '{'
             ? read_named_op(d, &t)
             : ph_rule_leaf_named(d, &t);
}

static uint32_t read_number(ph_draft *d) {
  ph_lexeme t = d->scan.now;
  ph_rule_lex_next(&d->scan);
  return ph_rule_leaf_read(d, &t, false);
}

static uint32_t read_alternative(ph_draft *d) {
  if (d->defining)
    ph_rule_lex_fail(&d->scan, d->scan.now.at,
                     "'|' alone separates the forms of 'let'");
  ph_alternative a = take_alternative(d);
  if (d->scan.failed) return 0;
  return d->scan.now.kind == '(' || d->scan.now.kind == '{'
             ? read_named_op(d, &a.token)
             : ph_rule_leaf_read(d, &a.token, a.negative);
}

static uint32_t read_primary(ph_draft *d) {
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

/* The operators, and their ops on integers and on floats. */
static const struct {
  const char *sign;
  int precedence;
  ph_op on_ints, on_floats;
} infix[] = {
#define PH_INFIX(sign, precedence, event, on_ints, on_floats, hint) \
  {sign, precedence, PH_##on_ints, PH_##on_floats},
#define PH_RELATION(sign, precedence, on_ints, on_floats) \
  {sign, precedence, PH_##on_ints, PH_##on_floats},
#include "phial/infix.def"
};

/* True if the node is known to be a float. */
static bool is_float(const ph_draft *d, uint32_t node) {
  const ph_rulenode *n = ph_draft_node(d, node);
  uint16_t mask = d->types.at[ph_draft_find(d, n->type)].is.mask;
  if (n->type == 0) return n->kind == PH_R_LIT && n->var == PH_DATA_FLOAT;
  return mask != 0 && (mask & ~PH_M_FLOAT) == 0;
}

/* Gives an operation of a guard the op of floats, if its operands are. */
static void choose_op(ph_draft *d, uint32_t node) {
  ph_rulenode *n = ph_draft_node(d, node);
  bool floats = false;
  PH_EACH_DRAFT_KID(d, node, kid) floats = floats || is_float(d, kid);
  if (d->part != PH_IN_GUARD || !floats) return;
  if (n->op == PH_NEG) n->op = PH_FNEG;
  for (size_t i = 0; i < sizeof infix / sizeof *infix; i++)
    if (infix[i].on_ints == n->op && infix[i].on_floats != PH_NONE)
      n->op = infix[i].on_floats;
}

static uint32_t read_unary_op(ph_draft *d, uint16_t op) {
  uint32_t node = ph_draft_makeop(d, op, d->scan.now.at), kid;
  ph_rule_lex_next(&d->scan);
  kid = read_expression(d, UNARY);
  if (kid == 0) return 0;
  ph_draft_link(d, node, 0, kid);
  choose_op(d, node);
  return ph_draft_close(d, node);
}

static uint32_t read_only(ph_draft *d) {
  uint32_t node = ph_draft_make(d, PH_R_ONLY, d->scan.now.at), kid;
  if (d->part != PH_IN_RESULT)
    ph_rule_lex_fail(&d->scan, d->scan.now.at,
                     d->part == PH_IN_GUARD
                         ? "'!' belongs in a result: of conditions it is 'not'"
                         : "'!' belongs in a result: of bits it is '~'");
  ph_rule_lex_next(&d->scan);
  kid = read_expression(d, UNARY);
  if (kid == 0) return 0;
  ph_draft_link(d, node, 0, kid);
  ph_draft_node(d, node)->type = ph_draft_node(d, kid)->type;
  return node;
}

static bool is_condition(const ph_draft *d, uint32_t node) {
  const ph_rulenode *n = ph_draft_node(d, node);
  if (n->kind == PH_R_LIT) return n->var == PH_DATA_BOOL;
  if (n->kind == PH_R_CONST)
    return d->types.at[ph_draft_find(d, n->type)].is.fixed == PH_I1;
  if (n->kind != PH_R_EXPR) return false;
  return ph_op_iscompare(n->op) || (n->op >= PH_F_AND && n->op <= PH_F_NOT) ||
         ph_function_gives(n->op, PH_GIVES_TRUTH);
}

static void check_condition(ph_draft *d, uint32_t node) {
  ph_rulenode *n = ph_draft_node(d, node);
  if (n->kind == PH_R_HELPER && n->type == 0) n->kind = PH_R_CALL;
  if (node == 0 || n->kind == PH_R_CALL || is_condition(d, node)) return;
  ph_rule_lex_fail(&d->scan, ph_draft_node(d, node)->at,
                   "a condition expected here, a comparison for instance");
}

static void check_guard(ph_draft *d, const char *what, uint32_t at) {
  if (d->part == PH_IN_GUARD) return;
  ph_rule_lex_fail(&d->scan, at, "'$' belongs after 'if': on bits it is '$'",
                   ph_ascii_str(what),
                   (ph_str){what[0] == 'a'   ? "&"
                            : what[0] == 'o' ? "|"
                                             : "~",
                            1});
}

static uint32_t read_not(ph_draft *d) {
  uint32_t node = ph_draft_makeop(d, PH_F_NOT, d->scan.now.at), kid;
  check_guard(d, "not", d->scan.now.at);
  ph_rule_lex_next(&d->scan);
  kid = read_expression(d, UNARY);
  check_condition(d, kid);
  if (d->scan.failed) return 0;
  ph_draft_link(d, node, 0, kid);
  return ph_draft_close(d, node);
}

static uint32_t read_unary(ph_draft *d) {
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
      return ph_rule_leaf_read(d, &number, true);
    case '~':
      return read_unary_op(d, PH_BNOT);
    case '!':
      return read_only(d);
    default:
      return read_primary(d);
  }
}

static int precedence_of(const ph_draft *d, uint16_t *op) {
  const ph_rule_lexer *s = &d->scan;
  if (d->in_form && s->now.kind == '|') return 0;
  if (s->now.kind == PH_RULE_TOK_NAME) {
    bool both = ph_rule_lex_is(s, "and");
    *op = both ? PH_F_AND : PH_F_OR;
    return both ? 2 : ph_rule_lex_is(s, "or");
  }
  for (size_t i = 0; i < sizeof infix / sizeof *infix; i++)
    if (infix[i].sign[0] == s->now.s.at[0] &&
        ph_ascii_equal(s->now.s, infix[i].sign)) {
      *op = infix[i].on_ints;
      return infix[i].precedence;
    }
  return 0;
}

static uint32_t read_binary(ph_draft *d, uint32_t left, uint16_t op,
                            int precedence) {
  uint32_t node = ph_draft_makeop(d, op, d->scan.now.at), right;
  bool logical = op >= PH_F_AND;
  if (logical) check_guard(d, op == PH_F_AND ? "and" : "or", d->scan.now.at);
  ph_rule_lex_next(&d->scan);
  right = read_expression(d, precedence);
  if (logical) check_condition(d, left);
  if (logical) check_condition(d, right);
  if (d->scan.failed) return 0;
  ph_draft_link(d, node, 0, left);
  ph_draft_link(d, node, left, right);
  choose_op(d, node);
  return ph_draft_close(d, node);
}

/* Reads operators that bind tighter than `limit`. */
static uint32_t read_expression(ph_draft *d, int limit) {
  uint32_t node;
  uint16_t op = 0;
  int precedence;
  if (++d->depth > DEEPEST)
    ph_rule_lex_fail(&d->scan, d->scan.now.at, "this is nested too deeply");
  if (d->scan.failed) return 0;
  node = read_unary(d);
  ph_rule_leaf_annotation(d, node);
  while (node != 0 && !d->scan.failed &&
         (precedence = precedence_of(d, &op)) > limit) {
    node = read_binary(d, node, op, precedence);
  }
  d->depth--;
  return d->scan.failed ? 0 : node;
}

uint32_t ph_rule_parse_pattern(ph_draft *d) {
  d->part = PH_IN_PATTERN;
  return read_expression(d, 0);
}

uint32_t ph_rule_parse_form(ph_draft *d) {
  uint32_t node;
  d->part = PH_IN_PATTERN;
  d->defining = d->in_form = true;
  node = read_expression(d, 0);
  d->defining = d->in_form = false;
  return node;
}

uint32_t ph_rule_parse_result(ph_draft *d) {
  uint32_t node;
  d->part = PH_IN_RESULT;
  node = read_expression(d, 0);
  if (ph_draft_node(d, node)->kind == PH_R_HELPER)
    ph_draft_node(d, node)->kind = PH_R_CALL;
  return node;
}

uint32_t ph_rule_parse_guard(ph_draft *d) {
  uint32_t node;
  d->part = PH_IN_GUARD;
  node = read_expression(d, 0);
  check_condition(d, node);
  return node;
}

/* }=================================================================== */
