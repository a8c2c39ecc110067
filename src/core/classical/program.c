/* program.c: sorts occurrences by block and by variable, in linear time. */
#include "core/classical/program.h"

/* Sorts the occurrences by block; those of a block keep their order. */
static void sort(ph_program *p) {
  const ph_occurrencelist *list = &p->f->occurrences->list;
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
  uint32_t *writes = ph_arena_zero(p->a, 2 * p->nvars * sizeof *writes);
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

ph_program ph_program_of(ph_func *f, ph_arena *a) {
  ph_program p = {.f = f, .a = a};
  p.nblocks = f->blocks.n;
  p.nvars = f->vars.n;
  p.d = ph_dom_blocks(f, a);
  sort(&p);
  list_blocks(&p);
  return p;
}
