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
** Cycles.  The simple variant puts an operandless phi into each such join
** before it looks further, as Algorithm 2 does.  The marker variant (section
** 3.3) marks the join instead, and makes a phi only if the look-up comes back
** to the mark or the results differ: no temporary phi in acyclic regions that
** are filled and sealed.
**
** The paper stores the value in every block that a look-up passed.  Here it is
** stored where the look-up made a frame or ended: in joins that were entered,
** in unsealed blocks, in blocks without predecessors and, on a long climb, in
** one block of MEMO_INTERVAL; this one has a frame, too, which looks up `up`
** alone.  The block of a read by the host has it in the variable's cell.
**
** A value on the stack is resolved when it is used: the phi that it names may
** have been replaced meanwhile.
*/
#include "core/lookup/read_var.h"

#include "core/lookup/state.h"
#include "core/ir/const.h"
#include "core/ir/event.h"
#include "core/ir/value.h"

/* Records a definition of var in b, which has none; returns its number. */
static uint32_t record(ph_func *f, uint32_t var, uint32_t b, uint32_t value) {
  return ph_current_def_add(&f->state->defs, &f->working, var, b, value);
}

static uint32_t operandless_phi(ph_func *f, uint32_t var, uint32_t b) {
  return ph_value_newphi(f, b, var, f->vars.at[var].type);
}

static uint32_t incomplete_phi(ph_func *f, uint32_t var, uint32_t b) {
  uint32_t phi = operandless_phi(f, var, b);
  uint32_t number = ph_node_of(f, phi)->aux;
  f->phis.at[number].next = ph_blockrec_of(f, b)->incomplete;
  ph_blockrec_of(f, b)->incomplete = number;
  record(f, var, b, phi | PH_MEMO);
  return phi;
}

/* The look-up has come back to a marked join: replaces the mark by a phi, to
** which the join's frame will give operands. */
static uint32_t break_cycle(ph_func *f, uint32_t var, uint32_t join) {
  uint32_t phi = operandless_phi(f, var, join);
  ph_current_def_put(&f->state->defs, &f->working, var, join, phi | PH_MEMO);
  return phi;
}

/* Makes the pending undef of var, which ph_build_define will replace: not the
** undef of its type, which has other uses. */
static uint32_t pending_undef(ph_func *f, uint32_t var) {
  uint32_t v = ph_value_node(f, PH_UNDEF, f->vars.at[var].type);
  ph_ids_push(&f->state->asked, &f->working, var);
  return v;
}

/* Returns the value of var in b, a block without predecessors. */
static uint32_t no_definition(ph_func *f, uint32_t var, uint32_t b) {
  ph_varrec *r = &f->vars.at[var];
  if (b != 1) return ph_const_undef(f, r->type).id; /* nothing reaches b */
  r->missing = true;
  if (r->undef == 0) {
    uint32_t v = f->options.undefs == PH_UNDEF_ASK
                     ? pending_undef(f, var)
                     : ph_const_undef(f, r->type).id;
    f->vars.at[var].undef = v;
  }
  return ph_body_resolve(f, f->vars.at[var].undef);
}

/* Where a climb ended, and what it found there: a value, with PH_MEMO if it was
** looked up; PH_MARK; or 0. */
typedef struct {
  uint32_t block, found;
} landing;

/* The number of blocks that one climb examines.  What is found further up is
** stored in the last of them, so that the next look-up of this variable need
** not climb the same path again; in all of them, it would take too much
** memory. */
enum { MEMO_INTERVAL = 64 };

/* Climbs from b to the first block
** - that has a definition of var, or a mark;
** - that has no link, or on whose paths from `up` var may be written;
** - or that is the last one that this climb examines. */
static inline landing climb(const ph_func *f, uint32_t var, uint32_t b) {
  const ph_current_def *defs = &f->state->defs;
  const ph_join_skip *at = f->state->skips.blocks.at;
  ph_cell latest = defs->cells.at[var];
  uint64_t bit = ph_join_skip_bit(var);
  landing l = {b, 0};
  int left = MEMO_INTERVAL;
  for (;;) {
    const ph_join_skip *s = &at[l.block];
    if (!(s->written_to_jump & bit)) {
      l.block = s->jump;
      continue;
    }
    if (l.block == latest.block)
      l.found = latest.value;
    else if (s->kept & bit)
      l.found = ph_current_def_find(defs, var, l.block);
    if (l.found != 0 || s->around & bit || left-- == 0) return l;
    l.block = s->up;
  }
}

