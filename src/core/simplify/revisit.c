/* revisit.c: simplifies once more what has changed since it was emitted.
**
** Construction sees an instruction once, when it is emitted.  A phi that is an
** operand may be removed later, at sealing or as redundant; then a rule may
** apply that did not, or an equal value exist.  And only a finished function
** has a dominator tree, by which more equal values are found.
**
** One walk over the dominator tree visits every block after its predecessors,
** except for back edges, so users see what changed before them.  When the table
** of values is asked, its newest entry in a dominating block is the one to use:
** all others are from subtrees that do not contain each other.  Rules are tried
** where operands have changed, and operands of operands, as far as the rules for
** an op look.  Reads of memory are merged on the way (reads.c).  A branch that
** folds cuts off edges (dce.c), and the phis at their targets are examined at
** once.  What the walk has already passed waits in a worklist until its end; so
** do terminators that rules have made.
**
** Every visit, and every rule that is applied, is paid for from a budget
** proportional to the function's size, which all passes share; when that is
** used up the rest stays as it is.  So nothing makes finish quadratic, not even
** rules that run in circles and make new values each time.  Where fuel runs out
** (fuel.c), or all passes over the function have made it much larger than the
** host did, no more rules are applied: the next call would have a larger budget.
**
** Requires: all blocks are filled, sealed and reached.  Changes: values,
** terminators, edges.  Keeps: blocks.
*/
#include "core/simplify/revisit.h"

#include "core/edit/dce.h"
#include "core/edit/edge_order.h"
#include "core/edit/edit.h"
#include "core/ir/block.h"
#include "core/ir/event.h"
#include "core/ir/op.h"
#include "core/ir/value.h"
#include "core/simplify/peephole.h"
#include "core/simplify/reads.h"

enum { NEAR = 3, STEPS = 64, GROWTH = 64 };

/* A new terminator of a block, and the edge that leads to each of its targets. */
typedef struct {
  uint32_t block;
  ph_terminator end;
  uint32_t *was; /* by target: which of the block's edges, from 0 */
} renewal;
PH_VEC(renewals, renewal)

typedef struct {
  ph_site site; /* must be first: its callbacks cast a site to its pass */
  ph_func *f;
  ph_arena *a;
  const ph_domtree *d;
  ph_reads_walk *reads; /* NULL: reads of memory are not looked at */
  ph_prune_edges cut;
  uint32_t old;      /* values from this id on were made by the pass */
  uint32_t replaced; /* number of values */
  uint32_t placed;
  ph_ids place;    /* by value: its position in the walk; 0: not visited */
  ph_bytes near;   /* by value: how near a change is; 0: far */
  ph_ids todo;     /* worklist: visited, and something near changed since */
  ph_ids phis;     /* worklist: phis with a changed operand */
  ph_ids losers;   /* phis that a value used which is removed */
  bool *ended;     /* by block: its terminator has been replaced */
  renewals ends;   /* terminators to be made when the pass is over */
  uint64_t *steps; /* left */
  bool failed, changed, walked, late, accesses, joins;
  bool unlike; /* phis tell two edges between the same blocks apart */
} pass;

/*
** {== Order ==========================================================
*/

/* Notes that v, which the pass has made, or does not come to after an operand of it
** was replaced, reads memory or writes it, if so. */
static void note_access(pass *p, uint32_t v) {
  ph_op op = ph_node_of(p->f, v)->op;
  if (ph_op_effectof(p->f, op) != PH_EFFECT_NONE) p->accesses = true;
}

static void note_made(ph_site *s, ph_func *f, uint32_t v) {
  pass *p = (pass *)s;
  (void)f;
  ph_ids_extend(&p->place, p->a, p->f->nodes.n);
  ph_bytes_extend(&p->near, p->a, p->f->nodes.n);
  p->place.at[v] = p->place.at[s->before];
  note_access(p, v);
}

static bool pay_steps(const pass *p, uint64_t n) {
  *p->steps = *p->steps > n ? *p->steps - n : 0;
  return *p->steps > 0;
}

/* True if v precedes w among the values that share its position.  This looks
** until it knows, also if the steps run out: an action would be refused what it
** has made itself. */
static bool is_passed(const pass *p, uint32_t v, uint32_t w) {
  uint32_t u = w;
  do {
    u = ph_node_of(p->f, u)->prev;
    pay_steps(p, 1);
  } while (u != v && p->place.at[u] == p->place.at[w]);
  return u == v;
}

