/* finish.c: ends construction, and reopens it.
**
** The order matters: unreachable blocks are dropped before redundant phis are
** searched for, because edges from dead code keep unnecessary phis alive.
*/
#include "phial/construct.h"
#include "phial/analysis.h"
#include "core/lookup/state.h"
#include "core/classical/classical.h"
#include "core/construct/unwritten.h"
#include "core/edit/edge_index.h"
#include "core/analysis/rpo.h"
#include "core/ir/event.h"
#include "core/ir/block.h"
#include "core/ir/contract.h"
#include "core/ir/value.h"
#include "core/lookup/trivial_phi.h"
#include "core/construct/revisit.h"
#include "core/ir/uses.h"
#include "core/memory/reads.h"

ph_block ph_finish_unfilled(const ph_func *f, ph_block b) {
  do b = ph_block_next(f, b);
  while (ph_some(b) && ph_block_filled(f, b));
  return b;
}

ph_block ph_finish_unsealed(const ph_func *f, ph_block b) {
  for (b.id++; b.id < f->blocks.n; b.id++) {
    const ph_blockrec *block = ph_blockrec_of(f, b.id);
    if (!block->sealed && !block->removed) return b;
  }
  return ph_blockid(0);
}

/* True if the state has counted every block except the entry.  It does not
** count blocks that are older than it, or that were made sealed. */
static bool counts_all(const ph_func *f, uint32_t count) {
  return count == f->blocks.n - 2;
}

void ph_finish_sealall(ph_func *f) {
  ph_block b = {0};
  ph_require(ph_contract_isopen(f) && "a function under construction");
  if (f->state != NULL && counts_all(f, f->state->sealed)) return;
  b = ph_finish_unsealed(f, b);
  for (; ph_some(b); b = ph_finish_unsealed(f, b)) ph_build_seal(f, b);
}

static void drop_value(ph_func *f, uint32_t v) {
  ph_uses_unlink(f, v);
  ph_node_of(f, v)->flags |= PH_IS_DROPPED;
}

static void drop_block(ph_func *f, uint32_t b) {
  PH_EACH_PHI(f, b, v) drop_value(f, v);
  PH_EACH_INST(f, b, v) drop_value(f, v);
  ph_blockrec_of(f, b)->removed = true;
  ph_event_note(f, PH_EV_DROPPED, b, 0, 0, 0);
}

static bool comes_from_removed(const void *ud, uint32_t edge) {
  const ph_func *f = ud;
  return ph_blockrec_of(f, f->edges.at[edge].from)->removed;
}

/* True if an edge leads from a removed block to b. */
static bool has_removed_pred(const ph_func *f, uint32_t b) {
  PH_EACH_PRED(f, b, e) {
    if (comes_from_removed(f, e)) return true;
  }
  return false;
}

/* True if there were any. */
static bool drop_unreached(ph_func *f) {
  const ph_rpo *o = ph_rpo_compute(f, &f->scratch);
  bool any = false;
  PH_EACH_BLOCK(f, b) {
    if (ph_rpo_reached(o, ph_blockid(b))) continue;
    drop_block(f, b);
    any = true;
  }
  return any;
}

static void unlink_removed(ph_func *f) {
  ph_trivial_phi_forget(f);
  PH_EACH_BLOCK(f, b) {
    if (has_removed_pred(f, b)) ph_block_unlink(f, b, comes_from_removed, f);
  }
}

/* True if an edge leads to b from an older block.  (An edge that was cut comes
** from block 0.) */
static bool is_entered(const ph_func *f, uint32_t b) {
  PH_EACH_PRED(f, b, e) {
    uint32_t from = f->edges.at[e].from;
    if (from != 0 && from < b) return true;
  }
  return b == 1;
}

/* True if every block is obviously reached.  Most frontends make blocks so that
** each is entered from an older one: then no search is necessary. */
static bool all_reached(const ph_func *f) {
  if (f->state != NULL && counts_all(f, f->state->entered)) return true;
  PH_EACH_BLOCK(f, b) {
    if (!is_entered(f, b)) return false;
  }
  return true;
}

void ph_finish_dropunreachable(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  ph_edge_index_forget(f);
  if (!all_reached(f) && drop_unreached(f)) unlink_removed(f);
  if (f->state != NULL) f->state->entered = 0; /* edges may be cut now */
  ph_scratch_leave(f, bottom);
  f->version++;
}

