/* site.h: a function under construction, with all that construction does. */
#ifndef SITE_H
#define SITE_H

#include "core/ir/body.h"

/* Makes f, which is blank: loops in loops whose headers wait for their latches
** with incomplete phis, a loop with two entries, a switch, a variable without a
** definition, a phi by hand, dead code, names, places and data.  Blocks are
** sealed as soon as can be, or, `late`, not at all. */
void site_build(ph_func *f, const ph_options *options, bool late);
/* The same of a function that simplifies, with the rules of a set or NULL. */
void site_simplify(ph_func *f, const ph_options *options, bool late,
                   ph_ruleset *set);
/* Seals the rest, gives variables that are asked for a value, finishes, adds
** a block and finishes again. */
void site_finish(ph_func *f);
/* Edits it in every way, after that. */
void site_edit(ph_func *f);

#endif
