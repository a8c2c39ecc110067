/* questions.c: memory runs out while a function is asked something, at each
** allocation in turn.
**
** It can be asked again, and its answer is the one it gives where memory never
** runs out; no question keeps what it needed on the way; freeing the function
** gives every byte back.
*/
#include "host.h"
#include "site.h"
#include "spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/strbuf.h"

static void say(ph_strbuf *answer, uint32_t n) {
  ph_strbuf_uint(answer, n);
  ph_strbuf_char(answer, ' ');
}

/*
** {== Analyses =======================================================
*/

static void order(ph_func *f, ph_strbuf *answer) {
  const ph_rpo *o = ph_rpo_new(f);
  for (uint32_t i = 0; i < ph_rpo_count(o); i++)
    say(answer, ph_rpo_at(o, i).id);
}

static void dominators(ph_func *f, ph_strbuf *answer) {
  const ph_domtree *d = ph_dom_new(f);
  PH_EACH_BLOCK(f, b) say(answer, ph_dom_idom(d, ph_blockid(b)).id);
}

static void reducible(ph_func *f, ph_strbuf *answer) {
  say(answer, ph_dom_isreducible(f));
}

static void live(ph_func *f, ph_strbuf *answer) {
  const ph_liveness *l = ph_liveness_new(f);
  PH_EACH_BLOCK(f, b) {
    for (uint32_t i = 0; i < ph_liveness_count(l, ph_blockid(b)); i++)
      say(answer, ph_liveness_at(l, ph_blockid(b), i).id);
    say(answer, 0);
  }
}

static void live_out(ph_func *f, ph_strbuf *answer) {
  const ph_liveness *l = ph_liveness_new(f);
  PH_EACH_BLOCK(f, b) {
    for (uint32_t i = 0; i < ph_liveness_outcount(l, ph_blockid(b)); i++)
      say(answer, ph_liveness_outat(l, ph_blockid(b), i).id);
    say(answer, 0);
  }
}

static void live_behind(ph_func *f, ph_strbuf *answer) {
  const ph_livepoints *p = ph_livepoints_new(f, ph_liveness_new(f));
  for (uint32_t v = 1; v <= ph_value_count(f); v++) {
    uint32_t n = ph_livepoints_count(f, p, ph_valueid(v), false);
    for (uint32_t k = 0; k < n; k++) say(answer, ph_livepoints_at(f, k).id);
    say(answer, ph_livepoints_count(f, p, ph_valueid(v), true));
  }
}

static void say_moves(const ph_leaving *l, uint32_t edge, ph_strbuf *answer) {
  for (uint32_t i = 0; i < ph_leave_nmoves(l, edge); i++) {
    ph_move m = ph_leave_move(l, edge, i);
    say(answer, m.to);
    say(answer, m.from);
    say(answer, m.constant.id);
  }
}

static void leave(ph_func *f, ph_strbuf *answer, bool coalesce) {
  const ph_leaving *l = ph_leave_new(f, coalesce);
  for (uint32_t v = 1; v <= ph_value_count(f); v++)
    say(answer, ph_leave_of(f, l, ph_valueid(v)));
  PH_EACH_BLOCK(f, b) { PH_EACH_PRED(f, b, e) say_moves(l, e, answer); }
  say(answer, ph_leave_total(l));
}

static void coalesced(ph_func *f, ph_strbuf *answer) { leave(f, answer, true); }

static void apart(ph_func *f, ph_strbuf *answer) { leave(f, answer, false); }

/* Facts that each value gets once. */
static void solve(ph_func *f, ph_strbuf *answer, ph_direction direction) {
  static max_align_t memory[65536];
  static bool known[16384];
  ph_solver *s;
  ph_step step;
  memset(known, 0, sizeof known);
  if (ph_solver_size(f) > sizeof memory || ph_value_count(f) >= 16384) abort();
  s = ph_solver_init(f, memory, direction);
  while (step = ph_solver_next(s), step.kind != PH_STEP_NONE) {
    ph_value v = direction == PH_FORWARD ? step.value : ph_solver_operand(s);
    say(answer, step.value.id);
    if (step.kind == PH_STEP_EDGE)
      ph_solver_take(s);
    else if (ph_some(v) && !known[v.id]) {
      known[v.id] = true;
      ph_solver_changed(s, v);
    }
  }
}

