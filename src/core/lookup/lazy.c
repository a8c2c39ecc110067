/* lazy.c: records of refinements and may-writes.
**
** To find the may-writes of a block that can write a variable, either they or
** the groups of the variable are examined, whichever are fewer.
*/
#include "core/lookup/lazy.h"

#include <stdlib.h>

/*
** {== Groups =========================================================
*/

/* True if a may-write with this number to the group can write var. */
static bool covers(const ph_groups *g, uint32_t group, uint32_t var,
                   uint32_t number) {
  const ph_grouprec *r = &g->all.at[group];
  uint32_t since;
  if (r->only != 0) return r->only == var;
  since = ph_idmap_get(&r->since, var);
  return since != 0 && number > since - 1;
}

ph_groups *ph_groups_of(ph_func *f) {
  ph_groups *g = f->groups;
  if (g != NULL) return g;
  g = ph_arena_zero(&f->arena, sizeof *g);
  ph_grouprecs_push(&g->all, &f->arena, (ph_grouprec){0});
  ph_members_push(&g->members, &f->arena, (ph_member){0});
  return f->groups = g;
}

static void restart_memberships(const ph_groups *g) {
  for (uint32_t i = 1; i < g->members.n; i++) g->members.at[i].since = 0;
  for (uint32_t i = 1; i < g->all.n; i++) {
    const ph_idmap *since = &g->all.at[i].since;
    for (uint32_t k = 0; k < since->cap; k++)
      if (since->at[k].id != 0) since->at[k].to = 1;
  }
}

/* }== Records ======================================================== */

ph_lazy *ph_lazy_new(ph_func *f) {
  ph_lazy *l = ph_arena_zero(&f->working, sizeof *l);
  ph_groups *g = ph_groups_of(f);
  restart_memberships(g);
  l->groups = g;
  ph_refinements_push(&l->refinements, &f->working, (ph_refinement){0});
  ph_maywrites_push(&l->maywrites, &f->working, (ph_maywrite){0});
  return l;
}

static ph_lazyplace place_now(const ph_func *f) {
  return (ph_lazyplace){f->here, f->loc, f->identity};
}

void ph_lazy_refine(ph_func *f, ph_lazy *l, uint32_t b, ph_refinement r) {
  ph_arena *a = &f->working;
  r.place = place_now(f);
  r.block = b;
  ph_ids_extend(&l->refined, a, b + 1);
  r.next = l->refined.at[b];
  ph_refinements_push(&l->refinements, a, r);
  l->refined.at[b] = l->refinements.n - 1;
}

void ph_lazy_forget(ph_lazy *l, uint32_t n) {
  while (l->refinements.n > n) {
    const ph_refinement *r = &l->refinements.at[--l->refinements.n];
    l->refined.at[r->block] = r->next;
  }
}

void ph_lazy_maywrite(ph_func *f, ph_lazy *l, uint32_t b, uint32_t group,
                      uint32_t value) {
  ph_arena *a = &f->working;
  const ph_idmap none = {NULL, 0, 0};
  ph_maywrite m = {b,         group, value, ph_blockrec_of(f, b)->last,
                   {0, 0, 0}, 0,     0,     0};
  if (m.anchor == ph_lazy_headof(l, b)) m.anchor = 0;
  m.place = place_now(f);
  ph_ids_extend(&l->newest, a, b + 1);
  while (l->of_group.n <= group) ph_idmaps_push(&l->of_group, a, none);
  m.older = l->newest.at[b];
  m.nth = m.older != 0 ? l->maywrites.at[m.older].nth + 1 : 1;
  m.same = ph_idmap_get(&l->of_group.at[group], b);
  ph_maywrites_push(&l->maywrites, a, m);
  ph_idmap_set(&l->of_group.at[group], a, b, l->maywrites.n - 1);
  l->newest.at[b] = l->maywrites.n - 1;
}

/* }== May-writes of a variable ======================================= */

/* Returns the newest may-write in b to the group of membership i that is late
** enough for it, or 0. */
static uint32_t newest_of(const ph_lazy *l, uint32_t i, uint32_t b) {
  const ph_member *m = &l->groups->members.at[i];
  uint32_t n = 0;
  if (m->group < l->of_group.n) n = ph_idmap_get(&l->of_group.at[m->group], b);
  return n > m->since ? n : 0;
}

/* True if it is less work to examine the may-writes of b than the groups of a
** variable whose newest membership is `first`. */
static bool has_few(const ph_lazy *l, uint32_t first, uint32_t b) {
  return l->maywrites.at[l->newest.at[b]].nth <
         l->groups->members.at[first].count;
}

uint32_t ph_lazy_newest(const ph_lazy *l, uint32_t var, uint32_t b) {
  uint32_t first = ph_groups_first(l->groups, var), n = 0;
  if (first == 0) return 0;
  if (has_few(l, first, b)) {
    n = l->newest.at[b];
    while (n != 0 && !covers(l->groups, l->maywrites.at[n].group, var, n))
      n = l->maywrites.at[n].older;
    return n;
  }
  for (uint32_t i = first; i != 0; i = l->groups->members.at[i].next) {
    uint32_t m = newest_of(l, i, b);
    n = m > n ? m : n;
  }
  return n;
}

static int by_number(const void *p, const void *q) {
  const uint32_t *a = p, *b = q;
  return (*a > *b) - (*a < *b);
}

static void add_of_group(ph_lazy *l, ph_arena *a, uint32_t i, uint32_t b,
                         uint32_t after) {
  uint32_t since = l->groups->members.at[i].since;
  uint32_t n = newest_of(l, i, b);
  for (; n > after && n > since; n = l->maywrites.at[n].same)
    ph_ids_push(&l->found, a, n);
}

uint32_t ph_lazy_find(ph_lazy *l, ph_arena *a, uint32_t var, uint32_t b,
                      uint32_t after) {
  uint32_t first = ph_groups_first(l->groups, var);
  l->found.n = 0;
  if (first == 0 || b >= l->newest.n || l->newest.at[b] == 0) return 0;
  if (has_few(l, first, b)) {
    for (uint32_t n = l->newest.at[b]; n > after; n = l->maywrites.at[n].older)
      if (covers(l->groups, l->maywrites.at[n].group, var, n))
        ph_ids_push(&l->found, a, n);
  } else {
    for (uint32_t i = first; i != 0; i = l->groups->members.at[i].next)
      add_of_group(l, a, i, b, after);
  }
  if (l->found.n > 1)
    qsort(l->found.at, l->found.n, sizeof(uint32_t), by_number);
  return l->found.n;
}

/* }=================================================================== */
