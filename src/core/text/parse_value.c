/* parse_value.c: reads literals and constants. */
#include "core/text/parse_value.h"

#include "core/base/numfmt.h"
#include "core/base/strbuf.h"
#include "core/ir/value.h"
#include "core/text/print_value.h"

/*
** {== Literals =======================================================
*/

/* A literal (12, true, "a") determines which types a constant can have, and
** which one it has if none is stated.  A type is stated right after the
** literal, with nothing in between: in a switch, "1:i32: b" is the case 1:i32,
** and "1: b" the case 1. */

/* A literal: its data, and the digits of a float, which are read again if it
** becomes a float of 32 bits. */
typedef struct {
  ph_data data;
  ph_str digits;
  uint32_t at;
  bool is_large; /* an integer that needs 64 bits and has no sign */
} atom;

static ph_data data_of(ph_tag tag, uint64_t bits) {
  return (ph_data){bits, tag};
}

/* Reads the optional bits of a nan: (0x7ff8000000000001). */
static uint64_t nan_bits(ph_reader *r) {
  uint64_t bits = PH_NAN_BITS;
  if (!ph_lex_accept(&r->lex, '(')) return bits;
  if (!ph_numfmt_hex(r->lex.now.s, &bits) || !ph_numfmt_isnan(bits))
    ph_lex_unexpected(&r->lex, "the bits of a nan");
  ph_lex_next(&r->lex);
  ph_lex_expect(&r->lex, ')', "')'");
  return bits;
}

static const struct {
  const char *word;
  ph_tag tag;
  uint64_t bits;
} words[] = {{"nil", PH_DATA_NIL, 0},
             {"false", PH_DATA_BOOL, 0},
             {"true", PH_DATA_BOOL, 1},
             {"inf", PH_DATA_FLOAT, PH_INF_BITS},
             {"nan", PH_DATA_FLOAT, PH_NAN_BITS}};

static void read_word(ph_reader *r, atom *a) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (!ph_lex_isword(&r->lex, words[i].word)) continue;
    a->data = data_of(words[i].tag, words[i].bits);
    ph_lex_next(&r->lex);
    if (words[i].bits == PH_NAN_BITS) a->data.bits = nan_bits(r);
    return;
  }
  ph_lex_unexpected(&r->lex, "a value");
}

static void read_floating(ph_reader *r, atom *a) {
  ph_str s = a->digits;
  a->data.tag = PH_DATA_FLOAT;
  if (!ph_numfmt_float(r->lex.arena, s, false, &a->data.bits))
    ph_lex_fail(&r->lex, a->at, "'$' is too large for a float", s);
}

static void read_integer(ph_reader *r, atom *a, ph_str s) {
  int64_t i = 0;
  uint64_t u = 0;
  if (ph_numfmt_int(s, &i))
    u = (uint64_t)i;
  else if (ph_numfmt_uint(s, &u))
    a->is_large = true;
  else
    ph_lex_fail(&r->lex, a->at, "'$' does not fit 64 bits", s);
  a->data = data_of(PH_DATA_INT, u);
}

static void read_number(ph_reader *r, atom *a) {
  ph_str s = r->lex.now.s;
  switch (ph_numfmt_kind(s)) {
    case PH_INTEGER:
      read_integer(r, a, s);
      break;
    case PH_FLOATING:
      a->digits = s;
      read_floating(r, a);
      break;
    default:
      if (ph_ascii_equal(s, "-inf"))
        a->data = data_of(PH_DATA_FLOAT, PH_SIGN_BIT | PH_INF_BITS);
      else if (ph_ascii_equal(s, "-nan"))
        a->data = data_of(PH_DATA_FLOAT, PH_SIGN_BIT | PH_NAN_BITS);
      else
        ph_lex_fail(&r->lex, a->at, "'$' is not a number", s);
  }
  ph_lex_next(&r->lex);
}

static atom read_atom(ph_reader *r) {
  atom a = {{0, PH_DATA_NONE}, {NULL, 0}, 0, false};
  a.at = r->lex.now.at;
  if (r->lex.now.kind == PH_TOK_STRING) {
    a.data = data_of(PH_DATA_STR, ph_intern_add(r->f, r->lex.now.s));
    if (r->lex.now.id != 0) ph_lex_unexpected(&r->lex, "a string");
    ph_lex_next(&r->lex);
  } else if (r->lex.now.kind == PH_TOK_NUMBER) {
    read_number(r, &a);
  } else {
    read_word(r, &a);
  }
  return a;
}

/* True at `@name` or `@"a b"`; a position has a blank or a number after the
** '@'. */
static bool at_symbol(const ph_reader *r) {
  const ph_lexer *lx = &r->lex;
  uint32_t behind = lx->now.at + 1;
  if (lx->now.kind != '@' || behind >= lx->text.n) return false;
  return lx->text.at[behind] == '"' || ph_ascii_isletter(lx->text.at[behind]);
}

