/* figure2.c: the paper's Figure 2, built without Lua.
**
**   x = first();
**   while (more()) {
**     if (odd()) x = next();
**   }
**   use(x);
**
** The exit is translated before the loop's body: the header is not sealed yet,
** because its edge from the body is still missing, so the read of x returns a
** phi without operands.  Sealing the header completes that phi, and finds that
** the body needs a phi as well.  Prints the function; fails unless x has
** exactly these two phis.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "phial.h"

typedef struct {
  ph_block header, body, then, join, exit;
} blocks;

static ph_str text(const char *s) { return (ph_str){s, strlen(s)}; }

/* A call of a function by name; `arg` may be none. */
static ph_value call(ph_func *f, ph_block b, const char *callee, ph_type type,
                     ph_value arg) {
  ph_data name = {ph_intern_add(f, text(callee)), PH_DATA_STR};
  return ph_build_emitdata(f, b, PH_CALL, type, &arg, ph_some(arg), name);
}

static ph_block block(ph_func *f, const char *name) {
  return ph_block_new(f, text(name), -1);
}

/* while (more()) ...; use(x); */
static void loop(ph_func *f, const blocks *b, ph_var x) {
  ph_value none = {0};
  ph_value more = call(f, b->header, "more", PH_I1, none);
  ph_build_branch(f, b->header, more, b->body, b->exit);
  ph_build_seal(f, b->body);
  ph_build_seal(f, b->exit);
  call(f, b->exit, "use", PH_NOTYPE, ph_build_read(f, x, b->exit));
  ph_build_ret(f, b->exit, none);
}

/* if (odd()) x = next(); */
static void body(ph_func *f, const blocks *b, ph_var x) {
  ph_value none = {0};
  ph_value odd = call(f, b->body, "odd", PH_I1, none);
  ph_build_branch(f, b->body, odd, b->then, b->join);
  ph_build_seal(f, b->then);
  ph_build_write(f, x, b->then, call(f, b->then, "next", PH_I64, none));
  ph_build_jump(f, b->then, b->join);
  ph_build_seal(f, b->join);
  ph_build_jump(f, b->join, b->header);
}

static blocks build(ph_func *f) {
  ph_value none = {0};
  ph_var x = ph_var_new(f, text("x"), PH_I64);
  ph_block entry = ph_block_entry(f);
  blocks b;
  b.header = block(f, "header");
  b.body = block(f, "body");
  b.then = block(f, "then");
  b.join = block(f, "join");
  b.exit = block(f, "exit");

  ph_build_write(f, x, entry, call(f, entry, "first", PH_I64, none));
  ph_build_jump(f, entry, b.header);
  loop(f, &b, x);
  body(f, &b, x);
  ph_build_seal(f, b.header); /* not before the edge from the body */
  ph_finish_run(f);           /* only callbacks of rules could make it fail */
  return b;
}

static void print(ph_func *f) {
  ph_strbuf out = {.mem = &ph_mem_libc};
  ph_print_func(&out, f, PH_IDS_OWN);
  fwrite(out.at, 1, out.n, stdout);
  ph_strbuf_done(&out);
}

static void complain(void *ud, ph_str problem) {
  (void)ud;
  fprintf(stderr, "%.*s\n", (int)problem.n, problem.at);
}

/* The only phi of b, or none. */
static ph_value only_phi(const ph_func *f, ph_block b) {
  ph_value none = {0};
  ph_value phi = ph_block_nextphi(f, b, none);
  return ph_some(phi) && ph_some(ph_block_nextphi(f, b, phi)) ? none : phi;
}

/* header: phi(first, join's phi); join: phi(header's phi, next). */
static bool as_in_the_paper(ph_func *f, const blocks *b) {
  ph_value outer = only_phi(f, b->header), inner = only_phi(f, b->join);
  return ph_func_stats(f).phis == 2 && ph_some(outer) && ph_some(inner) &&
         ph_same(ph_value_arg(f, outer, 1), inner) &&
         ph_same(ph_value_arg(f, inner, 0), outer) &&
         !ph_some(ph_redundant_phi_find(f)) && !ph_some(ph_dead_phi_find(f));
}

int main(void) {
  ph_func *f = ph_func_new(&ph_mem_libc, text("figure2"), PH_NOTYPE, NULL);
  blocks b = build(f);
  bool good = ph_verify_func(f, complain, NULL) == 0 && as_in_the_paper(f, &b);
  print(f);
  if (!good) fputs("not the paper's Figure 2\n", stderr);
  ph_func_free(f);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
