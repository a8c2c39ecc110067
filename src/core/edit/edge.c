/* edge.c: redirects, adds, removes and splits edges of a finished function.
**
** An edge leaves by a target of a terminator and arrives as an operand of each
** phi.  Both sides change together: a caller that adds an edge gives the value
** of each phi when control comes along it.  Removing an edge states that
** control never takes it, so a branch becomes a jump, and a jump becomes
** unreachable.
**
** Edges from unreachable blocks are treated like all others, since a new part
** of a function is built first and linked afterwards.  Only a block that was
** dead when it was filled adds no edges until it gets another terminator.
**
** Edges are stored where they leave: those of a block are contiguous, one for
** each of its terminator's targets.  Where they arrive they are chained, one
** for each operand of the phis (edge_order.c).  So an edge that stays, but gets
** another number, keeps its place in the chain, and phis need not change.  Runs
** of edges grow as lists of operands do (uses.c): one that becomes longer moves
** to the end with room to spare, and a free edge leaves block 0.
**
** Requires: the function is finished.  Changes: edges, operands of phis,
** terminators.  Keeps: other instructions; uses.
*/
#include <stdlib.h>

#include "core/edit/contract.h"
#include "core/edit/edge_order.h"
#include "core/edit/edit.h"
#include "core/ir/block.h"
#include "core/ir/event.h"
#include "core/ir/op.h"
#include "core/ir/opcheck.h"
#include "core/ir/uses.h"
#include "core/ir/value.h"

static void note_edit(ph_func *f, ph_block b) {
  ph_event_note(f, PH_EV_EDITED, b.id, 0, 0, 0);
}

static uint32_t target_of(const ph_func *f, uint32_t b, uint32_t i) {
  return f->edges.at[ph_blockrec_of(f, b)->first_succ + i].to;
}

/*
** {== Finding ========================================================
*/

bool ph_edge_isinert(const ph_func *f, ph_block b) {
  ph_must(ph_contract_hasblock(f, b) && "a block of this function");
  return ph_blockrec_of(f, b.id)->inert;
}

uint32_t ph_edge_count(ph_func *f, ph_block b, ph_block to) {
  ph_must(ph_contract_canedit(f, b) && ph_contract_hasblock(f, to) &&
          "blocks of a finished function");
  ph_edge_order_need(f);
  return ph_edge_order_count(f, b.id, to.id);
}

static uint32_t find_edge(ph_func *f, ph_block b, ph_block to, uint32_t nth) {
  uint32_t e;
  ph_must(ph_contract_canedit(f, b) && "a block of a finished function");
  ph_edge_order_need(f);
  e = ph_edge_order_nth(f, b.id, to.id, nth);
  ph_must(e != 0 && "an existing edge");
  return e;
}

/* True if w is one of the keys of the switch v.  Searches the keys and the uses
** of w together, until the shorter list ends. */
static bool has_key(ph_func *f, uint32_t v, ph_value w) {
  uint32_t use = ph_uses_find(f, w.id);
  for (uint32_t i = 1; i < ph_node_of(f, v)->nargs && use != 0; i++) {
    if (ph_body_operand(f, v, i) == w.id) return true;
    if (ph_uses_user(f, use).id == v && ph_uses_index(f, use) > 0) return true;
    use = ph_uses_next(f, w, use);
  }
  return false;
}

bool ph_edge_haskey(ph_func *f, ph_block b, int64_t key) {
  uint32_t v;
  ph_value w;
  ph_must(ph_contract_keeps(f, b) && "a block of this function");
  v = ph_blockrec_of(f, b.id)->last;
  ph_must(ph_node_of(f, v)->op == PH_SWITCH && "a block with a switch");
  w.id = ph_const_find(f, ph_node_of(f, ph_body_operand(f, v, 0))->type, key);
  return w.id != 0 && has_key(f, v, w);
}

/* }== Edges out of a block =========================================== */

#define NEW_EDGE UINT32_MAX

