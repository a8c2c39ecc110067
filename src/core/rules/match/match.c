/* match.c: rules, tried in order, and their results.
**
** The class table gives the patterns that the operands' ops allow.  Their first
** test, of an operand of an operand, is made here, on tags that are looked up
** once; what passes is tried in full.  Most attempts miss, and a miss is cheap:
** nothing is bound, built or called before all cheap tests have passed.
**
** Of a result, whatever can still be refused comes first: expressions without a
** value, and `!e`, which must not need a new instruction.  Then inner
** instructions are emitted like any other, so that they are simplified too.  The
** outermost one is not emitted: it replaces the one that matched.
*/
#include "core/rules/match/match.h"

#include "phial/peephole.h"
#include "core/ir/contract.h"
#include "core/ir/op.h"
#include "core/ir/opcheck.h"
#include "core/ir/value.h"

static const ph_rulenode *node_of(const ph_test_state *t, uint32_t node) {
  return &t->pattern->rule->nodes[node];
}

/* Returns the place of what was computed for a node before anything was made:
** the value of an expression, or of `!e`. */
static int64_t *computed_at(const ph_test_state *t, uint32_t node) {
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

/* Returns the data that an operation of the result is given. */
static ph_data data_of(ph_test_state *t, uint32_t node) {
  uint32_t data = (uint32_t)node_of(t, node)->bits;
  const ph_rulenode *n = node_of(t, data);
  ph_data is = {n->bits, (ph_tag)n->var};
  if (data == 0) return (ph_data){0, PH_DATA_NONE};
  if (n->kind == PH_R_DATA)
    return ph_test_dataof(t, ph_test_note(t, t->pattern->vars, n->var));
  if (n->kind == PH_R_HELPER) {
    is.bits = (uint64_t)*computed_at(t, data);
    is.tag = (ph_tag)*computed_at(t, node);
  } else if (is.tag == PH_DATA_STR) {
    is.bits = ph_intern_add(t->f, t->pattern->rule->vars[n->op].name);
  }
  return is;
}

static uint32_t emit_inner(ph_test_state *t, uint32_t node, bool only) {
  const ph_rulenode *n = node_of(t, node);
  ph_op op = ph_op_in(t->f, &t->m->set->space, n->op);
  uint32_t top = t->m->values.n, v = 0;
  ph_data data = data_of(t, node);
  if (push_operands(t, node, only))
    v = t->m->engine->emit(t->f, t->p->block, op, ph_test_type(t, n->type),
                           t->m->values.at + top, t->m->values.n - top, data,
                           only);
  t->m->values.n = top;
  return v;
}

/* Returns 0 on failure; with `only`, also if an instruction would be needed. */
static uint32_t value_of(ph_test_state *t, uint32_t node, bool only) {
  const ph_rulenode *n = node_of(t, node);
  ph_type type;
  switch (n->kind) {
    case PH_R_VAR:
    case PH_R_CONST:
      return ph_body_resolve(t->f, ph_test_var(t, n->var));
    case PH_R_LIT:
    case PH_R_MIN:
    case PH_R_MAX:
      type = ph_test_type(t, n->type);
      return constant(t, type, (int64_t)ph_test_literal(n, type),
                      (ph_tag)n->var);
    case PH_R_HELPER:
    case PH_R_EXPR:
      type = ph_test_type(t, n->type);
      if (type == PH_ANY) return (uint32_t)*computed_at(t, node);
      return constant(t, type, *computed_at(t, node), PH_DATA_INT);
    case PH_R_ONLY:
      if (!only) return (uint32_t)*computed_at(t, node);
      return value_of(t, n->first, true);
    default:
      return emit_inner(t, node, only);
  }
}

/* }== Results that can be refused ==================================== */

/* Asks a helper for data, or for a constant of type any. */
static bool find_any(ph_test_state *t, uint32_t node, ph_data *data) {
  if (!ph_test_help(t, node, PH_ANY, data)) return false;
  *computed_at(t, node) = (int64_t)data->bits;
  return true;
}

/* Computes the expressions at and below a node, and what helpers give. */
static bool find_expressions(ph_test_state *t, uint32_t node) {
  const ph_rulenode *n = node_of(t, node);
  int64_t value;
  ph_data data;
  if (n->kind == PH_R_OP &&
      node_of(t, (uint32_t)n->bits)->kind == PH_R_HELPER) {
    if (!find_any(t, (uint32_t)n->bits, &data)) return false;
    *computed_at(t, node) = data.tag;
  }
  if (n->kind == PH_R_HELPER && ph_test_type(t, n->type) == PH_ANY) {
    if (!find_any(t, node, &data)) return false;
    *computed_at(t, node) = ph_const_of(t->f, PH_ANY, data);
    return true;
  }
  if (n->kind == PH_R_EXPR || n->kind == PH_R_HELPER) {
    if (!ph_test_eval(t, node, &value)) return false;
    *computed_at(t, node) = value;
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
    *computed_at(t, node) = v;
    return v != 0;
  }
  PH_EACH_KID(t->pattern->rule, node, kid) {
    if (!find_only(t, kid)) return false;
  }
  return true;
}

/* The same for all `!e` at and below a node; if one has no value, what was told
** of the others has led nowhere. */
static bool find_all_only(ph_test_state *t, uint32_t node) {
  uint32_t told = t->f->events.n;
  if (find_only(t, node)) return true;
  t->f->events.n = told;
  return false;
}

ph_op ph_rewrite_missing(const ph_test_state *t, uint32_t node) {
  const ph_rulenode *n = node_of(t, node);
  if (n->kind == PH_R_CALL) return PH_NONE;
  if (n->kind == PH_R_OP && ph_op_in(t->f, &t->m->set->space, n->op) == PH_NONE)
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
  at = ph_arena_alloc(&t->f->scratch, 2 * sizeof *at * n);
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

static ph_matched replace_root(ph_test_state *t, uint32_t node) {
  const ph_rulenode *n = node_of(t, node);
  uint32_t top = t->m->values.n;
  ph_type type = ph_test_type(t, n->type);
  ph_pending *p = t->p;
  ph_data data = data_of(t, node);
  if (!push_operands(t, node, false)) return PH_MATCH_FAILED;
  p->data = data;
  make_room(t, n->nkids);
  set_targets(t, node);
  p->op = ph_op_in(t->f, &t->m->set->space, n->op);
  p->type = type;
  p->nargs = t->m->values.n - top;
  if (p->nargs > 0)
    memcpy(p->args, t->m->values.at + top, p->nargs * sizeof(uint32_t));
  t->m->values.n = top;
  return PH_MATCH_AGAIN;
}

/* Removes what an action has emitted if it then refuses. */
static ph_matched call_action(ph_test_state *t, uint32_t node) {
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

static ph_matched make_outermost(ph_test_state *t, uint32_t node) {
  uint32_t v;
  switch (node_of(t, node)->kind) {
    case PH_R_CALL:
      return call_action(t, node);
    case PH_R_OP:
      return replace_root(t, node);
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

/* Puts the result of t->pattern, which matches, into *t->p.  PH_MATCH_NONE: it
** has none, and nothing has changed. */
static ph_matched make_result(ph_test_state *t) {
  const ph_pattern *p = t->pattern;
  uint32_t rhs = p->rule->rhs;
  if (t->m->set->space.dialects.n > 0 && ph_rewrite_missing(t, rhs) != PH_NONE)
    return PH_MATCH_NONE;
  if (p->computes || p->finds) ph_test_bind(t);
  if ((p->computes && !find_expressions(t, rhs)) ||
      (p->finds && !find_all_only(t, rhs)))
    return t->m->failed ? PH_MATCH_FAILED : PH_MATCH_NONE;
  return make_outermost(t, rhs);
}

/* }== Long lists ===================================================== */

/* Returns the value at a position; 0: there is none, also below a phi. */
static uint32_t value_at(const ph_test_state *t, ph_path path) {
  uint32_t v = ph_test_slots(t)[path & 0xff], i;
  if ((path & 0xff) == PH_SLOT_ROOT) {
    path >>= 8;
    i = path & 0xff;
    v = i <= t->p->nargs ? t->p->args[i - 1] : 0;
  }
  while ((path >>= 8) != 0) {
    const ph_node *n = ph_node_of(t->f, v);
    i = path & 0xff;
    if (n->op == PH_PHI || i > n->nargs) return 0;
    v = ph_body_operand(t->f, v, i - 1);
  }
  return v;
}

/* Returns the key of what is there. */
static uint64_t key_at(const ph_test_state *t, ph_path path) {
  uint32_t v = value_at(t, path);
  const ph_node *n = ph_node_of(t->f, v);
  if (n->op != PH_CONST) return ph_matcher_tag(t->f, t->m, v);
  return ph_division_constant(t->f->datas.at[n->aux].bits);
}

/* The members of a division that what is at hand allows. */
typedef struct {
  const uint32_t *at[PH_DIVISION_RANGES], *end[PH_DIVISION_RANGES];
  uint32_t n;
} ranges;

static void find_ranges(ranges *r, const ph_test_state *t,
                        const uint32_t *members, const ph_division_part *part) {
  const ph_division_table *table = part->tables;
  if (part->nrest > 0) {
    r->at[r->n] = members + part->rest;
    r->end[r->n++] = members + part->rest + part->nrest;
  }
  for (; table != NULL; table = table->next) {
    const ph_division_run *run =
        ph_division_find(table, key_at(t, table->path));
    if (run->key != 0) find_ranges(r, t, members, &run->part);
  }
}

/* Removes a range of one element; returns that. */
static uint32_t remove_range(ranges *r, uint32_t i) {
  uint32_t position = *r->at[i];
  r->n--;
  r->at[i] = r->at[r->n];
  r->end[i] = r->end[r->n];
  return position;
}

/* Returns the position of the next pattern, in the order of the list; 0 at the
** end. */
static uint32_t next_position(ranges *r) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < r->n; i++)
    if (*r->at[i] < *r->at[best]) best = i;
  if (r->n == 0) return 0;
  if (r->at[best] + 1 < r->end[best]) return *r->at[best]++;
  return remove_range(r, best);
}

/* }== Trying ========================================================= */

/* Stores the first two operands of v and their tags; 0 and PH_NONE where v has
** none: phis are opaque. */
static void look_into(const ph_func *f, ph_matcher *m, uint32_t v,
                      uint32_t *slots, uint32_t *tags) {
  const ph_node *n = ph_node_of(f, v);
  uint32_t nargs = n->op == PH_PHI ? 0 : n->nargs;
  for (uint32_t i = 0; i < 2; i++) {
    slots[i] = i < nargs ? ph_body_operand(f, v, i) : 0;
    tags[i] = i < nargs ? ph_matcher_tag(f, m, slots[i]) : (uint32_t)PH_NONE;
  }
}

void ph_match_look(ph_test_state *t, bool deep) {
  uint32_t *slots = ph_test_slots(t);
  slots[PH_SLOT_ROOT] = 0;
  for (size_t i = 0; i < 2; i++) {
    uint32_t v = i < t->p->nargs ? t->p->args[i] : 0;
    slots[PH_SLOT_FIRST + i] = v;
    if (deep)
      look_into(t->f, t->m, v, slots + PH_SLOT_INNER + 2 * i,
                t->tags + PH_SLOT_INNER + 2 * i);
  }
}

bool ph_match_takesdata(const ph_func *f, ph_op op) {
  ph_matcher *m = f->matcher;
  return ph_ruleset_takesdata(m->set, ph_matcher_op(f, m, op));
}

static ph_matched try_pattern(ph_test_state *t, uint32_t pattern) {
  ph_matched result;
  t->pattern = &t->table->list.patterns.at[pattern];
  if (!ph_test_run(t)) return t->m->failed ? PH_MATCH_FAILED : PH_MATCH_NONE;
  ph_ids_extend(&t->m->hits, t->m->arena, t->pattern->number + 1);
  t->m->engine->apply(t->f, t->p, t->pattern->number);
  result = make_result(t);
  if (result == PH_MATCH_NONE || result == PH_MATCH_FAILED) return result;
  t->p->rule = t->pattern->number;
  t->m->hits.at[t->pattern->number]++;
  return result;
}

static bool passes_first(const ph_test_state *t, const ph_candidate *c) {
  const uint32_t *slots = ph_test_slots(t);
  return (t->tags[c->slot] & c->mask) == c->tag &&
         slots[c->same] == slots[c->as];
}

/* Tries those that what is at hand allows; `head` precedes the candidates. */
static ph_matched try_divided(ph_test_state *t, const ph_candidate *head) {
  const ph_division *d = &t->table->divisions.at[head->pattern - 1];
  ranges r = {.n = 0};
  uint32_t i;
  find_ranges(&r, t, d->members, &d->all);
  while ((i = next_position(&r)) != 0) {
    ph_matched result;
    if (!passes_first(t, &head[i])) continue;
    result = try_pattern(t, head[i].pattern);
    if (result != PH_MATCH_NONE) return result;
  }
  return PH_MATCH_NONE;
}

static ph_matched try_list(ph_test_state *t, uint32_t list) {
  const ph_candidate *c = t->table->candidates.at + list;
  const ph_candidate *end = c + t->table->dispatch.lists.at[list];
  if (c->pattern != 0) return try_divided(t, c);
  while (c++ < end) {
    ph_matched result;
    if (!passes_first(t, c)) continue;
    result = try_pattern(t, c->pattern);
    if (result != PH_MATCH_NONE) return result;
  }
  return PH_MATCH_NONE;
}

/* Tries them on the instruction; its slots lie on the matcher's stack. */
ph_matched ph_match_try(ph_func *f, ph_matchlist list, ph_pending *p) {
  ph_matcher *m = f->matcher;
  ph_test_state t = {.f = f, .m = m, .table = list.table, .p = p};
  ph_matched result;
  t.base = m->values.n;
  t.numbers = m->numbers.n;
  t.types = m->types.n;
  ph_ids_reserve(&m->values, m->arena, t.base + list.table->slots);
  m->values.n = t.base + list.table->slots;
  ph_match_look(&t, list.table->candidates.at[list.at].deep);
  result = try_list(&t, list.at);
  m->values.n = t.base;
  m->numbers.n = t.numbers;
  m->types.n = t.types;
  return result;
}

/* }== Beginning and asking =========================================== */

void ph_match_use(ph_func *f, ph_ruleset *set, const ph_engine *engine) {
  ph_matcher *m = ph_arena_zero(&f->arena, sizeof *m);
  m->set = set;
  m->arena = &f->arena;
  m->engine = engine;
  f->matcher = m;
}

void ph_match_setcallbacks(ph_func *f, const ph_callbacks *callbacks) {
  ph_must(ph_contract_isblank(ph_ptr(callbacks)) &&
          "reserved words that are zero");
  ph_must(ph_ptr(f)->matcher != NULL && "a function with a set of rules");
  f->matcher->callbacks = *callbacks;
}

static bool is_late(const ph_ruleset *set, uint32_t n) {
  return ph_ruleset_ison(set, n) && (set->rules.at[n]->flags & PH_RULE_LATE);
}

bool ph_match_late(ph_func *f, bool late) {
  const ph_ruleset *set = f->matcher->set;
  f->matcher->late = late;
  for (uint32_t n = 1; set->late && n < set->rules.n; n++)
    if (is_late(set, n)) return true;
  return false;
}

uint32_t ph_match_hits(const ph_func *f, uint32_t rule) {
  const ph_matcher *m = ph_ptr(f)->matcher;
  return m != NULL && rule < m->hits.n ? m->hits.at[rule] : 0;
}

/* }== Within an action =============================================== */

ph_block ph_match_block(const ph_func *f) {
  ph_must(ph_ptr(f)->matcher != NULL && f->matcher->site != 0 &&
          "within an action");
  return ph_blockid(f->matcher->site);
}

ph_value ph_match_emit(ph_func *f, ph_op op, ph_type type, const ph_value *args,
                       uint32_t n) {
  ph_matcher *m = ph_ptr(f)->matcher;
  uint32_t top, v;
  ph_must(f->matcher != NULL && f->matcher->site != 0 && "within an action");
  ph_require(ph_opcheck_isinst(f, op) && ph_op_ispure(f, op) &&
             "a pure instruction");
  ph_require(ph_contract_hasvalues(f, args, n) &&
             "operands are values of this function");
  ph_require(ph_opcheck_fits(f, op, type, args, n) &&
             "operands and a type that fit the op");
  top = m->values.n;
  for (uint32_t i = 0; i < n; i++)
    ph_ids_push(&m->values, m->arena, ph_body_resolve(f, args[i].id));
  v = m->engine->emit(f, m->site, op, type, m->values.at + top, n,
                      (ph_data){0, PH_DATA_NONE}, false);
  m->values.n = top;
  return ph_valueid(v);
}

bool ph_match_isavailable(ph_func *f, ph_value v) {
  ph_must(ph_ptr(f)->matcher != NULL && f->matcher->site != 0 &&
          "within an action");
  ph_must(ph_contract_hasvalue(f, v) && "a value of this function");
  return f->matcher->engine->reaches(f, ph_body_resolve(f, v.id),
                                     f->matcher->site);
}

/* }=================================================================== */
