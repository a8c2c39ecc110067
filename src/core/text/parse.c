/* parse.c: converts text to a function.
**
** The text is read twice (see parse_decls.c).  This is the second pass, when
** all its definitions are known.  It makes the function directly, not through
** construction, because a text shows a function as it is, including phis, and
** the ids must be the same.  Edges come last.
**
** Everything is checked that concerns a single line or label; what concerns the
** whole function (such as dominance of definitions) is left to the verifier.
**
** Requires: a function after ph_parse_start.  Leaves it finished; or frozen, if
** the text shows an unfilled or unsealed block.
*/
#include <string.h>

#include "phial/text.h"
#include "core/analysis/rpo.h"
#include "core/ir/block.h"
#include "core/ir/effects.h"
#include "core/ir/func.h"
#include "core/ir/op.h"
#include "core/ir/value.h"
#include "core/text/parse_inst.h"

/*
** {== Instructions ===================================================
*/

static void attach_phi(ph_reader *r) {
  const ph_inst *inst = &r->inst;
  ph_func *f = r->f;
  ph_blockrec *block = ph_blockrec_of(f, inst->block);
  ph_phirec rec = {inst->value, inst->var, 0};
  ph_node_of(f, inst->value)->aux = f->phis.n;
  if (inst->incomplete) {
    ph_node_of(f, inst->value)->flags |= PH_IS_INCOMPLETE;
    rec.next = block->incomplete;
    block->incomplete = f->phis.n;
  }
  ph_phis_push(&f->phis, &f->arena, rec);
}

static void attach_own(ph_reader *r) {
  const ph_inst *inst = &r->inst;
  uint32_t data;
  switch (inst->op) {
    case PH_PHI:
      attach_phi(r);
      break;
    case PH_COPY:
    case PH_REFINE:
    case PH_MAY:
      ph_node_of(r->f, inst->value)->aux = inst->var;
      break;
    default:
      data = ph_value_keepdata(r->f, inst->data);
      ph_node_of(r->f, inst->value)->aux = data;
  }
}

static void attach_inst(ph_reader *r) {
  const ph_inst *inst = &r->inst;
  ph_func *f = r->f;
  ph_node_of(f, inst->value)->op = inst->op;
  attach_own(r);
  ph_ids ids = {NULL, 0, 0};
  const ph_values *args = &r->inst.args;
  for (uint32_t i = 0; i < args->n; i++)
    ph_ids_push(&ids, r->lex.arena, args->at[i].id);
  ph_value_setargs(r->f, r->inst.value, ids.at, ids.n);
  ph_ids_drop(&ids, r->lex.arena);
  ph_value_append(f, inst->block, inst->value);
  if (inst->said != 0) ph_effects_say(f, inst->value, inst->said);
  if (inst->loc.line != 0)
    ph_value_setloc(f, ph_valueid(inst->value), inst->loc);
  if (!ph_op_has(f, inst->op, PH_TERMINATOR)) return;
  ph_block_connect(f, inst->block, inst->targets.at, inst->targets.n, false);
  ph_blockrec_of(f, inst->block)->filled = true;
}

/* %8: i64 = */
static void read_result(ph_reader *r) {
  r->inst.type = PH_NOTYPE;
  if (!ph_lex_accept(&r->lex, PH_TOK_VALUE)) return;
  ph_lex_expect(&r->lex, ':', "':'");
  r->inst.type_at = r->lex.now.at;
  r->inst.type = ph_parse_decls_type(r);
  ph_lex_expect(&r->lex, '=', "'='");
}

/* }== Blocks ========================================================= */

/* Reads `<- a, b, ...`; true if dots end the list: the block is not sealed. */
static bool read_preds(ph_reader *r) {
  if (!ph_lex_accept(&r->lex, PH_TOK_FROM)) return false;
  do {
    if (ph_lex_accept(&r->lex, PH_TOK_DOTS)) return true;
    uint32_t at = r->lex.now.at;
    uint32_t b = ph_parse_decls_block(r);
    ph_ids_push(&r->pred_at, r->lex.arena, at);
    ph_ids_push(&r->preds, r->lex.arena, b);
  } while (ph_lex_accept(&r->lex, ','));
  return false;
}

static void read_label(ph_reader *r) {
  ph_decl d = r->blocks.all.at[r->next_block++];
  uint32_t b = d.id, at;
  bool open;
  ph_lex_next(&r->lex);
  ph_lex_expect(&r->lex, ':', "':'");
  if (d.unreachable) ph_lex_accept(&r->lex, PH_TOK_WORD);
  at = r->lex.now.at;
  r->inst.block = b;
  ph_ids_push(&r->first_pred, r->lex.arena, r->preds.n);
  open = read_preds(r);
  ph_blockrec_of(r->f, b)->sealed = !open;
  if (b == 1 && (r->preds.n > 0 || open))
    ph_lex_fail(&r->lex, at, "nothing leads to the entry");
  ph_lex_expect(&r->lex, PH_TOK_LINE, "the end of the line");
}

