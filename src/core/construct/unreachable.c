/* unreachable.c: blocks that the entry does not reach: dropped or kept.
**
** If a function keeps its unreachable blocks, they must not make a difference
** to the others.  So the edges from them to reachable blocks are cut: such an
** edge remains a target of its terminator, but has not arrived.
**
** A function that simplifies is copied first.  Then it is treated as if it
** dropped these blocks, and those that folded branches leave unreachable;
** finally all of them are put back from the copy.  So unreachable code is as it
** was before all passes, which need not know of it.  What it uses of reachable
** code may have been replaced meanwhile; what was removed is undefined there.
*/
#include "core/construct/unreachable.h"

#include "core/analysis/dom.h"
#include "core/analysis/rpo.h"
#include "core/edit/edge_order.h"
#include "core/ir/block.h"
#include "core/ir/event.h"
#include "core/ir/intern.h"
#include "core/ir/uses.h"
#include "core/ir/value.h"
#include "core/lookup/state.h"
#include "core/lookup/trivial_phi.h"

/* A function before blocks were taken out. */
struct ph_before {
  uint32_t nnodes, nblocks;
  ph_node *nodes;
  ph_blockrec *blocks;
  ph_edge *edges;
  uint32_t *operands; /* resolved */
};

/*
** {== Finding ========================================================
*/

/* True if an edge leads to b from an older block.  (One that was removed comes
** from block 0.) */
static bool is_entered(const ph_func *f, uint32_t b) {
  PH_EACH_PRED(f, b, e) {
    uint32_t from = f->edges.at[e].from;
    if (from != 0 && from < b) return true;
  }
  return b == 1;
}

/* True if every block is obviously reached.  Most frontends make blocks so that
** each is entered from an older one: then no search is necessary. */
static bool all_reached(const ph_func *f) {
  if (f->state != NULL && ph_state_countsall(f, f->state->entered)) return true;
  PH_EACH_BLOCK(f, b) {
    if (!is_entered(f, b)) return false;
  }
  return true;
}

/* }== Uses =========================================================== */

/* Where values are defined. */
typedef struct {
  ph_func *f;
  const ph_domtree *d;
  ph_unreached u;
  bool *met; /* by value: it precedes what is being checked, if in its block */
} definitions;

/* Makes operand i of v undefined unless its definition is on every path to the
** end of b, or to v in b. */
static void keep_or_undefine(definitions *c, uint32_t v, uint32_t i,
                             uint32_t b) {
  uint32_t w = ph_body_operand(c->f, v, i);
  uint32_t home = ph_node_of(c->f, w)->block;
  bool late = home == ph_node_of(c->f, v)->block && !c->met[w] &&
              ph_node_of(c->f, v)->op != PH_PHI && c->u.cycle[b] == 0;
  if (!late && ph_dom_defines(c->d, &c->u, home, b)) return;
  w = ph_const_undef(c->f, ph_node_of(c->f, w)->type).id;
  ph_value_setarg(c->f, v, i, w);
}

static void look_at_insts(definitions *c, uint32_t b) {
  PH_EACH_INST(c->f, b, v) {
    for (uint32_t i = 0; i < ph_node_of(c->f, v)->nargs; i++)
      keep_or_undefine(c, v, i, b);
    c->met[v] = true;
  }
}

/* A frontend may use values after edges that were folded away, or that a dead
** block has not added.  Among unreachable blocks, a definition is lost then: the
** use is undefined, as a read there would be. */
static void undefine_lost(ph_func *f) {
  definitions c = {.f = f};
  c.d = ph_dom_whole(f, &f->scratch, &c.u);
  c.met = ph_arena_zero(&f->scratch, f->nodes.n);
  PH_EACH_BLOCK(f, b) {
    if (ph_dom_covers(c.d, 1, b)) continue;
    uint32_t i = 0;
    PH_EACH_PRED(c.f, b, e) {
      PH_EACH_PHI(c.f, b, v) keep_or_undefine(&c, v, i, c.f->edges.at[e].from);
      i++;
    }
    PH_EACH_PHI(c.f, b, v) c.met[v] = true;
    look_at_insts(&c, b);
  }
}

/* }== Removing ======================================================= */

typedef struct {
  ph_func *f;
  const ph_rpo *order;
} removal;

static bool is_reached(const removal *r, uint32_t b) {
  return ph_rpo_isreached(r->order, ph_blockid(b));
}

