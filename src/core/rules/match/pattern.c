/* pattern.c: compiles the tree of a pattern to tests.
**
** A pattern is walked level by level; each node gets a slot for the value at
** its position, and what the node requires of that value becomes a test.  Tests
** that cost more come last: types, numbers of uses, expressions, guards.  Types
** are tested only where the ops met so far leave them open: the operands of an
** add need no test for being integers of one width.
**
** If an order is to be chosen while matching, the walk goes down first: what a
** wrong choice makes fail comes soon after it.
*/
#include "core/rules/match/pattern.h"

#include <assert.h>

#include "core/ir/op.h"
#include "core/ir/opcheck.h"
#include "core/rules/set/constexpr.h"

/*
** {== Tests ==========================================================
*/

typedef struct {
  ph_patternlist *l;
  const ph_func *space;
  const ph_rule *rule;
  ph_pattern *p; /* being made, not yet in the list */
  ph_orders orders;
  ph_ids queue;       /* slots of instructions, still to be entered */
  bool data;          /* instructions with data are matched, too */
  uint32_t choices;   /* the number of orders to choose while matching */
  ph_ids vars;        /* by variable: its slot + 1, or 0 */
  ph_ids types;       /* by type: a slot + 1, or 0 */
  ph_ids likes;       /* by slot: one known to have the same type, or itself */
  ph_ids nodes;       /* by slot, 0: none */
  ph_ids users;       /* by slot: that of the instruction whose operand it is */
  ph_ids inner;       /* slot, user, slot, ... */
  ph_typing *typing;  /* by slot: the types that it can have */
  uint32_t room;      /* of `typing` */
  ph_tests near, far; /* decided by the table; the others */
} maker;

static const ph_rulenode *node_of(const maker *m, uint32_t node) {
  return &m->rule->nodes[node];
}

static void add_test(maker *m, ph_testkind kind, uint32_t slot, uint32_t arg) {
  ph_test t = {(uint8_t)kind, (uint16_t)slot, arg};
  bool is_near = kind == PH_TEST_WANT && slot <= PH_SLOT_SECOND;
  /* The table knows of equal targets only where there is one operand. */
  is_near |= ph_op_nargs(m->space, m->rule->root) == 1
                 ? kind == PH_TEST_TARGET && slot == 1
                 : kind == PH_TEST_SAME && slot == PH_SLOT_SECOND;
  ph_tests_push(is_near ? &m->near : &m->far, m->l->scratch, t);
}

/* }== Types ========================================================== */

static uint32_t slot_like(const maker *m, uint32_t slot) {
  while (m->likes.at[slot] != slot) slot = m->likes.at[slot];
  return slot;
}

static void narrow_types(ph_typing *t, const ph_typing *by) {
  t->mask &= by->mask;
  t->dialects = t->dialects && by->dialects;
  if (by->fixed != PH_NOTYPE) t->fixed = by->fixed;
}

static void join_types(maker *m, uint32_t a, uint32_t b) {
  a = slot_like(m, a);
  b = slot_like(m, b);
  if (a == b) return;
  m->likes.at[b] = a;
  narrow_types(&m->typing[a], &m->typing[b]);
}

/* True if every type of `t` is one of the rule's type. */
static bool is_within(const ph_typing *t, const ph_ruletype *type) {
  if (type->fixed != PH_NOTYPE) return t->fixed == type->fixed;
  if (t->fixed >= PH_TYPES) return type->dialects;
  return (t->mask & ~type->mask) == 0 && (!t->dialects || type->dialects);
}

/* Each type of the rule belongs to the first slot that has it; others must have
** the same type. */
static void test_types(maker *m) {
  for (uint32_t slot = 0; slot < m->nodes.n; slot++) {
    uint32_t node = m->nodes.at[slot], type;
    if (node == 0 || (type = node_of(m, node)->type) == 0) continue;
    if (m->types.at[type] == 0) {
      m->types.at[type] = slot + 1;
      if (!is_within(&m->typing[slot_like(m, slot)], &m->rule->types[type]))
        add_test(m, PH_TEST_TYPE, slot, type);
    } else if (slot_like(m, slot) != slot_like(m, m->types.at[type] - 1)) {
      if (m->rule->types[type].fixed == PH_NOTYPE ||
          !is_within(&m->typing[slot_like(m, slot)], &m->rule->types[type]))
        add_test(m, PH_TEST_LIKE, slot, m->types.at[type] - 1);
    }
  }
}

