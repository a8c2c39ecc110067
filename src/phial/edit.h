/* edit.h: editing of finished functions.
**
** Instructions, phis, blocks and edges of a finished function can be made,
** changed and removed.  After each call, lists, uses and edges are right, and
** existing ids are still valid.  Two things are not checked: whether
** definitions dominate their uses (ph_verify_func checks it), and whether phis
** have become redundant (ph_redundant_phi_remove removes them).  Blocks that
** the entry no longer reaches stay until ph_finish_dropunreachable.
*/
#ifndef PHIAL_EDIT_H
#define PHIAL_EDIT_H

#include "phial/func.h"

PH_BEGIN_DECLS

/*
** {== Instructions ===================================================
*/

/* Replaces uses of v by w (same type, not v), except uses in w itself, so w may
** use v. */
void ph_edit_replace(ph_func *f, ph_value v, ph_value w);
/* Replaces operand i of v, from 0, by w.  The operands must still fit, and the
** type of v stays; not for keys of a switch, which belong to edges. */
void ph_edit_setarg(ph_func *f, ph_value v, uint32_t i, ph_value w);
/* Returns a phi or instruction other than v that uses v, or none. */
ph_value ph_edit_otheruser(ph_func *f, ph_value v);
/* Removes a phi or non-terminator instruction that nothing but itself uses. */
void ph_edit_erase(ph_func *f, ph_value v);
/* Inserts a new instruction before the instruction `at` and returns it.  op is
** neither a terminator, a phi, nor PH_LEAF; type is as ph_opcheck_values gives
** it.  Nothing is simplified.  The data of a PH_CALL or PH_ADDRESS is set next, by
** ph_value_setdata. */
ph_value ph_edit_insert(ph_func *f, ph_value at, ph_op op, ph_type type,
                        const ph_value *args, uint32_t n);
/* Moves v, neither a phi nor a terminator, before the instruction `at`, not a
** phi, which can be in another block. */
void ph_edit_move(ph_func *f, ph_value v, ph_value at);
/* Appends a new phi to those of b and returns it.  n is the number of incoming
** edges; operand i belongs to edge i. */
ph_value ph_edit_newphi(ph_func *f, ph_block b, ph_type type,
                        const ph_value *args, uint32_t n);
/* Returns a new block without predecessors, whose only instruction is
** unreachable. */
ph_block ph_edit_newblock(ph_func *f, ph_str name);

/* }== Edges ========================================================== */

/* Edges are edited in near-linear time: the first of these calls takes time for
** each edge of f, the others for the edges that change, and for each phi of the
** blocks that these lead to.  Removing others does not change the order of
** edges, and new ones come last, at both ends; but edges between the same two
** blocks, and so the operands of phis, are always in the order of targets.  The
** order is restored when it is next read. */

/* Returns the number of edges from b to `to`; 0 if b is inert. */
uint32_t ph_edge_count(ph_func *f, ph_block b, ph_block to);
/* True if b ends with a switch that has a case for that key. */
bool ph_edge_haskey(ph_func *f, ph_block b, int64_t key);

/* The operand of a phi for a new edge.  Calls that add edges take one for each
** phi of each block that gains an edge, in any order; several new edges into
** one block share them. */
typedef struct {
  ph_value phi, value;
} ph_incoming;

/* A terminator, its operands and targets. */
typedef struct {
  ph_op op;
  const ph_value *args;
  uint32_t nargs;
  const ph_block *targets;
  uint32_t ntargets;
} ph_terminator;

/* Replaces the terminator of b and returns the new one.  The edges to a target
** are kept as far as the new terminator has as many, first ones first, with
** their phi operands; the others are removed, and new ones are added.  No
** target is the entry. */
ph_value ph_edge_setterminator(ph_func *f, ph_block b, const ph_terminator *t,
                               const ph_incoming *in, uint32_t nin);
/* Stores in `news` the targets that would gain an edge by that, without
** duplicates, sorted by id; returns how many.  `news` has room for m. */
uint32_t ph_edge_newtargets(ph_func *f, ph_block b, const ph_block *targets,
                            uint32_t m, ph_block *news);
