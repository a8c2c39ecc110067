/* print.c: prints functions as text.
**
** The text is a complete description of a finished function: parse.c makes the
** same function from it, which prints as the same text.  docs/text.md describes
** it.
**
** Linear: names are counted first, and variables that share a name are numbered
** as they are met.
**
** Requires: nothing; an unfinished function can be printed, too.  Changes
** nothing.
*/
#include "phial/text.h"
#include "core/analysis/rpo.h"
#include "core/ir/contract.h"
#include "core/ir/effects.h"
#include "core/ir/intern.h"
#include "core/ir/op.h"
#include "core/text/naming.h"
#include "core/text/print_value.h"

/*
** {== Names ==========================================================
*/

typedef struct {
  ph_strbuf *b;
  const ph_func *f;
  bool positions;            /* the frontend's are shown */
  const ph_canonical *dense; /* NULL: permanent ids */
  const uint32_t *order;     /* the blocks, `count` of them; NULL: by id */
  uint32_t count;
  const ph_rpo *reached; /* NULL: unreachable blocks are not distinguished */
  uint32_t *values_named[2]; /* by name: number of values that have it ... */
  uint32_t *blocks_named[2]; /* ... and of blocks; [1]: unreachable ones */
  uint32_t *vars_met;        /* by name: number of variables met that have it */
  uint32_t *var_rank;        /* by variable: rank within its name; 0: not met */
} printer;

/* Returns the name that v is shown with: with canonical numbers, only
** parameters have one. */
static uint32_t value_name(const printer *p, uint32_t v) {
  if (p->dense != NULL && ph_node_of(p->f, v)->op != PH_PARAM) return 0;
  return ph_naming_valuename(p->f, v);
}

/* True if b is marked as unreachable; b = 0: false. */
static bool is_marked(const printer *p, uint32_t b) {
  return p->reached != NULL && b != 0 &&
         !ph_rpo_isreached(p->reached, ph_blockid(b));
}

/* True if what is in block b appears with its name alone.  How reachable things
** appear does not depend on others. */
static bool is_only(const printer *p, uint32_t b, uint32_t *const counts[2],
                    uint32_t name) {
  return counts[0][name] + (is_marked(p, b) ? counts[1][name] : 0) == 1;
}

static void put_value(printer *p, uint32_t v) {
  uint32_t name = value_name(p, v);
  uint32_t id = p->dense != NULL ? p->dense->value_number[v] : v;
  if (ph_print_isconst(p->f, v))
    ph_print_const(p->b, p->f, v);
  else
    ph_naming_value(
        p->b, ph_intern_string(p->f, name), id,
        is_only(p, ph_node_of(p->f, v)->block, p->values_named, name));
}

static void put_block(printer *p, uint32_t b) {
  uint32_t name = p->dense != NULL ? 0 : ph_blockrec_of(p->f, b)->name;
  uint32_t id = p->dense != NULL ? p->dense->block_number[b] : b;
  ph_naming_block(p->b, ph_intern_string(p->f, name), id,
                  is_only(p, b, p->blocks_named, name));
}

static void put_var(printer *p, uint32_t var) {
  uint32_t name = p->f->vars.at[var].name;
  if (p->var_rank[var] == 0) p->var_rank[var] = ++p->vars_met[name];
  ph_strbuf_char(p->b, ' ');
  ph_strbuf_name(p->b, ph_intern_string(p->f, name));
  if (p->var_rank[var] > 1) {
    ph_strbuf_char(p->b, '/');
    ph_strbuf_uint(p->b, p->var_rank[var]);
  }
}

/* }== Instructions =================================================== */

/* Separates the elements of a list: " " before the first, ", " before the
** others. */
static void put_separator(printer *p, bool first) {
  ph_strbuf_puts(p->b, first ? " " : ", ");
}

static void put_operands(printer *p, uint32_t v, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    put_separator(p, i == 0);
    put_value(p, ph_body_operand(p->f, v, i));
  }
}

