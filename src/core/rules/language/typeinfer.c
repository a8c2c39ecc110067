/* typeinfer.c: infers the types in a rule.
**
** Operations, and constant expressions that stand for operands, have the types
** that op.def or the dialect states: each letter of a signature is a set of
** types (rule_draft.c) that the operands with that letter share.
**
** In guards constants are plain integers of 64 bits, as in Lua: A + B does not
** wrap around at the width of A.  Only what depends on a width (right shifts,
** divisions, unsigned comparisons) needs one, and takes that of the constants
** in it.
*/
#include "core/rules/language/typeinfer.h"

#include <string.h>

#include "core/ir/opcheck.h"
#include "core/ir/op.h"
#include "core/rules/set/functions.h"

/*
** {== Literals =======================================================
*/

/* An integer above the largest signed one is stored in the same bits: only 64
** bits represent it. */
static uint16_t integer_mask(const ph_rulenode *node) {
  int64_t i = (int64_t)node->bits;
  uint16_t mask = 1 << PH_I64 | 1 << PH_ANY;
  if (node->op != 0) return 1 << PH_I64;
  for (ph_type t = PH_I1; t < PH_I64; t++)
    if (ph_const_fits(t, i)) mask = (uint16_t)(mask | 1 << t);
  return mask;
}

static uint16_t float_mask(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return (double)(float)x == x ? PH_M_FLOAT | 1 << PH_ANY
                               : 1 << PH_F64 | 1 << PH_ANY;
}

uint32_t ph_typeinfer_literal(ph_rule_draft *d, uint32_t node) {
  const ph_rulenode *n = ph_rule_draft_node(d, node);
  switch (n->var) {
    case PH_DATA_INT:
      return ph_rule_draft_type(d, integer_mask(n), false);
    case PH_DATA_FLOAT:
      return ph_rule_draft_type(d, float_mask(n->bits), false);
    case PH_DATA_BOOL:
      return ph_rule_draft_type(d, 1 << PH_I1 | 1 << PH_ANY, false);
    default:
      return ph_rule_draft_fixed(d, PH_ANY);
  }
}

/* }== Operations ===================================================== */

/* The sets of types for the letters t, f, e, x of a signature, which are
** shared. */
typedef struct {
  uint32_t t, f, e, x;
} shared;

static uint32_t once(ph_rule_draft *d, uint32_t *type, uint16_t mask,
                     bool dialects) {
  if (*type == 0) *type = ph_rule_draft_type(d, mask, dialects);
  return *type;
}

static uint32_t type_of_letter(ph_rule_draft *d, shared *s, char c) {
  switch (c) {
    case 't':
      return once(d, &s->t, PH_M_INT, false);
    case 'f':
      return once(d, &s->f, PH_M_FLOAT, false);
    case 'x':
      return once(d, &s->x, PH_M_ALL, true);
    case 'e':
      return once(d, &s->e, PH_M_INT | PH_M_PTR, false);
    case 'i':
    case 'I':
      return ph_rule_draft_type(d, PH_M_INT, false);
    case 'g':
    case 'G':
      return ph_rule_draft_type(d, PH_M_FLOAT, false);
    case 'b':
      return ph_rule_draft_fixed(d, PH_I1);
    case 'n':
      return ph_rule_draft_fixed(d, PH_I64);
    case 'p':
      return ph_rule_draft_fixed(d, PH_PTR);
    case '-':
      return 0;
    default:
      return ph_rule_draft_type(d, PH_M_ALL, true);
  }
}

/* Requires that the kid has one of these types. */
static void give(ph_rule_draft *d, uint32_t kid, uint32_t want) {
  ph_rulenode *node = ph_rule_draft_node(d, kid);
  uint32_t at = node->at;
  bool literal = node->kind == PH_R_LIT;
  if (node->type != 0) {
    ph_rule_draft_unify(d, want, node->type, at);
  } else if (node->kind == PH_R_OP) {
    ph_rule_lex_fail(&d->scan, at, "this has no result");
  } else {
    node->type = (uint16_t)want;
    if (literal) ph_rule_draft_unify(d, want, ph_typeinfer_literal(d, kid), at);
  }
}

/* Returns the kid if it is an operand, else 0: labels follow the operands. */
static uint32_t operand(const ph_rule_draft *d, uint32_t kid) {
  return kid != 0 && ph_rule_draft_node(d, kid)->kind == PH_R_LABEL ? 0 : kid;
}
#define EACH_OPERAND(d, node, kid)                                    \
  for (uint32_t kid = operand(d, ph_rule_draft_node(d, node)->first); \
       kid != 0; kid = operand(d, ph_rule_draft_node(d, kid)->next))

