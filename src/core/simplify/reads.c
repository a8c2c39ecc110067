/* reads.c: which reads of memory give what has been read or written before.
**
** Two reads give the same if they are equal and see the same version of what
** they read, and one dominates the other.  A load also gives what a store has
** left there, if that store is the version which it sees: then the store
** dominates it.
**
** The caller walks over the dominator tree in preorder.  Of the entries of a
** table with the same key, the newest in a dominating block is the one to use,
** and if the newest does not dominate, none does: whatever dominates this block
** and was visited before the newest one dominates that, too, and would have
** replaced it.
**
** What a read traps on, an earlier equal one has trapped on.  Aliases are told
** apart by classes only.
**
** Versions are those of the function as it was before the walk, and so are the
** allocas whose address does not escape.  The caller may simplify while it walks: what
** replaces a write has its effects, and an address that is new points to where
** the one before it did.
*/
#include "core/simplify/reads.h"

#include <string.h>

#include "core/analysis/escape.h"
#include "core/analysis/idf.h"
#include "core/ir/effects.h"
#include "core/ir/event.h"
#include "core/ir/op.h"
#include "core/ir/value.h"
#include "core/simplify/cse.h"

/*
** {== Parts of memory ================================================
**
** Memory is divided in parts: each class of effects that is said, allocas whose
** address does not escape, and what is left.  Without any of the first two, all
** of it is one part.  A set of parts is a word: allocas are the bit after the classes.
*/

enum { PRIVATE = PH_CLASSES_MOST, PARTS_MOST };

/* What is known of memory: `from`, a read or store, at versions. */
typedef struct {
  uint32_t hash, from;      /* from 0: free */
  uint64_t version;         /* or the parts that ... */
  const uint32_t *versions; /* ... are of; NULL: there is one */
} entry;

struct ph_reads_walk {
  ph_func *f;
  const ph_domtree *d;
  ph_arena *a;
  uint32_t old; /* values from this id on were made since the walk began */
  ph_escape escape;
  uint32_t nparts;
  uint8_t bit[PARTS_MOST]; /* by part */
  uint32_t *now;           /* by part: its version at the place of the walk */
  uint32_t **at_start;     /* by part, by block: that at its start */
  uint64_t version; /* that the instruction sees, or the parts of which ... */
  uint32_t seen[PARTS_MOST]; /* ... it sees these */
  uint32_t nseen;            /* 0: there is one version */
  uint32_t made; /* how many versions are phis, with ids from `old` on */
  entry *at;
  uint32_t n, cap; /* cap: a power of two */
};

/* True if v neither reads nor writes, which is cheap to see of most: only an op
** with an effect can have classes that are said of it.  A terminator
** can act although the op has no effect, as tail calls do; jumps and branches
** never do. */
static bool only_computes(const ph_func *f, uint32_t v) {
  ph_op op = ph_node_of(f, v)->op;
  if (ph_op_effectof(f, op) != PH_EFFECT_NONE) return false;
  return !ph_op_has(f, op, PH_TERMINATOR) || op == PH_JUMP || op == PH_BRANCH;
}

/* Returns the parts among which the address is that is operand 0 of v: the private
** one, or those of `set`; or all, if v got it since the walk began. */
static uint64_t parts_at(const ph_reads_walk *r, uint32_t v, uint64_t set) {
  const uint64_t private_part = (uint64_t)1 << PRIVATE;
  uint32_t w;
  if (r->escape.web == NULL) return set;
  w = ph_body_operand(r->f, v, 0);
  if (w >= r->old) return set | private_part;
  return ph_escape_isprivate(&r->escape, w) ? private_part : set;
}

/* What v, which has the effects e, reads and writes. */
static uint64_t parts_read(const ph_reads_walk *r, uint32_t v, ph_effects e) {
  bool loads = ph_op_loads(ph_node_of(r->f, v)->op);
  return loads ? parts_at(r, v, e.reads) : e.reads;
}

