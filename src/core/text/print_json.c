/* print_json.c: prints functions as JSON, as docs/json.md describes it.
**
** Linear: what the function mentions is noted first.
**
** Requires: nothing; an unfinished function can be printed, too.  Changes
** nothing.
*/
#include "phial/text.h"
#include "core/base/idmap.h"
#include "core/ir/contract.h"
#include "core/ir/effects.h"
#include "core/ir/intern.h"
#include "core/ir/op.h"
#include "core/text/quote.h"
#include "core/text/print_value.h"

/*
** {== Lists ==========================================================
**
** A list of rows has a line for each.  What follows an opening bracket, or the
** line break after it, is the first of its list.
*/

static char last_of(const ph_strbuf *b) { return b->at[b->n - 1]; }

static void put_key(ph_strbuf *b, const char *key) {
  ph_strbuf_puts(b, last_of(b) == '{' ? "\"" : ",\"");
  ph_strbuf_puts(b, key);
  ph_strbuf_puts(b, "\":");
}

static void put_number(ph_strbuf *b, const char *key, uint32_t number) {
  put_key(b, key);
  ph_strbuf_uint(b, number);
}

static void put_truth(ph_strbuf *b, const char *key, bool is) {
  put_key(b, key);
  ph_strbuf_puts(b, is ? "true" : "false");
}

/* Begins a string; returns where its text starts. */
static size_t open_string(ph_strbuf *b, const char *key) {
  put_key(b, key);
  ph_strbuf_char(b, '"');
  return b->n;
}

static void close_string(ph_strbuf *b, size_t start) {
  ph_quote_json(b, start);
  ph_strbuf_char(b, '"');
}

static void open_list(ph_strbuf *b, const char *key) {
  put_key(b, key);
  ph_strbuf_char(b, '[');
}

static void put_item(ph_strbuf *b, uint32_t id) {
  if (last_of(b) != '[') ph_strbuf_char(b, ',');
  ph_strbuf_uint(b, id);
}

static void open_rows(ph_strbuf *b) { ph_strbuf_puts(b, "[\n"); }

static void separate_row(ph_strbuf *b) {
  if (last_of(b) != '\n') ph_strbuf_puts(b, ",\n");
}

static void open_row(ph_strbuf *b) {
  separate_row(b);
  ph_strbuf_char(b, '{');
}

static void close_rows(ph_strbuf *b) {
  if (last_of(b) == '\n')
    b->n--;
  else
    ph_strbuf_char(b, '\n');
  ph_strbuf_char(b, ']');
}

/* }== What a document mentions ======================================= */

enum { ELSEWHERE, USED, PRESENT };

typedef struct {
  ph_strbuf *b;
  ph_func *f;
  const ph_json_known *known;
  uint8_t *where; /* by value: whether an instruction uses it, or a block has it
                   */
  bool *has_var;  /* by variable: it is mentioned */
  ph_srclocs places;
  ph_ids next;    /* by index in `places`: 1 + one of the same hash, or 0 */
  ph_idmap first; /* by hash: the same */
  uint32_t *placed_at; /* by location of f: 1 + its index in `places`, or 0 */
} json;

static bool is_same_place(ph_srcloc a, ph_srcloc b) {
  return a.line == b.line && a.col == b.col && a.file == b.file;
}

/* Returns 1 + the index of a position in `places`. */
static uint32_t place_of(json *j, ph_srcloc at) {
  ph_arena *a = &j->f->scratch;
  uint32_t hash =
      ((at.file * 31 + at.line) * UINT32_C(2654435769) + at.col) | 1;
  uint32_t first = ph_idmap_get(&j->first, hash);
  for (uint32_t i = first; i != 0; i = j->next.at[i - 1])
    if (is_same_place(j->places.at[i - 1], at)) return i;
  ph_srclocs_push(&j->places, a, at);
  ph_ids_push(&j->next, a, first);
  ph_idmap_set(&j->first, a, hash, j->places.n);
  return j->places.n;
}

static uint32_t loc_of(const ph_func *f, uint32_t v) {
  return v < f->locs.n ? f->locs.at[v] : 0;
}

static void note_value(json *j, uint32_t v) {
  const ph_func *f = j->f;
  uint32_t loc = loc_of(f, v);
  j->where[v] = PRESENT;
  j->has_var[ph_value_var(f, ph_valueid(v)).id] = true;
  if (f->places.at[loc].line != 0 && j->placed_at[loc] == 0)
    j->placed_at[loc] = place_of(j, f->places.at[loc]);
  for (uint32_t i = 0; i < ph_node_of(f, v)->nargs; i++) {
    uint32_t arg = ph_body_operand(f, v, i);
    if (j->where[arg] == ELSEWHERE) j->where[arg] = USED;
  }
}

