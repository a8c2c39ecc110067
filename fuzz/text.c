/* text.c: any bytes as the text of a function; what can be read is asked all
** that can be asked, and comes out as it went in.
*/
#include "fuzz.h"

static void ask(ph_func *f) {
  ph_strbuf b = {.mem = &ph_mem_libc};
  ph_verify_func(f, fuzz_ignore, NULL);
  ph_print_func(&b, f, PH_IDS_DENSE);
  ph_strbuf_done(&b);
}

/* Of a function that is right. */
static void analyse(ph_func *f) {
  ph_rpo_new(f);
  ph_dom_new(f);
  ph_loops_new(f);
  ph_livepoints_new(f, ph_liveness_new(f));
  ph_needed_new(f);
  ph_func_freeanalyses(f);
  if (ph_finish_isdone(f)) ph_leave_new(f, true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ph_func *f = fuzz_blank();
  if (fuzz_parse(f, (ph_str){(const char *)data, size}, NULL)) {
    ask(f);
    fuzz_roundtrip(f);
    if (!ph_func_isdeclaration(f) && ph_verify_func(f, fuzz_ignore, NULL) == 0)
      analyse(f);
  }
  fuzz_free(f);
  return 0;
}
