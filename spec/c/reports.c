/* reports.c: what a host may do in its callbacks: leave the report of a pass by
** longjmp, ask for other passes there, and ask in a guard, where memory may run
** out.
*/
#include "host.h"
#include "spec.h"

#include <stdio.h>

enum { ROUNDS = 20 };

typedef struct {
  host h;
  ph_func f;
  ph_ruleset *set; /* in memory of the spec */
  jmp_buf out;
  uint32_t before; /* reports before the one that leaves */
  uint32_t heard;
} world;

static const char rules[] = "twice: x + 0 => x\n"
                            "again: x + 0 => x\n"
                            "never: x - y => 0 if 1 == 2\n"
                            "wrong: x * y => x + y\n";

static void start(world *w) {
  const ph_callback_names none = {NULL, NULL};
  ph_strbuf why = {.mem = &ph_mem_libc};
  host_init(&w->h);
  spec_parsein(&w->f, &w->h.mem, spec_sum);
  ph_node_of(&w->f, I)->type = PH_I32;
  ph_ruleset_blank(w->set, &w->h.mem);
  ph_ruleset_init(w->set, NULL);
  ph_ruleset_load(w->set, spec_str("text"), spec_str(rules), &none, &why);
}

static const char *end(world *w, const char *got) {
  ph_func_done(&w->f);
  ph_ruleset_done(w->set);
  if (*got != '\0') return got;
  if (w->h.pieces.confused) return "another size than was given";
  return w->h.pieces.held == 0 ? "" : "memory that is held";
}

/*
** {== Reports ========================================================
*/

static void leave(void *ud, ph_str text) {
  world *w = ud;
  (void)text;
  if (w->heard++ == w->before) longjmp(w->out, 1);
}

static void leave_check(void *ud, const ph_check_result *result) {
  leave(ud, result->text);
}

/* Asks for all kinds of things. */
static void ask(void *ud, ph_str text) {
  world *w = ud;
  ph_strbuf b = {.mem = &w->h.mem};
  ph_print_func(&b, &w->f, PH_IDS_DENSE);
  ph_dom_isreducible(&w->f);
  ph_ruleset_print(&b, w->set, 1);
  ph_strbuf_add(&b, text);
  w->heard += b.n > text.n;
  ph_strbuf_done(&b);
}

static void ask_check(void *ud, const ph_check_result *result) {
  ask(ud, result->text);
}

typedef uint32_t pass(world *w, ph_report *report);

static uint32_t verify(world *w, ph_report *report) {
  return ph_verify_func(&w->f, report, w);
}

static uint32_t lint(world *w, ph_report *report) {
  return ph_ruleset_lint(w->set, report, w);
}

static uint32_t check(world *w, ph_report *report) {
  const ph_check_options how = {.width = 2, .limit = 6, .cases = 4};
  ph_ruleset_check(w->set, 0, &how, report == leave ? leave_check : ask_check,
                   w);
  return ph_ruleset_count(w->set);
}

static size_t bytes_of(const world *w) {
  return ph_func_bytes(&w->f) + ph_ruleset_bytes(w->set);
}

/* Returns false if the pass was left. */
static bool run(world *w, pass *p, uint32_t before) {
  w->heard = 0;
  w->before = before;
  if (setjmp(w->out) != 0) return false;
  p(w, leave);
  return true;
}

static const char *leave_at(world *w, pass *p, uint32_t before) {
  size_t bytes;
  run(w, p, UINT32_MAX);
  bytes = bytes_of(w);
  for (int i = 0; i < ROUNDS; i++)
    if (run(w, p, before)) return "a report that is missing";
  run(w, p, UINT32_MAX);
  return bytes_of(w) == bytes ? "" : "memory that is kept";
}

static int is_left(world *w, const char *name, pass *p) {
  const char *got;
  start(w);
  got = leave_at(w, p, 0);
  if (*got == '\0') got = leave_at(w, p, 1);
  return spec_equal(name, "", end(w, got));
}

static int is_asked_in(world *w, const char *name, pass *p) {
  uint32_t count;
  start(w);
  w->heard = 0;
  count = p(w, ask);
  return spec_equal(name, "",
                    end(w, count > 1 && count == w->heard
                               ? ""
                               : "another number of reports"));
}

/* }== Guards ========================================================= */

static void ask_once(void *ud) {
  world *w = ud;
  ph_dom_isreducible(&w->f);
  ph_undef_reads_count(&w->f);
}

/* Memory runs out in the guard, which catches that. */
static int guard(void *ud, ph_func *f, uint32_t rule, uint32_t function,
                 const ph_callback_arg *args, uint32_t n) {
  world *w = ud;
  (void)f;
  (void)rule;
  (void)function;
  (void)args;
  (void)n;
  host_try(&w->h, (long)w->heard++ % 4, ask_once, w);
  ask_once(w);
  return 0;
}

static bool find(void *ud, ph_str name, uint32_t *number) {
  (void)ud;
  (void)name;
  *number = 0;
  return true;
}

static const char asking[] = "x + y => y if $ask(x)\n"
                             "x * y => x if $ask(y)\n";

/* Reads of variables without a definition, and a loop, to have something to
** ask about. */
static void build(world *w) {
  const ph_callback_names names = {find, NULL};
  const ph_callbacks callbacks = {.ud = w, .guard = guard};
  ph_strbuf why = {.mem = &ph_mem_libc};
  ph_func *f = &w->f;
  ph_value x, v;
  ph_func_done(f);
  ph_ruleset_load(w->set, spec_str("asking"), spec_str(asking), &names, &why);
  ph_func_init(f, spec_str("f"), PH_NOTYPE, NULL);
  ph_peephole_enable(f, w->set, false);
  ph_match_setcallbacks(f, &callbacks);
  v = x = ph_value_newparam(f, spec_str("x"), PH_I64);
  for (int i = 0; i < ROUNDS; i++) {
    ph_var var = ph_var_new(f, spec_str("v"), PH_I64);
    ph_build_read(f, var, ph_block_entry(f));
    v = spec_emit(f, i % 2 == 0 ? PH_ADD : PH_MUL, v, x);
  }
  ph_build_ret(f, ph_block_entry(f), (ph_value){0});
  ph_finish_run(f);
  ph_finish_simplify(f, true);
}

static int is_asked_in_guard(world *w) {
  const char *got = "";
  size_t bytes;
  start(w);
  w->heard = 0;
  build(w);
  if (w->heard < ROUNDS) got = "guards that were not called";
  ask_once(w);
  bytes = bytes_of(w);
  ask_once(w);
  if (bytes_of(w) != bytes || w->f.scratch.bytes > 0)
    got = "memory that is kept";
  return spec_equal("a_guard_asks_and_memory_runs_out", "", end(w, got));
}

/* }=================================================================== */

int spec_reports(void) {
  static world w;
  int failed = 0;
  w.set = ph_mem_libc.realloc(NULL, NULL, 0, ph_ruleset_size());
  failed += is_left(&w, "verify_is_left_by_its_report", verify);
  failed += is_left(&w, "lint_is_left_by_its_report", lint);
  failed += is_left(&w, "check_is_left_by_its_report", check);
  failed += is_asked_in(&w, "a_report_of_verify_asks", verify);
  failed += is_asked_in(&w, "a_report_of_lint_asks", lint);
  failed += is_asked_in(&w, "a_report_of_check_asks", check);
  failed += is_asked_in_guard(&w);
  ph_mem_libc.realloc(NULL, w.set, ph_ruleset_size(), 0);
  return failed;
}
