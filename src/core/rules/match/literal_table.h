/* literal_table.h: the patterns of a list by the constants that they
** require. */
#ifndef PH_RULES_MATCH_LITERAL_TABLE_H
#define PH_RULES_MATCH_LITERAL_TABLE_H

#include "core/rules/match/pattern_tests.h"
#pragma GCC visibility push(hidden)

/* A pattern that requires a constant in a slot. */
typedef struct {
  uint64_t bits;
  uint32_t slot, position;
} ph_literal_entry;
PH_VEC(ph_literal_entries, ph_literal_entry)

/* The patterns that require the constant with these bits in a slot: a range of
** `members`.  None: a free slot of the table. */
typedef struct {
  uint64_t bits;
  uint32_t first, n;
} ph_literal_run;

/* The patterns that require some constant in one slot. */
typedef struct {
  uint32_t slot, cap;   /* cap: a power of two */
  ph_literal_run *runs; /* an open hash */
} ph_literal_table;

/* A list of patterns, divided: each belongs to one table, or to `rest`, another
** range of `members`. */
typedef struct {
  ph_literal_table tables[PH_SLOTS];
  uint32_t ntables;
  uint32_t *members; /* positions in the list, from 1, each range in order */
  uint32_t rest, nrest;
} ph_literal_list;
PH_VEC(ph_literal_lists, ph_literal_list)

/* Divides the n patterns of a list.  False: too few differ in constants. */
bool ph_literal_table_make(ph_literal_list *d, ph_arena *a, ph_arena *scratch,
                           const ph_patternlist *l, const uint32_t *list,
                           uint32_t n);

/* The patterns of a list that the constants in the slots allow. */
typedef struct {
  const uint32_t *at[PH_SLOTS + 1], *end[PH_SLOTS + 1];
  uint32_t n;
} ph_literal_cursor;

ph_literal_cursor ph_literal_table_start(const ph_literal_list *d,
                                         const ph_func *f,
                                         const uint32_t *slots);
/* Returns the position of the next pattern, in the order of the list; 0 at the
** end. */
uint32_t ph_literal_table_next(ph_literal_cursor *c);

#pragma GCC visibility pop
#endif
