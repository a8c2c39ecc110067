/* peephole.h: simplifies what is emitted: folds, applies rules, merges. */
#ifndef PH_SIMPLIFY_PEEPHOLE_H
#define PH_SIMPLIFY_PEEPHOLE_H

#include "core/simplify/cse.h"
#include "core/simplify/fuel.h"
#pragma GCC visibility push(hidden)

typedef struct {
  uint32_t node, event; /* the first ones made after the mark */
} ph_marked;
PH_VEC(ph_marks, ph_marked)

/* The state of a function that simplifies what is emitted. */
struct ph_peephole {
  ph_cse cse;
  ph_fuel fuel;
  ph_simplify_counts *counts; /* of emitting, or of the pass under way */
  bool reading;               /* a read of memory was emitted */
  bool begun;                 /* `begin` is that of the outermost emit */
  ph_marked begin;            /* where it returns to if a callback fails */
  ph_marks marks;             /* of rules being applied inside it */
  uint32_t made;              /* by passes: all values, ... */
  int64_t grown;              /* ... less those replaced */
};

/* Returns the value of an instruction at the end of b: an existing or a new
** one. 0: a callback failed, or fuel ran out in strict mode; nothing has
** changed then. */
uint32_t ph_peephole_emit(ph_func *f, uint32_t b, ph_op op, ph_type type,
                          const ph_value *args, uint32_t n, ph_data data);
/* True if a terminator of that op may be simplified when it is made.  Begins that:
** ph_peephole_isexhausted is about it from here on. */
bool ph_peephole_mayend(ph_func *f, ph_op op);
/* Simplifies the terminator *p in place; in a pass, that of a filled block.  Its
** arrays may be replaced by larger ones in f->scratch.  False: as 0 above. */
bool ph_peephole_end(ph_func *f, ph_pending *p);
/* Returns how many levels of operands decide what an instruction of that op can
** become; 0: it stays, whatever it is given. */
uint32_t ph_peephole_levels(ph_func *f, ph_op op);
/* Simplifies v, for the pass under way: returns the value to replace it by, v
** itself if it stays (its operands may have been swapped), or 0 as above.
** Rules are tried if `rules`; a value equal to v is searched for if `merges`, as
** it is without `rules`.  Requires of `merges`: ph_cse_merges. */
uint32_t ph_peephole_again(ph_func *f, uint32_t v, bool rules, bool merges);
/* Empties the tables of values for CSE. */
void ph_peephole_forget(ph_func *f);
/* Returns room for n operands and m targets of a terminator: at `few` or, if
** these are many, in f->scratch. */
#define PH_FEW 8
ph_pending ph_peephole_room(ph_func *f, uint32_t n, uint32_t m,
                            uint32_t few[2 * PH_FEW]);

#pragma GCC visibility pop
#endif