static void put_phi(printer *p, uint32_t v) {
  const ph_node *n = ph_node_of(p->f, v);
  uint32_t edge = ph_blockrec_of(p->f, n->block)->first_pred;
  if (p->f->phis.at[n->aux].var != 0) put_var(p, p->f->phis.at[n->aux].var);
  if (n->flags & PH_IS_INCOMPLETE) {
    ph_strbuf_puts(p->b, " ...");
    return;
  }
  ph_strbuf_puts(p->b, " [");
  for (uint32_t i = 0; i < n->nargs; i++) {
    if (i > 0) ph_strbuf_puts(p->b, ", ");
    if (edge != 0) put_block(p, p->f->edges.at[edge].from);
    ph_strbuf_puts(p->b, ": ");
    put_value(p, ph_body_operand(p->f, v, i));
    edge = p->f->edges.at[edge].next;
  }
  ph_strbuf_char(p->b, ']');
}

static uint32_t target_at(const printer *p, const ph_node *n, uint32_t i) {
  const ph_blockrec *block = ph_blockrec_of(p->f, n->block);
  return i < block->nsuccs ? p->f->edges.at[block->first_succ + i].to : 0;
}

/* switch %v, default [1: a, 2: b] */
static void put_switch(printer *p, uint32_t v) {
  const ph_node *n = ph_node_of(p->f, v);
  put_operands(p, v, 1);
  ph_strbuf_puts(p->b, ", ");
  put_block(p, target_at(p, n, 0));
  ph_strbuf_puts(p->b, " [");
  for (uint32_t i = 1; i < n->nargs; i++) {
    if (i > 1) ph_strbuf_puts(p->b, ", ");
    put_value(p, ph_body_operand(p->f, v, i));
    ph_strbuf_puts(p->b, ": ");
    put_block(p, target_at(p, n, i));
  }
  ph_strbuf_char(p->b, ']');
}

static void put_data(printer *p, uint32_t v) {
  ph_data data = ph_value_data(p->f, ph_valueid(v));
  size_t before = p->b->n;
  if (data.tag == PH_DATA_NONE) return;
  ph_print_symbol(p->b, p->f, ph_valueid(v));
  if (p->b->n != before) return;
  ph_strbuf_puts(p->b, " {");
  ph_print_datum(p->b, p->f, data);
  ph_strbuf_char(p->b, '}');
}

static void put_rest(printer *p, uint32_t v) {
  const ph_node *n = ph_node_of(p->f, v);
  put_data(p, v);
  if (ph_op_namesvar(n->op) && n->aux != 0) put_var(p, n->aux);
  if (n->op == PH_SWITCH) {
    put_switch(p, v);
    return;
  }
  put_operands(p, v, n->nargs);
  if (!ph_op_has(p->f, n->op, PH_TERMINATOR)) return;
  if (n->op < PH_OPS) {
    for (uint32_t i = 0; i < ph_blockrec_of(p->f, n->block)->nsuccs; i++) {
      put_separator(p, i == 0 && n->nargs == 0);
      put_block(p, target_at(p, n, i));
    }
  } else {
    uint32_t count = ph_blockrec_of(p->f, n->block)->nsuccs;
    for (uint32_t i = 0; i < count; i++) {
      if (i == 0) put_separator(p, n->nargs == 0);
      ph_strbuf_puts(p->b, i == 0 ? "[" : ", ");
      put_block(p, target_at(p, n, i));
    }
    if (count > 0) ph_strbuf_char(p->b, ']');
  }
}

/* 12:5 */
static void put_point(printer *p, uint32_t line, uint32_t col) {
  ph_strbuf_uint(p->b, line);
  if (col == 0) return;
  ph_strbuf_char(p->b, ':');
  ph_strbuf_uint(p->b, col);
}

/* @ "file.x":12:5, or @ 12:5-12:9 */
static void put_loc(printer *p, uint32_t v) {
  ph_srcloc at = ph_value_loc(p->f, ph_valueid(v));
  if (at.line == 0 || !p->positions) return;
  ph_strbuf_puts(p->b, " @ ");
  if (at.file != 0) {
    ph_strbuf_quoted(p->b, ph_intern_string(p->f, at.file));
    ph_strbuf_char(p->b, ':');
  }
  put_point(p, at.line, at.col);
  if (at.end_line == 0) return;
  ph_strbuf_char(p->b, '-');
  put_point(p, at.end_line, at.end_col);
}

