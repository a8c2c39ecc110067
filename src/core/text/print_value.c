/* print_value.c: prints things of functions as text; finds what such a text
** names.
*/
#include "core/text/print_value.h"

#include <string.h>

#include "phial/text.h"
#include "core/base/numfmt.h"
#include "core/ir/contract.h"
#include "core/ir/intern.h"
#include "core/ir/op.h"
#include "core/text/lex.h"
#include "core/text/naming.h"

/*
** {== Ops and types ==================================================
*/

static void put_dotted(ph_strbuf *b, ph_str dialect, ph_str name) {
  ph_strbuf_add(b, dialect);
  if (dialect.n > 0) ph_strbuf_char(b, '.');
  ph_strbuf_add(b, name);
}

void ph_print_op(ph_strbuf *b, const ph_func *f, ph_op op) {
  put_dotted(ph_ptr(b), ph_op_dialect(f, op), ph_op_name(f, op));
}

void ph_print_type(ph_strbuf *b, const ph_func *f, ph_type type) {
  (void)ph_ptr(f);
  put_dotted(ph_ptr(b), ph_type_dialect(f, type), ph_type_name(f, type));
}

/* }== Constants and data ============================================= */

static void put_bool(ph_strbuf *b, uint64_t bits) {
  ph_strbuf_puts(b, bits != 0 ? "true" : "false");
}

void ph_print_datum(ph_strbuf *b, const ph_func *f, ph_data data) {
  switch (data.tag) {
    case PH_DATA_NONE:
      break;
    case PH_DATA_NIL:
      ph_strbuf_puts(b, "nil");
      break;
    case PH_DATA_BOOL:
      put_bool(b, data.bits);
      break;
    case PH_DATA_INT:
      ph_strbuf_int(b, (int64_t)data.bits);
      break;
    case PH_DATA_FLOAT:
      ph_numfmt_print(b, data.bits, false);
      break;
    case PH_DATA_SYMBOL:
    case PH_DATA_STR:
      ph_strbuf_quoted(b, ph_intern_string(f, (uint32_t)data.bits));
      break;
    case PH_DATA_HOST:
      ph_strbuf_puts(b, "host ");
      ph_strbuf_uint(b, data.bits);
      break;
  }
}

ph_type ph_print_usualtype(ph_data data, ph_type type) {
  switch (data.tag) {
    case PH_DATA_INT:
      return type == PH_I1 ? PH_I1 : PH_I64;
    case PH_DATA_FLOAT:
      return PH_F64;
    case PH_DATA_BOOL:
      return PH_I1;
    default:
      return PH_ANY;
  }
}

void ph_print_float(ph_strbuf *b, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  ph_numfmt_print(ph_ptr(b), bits, false);
}

static void put_suffix(ph_strbuf *b, const ph_func *f, ph_type type) {
  ph_strbuf_char(b, ':');
  ph_print_type(b, f, type);
}

void ph_print_const(ph_strbuf *b, const ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  if (n->op == PH_CONST) {
    ph_data data = f->datas.at[n->aux];
    if (n->type == PH_I1)
      put_bool(b, data.bits);
    else if (n->type == PH_F32)
      ph_numfmt_print(b, data.bits, true);
    else
      ph_print_datum(b, f, data);
    if (n->type != ph_print_usualtype(data, n->type)) put_suffix(b, f, n->type);
  } else {
    ph_strbuf_puts(b, "undef");
    put_suffix(b, f, n->type);
  }
}

void ph_print_symbol(ph_strbuf *b, const ph_func *f, ph_value v) {
  ph_data data = ph_value_data(f, v);
  bool named = data.tag == PH_DATA_STR || data.tag == PH_DATA_SYMBOL;
  (void)ph_ptr(b);
  if (!named || !ph_op_has(f, ph_value_op(f, v), PH_SYMBOLIC)) return;
  ph_strbuf_puts(b, " @");
  ph_strbuf_name(b, ph_intern_string(f, (uint32_t)data.bits));
}

/* }== For other programs ============================================= */

void ph_print_var(ph_strbuf *b, const ph_func *f, uint32_t var) {
  ph_str name = ph_intern_string(f, f->vars.at[var].name);
  if (name.n == 0) {
    ph_strbuf_char(b, 'v');
    ph_strbuf_uint(b, var);
  }
  ph_strbuf_add(b, name);
}

ph_data ph_print_dataof(const ph_func *f, uint32_t v) {
  const ph_data none = {0, PH_DATA_NONE};
  ph_data data = ph_value_data(f, ph_valueid(v));
  bool is_leaf = ph_op_has(f, ph_node_of(f, v)->op, PH_LEAF);
  return is_leaf || data.tag == PH_DATA_NIL ? none : data;
}

