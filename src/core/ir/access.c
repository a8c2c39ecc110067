/* access.c: reads and writes of variables, recorded for the host.
**
** Reads and writes are recorded from the events of construction (event.c), so
** that a function without the option pays nothing; may-writes have no event.
*/
#include "core/ir/access.h"

#include "core/ir/contract.h"
#include "core/ir/srcloc.h"
#include "phial/access.h"

void ph_access_record(ph_func *f, uint32_t b, uint32_t var, uint32_t v,
                      bool writes) {
  ph_accessrec r = {b, var, v, f->here, f->loc, writes, false};
  ph_accessrecs_push(&f->accesses, &f->arena, r);
}

void ph_access_recordmay(ph_func *f, uint32_t b, uint32_t var, uint32_t v) {
  ph_accessrec r = {b, var, v, f->here, f->loc, true, true};
  ph_accessrecs_push(&f->accesses, &f->arena, r);
}

uint32_t ph_access_count(const ph_func *f) { return f->accesses.n; }

static ph_accessrec *rec(const ph_func *f, ph_access a) {
  ph_require(a.id - 1 < f->accesses.n && "an access of this function");
  return &f->accesses.at[a.id - 1];
}

bool ph_access_iswrite(const ph_func *f, ph_access a) {
  return rec(f, a)->writes;
}

bool ph_access_ismaywrite(const ph_func *f, ph_access a) {
  return rec(f, a)->may;
}

ph_var ph_access_var(const ph_func *f, ph_access a) {
  return (ph_var){rec(f, a)->var};
}

ph_block ph_access_block(const ph_func *f, ph_access a) {
  return ph_blockid(rec(f, a)->block);
}

ph_value ph_access_value(const ph_func *f, ph_access a) {
  const ph_accessrec *r = rec(f, a);
  uint32_t v = ph_body_resolve(f, r->value);
  bool gone = ph_blockrec_of(f, r->block)->removed ||
              (ph_node_of(f, v)->flags & PH_IS_DROPPED);
  return ph_valueid(gone ? 0 : v);
}

ph_srcloc ph_access_loc(const ph_func *f, ph_access a) {
  return ph_srcloc_of(f, rec(f, a)->loc);
}

ph_srcloc ph_access_hostloc(const ph_func *f, ph_access a) {
  return ph_srcloc_of(f, rec(f, a)->here);
}

void ph_access_setloc(ph_func *f, ph_access a, ph_srcloc loc) {
  uint32_t at = ph_srcloc_keep(f, loc);
  rec(f, a)->loc = at;
  f->version++;
}
