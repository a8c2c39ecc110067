/* type.c: the table of types, and those of attached dialects. */
#include "core/ir/type.h"

#include "core/base/ascii.h"
#include "core/ir/op.h"

static const struct {
  const char *name;
  int bits;
} types[] = {{"none", 0}, {"i1", 1},   {"i8", 8},   {"i16", 16}, {"i32", 32},
             {"i64", 64}, {"f32", 32}, {"f64", 64}, {"any", 0},  {"ptr", 64}};

const ph_attached *ph_type_owner(const ph_func *f, ph_type type) {
  const ph_attached *a = f->dialects.at + f->dialects.n;
  if (type < PH_TYPES) return NULL;
  do a--;
  while (type < a->type);
  return a;
}

ph_type ph_type_ofdialect(const ph_func *f, const ph_dialect *d, ph_type t) {
  for (uint32_t i = 0; i < f->dialects.n; i++)
    if (f->dialects.at[i].dialect == d)
      return ph_type_own(&f->dialects.at[i], t);
  return PH_NOTYPE;
}

ph_str ph_type_name(const ph_func *f, ph_type type) {
  const ph_attached *a = ph_type_owner(f, type);
  return ph_ascii_str(a == NULL ? types[type].name
                                : a->dialect->types[type - a->type]);
}

ph_str ph_type_dialect(const ph_func *f, ph_type type) {
  const ph_attached *a = ph_type_owner(f, type);
  return ph_ascii_str(a == NULL ? "" : a->dialect->name);
}

bool ph_type_find(const ph_func *f, ph_str name, ph_type *type) {
  const ph_attached *a = ph_op_finddialect(f, &name);
  if (a == NULL) {
    for (*type = PH_I1; *type < PH_TYPES; ++*type)
      if (ph_ascii_equal(name, types[*type].name)) return true;
    return false;
  }
  for (uint16_t i = 0; i < a->dialect->ntypes; i++)
    if (ph_ascii_equal(name, a->dialect->types[i])) {
      *type = (ph_type)(a->type + i);
      return true;
    }
  return false;
}

int ph_type_width(ph_type type) {
  return type < PH_TYPES ? types[type].bits : 0;
}

bool ph_type_isint(ph_type type) { return type >= PH_I1 && type <= PH_I64; }

bool ph_type_isfloat(ph_type type) { return type == PH_F32 || type == PH_F64; }

bool ph_type_isstored(ph_type type) {
  return ph_type_isint(type) || ph_type_isfloat(type) || type == PH_PTR;
}
