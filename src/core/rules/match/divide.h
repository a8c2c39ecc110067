/* divide.h: long lists of patterns, divided by what they ask for. */
#ifndef PH_RULES_MATCH_DIVIDE_H
#define PH_RULES_MATCH_DIVIDE_H

#include "core/rules/match/pattern.h"
#pragma GCC visibility push(hidden)

/* What patterns ask for: certain ops in a set of slots, a bit each, and a certain
** constant in another slot, or 0. */
typedef struct {
  uint8_t ops, constant;
} ph_asked;

/* The patterns with one key: a range of `members`.  None: a free slot of the
** table. */
typedef struct {
  uint64_t key;
  uint32_t first, n;
} ph_division_run;

/* The patterns that ask for something in the same slots. */
typedef struct {
  ph_asked asked;
  uint32_t cap;          /* a power of two */
  ph_division_run *runs; /* an open hash */
} ph_division_table;

/* Each lookup looks into all tables. */
enum { PH_DIVISION_TABLES = 8 };

/* A list of patterns, divided: each belongs to one table, or to `rest`, another
** range of `members`. */
typedef struct {
  ph_division_table tables[PH_DIVISION_TABLES];
  uint32_t ntables;
  uint32_t *members; /* positions in the list, from 1, each range in order */
  uint32_t rest, nrest;
} ph_division;
PH_VEC(ph_divisions, ph_division)

/* The patterns of a list that the values in the slots allow. */
typedef struct {
  const uint32_t *at[PH_DIVISION_TABLES + 1], *end[PH_DIVISION_TABLES + 1];
  uint32_t n;
} ph_division_cursor;

/* Divides the n patterns of a list.  False: too few differ in what they ask
** for. */
bool ph_divide(ph_division *d, ph_arena *a, ph_arena *scratch,
               const ph_patternlist *l, const uint32_t *list, uint32_t n);

/* slots, tags: of the instruction that is tried. */
ph_division_cursor ph_divide_start(const ph_division *d, const ph_func *f,
                                   const uint32_t *slots, const uint32_t *tags);
/* Returns the position of the next pattern, in the order of the list; 0 at the
** end. */
uint32_t ph_divide_next(ph_division_cursor *c);

#pragma GCC visibility pop
#endif