static uint64_t parts_written(const ph_reads_walk *r, uint32_t v,
                              ph_effects e) {
  ph_op op = ph_node_of(r->f, v)->op;
  bool to_address = ph_op_stores(op) || op == PH_MEMSET || op == PH_MEMCPY ||
                    op == PH_MEMMOVE;
  return to_address ? parts_at(r, v, e.writes) : e.writes;
}

static uint64_t classes_in(const ph_effectsvec *effects) {
  uint64_t all = 0;
  for (uint32_t i = 0; i < effects->n; i++) {
    const ph_effects *e = &effects->at[i];
    if (e->reads != PH_EFFECTS_ALL) all |= e->reads;
    if (e->writes != PH_EFFECTS_ALL) all |= e->writes;
  }
  return all;
}

/* Finds the classes that anything is said of, and the private part. */
static void find_parts(ph_reads_walk *r) {
  uint64_t all = classes_in(&r->f->op_effects) | classes_in(&r->f->effects);
  if (all == 0) all = 1; /* all that is left */
  r->escape = ph_escape_find(r->f, r->a);
  if (r->escape.web != NULL) all |= (uint64_t)1 << PRIVATE;
  for (uint8_t i = 0; i < PARTS_MOST; i++)
    if (all >> i & 1) r->bit[r->nparts++] = i;
}

/* }== Versions =======================================================
**
** Memory SSA, of each part as one variable.  Nothing of it is stored in the
** function.
**
** A block with a write defines a part.  Phis are needed in the iterated
** dominance frontier of these blocks: a loop with a write has one at its header,
** whatever its shape.
**
** Version 0 is what the function is called with; the id of an instruction that
** writes, what it leaves; and further numbers are phis of a part in a block,
** which are nowhere else.  Where two versions are equal, that part is, provided
** that one place dominates the other.
*/

/* Finds the last instruction of b that writes, by part. */
static void find_writes(const ph_reads_walk *r, uint32_t b,
                        uint32_t **written) {
  uint32_t v = ph_blockrec_of(r->f, b)->last, left = r->nparts;
  for (; v != 0 && left > 0; v = ph_node_of(r->f, v)->prev) {
    uint64_t writes;
    if (only_computes(r->f, v)) continue;
    writes = parts_written(r, v, ph_effects_get(r->f, v));
    for (uint32_t k = 0; writes != 0 && k < r->nparts; k++) {
      if (!(writes >> r->bit[k] & 1) || written[k][b] != 0) continue;
      written[k][b] = v;
      left--;
    }
  }
}

/* Finds the versions of part k at the start of each block that the entry
** reaches. */
static void find_part(ph_reads_walk *r, uint32_t k, ph_idf *g,
                      const uint32_t *written) {
  uint32_t *at_start = r->at_start[k];
  const ph_ids *phis;
  for (uint32_t i = 0; i < r->d->size[1]; i++)
    if (written[r->d->order[i]] != 0) ph_idf_add(g, r->d->order[i]);
  phis = ph_idf_find(g);
  for (uint32_t i = 0; i < phis->n; i++)
    at_start[phis->at[i]] = r->old + r->made++;
  for (uint32_t i = 1; i < r->d->size[1]; i++) {
    uint32_t b = r->d->order[i], up = r->d->idom[b];
    if (at_start[b] == 0)
      at_start[b] = written[up] != 0 ? written[up] : at_start[up];
  }
}

static uint32_t **make_rows(const ph_reads_walk *r) {
  uint32_t **rows = ph_arena_zero(r->a, r->nparts * sizeof *rows);
  for (uint32_t k = 0; k < r->nparts; k++)
    rows[k] = ph_arena_zero(r->a, r->f->blocks.n * sizeof **rows);
  return rows;
}

static void find_versions(ph_reads_walk *r) {
  uint32_t **written = make_rows(r);
  ph_idf g = ph_idf_start(r->f, r->d, r->a);
  r->at_start = make_rows(r);
  r->now = ph_arena_zero(r->a, r->nparts * sizeof *r->now);
  for (uint32_t i = 0; i < r->d->size[1]; i++)
    find_writes(r, r->d->order[i], written);
  for (uint32_t k = 0; k < r->nparts; k++) find_part(r, k, &g, written[k]);
}

