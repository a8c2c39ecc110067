/* read_var.c: the look-up of a variable from the end of a block upwards:
** readVariableRecursive (Algorithm 2), without recursion.
**
** A look-up climbs from a block, skipping all blocks that cannot matter
** (join_skip.c), until something decides: a definition, an unsealed block (it
** gets an incomplete phi), a block without predecessors (undefined), or a join
** before which the variable may be written.  At such a join each predecessor
** is looked up in turn: what the paper's recursion keeps on the stack is a
** frame here, and the results so far are kept on a stack of values.
**
** Cycles.  The simple and the operand variant put an operandless phi into each
** such join before they look further, as Algorithm 2 does.  The marker variant
** (section 3.3) marks the join instead, and makes a phi only if the look-up
** comes back to the mark or the results differ: no temporary phi in acyclic
** regions that are filled and sealed.  The SCC variant searches in its own way
** (read_scc.c).
**
** The paper stores the value in every block that a look-up passed.  Here it is
** stored where the look-up made a frame or ended: in joins that were entered,
** in unsealed blocks, in blocks without predecessors and, on a long climb, in
** one block of PH_CLIMB_INTERVAL; this one has a frame, too, which looks up
** `up` alone.  The block of a read by the host has it in the variable's cell.
**
** A value on the stack is resolved when it is used: the phi that it names may
** have been replaced meanwhile.
*/
#include "core/lookup/read_var.h"

#include "core/lookup/detail.h"
#include "core/lookup/make_lazy.h"
#include "core/lookup/read_scc.h"
#include "core/ir/event.h"
#include "core/ir/value.h"

/* The look-up has come back to a marked join: replaces the mark by a phi, to
** which the join's frame will give operands. */
static uint32_t break_cycle(ph_func *f, uint32_t var, uint32_t join) {
  uint32_t phi;
  ph_event_notedetail(f, PH_EV_MARKFOUND, join, var, 0);
  phi = ph_climb_newphi(f, var, join);
  ph_current_def_put(&f->state->defs, &f->working, var, join, phi | PH_MEMO);
  return phi;
}

/* Returns the result at the end of a climb that found no value: a mark, a lazy
** definition, or that the variable has ended. */
static uint32_t decide_other(ph_func *f, uint32_t var, ph_landing l) {
  if (l.found == PH_KILLED) return ph_climb_nodefinition(f, var, l.block);
  if (l.found == PH_LAZY) return ph_make_lazy_values(f, var, l.block);
  return f->options.construction == PH_SCC ? ph_read_scc_marked(f, var, l.block)
                                           : break_cycle(f, var, l.block);
}

/* Returns the result at the end of a climb, or 0 (ph_climb_decide). */
static uint32_t decide(ph_func *f, uint32_t var, ph_landing l) {
  if (l.found >= PH_KILLED) return decide_other(f, var, l);
  return ph_climb_decide(f, var, l);
}

/* Pushes a frame that looks up the predecessors of b or, if no path from `up`
** to b writes var, `up` alone.  The latter needs no mark: the chain of `up`
** links has no cycles. */
static void enter(ph_func *f, uint32_t var, uint32_t b) {
  ph_state *state = f->state;
  ph_frame frame = {b, 0, state->values.n, 0};
  bool mark = f->options.construction == PH_MARKER;
  if (f->options.construction == PH_SCC) {
    ph_read_scc_enter(f, var, b);
    return;
  }
  if (!ph_join_skip_istransparent(&state->skips, b, var)) {
    uint32_t v = mark ? PH_MARK : ph_climb_newphi(f, var, b) | PH_MEMO;
    frame.def = ph_climb_record(f, var, b, v);
    frame.edge = ph_blockrec_of(f, b)->first_pred;
    if (mark) ph_event_notedetail(f, PH_EV_MARKED, b, var, 0);
  }
  ph_frames_push(&state->frames, &f->working, frame);
}