static bool comes_from_unreached(const void *ud, uint32_t edge) {
  const removal *r = ud;
  return !is_reached(r, r->f->edges.at[edge].from);
}

/* Cuts the edges from unreachable blocks to b. */
static void cut_into(const removal *r, uint32_t b) {
  PH_EACH_PRED(r->f, b, e) {
    if (!comes_from_unreached(r, e)) continue;
    ph_trivial_phi_forget(r->f);
    ph_block_unlink(r->f, b, comes_from_unreached, r);
    return;
  }
}

/* True if a block adds no edges: it was dead when it was filled. */
static bool lacks_edges(const ph_func *f) {
  PH_EACH_BLOCK(f, b) {
    if (ph_blockrec_of(f, b)->inert) return true;
  }
  return false;
}

static void drop_value(ph_func *f, uint32_t v) {
  ph_uses_unlink(f, v);
  ph_node_of(f, v)->flags |= PH_IS_DROPPED;
}

static void remove_unreached(ph_func *f) {
  const removal r = {f, ph_rpo_compute(f, &f->scratch)};
  bool stay = f->keeps_unreachable && f->before == NULL;
  bool lacking = stay && f->state != NULL && lacks_edges(f);
  PH_EACH_BLOCK(f, b) {
    if (is_reached(&r, b)) cut_into(&r, b);
  }
  PH_EACH_BLOCK(f, b) {
    if (!stay && !is_reached(&r, b)) {
      PH_EACH_PHI(f, b, v) drop_value(f, v);
      PH_EACH_INST(f, b, v) drop_value(f, v);
      ph_blockrec_of(f, b)->removed =
          f->before != NULL ? PH_TAKEN_OUT : PH_REMOVED;
      if (f->before == NULL) ph_event_note(f, PH_EV_DROPPED, b, 0, 0, 0);
    }
  }
  if (lacking) undefine_lost(f);
}

static void *copy_of(ph_func *f, const void *at, size_t size) {
  return memcpy(ph_arena_alloc(&f->rounds, size), at, size);
}

static void copy_func(ph_func *f) {
  uint32_t n = f->operands.n;
  ph_before *was = ph_arena_alloc(&f->rounds, sizeof *was);
  was->nnodes = f->nodes.n;
  was->nblocks = f->blocks.n;
  was->nodes = copy_of(f, f->nodes.at, f->nodes.n * sizeof *was->nodes);
  was->blocks = copy_of(f, f->blocks.at, f->blocks.n * sizeof *was->blocks);
  was->edges = copy_of(f, f->edges.at, f->edges.n * sizeof *was->edges);
  was->operands = ph_arena_alloc(&f->rounds, (n + 1) * sizeof(uint32_t));
  for (uint32_t i = 0; i < n; i++)
    was->operands[i] = ph_body_resolve(f, f->operands.at[i]);
  f->before = was;
}

void ph_unreachable_remove(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  ph_edge_order_forget(f);
  if (f->keeps_unreachable && f->peephole != NULL && f->before == NULL)
    copy_func(f);
  if (!all_reached(f)) remove_unreached(f);
  if (f->state != NULL) f->state->entered = 0; /* edges may be cut now */
  ph_scratch_leave(f, bottom);
  f->flow_changes++;
}

/* }== Putting back: values =========================================== */

typedef struct {
  ph_func *f;
  const ph_before *was;
  bool *back; /* by block: it is put back */
} restoring;

/* Returns what operand v is now. */
static uint32_t operand_now(const restoring *r, uint32_t v) {
  ph_func *f = r->f;
  if (r->back[r->was->nodes[v].block]) return v;
  v = ph_body_resolve(f, v);
  while (ph_node_of(f, v)->flags & PH_IS_DROPPED &&
         ph_node_of(f, v)->op == PH_REFINE)
    v = ph_body_operand(f, v, 0);
  if (ph_node_of(f, v)->flags & PH_IS_DROPPED)
    v = ph_const_undef(f, ph_node_of(f, v)->type).id;
  return v;
}

/* Gives v its operands; a phi those of edges that come back. */
static void restore_operands(const restoring *r, uint32_t v) {
  const ph_node *n = &r->was->nodes[v];
  uint32_t e = n->op == PH_PHI ? r->was->blocks[n->block].first_pred : 0;
  ph_ids now = {NULL, 0, 0};
  for (uint32_t i = 0; i < n->nargs; i++, e = r->was->edges[e].next)
    if (n->op != PH_PHI || r->back[r->was->edges[e].from])
      ph_ids_push(&now, &r->f->scratch,
                  operand_now(r, r->was->operands[n->args + i]));
  ph_value_setargs(r->f, v, now.at, now.n);
  ph_ids_drop(&now, &r->f->scratch);
}