/* -- what the host says of the data */
static void put_description(printer *p, uint32_t v) {
  size_t before = p->b->n, start;
  if (p->f->describe == NULL ||
      ph_value_data(p->f, ph_valueid(v)).tag != PH_DATA_HOST)
    return;
  ph_strbuf_puts(p->b, " -- ");
  start = p->b->n;
  p->f->describe(p->f->describe_ud, p->b, ph_valueid(v));
  if (p->b->n == start) p->b->n = before;
}

static void put_inst(printer *p, uint32_t v) {
  const ph_node *n = ph_node_of(p->f, v);
  ph_strbuf_puts(p->b, "  ");
  if (n->type != PH_NOTYPE) {
    put_value(p, v);
    ph_strbuf_puts(p->b, ": ");
    ph_print_type(p->b, p->f, n->type);
    ph_strbuf_puts(p->b, " = ");
  }
  ph_print_op(p->b, p->f, n->op);
  if (n->op == PH_PHI)
    put_phi(p, v);
  else
    put_rest(p, v);
  uint32_t said = ph_effects_said(p->f, v);
  if (said != 0)
    ph_print_effects(p->b, p->f, ph_node_of(p->f, v)->op,
                     p->f->effects.at[said], ", ");
  put_loc(p, v);
  put_description(p, v);
  ph_strbuf_char(p->b, '\n');
}

/* }== Blocks and the function ======================================== */

static void put_preds(printer *p, uint32_t b) {
  const ph_blockrec *block = ph_blockrec_of(p->f, b);
  bool first = true;
  if (block->sealed && block->npreds == 0) return;
  ph_strbuf_puts(p->b, " <-");
  PH_EACH_PRED(p->f, b, e) {
    put_separator(p, first);
    put_block(p, p->f->edges.at[e].from);
    first = false;
  }
  if (block->sealed) return;
  put_separator(p, first);
  ph_strbuf_puts(p->b, "...");
}

static uint32_t first_phi(const printer *p, uint32_t b) {
  return p->dense != NULL ? p->dense->first_phi[b]
                          : ph_blockrec_of(p->f, b)->first_phi;
}

static uint32_t next_phi(const printer *p, uint32_t v) {
  return p->dense != NULL ? p->dense->next_phi[v] : ph_node_of(p->f, v)->next;
}

static void put_block_text(printer *p, uint32_t b) {
  put_block(p, b);
  ph_strbuf_char(p->b, ':');
  if (is_marked(p, b)) ph_strbuf_puts(p->b, " unreachable");
  put_preds(p, b);
  ph_strbuf_char(p->b, '\n');
  for (uint32_t v = first_phi(p, b); v != 0; v = next_phi(p, v)) put_inst(p, v);
  PH_EACH_INST(p->f, b, v) put_inst(p, v);
}

/* Puts the blocks by id, those that are marked as unreachable last. */
static void put_by_id(printer *p) {
  PH_EACH_BLOCK(p->f, b) {
    if (!is_marked(p, b)) put_block_text(p, b);
  }
  if (p->reached == NULL) return;
  PH_EACH_BLOCK(p->f, b) {
    if (is_marked(p, b)) put_block_text(p, b);
  }
}

/* How parameter i is passed, or the result (0), unless as usual. */
static void put_passing(printer *p, uint32_t i, ph_type type) {
  static const char *const words[] = {"",         " zeroext", " signext",
                                      " va_list", " byval ",  " sret "};
  ph_passing passing = ph_func_passing(p->f, i);
  if (passing == ph_type_passing(type)) return;
  ph_strbuf_puts(p->b, words[passing]);
  ph_strbuf_add(p->b, ph_func_struct(p->f, i));
}

