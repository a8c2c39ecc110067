/* forward.c: makes values of loads, by construction on the fly.
**
** A place in memory (spots.c) is a variable: stores write it, loads read it.  It
** is not written by others, such as calls; they make it unknown.  Which places
** are known at the start of each block, on all paths, is one problem of data
** flow, solved in rounds over rows of bits.  A load of a known place reads the
** variable, and every path up from there meets a write of it first; so whatever
** construction finds is right, and phis are only where all operands are known.
** Any other load stays, and writes the variable.
**
** Then the same backwards: a place is stale if all its bytes are stored before
** anything reads them.  A store to a stale place goes.
**
** What is loaded may be an address: rounds are repeated as long as loads go,
** some times.
**
** Requires: all blocks are filled and sealed, the entry reaches them, or edges
** from others are cut.  Changes: values.  Keeps: blocks, edges.
*/
#include "phial/forward.h"

#include "core/analysis/needed.h"
#include "core/construct/again.h"
#include "core/construct/spots.h"
#include "core/ir/contract.h"
#include "core/ir/effects.h"
#include "core/ir/value.h"
#include "phial/analysis.h"

/* Deeper nested loops than most functions have need more sweeps; then nothing
** is done. */
enum { ROUNDS = 4, SWEEPS = 32 };

typedef struct {
  ph_spots spots;
  ph_func *f;
  const ph_domtree *d;
  uint32_t old; /* values from this id on are new in this round */
  /* Rows by block: places known at its end (backwards: stale at its start);
  ** that get so in it, and that cease to be; whose base is defined in it. */
  uint64_t *out, *gen, *kill, *born;
  uint64_t *row, *now; /* for an instruction; at the place of a walk */
  bool *known;         /* by value: a load of a known place */
  ph_forwarded counts;
} pass;

/*
** {== Rows ===========================================================
*/

static uint64_t *row_of(const pass *p, uint64_t *rows, uint32_t b) {
  return rows + (size_t)b * p->spots.words;
}

static void add(const pass *p, uint64_t *row, const uint64_t *more) {
  for (uint32_t k = 0; k < p->spots.words; k++) row[k] |= more[k];
}

static void take(const pass *p, uint64_t *row, const uint64_t *less) {
  for (uint32_t k = 0; k < p->spots.words; k++) row[k] &= ~less[k];
}

static void keep(const pass *p, uint64_t *row, const uint64_t *both) {
  for (uint32_t k = 0; k < p->spots.words; k++) row[k] &= both[k];
}

static void fill(const pass *p, uint64_t *row, int byte) {
  memset(row, byte, p->spots.words * sizeof *row);
}

/* The places of p->row cease to be known, or stale: takes them out of `gen`, and
** adds them to `kill` unless that is NULL. */
static void end_row(const pass *p, uint64_t *gen, uint64_t *kill) {
  take(p, gen, p->row);
  if (kill != NULL) add(p, kill, p->row);
}

static const ph_spot *spot_of(const pass *p, uint32_t v) {
  return &p->spots.all.at[p->spots.at[v]];
}

/* }== What instructions do ============================================ */

static bool is_copy(ph_op op) { return op == PH_MEMCPY || op == PH_MEMMOVE; }

/* True if v is a load that may be replaced: data is the host's. */
static bool is_plain(const pass *p, uint32_t v) {
  const ph_node *n = ph_node_of(p->f, v);
  return ph_op_loads(n->op) && p->f->datas.at[n->aux].tag == PH_DATA_NONE;
}

/* Ends the places of these classes that operand i of v, an address, can lead to.
** Construction may have replaced the address by a new value, of which the spots
** know nothing: it can lead anywhere. */
static void end_at(const pass *p, uint32_t v, uint32_t i, uint32_t set,
                   uint64_t *gen, uint64_t *kill) {
  uint32_t w = ph_body_operand(p->f, v, i);
  bool is_new = w >= p->old;
  bool hidden = !is_new && ph_escape_isprivate(&p->spots.escape, w);
  if (is_new || hidden) {
    ph_spots_ofclasses(&p->spots, set, true, p->row);
    end_row(p, gen, kill);
  }
  if (hidden) return;
  ph_spots_ofclasses(&p->spots, set, false, p->row);
  end_row(p, gen, kill);
}

/* Ends what is not hidden, of these classes. */
static void end_all(const pass *p, uint32_t set, uint64_t *gen,
                    uint64_t *kill) {
  if (set == 0) return;
  ph_spots_ofclasses(&p->spots, set, false, p->row);
  end_row(p, gen, kill);
}

