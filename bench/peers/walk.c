/* walk.c: the lower bound: a loop over the events with one array access each.
**
** usage: walk FILE.sst [repeats]
*/
#include "../tools/measure.h"
#include "../tools/trace.h"

#include <stdio.h>
#include <stdlib.h>

static uint32_t walk(const int32_t *c, uint32_t *vars, uint32_t latest) {
  for (;;) {
    switch (*c) {
      case TRACE_READ:
        latest = vars[c[1]];
        break;
      case TRACE_WRITE:
        vars[c[1]] = ++latest;
        break;
      case TRACE_MOVE:
        vars[c[1]] = latest;
        break;
      case TRACE_USE:
        vars[0] ^= latest;
        break;
      case TRACE_END:
        return latest;
      default:
        break;
    }
    c += trace_width(c);
  }
}

int main(int argc, char **argv) {
  int repeats = argc > 2 ? atoi(argv[2]) : 3;
  if (argc < 2 || repeats < 1) {
    fputs("usage: walk FILE.sst [repeats]\n", stderr);
    return 2;
  }
  trace t = trace_load(argv[1], NULL);
  uint32_t *vars = (uint32_t *)calloc(t.maxvars + 1, sizeof *vars);
  double *times = (double *)calloc((size_t)repeats, sizeof *times);
  uint32_t latest = 0;
  if (vars == NULL || times == NULL) return EXIT_FAILURE;
  for (int k = 0; k < repeats; k++) {
    double start = measure_time();
    for (size_t i = 0; i < t.nfuncs; i++)
      latest = walk(t.code + t.funcs[i].start, vars, latest);
    times[k] = (measure_time() - start) / (double)t.events;
  }
  printf("{\"system\":\"walk\",\"events\":%zu,\"ns_per_event\":%.2f,"
         "\"ns_per_event_median\":%.2f,\"latest\":%u}\n",
         t.events, measure_best(times, repeats), measure_median(times, repeats),
         (unsigned)latest);
  free(times);
  free(vars);
  trace_free(&t);
  return EXIT_SUCCESS;
}
