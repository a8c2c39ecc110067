/* lookup.c: the look-up of a variable from the end of a block upwards:
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
** one block of PH_LOOKUP_INTERVAL; this one has a frame, too, which looks up
** `up` alone.  The block of a read by the host has it in the variable's cell.
**
** A value on the stack is resolved when it is used: the phi that it names may
** have been replaced meanwhile.
*/
#include "core/lookup/lookup.h"

#include "core/base/noinline.h"
#include "core/ir/event.h"
#include "core/ir/value.h"
#include "core/lookup/read_scc.h"
#include "core/lookup/trivial_phi.h"

/*
** {== Phis and undefs ==================================================
*/

/* Makes a phi for var, without operands yet. */
static uint32_t new_phi(ph_func *f, uint32_t var, uint32_t b) {
  return ph_value_newphi(f, b, var, f->vars.at[var].type);
}

/* Makes one in b, which is not sealed: it gets operands when that is sealed. */
static uint32_t new_incomplete(ph_func *f, uint32_t var, uint32_t b) {
  uint32_t phi = new_phi(f, var, b);
  uint32_t number = ph_node_of(f, phi)->aux;
  f->phis.at[number].next = ph_blockrec_of(f, b)->incomplete;
  ph_blockrec_of(f, b)->incomplete = number;
  return phi;
}

/* Records what var is in b, which has no definition of it; returns its number. */
static uint32_t record_def(ph_func *f, uint32_t var, uint32_t b,
                           uint32_t value) {
  return ph_current_def_add(&f->state->defs, &f->working, var, b, value);
}

static uint32_t incomplete_phi(ph_func *f, uint32_t var, uint32_t b) {
  uint32_t phi = new_incomplete(f, var, b);
  record_def(f, var, b, phi | PH_MEMO);
  return phi;
}

/* Makes the pending undef of var, which ph_build_define will replace: not the
** undef of its type, which has other uses. */
static uint32_t pending_undef(ph_func *f, uint32_t var) {
  uint32_t v = ph_value_node(f, PH_UNDEF, f->vars.at[var].type);
  ph_ids_push(&ph_state_room(f)->asked, &f->working, var);
  return v;
}

uint32_t ph_lookup_nodefinition(ph_func *f, uint32_t var, uint32_t b) {
  ph_varrec *r = &f->vars.at[var];
  if (ph_body_isdead(f, b))
    return ph_const_undef(f, r->type).id; /* nothing reaches b */
  r->missing = true;
  if (r->undef == 0) {
    uint32_t v = f->options.undefs == PH_UNDEF_ASK
                     ? pending_undef(f, var)
                     : ph_const_undef(f, r->type).id;
    f->vars.at[var].undef = v;
  }
  return ph_body_resolve(f, f->vars.at[var].undef);
}

/* }== Values of lazy definitions =====================================
**
** A look-up that comes upon a lazy definition gets its value at once and ends:
** the value's operand, what the variable was before, is looked up when that
** look-up is over.  Until then the value is stored as a memo of the block, so a
** look-up that comes back to it ends there, too: cycles need nothing else.
*/

/* Puts v after the instruction `at` of b, or at the start (0).  If finish has
** removed that, v goes to the end: whatever uses v is made later. */
static void insert_behind(ph_func *f, uint32_t v, uint32_t b, uint32_t at) {
  uint32_t next = ph_blockrec_of(f, b)->first;
  if (at != 0)
    next = ph_body_isgone(f, at) ? ph_blockrec_of(f, b)->last
                                 : ph_node_of(f, at)->next;
  if (next != 0)
    ph_value_insert(f, v, next);
  else
    ph_value_append(f, b, v);
}

/* Records the place of the definition for v. */
static void stamp_lazy(ph_func *f, uint32_t v, ph_lazyplace place) {
  ph_stamp now = ph_srcloc_stampof(f);
  ph_srcloc_resume(
      f, (ph_stamp){place.here, place.loc, place.identity, now.every});
  ph_srcloc_stamp(f, v);
  ph_srcloc_resume(f, now);
}

