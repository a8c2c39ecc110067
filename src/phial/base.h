/* base.h: version, handles, memory, strings, data and source locations.
**
** What all other public headers share.  Include it through one of them, or
** through phial.h.
*/
#ifndef PHIAL_BASE_H
#define PHIAL_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version of these headers (https://semver.org).  The name of a shared
** library has what changes when programs must be compiled anew: 0.9 before 1.0,
** then the major version. */
#define PH_VERSION "1.0.0-rc1"
#define PH_VERSION_MAJOR 1
#define PH_VERSION_MINOR 0
#define PH_VERSION_PATCH 0
/* As a number that grows: 1.2.3 is 10203. */
#define PH_VERSION_NUMBER \
  (PH_VERSION_MAJOR * 10000 + PH_VERSION_MINOR * 100 + PH_VERSION_PATCH)

/* Ends a structure that a host fills: room for later fields, which must be
** zero. */
#define PH_RESERVED uintptr_t reserved[4]

/* Around the declarations of each public header, which are all that the library
** exports: the declarations of other headers are hidden.  So are these in a core
** that is part of a module (PH_TRUSTED).  Compilers of hosts may not know this. */
#if !defined __GNUC__ || defined __TINYC__
#define PH_BEGIN_EXPORTS
#define PH_END_EXPORTS
#else
#ifdef PH_TRUSTED
#define PH_BEGIN_EXPORTS _Pragma("GCC visibility push(hidden)")
#else
#define PH_BEGIN_EXPORTS _Pragma("GCC visibility push(default)")
#endif
#define PH_END_EXPORTS _Pragma("GCC visibility pop")
#endif
#ifdef __cplusplus
#define PH_BEGIN_DECLS PH_BEGIN_EXPORTS extern "C" {
#define PH_END_DECLS \
  }                  \
  PH_END_EXPORTS
#else
#define PH_BEGIN_DECLS PH_BEGIN_EXPORTS
#define PH_END_DECLS PH_END_EXPORTS
#endif

PH_BEGIN_DECLS

/* Returns PH_VERSION_NUMBER of the library that runs, which may be a later one
** than that of the headers. */
int ph_version(void);

/*
** {== Handles ========================================================
*/

typedef struct ph_func ph_func;       /* func.h */
typedef struct ph_ruleset ph_ruleset; /* rules.h */

/* Things of a function, by number.  Ids count from 1 for each kind, in order of
** creation, and are never reused; 0 is none.  An id means something only to
** the function that gave it. */
typedef struct {
  uint32_t id;
} ph_value;
typedef struct {
  uint32_t id;
} ph_block;
typedef struct {
  uint32_t id;
} ph_var;
typedef struct {
  uint32_t id;
} ph_group; /* of variables: construct.h */

#define ph_same(a, b) ((a).id == (b).id) /* the same id */
#define ph_some(a) ((a).id != 0)         /* not none */

typedef uint16_t ph_op;  /* PH_ADD ..., then the ops of attached dialects */
typedef uint8_t ph_type; /* PH_I1 ..., then the types of attached dialects */

/* }== Memory ========================================================= */

/* The host's allocator.  realloc(ud, p, old_size, new_size)
**   allocates new_size bytes if p is NULL (old_size is 0 then),
**   frees p if new_size is 0 and returns NULL,
**   otherwise resizes p, which has old_size bytes, and may move it.
** Results are aligned for any object.  It must not return NULL for a new_size
** other than 0: if there is no memory it aborts or leaves by longjmp or an
** exception (phial.h says what can be called then).  It must not call phial for
** what it is asked to allocate for. */
typedef struct {
  void *(*realloc)(void *ud, void *p, size_t old_size, size_t new_size);
  void *ud;
} ph_mem;

/* realloc and free of the C library; aborts when there is no memory. */
extern const ph_mem ph_mem_libc;

/* A pool recycles memory from function to function: it keeps what they free for
** the next ones, so that in the long run nothing is asked from the host.
** Functions that are alive at the same time can share a pool. */
typedef struct ph_pool ph_pool;

/* Returns a new pool over the allocator `from`, which is copied.  It keeps at
** most `most` bytes. */
ph_pool *ph_pool_new(const ph_mem *from, size_t most);
/* Frees the pool, if it is not NULL, and what it keeps.  All memory taken from
** it must have been given back. */
void ph_pool_free(ph_pool *pool);

