/* grammar.c: patterns, results and guards.
**
** One grammar of expressions for all three, with the operators of Lua and
** their precedences; infix operators are those of integers.  What differs is
** what a name may be, and where types come from (infer.c).
**
** The parser follows the nesting of the text by calling itself; texts nest at
** most DEEPEST deep, as in Lua.
*/
#include "core/grammar.h"

#include <string.h>

#include "core/infer.h"
#include "core/number.h"
#include "core/op.h"

enum { DEEPEST = 100, LONGEST = 1000 };

static uint32_t read_expression(ph_draft *d, int limit);

/*
** {== Nodes ==========================================================
*/

static uint32_t make(ph_draft *d, ph_nodekind kind, uint32_t at) {
  if (d->nodes.n == LONGEST)
    ph_scan_fail(&d->scan, at, "this rule is too long");
  return ph_draft_make(d, kind, at);
}

static uint32_t make_op(ph_draft *d, uint16_t op, uint32_t at) {
  uint32_t node = make(d, PH_R_OP, at);
  ph_draft_node(d, node)->op = op;
  return node;
}

static bool is_constant(const ph_rulenode *n) {
  return n->kind == PH_R_CONST || n->kind == PH_R_LIT || n->kind == PH_R_MIN ||
         n->kind == PH_R_MAX || n->kind == PH_R_EXPR;
}

/* Ops that are computed when their operands are constants. */
static bool is_computed(uint16_t op) {
  return op >= PH_ADD && op <= PH_BITCAST;
}

static bool has_constants_only(const ph_draft *d, uint32_t node) {
  for (uint32_t kid = ph_draft_node(d, node)->first; kid != 0;
       kid = ph_draft_node(d, kid)->next)
    if (!is_constant(ph_draft_node(d, kid))) return false;
  return true;
}

/* A node is done: its kids are there. */
static uint32_t close_op(ph_draft *d, uint32_t node) {
  ph_rulenode *n = ph_draft_node(d, node);
  if (d->scan.failed) return 0;
  if (n->op >= PH_F_AND || (is_computed(n->op) && has_constants_only(d, node)))
    n->kind = PH_R_EXPR;
  else if (d->part == PH_IN_GUARD)
    ph_scan_fail(&d->scan, n->at, "only constants can be computed here");
  if (d->part == PH_IN_GUARD)
    ph_infer_guard(d, node);
  else
    ph_infer_place(d, node);
  return node;
}

/* }== Types ========================================================== */

static bool is_upper(ph_str s) {
  return s.n > 0 && s.at[0] >= 'A' && s.at[0] <= 'Z';
}

static bool is_word(ph_str s, const char *word) {
  return s.n == strlen(word) && memcmp(s.at, word, s.n) == 0;
}

/* The type variable of that name, a new one if need be. */
static uint32_t type_variable(ph_draft *d, ph_str name) {
  uint32_t type;
  for (uint32_t i = 1; i < d->types.n; i++) {
    ph_str known = d->types.at[i].name;
    if (known.n == name.n && memcmp(known.at, name.at, name.n) == 0) return i;
  }
  type = ph_draft_type(d, PH_M_ALL, true);
  d->types.at[type].name = name;
  return type;
}

/* The type that a name stands for; 0: none. */
static uint32_t type_named(ph_draft *d, ph_str name) {
  ph_type type = PH_I1;
  if (is_upper(name)) return type_variable(d, name);
  if (!is_word(name, "bool") && !ph_op_findtype(d->space, name, &type))
    return 0;
  return ph_draft_fixed(d, type);
}

/* Behind a node, without a blank: its type. */
static void read_annotation(ph_draft *d, uint32_t node) {
  ph_scanner *s = &d->scan;
  uint32_t type;
  if (s->now.kind != ':' || s->now.at != s->before || node == 0) return;
  if (s->after.kind != PH_S_NAME || s->after.at != s->now.end) return;
  ph_scan_next(s);
  type = type_named(d, s->now.s);
  if (type == 0)
    ph_scan_fail(s, s->now.at, "there is no type '$'", s->now.s);
  else if (ph_draft_node(d, node)->type == 0)
    ph_scan_fail(s, s->now.at, "this has no type to be said");
  else
    ph_draft_unify(d, type, ph_draft_node(d, node)->type, s->now.at);
  ph_scan_next(s);
}

