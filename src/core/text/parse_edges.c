/* parse_edges.c: connects the edges that terminators make, in the order of the
** `<-` lists.
**
** A list must contain each edge into its block, once.  Blocks are treated one
** by one: the edges into the block are put on stacks, one for each block they
** come from, the first edge on top; each entry of the list pops one.  What
** remains is missing in the list.  Linear in edges and entries.
**
** A block that the entry does not reach may lead to blocks that do not list it:
** it was dead before it got its terminator (see fill.c), or finish has cut the
** edge (unreachable.c).
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
  const ph_rpo *order;
} linker;

/* Returns the end of the list of the i-th block. */
static uint32_t list_end(const ph_reader *r, uint32_t i) {
  return i + 1 < r->first_pred.n ? r->first_pred.at[i + 1] : r->preds.n;
}

static void gather(linker *l) {
  for (uint32_t e = 1; e < l->f->edges.n; e++) {
    const ph_edge *edge = &l->f->edges.at[e];
    l->another[e] = l->into[edge->to];
    l->into[edge->to] = e;
  }
}

static ph_str label(linker *l, uint32_t i) {
  return ph_lex_source(&l->r->lex, l->r->blocks.all.at[i].at);
}

/*
** {== Linking ========================================================
*/

static void put_on_stacks(linker *l, uint32_t b) {
  for (uint32_t e = l->into[b]; e != 0; e = l->another[e]) {
    ph_edge *edge = &l->f->edges.at[e];
    edge->next = l->stack[edge->from];
    l->stack[edge->from] = e;
  }
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

/* Edges that are left on the stacks are cut. */
static void leave_rest(linker *l, uint32_t b) {
  for (uint32_t e = l->into[b]; e != 0; e = l->another[e]) {
    uint32_t *top = &l->stack[l->f->edges.at[e].from], edge = *top;
    if (edge == 0) continue;
    *top = l->f->edges.at[edge].next;
    ph_block_cut(l->f, edge);
  }
}

static void link_block(linker *l, uint32_t i) {
  uint32_t b = l->r->blocks.all.at[i].id;
  put_on_stacks(l, b);
  for (uint32_t k = l->r->first_pred.at[i]; k < list_end(l->r, i); k++)
    if (!l->r->lex.failed) take(l, i, k);
  leave_rest(l, b);
}

/* }== Checking ======================================================= */

/* Returns the index of the block with this id in the order of the text, for a
** message. */
static uint32_t index_of(const linker *l, uint32_t b) {
  uint32_t i = 0;
  while (l->r->blocks.all.at[i].id != b) i++;
  return i;
}

/* Checks that the edges into the i-th block have arrived, except cut ones from
** unreachable blocks. */
static void check_cut(linker *l, uint32_t i) {
  const ph_decl *d = &l->r->blocks.all.at[i];
  for (uint32_t e = l->into[d->id]; e != 0; e = l->another[e]) {
    uint32_t from = l->f->edges.at[e].from;
    bool reached = ph_rpo_reached(l->order, ph_blockid(from));
    if (i > 0 && !(reached && ph_body_iscut(l->f, e))) continue;
    ph_lex_fail(&l->r->lex, d->at,
                i == 0 ? "'$' is the entry, '$' cannot lead there"
                       : "'$' must have '$' behind '<-', which leads there",
                label(l, i), label(l, index_of(l, from)));
    return;
  }
}

/* Checks that the entry does not reach the i-th block if that is marked, and
** reaches it otherwise. */
static void check_mark(linker *l, uint32_t i) {
  const ph_decl *d = &l->r->blocks.all.at[i];
  bool reached = ph_rpo_reached(l->order, ph_blockid(d->id));
  if (reached != d->unreachable) return;
  ph_lex_fail(&l->r->lex, d->at,
              reached ? "'$' is reachable"
                      : "'$' must be marked as unreachable, as others are",
              label(l, i), label(l, i));
}

/* }=================================================================== */

void ph_parse_edges_run(ph_reader *r) {
  ph_func *f = r->f;
  linker l = {.r = r, .f = f};
  l.into = ph_arena_zero(r->lex.arena, f->blocks.n * sizeof(uint32_t));
  l.stack = ph_arena_zero(r->lex.arena, f->blocks.n * sizeof(uint32_t));
  l.another = ph_arena_zero(r->lex.arena, f->edges.n * sizeof(uint32_t));
  gather(&l);
  for (uint32_t i = 0; i < r->blocks.all.n && !r->lex.failed; i++)
    link_block(&l, i);
  l.order = ph_rpo_compute(f, r->lex.arena);
  for (uint32_t i = 0; i < r->blocks.all.n && !r->lex.failed; i++)
    check_cut(&l, i);
  for (uint32_t i = 0; i < r->blocks.all.n && f->keeps_unreachable; i++)
    if (!r->lex.failed) check_mark(&l, i);
}
