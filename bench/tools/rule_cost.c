/* rule_cost.c: the cost of rules per emitted instruction.
**
** Fills one block with random binary instructions on i64, with operands among
** the latest values: the worst case for branch prediction.  All columns emit
** the same stream, in turns; the best round counts.  Then measures the time to
** the next emitted instruction after a rule was added.
**
** usage: rule_cost [instructions [rounds]]
*/
#include "measure.h"
#include "phial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMS = 16, LATEST = 256, MOST_ROUNDS = 100 };

static uint64_t seed;

static uint32_t draw(uint32_t n) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (uint32_t)(seed >> 33) % n;
}

static const struct {
  ph_op op;
  const char *name;
} ops[] = {{PH_ADD, "add"},   {PH_SUB, "sub"}, {PH_MUL, "mul"},
           {PH_BAND, "band"}, {PH_BOR, "bor"}, {PH_BXOR, "bxor"},
           {PH_SHL, "shl"},   {PH_SHR, "shr"}};
enum { OPS = 8 };

/*
** {== Sets ===========================================================
*/

static ph_str str(const char *s) { return (ph_str){s, strlen(s)}; }

static void add_text(ph_ruleset *set, ph_str text) {
  ph_strbuf why = {&ph_mem_libc, NULL, 0, 0};
  if (!ph_ruleset_load(set, str("bench"), text, NULL, &why)) {
    fprintf(stderr, "%.*s\n", (int)why.n, why.at);
    exit(1);
  }
}

static void add_standard(ph_ruleset *set) {
  ph_strbuf text = {&ph_mem_libc, NULL, 0, 0};
  ph_ruleset_builtin(&text);
  add_text(set, (ph_str){text.at, text.n});
  ph_strbuf_done(&text);
}

/* Each op of the stream has a rule, and no instruction of it a candidate. */
static void add_elsewhere(ph_ruleset *set) {
  char text[80];
  for (int i = 0; i < OPS; i++) {
    snprintf(text, sizeof text, "%s(-(-x), y) => %s(x, y)", ops[i].name,
             ops[i].name);
    add_text(set, str(text));
  }
}

/* x, y, z, or one of the others: a constant. */
static const char *leaf(uint32_t n) {
  static const char *const leaves[] = {"x", "y", "z", "C", "7", "100"};
  return leaves[draw(n)];
}

static const char *any_op(void) { return ops[draw(OPS)].name; }

/* A pattern two levels deep that asks for equal operands or a literal, as
** instructions of the stream hardly ever have them. */
static void add_deep(ph_ruleset *set) {
  const char *a = leaf(6), *b = leaf(3), *c = leaf(6);
  bool rare = *a == 'x' || *b == 'x' || *c == 'x' || *a == '7' || *c == '1';
  char text[120];
  if (draw(2) == 0)
    snprintf(text, sizeof text, "%s(%s(x, %s), %s(%s, %s)) => x", any_op(),
             any_op(), a, any_op(), rare ? b : "x", c);
  else
    snprintf(text, sizeof text, "%s(%s(x, %s), %s) => x", any_op(), any_op(), a,
             *a == 'x' || *a == '7' ? c : "x");
  add_text(set, str(text));
}

/* }== Emitting ======================================================= */

typedef struct {
  const char *name;
  bool simplifies;
  ph_ruleset *set;
  double ns[MOST_ROUNDS], best;
  double applied; /* per emitted instruction */
} column;

static ph_value operand(ph_func *f, const ph_value *latest, int constants) {
  if ((int)draw(100) < constants)
    return ph_const_int(f, PH_I64, (int64_t)draw(64) - 8);
  return latest[draw(LATEST)];
}

static void emit(ph_func *f, uint32_t n, int constants) {
  ph_value latest[LATEST];
  ph_block b = ph_block_entry(f);
  for (uint32_t i = 0; i < LATEST; i++)
    latest[i] = ph_value_param(f, i % PARAMS);
  for (uint32_t i = 0; i < n; i++) {
    ph_op op = ops[draw(OPS)].op;
    ph_value args[2];
    args[0] = operand(f, latest, 0);
    args[1] = operand(f, latest, constants);
    latest[draw(LATEST)] = ph_build_emit(f, b, op, PH_I64, args, 2);
  }
}

