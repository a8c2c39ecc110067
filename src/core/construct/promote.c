/* promote.c: makes values of what is in memory, by construction on the fly.
**
** The fields of allocas (fields.c) become variables, and construction starts
** again for these alone (again.c): loads are read and stores written.
**
** In the entry each variable is undef.  What is copied between memory and
** variables is loaded and stored in pieces, which need not be aligned.
**
** Requires: all blocks are filled and sealed, the entry reaches them, or edges
** from others are cut.  Changes: values.  Keeps: blocks, edges.
*/
#include "phial/promote.h"

#include "core/construct/again.h"
#include "core/construct/fields.h"
#include "core/ir/contract.h"
#include "core/ir/effects.h"
#include "core/ir/identity.h"
#include "core/ir/op.h"
#include "core/ir/value.h"
#include "core/lookup/lookup.h"
#include "phial/construct.h"

typedef struct {
  ph_fields fields;
  ph_func *f;
  ph_promoted counts;
} pass;

/*
** {== Variables ======================================================
*/

static bool is_variable(uint32_t var) {
  return var != PH_IN_MEMORY && var != PH_NEVER_READ;
}

/* }== Instructions =================================================== */

/* Makes an instruction before `at`, with the place and the nodes of `was`. */
static uint32_t make_before(pass *p, uint32_t at, uint32_t was, ph_op op,
                            ph_type type, const uint32_t *args, uint32_t n) {
  uint32_t v = ph_value_node(p->f, op, type);
  ph_value_setargs(p->f, v, args, n);
  ph_value_insert(p->f, v, at);
  ph_value_setloc(p->f, ph_valueid(v), ph_value_loc(p->f, ph_valueid(was)));
  ph_identity_share(p->f, was, v);
  return v;
}

/* Returns v as a value of that type and size. */
static uint32_t as_type(pass *p, uint32_t at, uint32_t v, ph_type type) {
  if (ph_node_of(p->f, v)->type == type) return v;
  return make_before(p, at, at, PH_BITCAST, type, &v, 1);
}

/* Returns the bytes from the operand of v on, an address. */
static ph_range range_at(pass *p, uint32_t v, uint32_t i, uint32_t n) {
  return ph_fields_range(&p->fields, ph_body_operand(p->f, v, i), n);
}

static void keep(ph_range r) {
  if (r.l != NULL) r.l->kept = true;
}

/* True if no byte of the range, which an access writes, is ever read. */
static bool is_unread(const pass *p, ph_range r) {
  for (uint32_t end = r.to; r.from < end; r.from = r.to) {
    r.to = ph_fields_end(&p->fields, r.l, r.from);
    if (ph_fields_var(&p->fields, r) != PH_NEVER_READ) return false;
  }
  return true;
}

/* }== Loads and stores =============================================== */

static void look_at_load(pass *p, uint32_t b, uint32_t v) {
  ph_type type = ph_node_of(p->f, v)->type;
  ph_range r = range_at(p, v, 0, ph_fields_size(type));
  uint32_t var = ph_fields_var(&p->fields, r);
  if (!is_variable(var)) {
    keep(r);
    return;
  }
  ph_again_drop(p->f, v, as_type(p, v, ph_again_read(p->f, b, var), type));
  p->f->stats.later.merged++;
  p->counts.loads++;
}

static void look_at_store(pass *p, uint32_t b, uint32_t v) {
  uint32_t value = ph_body_operand(p->f, v, 1), var;
  ph_type type = ph_node_of(p->f, value)->type;
  ph_range r = range_at(p, v, 0, ph_fields_size(type));
  if (r.l == NULL) return;
  var = ph_fields_var(&p->fields, r);
  if (is_variable(var)) {
    type = p->f->vars.at[var].type;
    ph_again_write(p->f, b, var, as_type(p, v, value, type));
  } else if (!is_unread(p, r)) {
    keep(r);
    return;
  }
  ph_again_drop(p->f, v, 0);
  p->counts.writes++;
}

/* }== Fills ========================================================== */

static ph_type int_of(uint32_t n) {
  return n == 1 ? PH_I8 : n == 2 ? PH_I16 : n == 4 ? PH_I32 : PH_I64;
}

/* Returns n bytes, each of which is the operand of v. */
static uint32_t repeat_byte(pass *p, uint32_t v, uint32_t n) {
  uint32_t byte = ph_body_operand(p->f, v, 1), args[2];
  ph_type type = int_of(n);
  uint64_t ones = UINT64_C(0x0101010101010101) >> (64 - 8 * n);
  if (n == 1) return byte;
  if (ph_node_of(p->f, byte)->op == PH_CONST) {
    ph_data d = ph_value_data(p->f, ph_valueid(byte));
    return ph_const_int(p->f, type, (int64_t)((d.bits & 0xff) * ones)).id;
  }
  args[0] = make_before(p, v, v, PH_ZEXT, type, &byte, 1);
  args[1] = ph_const_int(p->f, type, (int64_t)ones).id;
  return make_before(p, v, v, PH_MUL, type, args, 2);
}

