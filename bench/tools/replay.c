/* replay.c: replays a trace through the C interface and measures it.
**
** The clock runs over whole passes, in which each function of the trace is
** made, its events are replayed, and it is finished and freed.  The trace is
** read and changed before.  The data on functions is collected in one more
** pass after the timed ones: neither time nor peak memory include it.
*/
#include "measure.h"
#include "options.h"
#include "phial.h"
#include "player.h"
#include "seal.h"
#include "structured.h"
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* {== Passes over the trace ========================================== */

static void fail(void *ud, ph_str problem) {
  const char *func = (const char *)ud;
  fprintf(stderr, "%s: %.*s\n", func, (int)problem.n, problem.at);
  exit(EXIT_FAILURE);
}

static ph_func *construct(player *r, const trace_func *tf) {
  ph_func *f = player_build(r, tf);
  player_finish(r, f);
  if (r->given->verified) ph_verify_func(f, fail, tf->name);
  if (r->given->left) ph_leave_new(f, true);
  return f;
}

static double timed(player *r) {
  double start = measure_time();
  for (size_t i = 0; i < r->t->nfuncs; i++)
    ph_func_free(construct(r, &r->t->funcs[i]));
  return measure_time() - start;
}

typedef struct {
  unsigned long long phis, temporary_phis, values, blocks;
  unsigned long long nodes, node_phis; /* without dead code */
  unsigned long long bytes;            /* of finished functions */
  unsigned long long working_bytes;    /* freed by finishing */
  unsigned long long moves, coalesced; /* left without and with coalescing */
  unsigned long problems;
} survey;

typedef struct {
  survey *s;
  const char *func;
} complaint;

static void complain(void *ud, ph_str problem) {
  complaint *c = (complaint *)ud;
  c->s->problems++;
  fprintf(stderr, "%s: %.*s\n", c->func, (int)problem.n, problem.at);
}

static void complain_of(complaint *c, const char *problem) {
  complain(c, (ph_str){problem, strlen(problem)});
}

static uint32_t count_phis(const ph_func *f) {
  uint32_t n = 0;
  for (ph_block b = ph_block_next(f, (ph_block){0}); ph_some(b);
       b = ph_block_next(f, b))
    for (ph_value v = ph_block_nextphi(f, b, (ph_value){0}); ph_some(v);
         v = ph_block_nextphi(f, b, v))
      n++;
  return n;
}

static void verify(survey *s, ph_func *f, const char *name, uint32_t phis) {
  complaint c = {s, name};
  ph_verify_func(f, complain, &c);
  if (ph_some(ph_redundant_phi_find(f))) complain_of(&c, "has redundant phis");
  if (ph_some(ph_dead_phi_find(f)))
    complain_of(&c, "has phis that nothing needs");
  if (ph_func_stats(f).phis != phis) complain_of(&c, "counts its phis wrong");
  ph_func_freeanalyses(f);
}

static void count_moves(survey *s, ph_func *f) {
  s->moves += ph_leave_total(ph_leave_new(f, false));
  s->coalesced += ph_leave_total(ph_leave_new(f, true));
  ph_func_freeanalyses(f);
}

/* Removes dead code, as Table 3 of the paper has none, and counts the rest. */
static void count_nodes(survey *s, ph_func *f) {
  ph_stats stats;
  ph_dce_run(f);
  ph_redundant_phi_remove(f);
  stats = ph_func_stats(f);
  s->nodes += stats.values;
  s->node_phis += stats.phis;
}

static survey look(player *r, const options *o, FILE *list) {
  survey s = {0};
  for (size_t i = 0; i < r->t->nfuncs; i++) {
    ph_func *f = player_build(r, &r->t->funcs[i]);
    size_t before = ph_func_bytes(f);
    player_finish(r, f);
    ph_stats stats = ph_func_stats(f);
    uint32_t phis = count_phis(f);
    s.phis += phis;
    s.temporary_phis += stats.temporary_phis;
    s.values += stats.values;
    s.blocks += stats.blocks;
    s.bytes += ph_func_bytes(f);
    s.working_bytes += before - ph_func_bytes(f);
    if (list != NULL) fprintf(list, "%zu %u\n", i, (unsigned)phis);
    if (o->left) count_moves(&s, f);
    if (o->verify) verify(&s, f, r->t->funcs[i].name, phis);
    count_nodes(&s, f);
    ph_func_free(f);
  }
  return s;
}

/* }== The report ===================================================== */

static void put_string(const char *key, const char *s) {
  printf("\"%s\":\"", key);
  for (; *s != '\0'; s++) {
    if (*s == '"' || *s == '\\') putchar('\\');
    putchar(*s);
  }
  fputs("\",", stdout);
}

static void put_options(const options *o) {
  put_string("system", "phial C");
  put_string("file", o->file);
  put_string("construction", o->construction_name);
  put_string("seal", o->seal_name);
  printf("\"fresh_moves\":%s,\"repeats\":%d,",
         o->fresh_moves ? "true" : "false", o->repeats);
}

static FILE *list_of(const options *o) {
  FILE *list = o->phis != NULL ? fopen(o->phis, "w") : NULL;
  if (list == NULL && o->phis != NULL) {
    perror(o->phis);
    exit(EXIT_FAILURE);
  }
  return list;
}

static void measure(player *r, const options *o) {
  double *times = (double *)player_array((size_t)o->repeats, sizeof *times);
  double events = (double)r->t->events;
  put_options(o);
  long base = measure_base();
  for (int k = 0; k < o->repeats; k++) times[k] = timed(r) / events;
  printf("\"functions\":%zu,\"events\":%zu,\"ns_per_event\":%.2f,"
         "\"ns_per_event_median\":%.2f,\"peak_rss_kb\":%ld,"
         "\"trace_rss_kb\":%ld,",
         r->t->nfuncs, r->t->events, measure_best(times, o->repeats),
         measure_median(times, o->repeats), measure_peak(), base);
  free(times);
}

static trace prepared(const options *o, char **argv) {
  trace t = player_load(o, argv);
  if (o->structured) structured_keep(&t);
  if (t.nfuncs == 0) {
    fprintf(stderr, "%s: no function%s\n", o->file,
            o->structured ? " with structured control flow" : "");
    exit(EXIT_FAILURE);
  }
  if (o->fresh_moves) trace_freshen(&t);
  if (o->seal == SEAL_END) seal_end(&t);
  if (o->seal == SEAL_RANDOM) seal_random(&t, o->seed);
  if (o->bare) trace_bare(&t);
  return t;
}

static void put_survey(const survey *s) {
  printf("\"phis\":%llu,\"temporary_phis\":%llu,\"values\":%llu,"
         "\"nodes\":%llu,\"node_phis\":%llu,"
         "\"blocks\":%llu,\"bytes\":%llu,\"working_bytes\":%llu,"
         "\"moves\":%llu,\"coalesced\":%llu,\"problems\":%lu}\n",
         s->phis, s->temporary_phis, s->values, s->nodes, s->node_phis,
         s->blocks, s->bytes, s->working_bytes, s->moves, s->coalesced,
         s->problems);
}

int main(int argc, char **argv) {
  options o = options_read(argc, argv);
  trace t = prepared(&o, argv);
  FILE *list = list_of(&o);
  player r = player_new(&t, &o);
  putchar('{');
  measure(&r, &o);
  survey s = look(&r, &o, list);
  put_survey(&s);
  if (list != NULL) fclose(list);
  player_done(&r);
  trace_free(&t);
  return s.problems == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* }=================================================================== */
