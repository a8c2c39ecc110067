/* matcher.c: tests patterns against an instruction.
**
** The instruction has no value yet, so its operands are in slots.  Phis are
** opaque: what is below one is not what it is on each path.  Constants and
** types of the rule are gathered only when an expression needs them.
*/
#include "core/rules/match/matcher.h"

#include "core/base/noinline.h"
#include "core/base/strbuf.h"
#include "core/ir/op.h"
#include "core/ir/value.h"
#include "core/rules/match/facts.h"

/*
** {== Numbers of ops and types =======================================
**
** Dialects are attached to a function and to a set in any order, so an op of a
** dialect has a number in each; the ops of phial have the same.  The map is
** rebuilt when a dialect is attached to either.
*/

static void make_map(const ph_func *f, ph_matcher *m) {
  m->ops.n = 0;
  for (uint32_t i = 0; i < f->dialects.n; i++) {
    const ph_attached *a = &f->dialects.at[i];
    for (uint32_t k = 0; k < a->dialect->nops; k++)
      ph_ids_push(&m->ops, m->arena,
                  ph_op_in(&m->set->space, f, (ph_op)(a->op + k)));
  }
  m->ndialects = f->dialects.n;
  m->nspace = m->set->space.dialects.n;
}

ph_op ph_matcher_mapped(const ph_func *f, ph_matcher *m, ph_op op) {
  if (m->ndialects != f->dialects.n || m->nspace != m->set->space.dialects.n)
    make_map(f, m);
  return (ph_op)m->ops.at[op - PH_OPS];
}

uint32_t ph_matcher_consttag(const ph_func *f, const ph_node *n) {
  int64_t i = (int64_t)f->datas.at[n->aux].bits;
  if (!ph_type_isint(n->type)) return PH_TAG_CONST;
  if (n->type == PH_I1) return i == 0 ? PH_TAG_FALSE : PH_TAG_TRUE;
  if (i == 0) return PH_TAG_ZERO;
  return i == 1 ? PH_TAG_ONE : i == -1 ? PH_TAG_MINUS : PH_TAG_CONST;
}

/* }== Types ========================================================== */

static ph_type slot_type(const ph_test_state *t, uint32_t slot) {
  if (slot == PH_SLOT_ROOT) return t->p->type;
  return ph_node_of(t->f, ph_test_slots(t)[slot])->type;
}

ph_type ph_test_type(const ph_test_state *t, uint32_t type) {
  uint32_t slot;
  if (type == 0) return PH_NOTYPE;
  slot = ph_test_note(t, t->pattern->types, type);
  if (slot != PH_NOSLOT) return slot_type(t, slot);
  return ph_type_in(t->f, &t->m->set->space,
                    t->pattern->rule->types[type].fixed);
}

static bool is_among(const ph_test_state *t, ph_type type,
                     const ph_ruletype *r) {
  if (r->fixed != PH_NOTYPE)
    return type == ph_type_in(t->f, &t->m->set->space, r->fixed);
  return type < PH_TYPES ? (r->mask >> type & 1) != 0 : r->dialects;
}

/* True if the cast at that node of the result is possible. */
static bool can_cast(const ph_test_state *t, uint32_t node) {
  const ph_rulenode *n = &t->pattern->rule->nodes[node];
  ph_type from = ph_test_type(t, t->pattern->rule->nodes[n->first].type);
  ph_type to = ph_test_type(t, n->type);
  return ph_opcheck_types(t->f, n->op, &from, 1, &to).kind == PH_FITS;
}

/* }== Expressions ==================================================== */

/* Returns integers sign-extended: the i1 true is -1. */
static int64_t bits_of(const ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  int64_t bits;
  if (n->op != PH_CONST) return 0;
  bits = (int64_t)f->datas.at[n->aux].bits;
  return n->type == PH_I1 ? -bits : bits;
}

void ph_test_bind(ph_test_state *t) {
  const ph_rule *rule = t->pattern->rule;
  ph_matcher *m = t->m;
  if (t->bound) return;
  t->bound = true;
  ph_numbers_reserve(&m->numbers, m->arena,
                     t->numbers + rule->nvars + rule->nnodes);
  m->numbers.n = t->numbers + rule->nvars + rule->nnodes;
  ph_exprtypes_reserve(&m->types, m->arena, t->types + rule->ntypes);
  m->types.n = t->types + rule->ntypes;
  for (uint32_t i = 1; i < rule->nvars; i++)
    if (rule->vars[i].kind == PH_V_CONST)
      m->numbers.at[t->numbers + i] = bits_of(t->f, ph_test_var(t, i));
  for (uint32_t i = 0; i < rule->ntypes; i++)
    m->types.at[t->types + i] = ph_exprtype_of(ph_test_type(t, i));
}

