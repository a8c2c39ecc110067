/* phial.h: SSA construction on the fly, the C interface.
**
** A frontend makes a function, opens blocks in it, writes and reads variables,
** emits instructions, seals blocks and finishes the function.  The result is in
** minimal, pruned SSA form.  The algorithm is that of Braun, Buchwald, Hack,
** Leissa, Mallon and Zwinkau, "Simple and Efficient Construction of Static
** Single Assignment Form" (CC 2013), called "the paper" in all comments.
** (examples/c/figure2.c is a whole program.)
**
** This header includes the following ones, each of which can be included alone:
**   base.h       handles, memory, strings, data and source locations
**   op.h         types and ops, dialects, what operands fit
**   func.h       a function: its life, and what it consists of
**   construct.h  SSA construction, and its end
**   peephole.h   simplification of what is emitted; callbacks of rules
**   events.h     what happens to a function, step by step
**   analysis.h   order, dominators, liveness, loops; checks of phis; DCE
**   edit.h       editing of finished functions
**   text.h       functions as text: printed, parsed, verified
**   rules.h      sets of peephole rules: made, checked, explained
**
** Conventions.
** - Functions, blocks, variables and values are named by small integers in
**   one-field structs; id 0 is none; ids are never reused.  They have 31 bits:
**   a function cannot have more things of one kind.
** - A phi that turns out to be trivial or redundant is replaced.  Its id then
**   stands for its replacement, and every function here takes either.
** - Misuse is a bug of the caller and is asserted (a library built with -DNDEBUG
**   does not check).  Input that can be wrong (text, a function to verify) is
**   answered with a list of problems.
** - Nothing prints, exits or keeps global state.  A function, and a set of rules
**   with the functions that use it, belong to one thread at a time.
*/
#ifndef PHIAL_H
#define PHIAL_H

#include "phial/base.h"
#include "phial/op.h"
#include "phial/func.h"
#include "phial/construct.h"
#include "phial/peephole.h"
#include "phial/events.h"
#include "phial/analysis.h"
#include "phial/edit.h"
#include "phial/text.h"
#include "phial/rules.h"

#endif
