/* fields.c: splits allocas into fields, which can be variables.
**
** An alloca is ours if its address is used by nothing but accesses at constant
** offsets: loads, stores, and copies and fills of a constant number of bytes.
** Its bytes are marked: where an access begins or ends, a field may; where one
** passes from a byte to the next, none can.  A copy from one alloca to another
** carries the marks of one to the other, so that a record that is only passed
** on has the fields of those that are looked into; it reads what is read of its
** target.  What no load or store looks into, padding for instance, is cut into
** the largest aligned powers of two.
**
** A field is a variable if it has the size of a type and no access crosses its
** ends.  Nothing depends on how far marks are carried: a field at which the two
** ends of a copy disagree stays in memory, on both sides.
**
** Requires: the entry reaches every block, or only those that it reaches use
** allocas (else these are not ours).  Changes: variables.
*/
#include "core/construct/fields.h"

#include <assert.h>

#include "core/ir/op.h"
#include "core/ir/value.h"
#include "phial/promote.h"

/* Marks of a byte.  Those of what a field is are on its first byte. */
enum {
  CUT = 1,    /* a field begins here, or the one before ends */
  INSIDE = 2, /* an access has this byte and the one before */
  READ = 4,
  APART = 8, /* of a field: the other end of a copy has a cut in it */
  INT = 16,  /* types of accesses */
  SINGLE = 32,
  DOUBLE = 64,
  POINTER = 128,
  BOOL = 256,
  TYPES = INT | SINGLE | DOUBLE | POINTER | BOOL
};

/* Marks are carried over the copies forwards and backwards this many times,
** enough for any chain in order, and most others. */
enum { SWEEPS = 2 };

/*
** {== Addresses ======================================================
*/

uint32_t ph_fields_size(ph_type type) {
  return type == PH_I1 ? 1 : (uint32_t)ph_type_width(type) / 8;
}

static const ph_data *constant(const ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  return n->op == PH_CONST ? &f->datas.at[n->aux] : NULL;
}

static bool is_copy(ph_op op) { return op == PH_MEMCPY || op == PH_MEMMOVE; }

bool ph_fields_isbulk(const ph_func *f, uint32_t v, uint32_t *n) {
  ph_op op = ph_node_of(f, v)->op;
  const ph_data *count;
  if (!is_copy(op) && op != PH_MEMSET) return false;
  count = constant(f, ph_body_operand(f, v, 2));
  if (count == NULL || (uint64_t)count->bits > PH_PROMOTE_MOST) return false;
  *n = (uint32_t)count->bits;
  return true;
}

static void add_address(ph_fields *p, uint32_t v, uint32_t local,
                        uint32_t offset) {
  p->local[v] = local;
  p->offset[v] = offset;
  ph_ids_push(&p->addresses, p->a, v);
}

static void add_local(ph_fields *p, uint32_t v) {
  const ph_data *size = constant(p->f, ph_body_operand(p->f, v, 0));
  ph_local l = {.alloca = v};
  assert(size != NULL && "operands of an alloca are constants");
  if ((uint64_t)size->bits > PH_PROMOTE_MOST) return;
  l.size = (uint32_t)size->bits;
  if (p->all.n == 0) ph_locals_push(&p->all, p->a, l);
  l.at = p->all.at[p->all.n - 1].at + p->all.at[p->all.n - 1].size + 1;
  ph_locals_push(&p->all, p->a, l);
  add_address(p, v, p->all.n - 1, 0);
}

static void add_moved(ph_fields *p, uint32_t v) {
  uint32_t base = ph_body_operand(p->f, v, 0);
  const ph_data *by = constant(p->f, ph_body_operand(p->f, v, 1));
  uint32_t local = p->local[base];
  uint64_t offset;
  if (local == 0 || by == NULL) return;
  offset = p->offset[base] + (uint64_t)by->bits;
  if (offset <= p->all.at[local].size)
    add_address(p, v, local, (uint32_t)offset);
}

ph_range ph_fields_range(const ph_fields *p, uint32_t v, uint32_t n) {
  ph_range r = {0};
  uint32_t local = v < p->old ? p->local[v] : 0;
  if (local == 0 || p->all.at[local].shared) return r;
  r.l = &p->all.at[local];
  r.from = p->offset[v];
  r.to = r.from + n;
  return r;
}

/* }== Uses =========================================================== */

