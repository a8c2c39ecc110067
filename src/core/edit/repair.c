/* repair.c: SSA reconstruction (section 5.1): gives the uses of values that
** have become one variable the definitions that reach them.
**
** The paper repairs with the algorithm of construction, which looks up each use
** and may make phis that turn out to be redundant.  Here control flow is known,
** so that no phi is made and removed again.  Everything that can be the
** reaching definition somewhere is a *source*: a value that the variable is
** defined to be, or the start of a block that a look-up passes, where a phi may
** be needed.  A look-up in a block ends at the latest definition there, and
** otherwise asks for the ends of its predecessors; so what is looked at lies
** between uses and definitions, and all of it is live: phis are pruned.
**
** Sources form the graph of values that redundant_phi.c has, as if each start
** of a block was a phi.  In it, with a root before all values that are not
** phis, a start of a block needs a phi if and only if the root is its
** immediate dominator; otherwise the variable has there the value of its
** ancestor that is a child of the root.
**
** A repaired value that is a phi is a definition, too, but its operands are
** uses.  It is treated as a source that may be redundant, and its operands are
** looked up only if a look-up comes to it; otherwise it is dead.
**
** Definitions and uses of the variable are mentions, and put in order first.
** Instructions have no numbers.  Those of a block are counted where the block
** has both a definition after an instruction and another mention: from that
** definition in both directions, until all mentions of the block are found.
** Most uses of a value are near to it, so large blocks are not walked through.
**
** The order of edges does not matter: a phi's operands are in the same order as
** the edges into its block, whether they are settled or not.
**
** Requires: the function is finished.  Changes: operands; phis of the variable.
** Keeps: blocks, edges, instructions.
*/
#include <stdlib.h>

#include "core/analysis/dom.h"
#include "core/base/idmap.h"
#include "core/edit/contract.h"
#include "core/ir/event.h"
#include "core/ir/value.h"

/*
** {== The order of mentions ==========================================
*/

/* The order that is counted from. */
#define MIDDLE UINT32_C(0x80000000)

/* A definition (value != 0) or a use of the variable. */
typedef struct {
  uint32_t block;
  uint32_t inst;  /* it is after, or the use is an operand of, this one; 0: at
                     the start of the block */
  uint32_t value; /* that the variable is from here on, or 0 */
  uint32_t index; /* of a use: which operand; of a definition: its number, by
                     which later ones at the same place come later */
  uint32_t order; /* within the block; 0 at its start, else at first
                     MIDDLE */
} mention;
PH_VEC(mentions, mention)

static int compare_ids(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

static int by_inst(const void *p, const void *q) {
  const mention *a = p, *b = q;
  if (a->block != b->block) return compare_ids(a->block, b->block);
  return compare_ids(a->inst, b->inst);
}

static int by_order(const void *p, const void *q) {
  const mention *a = p, *b = q;
  if (a->block != b->block) return compare_ids(a->block, b->block);
  if (a->order != b->order) return compare_ids(a->order, b->order);
  if ((a->value != 0) != (b->value != 0))
    return compare_ids(a->value != 0, b->value != 0);
  return compare_ids(a->index, b->index);
}

/* The mentions at[0] .. at[n - 1] are all those of a block. */
typedef struct {
  const ph_func *f;
  mention *at;
  uint32_t n;
  ph_idmap order; /* by instruction with mentions */
} group;

/* Enters the instructions of the group; returns how many. */
static uint32_t list_insts(group *g, ph_arena *a) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < g->n; i++) {
    uint32_t inst = g->at[i].inst;
    if (inst == 0 || ph_idmap_get(&g->order, inst) != 0) continue;
    ph_idmap_set(&g->order, a, inst, MIDDLE);
    n++;
  }
  return n;
}

/* An instruction of the group that a definition is after, or 0. */
static uint32_t find_defined(const group *g) {
  for (uint32_t i = 0; i < g->n; i++)
    if (g->at[i].value != 0 && g->at[i].inst != 0) return g->at[i].inst;
  return 0;
}

/* Gives v its order if it has mentions; returns whether it has. */
static bool give_order(group *g, ph_arena *a, uint32_t v, uint32_t order) {
  if (v == 0 || ph_idmap_get(&g->order, v) == 0) return false;
  ph_idmap_set(&g->order, a, v, order);
  return true;
}

