/* lazy.h: definitions that are recorded, and made when a look-up finds them.
**
** A refinement belongs to the edge by which control enters a block: after it a
** condition is known to be what the edge says.  A may-write belongs to a point
** of a block, after an instruction: it may have written the variables of a
** group, or not.  They are numbered in order of time.
**
** Look-ups find PH_LAZY there (current_def.h) and make the value (lookup.c).
*/
#ifndef PH_LOOKUP_LAZY_H
#define PH_LOOKUP_LAZY_H

#include "core/base/idmap.h"
#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/*
** {== Groups =========================================================
**
** A group has the variables that one may-write can write.  Groups belong to the
** function.  A variable in a group has no cell in current_def: its definitions
** are found in the lists of their blocks, next to the may-writes.
*/

typedef struct {
  uint64_t bits; /* of its variables (join_skip.h) */
  uint32_t only; /* its variable, if it was made for one */
  ph_type type;
  ph_idmap since; /* by variable: 1 + `since` of the membership */
} ph_grouprec;

/* A variable in a group. */
typedef struct {
  uint32_t group;
  uint32_t since; /* number of the last may-write that it came too late for */
  uint32_t next;  /* an older membership of the variable, or 0 */
  uint32_t count; /* number of memberships from this one on */
} ph_member;

PH_VEC(ph_grouprecs, ph_grouprec)
PH_VEC(ph_members, ph_member)

struct ph_groups {
  ph_grouprecs all;   /* from 1 */
  ph_members members; /* from 1 */
  ph_ids first;       /* by variable: its newest membership, or 0 */
  ph_ids single;      /* by variable: the group made for it, or 0 */
};

/* Returns the newest membership of var, or 0. */
static inline uint32_t ph_groups_first(const ph_groups *g, uint32_t var) {
  return g != NULL && var < g->first.n ? g->first.at[var] : 0;
}
/* Returns the groups of f, created if necessary. */
ph_groups *ph_groups_of(ph_func *f);

/* }== Records ======================================================== */

/* The `place` of a record: what ph_srcloc_stamp notes of its value. */
typedef struct {
  uint32_t here, loc, identity;
} ph_lazyplace;

typedef struct {
  uint32_t var;
  uint32_t from;            /* the edge comes from this block */
  uint32_t condition, side; /* values */
  ph_lazyplace place;
  uint32_t block, index; /* it is the edge to target `index`, this block */
  uint32_t edge;         /* the number of the edge, once it is to be split */
  bool split;            /* the edge is split if it is not the only one */
  bool shared;   /* it was not the only one from its block to this one */
  uint32_t next; /* an older one of the same block, or 0 */
} ph_refinement;

typedef struct {
  uint32_t block, group;
  uint32_t value;  /* the one written */
  uint32_t anchor; /* the instruction that it is after; 0: the start of the
                      block, refinements included */
  ph_lazyplace place;
  uint32_t older; /* the one before it in the block, or 0 ... */
  uint32_t nth;   /* ... and how many the block has up to this one */
  uint32_t same;  /* the one before it in the block to the same group, or 0 */
} ph_maywrite;

/* A lazy value whose operand 0, what var is at the start of the block, is not
** looked up yet. */
typedef struct {
  uint32_t var, block, value;
  uint32_t record; /* number of the refinement or may-write */
} ph_opendef;

/* A lazy value, and what it was put after: the same number for values at the
** same place. */
typedef struct {
  uint32_t value, anchor;
} ph_madedef;

PH_VEC(ph_refinements, ph_refinement)
PH_VEC(ph_maywrites, ph_maywrite)
PH_VEC(ph_opendefs, ph_opendef)
PH_VEC(ph_madedefs, ph_madedef)
PH_VEC(ph_idmaps, ph_idmap)

typedef struct {
  ph_refinements refinements; /* from 1 */
  ph_ids refined;             /* by block: the newest of its refinements */
  ph_ids of_var;   /* by variable: its refinement in the block being sealed */
  ph_idmap of_def; /* by number of a definition that is PH_LAZY: its
                      refinement */
  ph_ids head; /* by block: the last of the refinements that it starts with: the
                  one that was made first; or 0 */
  ph_maywrites maywrites; /* from 1 */
  ph_ids newest;          /* by block: its newest may-write */
  ph_idmaps of_group;     /* by group: from blocks to their newest may-writes to
                             it */
  const ph_groups *groups; /* those of the function */
  ph_ids found;            /* the answer of ph_lazy_find */
  ph_ids read; /* by variable in a group: 1 + index of its latest read */
  ph_opendefs open;
  ph_madedefs made; /* all lazy values */
  ph_ids split;     /* blocks made on edges (refine.c) ... */
  ph_ids is_split;  /* ... and, by block, whether it is one, for finish */
} ph_lazy;

/* Returns new lazy definitions for f.  To all groups that exist, memberships
** begin before may-write 1. */
ph_lazy *ph_lazy_new(ph_func *f);
/* Returns the newest refinement of b, or 0. */
static inline uint32_t ph_lazy_refinementsof(const ph_lazy *l, uint32_t b) {
  return b < l->refined.n ? l->refined.at[b] : 0;
}
/* Returns the last one of the refinements that b starts with, or 0. */
static inline uint32_t ph_lazy_headof(const ph_lazy *l, uint32_t b) {
  return b < l->head.n ? l->head.at[b] : 0;
}
/* Records a refinement of variable r.var in b; sets its place, block and
** next. */
void ph_lazy_refine(ph_func *f, ph_lazy *l, uint32_t b, ph_refinement r);
/* Forgets the refinements from number n on. */
void ph_lazy_forget(ph_lazy *l, uint32_t n);
/* Records a may-write of value to the group at the present end of b. */
void ph_lazy_maywrite(ph_func *f, ph_lazy *l, uint32_t b, uint32_t group,
                      uint32_t value);
/* Returns the number of the newest may-write in b, a block that has may-writes,
** that can write var, or 0. */
uint32_t ph_lazy_newest(const ph_lazy *l, uint32_t var, uint32_t b);
/* Gathers those after number `after`, oldest first; returns how many. */
uint32_t ph_lazy_find(ph_lazy *l, ph_arena *a, uint32_t var, uint32_t b,
                      uint32_t after);

/* }=================================================================== */

#pragma GCC visibility pop
#endif
