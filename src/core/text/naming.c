/* label.c: how the things of a function are called in text.
**
** A name alone stands for a thing when nothing else of its kind has that
** name; otherwise the id follows it.  For one thing namesake.c knows that;
** print.c and problem.c, which show many, count all names once.
*/
#include "core/text/naming.h"

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
  return ph_block_of(f, n->block)->removed ? PH_NAME_GONE : PH_NAME_HERE;
}

static ph_presence look_at_block(const ph_func *f, uint32_t b, uint32_t name) {
  const ph_blockrec *block = ph_block_of(f, b);
  return block->name == name && !block->removed ? PH_NAME_HERE : PH_NAME_GONE;
}

uint32_t ph_label_valuename(const ph_func *f, uint32_t v) {
  uint32_t name = v < f->names.n ? f->names.at[v] : 0;
  return name != 0 && look_at_value(f, v, name) == PH_NAME_HERE ? name : 0;
}

static void put_id(ph_buf *b, char before, uint32_t id) {
  ph_buf_char(b, before);
  ph_buf_uint(b, id);
}

void ph_label_value(ph_buf *b, ph_str name, uint32_t id, bool only) {
  if (name.n == 0) {
    put_id(b, '%', id);
    return;
  }
  ph_buf_char(b, '%');
  ph_buf_name(b, name);
  if (!only) put_id(b, '.', id);
}

bool ph_label_isblockid(ph_str s) {
  if (s.n < 2 || s.at[0] != 'b') return false;
  for (size_t i = 1; i < s.n; i++)
    if (!ph_buf_isdigit(s.at[i])) return false;
  return true;
}

void ph_label_block(ph_buf *b, ph_str name, uint32_t id, bool only) {
  if (name.n == 0) {
    put_id(b, 'b', id);
    return;
  }
  if (ph_label_isblockid(name))
    ph_buf_quoted(b, name);
  else
    ph_buf_name(b, name);
  if (!only) put_id(b, '.', id);
}

static bool is_only_value(ph_func *f, uint32_t v) {
  ph_namesakes *s = &f->named_values;
  for (; s->met < f->names.n; s->met++)
    ph_namesake_add(f, s, s->met, f->names.at[s->met]);
  return ph_namesake_single(f, s, ph_label_valuename(f, v), look_at_value);
}

static bool is_only_block(ph_func *f, uint32_t b) {
  ph_namesakes *s = &f->named_blocks;
  for (; s->met < f->blocks.n; s->met++)
    ph_namesake_add(f, s, s->met, ph_block_of(f, s->met)->name);
  return !ph_block_of(f, b)->removed &&
         ph_namesake_single(f, s, ph_block_of(f, b)->name, look_at_block);
}

void ph_print_value(ph_buf *b, ph_func *f, ph_value v) {
  uint32_t id = ph_func_resolve(f, v.id);
  if (ph_label_isconst(f, id))
    ph_label_const(b, f, id);
  else
    ph_label_value(b, ph_name_value(f, v), id, is_only_value(f, id));
}

void ph_print_blockname(ph_buf *b, ph_func *f, ph_block block) {
  bool only = is_only_block(f, block.id);
  ph_label_block(b, ph_name_block(f, block), block.id, only);
}

/* }== Ops and types ================================================== */

static void put_dotted(ph_buf *b, ph_str dialect, ph_str name) {
  ph_buf_add(b, dialect);
  if (dialect.n > 0) ph_buf_char(b, '.');
  ph_buf_add(b, name);
}

void ph_print_op(ph_buf *b, const ph_func *f, ph_op op) {
  put_dotted(b, ph_op_dialect(f, op), ph_op_name(f, op));
}

void ph_print_type(ph_buf *b, const ph_func *f, ph_type type) {
  put_dotted(b, ph_op_typedialect(f, type), ph_op_typename(f, type));
}

/* }== Constants and data ============================================= */

static void put_bool(ph_buf *b, uint64_t bits) {
  ph_buf_puts(b, bits != 0 ? "true" : "false");
}

void ph_label_data(ph_buf *b, const ph_func *f, ph_data data) {
  switch (data.tag) {
    case PH_DATA_NONE:
      break;
    case PH_DATA_NIL:
      ph_buf_puts(b, "nil");
      break;
    case PH_DATA_BOOL:
      put_bool(b, data.bits);
      break;
    case PH_DATA_INT:
      ph_buf_int(b, (int64_t)data.bits);
      break;
    case PH_DATA_FLOAT:
      ph_number_print(b, data.bits, false);
      break;
    case PH_DATA_STR:
      ph_buf_quoted(b, ph_name_string(f, (uint32_t)data.bits));
      break;
    case PH_DATA_HOST:
      ph_buf_puts(b, "host ");
      ph_buf_uint(b, data.bits);
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

static void put_suffix(ph_buf *b, const ph_func *f, ph_type type) {
  ph_buf_char(b, ':');
  ph_print_type(b, f, type);
}

static void put_const(ph_buf *b, const ph_func *f, const ph_node *n) {
  ph_data data = f->datas.at[n->aux];
  if (n->type == PH_I1)
    put_bool(b, data.bits);
  else if (n->type == PH_F32)
    ph_number_print(b, data.bits, true);
  else
    ph_label_data(b, f, data);
  if (n->type != usual_type(data, n->type)) put_suffix(b, f, n->type);
}

void ph_label_const(ph_buf *b, const ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  if (n->op == PH_CONST) {
    put_const(b, f, n);
  } else {
    ph_buf_puts(b, "undef");
    put_suffix(b, f, n->type);
  }
}

/* }=================================================================== */
