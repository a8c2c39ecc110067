/* rule_leaf.c: the leaves of patterns, results and guards: literals, names, and
** the types that follow them.
*/
#include "core/rules/language/rule_leaf.h"

#include <string.h>

#include "core/base/numfmt.h"
#include "core/base/strbuf.h"
#include "core/rules/set/constexpr.h"

/*
** {== Types ==========================================================
*/

bool ph_rule_leaf_isupper(ph_str s) {
  return s.n > 0 && s.at[0] >= 'A' && s.at[0] <= 'Z';
}

/* Returns the type variable of that name, a new one if necessary. */
static uint32_t type_variable(ph_draft *d, ph_str name) {
  uint32_t type;
  for (uint32_t i = 1; i < d->types.n; i++) {
    ph_str known = d->types.at[i].name;
    if (ph_ascii_same(known, name)) return i;
  }
  type = ph_draft_type(d, PH_M_ALL, true);
  d->types.at[type].name = name;
  return type;
}

/* Returns the type of that name; 0: none. */
static uint32_t type_named(ph_draft *d, ph_str name) {
  ph_type type = PH_I1;
  if (ph_rule_leaf_isupper(name) && d->defining)
    ph_rule_lex_fail(&d->scan, d->scan.now.at,
                     "a type variable belongs in a rule, not in 'let'");
  if (ph_rule_leaf_isupper(name)) return type_variable(d, name);
  if (!ph_ascii_equal(name, "bool") && !ph_type_find(d->space, name, &type))
    return 0;
  return ph_draft_fixed(d, type);
}

void ph_rule_leaf_annotation(ph_draft *d, uint32_t node) {
  ph_rule_lexer *s = &d->scan;
  uint32_t type;
  if (s->now.kind != ':' || s->now.at != s->before || node == 0) return;
  if (s->after.kind != PH_RULE_TOK_NAME || s->after.at != s->now.end) return;
  ph_rule_lex_next(s);
  type = type_named(d, s->now.s);
  if (type == 0 && ph_draft_node(d, node)->at == d->start)
    ph_rule_lex_fail(s, s->now.at,
                     "there is no type '$'; the colon after a rule's name is "
                     "followed by a blank",
                     s->now.s);
  else if (type == 0)
    ph_rule_lex_fail(s, s->now.at, "there is no type '$'", s->now.s);
  else if (ph_draft_node(d, node)->kind == PH_R_HELPER &&
           ph_draft_node(d, node)->type == 0)
    ph_draft_node(d, node)->type = (uint16_t)type;
  else if (ph_draft_node(d, node)->type == 0)
    ph_rule_lex_fail(s, s->now.at, "this has no type to annotate");
  else
    ph_draft_unify(d, type, ph_draft_node(d, node)->type, s->now.at);
  ph_rule_lex_next(s);
}

/* }== Literals and names ============================================= */

/* Makes a literal; in a guard it is plain until something needs a type. */
static uint32_t make_literal(ph_draft *d, ph_tag tag, uint64_t bits, bool large,
                             uint32_t at) {
  uint32_t node = ph_draft_make(d, PH_R_LIT, at);
  ph_draft_node(d, node)->var = tag;
  ph_draft_node(d, node)->bits = bits;
  ph_draft_node(d, node)->op = large;
  if (d->part != PH_IN_GUARD)
    ph_draft_node(d, node)->type = (uint16_t)ph_draft_literaltype(d, node);
  return node;
}

/* Reads decimal digits, or 0x and hexadecimal ones; false: more than 64
** bits. */
static bool read_digits(ph_str s, uint64_t *u) {
  if (s.n > 1 && s.at[1] == 'x') return ph_numfmt_hex(s, u);
  return ph_numfmt_kind(s) == PH_INTEGER && ph_numfmt_uint(s, u);
}

static uint32_t make_integer(ph_draft *d, const ph_lexeme *t, bool negative) {
  const uint64_t least = (uint64_t)1 << 63;
  uint64_t u;
  if (!read_digits(t->s, &u) || (negative && u > least)) {
    ph_rule_lex_fail(&d->scan, t->at, "'$' is not a 64-bit integer", t->s);
    return 0;
  }
  return make_literal(d, PH_DATA_INT, negative ? 0 - u : u,
                      !negative && u >= least, t->at);
}

