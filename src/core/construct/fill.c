/* fill.c: terminators, which end blocks.
**
** A block that was given the number of its predecessors seals itself when the
** last one has arrived.  A block that is sealed without predecessors, and is not
** the entry, is dead: it accepts instructions, but its terminator adds no edges,
** so that its successors need not wait for it.  The edges that simplification
** folds away count as arrived, and are remembered for error messages.
*/
#include "phial/construct.h"

#include "core/base/noinline.h"
#include "core/ir/block.h"
#include "core/ir/contract.h"
#include "core/ir/event.h"
#include "core/ir/op.h"
#include "core/ir/opcheck.h"
#include "core/ir/value.h"
#include "core/lookup/state.h"
#include "core/simplify/peephole.h"

/* Counts off one of the predecessors that b was made for: its edge has arrived,
** or never will. */
static void count_off(ph_func *f, uint32_t b) {
  ph_blockrec *block = ph_blockrec_of(f, b);
  ph_require((block->awaited > 0 || ph_block_announced(f, ph_blockid(b)) < 0) &&
             "no more edges than were announced");
  if (block->awaited == 0 || --block->awaited > 0 || block->sealed) return;
  ph_build_seal(f, ph_blockid(b));
}

/* Makes the terminator of b and its edges. */
static inline uint32_t make_end(ph_func *f, uint32_t b, ph_op op,
                                const ph_value *args, uint32_t n,
                                const ph_block *targets, uint32_t m,
                                bool arriving) {
  uint32_t v = ph_value_add(f, b, op, PH_NOTYPE, args, n);
  ph_blockrec *block;
  ph_join_skip_fill(f, &ph_state_of(f, b)->skips, b);
  ph_block_connect(f, b, targets, m, arriving);
  block = ph_blockrec_of(f, b);
  block->filled = true;
  block->places[PH_AT_FILLED] = ph_srcloc_now(f);
  ph_event_note(f, PH_EV_FILLED, b, 0, v, 0);
  return v;
}

/* The same for a dead block, which is rare. */
static PH_NOINLINE uint32_t end_dead(ph_func *f, uint32_t b, ph_op op,
                                     const ph_value *args, uint32_t n,
                                     const ph_block *targets, uint32_t m) {
  uint32_t v = make_end(f, b, op, args, n, targets, m, false);
  for (uint32_t i = 0; i < m; i++)
    ph_block_cut(f, ph_blockrec_of(f, b)->first_succ + i);
  return v;
}

/* Ends b with a terminator and its edges. */
static inline uint32_t end_block(ph_func *f, uint32_t b, ph_op op,
                                 const ph_value *args, uint32_t n,
                                 const ph_block *targets, uint32_t m) {
  if (ph_body_addsnone(f, b)) return end_dead(f, b, op, args, n, targets, m);
  return make_end(f, b, op, args, n, targets, m, true);
}

/* Ends b with the terminator *p. */
static uint32_t end_as(ph_func *f, const ph_pending *p) {
  ph_value few[PH_FEW], *args = few;
  ph_block some[PH_FEW], *targets = some;
  if (p->nargs > PH_FEW || p->ntargets > PH_FEW) {
    args = ph_arena_alloc(&f->scratch, (p->nargs + 1) * sizeof *args);
    targets = ph_arena_alloc(&f->scratch, (p->ntargets + 1) * sizeof *targets);
  }
  for (uint32_t i = 0; i < p->nargs; i++) args[i].id = p->args[i];
  for (uint32_t i = 0; i < p->ntargets; i++) targets[i].id = p->targets[i];
  return end_block(f, p->block, p->op, args, p->nargs, targets, p->ntargets);
}

/* Records that b was to lead to `to`, but does not. */
static void note_folded(ph_func *f, uint32_t b, uint32_t to) {
  ph_state *state = ph_state_of(f, b);
  ph_ids *all = &state->folded;
  if (all->n == 0) ph_ids_push(all, &f->working, 0); /* index 0 is none */
  ph_ids_extend(&state->unfolded, &f->working, b + 1);
  ph_ids_push(all, &f->working, to);
  ph_ids_push(all, &f->working, state->unfolded.at[b]);
  state->unfolded.at[b] = all->n - 2;
}