/* Forwards: v makes places known, or unknown. */
static void pass_down(const pass *p, uint32_t v, uint64_t *gen,
                      uint64_t *kill) {
  ph_op op = ph_node_of(p->f, v)->op;
  if (ph_op_stores(op)) {
    ph_spots_overlapping(&p->spots, p->spots.at[v], p->row);
    end_row(p, gen, kill);
    ph_spots_set(gen, spot_of(p, v)->bit);
  } else if (is_plain(p, v)) {
    ph_spots_set(gen, spot_of(p, v)->bit);
  } else if (is_copy(op) || op == PH_MEMSET) {
    end_at(p, v, 0, ph_effects_get(p->f, v).writes, gen, kill);
  } else {
    end_all(p, ph_effects_get(p->f, v).writes, gen, kill);
  }
}

/* Backwards: v makes places stale, or reads them.  What may trap, or not
** return, lets everything be seen that is not hidden. */
static void pass_up(const pass *p, uint32_t v, uint64_t *gen, uint64_t *kill) {
  ph_op op = ph_node_of(p->f, v)->op;
  if (ph_op_stores(op)) {
    ph_spots_within(&p->spots, p->spots.at[v], p->row);
    add(p, gen, p->row);
  } else if (ph_op_loads(op)) {
    ph_spots_overlapping(&p->spots, p->spots.at[v], p->row);
    end_row(p, gen, kill);
  } else if (is_copy(op)) {
    end_at(p, v, 1, ph_effects_get(p->f, v).reads, gen, kill);
  } else if (op != PH_MEMSET) {
    bool acts = !ph_op_has(p->f, op, PH_TERMINATOR) && ph_needed_acts(p->f, v);
    end_all(p, acts ? PH_EFFECTS_ALL : ph_effects_get(p->f, v).reads, gen,
            kill);
  }
}

/* }== Data flow ======================================================= */

static void find_born(const pass *p) {
  for (uint32_t i = 0; i < p->spots.bits.n; i++) {
    const ph_spot *s = &p->spots.all.at[p->spots.bits.at[i]];
    const ph_node *base = ph_node_of(p->f, s->base);
    if (base->op != PH_ADDRESS)
      ph_spots_set(row_of(p, p->born, base->block), s->bit);
  }
}

/* What is known at the start of b. */
static void start_down(const pass *p, uint32_t b) {
  fill(p, p->now, b == 1 ? 0 : 0xff);
  PH_EACH_PRED(p->f, b, e)
  keep(p, p->now, row_of(p, p->out, p->f->edges.at[e].from));
  take(p, p->now, row_of(p, p->born, b));
}

/* What is stale at the end of b. */
static void start_up(const pass *p, uint32_t b) {
  const ph_blockrec *block = ph_blockrec_of(p->f, b);
  fill(p, p->now, 0xff);
  if (block->nsuccs == 0) keep(p, p->now, p->spots.seen[true]);
  for (uint32_t i = 0; i < block->nsuccs; i++)
    keep(p, p->now,
         row_of(p, p->out, p->f->edges.at[block->first_succ + i].to));
}

static void sum_down(const pass *p, uint32_t b) {
  PH_EACH_INST(p->f, b, v)
  pass_down(p, v, row_of(p, p->gen, b), row_of(p, p->kill, b));
}

static void sum_up(const pass *p, uint32_t b) {
  for (uint32_t v = ph_blockrec_of(p->f, b)->last; v != 0;
       v = ph_node_of(p->f, v)->prev)
    pass_up(p, v, row_of(p, p->gen, b), row_of(p, p->kill, b));
}

/* Computes `out` of b anew from p->now; true if it has changed. */
static bool leave(const pass *p, uint32_t b, bool up) {
  uint64_t *out = row_of(p, p->out, b);
  take(p, p->now, row_of(p, p->kill, b));
  add(p, p->now, row_of(p, p->gen, b));
  if (up) take(p, p->now, row_of(p, p->born, b));
  if (memcmp(out, p->now, p->spots.words * sizeof *out) == 0) return false;
  memcpy(out, p->now, p->spots.words * sizeof *out);
  return true;
}

static uint32_t block_at(const pass *p, uint32_t i, bool up) {
  return p->d->order[up ? p->d->size[1] - 1 - i : i];
}

/* Solves the problem; false: it needs too many sweeps. */
static bool solve(const pass *p, bool up) {
  size_t size = (size_t)p->f->blocks.n * p->spots.words * sizeof *p->out;
  int sweeps = SWEEPS;
  bool more = true;
  memset(p->out, 0xff, size);
  memset(p->gen, 0, size);
  memset(p->kill, 0, size);
  for (uint32_t i = 0; i < p->d->size[1]; i++)
    (up ? sum_up : sum_down)(p, p->d->order[i]);
  while (more && sweeps-- > 0) {
    more = false;
    for (uint32_t i = 0; i < p->d->size[1]; i++) {
      uint32_t b = block_at(p, i, up);
      (up ? start_up : start_down)(p, b);
      more = leave(p, b, up) || more;
    }
  }
  return !more;
}