static uint32_t make_float(ph_draft *d, const ph_lexeme *t, bool negative) {
  uint64_t bits;
  if (ph_numfmt_kind(t->s) != PH_FLOATING ||
      !ph_numfmt_float(d->arena, t->s, false, &bits)) {
    ph_rule_lex_fail(&d->scan, t->at, "'$' is not a number", t->s);
    return 0;
  }
  return make_literal(d, PH_DATA_FLOAT, negative ? bits ^ PH_SIGN_BIT : bits,
                      false, t->at);
}

static uint32_t make_end_of_range(ph_draft *d, ph_nodekind kind, uint32_t at) {
  uint32_t node = ph_draft_make(d, kind, at);
  uint32_t type;
  if (d->part == PH_IN_GUARD) return node;
  type = ph_draft_type(d, PH_M_INT, false);
  ph_draft_node(d, node)->type = (uint16_t)type;
  return node;
}

static uint32_t new_variable(ph_draft *d, ph_str name, ph_rulevarkind kind) {
  ph_rulevar var = {{"", 0}, 0, 0, 0};
  var.name = name;
  var.kind = (uint16_t)kind;
  if (kind < PH_V_LABEL) var.type = (uint16_t)ph_draft_type(d, PH_M_ALL, true);
  ph_rulevars_push(&d->vars, d->arena, var);
  return d->vars.n - 1;
}

void ph_rule_leaf_declare(ph_draft *d, ph_str name) {
  new_variable(d, name, ph_rule_leaf_isupper(name) ? PH_V_CONST : PH_V_VALUE);
}

static const char *const kinds[] = {"a value", "a constant", "a label", "data"};

static uint32_t make_variable(ph_draft *d, const ph_lexeme *t,
                              ph_rulevarkind kind) {
  static const ph_nodekind nodes[] = {PH_R_VAR, PH_R_CONST, PH_R_LABEL,
                                      PH_R_DATA};
  uint32_t var = ph_draft_var(d, t->s),
           node = ph_draft_make(d, nodes[kind], t->at);
  if (var == 0 && d->part != PH_IN_PATTERN)
    ph_rule_lex_fail(&d->scan, t->at, "'$' does not occur in the pattern",
                     t->s);
  if (var == 0 && d->defining)
    ph_rule_lex_fail(&d->scan, t->at, "'$' is not a parameter", t->s);
  if (var == 0) var = new_variable(d, t->s, kind);
  if (d->vars.at[var].kind != kind) {
    const char *is = kinds[d->vars.at[var].kind];
    ph_rule_lex_fail(&d->scan, t->at, "'$' is $ elsewhere in this rule", t->s,
                     ph_ascii_str(is));
  }
  ph_draft_node(d, node)->var = var;
  ph_draft_node(d, node)->type = d->vars.at[var].type;
  return node;
}

/* The functions that take a value or its type, and the facts, each after a
** comma: a message shortens what is longer than a line. */
#define TAKES_NUMBERS(name) ""
#define TAKES_TYPE(name) ", " name
#define TAKES_VALUE(name) ", " name
#define TAKES_INTEGER(name) ""
#define IS_NUMBERS(name) ""
#define IS_TYPE(name) ""
#define IS_VALUE(name) ""
#define IS_INTEGER(name) ", " name
static const char of_values[] =
#define PH_FUNCTION(NAME, name, argument, count, result, text) \
  TAKES_##argument(#name)
#include "core/rules/set/functions.def"
    ;
static const char facts[] =
#define PH_FUNCTION(NAME, name, argument, count, result, text) \
  IS_##argument(#name)
#include "core/rules/set/functions.def"
    ;

static uint32_t make_value(ph_draft *d, const ph_lexeme *t) {
  const ph_str functions = {of_values + 2, sizeof of_values - 3};
  if (d->part == PH_IN_GUARD && ph_draft_var(d, t->s) != 0)
    ph_rule_lex_fail(&d->scan, t->at,
                     "'$' is a value: a guard knows constants, in upper case; "
                     "of values it can ask $$ and $f",
                     t->s, functions, ph_ascii_str(facts), (ph_str){"$", 1});
  return make_variable(d, t, PH_V_VALUE);
}

