/* verify.c: checks the invariants that the rest of phial relies on.
**
** Each invariant has a function of its own, with its own message, and all
** problems are reported, in the order of blocks:
**
**   lists    lists and edges are whole; the others rely on it
**   endings  a terminator ends each filled block, and appears only there; it
**            has as many targets as its op; the entry has no predecessors
**   types    operands fit the op, and the result type is the one that they
**            determine; a further result is one that its operand has, and of
**            one type; an alloca is in the entry, with constant operands
**   phis     one operand for each edge, of the phi's type; once the function
**            is finished, none is redundant
**   operands are existing values
**   order    definitions dominate uses; a phi uses an operand at the end of
**            the predecessor
**   uses     recorded uses match the operands
**
** Lists come first (lists.c).
**
** Near-linear: one dominator tree, one pass over the operands.  Each path shown
** in a message takes a search, so only the first messages show one.
**
** Requires: nothing; of an unfinished function, only what must hold already is
** checked.  Changes nothing.
*/
#include <stdlib.h>

#include "phial/text.h"
#include "core/analysis/dom.h"
#include "core/analysis/reaching.h"
#include "core/analysis/redundant_phi.h"
#include "core/base/noinline.h"
#include "core/ir/body.h"
#include "core/ir/effects.h"
#include "core/ir/op.h"
#include "core/ir/opcheck.h"
#include "core/verify/lists.h"

enum { PATHS = 20, STEPS = 8 }; /* paths shown, blocks shown of each */

/* A further result of a type that its op leaves open. */
typedef struct {
  uint32_t of, which, value;
} projection;
PH_VEC(projections, projection)

typedef struct {
  ph_problems *p;
  const ph_func *f;
  ph_arena *a;
  projections open;
  const uint32_t *position; /* by value: in its block; 0: not in one */
  const ph_domtree *dom;
  ph_unreached unreached; /* if f keeps unreachable blocks */
  uint32_t paths;         /* number of paths shown so far */
} verifier;

/*
** {== Uses ===========================================================
*/

/* Returns, by value, how many operands are that value. */
static uint32_t *count_operands(const verifier *c) {
  uint32_t *count = ph_arena_zero(c->a, c->f->nodes.n * sizeof(uint32_t));
  for (uint32_t v = 1; v < c->f->nodes.n; v++) {
    uint32_t nargs = c->position[v] != 0 ? ph_node_of(c->f, v)->nargs : 0;
    for (uint32_t i = 0; i < nargs; i++) count[ph_body_operand(c->f, v, i)]++;
  }
  return count;
}

/* True if `use` is an operand slot of a user in a block, and holds v. */
static bool is_use(const verifier *c, uint32_t v, uint32_t use) {
  const ph_func *f = c->f;
  uint32_t user;
  if (use == 0 || use > f->uses.recs.n) return false;
  user = f->uses.recs.at[use - 1].user;
  if (user == 0 || user >= f->nodes.n || c->position[user] == 0) return false;
  return use - 1 - ph_node_of(f, user)->args < ph_node_of(f, user)->nargs &&
         ph_body_resolve(f, f->operands.at[use - 1]) == v;
}

/* Returns the length of v's list of uses; more than `most` if the list is
** broken. */
static uint32_t walk_uses(const verifier *c, uint32_t v, uint32_t most) {
  const ph_uses *uses = &c->f->uses;
  uint32_t first = v < uses->first.n ? uses->first.at[v] : 0;
  uint32_t use = first, count = 0;
  if (first == 0) return 0;
  do {
    if (!is_use(c, v, use)) return most + 1;
    use = uses->recs.at[use - 1].next;
    count++;
  } while (use != first && count <= most);
  return count;
}

/* Compares the recorded uses, if uses are kept, with the operands. */
static void check_uses(verifier *c) {
  const ph_func *f = c->f;
  uint32_t *count;
  if (f->uses.kept != PH_USES_CHAINED) return;
  count = count_operands(c);
  for (uint32_t v = 1; v < f->nodes.n; v++) {
    uint32_t noted = v < f->uses.count.n ? f->uses.count.at[v] : 0;
    if (noted != count[v])
      ph_report_add(c->p,
                    "%v is an operand %n time%e, but its list of uses says %n",
                    v, count[v], noted);
    else if (walk_uses(c, v, noted) != noted)
      ph_report_add(c->p, "the list of the uses of %v is broken", v);
  }
}

/* }== Endings ======================================================== */

static bool is_terminator(const ph_func *f, uint32_t v) {
  return v != 0 && ph_op_has(f, ph_node_of(f, v)->op, PH_TERMINATOR);
}

