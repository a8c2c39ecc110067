/* finish.c: ends construction, and reopens it.
**
** The order matters: unreachable blocks are dropped (or cut off, unreachable.c)
** before redundant phis are searched for, because edges from dead code keep
** unnecessary phis alive.
*/
#include "core/analysis/redundant_phi.h"
#include "core/construct/refine.h"
#include "core/construct/undef_reads.h"
#include "core/construct/unreachable.h"
#include "core/edit/edge_order.h"
#include "core/ir/block.h"
#include "core/ir/contract.h"
#include "core/ir/event.h"
#include "core/ir/value.h"
#include "core/lookup/trivial_phi.h"
#include "core/simplify/peephole.h"
#include "core/simplify/reads.h"
#include "core/simplify/revisit.h"
#include "core/simplify/twins.h"
#include "phial/analysis.h"
#include "phial/construct.h"

/*
** {== Redundant phis =================================================
**
** Redundant sets of phis (section 3.2) are removed all in one pass; what
** replaces them is found by dominators (analysis/redundant_phi.c).
*/

static void replace_redundant(ph_func *f, uint32_t phi, uint32_t by) {
  if (by == PH_NOTHING) by = ph_const_undef(f, ph_node_of(f, phi)->type).id;
  ph_event_note(f, PH_EV_REDUNDANT, ph_node_of(f, phi)->block, 0, phi, by);
  ph_value_takeout(f, phi);
  ph_value_replace(f, phi, by);
  f->stats.redundant_phis++;
}

static void replace_all_redundant(ph_func *f, const uint32_t *top) {
  PH_EACH_BLOCK(f, b) {
    uint32_t v = ph_blockrec_of(f, b)->first_phi;
    while (v != 0) {
      uint32_t next = ph_node_of(f, v)->next;
      if (top[v] != 0) replace_redundant(f, v, top[v]);
      v = next;
    }
  }
}

/* Construction does not look through refinements: phis that it calls firm can
** be redundant then. */
void ph_redundant_phi_remove(ph_func *f) {
  const ph_ids *unproven =
      ph_ptr(f)->refines ? NULL : ph_trivial_phi_unproven(f);
  if (unproven != NULL ? unproven->n > 0 : f->phis.n > 1) {
    ph_arena_mark bottom = ph_scratch_enter(f);
    const uint32_t *top = ph_redundant_phi_tops(f, &f->scratch, unproven);
    if (top != NULL) replace_all_redundant(f, top);
    ph_scratch_leave(f, bottom);
  }
  ph_trivial_phi_forget(f);
  f->as_placed = false;
}

/* }== The steps ====================================================== */

ph_block ph_finish_unfilled(const ph_func *f, ph_block b) {
  do b = ph_block_next(f, b);
  while (ph_some(b) && ph_block_isfilled(f, b));
  return b;
}

ph_block ph_finish_unsealed(const ph_func *f, ph_block b) {
  ph_require((!ph_some(b) || ph_contract_hasblock(f, b)) &&
             "none, or a block of this function");
  for (b.id++; b.id < f->blocks.n; b.id++) {
    const ph_blockrec *block = ph_blockrec_of(f, b.id);
    if (!block->sealed && !block->removed) return b;
  }
  return ph_blockid(0);
}

void ph_finish_sealall(ph_func *f) {
  ph_block b = {0};
  ph_require(ph_contract_isopen(f) && "a function under construction");
  if (f->state != NULL && ph_state_countsall(f, f->state->sealed)) return;
  b = ph_finish_unsealed(f, b);
  for (; ph_some(b); b = ph_finish_unsealed(f, b)) ph_build_seal(f, b);
}

void ph_finish_keepunreachable(ph_func *f, bool keep) {
  ph_require((!keep || ph_ptr(f)->deferred == NULL) &&
             "construction on the fly");
  f->keeps_unreachable = keep;
  f->flow_changes++;
}

bool ph_finish_keepsunreachable(const ph_func *f) {
  return ph_ptr(f)->keeps_unreachable;
}

void ph_finish_dropunreachable(ph_func *f) {
  ph_unreachable_putback(ph_ptr(f)); /* a callback had failed */
  ph_unreachable_remove(f);
}

void ph_finish_close(ph_func *f) {
  ph_require(ph_contract_isopen(f) && "a function under construction");
  ph_undef_reads_keep(f);
  f->state = NULL;
  f->built = 0;
  ph_peephole_forget(f);
  ph_arena_done(&f->working);
  f->finished = true;
  ph_event_note(f, PH_EV_FINISHED, 0, 0, 0, 0);
}

/* }== Simplifying ==================================================== */

/* True if phis were redundant. */
static bool remove_phis(ph_func *f) {
  uint32_t phis = f->stats.redundant_phis;
  ph_redundant_phi_remove(f);
  return f->stats.redundant_phis != phis;
}

/* The second round mostly finds nothing.  Only loops in loops written to that
** end need more rounds than this; then the rest stays as it is. */
enum { ROUNDS = 16 };

/* How far simplifying has come. */
typedef struct {
  bool all;      /* the next round looks at every value */
  bool joins;    /* operands of phis have changed since twins were merged */
  bool again;    /* a pass may find more, even if no twins are merged */
  bool dead;     /* unneeded phis may be left */
  bool failed;   /* a callback did */
  bool reads;    /* there may be reads of memory */
  bool accesses; /* ... whose operands have changed since they were merged */
  const ph_domtree *d;  /* in f->rounds; NULL: an edge was removed since */
  ph_arena_mark bottom; /* of f->rounds */
  uint64_t steps;       /* what further passes may cost */
} progress;

