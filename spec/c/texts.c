/* texts.c: memory runs out while text is read and printed, at each allocation
** in turn.
**
** A function that was being read is only freed, and every byte comes back.
** With memory enough the text comes out as it went in, or what is wrong with
** it is said.
*/
#include "host.h"
#include "spec.h"

#include <stdio.h>
#include <string.h>

/*
** {== Texts ==========================================================
*/

static const ph_type field[] = {PH_TYPES, PH_ANY};
static const ph_opspec ops[] = {
    {.name = "new", .result = PH_TYPES, .flags = 0},
    {.name = "get", .args = field, .nargs = 2, .result = PH_ANY, .nresults = 2},
    {.name = "test", .nargs = 1, .ntargets = 2, .flags = PH_TERMINATOR},
};
static const char *const types[] = {"table"};
static const ph_dialect dialect = {.name = "lua",
                                   .ops = ops,
                                   .types = types,
                                   .nops = SPEC_COUNT(ops),
                                   .ntypes = 1};

/* Names, constants, data and places of all kinds. */
static const char all_kinds[] =
    "fn \"all kinds\"(%n: i64, %\"a b\": f64, %c: i1) -> any {\n"
    "entry:\n"
    "  %10: lua.table = lua.new {\"\\\"\\\\\\n\\x01\"}\n"
    "  %11: any = lua.get {1.5} %10, \"key\" @ \"file.x\":12:5\n"
    "  %12: any = proj {2} %11 @ 12\n"
    "  lua.test {true} %11, [loop, done]\n"
    "loop: <- entry, b9, b9\n"
    "  %13: i64 = phi i [entry: %n, b9: %16, b9: %16]\n"
    "  %14: any = phi i/2 [entry: nil, b9: %v.17, b9: %v.18]\n"
    "  %15: any = phi \"a b\" [entry: 1:any, b9: 1.5:any, b9: true:any]\n"
    "  jump b9\n"
    "done: <- entry\n"
    "  ret %12\n"
    "b9: <- loop\n"
    "  %16: i64 = add %13, -1\n"
    "  %v.17: any = call @f %14, %15\n"
    "  %v.18: any = copy i/2 %v.17\n"
    "  %19: f64 = fadd %\"a b\", -nan\n"
    "  %20: i8 = add 127:i8, undef:i8\n"
    "  branch %c, loop, loop\n"
    "}\n";

static const char unfinished[] = "fn f(%c: i1) {\n"
                                 "entry:\n"
                                 "  jump head\n"
                                 "head: <- entry, ...\n"
                                 "  %5: f32 = phi x ...\n"
                                 "  %6: f32 = fneg %5\n"
                                 "}\n";

static const char wrong_value[] = "fn f() -> i64 {\n"
                                  "entry:\n"
                                  "  %3: i64 = add %4, 1\n"
                                  "  ret %3\n"
                                  "}\n";

static const char wrong_edge[] = "fn f() {\n"
                                 "entry:\n"
                                 "  jump b\n"
                                 "b: <- entry, b\n"
                                 "  ret\n"
                                 "}\n";

typedef struct {
  const char *name, *text;
  const char *printed; /* what comes out */
} sample;

static const sample samples[] = {
    {"sum", spec_sum, spec_sum},
    {"all_kinds", all_kinds, all_kinds},
    {"unfinished", unfinished, unfinished},
    {"no_such_value", wrong_value, "there is no value '%4'"},
    {"no_such_edge", wrong_edge, "'b' has no edge to 'b' for this entry"},
};

/* }== Reading and printing =========================================== */

typedef struct {
  const char *text;
  ph_func f;
  ph_strbuf out, more;
} work;

/* Not compared: that its names and numbers can be made is enough. */
static void print_all(work *w) {
  ph_print_func(&w->more, &w->f, PH_IDS_DENSE);
  for (uint32_t v = 1; v <= ph_value_count(&w->f); v++)
    ph_print_value(&w->more, &w->f, ph_valueid(v));
  for (uint32_t b = 1; b <= ph_block_count(&w->f); b++)
    ph_print_blockname(&w->more, &w->f, ph_blockid(b));
}

static void read_and_print(void *ud) {
  work *w = ud;
  uint32_t line, col;
  ph_parse_start(&w->f);
  ph_op_attachdialect(&w->f, &dialect);
  if (!ph_parse_func(&w->f, spec_str(w->text), &w->out, &line, &col)) return;
  print_all(w);
  ph_print_func(&w->out, &w->f, PH_IDS_OWN);
}

static const char *fail_once(host *h, const sample *s, long k, bool *done) {
  const ph_strbuf empty = {.mem = &h->mem};
  work w = {.text = s->text, .out = empty, .more = empty};
  const char *wrong = NULL;
  ph_func_blank(&w.f, &h->mem);
  *done = host_try(h, k, read_and_print, &w);
  if (*done && strcmp(spec_text(&w.out), s->printed) != 0) {
    wrong = "another text";
    printf("# %s\n", w.out.at);
  }
  ph_strbuf_done(&w.out);
  ph_strbuf_done(&w.more);
  ph_func_done(&w.f);
  if (h->pieces.confused) wrong = "a wrong size";
  if (h->pieces.held != 0) wrong = "memory that was not given back";
  return wrong;
}

static int fail(const sample *s) {
  host h;
  const char *wrong = NULL;
  bool done = false;
  long k = 0;
  host_init(&h);
  for (; !done && wrong == NULL; k = host_next(k))
    wrong = fail_once(&h, s, k, &done);
  printf("# %ld failures\n", h.failures);
  return spec_case(s->name, wrong == NULL, wrong);
}

int spec_texts(void) {
  int failed = 0;
  for (size_t i = 0; i < SPEC_COUNT(samples); i++) failed += fail(&samples[i]);
  return failed;
}

/* }=================================================================== */