static void check_ending(verifier *c, uint32_t b) {
  const ph_blockrec *block = ph_blockrec_of(c->f, b);
  bool ends = is_terminator(c->f, block->last);
  if (block->filled && !ends)
    ph_report_add(c->p, "block %b is filled, but has no terminator", b);
  if (!block->filled && ends)
    ph_report_add(c->p, "%i ends a block that is not filled", block->last);
  if (c->f->finished && !block->filled)
    ph_report_add(c->p, "block %b is not filled in a finished function", b);
  if (c->f->finished && !block->sealed)
    ph_report_add(c->p, "block %b is not sealed in a finished function", b);
  if (!block->filled && block->nsuccs > 0)
    ph_report_add(c->p, "block %b is not filled, but leads to others", b);
  PH_EACH_INST(c->f, b, v) {
    if (is_terminator(c->f, v) && v != block->last)
      ph_report_add(c->p, "%i is not the last: a terminator must be", v);
  }
}

static void check_targets(verifier *c, uint32_t b) {
  const ph_blockrec *block = ph_blockrec_of(c->f, b);
  ph_op op = ph_node_of(c->f, block->last)->op;
  int want = ph_op_ntargets(c->f, op);
  if (!is_terminator(c->f, block->last)) return;
  if (op == PH_SWITCH) {
    want = (int)ph_node_of(c->f, block->last)->nargs;
    for (uint32_t i = 1; i < ph_node_of(c->f, block->last)->nargs; i++) {
      uint32_t key = ph_body_operand(c->f, block->last, i);
      if (ph_node_of(c->f, key)->op != PH_CONST)
        ph_report_add(c->p, "%i: key %n, %v, is no constant", block->last, i,
                      key);
    }
  }
  if (want != PH_VARIADIC && (uint32_t)want != block->nsuccs)
    ph_report_add(c->p, "%i has %n target%e, not %n", block->last,
                  block->nsuccs, (uint32_t)want);
}

/* }== Operands ======================================================= */

/* True if the operand is an existing value; otherwise reports what it is. */
static bool check_operand(verifier *c, uint32_t user, uint32_t v) {
  const ph_node *n = ph_node_of(c->f, v);
  if (n->block == 0 ? ph_op_has(c->f, n->op, PH_LEAF) : c->position[v] != 0)
    return true;
  ph_report_say(c->p, "%i uses %v, ", user, v);
  if (n->block != 0 && ph_blockrec_of(c->f, n->block)->removed)
    ph_report_say(c->p, "which went with block %b", n->block);
  else if (n->flags & PH_IS_DROPPED)
    ph_report_say(c->p, "which was removed");
  else
    ph_report_say(c->p, "which is in no block");
  ph_report_end(c->p);
  return false;
}

/* }== Types ========================================================== */

static void say_operand(verifier *c, uint32_t v, const ph_mismatch *m) {
  uint32_t operand = ph_body_operand(c->f, v, (uint32_t)m->arg);
  uint32_t type = ph_node_of(c->f, operand)->type;
  const char *wanted = ph_opcheck_wanted(m->kind);
  ph_report_say(c->p, "operand %n, %v, has type %t: ", (uint32_t)m->arg + 1,
                operand, type);
  if (wanted != NULL) {
    ph_report_say(c->p, "it must be %s", wanted);
    return;
  }
  ph_report_say(c->p, "it must be %t", (uint32_t)m->type);
  if (m->kind == PH_WRONG_LIKE)
    ph_report_say(c->p, " like operand %n", (uint32_t)m->like + 1);
}

static void say_misfit(verifier *c, uint32_t v, const ph_mismatch *m) {
  const ph_node *n = ph_node_of(c->f, v);
  ph_report_say(c->p, "%i: ", v);
  if (m->kind == PH_WRONG_COUNT)
    ph_report_say(c->p, "it has %n operand%e, not %n", n->nargs,
                  (uint32_t)m->want);
  else if (m->kind == PH_WRONG_RESULT)
    ph_report_say(c->p, "it cannot have type %t", (uint32_t)n->type);
  else
    say_operand(c, v, m);
  if (n->op == PH_RET) {
    ph_report_say(c->p, " (the function returns %t", (uint32_t)c->f->result);
    for (uint32_t i = 1; i < ph_body_nresults(c->f); i++)
      ph_report_say(c->p, ", %t", (uint32_t)ph_body_result(c->f, i));
    ph_report_say(c->p, ")");
  }
  ph_report_end(c->p);
}