/* Values made by the pass precede the instruction they were made for, and share
** its position. */
static bool comes_before(const pass *p, uint32_t v, uint32_t w) {
  uint32_t a = p->place.at[v], b = p->place.at[w];
  if (a == b) return v >= p->old && (w < p->old || is_passed(p, v, w));
  return a != 0 && a < b;
}

static bool is_available(const ph_site *s, const ph_func *f, uint32_t v) {
  const pass *p = (const pass *)s;
  uint32_t a = ph_node_of(f, v)->block, b = ph_node_of(f, s->before)->block;
  if (a != b) return ph_dom_covers(p->d, a, b);
  return ph_node_of(f, v)->op == PH_PHI || comes_before(p, v, s->before);
}

/* }== What has changed =============================================== */

static void touch_value(pass *p, uint32_t v, uint8_t how_near) {
  if (p->near.at[v] >= how_near) return;
  p->near.at[v] = how_near;
  if (p->place.at[v] != 0) ph_ids_push(&p->todo, p->a, v);
}

/* An operand of the phi has changed. */
static void touch_phi(pass *p, uint32_t phi) {
  p->joins = true;
  ph_ids_push(&p->phis, p->a, phi);
}

static void touch_users(pass *p, uint32_t v, uint8_t how_near) {
  uint32_t u = ph_uses_first(p->f, ph_valueid(v));
  for (; u != 0 && pay_steps(p, 1); u = ph_uses_next(p->f, ph_valueid(v), u)) {
    uint32_t user = ph_uses_user(p->f, u).id;
    bool is_near = how_near == NEAR;
    if (is_near && (p->reads == NULL || p->place.at[user] != 0))
      note_access(p, user);
    if (ph_node_of(p->f, user)->op != PH_PHI)
      touch_value(p, user, how_near);
    else if (is_near)
      touch_phi(p, user);
  }
}

/* v is removed: what it used may have one user left, which rules ask about; or,
** of phis, none. */
static void touch_operands(pass *p, uint32_t v) {
  for (uint32_t i = 0; i < ph_node_of(p->f, v)->nargs; i++) {
    uint32_t w = ph_body_operand(p->f, v, i);
    if (ph_node_of(p->f, w)->op == PH_PHI) ph_ids_push(&p->losers, p->a, w);
    if (p->f->matcher != NULL && ph_uses_count(p->f, ph_valueid(w)) == 1)
      touch_users(p, w, NEAR - 1);
  }
}

static void replace_value(pass *p, uint32_t v, uint32_t w) {
  touch_users(p, v, NEAR);
  ph_value_takeout(p->f, v);
  touch_operands(p, v);
  ph_value_replace(p->f, v, w);
  p->replaced++;
  p->changed = true;
}

static bool is_gone(const pass *p, uint32_t v) {
  uint32_t b = ph_node_of(p->f, v)->block;
  return ph_body_isgone(p->f, v) || p->cut.dead[b];
}

static bool has_met(const ph_site *s, uint32_t v) {
  const pass *p = (const pass *)s;
  return p->place.at[v] != 0;
}

/* During the walk, later values are not in the table yet. */
static void note_rival(ph_site *s, ph_func *f, uint32_t v) {
  pass *p = (pass *)s;
  (void)f;
  if (p->walked) touch_value(p, v, 1);
}

/* }== Phis =========================================================== */

/* True if an edge into b is still taken that comes from a block which the walk
** visits earlier.  Where edges of a loop alone are left, nothing may enter it any
** more: a phi replaced there could be computed from itself.  The next pass knows
** more. */
static bool is_entered(const pass *p, uint32_t b) {
  PH_EACH_PRED(p->f, b, e) {
    uint32_t from = p->f->edges.at[e].from;
    if (!p->cut.gone[e] && p->d->at[from] < p->d->at[b]) return true;
  }
  return false;
}

/* Returns the only operand along edges that are still taken, or 0. */
static uint32_t sole_operand(pass *p, uint32_t phi) {
  uint32_t same = 0, i = 0, b = ph_node_of(p->f, phi)->block;
  bool cut = false;
  PH_EACH_PRED(p->f, b, e) {
    uint32_t v = ph_body_operand(p->f, phi, i++);
    pay_steps(p, 1);
    cut |= p->cut.gone[e];
    if (p->cut.gone[e] || v == phi || v == same) continue;
    if (same != 0) return 0;
    same = v;
  }
  return cut && !is_entered(p, b) ? 0 : same;
}

