/* leave.h: leaving SSA form: locations for values, moves for phis.
**
** A location is what a target language has for a value: a register, a local
** variable, a slot of a frame.  Each value but constants and undefs has one,
** and a phi becomes moves to its location, on the edges into its block.
**
** The method is that of Boissinot, Darte, Rastello, Dupont de Dinechin and
** Guillon, "Revisiting Out-of-SSA Translation for Correctness, Code Quality,
** and Efficiency" (CGO 2009).  Its moves are at the end of a block, and
** therefore need copies of the results and operands of phis (section II).  Here
** they are on the edges, each a parallel copy, which needs none.  Values share
** a location if they are connected by phis, or are copies of each other, and do
** not interfere (sections III.A and IV.B); parallel copies become sequences
** (Algorithm 1).
*/
#ifndef PHIAL_LEAVE_H
#define PHIAL_LEAVE_H

#include "phial/func.h"

PH_BEGIN_DECLS

/* Locations are numbers from 1 on; 0 is none. */
typedef struct ph_leaving ph_leaving;

/* A move to a location, from another one or, if `from` is 0, of a constant or
** undef. */
typedef struct {
  uint32_t to, from;
  ph_value constant;
} ph_move;

/* Assigns locations to the values of a finished function that verifies.  It
** changes nothing, and the answer is an analysis of f (analysis.h): it is that
** of f as it is now, and valid until ph_func_freeanalyses.
**
** coalesce: values share locations.  A phi shares one with its operands, and a
** copy with its operand, as far as they do not interfere; moves in inner loops
** are avoided first.  There are never more moves and copies left than without
** it.  Otherwise each value has a location of its own.
**
** Time is O(n log n) in the size of f and of the live ranges of phis and their
** operands, unless f is contrived; nothing recurses. */
const ph_leaving *ph_leave_new(ph_func *f, bool coalesce);

/* Returns the number of locations, temporaries included. */
uint32_t ph_leave_count(const ph_leaving *l);
/* Returns the type of a location, from 1 to ph_leave_count. */
ph_type ph_leave_type(const ph_leaving *l, uint32_t location);
/* Returns the location of v, or 0 if it has none: a constant, an undef, an
** instruction without a result, a phi that only dead phis use. */
uint32_t ph_leave_of(const ph_func *f, const ph_leaving *l, ph_value v);
/* Returns the value that follows v among those of a location, in the order of
** parameters, blocks and instructions; the first if v is none; none after the
** last, and for temporaries. */
ph_value ph_leave_nextvalue(const ph_leaving *l, uint32_t location, ph_value v);

/* Return the number of moves on an edge; the i-th, from 0, in the order in
** which they are to be done.  They are done when control passes the edge, after
** the terminator has read its operands. */
uint32_t ph_leave_nmoves(const ph_leaving *l, uint32_t edge);
ph_move ph_leave_move(const ph_leaving *l, uint32_t edge, uint32_t i);
/* Returns the number of moves on all edges, and of copies whose operand is not
** at their own location. */
uint32_t ph_leave_total(const ph_leaving *l);

/* An edge, and which of those between its blocks it is, from 0. */
typedef struct {
  uint32_t edge, nth;
} ph_nth_edge;

/* Return the number of critical edges that have moves; the i-th, from 0.  An
** edge is critical if its source has further edges that leave it and its target
** has further ones that enter it: its moves belong to neither block. */
uint32_t ph_leave_ncritical(const ph_leaving *l);
ph_nth_edge ph_leave_critical(const ph_leaving *l, uint32_t i);
/* Splits these edges (ph_edge_split), so that l is obsolete; returns their
** number.  Other edges may be critical and have moves then, if f is asked
** again. */
uint32_t ph_leave_split(ph_func *f, const ph_leaving *l);

PH_END_DECLS

#endif