/* The same in the host's own memory: ph_pool_size() bytes at `pool`, aligned
** for any object, which stay where they are until no function uses the pool.
** After ph_pool_done the pool keeps nothing; memory that is given back later
** goes straight to `from`. */
size_t ph_pool_size(void);
void ph_pool_init(ph_pool *pool, const ph_mem *from, size_t most);
void ph_pool_done(ph_pool *pool);

/* Returns the pool as an allocator, to make functions with. */
const ph_mem *ph_pool_mem(const ph_pool *pool);
/* Gives what the pool keeps now back to `from`. */
void ph_pool_empty(ph_pool *pool);
/* Changes how many bytes the pool keeps at most; if it keeps more, it is
** emptied. */
void ph_pool_limit(ph_pool *pool, size_t most);

/* }== Strings ======================================================== */

/* n bytes at `at`, not terminated by a zero.  Functions that take a ph_str copy
** what they keep; a ph_str that they return is valid until the function, or the
** set of rules, that it belongs to is freed.  An empty one may have any
** `at`. */
typedef struct {
  const char *at;
  size_t n;
} ph_str;

/* A literal as a ph_str: PH_STR("name"). */
#ifdef __cplusplus
#define PH_STR(literal) (ph_str{"" literal, sizeof(literal) - 1})
#else
#define PH_STR(literal) ((ph_str){"" literal, sizeof(literal) - 1})
#endif

/* A growing text, to which functions append.  Start with {.mem = ...} (such as
** &ph_mem_libc), all else zero, and end with ph_strbuf_done; the host may read
** `at` and `n` (`at` is NULL as long as nothing has been added, moves when the
** text grows, and is not terminated by a zero) and may lower n to shorten the
** text.  `cap` is private. */
typedef struct {
  const ph_mem *mem;
  char *at;
  size_t n, cap;
} ph_strbuf;

/* Frees the text; b is empty then, and can be used again. */
void ph_strbuf_done(ph_strbuf *b);
/* Appends the bytes of s, which must not lie in b itself. */
void ph_strbuf_add(ph_strbuf *b, ph_str s);
/* Appends a string that is terminated by a zero. */
void ph_strbuf_puts(ph_strbuf *b, const char *s);
/* Append a number; s in double quotes, as Lua reads it; a name as the text form
** has it: as it is if it is an identifier, otherwise in quotes. */
void ph_strbuf_int(ph_strbuf *b, int64_t i);
void ph_strbuf_quoted(ph_strbuf *b, ph_str s);
void ph_strbuf_name(ph_strbuf *b, ph_str name);

/* }== Data =========================================================== */

/* What a ph_data holds, and the meaning of its bits. */
typedef enum {
  PH_DATA_NONE,
  PH_DATA_NIL,
  PH_DATA_BOOL,  /* 0 or 1 */
  PH_DATA_INT,   /* an integer, sign-extended from its width; of i1: 0 or 1 */
  PH_DATA_FLOAT, /* an IEEE 754 double, also for f32 */
  PH_DATA_STR,   /* a string: the number from ph_intern_add */
  PH_DATA_HOST,  /* anything of the host, which knows what the number means */
  PH_DATA_SYMBOL /* the same with a name: the host's number, 32 bits; below them
                    the number of the name from ph_intern_add */
} ph_tag;

/* A constant, or the data of an instruction (such as the callee of a call). */
typedef struct {
  uint64_t bits;
  ph_tag tag;
} ph_data;

/* }== Source locations =============================================== */

/* A position in a source text.  file is a number from ph_intern_add, or 0 if it
** has no name; line counts from 1, and 0 says that nothing is known; col
** counts from 1, or is 0 if it is not known.  end_line and end_col say where
** what begins there ends; end_line is 0 if that is not known. */
typedef struct {
  uint32_t file, line, col;
  uint32_t end_line, end_col;
} ph_srcloc;

/* }== Violations ===================================================== */

/* A requirement of these headers that a call does not meet, such as "a block of
** this function"; where in phial that was found. */
typedef struct {
  ph_str requirement;
  const char *function, *file;
  int line;
} ph_violation;

/* Gets a violation, before the call has changed anything; may leave by longjmp or
** an exception.  If it returns, the violation is printed and the program aborts,
** as without a handler. */
typedef void ph_violation_handler(void *ud, const ph_violation *v);

/* Sets the handler of violations in this thread, or none (NULL). */
void ph_violation_sethandler(ph_violation_handler *handle, void *ud);

/* }=================================================================== */

PH_END_DECLS

#endif
