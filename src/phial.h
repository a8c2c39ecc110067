/* phial.h: SSA construction on the fly, the C interface.
**
** A frontend makes a function, opens blocks in it, writes and reads
** variables, emits instructions, seals blocks and finishes the function.
** What comes out is minimal, pruned SSA form.  The algorithm is that of
** Braun, Buchwald, Hack, Leissa, Mallon and Zwinkau, "Simple and Efficient
** Construction of Static Single Assignment Form" (CC 2013), called "the
** paper" in all comments.
**
** Conventions.  Functions, blocks, variables and values are named by small
** integers in one-field structs; id 0 is none; ids are never used again.  They
** have 31 bits: more cannot be made of one kind in one function.
** A phi that turns out to be trivial or redundant is replaced: its id then
** stands for what replaced it, and every function here takes either.
** Misuse is a bug of the caller and is asserted; input that can be wrong
** (text, a function to verify) is answered with a list of problems.
** Nothing prints, exits or keeps global state.
**
** Contents, in this order; each is a header that can be included alone.
** (examples/c/figure2.c is a whole program.)
**   base.h       words that all headers share
**   op.h         types and ops, dialects, what operands fit
**   func.h       functions, their variables, constants, blocks and values
**   construct.h  construction: write, read, seal, emit, fill, finish
**   peephole.h   rules at work on what is emitted; callbacks of the host
**   events.h     what construction does, step by step
**   analysis.h   order, dominators, liveness, loops, phis
**   edit.h       editing of finished functions
**   text.h       text: printed, parsed, verified
**   rules.h      sets of rules: made, checked, asked about
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