/* }== Literals and names ============================================= */

/* In a guard, literals are plain until something else is needed. */
static uint32_t literal(ph_draft *d, ph_tag tag, uint64_t bits, bool large,
                        uint32_t at) {
  uint32_t node = make(d, PH_R_LIT, at);
  ph_draft_node(d, node)->var = tag;
  ph_draft_node(d, node)->bits = bits;
  ph_draft_node(d, node)->op = large;
  if (d->part != PH_IN_GUARD)
    ph_draft_node(d, node)->type = (uint16_t)ph_infer_literal(d, node);
  return node;
}

/* Digits, or 0x and hexadecimal ones; false: more than 64 bits. */
static bool read_digits(ph_str s, uint64_t *u) {
  if (s.n > 1 && s.at[1] == 'x') return ph_number_hex(s, u);
  *u = 0;
  for (size_t i = 0; i < s.n; i++) {
    uint64_t digit = (uint64_t)(s.at[i] - '0');
    if (!ph_buf_isdigit(s.at[i]) || *u > (UINT64_MAX - digit) / 10)
      return false;
    *u = *u * 10 + digit;
  }
  return true;
}

static uint32_t integer(ph_draft *d, const ph_lexeme *t, bool negative) {
  const uint64_t least = (uint64_t)1 << 63;
  uint64_t u;
  if (!read_digits(t->s, &u) || (negative && u > least)) {
    ph_scan_fail(&d->scan, t->at, "'$' is no integer of 64 bits", t->s);
    return 0;
  }
  return literal(d, PH_DATA_INT, negative ? 0 - u : u, !negative && u >= least,
                 t->at);
}

static uint32_t floating(ph_draft *d, const ph_lexeme *t, bool negative) {
  uint64_t bits;
  if (ph_number_kind(t->s) != PH_FLOATING ||
      !ph_number_float(d->arena, t->s, false, &bits)) {
    ph_scan_fail(&d->scan, t->at, "'$' is no number", t->s);
    return 0;
  }
  return literal(d, PH_DATA_FLOAT, negative ? bits ^ PH_SIGN_BIT : bits, false,
                 t->at);
}

static uint32_t end_of_range(ph_draft *d, ph_nodekind kind, uint32_t at) {
  uint32_t node = make(d, kind, at);
  uint32_t type;
  if (d->part == PH_IN_GUARD) return node;
  type = ph_draft_type(d, PH_M_INT, false);
  ph_draft_node(d, node)->type = (uint16_t)type;
  return node;
}

static uint32_t anything(ph_draft *d, uint32_t at) {
  uint32_t node = make(d, PH_R_ANY, at);
  uint32_t type = ph_draft_type(d, PH_M_ALL, true);
  ph_draft_node(d, node)->type = (uint16_t)type;
  if (d->part != PH_IN_PATTERN)
    ph_scan_fail(&d->scan, at, "'_' matches anything: it has no value");
  return node;
}

static uint32_t new_variable(ph_draft *d, ph_str name, ph_rulevarkind kind) {
  ph_rulevar var = {{"", 0}, 0, 0};
  var.name = name;
  var.kind = (uint16_t)kind;
  if (kind != PH_V_LABEL) var.type = (uint16_t)ph_draft_type(d, PH_M_ALL, true);
  ph_rulevars_push(&d->vars, d->arena, var);
  return d->vars.n - 1;
}

static const char *const kinds[] = {"a value", "a constant", "a label"};

static uint32_t variable(ph_draft *d, const ph_lexeme *t, ph_rulevarkind kind) {
  static const ph_nodekind nodes[] = {PH_R_VAR, PH_R_CONST, PH_R_LABEL};
  uint32_t var = ph_draft_var(d, t->s), node = make(d, nodes[kind], t->at);
  if (var == 0 && d->part != PH_IN_PATTERN)
    ph_scan_fail(&d->scan, t->at, "'$' does not stand in the pattern", t->s);
  if (var == 0) var = new_variable(d, t->s, kind);
  if (d->vars.at[var].kind != kind) {
    const char *is = kinds[d->vars.at[var].kind];
    ph_scan_fail(&d->scan, t->at, "'$' is $ elsewhere in this rule", t->s,
                 (ph_str){is, strlen(is)});
  }
  ph_draft_node(d, node)->var = var;
  ph_draft_node(d, node)->type = d->vars.at[var].type;
  return node;
}

