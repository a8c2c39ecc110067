/* arena.h: the memory of one function.
**
** An arena allocates from chunks, and frees all of them at once.  Large pieces
** are allocations of their own, so that a vector that grows frees its old
** memory.
**
** PH_HARD, a build for tests, makes each piece an allocation of its own and
** moves it whenever it grows, so that a sanitizer detects each stale pointer.
*/
#ifndef PH_BASE_ARENA_H
#define PH_BASE_ARENA_H

#include "phial/base.h"
#pragma GCC visibility push(hidden)

/* A piece of at least this size is a chunk of its own. */
#define PH_ARENA_LARGE ((size_t)3072)

typedef struct ph_chunk ph_chunk;

typedef struct {
  const ph_mem *mem;
  ph_chunk *last; /* the newest chunk; all are chained from it */
  ph_chunk *open; /* the chunk that small pieces are taken from */
  size_t bytes;   /* obtained from the host */
} ph_arena;

void ph_arena_init(ph_arena *a, const ph_mem *mem);
void ph_arena_done(ph_arena *a); /* frees everything; a can be used again */
/* Returns n > 0 bytes, aligned for any object of the core; ph_arena_zero clears
** them. */
void *ph_arena_alloc(ph_arena *a, size_t n);
void *ph_arena_zero(ph_arena *a, size_t n);
/* Makes p (`old` bytes of a, or NULL) at least n > old bytes long.  p may be a
** part of a piece if p itself is not large. */
void *ph_arena_grow(ph_arena *a, void *p, size_t old, size_t n);
/* Frees a piece of `old` bytes where that is possible. */
void ph_arena_drop(ph_arena *a, void *p, size_t old);

/* Returns the arena as memory for what takes any. */
ph_mem ph_arena_mem(ph_arena *a);

/* How much of an arena is in use at some time. */
typedef struct {
  ph_chunk *last, *open;
  size_t used; /* bytes of `open` */
} ph_arena_mark;

ph_arena_mark ph_arena_here(const ph_arena *a);
/* Frees all that was allocated since `mark`.  Older pieces must not have grown
** or been freed. */
void ph_arena_release(ph_arena *a, ph_arena_mark mark);

#pragma GCC visibility pop
#endif
