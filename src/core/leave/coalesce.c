/* coalesce.c: which values share a location: congruence classes.
**
** Each operand of a phi is a move, on its edge, unless the two share a
** location; so is a copy.  These pairs are affinities.  They are tried one
** after the other, and the classes of a pair become one unless values of them
** interfere.  Moves in deeper loops come first, then those that more edges have
** (a phi can have one operand several times), as a counting sort by both orders
** them; then the order is that of the blocks.
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
#include "core/leave/coalesce.h"

#include "core/analysis/loops.h"
#include "core/leave/live_ranges.h"

/*
** {== Affinities =====================================================
*/

/* A phi and one of its operands, or a copy and its operand. */
typedef struct {
  uint32_t result, operand;
  uint32_t depth; /* of loops around the move */
  uint32_t edges; /* how many have it */
} affinity;
PH_VEC(affinities, affinity)

typedef struct {
  const ph_func *f;
  ph_arena *a;
  const ph_domtree *dom;
  const ph_loops *loops;
  affinities list;
  uint32_t *latest; /* by value: 1 + index of the latest pair that it is in */
} search;

static uint32_t depth_of(const search *s, uint32_t b) {
  return ph_loops_depth(s->loops, ph_loops_of(s->loops, ph_blockid(b)));
}

static void add_move(search *s, uint32_t result, uint32_t operand,
                     uint32_t depth) {
  uint32_t k = s->latest[operand];
  affinity *it;
  if (k == 0 || s->list.at[k - 1].result != result) {
    affinities_push(&s->list, s->a, (affinity){result, operand, depth, 0});
    s->latest[operand] = k = s->list.n;
  }
  it = &s->list.at[k - 1];
  if (it->depth < depth) it->depth = depth;
  it->edges++;
}

static void add_phi(search *s, uint32_t b, uint32_t phi) {
  const ph_func *f = s->f;
  uint32_t depth = depth_of(s, b), i = 0;
  PH_EACH_PRED(f, b, e) {
    uint32_t arg = ph_body_operand(f, phi, i++), from = f->edges.at[e].from;
    uint32_t outside = depth_of(s, from);
    if (arg == phi || !ph_coalesce_haslocation(f, arg)) continue;
    if (s->dom->size[from] == 0) continue;
    add_move(s, phi, arg, depth < outside ? depth : outside);
  }
}

static affinities find_affinities(ph_func *f, ph_arena *a,
                                  const ph_domtree *dom, const bool *needed) {
  search s = {.f = f, .a = a, .dom = dom};
  s.loops = ph_loops_compute(f, a, a);
  s.latest = ph_arena_zero(a, f->nodes.n * sizeof(uint32_t));
  for (uint32_t i = 0; i < dom->size[ph_block_entry(f).id]; i++) {
    uint32_t b = dom->order[i];
    PH_EACH_PHI(f, b, v) {
      if (needed[v]) add_phi(&s, b, v);
    }
    PH_EACH_INST(f, b, v) {
      if (ph_node_of(f, v)->op == PH_COPY) {
        uint32_t arg = ph_body_operand(s.f, v, 0);
        if (ph_coalesce_haslocation(s.f, arg))
          add_move(&s, v, arg, depth_of(&s, b));
      }
    }
  }
  return s.list;
}

/* Weights are DEPTHS depths of loops times COUNTS logarithms of the number of
** edges, the largest of each standing for all above. */
enum { DEPTHS = 32, COUNTS = 8 };

static uint32_t weight_of(const affinity *it) {
  uint32_t log = 0, depth = it->depth < DEPTHS ? it->depth : DEPTHS - 1;
  while (log < COUNTS - 1 && it->edges >> (log + 1) != 0) log++;
  return depth * COUNTS + log;
}

/* Returns the indices of the pairs in descending order of weight. */
static const uint32_t *order_of(const affinities *list, ph_arena *a) {
  ph_pairs by_weight = {0};
  for (uint32_t k = 0; k < list->n; k++)
    ph_csr_add(&by_weight, a, DEPTHS * COUNTS - 1 - weight_of(&list->at[k]), k);
  return ph_csr_make(a, DEPTHS * COUNTS, &by_weight).to;
}

/* }== Classes ======================================================== */

