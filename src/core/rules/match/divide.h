/* divide.h: long lists of patterns, divided by what they ask for. */
#ifndef PH_RULES_MATCH_DIVIDE_H
#define PH_RULES_MATCH_DIVIDE_H

#include "core/rules/match/pattern.h"
#pragma GCC visibility push(hidden)

/* A position in a pattern.  The lowest byte is a slot that is filled from the
** start; each further one, up to 0, the number of an operand, from 1. */
typedef uint64_t ph_path;

typedef struct ph_division_table ph_division_table;

/* Patterns: each belongs to one part of one of the tables, or to `rest`, a range
** of the division's members. */
typedef struct {
  ph_division_table *tables; /* a list */
  uint32_t rest, nrest;
} ph_division_part;

/* Patterns that ask for something at a position, by what they ask for: an open
** hash. */
struct ph_division_table {
  ph_division_table *next;
  ph_path path;
  uint32_t cap; /* a power of two */
  struct ph_division_run {
    uint64_t key; /* 0: free */
    ph_division_part part;
  } * runs;
};
typedef struct ph_division_run ph_division_run;

typedef struct {
  ph_division_part all;
  uint32_t *members; /* positions in the list, from 1, each range in order */
} ph_division;
PH_VEC(ph_divisions, ph_division)

/* What is at hand belongs to at most so many ranges. */
enum { PH_DIVISION_RANGES = 16 };

/* Divides the n patterns of a list.  False: too few differ in what they ask
** for. */
bool ph_divide(ph_division *d, ph_arena *a, ph_arena *scratch,
               const ph_patternlist *l, const uint32_t *list, uint32_t n);

/* Returns the key of a constant.  Those that are the same one at some width, as
** 200 and -56 are, have the same key. */
static inline uint64_t ph_division_constant(uint64_t bits) {
  const uint64_t top = UINT64_C(1) << 63;
  if (bits < 0x80) return bits | top;
  if (bits >> 7 == 1) bits |= UINT64_MAX << 8;
  if (bits >> 15 == 1) bits |= UINT64_MAX << 16;
  if (bits >> 31 == 1) bits |= UINT64_MAX << 32;
  return bits == UINT64_MAX ? 1 | top : bits | top; /* i1 knows 1 and -1 */
}

/* Returns the run of a key, or a free one. */
static inline ph_division_run *ph_division_find(const ph_division_table *t,
                                                uint64_t key) {
  uint64_t i = (key * UINT64_C(0x9e3779b97f4a7c15)) >> 32;
  for (;; i++) {
    ph_division_run *run = &t->runs[i & (t->cap - 1)];
    if (run->key == key || run->key == 0) return run;
  }
}

#pragma GCC visibility pop
#endif
