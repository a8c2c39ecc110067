/* spots.h: which places in memory loads and stores access, and which of them
** overlap. */
#ifndef PH_CONSTRUCT_SPOTS_H
#define PH_CONSTRUCT_SPOTS_H

#include "core/analysis/dom.h"
#include "core/analysis/escape.h"
#pragma GCC visibility push(hidden)

/* What loads and stores of one type and set of classes access at a constant
** offset from one base. */
typedef struct {
  uint32_t base;   /* an address */
  uint32_t object; /* the alloca that this points into; 0: not known */
  int64_t offset;
  uint32_t size;
  ph_type type;
  uint32_t set;  /* of classes */
  bool hidden;   /* in an alloca whose address does not escape */
  uint32_t uses; /* loads and stores */
  uint32_t bit;  /* its number in rows, from 1; 0: it is in none */
  uint32_t same; /* another one at this base and offset, or 0 */
  uint32_t near; /* those that overlap at this base: index in `pairs` */
  uint32_t var;  /* of construction, or 0 */
} ph_spot;
PH_VEC(ph_spotvec, ph_spot)

typedef struct {
  uint32_t spot, next;
} ph_spotpair;
PH_VEC(ph_spotpairs, ph_spotpair)

/* Sets of spots are rows of `words` words: those spots have a bit that are
** accessed twice, PH_SPOTS_MOST at most, so that all takes linear time. */
#define PH_SPOTS_MOST 1024

typedef struct {
  ph_func *f;
  ph_arena *a;
  const ph_domtree *d;
  ph_escape escape;
  uint32_t *base, *object; /* by value, 0: itself; 0: not known */
  int64_t *offset;         /* by value: from its base */
  uint32_t *at;            /* by value, a load or store: its spot */
  ph_spotvec all;          /* from 1 */
  ph_spotpairs pairs;      /* from 1 */
  uint32_t *table, cap;    /* a hash of spots by base and offset */
  uint32_t *addresses;     /* the same of `address`, by data */
  ph_ids bits;             /* spots that have bits */
  uint32_t words;
  uint64_t *seen[2];  /* row of all, by hidden */
  uint64_t *loose[2]; /* the same of those whose object is not known */
  uint32_t *group;    /* by value, a base or object: its row in `groups` */
  uint64_t *groups;
  uint64_t *classes; /* rows by class; NULL: all sets are everything */
} ph_spots;

/* Finds the spots of f, in memory of a.  False: no two accesses have one.
** d: ph_dom_blocks. */
bool ph_spots_find(ph_spots *p, ph_func *f, const ph_domtree *d, ph_arena *a);
static inline bool ph_spots_has(const uint64_t *row, uint32_t bit) {
  return bit != 0 && (row[(bit - 1) / 64] >> ((bit - 1) % 64) & 1) != 0;
}
static inline void ph_spots_set(uint64_t *row, uint32_t bit) {
  if (bit != 0) row[(bit - 1) / 64] |= UINT64_C(1) << ((bit - 1) % 64);
}
/* Gives the row the spots that can overlap s. */
void ph_spots_overlapping(const ph_spots *p, uint32_t s, uint64_t *row);
/* ... that have no byte which s has not. */
void ph_spots_within(const ph_spots *p, uint32_t s, uint64_t *row);
/* ... that are of these classes, where `hidden` says. */
void ph_spots_ofclasses(const ph_spots *p, uint32_t set, bool hidden,
                        uint64_t *row);

#pragma GCC visibility pop
#endif
