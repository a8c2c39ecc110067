/* sets.c: sets of rules when memory runs out.
**
** Each allocation of making a set, adding rules and applying them fails once.
** Then everything can be freed and every byte comes back; and a set of which
** only the compiling failed does for the next function what it should.
*/
#include "host.h"
#include "spec.h"

static const char text[] = "add0: x + 0 => x\n"
                           "deep: ((x * y) + z) - (z + (x * y)) => 0\n"
                           "add_k: (x + A) + B => x + (A + B)\n"
                           "three: (x & y) | ((x & z) | (y & z)) => (x & y) | "
                           "((x ~ y) & z) @ always\n";

typedef struct {
  host *h;
  ph_ruleset *base, *set; /* in memory of the spec */
  ph_func *f;
  ph_value first, last;
  ph_strbuf said;
} work;

static void make_set(void *ud) {
  work *w = ud;
  const ph_callback_names none = {0};
  ph_strbuf why = {&w->h->mem, NULL, 0, 0};
  ph_ruleset_init(w->base, NULL);
  ph_ruleset_load(w->base, spec_str("base"), spec_str(text), &none, &why);
  ph_ruleset_init(w->set, w->base);
  ph_ruleset_load(w->set, spec_str("set"), spec_str("x - 0 => x"), &none, &why);
}

static void use_set(void *ud) {
  work *w = ud;
  const ph_options options = {0};
  ph_func *f = w->f;
  ph_value x, y;
  ph_func_init(f, spec_str("f"), PH_NOTYPE, &options);
  x = w->first = ph_value_newparam(f, spec_str("x"), PH_I64);
  y = ph_value_newparam(f, spec_str("y"), PH_I64);
  ph_peephole_enable(f, w->set, false);
  for (int64_t i = 1; i < 20; i++)
    x = spec_emit(f, PH_ADD, x, ph_const_int(f, PH_I64, i));
  spec_emit(f, PH_BOR, spec_emit(f, PH_BAND, x, y), spec_emit(f, PH_SUB, y, x));
  w->last = spec_emit(f, PH_SUB,
                      spec_emit(f, PH_ADD, x, ph_const_int(f, PH_I64, -190)),
                      ph_const_int(f, PH_I64, 0));
}

static void all(void *ud) {
  make_set(ud);
  use_set(ud);
}

/* Everything blank, as it must be before memory can run out. */
static void start(work *w) {
  ph_ruleset_blank(w->base, &w->h->mem);
  ph_ruleset_blank(w->set, &w->h->mem);
  ph_func_blank(w->f, &w->h->mem);
  w->said.mem = &w->h->mem;
}

static const char *end(work *w) {
  ph_strbuf_done(&w->said);
  ph_func_done(w->f);
  ph_ruleset_done(w->set);
  ph_ruleset_done(w->base);
  if (w->h->pieces.confused) return "another size than was given";
  return w->h->pieces.held == 0 ? "" : "memory that is held";
}

static const char *fail_all(work *w) {
  const char *got = "";
  bool done = false;
  for (long k = 0; !done && *got == '\0'; k = host_next(k)) {
    start(w);
    done = host_try(w->h, k, all, w);
    got = end(w);
  }
  return got;
}

/* The set is whole; what uses it fails, and then does not. */
static const char *fail_use(work *w) {
  const char *got = "";
  bool done = false;
  start(w);
  make_set(w);
  for (long k = 0; !done && *got == '\0'; k = host_next(k)) {
    done = host_try(w->h, k, use_set, w);
    ph_func_done(w->f);
    ph_func_blank(w->f, &w->h->mem);
    use_set(w);
    if (!ph_same(w->first, w->last)) got = "another result";
    if (ph_match_hits(w->f, 1) != 1) got = "another number of hits";
    ph_func_done(w->f);
    ph_func_blank(w->f, &w->h->mem);
  }
  return *got != '\0' ? (end(w), got) : end(w);
}

/*
** {== Questions about a set ==========================================
*/

static void hear_problem(void *ud, ph_str problem) {
  (void)ud;
  (void)problem;
}

static void hear_verdict(void *ud, const ph_check_result *checked) {
  (void)ud;
  (void)checked;
}

static void lint_set(void *ud) {
  work *w = ud;
  ph_ruleset_lint(w->base, hear_problem, NULL);
}

static void check_set(void *ud) {
  const ph_check_options how = {.width = 2, .limit = 6, .cases = 4};
  work *w = ud;
  ph_ruleset_check(w->base, 0, &how, hear_verdict, NULL);
}

static void explain_set(void *ud) {
  work *w = ud;
  const ph_value args[] = {w->first, w->first};
  w->said.n = 0;
  ph_ruleset_explain(&w->said, w->f, w->base, NULL, PH_ADD, PH_I64, args, 2,
                     NULL, 0);
}

static size_t bytes_after(work *w, void (*ask)(void *ud)) {
  ask(w);
  return ph_ruleset_bytes(w->base) + ph_func_bytes(w->f);
}

/* What a function does with its own rules after it was asked about others. */
static bool is_whole(work *w) {
  ph_value v = spec_emit(w->f, PH_ADD, w->first, ph_const_int(w->f, PH_I64, 0));
  return ph_same(v, w->first);
}

/* A question fails at each allocation, and is asked again. */
static const char *fail_question(work *w, void (*ask)(void *ud)) {
  const char *got = "", *held;
  bool done = false;
  start(w);
  make_set(w);
  use_set(w);
  for (long k = 0; !done && *got == '\0'; k = host_next(k)) {
    size_t bytes;
    done = host_try(w->h, k, ask, w);
    bytes = bytes_after(w, ask);
    for (int again = 0; again < 40; again++)
      if (bytes_after(w, ask) > bytes) got = "memory that each question keeps";
    if (!is_whole(w)) got = "a function that has lost its rules";
  }
  held = end(w);
  return *got != '\0' ? got : held;
}

/* }=================================================================== */

int spec_sets(void) {
  host h;
  work w = {0};
  int failed;
  host_init(&h);
  w.h = &h;
  w.base = ph_mem_libc.realloc(NULL, NULL, 0, ph_ruleset_size());
  w.set = ph_mem_libc.realloc(NULL, NULL, 0, ph_ruleset_size());
  w.f = ph_mem_libc.realloc(NULL, NULL, 0, ph_func_size());
  failed = spec_equal("a_set_of_rules_gives_all_back_when_memory_runs_out", "",
                      fail_all(&w));
  failed += spec_equal("a_set_goes_on_when_compiling_it_has_failed", "",
                       fail_use(&w));
  failed += spec_equal("a_set_is_looked_at_again_when_that_has_failed", "",
                       fail_question(&w, lint_set));
  failed += spec_equal("a_set_is_checked_again_when_that_has_failed", "",
                       fail_question(&w, check_set));
  failed += spec_equal("a_set_explains_again_when_that_has_failed", "",
                       fail_question(&w, explain_set));
  ph_mem_libc.realloc(NULL, w.base, ph_ruleset_size(), 0);
  ph_mem_libc.realloc(NULL, w.set, ph_ruleset_size(), 0);
  ph_mem_libc.realloc(NULL, w.f, ph_func_size(), 0);
  return failed;
}