/* The edges that are to leave a block.  The k-th leads to to[k]; it is the
** existing edge was[k], from 0, which leads there already, or a new one
** (NEW_EDGE). */
typedef struct {
  uint32_t n;
  uint32_t *to, *was;
} succs;

static bool is_free(const ph_func *f, uint32_t from, uint32_t to) {
  if (to > f->edges.n) return false;
  while (from < to && f->edges.at[from].from == 0) from++;
  return from == to;
}

/* Returns where n edges of b have room, preferably where its edges are. */
static uint32_t find_room(ph_func *f, uint32_t b, uint32_t n) {
  const ph_blockrec *block = ph_blockrec_of(f, b);
  uint32_t first = block->first_succ, had = block->nsuccs;
  uint32_t last = f->edges.n + n + (had > 0 ? n / 2 : 0);
  if (n <= had || (had > 0 && is_free(f, first + had, first + n))) return first;
  first = f->edges.n;
  ph_edges_extend(&f->edges, &f->arena, last);
  return first;
}

/* Makes edge e, the last one of b in order, to block `to`; `in` is sorted. */
static void make_edge(ph_func *f, uint32_t e, uint32_t b, uint32_t to,
                      ph_incomings in) {
  f->edges.at[e] = (ph_edge){b, to, 0};
  ph_edge_order_append(f, e, in);
}

/* Makes room for n edges in f->scratch. */
static succs new_succs(ph_func *f, uint32_t n) {
  succs s = {n, NULL, NULL};
  s.to = ph_arena_alloc(&f->scratch, 2 * sizeof(uint32_t) * (n + (size_t)1));
  s.was = s.to + n + 1;
  return s;
}

/* Returns, by old edge of b, from 0, its new number; 0: it is removed. */
static uint32_t *new_numbers(ph_func *f, uint32_t b, uint32_t base,
                             const succs *s) {
  uint32_t n = ph_blockrec_of(f, b)->nsuccs;
  uint32_t *now = ph_arena_zero(&f->scratch, (n + 1) * sizeof *now);
  for (uint32_t k = 0; k < s->n; k++)
    if (s->was[k] != NEW_EDGE) now[s->was[k]] = base + k;
  return now;
}

/* Removes the old edges of b that get no new number, and moves the others. */
static void move_old(ph_func *f, uint32_t b, const uint32_t *now) {
  const ph_blockrec *block = ph_blockrec_of(f, b);
  uint32_t first = block->first_succ, n = block->nsuccs;
  for (uint32_t i = 0; i < n; i++)
    if (now[i] == 0 && !ph_body_iscut(f, first + i))
      ph_edge_order_depart(f, first + i);
  ph_edge_order_renumber(f, first, n, now);
}

/* Orders the edges of b, which start at `base`, as they are stored. */
static void order_edges(ph_func *f, uint32_t b, uint32_t base, const succs *s,
                        ph_incomings in) {
  for (uint32_t k = 0; k < s->n; k++)
    if (s->was[k] != NEW_EDGE) ph_edge_order_part(f, base + k);
  for (uint32_t k = 0; k < s->n; k++)
    if (s->was[k] == NEW_EDGE)
      make_edge(f, base + k, b, s->to[k], in);
    else
      ph_edge_order_rejoin(f, base + k);
}

/* Replaces the edges of b, which are in order, by s.  The phis of their targets
** lose the operands of removed edges, and get those of new ones from `in`. */
static void change_succs(ph_func *f, uint32_t b, const succs *s,
                         ph_incomings in) {
  uint32_t base = find_room(f, b, s->n);
  ph_edge_order_need(f);
  move_old(f, b, new_numbers(f, b, base, s));
  ph_blockrec_of(f, b)->first_succ = base;
  ph_blockrec_of(f, b)->nsuccs = s->n;
  ph_blockrec_of(f, b)->inert = false;
  order_edges(f, b, base, s, in);
  f->flow_changes++;
}

