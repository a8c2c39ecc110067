/* rename.c: renaming (Cytron et al., Figure 12), without recursion.
**
** The blocks are visited in preorder of the dominator tree.  Each variable has
** its present definition in an array; what a subtree changed is undone by a log
** when the visit leaves it.  (The paper keeps a stack for each variable.)
**
** Most phis of Aycock and Horspool's algorithm are trivial; they go as those of
** construction on the fly do (trivial_phi.c).
*/
#include "core/classical/program.h"

#include "core/ir/event.h"
#include "core/ir/value.h"
#include "core/lookup/lookup.h"
#include "core/lookup/trivial_phi.h"

typedef struct {
  ph_program *p;
  ph_func *f;
  ph_csr phis;        /* by block: the variables that have a phi there */
  uint32_t *value;    /* by index in phis.to: the phi */
  uint32_t *operands; /* of phi i of block b, from at[b] + i * npreds on */
  uint32_t *at;       /* by block */
  uint32_t *index;    /* by edge: its number among the predecessors */
  uint32_t *now;      /* by variable: its definition, or 0 */
  uint32_t *killed;   /* by variable: the last block visited that ended it */
  ph_pairs log;       /* variables, and the definitions that they had before */
  uint32_t *end;      /* by depth: where the subtree ends in the preorder */
  uint32_t *mark;     /* by depth: length of the log before */
  uint32_t first;     /* the number in f->phis of the first phi */
  ph_ids reached;     /* worklist: phis that a read finds */
} renaming;

/*
** {== Phis ===========================================================
*/

static void make_phis(renaming *r) {
  const ph_csr *g = &r->phis;
  uint32_t sum = 0;
  r->first = r->f->phis.n;
  for (uint32_t b = 1; b < g->n; b++) {
    uint32_t n = ph_blockrec_of(r->f, b)->npreds;
    r->at[b] = sum;
    sum += (g->first[b + 1] - g->first[b]) * n;
    for (uint32_t i = g->first[b]; i < g->first[b + 1]; i++)
      r->value[i] =
          ph_value_newphi(r->f, b, g->to[i], r->f->vars.at[g->to[i]].type);
  }
  r->operands = ph_arena_zero(r->p->a, (sum + 1) * sizeof *r->operands);
}

/* }== Definitions ==================================================== */

static void set_now(renaming *r, uint32_t var, uint32_t v) {
  ph_csr_add(&r->log, r->p->a, var, r->now[var]);
  r->now[var] = v;
}

/* Returns the definition of var, or 0. */
static uint32_t value_of(const renaming *r, uint32_t var) {
  return ph_body_resolve(r->f, r->now[var]);
}

/* }== Reads and writes =============================================== */

/* A wrong program can write a value before it is read: such a read gets
** undef. */
static void rename_read(renaming *r, const ph_occurrence *it) {
  uint32_t v = value_of(r, it->var);
  if (v == 0) v = ph_lookup_nodefinition(r->f, it->var, 1);
  if (v == it->value) v = ph_const_undef(r->f, r->f->vars.at[it->var].type).id;
  ph_value_replace(r->f, it->value, v);
  /* One that found a phi or an undef may turn out to be undefined. */
  bool killed = r->killed[it->var] == it->block;
  ph_readrec rec = {it->var, it->block, v, it->here, it->loc, killed};
  ph_op op = ph_node_of(r->f, v)->op;
  if (op == PH_PHI) ph_node_of(r->f, v)->flags |= PH_IS_READ;
  if (op == PH_PHI || op == PH_UNDEF || r->f->options.undefs == PH_UNDEF_ASK)
    ph_reads_push(&r->f->reads, &r->f->arena, rec);
  ph_event_note(r->f, PH_EV_READ, it->block, it->var, v, 0);
}

static void rename_write(renaming *r, const ph_occurrence *it) {
  uint32_t v = ph_body_resolve(r->f, it->value);
  set_now(r, it->var, v);
  r->killed[it->var] = v == 0 ? it->block : 0;
  if (r->f->options.undefs == PH_UNDEF_ASK) {
    ph_state *state = ph_state_for(r->f, it->var, it->block);
    ph_current_def_set(&state->defs, &r->f->working, it->var, it->block,
                       v != 0 ? v : PH_KILLED);
  }
  ph_event_note(r->f, v != 0 ? PH_EV_WRITE : PH_EV_KILL, it->block, it->var, v,
                0);
}

/* Sets the operands that the edges of b give to the phis of its successors. */
static void give_operands(renaming *r, uint32_t b) {
  const ph_blockrec *block = ph_blockrec_of(r->f, b);
  uint32_t first = block->first_succ, n = block->nsuccs;
  for (uint32_t e = first; e < first + n; e++) {
    uint32_t to = r->f->edges.at[e].to;
    uint32_t width = ph_blockrec_of(r->f, to)->npreds;
    uint32_t *at = r->operands + r->at[to] + r->index[e];
    for (uint32_t i = r->phis.first[to]; i < r->phis.first[to + 1]; i++) {
      *at = value_of(r, r->phis.to[i]);
      at += width;
    }
  }
}

static void visit_block(renaming *r, uint32_t b) {
  const ph_program *p = r->p;
  for (uint32_t i = r->phis.first[b]; i < r->phis.first[b + 1]; i++)
    set_now(r, r->phis.to[i], r->value[i]);
  for (uint32_t i = p->first[b]; i < p->first[b + 1]; i++)
    if (p->at[i].reads)
      rename_read(r, &p->at[i]);
    else
      rename_write(r, &p->at[i]);
  give_operands(r, b);
}

