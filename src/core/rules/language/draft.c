/* draft.c: a rule while it is read: its nodes, variables and types.
**
** Each position of a rule has a set of possible types.  Positions that must
** have the same type share one set (union-find): the sets are intersected, and
** if the intersection is empty, there is an error at that position.  So
** inference needs no passes: every op, literal and annotation narrows the sets
** as it is read.
*/
#include "core/rules/language/draft.h"

#include <string.h>

#include "core/ir/op.h"
#include "core/ir/opcheck.h"
#include "core/rules/set/constexpr.h"

/*
** {== Nodes and variables ============================================
*/

void ph_draft_start(ph_draft *d) {
  const ph_rulenode node = {0};
  const ph_rulevar var = {{"", 0}, 0, 0, 0};
  const ph_drafttype type = {{0, false, 0}, 0, {"", 0}};
  memset(&d->rule, 0, sizeof d->rule);
  d->nodes.n = d->vars.n = d->types.n = 0;
  ph_rulenodes_push(&d->nodes, d->arena, node);
  ph_rulevars_push(&d->vars, d->arena, var);
  ph_drafttypes_push(&d->types, d->arena, type);
  d->part = PH_IN_PATTERN;
  d->depth = 0;
  d->use = NULL;
  d->choices = 0;
  d->defining = d->in_form = false;
  for (uint32_t i = 0; i < d->lets.n; i++) d->lets.at[i].used = false;
}

enum { LONGEST = 1000 };

uint32_t ph_draft_make(ph_draft *d, ph_nodekind kind, uint32_t at) {
  ph_rulenode node = {0};
  if (d->nodes.n == LONGEST)
    ph_rule_lex_fail(&d->scan, at, "this rule is too long");
  node.kind = (uint8_t)kind;
  node.at = at;
  ph_rulenodes_push(&d->nodes, d->arena, node);
  return d->nodes.n - 1;
}

void ph_draft_link(ph_draft *d, uint32_t node, uint32_t last, uint32_t kid) {
  if (last == 0)
    ph_draft_node(d, node)->first = kid;
  else
    ph_draft_node(d, last)->next = kid;
  ph_draft_node(d, node)->nkids++;
}

uint32_t ph_draft_var(const ph_draft *d, ph_str name) {
  for (uint32_t i = 1; i < d->vars.n; i++)
    if (d->vars.at[i].kind != PH_V_TEXT &&
        ph_ascii_same(d->vars.at[i].name, name))
      return i;
  return 0;
}

/* }== Named patterns ================================================= */

uint32_t ph_let_param(const ph_let *let, ph_str name) {
  uint32_t k = 0;
  while (k < let->params.n && !ph_ascii_same(let->params.at[k], name)) k++;
  return k;
}

uint32_t ph_draft_given(const ph_draft *d, ph_str name) {
  uint32_t k = d->use == NULL ? 0 : ph_let_param(d->use->let, name);
  return d->use != NULL && k < d->use->let->params.n ? d->use->nodes[k] : 0;
}

ph_let *ph_draft_let(const ph_draft *d, ph_str name) {
  uint32_t i = d->lets.n;
  if (d->use != NULL) i = (uint32_t)(d->use->let - d->lets.at);
  while (i-- > 0)
    if (ph_ascii_same(d->lets.at[i].name, name)) return &d->lets.at[i];
  return NULL;
}

/* }== Types ========================================================== */

uint32_t ph_draft_type(ph_draft *d, uint16_t mask, bool dialects) {
  const ph_drafttype type = {{PH_NOTYPE, dialects, mask}, 0, {"", 0}};
  ph_drafttypes_push(&d->types, d->arena, type);
  return d->types.n - 1;
}

uint32_t ph_draft_fixed(ph_draft *d, ph_type type) {
  uint32_t id = ph_draft_type(d, 0, false);
  d->types.at[id].is.fixed = type;
  if (type < PH_TYPES) d->types.at[id].is.mask = (uint16_t)(1 << type);
  return id;
}

uint32_t ph_draft_find(const ph_draft *d, uint32_t type) {
  while (d->types.at[type].same != 0) type = d->types.at[type].same;
  return type;
}

/* Returns the only type of phial in the mask; PH_NOTYPE: there are several. */
static ph_type only_one(uint16_t mask) {
  for (ph_type t = PH_I1; t < PH_KNOWN_TYPES; t++)
    if (mask == 1 << t) return t;
  return PH_NOTYPE;
}