/* Makes a value of var in b, after `at`, without operands yet. */
static uint32_t make_lazy(ph_func *f, ph_op op, uint32_t var, uint32_t b,
                          uint32_t at, ph_lazyplace place) {
  uint32_t v = ph_value_node(f, op, f->vars.at[var].type);
  ph_node_of(f, v)->aux = var;
  ph_node_of(f, v)->flags |= PH_IS_LAZY;
  insert_behind(f, v, b, at);
  stamp_lazy(f, v, place);
  f->refines = true;
  ph_event_note(f, PH_EV_EMIT, b, 0, v, 0);
  return v;
}

uint32_t ph_lookup_refine(ph_func *f, uint32_t var, uint32_t b, uint32_t i) {
  ph_lazy *l = f->state->defs.lazy;
  uint32_t v = make_lazy(f, PH_REFINE, var, b, 0, l->refinements.at[i].place);
  ph_ids_extend(&l->head, &f->working, b + 1);
  if (l->head.at[b] == 0) l->head.at[b] = v;
  ph_madedefs_push(&l->made, &f->working, (ph_madedef){v, 0});
  ph_opendefs_push(&l->open, &f->working, (ph_opendef){var, b, v, i});
  return v;
}

/* What var is at a point of a block. */
typedef struct {
  uint32_t var, block;
  uint32_t value;  /* 0: what it is at the start of the block */
  bool made;       /* `value` is that of a may-write, made now ... */
  uint32_t anchor; /* ... after this instruction */
} state_of;

/* Makes the value of may-write n, which follows `at`. */
static void make_may(ph_func *f, state_of *at, uint32_t n) {
  ph_lazy *l = f->state->defs.lazy;
  const ph_maywrite *m = &l->maywrites.at[n];
  uint32_t args[2] = {at->value, ph_body_resolve(f, m->value)};
  uint32_t behind = m->anchor != 0 ? m->anchor : ph_lazy_headof(l, at->block),
           v;
  if (at->made && at->anchor == m->anchor) behind = at->value;
  v = make_lazy(f, PH_MAY, at->var, at->block, behind, m->place);
  ph_madedefs_push(&l->made, &f->working, (ph_madedef){v, m->anchor + 1});
  if (at->value != 0)
    ph_value_setargs(f, v, args, 2);
  else
    ph_opendefs_push(&l->open, &f->working,
                     (ph_opendef){at->var, at->block, v, n});
  *at = (state_of){at->var, at->block, v, true, l->maywrites.at[n].anchor};
}

/* Makes the values that var has by the lazy definitions of b and stores the
** last one as what var is there; returns it. */
static uint32_t make_lazy_values(ph_func *f, uint32_t var, uint32_t b) {
  ph_current_def *d = &f->state->defs;
  uint32_t number = ph_current_def_number(d, var, b), after = 0, n;
  state_of at = {var, b, d->list.at[number].value, false, 0};
  if (at.value == PH_LAZY) {
    uint32_t i = ph_idmap_get(&d->lazy->of_def, number);
    at.value = ph_lookup_refine(f, var, b, i);
  } else if (at.value == PH_KILLED) {
    at.value = ph_lookup_nodefinition(f, var, b);
    after = d->list.at[number].age;
  } else if (at.value != 0) {
    at.value = ph_body_resolve(f, at.value & ~PH_MEMO);
    after = d->list.at[number].age;
  }
  n = ph_lazy_find(d->lazy, &f->working, var, b, after);
  for (uint32_t i = 0; i < n; i++) make_may(f, &at, d->lazy->found.at[i]);
  ph_current_def_put(d, &f->working, var, b, at.value | PH_MEMO);
  return at.value;
}

/* }== What ends a climb =============================================== */

