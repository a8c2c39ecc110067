/* reaching.c: what reaches what: blocks along control flow, values through
** phis, writes and reads.
**
** A shortest path between two blocks appears in messages, since people can
** check a short one most easily.  The breadth-first search runs backwards from
** the goal and stores for each block the next one on the path there, so that
** the path can be written from its start.
**
** A value that passes no operand on (count_passed) is its own source; a phi has
** the sources of its operands.  What a value reaches are its users and, if one
** of them is a phi, those of the phi.  Both walks are breadth first and meet
** each value once.  The cost is that of the phis in between and their operands,
** or uses, not of the function.
**
** Each write has a copy of its own.  So the writes that reach a read are those
** whose copies its value comes from, and the reads that a write reaches are
** those of the values that its copy flows to.  Accesses are listed by value
** once; then a query costs what its walk meets.
**
** Requires: for writes and reads options.accesses, else none was recorded.
** Changes only f->answers; a walk forwards makes def-use chains.
*/
#include "core/analysis/reaching.h"

#include "core/analysis/graph.h"
#include "core/base/idmap.h"
#include "core/ir/contract.h"
#include "core/ir/uses.h"
#include "phial/access.h"
#include "phial/analysis.h"

/*
** {== Paths of control ===============================================
*/

typedef struct {
  const ph_func *f;
  ph_arena *a;
  uint32_t *next; /* by block: the next one on the path; 0: not met */
  ph_ids met;     /* worklist; those before `done` have been examined */
  uint32_t done;
} search;

static void meet_block(search *s, uint32_t b, uint32_t next) {
  if (s->next[b] != 0) return;
  s->next[b] = next;
  ph_ids_push(&s->met, s->a, b);
}

ph_ids ph_shortest_path_find(const ph_func *f, ph_arena *a, uint32_t from,
                             uint32_t to, uint32_t avoid) {
  search s = {f, a, NULL, {0}, 0};
  ph_ids path = {0};
  s.next = ph_arena_zero(a, f->blocks.n * sizeof(uint32_t));
  meet_block(&s, to, to);
  while (s.done < s.met.n && s.next[from] == 0) {
    uint32_t b = s.met.at[s.done++];
    PH_EACH_PRED(s.f, b, e) {
      uint32_t pred = s.f->edges.at[e].from;
      if (pred != avoid) meet_block(&s, pred, b);
    }
  }
  if (s.next[from] == 0) return path;
  for (uint32_t b = from; b != to; b = s.next[b]) ph_ids_push(&path, a, b);
  ph_ids_push(&path, a, to);
  return path;
}

bool ph_block_canreach(ph_func *f, ph_block from, ph_block to) {
  ph_arena_mark bottom = ph_scratch_enter(ph_ptr(f));
  bool yes;
  ph_must(ph_contract_keeps(f, from) && ph_contract_keeps(f, to) &&
          "blocks of this function");
  yes = ph_shortest_path_find(f, &f->scratch, from.id, to.id, 0).n > 0;
  ph_scratch_leave(f, bottom);
  return yes;
}

/* }== Values through phis ============================================ */

/* Returns how many of its operands, from 0 on, v passes on: v is one of these,
** whatever else it uses.  A phi that still waits for its operands passes none
** on; a refinement passes on what it refines, a may-write what was there and
** what may have been written. */
static uint32_t count_passed(const ph_func *f, uint32_t v) {
  ph_op op = ph_node_of(f, v)->op;
  if (op == PH_REFINE) return 1;
  if (op == PH_MAY) return 2;
  return ph_body_iswhole(f, v) ? ph_node_of(f, v)->nargs : 0;
}

/* A walk, in f->scratch.  Values are listed when they are met first; those
** before `done` have been examined. */
typedef struct {
  ph_func *f;
  ph_idset seen;
  ph_ids list;
  uint32_t done;
} flow;

static void meet_value(flow *w, uint32_t v) {
  if (ph_idset_add(&w->seen, &w->f->scratch, v))
    ph_ids_push(&w->list, &w->f->scratch, v);
}

static void meet_passed(flow *w, uint32_t v) {
  uint32_t n = count_passed(w->f, v);
  for (uint32_t i = 0; i < n; i++) meet_value(w, ph_body_operand(w->f, v, i));
}

static void meet_passing(flow *w, uint32_t v) {
  PH_EACH_USE(w->f, v, use) {
    uint32_t user = ph_uses_user(w->f, use).id;
    if (ph_uses_index(w->f, use) < count_passed(w->f, user))
      meet_value(w, user);
  }
}

uint32_t ph_flow_sources(ph_func *f, ph_value v, uint32_t limit) {
  ph_arena_mark bottom = ph_scratch_enter(ph_ptr(f));
  flow w = {f, {0}, {0}, 0};
  ph_must(ph_contract_hasvalue(f, v) && "a value of this function");
  f->answers.reached.n = 0;
  meet_value(&w, ph_body_resolve(f, v.id));
  while (w.done < w.list.n && f->answers.reached.n < limit) {
    uint32_t next = w.list.at[w.done++];
    if (count_passed(f, next) == 0)
      ph_ids_push(&f->answers.reached, &f->arena, next);
    meet_passed(&w, next);
  }
  ph_scratch_leave(f, bottom);
  return f->answers.reached.n;
}

