/* edit.h: editing of finished functions. */
#ifndef PHIAL_EDIT_H
#define PHIAL_EDIT_H

#include "phial/func.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A finished function can be edited.  Uses, lists and edges are right after
** each call, ids stay.  Two things are not looked at: whether definitions
** dominate their uses (ph_verify_func tells), and whether phis have become
** redundant (ph_redundant_phi_remove removes them).  Blocks that the entry does not
** reach any more stay until ph_finish_dropunreachable. */

/* All uses of v become uses of w, of the same type, but those by w itself: so
** w can be made from v. */
void ph_edit_replace(ph_func *f, ph_value v, ph_value w);
/* Operand i of v becomes w. */
void ph_edit_setarg(ph_func *f, ph_value v, uint32_t i, ph_value w);
/* A phi or instruction, other than v, that uses v; or none. */
ph_value ph_edit_otheruser(ph_func *f, ph_value v);
/* Takes away a phi, or an instruction that is no terminator, without users. */
void ph_edit_erase(ph_func *f, ph_value v);
/* A new instruction before the instruction `at`; type as from ph_opcheck_values. */
ph_value ph_edit_insert(ph_func *f, ph_value at, ph_op op, ph_type type,
                        const ph_value *args, uint32_t n);
/* A new phi in b, an operand for each edge, in order. */
ph_value ph_edit_newphi(ph_func *f, ph_block b, ph_type type,
                        const ph_value *args, uint32_t n);
/* Moves an instruction, no phi or terminator, before the instruction `at`. */
void ph_edit_move(ph_func *f, ph_value v, ph_value at);
/* A new block that nothing leads to; it ends with unreachable. */
ph_block ph_edit_newblock(ph_func *f, ph_str name);

/* What a phi is when control comes along a new edge.  Calls that make edges
** need one for each phi of the targets of new edges; several new edges to one
** target share them. */
typedef struct {
  ph_value phi, value;
} ph_incoming;

/* Ends b anew: it gets another terminator.  Of the edges to a target as many
** stay as there were, the first ones, with their phi operands.  No target is
** the entry. */
ph_value ph_edge_setterminator(ph_func *f, ph_block b, ph_op op,
                               const ph_value *args, uint32_t n,
                               const ph_block *targets, uint32_t m,
                               const ph_incoming *in, uint32_t nin);
/* The targets to which b would get new edges then: each once, by id; returns
** how many.  `news` has room for m. */
uint32_t ph_edge_newtargets(ph_func *f, ph_block b, const ph_block *targets,
                            uint32_t m, ph_block *news);
/* Was b dead when it was filled?  Then it has no edges until it is ended anew,
** and none can lead to it. */
bool ph_edge_isinert(const ph_func *f, ph_block b);
/* The edges from b to `from` lead to `to` instead; they come last there. */
void ph_edge_retarget(ph_func *f, ph_block b, ph_block from, ph_block to,
                      const ph_incoming *in, uint32_t nin);
/* One more edge.  A jump becomes a branch that takes it if `when`, a switch
** gets a case for the key `when`, a terminator of a dialect with any number of
** targets gets a last one; no others. */
void ph_edge_add(ph_func *f, ph_block b, ph_value when, ph_block to,
                 const ph_incoming *in, uint32_t nin);
/* Removes the i-th edge of b, from 0: control never goes there.  A branch
** becomes a jump, what has no more targets unreachable; the last case of a
** switch becomes its default when that goes.  Not the edges of dialects'
** terminators with a fixed number. */
void ph_edge_remove(ph_func *f, ph_block b, uint32_t i);
/* Puts a new block, which it returns, on the i-th edge of b. */
ph_block ph_edge_split(ph_func *f, ph_block b, uint32_t i, ph_str name);

#ifdef __cplusplus
}
#endif

#endif