static void note_all(json *j) {
  ph_arena *a = &j->f->scratch;
  j->where = ph_arena_zero(a, j->f->nodes.n);
  j->has_var = ph_arena_zero(a, j->f->vars.n);
  j->placed_at = ph_arena_zero(a, j->f->places.n * sizeof(uint32_t));
  for (uint32_t i = 0; i < j->known->nplaces; i++)
    place_of(j, j->known->places[i]);
  PH_EACH_BLOCK(j->f, b) {
    PH_EACH_PHI(j->f, b, v) note_value(j, v);
    PH_EACH_INST(j->f, b, v) note_value(j, v);
  }
}

/* }== Its parts ====================================================== */

static void put_type(ph_strbuf *b, const ph_func *f, ph_type type) {
  size_t start = open_string(b, "type");
  ph_print_type(b, f, type);
  close_string(b, start);
}

static void put_vars(json *j) {
  ph_strbuf_char(j->b, '[');
  for (uint32_t var = 1; var < j->f->vars.n; var++) {
    const ph_json_known *k = j->known;
    size_t start;
    if (!j->has_var[var] &&
        !(k->lists != NULL && k->lists(k->ud, (ph_var){var})))
      continue;
    if (last_of(j->b) != '[') ph_strbuf_char(j->b, ',');
    ph_strbuf_char(j->b, '{');
    put_number(j->b, "id", var);
    start = open_string(j->b, "name");
    ph_print_var(j->b, j->f, var);
    close_string(j->b, start);
    put_type(j->b, j->f, j->f->vars.at[var].type);
    ph_strbuf_char(j->b, '}');
  }
  ph_strbuf_char(j->b, ']');
}

static void put_chain(json *j, const char *key, uint32_t v) {
  open_list(j->b, key);
  for (; v != 0; v = ph_node_of(j->f, v)->next) put_item(j->b, v);
  ph_strbuf_char(j->b, ']');
}

static void put_neighbours(json *j, uint32_t b) {
  const ph_blockrec *block = ph_blockrec_of(j->f, b);
  open_list(j->b, "preds");
  PH_EACH_PRED(j->f, b, e) put_item(j->b, j->f->edges.at[e].from);
  ph_strbuf_char(j->b, ']');
  open_list(j->b, "succs");
  for (uint32_t i = 0; i < block->nsuccs; i++)
    put_item(j->b, j->f->edges.at[block->first_succ + i].to);
  ph_strbuf_char(j->b, ']');
}

static void put_block(json *j, uint32_t b) {
  const ph_blockrec *block = ph_blockrec_of(j->f, b);
  ph_block idom = ph_dom_idom(j->known->dom, ph_blockid(b));
  uint32_t loop = ph_loops_of(j->known->loops, ph_blockid(b));
  size_t start;
  open_row(j->b);
  put_number(j->b, "id", b);
  start = open_string(j->b, "name");
  ph_print_blockname(j->b, j->f, ph_blockid(b));
  close_string(j->b, start);
  put_neighbours(j, b);
  put_chain(j, "phis", block->first_phi);
  put_chain(j, "insts", block->first);
  put_truth(j->b, "filled", block->filled);
  if (ph_some(idom)) put_number(j->b, "idom", idom.id);
  if (loop != 0) put_number(j->b, "loop", loop - 1);
  put_truth(j->b, "sealed", block->sealed);
  ph_strbuf_char(j->b, '}');
}

static void put_blocks(json *j) {
  open_rows(j->b);
  PH_EACH_BLOCK(j->f, b) put_block(j, b);
  close_rows(j->b);
}

/* What is said of the classes that v reads and writes, if it is anything. */
static void put_effects(json *j, uint32_t v) {
  uint32_t said = ph_effects_said(j->f, v);
  size_t before = j->b->n, start;
  if (said == 0) return;
  start = open_string(j->b, "effects") - 1;
  j->b->n = start;
  ph_print_effects(j->b, j->f, ph_node_of(j->f, v)->op, j->f->effects.at[said],
                   ",");
  if (j->b->n == start) {
    j->b->n = before;
    return;
  }
  j->b->at[start] = '"'; /* in place of a blank */
  close_string(j->b, start + 1);
}

