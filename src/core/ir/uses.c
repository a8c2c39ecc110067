/* uses.c: def-use chains, and lists of operands that change their length.
**
** Construction does not need chains: replacing a phi is a union, and trivial
** phis are found by their witnesses (trivial_phi.c).  So they are made by the
** first query, in one pass, and kept up to date from then on.
**
** A use is an operand slot.  The uses of a value form a circular doubly linked
** list of slots: removing one and joining two lists is O(1).  Slots are counted
** from 1 here, so that 0 is none.
**
** During construction, rules query how often a value is used, and nothing else:
** for them uses are counted without lists.
**
** Construction gives a value its operands once, contiguous with those of all
** others.  A list that grows later moves to the end of the array, with room to
** grow further: adding operands one by one takes linear memory.  The end of a
** list's room is not stored.  A free slot holds 0, which is not a value; so a 0
** right after the last operand of a list belongs to the list, because an empty
** list has no room and moves when it grows.  (ph_block_unlink, which removes
** operands of phis, leaves 0 behind, too.)
*/
#include "core/ir/uses.h"

#include "core/ir/contract.h"

/*
** {== Lists ==========================================================
*/

static ph_userec *rec(const ph_func *f, uint32_t use) {
  return &f->uses.recs.at[use - 1];
}

static inline void link_slot(ph_func *f, uint32_t user, uint32_t use) {
  uint32_t v = ph_body_resolve(f, f->operands.at[use - 1]);
  uint32_t first = f->uses.first.at[v], last = use;
  ph_userec *recs = f->uses.recs.at;
  if (first == 0) {
    f->uses.first.at[v] = first = use;
  } else {
    last = recs[first - 1].prev;
    recs[last - 1].next = recs[first - 1].prev = use;
  }
  recs[use - 1] = (ph_userec){user, first, last};
  f->uses.count.at[v]++;
}

static void unlink_slot(ph_func *f, uint32_t use) {
  uint32_t v = ph_body_resolve(f, f->operands.at[use - 1]);
  ph_userec *r = rec(f, use);
  if (r->next == use) {
    f->uses.first.at[v] = 0;
  } else {
    rec(f, r->prev)->next = r->next;
    rec(f, r->next)->prev = r->prev;
    if (f->uses.first.at[v] == use) f->uses.first.at[v] = r->next;
  }
  r->user = r->next = r->prev = 0;
  f->uses.count.at[v]--;
}

/* Makes room for all existing values and operands. */
static void widen_records(ph_func *f) {
  ph_ids_extend(&f->uses.first, &f->arena, f->nodes.n);
  ph_ids_extend(&f->uses.count, &f->arena, f->nodes.n);
  ph_userecs_extend(&f->uses.recs, &f->arena, f->operands.n);
}

static bool is_in_block(const ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  return n->block != 0 && n->forward == 0 && !(n->flags & PH_IS_DROPPED) &&
         !ph_blockrec_of(f, n->block)->removed;
}

static void link_all(ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  for (uint32_t i = 1; i <= n->nargs; i++) link_slot(f, v, n->args + i);
}

/* Slots of values that are not in a block are not cleared. */
static void chain_all_uses(ph_func *f) {
  f->uses.count.n = 0;
  ph_userecs_reserve(&f->uses.recs, &f->arena, f->operands.n);
  f->uses.recs.n = f->operands.n;
  widen_records(f);
  for (uint32_t v = 1; v < f->nodes.n; v++)
    if (is_in_block(f, v)) link_all(f, v);
  f->uses.kept = PH_USES_CHAINED;
}

/* }== Counting only ================================================== */

/* Adds `by`, which is 1 or -1, to the number of uses of operand i of v. */
static void count_operand(ph_func *f, uint32_t v, uint32_t i, uint32_t by) {
  ph_ids *counts = &f->uses.count;
  uint32_t w = ph_body_operand(f, v, i);
  if (counts->n <= w) ph_ids_extend(counts, &f->arena, f->nodes.n);
  counts->at[w] += by;
}

static void count_all(ph_func *f, uint32_t v, uint32_t by) {
  for (uint32_t i = 0; i < ph_node_of(f, v)->nargs; i++)
    count_operand(f, v, i, by);
}

static void start_counting(ph_func *f) {
  for (uint32_t v = 1; v < f->nodes.n; v++)
    if (is_in_block(f, v)) count_all(f, v, 1);
  f->uses.kept = PH_USES_COUNTED;
}

/* }== Changes ======================================================== */

void ph_uses_linkall(ph_func *f, uint32_t v) {
  if (f->uses.kept == PH_USES_COUNTED) count_all(f, v, 1);
  if (f->uses.kept != PH_USES_CHAINED) return;
  widen_records(f);
  link_all(f, v);
}

void ph_uses_unlink(ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  if (f->uses.kept == PH_USES_COUNTED) count_all(f, v, UINT32_MAX);
  if (f->uses.kept != PH_USES_CHAINED) return;
  for (uint32_t i = 1; i <= n->nargs; i++) unlink_slot(f, n->args + i);
}

