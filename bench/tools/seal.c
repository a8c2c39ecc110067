/* seal.c: moves the seals of a trace.
**
** A trace seals each block as early as possible: after its last edge.  A block
** may be sealed at any later event, and the constructed function must be the
** same.  seal_random draws that event: this one, one of the next few, any up to
** the end of the function, or none, equally often.  Postponed seals wait in a
** list per event, last in first out, so that their order changes too.
*/
#include "seal.h"

#include <stdio.h>
#include <stdlib.h>

enum { NONE = -1, SOON = 8 };

typedef struct {
  int32_t *first; /* by event: the first block to seal before it */
  int32_t *next;  /* by block: the next one in that list */
  uint64_t seed;
} postponed;

static int32_t *array(size_t n) {
  int32_t *a = (int32_t *)malloc(n * sizeof *a + 1);
  if (a == NULL) {
    fputs("out of memory\n", stderr);
    exit(EXIT_FAILURE);
  }
  return a;
}

/* A number below n (Knuth's multiplicative generator, the upper bits). */
static size_t draw(postponed *p, size_t n) {
  p->seed = p->seed * 6364136223846793005u + 1442695040888963407u;
  return (size_t)((p->seed >> 33) % n);
}

/* Draws the event before which a block is sealed, from `now` on. */
static size_t moment(postponed *p, size_t now, size_t end) {
  size_t left = end - now;
  switch (draw(p, 4)) {
    case 0:
      return now;
    case 1:
      return now + draw(p, (left < SOON ? left : SOON) + 1);
    case 2:
      return now + draw(p, left + 1);
    default:
      return end;
  }
}

/* Number of events of a function, except seals and its end. */
static size_t count(const int32_t *c) {
  size_t n = 0;
  for (; *c != TRACE_END; c += trace_width(c)) n += *c != TRACE_SEAL;
  return n;
}

/* Writes the seals that wait for event `now`; returns the end of the code. */
static int32_t *release(postponed *p, size_t now, int32_t *out) {
  for (int32_t b = p->first[now]; b != NONE; b = p->next[b]) {
    *out++ = TRACE_SEAL;
    *out++ = b;
  }
  return out;
}

static int32_t *copy(const int32_t *c, int32_t *out) {
  for (size_t n = trace_width(c); n > 0; n--) *out++ = *c++;
  return out;
}

static int32_t *shuffle(postponed *p, const int32_t *c, int32_t *out) {
  size_t end = count(c), now = 0;
  for (size_t i = 0; i <= end; i++) p->first[i] = NONE;
  for (; *c != TRACE_END; c += trace_width(c)) {
    if (*c == TRACE_SEAL) {
      size_t then = moment(p, now, end);
      p->next[c[1]] = p->first[then];
      p->first[then] = c[1];
    } else {
      out = release(p, now++, out);
      out = copy(c, out);
    }
  }
  return copy(c, out);
}

static int32_t *omit(const int32_t *c, int32_t *out) {
  for (; *c != TRACE_END; c += trace_width(c))
    if (*c != TRACE_SEAL) out = copy(c, out);
  return copy(c, out);
}

static void replace(trace *t, int32_t *code, const int32_t *end) {
  free(t->code);
  t->code = code;
  t->ncode = (size_t)(end - code);
}

void seal_end(trace *t) {
  int32_t *code = array(t->ncode), *out = code;
  for (size_t i = 0; i < t->nfuncs; i++) {
    const int32_t *c = t->code + t->funcs[i].start;
    t->funcs[i].start = (size_t)(out - code);
    out = omit(c, out);
  }
  replace(t, code, out);
}

void seal_random(trace *t, uint32_t seed) {
  postponed p = {array(t->ncode), array(t->maxblocks), seed};
  int32_t *code = array(t->ncode), *out = code;
  for (size_t i = 0; i < t->nfuncs; i++) {
    const int32_t *c = t->code + t->funcs[i].start;
    t->funcs[i].start = (size_t)(out - code);
    out = shuffle(&p, c, out);
  }
  replace(t, code, out);
  free(p.first);
  free(p.next);
}
