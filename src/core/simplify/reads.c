/* reads.c: removes reads of memory that has been read or written before.
**
** Two reads give the same if they are equal and see the same version of memory,
** and one dominates the other.  A load also gives what a store has left there,
** if that store is the version which it sees: then the store dominates it.
**
** One walk over the dominator tree in preorder.  Of the entries of a table with
** the same key, the newest in a dominating block is the one to use, and if the
** newest does not dominate, none does: whatever dominates this block and was
** visited before the newest one dominates that, too, and would have replaced
** it.
**
** What a read traps on, an earlier equal one has trapped on.  Aliases are not
** told apart: every write makes a version of all memory.
*/
#include "core/simplify/reads.h"

#include "core/analysis/idf.h"
#include "core/ir/event.h"
#include "core/ir/op.h"
#include "core/ir/value.h"

/*
** {== Versions =======================================================
**
** Memory SSA, of all memory as one variable.  Nothing of it is stored in the
** function.
**
** A block with a write defines memory.  Phis are needed in the iterated
** dominance frontier of these blocks: a loop with a write has one at its header,
** whatever its shape.
*/

/* True if v may write memory. */
static bool may_write(const ph_func *f, uint32_t v) {
  ph_op op = ph_node_of(f, v)->op;
  if (op < PH_OPS) return ph_op_effectof(f, op) == PH_EFFECT_WRITE;
  return ph_op_effectof(f, op) == PH_EFFECT_WRITE ||
         ph_op_has(f, op, PH_TERMINATOR);
}

/* Returns the last instruction of b that writes, or 0. */
static uint32_t last_write(const ph_func *f, uint32_t b) {
  uint32_t last = 0;
  PH_EACH_INST(f, b, v) {
    if (may_write(f, v)) last = v;
  }
  return last;
}

/* Returns the version of memory at the start of each block that the entry
** reaches: 0 is what the function is called with; the id of an instruction that
** writes, what it leaves; and f->nodes.n + b, a phi of memory in block b, which
** is nowhere else.  Where two versions are equal, memory is, provided that one
** place dominates the other.  Requires: the dominator tree of f. */
static uint32_t *find_versions(const ph_func *f, const ph_domtree *d,
                               ph_arena *a) {
  uint32_t *at_start = ph_arena_zero(a, f->blocks.n * sizeof *at_start);
  uint32_t *written = ph_arena_zero(a, f->blocks.n * sizeof *written);
  ph_idf g = ph_idf_start(f, d, a);
  const ph_ids *phis;
  for (uint32_t i = 0; i < d->size[1]; i++) {
    uint32_t b = d->order[i];
    written[b] = last_write(f, b);
    if (written[b] != 0) ph_idf_add(&g, b);
  }
  phis = ph_idf_find(&g);
  for (uint32_t i = 0; i < phis->n; i++)
    at_start[phis->at[i]] = f->nodes.n + phis->at[i];
  for (uint32_t i = 1; i < d->size[1]; i++) {
    uint32_t b = d->order[i], up = d->idom[b];
    if (at_start[b] == 0)
      at_start[b] = written[up] != 0 ? written[up] : at_start[up];
  }
  return at_start;
}

/* }== The table ====================================================== */

/* What is known of memory: `from`, a read or store, at a version. */
typedef struct {
  uint32_t hash, version, from; /* 0: free */
} entry;

typedef struct {
  ph_func *f;
  const ph_domtree *d;
  entry *at;
  uint32_t cap; /* a power of two, more than enough */
  uint32_t merged;
} pass;

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

static uint32_t hash_of(ph_func *f, uint32_t v, const key *k,
                        uint32_t version) {
  uint32_t h = stir(f->seed ^ version, (uint32_t)k->op << 8 | k->type);
  for (uint32_t i = 0; i < k->n; i++) h = stir(h, ph_body_operand(f, v, i));
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
  return true;
}

/* Returns the entry of what v reads, or stores, or a free one. */
static entry *find_entry(pass *p, uint32_t v, const key *k, uint32_t version) {
  uint32_t hash = hash_of(p->f, v, k, version), i = hash & (p->cap - 1);
  while (p->at[i].from != 0 &&
         (p->at[i].hash != hash || p->at[i].version != version ||
          !is_equal(p->f, v, k, p->at[i].from)))
    i = (i + 1) & (p->cap - 1);
  p->at[i].hash = hash;
  p->at[i].version = version;
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

static void look_at_read(pass *p, uint32_t v, uint32_t version) {
  uint32_t b = ph_node_of(p->f, v)->block;
  key k = key_of(p->f, v);
  entry *e = find_entry(p, v, &k, version);
  if (e->from != 0 && ph_dom_covers(p->d, ph_node_of(p->f, e->from)->block, b))
    replace_read(p, v, value_of(p->f, e->from));
  else
    e->from = v;
}

static void look_at_block(pass *p, uint32_t b, uint32_t version) {
  uint32_t v = ph_blockrec_of(p->f, b)->first;
  while (v != 0) {
    uint32_t next = ph_node_of(p->f, v)->next;
    ph_op op = ph_node_of(p->f, v)->op;
    if (may_write(p->f, v)) version = v;
    if (ph_op_stores(op)) {
      key k = key_of(p->f, v);
      find_entry(p, v, &k, version)->from = v;
    } else if (ph_op_effectof(p->f, op) == PH_EFFECT_READ) {
      look_at_read(p, v, version);
    }
    v = next;
  }
}

/* The number of reads and stores. */
static uint32_t count(const ph_func *f) {
  uint32_t n = 0;
  PH_EACH_BLOCK(f, b) {
    PH_EACH_INST(f, b, v) {
      ph_op op = ph_node_of(f, v)->op;
      n += ph_op_stores(op) || ph_op_effectof(f, op) == PH_EFFECT_READ;
    }
  }
  return n;
}

bool ph_reads_exist(const ph_func *f) {
  PH_EACH_BLOCK(f, b) {
    PH_EACH_INST(f, b, v) {
      if (ph_op_effectof(f, ph_node_of(f, v)->op) == PH_EFFECT_READ)
        return true;
    }
  }
  return false;
}

static void make_table(pass *p) {
  uint32_t n = count(p->f);
  p->cap = 16;
  while (p->cap < 2 * n) p->cap *= 2;
  p->at = ph_arena_zero(&p->f->scratch, p->cap * sizeof *p->at);
}

uint32_t ph_reads_merge(ph_func *f, const ph_domtree *d) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  pass p = {.f = f, .d = d};
  const uint32_t *versions = find_versions(f, p.d, &f->scratch);
  make_table(&p);
  for (uint32_t i = 0; i < p.d->size[1]; i++) {
    uint32_t b = p.d->order[i];
    look_at_block(&p, b, versions[b]);
  }
  ph_scratch_leave(f, bottom);
  return p.merged;
}

/* }=================================================================== */