/* True if v accesses *n bytes from its operand i on, an address; false: it uses
** the address otherwise. */
static bool accesses(const ph_func *f, uint32_t v, uint32_t i, uint32_t *n) {
  const ph_node *node = ph_node_of(f, v);
  switch (node->op) {
    case PH_LOAD:
    case PH_LOAD_UNALIGNED:
      *n = ph_fields_size(node->type);
      return true;
    case PH_STORE:
    case PH_STORE_UNALIGNED:
      *n = ph_fields_size(ph_node_of(f, ph_body_operand(f, v, 1))->type);
      return i == 0;
    default:
      return ph_fields_isbulk(f, v, n);
  }
}

/* True if the address w, an operand of v, is used in a way that we follow. */
static bool is_followed(const ph_fields *p, uint32_t v, uint32_t i,
                        uint32_t w) {
  uint32_t n;
  if (p->d->size[ph_node_of(p->f, v)->block] == 0) return false;
  if (p->local[v] != 0) return true;
  return accesses(p->f, v, i, &n) &&
         p->offset[w] + n <= p->all.at[p->local[w]].size;
}

static void look_at_operands(ph_fields *p, uint32_t v) {
  for (uint32_t i = 0; i < ph_node_of(p->f, v)->nargs; i++) {
    uint32_t w = ph_body_operand(p->f, v, i);
    if (p->local[w] != 0 && !is_followed(p, v, i, w))
      p->all.at[p->local[w]].shared = true;
  }
}

/* }== Marks ========================================================== */

static uint16_t *marks_at(const ph_fields *p, const ph_local *l,
                          uint32_t offset) {
  return p->marks + l->at + offset;
}

static void mark_all(const ph_fields *p, ph_range r, uint16_t mark) {
  for (uint32_t i = r.from; i < r.to; i++) *marks_at(p, r.l, i) |= mark;
}

static void mark_ends(const ph_fields *p, ph_range r) {
  *marks_at(p, r.l, r.from) |= CUT;
  *marks_at(p, r.l, r.to) |= CUT;
}

static uint16_t mark_of(ph_type type) {
  if (type == PH_I1) return BOOL;
  if (type == PH_PTR) return POINTER;
  if (ph_type_isfloat(type)) return type == PH_F32 ? SINGLE : DOUBLE;
  return INT;
}

/* A load or store of that type. */
static void mark_access(const ph_fields *p, ph_range r, ph_type type,
                        uint16_t how) {
  if (r.l == NULL) return;
  mark_ends(p, r);
  *marks_at(p, r.l, r.from) |= mark_of(type);
  mark_all(p, r, how);
  r.from++;
  mark_all(p, r, INSIDE);
}

/* The bytes that v sets can be an i1 only if they are 0 or 1. */
static void mark_fill(const ph_fields *p, uint32_t v, uint32_t n) {
  ph_range r = ph_fields_range(p, ph_body_operand(p->f, v, 0), n);
  const ph_data *byte = constant(p->f, ph_body_operand(p->f, v, 1));
  if (r.l == NULL) return;
  mark_ends(p, r);
  if (byte == NULL || (byte->bits != 0 && byte->bits != 1)) mark_all(p, r, INT);
}

/* What is elsewhere can be of any type, and is read there. */
static void mark_copy(ph_fields *p, uint32_t v, uint32_t n) {
  ph_range to = ph_fields_range(p, ph_body_operand(p->f, v, 0), n);
  ph_range from = ph_fields_range(p, ph_body_operand(p->f, v, 1), n);
  if (to.l != NULL) mark_ends(p, to);
  if (from.l != NULL) mark_ends(p, from);
  if (to.l != NULL && from.l != NULL)
    ph_ids_push(&p->copies, p->a, v);
  else if (to.l != NULL)
    mark_all(p, to, INT);
  else if (from.l != NULL)
    mark_all(p, from, READ | INT);
}

static void mark_inst(ph_fields *p, uint32_t v) {
  const ph_node *node = ph_node_of(p->f, v);
  ph_op op = node->op;
  uint32_t n;
  if (op == PH_LOAD || op == PH_LOAD_UNALIGNED) {
    n = ph_fields_size(node->type);
    mark_access(p, ph_fields_range(p, ph_body_operand(p->f, v, 0), n),
                node->type, READ);
  } else if (op == PH_STORE || op == PH_STORE_UNALIGNED) {
    ph_type type = ph_node_of(p->f, ph_body_operand(p->f, v, 1))->type;
    n = ph_fields_size(type);
    mark_access(p, ph_fields_range(p, ph_body_operand(p->f, v, 0), n), type, 0);
  } else if (ph_fields_isbulk(p->f, v, &n)) {
    if (op == PH_MEMSET)
      mark_fill(p, v, n);
    else
      mark_copy(p, v, n);
  }
}

