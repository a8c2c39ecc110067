/* site.c: a function under construction, with all that construction does. */
#include "site.h"

#include "spec.h"

#ifdef PH_HARD
enum { DEPTH = 3 }; /* each piece of memory is an allocation */
#else
enum { DEPTH = 100 }; /* so that there are some */
#endif
enum { VARS = 4, CASES = 3 };

typedef struct {
  ph_func *f;
  bool late;
  ph_var vars[VARS]; /* the last one is never written before the loops */
  ph_value n, cond;
  ph_block at, header[DEPTH], exit[DEPTH];
} site;

static ph_block block(site *s, const char *name) {
  return ph_block_new(s->f, spec_str(name), -1);
}

static void seal(site *s, ph_block b) {
  if (!s->late) ph_build_seal(s->f, b);
}

static ph_value add(site *s, ph_value a, ph_value b) {
  const ph_value args[] = {a, b};
  return ph_build_emit(s->f, s->at, PH_ADD, PH_I64, args, 2);
}

static ph_value read(site *s, uint32_t i) {
  return ph_build_read(s->f, s->vars[i], s->at);
}

static void write(site *s, uint32_t i, ph_value v) {
  ph_build_write(s->f, s->vars[i], s->at, v);
}

static void start(site *s) {
  static const char *const names[VARS] = {"a", "b", "c", "undefined"};
  ph_func *f = s->f;
  s->n = ph_value_newparam(f, spec_str("n"), PH_I64);
  s->cond = ph_value_newparam(f, spec_str("cond"), PH_I1);
  for (uint32_t i = 0; i < VARS; i++)
    s->vars[i] = ph_var_new(f, spec_str(names[i]), PH_I64);
  s->at = ph_block_entry(f);
  for (uint32_t i = 0; i + 1 < VARS; i++)
    write(s, i, ph_const_int(f, PH_I64, (int64_t)i));
}

/*
** {== Loops ==========================================================
*/

static void enter(site *s, uint32_t i) {
  ph_block inner = block(s, "inner");
  s->header[i] = block(s, "header");
  s->exit[i] = block(s, "exit");
  ph_build_jump(s->f, s->at, s->header[i]);
  s->at = s->header[i];
  for (uint32_t var = 0; var < VARS; var++) read(s, var);
  ph_build_branch(s->f, s->at, s->cond, inner, s->exit[i]);
  seal(s, inner);
  seal(s, s->exit[i]);
  s->at = inner;
}

static void leave(site *s, uint32_t i) {
  write(s, i % VARS, add(s, read(s, 0), ph_const_int(s->f, PH_I64, 100 + i)));
  ph_build_jump(s->f, s->at, s->header[i]);
  seal(s, s->header[i]);
  s->at = s->exit[i];
}

/* }== The innermost body ============================================= */

static void call(site *s) {
  const ph_value arg = read(s, VARS - 1);
  ph_value v = ph_build_call(s->f, s->at, PH_I64, spec_str("print"), &arg, 1);
  ph_value_setname(s->f, v, spec_str("called"));
  write(s, 1, v);
}

/* A switch with two edges to each case; the cases meet again. */
static void fork(site *s) {
  ph_value args[2 * CASES] = {s->n};
  ph_block cases[2 * CASES], join = block(s, "join");
  for (uint32_t i = 0; i < CASES; i++)
    cases[i] = cases[i + CASES] = block(s, "");
  for (uint32_t i = 1; i < 2 * CASES; i++)
    args[i] = ph_const_int(s->f, PH_I64, (int64_t)i);
  ph_build_fill(s->f, s->at, PH_SWITCH, args, 2 * CASES, cases, 2 * CASES);
  for (uint32_t i = 0; i < CASES; i++) {
    s->at = cases[i];
    seal(s, s->at);
    write(s, 2, add(s, s->n, args[i]));
    ph_build_jump(s->f, s->at, join);
  }
  s->at = join;
  ph_build_seal(s->f, join);
}

static void phi_by_hand(site *s) {
  const ph_value args[CASES] = {s->n, ph_const_int(s->f, PH_I64, 7),
                                ph_const_undef(s->f, PH_I64)};
  ph_value phi = ph_build_phi(s->f, s->at, PH_I64, args, CASES);
  write(s, 0, add(s, phi, read(s, 2)));
}

/* A loop with two entries: its phis are redundant. */
static void two_entries(site *s) {
  ph_block left = block(s, "left"), right = block(s, "right");
  ph_block after = block(s, "after");
  ph_build_branch(s->f, s->at, s->cond, left, right);
  s->at = left;
  read(s, 1);
  ph_build_jump(s->f, left, right);
  ph_build_branch(s->f, right, s->cond, left, after);
  ph_build_seal(s->f, right);
  ph_build_seal(s->f, left);
  ph_build_seal(s->f, after);
  s->at = after;
}

/* A loop that nothing leads to, and that leads back. */
static void island(site *s) {
  ph_block b = block(s, "island");
  ph_build_branch(s->f, b, s->cond, b, s->header[0]);
  seal(s, b);
}

static void dead_code(site *s) {
  ph_block dead = ph_block_new(s->f, spec_str("dead"), 0);
  ph_value one = ph_const_int(s->f, PH_I64, 1);
  ph_value read = ph_build_read(s->f, s->vars[0], dead);
  const ph_value args[] = {read, one};
  ph_build_emit(s->f, dead, PH_MUL, PH_I64, args, 2);
  ph_build_jump(s->f, dead, s->header[0]);
}

/* }== Together ======================================================= */

static void be_somewhere(ph_func *f) {
  ph_srcloc p = {ph_intern_add(f, spec_str("source.x")), 10, 2, 10, 8};
  ph_srcloc_sethost(f, p, true);
  ph_srcloc_set(f, p);
}

static void build(ph_func *f, bool late) {
  site s = {.f = f, .late = late};
  be_somewhere(f);
  start(&s);
  for (uint32_t i = 0; i < DEPTH; i++) enter(&s, i);
  call(&s);
  fork(&s);
  phi_by_hand(&s);
  two_entries(&s);
  island(&s);
  dead_code(&s);
  ph_uses_count(f, s.n);
  for (uint32_t i = DEPTH; i-- > 0;) leave(&s, i);
  ph_undef_reads_count(f);
  ph_build_ret(f, s.at, read(&s, 0));
}

void site_build(ph_func *f, const ph_options *options, bool late) {
  ph_func_init(f, spec_str("site"), PH_I64, options);
  build(f, late);
}

void site_simplify(ph_func *f, const ph_options *options, bool late,
                   ph_ruleset *set) {
  ph_func_init(f, spec_str("site"), PH_I64, options);
  ph_peephole_enable(f, set, false);
  build(f, late);
}

static void define_all(ph_func *f) {
  ph_var var = ph_build_undefvar(f);
  for (; ph_some(var); var = ph_build_undefvar(f))
    ph_build_define(f, var, ph_const_int(f, PH_I64, -1));
}

static void add_block(ph_func *f) {
  ph_block more = ph_block_new(f, spec_str("more"), 0);
  ph_var var = ph_var_new(f, spec_str("late"), PH_I64);
  ph_build_write(f, var, more, ph_const_int(f, PH_I64, 77));
  ph_build_ret(f, more, ph_build_read(f, var, more));
}

void site_finish(ph_func *f) {
  ph_finish_sealall(f);
  define_all(f);
  ph_finish_run(f);
  ph_finish_reopen(f);
  add_block(f);
  ph_finish_run(f);
}

/* }=================================================================== */
