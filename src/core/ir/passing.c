/* passing.c: how C passes parameters and results; the structs among them. */
#include "core/base/numfmt.h"
#include "core/base/strbuf.h"
#include "core/ir/body.h"
#include "core/ir/intern.h"

/*
** {== Structs ========================================================
*/

/* The text of a struct that is being read. */
typedef struct {
  const ph_func *f;
  ph_str text;
  uint32_t at;
  uint64_t size;  /* in bytes, so far */
  uint64_t align; /* the largest one of a member */
} layout;

static bool accept(layout *s, char c) {
  while (s->at < s->text.n && s->text.at[s->at] == ' ') s->at++;
  if (s->at == s->text.n || s->text.at[s->at] != c) return false;
  s->at++;
  return true;
}

static ph_str word(layout *s) {
  uint32_t begin;
  while (s->at < s->text.n && s->text.at[s->at] == ' ') s->at++;
  begin = s->at;
  s->at = ph_ascii_skipword(s->text, begin);
  return (ph_str){s->text.at + begin, s->at - begin};
}

/* [3]; a number is written in one way, so that equal structs have one text */
static bool read_count(layout *s, uint64_t *count) {
  ph_str number;
  *count = 1;
  if (!accept(s, '[')) return true;
  number = word(s);
  return ph_numfmt_kind(number) == PH_INTEGER && number.at[0] != '0' &&
         ph_numfmt_uint(number, count) && *count <= PH_STRUCT_MAX &&
         accept(s, ']');
}

static bool read_member(layout *s) {
  ph_type type;
  uint64_t size, count;
  if (!ph_type_find(s->f, word(s), &type) || !ph_type_isstored(type))
    return false;
  size = ((uint64_t)ph_type_width(type) + 7) / 8;
  if (!read_count(s, &count)) return false;
  if (size > s->align) s->align = size;
  s->size = (s->size + size - 1) / size * size + size * count;
  return s->size <= PH_STRUCT_MAX;
}

bool ph_struct_is(const ph_func *f, ph_str text) {
  layout s = {ph_ptr(f), text, 0, 0, 1};
  if (!accept(&s, '{')) return false;
  do
    if (!read_member(&s)) return false;
  while (accept(&s, ','));
  return accept(&s, '}') && s.at == text.n;
}

/* Equal structs are one string, without blanks other than those after commas.
*/
static uint32_t intern_struct(ph_func *f, ph_str text) {
  char *at = ph_arena_alloc(&f->arena, 2 * text.n);
  ph_str s = {at, 0};
  for (size_t i = 0; i < text.n; i++) {
    if (text.at[i] != ' ') at[s.n++] = text.at[i];
    if (text.at[i] == ',') at[s.n++] = ' ';
  }
  return ph_intern_add(f, s);
}

/* }== Passings ======================================================= */

ph_passing ph_type_passing(ph_type type) {
  if (type == PH_I1) return PH_ZEROEXT;
  return type == PH_I8 || type == PH_I16 ? PH_SIGNEXT : PH_PLAIN;
}

bool ph_type_canpass(ph_type type, uint32_t i, ph_passing passing) {
  if (passing == PH_SRET) return type == PH_PTR && i == 1;
  if (passing == PH_VALIST || passing == PH_BYVAL)
    return type == PH_PTR && i > 0;
  return type == PH_I8 || type == PH_I16 || type == PH_I32;
}

const char *ph_passing_demand(ph_passing passing) {
  switch (passing) {
    case PH_VALIST:
      return "only a parameter of type ptr can be a va_list";
    case PH_BYVAL:
      return "only a parameter of type ptr can be byval";
    case PH_SRET:
      return "only the first parameter, of type ptr, can be sret";
    default:
      return "only i8, i16 and i32 can be extended";
  }
}

/* The type of parameter i, from 1, or of the result (0). */
static ph_type passed_type(const ph_func *f, uint32_t i) {
  ph_must(i <= ph_ptr(f)->params.n && "from 0 to ph_value_nparams");
  return i == 0 ? f->result : ph_node_of(f, f->params.at[i - 1])->type;
}

static void set_passing(ph_func *f, uint32_t i, ph_passing passing) {
  ph_must(ph_type_canpass(passed_type(f, i), i, passing) &&
          "a type that is passed so");
  ph_bytes_extend(&f->passings, &f->arena, i + 1);
  f->passings.at[i] = (uint8_t)passing;
}

void ph_func_setpassing(ph_func *f, uint32_t i, ph_passing passing) {
  ph_must(passing != PH_PLAIN && "not plain");
  ph_must(passing < PH_BYVAL && "a struct has members");
  set_passing(ph_ptr(f), i, passing);
}

void ph_func_setstruct(ph_func *f, uint32_t i, ph_passing passing,
                       ph_str members) {
  ph_must(passing >= PH_BYVAL && "a struct");
  ph_must(ph_struct_is(ph_ptr(f), members) && "members of a struct");
  ph_must((passing != PH_SRET || f->result == PH_NOTYPE) &&
          "sret of a function without a result");
  set_passing(f, i, passing);
  ph_ids_extend(&f->structs, &f->arena, i + 1);
  f->structs.at[i] = intern_struct(f, members);
}

ph_str ph_func_struct(const ph_func *f, uint32_t i) {
  bool is_given = i < ph_ptr(f)->structs.n;
  return ph_intern_string(f, is_given ? f->structs.at[i] : 0);
}

ph_passing ph_func_passing(const ph_func *f, uint32_t i) {
  bool is_given = i < ph_ptr(f)->passings.n && f->passings.at[i] != PH_PLAIN;
  return is_given ? (ph_passing)f->passings.at[i]
                  : ph_type_passing(passed_type(f, i));
}

/* }=================================================================== */
