/* require.h: what the public headers require of a host, checked.
**
** A public function checks its requirements at its entry, before it changes
** anything; the string in the condition states the requirement.  What happens
** when a host breaks one is up to the host: ph_violation_sethandler.
**
** A build with -DPH_TRUSTED does without ph_require, which is for what takes a
** noticeable part of a call: it is for a host that checks all arguments itself,
** as the Lua module does (its builds for tests are not trusted).  The rest,
** ph_ensure, remains there as assertions.  -DNDEBUG leaves out both.
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
#define ph_ensure(condition) assert(condition)
#define ph_given(p) (p)
#else
#define ph_require(condition) ((condition) ? (void)0 : PH_VIOLATED(#condition))
#define ph_ensure(condition) ph_require(condition)
/* The pointer p, which is not NULL. */
#define ph_given(p) \
  ((p) != NULL ? (void)0 : PH_VIOLATED("\"" #p " is not NULL\""), (p))
#endif

#endif
