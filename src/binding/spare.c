/* spare.c: memory that functions leave to the next ones.
**
** A frontend makes one function after the other, and each asks for the same
** sizes: the chunks of its arenas, its arrays as they grow.  Pieces of such
** sizes are kept when they are freed, so that in the steady state functions
** cost no malloc.  A slot keeps pieces of one size; a piece that finds the slots
** where it could be taken by other sizes is freed, and a full pool is emptied:
** so sizes that came once do not stay.  Growing copies into another piece: growing
** in place would use up the small sizes and hoard the large ones.
*/
#include <string.h>

#include "binding/binding.h"

#ifdef PH_HARD
#define MOST_BYTES 0 /* what is freed shall be missed */
#else
#define MOST_BYTES 0x80000
#endif

enum { LEAST = 256, MOST = 0x10000 }; /* sizes of pieces that are kept */
enum { TRIES = 4 };                   /* slots that a piece can be in */

typedef struct piece {
  struct piece *next;
} piece;

/* The slot of size n, or an empty one, or NULL. */
static ph_spareslot *slot_of(ph_spares *pool, size_t n) {
  size_t at = n >> 4 ^ n >> 10;
  ph_spareslot *empty = NULL;
  for (size_t i = 0; i < TRIES; i++) {
    ph_spareslot *s = &pool->slots[(at + i) % PH_SPARE_SLOTS];
    if (s->size == n) return s;
    if (s->first == NULL) empty = s;
  }
  return empty;
}

static void *take(ph_spares *pool, size_t n) {
  ph_spareslot *s = slot_of(pool, n);
  piece *p = s != NULL ? s->first : NULL;
  if (p == NULL) return NULL;
  s->first = p->next;
  pool->bytes -= n;
  return p;
}

void ph_spare_empty(lua_State *L, ph_spares *pool) {
  void *ud, *p;
  lua_Alloc alloc = lua_getallocf(L, &ud);
  for (int i = 0; i < PH_SPARE_SLOTS; i++) {
    size_t n = pool->slots[i].size;
    while ((p = take(pool, n)) != NULL) alloc(ud, p, n, 0);
  }
}

/* Frees a piece, or keeps it. */
static void put(lua_State *L, ph_spares *pool, void *p, size_t n) {
  ph_spareslot *s = n >= LEAST && n <= MOST ? slot_of(pool, n) : NULL;
  piece *kept = p;
  void *ud;
  lua_Alloc alloc = lua_getallocf(L, &ud);
  if (s != NULL && pool->bytes + n > pool->most) ph_spare_empty(L, pool);
  if (s == NULL || pool->bytes + n > pool->most) {
    alloc(ud, p, n, 0);
    return;
  }
  kept->next = s->first;
  s->first = kept;
  s->size = n;
  pool->bytes += n;
}

/* As lua_Alloc. */
void *ph_spare_realloc(lua_State *L, ph_spares *pool, void *p, size_t old,
                       size_t n) {
  void *ud, *q;
  lua_Alloc alloc = lua_getallocf(L, &ud);
  if (n == 0) {
    if (p != NULL) put(L, pool, p, old);
    return NULL;
  }
  if (p != NULL && n > MOST) return alloc(ud, p, old, n);
  q = take(pool, n);
  if (q == NULL) q = alloc(ud, NULL, 0, n);
  if (p == NULL || q == NULL) return q;
  memcpy(q, p, old < n ? old : n);
  put(L, pool, p, old);
  return q;
}

void ph_spare_start(ph_spares *pool) {
  memset(pool, 0, sizeof *pool);
  pool->most = MOST_BYTES;
}

void ph_spare_close(lua_State *L, ph_spares *pool) {
  pool->most = 0;
  ph_spare_empty(L, pool);
}
