/* srcloc.c: source positions of blocks and values.
**
** Places are few compared to values: runs of values share one.  So a place
** equal to the last one is that one again, and values store its number in
** arrays that exist only if there is something to store.
*/
#include "core/ir/srcloc.h"

#include "core/ir/contract.h"

static bool same_place(ph_srcloc a, ph_srcloc b) {
  return a.file == b.file && a.line == b.line && a.col == b.col &&
         a.end_line == b.end_line && a.end_col == b.end_col;
}

bool ph_srcloc_isrange(ph_srcloc loc) {
  if (loc.end_line == 0) return loc.end_col == 0;
  if (loc.end_line != loc.line) return loc.end_line > loc.line;
  return loc.end_col == 0 || loc.end_col >= loc.col;
}

uint32_t ph_srcloc_keep(ph_func *f, ph_srcloc p) {
  if (p.line == 0) return 0;
  if (!same_place(f->places.at[f->places.n - 1], p))
    ph_srclocs_push(&f->places, &f->arena, p);
  return f->places.n - 1;
}

void ph_srcloc_sethost(ph_func *f, ph_srcloc here, bool every) {
  uint32_t at = f->here;
  if (!same_place(f->places.at[at], here)) at = ph_srcloc_keep(f, here);
  ph_srcloc_resume(f, (ph_stamp){at, f->loc, every});
}

void ph_srcloc_set(ph_func *f, ph_srcloc loc) {
  uint32_t at;
  ph_require(ph_srcloc_isrange(loc) && "a location that ends after its begin");
  at = ph_srcloc_keep(f, loc);
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

void ph_srcloc_setloc(ph_func *f, uint32_t v, ph_srcloc loc) {
  note(f, &f->locs, v, ph_srcloc_keep(f, loc));
}
