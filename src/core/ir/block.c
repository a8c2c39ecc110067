/* block.c: blocks and their edges.
**
** This file does not know why a block or an edge is made or removed; it keeps
** the chains of edges and the operands of phis consistent.
*/
#include "core/ir/block.h"

#include "core/ir/contract.h"
#include "core/ir/event.h"
#include "core/ir/intern.h"
#include "core/ir/uses.h"

/*
** {== Blocks =========================================================
*/

ph_block ph_block_entry(const ph_func *f) {
  (void)ph_ptr(f);
  return ph_blockid(1);
}

/* Inline in both that make blocks: one is hot. */
static inline ph_block make_block(ph_func *f, ph_str name, int preds) {
  uint32_t string = ph_intern_of(f, name), id = f->blocks.n;
  ph_blockrec *b;
  ph_blocks_reserve(&f->blocks, &f->arena, id + 1);
  f->blocks.n = id + 1;
  b = ph_blockrec_of(f, id);
  *b = (ph_blockrec){.name = string, .sealed = preds == 0};
  b->places[PH_AT_MADE] = ph_srcloc_now(f);
  if (b->sealed) b->places[PH_AT_SEALED] = ph_srcloc_now(f);
  if (preds >= 0 && id != 1) {
    ph_ids_extend(&f->announced, &f->arena, id + 1);
    f->announced.at[id] = (uint32_t)preds + 1;
    b->awaited = (uint32_t)preds;
  }
  f->flow_changes++;
  ph_event_note(f, PH_EV_BLOCK, id, 0, 0, 0);
  return ph_blockid(id);
}

ph_block ph_block_new(ph_func *f, ph_str name, int preds) {
  ph_require(ph_contract_isopen(f) && "a function under construction");
  return make_block(f, name, preds);
}

ph_block ph_block_make(ph_func *f, ph_str name, int preds) {
  return make_block(f, name, preds);
}

static const ph_blockrec *rec(const ph_func *f, ph_block b) {
  ph_require(ph_contract_hasblock(f, b) && "a block of this function");
  return ph_blockrec_of(f, b.id);
}

ph_str ph_block_name(const ph_func *f, ph_block b) {
  return ph_intern_string(f, rec(f, b)->name);
}

ph_srcloc ph_block_hostloc(const ph_func *f, ph_block b, ph_moment when) {
  return ph_srcloc_of(f, rec(f, b)->places[when]);
}

ph_block ph_block_next(const ph_func *f, ph_block b) {
  uint32_t i = b.id + 1;
  ph_require((!ph_some(b) || ph_contract_hasblock(f, b)) &&
             "none, or a block of this function");
  while (i < f->blocks.n && f->blocks.at[i].removed) i++;
  return ph_blockid(i < f->blocks.n ? i : 0);
}

uint32_t ph_block_count(const ph_func *f) { return ph_ptr(f)->blocks.n - 1; }

int ph_block_announced(const ph_func *f, ph_block b) {
  ph_require(ph_contract_hasblock(f, b) && "a block of this function");
  if (b.id == 1) return 0;
  return b.id < f->announced.n ? (int)f->announced.at[b.id] - 1 : -1;
}

uint32_t ph_block_awaited(const ph_func *f, ph_block b) {
  return rec(f, b)->awaited;
}

bool ph_block_isremoved(const ph_func *f, ph_block b) {
  return rec(f, b)->removed;
}

bool ph_block_issealed(const ph_func *f, ph_block b) {
  return rec(f, b)->sealed;
}

bool ph_block_isfilled(const ph_func *f, ph_block b) {
  return rec(f, b)->filled;
}

bool ph_block_addsnone(const ph_func *f, ph_block b) {
  ph_require(ph_contract_hasblock(f, b) && "a block of this function");
  return ph_body_addsnone(f, b.id);
}

bool ph_block_isdead(const ph_func *f, ph_block b) {
  ph_require(ph_contract_hasblock(f, b) && "a block of this function");
  return ph_body_isdead(f, b.id);
}

/* v is none, or in b. */
static void require_member(const ph_func *f, ph_block b, ph_value v) {
  ph_require(ph_contract_hasblock(f, b) && "a block of this function");
  ph_require((!ph_some(v) || ph_contract_hasvalue(f, v)) &&
             "a value of this function");
  ph_require((!ph_some(v) || f->nodes.at[v.id].block == b.id) &&
             "a phi or instruction of the block");
  ph_require(f->nodes.at[v.id].forward == 0 && "a value not replaced");
}