static uint32_t value(ph_draft *d, const ph_lexeme *t) {
  if (d->part == PH_IN_GUARD)
    ph_scan_fail(&d->scan, t->at,
                 "'$' is a value: a guard knows constants; of values it can "
                 "ask width, uses, isconst, isphi, same_block and $f",
                 t->s, (ph_str){"$", 1});
  return variable(d, t, PH_V_VALUE);
}

static bool is_reserved(ph_str s) {
  static const char *const words[] = {"if", "and", "or", "not", "once"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (is_word(s, words[i])) return true;
  return false;
}

static uint32_t named(ph_draft *d, const ph_lexeme *t) {
  if (is_word(t->s, "true")) return literal(d, PH_DATA_BOOL, 1, false, t->at);
  if (is_word(t->s, "false")) return literal(d, PH_DATA_BOOL, 0, false, t->at);
  if (is_word(t->s, "nil")) return literal(d, PH_DATA_NIL, 0, false, t->at);
  if (is_word(t->s, "INT_MIN")) return end_of_range(d, PH_R_MIN, t->at);
  if (is_word(t->s, "INT_MAX")) return end_of_range(d, PH_R_MAX, t->at);
  if (is_word(t->s, "_")) return anything(d, t->at);
  if (is_reserved(t->s) || memchr(t->s.at, '.', t->s.n) != NULL) {
    ph_scan_fail(&d->scan, t->at, "an operand expected, got '$'", t->s);
    return 0;
  }
  return is_upper(t->s) ? variable(d, t, PH_V_CONST) : value(d, t);
}

/* What one token says, with a minus before it or not. */
static uint32_t atom(ph_draft *d, const ph_lexeme *t, bool negative) {
  if (t->kind == PH_S_INTEGER) return integer(d, t, negative);
  if (t->kind == PH_S_FLOAT) return floating(d, t, negative);
  return named(d, t);
}

/* }== Operations ===================================================== */

static bool is_pattern_op(uint16_t op) {
  return op > PH_PHI && op != PH_PROJ && op != PH_CALL;
}

static uint32_t read_label(ph_draft *d) {
  ph_lexeme t = d->scan.now;
  if (t.kind != PH_S_NAME || !is_upper(t.s)) {
    ph_scan_unexpected(&d->scan, "a label (in upper case)");
    return 0;
  }
  ph_scan_next(&d->scan);
  return variable(d, &t, PH_V_LABEL);
}

/* The kids of an operation, in two chains: operands, and labels behind. */
typedef struct {
  uint32_t node, n, m;
  uint32_t last, first_label, last_label;
} kids;

static void add_kid(ph_draft *d, kids *k, uint32_t kid) {
  if (kid == 0) return;
  ph_draft_link(d, k->node, k->last, kid);
  k->last = kid;
  k->n++;
}

static void add_label(ph_draft *d, kids *k, uint32_t kid) {
  if (kid == 0) return;
  if (k->last_label == 0)
    k->first_label = kid;
  else
    ph_draft_node(d, k->last_label)->next = kid;
  k->last_label = kid;
  k->m++;
}

static void join(ph_draft *d, kids *k) {
  ph_rulenode *node = ph_draft_node(d, k->node);
  if (k->last == 0)
    node->first = k->first_label;
  else
    ph_draft_node(d, k->last)->next = k->first_label;
  node->nkids = (uint16_t)(k->n + k->m);
}

/* Is a label next?  switch: value, default, then a key and a label each. */
static bool wants_label(const ph_draft *d, uint16_t op, const kids *k) {
  if (op == PH_SWITCH) return k->n > 0 && k->m < k->n;
  if (op >= PH_F_AND || !ph_op_has(d->space, op, PH_TERMINATOR)) return false;
  if (ph_op_ntargets(d->space, op) == 0) return false;
  return (int)k->n >= ph_op_nargs(d->space, op);
}

static void check_count(ph_draft *d, uint16_t op, const kids *k, uint32_t at) {
  if (op == PH_SWITCH && k->m != k->n)
    ph_scan_fail(&d->scan, at,
                 "'switch' has a value, a label, then a key and a label each");
  else if (op < PH_F_AND)
    ph_infer_count(d, op, k->n, k->m, at);
}

/* ( a, b, ... ) behind the name of an op. */
static uint32_t read_operands(ph_draft *d, uint16_t op, uint32_t at) {
  kids k = {0, 0, 0, 0, 0, 0};
  k.node = make_op(d, op, at);
  ph_scan_expect(&d->scan, '(', "'('");
  if (!ph_scan_accept(&d->scan, ')')) {
    do {
      if (wants_label(d, op, &k))
        add_label(d, &k, read_label(d));
      else
        add_kid(d, &k, read_expression(d, 0));
    } while (ph_scan_accept(&d->scan, ','));
    ph_scan_expect(&d->scan, ')', "',' or ')'");
  }
  join(d, &k);
  check_count(d, op, &k, at);
  return close_op(d, k.node);
}

/* }== Functions ====================================================== */

typedef enum { OF_NUMBERS, OF_TYPE, OF_VALUE } argument;

static const struct {
  const char *name;
  uint16_t op;
  uint8_t nargs;
  argument of;
} functions[] = {{"width", PH_F_WIDTH, 1, OF_TYPE},
                 {"log2", PH_F_LOG2, 1, OF_NUMBERS},
                 {"pow2", PH_F_POW2, 1, OF_NUMBERS},
                 {"ctz", PH_F_CTZ, 1, OF_NUMBERS},
                 {"clz", PH_F_CLZ, 1, OF_NUMBERS},
                 {"popcnt", PH_F_POPCNT, 1, OF_NUMBERS},
                 {"umulh", PH_F_UMULH, 2, OF_NUMBERS},
                 {"smulh", PH_F_SMULH, 2, OF_NUMBERS},
                 {"uses", PH_F_USES, 1, OF_VALUE},
                 {"isconst", PH_F_ISCONST, 1, OF_VALUE},
                 {"isphi", PH_F_ISPHI, 1, OF_VALUE},
                 {"same_block", PH_F_SAMEBLOCK, 1, OF_VALUE}};
enum { NFUNCTIONS = sizeof functions / sizeof *functions };

static int function_named(ph_str name) {
  for (int i = 0; i < NFUNCTIONS; i++)
    if (is_word(name, functions[i].name)) return i;
  return -1;
}

/* x, C, a type, or the result: only its width counts. */
static uint32_t read_type(ph_draft *d) {
  ph_lexeme t = d->scan.now;
  uint32_t var = ph_draft_var(d, t.s);
  uint32_t node = make(d, PH_R_ANY, t.at), type;
  ph_scan_expect(&d->scan, PH_S_NAME, "a name");
  type = var != 0 ? d->vars.at[var].type : type_named(d, t.s);
  if (is_word(t.s, "result") && d->rule.lhs != 0)
    type = ph_draft_node(d, d->rule.lhs)->type;
  if (type == 0)
    ph_scan_fail(&d->scan, t.at, "'$' does not stand in the pattern", t.s);
  else
    ph_draft_unify(d, ph_draft_type(d, PH_M_INT | PH_M_FLOAT, false), type,
                   t.at);
  ph_draft_node(d, node)->type = (uint16_t)type;
  return node;
}

static uint32_t read_value(ph_draft *d) {
  ph_lexeme t = d->scan.now;
  if (t.kind != PH_S_NAME || is_upper(t.s)) {
    ph_scan_unexpected(&d->scan, "a value of the pattern");
    return 0;
  }
  ph_scan_next(&d->scan);
  return variable(d, &t, PH_V_VALUE);
}

static uint32_t read_argument(ph_draft *d, argument of) {
  if (of == OF_TYPE) return read_type(d);
  return of == OF_VALUE ? read_value(d) : read_expression(d, 0);
}

/* Its arguments are as in a guard, wherever it stands. */
static uint32_t read_function(ph_draft *d, int i, uint32_t at) {
  uint32_t node = make_op(d, functions[i].op, at), last = 0;
  ph_part part = d->part;
  bool asks = functions[i].of == OF_VALUE || functions[i].op == PH_F_POW2;
  if (part != PH_IN_GUARD && asks)
    ph_scan_fail(&d->scan, at, "'$' is a condition: it belongs behind 'if'",
                 (ph_str){functions[i].name, strlen(functions[i].name)});
  d->part = PH_IN_GUARD;
  ph_scan_expect(&d->scan, '(', "'('");
  for (int k = 0; k < functions[i].nargs && !d->scan.failed; k++) {
    uint32_t kid;
    if (k > 0) ph_scan_expect(&d->scan, ',', "','");
    kid = read_argument(d, functions[i].of);
    ph_draft_link(d, node, last, kid);
    last = kid;
  }
  ph_scan_expect(&d->scan, ')', "')'");
  if (!d->scan.failed) ph_infer_guard(d, node);
  d->part = part;
  return close_op(d, node);
}

static uint32_t read_host_argument(ph_draft *d) {
  const ph_lexeme *t = &d->scan.now;
  bool is_value = t->kind == PH_S_NAME && !is_upper(t->s) &&
                  d->scan.after.kind != '(' && !is_word(t->s, "true") &&
                  !is_word(t->s, "false") && !is_word(t->s, "nil");
  return is_value ? read_value(d) : read_expression(d, 0);
}

/* $name(args): behind the $. */
static uint32_t read_call(ph_draft *d, uint32_t at) {
  ph_lexeme t = d->scan.now;
  uint32_t node = make(d, PH_R_CALL, at), last = 0, number = 0;
  ph_part part = d->part;
  ph_scan_expect(&d->scan, PH_S_NAME, "the name of a function");
  if (d->scan.failed) return 0;
  if (d->callees == NULL || !d->callees->find(d->callees->ud, t.s, &number))
    ph_scan_fail(&d->scan, t.at, "no function '$' was given with these rules",
                 t.s);
  ph_draft_node(d, node)->var = number;
  d->part = PH_IN_GUARD;
  ph_scan_expect(&d->scan, '(', "'('");
  if (!ph_scan_accept(&d->scan, ')')) {
    do {
      uint32_t kid = read_host_argument(d);
      if (kid != 0) ph_draft_link(d, node, last, kid);
      last = kid;
    } while (ph_scan_accept(&d->scan, ','));
    ph_scan_expect(&d->scan, ')', "',' or ')'");
  }
  d->part = part;
  return d->scan.failed ? 0 : node;
}

/* }== Expressions ==================================================== */

static uint32_t read_once(ph_draft *d, uint32_t at) {
  uint32_t node;
  if (d->part != PH_IN_PATTERN)
    ph_scan_fail(&d->scan, at, "once() belongs into a pattern");
  ph_scan_expect(&d->scan, '(', "'('");
  node = read_expression(d, 0);
  ph_scan_expect(&d->scan, ')', "')'");
  if (node == 0) return 0;
  if (ph_draft_node(d, node)->kind != PH_R_OP)
    ph_scan_fail(&d->scan, at, "once() asks about an operation");
  ph_draft_node(d, node)->once = true;
  return node;
}

/* Behind a name: ( */
static uint32_t read_named_op(ph_draft *d, const ph_lexeme *t) {
  ph_op op;
  int i = function_named(t->s);
  if (is_word(t->s, "once")) return read_once(d, t->at);
  if (i >= 0) return read_function(d, i, t->at);
  if (!ph_op_find(d->space, t->s, &op)) {
    ph_scan_fail(&d->scan, t->at, "there is no op '$'", t->s);
  } else if (op == PH_PHI || is_pattern_op(op)) {
    if (d->part == PH_IN_GUARD && !is_computed(op))
      ph_scan_fail(&d->scan, t->at, "'$' cannot be computed here", t->s);
    return read_operands(d, op, t->at);
  } else {
    ph_scan_fail(&d->scan, t->at, "rules cannot have '$'", t->s);
  }
  return 0;
}

/* [a|b|...]: the token of the alternative that is read. */
static ph_lexeme read_alternatives(ph_draft *d, bool *negative) {
  uint32_t at = d->scan.now.at, n = 0;
  ph_lexeme chosen = d->scan.now;
  ph_scan_next(&d->scan);
  do {
    bool minus = ph_scan_accept(&d->scan, '-');
    if (n == d->choice) chosen = d->scan.now;
    if (n++ == d->choice) *negative = minus;
    if (d->scan.now.kind != PH_S_NAME && d->scan.now.kind != PH_S_INTEGER &&
        d->scan.now.kind != PH_S_FLOAT)
      ph_scan_unexpected(&d->scan, "a name or a number");
    ph_scan_next(&d->scan);
  } while (ph_scan_accept(&d->scan, '|'));
  ph_scan_expect(&d->scan, ']', "'|' or ']'");
  if (d->alternatives == 0) d->alternatives = n;
  if (n != d->alternatives)
    ph_scan_fail(&d->scan, at, "# alternatives here, # elsewhere in this rule",
                 n, d->alternatives);
  return chosen;
}

static uint32_t read_name(ph_draft *d) {
  ph_lexeme t = d->scan.now;
  ph_scan_next(&d->scan);
  return d->scan.now.kind == '(' ? read_named_op(d, &t) : named(d, &t);
}

static uint32_t read_primary(ph_draft *d) {
  ph_lexeme t = d->scan.now;
  bool negative = false;
  uint32_t node = 0;
  switch (t.kind) {
    case PH_S_NAME:
      return read_name(d);
    case PH_S_INTEGER:
    case PH_S_FLOAT:
      ph_scan_next(&d->scan);
      return atom(d, &t, false);
    case '[':
      t = read_alternatives(d, &negative);
      if (d->scan.failed) return 0;
      return d->scan.now.kind == '(' ? read_named_op(d, &t)
                                     : atom(d, &t, negative);
    case '(':
      ph_scan_next(&d->scan);
      node = read_expression(d, 0);
      ph_scan_expect(&d->scan, ')', "')'");
      return node;
    case '$':
      ph_scan_next(&d->scan);
      if (d->part == PH_IN_PATTERN)
        ph_scan_fail(&d->scan, t.at, "functions belong behind '=>' or 'if'");
      return read_call(d, t.at);
    default:
      ph_scan_unexpected(&d->scan, "an operand");
      return 0;
  }
}

enum { UNARY = 12 };

static uint32_t read_unary_op(ph_draft *d, uint16_t op) {
  uint32_t node = make_op(d, op, d->scan.now.at), kid;
  ph_scan_next(&d->scan);
  kid = read_expression(d, UNARY);
  if (kid == 0) return 0;
  ph_draft_link(d, node, 0, kid);
  return close_op(d, node);
}

static uint32_t read_only(ph_draft *d) {
  uint32_t node = make(d, PH_R_ONLY, d->scan.now.at), kid;
  if (d->part != PH_IN_RESULT)
    ph_scan_fail(&d->scan, d->scan.now.at, "'!' belongs into a result");
  ph_scan_next(&d->scan);
  kid = read_expression(d, UNARY);
  if (kid == 0) return 0;
  ph_draft_link(d, node, 0, kid);
  ph_draft_node(d, node)->type = ph_draft_node(d, kid)->type;
  return node;
}

static bool is_condition(const ph_draft *d, uint32_t node) {
  const ph_rulenode *n = ph_draft_node(d, node);
  if (n->kind == PH_R_CALL) return true;
  if (n->kind == PH_R_LIT) return n->var == PH_DATA_BOOL;
  if (n->kind == PH_R_CONST) return ph_draft_isfixed(d, n->type, PH_I1);
  if (n->kind != PH_R_EXPR) return false;
  return (n->op >= PH_EQ && n->op <= PH_UGE) ||
         (n->op >= PH_FEQ && n->op <= PH_FGE) ||
         (n->op >= PH_F_AND && n->op <= PH_F_NOT) || n->op == PH_F_POW2 ||
         n->op >= PH_F_ISCONST;
}

static void check_condition(ph_draft *d, uint32_t node) {
  if (node == 0 || is_condition(d, node)) return;
  ph_scan_fail(&d->scan, ph_draft_node(d, node)->at,
               "a condition expected here, a comparison for instance");
}

static void check_guard(ph_draft *d, const char *what, uint32_t at) {
  if (d->part == PH_IN_GUARD) return;
  ph_scan_fail(&d->scan, at, "'$' belongs behind 'if'",
               (ph_str){what, strlen(what)});
}

static uint32_t read_not(ph_draft *d) {
  uint32_t node = make_op(d, PH_F_NOT, d->scan.now.at), kid;
  check_guard(d, "not", d->scan.now.at);
  ph_scan_next(&d->scan);
  kid = read_expression(d, UNARY);
  check_condition(d, kid);
  if (d->scan.failed) return 0;
  ph_draft_link(d, node, 0, kid);
  return close_op(d, node);
}

static uint32_t read_unary(ph_draft *d) {
  ph_lexeme number;
  if (ph_scan_is(&d->scan, "not")) return read_not(d);
  switch (d->scan.now.kind) {
    case '-':
      number = d->scan.after;
      if (number.kind != PH_S_INTEGER && number.kind != PH_S_FLOAT)
        return read_unary_op(d, PH_NEG);
      ph_scan_next(&d->scan);
      ph_scan_next(&d->scan);
      return atom(d, &number, true);
    case '~':
      return read_unary_op(d, PH_BNOT);
    case '!':
      return read_only(d);
    default:
      return read_primary(d);
  }
}

/* Lua's binary operators with their precedence. */
static const struct {
  int kind;
  int precedence;
  uint16_t op;
} infix[] = {{'<', 3, PH_SLT},      {'>', 3, PH_SGT},      {PH_S_LE, 3, PH_SLE},
             {PH_S_GE, 3, PH_SGE},  {PH_S_EQ, 3, PH_EQ},   {PH_S_NE, 3, PH_NE},
             {'|', 4, PH_BOR},      {'~', 5, PH_BXOR},     {'&', 6, PH_BAND},
             {PH_S_SHL, 7, PH_SHL}, {PH_S_SHR, 7, PH_SHR}, {'+', 10, PH_ADD},
             {'-', 10, PH_SUB},     {'*', 11, PH_MUL}};

static int precedence_of(const ph_scanner *s, uint16_t *op) {
  if (s->now.kind == PH_S_NAME) {
    bool both = ph_scan_is(s, "and");
    *op = both ? PH_F_AND : PH_F_OR;
    return both ? 2 : ph_scan_is(s, "or");
  }
  for (size_t i = 0; i < sizeof infix / sizeof *infix; i++)
    if (infix[i].kind == s->now.kind) {
      *op = infix[i].op;
      return infix[i].precedence;
    }
  return 0;
}

static uint32_t read_binary(ph_draft *d, uint32_t left, uint16_t op,
                            int precedence) {
  uint32_t node = make_op(d, op, d->scan.now.at), right;
  bool logical = op >= PH_F_AND;
  if (logical) check_guard(d, op == PH_F_AND ? "and" : "or", d->scan.now.at);
  ph_scan_next(&d->scan);
  right = read_expression(d, precedence);
  if (logical) check_condition(d, left);
  if (logical) check_condition(d, right);
  if (d->scan.failed) return 0;
  ph_draft_link(d, node, 0, left);
  ph_draft_link(d, node, left, right);
  return close_op(d, node);
}

/* Operators that bind tighter than `limit`. */
static uint32_t read_expression(ph_draft *d, int limit) {
  uint32_t node;
  uint16_t op = 0;
  int precedence;
  if (++d->depth > DEEPEST)
    ph_scan_fail(&d->scan, d->scan.now.at, "this is nested too deeply");
  if (d->scan.failed) return 0;
  node = read_unary(d);
  read_annotation(d, node);
  while (node != 0 && !d->scan.failed &&
         (precedence = precedence_of(&d->scan, &op)) > limit) {
    node = read_binary(d, node, op, precedence);
  }
  d->depth--;
  return d->scan.failed ? 0 : node;
}

uint32_t ph_grammar_pattern(ph_draft *d) {
  d->part = PH_IN_PATTERN;
  return read_expression(d, 0);
}

uint32_t ph_grammar_result(ph_draft *d) {
  d->part = PH_IN_RESULT;
  return read_expression(d, 0);
}

uint32_t ph_grammar_guard(ph_draft *d) {
  uint32_t node;
  d->part = PH_IN_GUARD;
  node = read_expression(d, 0);
  check_condition(d, node);
  return node;
}

/* }=================================================================== */
