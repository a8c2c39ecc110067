/* cse.h: CSE: which value computes an expression already. */
#ifndef PH_SIMPLIFY_CSE_H
#define PH_SIMPLIFY_CSE_H

#include "core/ir/op.h"
#include "core/rules/match/matcher.h"
#pragma GCC visibility push(hidden)

typedef struct {
  uint32_t hash, value; /* value 0: free */
} ph_value_slot;

/* Values by the expressions that they compute. */
typedef struct {
  ph_arena *arena;
  ph_value_slot *at;
  uint32_t n, cap;
  ph_ids older; /* by value: the one added before it for the same expression */
} ph_value_table;

/* Where a pass over a finished function makes instructions; otherwise they are
** made at the end of a block. */
typedef struct ph_site {
  uint32_t before;       /* the instruction before which they are made */
  ph_value_table values; /* those that the pass has visited */
  ph_ids entered; /* by value: its hash in `values`, with bit 0 set; 0: none */
  bool all;       /* the pass visits every value */
  /* True if v is available at the site. */
  bool (*reaches)(const struct ph_site *s, const ph_func *f, uint32_t v);
  /* v was made at the site. */
  void (*made)(struct ph_site *s, ph_func *f, uint32_t v);
  /* True if the pass has visited v. */
  bool (*met)(const struct ph_site *s, uint32_t v);
  /* v equals `before`, but is not available there. */
  void (*rival)(struct ph_site *s, ph_func *f, uint32_t v);
} ph_site;

/* What CSE keeps of a function. */
typedef struct {
  ph_value_table values; /* those emitted during construction */
  ph_value_table reads;  /* the same of those that read memory */
  uint32_t written;      /* the last one emitted that may write everything, or
                            0 */
  uint32_t named;        /* classes that others write */
  uint32_t *wrote;       /* by class in `named`: the last of these */
  ph_site *site;         /* of the pass under way, or NULL */
  bool due;              /* something was emitted that finish must visit */
} ph_cse;

/* A search for a value equal to an existing one or to one to be made. */
typedef struct {
  ph_value_table *in;
  ph_value_slot *slot;
  uint32_t hash;
  bool known; /* `self` is in the table already */
} ph_cse_search;

/*
** {== Canonical order ================================================
**
** Of the two orders of operands, one is canonical: a single look-up is enough
** then, and rules have fewer cases to handle.
*/

/* Puts constants to the right; else, of a commutative op, the older value; and
** turns 'greater' into 'less'. */
static inline bool ph_cse_isswapped(const ph_func *f, const ph_pending *p,
                                    ph_op other) {
  bool a = ph_node_of(f, p->args[0])->op == PH_CONST;
  bool b = ph_node_of(f, p->args[1])->op == PH_CONST;
  if (a != b) return a;
  return p->op == other ? p->args[0] < p->args[1] : p->op > other;
}

/* Puts the operands into canonical order; true if they were not. */
static inline bool ph_cse_order(const ph_func *f, ph_pending *p) {
  ph_op other = p->nargs == 2 ? ph_op_swapped(f, p->op) : PH_NONE;
  uint32_t first;
  if (other == PH_NONE || !ph_cse_isswapped(f, p, other)) return false;
  p->op = other;
  first = p->args[0];
  p->args[0] = p->args[1];
  p->args[1] = first;
  return true;
}

/* }== The table of values ============================================ */

/* The upper half of a product depends on all bits of the factors below, and so
** do its own lower bits, which the table takes. */
static inline uint32_t ph_cse_hash(const ph_func *f, const ph_pending *p) {
  const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
  uint64_t h = f->seed ^ (uint64_t)p->op << 32 ^ (uint64_t)p->type << 48;
  for (uint32_t i = 0; i < p->nargs; i++) h = (h ^ p->args[i]) * factor;
  if (p->data.tag != PH_DATA_NONE)
    h = ((h ^ p->data.bits) * factor ^ p->data.bits >> 32) * factor;
  return (uint32_t)(h >> 32);
}

/* True if v computes *p; it may have been removed. */
bool ph_cse_computes(const ph_func *f, uint32_t v, const ph_pending *p);
void ph_cse_grow(ph_value_table *t);

