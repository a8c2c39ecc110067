/* repair.h: SSA reconstruction on finished functions (section 5.1 of the
** paper).
**
** An edit can give a value further definitions: a copy of it in a duplicated
** block, a reload, the same computation done again.  Together they are one
** variable, and each use must get the definition that reaches it, by new phis
** where several do.
*/
#ifndef PHIAL_REPAIR_H
#define PHIAL_REPAIR_H

#include "phial/func.h"

PH_BEGIN_DECLS

/* From a place on, the variable is `value`.  The place is the start of a block,
** after its phis; or, if `block` is none, right after an instruction (a phi:
** the start of its block; a terminator: the end of the block). */
typedef struct {
  ph_block block;
  ph_value behind;
  ph_value value;
} ph_definition;

/* What a repair did. */
typedef struct {
  uint32_t visited; /* blocks that contain a definition or an instruction that
                       uses one of the values, or lie between the two */
  uint32_t uses;    /* operands that were given another value */
  uint32_t phis;    /* made */
  uint32_t removed; /* repaired values that were phis and are not needed */
} ph_repaired;

/* Makes one variable of the n values, and gives each use of them the definition
** that reaches it: a phi uses its operands at the ends of the predecessors, and
** where no definition reaches, the variable is undef.  Each of the values is a
** definition where it is (a parameter: at the start of the entry); the m others
** are in `defs`, of which later ones hide earlier ones at the same place.  Uses
** of these are not changed, unless they are among the values, too.
**
** Phis are made only where they are needed, in the sense of
** ph_redundant_phi_remove; values that are phis are removed if nothing needs
** them any more, and replaced if they have become redundant; but not by a value
** of another variable, which may be to be repaired, too.  The projections of an
** instruction with several results are not uses of it.
**
** The values are of one type, and each of them is a parameter, phi or
** instruction.  That definitions dominate the places where they are given is
** not checked (ph_verify_func does).  Takes near-linear time in the blocks
** visited, their edges, the uses, and the operands of phis that have one of
** these; the first call also makes the chains of uses, if nothing has yet. */
ph_repaired ph_repair_rewrite(ph_func *f, const ph_value *values, uint32_t n,
                              const ph_definition *defs, uint32_t m);

PH_END_DECLS

#endif