/* True if a name in lower case does not name a value. */
static bool is_word(ph_str s) {
  static const char *const words[] = {"if",   "and",   "or",  "not", "once",
                                      "true", "false", "nil", "_"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (ph_ascii_equal(s, words[i])) return true;
  return false;
}

uint32_t ph_rule_leaf_named(ph_draft *d, const ph_lexeme *t) {
  if (ph_ascii_equal(t->s, "true"))
    return make_literal(d, PH_DATA_BOOL, 1, false, t->at);
  if (ph_ascii_equal(t->s, "false"))
    return make_literal(d, PH_DATA_BOOL, 0, false, t->at);
  if (ph_ascii_equal(t->s, "nil"))
    return make_literal(d, PH_DATA_NIL, 0, false, t->at);
  if (ph_ascii_equal(t->s, "INT_MIN"))
    return make_end_of_range(d, PH_R_MIN, t->at);
  if (ph_ascii_equal(t->s, "INT_MAX"))
    return make_end_of_range(d, PH_R_MAX, t->at);
  if (ph_ascii_equal(t->s, "_")) {
    uint32_t node = ph_draft_make(d, PH_R_ANY, t->at);
    uint32_t type = ph_draft_type(d, PH_M_ALL, true);
    ph_draft_node(d, node)->type = (uint16_t)type;
    if (d->part != PH_IN_PATTERN)
      ph_rule_lex_fail(&d->scan, t->at,
                       "'_' matches anything: it has no value");
    return node;
  }
  if (t->kind == PH_RULE_TOK_STRING || is_word(t->s) ||
      memchr(t->s.at, '.', t->s.n) != NULL) {
    ph_rule_lex_fail(&d->scan, t->at, "an operand expected, got '$'", t->s);
    return 0;
  }
  if (!ph_rule_leaf_isupper(t->s)) return make_value(d, t);
  /* data are an argument of functions */
  uint32_t var = ph_draft_var(d, t->s);
  bool data = d->part == PH_IN_GUARD && d->vars.at[var].kind == PH_V_DATA;
  return make_variable(d, t, data ? PH_V_DATA : PH_V_CONST);
}

uint32_t ph_rule_leaf_read(ph_draft *d, const ph_lexeme *t, bool negative) {
  if (t->kind == PH_RULE_TOK_INTEGER) return make_integer(d, t, negative);
  if (t->kind == PH_RULE_TOK_FLOAT) return make_float(d, t, negative);
  return ph_rule_leaf_named(d, t);
}

uint32_t ph_rule_leaf_name(ph_draft *d, const ph_lexeme *t, uint32_t node) {
  const ph_rulenode *n = ph_draft_node(d, node);
  if (node == 0) return 0;
  if (d->defining) {
    ph_rule_lex_fail(&d->scan, t->at, "'@' belongs in a rule, not in 'let'");
  } else if (n->kind != PH_R_OP || n->type == 0) {
    ph_rule_lex_fail(&d->scan, t->at, "'@' names an operation with a result");
  } else if (n->var != 0) {
    ph_rule_lex_fail(&d->scan, t->at, "this has the name '$' already",
                     d->vars.at[n->var].name);
  } else if (ph_rule_leaf_isupper(t->s) || is_word(t->s)) {
    ph_rule_lex_fail(&d->scan, t->at,
                     "'@' follows the name of a value, in lower case");
  } else if (ph_draft_var(d, t->s) != 0) {
    ph_rule_lex_fail(&d->scan, t->at,
                     "'$' occurs before it is bound: '@' belongs to the first "
                     "one",
                     t->s);
  } else {
    uint32_t var = new_variable(d, t->s, PH_V_VALUE);
    ph_draft_unify(d, ph_draft_node(d, node)->type, d->vars.at[var].type,
                   t->at);
    d->vars.at[var].node = node;
    ph_draft_node(d, node)->var = var;
    return node;
  }
  return 0;
}

uint32_t ph_rule_leaf_again(ph_draft *d, uint32_t node) {
  uint32_t var = ph_draft_node(d, node)->var;
  uint32_t again = ph_draft_make(d, PH_R_VAR, ph_draft_node(d, node)->at);
  ph_draft_node(d, again)->var = var;
  ph_draft_node(d, again)->type = d->vars.at[var].type;
  return again;
}

/* }== Data =========================================================== */

/* A text in quotes; equal ones share a variable.  (FNV-1a for comparisons of
** rules.) */
static uint32_t make_text(ph_draft *d, const ph_lexeme *t) {
  const ph_str s = {t->s.at + 1, t->s.n - 2};
  uint32_t node = ph_draft_make(d, PH_R_LIT, t->at), var = 1;
  uint64_t h = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < s.n; i++)
    h = (h ^ (unsigned char)s.at[i]) * UINT64_C(1099511628211);
  while (var < d->vars.n && (d->vars.at[var].kind != PH_V_TEXT ||
                             !ph_ascii_same(d->vars.at[var].name, s)))
    var++;
  if (var == d->vars.n) new_variable(d, s, PH_V_TEXT);
  ph_draft_node(d, node)->var = PH_DATA_STR;
  ph_draft_node(d, node)->op = (uint16_t)var;
  ph_draft_node(d, node)->bits = h;
  return node;
}

