/* peephole.c: simplifies an instruction before it exists.
**
** The paper (section 3.1) hooks local optimizations into construction.  Here an
** instruction is folded, put into canonical order, rewritten by rules, and
** looked up among the values computed before, and is appended only if all of
** that leaves it.  Folding is cheapest; a canonical order of operands halves
** what rules and look-ups must know; rules precede the look-up because a miss
** is cheaper there.  While rules change an instruction it is not a value, so
** most of what they discard never becomes one.
**
** Rules can run in circles: fuel.c ends them, and the instruction stays as it
** is by then.
**
** If a callback fails, everything made since the outermost emit began is
** undone.
*/
#include "core/simplify/peephole.h"

#include "core/base/noinline.h"
#include "core/ir/body.h"
#include "core/ir/contract.h"
#include "core/ir/effects.h"
#include "core/ir/event.h"
#include "core/ir/op.h"
#include "core/ir/opeval.h"
#include "core/ir/value.h"
#include "phial/peephole.h"

enum { FEW = PH_FEW };

/* An instruction that is not a value yet. */
typedef struct {
  ph_pending p;
  uint32_t few[FEW]; /* its operands, if these are few */
} pending;

/*
** {== Room ===========================================================
*/

static uint32_t most(uint32_t n) { return n > FEW ? n : FEW; }

static void make_pending(ph_func *f, pending *q, uint32_t block, ph_op op,
                         ph_type type, uint32_t n, ph_data data) {
  uint32_t room = most(n);
  q->p.block = block;
  q->p.op = op;
  q->p.type = type;
  q->p.nargs = n;
  q->p.ntargets = 0;
  q->p.targets = NULL;
  q->p.room = room;
  q->p.rule = 0;
  q->p.args = q->few;
  q->p.data = data;
  if (room > FEW)
    q->p.args = ph_arena_alloc(&f->scratch, room * sizeof(uint32_t));
}

ph_pending ph_peephole_room(ph_func *f, uint32_t n, uint32_t m,
                            uint32_t few[2 * PH_FEW]) {
  uint32_t room = most(n > m ? n : m);
  ph_pending p = {.nargs = n, .ntargets = m, .room = room, .args = few};
  if (room > FEW)
    p.args = ph_arena_alloc(&f->scratch, 2 * sizeof(uint32_t) * room);
  p.targets = p.args + room;
  return p;
}

/* }== What can be undone ============================================= */

static ph_marked here(const ph_func *f) {
  return (ph_marked){f->nodes.n, f->events.n};
}

/* Begins an outermost emit.  Most try no rule and tell nothing: they leave
** nothing to be done here. */
static inline void begin_emit(ph_func *f) {
  struct ph_peephole *s = f->peephole;
  if (!s->begun) return;
  s->begun = false;
  ph_fuel_fill(&s->fuel);
  if (f->matcher != NULL) f->matcher->failed = false;
}

/* To be called before a rule is tried, or told what becomes of the instruction:
** all that follows is undone if a callback fails. */
static void note_begin(ph_func *f) {
  struct ph_peephole *s = f->peephole;
  if (s->begun) return;
  s->begun = true;
  s->marks.n = 0;
  s->begin = here(f);
}

/* }== Events ========================================================= */

static uint32_t keep(ph_func *f, const ph_pending *p) {
  note_begin(f);
  return ph_event_keepinst(f, p->op, p->args, p->nargs);
}

/* Tells that *p, to which a rule has been applied, is another instruction now, or
** (`result`) a value. */
static PH_NOINLINE void tell_rule(ph_func *f, const ph_pending *p,
                                  ph_matched result) {
  ph_event e = {.kind = PH_EV_RULE, .index = p->rule, .was = p->was};
  e.block.id = p->block;
  if (result == PH_MATCH_VALUE)
    e.value.id = p->args[0];
  else
    e.becomes = keep(f, p);
  ph_event_keep(f, e);
}