static void infer_phial(ph_rule_draft *d, uint32_t node, ph_op op) {
  shared s = {0, 0, 0, 0};
  uint32_t result;
  int i = 0;
  EACH_OPERAND(d, node, kid)
  give(d, kid, type_of_letter(d, &s, ph_opcheck_letter(op, i++)));
  result = type_of_letter(d, &s, ph_opcheck_letter(op, -1));
  ph_rule_draft_node(d, node)->type = (uint16_t)result;
}

static void infer_dialect(ph_rule_draft *d, uint32_t node, ph_op op) {
  const ph_attached *a = ph_op_owner(d->space, op);
  ph_type result = ph_op_spec(d->space, op)->result;
  int i = 0;
  EACH_OPERAND(d, node, kid) {
    ph_type want = ph_opcheck_wants(d->space, op, NULL, 0, i++);
    give(d, kid,
         want == PH_NOTYPE ? ph_rule_draft_type(d, PH_M_ALL, true)
                           : ph_rule_draft_fixed(d, want));
  }
  if (result == PH_NOTYPE) return;
  if (result == PH_SAIDTYPE) {
    uint32_t any = ph_rule_draft_type(d, PH_M_ALL, true);
    ph_rule_draft_node(d, node)->type = (uint16_t)any;
    return;
  }
  result = ph_type_ofdialect(d->space, a->dialect, result);
  ph_rule_draft_node(d, node)->type = (uint16_t)ph_rule_draft_fixed(d, result);
}

/* A function that stands for an operand: its kids are as in guards. */
static void infer_function(ph_rule_draft *d, uint32_t node) {
  uint32_t type = ph_rule_draft_type(d, PH_M_INT, false);
  ph_rule_draft_node(d, node)->type = (uint16_t)type;
}

void ph_typeinfer_place(ph_rule_draft *d, uint32_t node) {
  uint16_t op = ph_rule_draft_node(d, node)->op;
  if (op >= PH_F_AND)
    infer_function(d, node);
  else if (op >= PH_OPS)
    infer_dialect(d, node, op);
  else
    infer_phial(d, node, op);
}

static ph_str plural(uint32_t n) { return (ph_str){"s", n != 1}; }

static void wrong_count(ph_rule_draft *d, ph_op op, uint32_t want,
                        const char *what, uint32_t got, uint32_t at) {
  ph_rule_lex_fail(&d->scan, at, "'$' has # $$, not #",
                   ph_op_name(d->space, op), want, (ph_str){what, strlen(what)},
                   plural(want), got);
}

void ph_typeinfer_count(ph_rule_draft *d, ph_op op, uint32_t n, uint32_t m,
                        uint32_t at) {
  int nargs = ph_op_nargs(d->space, op);
  int ntargets =
      ph_op_has(d->space, op, PH_TERMINATOR) ? ph_op_ntargets(d->space, op) : 0;
  if (nargs >= 0 && n != (uint32_t)nargs)
    wrong_count(d, op, (uint32_t)nargs, "operand", n, at);
  else if (ntargets >= 0 && m != (uint32_t)ntargets)
    wrong_count(d, op, (uint32_t)ntargets, "label", m, at);
  else if (op == PH_RET && n > 1)
    wrong_count(d, op, 1, "operand", n, at);
}

/* }== Guards ========================================================= */

/* True if the result depends on the width. */
static bool wraps(uint16_t op) {
  ph_opclass c = ph_op_classof(op);
  return c == PH_CLASS_SIZED || c == PH_CLASS_RSHIFT ||
         ph_function_gives(op, PH_GIVES_SIZED);
}

/* True if the op computes with integers of one type, which may be plain. */
static bool takes_plain(ph_op op) {
  char c = ph_opcheck_letter(op, 0);
  return ph_op_computes(op) && (c == 't' || c == 'e');
}

/* Returns the type that determines that of a node, or 0. */
static uint32_t hint_of(const ph_rule_draft *d, uint32_t node) {
  const ph_rulenode *n = ph_rule_draft_node(d, node);
  if (n->type != 0) return n->type;
  return n->kind == PH_R_EXPR ? n->var : 0;
}

static uint32_t hint_of_kids(const ph_rule_draft *d, uint32_t node) {
  EACH_OPERAND(d, node, kid) {
    uint32_t hint = hint_of(d, kid);
    if (hint != 0) return hint;
  }
  return 0;
}

