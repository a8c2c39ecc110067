/* rewrite.c: makes the results of rules.
**
** Whatever can still refuse comes first: expressions without a value, and `!e`,
** which must not need a new instruction.  Then inner instructions are emitted
** like any other, so that they are simplified too.  The outermost one is not
** emitted: it replaces the one that matched.
*/
#include "core/rules/match/rewrite.h"

#include "core/ir/const.h"
#include "core/ir/op.h"

static const ph_rulenode *node_of(const ph_test_state *t, uint32_t node) {
  return &t->pattern->rule->nodes[node];
}

/* Returns the place of what was computed for a node before anything was made:
** the value of an expression, or of `!e`. */
static int64_t *found(const ph_test_state *t, uint32_t node) {
  return &t->m->numbers.at[t->numbers + t->pattern->rule->nvars + node];
}

/*
** {== Values =========================================================
*/

static uint32_t constant(ph_test_state *t, ph_type type, int64_t bits,
                         ph_tag tag) {
  ph_data d = {(uint64_t)bits, tag};
  if (ph_type_isint(type) || type == PH_PTR) d.tag = PH_DATA_INT;
  if (ph_type_isfloat(type)) d.tag = PH_DATA_FLOAT;
  if (ph_type_isint(type)) d.bits = (uint64_t)ph_const_normal(type, bits);
  return ph_const_of(t->f, type, d);
}

static int64_t literal(const ph_rulenode *n, ph_type type) {
  uint64_t top = (uint64_t)1 << (ph_type_width(type) - 1);
  if (n->kind == PH_R_MIN) return (int64_t)top;
  if (n->kind == PH_R_MAX) return (int64_t)(top - 1);
  return (int64_t)n->bits;
}

static uint32_t var_value(const ph_test_state *t, const ph_rulenode *n) {
  uint32_t slot = ph_test_note(t, t->pattern->vars, n->var);
  return ph_body_resolve(t->f, ph_test_slots(t)[slot]);
}

static uint32_t value_of(ph_test_state *t, uint32_t node, bool only);

/* Pushes the values of the operands on the matcher's stack of values. */
static bool push_operands(ph_test_state *t, uint32_t node, bool only) {
  PH_EACH_KID(t->pattern->rule, node, kid) {
    uint32_t v;
    if (node_of(t, kid)->kind == PH_R_LABEL) continue;
    v = value_of(t, kid, only);
    if (v == 0) return false;
    ph_ids_push(&t->m->values, t->m->arena, v);
  }
  return true;
}

static uint32_t emit(ph_test_state *t, uint32_t node, bool only) {
  const ph_rulenode *n = node_of(t, node);
  ph_op op = ph_opmap_ownop(t->f, t->m, n->op);
  uint32_t top = t->m->values.n, v = 0;
  if (push_operands(t, node, only))
    v = t->m->engine->emit(t->f, t->p->block, op, ph_test_type(t, n->type),
                           t->m->values.at + top, t->m->values.n - top, only);
  t->m->values.n = top;
  return v;
}

/* Returns 0 on failure; with `only`, also if an instruction would be needed. */
static uint32_t value_of(ph_test_state *t, uint32_t node, bool only) {
  const ph_rulenode *n = node_of(t, node);
  ph_type type = ph_test_type(t, n->type);
  switch (n->kind) {
    case PH_R_VAR:
    case PH_R_CONST:
      return var_value(t, n);
    case PH_R_LIT:
    case PH_R_MIN:
    case PH_R_MAX:
      return constant(t, type, literal(n, type), (ph_tag)n->var);
    case PH_R_EXPR:
      return constant(t, type, *found(t, node), PH_DATA_INT);
    case PH_R_ONLY:
      if (!only) return (uint32_t)*found(t, node);
      return value_of(t, n->first, true);
    default:
      return emit(t, node, only);
  }
}

/* }== What can say no ================================================ */

/* Computes the expressions at and below a node. */
static bool find_expressions(ph_test_state *t, uint32_t node) {
  const ph_rulenode *n = node_of(t, node);
  int64_t value;
  if (n->kind == PH_R_EXPR) {
    if (!ph_test_eval(t, node, &value)) return false;
    *found(t, node) = value;
    return true;
  }
  if (n->kind == PH_R_CALL) return true;
  PH_EACH_KID(t->pattern->rule, node, kid) {
    if (!find_expressions(t, kid)) return false;
  }
  return true;
}