static bool at_label(const ph_reader *r) {
  return r->next_block < r->blocks.all.n &&
         r->blocks.all.at[r->next_block].at == r->lex.now.at;
}

static void read_body(ph_reader *r) {
  ph_lex_goto(&r->lex, r->body);
  r->next_value = r->nparams;
  while (!ph_lex_accept(&r->lex, '}') && !r->lex.failed) {
    if (ph_lex_accept(&r->lex, PH_TOK_LINE)) continue;
    if (at_label(r)) {
      read_label(r);
    } else {
      r->inst.value = r->values.all.at[r->next_value++].id;
      read_result(r);
      ph_parse_inst_read(r);
      if (!r->lex.failed) {
        const ph_blockrec *block = ph_blockrec_of(r->f, r->inst.block);
        if (block->filled)
          ph_lex_fail(&r->lex, r->inst.at, "its block has ended with '$'",
                      ph_op_name(r->f, ph_node_of(r->f, block->last)->op));
        else if (r->inst.op == PH_PHI && block->first != 0)
          ph_lex_fail(&r->lex, r->inst.at, "the phis of a block come first");
      }
      if (!r->lex.failed) attach_inst(r);
    }
  }
}

/* }== Edges ========================================================== */

/* Edges are connected in the order of the `<-` lists.  A list must contain each
** edge into its block, once.  Blocks are treated one by one: the edges into the
** block are put on stacks, one for each block they come from, the first edge on
** top; each entry of the list pops one.  What remains is missing in the list.
** Linear in edges and entries.
**
** A block that the entry does not reach may lead to blocks that do not list it:
** it was dead before it got its terminator (see fill.c), or finish has cut the
** edge (unreachable.c). */

typedef struct {
  ph_reader *r;
  ph_func *f;
  uint32_t *into;    /* by block: the last edge into it */
  uint32_t *another; /* by edge: the previous one into the same block */
  uint32_t *stack;   /* by block: stack of edges from it, chained by `next` */
  const ph_rpo *order;
} linker;

static ph_str label_text(linker *l, uint32_t i) {
  return ph_lex_source(&l->r->lex, l->r->blocks.all.at[i].at);
}

/* Connects the edge for entry k of the list of the i-th block. */
static void connect_entry(linker *l, uint32_t i, uint32_t k) {
  uint32_t *top = &l->stack[l->r->preds.at[k]];
  uint32_t edge = *top, at = l->r->pred_at.at[k];
  if (edge == 0) {
    ph_lex_fail(&l->r->lex, at, "'$' has no edge to '$' for this entry",
                ph_lex_source(&l->r->lex, at), label_text(l, i));
    return;
  }
  *top = l->f->edges.at[edge].next;
  ph_block_arrive(l->f, edge);
}

static void link_block(linker *l, uint32_t i) {
  const ph_ids *first = &l->r->first_pred;
  uint32_t b = l->r->blocks.all.at[i].id;
  uint32_t end = i + 1 < first->n ? first->at[i + 1] : l->r->preds.n;
  for (uint32_t e = l->into[b]; e != 0; e = l->another[e]) {
    ph_edge *edge = &l->f->edges.at[e];
    edge->next = l->stack[edge->from];
    l->stack[edge->from] = e;
  }
  for (uint32_t k = first->at[i]; k < end; k++)
    if (!l->r->lex.failed) connect_entry(l, i, k);
  /* Edges that are left on the stacks are cut. */
  for (uint32_t e = l->into[b]; e != 0; e = l->another[e]) {
    uint32_t *top = &l->stack[l->f->edges.at[e].from], edge = *top;
    if (edge == 0) continue;
    *top = l->f->edges.at[edge].next;
    ph_block_cut(l->f, edge);
  }
}

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
    bool reached = ph_rpo_isreached(l->order, ph_blockid(from));
    if (i > 0 && !(reached && ph_body_iscut(l->f, e))) continue;
    ph_lex_fail(&l->r->lex, d->at,
                i == 0 ? "'$' is the entry, '$' cannot lead there"
                       : "'$' must have '$' after '<-', which leads there",
                label_text(l, i), label_text(l, index_of(l, from)));
    return;
  }
}

