/* members.c: search trees of values in dominance order. */
#include "core/leave/members.h"

static uint32_t priority(uint32_t v) {
  v *= 2654435769u;
  v ^= v >> 15;
  return v * 2246822519u;
}

/* Splits the tree at `root` into the values before v and those behind it, which
** become its children. */
static void split(ph_members *m, uint32_t root, uint32_t v) {
  uint32_t *before = &m->left[v], *behind = &m->right[v];
  while (root != 0) {
    if (ph_live_ranges_precedes(m->r, root, v)) {
      *before = root;
      before = &m->right[root];
      root = *before;
    } else {
      *behind = root;
      behind = &m->left[root];
      root = *behind;
    }
  }
  *before = *behind = 0;
}

void ph_members_insert(ph_members *m, uint32_t *root, uint32_t v) {
  uint32_t below;
  while (*root != 0 && priority(*root) >= priority(v))
    root = ph_live_ranges_precedes(m->r, v, *root) ? &m->left[*root]
                                                   : &m->right[*root];
  below = *root;
  *root = v;
  split(m, below, v);
}

uint32_t ph_members_before(const ph_members *m, uint32_t root, uint32_t v) {
  uint32_t found = 0;
  while (root != 0) {
    if (root != v && ph_live_ranges_precedes(m->r, root, v)) {
      found = root;
      root = m->right[root];
    } else {
      root = m->left[root];
    }
  }
  return found;
}

uint32_t ph_members_after(const ph_members *m, uint32_t root, uint32_t v) {
  uint32_t found = 0;
  while (root != 0) {
    if (root != v && ph_live_ranges_precedes(m->r, v, root)) {
      found = root;
      root = m->left[root];
    } else {
      root = m->right[root];
    }
  }
  return found;
}

uint32_t ph_members_past(const ph_members *m, uint32_t root, uint32_t v) {
  uint32_t end = ph_live_ranges_end(m->r, v), found = 0;
  while (root != 0) {
    if (m->r->dom->at[m->r->home[root]] >= end) {
      found = root;
      root = m->left[root];
    } else {
      root = m->right[root];
    }
  }
  return found;
}

uint32_t ph_members_first(const ph_members *m, uint32_t root) {
  while (m->left[root] != 0) root = m->left[root];
  return root;
}