/* }== Loads ========================================================== */

/* Finds the loads of known places, and gives these variables. */
static uint32_t find_known(pass *p) {
  const ph_str none = {NULL, 0};
  uint32_t n = 0;
  for (uint32_t i = 0; i < p->d->size[1]; i++) {
    start_down(p, p->d->order[i]);
    PH_EACH_INST(p->f, p->d->order[i], v) {
      uint32_t s = p->spots.at[v];
      if (is_plain(p, v) && ph_spots_has(p->now, p->spots.all.at[s].bit)) {
        ph_spot *it = &p->spots.all.at[s];
        if (it->var == 0) it->var = ph_var_new(p->f, none, it->type).id;
        p->known[v] = true;
        n++;
      }
      pass_down(p, v, p->now, NULL);
    }
  }
  return n;
}

static void look_at(const pass *p, uint32_t b, uint32_t v) {
  uint32_t var = spot_of(p, v)->var;
  if (var == 0) return;
  if (p->known[v]) {
    ph_again_drop(p->f, v, ph_again_read(p->f, b, var));
    p->f->stats.later.merged++;
  } else if (ph_op_stores(ph_node_of(p->f, v)->op)) {
    ph_again_write(p->f, b, var, ph_body_operand(p->f, v, 1));
  } else if (is_plain(p, v)) {
    ph_again_write(p->f, b, var, v);
  }
}

static void construct(pass *p) {
  ph_again g = ph_again_open(p->f, p->d, p->spots.a);
  for (uint32_t i = 0; i < p->d->size[1]; i++) {
    uint32_t v = ph_blockrec_of(p->f, p->d->order[i])->first;
    while (v != 0) {
      uint32_t next = ph_node_of(p->f, v)->next;
      look_at(p, p->d->order[i], v);
      v = next;
    }
    ph_again_fill(&g, p->d->order[i]);
  }
  p->counts.phis += ph_again_close(&g);
}

/* }== Stores ========================================================= */

static void drop_stale(pass *p, uint32_t b) {
  uint32_t v = ph_blockrec_of(p->f, b)->last;
  start_up(p, b);
  while (v != 0) {
    uint32_t before = ph_node_of(p->f, v)->prev;
    if (ph_op_stores(ph_node_of(p->f, v)->op) &&
        ph_spots_has(p->now, spot_of(p, v)->bit)) {
      ph_again_drop(p->f, v, 0);
      p->counts.stores++;
    } else {
      pass_up(p, v, p->now, NULL);
    }
    v = before;
  }
}

/* }== Together ======================================================= */

static void make_rows(pass *p, ph_arena *a) {
  size_t row = p->spots.words * sizeof *p->out, all = p->f->blocks.n * row;
  p->out = ph_arena_alloc(a, all);
  p->gen = ph_arena_alloc(a, all);
  p->kill = ph_arena_alloc(a, all);
  p->born = ph_arena_zero(a, all);
  p->row = ph_arena_alloc(a, row);
  p->now = ph_arena_alloc(a, row);
  p->known = ph_arena_zero(a, p->f->nodes.n * sizeof *p->known);
}

/* Returns how many loads are gone. */
static uint32_t run_round(pass *p, ph_arena *a) {
  uint32_t n = 0;
  p->d = ph_dom_blocks(p->f, a);
  p->old = p->f->nodes.n;
  if (!ph_spots_find(&p->spots, p->f, p->d, a)) return 0;
  make_rows(p, a);
  find_born(p);
  if (solve(p, false)) n = find_known(p);
  if (n > 0) construct(p);
  if (solve(p, true))
    for (uint32_t i = 0; i < p->d->size[1]; i++) drop_stale(p, p->d->order[i]);
  p->counts.loads += n;
  return n;
}

/* Events of construction do not tell of its steps. */
ph_forwarded ph_forward_run(ph_func *f) {
  pass p = {.f = f};
  int rounds = ROUNDS;
  bool more = true;
  ph_must(ph_ptr(f)->finished && "a finished function");
  ph_event_note(f, PH_EV_EDITED, 0, 0, 0, 0);
  ph_body_settle(f);
  f->listening = false;
  while (more && rounds-- > 0) {
    ph_arena_mark bottom = ph_arena_here(&f->rounds);
    more = run_round(&p, &f->rounds) > 0;
    ph_arena_release(&f->rounds, bottom);
  }
  if (p.counts.stores > 0) ph_dead_phi_remove(f);
  ph_body_derive(f);
  return p.counts;
}

/* }=================================================================== */