static void count_around(group *g, ph_arena *a, uint32_t from, uint32_t left) {
  uint32_t behind = from, before = from;
  for (uint32_t k = 1; left > 0; k++) {
    if (behind != 0) behind = ph_node_of(g->f, behind)->next;
    if (before != 0) before = ph_node_of(g->f, before)->prev;
    left -= give_order(g, a, behind, MIDDLE + k);
    left -= give_order(g, a, before, MIDDLE - k);
  }
}

static void number_insts(group *g, ph_arena *a) {
  uint32_t from = find_defined(g), n;
  if (from == 0) return;
  n = list_insts(g, a);
  count_around(g, a, from, n - 1);
  for (uint32_t i = 0; i < g->n; i++)
    if (g->at[i].inst != 0)
      g->at[i].order = ph_idmap_get(&g->order, g->at[i].inst);
}

/* Sorts them by block, and as they come in it; uses of an instruction come
** before definitions after it.  Uses in blocks without definitions are in no
** particular order. */
static void order_mentions(const ph_func *f, mentions *all, ph_arena *a) {
  group g = {f, NULL, 0, {0}};
  qsort(all->at, all->n, sizeof *all->at, by_inst);
  for (uint32_t i = 0; i < all->n; i += g.n) {
    g.at = all->at + i;
    for (g.n = 1; i + g.n < all->n; g.n++)
      if (g.at[g.n].block != g.at->block) break;
    number_insts(&g, a);
  }
  qsort(all->at, all->n, sizeof *all->at, by_order);
}

/* }== Mentions ======================================================= */

/* A source of a variable: a value, or the start of a block; neither: undef. */
typedef struct {
  uint32_t block, value;
  uint32_t is; /* the value that it is in the end */
} source;
PH_VEC(sources, source)

/* A use: operand `index` of `user` becomes what `source` is. */
typedef struct {
  uint32_t user, index, source;
} lookup;
PH_VEC(lookups, lookup)

/* A block that is visited. */
typedef struct {
  uint32_t block;
  uint32_t last;  /* what the variable is at its end, if it is defined here */
  uint32_t start; /* the source, or 0 */
} visit;
PH_VEC(visits, visit)

enum { ROOT = 1 }; /* the root of the graph; source 0 is none */

typedef struct {
  ph_func *f;
  ph_arena *a;
  ph_idset ours;  /* the repaired values */
  ph_idset final; /* these, and what the variable is defined to be */
  ph_ids phis;    /* those that are phis */
  ph_type type;
  uint32_t var; /* of the source program, or 0 */
  mentions mentions;
  ph_ids merging; /* phis, not ours, that use our values */
  visits visited;
  ph_idmap visit_of;  /* by block: index in `visited` */
  ph_idmap source_of; /* by value: its source */
  uint32_t undef;     /* the source, or 0 */
  sources all;        /* from ROOT on; the graph's nodes */
  ph_pairs edges;     /* from a source to one that may be it */
  lookups uses;
  ph_ids made; /* sources that are new phis */
  ph_repaired counts;
} repair;

static bool is_ours(const repair *r, uint32_t v) {
  return ph_idset_has(&r->ours, v);
}

/* True if v is one of the repaired values that are phis. */
static bool is_our_phi(const repair *r, uint32_t v) {
  return ph_node_of(r->f, v)->op == PH_PHI && is_ours(r, v);
}

/* Notes a definition at the start of block b. */
static void define_at(repair *r, uint32_t b, uint32_t value) {
  const mention it = {.block = b, .value = value, .index = r->mentions.n};
  mentions_push(&r->mentions, r->a, it);
}

/* Notes a definition after the phi, instruction or, as the value itself,
** parameter v. */
static void define_behind(repair *r, uint32_t v, uint32_t value) {
  const ph_node *n = ph_node_of(r->f, v);
  define_at(r, n->block != 0 ? n->block : 1, value);
  if (n->block == 0 || n->op == PH_PHI) return;
  r->mentions.at[r->mentions.n - 1].inst = v;
  r->mentions.at[r->mentions.n - 1].order = MIDDLE;
}