/* Values that passes have made in such blocks go. */
static void restore_values(const restoring *r) {
  ph_func *f = r->f;
  uint32_t n = f->nodes.n;
  for (uint32_t v = 1; v < n; v++) {
    if (v >= r->was->nnodes && r->back[ph_node_of(f, v)->block])
      ph_node_of(f, v)->flags |= PH_IS_DROPPED;
    if (v >= r->was->nnodes || !r->back[r->was->nodes[v].block]) continue;
    *ph_node_of(f, v) = r->was->nodes[v];
    if (!ph_body_isgone(f, v)) restore_operands(r, v);
  }
}

/* }== Putting back: blocks =========================================== */

/* True if b was taken out; or removed from an edge (refine.c) that a block
** makes which was. */
static bool comes_back(const restoring *r, uint32_t b) {
  const ph_blockrec *was = &r->was->blocks[b];
  uint8_t now = ph_blockrec_of(r->f, b)->removed;
  if (was->removed || now != PH_REMOVED) return now == PH_TAKEN_OUT;
  b = r->was->edges[was->first_pred].from;
  return ph_blockrec_of(r->f, b)->removed == PH_TAKEN_OUT;
}

static bool find_back(restoring *r) {
  bool any = false;
  r->back = ph_arena_zero(&r->f->scratch, r->f->blocks.n);
  for (uint32_t b = 1; b < r->was->nblocks; b++)
    if (comes_back(r, b)) any = r->back[b] = true;
  return any;
}

static void restore_block(const restoring *r, uint32_t b) {
  ph_blockrec *block = ph_blockrec_of(r->f, b);
  ph_state *state = r->f->state;
  ph_lazy *l = state != NULL ? state->defs.lazy : NULL;
  *block = r->was->blocks[b];
  block->first_pred = block->last_pred = block->npreds = 0;
  if (l != NULL && b < l->is_split.n && l->is_split.at[b])
    ph_ids_push(&l->split, &r->f->working, b);
}

static void restore_blocks(const restoring *r) {
  uint32_t n = r->was->nblocks;
  for (uint32_t b = 1; b < n; b++)
    if (r->back[b]) restore_block(r, b);
  for (uint32_t b = 1; b < n; b++)
    if (r->back[b]) {
      const ph_blockrec *was = &r->was->blocks[b];
      ph_edges *edges = &r->f->edges;
      ph_blockrec_of(r->f, b)->first_succ = edges->n;
      for (uint32_t i = 0; i < was->nsuccs; i++) {
        ph_edge e = {b, r->was->edges[was->first_succ + i].to, edges->n};
        ph_edges_push(edges, &r->f->arena, e);
      }
    }
  for (uint32_t b = 1; b < n; b++)
    if (r->back[b]) {
      uint32_t e = r->was->blocks[b].first_pred;
      for (; e != 0; e = r->was->edges[e].next) {
        uint32_t from = r->was->edges[e].from;
        uint32_t i = e - r->was->blocks[from].first_succ;
        if (r->back[from])
          ph_block_arrive(r->f, ph_blockrec_of(r->f, from)->first_succ + i);
      }
    }
  for (uint32_t b = 1; b < n; b++)
    if (r->back[b]) {
      ph_blockrec *block = ph_blockrec_of(r->f, b);
      block->inert = false;
      for (uint32_t i = 0; i < block->nsuccs; i++)
        block->inert |= ph_body_iscut(r->f, block->first_succ + i);
    }
}

/* }== Putting back: together ========================================= */

static void restore_all(restoring *r) {
  ph_func *f = r->f;
  ph_uses_forget(f);
  ph_name_count_forget(&f->named_values);
  ph_name_count_forget(&f->named_blocks);
  restore_values(r);
  restore_blocks(r);
  undefine_lost(f);
}

bool ph_unreachable_putback(ph_func *f) {
  restoring r = {f, f->before, NULL};
  ph_arena_mark bottom;
  bool any;
  if (f->before == NULL) return false;
  bottom = ph_scratch_enter(f);
  ph_edge_order_forget(f);
  any = find_back(&r);
  if (any) restore_all(&r);
  f->before = NULL;
  ph_arena_done(&f->rounds);
  ph_scratch_leave(f, bottom);
  f->flow_changes++;
  return any;
}

/* }=================================================================== */