/* The walk passes an instruction v that writes. */
static void pass_write(const ph_reads_walk *r, uint32_t v, uint64_t writes) {
  for (uint32_t k = 0; writes != 0 && k < r->nparts; k++)
    if (writes >> r->bit[k] & 1) r->now[k] = v;
}

/* Finds the versions of what is in `set` as they are here: one if they are equal;
** otherwise, which parts they are of goes with them. */
static void see(ph_reads_walk *r, uint64_t set) {
  uint32_t n = 0;
  uint64_t of = 0;
  bool same = true;
  for (uint32_t k = 0; k < r->nparts; k++) {
    if (!(set >> r->bit[k] & 1)) continue;
    of |= UINT64_C(1) << r->bit[k];
    r->seen[n++] = r->now[k];
    same = same && r->now[k] == r->seen[0];
  }
  r->version = !same ? of : n > 0 ? r->seen[0] : 0;
  r->nseen = same ? 0 : n;
}

/* }== The table ====================================================== */

/* What is read: op, type, operands and data of an instruction; of a store,
** those of a load that it answers.  Aligned or not, a load is the same. */
typedef struct {
  ph_op op;
  ph_type type;
  uint32_t n;
  ph_data data;
} key;

static ph_data data_of(const ph_func *f, uint32_t v) {
  return f->datas.at[ph_node_of(f, v)->aux];
}

static key key_of(ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  const ph_data none = {0, PH_DATA_NONE};
  if (ph_op_stores(n->op)) {
    ph_type type = ph_node_of(f, ph_body_operand(f, v, 1))->type;
    return (key){PH_LOAD, type, 1, none};
  }
  return (key){ph_op_loads(n->op) ? PH_LOAD : n->op, n->type, n->nargs,
               data_of(f, v)};
}

static uint32_t stir(uint32_t h, uint32_t x) {
  h = (h ^ x) * UINT32_C(0x9e3779b1);
  return h ^ h >> 15;
}

static uint32_t hash_of(const ph_reads_walk *r, uint32_t v, const key *k) {
  uint32_t h =
      stir(r->f->seed ^ (uint32_t)r->version, (uint32_t)k->op << 8 | k->type);
  for (uint32_t i = 0; i < r->nseen; i++) h = stir(h, r->seen[i]);
  for (uint32_t i = 0; i < k->n; i++) h = stir(h, ph_body_operand(r->f, v, i));
  if (k->data.tag != PH_DATA_NONE)
    h = stir(stir(h, (uint32_t)k->data.bits), (uint32_t)(k->data.bits >> 32));
  return h;
}

static bool is_equal(ph_func *f, uint32_t v, const key *k, uint32_t w) {
  key other = key_of(f, w);
  if (other.op != k->op || other.type != k->type || other.n != k->n ||
      other.data.tag != k->data.tag || other.data.bits != k->data.bits)
    return false;
  for (uint32_t i = 0; i < k->n; i++)
    if (ph_body_operand(f, v, i) != ph_body_operand(f, w, i)) return false;
  return ph_cse_mayproject(f, v, w);
}

static bool is_seen(const ph_reads_walk *r, const entry *e) {
  if (e->version != r->version || (e->versions != NULL) != (r->nseen > 0))
    return false;
  return r->nseen == 0 ||
         memcmp(e->versions, r->seen, r->nseen * sizeof *r->seen) == 0;
}

static void take_versions(const ph_reads_walk *r, entry *e) {
  uint32_t *versions = NULL;
  if (r->nseen > 0) {
    versions = ph_arena_alloc(r->a, r->nseen * sizeof *versions);
    memcpy(versions, r->seen, r->nseen * sizeof *versions);
  }
  e->version = r->version;
  e->versions = versions;
}

static void grow_table(ph_reads_walk *r) {
  uint32_t before = r->cap, cap = before == 0 ? 16 : 2 * before;
  const entry *old = r->at;
  r->at = ph_arena_zero(r->a, cap * sizeof *r->at);
  r->cap = cap;
  for (uint32_t k = 0; k < before; k++) {
    uint32_t i = old[k].hash & (cap - 1);
    if (old[k].from == 0) continue;
    while (r->at[i].from != 0) i = (i + 1) & (cap - 1);
    r->at[i] = old[k];
  }
}

