/* calc.c: a calculator language, made native.
**
** Values are 64-bit integers; a variable is 0 until it is written.  What is
** parsed is emitted at once.  Writes the functions of standard input as a
** module, which the command `phial` runs, or emits as C or LLVM IR.
*/
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "phial.h"

static const char *at; /* what has not been read yet */
static ph_func *functions[100], *f;
static ph_block here; /* where code is emitted */

static ph_str peek_word(void) {
  ph_str w;
  while (isspace((unsigned char)*at)) at++;
  w = (ph_str){at, 0};
  while (isalnum((unsigned char)at[w.n])) w.n++;
  return w;
}

static bool accept(const char *token) {
  ph_str w = peek_word();
  size_t n = strlen(token);
  if (strncmp(at, token, n) != 0 || (w.n > 0 && w.n != n)) return false;
  at += n;
  return true;
}

static void expect(const char *token) {
  if (accept(token)) return;
  fprintf(stderr, "calc: '%s' expected at '%.20s'\n", token, at);
  exit(EXIT_FAILURE);
}

static ph_str name(void) {
  ph_str w = peek_word();
  if (!isalpha((unsigned char)*at)) expect("a name");
  at += w.n;
  return w;
}

static ph_var variable(ph_str w) {
  for (uint32_t i = 1; i <= ph_var_count(f); i++) {
    ph_str known = ph_var_name(f, (ph_var){i});
    if (known.n == w.n && memcmp(known.at, w.at, w.n) == 0) return (ph_var){i};
  }
  return ph_var_new(f, w, PH_I64);
}

static ph_value number(int64_t i) { return ph_const_int(f, PH_I64, i); }

static ph_value literal(void) {
  char *end;
  int64_t i = strtoll(at, &end, 10);
  at = end;
  return number(i);
}

static ph_value binary(ph_op op, ph_type type, ph_value x, ph_value y) {
  const ph_value args[] = {x, y};
  return ph_build_emit(f, here, op, type, args, 2);
}

/* Some path without a definition leads to what was read. */
static void define(void) {
  ph_var x;
  while (ph_some(x = ph_build_undefvar(f))) ph_build_define(f, x, number(0));
}

static ph_value expression(int least);

static ph_value call(ph_str callee) {
  ph_value args[20];
  uint32_t n = 0;
  while (!accept(")")) {
    if (n > 0) expect(n < 20 ? "," : ")");
    args[n++] = expression(0);
  }
  return ph_build_call(f, here, PH_I64, callee, args, n);
}

static ph_value operand(void) {
  ph_str w;
  ph_value v;
  if (accept("(")) {
    v = expression(0);
    expect(")");
    return v;
  }
  if (isdigit((unsigned char)*at)) return literal();
  w = name();
  if (accept("(")) return call(w);
  v = ph_build_read(f, variable(w), here);
  define();
  return v;
}

static const struct {
  const char *token;
  int level;
  ph_op op;
} operators[] = {{"==", 0, PH_EQ},  {"<", 0, PH_SLT},  {"+", 1, PH_ADD},
                 {"-", 1, PH_SUB},  {"*", 2, PH_MUL},  {"/", 2, PH_SDIV},
                 {"%", 2, PH_SREM}, {NULL, 0, PH_NONE}};

static ph_value expression(int least) {
  ph_value v = operand();
  for (int i = 0; operators[i].token != NULL; i++) {
    int level = operators[i].level;
    if (level < least || !accept(operators[i].token)) continue;
    v = binary(operators[i].op, level == 0 ? PH_I1 : PH_I64, v,
               expression(level + 1));
    if (level == 0) v = ph_build_emit(f, here, PH_ZEXT, PH_I64, &v, 1);
    i = -1; /* the next operator may be any again */
  }
  return v;
}

static void statement(void);

static void loop(void) {
  ph_block head = ph_block_new(f, PH_STR("head"), -1); /* sealed below */
  ph_block body = ph_block_new(f, PH_STR("body"), 1);
  ph_block done = ph_block_new(f, PH_STR("done"), 1);
  ph_build_jump(f, here, head);
  here = head;
  ph_build_branch(f, here, binary(PH_NE, PH_I1, expression(0), number(0)), body,
                  done);
  here = body;
  expect("{");
  while (!accept("}")) statement();
  ph_build_jump(f, here, head);
  ph_build_seal(f, head);
  define();
  here = done;
}

static void statement(void) {
  ph_str w;
  if (accept("while")) {
    loop();
    return;
  }
  if (accept("return")) {
    ph_build_ret(f, here, expression(0));
    here = ph_block_new(f, PH_STR("dead"), 0);
  } else {
    w = name();
    if (accept("("))
      call(w);
    else {
      expect("=");
      ph_build_write(f, variable(w), here, expression(0));
    }
  }
  expect(";");
}

static ph_func *function(void) {
  const ph_options options = {.undefs = PH_UNDEF_ASK};
  expect("fn");
  f = ph_func_new(&ph_mem_libc, name(), PH_I64, &options);
  here = ph_block_entry(f);
  expect("(");
  while (!accept(")")) {
    ph_str w = name();
    ph_build_write(f, variable(w), here, ph_value_newparam(f, w, PH_I64));
    accept(",");
  }
  expect("{");
  while (!accept("}")) statement();
  ph_build_ret(f, here, number(0));
  ph_finish_run(f);
  return f;
}

int main(void) {
  static char source[1 << 16];
  uint32_t n = 0;
  ph_strbuf out = {.mem = &ph_mem_libc};
  source[fread(source, 1, sizeof source - 1, stdin)] = '\0';
  at = source;
  while (peek_word(), *at != '\0' && n < 100) functions[n++] = function();
  ph_print_module(&out, PH_STR("calc"), functions, n, PH_IDS_OWN);
  fwrite(out.at, 1, out.n, stdout);
  ph_strbuf_done(&out);
  while (n > 0) ph_func_free(functions[--n]);
  return EXIT_SUCCESS;
}