/* Counts the uses of v other than by the instruction being reconsidered. */
static uint32_t count_uses(const ph_test_state *t, uint32_t v, uint32_t user) {
  uint32_t n = ph_uses_count(t->f, ph_valueid(v));
  for (uint32_t i = 0; user != 0 && i < ph_node_of(t->f, user)->nargs; i++)
    n -= ph_body_operand(t->f, user, i) == v;
  return n;
}

/* The functions of values: each returns its answer for v. */

static int64_t answer_uses(const ph_test_state *t, uint32_t v) {
  return count_uses(t, v, t->m->self);
}

static int64_t answer_isconst(const ph_test_state *t, uint32_t v) {
  return ph_node_of(t->f, v)->op == PH_CONST;
}

static int64_t answer_isphi(const ph_test_state *t, uint32_t v) {
  return ph_node_of(t->f, v)->op == PH_PHI;
}

static int64_t answer_same_block(const ph_test_state *t, uint32_t v) {
  return ph_node_of(t->f, v)->block == t->p->block;
}

static int64_t answer_nonneg(const ph_test_state *t, uint32_t v) {
  int width = ph_type_width(ph_node_of(t->f, v)->type);
  return (int64_t)(ph_facts_of(t->f, v).zeros >> (width - 1) & 1);
}

static int64_t answer_nonzero(const ph_test_state *t, uint32_t v) {
  return ph_facts_of(t->f, v).nonzero;
}

static int64_t answer_zero_bits(const ph_test_state *t, uint32_t v) {
  return ph_exprtype_normal(ph_exprtype_of(ph_node_of(t->f, v)->type),
                            ph_facts_of(t->f, v).zeros);
}

static int64_t (*const answers[])(const ph_test_state *t, uint32_t v) = {
#define ANSWERS_NUMBERS(name) NULL
#define ANSWERS_TYPE(name) NULL
#define ANSWERS_VALUE(name) answer_##name
#define ANSWERS_INTEGER(name) answer_##name
#define PH_FUNCTION(NAME, name, argument, count, result, text) \
  ANSWERS_##argument(name),
#include "core/rules/set/functions.def"
};

static bool answer(const ph_bindings *b, uint32_t node, int64_t *result) {
  ph_test_state *t = b->ud;
  const ph_rulenode *n = &t->pattern->rule->nodes[node];
  uint32_t about;
  if (n->kind == PH_R_CALL) {
    int said = ph_test_call(t, node, NULL);
    *result = said > 0;
    return said >= 0;
  }
  if (n->kind == PH_R_HELPER) {
    ph_exprtype type = b->types[n->type];
    ph_data data = {0, PH_DATA_NONE};
    bool done = ph_test_help(
        t, node, n->type == 0 ? PH_I64 : ph_test_type(t, n->type), &data);
    *result = ph_exprtype_normal(type, data.bits);
    return done;
  }
  about = t->pattern->rule->nodes[n->first].var;
  *result = answers[ph_function_index(n->op)](t, ph_test_var(t, about));
  return true;
}

bool ph_test_eval(ph_test_state *t, uint32_t node, int64_t *value) {
  ph_bindings b;
  ph_test_bind(t);
  b.rule = t->pattern->rule;
  b.consts = t->m->numbers.at + t->numbers;
  b.types = t->m->types.at + t->types;
  b.ask = answer;
  b.ud = t;
  return ph_constexpr_eval(&b, node, value);
}

/* }== Functions of the host ========================================== */

static ph_data data_of(ph_type type, int64_t value) {
  ph_data d = {(uint64_t)value, PH_DATA_INT};
  if (ph_type_isfloat(type)) d.tag = PH_DATA_FLOAT;
  return d;
}