/* Intersects a and b; false: the intersection is empty. */
static bool intersect_types(const ph_ruletype *a, const ph_ruletype *b,
                            ph_ruletype *r) {
  ph_type foreign = a->fixed >= PH_TYPES ? a->fixed : b->fixed;
  *r = (ph_ruletype){PH_NOTYPE, a->dialects && b->dialects,
                     (uint16_t)(a->mask & b->mask)};
  if (foreign >= PH_TYPES) {
    r->fixed = foreign;
    return (a->fixed == foreign || a->dialects) &&
           (b->fixed == foreign || b->dialects);
  }
  if (!r->dialects) r->fixed = only_one(r->mask);
  return r->dialects || r->mask != 0;
}

/* A set of types in words; a dialect's type has three parts. */
typedef struct {
  ph_str first, dot, last;
} words;

static words describe_type(const ph_draft *d, const ph_ruletype *t) {
  words w = {{"", 0}, {"", 0}, {"", 0}};
  const char *s = "another type";
  uint16_t mask = t->mask & (PH_M_INT | PH_M_FLOAT);
  if (t->fixed != PH_NOTYPE) {
    w.first = ph_type_dialect(d->space, t->fixed);
    if (w.first.n > 0) w.dot = (ph_str){".", 1};
    w.last = ph_type_name(d->space, t->fixed);
    return w;
  }
  if ((mask & PH_M_INT) == mask) s = "an integer that does not fit";
  if ((mask & PH_M_FLOAT) == mask) s = "a float that does not fit";
  if (t->mask == PH_M_WIDE) s = "an integer of 16 bits or more";
  if (mask == PH_M_INT) s = "an integer";
  if (mask == PH_M_FLOAT) s = "a float";
  if (mask == (PH_M_INT | PH_M_FLOAT)) s = "any type";
  w.first = ph_ascii_str(s);
  return w;
}

void ph_draft_unify(ph_draft *d, uint32_t want, uint32_t is, uint32_t at) {
  ph_ruletype both;
  want = ph_draft_find(d, want);
  is = ph_draft_find(d, is);
  if (want == is) return;
  if (!intersect_types(&d->types.at[want].is, &d->types.at[is].is, &both)) {
    words a = describe_type(d, &d->types.at[want].is),
          b = describe_type(d, &d->types.at[is].is);
    ph_rule_lex_fail(&d->scan, at, "$$$ expected here, this is $$$", a.first,
                     a.dot, a.last, b.first, b.dot, b.last);
    return;
  }
  d->types.at[want].is = both;
  d->types.at[is].same = want;
}

/* }== Types of literals ============================================== */

/* Operations, and constant expressions that stand for operands, have the types
** that op.def or the dialect states: each letter of a signature is a set of
** types that the operands with that letter share.
**
** In guards constants are plain integers of 64 bits, as in Lua: A + B does not
** wrap around at the width of A.  Only what depends on a width (right shifts,
** divisions, unsigned comparisons) needs one, and takes that of the constants
** in it. */

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

uint32_t ph_draft_literaltype(ph_draft *d, uint32_t node) {
  const ph_rulenode *n = ph_draft_node(d, node);
  switch (n->var) {
    case PH_DATA_INT:
      return ph_draft_type(d, integer_mask(n), false);
    case PH_DATA_FLOAT:
      return ph_draft_type(d, float_mask(n->bits), false);
    case PH_DATA_BOOL:
      return ph_draft_type(d, 1 << PH_I1 | 1 << PH_ANY, false);
    default:
      return ph_draft_fixed(d, PH_ANY);
  }
}

/* }== Types of operations ============================================ */

/* The sets of types for the letters t, f, e, w, x of a signature, which are
** shared. */
typedef struct {
  uint32_t t, f, e, w, x;
} shared;

static uint32_t shared_type(ph_draft *d, uint32_t *type, uint16_t mask,
                            bool dialects) {
  if (*type == 0) *type = ph_draft_type(d, mask, dialects);
  return *type;
}