/* }== What nodes ask ================================================= */

static ph_want tag_bit(uint32_t tag) {
  return PH_WANT_CONST(1u << (tag - PH_TAG_CONST));
}

/* What a literal is at widths above 1. */
static ph_want wanted_wide(const ph_rulenode *n) {
  const ph_want most = tag_bit(PH_TAG_CONST), minus = tag_bit(PH_TAG_MINUS);
  if (n->kind != PH_R_LIT) return most;
  if (n->bits == 0) return tag_bit(PH_TAG_ZERO);
  if (n->bits == 1) return tag_bit(PH_TAG_ONE);
  if (n->bits == UINT64_MAX) return minus;
  return (n->bits & (n->bits + 1)) == 0 ? most | minus : most;
}

static ph_want wanted_literal(const ph_rulenode *n, const ph_ruletype *type) {
  const uint32_t floats = 1 << PH_F32 | 1 << PH_F64 | 1 << PH_ANY;
  bool is_true = n->kind == PH_R_LIT ? n->bits & 1 : n->kind == PH_R_MIN;
  ph_want w = 0;
  if ((type->mask & floats) != 0) return PH_WANT_CONST(PH_WANT_ALLCONSTS);
  if ((type->mask & ~(1u << PH_I1)) != 0) w |= wanted_wide(n);
  if ((type->mask & 1u << PH_I1) == 0) return w;
  return w | tag_bit(is_true ? PH_TAG_TRUE : PH_TAG_FALSE);
}

/* True if the tag decides the literal, so that it needs no other test. */
static bool is_told_by_tag(ph_want want) {
  return (want & tag_bit(PH_TAG_CONST) & ~(ph_want)PH_TAG_CONST) == 0;
}

static void test_want(maker *m, uint32_t slot, ph_want w) {
  add_test(m, PH_TEST_WANT, slot, w);
  if (slot == PH_SLOT_FIRST) m->p->wanted.want[0] = w;
  if (slot == PH_SLOT_SECOND) m->p->wanted.want[1] = w;
}

static void test_var(maker *m, const ph_rulenode *n, uint32_t slot) {
  uint32_t *known = &m->vars.at[n->var];
  if (*known == 0) {
    *known = slot + 1;
    if (n->kind == PH_R_CONST)
      test_want(m, slot, PH_WANT_CONST(PH_WANT_ALLCONSTS));
    return;
  }
  m->p->equalities++;
  if (slot == PH_SLOT_SECOND && *known - 1 == PH_SLOT_FIRST)
    m->p->wanted.same = true;
  add_test(m, PH_TEST_SAME, slot, *known - 1);
  join_types(m, slot, *known - 1);
}

static void test_literal(maker *m, uint32_t node, uint32_t slot) {
  const ph_rulenode *n = node_of(m, node);
  ph_want w = wanted_literal(n, &m->rule->types[n->type]);
  m->p->literals++;
  test_want(m, slot, w);
  if (!is_told_by_tag(w)) add_test(m, PH_TEST_LITERAL, slot, node);
}

/* Of instructions with data no tag tells the op. */
static void test_data(maker *m, uint32_t node, uint32_t slot) {
  const ph_rulenode *data = node_of(m, (uint32_t)node_of(m, node)->bits);
  add_test(m, PH_TEST_DATA, slot, node);
  if (data->kind == PH_R_LIT)
    m->p->literals++;
  else if (m->vars.at[data->var] == 0)
    m->vars.at[data->var] = slot + 1;
  else
    m->p->equalities++;
}

/* An open order of a compare is told by its op. */
static void test_op(maker *m, uint32_t node, uint32_t slot) {
  ph_op op = ph_orders_op(&m->orders, node);
  if (node_of(m, node)->bits != 0)
    test_data(m, node, slot);
  else if (ph_orders_isopen(&m->orders, node) &&
           ph_op_swapped(m->space, op) != op)
    add_test(m, PH_TEST_EITHER, slot, op);
  else
    test_want(m, slot, op);
}

