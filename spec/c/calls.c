/* calls.c: each function of the public headers gets what they forbid.
**
** bad_calls.h is made of the headers by calls.lua, so that no function is left
** out: a call for each argument that can be wrong by itself.  A handler of
** violations jumps out of each; nothing may have changed then.  The calls of one
** function are made in a process of their own, which may crash.
*/
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "phial.h"
#include "spec.h"

typedef struct {
  const char *function, *what;
  const char *pointer; /* that is NULL, or NULL */
  void (*call)(void), (*good)(void);
} bad_call;

/*
** {== Good arguments =================================================
*/

enum { NO_SUCH = 12345 };

/* f is under construction, or finished; the analyses are of `finished`. */
static ph_func *f, *finished;
static ph_ruleset *set;
static ph_pool *pool;
static ph_solver *solver;
static ph_func *functions[1];

static void report(void *ud, ph_str problem) { (void)ud, (void)problem; }
static void report_check(void *ud, const ph_check_result *r) {
  (void)ud, (void)r;
}

static ph_strbuf text;
static char memory[1 << 16];
static uint32_t numbers[64];
static size_t sizes[PH_JSON_PARTS];
static ph_value values[2] = {{1}, {1}};
static ph_block blocks[3] = {{2}, {3}, {3}};
static ph_var vars[1] = {{1}};
static ph_type types[2] = {PH_I64, PH_I64};
static ph_op ops[2];
static ph_access accesses[1] = {{1}};
static ph_copying copying = {.blocks = numbers, .values = numbers + 32};
static ph_incoming incoming = {{1}, {1}};
static ph_value inst, last, condition;
static const ph_definition definition = {{1}, {0}, {1}};
static const ph_dialect dialect = {.name = "d"};
static const ph_options options;
static const ph_callbacks callbacks;
static const ph_callback_names names;
static const ph_check_options check = {.cases = 1};
static const ph_refined refined = {vars, 1, false};
static const ph_terminator terminator = {PH_RET, values, 1, NULL, 0};

#define sample_ph_func_at f
#define sample_ph_func__const_at functions
#define sample_ph_ruleset_at set
#define sample_ph_pool_at pool
#define sample_ph_solver_at solver
#define sample_ph_mem_at &ph_mem_libc
#define sample_ph_strbuf_at &text
#define sample_void_at memory
#define sample_char_at "a"
#define sample_uint32_t_at numbers
#define sample_size_t_at sizes
#define sample_ph_value_at values
#define sample_ph_block_at blocks
#define sample_ph_var_at vars
#define sample_ph_type_at types
#define sample_ph_op_at ops
#define sample_ph_access_at accesses
#define sample_ph_copying_at &copying
#define sample_ph_incoming_at &incoming
#define sample_ph_definition_at &definition
#define sample_ph_dialect_at &dialect
#define sample_ph_options_at &options
#define sample_ph_callbacks_at &callbacks
#define sample_ph_callback_names_at &names
#define sample_ph_check_options_at &check
#define sample_ph_refined_at &refined
#define sample_ph_terminator_at &terminator
#define sample_ph_report_at report
#define sample_ph_describe_at NULL
#define sample_callback_at report_check
#define sample_ph_violation_handler_at NULL
#define sample_ph_rpo_at ph_rpo_new(f)
#define sample_ph_domtree_at ph_dom_new(f)
#define sample_ph_liveness_at ph_liveness_new(f)
#define sample_ph_livepoints_at ph_livepoints_new(f, ph_liveness_new(f))
#define sample_ph_loops_at ph_loops_new(f)
#define sample_ph_needed_at ph_needed_new(f)
#define sample_ph_leaving_at ph_leave_new(finished, true)
#define sample_ph_reaching_at ph_reaching_new(f)
#define sample_ph_json_known_at \
  &(ph_json_known) { .dom = sample_ph_domtree_at, .loops = sample_ph_loops_at }

#define sample_uint32_t 1
#define sample_size_t 1
#define sample_int 1
#define sample_int64_t 1
#define sample_uint64_t 1
#define sample_double 1.0
#define sample_bool true
#define sample_ph_value values[0]
#define sample_ph_block blocks[0]
#define sample_ph_var vars[0]
#define sample_ph_group ((ph_group){1})
#define sample_ph_access accesses[0]
#define sample_ph_type PH_I64
#define sample_ph_op PH_NEG
#define sample_ph_opclass PH_CLASS_OTHER
#define sample_ph_effect PH_EFFECT_NONE
#define sample_ph_str ((ph_str){"a", 1})
#define sample_ph_data ((ph_data){1, PH_DATA_INT})
#define sample_ph_srcloc ((ph_srcloc){.line = 1})
#define sample_ph_effects ((ph_effects){0, 0})
#define sample_ph_event ((ph_event){.kind = PH_EV_EMIT})
#define sample_ph_phase ((ph_phase){NULL, NULL})
#define sample_ph_print_style ((ph_print_style){.ids = PH_IDS_OWN})
#define sample_ph_numbering PH_IDS_OWN
#define sample_ph_moment PH_AT_MADE
#define sample_ph_direction PH_FORWARD
#define sample_ph_finish_step PH_FINISH_SEALED
#define sample_ph_classic PH_CYTRON
#define sample_ph_passing PH_SIGNEXT

#include "bad_calls.h"