/* False: it is an expression without a value. */
static bool pass_argument(ph_test_state *t, uint32_t node, ph_callback_arg *g) {
  const ph_rulenode *n = &t->pattern->rule->nodes[node];
  uint32_t v = 0;
  int64_t value;
  memset(g, 0, sizeof *g);
  if (n->kind == PH_R_DATA) {
    g->type = PH_ANY;
    g->constant = ph_test_dataof(t, ph_test_note(t, t->pattern->vars, n->var));
    return true;
  }
  if (n->kind == PH_R_HELPER) {
    g->type = n->type == 0 ? PH_ANY : ph_test_type(t, n->type);
    return ph_test_help(t, node, g->type, &g->constant);
  }
  if (n->kind == PH_R_VAR || n->kind == PH_R_CONST) {
    v = ph_test_var(t, n->var);
    g->type = ph_node_of(t->f, v)->type;
    g->value.id = v;
    if (n->kind == PH_R_VAR) return true;
    g->constant = t->f->datas.at[ph_node_of(t->f, v)->aux];
    if (ph_type_isint(g->type)) g->constant.bits = (uint64_t)bits_of(t->f, v);
    return true;
  }
  g->type = n->type == 0 ? PH_I64 : ph_test_type(t, n->type);
  if (!ph_test_eval(t, node, &value)) return false;
  g->constant = data_of(g->type, value);
  return true;
}

/* A call of the host, which can change the set. */
typedef struct {
  ph_compiled *c; /* NULL: there is none, or the set is only read */
  uint32_t site;  /* of the call around it */
} calling;

static calling begin_call(ph_func *f, ph_matcher *m, uint32_t site) {
  calling is = {m->set->frozen ? NULL : m->set->compiled, m->site};
  if (is.c != NULL) is.c->running++;
  f->calling++;
  m->site = site;
  return is;
}

static int end_call(ph_func *f, ph_matcher *m, calling is, int said) {
  m->site = is.site;
  f->calling--;
  if (is.c != NULL) is.c->running--;
  if (said < 0) m->failed = true;
  return said;
}

static int call_host(ph_test_state *t, const ph_rulenode *n,
                     const ph_callback_arg *args, ph_value *value) {
  const ph_callbacks *h = &t->m->callbacks;
  uint32_t rule = t->pattern->number;
  calling is = begin_call(t->f, t->m, value != NULL ? t->p->block : 0);
  int said = value == NULL ? h->guard(h->ud, t->f, rule, n->var, args, n->nkids)
                           : h->action(h->ud, t->f, rule, n->var, args,
                                       n->nkids, t->p->type, value);
  return end_call(t->f, t->m, is, said);
}

/* What a guard has said of an instruction: rules that ask the same share it. */
enum { MOST_ARGS = 8 };

struct ph_asked {
  ph_asked *next;
  uint32_t function, n;
  int said;
  ph_callback_arg args[MOST_ARGS];
};

static bool is_asked(const ph_asked *a, const ph_rulenode *n,
                     const ph_callback_arg *args) {
  if (a->function != n->var || a->n != n->nkids) return false;
  for (uint32_t i = 0; i < a->n; i++)
    if (a->args[i].type != args[i].type ||
        a->args[i].value.id != args[i].value.id ||
        a->args[i].constant.tag != args[i].constant.tag ||
        a->args[i].constant.bits != args[i].constant.bits)
      return false;
  return true;
}

/* At most so many answers are searched. */
enum { MOST_ASKED = 8 };

static PH_NOINLINE int ask_guard(ph_test_state *t, const ph_rulenode *n,
                                 const ph_callback_arg *args) {
  ph_asked *a = t->asked;
  int said;
  if (n->nkids > MOST_ARGS) return call_host(t, n, args, NULL);
  for (int i = 0; a != NULL && i < MOST_ASKED; i++, a = a->next)
    if (is_asked(a, n, args)) return a->said;
  said = call_host(t, n, args, NULL);
  a = ph_arena_alloc(&t->f->scratch, sizeof *a);
  *a = (ph_asked){.next = t->asked, n->var, n->nkids, said, {{0}}};
  for (uint32_t i = 0; i < a->n; i++) a->args[i] = args[i];
  t->asked = a;
  return said;
}

/* Passes the arguments of a call, of which `args` has room for a few; NULL: one
** has no value. */
static ph_callback_arg *pass_arguments(ph_test_state *t, uint32_t node,
                                       ph_callback_arg *args) {
  const ph_rulenode *n = &t->pattern->rule->nodes[node];
  uint32_t i = 0;
  if (n->nkids > MOST_ARGS)
    args = ph_arena_alloc(&t->f->scratch, n->nkids * sizeof *args);
  PH_EACH_KID(t->pattern->rule, node, kid) {
    if (!pass_argument(t, kid, &args[i++])) return NULL;
  }
  return args;
}