static ph_mismatch fit_operands(verifier *c, uint32_t v, ph_type *type) {
  const ph_node *n = ph_node_of(c->f, v);
  size_t bytes = (n->nargs + 1) * sizeof(ph_value);
  ph_value *args = ph_arena_alloc(c->a, bytes);
  ph_mismatch m;
  for (uint32_t i = 0; i < n->nargs; i++)
    args[i] = ph_valueid(ph_body_operand(c->f, v, i));
  m = ph_opcheck_values(c->f, n->op, args, (int)n->nargs, type);
  ph_arena_drop(c->a, args, bytes);
  return m;
}

static void check_types(verifier *c, uint32_t v) {
  const ph_node *n = ph_node_of(c->f, v);
  ph_type type = n->type;
  ph_mismatch m = fit_operands(c, v, &type);
  if (m.kind != PH_FITS)
    say_misfit(c, v, &m);
  else if (type != n->type)
    ph_report_add(c->p, "%i has type %t: its result is %t", v,
                  (uint32_t)n->type, (uint32_t)type);
}

/* A further result must exist, and has the type that the op says, if it does. */
static void check_further(verifier *c, uint32_t v) {
  uint32_t main = ph_body_operand(c->f, v, 0);
  ph_type first = ph_node_of(c->f, main)->type, type;
  ph_op op = ph_node_of(c->f, main)->op;
  ph_data which = ph_value_data(c->f, ph_valueid(v));
  int results = ph_op_nresults(c->f, op);
  if (which.tag != PH_DATA_INT || which.bits < 2 ||
      which.bits > (uint64_t)results) {
    ph_report_add(c->p, "%i asks for a further result that %v does not have", v,
                  main);
    return;
  }
  type = ph_op_resulttype(c->f, op, first, (int)which.bits - 1);
  if (type == PH_NOTYPE)
    projections_push(&c->open, c->a,
                     (projection){main, (uint32_t)which.bits, v});
  else if (ph_node_of(c->f, v)->type != type)
    ph_report_add(c->p, "%i has type %t: that result of %v is %t", v,
                  (uint32_t)ph_node_of(c->f, v)->type, main, (uint32_t)type);
}

static int by_result(const void *p, const void *q) {
  const projection *a = p, *b = q;
  if (a->of != b->of) return a->of < b->of ? -1 : 1;
  if (a->which != b->which) return a->which < b->which ? -1 : 1;
  return (a->value > b->value) - (a->value < b->value);
}

/* A further result has one type, wherever it is taken. */
static PH_NOINLINE void check_open(verifier *c) {
  qsort(c->open.at, c->open.n, sizeof *c->open.at, by_result);
  for (uint32_t i = 1; i < c->open.n; i++) {
    projection one = c->open.at[i - 1], other = c->open.at[i];
    ph_type type = ph_node_of(c->f, one.value)->type;
    if (one.of == other.of && one.which == other.which &&
        type != ph_node_of(c->f, other.value)->type)
      ph_report_add(c->p, "%i has type %t: %v, the same result of %v, is %t",
                    other.value, (uint32_t)ph_node_of(c->f, other.value)->type,
                    one.value, one.of, (uint32_t)type);
  }
}

/* Operands of an alloca are constants. */
static void check_alloca(verifier *c, uint32_t v) {
  uint32_t size = ph_body_operand(c->f, v, 0);
  uint32_t align = ph_body_operand(c->f, v, 1);
  switch (ph_opcheck_allocaargs(c->f, ph_valueid(size), ph_valueid(align))) {
    case PH_ALLOCA_SIZE:
      ph_report_add(c->p, "%i: size %v is not a constant from 1 to %n", v, size,
                    (uint32_t)PH_ALLOCA_MOST);
      break;
    case PH_ALLOCA_ALIGN:
      ph_report_add(c->p,
                    "%i: alignment %v is not a constant power of two up to %n",
                    v, align, (uint32_t)PH_ALIGN_MOST);
      break;
    default:
      break;
  }
}

static void check_data(verifier *c, uint32_t v) {
  ph_op op = ph_node_of(c->f, v)->op;
  if (!ph_op_fitsdata(op, ph_value_data(c->f, ph_valueid(v))))
    ph_report_add(c->p,
                  ph_op_tells(op) ? "%i has no message"
                                  : "%i names neither a function nor a global",
                  v);
}

/* }== Order ========================================================== */

