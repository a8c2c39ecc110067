/* spots.c: which places in memory loads and stores access.
**
** An address is a base and a constant offset: what ptradd adds to a base is
** told apart.  Two spots overlap if they are of one base and their bytes do; if
** their bases differ, they may, unless
** - one is in an alloca whose address does not escape (escape.c), the other not;
** - they are in two different allocas;
** - they have no class in common.
**
** Two globals are not told apart: a name and the global that it stands for have
** unlike data, and an environment may give two names one address.
**
** A base that is defined in a loop can be another address in each iteration: a
** caller that follows paths forgets the spots of a base where it is defined.
*/
#include "core/construct/spots.h"

#include "core/ir/effects.h"
#include "core/ir/op.h"

/* Requires: the entry reaches the block of v.  Changes: nothing. */

/*
** {== Addresses ======================================================
*/

static uint32_t size_of(ph_type type) {
  return type == PH_I1 ? 1 : (uint32_t)ph_type_width(type) / 8;
}

static uint32_t base_of(const ph_spots *p, uint32_t v) {
  return p->base[v] != 0 ? p->base[v] : v;
}

/* Returns the first address with the same data. */
static uint32_t first_address(const ph_spots *p, uint32_t v) {
  const ph_data d = p->f->datas.at[ph_node_of(p->f, v)->aux];
  uint64_t h = (p->f->seed ^ d.bits) * UINT64_C(0x9e3779b97f4a7c15);
  uint32_t i = (uint32_t)(h >> 32) & (p->cap - 1);
  for (; p->addresses[i] != 0; i = (i + 1) & (p->cap - 1)) {
    const ph_node *n = ph_node_of(p->f, p->addresses[i]);
    const ph_data *other = &p->f->datas.at[n->aux];
    if (other->tag == d.tag && other->bits == d.bits) return p->addresses[i];
  }
  return p->addresses[i] = v;
}

/* v is an address that is made of another one, or a new one. */
static void follow(const ph_spots *p, uint32_t v) {
  const ph_node *n = ph_node_of(p->f, v), *by;
  uint32_t w;
  if (n->op == PH_ALLOCA) p->object[v] = v;
  if (n->op == PH_ADDRESS) p->base[v] = first_address(p, v);
  if (n->type != PH_PTR ||
      (n->op != PH_PTRADD && n->op != PH_COPY && n->op != PH_REFINE))
    return;
  w = ph_body_operand(p->f, v, 0);
  p->object[v] = p->object[w];
  if (n->op == PH_PTRADD) {
    by = ph_node_of(p->f, ph_body_operand(p->f, v, 1));
    if (by->op != PH_CONST) return;
    p->offset[v] = (int64_t)p->f->datas.at[by->aux].bits;
  }
  p->offset[v] = (int64_t)((uint64_t)p->offset[v] + (uint64_t)p->offset[w]);
  p->base[v] = base_of(p, w);
}

/* }== The table ====================================================== */

static uint32_t *slot_of(const ph_spots *p, uint32_t base, int64_t offset) {
  const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
  uint64_t h = ((p->f->seed ^ base) * factor ^ (uint64_t)offset) * factor;
  uint32_t i = (uint32_t)(h >> 32) & (p->cap - 1);
  const ph_spot *s;
  while (p->table[i] != 0) {
    s = &p->all.at[p->table[i]];
    if (s->base == base && s->offset == offset) break;
    i = (i + 1) & (p->cap - 1);
  }
  return &p->table[i];
}

static void pair(ph_spots *p, uint32_t s, uint32_t t) {
  ph_spotpairs_push(&p->pairs, p->a, (ph_spotpair){t, p->all.at[s].near});
  p->all.at[s].near = p->pairs.n - 1;
}

/* Pairs s, which is new, with those whose bytes overlap its. */
static void pair_all(ph_spots *p, uint32_t s) {
  const ph_spot it = p->all.at[s];
  pair(p, s, s);
  for (int64_t by = -7; by < (int64_t)it.size; by++) {
    uint32_t t =
        *slot_of(p, it.base, (int64_t)((uint64_t)it.offset + (uint64_t)by));
    for (; t != 0; t = p->all.at[t].same) {
      if (t == s || by + (int64_t)p->all.at[t].size <= 0) continue;
      pair(p, s, t);
      pair(p, t, s);
    }
  }
}

