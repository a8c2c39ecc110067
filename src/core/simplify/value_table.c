/* value_table.c: a hash table of the expressions that values compute.
**
** Keys are op, type, operands and data.  The same expression may be computed in
** several blocks of which none dominates the others, so a slot holds the value
** added last, and older ones are chained to it; the caller decides which of
** them can be used, since construction and a finished function compute
** dominance by different means.
**
** When operands are replaced, their users stay in the wrong slot and are not
** found there: comparing resolves operands, so nothing wrong is found either.
**
** One of the two orders of operands is canonical, so that there is one
** expression to look for; rules need to handle fewer cases, too.
**
** A division that may trap is merged with an earlier one: if that has not
** trapped, this does not.
*/
#include "core/simplify/value_table.h"

#include "core/ir/op.h"

/* Puts constants to the right; else, of a commutative op, the older value; and
** turns 'greater' into 'less'. */
static bool is_swapped(const ph_func *f, const ph_pending *p, ph_op other) {
  bool a = ph_node_of(f, p->args[0])->op == PH_CONST;
  bool b = ph_node_of(f, p->args[1])->op == PH_CONST;
  if (a != b) return a;
  return p->op == other ? p->args[0] < p->args[1] : p->op > other;
}

void ph_value_table_order(const ph_func *f, ph_pending *p) {
  ph_op other = p->nargs == 2 ? ph_op_swapped(f, p->op) : PH_NONE;
  uint32_t first;
  if (other == PH_NONE || !is_swapped(f, p, other)) return;
  p->op = other;
  first = p->args[0];
  p->args[0] = p->args[1];
  p->args[1] = first;
}

bool ph_value_table_merges(const ph_func *f, ph_op op) {
  if (op < PH_OPS)
    return ph_op_computes(op) || op == PH_PROJ || op == PH_ADDRESS;
  return ph_op_effectof(f, op) == PH_EFFECT_NONE;
}

static ph_data data_of(const ph_func *f, const ph_node *n) {
  return f->datas.at[n->aux];
}

static uint32_t stir(uint32_t h, uint32_t x) {
  h = (h ^ x) * UINT32_C(0x9e3779b1);
  return h ^ h >> 15;
}

void ph_value_table_hash(const ph_func *f, ph_constexpr *e) {
  uint32_t h = stir(f->seed, (uint32_t)e->op << 8 | e->type);
  for (uint32_t i = 0; i < e->n; i++) h = stir(h, e->args[i]);
  if (e->data.tag != PH_DATA_NONE)
    h = stir(stir(h, (uint32_t)e->data.bits), (uint32_t)(e->data.bits >> 32));
  e->hash = h;
}

bool ph_value_table_is(const ph_func *f, uint32_t v, const ph_constexpr *e) {
  const ph_node *n = ph_node_of(f, v);
  ph_data d = data_of(f, n);
  if (n->op != e->op || n->type != e->type || n->nargs != e->n ||
      d.tag != e->data.tag || d.bits != e->data.bits)
    return false;
  for (uint32_t i = 0; i < e->n; i++)
    if (ph_body_operand(f, v, i) != e->args[i]) return false;
  return true;
}

static void grow(ph_value_table *c) {
  uint32_t old = c->cap, cap = old == 0 ? 64 : 2 * old;
  ph_value_slot *from = c->at;
  c->at = ph_arena_zero(c->arena, cap * sizeof *c->at);
  c->cap = cap;
  for (uint32_t i = 0; i < old; i++) {
    uint32_t j = from[i].hash & (cap - 1);
    if (from[i].value == 0) continue;
    while (c->at[j].value != 0) j = (j + 1) & (cap - 1);
    c->at[j] = from[i];
  }
  ph_arena_drop(c->arena, from, old * sizeof *from);
}

ph_value_slot *ph_value_table_find(const ph_func *f, ph_value_table *c,
                                   const ph_constexpr *e) {
  uint32_t i;
  if (3 * (c->n + 1) > 2 * c->cap) grow(c);
  i = e->hash & (c->cap - 1);
  for (;;) {
    ph_value_slot *s = &c->at[i];
    if (s->value == 0 ||
        (s->hash == e->hash && ph_value_table_is(f, s->value, e)))
      return s;
    i = (i + 1) & (c->cap - 1);
  }
}

void ph_value_table_put(const ph_func *f, ph_value_table *c,
                        ph_value_slot *slot, const ph_constexpr *e,
                        uint32_t v) {
  if (slot->value == 0) {
    c->n++;
  } else {
    ph_ids_extend(&c->older, c->arena, f->nodes.n);
    c->older.at[v] = slot->value;
  }
  *slot = (ph_value_slot){e->hash, v};
}