static void put_head(printer *p) {
  if (p->f->options.internal) ph_strbuf_puts(p->b, "internal ");
  ph_strbuf_puts(p->b, p->f->declared ? "declare " : "fn ");
  ph_strbuf_name(p->b, ph_func_name(p->f));
  ph_strbuf_char(p->b, '(');
  for (uint32_t i = 0; i < p->f->params.n; i++) {
    ph_type type = ph_node_of(p->f, p->f->params.at[i])->type;
    if (i > 0) ph_strbuf_puts(p->b, ", ");
    put_value(p, p->f->params.at[i]);
    ph_strbuf_puts(p->b, ": ");
    ph_print_type(p->b, p->f, type);
    put_passing(p, i + 1, type);
  }
  if (p->f->options.variadic)
    ph_strbuf_puts(p->b, p->f->params.n > 0 ? ", ..." : "...");
  ph_strbuf_char(p->b, ')');
  for (uint32_t i = 0; i < ph_body_nresults(p->f); i++) {
    ph_strbuf_puts(p->b, i == 0 ? " -> " : ", ");
    ph_print_type(p->b, p->f, ph_body_result(p->f, i));
  }
  if (ph_body_nresults(p->f) == 1) put_passing(p, 0, p->f->result);
  if (p->f->declared)
    ph_print_effects(p->b, p->f, PH_CALL, ph_effects_declared(p->f), ", ");
}

static void put_func(printer *p, ph_arena *a) {
  size_t names = p->f->strings.n * sizeof(uint32_t);
  for (int i = 0; i < 2; i++) {
    p->values_named[i] = ph_arena_zero(a, names);
    p->blocks_named[i] = ph_arena_zero(a, names);
  }
  p->vars_met = ph_arena_zero(a, names);
  p->var_rank = ph_arena_zero(a, p->f->vars.n * sizeof(uint32_t));
  for (uint32_t v = 1; v < p->f->names.n; v++) {
    uint32_t b = ph_node_of(p->f, v)->block;
    p->values_named[is_marked(p, b)][value_name(p, v)]++;
  }
  PH_EACH_BLOCK(p->f, b) {
    p->blocks_named[is_marked(p, b)][ph_blockrec_of(p->f, b)->name]++;
  }
  put_head(p);
  if (!p->f->declared) {
    ph_strbuf_puts(p->b, " {\n");
    if (p->order == NULL)
      put_by_id(p);
    else
      for (uint32_t i = 0; i < p->count; i++) put_block_text(p, p->order[i]);
    ph_strbuf_char(p->b, '}');
  }
  ph_strbuf_char(p->b, '\n');
}

void ph_print_sethost(ph_func *f, ph_describe *describe, void *ud) {
  ph_ptr(f)->describe = describe;
  f->describe_ud = ud;
}

void ph_print_styled(ph_strbuf *b, ph_func *f, ph_print_style style) {
  ph_arena_mark bottom = ph_scratch_enter(ph_ptr(f));
  printer p = {.b = ph_ptr(b), .f = f, .positions = !style.without_positions};
  ph_canonical dense;
  ph_must(ph_contract_isblank(&style) && "reserved words that are zero");
  if (f->keeps_unreachable && f->finished)
    p.reached = ph_rpo_compute(f, &f->scratch);
  if (style.ids == PH_IDS_DENSE) {
    dense = ph_canonical_compute(f, &f->scratch);
    p.positions = false;
    p.dense = &dense;
    p.order = dense.blocks;
    p.count = dense.count;
  } else if (style.in_rpo) {
    p.order = ph_canonical_order(f, &f->scratch, &p.count);
  }
  put_func(&p, &f->scratch);
  ph_scratch_leave(f, bottom);
}

void ph_print_func(ph_strbuf *b, ph_func *f, ph_numbering ids) {
  ph_print_styled(ph_ptr(b), ph_ptr(f), (ph_print_style){.ids = ids});
}

void ph_print_module(ph_strbuf *b, ph_str name, ph_func *const *functions,
                     uint32_t n, ph_numbering ids) {
  ph_strbuf_puts(ph_ptr(b), "module ");
  ph_strbuf_name(b, name);
  ph_strbuf_char(b, '\n');
  for (uint32_t i = 0; i < n; i++) {
    ph_strbuf_char(b, '\n');
    ph_print_func(b, ph_ptr(functions)[i], ids);
  }
}

/* }=================================================================== */