/* Tests what the value in `slot` must be by itself; operands come later. */
static void test_node(maker *m, uint32_t node, uint32_t slot) {
  const ph_rulenode *n = node_of(m, node);
  switch (n->kind) {
    case PH_R_VAR:
    case PH_R_CONST:
      test_var(m, n, slot);
      break;
    case PH_R_LIT:
    case PH_R_MIN:
    case PH_R_MAX:
      test_literal(m, node, slot);
      break;
    case PH_R_EXPR:
      test_want(m, slot, PH_WANT_CONST(PH_WANT_ALLCONSTS));
      break;
    case PH_R_OP:
      test_op(m, node, slot);
      if (n->var != 0) test_var(m, n, slot);
      break;
    default: /* any */
      break;
  }
}

/* }== Walking ======================================================== */

/* Gives a node a slot: `slot`, or a new one. */
static uint32_t give_slot(maker *m, uint32_t node, uint32_t slot) {
  const ph_typing any = {PH_NOTYPE, true, UINT16_MAX, 0};
  if (slot == PH_NOSLOT) slot = m->p->slots++;
  ph_ids_extend(&m->nodes, m->l->scratch, slot + 1);
  ph_ids_extend(&m->users, m->l->scratch, slot + 1);
  while (m->likes.n <= slot) {
    if (m->likes.n == m->room) {
      uint32_t room = m->room * 2 + 16;
      m->typing =
          ph_arena_grow(m->l->scratch, m->typing, m->room * sizeof *m->typing,
                        room * sizeof *m->typing);
      m->room = room;
    }
    m->typing[m->likes.n] = any;
    ph_ids_push(&m->likes, m->l->scratch, m->likes.n);
  }
  m->nodes.at[slot] = node;
  return slot;
}

/* Returns the slot that operand i of `slot` occupies from the start. */
static uint32_t given_slot(uint32_t slot, uint32_t i) {
  if (i > 1 || slot >= PH_SLOT_INNER) return PH_NOSLOT;
  if (slot == PH_SLOT_ROOT) return PH_SLOT_FIRST + i;
  return PH_SLOT_INNER + 2 * (slot - PH_SLOT_FIRST) + i;
}

static bool is_label(const maker *m, uint32_t kid) {
  return node_of(m, kid)->kind == PH_R_LABEL;
}

static uint32_t count_operands(const maker *m, uint32_t node) {
  uint32_t n = 0;
  PH_EACH_KID(m->rule, node, kid) n += !is_label(m, kid);
  return n;
}

/* Gives slots to operands of the instruction in `slot`, and loads those that
** are not at hand. */
static void load_operands(maker *m, uint32_t node, uint32_t slot, uint32_t n,
                          ph_ids *slots) {
  bool open = ph_orders_isopen(&m->orders, node);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t given = given_slot(slot, i);
    uint32_t its = give_slot(m, ph_orders_kid(&m->orders, node, i), given);
    if (given == PH_NOSLOT && !open)
      add_test(m, PH_TEST_LOAD, its, slot << 16 | i);
    m->users.at[its] = slot;
    ph_ids_push(slots, m->l->scratch, its);
  }
  if (!open) return;
  assert(slots->at != NULL && "two operands, which change places");
  add_test(m, PH_TEST_LOADS, slots->at[0],
           slot << 16 | (ph_op_swapped(m->space, node_of(m, node)->op) ==
                                 node_of(m, node)->op
                             ? m->choices++
                             : PH_NOCHOICE));
}

