/* pieces.h: memory that finds mistakes of who asks for it.
**
** Each piece has its size in front of it, to check what is said when it grows
** or is freed.  A piece that grows always moves.
*/
#ifndef PIECES_H
#define PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef union {
  size_t size;
  max_align_t any;
} pieces_head;

typedef struct {
  size_t held;   /* bytes that were not given back */
  bool confused; /* another size was told than was given */
} pieces;

static inline void pieces_free(pieces *ps, void *p, size_t n) {
  pieces_head *at = (pieces_head *)p - 1;
  ps->confused |= at->size != n;
  ps->held -= at->size;
  free(at);
}

static inline void *pieces_alloc(pieces *ps, size_t n) {
  pieces_head *at = malloc(sizeof *at + n);
  if (at == NULL) abort();
  at->size = n;
  ps->held += n;
  return at + 1;
}

/* As realloc; `old` bytes are at p, if that is not NULL.  n 0: frees it. */
static inline void *pieces_realloc(pieces *ps, void *p, size_t old, size_t n) {
  void *q = n > 0 ? pieces_alloc(ps, n) : NULL;
  if (p != NULL && q != NULL) memcpy(q, p, old < n ? old : n);
  if (p != NULL) pieces_free(ps, p, old);
  return q;
}

#endif
