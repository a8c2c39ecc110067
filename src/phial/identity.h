/* identity.h: what in the host's program instructions were made for.
**
** Equal instructions are merged, and rules replace them by others.  Each of
** those that remain knows the *nodes* that it was made for: numbers by which the
** host knows nodes of a syntax tree, instructions of its own, or the like.
**
** An instruction, or a phi made by hand, has the node that was set when it was
** made.  What replaces it gets its nodes besides its own: an equal value, the
** result of a rule, the operand of a trivial or redundant phi, a new terminator,
** the value of ph_edit_replace.  Constants, undefs and parameters have none, nor
** have the phis that reads make, unless they get those of something else.  What
** a rule makes besides its result has the nodes of what the rule was applied to.
**
** A function for which no node is set pays nothing.  Otherwise nodes take
** constant time and space for each change of the current one, each instruction,
** and each replacement.
*/
#ifndef PHIAL_IDENTITY_H
#define PHIAL_IDENTITY_H

#include "phial/func.h"

PH_BEGIN_DECLS

/* Sets the node of what is made from now on, a number of the host's; 0: none. */
void ph_identity_set(ph_func *f, uint32_t node);
/* Returns the node that was set last, or 0. */
uint32_t ph_identity_current(const ph_func *f);

/* Finds the nodes of v, without duplicates, in the order in which it got them,
** and returns how many there are.  Linear in what gave it nodes. */
uint32_t ph_identity_count(ph_func *f, ph_value v);
/* Returns the i-th of the nodes found last, from 0. */
uint32_t ph_identity_at(const ph_func *f, uint32_t i);

PH_END_DECLS

#endif