static void mention_values(repair *r, const ph_value *values, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    uint32_t v = ph_body_resolve(r->f, values[i].id);
    if (!ph_idset_add(&r->ours, r->a, v)) continue;
    ph_idset_add(&r->final, r->a, v);
    if (ph_node_of(r->f, v)->op == PH_PHI) ph_ids_push(&r->phis, r->a, v);
    define_behind(r, v, v);
  }
}

static void mention_definitions(repair *r, const ph_definition *defs,
                                uint32_t m) {
  for (uint32_t i = 0; i < m; i++) {
    uint32_t value = ph_body_resolve(r->f, defs[i].value.id);
    ph_idset_add(&r->final, r->a, value);
    if (ph_some(defs[i].block))
      define_at(r, defs[i].block.id, value);
    else
      define_behind(r, ph_body_resolve(r->f, defs[i].behind.id), value);
  }
}

/* Notes the uses of v, except by phis of ours: they count only if they are
** needed. */
static void mention_uses(repair *r, uint32_t v, ph_idset *met) {
  ph_func *f = r->f;
  PH_EACH_USE(f, v, use) {
    uint32_t user = ph_uses_user(f, use).id, index = ph_uses_index(f, use);
    const ph_node *n = ph_node_of(f, user);
    const mention it = {n->block, user, 0, index, MIDDLE};
    if (n->op == PH_PROJ) continue;
    if (n->op != PH_PHI)
      mentions_push(&r->mentions, r->a, it);
    else if (!is_ours(r, user) && ph_idset_add(met, r->a, user))
      ph_ids_push(&r->merging, r->a, user);
  }
}

/* }== Sources ======================================================== */

static uint32_t new_source(repair *r, uint32_t block, uint32_t value) {
  const source it = {block, value, value};
  sources_push(&r->all, r->a, it);
  return r->all.n - 1;
}

static uint32_t source_of_value(repair *r, uint32_t v) {
  uint32_t s = ph_idmap_get(&r->source_of, v);
  if (s != 0) return s;
  s = new_source(r, 0, v);
  ph_idmap_set(&r->source_of, r->a, v, s);
  return s;
}

static uint32_t source_of_undef(repair *r) {
  if (r->undef == 0) r->undef = new_source(r, 0, 0);
  return r->undef;
}

static uint32_t visit_block(repair *r, uint32_t b) {
  const visit made = {b, 0, 0};
  uint32_t k = ph_idmap_get(&r->visit_of, b);
  if (k != 0) return k;
  k = r->visited.n;
  visits_push(&r->visited, r->a, made);
  ph_idmap_set(&r->visit_of, r->a, b, k);
  return k;
}

static uint32_t source_at_start(repair *r, uint32_t b) {
  uint32_t k = visit_block(r, b);
  if (r->visited.at[k].start == 0) {
    uint32_t s = new_source(r, b, 0);
    r->visited.at[k].start = s;
  }
  return r->visited.at[k].start;
}

static uint32_t source_at_end(repair *r, uint32_t b) {
  uint32_t k = visit_block(r, b), last = r->visited.at[k].last;
  return last != 0 ? source_of_value(r, last) : source_at_start(r, b);
}

/* }== Looking up ===================================================== */

static void add_lookup(repair *r, uint32_t user, uint32_t index, uint32_t s) {
  const lookup it = {user, index, s};
  lookups_push(&r->uses, r->a, it);
}

/* Looks up the uses by instructions. */
static void look_up_mentions(repair *r) {
  uint32_t block = 0, last = 0;
  for (uint32_t i = 0; i < r->mentions.n; i++) {
    const mention it = r->mentions.at[i];
    if (it.block != block) last = 0;
    block = it.block;
    if (it.value != 0)
      last = it.value;
    else if (last != 0)
      add_lookup(r, it.inst, it.index, source_of_value(r, last));
    else
      add_lookup(r, it.inst, it.index, source_at_start(r, block));
  }
}

/* Looks up the operands of a phi that are ours. */
static void look_up_merged(repair *r, uint32_t phi) {
  uint32_t i = 0;
  PH_EACH_PRED(r->f, ph_node_of(r->f, phi)->block, e) {
    if (is_ours(r, ph_body_operand(r->f, phi, i)))
      add_lookup(r, phi, i, source_at_end(r, r->f->edges.at[e].from));
    i++;
  }
}

