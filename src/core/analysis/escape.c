/* escape.c: which allocas are known to nothing but the accesses to them.
**
** Addresses that can point into one alloca make a web (union-find): those of
** the alloca, of ptradd, and phis, selects and copies of them.  A web is open if
** an address of it is used otherwise (called with, stored, cast, returned,
** compared with what is not of the web, accessed as volatile), or can come from
** elsewhere.  What is accessed by an address of any other web is another part
** of memory than what is accessed by all other addresses, since an access by an
** address that was made of an alloca's reaches that alloca.
**
** Takes near-linear time.  Without allocas it looks at the entry only.
*/
#include "core/analysis/escape.h"

#include "core/ir/op.h"

static uint32_t find(const ph_escape *e, uint32_t v) {
  while (e->web[v] != v) v = e->web[v] = e->web[e->web[v]];
  return v;
}

static void unite(const ph_escape *e, uint32_t v, uint32_t w) {
  v = find(e, v);
  w = find(e, w);
  e->open[w] |= e->open[v];
  e->web[v] = w;
}

/* True if the result of v is made of the address that is its operand i. */
static bool passes(const ph_node *n, uint32_t i) {
  switch (n->op) {
    case PH_PTRADD:
    case PH_COPY:
    case PH_REFINE:
      return i == 0;
    case PH_SELECT:
      return i > 0;
    default:
      return n->op == PH_PHI;
  }
}

/* True if v only accesses what is at its operand i. */
static bool accesses(ph_op op, uint32_t i) {
  if (op == PH_MEMCPY || op == PH_MEMMOVE) return i < 2;
  return i == 0 && (ph_op_loads(op) || ph_op_stores(op) || op == PH_MEMSET);
}

static bool is_null(const ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  return n->op == PH_CONST && f->datas.at[n->aux].bits == 0;
}

/* Two addresses of one alloca can be compared, and with null: that tells
** nothing. */
static void compare(const ph_func *f, const ph_escape *e, uint32_t v) {
  uint32_t a = ph_body_operand(f, v, 0), b = ph_body_operand(f, v, 1);
  if (e->web[a] != 0 && e->web[b] != 0)
    unite(e, a, b);
  else if (e->web[a] != 0 && !is_null(f, b))
    e->open[find(e, a)] = true;
  else if (e->web[b] != 0 && !is_null(f, a))
    e->open[find(e, b)] = true;
}

static void look_at(const ph_func *f, const ph_escape *e, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  if (n->op == PH_EQ || n->op == PH_NE) {
    compare(f, e, v);
    return;
  }
  for (uint32_t i = 0; i < n->nargs; i++) {
    uint32_t w = ph_body_operand(f, v, i);
    bool passed = e->web[v] != 0 && passes(n, i);
    if (passed && e->web[w] != 0)
      unite(e, v, w);
    else if (passed)
      e->open[find(e, v)] = true;
    else if (e->web[w] != 0 && !accesses(n->op, i))
      e->open[find(e, w)] = true;
  }
}

static void enter(const ph_func *f, const ph_escape *e, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  if (n->type == PH_PTR && (n->op == PH_ALLOCA || passes(n, 0) || passes(n, 1)))
    e->web[v] = v;
}

static bool has_alloca(const ph_func *f) {
  PH_EACH_INST(f, 1, v) {
    if (ph_node_of(f, v)->op == PH_ALLOCA) return true;
  }
  return false;
}

ph_escape ph_escape_find(const ph_func *f, ph_arena *a) {
  ph_escape e = {NULL, NULL};
  if (!has_alloca(f)) return e;
  e.web = ph_arena_zero(a, f->nodes.n * sizeof *e.web);
  e.open = ph_arena_zero(a, f->nodes.n * sizeof *e.open);
  PH_EACH_BLOCK(f, b) {
    PH_EACH_PHI(f, b, v) enter(f, &e, v);
    PH_EACH_INST(f, b, v) enter(f, &e, v);
  }
  PH_EACH_BLOCK(f, b) {
    PH_EACH_PHI(f, b, v) look_at(f, &e, v);
    PH_EACH_INST(f, b, v) look_at(f, &e, v);
  }
  return e;
}

bool ph_escape_isprivate(const ph_escape *e, uint32_t v) {
  return e->web != NULL && e->web[v] != 0 && !e->open[find(e, v)];
}