/* Tells that *p is the value v without an instruction, or (0) a jump.  In a pass,
** *p is one, and the event that it is replaced tells that. */
static PH_NOINLINE void tell_value(ph_func *f, ph_eventkind kind,
                                   const ph_pending *p, uint32_t v) {
  ph_event e = {.kind = kind, .block = {p->block}, .value = {v}};
  if (f->peephole->cse.site != NULL) return;
  e.was = keep(f, p);
  if (v == 0) e.becomes = ph_event_keepinst(f, PH_JUMP, NULL, 0);
  ph_event_keep(f, e);
}

/* Tells that the operands of *p have been swapped. */
static PH_NOINLINE void tell_swap(ph_func *f, const ph_pending *p) {
  const uint32_t before[2] = {p->args[1], p->args[0]};
  ph_event e = {.kind = PH_EV_SWAPPED, .block = {p->block}};
  e.was = ph_event_keepinst(f, ph_op_swapped(f, p->op), before, 2);
  e.becomes = keep(f, p);
  ph_event_keep(f, e);
}

static inline void order(ph_func *f, ph_pending *p) {
  if (ph_cse_order(f, p) && f->tells) tell_swap(f, p);
}

static void note_folded(ph_func *f, const ph_pending *p, uint32_t v) {
  f->peephole->counts->folded++;
  if (f->tells) tell_value(f, PH_EV_FOLDED, p, v);
}

static void note_merged(ph_func *f, const ph_pending *p, uint32_t v) {
  f->peephole->counts->merged++;
  if (f->tells) tell_value(f, PH_EV_MERGED, p, v);
}

static void note_rule(ph_func *f, const ph_pending *p, ph_matched result) {
  f->peephole->counts->applied++;
  if (f->tells) tell_rule(f, p, result);
}

/* }== Rules ========================================================== */

static PH_NOINLINE ph_matched try_rules(ph_func *f, ph_pending *p,
                                        ph_matchlist list) {
  ph_fuel *fuel = &f->peephole->fuel;
  ph_matched result;
  note_begin(f);
  if (fuel->careful && ph_fuel_mustrest(f, fuel, p->block))
    return PH_MATCH_NONE;
  result = ph_fuel_isspent(fuel) ? ph_fuel_out(f, fuel, p)
                                 : ph_match_try(f, list, p);
  if (f->matcher->failed) return PH_MATCH_FAILED; /* also if one inside has */
  if (result != PH_MATCH_NONE) note_rule(f, p, result);
  return result;
}

/* For most instructions no rule is a candidate. */
static inline ph_matched apply_rules(ph_func *f, ph_pending *p) {
  ph_matchlist list;
  if (f->matcher == NULL) return PH_MATCH_NONE;
  list = ph_match_list(f, p);
  return list.at == 0 ? PH_MATCH_NONE : try_rules(f, p, list);
}

/* The same for what the core cannot compute: the host is asked.  The block of a
** trap_if is not complete: finish decides it. */
static PH_NOINLINE bool fold_other(ph_func *f, ph_pending *p) {
  uint32_t v = 0;
  int said;
  if (p->op == PH_TRAP_IF) f->peephole->cse.due = true;
  if (p->op < PH_OPS || f->matcher == NULL) return false;
  note_begin(f);
  said = ph_matcher_eval(f, p, &v);
  if (said > 0) note_folded(f, p, v);
  if (said != 0) p->args[0] = said > 0 ? v : 0;
  return said != 0;
}

/* Makes args[0] the constant that *p computes, or 0 if the host has failed;
** false: none. */
static PH_NOINLINE bool fold(ph_func *f, ph_pending *p) {
  uint32_t v = ph_opeval_value(f, p->op, p->type, p->args, p->nargs);
  if (v == 0) return p->op >= PH_TRAP_IF && fold_other(f, p);
  note_folded(f, p, v);
  p->args[0] = v;
  return true;
}