static void add_flow(repair *r, uint32_t from, uint32_t to) {
  ph_csr_add(&r->edges, r->a, from, to);
}

/* Looks up the operands of a phi of ours. */
static void look_up_phi(repair *r, uint32_t s) {
  uint32_t phi = r->all.at[s].value, i = 0;
  if (ph_node_of(r->f, phi)->nargs == 0) add_flow(r, source_of_undef(r), s);
  PH_EACH_PRED(r->f, ph_node_of(r->f, phi)->block, e) {
    uint32_t v = ph_body_operand(r->f, phi, i);
    uint32_t from = is_ours(r, v) ? source_at_end(r, r->f->edges.at[e].from)
                                  : source_of_value(r, v);
    add_flow(r, from, s);
    if (is_ours(r, v)) add_lookup(r, phi, i, from);
    i++;
  }
}

/* Looks up everything; `all` grows meanwhile. */
static void look_up_all(repair *r) {
  for (uint32_t i = 0; i < r->mentions.n; i++) {
    const mention *it = &r->mentions.at[i];
    uint32_t k = visit_block(r, it->block);
    if (it->value != 0) r->visited.at[k].last = it->value;
  }
  look_up_mentions(r);
  for (uint32_t i = 0; i < r->merging.n; i++)
    look_up_merged(r, r->merging.at[i]);
  for (uint32_t s = ROOT + 1; s < r->all.n; s++) {
    const source it = r->all.at[s];
    if (it.block != 0) {
      if (ph_blockrec_of(r->f, it.block)->npreds == 0)
        add_flow(r, source_of_undef(r), s);
      PH_EACH_PRED(r->f, it.block, e)
      add_flow(r, source_at_end(r, r->f->edges.at[e].from), s);
    } else if (it.value != 0 && is_our_phi(r, it.value)) {
      look_up_phi(r, s);
    } else {
      add_flow(r, ROOT, s);
    }
  }
}

/* }== Deciding ======================================================= */

/* Makes a phi where source s is, the start of a block. */
static uint32_t new_phi(repair *r, uint32_t s) {
  uint32_t b = r->all.at[s].block;
  ph_event_note(r->f, PH_EV_EDITED, b, 0, 0, 0);
  ph_ids_push(&r->made, r->a, s);
  r->counts.phis++;
  return ph_value_newphi(r->f, b, r->var, r->type);
}

/* True if no repair of another variable changes uses of v. */
static bool is_final(const repair *r, uint32_t v) {
  ph_op op = ph_node_of(r->f, v)->op;
  return op == PH_CONST || op == PH_UNDEF || ph_idset_has(&r->final, v);
}

/* Makes roots of phis of ours that would be replaced by the value of a variable
** that may still be to be repaired: where the phi is used, it can be another
** one.  True if there are any. */
static bool keep_phis(repair *r, const ph_domtree *d) {
  uint32_t top = 0;
  bool kept = false;
  for (uint32_t i = 1; i < d->size[ROOT]; i++) {
    uint32_t s = d->order[i], value = r->all.at[s].value;
    if (d->idom[s] == ROOT) {
      top = value;
    } else if (value != 0 && top != 0 && !is_final(r, top)) {
      add_flow(r, ROOT, s);
      kept = true;
    }
  }
  return kept;
}

static const ph_domtree *order_sources(repair *r) {
  ph_csr g = ph_csr_make(r->a, r->all.n, &r->edges);
  return ph_dom_compute(&g, ROOT, r->a);
}

/* Decides what each source is, and makes the phis.  What the root does not
** reach, a cycle that no value enters, is undef. */
static void decide_sources(repair *r) {
  const ph_domtree *d = order_sources(r);
  uint32_t top = 0;
  if (keep_phis(r, d)) d = order_sources(r);
  for (uint32_t s = ROOT; s < r->all.n; s++)
    if (d->size[s] == 0) r->all.at[s].is = 0;
  for (uint32_t i = 1; i < d->size[ROOT]; i++) {
    uint32_t s = d->order[i];
    if (d->idom[s] != ROOT)
      r->all.at[s].is = top;
    else if (r->all.at[s].block != 0)
      top = r->all.at[s].is = new_phi(r, s);
    else
      top = r->all.at[s].is;
  }
}

