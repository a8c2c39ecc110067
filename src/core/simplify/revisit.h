/* revisit.h: simplifies the values of a function once more. */
#ifndef PH_SIMPLIFY_REVISIT_H
#define PH_SIMPLIFY_REVISIT_H

#include "core/analysis/dom.h"
#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

typedef struct {
  bool failed;   /* a callback failed */
  bool changed;  /* values or terminators were replaced */
  bool late;     /* some of them after the walk: another pass may find more */
  bool accesses; /* operands of what reads or writes memory were replaced */
  bool cut;      /* edges were removed */
} ph_revisited;

/* True if a pass that does not visit everything has something to visit. */
bool ph_revisit_isneeded(const ph_func *f);
/* What all passes over f may cost. */
uint64_t ph_revisit_steps(const ph_func *f);
/* Makes one pass, which takes its cost from *steps.  With `all`, rules are tried
** on every instruction, not only where something has changed.
** d: ph_dom_blocks.  Requires: the entry reaches every block. */
ph_revisited ph_revisit_run(ph_func *f, const ph_domtree *d, bool all,
                            uint64_t *steps);

#pragma GCC visibility pop
#endif
