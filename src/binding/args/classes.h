/* classes.h: classes of effects among arguments. */
#ifndef PL_ARGS_CLASSES_H
#define PL_ARGS_CLASSES_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* One of the options `reads` and `writes`. */
typedef struct {
  bool said;
  bool all; /* "all" */
  int at;   /* stack index of the first name ... */
  int n;    /* ... of so many */
} pl_classes;

typedef struct {
  pl_classes reads, writes;
} pl_said;

/* Takes both options from the table at `arg`, for instructions of that op;
** pushes the names.  Raises an error if the op cannot have them. */
void pl_classes_take(lua_State *L, pl_funcobj *h, ph_op op, int arg,
                     pl_said *said);
/* True if anything is said. */
static inline bool pl_classes_any(const pl_said *said) {
  return said->reads.said || said->writes.said;
}
/* Raises an error if the function would have too many classes. */
void pl_classes_checkroom(lua_State *L, const pl_funcobj *h,
                          const pl_said *said);
/* Returns the effects: what is said, instead of *usual. */
ph_effects pl_classes_make(lua_State *L, ph_func *f, const pl_said *said,
                           ph_effects usual);
/* Pushes what is read and what is written, "all" or a list of names each; returns
** 2. */
int pl_classes_push(lua_State *L, pl_funcobj *h, ph_effects e);

#pragma GCC visibility pop
#endif