static uint32_t make_unnamed(ph_draft *d, const ph_lexeme *t) {
  uint32_t node = ph_draft_make(d, PH_R_DATA, t->at);
  if (d->part != PH_IN_PATTERN)
    ph_rule_lex_fail(&d->scan, t->at, "'_' matches anything: it has no value");
  ph_draft_node(d, node)->var = new_variable(d, t->s, PH_V_DATA);
  return node;
}

uint32_t ph_rule_leaf_data(ph_draft *d, const ph_lexeme *t, bool negative) {
  ph_part part = d->part;
  uint32_t node = 0;
  bool number = t->kind == PH_RULE_TOK_INTEGER || t->kind == PH_RULE_TOK_FLOAT;
  if (number || (!negative && (ph_ascii_equal(t->s, "true") ||
                               ph_ascii_equal(t->s, "false")))) {
    d->part = PH_IN_GUARD; /* where literals have no type */
    node = ph_rule_leaf_read(d, t, negative);
    d->part = part;
  } else if (t->kind == PH_RULE_TOK_STRING && !negative) {
    node = make_text(d, t);
  } else if (ph_ascii_equal(t->s, "_") && !negative) {
    node = make_unnamed(d, t);
  } else if (t->kind == PH_RULE_TOK_NAME && ph_rule_leaf_isupper(t->s) &&
             !negative && !ph_ascii_equal(t->s, "INT_MIN") &&
             !ph_ascii_equal(t->s, "INT_MAX")) {
    node = make_variable(d, t, PH_V_DATA);
  } else {
    ph_rule_lex_fail(&d->scan, t->at,
                     "data expected: a text, a number, true, false, a name in "
                     "upper case, or _");
  }
  return d->scan.failed ? 0 : node;
}

/* }== Names of one kind ============================================== */

uint32_t ph_rule_leaf_label(ph_draft *d) {
  ph_lexeme t = d->scan.now;
  if (t.kind != PH_RULE_TOK_NAME || !ph_rule_leaf_isupper(t.s)) {
    ph_rule_lex_unexpected(&d->scan, "a label (in upper case)");
    return 0;
  }
  ph_rule_lex_next(&d->scan);
  return make_variable(d, &t, PH_V_LABEL);
}

uint32_t ph_rule_leaf_type(ph_draft *d) {
  ph_lexeme t = d->scan.now;
  uint32_t var = ph_draft_var(d, t.s), of = ph_draft_given(d, t.s);
  uint32_t node = ph_draft_make(d, PH_R_TYPE, t.at), type;
  ph_rule_lex_expect(&d->scan, PH_RULE_TOK_NAME, "a name");
  if (of != 0)
    type = ph_draft_node(d, of)->type;
  else
    type = var != 0 ? d->vars.at[var].type : type_named(d, t.s);
  if (ph_ascii_equal(t.s, "result") && d->rule.lhs != 0)
    type = ph_draft_node(d, d->rule.lhs)->type;
  if (type == 0)
    ph_rule_lex_fail(&d->scan, t.at, "'$' does not occur in the pattern", t.s);
  else
    ph_draft_unify(d, ph_draft_type(d, PH_M_INT | PH_M_FLOAT, false), type,
                   t.at);
  ph_draft_node(d, node)->type = (uint16_t)type;
  return node;
}

uint32_t ph_rule_leaf_value(ph_draft *d) {
  ph_lexeme t = d->scan.now;
  if (t.kind != PH_RULE_TOK_NAME || ph_rule_leaf_isupper(t.s)) {
    ph_rule_lex_unexpected(&d->scan, "a value of the pattern");
    return 0;
  }
  ph_rule_lex_next(&d->scan);
  return make_variable(d, &t, PH_V_VALUE);
}

/* }=================================================================== */
