/* unique_operand.c: re-examination without lists of users (section 3.1).
**
** Algorithm 3 examines the users of a replaced phi again, because one of their
** operands has become equal to another.  An IR that does not record users can
** examine the unique operand instead: if that is a phi, it can have been a user
** of the replaced one, as the phis of two nested loops are operands of each
** other, and now be trivial itself.  Then its own unique operand follows.
**
** This is incomplete: other users of the replaced phi may be trivial now, and
** are not found, be they before it or behind it in the flow.  They are one
** value with their only operand, so the search for redundant phis at finish
** (section 3.2; redundant_phi.c) removes them; until then they are visible.
**
** The witnesses of a phi are recorded as for Algorithm 3, without lists: a phi
** that many others were replaced by is examined as often, and the search for
** its witnesses continues where it stopped each time.
*/
#include "core/lookup/unique_operand.h"

#include "core/lookup/watchers.h"

/* A phi without a record is older than this construction. */
void ph_unique_operand_queue(ph_func *f, uint32_t w) {
  if (ph_body_iswhole(f, w) && ph_node_of(f, w)->aux < f->state->watches.n)
    ph_watchers_queue(f, w);
}