static void look_at_phi(pass *p, uint32_t phi) {
  uint32_t w;
  if (is_gone(p, phi) || *p->steps == 0) return;
  w = sole_operand(p, phi);
  if (w == 0) return;
  ph_event_note(p->f, PH_EV_TRIVIAL, ph_node_of(p->f, phi)->block, 0, phi, w);
  p->f->stats.trivial_phis++;
  replace_value(p, phi, w);
}

static void look_at_phis(pass *p) {
  while (p->phis.n > 0) look_at_phi(p, p->phis.at[--p->phis.n]);
}

/* Gives what is made for v the source location and the nodes of v. */
static void stand_at(ph_func *f, uint32_t v) {
  uint32_t here = v < f->wheres.n ? f->wheres.at[v] : 0;
  uint32_t loc = v < f->locs.n ? f->locs.at[v] : 0;
  ph_srcloc_resume(f, (ph_stamp){here, loc, ph_identity_of(f, v), here != 0});
}

/* }== Terminators ====================================================
**
** Most become jumps, whose other edges dce.c removes.  Rules can make any other
** terminator, to targets the block had before; these wait until the pass is
** over, because others may still look along the edges they lose.  A terminator
** that would need a new edge is refused: phis at its target would have no
** operand for it.
**
** To rules, a target of a filled block is the number of an edge: of two edges to
** one block, where a phi has unlike operands, each is a target of its own.
*/

/* Returns the first edge of b to the target of its i-th one. */
static uint32_t first_edge(ph_func *f, uint32_t b, uint32_t i) {
  const ph_blockrec *block = ph_blockrec_of(f, b);
  const ph_edge *e = &f->edges.at[block->first_succ];
  if (i == 0 || ph_blockrec_of(f, e[i].to)->npreds == 1)
    return block->first_succ + i;
  if (i == 1) return block->first_succ + (e[0].to != e[1].to);
  ph_edge_order_need(f);
  return ph_edge_order_nth(f, b, e[i].to, 0);
}

/* True if each phi has the same operand along two edges to one block. */
static bool are_alike(ph_func *f, uint32_t e, uint32_t other) {
  uint32_t to = f->edges.at[e].to;
  if (e == other || ph_blockrec_of(f, to)->first_phi == 0) return true;
  ph_edge_order_need(f);
  PH_EACH_PHI(f, to, phi) {
    if (ph_body_operand(f, phi, ph_edge_order_place(f, e)) !=
        ph_body_operand(f, phi, ph_edge_order_place(f, other)))
      return false;
  }
  return true;
}

/* Returns what the i-th target of b is to rules: its edge, or the first one to
** the same block if they are alike. */
static uint32_t target_of(pass *p, uint32_t b, uint32_t i) {
  uint32_t e = ph_blockrec_of(p->f, b)->first_succ + i;
  uint32_t first = first_edge(p->f, b, i);
  if (are_alike(p->f, e, first)) return first;
  p->unlike = true;
  return e;
}

static ph_pending terminator_of(pass *p, uint32_t b, uint32_t *few) {
  ph_func *f = p->f;
  const ph_blockrec *block = ph_blockrec_of(f, b);
  uint32_t v = block->last;
  const ph_node *n = ph_node_of(f, v);
  ph_pending q = ph_peephole_room(f, n->nargs, block->nsuccs, few);
  q.block = b;
  q.op = n->op;
  for (uint32_t i = 0; i < n->nargs; i++) q.args[i] = ph_body_operand(f, v, i);
  for (uint32_t i = 0; i < block->nsuccs; i++)
    q.targets[i] = target_of(p, b, i);
  return q;
}

static bool is_unchanged(pass *p, const ph_pending *q) {
  const ph_func *f = p->f;
  const ph_blockrec *block = ph_blockrec_of(f, q->block);
  const ph_node *n = ph_node_of(f, block->last);
  if (n->op != q->op || n->nargs != q->nargs || block->nsuccs != q->ntargets)
    return false;
  for (uint32_t i = 0; i < q->nargs; i++)
    if (ph_body_operand(f, block->last, i) != q->args[i]) return false;
  for (uint32_t i = 0; i < q->ntargets; i++)
    if (target_of(p, q->block, i) != q->targets[i]) return false;
  return true;
}

