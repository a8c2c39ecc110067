/* classical.c: construction by the classical algorithms, from recorded reads and
** writes.
**
** While f is filled, construct/build.c hands over reads and writes to what
** ph_classical_start has put into f->deferred, and construct/finish.c lets it
** place the phis.  Nothing else of the core knows of these algorithms.
*/
#include "core/classical/program.h"

#include "core/analysis/idf.h"
#include "core/ir/contract.h"
#include "core/ir/value.h"
#include "core/lookup/state.h"

/*
** {== Recording ======================================================
*/

typedef struct {
  ph_deferred ways; /* must be first: f->deferred is cast to the record */
  ph_classic algorithm;
  ph_occurrences list;
} record;

static record *record_of(const ph_func *f) { return (record *)f->deferred; }

static void note_occurrence(ph_func *f, uint32_t var, uint32_t b, uint32_t v,
                            bool reads) {
  ph_occurrence it = {b, var, v, f->here, f->loc, reads};
  ph_occurrences_push(&record_of(f)->list, &f->working, it);
}

static void note_write(ph_func *f, uint32_t var, uint32_t b, uint32_t v) {
  note_occurrence(f, var, b, v, false);
}

/* Returns a value that stands for the definition. */
static uint32_t note_read(ph_func *f, uint32_t var, uint32_t b) {
  uint32_t v = ph_value_node(f, PH_UNDEF, f->vars.at[var].type);
  note_occurrence(f, var, b, v, true);
  return v;
}

/* }== The program ====================================================
**
** Occurrences are sorted by block and by variable, in linear time.
*/

/* Sorts the occurrences by block; those of a block keep their order. */
static void sort_by_block(ph_program *p) {
  const ph_occurrences *list = p->list;
  uint32_t *first = ph_arena_zero(p->a, (p->nblocks + 1) * sizeof *first);
  ph_occurrence *at = ph_arena_alloc(p->a, (list->n + 1) * sizeof *at);
  uint32_t sum = 0;
  for (uint32_t i = 0; i < list->n; i++) first[list->at[i].block]++;
  for (uint32_t b = 0; b <= p->nblocks; b++) {
    sum += first[b];
    first[b] = sum;
  }
  for (uint32_t i = list->n; i-- > 0;)
    at[--first[list->at[i].block]] = list->at[i];
  p->first = first;
  p->at = at;
}

/* Lists, by variable, the blocks that write it and those that read it first. */
static void list_blocks(ph_program *p) {
  uint32_t *writes = ph_arena_zero(p->a, 2 * sizeof *writes * p->nvars);
  uint32_t *reads = writes + p->nvars;
  ph_pairs writers = {{0}, {0}}, readers = {{0}, {0}};
  PH_EACH_BLOCK(p->f, b) {
    for (uint32_t i = p->first[b]; i < p->first[b + 1]; i++) {
      uint32_t var = p->at[i].var;
      uint32_t *last = p->at[i].reads ? reads : writes;
      if (writes[var] == b || last[var] == b) continue;
      last[var] = b;
      ph_csr_add(p->at[i].reads ? &readers : &writers, p->a, var, b);
    }
  }
  p->writers = ph_csr_make(p->a, p->nvars, &writers);
  p->readers = ph_csr_make(p->a, p->nvars, &readers);
}

/* Returns the program of f, in memory of a.  No block is unreachable. */
static ph_program program_of(ph_func *f, ph_arena *a) {
  ph_program p = {.f = f, .a = a, .list = &record_of(f)->list};
  p.nblocks = f->blocks.n;
  p.nvars = f->vars.n;
  p.d = ph_dom_blocks(f, a);
  sort_by_block(&p);
  list_blocks(&p);
  return p;
}

/* }== Phis =========================================================== */

/* Aycock and Horspool: places phis at all joins; trivial ones go after
** renaming. */
static void place_everywhere(ph_program *p) {
  PH_EACH_BLOCK(p->f, b) {
    if (ph_blockrec_of(p->f, b)->npreds < 2) continue;
    for (uint32_t var = 1; var < p->nvars; var++)
      if (ph_program_isglobal(p, var)) ph_program_place(p, var, b);
  }
}

/* Sreedhar and Gao: at the iterated dominance frontiers of writes. */
static void place_by_djgraph(ph_program *p) {
  ph_idf g = ph_idf_start(p->f, p->d, p->a);
  for (uint32_t var = 1; var < p->nvars; var++) {
    const ph_ids *found;
    uint32_t end = p->writers.first[var + 1];
    for (uint32_t i = p->writers.first[var]; i < end; i++)
      ph_idf_add(&g, p->writers.to[i]);
    found = ph_idf_find(&g);
    for (uint32_t i = 0; i < found->n; i++)
      ph_program_place(p, var, found->at[i]);
  }
}

static void place_phis(ph_program *p, ph_classic which) {
  switch (which) {
    case PH_DJGRAPH:
      place_by_djgraph(p);
      break;
    case PH_AYCOCK:
      place_everywhere(p);
      break;
    case PH_BRANDIS:
      ph_structure_place(p);
      break;
    default:
      ph_frontier_place(p, which);
  }
}

/* Every block is filled and sealed, none is unreachable. */
static void construct(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  ph_classic which = record_of(f)->algorithm;
  ph_program p = program_of(f, &f->scratch);
  place_phis(&p, which);
  ph_rename_run(&p, which == PH_AYCOCK);
  f->deferred = NULL;
  ph_body_derive(f);
  f->as_placed = true;
  f->inst_changes++;
  ph_scratch_leave(f, bottom);
}

/* }== The interface ================================================== */

void ph_classical_start(ph_func *f, ph_classic which) {
  ph_arena_mark bottom = ph_scratch_open(ph_ptr(f));
  ph_ids written = {0};
  record *r;
  ph_require(ph_contract_isopen(f) && "a function under construction");
  ph_require(f->deferred == NULL && !f->options.accesses && f->blocks.n == 2 &&
             f->peephole == NULL && "a new function that does not simplify");
  ph_require(!f->keeps_unreachable && "no unreachable blocks");
  /* What was written so far: by the entry, for parameters. */
  const ph_state *state = f->state;
  for (uint32_t var = 1; var < f->vars.n; var++)
    ph_ids_push(&written, &f->scratch,
                state != NULL ? ph_current_def_read(&state->defs, var, 1) : 0);
  f->state = NULL;
  f->built = 0;
  ph_arena_done(&f->working);
  r = ph_arena_zero(&f->working, sizeof *r);
  r->ways = (ph_deferred){note_read, note_write, construct};
  r->algorithm = which;
  f->deferred = &r->ways;
  ph_body_derive(f);
  for (uint32_t i = 0; i < written.n; i++)
    if (written.at[i] != 0)
      note_write(f, i + 1, 1, ph_body_resolve(f, written.at[i]));
  ph_scratch_leave(f, bottom);
}

bool ph_classical_isused(const ph_func *f) {
  return ph_ptr(f)->deferred != NULL;
}

ph_block ph_classical_unstructured(ph_func *f) {
  ph_block b = {0};
  if (ph_ptr(f)->deferred != NULL && record_of(f)->algorithm == PH_BRANDIS) {
    ph_arena_mark bottom = ph_scratch_enter(f);
    ph_program p = program_of(f, &f->scratch);
    b.id = ph_structure_place(&p);
    ph_scratch_leave(f, bottom);
  }
  return b;
}

/* }=================================================================== */
