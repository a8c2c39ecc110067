/* require.c: what happens when a host breaks a requirement. */
#include "core/base/require.h"

#ifndef PH_TRUSTED

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local struct {
  ph_violation_handler *handle;
  void *ud;
} host;

void ph_violation_sethandler(ph_violation_handler *handle, void *ud) {
  host.handle = handle;
  host.ud = ud;
}

/* The text between the last quotes. */
static ph_str requirement_of(const char *condition) {
  const char *end = strrchr(condition, '"'), *at = end;
  while (at[-1] != '"') at--;
  return (ph_str){at, (size_t)(end - at)};
}

void ph_violation_raise(const char *condition, const char *function,
                        const char *file, int line) {
  const ph_violation v = {requirement_of(condition), function, file, line};
  if (host.handle != NULL) host.handle(host.ud, &v);
  fprintf(stderr, "%s:%d: %s: phial requires %.*s\n", file, line, function,
          (int)v.requirement.n, v.requirement.at);
  abort();
}

#endif
