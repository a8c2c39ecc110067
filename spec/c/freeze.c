/* freeze.c: a set of rules that several threads share.
**
** Its tables are made when an op comes for the first time, which two threads
** must not do at once: ph_ruleset_freeze makes them all.  From then on nothing
** of the set is written: here its memory cannot be, any more.
*/
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "phial.h"
#include "spec.h"

/*
** {== Memory that can be closed ======================================
*/

enum { ROOM = 1 << 29 }; /* most of it is never touched */

typedef struct {
  char *at;
  size_t used;
} region;

static void *take(void *ud, void *p, size_t old, size_t size) {
  region *r = ud;
  void *q;
  if (size == 0) return NULL;
  if (size <= old) return p;
  q = r->at + r->used;
  r->used += (size + 15) & ~(size_t)15;
  if (r->used > ROOM) abort();
  if (p != NULL) memcpy(q, p, old);
  return q;
}

/* }== A set, and functions that use it =============================== */

static bool find(void *ud, ph_str name, uint32_t *number) {
  (void)ud;
  (void)name;
  *number = 0;
  return true;
}

static int guard(void *ud, ph_func *f, uint32_t rule, uint32_t function,
                 const ph_callback_arg *args, uint32_t n) {
  (void)ud, (void)f, (void)rule, (void)function, (void)args, (void)n;
  return 1;
}

/* The built-in rules, and one with a callback. */
static ph_ruleset *builtin(const ph_mem *mem) {
  const ph_callback_names names = {find, NULL};
  ph_ruleset *set = ph_ruleset_new(mem, NULL);
  ph_strbuf text = {.mem = &ph_mem_libc}, why = {.mem = &ph_mem_libc};
  ph_ruleset_builtin(&text);
  ph_strbuf_puts(&text, "\nslt(x, 2) => false if $guard(x)\n");
  if (!ph_ruleset_load(set, spec_str("int"), (ph_str){text.at, text.n}, &names,
                       &why))
    abort();
  ph_strbuf_done(&text);
  return set;
}

/* An instruction of each op with two integer operands, simplified. */
static void emit_all(ph_func *f) {
  static const ph_op ops[] = {PH_ADD, PH_SUB,  PH_MUL,  PH_UDIV, PH_UREM,
                              PH_BOR, PH_BAND, PH_BXOR, PH_SHL,  PH_SHR,
                              PH_SAR, PH_SLT,  PH_UGE,  PH_EQ,   PH_NE};
  const ph_value x = ph_value_param(f, 0);
  for (size_t i = 0; i < 2 * SPEC_COUNT(ops); i++) {
    ph_op op = ops[i % SPEC_COUNT(ops)];
    ph_type type = op >= PH_EQ ? PH_I1 : PH_I64;
    const ph_value args[] = {x, ph_const_int(f, PH_I64, (int64_t)i % 3)};
    ph_build_emit(f, ph_block_entry(f), op, type, args, 2);
  }
  ph_build_ret(f, ph_block_entry(f), x);
}

/* Returns the number of values that are made. */
static uint32_t use(ph_ruleset *set) {
  const ph_callbacks callbacks = {.guard = guard};
  const ph_options options = {0};
  ph_func *f = ph_func_new(&ph_mem_libc, spec_str("f"), PH_I64, &options);
  uint32_t n;
  ph_value_newparam(f, spec_str("n"), PH_I64);
  ph_peephole_enable(f, set, false);
  ph_match_setcallbacks(f, &callbacks);
  emit_all(f);
  ph_finish_run(f);
  n = ph_value_count(f);
  ph_func_free(f);
  return n;
}

/* Uses the base, and a set over it, which freezes the base once more; NULL
** unless that comes to the same. */
static void *use_base(void *base) {
  ph_ruleset *over = ph_ruleset_new(&ph_mem_libc, base);
  uint32_t n = use(base);
  bool same = use(over) == n;
  ph_ruleset_freeze(over);
  same = same && use(over) == n;
  ph_ruleset_free(over);
  return same ? base : NULL;
}

/* In a process of its own, where the memory of the base cannot be written. */
static bool is_only_read(const region *r, ph_ruleset *base) {
  const struct rlimit none = {0, 0};
  pid_t child = fork();
  int status = 0;
  if (child == 0) {
    setrlimit(RLIMIT_CORE, &none);
    if (mprotect(r->at, ROOM, PROT_READ) != 0) _exit(EXIT_FAILURE);
    use_base(base);
    _exit(EXIT_SUCCESS);
  }
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

/* Threads at once, which ThreadSanitizer watches in `make threads`. */
static bool is_shared(ph_ruleset *base) {
  pthread_t threads[8];
  bool good = true;
  for (size_t i = 0; i < SPEC_COUNT(threads); i++)
    if (pthread_create(&threads[i], NULL, use_base, base) != 0) abort();
  for (size_t i = 0; i < SPEC_COUNT(threads); i++) {
    void *result;
    pthread_join(threads[i], &result);
    good = good && result != NULL;
  }
  return good;
}

/* }=================================================================== */

int spec_freeze(void) {
  region r = {NULL, 0};
  const ph_mem mem = {take, &r};
  ph_ruleset *base;
  int failed;
  r.at = mmap(NULL, ROOM, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (r.at == MAP_FAILED) abort();
  base = builtin(&mem);
  ph_ruleset_freeze(base);
  failed =
      spec_case("a_frozen_set_is_only_read",
                ph_ruleset_isfrozen(base) && is_only_read(&r, base), "a write");
  return failed + spec_case("threads_use_a_frozen_set_at_once", is_shared(base),
                            "another function");
}