/* So many sets of classes of one type a place has; others count as all, so that
** the time is linear. */
enum { SETS_MOST = 8 };

/* Returns the spot of that type and *set among those from t on, or 0. */
static uint32_t find_same(const ph_spots *p, uint32_t t, ph_type type,
                          uint32_t *set) {
  uint32_t all = 0;
  for (int n = 0; t != 0; t = p->all.at[t].same) {
    const ph_spot *s = &p->all.at[t];
    if (s->type != type) continue;
    if (s->set == *set) return t;
    if (s->set == PH_EFFECTS_ALL) all = t;
    if (++n >= SETS_MOST) *set = PH_EFFECTS_ALL;
  }
  return *set == PH_EFFECTS_ALL ? all : 0;
}

static void enter(ph_spots *p, uint32_t v, ph_type type, uint32_t set) {
  uint32_t w = ph_body_operand(p->f, v, 0), base = base_of(p, w), t;
  uint32_t *slot = slot_of(p, base, p->offset[w]);
  t = find_same(p, *slot, type, &set);
  if (t == 0) {
    ph_spot s = {.base = base, .offset = p->offset[w], .same = *slot};
    s.object = p->object[w];
    s.size = size_of(type);
    s.type = type;
    s.set = set;
    s.hidden = ph_escape_isprivate(&p->escape, w);
    ph_spotvec_push(&p->all, p->a, s);
    *slot = t = p->all.n - 1;
    pair_all(p, t);
  }
  p->at[v] = t;
  p->all.at[t].uses++;
}

static void enter_inst(ph_spots *p, uint32_t v) {
  ph_op op = ph_node_of(p->f, v)->op;
  ph_effects e = ph_effects_get(p->f, v);
  if (ph_op_loads(op))
    enter(p, v, ph_node_of(p->f, v)->type, e.reads);
  else if (ph_op_stores(op))
    enter(p, v, ph_node_of(p->f, ph_body_operand(p->f, v, 1))->type, e.writes);
}

/* }== Rows =========================================================== */

static uint64_t *make_rows(const ph_spots *p, uint32_t n) {
  return ph_arena_zero(p->a, (size_t)n * p->words * sizeof(uint64_t));
}

static uint64_t *row_at(const ph_spots *p, uint64_t *rows, uint32_t i) {
  return rows + (size_t)i * p->words;
}

/* The row of those with v as base or object. */
static uint64_t *group_of(const ph_spots *p, uint32_t v, uint32_t *n) {
  if (p->group[v] == 0) p->group[v] = ++*n;
  return row_at(p, p->groups, p->group[v]);
}

static void note_classes(const ph_spots *p, const ph_spot *s) {
  for (uint32_t i = 0; i < PH_CLASSES_MOST; i++)
    if (s->set >> i & 1) ph_spots_set(row_at(p, p->classes, i), s->bit);
}

static void fill_rows(ph_spots *p) {
  uint32_t n = 0;
  bool said = false;
  p->group = ph_arena_zero(p->a, p->f->nodes.n * sizeof *p->group);
  p->groups = make_rows(p, 2 * p->bits.n + 1);
  for (int i = 0; i < 2; i++) {
    p->seen[i] = make_rows(p, 1);
    p->loose[i] = make_rows(p, 1);
  }
  for (uint32_t i = 0; i < p->bits.n; i++) {
    const ph_spot *s = &p->all.at[p->bits.at[i]];
    ph_spots_set(group_of(p, s->base, &n), s->bit);
    if (s->object != 0)
      ph_spots_set(group_of(p, s->object, &n), s->bit);
    else
      ph_spots_set(p->loose[s->hidden], s->bit);
    ph_spots_set(p->seen[s->hidden], s->bit);
    said = said || s->set != PH_EFFECTS_ALL;
  }
  if (!said) return;
  p->classes = make_rows(p, PH_CLASSES_MOST);
  for (uint32_t i = 0; i < p->bits.n; i++)
    note_classes(p, &p->all.at[p->bits.at[i]]);
}

