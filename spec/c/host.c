/* host.c: a host whose memory runs out when it is told to.
**
** Each piece has its size in front of it, to check what phial says when it
** grows or frees the piece.  A piece that grows always moves.
*/
#include "host.h"

#include <stdlib.h>
#include <string.h>

typedef union {
  size_t size;
  max_align_t any;
} head;

static void release(host *h, void *p, size_t n) {
  head *at = (head *)p - 1;
  h->confused |= at->size != n;
  h->held -= at->size;
  free(at);
}

static void *obtain(host *h, size_t n) {
  head *at = malloc(sizeof *at + n);
  if (at == NULL) abort();
  at->size = n;
  h->held += n;
  return at + 1;
}

static void *host_realloc(void *ud, void *p, size_t old, size_t n) {
  host *h = ud;
  void *q = NULL;
  if (n > 0 && h->left >= 0 && h->left-- == 0) longjmp(h->out, 1);
  if (n > 0) q = obtain(h, n);
  if (p != NULL && q != NULL) memcpy(q, p, old < n ? old : n);
  if (p != NULL) release(h, p, old);
  return q;
}

void host_init(host *h) {
  memset(h, 0, sizeof *h);
  h->mem.realloc = host_realloc;
  h->mem.ud = h;
  h->left = -1;
}

bool host_try(host *h, long k, void (*step)(void *ud), void *ud) {
  h->left = k;
  if (setjmp(h->out) != 0) {
    h->left = -1;
    return false;
  }
  step(ud);
  h->left = -1;
  return true;
}