/* Returns the entry of what v reads, or stores, at the versions that it sees; or
** a new one, which gets them. */
static entry *find_entry(ph_reads_walk *r, uint32_t v, const key *k) {
  uint32_t hash = hash_of(r, v, k), i;
  if (2 * r->n >= r->cap) grow_table(r);
  i = hash & (r->cap - 1);
  while (r->at[i].from != 0 &&
         (r->at[i].hash != hash || !is_seen(r, &r->at[i]) ||
          !is_equal(r->f, v, k, r->at[i].from)))
    i = (i + 1) & (r->cap - 1);
  if (r->at[i].from == 0) {
    take_versions(r, &r->at[i]);
    r->n++;
  }
  r->at[i].hash = hash;
  return &r->at[i];
}

/* }== The walk ======================================================= */

/* Returns what the read `from` gives, or what the store has left. */
static uint32_t value_of(ph_func *f, uint32_t from) {
  return ph_op_stores(ph_node_of(f, from)->op) ? ph_body_operand(f, from, 1)
                                               : from;
}

/* Returns what v reads, if that is known. */
static uint32_t look_at_read(ph_reads_walk *r, uint32_t v) {
  uint32_t b = ph_node_of(r->f, v)->block;
  key k = key_of(r->f, v);
  entry *e = find_entry(r, v, &k);
  if (e->from != 0 && ph_dom_covers(r->d, ph_node_of(r->f, e->from)->block, b))
    return value_of(r->f, e->from);
  e->from = v;
  return 0;
}

ph_reads_walk *ph_reads_begin(ph_func *f, const ph_domtree *d, ph_arena *a) {
  ph_reads_walk *r = ph_arena_zero(a, sizeof *r);
  r->f = f;
  r->d = d;
  r->a = a;
  r->old = f->nodes.n;
  find_parts(r);
  find_versions(r);
  return r;
}

void ph_reads_enter(const ph_reads_walk *r, uint32_t b) {
  for (uint32_t k = 0; k < r->nparts; k++) r->now[k] = r->at_start[k][b];
}

uint32_t ph_reads_meet(ph_reads_walk *r, uint32_t v) {
  ph_op op = ph_node_of(r->f, v)->op;
  ph_effects e;
  uint64_t writes;
  if (only_computes(r->f, v)) return 0;
  e = ph_effects_get(r->f, v);
  writes = parts_written(r, v, e);
  pass_write(r, v, writes);
  if (ph_body_isgone(r->f, v)) return 0;
  if (ph_op_stores(op)) {
    key k = key_of(r->f, v);
    see(r, writes);
    find_entry(r, v, &k)->from = v;
  } else if (ph_effects_isread(r->f, op, e)) {
    see(r, parts_read(r, v, e));
    return look_at_read(r, v);
  }
  return 0;
}

/* True if an earlier call has got what v reads or stores, whatever the versions. */
static bool is_repeated(ph_reads_walk *r, uint32_t v) {
  ph_op op = ph_node_of(r->f, v)->op;
  key k;
  entry *e;
  if (only_computes(r->f, v)) return false;
  if (!ph_op_stores(op) &&
      !ph_effects_isread(r->f, op, ph_effects_get(r->f, v)))
    return false;
  k = key_of(r->f, v);
  e = find_entry(r, v, &k);
  if (e->from != 0) return true;
  e->from = v;
  return false;
}

bool ph_reads_mayanswer(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  ph_reads_walk r = {.f = f, .a = &f->scratch};
  bool found = false;
  PH_EACH_BLOCK(f, b) {
    for (uint32_t v = ph_blockrec_of(f, b)->first; v != 0 && !found;
         v = ph_node_of(f, v)->next)
      found = is_repeated(&r, v);
  }
  ph_scratch_leave(f, bottom);
  return found;
}

/* }=================================================================== */
