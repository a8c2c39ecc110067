/* join_skip.c: links between blocks that let look-ups skip joins.
**
** A look-up that comes to a join must look up each predecessor only if some
** path to the join writes the variable.  Otherwise it continues where these
** paths begin: at `up`, a block on every path to the join.  `up` is where the
** walks up the links from all predecessors meet.  Mostly that is the immediate
** dominator; a more distant one costs only precision.  The variables that may
** be written between are a set of 64 bits, the union of the sets of the blocks
** that the walks have passed.
**
** Links are permanent, except that ph_join_skip_unlink undoes all of them.
** Blocks from whose predecessors the walks do not meet, or not yet, have none
** and are handled as in the paper; each look-up that comes to one tries again.
** Long walks take jumps over several links, whose lengths follow Myers, "An
** applicative random-access stack" (1983).  docs/internals/construction.md has
** the reasons.
**
** Requires: predecessors of a sealed block are filled; a filled block gets no
** more definitions (else ph_join_skip_unlink).  Keeps: for all blocks in a tree
** except its root, depth = that of `up` + 1.
*/
#include "core/lookup/join_skip.h"

static void start_skip(ph_join_skip *s, uint32_t b) {
  *s = (ph_join_skip){.around = PH_ALLVARS,
                      .written_to_jump = PH_ALLVARS,
                      .jump = b,
                      .tree = b};
}

void ph_join_skip_room(ph_func *f, ph_join_skips *s) {
  uint32_t n = f->blocks.n;
  ph_block_skips_reserve(&s->blocks, &f->working, n);
  for (uint32_t b = s->blocks.n; b < n; b++) start_skip(&s->blocks.at[b], b);
  s->blocks.n = n;
}

void ph_join_skip_unlink(ph_join_skips *s) {
  for (uint32_t b = 0; b < s->blocks.n; b++) {
    ph_join_skip *at = &s->blocks.at[b], old = *at;
    start_skip(at, b);
    at->written = old.written;
    at->kept = old.kept;
    at->defs = old.defs;
  }
  s->linked = false;
}

/* A walk upwards, with the variables that may be written in the blocks it left.
** PATIENCE bounds its steps: enough for a tree of any depth, because of the
** jumps, and for a chain of more trees than programs have nested loops.  A walk
** that would need more gives up, and its block stays without a link: look-ups
** are slower there, and as correct. */
#define PATIENCE 64
typedef struct {
  const ph_join_skip *at;
  uint64_t vars;
  int left;
} walk;

static uint32_t step(walk *w, uint32_t b) {
  if (w->left-- == 0) return 0;
  w->vars |= w->at[b].written | w->at[b].around;
  return w->at[b].up;
}

static uint32_t leap(walk *w, uint32_t b) {
  if (w->left-- == 0) return 0;
  w->vars |= w->at[b].written_to_jump;
  return w->at[b].jump;
}

/* Walks from b up to the given depth in its tree. */
static uint32_t rise(walk *w, uint32_t b, uint32_t depth) {
  const ph_join_skip *at = w->at;
  while (b != 0 && at[b].depth > depth)
    b = at[b].jump_depth < depth ? step(w, b) : leap(w, b);
  return b;
}

/* Walks from b to the block from which its tree hangs; 0: none. */
static uint32_t leave_tree(walk *w, uint32_t b) {
  uint32_t root = rise(w, b, 0);
  return root != 0 ? step(w, root) : 0;
}

/* Returns the block where the walks up from a and b, in one tree, meet.  From
** blocks of one depth jumps lead to one depth. */
static uint32_t meet_in_tree(walk *w, uint32_t a, uint32_t b) {
  const ph_join_skip *at = w->at;
  if (at[a].depth > at[b].depth)
    a = rise(w, a, at[b].depth);
  else if (at[a].depth < at[b].depth)
    b = rise(w, b, at[a].depth);
  while (a != b && a != 0 && b != 0) {
    bool both = at[a].jump != at[b].jump;
    a = both ? leap(w, a) : step(w, a);
    b = both ? leap(w, b) : step(w, b);
  }
  return a == b ? a : 0;
}

/* Guesses whether a's tree hangs below b's: of two trees that hang, the one
** whose root was made later.  A wrong guess costs precision only. */
static bool hangs_below(const ph_join_skip *at, uint32_t a, uint32_t b) {
  uint32_t root_a = at[a].tree, root_b = at[b].tree;
  return at[root_b].up == 0 || (root_a > root_b && at[root_a].up != 0);
}

/* Returns the block where the walks up from a and b meet, or 0. */
static uint32_t meet(walk *w, uint32_t a, uint32_t b) {
  while (a != 0 && b != 0 && w->at[a].tree != w->at[b].tree)
    if (hangs_below(w->at, a, b))
      a = leave_tree(w, a);
    else
      b = leave_tree(w, b);
  return a != 0 && b != 0 ? meet_in_tree(w, a, b) : 0;
}

/* True if b, which is filled, is known to be on every path to p.  Then an edge
** from p to b ends a loop of b, and the variables that may be written in the
** loop are added to those of w.  False: unknown; w is as it was. */
static bool is_above(walk *w, uint32_t b, uint32_t p) {
  walk loop = {w->at, w->vars, PATIENCE};
  while (p != 0 && w->at[p].tree != w->at[b].tree) p = leave_tree(&loop, p);
  if (p == 0 || rise(&loop, p, w->at[b].depth) != b) return false;
  w->vars = loop.vars | w->at[b].written;
  return true;
}

bool ph_join_skip_isabove(const ph_join_skips *s, uint32_t b, uint32_t p) {
  walk w = {s->blocks.at, 0, PATIENCE};
  return is_above(&w, b, p);
}

/* Returns the nearest block that the walks find on all paths to b, or 0, and
** adds to w->vars what may be written between.  If b is filled it may have
** loops: the edges that end them lead to no other dominator, and only what the
** loops write counts. */
static uint32_t common(const ph_func *f, walk *w, uint32_t b) {
  bool filled = ph_blockrec_of(f, b)->filled;
  uint32_t up = 0;
  PH_EACH_PRED(f, b, e) {
    uint32_t p = f->edges.at[e].from;
    if (filled && is_above(w, b, p)) continue;
    w->left = PATIENCE;
    up = up == 0 ? p : meet(w, up, p);
    if (up == 0) return 0;
  }
  return up;
}

/* True if b's tree hangs, directly or through other trees, from the tree of
** `root`, or if that is unknown. */
static bool hangs_from(const ph_join_skip *at, uint32_t b, uint32_t root) {
  int left = PATIENCE;
  while (b != 0 && at[b].tree != root && left-- > 0) b = at[at[b].tree].up;
  return b != 0;
}

bool ph_join_skip_linkjoin(const ph_func *f, ph_join_skips *skips, uint32_t b) {
  ph_join_skip *at = skips->blocks.at;
  walk w = {at, 0, PATIENCE};
  uint32_t up = common(f, &w, b);
  if (up == 0) return false;
  if (!ph_blockrec_of(f, b)->filled) {
    ph_join_skip_linkto(at, b, up, w.vars);
    return true;
  }
  if (hangs_from(at, up, b)) return false;
  at[b].up = up;
  at[b].around = w.vars;
  return true;
}