/* Shows a path to block `to` that avoids v's. */
static void say_avoiding_path(verifier *c, uint32_t v, uint32_t to) {
  uint32_t home = ph_node_of(c->f, v)->block;
  ph_ids path;
  if (c->paths++ >= PATHS) return;
  path = ph_shortest_path_find(c->f, c->a, 1, to, home);
  if (path.n == 0) return;
  ph_report_say(c->p, ": ");
  for (uint32_t i = 0; i < path.n; i++) {
    bool left_out = path.n > STEPS && i >= STEPS / 2 && i < path.n - STEPS / 2;
    if (!left_out)
      ph_report_say(c->p, i == 0 ? "%b" : " -> %b", path.at[i]);
    else if (i == STEPS / 2)
      ph_report_say(c->p, " -> ...");
  }
  ph_report_say(c->p, " avoids it");
}

/* Suggests how to repair a use of v in b. */
static void say_advice(verifier *c, uint32_t v, uint32_t b) {
  uint32_t var = ph_value_var(c->f, ph_valueid(v)).id;
  uint32_t home = ph_node_of(c->f, v)->block;
  if (var != 0)
    ph_report_say(c->p,
                  "; %v is what variable %x is in %b: read %x again in "
                  "%b",
                  v, var, home, var, b);
  else
    ph_report_say(c->p, "; write it to a variable in %b and read that in %b",
                  home, b);
}

/* Ends a problem: v does not dominate b, where it is used. */
static void end_undominated(verifier *c, uint32_t v, uint32_t b) {
  say_avoiding_path(c, v, b);
  say_advice(c, v, b);
  ph_report_end(c->p);
}

static bool dominates(const verifier *c, uint32_t v, uint32_t b) {
  return ph_dom_defines(c->dom, &c->unreached, ph_node_of(c->f, v)->block, b);
}

/* True if anything goes in b: it is unreachable, and not kept or in a cycle
** that no path enters. */
static bool is_free(const verifier *c, uint32_t b) {
  if (!c->f->keeps_unreachable) return c->dom->size[b] == 0;
  return c->unreached.cycle[b] != 0;
}

static void check_order(verifier *c, uint32_t user, uint32_t v) {
  uint32_t b = ph_node_of(c->f, user)->block;
  uint32_t home = ph_node_of(c->f, v)->block;
  if (is_free(c, b)) return;
  if (home == b && c->position[v] >= c->position[user])
    ph_report_add(c->p, "%i uses %v before it is defined", user, v);
  if (dominates(c, v, b)) return;
  ph_report_say(c->p,
                "%i uses %v, but block %b, which defines it, is not on every "
                "path there",
                user, v, home);
  end_undominated(c, v, b);
}

static void check_inst(verifier *c, uint32_t v) {
  uint32_t before = c->p->count;
  for (uint32_t i = 0; i < ph_node_of(c->f, v)->nargs; i++) {
    uint32_t operand = ph_body_operand(c->f, v, i);
    if (check_operand(c, v, operand)) check_order(c, v, operand);
  }
  if (c->p->count == before) check_types(c, v);
  if (c->p->count == before && ph_node_of(c->f, v)->op == PH_PROJ)
    check_further(c, v);
  if (c->p->count == before) {
    /* An alloca belongs into the entry, va_start into a variadic function. */
    const ph_node *n = ph_node_of(c->f, v);
    if (!ph_opcheck_fitsblock(c->f, n->op, n->block))
      ph_report_add(c->p,
                    n->op == PH_ALLOCA ? "%i: an alloca belongs into the entry"
                                       : "%i: this function is not variadic",
                    v);
  }
  if (c->p->count == before && ph_node_of(c->f, v)->op == PH_ALLOCA)
    check_alloca(c, v);
  check_data(c, v);
  /* What is said of an instruction is what its op can do. */
  uint32_t said = ph_effects_said(c->f, v);
  if (said != 0 &&
      !ph_effects_fits(c->f, ph_node_of(c->f, v)->op, c->f->effects.at[said]))
    ph_report_add(c->p, "%i cannot have the classes that are said of it", v);
}

/* }== Phis =========================================================== */

static void check_phi_operand(verifier *c, uint32_t phi, uint32_t v,
                              uint32_t from) {
  const ph_node *n = ph_node_of(c->f, phi);
  uint32_t type = ph_node_of(c->f, v)->type;
  if (!check_operand(c, phi, v)) return;
  if (type != n->type)
    ph_report_add(c->p,
                  "%f has type %t, but its operand for %b, %v, has type %t",
                  phi, (uint32_t)n->type, from, v, type);
  if (dominates(c, v, from)) return;
  ph_report_say(c->p,
                "%f has the operand %v for %b, but block %b, which defines "
                "it, is not on every path there",
                phi, v, from, ph_node_of(c->f, v)->block);
  end_undominated(c, v, from);
}