/* Checks that the entry does not reach the i-th block if that is marked, and
** reaches it otherwise. */
static void check_mark(linker *l, uint32_t i) {
  const ph_decl *d = &l->r->blocks.all.at[i];
  bool reached = ph_rpo_isreached(l->order, ph_blockid(d->id));
  if (reached != d->unreachable) return;
  ph_lex_fail(&l->r->lex, d->at,
              reached ? "'$' is reachable"
                      : "'$' must be marked as unreachable, as others are",
              label_text(l, i), label_text(l, i));
}

/* Connects all edges to their targets, in the order of the lists. */
static void connect_edges(ph_reader *r) {
  ph_func *f = r->f;
  linker l = {.r = r, .f = f};
  l.into = ph_arena_zero(r->lex.arena, f->blocks.n * sizeof(uint32_t));
  l.stack = ph_arena_zero(r->lex.arena, f->blocks.n * sizeof(uint32_t));
  l.another = ph_arena_zero(r->lex.arena, f->edges.n * sizeof(uint32_t));
  for (uint32_t e = 1; e < l.f->edges.n; e++) {
    const ph_edge *edge = &l.f->edges.at[e];
    l.another[e] = l.into[edge->to];
    l.into[edge->to] = e;
  }
  for (uint32_t i = 0; i < r->blocks.all.n && !r->lex.failed; i++)
    link_block(&l, i);
  l.order = ph_rpo_compute(f, r->lex.arena);
  for (uint32_t i = 0; i < r->blocks.all.n && !r->lex.failed; i++)
    check_cut(&l, i);
  for (uint32_t i = 0; i < r->blocks.all.n && f->keeps_unreachable; i++)
    if (!r->lex.failed) check_mark(&l, i);
}

/* }== The function =================================================== */

/* Of a part of a text, only the line must end after it. */
static void read_end(ph_reader *r) {
  bool ends = ph_lex_accept(&r->lex, PH_TOK_LINE) || r->f->declared;
  if (r->part && !ends && r->lex.now.kind != PH_TOK_END)
    ph_lex_unexpected(&r->lex, "the end of the line");
  while (ph_lex_accept(&r->lex, PH_TOK_LINE)) continue;
  if (!r->part && r->lex.now.kind != PH_TOK_END)
    ph_lex_unexpected(&r->lex, "the end of the text");
}

static void conclude_func(ph_func *f) {
  f->finished = true;
  PH_EACH_BLOCK(f, b) {
    ph_blockrec *block = ph_blockrec_of(f, b);
    if (!block->sealed || !block->filled) f->finished = false;
  }
  f->frozen = !f->finished;
}

static void read_text(ph_reader *r) {
  ph_parse_decls_run(r);
  if (!r->lex.failed && !r->f->declared) read_body(r);
  if (!r->lex.failed) read_end(r);
  if (r->lex.failed) return;
  if (r->f->declared) {
    const ph_str name = {"entry", 5};
    r->f->declared = false;
    ph_block_make(r->f, name, 0);
    ph_func_declare(r->f);
    return;
  }
  connect_edges(r);
  if (!r->lex.failed) conclude_func(r->f);
}

void ph_parse_start(ph_func *f) {
  const ph_str nameless = {"", 0};
  ph_func_start(ph_ptr(f), nameless, PH_NOTYPE, NULL);
}

/* Greatest length of a text: 32 bits can count its bytes, and its ids, which
** are not much larger than it is long. */
#define MOST ((size_t)1 << 30)

bool ph_parse_part(ph_func *f, ph_str text, size_t *at, ph_strbuf *why,
                   uint32_t *line, uint32_t *col) {
  ph_arena_mark bottom = ph_scratch_enter(ph_ptr(f));
  ph_reader r;
  (void)ph_ptr(why), (void)ph_ptr(line), (void)ph_ptr(col);
  ph_must(f->nodes.n == 1 && f->blocks.n == 1 &&
          "a function fresh from ph_parse_start");
  memset(&r, 0, sizeof r);
  r.f = f;
  r.part = at != NULL;
  if (text.n == 0) text.at = "";
  ph_lex_start(&r.lex, &f->scratch, text, why);
  if (text.n > MOST) ph_lex_fail(&r.lex, 0, "a text has at most 1 GiB");
  if (at != NULL) ph_lex_goto(&r.lex, (uint32_t)*at);
  read_text(&r);
  if (r.lex.failed)
    ph_ascii_position(text, r.lex.where, line, col);
  else if (at != NULL)
    *at = r.lex.now.at;
  ph_scratch_leave(f, bottom);
  return !r.lex.failed;
}

bool ph_parse_func(ph_func *f, ph_str text, ph_strbuf *why, uint32_t *line,
                   uint32_t *col) {
  return ph_parse_part(f, text, NULL, why, line, col);
}

/* }=================================================================== */