static void solved(ph_func *f, ph_strbuf *answer) {
  solve(f, answer, PH_FORWARD);
}

static void solved_back(ph_func *f, ph_strbuf *answer) {
  solve(f, answer, PH_BACKWARD);
}

static void loops(ph_func *f, ph_strbuf *answer) {
  const ph_loops *l = ph_loops_new(f);
  for (uint32_t i = 1; i <= ph_loops_count(l); i++)
    say(answer, ph_loops_header(l, i).id);
  PH_EACH_BLOCK(f, b) say(answer, ph_loops_of(l, ph_blockid(b)));
}

/* }== Values and reads =============================================== */

static void minimal(ph_func *f, ph_strbuf *answer) {
  say(answer, ph_redundant_phi_find(f).id);
}

static void pruned(ph_func *f, ph_strbuf *answer) {
  say(answer, ph_dead_phi_find(f).id);
}

static void definitions(ph_func *f, ph_strbuf *answer) {
  PH_EACH_BLOCK(f, b) {
    uint32_t phi = ph_blockrec_of(f, b)->first_phi;
    uint32_t n = phi != 0 ? ph_flow_sources(f, ph_valueid(phi), UINT32_MAX) : 0;
    for (uint32_t k = 0; k < n; k++) say(answer, ph_flow_at(f, k).id);
    say(answer, 0);
  }
}

/* The first and the last access. */
static void reaching(ph_func *f, ph_strbuf *answer) {
  const ph_access ends[] = {{1}, {ph_access_count(f)}};
  uint32_t n = ph_reaching_count(f, ph_reaching_new(f), ends, 2, UINT32_MAX);
  for (uint32_t k = 0; k < n; k++) say(answer, ph_reaching_at(f, k).id);
  say(answer, ph_reaching_isundefined(f));
}

static void uses(ph_func *f, ph_strbuf *answer) {
  for (uint32_t v = 1; v <= ph_value_count(f); v++)
    say(answer, ph_uses_count(f, ph_valueid(v)));
}

static void needed(ph_func *f, ph_strbuf *answer) {
  const ph_needed *n = ph_needed_new(f);
  for (uint32_t v = 1; v <= ph_value_count(f); v++) {
    say(answer, ph_needed_has(n, ph_valueid(v)));
    say(answer, ph_needed_near(n, ph_valueid(v)));
    say(answer, ph_needed_far(n, ph_valueid(v)));
  }
}

static void undefined(ph_func *f, ph_strbuf *answer) {
  uint32_t n = ph_undef_reads_count(f);
  uint32_t length = ph_undef_reads_path(f, n - 1);
  say(answer, n);
  for (uint32_t k = 0; k < length; k++)
    say(answer, ph_undef_reads_step(f, k).id);
}

/* }== Text =========================================================== */

static void hear(void *ud, ph_str problem) {
  ph_strbuf_add(ud, problem);
  ph_strbuf_char(ud, '\n');
}

static void problems(ph_func *f, ph_strbuf *answer) {
  say(answer, ph_verify_func(f, hear, answer));
}

static void text(ph_func *f, ph_strbuf *answer) {
  ph_print_func(answer, f, PH_IDS_OWN);
}

static void rpo_text(ph_func *f, ph_strbuf *answer) {
  ph_print_styled(answer, f, (ph_print_style){.in_rpo = true});
}

static void dense_text(ph_func *f, ph_strbuf *answer) {
  ph_print_func(answer, f, PH_IDS_DENSE);
}

static void graph(ph_func *f, ph_strbuf *answer) {
  ph_print_graph(answer, f, ph_rpo_new(f), ph_dom_new(f));
  ph_func_freeanalyses(f);
}

