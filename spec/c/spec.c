/* spec.c: what the specs of the core share. */
#include "spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ph_str spec_str(const char *s) { return (ph_str){s, strlen(s)}; }

int spec_case(const char *name, bool good, const char *got) {
  if (good)
    printf("ok %s\n", name);
  else
    printf("not ok %s: got %s\n", name, got);
  return !good;
}

int spec_equal(const char *name, const char *expected, const char *got) {
  return spec_case(name, strcmp(expected, got) == 0, got);
}

const char *spec_text(ph_strbuf *b) {
  ph_strbuf_add(b, (ph_str){"", 1});
  b->n--;
  return b->at;
}

/*
** {== A function to break ============================================
*/

const char spec_sum[] = "fn sum(%n: i64, %x: f64) -> i64 {\n"
                        "entry:\n"
                        "  %40: f64 = fadd %x, 1.5\n"
                        "  jump head\n"
                        "head: <- entry, join\n"
                        "  %20: i64 = phi i [entry: 0, join: %27]\n"
                        "  %21: i64 = phi s [entry: 0, join: %26]\n"
                        "  %22: i1 = slt %20, %n @ 3\n"
                        "  branch %22, body, done\n"
                        "body: <- head\n"
                        "  %23: i64 = add %21, %20 @ \"sum.c\":4:5\n"
                        "  switch %23, then [7: else]\n"
                        "then: <- body\n"
                        "  %t.24: i64 = add %23, 1\n"
                        "  jump join\n"
                        "else: <- body\n"
                        "  %25: i64 = call @log %20\n"
                        "  jump join\n"
                        "join: <- then, else\n"
                        "  %26: i64 = phi s [then: %t.24, else: %23]\n"
                        "  %27: i64 = add %20, 1\n"
                        "  jump head\n"
                        "done: <- head\n"
                        "  ret %21\n"
                        "dead:\n"
                        "  %t.28: i64 = add %n, 1\n"
                        "  jump join\n"
                        "}\n";

static void fail(const char *why) {
  fprintf(stderr, "a text of the specs is wrong: %s\n", why);
  exit(EXIT_FAILURE);
}

void spec_parse(ph_func *f, const char *text) {
  spec_parsein(f, &ph_mem_libc, text);
}

void spec_parsein(ph_func *f, const ph_mem *mem, const char *text) {
  ph_strbuf why = {.mem = &ph_mem_libc};
  uint32_t line, col;
  ph_func_blank(f, mem);
  ph_parse_start(f);
  if (!ph_parse_func(f, spec_str(text), &why, &line, &col))
    fail(spec_text(&why));
  ph_strbuf_done(&why);
}

ph_value spec_emit(ph_func *f, ph_op op, ph_value a, ph_value b) {
  const ph_value args[] = {a, b};
  return ph_build_emit(f, ph_block_entry(f), op, PH_I64, args, 2);
}

uint32_t spec_first(const ph_func *f, uint32_t b) {
  return ph_blockrec_of(f, b)->first;
}

uint32_t spec_last(const ph_func *f, uint32_t b) {
  return ph_blockrec_of(f, b)->last;
}

/* }== Breaking it ==================================================== */

typedef struct {
  ph_strbuf text; /* of the problem that is waited for */
  uint32_t before;
} ear;

static void hear(void *ud, ph_str problem) {
  ear *e = ud;
  if (e->before-- == 0) ph_strbuf_add(&e->text, problem);
}

static int unreported;

ph_func *spec_whole(const char *text) {
  static ph_func f;
  spec_parse(&f, text);
  return &f;
}

ph_func *spec_broken(ph_func *f, const char *name, const char *problem,
                     uint32_t before) {
  ear e = {{.mem = &ph_mem_libc}, before};
  ph_verify_func(f, hear, &e);
  unreported += spec_equal(name, problem, spec_text(&e.text));
  ph_strbuf_done(&e.text);
  ph_func_done(f);
  return NULL;
}

int spec_unreported(void) {
  int n = unreported;
  unreported = 0;
  return n;
}

/* }=================================================================== */
