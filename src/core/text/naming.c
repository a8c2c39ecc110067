/* naming.c: how the things of a function are called in text.
**
** A name alone stands for a thing when nothing else of its kind has that
** name; otherwise the id follows it.  For one thing name_count.c knows that;
** print.c and report.c, which show many, count all names once.
*/
#include "core/text/naming.h"

#include "core/base/ascii.h"
#include "core/ir/name_count.h"
#include "core/base/numfmt.h"

/*
** {== Values and blocks ==============================================
*/

static ph_presence look_at_value(const ph_func *f, uint32_t v, uint32_t name) {
  const ph_node *n = ph_node_of(f, v);
  if (f->names.at[v] != name || n->forward != 0 || n->flags & PH_IS_DROPPED ||
      n->type == PH_NOTYPE)
    return PH_NAME_GONE;
  if (n->op == PH_PARAM) return PH_NAME_HERE;
  if (n->block == 0) return PH_NAME_AWAY;
  return ph_blockrec_of(f, n->block)->removed ? PH_NAME_GONE : PH_NAME_HERE;
}

static ph_presence look_at_block(const ph_func *f, uint32_t b, uint32_t name) {
  const ph_blockrec *block = ph_blockrec_of(f, b);
  return block->name == name && !block->removed ? PH_NAME_HERE : PH_NAME_GONE;
}

uint32_t ph_naming_valuename(const ph_func *f, uint32_t v) {
  uint32_t name = v < f->names.n ? f->names.at[v] : 0;
  return name != 0 && look_at_value(f, v, name) == PH_NAME_HERE ? name : 0;
}

static void put_id(ph_strbuf *b, char before, uint32_t id) {
  ph_strbuf_char(b, before);
  ph_strbuf_uint(b, id);
}

void ph_naming_value(ph_strbuf *b, ph_str name, uint32_t id, bool only) {
  if (name.n == 0) {
    put_id(b, '%', id);
    return;
  }
  ph_strbuf_char(b, '%');
  ph_strbuf_name(b, name);
  if (!only) put_id(b, '.', id);
}

bool ph_naming_isblockid(ph_str s) {
  if (s.n < 2 || s.at[0] != 'b') return false;
  for (size_t i = 1; i < s.n; i++)
    if (!ph_ascii_isdigit(s.at[i])) return false;
  return true;
}

void ph_naming_block(ph_strbuf *b, ph_str name, uint32_t id, bool only) {
  if (name.n == 0) {
    put_id(b, 'b', id);
    return;
  }
  if (ph_naming_isblockid(name))
    ph_strbuf_quoted(b, name);
  else
    ph_strbuf_name(b, name);
  if (!only) put_id(b, '.', id);
}

static bool is_only_value(ph_func *f, uint32_t v) {
  ph_name_counts *s = &f->named_values;
  for (; s->met < f->names.n; s->met++)
    ph_name_count_add(f, s, s->met, f->names.at[s->met]);
  return ph_name_count_unique(f, s, ph_naming_valuename(f, v), look_at_value);
}

static bool is_only_block(ph_func *f, uint32_t b) {
  ph_name_counts *s = &f->named_blocks;
  for (; s->met < f->blocks.n; s->met++)
    ph_name_count_add(f, s, s->met, ph_blockrec_of(f, s->met)->name);
  return !ph_blockrec_of(f, b)->removed &&
         ph_name_count_unique(f, s, ph_blockrec_of(f, b)->name, look_at_block);
}

void ph_print_value(ph_strbuf *b, ph_func *f, ph_value v) {
  uint32_t id = ph_body_resolve(f, v.id);
  if (ph_naming_isconst(f, id))
    ph_naming_const(b, f, id);
  else
    ph_naming_value(b, ph_value_name(f, v), id, is_only_value(f, id));
}

void ph_print_blockname(ph_strbuf *b, ph_func *f, ph_block block) {
  bool only = is_only_block(f, block.id);
  ph_naming_block(b, ph_block_name(f, block), block.id, only);
}

/* }== Ops and types ================================================== */

static void put_dotted(ph_strbuf *b, ph_str dialect, ph_str name) {
  ph_strbuf_add(b, dialect);
  if (dialect.n > 0) ph_strbuf_char(b, '.');
  ph_strbuf_add(b, name);
}

void ph_print_op(ph_strbuf *b, const ph_func *f, ph_op op) {
  put_dotted(b, ph_op_dialect(f, op), ph_op_name(f, op));
}

void ph_print_type(ph_strbuf *b, const ph_func *f, ph_type type) {
  put_dotted(b, ph_op_typedialect(f, type), ph_op_typename(f, type));
}

/* }== Constants and data ============================================= */

static void put_bool(ph_strbuf *b, uint64_t bits) {
  ph_strbuf_puts(b, bits != 0 ? "true" : "false");
}

void ph_naming_data(ph_strbuf *b, const ph_func *f, ph_data data) {
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
    case PH_DATA_STR:
      ph_strbuf_quoted(b, ph_intern_string(f, (uint32_t)data.bits));
      break;
    case PH_DATA_HOST:
      ph_strbuf_puts(b, "host ");
      ph_strbuf_uint(b, data.bits);
      break;
  }
}

/* The type that a constant has in text when none is said. */
static ph_type usual_type(ph_data data, ph_type type) {
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

static void put_suffix(ph_strbuf *b, const ph_func *f, ph_type type) {
  ph_strbuf_char(b, ':');
  ph_print_type(b, f, type);
}

static void put_const(ph_strbuf *b, const ph_func *f, const ph_node *n) {
  ph_data data = f->datas.at[n->aux];
  if (n->type == PH_I1)
    put_bool(b, data.bits);
  else if (n->type == PH_F32)
    ph_numfmt_print(b, data.bits, true);
  else
    ph_naming_data(b, f, data);
  if (n->type != usual_type(data, n->type)) put_suffix(b, f, n->type);
}

void ph_naming_const(ph_strbuf *b, const ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  if (n->op == PH_CONST) {
    put_const(b, f, n);
  } else {
    ph_strbuf_puts(b, "undef");
    put_suffix(b, f, n->type);
  }
}

/* }=================================================================== */