static void document(ph_func *f, ph_strbuf *answer) {
  const ph_srcloc places[] = {{.line = 7}, {.line = 7, .col = 1}};
  ph_json_known known = {.places = places, .nplaces = 2};
  size_t ends[PH_JSON_PARTS];
  known.dom = ph_dom_new(f);
  known.loops = ph_loops_new(f);
  ph_print_json(answer, f, &known, ends);
  ph_func_freeanalyses(f);
}

/* }== Passes ========================================================= */

static void redundant(ph_func *f, ph_strbuf *answer) {
  ph_redundant_phi_remove(f);
  text(f, answer);
}

static void sweep(ph_func *f, ph_strbuf *answer) {
  say(answer, ph_dce_run(f));
  text(f, answer);
}

static void split(ph_func *f, ph_strbuf *answer) {
  say(answer, ph_leave_split(f, ph_leave_new(f, false)));
  text(f, answer);
  problems(f, answer);
}

static void edits(ph_func *f, ph_strbuf *answer) {
  site_edit(f);
  text(f, answer);
  problems(f, answer);
}

/* }== What is asked ================================================== */

/* site_build has asked for uses. */
static void forget_uses(ph_func *f) {
  const ph_uses none = {0};
  site_finish(f);
  f->uses = none;
}

static void break_phis(ph_func *f) {
  site_finish(f);
  PH_EACH_BLOCK(f, b) { PH_EACH_PHI(f, b, v) ph_node_of(f, v)->type = PH_I32; }
}

/* As finish goes on until it removes redundant phis. */
static void leave_redundant(ph_func *f) {
  ph_finish_sealall(f);
  ph_finish_dropunreachable(f);
}

/* As it comes from site_build. */
static void leave_unfinished(ph_func *f) { (void)f; }

typedef struct {
  const char *name;
  void (*ask)(ph_func *f, ph_strbuf *answer);
  void (*prepare)(ph_func *f);
  bool changes; /* a pass: a function that it fails in is only freed */
} question;

static const question questions[] = {
    {"order", order, site_finish, false},
    {"dominators", dominators, site_finish, false},
    {"reducible", reducible, site_finish, false},
    {"live", live, site_finish, false},
    {"live_out", live_out, site_finish, false},
    {"live_behind", live_behind, site_finish, false},
    {"leave_coalesced", coalesced, site_finish, false},
    {"leave_apart", apart, site_finish, false},
    {"solved", solved, site_finish, false},
    {"solved_back", solved_back, site_finish, false},
    {"loops", loops, site_finish, false},
    {"minimal", minimal, site_finish, false},
    {"pruned", pruned, site_finish, false},
    {"definitions", definitions, site_finish, false},
    {"reaching", reaching, forget_uses, false},
    {"uses", uses, forget_uses, false},
    {"needed", needed, site_finish, false},
    {"needed_when_unfinished", needed, leave_unfinished, false},
    {"undefined", undefined, site_finish, false},
    {"undefined_when_sealed", undefined, ph_finish_sealall, false},
    {"verify", problems, site_finish, false},
    {"verify_when_unfinished", problems, leave_unfinished, false},
    {"verify_when_broken", problems, break_phis, false},
    {"text", text, site_finish, false},
    {"text_when_unfinished", text, leave_unfinished, false},
    {"dense_text", dense_text, site_finish, false},
    {"rpo_text", rpo_text, site_finish, false},
    {"graph", graph, site_finish, false},
    {"graph_when_unfinished", graph, leave_unfinished, false},
    {"document", document, site_finish, false},
    {"document_when_unfinished", document, leave_unfinished, false},
    {"redundant", redundant, leave_redundant, true},
    {"sweep", sweep, site_finish, true},
    {"split", split, site_finish, true},
    {"edits", edits, site_finish, true},
    {"edits_without_uses", edits, forget_uses, true},
};

/* }== Asking ========================================================= */

typedef struct {
  const question *q;
  ph_func f;
  ph_strbuf answer;
} asking;

static void prepare(asking *a, const ph_mem *mem) {
  const ph_options options = {.accesses = a->q->ask == reaching};
  const ph_strbuf empty = {.mem = mem};
  a->answer = empty;
  ph_func_blank(&a->f, mem);
  site_build(&a->f, &options, true);
  a->q->prepare(&a->f);
}

