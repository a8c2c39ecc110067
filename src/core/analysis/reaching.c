/* reaching.c: which writes reach which reads.
**
** Each write has a copy of its own.  So the writes that reach a read are those
** whose copies its value comes from (flow.c), and the reads that a write reaches
** are those of the values that its copy flows to.  Accesses are listed by value
** once; then a query costs what its walk meets.
**
** Requires: options.accesses, else nothing was recorded.  Changes only
** f->reaching and f->unwritten, the answer; a walk forwards makes def-use
** chains.
*/
#include "core/analysis/csr.h"
#include "core/analysis/flow.h"
#include "core/ir/contract.h"
#include "phial/access.h"
#include "phial/analysis.h"

struct ph_reaching {
  ph_csr accesses; /* by value: its accesses, in order */
};

const ph_reaching *ph_reaching_new(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  ph_arena *asking = ph_asking_enter(f);
  ph_reaching *r = ph_arena_alloc(asking, sizeof *r);
  ph_pairs pairs = {0};
  for (uint32_t a = 1; a <= f->accesses.n; a++) {
    ph_value v = ph_access_value(f, (ph_access){a});
    if (ph_some(v)) ph_csr_add(&pairs, &f->scratch, v.id, a);
  }
  r->accesses = ph_csr_make(asking, f->nodes.n, &pairs);
  ph_scratch_leave(f, bottom);
  ph_asking_leave(f);
  return r;
}

/* Starts a walk from those of the list that are writes, or that are not. */
static ph_flow start(ph_func *f, const ph_access *list, uint32_t n,
                     bool writes) {
  ph_flow w = {f, {0}, {0}, 0};
  for (uint32_t i = 0; i < n; i++) {
    ph_value v = ph_access_value(f, list[i]);
    if (ph_some(v) && ph_access_iswrite(f, list[i]) == writes)
      ph_flow_meet(&w, v.id);
  }
  return w;
}

/* Adds the writes, or the reads, of v to the answer; false if it has none. */
static bool add(ph_func *f, const ph_reaching *r, uint32_t v, bool writes) {
  const ph_csr *by = &r->accesses;
  uint32_t before = f->reaching.n;
  if (v >= by->n) return false;
  for (uint32_t i = by->first[v]; i < by->first[v + 1]; i++)
    if (f->accesses.at[by->to[i] - 1].writes == writes)
      ph_ids_push(&f->reaching, &f->arena, by->to[i]);
  return f->reaching.n > before;
}

/* True if v, which no write wrote, is what a variable without a definition
** is. */
static bool is_undefined(const ph_func *f, uint32_t v) {
  ph_op op = ph_node_of(f, v)->op;
  bool replaced = op == PH_CONST || op == PH_PARAM;
  return op == PH_UNDEF || (replaced && f->options.undefs == PH_UNDEF_ASK);
}

uint32_t ph_reaching_count(ph_func *f, const ph_reaching *r,
                           const ph_access *list, uint32_t n) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  ph_flow reads = start(f, list, n, false), writes = start(f, list, n, true);
  ph_flow_back(&reads);
  ph_flow_forth(&writes);
  f->reaching.n = 0;
  f->unwritten = false;
  for (uint32_t i = 0; i < reads.list.n; i++)
    if (!add(f, r, reads.list.at[i], true) && is_undefined(f, reads.list.at[i]))
      f->unwritten = true;
  for (uint32_t i = 0; i < writes.list.n; i++)
    add(f, r, writes.list.at[i], false);
  ph_vec_sortids(&f->reaching);
  ph_scratch_leave(f, bottom);
  return f->reaching.n;
}

ph_access ph_reaching_at(const ph_func *f, uint32_t k) {
  assert(k < f->reaching.n && "from 0 to ph_reaching_count - 1");
  return (ph_access){f->reaching.at[k]};
}

bool ph_reaching_undefined(const ph_func *f) { return f->unwritten; }