/* Returns the value that a source is. */
static uint32_t value_of(repair *r, uint32_t s) {
  uint32_t v = r->all.at[s].is;
  return v != 0 ? v : ph_const_undef(r->f, r->type).id;
}

/* }== Rewriting ====================================================== */

static void give_operands(repair *r, uint32_t s) {
  const source it = r->all.at[s];
  uint32_t n = ph_blockrec_of(r->f, it.block)->npreds, i = 0;
  uint32_t *args = ph_arena_alloc(r->a, n * sizeof *args);
  PH_EACH_PRED(r->f, it.block, e)
  args[i++] = value_of(r, source_at_end(r, r->f->edges.at[e].from));
  ph_value_setargs(r->f, it.is, args, n);
  ph_node_of(r->f, it.is)->flags &= (uint8_t)~PH_IS_INCOMPLETE;
}

/* True for all phis except those of ours that are about to be removed. */
static bool remains(repair *r, uint32_t user) {
  uint32_t s = ph_idmap_get(&r->source_of, user);
  return !is_our_phi(r, user) || (s != 0 && r->all.at[s].is == user);
}

static void rewrite_uses(repair *r) {
  for (uint32_t i = 0; i < r->uses.n; i++) {
    const lookup it = r->uses.at[i];
    uint32_t v = value_of(r, it.source);
    if (ph_body_operand(r->f, it.user, it.index) == v) continue;
    if (!remains(r, it.user)) continue;
    ph_event_note(r->f, PH_EV_EDITED, 0, 0, it.user, 0);
    ph_value_setarg(r->f, it.user, it.index, v);
    r->counts.uses++;
  }
}

/* Removes phi if it is redundant or dead.  Others may still have it as an
** operand, which will be removed, too. */
static void remove_phi(repair *r, uint32_t phi) {
  uint32_t s = ph_idmap_get(&r->source_of, phi), block;
  uint32_t by = s != 0 ? value_of(r, s) : 0;
  if (by == phi) return;
  block = ph_node_of(r->f, phi)->block;
  if (by != 0)
    ph_event_note(r->f, PH_EV_REDUNDANT, block, 0, phi, by);
  else
    ph_event_note(r->f, PH_EV_EDITED, block, 0, phi, 0);
  ph_value_takeout(r->f, phi);
  ph_value_replace(r->f, phi, by);
  r->counts.removed++;
}

/* }== Repairing ====================================================== */

static repair new_repair(ph_func *f) {
  repair r = {.f = f, .a = &f->scratch};
  visits_push(&r.visited, r.a, (visit){0});
  for (uint32_t s = 0; s <= ROOT; s++) new_source(&r, 0, 0);
  return r;
}

ph_repaired ph_repair_rewrite(ph_func *f, const ph_value *values, uint32_t n,
                              const ph_definition *defs, uint32_t m) {
  ph_arena_mark bottom = ph_scratch_open(ph_ptr(f));
  repair r;
  ph_must(f->finished && "a finished function");
  ph_must(n > 0 && ph_contract_canvary(f, values, n) &&
          "parameters, phis or instructions, of one type");
  ph_must(ph_contract_fitdefinitions(f, ph_value_type(f, values[0]), defs, m) &&
          "definitions of that type in blocks of this function");
  r = new_repair(f);
  r.type = ph_value_type(f, values[0]);
  r.var = ph_value_var(f, values[0]).id;
  mention_values(&r, values, n);
  mention_definitions(&r, defs, m);
  ph_idset taken = {0}, met = {0};
  for (uint32_t i = 0; i < n; i++) {
    uint32_t v = ph_body_resolve(r.f, values[i].id);
    if (ph_idset_add(&taken, r.a, v)) mention_uses(&r, v, &met);
  }
  order_mentions(f, &r.mentions, r.a);
  look_up_all(&r);
  decide_sources(&r);
  for (uint32_t i = 0; i < r.made.n; i++) give_operands(&r, r.made.at[i]);
  rewrite_uses(&r);
  for (uint32_t i = 0; i < r.phis.n; i++) remove_phi(&r, r.phis.at[i]);
  r.counts.visited = r.visited.n - 1;
  ph_scratch_leave(f, bottom);
  return r.counts;
}

/* }=================================================================== */