/* True if *p has only constants as operands, perhaps. */
static inline bool may_fold(const ph_func *f, const ph_pending *p) {
  if (p->nargs == 0) return p->op >= PH_OPS;
  return ph_node_of(f, p->args[0])->op == PH_CONST;
}

/* Folds and applies rules until the instruction has a value, or must be made as
** it is then (PH_MATCH_NONE), or a rule has failed. */
static PH_INLINE ph_matched reduce(ph_func *f, ph_pending *p) {
  ph_matched result;
  do {
    if (may_fold(f, p) && fold(f, p)) return PH_MATCH_VALUE;
    if (p->op == PH_COPY) return PH_MATCH_VALUE;
    order(f, p);
    if (p->data.tag != PH_DATA_NONE &&
        (f->matcher == NULL || !ph_match_takesdata(f, p->op)))
      return PH_MATCH_NONE;
    result = apply_rules(f, p);
  } while (result == PH_MATCH_AGAIN);
  return result;
}

/* }== Appending ====================================================== */

static void note_emit(ph_func *f, const ph_pending *p, uint32_t v) {
  if (f->listening) {
    ph_event e = {.kind = PH_EV_EMIT, .index = p->rule};
    e.block.id = p->block;
    e.value.id = v;
    ph_event_keep(f, e);
  }
}

static PH_INLINE uint32_t append(ph_func *f, const ph_pending *p) {
  ph_site *site = f->peephole->cse.site;
  uint32_t n = p->nargs, data = ph_value_keepdata(f, p->data);
  uint32_t v = ph_value_claim(f, n), at = f->operands.n - n;
  *ph_node_of(f, v) = (ph_node){.op = p->op,
                                .type = p->type,
                                .block = p->block,
                                .args = at,
                                .nargs = n,
                                .aux = data};
  for (uint32_t i = 0; i < n; i++) f->operands.at[at + i] = p->args[i];
  ph_uses_link(f, v);
  if (site != NULL) {
    ph_value_insert(f, v, site->before);
    site->made(site, f, v);
  } else {
    ph_value_appendinst(f, v);
  }
  ph_srcloc_stamp(f, v);
  note_emit(f, p, v);
  return v;
}

/* What an instruction of that op, to be made, reads and writes. */
static ph_effects effects_of(const ph_func *f, ph_op op) {
  return f->saying != 0 ? f->effects.at[f->saying] : ph_effects_ofop(f, op);
}

/* The same as find_or_append for an op whose values are not merged wherever
** they are. */
static PH_NOINLINE uint32_t with_effect(ph_func *f, const ph_pending *p) {
  ph_effects e = effects_of(f, p->op);
  struct ph_peephole *s = f->peephole;
  bool reads = s->cse.site == NULL && ph_effects_isread(f, p->op, e);
  ph_cse_search m;
  uint32_t v = 0;
  if (reads) {
    s->reading = true;
    v = ph_cse_findread(f, &s->cse, &m, p, e.reads);
    if (v != 0) {
      note_merged(f, p, v);
      return v;
    }
  }
  v = append(f, p);
  if (f->saying != 0) ph_effects_say(f, v, f->saying);
  if (reads)
    ph_cse_addread(&m, v);
  else if (s->cse.site == NULL)
    ph_cse_notewrite(f, &s->cse, e.writes, v);
  return v;
}

/* Returns an equal value or appends one.  With `only`, nothing is appended and
** 0 returned instead. */
static PH_INLINE uint32_t find_or_append(ph_func *f, const ph_pending *p,
                                         bool only) {
  ph_cse *c = &f->peephole->cse;
  ph_cse_search m;
  uint32_t v;
  if (!ph_cse_merges(f, p->op)) return only ? 0 : with_effect(f, p);
  v = ph_cse_find(f, c, &m, p, 0);
  if (v != 0) note_merged(f, p, v);
  if (v != 0 || only) return v;
  v = append(f, p);
  ph_cse_add(f, c, &m, v);
  return v;
}

