/* dce.c: dead code elimination.
**
** Instructions that write, those that may trap, and terminators are needed, and
** so are the operands of what is needed.  The rest is removed, including unused
** cycles of phis, which counting uses would keep.  Reads do not count: `finish`
** prunes a function with reads as uses, and this is the stricter clean-up that
** a host asks for.
**
** Requires: the function is finished (during construction, values that nothing
** uses yet may still be needed).  Changes: removes values.  Keeps: blocks and
** edges.
*/
#include "core/edit/dce.h"

#include <assert.h>

#include "core/ir/body.h"
#include "core/ir/event.h"
#include "core/ir/op.h"
#include "core/ir/value.h"
#include "phial/analysis.h"

typedef struct {
  ph_func *f;
  bool *needed; /* by value */
  ph_ids todo;  /* worklist: needed values whose operands are next */
} marks;

static bool is_root(const ph_func *f, ph_op op) {
  return ph_op_effectof(f, op) == PH_EFFECT_WRITE ||
         ph_op_has(f, op, PH_TRAPS | PH_TERMINATOR);
}

static void need(marks *m, uint32_t v) {
  if (m->needed[v]) return;
  m->needed[v] = true;
  ph_ids_push(&m->todo, &m->f->scratch, v);
}

static void need_operands(marks *m, uint32_t v) {
  for (uint32_t i = 0; i < ph_node_of(m->f, v)->nargs; i++)
    need(m, ph_body_operand(m->f, v, i));
}

static void mark(marks *m) {
  PH_EACH_BLOCK(m->f, b) {
    PH_EACH_INST(m->f, b, v) {
      if (is_root(m->f, ph_node_of(m->f, v)->op)) need(m, v);
    }
  }
  while (m->todo.n > 0) need_operands(m, m->todo.at[--m->todo.n]);
}

uint32_t ph_dce_list(ph_func *f, uint32_t v, const bool *needed) {
  uint32_t count = 0;
  while (v != 0) {
    uint32_t next = ph_node_of(f, v)->next;
    if (!needed[v]) {
      ph_value_takeout(f, v);
      ph_value_replace(f, v, 0);
      count++;
    }
    v = next;
  }
  return count;
}

uint32_t ph_dce_run(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  marks m = {f, NULL, {0}};
  uint32_t count = 0;
  assert(f->finished && "a finished function");
  ph_event_note(f, PH_EV_EDITED, 0, 0, 0, 0);
  m.needed = ph_arena_zero(&f->scratch, f->nodes.n * sizeof(bool));
  mark(&m);
  PH_EACH_BLOCK(f, b) {
    count += ph_dce_list(f, ph_blockrec_of(f, b)->first_phi, m.needed);
    count += ph_dce_list(f, ph_blockrec_of(f, b)->first, m.needed);
  }
  ph_scratch_leave(f, bottom);
  return count;
}