static ph_func *start(const column *c) {
  const ph_options options = {0};
  ph_func *f = ph_func_new(&ph_mem_libc, str("f"), PH_NOTYPE, &options);
  for (int i = 0; i < PARAMS; i++) ph_value_newparam(f, str(""), PH_I64);
  if (c->simplifies) ph_peephole_enable(f, c->set, false);
  return f;
}

static double measure(column *c, uint32_t n, int constants) {
  ph_func *f = start(c);
  double before;
  seed = UINT64_C(88172645463325252);
  before = measure_time();
  emit(f, n, constants);
  before = (measure_time() - before) / n;
  c->applied = (double)ph_func_stats(f).emitting.applied / n;
  ph_func_free(f);
  return before;
}

static void run(column *columns, int ncolumns, uint32_t n, int rounds,
                int constants) {
  for (int i = 0; i < rounds; i++)
    for (int k = 0; k < ncolumns; k++)
      columns[k].ns[i] = measure(&columns[k], n, constants);
  for (int k = 0; k < ncolumns; k++)
    columns[k].best = measure_best(columns[k].ns, rounds);
}

static void print(const column *columns, int ncolumns, int constants) {
  printf("| %d %% constants | ns | beyond fold+CSE | rules applied |\n",
         constants);
  printf("|---|---|---|---|\n");
  for (int k = 0; k < ncolumns; k++)
    printf("| %s | %.1f | %+.1f | %.1f %% |\n", columns[k].name,
           columns[k].best, columns[k].best - columns[1].best,
           columns[k].applied * 100);
  printf("\n");
}

/* }== After adding a rule ============================================ */

/* Until an instruction of the changed root is emitted, in microseconds. */
static double recompile(ph_ruleset *set) {
  column c = {.simplifies = true, .set = set};
  double best = 1e9;
  for (int i = 0; i < 10; i++) {
    ph_func *f = start(&c);
    ph_value args[2];
    double before;
    args[0] = ph_value_param(f, 0);
    args[1] = ph_value_param(f, 1);
    ph_build_emit(f, ph_block_entry(f), PH_ADD, PH_I64, args, 2);
    add_text(set, str("(-x) + (-(-y)) => y - x"));
    before = measure_time();
    for (int k = 0; k < OPS; k++)
      ph_build_emit(f, ph_block_entry(f), ops[k].op, PH_I64, args, 2);
    before = (measure_time() - before) / 1000;
    if (before < best) best = before;
    ph_func_free(f);
  }
  return best;
}

/* }=================================================================== */

int main(int argc, char **argv) {
  uint32_t n = argc > 1 ? (uint32_t)atoi(argv[1]) : 4000;
  int rounds = argc > 2 ? atoi(argv[2]) : 60;
  column columns[] = {{.name = "appended only"},
                      {.name = "fold+CSE", .simplifies = true},
                      {.name = "empty cells", .simplifies = true},
                      {.name = "\"int\"", .simplifies = true},
                      {.name = "\"int\" + 1,000", .simplifies = true}};
  if (rounds > MOST_ROUNDS) rounds = MOST_ROUNDS;
  for (int k = 2; k < 5; k++)
    columns[k].set = ph_ruleset_new(&ph_mem_libc, NULL);
  add_elsewhere(columns[2].set);
  add_standard(columns[3].set);
  add_standard(columns[4].set);
  seed = 4711;
  for (int i = 0; i < 1000; i++) add_deep(columns[4].set);
  for (int constants = 0; constants <= 30; constants += 30) {
    run(columns, 5, n, rounds, constants);
    print(columns, 5, constants);
  }
  printf("after a rule was added: %.0f us; with 1,000 further: %.0f us\n",
         recompile(columns[3].set), recompile(columns[4].set));
  for (int k = 2; k < 5; k++) ph_ruleset_free(columns[k].set);
  return 0;
}
