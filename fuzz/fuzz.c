/* fuzz.c: what the fuzz targets share. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ph_str fuzz_str(const char *s) { return (ph_str){s, strlen(s)}; }

_Noreturn void fuzz_fail(const char *what, ph_str a, ph_str b) {
  fprintf(stderr, "fuzz: %s\n%.*s\n%.*s\n", what, (int)a.n, a.n ? a.at : "",
          (int)b.n, b.n ? b.at : "");
  abort();
}

static const ph_type field[] = {PH_TYPES, PH_ANY};
static const ph_opspec ops[] = {
    {.name = "new", .result = PH_TYPES},
    {.name = "get", .args = field, .nargs = 2, .result = PH_ANY, .nresults = 2},
    {.name = "test", .nargs = 1, .ntargets = 2, .flags = PH_TERMINATOR},
    {.name = "go", .nargs = 1, .ntargets = -1, .flags = PH_TERMINATOR},
};
static const char *const types[] = {"table"};
static const ph_dialect dialect = {
    .name = "lua", .ops = ops, .types = types, .nops = 4, .ntypes = 1};

ph_func *fuzz_blank(void) {
  ph_func *f = malloc(ph_func_size());
  if (f == NULL) abort();
  ph_func_blank(f, &ph_mem_libc);
  return f;
}

void fuzz_free(ph_func *f) {
  ph_func_done(f);
  free(f);
}

bool fuzz_parse(ph_func *f, ph_str text, size_t *at) {
  ph_strbuf why = {.mem = &ph_mem_libc};
  uint32_t line, col;
  bool good;
  ph_parse_start(f);
  ph_op_attachdialect(f, &dialect);
  good = ph_parse_part(f, text, at, &why, &line, &col);
  ph_strbuf_done(&why);
  return good;
}

void fuzz_roundtrip(ph_func *f) {
  ph_strbuf a = {.mem = &ph_mem_libc}, b = {.mem = &ph_mem_libc};
  ph_func *g = fuzz_blank();
  ph_print_func(&a, f, PH_IDS_OWN);
  if (!fuzz_parse(g, (ph_str){a.at, a.n}, NULL))
    fuzz_fail("its own text is wrong", (ph_str){a.at, a.n}, fuzz_str(""));
  ph_print_func(&b, g, PH_IDS_OWN);
  if (a.n != b.n || memcmp(a.at, b.at, a.n) != 0)
    fuzz_fail("parsed, it is another function", (ph_str){a.at, a.n},
              (ph_str){b.at, b.n});
  ph_strbuf_done(&a);
  ph_strbuf_done(&b);
  fuzz_free(g);
}

void fuzz_ignore(void *ud, ph_str text) {
  (void)ud;
  (void)text;
}

static void complain(void *ud, ph_str problem) {
  ph_strbuf b = {.mem = &ph_mem_libc};
  ph_print_func(&b, ud, PH_IDS_OWN);
  fuzz_fail("the verifier", problem, (ph_str){b.at, b.n});
}

void fuzz_verify(ph_func *f) { ph_verify_func(f, complain, f); }
