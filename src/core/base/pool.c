/* pool.c: keeps memory that functions free for the next ones.
**
** A program has many small functions, which all need the same few pieces and
** free them at their end.  Here these are handed on as they are, in powers of
** two, so that allocating and freeing take a few instructions.  Pieces beyond
** all sizes come from the host and go back to it.  A full pool is emptied, so
** that sizes that were needed once do not stay.
**
** Spare pieces are chained through their first words.  When the pool asks for
** memory, the allocator may jump out or use the pool itself: nothing has been
** changed yet.
*/
#include <string.h>

#include "core/base/noinline.h"
#include "core/base/require.h"

#define LEAST 128
#define SIZES 22 /* up to 256 MiB */
#define LARGE 6  /* the first size that is searched for */

struct ph_pool {
  ph_mem mem; /* the pool, as memory of functions */
  ph_mem from;
  size_t held, most;  /* bytes that are spare now; that may be */
  void *spare[SIZES]; /* pieces of each size, chained */
};

#ifdef PH_HARD
#define KEEPS false /* a sanitizer has to see each use of freed memory */
#else
#define KEEPS true
#endif

/* Large pieces have room for the head of an array whose size is a power of
** two. */
static size_t size_of(unsigned k) {
  return ((size_t)LEAST << k) + (k >= LARGE ? 64 : 0);
}

static PH_NOINLINE unsigned class_of_large(size_t n) {
  unsigned k = LARGE;
  while (k < SIZES && n > size_of(k)) k++;
  return k;
}

/* The size class of n bytes, n > 0; SIZES when they are too many.
** Nearly all pieces are small. */
static inline unsigned class_of(size_t n) {
  static const uint8_t small[] = {0, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4,
                                  4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5,
                                  5, 5, 5, 5, 5, 5, 5, 5, 5, 5};
  size_t i = (n - 1) / LEAST;
  return i < sizeof small ? small[i] : class_of_large(n);
}

static PH_NOINLINE void *ask_host(ph_pool *pool, void *p, size_t old,
                                  size_t n) {
  return pool->from.realloc(pool->from.ud, p, old, n);
}

static void *pop_spare(ph_pool *pool, unsigned k) {
  void *p = pool->spare[k];
  if (p == NULL) return NULL;
  memcpy(&pool->spare[k], p, sizeof pool->spare[k]);
  pool->held -= size_of(k);
  return p;
}

static void *take_piece(ph_pool *pool, size_t n) {
  unsigned k = class_of(n);
  void *p = k < SIZES ? pop_spare(pool, k) : NULL;
  if (p != NULL) return p;
  return ask_host(pool, NULL, 0, k < SIZES ? size_of(k) : n);
}

static void push_spare(ph_pool *pool, unsigned k, void *p) {
  memcpy(p, &pool->spare[k], sizeof pool->spare[k]);
  pool->spare[k] = p;
  pool->held += size_of(k);
}

/* The pool has no room for the piece. */
static PH_NOINLINE void give_back(ph_pool *pool, void *p, size_t n) {
  unsigned k = class_of(n);
  size_t size = k < SIZES ? size_of(k) : n;
  if (k < SIZES) ph_pool_empty(pool);
  if (k == SIZES || size > pool->most)
    ask_host(pool, p, size, 0);
  else
    push_spare(pool, k, p);
}

static void give_piece(ph_pool *pool, void *p, size_t n) {
  unsigned k = class_of(n);
  if (k < SIZES && pool->held + size_of(k) <= pool->most)
    push_spare(pool, k, p);
  else
    give_back(pool, p, n);
}

static PH_NOINLINE void *resize_piece(ph_pool *pool, void *p, size_t old,
                                      size_t n) {
  unsigned k = class_of(n);
  void *q;
  if (k == class_of(old)) return k < SIZES ? p : ask_host(pool, p, old, n);
  q = take_piece(pool, n);
  memcpy(q, p, old < n ? old : n);
  give_piece(pool, p, old);
  return q;
}

static void *pooled(void *ud, void *p, size_t old, size_t n) {
  ph_pool *pool = ud;
  if (!KEEPS) return ask_host(pool, p, old, n);
  if (old == 0) return n == 0 ? NULL : take_piece(pool, n);
  if (n > 0) return resize_piece(pool, p, old, n);
  give_piece(pool, p, old);
  return NULL;
}

size_t ph_pool_size(void) { return sizeof(ph_pool); }

void ph_pool_init(ph_pool *pool, const ph_mem *from, size_t most) {
  memset(ph_ptr(pool), 0, sizeof *pool);
  pool->mem.realloc = pooled;
  pool->mem.ud = pool;
  pool->from = *ph_ptr(from);
  pool->most = most;
}

void ph_pool_empty(ph_pool *pool) {
  for (unsigned k = 0; k < SIZES; k++) {
    void *p;
    while ((p = pop_spare(ph_ptr(pool), k)) != NULL)
      ask_host(pool, p, size_of(k), 0);
  }
}

void ph_pool_limit(ph_pool *pool, size_t most) {
  ph_ptr(pool)->most = most;
  if (pool->held > most) ph_pool_empty(pool);
}

void ph_pool_done(ph_pool *pool) { ph_pool_limit(ph_ptr(pool), 0); }

ph_pool *ph_pool_new(const ph_mem *from, size_t most) {
  ph_pool *pool = ph_ptr(from)->realloc(from->ud, NULL, 0, sizeof *pool);
  ph_pool_init(pool, from, most);
  return pool;
}

void ph_pool_free(ph_pool *pool) {
  if (pool == NULL) return;
  ph_pool_done(pool);
  ask_host(pool, pool, sizeof *pool, 0);
}

const ph_mem *ph_pool_mem(const ph_pool *pool) { return &ph_ptr(pool)->mem; }
