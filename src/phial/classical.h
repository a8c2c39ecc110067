/* classical.h: SSA construction by the algorithms that preceded the paper's.
**
** These need the whole program before they place the first phi: reads and
** writes are recorded while a function is filled, and ph_finish_run places
** phis and renames.  A read returns a value that stands for the definition
** found then.  They are for comparison and for teaching; the paper's algorithm
** (construct.h) is as good and faster.
*/
#ifndef PHIAL_CLASSICAL_H
#define PHIAL_CLASSICAL_H

#include "phial/func.h"

PH_BEGIN_DECLS

typedef enum {
  /* Cytron, Ferrante, Rosen, Wegman and Zadeck, "Efficiently Computing Static
  ** Single Assignment Form and the Control Dependence Graph" (1991): at the
  ** iterated dominance frontiers of writes; minimal, not pruned. */
  PH_CYTRON,
  /* Briggs, Cooper, Harvey and Simpson, "Practical Improvements to the
  ** Construction and Destruction of Static Single Assignment Form" (1998):
  ** semi-pruned, for variables that some block reads before it writes them. */
  PH_BRIGGS,
  /* Choi, Cytron and Ferrante, "Automatic Construction of Sparse Data Flow
  ** Evaluation Graphs" (1991): pruned, where the variable is live. */
  PH_CHOI,
  /* Sreedhar and Gao, "A Linear Time Algorithm for Placing Phi-nodes" (1995):
  ** the phis of PH_CYTRON, without dominance frontiers. */
  PH_DJGRAPH,
  /* Aycock and Horspool, "Simple Generation of Static Single-Assignment Form"
  ** (2000): phis at all joins, then those go that are trivial; minimal if the
  ** control flow is reducible. */
  PH_AYCOCK,
  /* Brandis and Moessenboeck, "Single-Pass Generation of Static Single
  ** Assignment Form for Structured Languages" (1994): a write places phis at
  ** the ends of the if and switch statements, and at the heads of the loops,
  ** that contain it; for structured control flow only. */
  PH_BRANDIS
} ph_classic;

/* Chooses the algorithm for f, to which nothing but parameters and variables,
** which the entry may have written, was added; f does not simplify, does not
** record accesses, and does not keep unreachable blocks. */
void ph_classical_start(ph_func *f, ph_classic which);
/* True if one was chosen, and has not placed its phis yet. */
bool ph_classical_isused(const ph_func *f);
/* Returns a block at which the control flow of f is seen not to be structured;
** none if it is, or if PH_BRANDIS was not chosen.  Then ph_finish_run can
** follow.  Every block is filled and sealed, and f has no unreachable block. */
ph_block ph_classical_unstructured(ph_func *f);

PH_END_DECLS

#endif