static void check_variable(verifier *c, uint32_t phi) {
  const ph_node *n = ph_node_of(c->f, phi);
  uint32_t var = ph_value_var(c->f, ph_valueid(phi)).id;
  if (var != 0 && c->f->vars.at[var].type != n->type)
    ph_report_add(c->p, "%f has type %t, but its variable %x has type %t", phi,
                  (uint32_t)n->type, var, (uint32_t)c->f->vars.at[var].type);
}

static void check_phi(verifier *c, uint32_t phi) {
  const ph_node *n = ph_node_of(c->f, phi);
  const ph_blockrec *block = ph_blockrec_of(c->f, n->block);
  uint32_t i = 0;
  check_variable(c, phi);
  if (n->flags & PH_IS_INCOMPLETE) {
    if (block->sealed)
      ph_report_add(c->p, "%f has no operands, but the block is sealed", phi);
    return;
  }
  if (n->nargs != block->npreds) {
    ph_report_add(c->p,
                  "%f has %n operand%e, but the block has %n predecessor%e",
                  phi, n->nargs, block->npreds);
    return;
  }
  PH_EACH_PRED(c->f, n->block, e) {
    uint32_t v = ph_body_operand(c->f, phi, i++);
    check_phi_operand(c, phi, v, c->f->edges.at[e].from);
  }
}

/* True if all operands other than the phi itself are one value; decided
** independently of redundant_phi.c. */
static bool is_trivial(const ph_func *f, uint32_t phi) {
  uint32_t one = 0;
  for (uint32_t i = 0; i < ph_node_of(f, phi)->nargs; i++) {
    uint32_t v = ph_body_operand(f, phi, i);
    if (v != phi && one != 0 && v != one) return false;
    if (v != phi) one = v;
  }
  return true;
}

static void check_needed(verifier *c, const uint32_t *tops, uint32_t phi) {
  uint32_t top = tops == NULL ? 0 : tops[phi];
  if (is_trivial(c->f, phi))
    ph_report_add(c->p, "%f is trivial", phi);
  else if (top == PH_NOTHING)
    ph_report_add(c->p, "%f is redundant: no value comes to it", phi);
  else if (top != 0)
    ph_report_add(c->p, "%f is redundant: it always is %v", phi, top);
}

/* Runs only if no other problem was found, since it requires complete phis. */
static void check_minimal(verifier *c) {
  const uint32_t *tops;
  if (!c->f->finished || c->f->as_placed || c->p->count > 0) return;
  tops = ph_redundant_phi_tops(c->f, c->a, NULL);
  PH_EACH_BLOCK(c->f, b) { PH_EACH_PHI(c->f, b, v) check_needed(c, tops, v); }
}

/* }== Together ======================================================= */

static void check_block(verifier *c, uint32_t b) {
  check_ending(c, b);
  check_targets(c, b);
  PH_EACH_PHI(c->f, b, v) check_phi(c, v);
  PH_EACH_INST(c->f, b, v) check_inst(c, v);
}

static void check_all(verifier *c) {
  c->position = ph_lists_check(c->p, c->f, c->a);
  if (c->p->count > 0) return;
  c->dom = c->f->keeps_unreachable ? ph_dom_whole(c->f, c->a, &c->unreached)
                                   : ph_dom_blocks(c->f, c->a);
  PH_EACH_PRED(c->f, 1, e) {
    ph_report_add(c->p,
                  "block %b leads to the entry %b: the entry has no "
                  "predecessors",
                  c->f->edges.at[e].from, (uint32_t)1);
  }
  PH_EACH_BLOCK(c->f, b) check_block(c, b);
  if (c->open.n > 1) check_open(c);
  check_uses(c);
  check_minimal(c);
}

uint32_t ph_verify_func(ph_func *f, ph_report *report, void *ud) {
  ph_arena_mark bottom = ph_scratch_enter(ph_ptr(f));
  ph_problems p;
  verifier c = {.p = &p, .f = f, .a = &f->scratch};
  (void)ph_ptr(report);
  ph_arena_done(&f->told); /* if `report` has jumped out last time */
  ph_report_init(&p, f);
  check_all(&c);
  ph_scratch_leave(f, bottom);
  ph_texts_tell(&p.texts, report, ud);
  ph_arena_done(&f->told);
  return p.count;
}

/* }=================================================================== */
