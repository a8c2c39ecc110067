/* edit.c: edits of a finished function, each kind of them. */
#include "site.h"

#include "spec.h"

enum { MOST = 64 };

/* What all phis of b are along a new edge: undef. */
static uint32_t undefined(ph_func *f, ph_block b, ph_incoming *in) {
  uint32_t n = 0;
  PH_EACH_PHI(f, b.id, phi) {
    in[n].phi = ph_valueid(phi);
    in[n++].value = ph_const_undef(f, ph_node_of(f, phi)->type);
  }
  return n;
}

static void split_edges(ph_func *f) {
  uint32_t n = ph_block_count(f);
  for (uint32_t b = 1; b <= n; b++) {
    ph_block from = ph_blockid(b);
    if (ph_block_isremoved(f, from) || ph_block_nsuccs(f, from) == 0) continue;
    ph_edge_split(f, from, ph_block_succ(f, from, ph_block_nsuccs(f, from) - 1),
                  0, spec_str("middle"));
  }
}

/* A block on the way to `to`, from there on by a case of each switch. */
static void add_cases(ph_func *f, ph_block to) {
  const ph_terminator jump = {PH_JUMP, NULL, 0, &to, 1};
  ph_incoming in[MOST];
  ph_block more = ph_edit_newblock(f, spec_str("more"));
  uint32_t n = undefined(f, to, in);
  ph_edge_setterminator(f, more, &jump, in, n);
  PH_EACH_BLOCK(f, b) {
    ph_value key = ph_const_int(f, PH_I64, 1000);
    if (ph_value_op(f, ph_block_terminator(f, ph_blockid(b))) != PH_SWITCH)
      continue;
    ph_edge_add(f, ph_blockid(b), key, more, NULL, 0);
    ph_edge_remove(f, ph_blockid(b), ph_block_succ(f, ph_blockid(b), 0), 0);
    ph_edge_retarget(f, ph_blockid(b), more, to, in, n);
  }
}

static void double_additions(ph_func *f, uint32_t b) {
  ph_value v = ph_valueid(ph_blockrec_of(f, b)->first);
  while (ph_some(v)) {
    ph_value next = ph_block_nextinst(f, ph_blockid(b), v);
    if (ph_value_op(f, v) == PH_ADD) {
      const ph_value args[] = {v, v};
      ph_value sum = ph_edit_insert(f, next, PH_ADD, PH_I64, args, 2);
      ph_edit_replace(f, v, sum);
      ph_edit_setarg(f, sum, 0, ph_const_int(f, PH_I64, 77));
      ph_edit_move(f, sum, ph_block_terminator(f, ph_blockid(b)));
      ph_edit_replace(f, sum, v);
      if (!ph_some(ph_edit_otheruser(f, sum))) ph_edit_erase(f, sum);
    }
    v = next;
  }
}

static void add_phi(ph_func *f, ph_block b) {
  ph_value args[MOST];
  uint32_t n = ph_block_npreds(f, b);
  for (uint32_t i = 0; i < n && i < MOST; i++) args[i] = ph_value_param(f, 0);
  if (n < MOST) ph_edit_newphi(f, b, PH_I64, args, n);
}

/* Makes parameter 0 a variable that is another one in every third block. */
static void repair(ph_func *f) {
  const ph_value param = ph_value_param(f, 0);
  ph_definition defs[MOST];
  uint32_t n = 0;
  PH_EACH_BLOCK(f, b) {
    const ph_definition it = {
        {b}, {0}, ph_const_int(f, ph_value_type(f, param), b)};
    if (b % 3 == 0 && n < MOST) defs[n++] = it;
  }
  ph_repair_rewrite(f, &param, 1, defs, n);
}

void site_edit(ph_func *f) {
  ph_block header = ph_block_succ(f, ph_block_entry(f), 0);
  split_edges(f);
  add_cases(f, header);
  PH_EACH_BLOCK(f, b) double_additions(f, b);
  add_phi(f, header);
  repair(f);
  PH_EACH_BLOCK(f, b) {
    while (ph_edge_canmerge(f, ph_blockid(b))) ph_edge_merge(f, ph_blockid(b));
  }
  ph_finish_dropunreachable(f);
  ph_redundant_phi_remove(f);
  ph_dce_run(f);
}