/* Keeps only those recorded reads that can be undefined. */
static void thin_reads(ph_func *f) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < f->reads.n; i++)
    if (f->vars.at[f->reads.at[i].var].missing)
      f->reads.at[kept++] = f->reads.at[i];
  f->reads.n = kept;
}

void ph_finish_close(ph_func *f) {
  ph_require(ph_contract_isopen(f) && "a function under construction");
  thin_reads(f);
  ph_unwritten_keep(f);
  f->state = NULL;
  f->built = 0;
  ph_peephole_forget(f);
  ph_arena_done(&f->working);
  f->finished = true;
  ph_event_note(f, PH_EV_FINISHED, 0, 0, 0, 0);
}

static uint32_t count_blocks(const ph_func *f) {
  uint32_t n = 0;
  PH_EACH_BLOCK(f, b) n++;
  return n;
}

/* Drops what a pass made unreachable or redundant.  True if that was more than
** the pass itself knew of. */
static bool clear(ph_func *f, const ph_revisited *r) {
  uint32_t blocks = count_blocks(f), phis = f->stats.redundant_phis;
  if (r->cut) ph_finish_dropunreachable(f);
  ph_redundant_phi_remove(f);
  return count_blocks(f) + r->dead != blocks || f->stats.redundant_phis != phis;
}

/* The second round mostly finds nothing.  Only loops in loops written to that
** end need more rounds than this; then the rest stays as it is. */
enum { ROUNDS = 16 };

/* How far simplifying has come. */
typedef struct {
  bool all;     /* the next round looks at every value */
  bool changed; /* by any round so far */
  bool failed;  /* a callback did */
  bool reads;   /* there are reads of memory */
} progress;

/* True if reads of memory were merged.  A phi of them may be redundant then. */
static bool merge_reads(ph_func *f, const progress *p) {
  if (!p->reads || ph_reads_merge(f) == 0) return false;
  ph_redundant_phi_remove(f);
  return true;
}

/* Runs one pass and clears up after it.  True if another round may find
** more. */
static bool simplify_round(ph_func *f, progress *p) {
  ph_revisited r = ph_revisit_run(f, p->all);
  bool more = r.changed && (clear(f, &r) || r.late || r.cut);
  if (!r.failed && merge_reads(f, p)) more = r.changed = true;
  p->changed |= r.changed;
  p->failed = r.failed;
  /* A value may have lost users that were cut off, and rules count users. */
  p->all |= r.cut && f->matcher != NULL;
  return more && !r.failed;
}

bool ph_finish_simplify(ph_func *f, bool all) {
  progress p = {.all = all};
  int rounds = ROUNDS;
  if (f->peephole == NULL) return true;
  ph_trivial_phi_forget(f);
  p.reads = all ? ph_reads_exist(f) : f->peephole->reading;
  if (f->matcher != NULL) p.all |= ph_match_late(f, true);
  while (simplify_round(f, &p) && --rounds > 0) continue;
  if (p.changed) ph_dead_phi_remove(f);
  if (f->matcher != NULL) ph_match_late(f, false);
  return !p.failed;
}

void ph_finish_phis(ph_func *f) {
  if (f->occurrences != NULL)
    ph_classical_run(f);
  else
    ph_redundant_phi_remove(f);
}

bool ph_finish_run(ph_func *f) {
  const ph_block none = {0};
  ph_require(ph_contract_isopen(f) && "a function under construction");
  ph_require(!ph_some(ph_finish_unfilled(f, none)) && "every block is filled");
  ph_finish_sealall(f);
  ph_finish_dropunreachable(f);
  ph_finish_phis(f);
  if (!ph_finish_simplify(f, false)) return false;
  ph_finish_close(f);
  return true;
}

bool ph_finish_isdone(const ph_func *f) { return f->finished; }

bool ph_finish_isfrozen(const ph_func *f) { return f->frozen; }

void ph_finish_reopen(ph_func *f) {
  assert(f->finished && "a finished function");
  ph_edge_index_forget(f);
  f->finished = false;
  ph_event_note(f, PH_EV_REOPENED, 0, 0, 0, 0);
}
