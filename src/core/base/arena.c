/* arena.c: arenas.
**
** All chunks form one doubly linked list, so that a large piece can leave it
** when it grows or is freed.  A chunk enters the list only when it is complete:
** whatever the host's allocator does (it may jump out), the list is consistent,
** and ph_arena_done frees everything.
*/
#include "core/base/arena.h"

#include <stdlib.h>
#include <string.h>

struct ph_chunk {
  ph_chunk *prev, *next; /* older, newer */
  size_t size, used;     /* bytes after this header; bytes in use */
};

#define HEAD sizeof(ph_chunk)
#define FIRST (4096 - HEAD)  /* bytes in the first chunk */
#define MOST ((size_t)65536) /* greatest size of a chunk for small pieces */

static void *libc_realloc(void *ud, void *p, size_t old, size_t n) {
  (void)ud;
  (void)old;
  if (n == 0) {
    free(p);
    return NULL;
  }
  p = realloc(p, n);
  if (p == NULL) abort();
  return p;
}

const ph_mem ph_mem_libc = {libc_realloc, NULL};

static size_t aligned(size_t n) { return (n + 7) & ~(size_t)7; }

static bool is_large(size_t n) {
#ifdef PH_HARD
  (void)n;
  return true;
#else
  return n >= PH_ARENA_LARGE;
#endif
}

static char *bytes_of(ph_chunk *c) { return (char *)c + HEAD; }

static ph_chunk *chunk_of(void *p) {
  return (ph_chunk *)(void *)((char *)p - HEAD);
}

static ph_chunk *add_chunk(ph_arena *a, size_t size) {
  ph_chunk *c = a->mem->realloc(a->mem->ud, NULL, 0, HEAD + size);
  c->size = size;
  c->used = 0;
  c->prev = a->last;
  c->next = NULL;
  if (a->last != NULL) a->last->next = c;
  a->last = c;
  a->bytes += HEAD + size;
  return c;
}

/* Updates the links to c, whose address has changed. */
static void relink_chunk(ph_arena *a, ph_chunk *c) {
  if (c->prev != NULL) c->prev->next = c;
  if (c->next != NULL)
    c->next->prev = c;
  else
    a->last = c;
}

static void free_chunk(ph_arena *a, ph_chunk *c) {
  if (c->prev != NULL) c->prev->next = c->next;
  if (c->next != NULL)
    c->next->prev = c->prev;
  else
    a->last = c->prev;
  a->bytes -= HEAD + c->size;
  a->mem->realloc(a->mem->ud, c, HEAD + c->size, 0);
}

void ph_arena_init(ph_arena *a, const ph_mem *mem) {
  a->mem = mem;
  a->last = a->open = NULL;
  a->bytes = 0;
}

void ph_arena_done(ph_arena *a) {
  ph_chunk *c = a->last;
  ph_arena_init(a, a->mem);
  while (c != NULL) {
    ph_chunk *older = c->prev;
    a->mem->realloc(a->mem->ud, c, HEAD + c->size, 0);
    c = older;
  }
}

ph_arena_mark ph_arena_here(const ph_arena *a) {
  return (ph_arena_mark){a->last, a->open, a->open != NULL ? a->open->used : 0};
}

void ph_arena_release(ph_arena *a, ph_arena_mark mark) {
  while (a->last != mark.last) free_chunk(a, a->last);
  a->open = mark.open;
  if (a->open != NULL) a->open->used = mark.used;
}

static size_t next_size(const ph_arena *a) {
  size_t size;
  if (a->open == NULL) return FIRST;
  size = 2 * (HEAD + a->open->size);
  return (size < MOST ? size : MOST) - HEAD;
}

void *ph_arena_alloc(ph_arena *a, size_t n) {
  ph_chunk *c = a->open;
  n = aligned(n);
  if (is_large(n)) {
    c = add_chunk(a, n);
    c->used = n;
    return bytes_of(c);
  }
  if (c == NULL || c->size - c->used < n) {
    size_t size = next_size(a);
    c = a->open = add_chunk(a, size < n ? n : size);
  }
  c->used += n;
  return bytes_of(c) + c->used - n;
}

void *ph_arena_zero(ph_arena *a, size_t n) {
  return memset(ph_arena_alloc(a, n), 0, n);
}

/* True if p is the last piece of the open chunk and can grow there. */
static bool can_stretch(const ph_arena *a, void *p, size_t old, size_t n) {
  ph_chunk *c = a->open;
  return c != NULL && !is_large(n) &&
         (char *)p + old == bytes_of(c) + c->used &&
         c->size - c->used >= n - old;
}

static void *grow_by_copy(ph_arena *a, void *p, size_t old, size_t n) {
  void *q = ph_arena_alloc(a, n);
  if (old > 0) memcpy(q, p, old);
  ph_arena_drop(a, p, old);
  return q;
}

void *ph_arena_grow(ph_arena *a, void *p, size_t old, size_t n) {
  ph_chunk *c;
#ifdef PH_HARD
  return grow_by_copy(a, p, old, n);
#endif
  if (old == 0) return ph_arena_alloc(a, n);
  if (!is_large(aligned(old))) {
    if (!can_stretch(a, p, aligned(old), aligned(n)))
      return grow_by_copy(a, p, old, n);
    a->open->used += aligned(n) - aligned(old);
    return p;
  }
  n = aligned(n);
  c = chunk_of(p);
  old = c->size;
  c = a->mem->realloc(a->mem->ud, c, HEAD + old, HEAD + n);
  c->size = c->used = n;
  relink_chunk(a, c);
  a->bytes += n - old;
  return bytes_of(c);
}

void ph_arena_drop(ph_arena *a, void *p, size_t old) {
  if (old == 0) return;
#ifdef PH_HARD
  memset(p, 0xa5, old);
#endif
  old = aligned(old);
  if (is_large(old))
    free_chunk(a, chunk_of(p));
  else if (a->open != NULL &&
           (char *)p + old == bytes_of(a->open) + a->open->used)
    a->open->used -= old;
}

static void *from_arena(void *ud, void *p, size_t old, size_t n) {
  if (n > old) return ph_arena_grow(ud, p, old, n);
  ph_arena_drop(ud, p, old);
  return NULL;
}

ph_mem ph_arena_mem(ph_arena *a) { return (ph_mem){from_arena, a}; }