/* Tests the operands of the instruction in `slot`; those that are instructions
** are entered later. */
static void test_operands(maker *m, uint32_t node, uint32_t slot) {
  uint32_t n = count_operands(m, node);
  ph_ids slots = {NULL, 0, 0};
  ph_op op = ph_orders_op(&m->orders, node);
  if (ph_op_nargs(m->space, op) == PH_VARIADIC)
    add_test(m, PH_TEST_COUNT, slot, n);
  load_operands(m, node, slot, n, &slots);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t kid = m->nodes.at[slots.at[i]];
    test_node(m, kid, slots.at[i]);
    if (node_of(m, kid)->kind == PH_R_OP)
      ph_ids_push(&m->queue, m->l->scratch, slots.at[i]);
  }
  ph_ids_push(&slots, m->l->scratch, slot);
  for (uint32_t i = 0; i <= n; i++) {
    ph_typing t = ph_opcheck_typing(m->space, op, i == n ? -1 : (int)i);
    narrow_types(&m->typing[slot_like(m, slots.at[i])], &t);
    for (uint32_t j = 0; j < i && t.letter != 0; j++)
      if (ph_opcheck_typing(m->space, op, (int)j).letter == t.letter)
        join_types(m, slots.at[j], slots.at[i]);
  }
}

/* Tests the labels of the root. */
static void test_labels(maker *m) {
  uint32_t n = 0;
  PH_EACH_KID(m->rule, m->rule->lhs, kid) {
    uint32_t *known;
    if (!is_label(m, kid)) continue;
    if (node_of(m, kid)->var != 0) {
      known = &m->vars.at[node_of(m, kid)->var];
      if (*known == 0) {
        *known = n + 1;
      } else {
        if (n == 1 && ph_op_nargs(m->space, m->rule->root) == 1)
          m->p->wanted.same = true;
        add_test(m, PH_TEST_TARGET, n, *known - 1);
      }
    }
    n++;
  }
  if (ph_op_ntargets(m->space, m->rule->root) == PH_VARIADIC)
    add_test(m, PH_TEST_TARGETS, 0, n);
}

static void walk_pattern(maker *m) {
  give_slot(m, m->rule->lhs, PH_SLOT_ROOT);
  for (uint32_t i = PH_SLOT_FIRST; i < PH_SLOTS; i++) give_slot(m, 0, i);
  m->p->slots = PH_SLOTS;
  if (node_of(m, m->rule->lhs)->bits != 0)
    test_data(m, m->rule->lhs, PH_SLOT_ROOT);
  else if (m->data)
    add_test(m, PH_TEST_DATA, PH_SLOT_ROOT, 0);
  test_operands(m, m->rule->lhs, PH_SLOT_ROOT);
  test_labels(m);
  for (uint32_t i = 0; i < m->queue.n;) {
    uint32_t slot =
        m->orders.open.n > 0 ? m->queue.at[--m->queue.n] : m->queue.at[i++];
    uint32_t level = 1;
    for (uint32_t s = slot; s != PH_SLOT_ROOT; s = m->users.at[s]) level++;
    if (level > m->p->levels) m->p->levels = level;
    ph_ids_push(&m->inner, m->l->scratch, slot);
    ph_ids_push(&m->inner, m->l->scratch, m->users.at[slot]);
    m->p->ops++;
    test_operands(m, m->nodes.at[slot], slot);
  }
}

/* }== What is tested last ============================================ */

/* Returns what the instructions of the result cost that it is sure to make;
** *most: at least what the dearest costs. */
static uint32_t cost_of_result(const maker *m, uint32_t node, uint32_t *most) {
  const ph_rulenode *n = node_of(m, node);
  uint32_t cost = 0;
  if (n->kind == PH_R_ONLY && node_of(m, n->first)->kind == PH_R_OP)
    node = n->first;
  else if (n->kind == PH_R_OP)
    cost = ph_rule_cost(m->space, n);
  if (cost > *most) *most = cost;
  PH_EACH_KID(m->rule, node, kid) cost += cost_of_result(m, kid, most);
  return cost;
}

/* Tests what the result, of several instructions, costs. */
static void test_costs(maker *m) {
  uint32_t saved = ph_rule_cost(m->space, node_of(m, m->rule->lhs));
  uint32_t most = saved, cost = cost_of_result(m, m->rule->rhs, &most);
  for (uint32_t i = 0; i < m->inner.n; i += 2) {
    uint32_t its =
        ph_rule_cost(m->space, node_of(m, m->nodes.at[m->inner.at[i]]));
    if (its > most) most = its;
  }
  if (cost > saved)
    add_test(m, most > 1 ? PH_TEST_COST : PH_TEST_SPARE, 0, cost - saved);
}

