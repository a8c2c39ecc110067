/* classes.h: which rules can match, by the ops of the first two operands. */
#ifndef PH_RULES_MATCH_CLASSES_H
#define PH_RULES_MATCH_CLASSES_H

#include "core/base/vec.h"
#pragma GCC visibility push(hidden)

/* A tag is what one look at a value tells: its op, or which constant it is. */
enum {
  PH_TAG_CONST = 0x10000, /* a constant, none of the following: */
  PH_TAG_ZERO,            /* integers, at widths above 1 */
  PH_TAG_ONE,
  PH_TAG_MINUS, /* all bits set */
  PH_TAG_FALSE, /* of width 1 */
  PH_TAG_TRUE,
  PH_TAG_END
};
enum { PH_TAG_CONSTS = PH_TAG_END - PH_TAG_CONST };

/* The tags that an operand may have: any (PH_WANT_ANY); an op; or some
** constants, a bit each. */
typedef uint32_t ph_want;
#define PH_WANT_ANY UINT32_MAX
#define PH_WANT_CONST(bits) ((ph_want)PH_TAG_CONST | (bits))
enum { PH_WANT_ALLCONSTS = (1 << PH_TAG_CONSTS) - 1 };

/* Requires: not PH_WANT_ANY. */
static inline bool ph_want_accepts(ph_want want, uint32_t tag) {
  if (want < PH_TAG_CONST) return tag == want;
  return tag >= PH_TAG_CONST && (want >> (tag - PH_TAG_CONST) & 1) != 0;
}

/* What the table knows of a pattern. */
typedef struct {
  ph_want want[2];
  bool same; /* both operands must be the same value; or, with one operand,
                the first two targets the same block */
} ph_wanted;
PH_VEC(ph_wanteds, ph_wanted)

/* Tags of one operand that no pattern distinguishes form a class; each pair of
** classes has a list of patterns.  Operands, or targets, that are the same have a
** list of their own, of the patterns that require that. */
typedef struct {
  uint32_t ntags;       /* ops, then the constants */
  uint32_t nclass[2];   /* of each operand */
  uint32_t *classes[2]; /* by tag; of the first operand times nclass[1] */
  uint32_t *cells;      /* by both classes: an index into `lists`; 0: empty */
  uint32_t *same;       /* by tag */
  ph_ids lists;         /* each: a count, then the patterns in order */
} ph_classes;

/* Makes the table of these patterns in `a`; ops are less than nops.  Temporary
** memory comes from `scratch`. */
void ph_classes_make(ph_classes *d, ph_arena *a, ph_arena *scratch,
                     const ph_wanteds *patterns, uint32_t nops);

/* Returns the offset of a tag's row. */
static inline uint32_t ph_classes_row(const ph_classes *d, uint32_t tag) {
  if (tag >= PH_TAG_CONST) return d->ntags - PH_TAG_END + tag;
  return tag < d->ntags - PH_TAG_CONSTS ? tag : 0;
}
/* Returns the list for an instruction with operands of these rows, or 0. */
static inline uint32_t ph_classes_list(const ph_classes *d, uint32_t row,
                                       uint32_t row2, bool same) {
  if (same) return d->same[row];
  return d->cells[d->classes[0][row] + d->classes[1][row2]];
}

#pragma GCC visibility pop
#endif