void ph_uses_unlinkone(ph_func *f, uint32_t v, uint32_t i) {
  if (f->uses.kept == PH_USES_COUNTED) count_operand(f, v, i, UINT32_MAX);
  if (f->uses.kept == PH_USES_CHAINED)
    unlink_slot(f, ph_node_of(f, v)->args + i + 1);
}

void ph_uses_linkone(ph_func *f, uint32_t v, uint32_t i) {
  if (f->uses.kept == PH_USES_COUNTED) count_operand(f, v, i, 1);
  if (f->uses.kept != PH_USES_CHAINED) return;
  widen_records(f);
  link_slot(f, v, ph_node_of(f, v)->args + i + 1);
}

void ph_uses_reserve(ph_func *f) {
  if (f->uses.kept == PH_USES_COUNTED)
    ph_ids_extend(&f->uses.count, &f->arena, f->nodes.n);
  if (f->uses.kept == PH_USES_CHAINED) widen_records(f);
}

void ph_uses_join(ph_func *f, uint32_t v, uint32_t w) {
  uint32_t a, b, before_a;
  if (f->uses.kept == PH_USES_COUNTED) {
    ph_ids *counts = &f->uses.count;
    ph_ids_extend(counts, &f->arena, f->nodes.n);
    counts->at[w] += counts->at[v];
    counts->at[v] = 0;
  }
  if (f->uses.kept != PH_USES_CHAINED) return;
  widen_records(f);
  a = f->uses.first.at[v];
  b = f->uses.first.at[w];
  f->uses.first.at[v] = 0;
  f->uses.count.at[w] += f->uses.count.at[v];
  f->uses.count.at[v] = 0;
  if (a == 0) return;
  if (b == 0) {
    f->uses.first.at[w] = a;
    return;
  }
  before_a = rec(f, a)->prev;
  rec(f, rec(f, b)->prev)->next = a;
  rec(f, a)->prev = rec(f, b)->prev;
  rec(f, before_a)->next = b;
  rec(f, b)->prev = before_a;
}

void ph_uses_forget(ph_func *f) {
  f->uses.kept = PH_NO_USES;
  f->uses.recs.n = f->uses.first.n = f->uses.count.n = 0;
}

/* }== Questions ====================================================== */

static uint32_t now(const ph_func *f, ph_value v) {
  ph_require(ph_contract_hasvalue(f, v) && "a value of this function");
  return ph_body_resolve(f, v.id);
}

static const ph_userec *at(const ph_func *f, uint32_t use) {
  ph_require(ph_ptr(f)->uses.kept == PH_USES_CHAINED &&
             use - 1 < f->uses.recs.n && "a use");
  return rec(f, use);
}

uint32_t ph_uses_count(ph_func *f, ph_value v) {
  if (ph_ptr(f)->uses.kept == PH_NO_USES) start_counting(f);
  ph_ids_extend(&f->uses.count, &f->arena, f->nodes.n);
  return f->uses.count.at[now(f, v)];
}

uint32_t ph_uses_find(ph_func *f, uint32_t v) {
  if (f->uses.kept != PH_USES_CHAINED) chain_all_uses(f);
  widen_records(f);
  return f->uses.first.at[v];
}

uint32_t ph_uses_first(ph_func *f, ph_value v) {
  ph_body_settle(ph_ptr(f));
  return ph_uses_find(f, now(f, v));
}

uint32_t ph_uses_next(ph_func *f, ph_value v, uint32_t use) {
  uint32_t next = at(ph_ptr(f), use)->next;
  return next == f->uses.first.at[now(f, v)] ? 0 : next;
}

ph_value ph_uses_user(const ph_func *f, uint32_t use) {
  return ph_valueid(at(ph_ptr(f), use)->user);
}

uint32_t ph_uses_index(const ph_func *f, uint32_t use) {
  return use - 1 - ph_node_of(f, at(f, use)->user)->args;
}

/* }== Lists of operands ============================================== */

static bool has_room(const ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  uint32_t end = n->args + n->nargs;
  return n->nargs > 0 && end < f->operands.n && f->operands.at[end] == 0;
}

static void move_away(ph_func *f, uint32_t v) {
  uint32_t n = ph_node_of(f, v)->nargs;
  uint32_t from = ph_node_of(f, v)->args, to = f->operands.n;
  ph_uses_unlink(f, v);
  ph_ids_extend(&f->operands, &f->arena, to + n + n / 2 + 4);
  for (uint32_t i = 0; i < n; i++)
    f->operands.at[to + i] = f->operands.at[from + i];
  ph_node_of(f, v)->args = to;
  ph_uses_link(f, v);
}

void ph_operands_add(ph_func *f, uint32_t v, uint32_t w) {
  ph_node *n = ph_node_of(f, v);
  if (!has_room(f, v)) move_away(f, v);
  f->operands.at[n->args + n->nargs] = w;
  n->nargs++;
  ph_uses_linkone(f, v, n->nargs - 1);
  f->inst_changes++;
}

void ph_operands_pop(ph_func *f, uint32_t v) {
  ph_node *n = ph_node_of(f, v);
  ph_must(n->nargs > 0 && "an existing operand");
  ph_uses_unlinkone(f, v, n->nargs - 1);
  n->nargs--;
  f->operands.at[n->args + n->nargs] = 0;
  f->inst_changes++;
}

/* }=================================================================== */