/* Makes room for one more edge of b after its others. */
static void make_room(ph_func *f, uint32_t b) {
  ph_blockrec *block = ph_blockrec_of(f, b);
  uint32_t base = find_room(f, b, block->nsuccs + 1), *now;
  ph_edge_order_need(f);
  if (base == block->first_succ) return;
  now = ph_arena_alloc(&f->scratch, (block->nsuccs + 1) * sizeof *now);
  for (uint32_t i = 0; i < block->nsuccs; i++) now[i] = base + i;
  ph_edge_order_renumber(f, block->first_succ, block->nsuccs, now);
  block->first_succ = base;
}

/* Appends an edge to block `to`. */
static void add_succ(ph_func *f, uint32_t b, uint32_t to, ph_incomings in) {
  ph_blockrec *block = ph_blockrec_of(f, b);
  make_room(f, b);
  make_edge(f, block->first_succ + block->nsuccs++, b, to, in);
  block->inert = false;
}

/* }== Matching ======================================================= */

/* A target of a terminator: the i-th, which is block `to`. */
typedef struct {
  uint32_t to, i;
} stop;

static int by_target(const void *p, const void *q) {
  const stop *a = p, *b = q;
  if (a->to != b->to) return a->to < b->to ? -1 : 1;
  return (a->i > b->i) - (a->i < b->i);
}

/* Those to which edges have arrived. */
static stop *old_stops(ph_func *f, uint32_t b, uint32_t *n) {
  const ph_blockrec *block = ph_blockrec_of(f, b);
  stop *stops =
      ph_arena_alloc(&f->scratch, (block->nsuccs + 1) * sizeof *stops);
  *n = 0;
  for (uint32_t i = 0; i < block->nsuccs; i++)
    if (!ph_body_iscut(f, block->first_succ + i))
      stops[(*n)++] = (stop){target_of(f, b, i), i};
  qsort(stops, *n, sizeof *stops, by_target);
  return stops;
}

static stop *new_stops(ph_func *f, const ph_block *targets, uint32_t m) {
  stop *stops = ph_arena_alloc(&f->scratch, (m + 1) * sizeof *stops);
  for (uint32_t i = 0; i < m; i++) stops[i] = (stop){targets[i].id, i};
  qsort(stops, m, sizeof *stops, by_target);
  return stops;
}

/* Assigns each target an existing edge of b that leads to it, or a new one. */
static succs match_edges(ph_func *f, uint32_t b, const ph_block *targets,
                         uint32_t m) {
  uint32_t n, i = 0;
  const stop *old, *new = new_stops(f, targets, m);
  succs s = new_succs(f, m);
  ph_edge_order_source(f, b);
  old = old_stops(f, b, &n);
  for (uint32_t k = 0; k < m; k++) {
    uint32_t to = new[k].to;
    while (i < n && old[i].to < to) i++;
    s.to[new[k].i] = to;
    s.was[new[k].i] = i < n && old[i].to == to ? old[i++].i : NEW_EDGE;
  }
  return s;
}

uint32_t ph_edge_newtargets(ph_func *f, ph_block b, const ph_block *targets,
                            uint32_t m, ph_block *news) {
  ph_arena_mark bottom;
  const stop *new;
  succs s;
  uint32_t n = 0;
  ph_must(ph_contract_canedit(f, b) && "a block of a finished function");
  ph_must(ph_contract_fittargets(f, targets, m) &&
          "targets in this function other than the entry");
  ph_must((news != NULL || m == 0) && "news is not NULL");
  bottom = ph_scratch_open(f);
  s = match_edges(f, b.id, targets, m);
  new = new_stops(f, targets, m);
  for (uint32_t k = 0; k < m; k++)
    if (s.was[new[k].i] == NEW_EDGE && (n == 0 || news[n - 1].id != new[k].to))
      news[n++].id = new[k].to;
  ph_scratch_leave(f, bottom);
  return n;
}

/* }== Terminators ==================================================== */