static const ph_domtree *tree_of(ph_func *f, progress *p) {
  if (p->d != NULL) return p->d;
  ph_arena_release(&f->rounds, p->bottom);
  ph_body_settle(f);
  return p->d = ph_dom_blocks(f, &f->rounds);
}

/* True if equal phis were merged.  Phis may be redundant then.  Copies and accesses
** tell of variables, which phis stand for.  What used equal phis may equal a value
** that the next pass would not visit. */
static bool merge_twins(ph_func *f, progress *p) {
  bool due = p->joins && !f->options.copies && ph_twins_exist(f);
  p->joins = due;
  if (!due) return false;
  ph_twins_merge(f, tree_of(f, p));
  remove_phis(f);
  p->all = p->dead = p->accesses = true;
  return true;
}

/* True if a pass has anything to look at. */
static bool is_due(const ph_func *f, const progress *p, ph_revisit_what what,
                   bool merged) {
  if (what.reads) return true;
  return (merged || p->again) && (p->all || ph_revisit_isneeded(f));
}

/* Merges phis, then runs a pass if that, or the pass before, has left something to
** it, and clears up after it.  True if another round may find more. */
static bool simplify_round(ph_func *f, progress *p) {
  ph_revisited r = {0};
  bool merged = merge_twins(f, p), redundant;
  ph_revisit_what what = {p->all,
                          p->reads && p->accesses && ph_reads_mayanswer(f)};
  if (is_due(f, p, what, merged))
    r = ph_revisit_run(f, tree_of(f, p), what, &p->steps);
  if (r.cut) {
    p->d = NULL;
    ph_unreachable_remove(f);
  }
  redundant = r.joins && remove_phis(f);
  p->again = redundant || r.late || r.cut || (r.joins && r.unlike);
  p->accesses = p->again || r.accesses;
  p->joins |= r.joins;
  p->dead |= redundant || r.dead;
  p->failed = r.failed;
  /* A value may have lost users that were cut off, and rules count users. */
  p->all |= r.cut && f->matcher != NULL;
  return (merged || r.changed) && !r.failed && p->steps > 0;
}

static bool simplify(ph_func *f, bool all) {
  progress p = {.all = all,
                .joins = true,
                .again = true,
                .accesses = true,
                .bottom = ph_arena_here(&f->rounds),
                .steps = ph_revisit_steps(f)};
  int rounds = ROUNDS;
  ph_trivial_phi_forget(f);
  p.reads = all || f->peephole->reading;
  if (f->matcher != NULL) {
    p.all |= ph_match_late(f, true);
    ph_fuel_startpasses(f, &f->peephole->fuel);
  }
  while (simplify_round(f, &p) && --rounds > 0) continue;
  if (p.dead) ph_dead_phi_remove(f);
  ph_fuel_endpasses(&f->peephole->fuel);
  if (f->matcher != NULL) ph_match_late(f, false);
  ph_arena_release(&f->rounds, p.bottom);
  return !p.failed;
}

bool ph_finish_simplify(ph_func *f, bool all) {
  bool good;
  if (ph_ptr(f)->peephole == NULL) return true;
  if (f->keeps_unreachable && f->before == NULL) ph_unreachable_remove(f);
  good = simplify(f, all);
  if (ph_unreachable_putback(f)) ph_finish_phis(f);
  return good;
}

/* }== Together ======================================================= */

void ph_finish_phis(ph_func *f) {
  bool lazy = ph_ptr(f)->state != NULL && f->state->defs.lazy != NULL;
  bool cut = f->keeps_unreachable && f->before == NULL;
  if (f->deferred != NULL)
    f->deferred->place(f);
  else
    ph_redundant_phi_remove(f);
  if (lazy) ph_refine_order(f);
  if (f->refines || cut) ph_dead_phi_remove(f);
  if (lazy) ph_refine_unsplit(f);
}

bool ph_finish_do(ph_func *f, ph_finish_step step) {
  switch (step) {
    case PH_FINISH_SEALED:
      ph_finish_sealall(f);
      break;
    case PH_FINISH_REACHABLE:
      ph_finish_dropunreachable(f);
      break;
    case PH_FINISH_PHIS:
      if (f->finished)
        ph_redundant_phi_remove(f);
      else
        ph_finish_phis(f);
      break;
    case PH_FINISH_SIMPLIFIED:
      return ph_finish_simplify(f, f->finished);
    default:
      ph_finish_close(f);
  }
  return true;
}

bool ph_finish_run(ph_func *f) {
  const ph_block none = {0};
  int step = PH_FINISH_SEALED;
  ph_require(ph_contract_isopen(f) && "a function under construction");
  ph_require(!ph_some(ph_finish_unfilled(f, none)) && "every block is filled");
  while (step < PH_FINISH_STEPS && ph_finish_do(f, (ph_finish_step)step))
    step++;
  return step == PH_FINISH_STEPS;
}

bool ph_finish_isdone(const ph_func *f) { return ph_ptr(f)->finished; }

bool ph_finish_isfrozen(const ph_func *f) { return ph_ptr(f)->frozen; }

void ph_finish_reopen(ph_func *f) {
  ph_must(ph_ptr(f)->finished && "a finished function");
  ph_edge_order_forget(f);
  f->finished = false;
  ph_event_note(f, PH_EV_REOPENED, 0, 0, 0, 0);
}

/* }=================================================================== */