/* Finds the slot of *p, or for it, until the next search; its value is the last
** one added that computes *p, or 0. */
static inline ph_cse_search ph_cse_lookup(const ph_func *f, ph_value_table *t,
                                          const ph_pending *p, uint32_t hash) {
  uint32_t i;
  if (3 * (t->n + 1) > 2 * t->cap) ph_cse_grow(t);
  i = hash & (t->cap - 1);
  for (;;) {
    ph_value_slot *s = &t->at[i];
    if (s->value == 0 || (s->hash == hash && ph_cse_computes(f, s->value, p)))
      return (ph_cse_search){t, s, hash, false};
    i = (i + 1) & (t->cap - 1);
  }
}

/* Enters v, which computes what was searched for. */
static inline void ph_cse_enter(const ph_func *f, const ph_cse_search *m,
                                uint32_t v) {
  ph_value_table *t = m->in;
  if (m->slot->value == 0) {
    t->n++;
  } else {
    ph_ids_extend(&t->older, t->arena, f->nodes.n);
    t->older.at[v] = m->slot->value;
  }
  *m->slot = (ph_value_slot){m->hash, v};
}

/* }== Values that are available ====================================== */

/* True if values of this op may be merged: it has no effect, or only a trap,
** which an earlier one would have raised. */
static inline bool ph_cse_merges(const ph_func *f, ph_op op) {
  if (op < PH_OPS)
    return ph_op_computes(op) || op == PH_PROJ || op == PH_TRAP_IF ||
           op == PH_ADDRESS;
  return ph_op_effectof(f, op) == PH_EFFECT_NONE;
}

/* True if w, and v, which is equal or (0) is not made yet, project to no types
** that differ, if their ops let them: else they must not be merged. */
bool ph_cse_mayproject(ph_func *f, uint32_t v, uint32_t w);
/* A pass does not visit values that equalled no other when they were emitted.
** One that *p equals now is entered into its table. */
void ph_cse_takeover(ph_func *f, ph_cse *c, const ph_pending *p, uint32_t hash);
/* True if v is known to be available at the end of the block, or at the
** site. */
bool ph_cse_reaches(const ph_func *f, const ph_cse *c, uint32_t v,
                    uint32_t block);
/* Returns one of the values found, other than `self`, that is available. */
uint32_t ph_cse_equal(ph_func *f, const ph_cse *c, ph_cse_search *m,
                      const ph_pending *p, uint32_t self);
/* Marks equal values: finish visits them again. */
static inline void ph_cse_notedouble(ph_func *f, ph_cse *c, uint32_t v,
                                     uint32_t w) {
  c->due = true;
  ph_node_of(f, v)->flags |= PH_IS_DOUBLE;
  ph_node_of(f, w)->flags |= PH_IS_DOUBLE;
}

/* Returns a value other than `self` that computes *p and is available at the
** end of p's block, or at the site; or 0.  After 0, ph_cse_add enters `v`,
** which was just made, or ph_cse_keep enters `self`, so that later searches find
** it. */
static inline uint32_t ph_cse_find(ph_func *f, ph_cse *c, ph_cse_search *m,
                                   const ph_pending *p, uint32_t self) {
  uint32_t hash = ph_cse_hash(f, p);
  if (c->site != NULL) ph_cse_takeover(f, c, p, hash);
  *m = ph_cse_lookup(f, c->site != NULL ? &c->site->values : &c->values, p,
                     hash);
  return m->slot->value == 0 ? 0 : ph_cse_equal(f, c, m, p, self);
}
static inline void ph_cse_add(ph_func *f, ph_cse *c, const ph_cse_search *m,
                              uint32_t v) {
  if (m->slot->value != 0) ph_cse_notedouble(f, c, v, m->slot->value);
  ph_cse_enter(f, m, v);
}
void ph_cse_keep(ph_func *f, ph_cse *c, const ph_cse_search *m, uint32_t self);

/* }== Memory ========================================================= */

/* The same for an instruction that only reads, the classes `reads`, and is made
** at the end of a block: returns a value that has read the same memory, or was
** stored there; or 0.  After 0, ph_cse_addread enters `v`, which was just
** made. */
uint32_t ph_cse_findread(ph_func *f, ph_cse *c, ph_cse_search *m,
                         const ph_pending *p, uint32_t reads);
void ph_cse_addread(const ph_cse_search *m, uint32_t v);
/* v, which writes those classes, was just made at the end of a block. */
void ph_cse_notewrite(ph_func *f, ph_cse *c, uint32_t writes, uint32_t v);

/* }=================================================================== */

#pragma GCC visibility pop
#endif
