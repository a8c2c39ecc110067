/* module.c: any bytes as a text with several functions and declarations.  What
** else a module's text has is read by Lua, and not tried here.
*/
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const ph_str text = {(const char *)data, size};
  size_t at = 0;
  bool good = true;
  while (good && at < size) {
    const size_t before = at;
    ph_func *f = fuzz_blank();
    good = fuzz_parse(f, text, &at);
    if (good && at <= before) fuzz_fail("no progress", text, fuzz_str(""));
    if (good) fuzz_roundtrip(f);
    fuzz_free(f);
  }
  return 0;
}