/* The members of a class form a search tree in dominance order: a treap (Seidel
** and Aragon, 1996) whose priorities are hashes of the ids, so that it needs no
** recursion and no rebalancing, and O(log n) steps are expected.  A tree is the
** value at its root, or 0. */
typedef struct {
  ph_arena *a;
  ph_live_ranges r;
  uint32_t *same;   /* by value: the value that it is a copy of, or itself */
  uint32_t *leader; /* by value: union-find */
  uint32_t *root;   /* by leader: its members */
  uint32_t *size;   /* by leader: their number */
  uint32_t *above;  /* by value: the nearest member that dominates it, or 0 */
  uint32_t *left, *right; /* by value */
  ph_ids moving;          /* members on their way to another class */
} classes;

static uint32_t priority(uint32_t v) {
  v *= 2654435769u;
  v ^= v >> 15;
  return v * 2246822519u;
}

/* Splits the tree at `root` into the values before v and those after it, which
** become its children. */
static void split_tree(classes *c, uint32_t root, uint32_t v) {
  uint32_t *before = &c->left[v], *behind = &c->right[v];
  while (root != 0) {
    if (ph_live_ranges_precedes(&c->r, root, v)) {
      *before = root;
      before = &c->right[root];
      root = *before;
    } else {
      *behind = root;
      behind = &c->left[root];
      root = *behind;
    }
  }
  *before = *behind = 0;
}

/* Inserts v, which is in no tree; its children are 0. */
static void insert_member(classes *c, uint32_t *root, uint32_t v) {
  uint32_t below;
  while (*root != 0 && priority(*root) >= priority(v))
    root = ph_live_ranges_precedes(&c->r, v, *root) ? &c->left[*root]
                                                    : &c->right[*root];
  below = *root;
  *root = v;
  split_tree(c, below, v);
}

/* Returns the last value of a tree that precedes v, or 0. */
static uint32_t member_before(const classes *c, uint32_t root, uint32_t v) {
  uint32_t found = 0;
  while (root != 0) {
    if (root != v && ph_live_ranges_precedes(&c->r, root, v)) {
      found = root;
      root = c->right[root];
    } else {
      root = c->left[root];
    }
  }
  return found;
}

/* Returns the first value of a tree that v precedes, or 0. */
static uint32_t member_after(const classes *c, uint32_t root, uint32_t v) {
  uint32_t found = 0;
  while (root != 0) {
    if (root != v && ph_live_ranges_precedes(&c->r, v, root)) {
      found = root;
      root = c->left[root];
    } else {
      root = c->right[root];
    }
  }
  return found;
}

/* Returns the first value of a tree after all that v dominates, or 0. */
static uint32_t member_past(const classes *c, uint32_t root, uint32_t v) {
  uint32_t end = ph_live_ranges_end(&c->r, v), found = 0;
  while (root != 0) {
    if (c->r.dom->at[c->r.home[root]] >= end) {
      found = root;
      root = c->left[root];
    } else {
      root = c->right[root];
    }
  }
  return found;
}

/* Returns the first value of a tree that is not empty. */
static uint32_t first_member(const classes *c, uint32_t root) {
  while (c->left[root] != 0) root = c->left[root];
  return root;
}

/* }== Interference =================================================== */

/* Returns the nearest value of a tree that dominates v, or 0. */
static uint32_t nearest_dominator(const classes *c, uint32_t root, uint32_t v) {
  uint32_t w = member_before(c, root, v);
  while (w != 0 && !ph_live_ranges_dominates(&c->r, w, v)) w = c->above[w];
  return w;
}

/* True if v interferes with a value of a tree that dominates it. */
static bool meets_above(const classes *c, uint32_t root, uint32_t v) {
  uint32_t w = nearest_dominator(c, root, v);
  while (w != 0) {
    uint32_t next = c->above[w];
    if (ph_live_ranges_covers(&c->r, w, v)) return c->same[w] != c->same[v];
    if (c->same[next] != c->same[w]) return false;
    w = next;
  }
  return false;
}

/* True if v interferes with a value of a tree that it dominates. */
static bool meets_below(const classes *c, uint32_t root, uint32_t v) {
  const ph_live_ranges *r = &c->r;
  uint32_t w = member_after(c, root, v);
  while (w != 0 && ph_live_ranges_dominates(r, v, w)) {
    if (!ph_live_ranges_covers(r, v, w))
      w = member_past(c, root, w);
    else if (c->same[v] == c->same[w])
      w = member_after(c, root, w);
    else
      return true;
  }
  return false;
}