/* Assigns each target of *q an edge of its block, none twice.  False: there are
** not enough. */
static bool assign_edges(pass *p, const ph_pending *q, uint32_t *was) {
  uint32_t first = ph_blockrec_of(p->f, q->block)->first_succ;
  uint32_t n = ph_blockrec_of(p->f, q->block)->nsuccs;
  /* by edge that is a target: the next of those alike, plus 1; by edge: that
  ** after it */
  uint32_t *next = ph_arena_zero(p->a, 2 * sizeof *next * n), *after = next + n;
  for (uint32_t i = n; i-- > 0;) {
    uint32_t like = target_of(p, q->block, i) - first;
    after[i] = next[like];
    next[like] = i + 1;
  }
  for (uint32_t k = 0; k < q->ntargets; k++) {
    uint32_t *rest = &next[q->targets[k] - first];
    if (*rest == 0) return false;
    was[k] = *rest - 1;
    *rest = after[was[k]];
  }
  return true;
}

/* Keeps *q until the pass is over, unless it needs new edges. */
static void keep_pending(pass *p, const ph_pending *q) {
  ph_value *args = ph_arena_alloc(p->a, q->nargs * sizeof *args);
  ph_block *to = ph_arena_alloc(p->a, q->ntargets * sizeof *to);
  uint32_t *was = ph_arena_alloc(p->a, q->ntargets * sizeof *was);
  const renewal k = {q->block, {q->op, args, q->nargs, to, q->ntargets}, was};
  if (!assign_edges(p, q, was)) return;
  for (uint32_t i = 0; i < q->nargs; i++) args[i].id = q->args[i];
  for (uint32_t i = 0; i < q->ntargets; i++)
    to[i].id = p->f->edges.at[q->targets[i]].to;
  p->changed = true;
  renewals_push(&p->ends, p->a, k);
}

/* Looks at the phis that lose operands by edges that were cut since there were
** `before` of them. */
static void look_at_losers(pass *p, uint32_t before) {
  p->changed = true;
  for (uint32_t i = before; i < p->cut.lost.n; i++)
    PH_EACH_PHI(p->f, p->cut.lost.at[i], phi) touch_phi(p, phi);
  look_at_phis(p);
}

static void look_at_end(pass *p, uint32_t v) {
  uint32_t b = ph_node_of(p->f, v)->block, few[2 * PH_FEW];
  ph_pending q;
  if (p->ended[b]) return;
  stand_at(p->f, v);
  q = terminator_of(p, b, few);
  p->site.before = v;
  p->failed = !ph_peephole_end(p->f, &q);
  if (p->failed || is_unchanged(p, &q)) return;
  p->ended[b] = true;
  if (q.op == PH_JUMP) {
    uint32_t before = p->cut.lost.n;
    ph_prune_edges_keep(&p->cut, b, q.targets[0]);
    look_at_losers(p, before);
  } else {
    keep_pending(p, &q);
  }
}

/* A trap_if whose condition is known is removed, or ends its block. */
static void decide_trap(pass *p, uint32_t v) {
  ph_func *f = p->f;
  uint32_t b = ph_node_of(f, v)->block, before = p->cut.lost.n;
  uint32_t condition = ph_node_of(f, ph_body_operand(f, v, 0))->aux;
  bool traps = f->datas.at[condition].bits & 1;
  if (p->ended[b]) return;
  f->stats.later.folded++;
  if (traps) {
    p->ended[b] = true;
    ph_prune_edges_trap(&p->cut, v);
    look_at_losers(p, before);
  } else {
    p->changed = true;
    ph_value_takeout(f, v);
    ph_value_replace(f, v, 0);
  }
}

/* }== Instructions =================================================== */

/* True if what has changed so near to v can make a difference to rules.  At NEAR,
** the first level of operands has changed. */
static bool is_in_sight(const pass *p, uint32_t v, uint8_t near) {
  uint32_t levels = ph_peephole_levels(p->f, ph_node_of(p->f, v)->op);
  if (*p->steps == 0 || levels == 0) return false;
  return p->site.all || (near > 0 && levels > (uint32_t)(NEAR - near));
}

/* True if v may equal another value now.  A value that equalled none when it was
** emitted, and still has its operands, equals none that is older, and cse.c finds
** it for younger ones.  (Not if an earlier pass gave it its operands: two equal
** values may remain then.) */
static bool may_equal(const pass *p, uint32_t v, uint8_t near) {
  const ph_node *n = ph_node_of(p->f, v);
  if (!ph_cse_merges(p->f, n->op)) return false;
  return near == NEAR || p->site.all || p->walked || n->flags & PH_IS_DOUBLE;
}

