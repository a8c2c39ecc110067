/* construction.c: memory runs out while functions are built, at each
** allocation in turn.
**
** A function that was being changed is good for nothing but freeing: that must
** give every byte back, and another function of the same host must go on as if
** nothing had happened.
*/
#include "host.h"
#include "site.h"
#include "spec.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  const char *name;
  ph_options options;
  bool late;    /* blocks are sealed in the end */
  bool listens; /* the host wants to know what happens */
  enum { AS_IT_IS, FOLDED, BY_RULES } simplified;
} manner;

static const manner manners[] = {
    {"marker", {0}, false, false, AS_IT_IS},
    {"marker_sealed_late", {0}, true, false, AS_IT_IS},
    {"simple", {.construction = PH_SIMPLE}, false, false, AS_IT_IS},
    {"simple_sealed_late", {.construction = PH_SIMPLE}, true, false, AS_IT_IS},
    {"scc", {.construction = PH_SCC}, false, false, AS_IT_IS},
    {"scc_sealed_late", {.construction = PH_SCC}, true, false, AS_IT_IS},
    {"operand", {.construction = PH_OPERAND}, false, false, AS_IT_IS},
    {"operand_sealed_late", {.construction = PH_OPERAND}, true, true, AS_IT_IS},
    {"copies", {.copies = true}, false, false, AS_IT_IS},
    {"undefined_asked_for",
     {.construction = PH_SIMPLE, .undefs = PH_UNDEF_ASK},
     true,
     false,
     AS_IT_IS},
    {"listened_to", {.construction = PH_SIMPLE}, true, true, AS_IT_IS},
    {"folded", {0}, false, false, FOLDED},
    {"folded_late", {.construction = PH_SIMPLE}, true, true, FOLDED},
    {"rules", {0}, true, true, BY_RULES},
};

typedef struct {
  const manner *how;
  ph_ruleset *rules; /* in memory that does not run out */
  ph_func f;
} work;

static void build(work *w) {
  const manner *how = w->how;
  if (how->listens) ph_event_listen(&w->f);
  if (how->simplified == AS_IT_IS)
    site_build(&w->f, &how->options, how->late);
  else
    site_simplify(&w->f, &how->options, how->late, w->rules);
}

static void begin(work *w, const ph_mem *mem) {
  ph_func_blank(&w->f, mem);
  build(w);
}

static void build_all(void *ud) {
  work *w = ud;
  build(w);
  site_finish(&w->f);
}

/*
** {== Another function ===============================================
*/

/* Finishes it: is it what it is where memory never ran out? */
static bool goes_on(work *other) {
  ph_strbuf got = {.mem = &ph_mem_libc}, expected = {.mem = &ph_mem_libc};
  work same = {.how = other->how, .rules = other->rules};
  bool good;
  begin(&same, &ph_mem_libc);
  site_finish(&same.f);
  site_finish(&other->f);
  ph_print_func(&expected, &same.f, PH_IDS_OWN);
  ph_print_func(&got, &other->f, PH_IDS_OWN);
  good = strcmp(spec_text(&expected), spec_text(&got)) == 0;
  ph_strbuf_done(&expected);
  ph_strbuf_done(&got);
  ph_func_done(&same.f);
  return good;
}

/* }== Failing ======================================================== */

/* Fails at each allocation; what went wrong, or NULL.  The function's memory
** comes from a pool over the host's, which keeps so many bytes. */
static const char *fail(host *h, const work *other, size_t kept) {
  work w = {.how = other->how, .rules = other->rules};
  size_t before = h->pieces.held, bytes = ph_func_bytes(&other->f);
  ph_pool *pool = ph_pool_new(&h->mem, kept);
  size_t held = h->pieces.held;
  bool done = false;
  long k = 0, failures = h->failures;
  for (; !done; k = host_next(k)) {
    ph_func_blank(&w.f, ph_pool_mem(pool));
    done = host_try(h, k, build_all, &w);
    ph_func_done(&w.f);
    ph_pool_empty(pool);
    if (h->pieces.held != held) return "memory that was not given back";
    if (h->pieces.confused) return "a wrong size";
    if (ph_func_bytes(&other->f) != bytes) return "memory taken by another one";
  }
  ph_pool_free(pool);
  printf("# %ld failures\n", h->failures - failures);
  return h->pieces.held == before ? NULL : "a pool that was not given back";
}

static ph_ruleset *standard_rules(void) {
  ph_ruleset *set = ph_ruleset_new(&ph_mem_libc, NULL);
  ph_strbuf text = {.mem = &ph_mem_libc}, why = {.mem = &ph_mem_libc};
  ph_ruleset_builtin(&text);
  ph_ruleset_load(set, spec_str("int"), (ph_str){text.at, text.n}, NULL, &why);
  ph_strbuf_done(&text);
  ph_strbuf_done(&why);
  return set;
}

static int construct(const manner *how) {
  host h;
  work other = {.how = how};
  const char *wrong;
  host_init(&h);
  if (how->simplified == BY_RULES) other.rules = standard_rules();
  begin(&other, &h.mem);
  wrong = fail(&h, &other, 0);
  if (wrong == NULL) wrong = fail(&h, &other, 0x10000);
  if (!goes_on(&other)) wrong = "another function that came out wrong";
  ph_func_done(&other.f);
  if (other.rules != NULL) ph_ruleset_free(other.rules);
  if (h.pieces.held != 0) wrong = "memory left in the end";
  return spec_case(how->name, wrong == NULL, wrong);
}

int spec_construction(void) {
  int failed = 0;
  for (size_t i = 0; i < SPEC_COUNT(manners); i++)
    failed += construct(&manners[i]);
  return failed;
}

/* }=================================================================== */
