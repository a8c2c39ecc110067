/* replay.c: replays a trace through the C interface and measures it.
**
** The clock runs over whole passes, in which each function of the trace is
** made, its events are replayed, and it is finished and freed.  The trace is
** read and changed before.  The data on functions is collected in one more
** pass after the timed ones: neither time nor peak memory include it.
**
** All functions use one dialect: a pure op with two operands, an effect, a
** branch and a switch, on values of type any.
*/
#include "measure.h"
#include "options.h"
#include "phial.h"
#include "seal.h"
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* {== The dialect ==================================================== */

enum { OP2, USE, BR, SW };

static const ph_opspec ops[] = {
    {.name = "op2", .nargs = 2, .result = PH_ANY, .effect = PH_EFFECT_NONE},
    {.name = "use", .nargs = 1},
    {.name = "br", .nargs = 1, .ntargets = 2, .flags = PH_TERMINATOR},
    {.name = "sw", .nargs = 1, .ntargets = PH_VARIADIC, .flags = PH_TERMINATOR},
};

static const ph_dialect dialect = {.name = "trace", .ops = ops, .nops = 4};

/* }== Replaying one function ========================================= */

typedef struct {
  const trace *t;
  ph_options options;
  const options *given;
  ph_pool *pool;
  bool verified, left;        /* each function, as soon as it is finished */
  ph_block *blocks, *targets; /* of the function being replayed */
  ph_var *vars;
} replay;

/* The position in the function being replayed. */
typedef struct {
  ph_func *f;
  ph_op op; /* the first op of the dialect */
  ph_block block;
  ph_value opaque;
  ph_value latest, before; /* of the block; opaque until there are some */
} place;

static void push(place *p, ph_value v) {
  p->before = p->latest;
  p->latest = v;
}

static void open(place *p, ph_block b) {
  p->block = b;
  p->latest = p->before = p->opaque;
}

static inline void emit(place *p) {
  ph_value args[] = {p->before, p->latest};
  push(p, ph_build_emit(p->f, p->block, (ph_op)(p->op + OP2), PH_ANY, args, 2));
}

static inline void write(place *p, ph_var var) {
  emit(p);
  ph_build_write(p->f, var, p->block, p->latest);
}

static inline void move(place *p, ph_var var) {
  if (ph_same(p->latest, p->opaque))
    write(p, var);
  else
    ph_build_write(p->f, var, p->block, p->latest);
}

static inline void use(place *p) {
  ph_value arg = p->latest;
  ph_build_emit(p->f, p->block, (ph_op)(p->op + USE), PH_NOTYPE, &arg, 1);
}

/* Branches to the n blocks at `to`; returns the end of these. */
static inline const int32_t *branch(replay *r, place *p, int op,
                                    const int32_t *to, uint32_t n) {
  ph_value arg = p->latest;
  for (uint32_t i = 0; i < n; i++) r->targets[i] = r->blocks[to[i]];
  ph_build_fill(p->f, p->block, (ph_op)(p->op + op), &arg, 1, r->targets, n);
  return to + n;
}

static inline void seal(replay *r, place *p, int32_t b) {
  if (b != 0) ph_build_seal(p->f, r->blocks[b]); /* the entry is sealed */
}

/* Replays a terminator with operands at c; returns the end of these. */
static inline const int32_t *terminator(replay *r, place *p, int32_t kind,
                                        const int32_t *c) {
  if (kind == TRACE_JUMP) {
    ph_build_jump(p->f, p->block, r->blocks[*c++]);
    return c;
  }
  if (kind == TRACE_COND) return branch(r, p, BR, c, 2);
  if (kind == TRACE_SWITCH) return branch(r, p, SW, c + 1, (uint32_t)c[0]);
  ph_build_ret(p->f, p->block, p->latest);
  return c;
}

static void events(replay *r, place *p, const int32_t *c) {
  for (;;) {
    int32_t kind = *c++;
    switch (kind) {
      case TRACE_BLOCK:
        open(p, r->blocks[*c++]);
        break;
      case TRACE_READ:
        push(p, ph_build_read(p->f, r->vars[*c++], p->block));
        break;
      case TRACE_WRITE:
        write(p, r->vars[*c++]);
        break;
      case TRACE_MOVE:
        move(p, r->vars[*c++]);
        break;
      case TRACE_USE:
        use(p);
        break;
      case TRACE_SEAL:
        seal(r, p, *c++);
        break;
      case TRACE_EMIT:
        emit(p);
        break;
      case TRACE_END:
        return;
      default:
        c = terminator(r, p, kind, c);
    }
  }
}

/* Makes a function and replays its events; does not finish it. */
static ph_func *build(replay *r, const trace_func *tf) {
  const ph_str unnamed = {"", 0};
  ph_str name = {tf->name, strlen(tf->name)};
  place p = {.f = ph_func_new(ph_pool_mem(r->pool), name, PH_ANY, &r->options)};
  if (r->given->is_classic) ph_classical_start(p.f, r->given->classic);
  p.op = ph_op_attachdialect(p.f, &dialect);
  p.opaque = ph_const_any(p.f, (ph_data){.tag = PH_DATA_NIL});
  r->blocks[0] = ph_block_entry(p.f);
  for (uint32_t i = 1; i < tf->nblocks; i++)
    r->blocks[i] = ph_block_new(p.f, unnamed, -1);
  for (uint32_t i = 0; i < tf->nvars; i++)
    r->vars[i] = ph_var_new(p.f, unnamed, PH_ANY);
  events(r, &p, r->t->code + tf->start);
  return p.f;
}

static void fail(void *ud, ph_str problem) {
  const char *func = (const char *)ud;
  fprintf(stderr, "%s: %.*s\n", func, (int)problem.n, problem.at);
  exit(EXIT_FAILURE);
}

static ph_func *construct(replay *r, const trace_func *tf) {
  ph_func *f = build(r, tf);
  ph_finish_run(f);
  if (r->verified) ph_verify_func(f, fail, tf->name);
  if (r->left) ph_leave_new(f, true);
  return f;
}

/* }== Passes over the trace ========================================== */

static double timed(replay *r) {
  double start = measure_time();
  for (size_t i = 0; i < r->t->nfuncs; i++)
    ph_func_free(construct(r, &r->t->funcs[i]));
  return measure_time() - start;
}

typedef struct {
  unsigned long long phis, temporary_phis, values, blocks;
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

static survey look(replay *r, const options *o, FILE *list) {
  survey s = {0};
  for (size_t i = 0; i < r->t->nfuncs; i++) {
    ph_func *f = build(r, &r->t->funcs[i]);
    size_t before = ph_func_bytes(f);
    ph_finish_run(f);
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
    ph_func_free(f);
  }
  return s;
}

/* }== The report ===================================================== */

static void *array(size_t n, size_t size) {
  void *a = calloc(n + 1, size);
  if (a == NULL) {
    fputs("out of memory\n", stderr);
    exit(EXIT_FAILURE);
  }
  return a;
}

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

static void measure(replay *r, const options *o) {
  double *times = (double *)array((size_t)o->repeats, sizeof *times);
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

static trace prepared(const options *o) {
  trace t = trace_load(o->file);
  if (o->fresh_moves) trace_freshen(&t);
  if (o->seal == SEAL_END) seal_end(&t);
  if (o->seal == SEAL_RANDOM) seal_random(&t, o->seed);
  if (o->bare) trace_bare(&t);
  return t;
}

int main(int argc, char **argv) {
  options o = options_read(argc, argv);
  trace t = prepared(&o);
  FILE *list = list_of(&o);
  replay r = {.t = &t,
              .options = {.construction = o.construction},
              .given = &o,
              .verified = o.verified,
              .left = o.left};
  r.pool = ph_pool_new(&ph_mem_libc, SIZE_MAX);
  r.blocks = (ph_block *)array(t.maxblocks, sizeof *r.blocks);
  r.targets = (ph_block *)array(t.maxtargets, sizeof *r.targets);
  r.vars = (ph_var *)array(t.maxvars, sizeof *r.vars);
  putchar('{');
  measure(&r, &o);
  survey s = look(&r, &o, list);
  printf("\"phis\":%llu,\"temporary_phis\":%llu,\"values\":%llu,"
         "\"blocks\":%llu,\"bytes\":%llu,\"working_bytes\":%llu,"
         "\"moves\":%llu,\"coalesced\":%llu,\"problems\":%lu}\n",
         s.phis, s.temporary_phis, s.values, s.blocks, s.bytes, s.working_bytes,
         s.moves, s.coalesced, s.problems);
  if (list != NULL) fclose(list);
  ph_pool_free(r.pool);
  free(r.blocks);
  free(r.targets);
  free(r.vars);
  trace_free(&t);
  return s.problems == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* }=================================================================== */
