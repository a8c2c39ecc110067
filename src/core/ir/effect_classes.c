/* effect_classes.c: classes of effects, which are interned: a set of them is a
** word, whose bits are numbers of the function.  A function to which a dialect
** is attached may be blank: names are not among its strings.
*/
#include "core/ir/effect_classes.h"

#include <string.h>

#include "core/base/strbuf.h"
#include "core/ir/contract.h"

/*
** {== Classes ========================================================
*/

bool ph_effects_isclass(ph_str name) {
  return ph_ascii_isname(name) && !ph_ascii_equal(name, "all");
}

bool ph_effects_find(ph_func *f, ph_str name, uint32_t *set) {
  uint32_t i = 0;
  ph_require(ph_effects_isclass(name) && "the name of a class");
  while (i < ph_ptr(f)->classes.n && !ph_ascii_same(f->classes.at[i], name))
    i++;
  if (i == PH_CLASSES_MOST) return false;
  if (i == f->classes.n) {
    char *copy = ph_arena_alloc(&f->arena, name.n);
    memcpy(copy, name.at, name.n);
    ph_strs_push(&f->classes, &f->arena, (ph_str){copy, name.n});
  }
  *ph_ptr(set) |= UINT32_C(1) << i;
  return true;
}

uint32_t ph_effects_nclasses(const ph_func *f) { return ph_ptr(f)->classes.n; }

ph_str ph_effects_class(const ph_func *f, uint32_t i) {
  ph_require(i < ph_ptr(f)->classes.n && "from 0 to ph_effects_nclasses - 1");
  return f->classes.at[i];
}

static bool precedes(ph_str a, ph_str b) {
  int sign = memcmp(a.at, b.at, a.n < b.n ? a.n : b.n);
  return sign != 0 ? sign < 0 : a.n < b.n;
}

uint32_t ph_effects_list(const ph_func *f, uint32_t set,
                         uint32_t list[PH_CLASSES_MOST]) {
  uint32_t n = 0;
  ph_require(list != NULL && "list is not NULL");
  ph_require(
      (ph_ptr(f)->classes.n == PH_CLASSES_MOST || set >> f->classes.n == 0) &&
      "a set of classes of this function");
  for (uint32_t i = 0; i < f->classes.n; i++) {
    ph_str name = ph_effects_class(f, i);
    uint32_t k = n;
    if (!(set >> i & 1)) continue;
    for (; k > 0 && precedes(name, ph_effects_class(f, list[k - 1])); k--)
      list[k] = list[k - 1];
    list[k] = i;
    n++;
  }
  return n;
}

static uint32_t translate(ph_func *f, const ph_func *from, uint32_t set) {
  uint32_t there = 0;
  if (set == PH_EFFECTS_ALL || f == from) return set;
  for (uint32_t i = 0; i < from->classes.n; i++)
    if (set >> i & 1 && !ph_effects_find(f, ph_effects_class(from, i), &there))
      return PH_EFFECTS_ALL;
  return there;
}

ph_effects ph_effects_translate(ph_func *f, const ph_func *from, ph_effects e) {
  return (ph_effects){translate(ph_ptr(f), ph_ptr(from), e.reads),
                      translate(f, from, e.writes)};
}

/* }== Ops of dialects ================================================ */

/* Returns the set of the names of a dialect; NULL: everything. */
static uint32_t set_of(ph_func *f, const char *const *names) {
  uint32_t set = 0;
  if (names == NULL) return PH_EFFECTS_ALL;
  for (; *names != NULL; names++)
    if (!ph_effects_find(f, ph_ascii_str(*names), &set)) return PH_EFFECTS_ALL;
  return set;
}

void ph_effects_attach(ph_func *f, const ph_dialect *d, uint32_t first) {
  for (uint16_t i = 0; i < d->nops; i++) {
    const ph_opspec *s = &d->ops[i];
    if (s->reads == NULL && s->writes == NULL) continue;
    ph_effectsvec_reserve(&f->op_effects, &f->arena, first + d->nops);
    while (f->op_effects.n < first + d->nops)
      f->op_effects.at[f->op_effects.n++] =
          (ph_effects){PH_EFFECTS_ALL, PH_EFFECTS_ALL};
    f->op_effects.at[first + i] =
        (ph_effects){set_of(f, s->reads), set_of(f, s->writes)};
  }
}

void ph_effects_forget(ph_func *f) { f->classes.n = 0; }

void ph_effects_reattach(ph_func *f) {
  uint32_t first = 0;
  for (uint32_t i = 0; i < f->dialects.n; i++) {
    const ph_dialect *d = f->dialects.at[i].dialect;
    if (d->classes) ph_effects_attach(f, d, first);
    first += d->nops;
  }
}

/* }=================================================================== */
