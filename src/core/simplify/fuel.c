/* fuel.c: rules that run in circles.
**
** They can if their author has switched off the check against it.  So each
** outermost emit has fuel for a number of rules, and nesting has a limit; when
** either is used up, the instruction stays as it is, or the emit fails (strict
** mode).  The rules that were applied until then are kept, to be told to the
** host.
*/
#include "core/simplify/fuel.h"

enum { VISITED = 10000 }; /* values, at most */

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
  if (uses_circular(f, p)) return PH_MATCH_NONE;
  f->stats.exhausted++;
  note_circle(s, &f->arena);
  if (!s->strict) return PH_MATCH_NONE;
  s->exhausted = f->matcher->failed = true;
  return PH_MATCH_FAILED;
}