/* Replaces the terminator of b by an instruction `op`, which gets its nodes. */
static ph_value replace_terminator(ph_func *f, uint32_t b, ph_op op,
                                   const ph_value *args, uint32_t n) {
  uint32_t old = ph_blockrec_of(f, b)->last;
  uint32_t v = ph_edit_make(f, op, PH_NOTYPE, args, n);
  ph_value_takeout(f, old);
  ph_value_replace(f, old, 0);
  ph_edit_fill(f, b, v);
  ph_identity_share(f, old, v);
  return ph_valueid(v);
}

/* Ends b with *t, whose edges are s. */
static ph_value end_anew(ph_func *f, uint32_t b, const ph_terminator *t,
                         const succs *s, ph_incomings in) {
  note_edit(f, ph_blockid(b));
  change_succs(f, b, s, in);
  return replace_terminator(f, b, t->op, t->args, t->nargs);
}

void ph_edge_renew(ph_func *f, uint32_t b, const ph_terminator *t,
                   const uint32_t *was) {
  succs s = new_succs(f, t->ntargets);
  for (uint32_t k = 0; k < s.n; k++) {
    s.to[k] = t->targets[k].id;
    s.was[k] = was[k];
  }
  end_anew(f, b, t, &s, (ph_incomings){NULL, 0});
}

ph_value ph_edge_setterminator(ph_func *f, ph_block b, const ph_terminator *t,
                               const ph_incoming *in, uint32_t nin) {
  ph_arena_mark bottom;
  ph_value v;
  succs s;
  ph_must(ph_contract_canedit(f, b) && "a block of a finished function");
  ph_must(ph_contract_hasop(f, ph_ptr(t)->op) &&
          ph_op_has(f, t->op, PH_TERMINATOR) && "a terminator");
  ph_must(ph_contract_hasvalues(f, t->args, t->nargs) &&
          "operands are values of this function");
  ph_must(ph_opcheck_fits(f, t->op, PH_NOTYPE, t->args, t->nargs) &&
          "operands that fit the op");
  ph_must(ph_opcheck_fittargets(f, t->op, t->nargs, t->ntargets) &&
          "as many targets as the op takes");
  ph_must((t->op != PH_SWITCH || ph_opcheck_fitkeys(f, t->args, t->nargs)) &&
          "keys are distinct constants");
  ph_must(ph_contract_fittargets(f, t->targets, t->ntargets) &&
          "targets in this function other than the entry");
  ph_must(ph_contract_fitphis(f, in, nin) && "values of the phis' types");
  bottom = ph_scratch_open(f);
  s = match_edges(f, b.id, t->targets, t->ntargets);
  v = end_anew(f, b.id, t, &s, ph_edge_order_incomings(f, in, nin));
  ph_scratch_leave(f, bottom);
  return v;
}

/* }== Redirecting ==================================================== */

void ph_edge_retarget(ph_func *f, ph_block b, ph_block from, ph_block to,
                      const ph_incoming *in, uint32_t nin) {
  ph_arena_mark bottom = ph_scratch_open(ph_ptr(f));
  ph_incomings values;
  uint32_t e;
  ph_must(ph_contract_canedit(f, b) && "a block of a finished function");
  ph_must(ph_contract_hasblock(f, from) && "a block of this function");
  ph_must(ph_contract_fittargets(f, &to, 1) &&
          "targets in this function other than the entry");
  ph_must(!ph_same(from, to) && "another block");
  ph_must(ph_contract_fitphis(f, in, nin) && "values of the phis' types");
  ph_must(!ph_edge_isinert(f, b) && "edges that have arrived");
  note_edit(f, b);
  values = ph_edge_order_incomings(f, in, nin);
  ph_edge_order_need(f);
  while ((e = ph_edge_order_nth(f, b.id, from.id, 0)) != 0) {
    ph_edge_order_depart(f, e);
    f->edges.at[e].to = to.id;
    ph_edge_order_arrive(f, e, values);
  }
  ph_scratch_leave(f, bottom);
}

/* }== Adding ========================================================= */

/* Turns `jump old` into `branch when, to, old`. */
static void add_branch(ph_func *f, uint32_t b, ph_value when, uint32_t to,
                       ph_incomings in) {
  uint32_t targets[] = {to, target_of(f, b, 0)}, was[] = {NEW_EDGE, 0};
  const succs s = {2, targets, was};
  change_succs(f, b, &s, in);
  replace_terminator(f, b, PH_BRANCH, &when, 1);
}