static void ask(void *ud) {
  asking *a = ud;
  a->answer.n = 0;
  a->q->ask(&a->f, &a->answer);
}

static void finish(asking *a) {
  ph_strbuf_done(&a->answer);
  ph_func_done(&a->f);
}

/* Asks once more; the bytes that the function has then, without analyses. */
static size_t bytes_after(asking *a) {
  ask(a);
  ph_func_freeanalyses(&a->f);
  return ph_func_bytes(&a->f);
}

/* Asks with memory for k allocations, if that fails again with enough; what
** went wrong, or NULL. */
static const char *ask_twice(host *h, asking *a, long k, bool *done) {
  uint32_t version = ph_func_version(&a->f);
  size_t bytes;
  *done = host_try(h, k, ask, a);
  if (*done || a->q->changes) return NULL;
  if (ph_func_version(&a->f) != version) return "a function that changed";
  bytes = bytes_after(a);
  for (int again = 0; again < 3; again++)
    if (bytes_after(a) > bytes) return "memory that each question keeps";
  return NULL;
}

/* The same with a function of its own. */
static const char *fail_once(host *h, const question *q, long k,
                             const char *expected, bool *done) {
  asking a = {.q = q};
  const char *wrong;
  prepare(&a, &h->mem);
  wrong = ask_twice(h, &a, k, done);
  if ((*done || !q->changes) && strcmp(spec_text(&a.answer), expected) != 0)
    wrong = "another answer";
  finish(&a);
  if (h->pieces.confused) wrong = "a wrong size";
  if (h->pieces.held != 0) wrong = "memory that was not given back";
  return wrong;
}

static int fail(const question *q) {
  host h;
  asking good = {.q = q};
  const char *wrong = NULL;
  bool done = false;
  long k = 0;
  host_init(&h);
  prepare(&good, &ph_mem_libc);
  ask(&good);
  for (; !done && wrong == NULL; k = host_next(k))
    wrong = fail_once(&h, q, k, spec_text(&good.answer), &done);
  finish(&good);
  printf("# %ld failures\n", h.failures);
  return spec_case(q->name, wrong == NULL, wrong);
}

/* }== Analyses that fail again and again ============================= */

static void make_order(void *ud) { ph_rpo_new(ud); }
static void make_dominators(void *ud) { ph_dom_new(ud); }
static void make_liveness(void *ud) { ph_liveness_new(ud); }
static void make_loops(void *ud) { ph_loops_new(ud); }

/* True if another failure takes as much memory as the first one, with an
** analysis in place. */
static bool keeps_nothing(host *h, ph_func *f, void (*make)(void *ud), long k) {
  size_t bytes;
  ph_dom_new(f);
  if (host_try(h, k, make, f)) return true;
  bytes = ph_func_bytes(f);
  for (int again = 0; again < 3; again++) host_try(h, k, make, f);
  return ph_func_bytes(f) == bytes;
}

static int fails_again(const char *name, void (*make)(void *ud)) {
  const ph_options options = {0};
  host h;
  ph_func f;
  bool good = true;
  host_init(&h);
  ph_func_blank(&f, &h.mem);
  site_build(&f, &options, true);
  for (long k = 0; k < 40; k++) {
    good = good && keeps_nothing(&h, &f, make, k);
    ph_func_freeanalyses(&f);
  }
  ph_func_done(&f);
  return spec_case(name, good, "memory that each failure keeps");
}

/* }== Together ======================================================= */

int spec_questions(void) {
  int failed = 0;
  for (size_t i = 0; i < SPEC_COUNT(questions); i++)
    failed += fail(&questions[i]);
  failed += fails_again("order_again_and_again", make_order);
  failed += fails_again("dominators_again_and_again", make_dominators);
  failed += fails_again("liveness_again_and_again", make_liveness);
  failed += fails_again("loops_again_and_again", make_loops);
  return failed;
}

/* }=================================================================== */
