/* structure.c: phis of structured programs, by Brandis and Moessenboeck.
**
** In a language with if, switch, while and repeat only, the place of each phi is
** known from the syntax: the end of the if or switch statement, or the head of
** the loop, that contains a write.  The phi is a write of its own, in the
** statement that contains that one.
**
** A trace has no syntax, so that the statements are recovered from the control
** flow: a walk from the entry keeps a stack of statements.  An arm of an if
** ends at a block with several predecessors, the same one for all arms; a loop
** has one edge back and one way out, from its head or from its last block.
** What does not have this form (break, return from inside, goto) is refused.
*/
#include "core/classical/program.h"

typedef enum { BRANCHES, WHILE, REPEAT } statement_kind;

typedef struct {
  statement_kind kind;
  uint32_t head;     /* the block that branches; of a loop, its first block */
  uint32_t join;     /* where its phis go; 0: not known yet */
  uint32_t outer;    /* the statement that contains it, or 0 */
  uint32_t arm;      /* of BRANCHES: number of arms that have been entered */
  uint32_t arrivals; /* of BRANCHES: those that have ended */
  uint32_t exit;     /* of a loop: the block after it */
} statement;

PH_VEC(statements, statement)

typedef struct {
  const ph_program *p;
  statements all;        /* from 1 */
  uint32_t top;          /* the innermost one that is open, or 0 */
  uint32_t *inside;      /* by block: the innermost statement around it, or 0 */
  uint8_t *visited;      /* by block */
  uint32_t unstructured; /* a block; 0: none so far */
} walk;

/*
** {== Control flow ===================================================
*/

static uint32_t nsuccs(const walk *w, uint32_t b) {
  return ph_blockrec_of(w->p->f, b)->nsuccs;
}

static uint32_t succ(const walk *w, uint32_t b, uint32_t i) {
  const ph_func *f = w->p->f;
  return f->edges.at[ph_blockrec_of(f, b)->first_succ + i].to;
}

static uint32_t npreds(const walk *w, uint32_t b) {
  return ph_blockrec_of(w->p->f, b)->npreds;
}

/* Returns the block of the edge back to b; 0: b is not the head of a loop. */
static uint32_t latch_of(const walk *w, uint32_t b) {
  const ph_func *f = w->p->f;
  PH_EACH_PRED(f, b, e) {
    uint32_t from = f->edges.at[e].from;
    if (ph_dom_covers(w->p->d, b, from)) return from;
  }
  return 0;
}

/* }== Statements ===================================================== */

static uint32_t refuse_at(walk *w, uint32_t b) {
  w->unstructured = b;
  return 0;
}

static uint32_t open_statement(walk *w, statement_kind k, uint32_t head) {
  statement s = {.kind = k, .head = head, .outer = w->top};
  if (k != BRANCHES) s.join = head;
  statements_push(&w->all, w->p->a, s);
  w->top = w->all.n - 1;
  return w->top;
}

static statement *top_of(const walk *w) { return &w->all.at[w->top]; }

static uint32_t close_statement(walk *w, uint32_t next) {
  w->top = top_of(w)->outer;
  return next;
}

/* Opens a while loop; returns the first block of its body. */
static uint32_t open_while(walk *w, uint32_t b, uint32_t latch) {
  uint32_t body, s;
  if (nsuccs(w, b) != 2) return refuse_at(w, b);
  body = ph_dom_covers(w->p->d, succ(w, b, 0), latch) ? 0 : 1;
  if (!ph_dom_covers(w->p->d, succ(w, b, body), latch)) return refuse_at(w, b);
  s = open_statement(w, WHILE, b);
  w->all.at[s].exit = succ(w, b, 1 - body);
  w->inside[b] = s;
  return succ(w, b, body);
}

/* Ends the repeat loop on top at its last block b; returns the next block. */
static uint32_t end_repeat(walk *w, uint32_t b) {
  uint32_t back = succ(w, b, 0) == top_of(w)->head ? 0 : 1;
  if (succ(w, b, back) != top_of(w)->head) return refuse_at(w, b);
  return close_statement(w, succ(w, b, 1 - back));
}

/* Goes on from b, which has been entered: returns the next block. */
static uint32_t leave_block(walk *w, uint32_t b) {
  if (w->top != 0 && top_of(w)->kind == REPEAT && nsuccs(w, b) == 2 &&
      latch_of(w, top_of(w)->head) == b)
    return end_repeat(w, b);
  switch (nsuccs(w, b)) {
    case 0:
      return w->top == 0 ? 0 : refuse_at(w, b);
    case 1:
      return succ(w, b, 0);
    default:
      open_statement(w, BRANCHES, b);
      top_of(w)->arm = 1;
      return succ(w, b, 0);
  }
}

/* Enters b, to which no open statement leads back or joins. */
static uint32_t enter_block(walk *w, uint32_t b) {
  uint32_t latch = latch_of(w, b);
  if (w->visited[b]++ || npreds(w, b) > (latch != 0 ? 2 : 1))
    return refuse_at(w, b);
  w->inside[b] = w->top;
  if (latch == 0) return leave_block(w, b);
  if (nsuccs(w, latch) == 1) return open_while(w, b, latch);
  w->inside[b] = open_statement(w, REPEAT, b);
  return leave_block(w, b);
}

/* Ends an arm at b, a join: returns the next arm, or what follows b. */
static uint32_t end_arm(walk *w, uint32_t b) {
  statement *s = top_of(w);
  s->join = b;
  s->arrivals++;
  if (s->arm < nsuccs(w, s->head)) return succ(w, s->head, s->arm++);
  if (s->arrivals != npreds(w, b) || w->visited[b]++ || latch_of(w, b) != 0)
    return refuse_at(w, b);
  close_statement(w, 0);
  w->inside[b] = w->top;
  return leave_block(w, b);
}

/* Arrives at b by an edge; returns the next block. */
static uint32_t arrive_at(walk *w, uint32_t b) {
  const statement *s = top_of(w);
  if (w->top == 0) return enter_block(w, b);
  if (s->kind == BRANCHES) {
    bool joins = s->join != 0 ? s->join == b : npreds(w, b) > 1;
    return joins && latch_of(w, b) == 0 ? end_arm(w, b) : enter_block(w, b);
  }
  if (s->kind == WHILE && s->head == b) return close_statement(w, s->exit);
  return enter_block(w, b);
}

/* }== Phis =========================================================== */

/* The statements around each block that writes var have a phi each. */
static void place_var(ph_program *p, const walk *w, uint32_t var,
                      uint32_t *placed) {
  for (uint32_t i = p->writers.first[var]; i < p->writers.first[var + 1]; i++) {
    uint32_t s = w->inside[p->writers.to[i]];
    for (; s != 0 && placed[s] != var; s = w->all.at[s].outer) {
      placed[s] = var;
      ph_program_place(p, var, w->all.at[s].join);
    }
  }
}

uint32_t ph_structure_place(ph_program *p) {
  const statement none = {.head = 0};
  walk w = {.p = p};
  uint32_t *placed, b = 1;
  w.inside = ph_program_numbers(p);
  w.visited = ph_arena_zero(p->a, p->nblocks);
  statements_push(&w.all, p->a, none);
  while (b != 0) b = arrive_at(&w, b);
  if (w.unstructured != 0) return w.unstructured;
  placed = ph_arena_zero(p->a, w.all.n * sizeof *placed);
  for (uint32_t var = 1; var < p->nvars; var++) place_var(p, &w, var, placed);
  return 0;
}

/* }=================================================================== */
