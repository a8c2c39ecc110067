/* event.c: what is recorded of construction: events, reads and writes, and
** where in the source.
**
** Events are stored, and the host takes them when the call that caused them has
** done its work.  So a listener may fail or query the function, and never finds
** construction half done.  Reads and writes are recorded from events, so that a
** function without the option pays nothing; may-writes have no event.
**
** Places are few compared to values: runs of values share one.  So a place
** equal to the last one is that one again, and values store its number in
** arrays that exist only if there is something to store.  What values were made
** for (identity.c) is recorded along with them.
*/
#include "core/ir/event.h"

#include "core/ir/contract.h"
#include "phial/access.h"

/*
** {== Places =========================================================
*/

static bool same_place(ph_srcloc a, ph_srcloc b) {
  return a.file == b.file && a.line == b.line && a.col == b.col &&
         a.end_line == b.end_line && a.end_col == b.end_col;
}

bool ph_srcloc_isrange(ph_srcloc loc) {
  if (loc.end_line == 0) return loc.end_col == 0;
  if (loc.end_line != loc.line) return loc.end_line > loc.line;
  return loc.end_col == 0 || loc.end_col >= loc.col;
}

/* Stores p and returns its number; 0 if it is nowhere. */
static uint32_t keep_place(ph_func *f, ph_srcloc p) {
  if (p.line == 0) return 0;
  if (!same_place(f->places.at[f->places.n - 1], p))
    ph_srclocs_push(&f->places, &f->arena, p);
  return f->places.n - 1;
}

void ph_srcloc_sethost(ph_func *f, ph_srcloc here, bool every) {
  uint32_t at = ph_ptr(f)->here;
  if (!same_place(f->places.at[at], here)) at = keep_place(f, here);
  ph_srcloc_resume(f, (ph_stamp){at, f->loc, f->identity, every});
}

void ph_srcloc_set(ph_func *f, ph_srcloc loc) {
  uint32_t at;
  ph_require(ph_srcloc_isrange(loc) && "a location that ends after its begin");
  at = keep_place(ph_ptr(f), loc);
  ph_srcloc_resume(f, (ph_stamp){f->here, at, f->identity, f->every});
}

static void note(ph_func *f, ph_ids *at, uint32_t v, uint32_t what) {
  ph_ids_extend(at, &f->arena, v + 1);
  at->at[v] = what;
}

void ph_srcloc_note(ph_func *f, uint32_t v) {
  if (f->loc != 0) note(f, &f->locs, v, f->loc);
  if (f->every && f->here != 0) note(f, &f->wheres, v, f->here);
  if (f->identity != 0 && ph_node_of(f, v)->op != PH_PHI)
    note(f, &f->made_for, v, f->identity);
}

void ph_srcloc_setloc(ph_func *f, uint32_t v, ph_srcloc loc) {
  note(f, &f->locs, v, keep_place(f, loc));
}

void ph_srcloc_sethostloc(ph_func *f, uint32_t v, ph_srcloc here) {
  note(f, &f->wheres, v, keep_place(f, here));
}

/* }== Reads and writes =============================================== */

void ph_access_recordmay(ph_func *f, uint32_t b, uint32_t var, uint32_t v) {
  ph_accessrec r = {b, var, v, f->here, f->loc, f->identity, true, true};
  ph_accessrecs_push(&f->accesses, &f->arena, r);
}

uint32_t ph_access_count(const ph_func *f) { return ph_ptr(f)->accesses.n; }

static ph_accessrec *rec(const ph_func *f, ph_access a) {
  ph_require(a.id - 1 < ph_ptr(f)->accesses.n && "an access of this function");
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

uint32_t ph_access_node(const ph_func *f, ph_access a) {
  uint32_t identity = rec(f, a)->identity;
  return identity != 0 ? f->identities.at[identity].first : 0;
}

void ph_access_setloc(ph_func *f, ph_access a, ph_srcloc loc) {
  uint32_t at = keep_place(ph_ptr(f), loc);
  rec(f, a)->loc = at;
  f->name_changes++;
}

/* }== Events ========================================================= */

void ph_event_keep(ph_func *f, ph_event e) {
  bool writes = e.kind == PH_EV_WRITE;
  if (f->options.accesses && (writes || e.kind == PH_EV_READ)) {
    ph_accessrec r = {e.block.id, e.var.id,    e.value.id, f->here,
                      f->loc,     f->identity, writes,     false};
    ph_accessrecs_push(&f->accesses, &f->arena, r);
  }
  if (f->tells) ph_events_push(&f->events, &f->arena, e);
}

uint32_t ph_event_keepinst(ph_func *f, ph_op op, const uint32_t *args,
                           uint32_t n) {
  uint32_t at = f->rewritten.n + 1;
  ph_ids_push(&f->rewritten, &f->arena, op);
  ph_ids_push(&f->rewritten, &f->arena, n);
  for (uint32_t i = 0; i < n; i++)
    ph_ids_push(&f->rewritten, &f->arena, args[i]);
  return at;
}

void ph_event_listen(ph_func *f) {
  ph_ptr(f)->tells = true;
  ph_body_derive(f);
}

void ph_event_listendetail(ph_func *f) {
  ph_event_listen(ph_ptr(f));
  f->details = true;
}

bool ph_event_isdetail(ph_eventkind kind) { return kind >= PH_EV_CLIMB; }

uint32_t ph_event_count(const ph_func *f) { return ph_ptr(f)->events.n; }

ph_event ph_event_at(const ph_func *f, uint32_t i) {
  ph_must(i < ph_ptr(f)->events.n && "from 0 to ph_event_count - 1");
  return f->events.at[i];
}

/* Returns the instruction kept at `at`; 0: none. */
static ph_eventinst kept_inst(const ph_func *f, uint32_t at) {
  const uint32_t *it;
  if (at == 0) return (ph_eventinst){PH_NONE, 0, NULL};
  ph_must(at < f->rewritten.n && "an event that is not forgotten");
  it = f->rewritten.at + at - 1;
  return (ph_eventinst){(ph_op)it[0], it[1], (const ph_value *)(it + 2)};
}

ph_eventinst ph_event_inst(const ph_func *f, ph_event e) {
  const ph_node *n;
  if (e.kind != PH_EV_EMIT && e.kind != PH_EV_FILLED)
    return kept_inst(f, e.was);
  ph_must(ph_contract_hasvalue(f, e.value) && "a value of this function");
  n = ph_node_of(f, e.value.id);
  return (ph_eventinst){n->op, n->nargs,
                        (const ph_value *)(f->operands.at + n->args)};
}

ph_eventinst ph_event_becomes(const ph_func *f, ph_event e) {
  return kept_inst(ph_ptr(f), e.becomes);
}

void ph_event_clear(ph_func *f) {
  ph_ptr(f)->events.n = 0;
  f->rewritten.n = 0;
}

/* }=================================================================== */