/* The look-up has come back to a marked join: replaces the mark by a phi, to
** which the join's frame will give operands. */
static uint32_t break_cycle(ph_func *f, uint32_t var, uint32_t join) {
  uint32_t phi;
  ph_event_notedetail(f, PH_EV_MARKFOUND, join, var, 0);
  phi = new_phi(f, var, join);
  ph_current_def_put(&f->state->defs, &f->working, var, join, phi | PH_MEMO);
  return phi;
}

/* Returns the result at the end of a climb that found no value: a mark, a lazy
** definition, or that the variable has ended. */
static uint32_t decide_other(ph_func *f, uint32_t var, ph_landing l) {
  if (l.found == PH_KILLED) return ph_lookup_nodefinition(f, var, l.block);
  if (l.found == PH_LAZY) return make_lazy_values(f, var, l.block);
  return f->options.construction == PH_SCC ? ph_read_scc_marked(f, var, l.block)
                                           : break_cycle(f, var, l.block);
}

/* Returns the value at the end of a climb: what was found there, or a phi or
** undef that is made there.  0: the block's predecessors, or its `up`, must be
** looked up. */
static uint32_t decide(ph_func *f, uint32_t var, ph_landing l) {
  const ph_blockrec *block = ph_blockrec_of(f, l.block);
  uint32_t v;
  if (l.found >= PH_KILLED) return decide_other(f, var, l);
  if (l.found != 0) return l.found & ~PH_MEMO;
  if (!block->sealed) return incomplete_phi(f, var, l.block);
  if (block->npreds > 0) return 0;
  v = ph_lookup_nodefinition(f, var, l.block);
  record_def(f, var, l.block, v | PH_MEMO);
  return v;
}

/* }== Frames ========================================================= */

/* Pushes a frame that looks up the predecessors of b or, if no path from `up`
** to b writes var, `up` alone.  The latter needs no mark: the chain of `up`
** links has no cycles. */
static void enter_join(ph_func *f, uint32_t var, uint32_t b) {
  ph_state *state = f->state;
  ph_frame frame = {b, 0, state->values.n, 0};
  bool mark = f->options.construction == PH_MARKER;
  if (f->options.construction == PH_SCC) {
    ph_read_scc_enter(f, var, b);
    return;
  }
  if (!ph_join_skip_istransparent(&state->skips, b, var)) {
    uint32_t v = mark ? PH_MARK : new_phi(f, var, b) | PH_MEMO;
    frame.def = record_def(f, var, b, v);
    frame.edge = ph_blockrec_of(f, b)->first_pred;
    if (mark) ph_event_notedetail(f, PH_EV_MARKED, b, var, 0);
  }
  ph_frames_push(&state->frames, &f->working, frame);
}

