/* parse_edges.c: connects the edges that terminators make, in the order of the
** `<-` lists.
**
** A list must contain each edge into its block, once.  Blocks are treated one
** by one: the edges into the block are put on stacks, one for each block they
** come from, the first edge on top; each entry of the list pops one.  What
** remains is missing in the list.  Linear in edges and entries.
**
** A dead block has no predecessors, and makes no edges if it was dead before it
** got its terminator (see build.c).  In text, that is a block that no list
** contains.
*/
#include "core/text/parse_edges.h"

#include "core/analysis/rpo.h"
#include "core/ir/block.h"
#include "core/ir/value.h"

typedef struct {
  ph_reader *r;
  ph_func *f;
  uint32_t *into;    /* by block: the last edge into it */
  uint32_t *another; /* by edge: the previous one into the same block */
  uint32_t *stack;   /* by block: stack of edges from it, chained by `next` */
  bool *marked;      /* by block: it is marked as unreachable */
} linker;

/* Returns the end of the list of the i-th block. */
static uint32_t list_end(const ph_reader *r, uint32_t i) {
  return i + 1 < r->first_pred.n ? r->first_pred.at[i + 1] : r->preds.n;
}

static void mark_inert(linker *l) {
  ph_reader *r = l->r;
  bool *named = ph_arena_zero(r->lex.arena, l->f->blocks.n * sizeof(bool));
  for (uint32_t i = 0; i < r->preds.n; i++) named[r->preds.at[i]] = true;
  for (uint32_t i = 1; i < r->blocks.all.n; i++) {
    uint32_t b = r->blocks.all.at[i].id;
    ph_blockrec *block = ph_blockrec_of(l->f, b);
    bool dead = block->sealed && r->first_pred.at[i] == list_end(r, i);
    block->inert = dead && block->filled && !named[b];
  }
}

static void gather(linker *l) {
  for (uint32_t e = 1; e < l->f->edges.n; e++) {
    const ph_edge *edge = &l->f->edges.at[e];
    if (ph_blockrec_of(l->f, edge->from)->inert) continue;
    l->another[e] = l->into[edge->to];
    l->into[edge->to] = e;
  }
}

static ph_str label(linker *l, uint32_t i) {
  return ph_lex_source(&l->r->lex, l->r->blocks.all.at[i].at);
}

/* Connects the edge for entry k of the list of the i-th block. */
static void take(linker *l, uint32_t i, uint32_t k) {
  uint32_t *top = &l->stack[l->r->preds.at[k]];
  uint32_t edge = *top, at = l->r->pred_at.at[k];
  if (edge == 0) {
    ph_lex_fail(&l->r->lex, at, "'$' has no edge to '$' for this entry",
                ph_lex_source(&l->r->lex, at), label(l, i));
    return;
  }
  *top = l->f->edges.at[edge].next;
  ph_block_arrive(l->f, edge);
}

/* Returns the index of the block with this id in the order of the text, for a
** message. */
static uint32_t index_of(const linker *l, uint32_t b) {
  uint32_t i = 0;
  while (l->r->blocks.all.at[i].id != b) i++;
  return i;
}

/* Leaves out the edges from block `from` to the i-th one if their marks say
** that these were cut. */
static bool are_cut(linker *l, uint32_t from, uint32_t i) {
  if (!l->marked[from] || l->r->unreachable.at[i]) return false;
  l->stack[from] = 0;
  ph_blockrec_of(l->f, from)->inert = true;
  return true;
}

static void check_left(linker *l, uint32_t i) {
  uint32_t b = l->r->blocks.all.at[i].id;
  for (uint32_t e = l->into[b]; e != 0; e = l->another[e]) {
    uint32_t from = l->f->edges.at[e].from;
    if (l->stack[from] == 0 || are_cut(l, from, i)) continue;
    ph_lex_fail(&l->r->lex, l->r->blocks.all.at[i].at,
                i == 0 ? "'$' is the entry, '$' cannot lead there"
                       : "'$' must have '$' behind '<-', which leads there",
                label(l, i), label(l, index_of(l, from)));
    return;
  }
}

static void link_block(linker *l, uint32_t i) {
  uint32_t b = l->r->blocks.all.at[i].id;
  for (uint32_t e = l->into[b]; e != 0; e = l->another[e]) {
    ph_edge *edge = &l->f->edges.at[e];
    edge->next = l->stack[edge->from];
    l->stack[edge->from] = e;
  }
  for (uint32_t k = l->r->first_pred.at[i]; k < list_end(l->r, i); k++)
    if (!l->r->lex.failed) take(l, i, k);
  check_left(l, i);
}

static void mark_unreachable(linker *l) {
  for (uint32_t i = 0; i < l->r->blocks.all.n; i++)
    l->marked[l->r->blocks.all.at[i].id] = l->r->unreachable.at[i];
}

/* Checks that the entry does not reach what is marked, and what it does not
** reach is. */
static void check_marks(linker *l) {
  const ph_rpo *o = ph_rpo_compute(l->f, l->r->lex.arena);
  for (uint32_t i = 0; i < l->r->blocks.all.n; i++) {
    const ph_decl *d = &l->r->blocks.all.at[i];
    bool reached = ph_rpo_reached(o, ph_blockid(d->id));
    if (reached != l->marked[d->id]) continue;
    ph_lex_fail(&l->r->lex, d->at,
                reached ? "'$' is reachable"
                        : "'$' must be marked as unreachable, as others are",
                label(l, i), label(l, i));
    return;
  }
}

void ph_parse_edges_run(ph_reader *r) {
  ph_func *f = r->f;
  linker l = {.r = r, .f = f};
  l.into = ph_arena_zero(r->lex.arena, f->blocks.n * sizeof(uint32_t));
  l.stack = ph_arena_zero(r->lex.arena, f->blocks.n * sizeof(uint32_t));
  l.another = ph_arena_zero(r->lex.arena, f->edges.n * sizeof(uint32_t));
  l.marked = ph_arena_zero(r->lex.arena, f->blocks.n * sizeof(bool));
  mark_unreachable(&l);
  mark_inert(&l);
  gather(&l);
  for (uint32_t i = 0; i < r->blocks.all.n && !r->lex.failed; i++)
    link_block(&l, i);
  if (f->keeps_unreachable && !r->lex.failed) check_marks(&l);
}
