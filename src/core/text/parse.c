/* parse.c: converts text to a function.
**
** The text is read twice (see parse_decls.c).  This is the second pass, when
** all its definitions are known.  It makes the function directly, not through
** construction, because a text shows a function as it is, including phis, and
** the ids must be the same.  Edges come last (parse_edges.c).
**
** Everything is checked that concerns a single line or label; what concerns the
** whole function (such as dominance of definitions) is left to the verifier.
**
** Requires: a function after ph_parse_start.  Leaves it finished; or frozen, if
** the text shows an unfilled or unsealed block.
*/
#include <assert.h>
#include <string.h>

#include "core/text/parse_inst.h"
#include "phial/text.h"
#include "core/ir/block.h"
#include "core/ir/func.h"
#include "core/ir/op.h"
#include "core/ir/value.h"
#include "core/text/parse_edges.h"
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

static void attach_args(ph_reader *r) {
  ph_ids ids = {NULL, 0, 0};
  const ph_values *args = &r->inst.args;
  for (uint32_t i = 0; i < args->n; i++)
    ph_ids_push(&ids, r->lex.arena, args->at[i].id);
  ph_value_setargs(r->f, r->inst.value, ids.at, ids.n);
  ph_ids_drop(&ids, r->lex.arena);
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

static void attach(ph_reader *r) {
  const ph_inst *inst = &r->inst;
  ph_func *f = r->f;
  ph_node_of(f, inst->value)->op = inst->op;
  attach_own(r);
  attach_args(r);
  ph_value_append(f, inst->block, inst->value);
  if (inst->loc.line != 0)
    ph_value_setloc(f, ph_valueid(inst->value), inst->loc);
  if (!ph_op_has(f, inst->op, PH_TERMINATOR)) return;
  ph_block_connect(f, inst->block, inst->targets.at, inst->targets.n, false);
  ph_blockrec_of(f, inst->block)->filled = true;
}

static void check_order(ph_reader *r) {
  const ph_blockrec *block = ph_blockrec_of(r->f, r->inst.block);
  if (block->filled)
    ph_lex_fail(&r->lex, r->inst.at, "its block has ended with '$'",
                ph_op_name(r->f, ph_node_of(r->f, block->last)->op));
  else if (r->inst.op == PH_PHI && block->first != 0)
    ph_lex_fail(&r->lex, r->inst.at, "the phis of a block come first");
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

static void read_inst(ph_reader *r) {
  r->inst.value = r->values.all.at[r->next_value++].id;
  read_result(r);
  ph_parse_inst_read(r);
  if (!r->lex.failed) check_order(r);
  if (!r->lex.failed) attach(r);
}

/* }== Blocks and the function ======================================== */

static void read_pred(ph_reader *r) {
  uint32_t at = r->lex.now.at;
  uint32_t b = ph_parse_decls_block(r);
  ph_ids_push(&r->pred_at, r->lex.arena, at);
  ph_ids_push(&r->preds, r->lex.arena, b);
}

/* Reads `<- a, b, ...`; true if dots end the list: the block is not sealed. */
static bool read_preds(ph_reader *r) {
  if (!ph_lex_accept(&r->lex, PH_TOK_FROM)) return false;
  do {
    if (ph_lex_accept(&r->lex, PH_TOK_DOTS)) return true;
    read_pred(r);
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
    if (at_label(r))
      read_label(r);
    else
      read_inst(r);
  }
}

/* Of a part of a text, only the line must end behind it. */
static void read_end(ph_reader *r) {
  bool ends = ph_lex_accept(&r->lex, PH_TOK_LINE) || r->f->declared;
  if (r->part && !ends && r->lex.now.kind != PH_TOK_END)
    ph_lex_unexpected(&r->lex, "the end of the line");
  while (ph_lex_accept(&r->lex, PH_TOK_LINE)) continue;
  if (!r->part && r->lex.now.kind != PH_TOK_END)
    ph_lex_unexpected(&r->lex, "the end of the text");
}

/* A declaration has an entry, as every function, but nothing in it. */
static void conclude_declaration(ph_func *f) {
  const ph_str name = {"entry", 5};
  f->declared = false;
  ph_block_make(f, name, 0);
  ph_func_declare(f, f->variadic);
}

static void conclude(ph_func *f) {
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
    conclude_declaration(r->f);
    return;
  }
  ph_parse_edges_run(r);
  if (!r->lex.failed) conclude(r->f);
}

void ph_parse_start(ph_func *f) {
  const ph_str nameless = {"", 0};
  ph_func_start(f, nameless, PH_NOTYPE, NULL);
}

/* Greatest length of a text: 32 bits can count its bytes, and its ids, which
** are not much larger than it is long. */
#define MOST ((size_t)1 << 30)

bool ph_parse_part(ph_func *f, ph_str text, size_t *at, ph_strbuf *why,
                   uint32_t *line, uint32_t *col) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  ph_reader r;
  assert(f->nodes.n == 1 && f->blocks.n == 1 &&
         "a function fresh from ph_parse_start");
  memset(&r, 0, sizeof r);
  r.f = f;
  r.part = at != NULL;
  if (text.n == 0) text.at = "";
  ph_lex_start(&r.lex, &f->scratch, text, why);
  if (text.n > MOST) ph_lex_fail(&r.lex, 0, "a text has at most 1 GiB");
  if (r.part) ph_lex_goto(&r.lex, (uint32_t)*at);
  read_text(&r);
  if (r.lex.failed)
    ph_lex_position(text, r.lex.where, line, col);
  else if (r.part)
    *at = r.lex.now.at;
  ph_scratch_leave(f, bottom);
  return !r.lex.failed;
}

bool ph_parse_func(ph_func *f, ph_str text, ph_strbuf *why, uint32_t *line,
                   uint32_t *col) {
  return ph_parse_part(f, text, NULL, why, line, col);
}

/* }=================================================================== */