/* Returns the value at the end of a climb: what was found there, or a phi or
** undef that is made there.  0: the block's predecessors, or its `up`, must be
** looked up. */
static uint32_t decide(ph_func *f, uint32_t var, landing l) {
  const ph_blockrec *block = ph_blockrec_of(f, l.block);
  uint32_t v;
  if (l.found == PH_MARK) return break_cycle(f, var, l.block);
  if (l.found != 0) return l.found & ~PH_MEMO;
  if (!block->sealed) return incomplete_phi(f, var, l.block);
  if (block->npreds > 0) return 0;
  v = no_definition(f, var, l.block);
  record(f, var, l.block, v | PH_MEMO);
  return v;
}

/* Pushes a frame that looks up the predecessors of b or, if no path from `up`
** to b writes var, `up` alone.  The latter needs no mark: the chain of `up`
** links has no cycles. */
static void enter(ph_func *f, uint32_t var, uint32_t b) {
  ph_state *state = f->state;
  ph_frame frame = {b, 0, state->values.n, 0};
  bool simple = f->options.construction == PH_SIMPLE;
  if (!ph_join_skip_istransparent(&state->skips, b, var)) {
    uint32_t v = simple ? operandless_phi(f, var, b) | PH_MEMO : PH_MARK;
    frame.def = record(f, var, b, v);
    frame.edge = ph_blockrec_of(f, b)->first_pred;
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
    if (v == 0) v = operandless_phi(f, var, frame->block) | PH_MEMO;
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

/* Tries to link a join that had no link when it was sealed.  True if it has one
** now. */
static bool try_to_link(const ph_func *f, uint32_t b) {
  ph_join_skips *skips = &f->state->skips;
  return !ph_join_skip_islinked(skips, b) && ph_join_skip_link(f, skips, b);
}

/* Returns the block that the innermost frame looks up next. */
static uint32_t next_of_top(const ph_func *f) {
  const ph_frames *frames = &f->state->frames;
  const ph_frame *top = &frames->at[frames->n - 1];
  return top->edge != 0 ? f->edges.at[top->edge].from
                        : f->state->skips.blocks.at[top->block].up;
}

/* Continues a look-up from where its first climb ended.  A block that can be
** linked now is climbed from once more: the link may lead past it. */
static uint32_t search(ph_func *f, uint32_t var, landing l) {
  uint32_t bottom = f->state->frames.n;
  for (;;) {
    uint32_t v = decide(f, var, l), next = l.block;
    if (v != 0) {
      v = hand_back(f, var, bottom, v);
      if (v != 0) return v;
      next = next_of_top(f);
    } else if (!try_to_link(f, l.block)) {
      enter(f, var, l.block);
      next = next_of_top(f);
    }
    l = climb(f, var, next);
  }
}

/* Returns the result of a look-up whose first climb ended at l. */
static inline uint32_t result_of(ph_func *f, uint32_t var, landing l) {
  if (l.found == 0 || l.found == PH_MARK) return search(f, var, l);
  return ph_body_resolve(f, l.found & ~PH_MEMO);
}

uint32_t ph_read_var_lookup(ph_func *f, uint32_t var, uint32_t b) {
  return result_of(f, var, climb(f, var, b));
}

/* Records a read that found a phi or an undef: it may turn out to be undefined;
** so may any, if the host says what is found then. */
static void note_read(ph_func *f, uint32_t var, uint32_t b, uint32_t v) {
  ph_readrec r = {var, b, v, f->here, f->loc};
  ph_op op = ph_node_of(f, v)->op;
  if (op == PH_PHI) ph_node_of(f, v)->flags |= PH_IS_READ;
  if (op == PH_PHI || op == PH_UNDEF || f->options.undefs == PH_UNDEF_ASK)
    ph_reads_push(&f->reads, &f->arena, r);
}

static bool is_written(landing l, uint32_t b) {
  return l.block == b && l.found != 0 && !(l.found & PH_MEMO);
}

uint32_t ph_read_var_forhost(ph_func *f, uint32_t var, uint32_t b) {
  ph_state *state = ph_state_for(f, var, b);
  landing l = climb(f, var, b);
  uint32_t v;
  if (is_written(l, b)) {
    v = ph_body_resolve(f, l.found);
  } else {
    ph_event_note(f, PH_EV_LOOKUP, b, var, 0, 0);
    v = result_of(f, var, l);
    note_read(f, var, b, v);
    ph_current_def_noteread(&state->defs, var, b, v);
  }
  ph_event_note(f, PH_EV_READ, b, var, v, 0);
  return v;
}