ph_value ph_block_nextphi(const ph_func *f, ph_block b, ph_value v) {
  require_member(f, b, v);
  return ph_valueid(ph_some(v) ? f->nodes.at[v.id].next : rec(f, b)->first_phi);
}

ph_value ph_block_nextinst(const ph_func *f, ph_block b, ph_value v) {
  require_member(f, b, v);
  return ph_valueid(ph_some(v) ? f->nodes.at[v.id].next : rec(f, b)->first);
}

ph_value ph_block_terminator(const ph_func *f, ph_block b) {
  const ph_blockrec *block = rec(f, b);
  return ph_valueid(block->filled ? block->last : 0);
}

/* }== Edges ========================================================== */

void ph_block_arrive(ph_func *f, uint32_t edge) {
  ph_edge *edges = f->edges.at;
  edges[edge].next = 0;
  ph_edge_append(edges, edge, ph_blockrec_of(f, edges[edge].to));
  f->flow_changes++;
}

uint32_t ph_block_findedge(const ph_func *f, uint32_t b, uint32_t to) {
  const ph_blockrec *block = ph_blockrec_of(f, b);
  for (uint32_t i = 0; i < block->nsuccs; i++)
    if (f->edges.at[block->first_succ + i].to == to)
      return block->first_succ + i;
  return 0;
}

/* Keeps those operands of a phi whose edges stay.  Slots that become free are
** 0, as uses.c requires. */
static void thin_phi(ph_func *f, uint32_t v, const bool *stays) {
  ph_node *n = ph_node_of(f, v);
  uint32_t *args = f->operands.at + n->args;
  uint32_t kept = 0;
  if (!ph_body_iswhole(f, v)) return;
  ph_uses_unlink(f, v);
  for (uint32_t i = 0; i < n->nargs; i++)
    if (stays[i]) args[kept++] = args[i];
  for (uint32_t i = kept; i < n->nargs; i++) args[i] = 0;
  n->nargs = kept;
  ph_uses_link(f, v);
}

void ph_block_unlink(ph_func *f, uint32_t b, ph_block_gone *gone,
                     const void *ud) {
  ph_blockrec *block = ph_blockrec_of(f, b);
  uint32_t n = block->npreds;
  uint32_t e = block->first_pred;
  bool *stays = ph_arena_alloc(&f->scratch, n + 1);
  block->first_pred = block->last_pred = block->npreds = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t next = f->edges.at[e].next;
    stays[i] = !gone(ud, e);
    if (stays[i])
      ph_block_arrive(f, e);
    else
      ph_block_cut(f, e);
    e = next;
  }
  PH_EACH_PHI(f, b, v) thin_phi(f, v, stays);
  f->flow_changes++;
}

uint32_t ph_block_npreds(const ph_func *f, ph_block b) {
  return rec(f, b)->npreds;
}

uint32_t ph_block_nsuccs(const ph_func *f, ph_block b) {
  return rec(f, b)->nsuccs;
}

uint32_t ph_block_firstpred(const ph_func *f, ph_block b) {
  ph_body_settleblock(ph_ptr(f), b.id);
  return rec(f, b)->first_pred;
}

static const ph_edge *at(const ph_func *f, uint32_t edge) {
  ph_require(ph_contract_hasedge(f, edge) && "an edge of this function");
  return &f->edges.at[edge];
}

uint32_t ph_block_nextpred(const ph_func *f, uint32_t edge) {
  return at(f, edge)->next;
}

ph_block ph_block_edgefrom(const ph_func *f, uint32_t edge) {
  return ph_blockid(at(f, edge)->from);
}

ph_block ph_block_edgeto(const ph_func *f, uint32_t edge) {
  return ph_blockid(at(f, edge)->to);
}

uint32_t ph_block_succedge(const ph_func *f, ph_block b, uint32_t i) {
  ph_require(i < rec(f, b)->nsuccs && "from 0 to ph_block_nsuccs - 1");
  ph_body_settleblock(f, b.id);
  return rec(f, b)->first_succ + i;
}

ph_block ph_block_succ(const ph_func *f, ph_block b, uint32_t i) {
  return ph_blockid(ph_ptr(f)->edges.at[ph_block_succedge(f, b, i)].to);
}

/* }=================================================================== */
