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
**   classical.h  SSA construction by the algorithms before the paper's
**   effects.h    which parts of memory instructions read and write
**   identity.h   what in the host's program instructions were made for
**   access.h     reads and writes of variables, as the program makes them
**   peephole.h   simplification of what is emitted; callbacks of rules
**   events.h     what happens to a function, step by step
**   analysis.h   order, dominators, liveness, loops; checks of phis; DCE
**   edit.h       editing of finished functions
**   repair.h     SSA reconstruction after edits
**   promote.h    memory of finished functions that becomes values
**   forward.h    loads of finished functions that become values
**   leave.h      leaving SSA form: locations for values, moves for phis
**   solve.h      sparse data-flow problems
**   text.h       functions as text: printed, parsed, verified
**   rules.h      sets of peephole rules
**   rulecheck.h  whether rules hold, are useful, and why one does not apply
**
** Conventions.
** - Functions, blocks, variables and values are named by small integers in
**   one-field structs; id 0 is none; ids are never reused.  They have 31 bits:
**   a function cannot have more things of one kind.
** - A phi that turns out to be trivial or redundant is replaced.  Its id then
**   stands for its replacement, and every function here takes either.
** - What these comments require of the host is checked at the beginning of
**   each call, before anything changes: a violation is told to the host's
**   handler (base.h) or, if there is none, printed, and the program aborts.  A
**   library compiled with -DNDEBUG does not check, and takes a quarter fewer
**   instructions to construct a function; then a mistake can make wrong SSA
**   form that nothing else notices.  Input that can be wrong (text, a function
**   to verify) is answered with a list of problems.
** - Nothing else prints or exits, or keeps state outside of what a host made.
** - NULL: no pointer may be NULL, except where its comment says so; an array of
**   which 0 elements are passed; the `at` of an empty ph_str; and `ud`, which
**   callbacks get back as it is.
** - Strings: a ph_str that is passed is copied if it is kept.  One that a call
**   returns is valid until the function, or the set of rules, that it was
**   read from is freed; the name of an op or type, as long as its dialect; one
**   that a callback gets, until the callback returns.
** - Threads: a function is used by one thread at a time; that includes calls
**   that take a const ph_func, which shorten chains of replaced values.  A
**   pool, and a set of rules, is used by one thread at a time together with
**   all functions that have it, unless the set was frozen by
**   ph_ruleset_freeze.
**   Dialects are only read, and may be shared.
** - Memory: an allocator that has none does not return (see ph_mem in base.h).
**   A function that was being built, finished or edited, and a set that was
**   being made or changed, can only be freed then.  All others remain valid.
**   That includes those that a question was about, which can be asked again:
**   analyses, uses, undefined reads, printing, verifying; lint, check, explain
**   and freezing; and the set whose rules were being applied.
** - Jumps: the allocator, `report` and that handler may leave by longjmp or an
**   exception, and so may what ph_ruleset_check calls; other callbacks must
**   return.
*/
#ifndef PHIAL_H
#define PHIAL_H

#include "phial/base.h"
#include "phial/op.h"
#include "phial/func.h"
#include "phial/construct.h"
#include "phial/classical.h"
#include "phial/effects.h"
#include "phial/identity.h"
#include "phial/access.h"
#include "phial/peephole.h"
#include "phial/events.h"
#include "phial/analysis.h"
#include "phial/edit.h"
#include "phial/forward.h"
#include "phial/promote.h"
#include "phial/repair.h"
#include "phial/leave.h"
#include "phial/solve.h"
#include "phial/text.h"
#include "phial/rules.h"
#include "phial/rulecheck.h"

#endif