/* The name of v, unless it is only the id, or the constant. */
static void put_name(json *j, uint32_t v) {
  size_t start;
  if (!ph_print_isconst(j->f, v) && ph_value_name(j->f, ph_valueid(v)).n == 0)
    return;
  start = open_string(j->b, "text");
  ph_print_value(j->b, j->f, ph_valueid(v));
  close_string(j->b, start);
}

/* What only instructions have. */
static void put_details(json *j, uint32_t v) {
  ph_data data = ph_print_dataof(j->f, v);
  uint32_t place = j->placed_at[loc_of(j->f, v)];
  if (data.tag != PH_DATA_NONE) {
    size_t start = open_string(j->b, "data");
    ph_print_hint(j->b, j->f, data);
    close_string(j->b, start);
  }
  open_list(j->b, "args");
  for (uint32_t i = 0; i < ph_node_of(j->f, v)->nargs; i++)
    put_item(j->b, ph_body_operand(j->f, v, i));
  ph_strbuf_char(j->b, ']');
  if (place != 0) put_number(j->b, "loc", place - 1);
  put_effects(j, v);
}

static void put_value_row(json *j, uint32_t v) {
  const ph_node *n = ph_node_of(j->f, v);
  uint32_t var = ph_value_var(j->f, ph_valueid(v)).id;
  size_t start;
  open_row(j->b);
  put_number(j->b, "id", v);
  if (var != 0) put_number(j->b, "var", var);
  put_name(j, v);
  start = open_string(j->b, "op");
  ph_print_op(j->b, j->f, n->op);
  close_string(j->b, start);
  if (n->type != PH_NOTYPE) put_type(j->b, j->f, n->type);
  if (j->where[v] == PRESENT) put_details(j, v);
  ph_strbuf_char(j->b, '}');
}

/* The host's row of a value that is not in f any more; empty: none. */
static ph_str row_of(const json *j, uint32_t v) {
  const ph_json_known *k = j->known;
  return k->row == NULL ? (ph_str){NULL, 0} : k->row(k->ud, ph_valueid(v));
}

static void put_values(json *j) {
  open_rows(j->b);
  for (uint32_t v = 1; v < j->f->nodes.n; v++) {
    ph_str row = {NULL, 0};
    if (j->where[v] == ELSEWHERE) row = row_of(j, v);
    if (row.n > 0) {
      separate_row(j->b);
      ph_strbuf_add(j->b, row);
    } else if (j->where[v] != ELSEWHERE ||
               ph_node_of(j->f, v)->op == PH_PARAM) {
      put_value_row(j, v);
    }
  }
  close_rows(j->b);
}

static void put_loops(json *j) {
  const ph_loops *l = j->known->loops;
  open_rows(j->b);
  for (uint32_t i = 1; i <= ph_loops_count(l); i++) {
    uint32_t parent = ph_loops_parent(l, i);
    open_row(j->b);
    put_number(j->b, "depth", ph_loops_depth(l, i));
    put_number(j->b, "header", ph_loops_header(l, i).id);
    if (parent != 0) put_number(j->b, "parent", parent - 1);
    put_truth(j->b, "reducible", ph_loops_isreducible(l, i));
    ph_strbuf_char(j->b, '}');
  }
  close_rows(j->b);
}

static void put_places(json *j) {
  open_rows(j->b);
  for (uint32_t i = 0; i < j->places.n; i++) {
    ph_srcloc at = j->places.at[i];
    open_row(j->b);
    put_number(j->b, "line", at.line);
    if (at.col != 0) put_number(j->b, "col", at.col);
    if (at.file != 0) {
      size_t start = open_string(j->b, "file");
      ph_strbuf_add(j->b, ph_intern_string(j->f, at.file));
      close_string(j->b, start);
    }
    ph_strbuf_char(j->b, '}');
  }
  close_rows(j->b);
}

void ph_print_json(ph_strbuf *b, ph_func *f, const ph_json_known *known,
                   size_t ends[PH_JSON_PARTS]) {
  static void (*const put[])(json * j) = {put_vars, put_blocks, put_values,
                                          put_loops, put_places};
  ph_arena_mark bottom = ph_scratch_enter(ph_ptr(f));
  json j = {.b = ph_ptr(b), .f = f, .known = ph_ptr(known)};
  ph_must(ends != NULL && "ends is not NULL");
  ph_must((known == NULL || ph_contract_isblank(known)) &&
          "reserved words that are zero");
  note_all(&j);
  for (int i = 0; i < PH_JSON_PARTS; i++) {
    put[i](&j);
    ends[i] = b->n;
  }
  ph_scratch_leave(f, bottom);
}

/* }=================================================================== */