/* Tests for the result: casts, and costs if it makes several instructions. */
static void test_result(maker *m) {
  uint32_t made = 0;
  ph_ids todo = {NULL, 0, 0};
  ph_ids_push(&todo, m->l->scratch, m->rule->rhs);
  for (uint32_t i = 0; i < todo.n; i++) {
    const ph_rulenode *n = node_of(m, todo.at[i]);
    m->p->computes |= n->kind == PH_R_EXPR || n->kind == PH_R_HELPER ||
                      (n->kind == PH_R_OP &&
                       node_of(m, (uint32_t)n->bits)->kind == PH_R_HELPER);
    m->p->finds |= n->kind == PH_R_ONLY;
    if (n->kind == PH_R_OP && ph_op_iscast(n->op))
      add_test(m, PH_TEST_CAST, 0, todo.at[i]);
    made += n->kind == PH_R_OP;
    if (n->kind != PH_R_OP && n->kind != PH_R_ONLY) continue;
    made -= n->kind == PH_R_ONLY && node_of(m, n->first)->kind == PH_R_OP;
    PH_EACH_KID(m->rule, todo.at[i], kid) {
      ph_ids_push(&todo, m->l->scratch, kid);
    }
  }
  if (made < 2 || m->rule->flags & PH_RULE_ALWAYS) return;
  if (m->space->dialects.n > 0)
    test_costs(m);
  else
    add_test(m, PH_TEST_SPARE, 0, made - 1);
}

static bool has_call(const maker *m, uint32_t node) {
  if (ph_rule_iscall(node_of(m, node))) return true;
  PH_EACH_KID(m->rule, node, kid) {
    if (has_call(m, kid)) return true;
  }
  return false;
}

/* Tests the parts of a guard that `and` connects, either those that call the host
** or the others. */
static void test_guard(maker *m, uint32_t node, bool calls) {
  const ph_rulenode *n = node_of(m, node);
  if (n->kind == PH_R_EXPR && n->op == PH_F_AND) {
    test_guard(m, n->first, calls);
    test_guard(m, node_of(m, n->first)->next, calls);
  } else if (has_call(m, node) == calls) {
    add_test(m, PH_TEST_GUARD, 0, node);
  }
}

static void test_rest(maker *m) {
  test_types(m);
  for (uint32_t i = 0; i < m->inner.n; i += 2)
    if (node_of(m, m->nodes.at[m->inner.at[i]])->once)
      add_test(m, PH_TEST_ONCE, m->inner.at[i], m->inner.at[i + 1]);
  test_result(m);
  for (uint32_t slot = 0; slot < m->nodes.n; slot++) {
    uint32_t node = m->nodes.at[slot];
    if (node != 0 && node_of(m, node)->kind == PH_R_EXPR)
      add_test(m, PH_TEST_EQUAL, slot, node);
  }
  if (m->rule->guard == 0) return;
  if (!has_call(m, m->rule->guard)) {
    add_test(m, PH_TEST_GUARD, 0, m->rule->guard);
    return;
  }
  test_guard(m, m->rule->guard, false);
  test_guard(m, m->rule->guard, true);
}

/* }== Adding ========================================================= */

static uint32_t note_ids(maker *m, const ph_ids *ids, uint32_t n) {
  uint32_t first = m->l->notes.n;
  for (uint32_t i = 0; i < n; i++)
    ph_ids_push(&m->l->notes, m->l->arena, ids->at[i]);
  return first;
}

/* Notes slots, which the list stores plus 1. */
static uint32_t note_slots(maker *m, const ph_ids *ids) {
  uint32_t first = m->l->notes.n;
  for (uint32_t i = 0; i < ids->n; i++)
    ph_ids_push(&m->l->notes, m->l->arena, ids->at[i] - 1);
  return first;
}

/* Ranks results: constants before values before instructions, since the first
** match should be the simplest. */
static uint32_t tier_of(const ph_rulenode *n) {
  if (ph_rule_isconst(n)) return 0;
  return n->kind == PH_R_VAR || n->kind == PH_R_ONLY ? 1 : 2;
}