static const char program[] =
    "fn f(%a: i64, %b: i64) -> i64 {\n"
    "entry:\n  %c: i1 = slt %a, %b\n  branch %c, left, next\n"
    "left: <- entry\n  jump next\n"
    "next: <- entry, left\n  %d: i64 = phi [entry: %a, left: %b]\n"
    "  %e: i64 = neg %d\n  ret %e\n}\n";

/* Block 2 is without its terminator. */
static ph_func *open_function(void) {
  const ph_options recording = {.accesses = true};
  ph_func *o = ph_func_new(&ph_mem_libc, sample_ph_str, PH_I64, &recording);
  ph_value a = ph_value_newparam(o, sample_ph_str, PH_I64);
  ph_group_new(o, PH_I64);
  ph_var_new(o, sample_ph_str, PH_I64);
  ph_build_write(o, vars[0], ph_block_entry(o), a);
  ph_build_jump(o, ph_block_entry(o), ph_block_new(o, (ph_str){"b", 1}, 1));
  ph_block_new(o, sample_ph_str, -1);
  condition = ph_const_int(o, PH_I1, 1);
  return o;
}

static ph_func *finished_function(void) {
  ph_func *o = malloc(ph_func_size());
  spec_parse(o, program);
  ph_var_new(o, sample_ph_str, PH_I64);
  incoming.phi = ph_find_value(o, (ph_str){"%d", 2});
  inst = ph_find_value(o, (ph_str){"%e", 2});
  last = ph_block_terminator(o, blocks[1]);
  condition = ph_const_int(o, PH_I1, 1);
  return o;
}

/* }== Calls ========================================================== */

static sigjmp_buf out;

/* What was told last. */
static char told[200];
static uint32_t opened; /* the version of an open f */

static void jump_out(void *ud, const ph_violation *v) {
  (void)ud;
  snprintf(told, sizeof told, "%.*s", (int)v->requirement.n, v->requirement.at);
  siglongjmp(out, 1);
}

/* Makes a call with all that it needs; true if it was refused. */
static bool refused(void (*call)(void), bool open) {
  finished = finished_function();
  f = functions[0] = open ? open_function() : finished;
  set = ph_ruleset_new(&ph_mem_libc, NULL);
  ph_ruleset_load(set, sample_ph_str, (ph_str){"x + 0 => x", 10}, NULL, &text);
  pool = ph_pool_new(&ph_mem_libc, 1);
  solver = ph_solver_init(finished, malloc(ph_solver_size(finished)), 0);
  text = (ph_strbuf){.mem = &ph_mem_libc};
  told[0] = '\0';
  opened = ph_func_version(f);
  if (sigsetjmp(out, 0) != 0) return true;
  ph_violation_sethandler(jump_out, NULL);
  call();
  return false;
}

/* True if what was told is about what is wrong: for good arguments, it would
** not be told. */
static bool fits(const bad_call *c, bool open) {
  char about[sizeof told];
  strcpy(about, told);
  if (c->pointer != NULL) {
    char wanted[100];
    snprintf(wanted, sizeof wanted, "%s is not NULL", c->pointer);
    return strstr(about, wanted) != NULL;
  }
  return !refused(c->good, open) || strcmp(about, told) != 0;
}

/* Says what is wrong with a call; NULL: nothing. */
static const char *judge(const bad_call *c) {
  static char wrong[400];
  int fitting = 0;
  wrong[0] = '\0';
  for (int open = 0; open < 2; open++) {
    uint32_t version;
    const char *state = open ? "under construction" : "finished";
    if (!refused(c->call, open)) {
      snprintf(wrong, sizeof wrong, "%s, %s: no word", c->what, state);
      return wrong;
    }
    version = ph_func_version(f);
    if (!open && ph_verify_func(f, report, NULL) > 0) return "a change";
    if (open && version != opened) return "a change";
    if (fits(c, open)) fitting++;
  }
  if (fitting > 0) return NULL;
  snprintf(wrong, sizeof wrong, "%s: %s", c->what, told);
  return wrong;
}

/* In a process of their own, those of one function, of which *c is the first:
** what it writes last is what is wrong, nothing if it ends well. */
static void judge_all(const bad_call *c, int to) {
  const char *name = c->function, *wrong = NULL;
  for (; wrong == NULL && c->function == name; c++) {
    dprintf(to, "%s: a crash\n", c->what);
    wrong = judge(c);
  }
  dprintf(to, "%s\n", wrong != NULL ? wrong : "");
  _exit(EXIT_SUCCESS);
}

static const char *judge_function(const bad_call *c) {
  static char said[4000];
  char *end;
  int ends[2];
  ssize_t n, all = 0;
  pid_t child;
  fflush(stdout);
  if (pipe(ends) != 0 || (child = fork()) < 0) return "no process";
  if (child == 0) judge_all(c, ends[1]);
  close(ends[1]);
  while ((n = read(ends[0], said + all, sizeof said - 1 - (size_t)all)) > 0)
    all += n;
  close(ends[0]);
  waitpid(child, NULL, 0);
  said[all > 0 ? all - 1 : 0] = '\0';
  end = strrchr(said, '\n');
  end = end != NULL ? end + 1 : said;
  return *end != '\0' ? end : NULL;
}

int spec_calls(void) {
  int failed = 0;
#ifdef NDEBUG
  return spec_case("there_are_no_checks", true, NULL);
#endif
  for (const bad_call *c = bad_calls; c->function != NULL; c++) {
    const char *wrong;
    if (c > bad_calls && c->function == c[-1].function) continue;
    wrong = judge_function(c);
    failed += spec_case(c->function, wrong == NULL, wrong);
  }
  return failed;
}

/* }=================================================================== */
