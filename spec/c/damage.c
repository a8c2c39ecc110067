/* damage.c: whatever is broken, the verifier comes back.
**
** Random numbers go into random fields of a function, then it is verified
** twice: it must say the same both times and give its memory back.  What a
** sanitizer sees on the way is the other half of this spec.
**
** Not damaged are forwards, ops, types and what a phi or a name says: the
** core writes them once, from ids that it has.
*/
#include "spec.h"

#include <stdio.h>

/* xorshift (Marsaglia, 2003). */
typedef struct {
  uint64_t state;
} dice;

static dice dice_of(uint32_t seed) {
  return (dice){seed * UINT64_C(0x9e3779b97f4a7c15) + 3};
}

/* A number below n. */
static uint32_t roll(dice *d, uint32_t n) {
  d->state ^= d->state << 13;
  d->state ^= d->state >> 7;
  d->state ^= d->state << 17;
  return (uint32_t)((d->state >> 11) % n);
}

/* Mostly small, as ids are; sometimes out of all range. */
static uint32_t wild(dice *d) {
  if (roll(d, 6) > 0) return roll(d, 50);
  return roll(d, 2) > 0 ? UINT32_MAX : roll(d, 1000000);
}

/*
** {== Fields =========================================================
*/

static void damage_node(ph_func *f, dice *d) {
  ph_node *n = ph_node_of(f, 1 + roll(d, f->nodes.n - 1));
  uint32_t *const fields[] = {&n->next, &n->prev, &n->args, &n->nargs};
  switch (roll(d, 8)) {
    case 0:
      n->block = roll(d, f->blocks.n);
      break;
    case 1:
      n->op = (ph_op)roll(d, PH_KNOWN_OPS);
      break;
    case 2:
      n->type = (ph_type)roll(d, PH_KNOWN_TYPES);
      break;
    case 3:
      n->flags = (uint8_t)roll(d, 256);
      break;
    default:
      *fields[roll(d, 4)] = wild(d);
  }
}

static void damage_block(ph_func *f, dice *d) {
  ph_blockrec *b = ph_blockrec_of(f, 1 + roll(d, f->blocks.n - 1));
  bool *const marks[] = {&b->sealed, &b->filled, &b->inert};
  uint32_t *const fields[] = {&b->first_phi,  &b->last_phi,   &b->first,
                              &b->last,       &b->first_pred, &b->last_pred,
                              &b->first_succ, &b->npreds,     &b->nsuccs};
  uint32_t which = roll(d, 16);
  if (which > 3)
    *fields[roll(d, 9)] = wild(d);
  else if (which == 3)
    b->removed = (uint8_t)roll(d, PH_TAKEN_OUT + 1);
  else
    *marks[which] = !*marks[which];
}

static void damage_edge(ph_func *f, dice *d) {
  ph_edge *e = &f->edges.at[1 + roll(d, f->edges.n - 1)];
  uint32_t *const fields[] = {&e->from, &e->to, &e->next};
  *fields[roll(d, 3)] = wild(d);
}

static void damage_operand(ph_func *f, dice *d) {
  f->operands.at[roll(d, f->operands.n)] = wild(d);
}

static void damage_use(ph_func *f, dice *d) {
  ph_userec *u = &f->uses.recs.at[roll(d, f->uses.recs.n)];
  uint32_t *const fields[] = {&u->user, &u->next, &u->prev};
  *fields[roll(d, 3)] = wild(d);
}

static void damage_uses(ph_func *f, dice *d) {
  ph_ids *ids = roll(d, 2) == 0 ? &f->uses.first : &f->uses.count;
  ids->at[roll(d, ids->n)] = wild(d);
}

static void damage(ph_func *f, dice *d) {
  static void (*const kinds[])(ph_func *, dice *) = {
      damage_node,  damage_block,   damage_edge, damage_node,
      damage_block, damage_operand, damage_use,  damage_uses};
  kinds[roll(d, f->uses.kept == PH_USES_CHAINED ? 8 : 6)](f, d);
}

/* }== Runs =========================================================== */

/* How much was said, and a hash of it (Fowler, Noll and Vo). */
typedef struct {
  uint64_t hash;
  uint32_t count;
} said;

static void hear(void *ud, ph_str problem) {
  said *s = ud;
  for (size_t i = 0; i < problem.n; i++)
    s->hash = (s->hash ^ (unsigned char)problem.at[i]) * 1099511628211u;
  s->count++;
}

/* Verifies f; is all as it should be, whatever is wrong with f? */
static bool verify(ph_func *f, said *s) {
  *s = (said){0, 0};
  return ph_verify_func(f, hear, s) == s->count && f->scratch.last == NULL;
}

static bool run(uint32_t seed, uint32_t *count) {
  dice d = dice_of(seed);
  said first, second;
  ph_func f;
  bool good;
  spec_parse(&f, spec_sum);
  if (roll(&d, 2) == 0) ph_uses_count(&f, ph_valueid(I));
  for (uint32_t k = 1 + roll(&d, 3); k > 0; k--) damage(&f, &d);
  good = verify(&f, &first) && verify(&f, &second) &&
         first.hash == second.hash && first.count == second.count;
  *count += first.count;
  ph_func_done(&f);
  return good;
}

int spec_damage(uint32_t runs, uint32_t seed) {
  uint32_t count = 0, failed = 0;
  for (uint32_t i = 0; i < runs; i++) {
    printf("# seed %u\n", (unsigned)(seed + i));
    failed += !run(seed + i, &count);
  }
  printf("# %lu problems\n", (unsigned long)count);
  return spec_case("random_damage", failed == 0, "other words the second time");
}

/* }=================================================================== */