bool ph_test_help(ph_test_state *t, uint32_t node, ph_type type,
                  ph_data *data) {
  const ph_rulenode *n = &t->pattern->rule->nodes[node];
  const ph_callbacks *h = &t->m->callbacks;
  ph_callback_arg few[MOST_ARGS], *args = few;
  calling is;
  int said;
  if (h->constant == NULL) return false;
  args = pass_arguments(t, node, few);
  if (args == NULL) return false;
  is = begin_call(t->f, t->m, 0);
  said = h->constant(h->ud, t->f, t->pattern->number, n->var, args, n->nkids,
                     type, data);
  return end_call(t->f, t->m, is, said) > 0;
}

int ph_test_call(ph_test_state *t, uint32_t node, ph_value *value) {
  const ph_rulenode *n = &t->pattern->rule->nodes[node];
  ph_callback_arg few[MOST_ARGS], *args;
  if (value == NULL ? t->m->callbacks.guard == NULL
                    : t->m->callbacks.action == NULL)
    return 0;
  args = pass_arguments(t, node, few);
  if (args == NULL) return t->m->failed ? -1 : 0;
  if (value == NULL) return ask_guard(t, n, args);
  t->asked = NULL;
  return call_host(t, n, args, value);
}

/* False: it is not a constant of which the core has a copy. */
static bool pass_constant(ph_type type, ph_data data, ph_callback_arg *g) {
  *g = (ph_callback_arg){.type = type, .constant = data};
  return data.tag != PH_DATA_NONE && data.tag < PH_DATA_HOST;
}

static bool pass_operands(const ph_func *f, const ph_pending *p,
                          ph_callback_arg *args) {
  for (uint32_t i = 0; i < p->nargs; i++) {
    const ph_node *n = ph_node_of(f, p->args[i]);
    if (n->op != PH_CONST ||
        !pass_constant(n->type, f->datas.at[n->aux], &args[i]))
      return false;
  }
  return p->data.tag == PH_DATA_NONE ||
         pass_constant(PH_ANY, p->data, &args[p->nargs]);
}

int ph_matcher_eval(ph_func *f, const ph_pending *p, uint32_t *v) {
  const ph_callbacks *h = &f->matcher->callbacks;
  ph_callback_arg few[8], *args = few;
  uint32_t n = p->nargs + (p->data.tag != PH_DATA_NONE);
  ph_value value = {0};
  calling is;
  int said;
  if (h->eval == NULL || !ph_op_ispure(f, p->op) ||
      ph_op_nresults(f, p->op) != 1)
    return 0;
  if (n > 8) args = ph_arena_alloc(&f->scratch, n * sizeof *args);
  if (!pass_operands(f, p, args)) return 0;
  is = begin_call(f, f->matcher, 0);
  said = h->eval(h->ud, f, p->op, args, n, p->type, &value);
  *v = value.id;
  return end_call(f, f->matcher, is, said);
}

/* }== Data =========================================================== */

ph_data ph_test_dataof(const ph_test_state *t, uint32_t slot) {
  if (slot == PH_SLOT_ROOT) return t->p->data;
  return t->f->datas.at[ph_node_of(t->f, ph_test_slots(t)[slot])->aux];
}

bool ph_test_isdata(const ph_test_state *t, ph_data data,
                    const ph_rulenode *n) {
  if (data.tag != (ph_tag)n->var) return false;
  if (data.tag != PH_DATA_STR) return data.bits == n->bits;
  return ph_ascii_same(ph_intern_string(t->f, (uint32_t)data.bits),
                       t->pattern->rule->vars[n->op].name);
}

/* Apart, as it is of few rules. */
static PH_NOINLINE bool has_data(const ph_test_state *t, const ph_test *test) {
  const ph_rulenode *nodes = t->pattern->rule->nodes, *n = &nodes[test->arg];
  const ph_rulenode *wanted = &nodes[n->bits];
  ph_data is;
  uint32_t first;
  if (test->arg == 0) return t->p->data.tag == PH_DATA_NONE;
  if (test->slot != PH_SLOT_ROOT) {
    ph_op op = ph_node_of(t->f, ph_test_slots(t)[test->slot])->op;
    if (ph_matcher_op(t->f, t->m, op) != n->op) return false;
  }
  is = ph_test_dataof(t, test->slot);
  if (is.tag == PH_DATA_NONE) return false;
  if (wanted->kind == PH_R_LIT) return ph_test_isdata(t, is, wanted);
  first = ph_test_note(t, t->pattern->vars, wanted->var);
  if (first == test->slot) return true;
  ph_data as = ph_test_dataof(t, first);
  return is.tag == as.tag && is.bits == as.bits;
}