static bool find_only(ph_test_state *t, uint32_t node) {
  const ph_rulenode *n = node_of(t, node);
  if (n->kind == PH_R_ONLY) {
    uint32_t v = value_of(t, n->first, true);
    *found(t, node) = v;
    return v != 0;
  }
  PH_EACH_KID(t->pattern->rule, node, kid) {
    if (!find_only(t, kid)) return false;
  }
  return true;
}

ph_op ph_rewrite_missing(const ph_test_state *t, uint32_t node) {
  const ph_rulenode *n = node_of(t, node);
  if (n->kind == PH_R_CALL) return PH_NONE;
  if (n->kind == PH_R_OP && ph_opmap_ownop(t->f, t->m, n->op) == PH_NONE)
    return n->op;
  PH_EACH_KID(t->pattern->rule, node, kid) {
    ph_op op = ph_rewrite_missing(t, kid);
    if (op != PH_NONE) return op;
  }
  return PH_NONE;
}

/* }== The outermost ================================================== */

/* Makes room for the operands or targets of a result; keeps targets. */
static void make_room(const ph_test_state *t, uint32_t n) {
  ph_pending *p = t->p;
  uint32_t *at;
  if (n <= p->room) return;
  if (n < p->ntargets) n = p->ntargets;
  at = ph_arena_alloc(&t->f->scratch, 2 * n * sizeof *at);
  if (p->ntargets > 0) memcpy(at + n, p->targets, p->ntargets * sizeof *at);
  p->args = at;
  p->targets = at + n;
  p->room = n;
}

static void set_targets(ph_test_state *t, uint32_t node) {
  uint32_t top = t->m->values.n, n = 0;
  PH_EACH_KID(t->pattern->rule, node, kid) {
    const ph_rulenode *label = node_of(t, kid);
    uint32_t i;
    if (label->kind != PH_R_LABEL) continue;
    i = ph_test_note(t, t->pattern->vars, label->var);
    ph_ids_push(&t->m->values, t->m->arena, t->p->targets[i]);
    n++;
  }
  if (n > 0) memcpy(t->p->targets, t->m->values.at + top, n * sizeof(uint32_t));
  t->p->ntargets = n;
  t->m->values.n = top;
}

static ph_matched become(ph_test_state *t, uint32_t node) {
  const ph_rulenode *n = node_of(t, node);
  uint32_t top = t->m->values.n;
  ph_type type = ph_test_type(t, n->type);
  ph_pending *p = t->p;
  if (!push_operands(t, node, false)) return PH_MATCH_FAILED;
  make_room(t, n->nkids);
  set_targets(t, node);
  p->op = ph_opmap_ownop(t->f, t->m, n->op);
  p->type = type;
  p->nargs = t->m->values.n - top;
  if (p->nargs > 0)
    memcpy(p->args, t->m->values.at + top, p->nargs * sizeof(uint32_t));
  t->m->values.n = top;
  return PH_MATCH_AGAIN;
}

/* Removes what an action has emitted if it then refuses. */
static ph_matched act(ph_test_state *t, uint32_t node) {
  uint32_t mark = t->m->engine->mark(t->f);
  ph_value v = {0};
  int said = ph_test_call(t, node, &v);
  if (said < 0) return PH_MATCH_FAILED;
  if (said == 0) {
    t->m->engine->undo(t->f, mark);
    return PH_MATCH_NONE;
  }
  t->p->args[0] = ph_body_resolve(t->f, v.id);
  return PH_MATCH_VALUE;
}

static ph_matched outermost(ph_test_state *t, uint32_t node) {
  uint32_t v;
  switch (node_of(t, node)->kind) {
    case PH_R_CALL:
      return act(t, node);
    case PH_R_OP:
      return become(t, node);
    default:
      v = value_of(t, node, false);
      t->p->args[0] = v;
      return v == 0 ? PH_MATCH_FAILED : PH_MATCH_VALUE;
  }
}

bool ph_rewrite_computes(ph_test_state *t) {
  ph_test_bind(t);
  return find_expressions(t, t->pattern->rule->rhs);
}

ph_matched ph_rewrite_make(ph_test_state *t) {
  uint32_t rhs = t->pattern->rule->rhs;
  if (ph_rewrite_missing(t, rhs) != PH_NONE) return PH_MATCH_NONE;
  if (node_of(t, rhs)->nkids > 0 || node_of(t, rhs)->kind == PH_R_EXPR) {
    if (!ph_rewrite_computes(t) || !find_only(t, rhs))
      return t->m->failed ? PH_MATCH_FAILED : PH_MATCH_NONE;
  }
  return outermost(t, rhs);
}

/* }=================================================================== */