/* Tells that the walk goes on to the block at i in preorder, from the one before,
** or (at the end) leaves the tree. */
static void tell_walk(const renaming *r, uint32_t i) {
  const ph_domtree *d = r->p->d;
  uint32_t to = i < d->size[1] ? d->order[i] : 0;
  uint32_t end = to != 0 ? d->idom[to] : 0;
  for (uint32_t b = i > 0 ? d->order[i - 1] : 0; b != end; b = d->idom[b])
    ph_event_note(r->f, PH_EV_LEFT, b, 0, 0, 0);
  if (to != 0) ph_event_note(r->f, PH_EV_ENTERED, to, 0, 0, 0);
}

/* A block of the tree is on the stack as long as its subtree is visited. */
static void visit_all(renaming *r) {
  const ph_domtree *d = r->p->d;
  uint32_t depth = 0;
  for (uint32_t i = 0; i < d->size[1]; i++) {
    uint32_t b = d->order[i];
    for (; depth > 0 && r->end[depth - 1] <= i; depth--) {
      while (r->log.from.n > r->mark[depth - 1]) {
        r->log.from.n--;
        r->log.to.n--;
        r->now[r->log.from.at[r->log.from.n]] = r->log.to.at[r->log.to.n];
      }
    }
    r->end[depth] = i + d->size[b];
    r->mark[depth++] = r->log.from.n;
    if (r->f->details) tell_walk(r, i);
    visit_block(r, b);
  }
  if (r->f->details) tell_walk(r, d->size[1]);
}

/* }== Operands ====================================================== */

/* Where a variable has no definition, the host will define a value, if it wants
** to (ph_build_define): but only for what is read.  Most of these algorithms
** place phis that no read finds; these get undef. */

static void reach(renaming *r, uint32_t v, bool *met) {
  uint32_t number = ph_node_of(r->f, v)->aux;
  if (ph_node_of(r->f, v)->op != PH_PHI || met[number]) return;
  met[number] = true;
  ph_ids_push(&r->reached, r->p->a, v);
}

/* Returns the operands of a phi. */
static uint32_t *operands_of(const renaming *r, uint32_t phi) {
  const ph_node *n = ph_node_of(r->f, phi);
  size_t i = n->aux - r->first - r->phis.first[n->block];
  return r->operands + r->at[n->block] +
         i * ph_blockrec_of(r->f, n->block)->npreds;
}

/* Finds the phis of which reads get a value, and makes their operands. */
static void define_reached(renaming *r) {
  bool *met = ph_arena_zero(r->p->a, r->f->phis.n * sizeof *met);
  for (uint32_t i = 0; i < r->phis.first[r->phis.n]; i++)
    if (ph_node_of(r->f, r->value[i])->flags & PH_IS_READ)
      reach(r, r->value[i], met);
  while (r->reached.n > 0) {
    uint32_t phi = r->reached.at[--r->reached.n];
    uint32_t var = r->f->phis.at[ph_node_of(r->f, phi)->aux].var;
    uint32_t *args = operands_of(r, phi);
    uint32_t n = ph_blockrec_of(r->f, ph_node_of(r->f, phi)->block)->npreds;
    for (uint32_t k = 0; k < n; k++) {
      if (args[k] == 0) args[k] = ph_lookup_nodefinition(r->f, var, 1);
      reach(r, args[k], met);
    }
  }
}

/* Gives phis their operands; if `sparse`, removes those that are trivial. */
static void give_all(renaming *r, bool sparse) {
  if (sparse) ph_state_room(r->f);
  for (uint32_t b = 1; b < r->phis.n; b++) {
    uint32_t *args = r->operands + r->at[b];
    uint32_t n = ph_blockrec_of(r->f, b)->npreds;
    for (uint32_t i = r->phis.first[b]; i < r->phis.first[b + 1]; i++) {
      ph_type type = ph_node_of(r->f, r->value[i])->type;
      for (uint32_t k = 0; k < n; k++)
        if (args[k] == 0) args[k] = ph_const_undef(r->f, type).id;
      if (sparse)
        ph_trivial_phi_complete(r->f, r->value[i], args, n);
      else
        ph_trivial_phi_keep(r->f, r->value[i], args, n);
      args += n;
    }
  }
  ph_trivial_phi_forget(r->f);
}

static renaming start_renaming(ph_program *p) {
  renaming r = {.p = p, .f = p->f};
  r.phis = ph_csr_make(p->a, p->nblocks, &p->phis);
  r.value = ph_arena_zero(p->a, (r.phis.first[r.phis.n] + 1) * sizeof *r.value);
  r.at = ph_program_numbers(p);
  r.end = ph_program_numbers(p);
  r.mark = ph_program_numbers(p);
  r.index = ph_arena_zero(p->a, p->f->edges.n * sizeof *r.index);
  r.now = ph_arena_zero(p->a, p->nvars * sizeof *r.now);
  r.killed = ph_arena_zero(p->a, p->nvars * sizeof *r.killed);
  return r;
}

void ph_rename_run(ph_program *p, bool sparse) {
  renaming r = start_renaming(p);
  make_phis(&r);
  PH_EACH_BLOCK(r.f, b) {
    uint32_t i = 0;
    PH_EACH_PRED(r.f, b, e) r.index[e] = i++;
  }
  visit_all(&r);
  const ph_occurrences *list = r.p->list;
  for (uint32_t i = 0; i < list->n; i++) {
    const ph_occurrence *it = &list->at[i];
    if (!it->reads || !ph_blockrec_of(r.f, it->block)->removed) continue;
    ph_value_replace(r.f, it->value,
                     ph_const_undef(r.f, r.f->vars.at[it->var].type).id);
  }
  define_reached(&r);
  give_all(&r, sparse);
}

/* }=================================================================== */