static uint32_t filled_value(pass *p, uint32_t v, ph_type type) {
  uint32_t byte = ph_body_operand(p->f, v, 1);
  if (type != PH_I1)
    return as_type(p, v, repeat_byte(p, v, ph_fields_size(type)), type);
  /* a constant, 0 or 1: else the field would not be a variable */
  return ph_const_int(p->f, PH_I1,
                      (int64_t)ph_value_data(p->f, ph_valueid(byte)).bits)
      .id;
}

static void look_at_fill(pass *p, uint32_t b, uint32_t v, uint32_t n) {
  ph_range all = range_at(p, v, 0, n), r = all;
  bool stays = false;
  if (all.l == NULL) return;
  for (; r.from < all.to; r.from = r.to) {
    uint32_t var;
    r.to = ph_fields_end(&p->fields, r.l, r.from);
    var = ph_fields_var(&p->fields, r);
    if (is_variable(var))
      ph_again_write(p->f, b, var, filled_value(p, v, p->f->vars.at[var].type));
    stays = stays || var == PH_IN_MEMORY;
  }
  if (stays) {
    keep(all);
    return;
  }
  ph_again_drop(p->f, v, 0);
  p->counts.writes++;
}

/* }== Copies ========================================================= */

/* A piece of a copy: a field of one end or both. */
typedef struct {
  uint32_t at; /* bytes from the beginning */
  ph_range to, from;
  uint32_t target, source; /* variables, or what is instead of them */
  uint32_t value;          /* of the source, if that or the target is one */
} piece;
PH_VEC(pieces, piece)

static bool is_stored(const piece *it) {
  return it->target == PH_IN_MEMORY && is_variable(it->source);
}

static bool stays(const piece *it) {
  return it->target == PH_IN_MEMORY && it->source == PH_IN_MEMORY;
}

static ph_range part(ph_range r, uint32_t at, uint32_t end) {
  return (ph_range){r.l, r.from + at, r.from + end};
}

/* Returns the end, at most n, of the field of r that has byte `at` of it. */
static uint32_t end_in(const pass *p, ph_range r, uint32_t at, uint32_t n) {
  uint32_t end;
  if (r.l == NULL) return n;
  end = ph_fields_end(&p->fields, r.l, r.from + at) - r.from;
  return end < n ? end : n;
}

static void split_copy(pass *p, pieces *list, uint32_t v, uint32_t n) {
  ph_range to = range_at(p, v, 0, n), from = range_at(p, v, 1, n);
  for (uint32_t i = 0, end; i < n; i = end) {
    piece it = {.at = i};
    end = end_in(p, from, i, end_in(p, to, i, n));
    it.to = part(to, i, end);
    it.from = part(from, i, end);
    it.target = ph_fields_var(&p->fields, it.to);
    it.source = ph_fields_var(&p->fields, it.from);
    pieces_push(list, p->fields.a, it);
  }
}

/* Returns the address `by` bytes after operand i of v. */
static uint32_t address_at(pass *p, uint32_t at, uint32_t v, uint32_t i,
                           uint32_t by) {
  uint32_t args[2] = {ph_body_operand(p->f, v, i)};
  if (by == 0) return args[0];
  args[1] = ph_const_int(p->f, PH_I64, by).id;
  return make_before(p, at, v, PH_PTRADD, PH_PTR, args, 2);
}

/* Says of v, a load or store that is made for a copy, the classes that the copy
** reads or writes. */
static void say_part(const pass *p, uint32_t copy, uint32_t v) {
  ph_effects all = ph_effects_get(p->f, v), e = ph_effects_get(p->f, copy);
  e = (ph_effects){e.reads & all.reads, e.writes & all.writes};
  if (e.reads != all.reads || e.writes != all.writes)
    ph_effects_say(p->f, v, ph_effects_keep(p->f, e));
}

/* Gets the value of the source, where one is needed. */
static void read_piece(pass *p, uint32_t b, uint32_t v, piece *it) {
  if (is_variable(it->source)) {
    it->value = ph_again_read(p->f, b, it->source);
  } else if (is_variable(it->target)) {
    uint32_t from = address_at(p, v, v, 1, it->at);
    ph_type type = p->f->vars.at[it->target].type;
    it->value = make_before(p, v, v, PH_LOAD_UNALIGNED, type, &from, 1);
    say_part(p, v, it->value);
    keep(it->from);
  }
}

/* Writes it to the target; stores it before `next`, after v, unless it is
** undef. */
static void write_piece(pass *p, uint32_t b, uint32_t v, uint32_t next,
                        const piece *it) {
  if (is_variable(it->target)) {
    ph_type type = p->f->vars.at[it->target].type;
    ph_again_write(p->f, b, it->target, as_type(p, v, it->value, type));
  } else if (is_stored(it) && ph_node_of(p->f, it->value)->op != PH_UNDEF) {
    uint32_t args[2];
    args[0] = address_at(p, next, v, 0, it->at);
    args[1] = it->value;
    say_part(p, v,
             make_before(p, next, v, PH_STORE_UNALIGNED, PH_NOTYPE, args, 2));
    keep(it->to);
  }
}