ph_value ph_flow_at(const ph_func *f, uint32_t k) {
  ph_must(k < ph_ptr(f)->answers.reached.n && "from 0 to the number found - 1");
  return ph_valueid(f->answers.reached.at[k]);
}

/* }== Writes and reads =============================================== */

struct ph_reaching {
  ph_csr accesses; /* by value: its accesses, in order */
};

const ph_reaching *ph_reaching_new(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(ph_ptr(f));
  ph_arena *asking = ph_asking_enter(f, &f->asking_code);
  ph_reaching *r = ph_arena_alloc(asking, sizeof *r);
  ph_pairs pairs = {0};
  for (uint32_t a = 1; a <= f->accesses.n; a++) {
    ph_value v = ph_access_value(f, (ph_access){a});
    if (ph_some(v)) ph_csr_add(&pairs, &f->scratch, v.id, a);
  }
  r->accesses = ph_csr_make(asking, f->nodes.n, &pairs);
  ph_scratch_leave(f, bottom);
  ph_asking_leave(&f->asking_code);
  return r;
}

/* Starts a walk from those of the list that are writes, or that are not. */
static flow walk_of(ph_func *f, const ph_access *list, uint32_t n,
                    bool writes) {
  flow w = {f, {0}, {0}, 0};
  for (uint32_t i = 0; i < n; i++) {
    ph_value v = ph_access_value(f, ph_ptr(list)[i]);
    if (ph_some(v) && ph_access_iswrite(f, list[i]) == writes)
      meet_value(&w, v.id);
  }
  return w;
}

/* Adds the writes, or the reads, of v to the answer, up to the limit; false if
** it has none. */
static bool add_accesses(ph_func *f, const ph_reaching *r, uint32_t v,
                         bool writes, uint32_t limit) {
  const ph_csr *by = &r->accesses;
  ph_ids *found = &f->answers.reaching;
  uint32_t before = found->n;
  if (v >= by->n) return false;
  for (uint32_t i = by->first[v]; i < by->first[v + 1] && found->n < limit; i++)
    if (f->accesses.at[by->to[i] - 1].writes == writes)
      ph_ids_push(found, &f->arena, by->to[i]);
  return found->n > before;
}

/* True if v, which no write wrote, is what a variable without a definition
** is. */
static bool is_undefined(const ph_func *f, uint32_t v) {
  ph_op op = ph_node_of(f, v)->op;
  bool replaced = op == PH_CONST || op == PH_PARAM;
  return op == PH_UNDEF || (replaced && f->options.undefs == PH_UNDEF_ASK);
}

/* Walks back from the reads of a list, to the writes that reach them. */
static void find_writes(ph_func *f, const ph_reaching *r, flow *w,
                        uint32_t limit) {
  while (w->done < w->list.n && f->answers.reaching.n < limit) {
    uint32_t v = w->list.at[w->done++];
    if (!add_accesses(f, r, v, true, limit) && is_undefined(f, v))
      f->answers.unwritten = true;
    meet_passed(w, v);
  }
}

/* Walks forth from the writes of a list, to the reads that they reach. */
static void find_reads(ph_func *f, const ph_reaching *r, flow *w,
                       uint32_t limit) {
  while (w->done < w->list.n && f->answers.reaching.n < limit) {
    uint32_t v = w->list.at[w->done++];
    add_accesses(f, r, v, false, limit);
    meet_passing(w, v);
  }
}

uint32_t ph_reaching_count(ph_func *f, const ph_reaching *r,
                           const ph_access *list, uint32_t n, uint32_t limit) {
  ph_arena_mark bottom = ph_scratch_enter(ph_ptr(f));
  flow reads = walk_of(f, list, n, false), writes = walk_of(f, list, n, true);
  f->answers.reaching.n = 0;
  f->answers.unwritten = false;
  find_writes(f, ph_ptr(r), &reads, limit);
  find_reads(f, r, &writes, limit);
  ph_vec_sortids(&f->answers.reaching);
  ph_scratch_leave(f, bottom);
  return f->answers.reaching.n;
}

uint32_t ph_reaching_ofvalue(ph_func *f, const ph_reaching *r, ph_value v) {
  const ph_csr *by = &ph_ptr(r)->accesses;
  uint32_t id;
  ph_must(ph_contract_hasvalue(f, v) && "a value of this function");
  id = ph_body_resolve(f, v.id);
  f->answers.reaching.n = 0;
  for (uint32_t i = id < by->n ? by->first[id] : 0;
       id < by->n && i < by->first[id + 1]; i++)
    ph_ids_push(&f->answers.reaching, &f->arena, by->to[i]);
  return f->answers.reaching.n;
}

ph_access ph_reaching_at(const ph_func *f, uint32_t k) {
  ph_must(k < ph_ptr(f)->answers.reaching.n &&
          "from 0 to ph_reaching_count - 1");
  return (ph_access){f->answers.reaching.at[k]};
}

bool ph_reaching_isundefined(const ph_func *f) {
  return ph_ptr(f)->answers.unwritten;
}

/* }=================================================================== */
