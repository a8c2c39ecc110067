/* solve.h: sparse data-flow problems.
**
** The solver knows which values are to be evaluated next, and why; what is
** known about them, the facts, belongs to the host.  The algorithm is that of
** conditional constant propagation (Wegman and Zadeck, "Constant propagation
** with conditional branches", 1991) for any facts: an edge is followed once it
** is known to be taken, instructions are evaluated once their block is reached,
** and again when facts that they depend on have changed.
**
** Nothing calls back: the host asks for one step after the other.
**
**   ph_solver *s = ph_solver_init(f, malloc(ph_solver_size(f)), PH_FORWARD);
**   for (;;) {
**     ph_step step = ph_solver_next(s);
**     if (step.kind == PH_STEP_NONE) break;
**     if (step.kind == PH_STEP_EDGE) {
**       if (... step.edge can be taken ...) ph_solver_take(s);
**     } else if (... evaluate step.value: its fact has changed ...) {
**       ph_solver_changed(s, step.value);
**     }
**   }
*/
#ifndef PHIAL_SOLVE_H
#define PHIAL_SOLVE_H

#include "phial/func.h"

PH_BEGIN_DECLS

typedef struct ph_solver ph_solver;

/* From operands to those who use them, or the other way round. */
typedef enum { PH_FORWARD, PH_BACKWARD } ph_direction;

/* Returns the number of bytes that a solver for f needs, as f is now. */
size_t ph_solver_size(ph_func *f);
/* Makes a solver in that memory, which is aligned for any object and contains
** all of it; nothing needs to be freed.  f is finished.  Once f has changed,
** only ph_solver_isreached and ph_solver_istaken may be called. */
ph_solver *ph_solver_init(ph_func *f, void *memory, ph_direction direction);

typedef enum {
  PH_STEP_NONE, /* nothing is left to be done */
  PH_STEP_EDGE, /* `edge` leaves the block of `value`, its terminator, and has
                   not been taken so far */
  PH_STEP_JOIN, /* forward: `value` is a phi, whose fact becomes the join of what
                   it is with those of the operands of ph_solver_operand */
  PH_STEP_VALUE /* forward: `value`, which is not a phi, gets a fact made of
                   those of its operands; backward: it contributes to the facts
                   of those that ph_solver_operand returns */
} ph_stepkind;

typedef struct {
  ph_stepkind kind;
  ph_value value;
  uint32_t edge; /* of a PH_STEP_EDGE; else 0 */
} ph_step;

/* Returns the next step.  The steps go round and round through the function in
** reverse postorder (backward: in its reverse), and leave out what need not be
** evaluated again.  Forward, all parameters, and the constants and undefs that
** something uses, are evaluated first; instructions without a result never.
** Backward, all edges come first. */
ph_step ph_solver_next(ph_solver *s);
/* Says that the edge of the latest step is taken: its target is reached. */
void ph_solver_take(ph_solver *s);
/* Returns the next operand that the latest step is about, or none.  Those of a
** phi arrive over taken edges, and forward only those that are new to it: whose
** edge was not taken, or whose fact was another, when it was evaluated last. */
ph_value ph_solver_operand(ph_solver *s);
/* Says that the fact of v has changed.  Forward, those who use it are evaluated
** (again); backward, v is. */
void ph_solver_changed(ph_solver *s, ph_value v);
/* Lets v, which is not a phi, be evaluated again, or the edges of v if it is a
** terminator: for a host that has made it depend on a fact of another value. */
void ph_solver_revisit(ph_solver *s, ph_value v);

/* Says that the fact of v, or none, is needed, and so those of what v is computed
** from.  Forward only.  Until the first call, all facts are needed; after it, values
** whose facts are not have no steps. */
void ph_solver_need(ph_solver *s, ph_value v);
/* True if the fact of v is needed. */
bool ph_solver_isneeded(const ph_solver *s, ph_value v);

/* True if a taken edge leads to b, or if b is the entry. */
bool ph_solver_isreached(const ph_solver *s, ph_block b);
/* True if the edge is taken. */
bool ph_solver_istaken(const ph_solver *s, uint32_t edge);

PH_END_DECLS

#endif