/* }== Tests ========================================================== */

static bool is_literal(const ph_test_state *t, uint32_t v, uint32_t node) {
  const ph_rulenode *lit = &t->pattern->rule->nodes[node];
  const ph_node *n = ph_node_of(t->f, v);
  ph_data is = t->f->datas.at[n->aux];
  if (ph_type_isint(n->type))
    return (is.bits ^ ph_test_literal(lit, n->type))
               << (64 - ph_type_width(n->type)) ==
           0;
  return lit->kind == PH_R_LIT && is.bits == lit->bits &&
         (ph_type_isfloat(n->type) || is.tag == (ph_tag)lit->var);
}

static bool has_tag(const ph_test_state *t, uint32_t slot, ph_want want) {
  if (slot >= PH_SLOT_INNER && slot < PH_SLOTS)
    return ph_want_accepts(want, t->tags[slot]);
  return ph_want_accepts(want,
                         ph_matcher_tag(t->f, t->m, ph_test_slots(t)[slot]));
}

static bool load_operand(const ph_test_state *t, const ph_test *test) {
  uint32_t from = test->arg >> 16, i = test->arg & 0xffff;
  uint32_t *slots = ph_test_slots(t);
  if (from == PH_SLOT_ROOT) {
    if (i >= t->p->nargs) return false;
    slots[test->slot] = t->p->args[i];
    return true;
  }
  if (i >= ph_node_of(t->f, slots[from])->nargs) return false;
  slots[test->slot] = ph_body_operand(t->f, slots[from], i);
  return true;
}

/* Loads both operands in the order that the op of the compare tells, or that is
** chosen. */
static void load_operands(ph_test_state *t, const ph_test *test) {
  uint32_t user = test->arg >> 16, choice = test->arg & 0xffff;
  uint32_t *slots = ph_test_slots(t);
  uint32_t node = ph_test_note(t, t->pattern->nodes, user), turned;
  if (choice == PH_NOCHOICE) {
    turned = !has_tag(t, user, t->pattern->rule->nodes[node].op);
  } else {
    turned = t->choices >> choice & 1;
    t->chosen = choice + 1;
  }
  slots[test->slot] = ph_body_operand(t->f, slots[user], turned);
  slots[test->slot + 1] = ph_body_operand(t->f, slots[user], 1 - turned);
}

static bool has_count(const ph_test_state *t, const ph_test *test) {
  if (test->slot == PH_SLOT_ROOT) return t->p->nargs == test->arg;
  return ph_node_of(t->f, ph_test_slots(t)[test->slot])->nargs == test->arg;
}

/* True if nothing but what is in the slot `user` uses `slot`. */
static bool is_spare(const ph_test_state *t, uint32_t slot, uint32_t user) {
  const uint32_t *slots = ph_test_slots(t);
  uint32_t by = user == PH_SLOT_ROOT ? t->m->self : slots[user];
  return count_uses(t, slots[slot], by) == 0;
}

uint32_t ph_test_spare(const ph_test_state *t, uint32_t most) {
  const ph_pattern *p = t->pattern;
  uint32_t n = 0;
  for (uint32_t i = 0; i < p->ninner && n < most; i++)
    n += is_spare(t, ph_test_note(t, p->inner, 2 * i),
                  ph_test_note(t, p->inner, 2 * i + 1));
  return n;
}

/* Apart, as few rules ask: it takes nothing from the others. */
PH_NOINLINE uint32_t ph_test_saved(const ph_test_state *t, bool all) {
  const ph_pattern *p = t->pattern;
  uint32_t cost = 0;
  for (uint32_t i = 0; i < p->ninner; i++) {
    uint32_t slot = ph_test_note(t, p->inner, 2 * i);
    if (all || is_spare(t, slot, ph_test_note(t, p->inner, 2 * i + 1)))
      cost += ph_rule_cost(&t->m->set->space,
                           &p->rule->nodes[ph_test_note(t, p->nodes, slot)]);
  }
  return cost;
}

static bool is_equal(ph_test_state *t, uint32_t v, uint32_t node) {
  const ph_node *n;
  int64_t value;
  if (!ph_test_eval(t, node, &value)) return false;
  n = ph_node_of(t->f, v);
  if (ph_type_isint(n->type)) value = ph_const_normal(n->type, value);
  return (uint64_t)value == t->f->datas.at[n->aux].bits;
}

