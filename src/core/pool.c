/* pool.c: memory that functions give back is kept for the next ones.
**
** A program is many small functions.  Each of them wants the same few pieces,
** and gives them back at its end; here they are handed on as they are, by
** powers of two: taking and giving are a few instructions.  Larger pieces come
** from the host and go back to it: they are rare, and grow in place there.
**
** Keeps: what is spare is chained through its own first word; the allocator
** may jump out of ph_pool's own request only, when nothing has changed yet.
*/
#include <string.h>

#include "phial.h"

#define LEAST 128

/* The size class of n bytes, n > 0; PH_POOL_SIZES when they are too many. */
static unsigned class_of(size_t n) {
  unsigned k = 0;
  while (k < PH_POOL_SIZES && n > (size_t)LEAST << k) k++;
  return k;
}

static void *take(ph_pool *pool, size_t n) {
  unsigned k = class_of(n);
  void *p;
  if (k == PH_POOL_SIZES)
    return pool->from->realloc(pool->from->ud, NULL, 0, n);
  p = pool->spare[k];
  if (p == NULL)
    return pool->from->realloc(pool->from->ud, NULL, 0, (size_t)LEAST << k);
  memcpy(&pool->spare[k], p, sizeof p);
  return p;
}

static void give(ph_pool *pool, void *p, size_t n) {
  unsigned k = class_of(n);
  if (k == PH_POOL_SIZES) {
    pool->from->realloc(pool->from->ud, p, n, 0);
  } else {
    memcpy(p, &pool->spare[k], sizeof p);
    pool->spare[k] = p;
  }
}

static void *pooled(void *ud, void *p, size_t old, size_t n) {
  ph_pool *pool = ud;
  void *q = NULL;
  if (old > 0 && n > 0) {
    unsigned k = class_of(n);
    if (k == class_of(old) && k < PH_POOL_SIZES) return p;
    if (k == PH_POOL_SIZES && class_of(old) == k)
      return pool->from->realloc(pool->from->ud, p, old, n);
  }
  if (n > 0) q = take(pool, n);
  if (old > 0 && n > 0) memcpy(q, p, old < n ? old : n);
  if (old > 0) give(pool, p, old);
  return q;
}

void ph_pool_init(ph_pool *pool, const ph_mem *from) {
  memset(pool, 0, sizeof *pool);
  pool->mem.realloc = pooled;
  pool->mem.ud = pool;
  pool->from = from;
}

void ph_pool_done(ph_pool *pool) {
  for (unsigned k = 0; k < PH_POOL_SIZES; k++)
    while (pool->spare[k] != NULL) {
      void *p = pool->spare[k];
      memcpy(&pool->spare[k], p, sizeof p);
      pool->from->realloc(pool->from->ud, p, (size_t)LEAST << k, 0);
    }
}
