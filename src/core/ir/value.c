/* value.c: values, their operands and their lists; constants.
**
** This file does not know why a value is made or removed; it keeps the lists of
** a block, the operands and the uses consistent.
**
** Equal constants are one value, so that a phi of two equal constants is
** trivial.  Floats are equal if their bits are (0.0 and -0.0 differ, a nan
** equals itself).
*/
#include "core/ir/value.h"

#include <string.h>

#include "core/base/numfmt.h"
#include "core/ir/contract.h"
#include "core/ir/intern.h"
#include "core/ir/op.h"

/*
** {== Making =========================================================
*/

uint32_t ph_value_node(ph_func *f, ph_op op, ph_type type) {
  uint32_t v = ph_value_claim(f, 0);
  *ph_node_of(f, v) = (ph_node){.op = op, .type = type};
  return v;
}

uint32_t ph_value_keepdata(ph_func *f, ph_data data) {
  if (data.tag == PH_DATA_NONE) return 0;
  ph_datas_push(&f->datas, &f->arena, data);
  return f->datas.n - 1;
}

void ph_value_append(ph_func *f, uint32_t b, uint32_t v) {
  ph_blockrec *block = ph_blockrec_of(f, b);
  ph_node *n = ph_node_of(f, v);
  bool is_phi = n->op == PH_PHI;
  n->block = b;
  n->prev = is_phi ? block->last_phi : block->last;
  n->next = 0;
  if (is_phi)
    ph_value_chain(f, v, &block->first_phi, &block->last_phi);
  else
    ph_value_chain(f, v, &block->first, &block->last);
}

static uint32_t *give_operands(ph_func *f, uint32_t v, uint32_t n) {
  uint32_t at = f->operands.n;
  ph_ids_reserve(&f->operands, &f->arena, at + n);
  f->operands.n = at + n;
  ph_node_of(f, v)->args = at;
  ph_node_of(f, v)->nargs = n;
  return f->operands.at + at;
}

void ph_value_setargs(ph_func *f, uint32_t v, const uint32_t *args,
                      uint32_t n) {
  uint32_t *operands = give_operands(f, v, n);
  for (uint32_t i = 0; i < n; i++) operands[i] = args[i];
  ph_uses_link(f, v);
}

void ph_value_setvalues(ph_func *f, uint32_t v, const ph_value *args,
                        uint32_t n) {
  uint32_t *operands = give_operands(f, v, n);
  for (uint32_t i = 0; i < n; i++) operands[i] = ph_body_resolve(f, args[i].id);
  ph_uses_link(f, v);
}

uint32_t ph_value_copy(ph_func *f, uint32_t var, uint32_t b, uint32_t v) {
  ph_value arg = {v};
  uint32_t copy = ph_value_add(f, b, PH_COPY, ph_node_of(f, v)->type, &arg, 1);
  ph_node_of(f, copy)->aux = var;
  ph_event_note(f, PH_EV_EMIT, b, 0, copy, 0);
  return copy;
}

void ph_value_setarg(ph_func *f, uint32_t v, uint32_t i, uint32_t w) {
  ph_uses_unlinkone(f, v, i);
  f->operands.at[ph_node_of(f, v)->args + i] = w;
  ph_uses_linkone(f, v, i);
  f->inst_changes++;
}

void ph_value_insert(ph_func *f, uint32_t v, uint32_t at) {
  uint32_t b = ph_node_of(f, at)->block, prev = ph_node_of(f, at)->prev;
  ph_node_of(f, v)->block = b;
  ph_node_of(f, v)->prev = prev;
  ph_node_of(f, v)->next = at;
  ph_node_of(f, at)->prev = v;
  if (prev != 0)
    ph_node_of(f, prev)->next = v;
  else
    ph_blockrec_of(f, b)->first = v;
}

uint32_t ph_value_newphi(ph_func *f, uint32_t b, uint32_t var, ph_type type) {
  uint32_t v = ph_value_node(f, PH_PHI, type);
  ph_phirec rec = {v, var, 0};
  ph_node_of(f, v)->aux = f->phis.n;
  ph_node_of(f, v)->flags |= PH_IS_INCOMPLETE;
  ph_phis_push(&f->phis, &f->arena, rec);
  ph_value_append(f, b, v);
  ph_srcloc_stamp(f, v);
  ph_event_note(f, PH_EV_PHI, b, var, v, 0);
  return v;
}

