/* agenda.c: a worklist of numbers, worked off in sweeps from small to large.
**
** What is added behind the number taken last belongs to the same sweep; what is
** added before it waits for the next one.  So everything that an iteration over
** a loop finds reaches the loop's header at once, also the results of a
** thousand branches: by priority alone, the header would come next after each
** of them.
**
** Numbers are bits, in a tree with 32 children to a node: adding and taking
** cost as many steps as the tree has levels, whatever the distance.
*/
#include "core/solve/agenda.h"

enum { BITS = 32 };

static uint32_t words_for(uint32_t n) { return n / BITS + (n % BITS != 0); }

size_t ph_agenda_words(uint32_t n) {
  size_t sum = 0;
  do {
    n = words_for(n);
    sum += n;
  } while (n > 1);
  return sum;
}

void ph_agenda_init(ph_agenda *a, uint32_t n, uint32_t *words) {
  a->n = n;
  a->next = 0;
  a->depth = 0;
  do {
    n = words_for(n);
    a->level[a->depth++] = words;
    words += n;
  } while (n > 1);
}

void ph_agenda_add(ph_agenda *a, uint32_t i) {
  for (uint32_t l = 0; l < a->depth; l++, i /= BITS)
    a->level[l][i / BITS] |= (uint32_t)1 << i % BITS;
}

static void remove_number(ph_agenda *a, uint32_t i) {
  for (uint32_t l = 0; l < a->depth; l++, i /= BITS) {
    a->level[l][i / BITS] &= ~((uint32_t)1 << i % BITS);
    if (a->level[l][i / BITS] != 0) return;
  }
}

/* Returns the number of the lowest bit of w, which is not 0 (de Bruijn). */
static uint32_t lowest(uint32_t w) {
  static const uint8_t number[BITS] = {
      0,  1,  28, 2,  29, 14, 24, 3, 30, 22, 20, 15, 25, 17, 4,  8,
      31, 27, 13, 23, 21, 19, 16, 7, 26, 12, 18, 6,  11, 5,  10, 9};
  return number[((w & (~w + 1)) * UINT32_C(0x077CB531)) >> 27];
}

/* Returns the first number from i on, or n. */
static uint32_t first_from(const ph_agenda *a, uint32_t i) {
  uint32_t l = 0, n = a->n;
  for (; l < a->depth; l++, n = words_for(n)) {
    uint32_t w = i < n ? a->level[l][i / BITS] >> i % BITS : 0;
    if (w != 0) {
      i += lowest(w);
      break;
    }
    i = i / BITS + 1;
  }
  if (l == a->depth) return a->n;
  while (l > 0) i = i * BITS + lowest(a->level[--l][i]);
  return i;
}

bool ph_agenda_take(ph_agenda *a, uint32_t *i) {
  *i = first_from(a, a->next);
  if (*i == a->n && a->next > 0) *i = first_from(a, 0);
  if (*i == a->n) return false;
  remove_number(a, *i);
  a->next = *i + 1;
  return true;
}