/* Simplifies v; returns its value then, or 0: a callback failed. */
static uint32_t simplify(pass *p, uint32_t v, bool rules, bool merges) {
  uint32_t applied = p->f->stats.later.applied;
  uint32_t exhausted = p->f->stats.exhausted, w;
  stand_at(p->f, v);
  w = ph_peephole_again(p->f, v, rules, merges);
  /* If they have used up the fuel, rules end, unless that is an error. */
  pay_steps(p, p->f->stats.later.applied - applied);
  if (p->f->stats.exhausted > exhausted && !p->f->matcher->failed)
    ph_fuel_end(p->f, &p->f->peephole->fuel);
  return w;
}

/* Replaces the instruction v by w, which it equals. */
static void take_value(pass *p, uint32_t v, uint32_t w) {
  ph_event_note(p->f, PH_EV_SIMPLIFIED, ph_node_of(p->f, v)->block, 0, v, w);
  replace_value(p, v, w);
  look_at_phis(p);
}

/* True if v jumps to one target always, or traps always or never. */
static bool is_decided(const ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  return (n->op == PH_BRANCH || n->op == PH_SWITCH || n->op == PH_TRAP_IF) &&
         ph_node_of(f, ph_body_operand(f, v, 0))->op == PH_CONST;
}

static void look_at(pass *p, uint32_t v) {
  uint8_t near = p->near.at[v];
  bool rules = is_in_sight(p, v, near), merges = may_equal(p, v, near);
  uint32_t w = v;
  p->near.at[v] = 0;
  pay_steps(p, 1);
  if (is_gone(p, v) || ph_op_namesvar(ph_node_of(p->f, v)->op)) return;
  if (ph_op_has(p->f, ph_node_of(p->f, v)->op, PH_TERMINATOR)) {
    if (rules) look_at_end(p, v);
    return;
  }
  if (is_decided(p->f, v)) {
    decide_trap(p, v);
    return;
  }
  if (rules || merges) w = simplify(p, v, rules, merges);
  if (w == 0) {
    p->failed = true;
  } else if (w != v) {
    take_value(p, v, w);
  } else if (near > 1) {
    touch_users(p, v, (uint8_t)(near - 1));
  }
}

static bool has_changed(const ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  for (uint32_t i = n->args; i < n->args + n->nargs; i++)
    if (f->nodes.at[f->operands.at[i]].forward != 0) return true;
  return false;
}

/* The walk comes to v.  True if there was something to look at. */
static bool meet_value(pass *p, uint32_t v) {
  bool is_double = ph_node_of(p->f, v)->flags & PH_IS_DOUBLE;
  p->place.at[v] = ++p->placed;
  if (has_changed(p->f, v) || is_decided(p->f, v)) p->near.at[v] = NEAR;
  if (p->near.at[v] == 0 && !p->site.all && !is_double) return false;
  look_at(p, v);
  return true;
}

/* The walk comes to what v does to memory: if v reads what is known, that replaces
** it. */
static void meet_access(pass *p, uint32_t v) {
  uint32_t w = ph_reads_meet(p->reads, v);
  if (w == 0) return;
  p->f->stats.later.merged++;
  take_value(p, v, w);
}

static void walk_block(pass *p, uint32_t b) {
  uint32_t next = ph_blockrec_of(p->f, b)->first, v;
  if (p->reads != NULL) ph_reads_enter(p->reads, b);
  while ((v = next) != 0) {
    next = ph_node_of(p->f, v)->next;
    if (meet_value(p, v) &&
        (p->failed || (p->ended[b] && ph_node_of(p->f, v)->op == PH_TRAP_IF)))
      return;
    if (p->reads != NULL) meet_access(p, v);
  }
}

static void do_rest(pass *p) {
  bool before = p->changed;
  p->changed = false;
  p->walked = true;
  for (uint32_t i = 0; !p->failed && *p->steps > 0 && i < p->todo.n; i++)
    if (p->near.at[p->todo.at[i]] > 0) look_at(p, p->todo.at[i]);
  p->late = p->changed;
  p->changed = p->changed || before;
}

/* }== Together ======================================================= */

/* True if an operand of an instruction may have been replaced since that was
** emitted: phis, undefs that the host defined, values simplified by a pass. */
static bool may_have_changed(const ph_func *f) {
  const ph_stats *s = &f->stats;
  return s->trivial_phis + s->redundant_phis > 0 ||
         s->later.folded + s->later.applied + s->later.merged > 0 ||
         f->options.undefs == PH_UNDEF_ASK;
}

