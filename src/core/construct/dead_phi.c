/* dead_phi.c: phis, and values of lazy definitions, that no read and no
** instruction needs.
**
** What is said of phis here is true of the values that construction makes of lazy
** definitions (PH_IS_LAZY), too.
**
** A read is a use: a phi is needed if a read returned it or an instruction uses
** it, and a needed phi needs its operands.  (Pruned SSA form as the paper has
** it, with reads as uses.)  The marks spread from there through phis.
**
** Construction makes no unneeded phi; they come from edges that are folded away
** by finish, and from refinements that meet: what they refine replaces them.
**
** Requires: nothing.  Changes: ph_dead_phi_remove takes phis out.
*/
#include "phial/analysis.h"
#include "core/ir/value.h"
#include "core/ir/body.h"
#include "core/edit/dce.h"

typedef struct {
  ph_func *f;
  bool *needed; /* by value */
  ph_ids todo;  /* worklist: needed phis with unvisited operands */
} marks;

/* True if v goes when nothing needs it. */
static bool can_go(const ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  return n->op == PH_PHI || n->flags & PH_IS_LAZY;
}

static void need(marks *m, uint32_t v) {
  if (!can_go(m->f, v) || m->needed[v]) return;
  m->needed[v] = true;
  ph_ids_push(&m->todo, &m->f->scratch, v);
}

static void need_operands(marks *m, uint32_t v) {
  for (uint32_t i = 0; i < ph_node_of(m->f, v)->nargs; i++)
    need(m, ph_body_operand(m->f, v, i));
}

/* A value that stays in any case is marked, without a visit of its own. */
static void mark_inst(marks *m, uint32_t v) {
  if (ph_node_of(m->f, v)->flags & PH_IS_LAZY) {
    if (ph_node_of(m->f, v)->flags & PH_IS_READ) need(m, v);
    return;
  }
  m->needed[v] = true;
  need_operands(m, v);
}

static void mark(marks *m) {
  PH_EACH_BLOCK(m->f, b) {
    PH_EACH_PHI(m->f, b, v) {
      if (ph_node_of(m->f, v)->flags & PH_IS_READ) need(m, v);
    }
    PH_EACH_INST(m->f, b, v) mark_inst(m, v);
  }
  while (m->todo.n > 0) need_operands(m, m->todo.at[--m->todo.n]);
}

static uint32_t first_unneeded(const marks *m) {
  PH_EACH_BLOCK(m->f, b) {
    PH_EACH_PHI(m->f, b, v) {
      if (!m->needed[v]) return v;
    }
  }
  return 0;
}

static marks start(ph_func *f) {
  marks m = {f, NULL, {0}};
  m.needed = ph_arena_zero(&f->scratch, f->nodes.n * sizeof(bool));
  mark(&m);
  return m;
}

ph_value ph_dead_phi_find(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  marks m = start(f);
  uint32_t found = first_unneeded(&m);
  ph_scratch_leave(f, bottom);
  return ph_valueid(found);
}

uint32_t ph_dead_phi_remove(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  marks m = start(f);
  uint32_t count = 0;
  PH_EACH_BLOCK(f, b) {
    count += ph_dce_list(f, ph_blockrec_of(f, b)->first_phi, m.needed);
    if (f->refines)
      count += ph_dce_list(f, ph_blockrec_of(f, b)->first, m.needed);
  }
  ph_scratch_leave(f, bottom);
  return count;
}
