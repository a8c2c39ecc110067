/* vec.h: growable arrays in an arena.
**
** PH_VEC(ph_ids, uint32_t) declares the type ph_ids and the functions
** ph_ids_push and ph_ids_reserve.  `at` is valid until the next push or
** reserve: hold indices, not pointers, across them.  ph_ids_extend makes a
** vector at least n long, with zeroed elements; ph_ids_start makes one of a
** single zeroed element, with room for n in a part of a larger piece; ph_ids_drop
** gives the memory back to the arena.
*/
#ifndef PH_BASE_VEC_H
#define PH_BASE_VEC_H

#include <stdbool.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/require.h"
#pragma GCC visibility push(hidden)

/* Whether a vector of n elements moves though it has room.  In the build for
** tests each push moves it, and when it is so long that this would take
** quadratic time to notice, every 256th or 4,096th push. */
#ifdef PH_HARD
#define PH_VEC_MOVES(n) ((n) % ((n) < 256 ? 1 : (n) < 4096 ? 256 : 4096) == 0)
#else
#define PH_VEC_MOVES(n) false
#endif

/* Makes room for n elements in a vector that has room for *cap; returns its
** address. */
void *ph_vec_grow(ph_arena *a, void *at, uint32_t *cap, uint32_t n,
                  size_t size);

/* A file that declares a vector does not need all functions: no warning. */
#ifdef __GNUC__
#define PH_VEC_INLINE static inline __attribute__((unused))
#else
#define PH_VEC_INLINE static inline
#endif

#define PH_VEC(name, T)                                                      \
  typedef struct {                                                           \
    T *at;                                                                   \
    uint32_t n, cap;                                                         \
  } name;                                                                    \
  PH_VEC_INLINE void name##_reserve(name *v, ph_arena *a, uint32_t n) {      \
    if (n > v->cap || (n > 0 && PH_VEC_MOVES(n)))                            \
      v->at = ph_vec_grow(a, v->at, &v->cap, n, sizeof(T));                  \
  }                                                                          \
  PH_VEC_INLINE void name##_push(name *v, ph_arena *a, T x) {                \
    if (v->n == v->cap || PH_VEC_MOVES(v->n + 1))                            \
      name##_reserve(v, a, v->n + 1);                                        \
    v->at[v->n++] = x;                                                       \
  }                                                                          \
  PH_VEC_INLINE void name##_extend(name *v, ph_arena *a, uint32_t n) {       \
    if (n <= v->n) return;                                                   \
    name##_reserve(v, a, n);                                                 \
    memset(v->at + v->n, 0, (n - v->n) * sizeof(T));                         \
    v->n = n;                                                                \
  }                                                                          \
  PH_VEC_INLINE void name##_start(name *v, ph_arena *a, T *at, uint32_t n) { \
    assert(n * sizeof(T) < PH_ARENA_LARGE && "see ph_arena_grow");           \
    v->at = at;                                                              \
    v->cap = n;                                                              \
    if (PH_VEC_MOVES(n)) {                                                   \
      v->cap = 0;                                                            \
      name##_reserve(v, a, n);                                               \
    }                                                                        \
    memset(v->at, 0, sizeof(T));                                             \
    v->n = 1;                                                                \
  }                                                                          \
  PH_VEC_INLINE void name##_drop(name *v, ph_arena *a) {                     \
    ph_arena_drop(a, v->at, v->cap * sizeof(T));                             \
    v->at = NULL;                                                            \
    v->n = v->cap = 0;                                                       \
  }

PH_VEC(ph_ids, uint32_t)

/* True if `id` is one of them. */
static inline bool ph_ids_has(const ph_ids *v, uint32_t id) {
  for (uint32_t i = 0; i < v->n; i++)
    if (v->at[i] == id) return true;
  return false;
}
/* Sorts ids. */
void ph_vec_sortids(ph_ids *v);

#pragma GCC visibility pop
#endif