static bool interfere(const classes *c, uint32_t small, uint32_t large) {
  uint32_t root = c->root[small];
  uint32_t v = first_member(c, root);
  for (; v != 0; v = member_after(c, root, v))
    if (meets_above(c, c->root[large], v) || meets_below(c, c->root[large], v))
      return true;
  return false;
}

/* }== Merging ======================================================== */

static uint32_t find_leader(const classes *c, uint32_t v) {
  while (c->leader[v] != v) v = c->leader[v] = c->leader[c->leader[v]];
  return v;
}

static void add_member(classes *c, uint32_t *root, uint32_t v) {
  uint32_t w;
  insert_member(c, root, v);
  c->above[v] = nearest_dominator(c, *root, v);
  w = member_after(c, *root, v);
  while (w != 0 && ph_live_ranges_dominates(&c->r, v, w)) {
    c->above[w] = v;
    w = member_past(c, *root, w);
  }
}

static void unite(classes *c, uint32_t small, uint32_t large) {
  uint32_t root = c->root[small];
  uint32_t v = first_member(c, root);
  c->moving.n = 0;
  for (; v != 0; v = member_after(c, root, v)) ph_ids_push(&c->moving, c->a, v);
  for (uint32_t i = 0; i < c->moving.n; i++)
    add_member(c, &c->root[large], c->moving.at[i]);
  c->size[large] += c->size[small];
  c->leader[small] = large;
}

/* Merges the classes of v and w, unless values of them interfere. */
static void merge(classes *c, uint32_t v, uint32_t w) {
  uint32_t small = find_leader(c, v), large = find_leader(c, w);
  if (small == large) return;
  if (c->size[small] > c->size[large]) {
    uint32_t other = small;
    small = large;
    large = other;
  }
  if (!interfere(c, small, large)) unite(c, small, large);
}

/* }== Together ======================================================= */

/* Returns the values whose live ranges are compared, by value. */
static bool *choose_values(const ph_func *f, ph_arena *a,
                           const affinities *list) {
  bool *chosen = ph_arena_zero(a, f->nodes.n * sizeof(bool));
  for (uint32_t i = 0; i < list->n; i++)
    chosen[list->at[i].result] = chosen[list->at[i].operand] = true;
  return chosen;
}

/* Returns, by value, what it is a copy of, through all copies. */
static uint32_t *find_same(const ph_func *f, ph_arena *a,
                           const ph_domtree *dom) {
  uint32_t *same = ph_arena_alloc(a, f->nodes.n * sizeof(uint32_t));
  for (uint32_t v = 0; v < f->nodes.n; v++) same[v] = v;
  for (uint32_t i = 0; i < dom->size[ph_block_entry(f).id]; i++) {
    PH_EACH_INST(f, dom->order[i], v) {
      if (ph_node_of(f, v)->op == PH_COPY)
        same[v] = same[ph_body_operand(f, v, 0)];
    }
  }
  return same;
}

const uint32_t *ph_coalesce_find(ph_func *f, ph_arena *a, const bool *needed) {
  const ph_domtree *dom = ph_dom_blocks(f, a);
  affinities list = find_affinities(f, a, dom, needed);
  const uint32_t *order = order_of(&list, a);
  classes c = {.a = a};
  c.r = ph_live_ranges_find(f, a, dom, choose_values(f, a, &list), needed);
  c.same = find_same(f, a, dom);
  uint32_t n = c.r.f->nodes.n;
  c.leader = ph_arena_zero(c.a, 6 * sizeof(uint32_t) * n);
  c.root = c.leader + n;
  c.size = c.root + n;
  c.above = c.size + n;
  c.left = c.above + n;
  c.right = c.left + n;
  for (uint32_t v = 0; v < n; v++) {
    c.leader[v] = c.root[v] = v;
    c.size[v] = 1;
  }
  for (uint32_t k = 0; k < list.n; k++) {
    const affinity *it = &list.at[order[k]];
    if (c.r.home[it->result] != 0 && c.r.home[it->operand] != 0)
      merge(&c, it->result, it->operand);
  }
  for (uint32_t v = 0; v < f->nodes.n; v++) c.leader[v] = find_leader(&c, v);
  return c.leader;
}

/* }=================================================================== */
