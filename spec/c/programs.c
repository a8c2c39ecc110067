/* programs.c: memory runs out while the programs in files of fuzz/corpus are
** constructed in all ways, and edited, at each allocation in turn.
**
** Every byte comes back, and nothing keeps the same function from being built
** afterwards.
*/
#include "../../fuzz/program.h"
#include "host.h"
#include "spec.h"

#include <stdio.h>

typedef struct {
  bytes in;
  way way;
  ph_func f;
} work;

static void build(void *ud) {
  work *w = ud;
  bytes in = w->in;
  program_build(&w->f, &in, w->way);
  edits_do(&w->f, &in);
}

/* Returns the number of failures; *wrong: what went wrong, unless NULL. */
static long fail(work *w, const char **wrong) {
  host h;
  bool done = false;
  long k = 0;
  host_init(&h);
  for (; !done && *wrong == NULL; k = host_next(k)) {
    ph_func_blank(&w->f, &h.mem);
    done = host_try(&h, k, build, w);
    ph_func_done(&w->f);
    if (h.pieces.held != 0) *wrong = "memory that was not given back";
    if (h.pieces.confused) *wrong = "a wrong size";
  }
  return h.failures;
}

/* The first byte of a file is one way, of which all are tried. */
static int fail_in_all_ways(const char *name, bytes in) {
  const char *wrong = NULL;
  long n = 0;
  bytes_next(&in, 8);
  for (int i = 0; i < 8; i++) {
    work w = {.in = in, .way = {(ph_construction)(i % 4), i >= 4}};
    n += fail(&w, &wrong);
  }
  printf("# %ld failures\n", n);
  return spec_case(name, wrong == NULL, wrong);
}

int spec_programs(char **paths) {
  int failed = 0;
  for (; *paths != NULL; paths++) {
    uint8_t text[4096];
    FILE *file = fopen(*paths, "rb");
    if (file == NULL) return spec_case(*paths, false, "no such file");
    size_t n = fread(text, 1, sizeof text, file);
    fclose(file);
    failed += fail_in_all_ways(*paths, (bytes){text, n});
  }
  return failed;
}
