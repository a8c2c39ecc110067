/* classes.c: congruence classes, and when two of them can be merged.
**
** Two values interfere if one is live at the definition of the other, unless
** they have the same value (Boissinot et al., section III.A).  No two members
** of a class interfere.
**
** The check for two classes follows section IV.B, which visits the members in
** dominance order and compares each with its nearest dominating member only:
** what is live at a point is live at every definition in between, so members
** above the nearest one matter only as long as all in between have the same
** value.  The paper visits all members of both classes, and that is quadratic
** where a class grows by one value at a time, as a variable does that many ifs
** assign.  So here members are in search trees, and only those of the smaller
** class are visited: each is compared with its nearest dominator in the larger
** one, and with the topmost members there that it dominates.
*/
#include "core/leave/classes.h"

ph_classes ph_classes_new(ph_arena *a, const ph_live_ranges *r,
                          const uint32_t *same) {
  uint32_t n = r->f->nodes.n;
  ph_classes c = {.members = {.r = r}, .same = same, .a = a};
  c.leader = ph_arena_zero(a, 6 * sizeof(uint32_t) * n);
  c.root = c.leader + n;
  c.size = c.root + n;
  c.above = c.size + n;
  c.members.left = c.above + n;
  c.members.right = c.members.left + n;
  for (uint32_t v = 0; v < n; v++) {
    c.leader[v] = c.root[v] = v;
    c.size[v] = 1;
  }
  return c;
}

uint32_t ph_classes_find(const ph_classes *c, uint32_t v) {
  while (c->leader[v] != v) v = c->leader[v] = c->leader[c->leader[v]];
  return v;
}

/*
** {== Interference ===================================================
*/

/* Returns the nearest value of a tree that dominates v, or 0. */
static uint32_t nearest(const ph_classes *c, uint32_t root, uint32_t v) {
  uint32_t w = ph_members_before(&c->members, root, v);
  while (w != 0 && !ph_live_ranges_dominates(c->members.r, w, v))
    w = c->above[w];
  return w;
}

/* True if v interferes with a value of a tree that dominates it. */
static bool meets_above(const ph_classes *c, uint32_t root, uint32_t v) {
  uint32_t w = nearest(c, root, v);
  while (w != 0) {
    uint32_t next = c->above[w];
    if (ph_live_ranges_covers(c->members.r, w, v))
      return c->same[w] != c->same[v];
    if (c->same[next] != c->same[w]) return false;
    w = next;
  }
  return false;
}

/* True if v interferes with a value of a tree that it dominates. */
static bool meets_below(const ph_classes *c, uint32_t root, uint32_t v) {
  const ph_live_ranges *r = c->members.r;
  uint32_t w = ph_members_after(&c->members, root, v);
  while (w != 0 && ph_live_ranges_dominates(r, v, w)) {
    if (!ph_live_ranges_covers(r, v, w))
      w = ph_members_past(&c->members, root, w);
    else if (c->same[v] == c->same[w])
      w = ph_members_after(&c->members, root, w);
    else
      return true;
  }
  return false;
}

static bool interfere(const ph_classes *c, uint32_t small, uint32_t large) {
  uint32_t root = c->root[small];
  uint32_t v = ph_members_first(&c->members, root);
  for (; v != 0; v = ph_members_after(&c->members, root, v))
    if (meets_above(c, c->root[large], v) || meets_below(c, c->root[large], v))
      return true;
  return false;
}

/* }== Merging ======================================================== */

static void add_member(ph_classes *c, uint32_t *root, uint32_t v) {
  ph_members *m = &c->members;
  uint32_t w;
  ph_members_insert(m, root, v);
  c->above[v] = nearest(c, *root, v);
  w = ph_members_after(m, *root, v);
  while (w != 0 && ph_live_ranges_dominates(m->r, v, w)) {
    c->above[w] = v;
    w = ph_members_past(m, *root, w);
  }
}

static void unite(ph_classes *c, uint32_t small, uint32_t large) {
  uint32_t root = c->root[small];
  uint32_t v = ph_members_first(&c->members, root);
  c->moving.n = 0;
  for (; v != 0; v = ph_members_after(&c->members, root, v))
    ph_ids_push(&c->moving, c->a, v);
  for (uint32_t i = 0; i < c->moving.n; i++)
    add_member(c, &c->root[large], c->moving.at[i]);
  c->size[large] += c->size[small];
  c->leader[small] = large;
}

bool ph_classes_merge(ph_classes *c, uint32_t v, uint32_t w) {
  uint32_t small = ph_classes_find(c, v), large = ph_classes_find(c, w);
  if (small == large) return true;
  if (c->size[small] > c->size[large]) {
    uint32_t other = small;
    small = large;
    large = other;
  }
  if (interfere(c, small, large)) return false;
  unite(c, small, large);
  return true;
}

/* }=================================================================== */
