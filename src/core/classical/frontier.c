/* frontier.c: phis at iterated dominance frontiers.
**
** The frontier of a block b consists of the blocks that b does not strictly
** dominate, but a predecessor of which it dominates: there, a value written in
** b meets others.  Frontiers are computed from the joins, as in Cooper, Harvey
** and Kennedy, "A Simple, Fast Dominance Algorithm" (2001): from each
** predecessor of a join up to the join's immediate dominator.  Together they
** can have quadratic size (nested loops of the form repeat ... until); that is
** inherent to these algorithms.
**
** The phis of a variable are placed with a worklist (Cytron et al., Figure 11):
** a phi is a write, too.  Pruned and semi-pruned form are a condition on the
** block or the variable.
*/
#include "core/classical/program.h"
#include "core/ir/event.h"

static ph_csr frontiers(const ph_program *p) {
  uint32_t *last = ph_program_numbers(p);
  ph_pairs pairs = {{0}, {0}};
  ph_csr g;
  PH_EACH_BLOCK(p->f, b) {
    if (ph_blockrec_of(p->f, b)->npreds < 2) continue;
    PH_EACH_PRED(p->f, b, e) {
      uint32_t up = p->f->edges.at[e].from;
      for (; up != p->d->idom[b] && last[up] != b; up = p->d->idom[up]) {
        last[up] = b;
        ph_csr_add(&pairs, p->a, up, b);
      }
    }
  }
  g = ph_csr_make(p->a, p->nblocks, &pairs);
  ph_csr_forget(p->a, &pairs);
  return g;
}

/* What is known of the variable at hand; a block has a property if its number
** there is that of the variable. */
typedef struct {
  ph_program *p;
  ph_csr frontier;
  uint32_t *queued; /* it has been in the worklist */
  uint32_t *placed; /* it has a phi */
  uint32_t *live;   /* the variable is live at its start; NULL: not asked */
  uint32_t *writes; /* with `live`: it writes the variable */
  ph_ids todo;
} placing;

/* Tells that b is in the frontier of `from`, or (var) has a phi therefore. */
static void tell(ph_func *f, ph_eventkind kind, uint32_t from, uint32_t var,
                 uint32_t b) {
  ph_event e = {.kind = kind, .block = {b}, .var = {var}, .from = {from}};
  ph_event_keep(f, e);
}

static void mark_live(placing *g, uint32_t var, uint32_t b) {
  if (g->live[b] == var) return;
  g->live[b] = var;
  ph_ids_push(&g->todo, g->p->a, b);
}

/* Follows the variable backwards from its reads to its writes. */
static void find_live(placing *g, uint32_t var) {
  const ph_csr *writers = &g->p->writers, *readers = &g->p->readers;
  const ph_func *f = g->p->f;
  for (uint32_t i = writers->first[var]; i < writers->first[var + 1]; i++)
    g->writes[writers->to[i]] = var;
  for (uint32_t i = readers->first[var]; i < readers->first[var + 1]; i++)
    mark_live(g, var, readers->to[i]);
  while (g->todo.n > 0) {
    uint32_t b = g->todo.at[--g->todo.n];
    PH_EACH_PRED(f, b, e) {
      uint32_t from = f->edges.at[e].from;
      if (g->writes[from] != var) mark_live(g, var, from);
    }
  }
}

static void queue_block(placing *g, uint32_t var, uint32_t b) {
  if (g->queued[b] == var) return;
  g->queued[b] = var;
  ph_ids_push(&g->todo, g->p->a, b);
  ph_event_notedetail(g->p->f, PH_EV_QUEUED, b, var, 0);
}

/* Places a phi in b, which is in the frontier of `from`. */
static void place_phi(placing *g, uint32_t var, uint32_t from, uint32_t b) {
  if (g->placed[b] == var) return;
  if (g->live != NULL && g->live[b] != var) return;
  g->placed[b] = var;
  ph_program_place(g->p, var, b);
  if (g->p->f->details) tell(g->p->f, PH_EV_PLACED, from, var, b);
  queue_block(g, var, b);
}

static void place_var(placing *g, uint32_t var) {
  const ph_csr *writers = &g->p->writers, *frontier = &g->frontier;
  if (g->live != NULL) find_live(g, var);
  for (uint32_t i = writers->first[var]; i < writers->first[var + 1]; i++)
    queue_block(g, var, writers->to[i]);
  while (g->todo.n > 0) {
    uint32_t b = g->todo.at[--g->todo.n];
    ph_event_notedetail(g->p->f, PH_EV_TAKEN, b, var, 0);
    for (uint32_t i = frontier->first[b]; i < frontier->first[b + 1]; i++)
      place_phi(g, var, b, frontier->to[i]);
  }
}

void ph_frontier_place(ph_program *p, ph_classic which) {
  placing g = {.p = p};
  g.frontier = frontiers(p);
  if (p->f->details) {
    for (uint32_t b = 1; b < g.p->nblocks; b++)
      for (uint32_t i = g.frontier.first[b]; i < g.frontier.first[b + 1]; i++)
        tell(g.p->f, PH_EV_FRONTIER, b, 0, g.frontier.to[i]);
  }
  g.queued = ph_program_numbers(p);
  g.placed = ph_program_numbers(p);
  if (which == PH_CHOI) {
    g.live = ph_program_numbers(p);
    g.writes = ph_program_numbers(p);
  }
  for (uint32_t var = 1; var < p->nvars; var++)
    if (which == PH_CYTRON || ph_program_isglobal(p, var)) place_var(&g, var);
}
