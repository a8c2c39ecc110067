/* skip.c: which blocks can a look-up pass over?
**
** A look-up that comes to a join must look behind each predecessor only if
** one of the ways there writes the variable.  If none does, it goes on at once
** where these ways begin: at the nearest block `up` that every way to the join
** comes through, its immediate dominator.  What may be written on a way is a
** set of 64 bits, found when the join is linked to `up`: walking up the tree
** of links from each predecessor to where the walks meet, all blocks passed
** have their sets united.
**
** A link holds for good.  All blocks between a block and `up` are sealed, so
** no edge that comes later makes another way.  A loop header is linked when it
** is sealed; until then all walks within the loop end at it.  A block whose
** ways do not meet, since an unsealed block is among them or the flow is
** irreducible, stays without a link, and is looked behind as the paper has
** it; it is tried again when a look-up comes to it.
**
** Long walks take jumps: links over several blocks, which have the union of
** the sets on the way.  Their lengths follow Myers, "An applicative
** random-access stack" (1983): a walk takes O(log n) of them.  That needs
** depths; a block that is filled before it can be linked guesses its depth,
** and gets no link if it guessed wrong.
**
** Requires: predecessors of a sealed block are filled.  Keeps: for all blocks
** with a link, depth = that of `up` + 1.
*/
#include "core/skip.h"

void ph_skip_room(ph_func *f, ph_skips *s) {
  ph_skips_reserve(s, &f->working, f->blocks.n);
  while (s->n < f->blocks.n) {
    s->at[s->n] =
        (ph_skip){.around = PH_ALLVARS, .passed = PH_ALLVARS, .jump = s->n};
    s->n++;
  }
}

/* A walk upwards, and what may be written in the blocks that it left.  It ends
** after so many steps: they are enough for any depth if jumps are as they
** should be, and loops nested very deep, which are linked from inside out, have
** short ones. */
#define PATIENCE 64
typedef struct {
  const ph_skip *at;
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
  w->vars |= w->at[b].passed;
  return w->at[b].jump;
}

/* From b up to that depth, or to 0 if there is no such way. */
static uint32_t rise(walk *w, uint32_t b, uint32_t depth) {
  const ph_skip *at = w->at;
  while (b != 0 && at[b].depth > depth) {
    bool far = at[b].up == 0 || at[at[b].jump].depth < depth;
    b = far ? step(w, b) : leap(w, b);
  }
  return b;
}

/* Where the ways up from a and b meet, or 0. */
static uint32_t meet(walk *w, uint32_t a, uint32_t b) {
  const ph_skip *at = w->at;
  if (at[a].depth > at[b].depth)
    a = rise(w, a, at[b].depth);
  else if (at[a].depth < at[b].depth)
    b = rise(w, b, at[a].depth);
  while (a != b && a != 0 && b != 0) {
    uint32_t over_a = at[a].jump, over_b = at[b].jump;
    bool both = at[a].up != 0 && at[b].up != 0 && over_a != over_b &&
                at[over_a].depth == at[over_b].depth;
    a = both ? leap(w, a) : step(w, a);
    b = both ? leap(w, b) : step(w, b);
  }
  return a == b ? a : 0;
}

/* Is b, which is filled, above p?  Then p ends a loop, and what is written on
** the way counts. */
static bool is_above(walk *w, uint32_t b, uint32_t p) {
  walk loop = {w->at, w->vars, PATIENCE};
  if (rise(&loop, p, w->at[b].depth) != b) return false;
  w->vars = loop.vars | w->at[b].written;
  return true;
}

bool ph_skip_isabove(const ph_skips *s, uint32_t b, uint32_t p) {
  walk w = {s->at, 0, PATIENCE};
  return is_above(&w, b, p);
}

/* Where all ways to b come from, or 0. */
static uint32_t common(const ph_func *f, walk *w, uint32_t b) {
  const ph_blockrec *block = ph_block_of(f, b);
  bool filled = block->filled;
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

/* The block, and then what its two jumps pass. */
static void sum_up(ph_skip *at, uint32_t b) {
  ph_skip *s = &at[b];
  s->passed = s->written | s->around;
  if (s->jump == s->up) return;
  s->passed |= at[s->up].passed | at[at[s->up].jump].passed;
}

bool ph_skip_linkjoin(const ph_func *f, ph_skips *skips, uint32_t b) {
  const ph_blockrec *block = ph_block_of(f, b);
  ph_skip *at = skips->at;
  walk w = {at, 0, PATIENCE};
  uint32_t up = common(f, &w, b);
  if (up == 0 || (block->filled && at[b].depth != at[up].depth + 1))
    return false;
  ph_skip_linkto(at, b, up, w.vars);
  if (block->filled) sum_up(at, b);
  return true;
}

static uint32_t guess_depth(const ph_func *f, const ph_skip *at, uint32_t b) {
  walk w = {at, 0, PATIENCE};
  uint32_t up = common(f, &w, b), e = ph_block_of(f, b)->first_pred;
  if (up == 0 && e != 0) up = f->edges.at[e].from;
  return at[up].depth + 1;
}

void ph_skip_fill(const ph_func *f, ph_skips *skips, uint32_t b) {
  bool linked = ph_skip_islinked(skips, b) ||
                (ph_block_of(f, b)->sealed && ph_skip_link(f, skips, b));
  if (linked)
    sum_up(skips->at, b);
  else
    skips->at[b].depth = guess_depth(f, skips->at, b);
}
