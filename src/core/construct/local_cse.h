/* local_cse.h: a value that is there already, in place of an equal one. */
#ifndef PH_CONSTRUCT_LOCAL_CSE_H
#define PH_CONSTRUCT_LOCAL_CSE_H

#include "core/construct/value_table.h"
#include "core/rules/match/match.h"

typedef struct {
  uint32_t node, event; /* the first ones after the mark */
} ph_marked;
PH_VEC(ph_marks, ph_marked)

/* Where instructions are made when that is not the end of a block: in a pass
** over a finished function. */
typedef struct ph_site {
  uint32_t before;    /* this instruction */
  ph_value_table cse; /* of what the pass has looked at */
  bool all;           /* it looks at everything */
  bool (*reaches)(const struct ph_site *s, const ph_func *f, uint32_t v);
  void (*made)(struct ph_site *s, ph_func *f, uint32_t v);
  /* Has the pass been there? */
  bool (*met)(const struct ph_site *s, uint32_t v);
  /* v is equal to `before`, but not there. */
  void (*rival)(struct ph_site *s, ph_func *f, uint32_t v);
} ph_site;

/* Of a function that simplifies what is emitted. */
struct ph_peephole {
  ph_value_table cse; /* of the construction under way */
  ph_site *site;      /* or NULL */
  uint32_t fuel; /* rules that may still be applied, for the outermost emit */
  uint32_t depth;
  bool strict;            /* running out of fuel is a failure */
  bool failed, exhausted; /* something did; it was that */
  bool doubled;           /* equal values were emitted */
  ph_ids trail;           /* rules applied for the outermost emit */
  ph_marked begin;        /* of the outermost emit */
  ph_marks marks;         /* inside it */
};

/* A search for a value equal to one that is there or is to be made. */
typedef struct {
  ph_constexpr e;
  ph_value_slot *slot;
  bool known; /* it is found by others already */
} ph_local_cse;

/* A value that computes *p, other than `self`, and is there at the end of its
** block, or at the site; or 0.  Then ph_local_cse_add lets `v`, just made, or
** ph_local_cse_keep lets `self` be found by others. */
uint32_t ph_local_cse_find(ph_func *f, ph_local_cse *m, const ph_pending *p,
                           ph_data data, uint32_t self);
void ph_local_cse_add(ph_func *f, const ph_local_cse *m, uint32_t v);
void ph_local_cse_keep(ph_func *f, const ph_local_cse *m, uint32_t self);
/* Is v known to be there at the end of the block, or at the site? */
bool ph_local_cse_reaches(ph_func *f, uint32_t v, uint32_t block);

#endif
