/* fuel.c: rules that run in circles.
**
** They can if their author has switched off the check against it.  So each
** outermost emit has fuel for a number of rules, and nesting has a limit; when
** either is used up, the instruction stays as it is, or the emit fails (strict
** mode).  The rules that were applied until then are kept, to be told to the
** host.  In a pass, what they have made is for nothing, and the next pass would
** make as much again: so passes apply no more rules, until the set changes.
**
** Any rules run in circles where a value is computed from itself, in a loop that
** nothing enters.  The links between blocks (join_skip.h) mostly tell of such a
** loop.  They are asked once an emit has applied more rules than most do.
*/
#include "core/simplify/fuel.h"

#include "core/ir/block.h"
#include "core/lookup/state.h"

/* At most: values that a search for circles visits, trees of links that a block is
** below. */
enum { VISITED = 10000, TREES = 64 };

/*
** {== Code that nothing enters =======================================
*/

/* Returns the block above b from which no link leads further, or 0. */
static uint32_t top_of(const ph_block_skips *blocks, uint32_t b) {
  for (int i = 0; i < TREES && b < blocks->n; i++) {
    uint32_t root = blocks->at[b].tree;
    b = blocks->at[root].up;
    if (b == 0) return root;
  }
  return 0;
}

/* True if all edges into the block, which is not the entry, end loops of it. */
static bool is_apart(const ph_func *f, uint32_t b) {
  const ph_blockrec *block = ph_blockrec_of(f, b);
  if (b <= 1 || !block->sealed || !block->filled) return false;
  PH_EACH_PRED(f, b, e) {
    if (!ph_join_skip_isabove(&f->state->skips, b, f->edges.at[e].from))
      return false;
  }
  return true;
}

bool ph_fuel_mustrest(const ph_func *f, const ph_fuel *s, uint32_t b) {
  if (s->allowed == 0) return true;
  return f->state != NULL && is_apart(f, top_of(&f->state->skips.blocks, b));
}

/* }== Circles ======================================================== */

/* True if the value is computed from itself without a phi in between, which
** happens in loops that are never entered.  The color of a value is 1 while its
** operands are visited, then 2. */
static bool is_circular(ph_func *f, uint32_t v, uint8_t *color) {
  ph_ids todo = {NULL, 0, 0};
  bool found = false;
  ph_ids_push(&todo, &f->scratch, v);
  for (uint32_t visited = 0; todo.n > 0 && !found && visited < VISITED;
       visited++) {
    uint32_t w = todo.at[todo.n - 1];
    const ph_node *n = ph_node_of(f, w);
    if (color[w] != 0 || n->op == PH_PHI) {
      color[w] = 2;
      todo.n--;
      continue;
    }
    color[w] = 1;
    for (uint32_t i = 0; i < n->nargs; i++) {
      uint32_t arg = ph_body_operand(f, w, i);
      found = found || color[arg] == 1;
      if (color[arg] == 0) ph_ids_push(&todo, &f->scratch, arg);
    }
  }
  return found;
}

/* True if an operand is computed from itself. */
static bool uses_circular(ph_func *f, const ph_pending *p) {
  ph_arena_mark bottom = ph_arena_here(&f->scratch);
  uint8_t *color = ph_arena_zero(&f->scratch, f->nodes.n);
  bool found = false;
  for (uint32_t i = 0; i < p->nargs && !found; i++)
    found = is_circular(f, p->args[i], color);
  ph_arena_release(&f->scratch, bottom);
  return found;
}

/* Keeps the rules that were applied when fuel ran out for the first time. */
static void note_circle(ph_fuel *s, ph_arena *a) {
  if (s->circle.n > 0) return;
  for (uint32_t i = 0; i < s->trail.n; i++)
    ph_ids_push(&s->circle, a, s->trail.at[i]);
}

ph_matched ph_fuel_out(ph_func *f, ph_fuel *s, const ph_pending *p) {
  f->stats.exhausted++;
  if (uses_circular(f, p)) return PH_MATCH_NONE;
  note_circle(s, &f->arena);
  if (!s->strict) return PH_MATCH_NONE;
  s->exhausted = f->matcher->failed = true;
  return PH_MATCH_FAILED;
}

/* }== Passes ========================================================= */

/* What `ended` is of the set as it is. */
static uint32_t mark_of(const ph_func *f) {
  return f->matcher->set->changes + 1;
}

/* From now on no rule is applied. */
static void put_aside(ph_fuel *s) {
  if (s->resting == 0) s->resting = s->allowed;
  s->allowed = 0;
  s->careful = true;
}

void ph_fuel_end(const ph_func *f, ph_fuel *s) {
  s->ended = mark_of(f);
  put_aside(s);
}

bool ph_fuel_isended(const ph_func *f, const ph_fuel *s) {
  return s->ended == mark_of(f);
}

void ph_fuel_startpasses(const ph_func *f, ph_fuel *s) {
  if (ph_fuel_isended(f, s)) put_aside(s);
}

void ph_fuel_endpasses(ph_fuel *s) {
  if (s->resting != 0) s->allowed = s->resting;
  s->resting = 0;
}

/* }=================================================================== */