static uint32_t type_of_letter(ph_draft *d, shared *s, char c) {
  switch (c) {
    case 't':
      return shared_type(d, &s->t, PH_M_INT, false);
    case 'f':
      return shared_type(d, &s->f, PH_M_FLOAT, false);
    case 'x':
      return shared_type(d, &s->x, PH_M_ALL, true);
    case 'e':
      return shared_type(d, &s->e, PH_M_INT | PH_M_PTR, false);
    case 'w':
      return shared_type(d, &s->w, PH_M_WIDE, false);
    case 'i':
    case 'I':
      return ph_draft_type(d, PH_M_INT, false);
    case 'g':
    case 'G':
      return ph_draft_type(d, PH_M_FLOAT, false);
    case 'b':
      return ph_draft_fixed(d, PH_I1);
    case 'n':
      return ph_draft_fixed(d, PH_I64);
    case 'p':
      return ph_draft_fixed(d, PH_PTR);
    case '-':
      return 0;
    default:
      return ph_draft_type(d, PH_M_ALL, true);
  }
}

/* Requires that the kid has one of these types. */
static void require_type(ph_draft *d, uint32_t kid, uint32_t want) {
  ph_rulenode *node = ph_draft_node(d, kid);
  uint32_t at = node->at;
  bool literal = node->kind == PH_R_LIT;
  if (node->type != 0) {
    ph_draft_unify(d, want, node->type, at);
  } else if (node->kind == PH_R_OP) {
    ph_rule_lex_fail(&d->scan, at, "this has no result");
  } else {
    node->type = (uint16_t)want;
    if (node->kind == PH_R_HELPER)
      ph_draft_unify(d, want, ph_draft_type(d, PH_M_ALL, false), at);
    if (literal) ph_draft_unify(d, want, ph_draft_literaltype(d, kid), at);
  }
}

/* Returns the kid if it is an operand, else 0: labels follow the operands. */
static uint32_t operand(const ph_draft *d, uint32_t kid) {
  return kid != 0 && ph_draft_node(d, kid)->kind == PH_R_LABEL ? 0 : kid;
}
#define EACH_OPERAND(d, node, kid)                                         \
  for (uint32_t kid = operand(d, ph_draft_node(d, node)->first); kid != 0; \
       kid = operand(d, ph_draft_node(d, kid)->next))

static void infer_dialect(ph_draft *d, uint32_t node, ph_op op) {
  const ph_attached *a = ph_op_owner(d->space, op);
  ph_type result = ph_op_spec(d->space, op)->result;
  int i = 0;
  EACH_OPERAND(d, node, kid) {
    ph_type want = ph_opcheck_wants(d->space, op, NULL, 0, i++);
    require_type(d, kid,
                 want == PH_NOTYPE ? ph_draft_type(d, PH_M_ALL, true)
                                   : ph_draft_fixed(d, want));
  }
  if (result == PH_NOTYPE) return;
  if (result == PH_SAIDTYPE) {
    uint32_t any = ph_draft_type(d, PH_M_ALL, true);
    ph_draft_node(d, node)->type = (uint16_t)any;
    return;
  }
  result = ph_type_ofdialect(d->space, a->dialect, result);
  ph_draft_node(d, node)->type = (uint16_t)ph_draft_fixed(d, result);
}

/* Infers the type of a node with all its kids, and theirs, from the op: an
** operation, or an expression that stands for an operand. */
static void infer_place(ph_draft *d, uint32_t node) {
  uint16_t op = ph_draft_node(d, node)->op;
  if (op >= PH_F_AND) {
    uint32_t type = ph_draft_type(d, PH_M_INT, false);
    ph_draft_node(d, node)->type = (uint16_t)type;
  } else if (op >= PH_OPS) {
    infer_dialect(d, node, op);
  } else {
    shared s = {0, 0, 0, 0, 0};
    uint32_t result;
    int i = 0;
    EACH_OPERAND(d, node, kid)
    require_type(d, kid, type_of_letter(d, &s, ph_opcheck_letter(op, i++)));
    result = type_of_letter(d, &s, ph_opcheck_letter(op, -1));
    ph_draft_node(d, node)->type = (uint16_t)result;
  }
}

static ph_str plural(uint32_t n) { return (ph_str){"s", n != 1}; }

static void wrong_count(ph_draft *d, ph_op op, uint32_t want, const char *what,
                        uint32_t got, uint32_t at) {
  ph_rule_lex_fail(&d->scan, at, "'$' has # $$, not #",
                   ph_op_name(d->space, op), want, ph_ascii_str(what),
                   plural(want), got);
}