/* }== Removing ======================================================= */

static void leave_list(ph_func *f, const ph_node *n) {
  ph_blockrec *block = ph_blockrec_of(f, n->block);
  bool is_phi = n->op == PH_PHI;
  if (n->prev != 0)
    ph_node_of(f, n->prev)->next = n->next;
  else if (is_phi)
    block->first_phi = n->next;
  else
    block->first = n->next;
  if (n->next != 0)
    ph_node_of(f, n->next)->prev = n->prev;
  else if (is_phi)
    block->last_phi = n->prev;
  else
    block->last = n->prev;
}

void ph_value_takeout(ph_func *f, uint32_t v) {
  ph_uses_unlink(f, v);
  leave_list(f, ph_node_of(f, v));
  f->inst_changes++;
}

void ph_value_replace(ph_func *f, uint32_t v, uint32_t w) {
  ph_node *n = ph_node_of(f, v);
  if (w == 0) {
    n->flags |= PH_IS_DROPPED;
    return;
  }
  assert(v != w && "a value cannot replace itself");
  ph_node_of(f, w)->flags |= n->flags & PH_IS_READ;
  ph_uses_join(f, v, w);
  ph_identity_share(f, v, w);
  ph_node_of(f, v)->forward = w;
  f->inst_changes++;
}

/* }== Names and parameters =========================================== */

static uint32_t id_of(const ph_func *f, ph_value v) {
  ph_require(ph_contract_hasvalue(f, v) && "a value of this function");
  return ph_body_resolve(f, v.id);
}

static const ph_node *now(const ph_func *f, ph_value v) {
  return ph_node_of(f, id_of(f, v));
}

ph_str ph_value_name(const ph_func *f, ph_value v) {
  uint32_t id = id_of(f, v);
  return ph_intern_string(f, id < f->names.n ? f->names.at[id] : 0);
}

void ph_value_setname(ph_func *f, ph_value v, ph_str name) {
  uint32_t id = id_of(f, v);
  uint32_t to = ph_intern_add(f, name);
  if (id < f->named_values.met)
    ph_name_count_add(f, &f->named_values, id, to);
  else
    ph_ids_extend(&f->names, &f->arena, id + 1);
  f->names.at[id] = to;
  f->name_changes++;
}

ph_value ph_value_newparam(ph_func *f, ph_str name, ph_type type) {
  ph_data index = {ph_ptr(f)->params.n, PH_DATA_INT};
  uint32_t data, v;
  ph_require(ph_contract_istype(f, type) && "a type of this function");
  ph_require(f->params.n < PH_PARAMS_MAX && "at most PH_PARAMS_MAX parameters");
  data = ph_value_keepdata(f, index);
  v = ph_value_node(f, PH_PARAM, type);
  ph_node_of(f, v)->aux = data;
  ph_ids_push(&f->params, &f->arena, v);
  ph_value_setname(f, ph_valueid(v), name);
  return ph_valueid(v);
}

uint32_t ph_value_nparams(const ph_func *f) { return ph_ptr(f)->params.n; }

ph_value ph_value_param(const ph_func *f, uint32_t i) {
  ph_require(i < ph_ptr(f)->params.n && "from 0 to ph_value_nparams - 1");
  return ph_valueid(f->params.at[i]);
}

/* }== Places ========================================================= */

void ph_value_setloc(ph_func *f, ph_value v, ph_srcloc loc) {
  ph_srcloc_setloc(f, id_of(f, v), loc);
  f->name_changes++;
}

static ph_srcloc place_of(const ph_func *f, const ph_ids *places, ph_value v) {
  uint32_t id = id_of(f, v);
  return ph_srcloc_of(f, id < places->n ? places->at[id] : 0);
}

ph_srcloc ph_value_loc(const ph_func *f, ph_value v) {
  return place_of(f, &ph_ptr(f)->locs, v);
}

ph_srcloc ph_value_hostloc(const ph_func *f, ph_value v) {
  return place_of(f, &ph_ptr(f)->wheres, v);
}

/* }== Questions ====================================================== */

ph_value ph_value_resolve(const ph_func *f, ph_value v) {
  return ph_valueid(id_of(f, v));
}