void ph_print_hint(ph_strbuf *b, const ph_func *f, ph_data data) {
  if (data.tag == PH_DATA_HOST) {
    ph_strbuf_puts(b, "...");
  } else if (data.tag == PH_DATA_SYMBOL) {
    ph_strbuf_char(b, '@');
    ph_strbuf_name(b, ph_intern_string(f, (uint32_t)data.bits));
  } else {
    ph_print_datum(b, f, data);
  }
}

/* }== Effects ======================================================== */

/* reads(heap, len), or reads(...): everything */
static void put_classes(ph_strbuf *b, const ph_func *f, const char *word,
                        uint32_t set, const char *separator) {
  uint32_t list[PH_CLASSES_MOST], n = 0;
  ph_strbuf_puts(b, word);
  if (set == PH_EFFECTS_ALL)
    ph_strbuf_puts(b, "...");
  else
    n = ph_effects_list(f, set, list);
  for (uint32_t i = 0; i < n; i++) {
    if (i > 0) ph_strbuf_puts(b, separator);
    ph_strbuf_add(b, ph_effects_class(f, list[i]));
  }
  ph_strbuf_char(b, ')');
}

void ph_print_effects(ph_strbuf *b, const ph_func *f, ph_op op, ph_effects e,
                      const char *separator) {
  ph_effects usual = ph_effects_usual(f, op);
  if (e.reads != usual.reads) put_classes(b, f, " reads(", e.reads, separator);
  if (e.writes != usual.writes)
    put_classes(b, f, " writes(", e.writes, separator);
}

/* }== One value or block ============================================= */

void ph_print_value(ph_strbuf *b, ph_func *f, ph_value v) {
  uint32_t id = ph_value_resolve(f, v).id;
  (void)ph_ptr(b);
  if (ph_print_isconst(f, id))
    ph_print_const(b, f, id);
  else
    ph_naming_value(b, ph_value_name(f, v), id,
                    ph_naming_onlyvalue(f, ph_naming_valuename(f, id)) == id);
}

void ph_print_blockname(ph_strbuf *b, ph_func *f, ph_block block) {
  uint32_t name;
  (void)ph_ptr(b);
  ph_require(ph_contract_hasblock(f, block) && "a block of this function");
  name = ph_blockrec_of(f, block.id)->name;
  ph_naming_block(b, ph_block_name(f, block), block.id,
                  ph_naming_onlyblock(f, name) == block.id);
}

/* }== Finding what a text names ======================================= */

/* The id, or the name that appears alone, says which value or block it can be;
** that is it if it is printed in the same way. */

/* A name, read as a token; `printed` is empty. */
typedef struct {
  ph_arena_mark bottom;
  ph_mem mem;
  ph_strbuf printed;
  ph_token token;
  uint32_t name; /* 0: nothing has that name */
} reading;

static void read_as_token(reading *r, ph_func *f, ph_str text) {
  ph_lexer lex;
  memset(r, 0, sizeof *r);
  r->bottom = ph_scratch_enter(f);
  r->mem = ph_arena_mem(&f->scratch);
  r->printed.mem = &r->mem;
  ph_lex_start(&lex, &f->scratch, text, &r->printed);
  r->printed.n = 0; /* what is wrong with it */
  r->token = lex.now;
  r->name = ph_intern_find(f, lex.now.s);
}

/* Returns `id` if it is printed as the text. */
static uint32_t if_printed_same(reading *r, ph_func *f, ph_str text,
                                uint32_t id) {
  bool same =
      text.n > 0 && ph_ascii_same((ph_str){r->printed.at, r->printed.n}, text);
  ph_scratch_leave(f, r->bottom);
  return same ? id : 0;
}

static bool is_here(const ph_func *f, uint32_t v) {
  const ph_node *n;
  if (v == 0 || v >= f->nodes.n) return false;
  n = ph_node_of(f, v);
  if (n->forward != 0 || n->flags & PH_IS_DROPPED) return false;
  return n->op == PH_PARAM ||
         (n->block != 0 && !ph_blockrec_of(f, n->block)->removed);
}

ph_value ph_find_value(ph_func *f, ph_str text) {
  reading r;
  uint32_t v;
  read_as_token(&r, ph_ptr(f), text);
  v = r.token.id != 0 ? r.token.id : ph_naming_onlyvalue(f, r.name);
  if (is_here(f, v)) ph_print_value(&r.printed, f, ph_valueid(v));
  return ph_valueid(if_printed_same(&r, f, text, v));
}

ph_block ph_find_block(ph_func *f, ph_str text) {
  reading r;
  uint32_t b;
  read_as_token(&r, ph_ptr(f), text);
  b = r.token.id;
  if (b == 0 && r.token.kind == PH_TOK_WORD) b = ph_naming_blockid(r.token.s);
  if (b == 0) b = ph_naming_onlyblock(f, r.name);
  if (b != 0 && b < f->blocks.n && !ph_blockrec_of(f, b)->removed)
    ph_print_blockname(&r.printed, f, ph_blockid(b));
  return ph_blockid(if_printed_same(&r, f, text, b));
}

/* }=================================================================== */
