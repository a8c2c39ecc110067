/* reads.c: removes reads of memory that has been read or written before.
**
** Two reads give the same if they are equal and see the same version of what
** they read, and one dominates the other.  A load also gives what a store has
** left there, if that store is the version which it sees: then the store
** dominates it.
**
** One walk over the dominator tree in preorder.  Of the entries of a table with
** the same key, the newest in a dominating block is the one to use, and if the
** newest does not dominate, none does: whatever dominates this block and was
** visited before the newest one dominates that, too, and would have replaced
** it.
**
** What a read traps on, an earlier equal one has trapped on.  Aliases are told
** apart by classes only.
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
** Memory is divided in parts: each class of effects that is said, allocas that
** nothing else knows, and what is left.  Without any of the first two, all of it
** is one part.  A set of parts is a word: allocas are the bit behind the classes.
*/

enum { PRIVATE = PH_CLASSES_MOST, PARTS_MOST };

/* An instruction that reads or writes: which parts. */
typedef struct {
  uint32_t v;
  bool only_reads;
  uint64_t reads, writes;
} access;
PH_VEC(accesses, access)

/* What is known of memory: `from`, a read or store, at versions. */
typedef struct {
  uint32_t hash, from;      /* from 0: free */
  uint32_t version;         /* or the parts that ... */
  const uint32_t *versions; /* ... are of; NULL: there is one */
} entry;

typedef struct {
  ph_func *f;
  const ph_domtree *d;
  ph_escape escape;
  accesses accesses; /* in the order of the walk */
  uint32_t nmerging; /* how many can be merged, or tell what is read */
  uint32_t nparts;
  uint8_t bit[PARTS_MOST]; /* by part */
  uint32_t *now;           /* by part: its version at the place of the walk */
  uint32_t **at_start;     /* by part, by block: that at its start */
  uint32_t nseen, seen[1 + PARTS_MOST]; /* versions that the instruction sees */
  uint32_t made; /* how many versions are phis, with ids from f->nodes.n on */
  entry *at;
  uint32_t cap; /* a power of two, more than enough */
  uint32_t merged;
} pass;

static bool is_private(const pass *p, uint32_t v, uint32_t i) {
  return ph_escape_isprivate(&p->escape, ph_body_operand(p->f, v, i));
}

/* True if v neither reads nor writes, which is cheap to see of most: only an op
** with an effect can have classes that are said of it.  A terminator
** can act although the op has no effect, as tail calls do; jumps and branches
** never do. */
static bool only_computes(const ph_func *f, uint32_t v) {
  ph_op op = ph_node_of(f, v)->op;
  if (ph_op_effectof(f, op) != PH_EFFECT_NONE) return false;
  return !ph_op_has(f, op, PH_TERMINATOR) || op == PH_JUMP || op == PH_BRANCH;
}

/* What v does to memory. */
static access access_of(const pass *p, uint32_t v) {
  const uint64_t private_part = (uint64_t)1 << PRIVATE;
  ph_op op = ph_node_of(p->f, v)->op;
  ph_effects e = ph_effects_get(p->f, v);
  access s = {v, ph_effects_isread(p->f, op, e), e.reads, e.writes};
  if ((e.reads | e.writes) == 0) return s;
  if (ph_op_loads(op) && is_private(p, v, 0)) s.reads = private_part;
  if ((ph_op_stores(op) || op == PH_MEMSET || op == PH_MEMCPY ||
       op == PH_MEMMOVE) &&
      is_private(p, v, 0))
    s.writes = private_part;
  return s;
}

static bool stores(const pass *p, const access *s) {
  return ph_op_stores(ph_node_of(p->f, s->v)->op);
}

static void find_accesses(pass *p) {
  p->escape = ph_escape_find(p->f, &p->f->scratch);
  for (uint32_t i = 0; i < p->d->size[1]; i++) {
    PH_EACH_INST(p->f, p->d->order[i], v) {
      access s;
      if (only_computes(p->f, v)) continue;
      s = access_of(p, v);
      if (!s.only_reads && (s.reads | s.writes) == 0) continue;
      p->nmerging += s.only_reads || stores(p, &s);
      accesses_push(&p->accesses, &p->f->scratch, s);
    }
  }
}

