/* make_lazy.c: makes values of lazy definitions.
**
** A look-up that comes upon one gets its value at once and ends: the value's
** operand, what the variable was before, is looked up when that look-up is over
** (read_lazy.c).  Until then the value is stored as a memo of the block, so a
** look-up that comes back to it ends there, too: cycles need nothing else.
*/
#include "core/lookup/make_lazy.h"

#include "core/ir/event.h"
#include "core/ir/value.h"

ph_lazy *ph_make_lazy_room(ph_func *f) {
  ph_current_def *d = &ph_state_of(f, 1)->defs;
  if (d->lazy != NULL) return d->lazy;
  d->lazy = ph_arena_zero(&f->working, sizeof *d->lazy);
  d->lazy->groups = f->groups;
  if (f->groups != NULL) ph_groups_restart(f->groups);
  f->extra = true;
  return d->lazy;
}

static bool is_in(const ph_func *f, uint32_t v, uint32_t b) {
  const ph_node *n = ph_node_of(f, v);
  return n->block == b && n->forward == 0 && !(n->flags & PH_IS_DROPPED);
}

/* Puts v behind the instruction `at` of b, or at the start (0).  If finish has
** removed that, v goes to the end: whatever uses v is made later. */
static void insert_behind(ph_func *f, uint32_t v, uint32_t b, uint32_t at) {
  uint32_t next = ph_blockrec_of(f, b)->first;
  if (at != 0 && is_in(f, at, b)) next = ph_node_of(f, at)->next;
  if (at != 0 && !is_in(f, at, b)) next = ph_blockrec_of(f, b)->last;
  if (next != 0)
    ph_value_insert(f, v, next);
  else
    ph_value_append(f, b, v);
}

/* Records the place of the definition for v. */
static void stamp(ph_func *f, uint32_t v, ph_lazyplace place) {
  ph_stamp now = ph_srcloc_stampof(f);
  ph_srcloc_resume(f, (ph_stamp){place.here, place.loc, now.every});
  ph_srcloc_stamp(f, v);
  ph_srcloc_resume(f, now);
}

/* Makes a value of var in b, behind `at`, without operands yet. */
static uint32_t make(ph_func *f, ph_op op, uint32_t var, uint32_t b,
                     uint32_t at, ph_lazyplace place) {
  uint32_t v = ph_value_node(f, op, f->vars.at[var].type);
  ph_node_of(f, v)->aux = var;
  ph_node_of(f, v)->flags |= PH_IS_LAZY;
  insert_behind(f, v, b, at);
  stamp(f, v, place);
  f->refines = true;
  ph_event_note(f, PH_EV_EMIT, b, 0, v, 0);
  return v;
}

uint32_t ph_make_lazy_refine(ph_func *f, uint32_t var, uint32_t b, uint32_t i) {
  ph_lazy *l = f->state->defs.lazy;
  uint32_t v = make(f, PH_REFINE, var, b, 0, l->refinements.at[i].place);
  ph_ids_extend(&l->head, &f->working, b + 1);
  if (l->head.at[b] == 0) l->head.at[b] = v;
  ph_madedefs_push(&l->made, &f->working, (ph_madedef){v, 0});
  ph_opendefs_push(&l->open, &f->working, (ph_opendef){var, b, v, i});
  return v;
}

/* What var is at a point of a block. */
typedef struct {
  uint32_t var, block;
  uint32_t value;  /* 0: what it is at the start of the block */
  bool made;       /* `value` is that of a may-write, made now ... */
  uint32_t anchor; /* ... behind this instruction */
} state_of;

/* Makes the value of may-write n, which follows `at`. */
static void make_may(ph_func *f, state_of *at, uint32_t n) {
  ph_lazy *l = f->state->defs.lazy;
  const ph_maywrite *m = &l->maywrites.at[n];
  uint32_t args[2] = {at->value, ph_body_resolve(f, m->value)};
  uint32_t behind = m->anchor != 0 ? m->anchor : ph_lazy_headof(l, at->block),
           v;
  if (at->made && at->anchor == m->anchor) behind = at->value;
  v = make(f, PH_MAY, at->var, at->block, behind, m->place);
  ph_madedefs_push(&l->made, &f->working, (ph_madedef){v, m->anchor + 1});
  if (at->value != 0)
    ph_value_setargs(f, v, args, 2);
  else
    ph_opendefs_push(&l->open, &f->working,
                     (ph_opendef){at->var, at->block, v, n});
  *at = (state_of){at->var, at->block, v, true, l->maywrites.at[n].anchor};
}

uint32_t ph_make_lazy_values(ph_func *f, uint32_t var, uint32_t b) {
  ph_current_def *d = &f->state->defs;
  uint32_t number = ph_current_def_number(d, var, b), after = 0, n;
  state_of at = {var, b, d->list.at[number].value, false, 0};
  if (at.value == PH_LAZY) {
    uint32_t i = ph_idmap_get(&d->lazy->of_def, number);
    at.value = ph_make_lazy_refine(f, var, b, i);
  } else if (at.value == PH_KILLED) {
    at.value = ph_climb_nodefinition(f, var, b);
    after = d->list.at[number].length;
  } else if (at.value != 0) {
    at.value = ph_body_resolve(f, at.value & ~PH_MEMO);
    after = d->list.at[number].length;
  }
  n = ph_lazy_find(d->lazy, &f->working, var, b, after);
  for (uint32_t i = 0; i < n; i++) make_may(f, &at, d->lazy->found.at[i]);
  ph_current_def_put(d, &f->working, var, b, at.value | PH_MEMO);
  return at.value;
}