/* True if this literal must be read at the width of its neighbours. */
static bool needs_width(const ph_rulenode *n, uint16_t op, bool first) {
  if (n->kind == PH_R_MIN || n->kind == PH_R_MAX) return true;
  if (n->kind != PH_R_LIT) return false;
  if (n->var == PH_DATA_BOOL) return true;
  if (ph_op_classof(op) == PH_CLASS_RSHIFT) return first;
  if (ph_op_classof(op) == PH_CLASS_UCOMPARE) return (int64_t)n->bits < 0;
  return wraps(op);
}

/* An expression of literals alone has no type of its own; what depends on the
** width in it takes that of what it is compared or computed with. */
static void infer_literals(ph_rule_draft *d, uint32_t node, uint32_t hint) {
  uint16_t op = ph_rule_draft_node(d, node)->op;
  uint32_t first = ph_rule_draft_node(d, node)->first;
  if (ph_rule_draft_node(d, node)->kind != PH_R_EXPR || op >= PH_OPS ||
      hint_of(d, node) != 0 || !takes_plain(op))
    return;
  EACH_OPERAND(d, node, kid) {
    infer_literals(d, kid, hint);
    if (needs_width(ph_rule_draft_node(d, kid), op, kid == first))
      give(d, kid, hint);
  }
  if (wraps(op)) ph_rule_draft_node(d, node)->type = (uint16_t)hint;
  if (ph_opcheck_letter(op, -1) == 't') ph_rule_draft_node(d, node)->var = hint;
}

static void fail_width(ph_rule_draft *d, uint32_t at) {
  ph_rule_lex_fail(&d->scan, at, "nothing here determines the width of this");
}

static void infer_operand(ph_rule_draft *d, uint32_t kid, uint16_t op,
                          uint32_t hint, bool first) {
  const ph_rulenode *n = ph_rule_draft_node(d, kid);
  if (n->type == 0 && n->kind == PH_R_LIT && n->var == PH_DATA_FLOAT)
    ph_rule_lex_fail(&d->scan, n->at,
                     "an integer expected here, this is a float");
  if (n->type == 0 && needs_width(n, op, first)) {
    if (hint != 0)
      give(d, kid, hint);
    else if (n->kind != PH_R_LIT)
      fail_width(d, n->at);
  }
  if (hint != 0) infer_literals(d, kid, hint);
  n = ph_rule_draft_node(d, kid);
  if (n->type != 0)
    ph_rule_draft_unify(d, ph_rule_draft_type(d, PH_M_INT, false), n->type,
                        n->at);
}

/* Refuses negative literals in an expression without a type whose value depends
** on their width. */
static void check_literals(ph_rule_draft *d, uint32_t node) {
  uint16_t op = ph_rule_draft_node(d, node)->op;
  uint32_t first = ph_rule_draft_node(d, node)->first;
  if (ph_rule_draft_node(d, node)->kind != PH_R_EXPR || hint_of(d, node) != 0)
    return;
  EACH_OPERAND(d, node, kid) {
    const ph_rulenode *n = ph_rule_draft_node(d, kid);
    if (n->kind == PH_R_LIT && n->type == 0 && (int64_t)n->bits < 0 &&
        (ph_function_isof(op, PH_OF_NUMBERS) ||
         needs_width(n, op, kid == first)))
      fail_width(d, n->at);
    check_literals(d, kid);
  }
}

static void infer_plain(ph_rule_draft *d, uint32_t node, uint16_t op) {
  uint32_t hint = hint_of_kids(d, node),
           first = ph_rule_draft_node(d, node)->first;
  EACH_OPERAND(d, node, kid) infer_operand(d, kid, op, hint, kid == first);
  if (wraps(op)) ph_rule_draft_node(d, node)->type = (uint16_t)hint;
  if (op < PH_OPS && ph_opcheck_letter(op, -1) == 't')
    ph_rule_draft_node(d, node)->var = hint;
  else if (hint == 0 && (op < PH_OPS || ph_function_gives(op, PH_GIVES_TRUTH)))
    check_literals(d, node);
}

void ph_typeinfer_guard(ph_rule_draft *d, uint32_t node) {
  uint16_t op = ph_rule_draft_node(d, node)->op;
  if (ph_function_isof(op, PH_OF_NUMBERS))
    infer_plain(d, node, op);
  else if (op < PH_OPS && takes_plain(op))
    infer_plain(d, node, op);
  else if (op < PH_OPS)
    ph_typeinfer_place(d, node);
}

/* }=================================================================== */