/* Simplifies the terminator and ends b with it; 0: a callback failed. */
static uint32_t end_simpler(ph_func *f, uint32_t b, ph_op op,
                            const ph_value *args, uint32_t n,
                            const ph_block *targets, uint32_t m) {
  ph_arena_mark bottom = ph_scratch_open(f);
  uint32_t few[2 * PH_FEW], v = 0;
  ph_pending p = ph_peephole_room(f, n, m, few);
  p.block = b;
  p.op = op;
  for (uint32_t i = 0; i < n; i++) p.args[i] = ph_body_resolve(f, args[i].id);
  for (uint32_t i = 0; i < m; i++) p.targets[i] = targets[i].id;
  if (ph_peephole_end(f, &p)) v = end_as(f, &p);
  if (v != 0 && p.ntargets < m)
    for (uint32_t i = 0; i < m; i++)
      if (ph_block_findedge(f, b, targets[i].id) == 0)
        note_folded(f, b, targets[i].id);
  ph_scratch_leave(f, bottom);
  return v;
}

bool ph_build_isfolded(const ph_func *f, ph_block b, ph_block to) {
  const ph_state *state = ph_ptr(f)->state;
  uint32_t edge, i = 0;
  ph_require(ph_contract_hasblock(f, b) && ph_contract_hasblock(f, to) &&
             "blocks of this function");
  edge = ph_block_findedge(f, b.id, to.id);
  if (edge != 0) return ph_body_iscut(f, edge);
  if (state != NULL && b.id < state->unfolded.n) i = state->unfolded.at[b.id];
  while (i != 0 && state->folded.at[i] != to.id) i = state->folded.at[i + 1];
  return i != 0;
}

/* The targets of a block that adds no edges may be sealed. */
static inline void require_targets(const ph_func *f, ph_block b,
                                   const ph_block *targets, uint32_t m) {
  for (uint32_t i = 0; i < m; i++) {
    ph_require(ph_contract_keeps(f, ph_ptr(targets)[i]) &&
               "targets are blocks of this function");
    ph_require(targets[i].id != 1 && "no edge leads to the entry");
    ph_require(
        (!ph_blockrec_of(f, targets[i].id)->sealed ||
         ph_body_addsnone(f, b.id)) &&
        "no edge leads to a sealed block: seal it when all have arrived");
  }
}

static inline void require_end(ph_func *f, ph_block b, ph_op op,
                               const ph_value *args, uint32_t n, uint32_t m) {
  ph_require(ph_contract_isopen(f) && "a function under construction");
  ph_require(ph_contract_keeps(f, b) && "a block of this function");
  ph_require(!ph_blockrec_of(f, b.id)->filled && "one terminator");
  ph_require(ph_contract_hasop(f, op) && ph_op_has(f, op, PH_TERMINATOR) &&
             "a terminator");
  ph_require(ph_contract_hasvalues(f, args, n) &&
             "operands are values of this function");
  ph_require(ph_opcheck_fits(f, op, PH_NOTYPE, args, n) &&
             "operands that fit the op");
  ph_require(ph_opcheck_fittargets(f, op, n, m) &&
             "as many targets as the op takes");
  ph_require((op != PH_SWITCH || ph_opcheck_fitkeys(f, args, n)) &&
             "keys are distinct constants");
}

/* Edges that were folded away count as arrived, too. */
ph_value ph_build_fill(ph_func *f, ph_block b, ph_op op, const ph_value *args,
                       uint32_t n, const ph_block *targets, uint32_t m) {
  uint32_t v;
  require_end(f, b, op, args, n, m);
  require_targets(f, b, targets, m);
  if (f->peephole != NULL && ph_peephole_mayend(f, op))
    v = end_simpler(f, b.id, op, args, n, targets, m);
  else
    v = end_block(f, b.id, op, args, n, targets, m);
  if (v != 0 && f->announced.n > 0)
    for (uint32_t i = 0; i < m; i++) count_off(f, targets[i].id);
  return ph_valueid(v);
}

ph_value ph_build_jump(ph_func *f, ph_block b, ph_block target) {
  return ph_build_fill(f, b, PH_JUMP, NULL, 0, &target, 1);
}