/* Copies the bytes from `at` to `end` as v does, before an instruction. */
static uint32_t copy_part(pass *p, uint32_t before, uint32_t v, uint32_t at,
                          uint32_t end) {
  uint32_t args[3];
  args[0] = address_at(p, before, v, 0, at);
  args[1] = address_at(p, before, v, 1, at);
  args[2] = ph_const_int(p->f, PH_I64, end - at).id;
  return make_before(p, before, v, ph_node_of(p->f, v)->op, PH_NOTYPE, args, 3);
}

/* Copies what stays in memory alone: what is written in another way would be
** read here, and written so again the next time.  If the ends overlap, nothing
** is overwritten that has yet to be copied. */
static void copy_rest(pass *p, uint32_t v, const pieces *list) {
  ph_range to = list->at[0].to, from = list->at[0].from;
  bool down = to.l == from.l && to.from > from.from;
  uint32_t before = v;
  for (uint32_t i = 0, end; i < list->n; i = end) {
    const piece *first = &list->at[i], *last = first;
    end = i + 1;
    if (!stays(first)) continue;
    while (end < list->n && stays(&list->at[end])) last = &list->at[end++];
    uint32_t copy = copy_part(p, before, v, first->at,
                              last->at + (last->to.to - last->to.from));
    say_part(p, v, copy);
    if (down) before = copy;
  }
}

/* All is read before anything is written: the ends may overlap. */
static void look_at_copy(pass *p, uint32_t b, uint32_t v, uint32_t n) {
  ph_range to = range_at(p, v, 0, n), from = range_at(p, v, 1, n);
  uint32_t next = ph_node_of(p->f, v)->next;
  pieces list = {0};
  bool rest = false, stored = false;
  if (to.l == NULL && from.l == NULL) return;
  split_copy(p, &list, v, n);
  for (uint32_t i = 0; i < list.n; i++) {
    read_piece(p, b, v, &list.at[i]);
    rest = rest || stays(&list.at[i]);
    stored = stored || is_stored(&list.at[i]);
  }
  for (uint32_t i = 0; i < list.n; i++) write_piece(p, b, v, next, &list.at[i]);
  if (rest) {
    keep(to);
    keep(from);
    if (!stored) return;
    copy_rest(p, v, &list);
  } else {
    p->counts.writes++;
  }
  ph_again_drop(p->f, v, 0);
}

/* }== Blocks ========================================================= */

static void look_at_inst(pass *p, uint32_t b, uint32_t v) {
  ph_op op = ph_node_of(p->f, v)->op;
  uint32_t n;
  if (op == PH_LOAD || op == PH_LOAD_UNALIGNED)
    look_at_load(p, b, v);
  else if (op == PH_STORE || op == PH_STORE_UNALIGNED)
    look_at_store(p, b, v);
  else if (op == PH_MEMSET && ph_fields_isbulk(p->f, v, &n))
    look_at_fill(p, b, v, n);
  else if (ph_fields_isbulk(p->f, v, &n))
    look_at_copy(p, b, v, n);
}

static void drop_addresses(pass *p) {
  const ph_fields *g = &p->fields;
  for (uint32_t i = g->addresses.n; i > 0; i--) {
    uint32_t v = g->addresses.at[i - 1];
    const ph_local *l = &g->all.at[g->local[v]];
    if (l->shared || l->kept) continue;
    ph_again_drop(p->f, v, 0);
    p->counts.allocas += v == l->alloca;
  }
}

static void construct(pass *p) {
  const ph_domtree *d = p->fields.d;
  ph_again g = ph_again_open(p->f, d, p->fields.a);
  for (uint32_t i = 0; i < d->size[1]; i++) {
    /* What is made meanwhile, after an instruction, is not looked at. */
    uint32_t v = ph_blockrec_of(p->f, d->order[i])->first;
    while (v != 0) {
      uint32_t next = ph_node_of(p->f, v)->next;
      look_at_inst(p, d->order[i], v);
      v = next;
    }
    ph_again_fill(&g, d->order[i]);
  }
  drop_addresses(p);
  p->counts.phis = ph_again_close(&g);
}

/* }== Together ======================================================= */

/* Events of construction do not tell of its steps. */
ph_promoted ph_promote_run(ph_func *f) {
  ph_arena_mark bottom = ph_arena_here(&ph_ptr(f)->rounds);
  uint32_t first_var = f->vars.n;
  pass p = {.f = f};
  const ph_domtree *d;
  ph_must(f->finished && "a finished function");
  ph_event_note(f, PH_EV_EDITED, 0, 0, 0, 0);
  ph_body_settle(f);
  f->listening = false;
  d = ph_dom_blocks(f, &f->rounds);
  if (ph_fields_find(&p.fields, f, d, &f->rounds)) {
    p.counts.fields = f->vars.n - first_var;
    construct(&p);
  }
  ph_body_derive(f);
  ph_arena_release(&f->rounds, bottom);
  return p.counts;
}

/* }=================================================================== */