/* True if an instruction of that op stays as it is: it has an effect and no
** rules. */
static inline bool stays(ph_func *f, ph_op op) {
  return !ph_cse_merges(f, op) && op != PH_COPY && ph_match_levels(f, op) == 0;
}

/* Returns the value of *p, or 0: a rule has failed; with `only`, also if it
** would have to be appended. */
static PH_INLINE uint32_t value_of(ph_func *f, ph_pending *p, bool only) {
  switch (stays(f, p->op) ? PH_MATCH_NONE : reduce(f, p)) {
    case PH_MATCH_FAILED:
      return 0;
    case PH_MATCH_NONE:
      return find_or_append(f, p, only);
    default:
      return ph_body_resolve(f, p->args[0]);
  }
}

/* }== For rules ====================================================== */

static uint32_t emit_inner(ph_func *f, uint32_t block, ph_op op, ph_type type,
                           const uint32_t *args, uint32_t n, ph_data data,
                           bool only) {
  uint32_t v, saying = f->saying;
  pending q;
  make_pending(f, &q, block, op, type, n, data);
  for (uint32_t i = 0; i < n; i++) q.p.args[i] = ph_body_resolve(f, args[i]);
  f->saying = 0; /* it is said of what the rule replaces */
  f->peephole->fuel.depth++;
  v = value_of(f, &q.p, only);
  f->peephole->fuel.depth--;
  f->saying = saying;
  return v;
}

static void begin_rule(ph_func *f, ph_pending *p, uint32_t rule) {
  ph_fuel_spend(f, &f->peephole->fuel, rule);
  if (f->tells) p->was = keep(f, p);
}

static bool reaches(ph_func *f, uint32_t v, uint32_t block) {
  return ph_cse_reaches(f, &f->peephole->cse, v, block);
}

static uint32_t set_mark(ph_func *f) {
  ph_marks_push(&f->peephole->marks, &f->arena, here(f));
  return f->nodes.n;
}

/* Removes all values made since m, except those that an action inside has taken
** back already.  They are still in the table for CSE, which does not return
** dropped values. */
static void take_back(ph_func *f, ph_marked m) {
  f->events.n = m.event;
  for (uint32_t v = f->nodes.n - 1; v >= m.node; v--) {
    const ph_node *n = ph_node_of(f, v);
    if (n->block == 0 || (n->flags & PH_IS_DROPPED)) continue;
    ph_value_takeout(f, v);
    ph_value_replace(f, v, 0);
  }
}

static void undo_to_mark(ph_func *f, uint32_t node) {
  ph_marks *marks = &f->peephole->marks;
  while (marks->n > 1 && marks->at[marks->n - 1].node > node) marks->n--;
  take_back(f, marks->at[--marks->n]);
}

static const ph_engine engine = {begin_rule, emit_inner, set_mark, undo_to_mark,
                                 reaches};

/* }== Outermost ====================================================== */

uint32_t ph_peephole_emit(ph_func *f, uint32_t b, ph_op op, ph_type type,
                          const ph_value *args, uint32_t n, ph_data data) {
  uint32_t v;
  pending q;
  begin_emit(f);
  make_pending(f, &q, b, op, type, n, data);
  for (uint32_t i = 0; i < n; i++) q.p.args[i] = ph_body_resolve(f, args[i].id);
  v = value_of(f, &q.p, false);
  if (v == 0) take_back(f, f->peephole->begin);
  if (v != 0) ph_identity_stamp(f, v);
  ph_scratch_clear(f);
  return v;
}

/* }== Terminators ==================================================== */

/* Returns the index of the target that is always taken if operand 0 is v, a
** constant. */
static uint32_t taken(const ph_func *f, const ph_pending *p, uint32_t v) {
  if (p->op == PH_BRANCH)
    return f->datas.at[ph_node_of(f, v)->aux].bits & 1 ? 0 : 1;
  for (uint32_t i = 1; i < p->nargs; i++)
    if (p->args[i] == v) return i;
  return 0;
}

