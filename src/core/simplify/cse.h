/* cse.h: CSE: which value computes an expression already. */
#ifndef PH_SIMPLIFY_CSE_H
#define PH_SIMPLIFY_CSE_H

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
  bool doubled;          /* equal values were emitted */
} ph_cse;

/* What an instruction computes: operands are resolved and in canonical
** order. */
typedef struct {
  ph_op op;
  ph_type type;
  uint32_t n;
  const uint32_t *args;
  ph_data data;
  uint32_t hash;
} ph_expression;

/* A search for a value equal to an existing one or to one to be made. */
typedef struct {
  ph_cse *cse;
  ph_expression e;
  ph_value_slot *slot;
  bool known; /* `self` is in the table already */
} ph_cse_search;

/* Puts the operands into canonical order; true if they were not. */
bool ph_cse_order(const ph_func *f, ph_pending *p);
/* True if values of this op may be merged: it has no effect, or only a trap,
** which an earlier one would have raised. */
bool ph_cse_merges(const ph_func *f, ph_op op);
/* True if w, and v, which is equal or (0) is not made yet, project to no types
** that differ, if their ops let them: else they must not be merged. */
bool ph_cse_mayproject(ph_func *f, uint32_t v, uint32_t w);
/* Returns a value other than `self` that computes *p and is available at the
** end of p's block, or at the site; or 0.  After 0, ph_cse_add enters `v`,
** which was just made, or ph_cse_keep enters `self`, so that later searches find
** it. */
uint32_t ph_cse_find(ph_func *f, ph_cse *c, ph_cse_search *m,
                     const ph_pending *p, ph_data data, uint32_t self);
void ph_cse_add(ph_func *f, const ph_cse_search *m, uint32_t v);
void ph_cse_keep(ph_func *f, const ph_cse_search *m, uint32_t self);
/* The same for an instruction that only reads, the classes `reads`, and is made
** at the end of a block: returns a value that has read the same memory, or was
** stored there; or 0.  After 0, ph_cse_addread enters `v`, which was just
** made. */
uint32_t ph_cse_findread(ph_func *f, ph_cse *c, ph_cse_search *m,
                         const ph_pending *p, ph_data data, uint32_t reads);
void ph_cse_addread(const ph_cse_search *m, uint32_t v);
/* v, which writes those classes, was just made at the end of a block. */
void ph_cse_notewrite(ph_func *f, ph_cse *c, uint32_t writes, uint32_t v);
/* True if v is known to be available at the end of the block, or at the
** site. */
bool ph_cse_reaches(const ph_func *f, const ph_cse *c, uint32_t v,
                    uint32_t block);

#pragma GCC visibility pop
#endif
