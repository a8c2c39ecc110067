/* pool.c: what a pool of memory keeps. */
#include <string.h>

#include "host.h"
#include "spec.h"

enum { LEAST = 128, MOST = 0x1000000 };

/* Takes n bytes from the pool and gives them back. */
static void use(ph_pool *pool, size_t n) {
  const ph_mem *mem = ph_pool_mem(pool);
  void *p = mem->realloc(mem->ud, NULL, 0, n);
  memset(p, 1, n);
  mem->realloc(mem->ud, p, n, 0);
}

/* What a pool that keeps at most `most` bytes holds after pieces of 1 byte to
** `largest`, each as large as two before. */
static size_t kept(host *h, ph_pool *pool, size_t largest) {
  size_t before = h->pieces.held;
  for (size_t n = 1; n <= largest; n *= 2) use(pool, n);
  return h->pieces.held - before;
}

static int keeps(host *h) {
#ifdef PH_HARD
  (void)h;
  return 0; /* it keeps nothing there */
#else
  ph_pool *pool = ph_pool_new(&h->mem, MOST);
  size_t all = kept(h, pool, MOST / 4);
  int failed = spec_case("keeps_what_fits", all >= MOST / 2 && all <= MOST,
                         "another amount");
  size_t before = h->pieces.held;
  use(pool, MOST / 4);
  failed +=
      spec_case("takes_it_again", h->pieces.held == before, "more memory");
  ph_pool_limit(pool, all);
  failed += spec_case("keeps_it_below_a_limit", h->pieces.held == before,
                      "less memory");
  ph_pool_limit(pool, all - 1);
  failed += spec_case("gives_it_back_above_a_limit",
                      h->pieces.held == before - all, "memory");
  failed += spec_case("keeps_the_limit", kept(h, pool, MOST) < all, "more");
  ph_pool_free(pool);
  return failed;
#endif
}

/* An array with a power of two of elements and a head takes no more than a
** little besides. */
static int wastes(host *h) {
  ph_pool *pool = ph_pool_new(&h->mem, 0);
  const ph_mem *mem = ph_pool_mem(pool);
  size_t n = (size_t)1 << 20, before = h->pieces.held;
  void *p = mem->realloc(mem->ud, NULL, 0, n + 64);
  int failed =
      spec_case("has_room_for_heads",
                h->pieces.held - before < n + (size_t)4 * LEAST, "more");
  mem->realloc(mem->ud, p, n + 64, 0);
  ph_pool_free(pool);
  return failed;
}

int spec_pool(void) {
  host h;
  int failed;
  host_init(&h);
  failed = keeps(&h) + wastes(&h);
  return failed + spec_case("gives_all_back",
                            h.pieces.held == 0 && !h.pieces.confused, "memory");
}
