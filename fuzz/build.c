/* build.c: any bytes as a program and edits of it.
**
** The first byte chooses a variant and an order of sealing.  Constructed so it
** is right, minimal and pruned, and the same as by PH_MARKER, sealed early;
** edited it is right; and it is what its text says.
*/
#include "program.h"

#include <string.h>

static ph_strbuf dense(ph_func *f) {
  ph_strbuf b = {.mem = &ph_mem_libc};
  ph_print_func(&b, f, PH_IDS_DENSE);
  return b;
}

static void look(ph_func *f, bool simplifies) {
  const ph_strbuf b = dense(f);
  const ph_str text = {b.at, b.n};
  fuzz_verify(f);
  if (ph_some(ph_redundant_phi_find(f)))
    fuzz_fail("not minimal", text, fuzz_str(""));
  if (!simplifies && ph_some(ph_dead_phi_find(f)))
    fuzz_fail("not pruned", text, fuzz_str(""));
  fuzz_roundtrip(f);
  ph_strbuf_done((ph_strbuf *)&b);
}

static void compare(ph_func *f, ph_func *g) {
  ph_strbuf a = dense(f), b = dense(g);
  if (a.n != b.n || memcmp(a.at, b.at, a.n) != 0)
    fuzz_fail("another way, another function", (ph_str){a.at, a.n},
              (ph_str){b.at, b.n});
  ph_strbuf_done(&a);
  ph_strbuf_done(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bytes one = {data, size}, two;
  const uint32_t i = bytes_next(&one, 8);
  const way first = {PH_MARKER, false};
  const way second = {(ph_construction)(i % 4), i >= 4};
  const program_kind kind = program_look(one);
  ph_func *f = fuzz_blank(), *g = fuzz_blank();
  two = one;
  program_build(f, &one, first);
  program_build(g, &two, second);
  look(f, kind == PROGRAM_VARIES);
  look(g, kind == PROGRAM_VARIES);
  if (kind == PROGRAM_SAME || (kind == PROGRAM_BY_SEALS && !second.late))
    compare(f, g);
  fuzz_free(g);
  edits_do(f, &one);
  fuzz_roundtrip(f);
  fuzz_free(f);
  return 0;
}