#define EACH_ACCESS(p, s)                                          \
  for (const access *s = (p)->accesses.at,                         \
                    *s##_end = (p)->accesses.at + (p)->accesses.n; \
       s < s##_end; s++)

/* Finds the classes that tell anything apart; and private allocas, if any is
** accessed. */
static void find_parts(pass *p) {
  uint64_t all = 0;
  EACH_ACCESS(p, s) {
    if (s->reads != PH_EFFECTS_ALL) all |= s->reads;
    if (s->writes != PH_EFFECTS_ALL) all |= s->writes;
  }
  if ((all & PH_EFFECTS_ALL) == 0) all |= 1; /* all that is left */
  for (uint8_t i = 0; i < PARTS_MOST; i++)
    if (all >> i & 1) p->bit[p->nparts++] = i;
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

/* Finds the last instruction of each block that writes, by part. */
static void note_writes(const pass *p, uint32_t **written) {
  EACH_ACCESS(p, s) {
    uint32_t b = ph_node_of(p->f, s->v)->block;
    for (uint32_t k = 0; s->writes != 0 && k < p->nparts; k++)
      if (s->writes >> p->bit[k] & 1) written[k][b] = s->v;
  }
}

/* Finds the versions of part k at the start of each block that the entry
** reaches. */
static void find_part(pass *p, uint32_t k, ph_idf *g, const uint32_t *written) {
  uint32_t *at_start = p->at_start[k];
  const ph_ids *phis;
  for (uint32_t i = 0; i < p->d->size[1]; i++)
    if (written[p->d->order[i]] != 0) ph_idf_add(g, p->d->order[i]);
  phis = ph_idf_find(g);
  for (uint32_t i = 0; i < phis->n; i++)
    at_start[phis->at[i]] = p->f->nodes.n + p->made++;
  for (uint32_t i = 1; i < p->d->size[1]; i++) {
    uint32_t b = p->d->order[i], up = p->d->idom[b];
    if (at_start[b] == 0)
      at_start[b] = written[up] != 0 ? written[up] : at_start[up];
  }
}

static uint32_t **make_rows(const pass *p) {
  uint32_t **rows = ph_arena_zero(&p->f->scratch, p->nparts * sizeof *rows);
  for (uint32_t k = 0; k < p->nparts; k++)
    rows[k] = ph_arena_zero(&p->f->scratch, p->f->blocks.n * sizeof **rows);
  return rows;
}

static void find_versions(pass *p) {
  uint32_t **written = make_rows(p);
  ph_idf g = ph_idf_start(p->f, p->d, &p->f->scratch);
  p->at_start = make_rows(p);
  p->now = ph_arena_zero(&p->f->scratch, p->nparts * sizeof *p->now);
  note_writes(p, written);
  for (uint32_t k = 0; k < p->nparts; k++) find_part(p, k, &g, written[k]);
}

/* The walk comes to b. */
static void enter_block(const pass *p, uint32_t b) {
  for (uint32_t k = 0; k < p->nparts; k++) p->now[k] = p->at_start[k][b];
}

/* The walk passes an instruction v that writes. */
static void pass_write(const pass *p, uint32_t v, uint64_t writes) {
  for (uint32_t k = 0; writes != 0 && k < p->nparts; k++)
    if (writes >> p->bit[k] & 1) p->now[k] = v;
}

/* Finds the versions of what is in `set` as they are here: one if they are equal;
** otherwise, which parts they are of goes with them. */
static void see(pass *p, uint64_t set) {
  uint32_t *list = p->seen, n = 0, of = 0;
  bool same = true;
  for (uint32_t k = 0; k < p->nparts; k++) {
    if (!(set >> p->bit[k] & 1)) continue;
    of |= UINT32_C(1) << p->bit[k] % PRIVATE;
    list[++n] = p->now[k];
    same = same && list[n] == list[1];
  }
  list[0] = !same ? of : n > 0 ? list[1] : 0;
  p->nseen = same ? 1 : n + 1;
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

static uint32_t hash_of(const pass *p, uint32_t v, const key *k) {
  uint32_t h = stir(p->f->seed ^ p->seen[0], (uint32_t)k->op << 8 | k->type);
  for (uint32_t i = 1; i < p->nseen; i++) h = stir(h, p->seen[i]);
  for (uint32_t i = 0; i < k->n; i++) h = stir(h, ph_body_operand(p->f, v, i));
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

static size_t rest_size(const pass *p) {
  return (p->nseen - 1) * sizeof(uint32_t);
}

static bool is_seen(const pass *p, const entry *e) {
  if (e->version != p->seen[0] || (e->versions != NULL) != (p->nseen > 1))
    return false;
  return p->nseen == 1 || memcmp(e->versions, p->seen + 1, rest_size(p)) == 0;
}

static void take_versions(const pass *p, entry *e) {
  uint32_t *versions = NULL;
  if (p->nseen > 1) {
    versions = ph_arena_alloc(&p->f->scratch, rest_size(p));
    memcpy(versions, p->seen + 1, rest_size(p));
  }
  e->version = p->seen[0];
  e->versions = versions;
}

/* Returns the entry of what v reads, or stores, at the versions that it sees; or
** a free one, which gets them. */
static entry *find_entry(const pass *p, uint32_t v, const key *k) {
  uint32_t hash = hash_of(p, v, k), i = hash & (p->cap - 1);
  while (p->at[i].from != 0 &&
         (p->at[i].hash != hash || !is_seen(p, &p->at[i]) ||
          !is_equal(p->f, v, k, p->at[i].from)))
    i = (i + 1) & (p->cap - 1);
  if (p->at[i].from == 0) take_versions(p, &p->at[i]);
  p->at[i].hash = hash;
  return &p->at[i];
}

/* }== The walk ======================================================= */

/* Returns what the read `from` gives, or what the store has left. */
static uint32_t value_of(ph_func *f, uint32_t from) {
  return ph_op_stores(ph_node_of(f, from)->op) ? ph_body_operand(f, from, 1)
                                               : from;
}

static void replace_read(pass *p, uint32_t v, uint32_t w) {
  ph_event_note(p->f, PH_EV_SIMPLIFIED, ph_node_of(p->f, v)->block, 0, v, w);
  ph_value_takeout(p->f, v);
  ph_value_replace(p->f, v, w);
  p->f->stats.later.merged++;
  p->merged++;
}

static void look_at_read(pass *p, uint32_t v) {
  uint32_t b = ph_node_of(p->f, v)->block;
  key k = key_of(p->f, v);
  entry *e = find_entry(p, v, &k);
  if (e->from != 0 && ph_dom_covers(p->d, ph_node_of(p->f, e->from)->block, b))
    replace_read(p, v, value_of(p->f, e->from));
  else
    e->from = v;
}

static void look_at_store(pass *p, uint32_t v) {
  key k = key_of(p->f, v);
  find_entry(p, v, &k)->from = v;
}

static void walk(pass *p) {
  uint32_t b = 0;
  EACH_ACCESS(p, s) {
    if (ph_node_of(p->f, s->v)->block != b)
      enter_block(p, b = ph_node_of(p->f, s->v)->block);
    pass_write(p, s->v, s->writes);
    if (stores(p, s)) {
      see(p, s->writes);
      look_at_store(p, s->v);
    } else if (s->only_reads) {
      see(p, s->reads);
      look_at_read(p, s->v);
    }
  }
}

bool ph_reads_exist(const ph_func *f) {
  PH_EACH_BLOCK(f, b) {
    PH_EACH_INST(f, b, v) {
      ph_effects e = ph_effects_get(f, v);
      if (ph_effects_isread(f, ph_node_of(f, v)->op, e)) return true;
    }
  }
  return false;
}

static void make_table(pass *p) {
  p->cap = 16;
  while (p->cap < 2 * p->nmerging) p->cap *= 2;
  p->at = ph_arena_zero(&p->f->scratch, p->cap * sizeof *p->at);
}

uint32_t ph_reads_merge(ph_func *f, const ph_domtree *d) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  pass p = {.f = f, .d = d};
  find_accesses(&p);
  if (p.nmerging > 1) {
    find_parts(&p);
    find_versions(&p);
    make_table(&p);
    walk(&p);
  }
  ph_scratch_leave(f, bottom);
  return p.merged;
}

/* }=================================================================== */