/* True if a variable occurs in the tree. */
static bool has_var(const maker *m, uint32_t node, uint32_t var) {
  const ph_rulenode *n = node_of(m, node);
  if (n->kind == PH_R_VAR && n->var == var) return true;
  PH_EACH_KID(m->rule, node, kid) {
    if (has_var(m, kid, var)) return true;
  }
  return false;
}

/* True if the result needs the instruction in the slot, as it names it, or one
** that uses it. */
static bool is_kept(const maker *m, uint32_t slot) {
  for (; slot != PH_SLOT_ROOT; slot = m->users.at[slot]) {
    uint32_t var = node_of(m, m->nodes.at[slot])->var;
    if (var != 0 && has_var(m, m->rule->rhs, var)) return true;
  }
  return false;
}

/* Notes the inner instructions that the result can make redundant: what may trap
** stays. */
static void note_inner(maker *m, ph_pattern *p) {
  p->inner = m->l->notes.n;
  for (uint32_t i = 0; i < m->inner.n; i += 2) {
    uint32_t slot = m->inner.at[i];
    ph_op op = node_of(m, m->nodes.at[slot])->op;
    if (is_kept(m, slot) || ph_op_flags(m->space, op) & PH_TRAPS) continue;
    ph_ids_push(&m->l->notes, m->l->arena, slot);
    ph_ids_push(&m->l->notes, m->l->arena, m->inner.at[i + 1]);
    p->ninner++;
  }
}

/* True if the guard, or an action, asks about values. */
static bool asks(const ph_rule *rule) {
  for (uint32_t i = 1; i < rule->nnodes; i++) {
    const ph_rulenode *n = &rule->nodes[i];
    if (n->kind == PH_R_CALL ||
        (n->kind == PH_R_EXPR && ph_function_asks(n->op)))
      return true;
  }
  return false;
}

static void put_tests(maker *m) {
  ph_tests *all = &m->l->tests;
  m->p->first = all->n;
  for (uint32_t i = 0; i < m->near.n; i++)
    ph_tests_push(all, m->l->arena, m->near.at[i]);
  m->p->decided = all->n;
  for (uint32_t i = 0; i < m->far.n; i++)
    ph_tests_push(all, m->l->arena, m->far.at[i]);
  m->p->end = all->n;
}

static void make_pattern(maker *m, uint32_t number) {
  ph_pattern p = {0};
  p.rule = m->rule;
  p.number = number;
  p.order = m->orders.bits;
  p.wanted.want[0] = p.wanted.want[1] = PH_WANT_ANY;
  p.levels = 1;
  p.tier = tier_of(node_of(m, m->rule->rhs));
  m->p = &p;
  m->queue.n = m->nodes.n = m->users.n = m->likes.n = m->inner.n = 0;
  m->near.n = m->far.n = m->vars.n = m->types.n = m->choices = 0;
  ph_ids_extend(&m->vars, m->l->scratch, m->rule->nvars);
  ph_ids_extend(&m->types, m->l->scratch, m->rule->ntypes);
  if (m->rule->flags & PH_RULE_LATE) add_test(m, PH_TEST_LATE, 0, 0);
  walk_pattern(m);
  test_rest(m);
  put_tests(m);
  p.vars = note_slots(m, &m->vars);
  p.types = note_slots(m, &m->types);
  note_inner(m, &p);
  if (asks(m->rule)) p.levels = PH_LEVELS_ALL;
  p.nodes = note_ids(m, &m->nodes, m->nodes.n);
  ph_patterns_push(&m->l->patterns, m->l->arena, p);
}

void ph_pattern_add(ph_patternlist *l, const ph_ruleset *set, uint32_t number,
                    ph_op root) {
  maker m;
  memset(&m, 0, sizeof m);
  m.l = l;
  m.space = &set->space;
  m.rule = set->rules.at[number];
  m.data = ph_ruleset_takesdata(set, m.rule->root);
  ph_orders_find(&m.orders, l->scratch, set, m.rule);
  do
    if (ph_orders_op(&m.orders, m.rule->lhs) == root) make_pattern(&m, number);
  while (ph_orders_next(&m.orders));
}

/* }=================================================================== */