/* Returns the value on which the n results from `base` on agree, or 0. */
static uint32_t agreed(const ph_func *f, uint32_t base, uint32_t n) {
  const uint32_t *at = f->state->values.at + base;
  uint32_t same = ph_body_resolve(f, at[0]);
  for (uint32_t i = 1; i < n; i++)
    if (ph_body_resolve(f, at[i]) != same) return 0;
  return same;
}

/* Ends the frame of a block on a long climb: stores the value there. */
static uint32_t leave_passed(ph_func *f, uint32_t var, const ph_frame *frame) {
  ph_state *state = f->state;
  uint32_t v = ph_body_resolve(f, state->values.at[frame->base]);
  state->values.n = frame->base;
  ph_current_def_put(&state->defs, &f->working, var, frame->block, v | PH_MEMO);
  return v;
}

/* Ends the frame of a join all predecessors of which have been looked up.  Its
** definition is the mark or, with PH_MEMO, an operandless phi: from the start
** (simple variant), made when the look-up came back, or made here because the
** results differ.  Such a phi gets its operands now. */
static uint32_t leave_join(ph_func *f, uint32_t var, const ph_frame *frame) {
  ph_state *state = f->state;
  const uint32_t *values = state->values.at + frame->base;
  uint32_t n = state->values.n - frame->base;
  uint32_t v = state->defs.list.at[frame->def].value;
  if (v == PH_MARK) {
    v = agreed(f, frame->base, n);
    if (v == 0)
      v = ph_climb_newphi(f, var, frame->block) | PH_MEMO;
    else
      ph_event_notedetail(f, PH_EV_UNMARKED, frame->block, var, v);
  }
  if (v & PH_MEMO) {
    v &= ~PH_MEMO;
    ph_trivial_phi_complete(f, v, values, n);
    v = ph_body_resolve(f, v);
  }
  state->values.n = frame->base;
  state->defs.list.at[frame->def].value = v | PH_MEMO;
  return v;
}

/* Passes the result v to the frames that wait for it.  Returns the answer of
** the whole look-up, or 0 if a join has another predecessor to look up. */
static uint32_t hand_back(ph_func *f, uint32_t var, uint32_t bottom,
                          uint32_t v) {
  ph_state *state = f->state;
  if (f->options.construction == PH_SCC && state->frames.n > bottom)
    return ph_read_scc_handback(f, var, bottom, v);
  while (state->frames.n > bottom) {
    ph_frame *top = &state->frames.at[state->frames.n - 1];
    ph_frame frame = *top; /* with the edge that v came by */
    ph_ids_push(&state->values, &f->working, v);
    top->edge = f->edges.at[top->edge].next; /* of edge 0, none: 0 */
    if (top->edge != 0) return 0;
    state->frames.n--;
    v = frame.edge != 0 ? leave_join(f, var, &frame)
                        : leave_passed(f, var, &frame);
  }
  return ph_body_resolve(f, v);
}

/* Returns the block that the innermost frame looks up next. */
static uint32_t next_of_top(const ph_func *f) {
  const ph_frames *frames = &f->state->frames;
  const ph_frame *top = &frames->at[frames->n - 1];
  return top->edge != 0 ? f->edges.at[top->edge].from
                        : f->state->skips.blocks.at[top->block].up;
}

/* A block that can be linked now is climbed from once more: the link may lead
** past it. */
uint32_t ph_read_var_search(ph_func *f, uint32_t var, ph_landing l) {
  uint32_t bottom = f->state->frames.n;
  for (;;) {
    uint32_t v = decide(f, var, l), next = l.block;
    if (v != 0) {
      v = hand_back(f, var, bottom, v);
      if (v != 0) return v;
      next = next_of_top(f);
    } else if (!ph_climb_link(f, l.block)) {
      enter(f, var, l.block);
      next = next_of_top(f);
    }
    l = ph_climb_from(f, var, next);
    if (f->details) ph_detail_climb(f, var, next, l);
  }
}

uint32_t ph_read_var_lookup(ph_func *f, uint32_t var, uint32_t b) {
  ph_landing l = ph_climb_from(f, var, b);
  if (f->details) ph_detail_climb(f, var, b, l);
  return ph_read_var_result(f, var, l);
}