void ph_edge_add(ph_func *f, ph_block b, ph_value when, ph_block to,
                 const ph_incoming *in, uint32_t nin) {
  ph_arena_mark bottom = ph_scratch_open(ph_ptr(f));
  ph_incomings values;
  uint32_t v;
  ph_op op;
  ph_must(ph_contract_canedit(f, b) && "a block of a finished function");
  ph_must(ph_contract_fittargets(f, &to, 1) &&
          "targets in this function other than the entry");
  ph_must(ph_contract_fitphis(f, in, nin) && "values of the phis' types");
  ph_must(!ph_edge_isinert(f, b) && "edges that have arrived");
  v = ph_blockrec_of(f, b.id)->last;
  op = ph_node_of(f, v)->op;
  ph_must((op == PH_JUMP || ph_op_ntargets(f, op) == PH_VARIADIC) &&
          "a terminator that can have one more target");
  ph_must((op >= PH_OPS || ph_contract_hasvalues(f, &when, 1)) &&
          "a value of this function");
  ph_must((op != PH_JUMP || ph_value_type(f, when) == PH_I1) && "a condition");
  ph_must((op != PH_SWITCH ||
           (ph_value_op(f, when) == PH_CONST &&
            ph_value_type(f, when) ==
                ph_node_of(f, ph_body_operand(f, v, 0))->type)) &&
          "a constant of the switch's type");
  note_edit(f, b);
  values = ph_edge_order_incomings(f, in, nin);
  if (op == PH_JUMP) {
    add_branch(f, b.id, when, to.id, values);
  } else {
    add_succ(f, b.id, to.id, values);
    if (op == PH_SWITCH) ph_operands_add(f, v, ph_body_resolve(f, when.id));
  }
  ph_scratch_leave(f, bottom);
}

/* }== Removing ======================================================= */

/* Removes edge e and its key, the operand with the same index.  When the
** default goes, which is the first edge, the last case becomes the default. */
static void remove_case(ph_func *f, uint32_t b, uint32_t e) {
  uint32_t v = ph_blockrec_of(f, b)->last;
  uint32_t i = e - ph_blockrec_of(f, b)->first_succ;
  uint32_t last = ph_blockrec_of(f, b)->nsuccs - 1;
  if (i == 0) {
    ph_edge_order_source(f, b);
    ph_edge_order_dropfirst(f, b);
  } else {
    ph_value_setarg(f, v, i, ph_body_operand(f, v, last));
    ph_edge_order_drop(f, b, e);
  }
  ph_operands_pop(f, v);
}

void ph_edge_remove(ph_func *f, ph_block b, ph_block to, uint32_t nth) {
  ph_arena_mark bottom = ph_scratch_open(ph_ptr(f));
  uint32_t e = find_edge(f, b, to, nth);
  ph_op op = ph_node_of(f, ph_blockrec_of(f, b.id)->last)->op;
  ph_must((op < PH_OPS || ph_op_ntargets(f, op) == PH_VARIADIC) &&
          "a terminator that can have one target less");
  note_edit(f, b);
  if (op == PH_SWITCH)
    remove_case(f, b.id, e);
  else
    ph_edge_order_drop(f, b.id, e);
  if (op == PH_BRANCH)
    replace_terminator(f, b.id, PH_JUMP, NULL, 0);
  else if (op < PH_OPS && ph_blockrec_of(f, b.id)->nsuccs == 0)
    replace_terminator(f, b.id, PH_UNREACHABLE, NULL, 0);
  ph_scratch_leave(f, bottom);
}

/* }== Splitting ====================================================== */