bool ph_revisit_isneeded(const ph_func *f) {
  if (f->peephole->cse.due) return true;
  if (!may_have_changed(f)) return false;
  PH_EACH_BLOCK(f, b) {
    PH_EACH_INST(f, b, v) {
      if (has_changed(f, v) || is_decided(f, v)) return true;
    }
  }
  return false;
}

uint64_t ph_revisit_steps(const ph_func *f) {
  return STEPS * ((uint64_t)f->nodes.n + f->operands.n + f->edges.n);
}

static pass start_pass(ph_func *f, const ph_domtree *d, ph_revisit_what what,
                       uint64_t *steps) {
  pass p = {0};
  p.f = f;
  p.steps = steps;
  p.a = &f->scratch;
  p.site.all = what.all;
  p.old = f->nodes.n;
  p.d = d;
  p.cut = ph_prune_edges_start(f, p.d, p.a);
  if (what.reads) p.reads = ph_reads_begin(f, d, p.a);
  p.ended = ph_arena_zero(p.a, f->blocks.n * sizeof *p.ended);
  p.site.values.arena = p.a;
  p.site.reaches = is_available;
  p.site.made = note_made;
  p.site.rival = note_rival;
  p.site.met = has_met;
  ph_ids_extend(&p.place, p.a, f->nodes.n);
  ph_bytes_extend(&p.near, p.a, f->nodes.n);
  return p;
}

/* True if the phi may have no user but other phis.  This looks until it knows, or
** the steps run out. */
static bool may_be_dead(const pass *p, uint32_t phi) {
  uint32_t u = ph_uses_first(p->f, ph_valueid(phi));
  for (; u != 0 && pay_steps(p, 1); u = ph_uses_next(p->f, ph_valueid(phi), u))
    if (ph_node_of(p->f, ph_uses_user(p->f, u).id)->op != PH_PHI) return false;
  return true;
}

static bool may_have_dead(const pass *p) {
  for (uint32_t i = 0; i < p->losers.n; i++)
    if (!is_gone(p, p->losers.at[i]) && may_be_dead(p, p->losers.at[i]))
      return true;
  return false;
}

/* Rules that are not stopped at any one instruction can still make a function
** larger without end, from pass to pass. */
static void look_at_growth(const pass *p) {
  ph_func *f = p->f;
  struct ph_peephole *s = f->peephole;
  uint32_t made = f->nodes.n - p->old;
  s->made += made;
  s->grown += (int64_t)made - p->replaced;
  if (s->grown <= GROWTH * ((int64_t)f->nodes.n - s->made)) return;
  if (f->matcher == NULL || ph_fuel_isended(f, &s->fuel)) return;
  f->stats.exhausted++;
  ph_fuel_end(f, &s->fuel);
}

static ph_revisited end_pass(pass *p) {
  ph_revisited r = {.failed = p->failed,
                    .changed = p->changed,
                    .late = p->late,
                    .accesses = p->accesses};
  r.cut = p->cut.ended.n + p->cut.traps.n + p->ends.n > 0;
  r.joins = p->joins || *p->steps == 0;
  r.unlike = p->unlike;
  r.dead = r.cut || p->f->refines || may_have_dead(p);
  ph_edge_order_forget(p->f);
  ph_prune_edges_apply(&p->cut);
  for (uint32_t i = 0; i < p->ends.n; i++) {
    const renewal *k = &p->ends.at[i];
    if (p->cut.dead[k->block]) continue;
    stand_at(p->f, ph_blockrec_of(p->f, k->block)->last);
    ph_edge_renew(p->f, k->block, &k->end, k->was);
  }
  ph_edge_order_forget(p->f);
  look_at_growth(p);
  return r;
}

ph_revisited ph_revisit_run(ph_func *f, const ph_domtree *d,
                            ph_revisit_what what, uint64_t *steps) {
  ph_stamp before = ph_srcloc_stampof(f);
  ph_revisited r;
  ph_arena_mark bottom = ph_scratch_enter(f);
  pass p = start_pass(f, d, what, steps);
  f->peephole->cse.site = &p.site;
  f->peephole->counts = &f->stats.later;
  uint32_t n = p.d->size[1];
  for (uint32_t i = 0; i < n && !p.failed; i++)
    if (!p.cut.dead[p.d->order[i]]) walk_block(&p, p.d->order[i]);
  do_rest(&p);
  f->peephole->cse.site = NULL;
  f->peephole->counts = &f->stats.emitting;
  r = end_pass(&p);
  ph_scratch_leave(f, bottom);
  ph_srcloc_resume(f, before);
  return r;
}

/* }=================================================================== */
