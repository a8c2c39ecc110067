/* shown.c: what programs of spec/support/conformance.lua call as native code:
** `log` with arguments of the types in a name's letters, and `next`.
*/
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static uint64_t words[64], count, calls;

static void show(uint64_t word) {
  if (count < sizeof words / sizeof *words) words[count] = word;
  count++;
}

void log_l(uint64_t a);
void log_l(uint64_t a) { show(a); }

void log_ll(uint64_t a, uint64_t b);
void log_ll(uint64_t a, uint64_t b) {
  show(a);
  show(b);
}

void log_bcd(bool a, uint8_t b, double c);
void log_bcd(bool a, uint8_t b, double c) {
  uint64_t bits;
  memcpy(&bits, &c, sizeof bits);
  show(a);
  show(b);
  show(bits);
}

uint64_t next(void);
uint64_t next(void) { return ++calls; }

uint64_t shown_count(void);
uint64_t shown_count(void) { return count; }
uint64_t shown_at(uint64_t i);
uint64_t shown_at(uint64_t i) { return words[i]; }
uint64_t shown_reset(void);
uint64_t shown_reset(void) { return count = calls = 0; }