/* Puts a new block on edge e and returns it.  The first half keeps its number,
** and no other edge changes. */
static uint32_t split_edge(ph_func *f, uint32_t e, ph_str name) {
  ph_block to = ph_blockid(f->edges.at[e].to);
  uint32_t middle, rest;
  note_edit(f, ph_blockid(f->edges.at[e].from));
  middle = ph_edit_open(f, name);
  ph_edit_fill(f, middle, ph_edit_make(f, PH_JUMP, PH_NOTYPE, NULL, 0));
  ph_block_connect(f, middle, &to, 1, false);
  rest = ph_blockrec_of(f, middle)->first_succ;
  ph_edge_order_need(f);
  ph_edge_order_replace(f, e, rest);
  f->edges.at[e].to = middle;
  ph_edge_order_arrive(f, e, (ph_incomings){NULL, 0});
  return middle;
}

ph_block ph_edge_split(ph_func *f, ph_block b, ph_block to, uint32_t nth,
                       ph_str name) {
  ph_arena_mark bottom = ph_scratch_open(ph_ptr(f));
  uint32_t middle = split_edge(f, find_edge(f, b, to, nth), name);
  ph_scratch_leave(f, bottom);
  return ph_blockid(middle);
}

ph_block ph_edge_splitedge(ph_func *f, uint32_t edge, ph_str name) {
  ph_arena_mark bottom = ph_scratch_open(ph_ptr(f));
  uint32_t middle;
  ph_must(f->finished && "a finished function");
  ph_must(ph_contract_hasedge(f, edge) && f->edges.at[edge].to != 0 &&
          "an existing edge");
  ph_edge_order_need(f);
  middle = split_edge(f, edge, name);
  ph_scratch_leave(f, bottom);
  return ph_blockid(middle);
}

/* }== Merging ======================================================== */

bool ph_edge_canmerge(const ph_func *f, ph_block b) {
  const ph_blockrec *block = ph_blockrec_of(ph_ptr(f), b.id);
  uint32_t to;
  ph_must(ph_contract_hasblock(f, b) && "a block of this function");
  if (!ph_contract_canedit(f, b) || block->inert ||
      ph_node_of(f, block->last)->op != PH_JUMP)
    return false;
  to = target_of(f, b.id, 0);
  return to != b.id && ph_blockrec_of(f, to)->npreds == 1;
}

/* Removes a block that has become empty, unless edges that finish has cut may
** still lead to it. */
static void leave_behind(ph_func *f, uint32_t b) {
  if (f->keeps_unreachable) {
    ph_edit_fill(f, b, ph_edit_make(f, PH_UNREACHABLE, PH_NOTYPE, NULL, 0));
  } else {
    ph_blockrec_of(f, b)->removed = PH_REMOVED;
    ph_event_note(f, PH_EV_DROPPED, b, 0, 0, 0);
  }
}

void ph_edge_merge(ph_func *f, ph_block b) {
  ph_arena_mark bottom = ph_scratch_open(ph_ptr(f));
  uint32_t jump, next;
  ph_must(ph_edge_canmerge(f, b) && "the only edge out of b, and into a block");
  note_edit(f, b);
  jump = ph_blockrec_of(f, b.id)->last;
  next = target_of(f, b.id, 0);
  ph_edge_order_need(f);
  uint32_t v;
  while ((v = ph_blockrec_of(f, next)->first_phi) != 0) {
    uint32_t by = ph_body_operand(f, v, 0);
    if (by == v) by = ph_const_undef(f, ph_node_of(f, v)->type).id;
    ph_event_note(f, PH_EV_REDUNDANT, next, 0, v, by);
    ph_value_takeout(f, v);
    ph_value_replace(f, v, by);
  }
  ph_identity_share(f, jump, ph_blockrec_of(f, next)->last);
  ph_edge_order_drop(f, b.id, ph_blockrec_of(f, b.id)->first_succ);
  ph_value_takeout(f, jump);
  ph_value_replace(f, jump, 0);
  ph_edge_order_source(f, next);
  ph_edge_order_handover(f, next, b.id);
  ph_edit_moverest(f, next, ph_blockrec_of(f, next)->first, b.id);
  leave_behind(f, next);
  ph_scratch_leave(f, bottom);
}

/* }=================================================================== */