ph_value ph_build_branch(ph_func *f, ph_block b, ph_value cond, ph_block then,
                         ph_block otherwise) {
  ph_block targets[2];
  targets[0] = then;
  targets[1] = otherwise;
  return ph_build_fill(f, b, PH_BRANCH, &cond, 1, targets, 2);
}

ph_value ph_build_ret(ph_func *f, ph_block b, ph_value v) {
  ph_require(ph_body_nresults(ph_ptr(f)) == ph_some(v) &&
             "a value exactly if the function returns one");
  return ph_build_fill(f, b, PH_RET, &v, ph_some(v), NULL, 0);
}

ph_value ph_build_trap(ph_func *f, ph_block b, ph_str message) {
  const ph_data data = {ph_intern_add(ph_ptr(f), message), PH_DATA_STR};
  ph_value v = ph_build_fill(f, b, PH_TRAP, NULL, 0, NULL, 0);
  ph_value_setdata(f, v, data);
  return v;
}

/*
** {== Refinements ====================================================
**
** What the edges of a branch say is recorded before they are made, because a
** target can seal itself when its last edge arrives.
*/

/* Returns the constant that the condition of b is on its way to target i, or
** none: on the default edge of a switch, nothing is known. */
static ph_value side_of(ph_func *f, ph_op op, const ph_value *args,
                        uint32_t i) {
  if (op == PH_BRANCH) return ph_const_int(f, PH_I1, i == 0);
  return i > 0 ? args[i] : ph_valueid(0);
}

/* Returns, by index, whether another target is the same block. */
static const bool *find_shared(ph_func *f, const ph_block *targets,
                               uint32_t m) {
  bool *shared = ph_arena_zero(&f->scratch, m * sizeof *shared);
  ph_idmap first = {0}; /* by block: 1 + the index of its first one */
  for (uint32_t i = 0; i < m; i++) {
    uint32_t k = ph_idmap_get(&first, targets[i].id);
    if (k == 0)
      ph_idmap_set(&first, &f->scratch, targets[i].id, i + 1);
    else
      shared[k - 1] = shared[i] = true;
  }
  return shared;
}

/* Records what the edges from b to its targets say of the variables. */
static void record_refinements(ph_func *f, uint32_t b, ph_op op,
                               const ph_value *args, const ph_block *targets,
                               uint32_t m, const ph_refined *what) {
  ph_lazy *l = ph_state_lazy(f);
  ph_arena_mark bottom = ph_scratch_open(f);
  const bool *shared = find_shared(f, targets, m);
  for (uint32_t i = 0; i < m; i++) {
    ph_refinement r = {.from = b, .condition = args[0].id, .index = i};
    r.split = what->split;
    r.shared = shared[i];
    r.side = side_of(f, op, args, i).id;
    for (uint32_t j = 0; j < what->n && r.side != 0; j++) {
      r.var = what->vars[j].id;
      ph_lazy_refine(f, l, targets[i].id, r);
    }
  }
  ph_scratch_leave(f, bottom);
}

ph_value ph_build_refine(ph_func *f, ph_block b, ph_op op, const ph_value *args,
                         uint32_t n, const ph_block *targets, uint32_t m,
                         const ph_refined *what) {
  uint32_t before;
  ph_value v;
  require_end(f, b, op, args, n, m);
  require_targets(f, b, targets, m);
  ph_require((op == PH_BRANCH || op == PH_SWITCH) && "a branch or a switch");
  ph_require(f->deferred == NULL && "construction on the fly");
  for (uint32_t j = 0; j < ph_ptr(what)->n; j++)
    ph_require(ph_contract_hasvar(f, what->vars[j]) &&
               "variables of this function");
  if (ph_body_isdead(f, b.id)) {
    f->stats.dropped_refinements += what->n * (op == PH_BRANCH ? 2 : m - 1);
    return ph_build_fill(f, b, op, args, n, targets, m);
  }
  before = ph_state_lazy(f)->refinements.n;
  record_refinements(f, b.id, op, args, targets, m, what);
  v = ph_build_fill(f, b, op, args, n, targets, m);
  if (!ph_some(v)) ph_lazy_forget(f->state->defs.lazy, before);
  return v;
}

/* }=================================================================== */
