/* measure.c: time and memory of a replay.
**
** Processor time, not time of day: the machine may be shared.  The peak of
** resident memory is the kernel's (VmHWM); writing 5 to clear_refs resets it to
** what is resident then, so that reading the trace does not count.
*/
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double measure_time(void) { return (double)clock() * (1e9 / CLOCKS_PER_SEC); }

static long status(const char *key) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  long kb = -1;
  if (file == NULL) return kb;
  while (kb < 0 && fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, key, strlen(key)) == 0)
      kb = strtol(line + strlen(key), NULL, 10);
  fclose(file);
  return kb;
}

long measure_base(void) {
  FILE *file = fopen("/proc/self/clear_refs", "w");
  if (file != NULL) {
    fputs("5", file);
    fclose(file);
  }
  return status("VmRSS:");
}

long measure_peak(void) { return status("VmHWM:"); }

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double measure_best(double *a, int n) {
  qsort(a, (size_t)n, sizeof *a, compare);
  return a[0];
}

double measure_median(double *a, int n) {
  qsort(a, (size_t)n, sizeof *a, compare);
  return (a[(n - 1) / 2] + a[n / 2]) / 2;
}
