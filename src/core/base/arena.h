/* arena.h: the memory of one function.
**
** An arena hands out memory from chunks and frees all at once.  Large pieces
** are allocations of their own, so that a vector that grows gives its old
** place back.  A mark remembers how much there was; release frees what came
** after it.
**
** PH_HARD, a build for tests, makes each piece an allocation of its own and
** moves it whenever it grows, so that a sanitizer sees each stale pointer.
*/
#ifndef PH_BASE_ARENA_H
#define PH_BASE_ARENA_H

#include "phial.h"

#define PH_ARENA_LARGE ((size_t)3072) /* such a piece is a chunk of its own */

typedef struct ph_chunk ph_chunk;

typedef struct {
  const ph_mem *mem;
  ph_chunk *last; /* all chunks, newest first; small pieces go to `open` */
  ph_chunk *open;
  size_t bytes; /* held from the host */
} ph_arena;

void ph_arena_init(ph_arena *a, const ph_mem *mem);
void ph_arena_done(ph_arena *a); /* frees all; a can be used again */
/* n bytes, aligned for any object of ours, not cleared; n > 0. */
void *ph_arena_alloc(ph_arena *a, size_t n);
void *ph_arena_zero(ph_arena *a, size_t n);
/* Makes p (`old` bytes of a, or NULL) at least n > old bytes.  p may be a part
** of a piece, if it is not large itself. */
void *ph_arena_grow(ph_arena *a, void *p, size_t old, size_t n);
/* Gives a piece of `old` bytes back where that is possible. */
void ph_arena_drop(ph_arena *a, void *p, size_t old);

#endif