/* True if targets of b's terminator do not have it as a predecessor: it was dead
** when it was filled, or finish has cut edges from it.  It gets them by
** ph_edge_setterminator. */
bool ph_edge_isinert(const ph_func *f, ph_block b);
/* Redirects the edges of b that lead to `from`, if any, to another block, not
** the entry.  There they come last.  b is not inert. */
void ph_edge_retarget(ph_func *f, ph_block b, ph_block from, ph_block to,
                      const ph_incoming *in, uint32_t nin);
/* Adds an edge from b to `to`.  A jump becomes a branch that takes it if `when`
** is true; a switch gets a case for the constant `when`, which no case has; a
** terminator of a dialect with PH_VARIADIC targets gets a last one, and `when`
** is ignored.  Not for other terminators.  `to` is not the entry, and b is not
** inert. */
void ph_edge_add(ph_func *f, ph_block b, ph_value when, ph_block to,
                 const ph_incoming *in, uint32_t nin);
/* Removes the nth edge, from 0, from b to `to`, as one that control never
** takes.  A branch becomes a jump, and a terminator without targets
** unreachable; the last case of a switch takes the place of its default if that
** is removed.  Not for terminators of dialects with a fixed number of targets.
** The edge exists. */
void ph_edge_remove(ph_func *f, ph_block b, ph_block to, uint32_t nth);
/* Puts a new block on the nth edge, from 0, from b to `to`, which exists, and
** returns it. */
ph_block ph_edge_split(ph_func *f, ph_block b, ph_block to, uint32_t nth,
                       ph_str name);
/* The same for an edge by its number.  Its first half keeps that number, and
** other edges keep theirs. */
ph_block ph_edge_splitedge(ph_func *f, uint32_t edge, ph_str name);

/* True if f is finished, and b, which was not removed, ends with a jump to
** another block, to which nothing else leads. */
bool ph_edge_canmerge(const ph_func *f, ph_block b);
/* Makes that block part of b: its instructions follow those of b, in place of
** the jump, and its phis are replaced by their operands.  It is removed, or left
** behind empty if f keeps unreachable blocks.  Linear in its size. */
void ph_edge_merge(ph_func *f, ph_block b);

/* }== Copying functions ============================================== */

/* What a function becomes where it is copied to. */
typedef struct {
  /* By id in the callee: ids of the copies, of constants and of arguments; 0
  ** where there is none.  The host gives the memory, full of zeros, for
  ** ph_block_count(callee) + 1 and ph_value_count(callee) + 1 numbers. */
  uint32_t *blocks, *values;
  /* Returns the number that means in f what this number of PH_DATA_HOST or
  ** PH_DATA_SYMBOL means in the callee; NULL: it is the same.  Must not call
  ** phial for f. */
  uint64_t (*host)(void *ud, uint64_t number);
  void *ud;
  uint32_t nodes; /* is added to the numbers of the callee's nodes (identity.h)
                     in a copy for another function */
  ph_block entry; /* the copy of the callee's entry */
  ph_block rest;  /* begins with `at` and ends as the split block did */
  /* What the callee returns: a phi of `rest` unless it is always the same
  ** value; undef if no block returns; none if it has no result. */
  ph_value result;
  /* The same of its results from the second on, for which the host gives
  ** ph_func_nresults(callee) - 1 values; NULL if it has none. */
  ph_value *further;
  PH_RESERVED;
} ph_copying;

/* Copies a finished function that is not variadic and has no parameter that is
** PH_BYVAL, and may be f itself, into f:
** splits the block of the instruction `at`, and control runs through the copy
** before it comes to `at`, in a new block.  args has one value for each
** parameter, of its type.  What the callee's entry does not reach is not
** copied.  ret becomes a jump; other terminators stay what they are, also those
** of dialects that return.  Allocas move to the start of the entry.  Attaches
** the callee's dialects.  Names, data, variables, locations and nodes are those
** of the callee.  Because of args, phis of the copy can be redundant: f does not
** verify then until ph_redundant_phi_remove.  Linear in the callee's size, and in
** the number of instructions from `at` on. */
void ph_edit_copyinto(ph_func *f, ph_value at, ph_func *callee,
                      const ph_value *args, ph_copying *made);
/* Returns a phi or instruction, where the entry of f reaches it, that uses a
** value which is defined nowhere there; none if f can be copied. */
ph_value ph_edit_strayuser(ph_func *f);

/* }=================================================================== */

PH_END_DECLS

#endif