static void keep_classes(const ph_spots *p, uint32_t set, uint64_t *row) {
  if (p->classes == NULL || set == PH_EFFECTS_ALL) return;
  for (uint32_t k = 0; k < p->words; k++) {
    uint64_t any = 0;
    for (uint32_t i = 0; i < PH_CLASSES_MOST && set >> i != 0; i++)
      if (set >> i & 1) any |= row_at(p, p->classes, i)[k];
    row[k] &= any;
  }
}

void ph_spots_ofclasses(const ph_spots *p, uint32_t set, bool hidden,
                        uint64_t *row) {
  memcpy(row, p->seen[hidden], p->words * sizeof *row);
  keep_classes(p, set, row);
}

void ph_spots_overlapping(const ph_spots *p, uint32_t s, uint64_t *row) {
  const ph_spot *it = &p->all.at[s];
  const uint64_t *own = row_at(p, p->groups, p->group[it->base]);
  const uint64_t *object = row_at(p, p->groups, p->group[it->object]);
  for (uint32_t k = 0; k < p->words; k++) {
    row[k] = p->seen[it->hidden][k];
    if (it->object != 0) row[k] &= object[k] | p->loose[it->hidden][k];
    row[k] &= ~own[k];
  }
  for (uint32_t i = it->near; i != 0; i = p->pairs.at[i].next)
    ph_spots_set(row, p->all.at[p->pairs.at[i].spot].bit);
  keep_classes(p, it->set, row);
}

void ph_spots_within(const ph_spots *p, uint32_t s, uint64_t *row) {
  const ph_spot *it = &p->all.at[s];
  memset(row, 0, p->words * sizeof *row);
  for (uint32_t i = it->near; i != 0; i = p->pairs.at[i].next) {
    const ph_spot *t = &p->all.at[p->pairs.at[i].spot];
    uint64_t by = (uint64_t)t->offset - (uint64_t)it->offset;
    if (by < it->size && by + t->size <= it->size) ph_spots_set(row, t->bit);
  }
}

/* }== Together ======================================================= */

static uint32_t *make_ids(const ph_spots *p) {
  return ph_arena_zero(p->a, p->f->nodes.n * sizeof(uint32_t));
}

static uint32_t count_accesses(const ph_spots *p, uint32_t *others) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < p->d->size[1]; i++)
    PH_EACH_INST(p->f, p->d->order[i], v) {
      ph_op op = ph_node_of(p->f, v)->op;
      n += ph_op_loads(op) || ph_op_stores(op);
      *others += op == PH_ADDRESS;
    }
  return n;
}

bool ph_spots_find(ph_spots *p, ph_func *f, const ph_domtree *d, ph_arena *a) {
  uint32_t n, others = 0;
  *p = (ph_spots){.f = f, .a = a, .d = d, .cap = 16};
  n = count_accesses(p, &others);
  if (n < 2) return false;
  while (p->cap < 2 * (n + others)) p->cap *= 2;
  p->escape = ph_escape_find(f, a);
  p->base = make_ids(p);
  p->object = make_ids(p);
  p->at = make_ids(p);
  p->offset = ph_arena_zero(a, f->nodes.n * sizeof *p->offset);
  p->table = ph_arena_zero(a, p->cap * sizeof *p->table);
  p->addresses = ph_arena_zero(a, p->cap * sizeof *p->addresses);
  ph_spotvec_extend(&p->all, a, 1);
  ph_spotpairs_extend(&p->pairs, a, 1);
  for (uint32_t i = 0; i < d->size[1]; i++) PH_EACH_INST(f, d->order[i], v) {
      follow(p, v);
      enter_inst(p, v);
    }
  for (uint32_t s = 1; s < p->all.n && p->bits.n < PH_SPOTS_MOST; s++) {
    if (p->all.at[s].uses < 2) continue;
    ph_ids_push(&p->bits, a, s);
    p->all.at[s].bit = p->bits.n;
  }
  if (p->bits.n == 0) return false;
  p->words = (p->bits.n + 63) / 64;
  fill_rows(p);
  return true;
}

/* }=================================================================== */