/* Makes a branch or switch on a constant a jump. */
static void fold_branch(ph_func *f, ph_pending *p) {
  if (p->op != PH_BRANCH && p->op != PH_SWITCH) return;
  if (ph_node_of(f, p->args[0])->op != PH_CONST) return;
  note_folded(f, p, 0);
  p->targets[0] = p->targets[taken(f, p, p->args[0])];
  p->op = PH_JUMP;
  p->nargs = 0;
  p->ntargets = 1;
}

uint32_t ph_peephole_levels(ph_func *f, ph_op op) {
  uint32_t levels = ph_match_levels(f, op);
  if (levels > 0) return levels;
  return op == PH_BRANCH || op == PH_SWITCH || ph_cse_merges(f, op);
}

bool ph_peephole_mayend(ph_func *f, ph_op op) {
  begin_emit(f);
  return op == PH_BRANCH || op == PH_SWITCH || ph_match_levels(f, op) > 0;
}

bool ph_peephole_end(ph_func *f, ph_pending *p) {
  ph_matched result;
  begin_emit(f);
  do {
    fold_branch(f, p);
    result = apply_rules(f, p);
  } while (result == PH_MATCH_AGAIN);
  if (result == PH_MATCH_FAILED) take_back(f, f->peephole->begin);
  return result != PH_MATCH_FAILED;
}

/* }== Again ========================================================== */

/* Gives v the order of operands of p, and its op. */
static void reorder(ph_func *f, uint32_t v, const ph_pending *p) {
  ph_node_of(f, v)->op = p->op;
  for (uint32_t i = 0; i < p->nargs; i++)
    if (ph_body_operand(f, v, i) != p->args[i])
      ph_value_setarg(f, v, i, p->args[i]);
    else
      f->operands.at[ph_node_of(f, v)->args + i] = p->args[i];
}

static void take_operands(const ph_func *f, uint32_t v, ph_pending *p) {
  for (uint32_t i = 0; i < p->nargs; i++) p->args[i] = ph_body_operand(f, v, i);
}

/* Returns an equal value, or v. */
static uint32_t equal_or_same(ph_func *f, const ph_pending *p, uint32_t v) {
  ph_cse *c = &f->peephole->cse;
  ph_cse_search m;
  uint32_t w = ph_cse_find(f, c, &m, p, v);
  if (w == 0) ph_cse_keep(f, c, &m, v);
  if (w != 0) note_merged(f, p, w);
  return w != 0 ? w : v;
}

/* True if *p, which rules have changed, is v again. */
static bool is_same(ph_func *f, const ph_pending *p, uint32_t v) {
  pending was;
  const ph_node *n = ph_node_of(f, v);
  ph_data data = f->datas.at[n->aux];
  if (data.tag != p->data.tag || data.bits != p->data.bits) return false;
  make_pending(f, &was, p->block, n->op, n->type, n->nargs, data);
  take_operands(f, v, &was.p);
  ph_cse_order(f, &was.p);
  if (was.p.op != p->op || was.p.nargs != p->nargs) return false;
  for (uint32_t i = 0; i < was.p.nargs; i++)
    if (was.p.args[i] != p->args[i]) return false;
  return true;
}

static uint32_t simplify_again(ph_func *f, uint32_t v, ph_pending *p,
                               bool rules, bool merges) {
  take_operands(f, v, p);
  if (!rules) return equal_or_same(f, p, v);
  switch (reduce(f, p)) {
    case PH_MATCH_FAILED:
      return 0;
    case PH_MATCH_NONE:
      break;
    default:
      return ph_body_resolve(f, p->args[0]);
  }
  if (p->rule != 0 && !is_same(f, p, v)) return find_or_append(f, p, false);
  reorder(f, v, p);
  return merges ? equal_or_same(f, p, v) : v;
}

