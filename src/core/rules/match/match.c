/* match.c: rules, tried in order.
**
** The class table gives the patterns that the operands' ops allow.  Their first
** test, of an operand of an operand, is made here, on tags that are looked up
** once; what passes is tried in full.  Most attempts miss, and a miss is cheap:
** nothing is bound, built or called before all cheap tests have passed.
*/
#include "core/rules/match/match.h"

#include "phial/peephole.h"
#include "core/ir/contract.h"
#include "core/ir/opcheck.h"
#include "core/ir/op.h"
#include "core/rules/match/rewrite.h"

/*
** {== Trying =========================================================
*/

void ph_match_look(const ph_func *f, ph_matcher *m, uint32_t v, uint32_t *slots,
                   uint32_t *tags) {
  const ph_node *n = ph_node_of(f, v);
  uint32_t nargs = n->op == PH_PHI ? 0 : n->nargs;
  for (uint32_t i = 0; i < 2; i++) {
    slots[i] = i < nargs ? ph_body_operand(f, v, i) : 0;
    tags[i] = i < nargs ? ph_opmap_tag(f, m, slots[i]) : (uint32_t)PH_NONE;
  }
}

static ph_matched apply(ph_test_state *t, uint32_t pattern) {
  ph_matched result;
  t->pattern = &t->table->list.patterns.at[pattern];
  if (!ph_test_run(t)) return t->m->failed ? PH_MATCH_FAILED : PH_MATCH_NONE;
  ph_ids_extend(&t->m->hits, t->m->arena, t->pattern->number + 1);
  t->m->engine->apply(t->f, t->pattern->number);
  result = ph_rewrite_make(t);
  if (result == PH_MATCH_NONE || result == PH_MATCH_FAILED) return result;
  t->p->rule = t->pattern->number;
  t->m->hits.at[t->pattern->number]++;
  return result;
}

static bool passes(const ph_test_state *t, const ph_candidate *c) {
  const uint32_t *slots = ph_test_slots(t);
  return (t->tags[c->slot] & c->mask) == c->tag &&
         slots[c->same] == slots[c->as];
}

/* Tries those that the constants allow; `head` precedes the candidates. */
static ph_matched try_divided(ph_test_state *t, const ph_candidate *head) {
  const ph_literal_list *d = &t->table->literals.at[head->pattern - 1];
  ph_literal_cursor c = ph_literal_table_start(d, t->f, ph_test_slots(t));
  uint32_t i;
  while ((i = ph_literal_table_next(&c)) != 0) {
    ph_matched result;
    if (!passes(t, &head[i])) continue;
    result = apply(t, head[i].pattern);
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
    if (!passes(t, c)) continue;
    result = apply(t, c->pattern);
    if (result != PH_MATCH_NONE) return result;
  }
  return PH_MATCH_NONE;
}

/* Tries them on the instruction; its slots lie on the matcher's stack. */
ph_matched ph_match_try(ph_func *f, ph_matchlist list, ph_pending *p) {
  ph_matcher *m = f->matcher;
  ph_test_state t = {.f = f, .m = m, .table = list.table, .p = p};
  uint32_t *slots;
  ph_matched result;
  m->failed = false;
  t.base = m->values.n;
  t.numbers = m->numbers.n;
  t.types = m->types.n;
  ph_ids_reserve(&m->values, m->arena, t.base + list.table->slots);
  m->values.n = t.base + list.table->slots;
  slots = ph_test_slots(&t);
  slots[PH_SLOT_ROOT] = 0;
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t v = i < p->nargs ? p->args[i] : 0;
    slots[PH_SLOT_FIRST + i] = v;
    ph_match_look(f, m, v, slots + PH_SLOT_INNER + 2 * i,
                  t.tags + PH_SLOT_INNER + 2 * i);
  }
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
  assert(f->matcher != NULL && "a function with a set of rules");
  f->matcher->callbacks = *callbacks;
}

static bool is_late(const ph_ruleset *set, uint32_t n) {
  return ph_ruleset_ison(set, n) && (set->rules.at[n]->flags & PH_RULE_LATE);
}

bool ph_match_late(ph_func *f, bool late) {
  const ph_ruleset *set = f->matcher->set;
  f->matcher->late = late;
  for (uint32_t n = 1; n < set->rules.n; n++)
    if (is_late(set, n)) return true;
  return false;
}

uint32_t ph_match_hits(const ph_func *f, uint32_t rule) {
  const ph_matcher *m = f->matcher;
  return m != NULL && rule < m->hits.n ? m->hits.at[rule] : 0;
}

/* }== Within an action =============================================== */

ph_block ph_match_block(const ph_func *f) {
  assert(f->matcher != NULL && f->matcher->site != 0 && "within an action");
  return ph_blockid(f->matcher->site);
}

ph_value ph_match_emit(ph_func *f, ph_op op, ph_type type, const ph_value *args,
                       uint32_t n) {
  ph_matcher *m = f->matcher;
  uint32_t top, v;
  assert(f->matcher != NULL && f->matcher->site != 0 && "within an action");
  ph_require(ph_opcheck_isinst(f, op) && ph_op_ispure(f, op) &&
             "a pure instruction");
  ph_require(ph_contract_hasvalues(f, args, n) &&
             "operands are values of this function");
  ph_require(ph_opcheck_fits(f, op, type, args, n) &&
             "operands and a type that fit the op");
  top = m->values.n;
  for (uint32_t i = 0; i < n; i++)
    ph_ids_push(&m->values, m->arena, ph_body_resolve(f, args[i].id));
  v = m->engine->emit(f, m->site, op, type, m->values.at + top, n, false);
  m->values.n = top;
  return ph_valueid(v);
}

bool ph_match_isavailable(ph_func *f, ph_value v) {
  assert(f->matcher != NULL && f->matcher->site != 0 && "within an action");
  assert(ph_contract_hasvalue(f, v) && "a value of this function");
  return f->matcher->engine->reaches(f, ph_body_resolve(f, v.id),
                                     f->matcher->site);
}

/* }=================================================================== */
