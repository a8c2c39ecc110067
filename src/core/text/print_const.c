/* print_const.c: prints ops and types, constants and data, as text.
**
** Requires: nothing.  Changes nothing.
*/
#include "core/text/print_const.h"

#include <string.h>

#include "phial/text.h"
#include "core/base/numfmt.h"
#include "core/ir/op.h"

/*
** {== Ops and types ==================================================
*/

static void put_dotted(ph_strbuf *b, ph_str dialect, ph_str name) {
  ph_strbuf_add(b, dialect);
  if (dialect.n > 0) ph_strbuf_char(b, '.');
  ph_strbuf_add(b, name);
}

void ph_print_op(ph_strbuf *b, const ph_func *f, ph_op op) {
  put_dotted(b, ph_op_dialect(f, op), ph_op_name(f, op));
}

void ph_print_type(ph_strbuf *b, const ph_func *f, ph_type type) {
  put_dotted(b, ph_type_dialect(f, type), ph_type_name(f, type));
}

/* }== Constants and data ============================================= */

static void put_bool(ph_strbuf *b, uint64_t bits) {
  ph_strbuf_puts(b, bits != 0 ? "true" : "false");
}

void ph_print_data(ph_strbuf *b, const ph_func *f, ph_data data) {
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

/* Returns the type that a constant has in text if none is stated. */
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

void ph_print_float(ph_strbuf *b, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  ph_numfmt_print(b, bits, false);
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
    ph_print_data(b, f, data);
  if (n->type != usual_type(data, n->type)) put_suffix(b, f, n->type);
}

void ph_print_const(ph_strbuf *b, const ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  if (n->op == PH_CONST) {
    put_const(b, f, n);
  } else {
    ph_strbuf_puts(b, "undef");
    put_suffix(b, f, n->type);
  }
}

/* }=================================================================== */
