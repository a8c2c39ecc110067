/* require.h: what the public headers require of a host, checked.
**
** A public function checks its requirements before it changes anything; the
** string in the condition states the requirement.
**
** A build with -DPH_TRUSTED is for a host that checks all arguments itself, as
** the Lua module does (its builds for tests are not trusted).  It does without
** ph_require, which is for what takes a noticeable part of a call; ph_must
** remains, as an assertion.  -DNDEBUG leaves out both.
*/
#ifndef PH_BASE_REQUIRE_H
#define PH_BASE_REQUIRE_H

#include <assert.h>

#include "phial/base.h"

#pragma GCC visibility push(hidden)

/* Tells the host what it broke, or prints it, and aborts. */
_Noreturn void ph_violation_raise(const char *condition, const char *function,
                                  const char *file, int line);

#pragma GCC visibility pop

#define PH_VIOLATED(condition) \
  ph_violation_raise(condition, __func__, __FILE__, __LINE__)

#if defined PH_TRUSTED || defined NDEBUG
#define ph_require(condition) ((void)(0 && (condition)))
#define ph_must(condition) assert(condition)
#define ph_ptr(p) (p)
#else
#define ph_require(condition) ((condition) ? (void)0 : PH_VIOLATED(#condition))
#define ph_must(condition) ph_require(condition)
/* The pointer p, which is not NULL. */
#define ph_ptr(p) \
  ((p) != NULL ? (void)0 : PH_VIOLATED("\"" #p " is not NULL\""), (p))
#endif

#endif
