/* event.c: the events of construction.
**
** Events are stored, and the host takes them when the call that caused them has
** done its work.  So a listener may fail or query the function, and never finds
** construction half done.
*/
#include "core/ir/event.h"

#include "core/ir/access.h"
#include "core/ir/contract.h"

void ph_event_keep(ph_func *f, ph_event e) {
  bool writes = e.kind == PH_EV_WRITE;
  if (f->options.accesses && (writes || e.kind == PH_EV_READ))
    ph_access_record(f, e.block.id, e.var.id, e.value.id, writes);
  if (f->tells) ph_events_push(&f->events, &f->arena, e);
}

void ph_event_listen(ph_func *f) { f->listening = f->tells = f->extra = true; }

void ph_event_listendetail(ph_func *f) {
  ph_event_listen(f);
  f->details = true;
}

bool ph_event_isdetail(ph_eventkind kind) { return kind >= PH_EV_CLIMB; }

uint32_t ph_event_count(const ph_func *f) { return f->events.n; }

ph_event ph_event_at(const ph_func *f, uint32_t i) {
  assert(i < f->events.n && "from 0 to ph_event_count - 1");
  return f->events.at[i];
}

uint32_t ph_event_nargs(const ph_func *f, ph_value v) {
  assert(ph_contract_hasvalue(f, v) && "a value of this function");
  return ph_node_of(f, v.id)->nargs;
}

ph_value ph_event_arg(const ph_func *f, ph_value v, uint32_t i) {
  assert(i < ph_event_nargs(f, v) && "from 0 to ph_event_nargs - 1");
  return ph_valueid(f->operands.at[ph_node_of(f, v.id)->args + i]);
}

void ph_event_clear(ph_func *f) { f->events.n = 0; }