/* }== Copies ========================================================= */

/* The marks of both ends of a copy. */
typedef struct {
  uint16_t *to, *from;
  uint32_t n;
} ends;

static ends ends_of(const ph_fields *p, uint32_t v) {
  ends e = {0};
  ph_range to, from;
  ph_fields_isbulk(p->f, v, &e.n);
  to = ph_fields_range(p, ph_body_operand(p->f, v, 0), e.n);
  from = ph_fields_range(p, ph_body_operand(p->f, v, 1), e.n);
  e.to = marks_at(p, to.l, to.from);
  e.from = marks_at(p, from.l, from.from);
  return e;
}

static void carry(ends e) {
  for (uint32_t i = 0; i < e.n; i++) {
    uint16_t both = (e.to[i] | e.from[i]) & (CUT | TYPES);
    e.from[i] |= both | (e.to[i] & READ);
    e.to[i] |= both;
  }
}

static void carry_all(const ph_fields *p) {
  for (int i = 0; i < SWEEPS; i++) {
    for (uint32_t k = 0; k < p->copies.n; k++)
      carry(ends_of(p, p->copies.at[k]));
    for (uint32_t k = p->copies.n; k > 0; k--)
      carry(ends_of(p, p->copies.at[k - 1]));
  }
}

static bool is_carried(ends e) {
  for (uint32_t i = 0; i < e.n; i++)
    if (e.to[i] & ~e.from[i] & READ) return false;
  return true;
}

/* If not all was carried that far, whatever is copied counts as read. */
static void carry_reads(const ph_fields *p) {
  uint32_t k = 0;
  while (k < p->copies.n && is_carried(ends_of(p, p->copies.at[k]))) k++;
  if (k == p->copies.n) return;
  for (k = 0; k < p->copies.n; k++) {
    ends e = ends_of(p, p->copies.at[k]);
    for (uint32_t i = 0; i < e.n; i++) e.from[i] |= READ;
  }
}

/* Marks the fields that have a cut of the other end in them. */
static void compare(ends e) {
  uint32_t to = 0, from = 0;
  for (uint32_t i = 0; i < e.n; i++) {
    if (e.to[i] & CUT) to = i;
    if (e.from[i] & CUT) from = i;
    if (to < from) e.to[to] |= APART;
    if (from < to) e.from[from] |= APART;
  }
}

/* }== Fields ========================================================= */

uint32_t ph_fields_end(const ph_fields *p, const ph_local *l, uint32_t from) {
  do from++;
  while (from < l->size && !(*marks_at(p, l, from) & CUT));
  return from;
}

static bool is_typed_size(uint32_t n) {
  return n == 1 || n == 2 || n == 4 || n == 8;
}

/* Cuts what does not have the size of a type into the largest aligned pieces. */
static void cut_gaps(const ph_fields *p, const ph_local *l) {
  for (uint32_t i = 0, end; i < l->size; i = end) {
    end = ph_fields_end(p, l, i);
    while (!is_typed_size(end - i)) {
      uint32_t n = 8;
      while (i % n != 0 || i + n > end) n /= 2;
      i += n;
      *marks_at(p, l, i) |= CUT;
    }
  }
}

/* The type of a field of n bytes with these marks; PH_NOTYPE: it has not one
** that all accesses can use. */
static ph_type type_of(uint16_t marks, uint32_t n) {
  static const ph_type ints[] = {PH_NOTYPE, PH_I8,     PH_I16,
                                 PH_NOTYPE, PH_I32,    PH_NOTYPE,
                                 PH_NOTYPE, PH_NOTYPE, PH_I64};
  uint16_t types = marks & TYPES;
  if (types & BOOL) return types == BOOL ? PH_I1 : PH_NOTYPE;
  if (types == POINTER && n == 8) return PH_PTR;
  if (types == SINGLE && n == 4) return PH_F32;
  if (types == DOUBLE && n == 8) return PH_F64;
  return ints[n];
}

/* The type of a field, or PH_NOTYPE if it must stay in memory. */
static ph_type decide_type(const ph_fields *p, const ph_local *l, uint32_t from,
                           uint32_t to) {
  uint16_t first = *marks_at(p, l, from), behind = *marks_at(p, l, to);
  bool crossed = first & INSIDE || behind & INSIDE;
  if (crossed || first & APART || !is_typed_size(to - from)) return PH_NOTYPE;
  return type_of(first, to - from);
}

