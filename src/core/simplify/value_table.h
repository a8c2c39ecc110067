/* value_table.h: which value already computes an expression. */
#ifndef PH_SIMPLIFY_VALUE_TABLE_H
#define PH_SIMPLIFY_VALUE_TABLE_H

#include "core/rules/match/matcher.h"
#pragma GCC visibility push(hidden)

/* What an instruction computes: operands are resolved and in canonical
** order. */
typedef struct {
  ph_op op;
  ph_type type;
  uint32_t n;
  const uint32_t *args;
  ph_data data;
  uint32_t hash;
} ph_constexpr;

typedef struct {
  uint32_t hash, value; /* value 0: free */
} ph_value_slot;

typedef struct {
  ph_arena *arena;
  ph_value_slot *at;
  uint32_t n, cap;
  ph_ids older; /* by value: the one added before it for the same expression */
} ph_value_table;

/* Puts the operands into canonical order. */
void ph_value_table_order(const ph_func *f, ph_pending *p);
/* True if values of this op may be merged: it has no effect, or only a trap,
** which an earlier one would have raised. */
bool ph_value_table_merges(const ph_func *f, ph_op op);
/* Sets the hash of an expression. */
void ph_value_table_hash(const ph_func *f, ph_constexpr *e);

/* True if v computes e; it may have been removed. */
bool ph_value_table_is(const ph_func *f, uint32_t v, const ph_constexpr *e);
/* Returns the slot of e, or for e, until the next call; its value is the last
** one added that computes e, or 0. */
ph_value_slot *ph_value_table_find(const ph_func *f, ph_value_table *c,
                                   const ph_constexpr *e);
void ph_value_table_put(const ph_func *f, ph_value_table *c,
                        ph_value_slot *slot, const ph_constexpr *e, uint32_t v);
/* Returns the value added before v, which may compute something else by now. */
static inline uint32_t ph_value_table_older(const ph_value_table *c,
                                            uint32_t v) {
  return v < c->older.n ? c->older.at[v] : 0;
}

#pragma GCC visibility pop
#endif