static ph_data read_symbol(ph_reader *r) {
  const ph_token *t = &r->lex.now;
  ph_data data = {0, PH_DATA_NONE};
  ph_lex_next(&r->lex);
  if (t->id != 0 || (t->kind == PH_TOK_WORD && !ph_ascii_isname(t->s)))
    ph_lex_unexpected(&r->lex, "a name");
  if (r->lex.failed) return data;
  data = data_of(PH_DATA_STR, ph_intern_add(r->f, t->s));
  ph_lex_next(&r->lex);
  return data;
}

/* A literal as data, whose integers are those of Lua. */
static ph_data read_literal(ph_reader *r) {
  ph_str s = r->lex.now.s;
  atom a = read_atom(r);
  if (a.is_large) ph_lex_fail(&r->lex, a.at, "'$' does not fit 64 bits", s);
  return a.data;
}

uint32_t ph_parse_value_count(ph_reader *r, const char *what) {
  ph_str s = r->lex.now.s;
  int64_t i = 0;
  if (r->lex.now.kind != PH_TOK_NUMBER || ph_numfmt_kind(s) != PH_INTEGER ||
      s.at[0] == '-')
    ph_lex_unexpected(&r->lex, what);
  else if (!ph_numfmt_int(s, &i) || i > UINT32_MAX)
    ph_lex_fail(&r->lex, r->lex.now.at, "'$' does not fit 32 bits", s);
  ph_lex_next(&r->lex);
  return (uint32_t)i;
}

ph_data ph_parse_value_data(ph_reader *r, bool symbolic) {
  ph_data data = {0, PH_DATA_NONE};
  if (symbolic && at_symbol(r)) return read_symbol(r);
  if (!ph_lex_accept(&r->lex, '{')) return data;
  if (ph_lex_isword(&r->lex, "host")) {
    ph_lex_next(&r->lex);
    data = data_of(PH_DATA_HOST, ph_parse_value_count(r, "a number"));
  } else {
    data = read_literal(r);
  }
  ph_lex_expect(&r->lex, '}', "'}'");
  return data;
}

/* }== Constants ====================================================== */

/* True if a type is stated here; consumes the ':' before it. */
static bool says_type(ph_reader *r) {
  const ph_lexer *lx = &r->lex;
  uint32_t behind = lx->now.at + 1;
  if (lx->now.kind != ':' || lx->now.at != lx->before) return false;
  if (behind >= lx->text.n || !ph_ascii_isletter(lx->text.at[behind]))
    return false;
  ph_lex_next(&r->lex);
  return true;
}

static uint32_t make_integer(ph_reader *r, ph_type type, const atom *a) {
  int64_t i = (int64_t)a->data.bits;
  if (!ph_const_fits(type, i)) return 0;
  return ph_const_int(r->f, type, i).id;
}

/* Returns 0 for a nan whose bits do not fit 32 bits, since the double has
** more. */
static uint32_t make_single(ph_reader *r, const atom *a) {
  ph_data data = a->data;
  if (ph_numfmt_isnan(data.bits) && data.bits << 35 != 0) return 0;
  if (a->digits.n > 0 &&
      !ph_numfmt_float(r->lex.arena, a->digits, true, &data.bits))
    return 0;
  return ph_const_of(r->f, PH_F32, data);
}

/* Returns the constant of that type, or 0 if it cannot have the type. */
static uint32_t make_const(ph_reader *r, ph_type type, const atom *a) {
  bool is_bool = a->data.tag == PH_DATA_BOOL;
  bool is_float = a->data.tag == PH_DATA_FLOAT;
  if (a->is_large && type != PH_I64 && type != PH_PTR) return 0;
  if (type == PH_ANY) return ph_const_any(r->f, a->data).id;
  if (is_bool && type == PH_I1) return make_integer(r, type, a);
  if (a->data.tag == PH_DATA_INT) return make_integer(r, type, a);
  if (is_float && type == PH_F64) return ph_const_of(r->f, type, a->data);
  if (is_float && type == PH_F32) return make_single(r, a);
  return 0;
}

static uint32_t read_const(ph_reader *r) {
  atom a = read_atom(r);
  ph_type type = ph_print_usualtype(a.data, PH_NOTYPE);
  uint32_t type_at = r->lex.now.at + 1, v;
  if (says_type(r)) type = ph_parse_decls_type(r);
  if (r->lex.failed) return 0;
  v = make_const(r, type, &a);
  if (v == 0)
    ph_lex_fail(&r->lex, a.at, "'$' is not a constant of type $",
                ph_lex_source(&r->lex, a.at), ph_lex_source(&r->lex, type_at));
  return v;
}

static uint32_t read_undef(ph_reader *r) {
  ph_type type;
  ph_lex_next(&r->lex);
  if (!says_type(r)) {
    ph_lex_fail(&r->lex, r->lex.before, "undef has a type: undef:i64");
    return 0;
  }
  type = ph_parse_decls_type(r);
  return r->lex.failed ? 0 : ph_const_undef(r->f, type).id;
}

uint32_t ph_parse_value_read(ph_reader *r) {
  if (r->lex.now.kind == PH_TOK_VALUE) return ph_parse_decls_value(r);
  return ph_lex_isword(&r->lex, "undef") ? read_undef(r) : read_const(r);
}

/* }=================================================================== */