bool ph_value_take(const ph_func *f, ph_value *v, ph_type *type) {
  uint32_t id = id_of(f, *ph_ptr(v));
  const ph_node *n = ph_node_of(f, v->id = id);
  *ph_ptr(type) = n->type;
  return (n->flags & PH_IS_DROPPED) == 0;
}

uint32_t ph_value_count(const ph_func *f) { return ph_ptr(f)->nodes.n - 1; }

bool ph_value_isdropped(const ph_func *f, ph_value v) {
  return (now(f, v)->flags & PH_IS_DROPPED) != 0;
}

ph_op ph_value_op(const ph_func *f, ph_value v) { return now(f, v)->op; }

ph_type ph_value_type(const ph_func *f, ph_value v) { return now(f, v)->type; }

ph_block ph_value_block(const ph_func *f, ph_value v) {
  return ph_blockid(now(f, v)->block);
}

uint32_t ph_value_nargs(const ph_func *f, ph_value v) {
  return now(f, v)->nargs;
}

ph_value ph_value_arg(const ph_func *f, ph_value v, uint32_t i) {
  ph_require(i < now(f, v)->nargs && "from 0 to ph_value_nargs - 1");
  ph_body_settleargs(f, id_of(f, v));
  return ph_valueid(ph_body_operand(f, id_of(f, v), i));
}

static bool has_data(const ph_node *n) {
  return n->op != PH_PHI && !ph_op_namesvar(n->op);
}

ph_data ph_value_data(const ph_func *f, ph_value v) {
  const ph_node *n = now(f, v);
  return f->datas.at[has_data(n) ? n->aux : 0];
}

void ph_value_setdata(ph_func *f, ph_value v, ph_data data) {
  uint32_t kept, id = id_of(f, v);
  ph_node *n = ph_node_of(f, id);
  ph_must(n->block != 0 && has_data(n) &&
          "an instruction that is neither a phi nor a copy");
  ph_require(ph_op_fitsdata(n->op, data) && "data that the op can have");
  kept = ph_value_keepdata(f, data);
  n->aux = kept;
  f->inst_changes++;
}

ph_var ph_value_var(const ph_func *f, ph_value v) {
  const ph_node *n = now(f, v);
  if (n->op == PH_PHI) return (ph_var){f->phis.at[n->aux].var};
  return (ph_var){ph_op_namesvar(n->op) ? n->aux : 0};
}

bool ph_value_isincomplete(const ph_func *f, ph_value v) {
  return (now(f, v)->flags & PH_IS_INCOMPLETE) != 0;
}

/* }== Constants ====================================================== */

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
  ph_data d = {0, PH_DATA_INT};
  ph_require((ph_type_isint(type) || type == PH_PTR) &&
             "an integer type, or ptr");
  ph_require(ph_const_fits(type, i) && "an integer that fits the type");
  d.bits = (uint64_t)ph_const_normal(type, i);
  return ph_valueid(ph_const_of(ph_ptr(f), type, d));
}

/* Rounds to a float of 32 bits.  A nan, which a conversion would make quiet,
** keeps the upper bits of its payload; only if they are 0, it becomes quiet. */
static uint64_t round_to_single(uint64_t bits) {
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
  (void)ph_ptr(f);
  ph_require(ph_type_isfloat(type) && "a float type");
  memcpy(&data.bits, &d, sizeof d);
  if (type == PH_F32) data.bits = round_to_single(data.bits);
  return ph_valueid(ph_const_of(f, type, data));
}

ph_value ph_const_any(ph_func *f, ph_data data) {
  ph_require(data.tag != PH_DATA_NONE && "data of any kind");
  return ph_valueid(ph_const_of(ph_ptr(f), PH_ANY, data));
}

ph_value ph_const_undef(ph_func *f, ph_type type) {
  ph_require(ph_contract_istype(f, type) && "a type of this function");
  ph_ids_extend(&ph_ptr(f)->undefs, &f->arena, type + 1u);
  if (f->undefs.at[type] == 0) {
    uint32_t id = ph_value_node(f, PH_UNDEF, type);
    f->undefs.at[type] = id;
  }
  return ph_valueid(f->undefs.at[type]);
}

/* }=================================================================== */
