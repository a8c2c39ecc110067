/* const.c: interns constants by type and bits.
**
** Equal constants are one value, so that a phi of two equal constants is
** trivial.  Floats are equal if their bits are (0.0 and -0.0 differ, a nan
** equals itself).
*/
#include "core/ir/const.h"

#include <string.h>

#include "core/base/numfmt.h"
#include "core/ir/contract.h"
#include "core/ir/intern.h"
#include "core/ir/value.h"

typedef struct {
  uint64_t bits;
  uint32_t tag, type;
} key;

/* Hashes as current_def.c does; the table takes lower bits, so upper ones are
** mixed in. */
static uint32_t hash_of_key(const ph_func *f, const key *k) {
  uint64_t factor = f->seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
  uint64_t x = k->bits ^ k->bits >> 32 ^ ((uint64_t)k->type << 32 | k->tag);
  uint32_t h = (uint32_t)(x * factor >> 32);
  return h ^ h >> 16;
}

static key key_of(const ph_func *f, uint32_t id) {
  const ph_node *n = ph_node_of(f, id);
  ph_data d = f->datas.at[n->aux];
  return (key){d.bits, d.tag, n->type};
}

static uint32_t hash_of_const(const ph_func *f, uint32_t id) {
  key k = key_of(f, id);
  return hash_of_key(f, &k);
}

static bool same_const(const ph_func *f, uint32_t id, const void *p) {
  const key *k = p;
  key have = key_of(f, id);
  return have.bits == k->bits && have.tag == k->tag && have.type == k->type;
}

uint32_t ph_const_of(ph_func *f, ph_type type, ph_data data) {
  key k = {data.bits, data.tag, type};
  uint32_t *slot;
  uint32_t id, kept;
  ph_intern_room(f, &f->const_table, hash_of_const);
  slot = ph_intern_slot(f, &f->const_table, hash_of_key(f, &k), same_const, &k);
  if (*slot != 0) return *slot;
  kept = ph_value_keepdata(f, data);
  id = ph_value_node(f, PH_CONST, type);
  ph_node_of(f, id)->aux = kept;
  f->const_table.n++;
  return *slot = id;
}

bool ph_const_fits(ph_type type, int64_t i) {
  int width = ph_type_width(type);
  if (!ph_type_isint(type) && type != PH_PTR) return false;
  if (width == 64) return true;
  return i >= -((int64_t)1 << (width - 1)) && i < (int64_t)1 << width;
}

int64_t ph_const_normal(ph_type type, int64_t i) {
  int unused = 64 - ph_type_width(type);
  if (type == PH_I1) return i & 1;
  return (int64_t)((uint64_t)i << unused) >> unused;
}

uint32_t ph_const_find(ph_func *f, ph_type type, int64_t i) {
  key k = {(uint64_t)ph_const_normal(type, i), PH_DATA_INT, type};
  if (f->const_table.n == 0) return 0;
  return *ph_intern_slot(f, &f->const_table, hash_of_key(f, &k), same_const,
                         &k);
}

ph_value ph_const_int(ph_func *f, ph_type type, int64_t i) {
  ph_data d = {(uint64_t)ph_const_normal(type, i), PH_DATA_INT};
  ph_require((ph_type_isint(type) || type == PH_PTR) &&
             "an integer type, or ptr");
  ph_require(ph_const_fits(type, i) && "an integer that fits the type");
  return ph_valueid(ph_const_of(f, type, d));
}

/* Rounds to a float of 32 bits.  A nan, which a conversion would make quiet,
** keeps the upper bits of its payload; only if they are 0, it becomes quiet. */
static uint64_t single(uint64_t bits) {
  const uint64_t dropped = (UINT64_C(1) << 29) - 1;
  double d;
  memcpy(&d, &bits, sizeof d);
  if (ph_numfmt_isnan(bits)) {
    bits &= ~dropped;
    return ph_numfmt_isnan(bits) ? bits : bits | PH_NAN_BITS;
  }
  d = (float)d;
  memcpy(&bits, &d, sizeof d);
  return bits;
}

ph_value ph_const_float(ph_func *f, ph_type type, double d) {
  ph_data data = {0, PH_DATA_FLOAT};
  ph_require(ph_type_isfloat(type) && "a float type");
  memcpy(&data.bits, &d, sizeof d);
  if (type == PH_F32) data.bits = single(data.bits);
  return ph_valueid(ph_const_of(f, type, data));
}

ph_value ph_const_any(ph_func *f, ph_data data) {
  ph_require(data.tag != PH_DATA_NONE && "data of any kind");
  return ph_valueid(ph_const_of(f, PH_ANY, data));
}

ph_value ph_const_undef(ph_func *f, ph_type type) {
  ph_require(type != PH_NOTYPE && "a type");
  ph_ids_extend(&f->undefs, &f->arena, type + 1u);
  if (f->undefs.at[type] == 0) {
    uint32_t id = ph_value_node(f, PH_UNDEF, type);
    f->undefs.at[type] = id;
  }
  return ph_valueid(f->undefs.at[type]);
}
