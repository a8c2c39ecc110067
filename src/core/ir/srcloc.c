/* srcloc.c: source positions of blocks and values.
**
** Places are few compared to values: runs of values share one.  So a place
** equal to the last one is that one again, and values store its number in
** arrays that exist only if there is something to store.
*/
#include "core/ir/srcloc.h"

static bool same_place(ph_srcloc a, ph_srcloc b) {
  return a.file == b.file && a.line == b.line && a.col == b.col;
}

static uint32_t keep(ph_func *f, ph_srcloc p) {
  if (p.line == 0) return 0;
  if (!same_place(f->places.at[f->places.n - 1], p))
    ph_srclocs_push(&f->places, &f->arena, p);
  return f->places.n - 1;
}

void ph_srcloc_setcurrenthost(ph_func *f, ph_srcloc here, bool every) {
  uint32_t at = f->here;
  if (!same_place(f->places.at[at], here)) at = keep(f, here);
  ph_srcloc_resume(f, (ph_stamp){at, f->loc, every});
}

void ph_srcloc_setcurrent(ph_func *f, ph_srcloc loc) {
  uint32_t at = keep(f, loc);
  ph_srcloc_resume(f, (ph_stamp){f->here, at, f->every});
}

static void note(ph_func *f, ph_ids *at, uint32_t v, uint32_t place) {
  ph_ids_extend(at, &f->arena, v + 1);
  at->at[v] = place;
}

void ph_srcloc_note(ph_func *f, uint32_t v) {
  if (f->loc != 0) note(f, &f->locs, v, f->loc);
  if (f->every && f->here != 0) note(f, &f->wheres, v, f->here);
}

void ph_srcloc_setvalue(ph_func *f, ph_value v, ph_srcloc loc) {
  note(f, &f->locs, ph_body_resolve(f, v.id), keep(f, loc));
  f->version++;
}

static ph_srcloc look(const ph_func *f, const ph_ids *at, ph_value v) {
  uint32_t id = ph_body_resolve(f, v.id);
  return f->places.at[id < at->n ? at->at[id] : 0];
}

ph_srcloc ph_srcloc_value(const ph_func *f, ph_value v) {
  return look(f, &f->locs, v);
}

ph_srcloc ph_srcloc_host(const ph_func *f, ph_value v) {
  return look(f, &f->wheres, v);
}

ph_srcloc ph_srcloc_var(const ph_func *f, ph_var var) {
  return f->places.at[f->vars.at[var.id].made];
}

ph_srcloc ph_srcloc_block(const ph_func *f, ph_block b, ph_moment when) {
  return f->places.at[f->blocks.at[b.id].places[when]];
}
