/* local_cse.h: CSE against values that are known to dominate. */
#ifndef PH_SIMPLIFY_LOCAL_CSE_H
#define PH_SIMPLIFY_LOCAL_CSE_H

#include "core/simplify/value_table.h"
#include "core/rules/match/match.h"
#pragma GCC visibility push(hidden)

typedef struct {
  uint32_t node, event; /* the first ones made after the mark */
} ph_marked;
PH_VEC(ph_marks, ph_marked)

/* Where a pass over a finished function makes instructions; otherwise they are
** made at the end of a block. */
typedef struct ph_site {
  uint32_t before;    /* the instruction before which they are made */
  ph_value_table cse; /* of the values that the pass has visited */
  ph_ids entered;     /* by value: its hash in cse, with bit 0 set; 0: none */
  bool all;           /* the pass visits every value */
  /* True if v is available at the site. */
  bool (*reaches)(const struct ph_site *s, const ph_func *f, uint32_t v);
  /* v was made at the site. */
  void (*made)(struct ph_site *s, ph_func *f, uint32_t v);
  /* True if the pass has visited v. */
  bool (*met)(const struct ph_site *s, uint32_t v);
  /* v equals `before`, but is not available there. */
  void (*rival)(struct ph_site *s, ph_func *f, uint32_t v);
} ph_site;

/* The state of a function that simplifies what is emitted. */
struct ph_peephole {
  ph_value_table cse;   /* of values emitted during construction */
  ph_value_table reads; /* the same of those that read memory */
  uint32_t written;     /* the last one emitted that may write memory, or 0 */
  ph_site *site;        /* of the pass under way, or NULL */
  bool reading;         /* a read of memory was emitted */
  uint32_t fuel;        /* rules that the outermost emit may still apply */
  uint32_t depth;       /* of nested emits */
  bool strict;          /* running out of fuel is a failure */
  bool failed;          /* the emit under way has failed ... */
  bool exhausted;       /* ... because fuel ran out */
  bool doubled;         /* equal values were emitted */
  ph_ids trail;         /* rules applied by the outermost emit, in order */
  ph_ids circle;        /* the trail when fuel ran out for the first time */
  ph_marked begin;      /* of the outermost emit */
  ph_marks marks;       /* of rules being applied inside it */
};

/* A search for a value equal to an existing one or to one to be made. */
typedef struct {
  ph_constexpr e;
  ph_value_slot *slot;
  bool known; /* `self` is in the table already */
} ph_local_cse;

/* Returns a value other than `self` that computes *p and is available at the
** end of p's block, or at the site; or 0.  After 0, ph_local_cse_add enters
** `v`, which was just made, or ph_local_cse_keep enters `self`, so that later
** searches find it. */
uint32_t ph_local_cse_find(ph_func *f, ph_local_cse *m, const ph_pending *p,
                           ph_data data, uint32_t self);
void ph_local_cse_add(ph_func *f, const ph_local_cse *m, uint32_t v);
void ph_local_cse_keep(ph_func *f, const ph_local_cse *m, uint32_t self);
/* The same for an instruction with the effect READ, which is made at the end of
** a block: returns a value that has read the same memory, or was stored there;
** or 0.  After 0, ph_local_cse_addread enters `v`, which was just made. */
uint32_t ph_local_cse_findread(ph_func *f, ph_local_cse *m, const ph_pending *p,
                               ph_data data);
void ph_local_cse_addread(const ph_func *f, const ph_local_cse *m, uint32_t v);
/* True if v is known to be available at the end of the block, or at the
** site. */
bool ph_local_cse_reaches(ph_func *f, uint32_t v, uint32_t block);

#pragma GCC visibility pop
#endif
