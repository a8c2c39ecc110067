/* base.h: words that all headers share. */
#ifndef PHIAL_BASE_H
#define PHIAL_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ph_func ph_func; /* one function under construction or done */
typedef struct ph_ruleset ph_ruleset; /* a set of rules */

typedef struct {
  uint32_t id;
} ph_value;
typedef struct {
  uint32_t id;
} ph_block;
typedef struct {
  uint32_t id;
} ph_var;

#define ph_same(a, b) ((a).id == (b).id)
#define ph_some(a) ((a).id != 0)

typedef uint16_t ph_op;  /* PH_ADD ..., then the ops of attached dialects */
typedef uint8_t ph_type; /* PH_I1 ..., then the types of attached dialects */

/* A string of n bytes; it need not end with a zero. */
typedef struct {
  const char *at;
  size_t n;
} ph_str;

/* The memory of the host.  realloc(ud, p, old, new) frees with new == 0,
** and never returns NULL otherwise: it raises or aborts.  `old` is the size
** of p, 0 when p is NULL.  A function that was being changed when it raised can
** only be freed. */
typedef struct {
  void *(*realloc)(void *ud, void *p, size_t old_size, size_t new_size);
  void *ud;
} ph_mem;

/* realloc and free of the C library; aborts when there is no memory. */
extern const ph_mem ph_mem_libc;

/* Memory for one function after the other: a pool keeps what they give back
** for the next one, at most `most` bytes, so that in the long run nothing is
** asked from `from`.  Functions that live at the same time can share it; it must
** outlive them. */
typedef struct ph_pool ph_pool;

ph_pool *ph_pool_new(const ph_mem *from, size_t most);
void ph_pool_free(ph_pool *pool);
/* The same in memory of the host: ph_pool_size() bytes at `pool`, aligned for
** any object.  ph_pool_done gives back what is kept and keeps nothing from then
** on: functions may still give theirs back as long as that memory is there. */
size_t ph_pool_size(void);
void ph_pool_init(ph_pool *pool, const ph_mem *from, size_t most);
void ph_pool_done(ph_pool *pool);

/* What to make functions with. */
const ph_mem *ph_pool_mem(const ph_pool *pool);
/* Gives back what is kept now. */
void ph_pool_empty(ph_pool *pool);

/* What a constant or the `data` of an instruction holds.  PH_DATA_HOST is
** something only the host can tell (a Lua table): `bits` is its index. */
typedef enum {
  PH_DATA_NONE,
  PH_DATA_NIL,
  PH_DATA_BOOL,
  PH_DATA_INT,   /* bits: the integer, sign-extended from its width */
  PH_DATA_FLOAT, /* bits: of the double */
  PH_DATA_STR,   /* bits: a name from ph_intern_add */
  PH_DATA_HOST
} ph_tag;

typedef struct {
  uint64_t bits;
  ph_tag tag;
} ph_data;

/* A place in a source text; file 0 is "the file", line 0 is "nowhere",
** col 0 is "not known". */
typedef struct {
  uint32_t file; /* a name from ph_intern_add */
  uint32_t line;
  uint32_t col;
} ph_srcloc;

/* Text in memory of its own; zeroed is empty but for mem. */
typedef struct {
  const ph_mem *mem;
  char *at;
  size_t n, cap;
} ph_strbuf;

void ph_strbuf_done(ph_strbuf *b);
void ph_strbuf_add(ph_strbuf *b, ph_str s);
void ph_strbuf_puts(ph_strbuf *b, const char *s);

#ifdef __cplusplus
}
#endif

#endif
