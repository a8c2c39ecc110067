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
  bool accesses; /* what reads or writes memory was made, or got other operands
                    after the walk had passed it */
  bool cut;      /* edges were removed */
  bool joins;    /* operands of phis were replaced or removed */
  bool unlike;   /* phis tell two edges between the same blocks apart */
  bool dead;     /* unneeded phis may be left */
} ph_revisited;

/* What a pass looks at besides what has changed. */
typedef struct {
  bool all;   /* every instruction: rules are tried on it */
  bool reads; /* reads of memory: they are merged */
} ph_revisit_what;

/* True if a pass that does not visit everything has something to visit. */
bool ph_revisit_isneeded(const ph_func *f);
/* What all passes over f may cost. */
uint64_t ph_revisit_steps(const ph_func *f);
/* Makes one pass, which takes its cost from *steps.
** d: ph_dom_blocks.  Requires: the entry reaches every block. */
ph_revisited ph_revisit_run(ph_func *f, const ph_domtree *d,
                            ph_revisit_what what, uint64_t *steps);

#pragma GCC visibility pop
#endif