uint32_t ph_peephole_again(ph_func *f, uint32_t v, bool rules, bool merges) {
  const ph_node *n = ph_node_of(f, v);
  uint32_t w;
  pending q;
  begin_emit(f);
  make_pending(f, &q, n->block, n->op, n->type, n->nargs, f->datas.at[n->aux]);
  f->peephole->cse.site->before = v;
  if (f->matcher != NULL) f->matcher->self = v;
  f->saying = ph_effects_said(f, v);
  w = simplify_again(f, v, &q.p, rules, merges);
  f->saying = 0;
  if (w == 0) take_back(f, f->peephole->begin);
  if (f->matcher != NULL) f->matcher->self = 0;
  return w;
}

/* }== Beginning and end ============================================== */

static void start(ph_func *f, ph_ruleset *rules, bool strict) {
  struct ph_peephole *s = ph_arena_zero(&f->arena, sizeof *s);
  ph_fuel_fill(&s->fuel);
  s->fuel.strict = strict;
  s->fuel.allowed = UINT32_MAX;
  s->counts = &f->stats.emitting;
  s->cse.values.arena = s->cse.reads.arena = &f->working;
  f->peephole = s;
  if (rules != NULL) ph_match_use(f, rules, &engine);
}

void ph_peephole_enable(ph_func *f, ph_ruleset *rules, bool strict) {
  ph_must(ph_ptr(f)->peephole == NULL && "enabled once");
  ph_must(ph_contract_isopen(f) && !ph_contract_isbegun(f) &&
          "before anything is emitted");
  start(f, rules, strict);
}

ph_phase ph_peephole_enter(ph_func *f, ph_ruleset *rules, bool strict) {
  const ph_phase outer = {ph_ptr(f)->peephole, f->matcher};
  ph_must(f->finished && "a finished function");
  start(f, ph_ptr(rules), strict);
  if (outer.peephole != NULL)
    f->peephole->fuel.allowed = outer.peephole->fuel.allowed;
  return outer;
}

void ph_peephole_leave(ph_func *f, ph_phase outer) {
  ph_require(ph_ptr(f)->peephole != NULL && "in a phase");
  if (outer.peephole != NULL)
    outer.peephole->fuel.allowed = f->peephole->fuel.allowed;
  f->peephole = outer.peephole;
  f->matcher = outer.matcher;
}

void ph_peephole_limit(ph_func *f, uint32_t n) {
  ph_require(ph_ptr(f)->peephole != NULL && "a function that simplifies");
  f->peephole->fuel.allowed = n;
  f->peephole->fuel.careful |= n == 0;
}

void ph_peephole_forget(ph_func *f) {
  const ph_value_table none = {.arena = &f->working};
  if (f->peephole == NULL) return;
  f->peephole->cse.values = f->peephole->cse.reads = none;
  f->peephole->cse.written = f->peephole->cse.named = 0;
  f->peephole->cse.wrote = NULL;
}

/* }== Which rules were applied ======================================= */

bool ph_peephole_isexhausted(const ph_func *f) {
  ph_must(ph_ptr(f)->peephole != NULL && "a function that simplifies");
  return f->peephole->fuel.exhausted;
}

uint32_t ph_peephole_napplied(const ph_func *f) {
  ph_must(ph_ptr(f)->peephole != NULL && "a function that simplifies");
  return f->peephole->fuel.trail.n;
}

uint32_t ph_peephole_applied(const ph_func *f, uint32_t i) {
  ph_must(i < ph_peephole_napplied(ph_ptr(f)) &&
          "from 0 to ph_peephole_napplied - 1");
  return f->peephole->fuel.trail.at[i];
}

uint32_t ph_peephole_ncircle(const ph_func *f) {
  return ph_ptr(f)->peephole == NULL ? 0 : f->peephole->fuel.circle.n;
}

uint32_t ph_peephole_circle(const ph_func *f, uint32_t i) {
  ph_require(i < ph_peephole_ncircle(f) && "from 0 to ph_peephole_ncircle - 1");
  return f->peephole->fuel.circle.at[i];
}

/* }=================================================================== */