/* Returns the value on which the n results from `base` on agree, or 0. */
static inline uint32_t agreed(const ph_func *f, uint32_t base, uint32_t n) {
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
      v = new_phi(f, var, frame->block) | PH_MEMO;
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

/* }== Look-ups ======================================================= */

/* Returns the number of links from block `from` up to block `to`. */
static uint32_t count_links(const ph_func *f, uint32_t from, uint32_t to) {
  const ph_join_skip *at = f->state->skips.blocks.at;
  uint32_t n = 0;
  for (; at[from].tree != at[to].tree; from = at[at[from].tree].up)
    n += at[from].depth + 1;
  return n + at[from].depth - at[to].depth;
}

void ph_lookup_tellclimb(ph_func *f, uint32_t var, uint32_t from,
                         ph_landing l) {
  ph_event e = {.kind = PH_EV_CLIMB, .block = {l.block}, .var = {var}};
  uint32_t links = count_links(f, from, l.block);
  e.from.id = from;
  e.index = links > 0 ? links - 1 : 0;
  if (l.found != 0 && l.found < PH_KILLED)
    e.value.id = ph_body_resolve(f, l.found & ~PH_MEMO);
  if (from != l.block || e.value.id != 0) ph_event_keep(f, e);
}

/* Tries to link a join that had no link when it was sealed.  True if it has one
** now: a climb from it may lead further. */
static bool link_again(const ph_func *f, uint32_t b) {
  ph_join_skips *skips = &f->state->skips;
  return !ph_join_skip_islinked(skips, b) && ph_join_skip_link(f, skips, b);
}

/* True if a variable without a cell is undefined everywhere: nothing defines it, no
** edge is missing by which a definition could come, and the entry reaches each
** block, since in dead code nobody is asked what is undefined. */
static PH_NOINLINE bool is_undefined(const ph_func *f) {
  const ph_state *state = f->state;
  return state->defs.lazy == NULL && ph_state_countsall(f, state->entered);
}

/* A block that can be linked now is climbed from once more: the link may lead
** past it. */
uint32_t ph_lookup_continue(ph_func *f, uint32_t var, ph_landing l) {
  uint32_t bottom = f->state->frames.n;
  if (l.found == 0 && f->state->defs.cells.at[var].block == 0 &&
      is_undefined(f))
    return ph_lookup_nodefinition(f, var, 1);
  for (;;) {
    uint32_t v = decide(f, var, l), next = l.block;
    if (v != 0) {
      v = hand_back(f, var, bottom, v);
      if (v != 0) return v;
      next = next_of_top(f);
    } else if (!link_again(f, l.block)) {
      enter_join(f, var, l.block);
      next = next_of_top(f);
    }
    l = ph_lookup_climb(f, var, next);
    if (f->details) ph_lookup_tellclimb(f, var, next, l);
  }
}

uint32_t ph_lookup_value(ph_func *f, uint32_t var, uint32_t b) {
  ph_landing l = ph_lookup_climb(f, var, b);
  if (f->details) ph_lookup_tellclimb(f, var, b, l);
  return ph_lookup_result(f, var, l);
}

/* }== Operands of lazy values ========================================
**
** The operand is what the variable is at the start of the block: that of all
** predecessors, or a phi of the block.  The phi is no definition of the block:
** look-ups that come to the block find the lazy value, which is after it.
*/

/* Looks up all predecessors of b. */
static uint32_t of_predecessors(ph_func *f, uint32_t var, uint32_t b) {
  ph_ids *values = &f->state->values;
  uint32_t base = values->n, v;
  PH_EACH_PRED(f, b, e) {
    v = ph_lookup_value(f, var, f->edges.at[e].from);
    ph_ids_push(values, &f->working, v);
  }
  v = agreed(f, base, values->n - base);
  if (v == 0) {
    v = new_phi(f, var, b);
    ph_trivial_phi_complete(f, v, values->at + base, values->n - base);
  }
  values->n = base;
  return ph_body_resolve(f, v);
}

/* Returns what var is at the start of b. */
static uint32_t value_at_start(ph_func *f, uint32_t var, uint32_t b) {
  const ph_join_skips *skips = &f->state->skips;
  const ph_blockrec *block = ph_blockrec_of(f, b);
  if (!block->sealed) return new_incomplete(f, var, b);
  if (block->npreds == 0) return ph_lookup_nodefinition(f, var, b);
  if (ph_join_skip_istransparent(skips, b, var))
    return ph_lookup_value(f, var, skips->blocks.at[b].up);
  return of_predecessors(f, var, b);
}

static void complete_lazy(ph_func *f, const ph_opendef *d, uint32_t before) {
  const ph_lazy *l = f->state->defs.lazy;
  uint32_t args[3] = {before}, n = 2;
  if (ph_node_of(f, d->value)->op == PH_REFINE) {
    const ph_refinement *r = &l->refinements.at[d->record];
    args[1] = ph_body_resolve(f, r->condition);
    args[n++] = r->side;
  } else {
    args[1] = ph_body_resolve(f, l->maywrites.at[d->record].value);
  }
  ph_value_setargs(f, d->value, args, n);
}

void ph_lookup_settle(ph_func *f) {
  ph_lazy *l = f->state->defs.lazy;
  if (l == NULL) return;
  while (l->open.n > 0) {
    ph_opendef d = l->open.at[--l->open.n];
    complete_lazy(f, &d, value_at_start(f, d.var, d.block));
  }
}

/* }=================================================================== */