static bool is_true(ph_test_state *t, uint32_t node) {
  int64_t value;
  return ph_test_eval(t, node, &value) && value != 0;
}

static inline bool passes(ph_test_state *t, const ph_test *test) {
  const uint32_t *slots = ph_test_slots(t);
  switch ((ph_testkind)test->kind) {
    case PH_TEST_LATE:
      return t->m->late;
    case PH_TEST_COUNT:
      return has_count(t, test);
    case PH_TEST_TARGETS:
      return t->p->ntargets == test->arg;
    case PH_TEST_TARGET:
      return t->p->targets[test->slot] == t->p->targets[test->arg];
    case PH_TEST_DATA:
      return has_data(t, test);
    case PH_TEST_WANT:
      return has_tag(t, test->slot, test->arg);
    case PH_TEST_LOAD:
      return load_operand(t, test);
    case PH_TEST_EITHER:
      return has_tag(t, test->slot, test->arg) ||
             has_tag(t, test->slot,
                     ph_op_swapped(&t->m->set->space, (ph_op)test->arg));
    case PH_TEST_LOADS:
      load_operands(t, test);
      return true;
    case PH_TEST_SAME:
      return slots[test->slot] == slots[test->arg];
    case PH_TEST_LITERAL:
      return is_literal(t, slots[test->slot], test->arg);
    case PH_TEST_TYPE:
      return is_among(t, slot_type(t, test->slot),
                      &t->pattern->rule->types[test->arg]);
    case PH_TEST_LIKE:
      return slot_type(t, test->slot) == slot_type(t, test->arg);
    case PH_TEST_CAST:
      return can_cast(t, test->arg);
    case PH_TEST_ONCE:
      return is_spare(t, test->slot, test->arg);
    case PH_TEST_SPARE:
      return ph_test_spare(t, test->arg) == test->arg;
    case PH_TEST_COST:
      return ph_test_saved(t, false) >= test->arg;
    case PH_TEST_EQUAL:
      return is_equal(t, slots[test->slot], test->arg);
    case PH_TEST_GUARD:
      return is_true(t, test->arg);
  }
  return false;
}

static uint32_t run_tests(ph_test_state *t, uint32_t i) {
  const ph_test *tests = t->table->list.tests.at; /* NULL: there are none */
  uint32_t end = t->pattern->end;
  while (i < end && passes(t, &tests[i])) i++;
  return i;
}

/* Changes the last choice that has another alternative.  Returns the test to
** continue with, given the one that failed; 0: nothing is left to choose. */
static uint32_t change_choice(ph_test_state *t, uint32_t failed) {
  const ph_test *tests = t->table->list.tests.at;
  uint32_t i = failed, last;
  while (t->chosen > 0 && (t->choices >> (t->chosen - 1) & 1) != 0)
    t->choices &= ~(1u << --t->chosen);
  if (t->chosen == 0 || t->m->failed) return 0;
  last = t->chosen - 1;
  t->choices |= 1u << last;
  t->bound = false;
  do i--;
  while (tests[i].kind != PH_TEST_LOADS || (tests[i].arg & 0xffff) != last);
  return i;
}

/* Makes other choices until no test fails. */
static bool run_again(ph_test_state *t, uint32_t failed) {
  uint32_t i;
  while ((i = change_choice(t, failed)) != 0) {
    failed = run_tests(t, i);
    if (failed == t->pattern->end) return true;
  }
  return false;
}

static void begin_tests(ph_test_state *t, uint32_t choices) {
  t->bound = false;
  t->chosen = 0;
  t->choices = choices;
}

bool ph_test_run(ph_test_state *t) {
  uint32_t i;
  begin_tests(t, 0);
  i = run_tests(t, t->pattern->tried);
  return i == t->pattern->end || (t->chosen > 0 && run_again(t, i));
}

uint32_t ph_test_count(ph_test_state *t) {
  uint32_t first = t->pattern->first, best, choices = 0, i;
  begin_tests(t, 0);
  best = i = run_tests(t, first);
  while (best < t->pattern->end && (i = change_choice(t, i)) != 0) {
    i = run_tests(t, i);
    if (i <= best) continue;
    best = i;
    choices = t->choices;
  }
  begin_tests(t, choices);
  return run_tests(t, first) - first;
}

/* }=================================================================== */