/* Checks the number of operands, n, and of labels, m. */
static void check_arity(ph_draft *d, ph_op op, uint32_t n, uint32_t m,
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

/* }== Types in guards ================================================ */

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
static uint32_t hint_of(const ph_draft *d, uint32_t node) {
  const ph_rulenode *n = ph_draft_node(d, node);
  if (n->type != 0) return n->type;
  return n->kind == PH_R_EXPR ? n->var : 0;
}

static uint32_t hint_of_kids(const ph_draft *d, uint32_t node) {
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
static void infer_literals(ph_draft *d, uint32_t node, uint32_t hint) {
  uint16_t op = ph_draft_node(d, node)->op;
  uint32_t first = ph_draft_node(d, node)->first;
  if (ph_draft_node(d, node)->kind != PH_R_EXPR || op >= PH_OPS ||
      hint_of(d, node) != 0 || !takes_plain(op))
    return;
  EACH_OPERAND(d, node, kid) {
    infer_literals(d, kid, hint);
    if (needs_width(ph_draft_node(d, kid), op, kid == first))
      require_type(d, kid, hint);
  }
  if (wraps(op)) ph_draft_node(d, node)->type = (uint16_t)hint;
  if (ph_opcheck_letter(op, -1) == 't') ph_draft_node(d, node)->var = hint;
}

static void fail_width(ph_draft *d, uint32_t at) {
  ph_rule_lex_fail(&d->scan, at, "nothing here determines the width of this");
}

static void infer_operand(ph_draft *d, uint32_t kid, uint16_t op, uint32_t hint,
                          bool first) {
  const ph_rulenode *n = ph_draft_node(d, kid);
  if (n->type == 0 && n->kind == PH_R_LIT && n->var == PH_DATA_FLOAT)
    ph_rule_lex_fail(&d->scan, n->at,
                     "an integer expected here, this is a float");
  if (n->type == 0 && needs_width(n, op, first)) {
    if (hint != 0)
      require_type(d, kid, hint);
    else if (n->kind != PH_R_LIT)
      fail_width(d, n->at);
  }
  if (hint != 0) infer_literals(d, kid, hint);
  n = ph_draft_node(d, kid);
  if (n->type != 0)
    ph_draft_unify(d, ph_draft_type(d, PH_M_INT, false), n->type, n->at);
}

/* Refuses negative literals in an expression without a type whose value depends
** on their width. */
static void check_literals(ph_draft *d, uint32_t node) {
  uint16_t op = ph_draft_node(d, node)->op;
  uint32_t first = ph_draft_node(d, node)->first;
  if (ph_draft_node(d, node)->kind != PH_R_EXPR || hint_of(d, node) != 0)
    return;
  EACH_OPERAND(d, node, kid) {
    const ph_rulenode *n = ph_draft_node(d, kid);
    if (n->kind == PH_R_LIT && n->type == 0 && (int64_t)n->bits < 0 &&
        (ph_function_isof(op, PH_OF_NUMBERS) ||
         needs_width(n, op, kid == first)))
      fail_width(d, n->at);
    check_literals(d, kid);
  }
}

static void infer_plain(ph_draft *d, uint32_t node, uint16_t op) {
  uint32_t hint = hint_of_kids(d, node), first = ph_draft_node(d, node)->first;
  EACH_OPERAND(d, node, kid) infer_operand(d, kid, op, hint, kid == first);
  if (wraps(op)) ph_draft_node(d, node)->type = (uint16_t)hint;
  if (op < PH_OPS && ph_opcheck_letter(op, -1) == 't')
    ph_draft_node(d, node)->var = hint;
  else if (hint == 0 && (op < PH_OPS || ph_function_gives(op, PH_GIVES_TRUTH)))
    check_literals(d, node);
}

void ph_draft_inferguard(ph_draft *d, uint32_t node) {
  uint16_t op = ph_draft_node(d, node)->op;
  if (ph_function_isof(op, PH_OF_INTEGER)) {
    /* A fact has the type of the integer that it is about, if it is not a
    ** condition. */
    uint32_t kid = ph_draft_node(d, node)->first;
    require_type(d, kid, ph_draft_type(d, PH_M_INT, false));
    if (ph_function_gives(op, PH_GIVES_SIZED))
      ph_draft_node(d, node)->type = ph_draft_node(d, kid)->type;
  } else if (ph_function_isof(op, PH_OF_NUMBERS)) {
    infer_plain(d, node, op);
  } else if (op < PH_OPS && takes_plain(op)) {
    infer_plain(d, node, op);
  } else if (op < PH_OPS) {
    infer_place(d, node);
  }
}

/* }== Operations ===================================================== */

/* An operation whose operands are all constants becomes an expression, which is
** computed when the rule is applied. */

uint32_t ph_draft_makeop(ph_draft *d, uint16_t op, uint32_t at) {
  uint32_t node = ph_draft_make(d, PH_R_OP, at);
  ph_draft_node(d, node)->op = op;
  return node;
}

static bool has_constants_only(const ph_draft *d, uint32_t node) {
  PH_EACH_DRAFT_KID(d, node, kid) {
    if (!ph_rule_isconst(ph_draft_node(d, kid))) return false;
  }
  return true;
}

uint32_t ph_draft_close(ph_draft *d, uint32_t node) {
  ph_rulenode *n = ph_draft_node(d, node);
  if (d->scan.failed) return 0;
  if (n->op >= PH_F_AND ||
      (ph_op_computes(n->op) && has_constants_only(d, node)))
    n->kind = PH_R_EXPR;
  else if (d->part == PH_IN_GUARD)
    ph_rule_lex_fail(&d->scan, n->at, "only constants can be computed here");
  if (d->part == PH_IN_GUARD)
    ph_draft_inferguard(d, node);
  else
    infer_place(d, node);
  return node;
}

void ph_draft_addkid(ph_draft *d, ph_operation *o, uint32_t kid) {
  if (kid == 0) return;
  ph_draft_link(d, o->node, o->last, kid);
  o->last = kid;
  o->n++;
}

/* True if a label must come next. switch: value, default, then a key and a
** label for each case. */
bool ph_draft_wantslabel(const ph_draft *d, uint16_t op,
                         const ph_operation *o) {
  if (op == PH_SWITCH) return o->n > 0 && o->labels.n < o->n;
  if (op >= PH_F_AND || !ph_op_has(d->space, op, PH_TERMINATOR)) return false;
  if (ph_op_ntargets(d->space, op) == 0) return false;
  return (int)o->n >= ph_op_nargs(d->space, op);
}

uint32_t ph_draft_endop(ph_draft *d, ph_operation *o) {
  const ph_rulenode *n = ph_draft_node(d, o->node);
  uint32_t last = o->last;
  for (uint32_t i = 0; i < o->labels.n; i++) {
    ph_draft_link(d, o->node, last, o->labels.at[i]);
    last = o->labels.at[i];
  }
  if (n->op == PH_SWITCH && o->labels.n != o->n)
    ph_rule_lex_fail(
        &d->scan, n->at,
        "'switch' has a value, a label, then a key and a label each");
  else if (n->op < PH_F_AND)
    check_arity(d, n->op, o->n, o->labels.n, n->at);
  return ph_draft_close(d, o->node);
}

/* }== The whole rule ================================================= */

static void *copy_bytes(ph_draft *d, const void *p, size_t n) {
  return memcpy(ph_arena_alloc(d->arena, n), p, n);
}

/* Numbers the sets of types that remain; numbers: by type its new number. */
static const ph_ruletype *pack_types(ph_draft *d, uint32_t *numbers) {
  ph_ruletype *types = ph_arena_zero(d->arena, d->types.n * sizeof *types);
  uint32_t n = 1;
  for (uint32_t i = 1; i < d->types.n; i++)
    if (d->types.at[i].same == 0) {
      types[n] = d->types.at[i].is;
      numbers[i] = n++;
    }
  for (uint32_t i = 1; i < d->types.n; i++)
    numbers[i] = numbers[ph_draft_find(d, i)];
  d->rule.ntypes = n;
  return types;
}

const ph_rule *ph_draft_finish(ph_draft *d) {
  ph_rule *rule = &d->rule;
  uint32_t *numbers = ph_arena_zero(d->arena, d->types.n * sizeof *numbers);
  rule->types = pack_types(d, numbers);
  for (uint32_t i = 1; i < d->nodes.n; i++) {
    ph_rulenode *node = &d->nodes.at[i];
    node->type = (uint16_t)numbers[node->type];
  }
  for (uint32_t i = 1; i < d->vars.n; i++)
    d->vars.at[i].type = (uint16_t)numbers[d->vars.at[i].type];
  rule->nnodes = d->nodes.n;
  rule->nvars = d->vars.n;
  rule->nodes = copy_bytes(d, d->nodes.at, d->nodes.n * sizeof *rule->nodes);
  rule->vars = copy_bytes(d, d->vars.at, d->vars.n * sizeof *rule->vars);
  rule->root = d->nodes.at[rule->lhs].op;
  return copy_bytes(d, rule, sizeof *rule);
}

/* }=================================================================== */