static bool is_read(const ph_fields *p, const ph_local *l, uint32_t from,
                    uint32_t to) {
  for (uint32_t i = from; i < to; i++)
    if (*marks_at(p, l, i) & READ) return true;
  return false;
}

/* }== Variables ====================================================== */

/* Names a field after the alloca, and where it begins, unless it is all. */
static ph_str name_of(ph_func *f, ph_arena *a, const ph_local *l, uint32_t from,
                      uint32_t to) {
  ph_str name = ph_value_name(f, ph_valueid(l->alloca));
  char digits[4], *at;
  uint32_t n = 0;
  if (name.n == 0 || to - from == l->size) return name;
  at = ph_arena_alloc(a, name.n + 1 + sizeof digits);
  memcpy(at, name.at, name.n);
  at[name.n++] = '_';
  do digits[n++] = (char)('0' + from % 10);
  while ((from /= 10) > 0);
  while (n > 0) at[name.n++] = digits[--n];
  return (ph_str){at, name.n};
}

static void make_variables(ph_fields *p, const ph_local *l) {
  for (uint32_t i = 0, end; i < l->size; i = end) {
    end = ph_fields_end(p, l, i);
    ph_type type = decide_type(p, l, i, end);
    uint32_t *var = &p->var[l->at + i];
    if (!is_read(p, l, i, end))
      *var = PH_NEVER_READ;
    else if (type == PH_NOTYPE)
      *var = PH_IN_MEMORY;
    else
      *var = ph_var_new(p->f, name_of(p->f, p->a, l, i, end), type).id;
  }
}

uint32_t ph_fields_var(const ph_fields *p, ph_range r) {
  if (r.l == NULL || !(*marks_at(p, r.l, r.from) & CUT) ||
      ph_fields_end(p, r.l, r.from) != r.to)
    return PH_IN_MEMORY;
  return p->var[r.l->at + r.from];
}

/* }== Together ======================================================= */

static void make_room(ph_fields *p) {
  const ph_local *last = &p->all.at[p->all.n - 1];
  uint32_t n = last->at + last->size + 1;
  p->marks = ph_arena_zero(p->a, n * sizeof *p->marks);
  p->var = ph_arena_zero(p->a, n * sizeof *p->var);
  for (uint32_t i = 1; i < p->all.n; i++) {
    *marks_at(p, &p->all.at[i], 0) = CUT;
    *marks_at(p, &p->all.at[i], p->all.at[i].size) = CUT;
  }
}

bool ph_fields_find(ph_fields *p, ph_func *f, const ph_domtree *d,
                    ph_arena *a) {
  *p = (ph_fields){.f = f, .a = a, .d = d, .old = f->nodes.n};
  p->local = ph_arena_zero(a, p->old * sizeof *p->local);
  p->offset = ph_arena_zero(a, p->old * sizeof *p->offset);
  PH_EACH_INST(p->f, 1, v) {
    if (ph_node_of(p->f, v)->op == PH_ALLOCA) add_local(p, v);
  }
  if (p->all.n == 0) return false;
  /* In an order in which an address comes before those that are made of it. */
  for (uint32_t i = 0; i < p->d->size[1]; i++)
    PH_EACH_INST(p->f, p->d->order[i], v) {
      if (ph_node_of(p->f, v)->op == PH_PTRADD) add_moved(p, v);
    }
  PH_EACH_BLOCK(p->f, b) {
    PH_EACH_PHI(p->f, b, v) look_at_operands(p, v);
    PH_EACH_INST(p->f, b, v) look_at_operands(p, v);
  }
  make_room(p);
  for (uint32_t i = 0; i < p->d->size[1]; i++)
    PH_EACH_INST(p->f, p->d->order[i], v) mark_inst(p, v);
  carry_all(p);
  for (uint32_t i = 1; i < p->all.n; i++) cut_gaps(p, &p->all.at[i]);
  carry_all(p);
  carry_reads(p);
  for (uint32_t k = 0; k < p->copies.n; k++)
    compare(ends_of(p, p->copies.at[k]));
  for (uint32_t i = 1; i < p->all.n; i++)
    if (!p->all.at[i].shared) make_variables(p, &p->all.at[i]);
  return true;
}

/* }=================================================================== */
