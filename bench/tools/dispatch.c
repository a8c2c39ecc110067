/* dispatch.c: leaves typed traces to a program of their own.
**
** What bench/replay counts is compared over time, and depends on what the
** compiler inlines: the less, the more often and the more generally a function
** of phial is called.  So it has neither rules nor other instructions.
*/
#define _POSIX_C_SOURCE 200809L

#include "dispatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* True if the first line says the type of a result, as in typed traces. */
static bool is_typed(const char *path) {
  char c[512] = "";
  int spaces = 0;
  FILE *file = fopen(path, "r");
  if (file == NULL) return false; /* trace_load says why */
  if (fgets(c, sizeof c, file) != NULL)
    for (const char *at = c; *at != '\0'; at++) spaces += *at == ' ';
  fclose(file);
  return spaces > 3;
}

/* Runs the program whose name is this one's and "_typed". */
static _Noreturn void run_other(char **argv) {
  char path[4096];
  snprintf(path, sizeof path, "%s_typed", argv[0]);
  argv[0] = path;
  execv(path, argv);
  perror(path);
  exit(EXIT_FAILURE);
}

void dispatch_typed(const options *o, char **argv) {
  if (o->rules || is_typed(o->file)) run_other(argv);
}
