/* assume.c: definitions that a host tells of blocks that are filled already.
**
** A diamond: the variable x gets a value in each of its arms, or in one of
** them only, after all blocks were made.  After it x is a phi of these,
** whatever has been read before and tells ways apart that do not write.
*/
#include "spec.h"

typedef struct {
  ph_func f;
  ph_var x, y, z;
  ph_value cond, a, b;
  ph_block entry, yes, no, join;
} diamond;

static void start(diamond *d) {
  ph_func_blank(&d->f, &ph_mem_libc);
  ph_func_init(&d->f, spec_str("diamond"), PH_ANY, NULL);
  d->x = ph_var_new(&d->f, spec_str("x"), PH_ANY);
  d->y = ph_var_new(&d->f, spec_str("y"), PH_ANY);
  d->z = ph_var_new(&d->f, spec_str("z"), PH_ANY);
  d->cond = ph_value_newparam(&d->f, spec_str("cond"), PH_I1);
  d->a = ph_value_newparam(&d->f, spec_str("a"), PH_ANY);
  d->b = ph_value_newparam(&d->f, spec_str("b"), PH_ANY);
  d->entry = ph_block_entry(&d->f);
  d->yes = ph_block_new(&d->f, spec_str("yes"), -1);
  d->no = ph_block_new(&d->f, spec_str("no"), -1);
  d->join = ph_block_new(&d->f, spec_str("join"), -1);
}

static void fill(diamond *d) {
  ph_build_branch(&d->f, d->entry, d->cond, d->yes, d->no);
  ph_build_seal(&d->f, d->yes);
  ph_build_seal(&d->f, d->no);
  ph_build_jump(&d->f, d->yes, d->join);
  ph_build_jump(&d->f, d->no, d->join);
  ph_build_seal(&d->f, d->join);
  ph_build_ret(&d->f, d->join, d->a);
}

static void again(diamond *d) {
  start(d);
  fill(d);
  ph_finish_run(&d->f);
  ph_finish_reopen(&d->f);
}

static void assume_both(diamond *d) {
  ph_build_assume(&d->f, d->x, d->yes, d->a);
  ph_build_assume(&d->f, d->x, d->no, d->b);
}

static void alone(diamond *d) {
  again(d);
  assume_both(d);
}

/* The reads find that no way to the join writes anything. */
static void after_reads(diamond *d) {
  again(d);
  ph_build_assume(&d->f, d->y, d->entry, d->a);
  ph_build_assume(&d->f, d->z, d->entry, d->b);
  ph_build_read(&d->f, d->y, d->join);
  ph_build_read(&d->f, d->z, d->join);
  assume_both(d);
}

static void before_finish(diamond *d) {
  start(d);
  fill(d);
  assume_both(d);
}

static void in_one_arm(diamond *d) {
  start(d);
  ph_build_write(&d->f, d->x, d->entry, d->a);
  fill(d);
  ph_build_assume(&d->f, d->x, d->yes, d->b);
}

static int try(const char *name, void (*how)(diamond *d)) {
  diamond d;
  ph_value v;
  int failed;
  how(&d);
  v = ph_build_read(&d.f, d.x, d.join);
  failed = spec_case(
      name, ph_value_op(&d.f, v) == PH_PHI && ph_value_nargs(&d.f, v) == 2,
      "no phi of both");
  ph_func_done(&d.f);
  return failed;
}

int spec_assume(void) {
  return try("after_reopening", alone) + try("after_other_reads", after_reads) +
         try("before_it_is_finished", before_finish) +
         try("in_one_arm", in_one_arm);
}
