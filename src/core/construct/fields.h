/* fields.h: which bytes of which allocas can be variables. */
#ifndef PH_CONSTRUCT_FIELDS_H
#define PH_CONSTRUCT_FIELDS_H

#include "core/analysis/dom.h"
#pragma GCC visibility push(hidden)

/* Instead of the variable of a field: it stays in memory; what is written is
** dropped. */
#define PH_IN_MEMORY 0
#define PH_NEVER_READ UINT32_MAX

/* An alloca whose address is only used by accesses at constant offsets. */
typedef struct {
  uint32_t alloca;
  uint32_t size;
  uint32_t at; /* its bytes are marks[at] .. marks[at + size], one more */
  bool shared; /* its address is used otherwise: it is none of ours */
  bool kept;   /* an access to it stays */
} ph_local;
PH_VEC(ph_locals, ph_local)

typedef struct {
  ph_func *f;
  ph_arena *a;
  const ph_domtree *d;
  uint32_t old;     /* later values are addresses of no local */
  uint32_t *local;  /* by value: the local that it points into, or 0 */
  uint32_t *offset; /* by value: where */
  ph_ids addresses; /* values that point into a local, as they are made */
  ph_locals all;    /* from 1 */
  ph_ids copies;    /* memory copies, both of whose ends are locals */
  uint16_t *marks;  /* by byte of a local */
  uint32_t *var; /* by the first byte of a field: its variable, or as above */
} ph_fields;

/* A range of bytes of a local. */
typedef struct {
  ph_local *l;
  uint32_t from, to; /* within it */
} ph_range;

/* Finds the fields of all allocas of at most PH_PROMOTE_MOST bytes, in memory of
** a, and makes their variables.  Returns whether there are any allocas.
** d: ph_dom_blocks. */
bool ph_fields_find(ph_fields *p, ph_func *f, const ph_domtree *d, ph_arena *a);
/* Returns the n bytes from the address v on; its l is NULL if v does not point
** into a local. */
ph_range ph_fields_range(const ph_fields *p, uint32_t v, uint32_t n);
/* Returns the end of the field of l that begins at `from`. */
uint32_t ph_fields_end(const ph_fields *p, const ph_local *l, uint32_t from);
/* Returns the variable of the range, or what is instead of it; memory if the
** range is not one field. */
uint32_t ph_fields_var(const ph_fields *p, ph_range r);
/* Returns the bytes of a value of that type in memory. */
uint32_t ph_fields_size(ph_type type);
/* True if v is a memory operation of a constant number of bytes, *n. */
bool ph_fields_isbulk(const ph_func *f, uint32_t v, uint32_t *n);

#pragma GCC visibility pop
#endif
