/* edits.c: bytes as edits of a finished function.
**
** Each leaves a function whose definitions dominate their uses, where these are
** reachable: what is put in is a constant or a parameter, and new edges lead to
** new blocks, or to where the block has one.
*/
#include "program.h"

typedef struct {
  ph_func *f;
  bytes *in;
} editor;

enum { PHIS = 32 };

static uint32_t next(editor *e, uint32_t n) { return bytes_next(e->in, n); }

/*
** {== Choices ========================================================
*/

/* Returns a block that was not removed. */
static ph_block some_block(editor *e) {
  const uint32_t n = next(e, 16);
  ph_block b = ph_block_entry(e->f);
  for (uint32_t i = 0; i < n; i++) {
    b = ph_block_next(e->f, b);
    if (!ph_some(b)) b = ph_block_entry(e->f);
  }
  return b;
}

/* Return an instruction or phi of b, the last one if there are few. */
static ph_value some_inst(editor *e, ph_block b) {
  const ph_value none = {0};
  uint32_t n = next(e, 8);
  ph_value v = ph_block_nextinst(e->f, b, none), after = v;
  for (; n > 0 && ph_some(after); n--) {
    v = after;
    after = ph_block_nextinst(e->f, b, v);
  }
  return v;
}

static ph_value some_value(editor *e, ph_block b) {
  const ph_value none = {0};
  ph_value phi = ph_block_nextphi(e->f, b, none);
  return ph_some(phi) && next(e, 2) != 0 ? phi : some_inst(e, b);
}

/* Returns a value that dominates everything. */
static ph_value anywhere(editor *e, ph_type type) {
  const uint32_t n = next(e, 4);
  for (uint32_t i = 0; n == 0 && i < ph_value_nparams(e->f); i++)
    if (ph_value_type(e->f, ph_value_param(e->f, i)) == type)
      return ph_value_param(e->f, i);
  return n == 1 ? ph_const_undef(e->f, type)
                : ph_const_int(e->f, type, (int64_t)n % 2);
}

/* Operands of new edges for the phis of b; returns how many. */
static uint32_t incoming(editor *e, ph_block b, ph_incoming *in) {
  const ph_value none = {0};
  uint32_t n = 0;
  ph_value phi = ph_block_nextphi(e->f, b, none);
  for (; ph_some(phi) && n < PHIS; phi = ph_block_nextphi(e->f, b, phi))
    in[n++] = (ph_incoming){phi, anywhere(e, ph_value_type(e->f, phi))};
  return n;
}

/* }== Instructions =================================================== */

static bool is_terminator(editor *e, ph_value v) {
  return (ph_op_flags(e->f, ph_value_op(e->f, v)) & PH_TERMINATOR) != 0;
}

static void replace(editor *e, ph_value v) {
  if (ph_value_type(e->f, v) == PH_NOTYPE) return;
  ph_edit_replace(e->f, v, anywhere(e, ph_value_type(e->f, v)));
}

static void set_arg(editor *e, ph_value v) {
  const uint32_t n = ph_value_nargs(e->f, v);
  const uint32_t i = next(e, 8);
  if (i >= n || (i > 0 && ph_value_op(e->f, v) == PH_SWITCH)) return;
  ph_edit_setarg(e->f, v, i,
                 anywhere(e, ph_value_type(e->f, ph_value_arg(e->f, v, i))));
}

static void insert(editor *e, ph_value at) {
  ph_value args[] = {anywhere(e, PH_I64), anywhere(e, PH_I64)};
  if (ph_value_op(e->f, at) == PH_PHI) return;
  ph_value v = ph_edit_insert(e->f, at, PH_ADD, PH_I64, args, 2);
  for (uint32_t i = 0; i < ph_value_nargs(e->f, at); i++)
    if (ph_value_type(e->f, ph_value_arg(e->f, at, i)) == PH_I64 &&
        (i == 0 || ph_value_op(e->f, at) != PH_SWITCH))
      ph_edit_setarg(e->f, at, i, v);
}

static void erase(editor *e, ph_value v) {
  if (!is_terminator(e, v) && !ph_some(ph_edit_otheruser(e->f, v)))
    ph_edit_erase(e->f, v);
}

/* Before the first instruction, if its operands are defined anywhere. */
static void move(editor *e, ph_value v) {
  const ph_value none = {0};
  const ph_block b = ph_value_block(e->f, v);
  if (ph_value_op(e->f, v) == PH_PHI || is_terminator(e, v)) return;
  for (uint32_t i = 0; i < ph_value_nargs(e->f, v); i++)
    if (ph_some(ph_value_block(e->f, ph_value_arg(e->f, v, i)))) return;
  const ph_value first = ph_block_nextinst(e->f, b, none);
  if (!ph_same(first, v)) ph_edit_move(e->f, v, first);
}

static void new_phi(editor *e, ph_block b) {
  ph_value args[PHIS];
  const uint32_t n = ph_block_npreds(e->f, b);
  for (uint32_t i = 0; i < n && i < PHIS; i++) args[i] = anywhere(e, PH_I64);
  if (n > 0 && n <= PHIS) ph_edit_newphi(e->f, b, PH_I64, args, n);
}

/* Another definition of v, from the start of a block on. */
static void repair(editor *e, ph_value v) {
  const ph_type type = ph_value_type(e->f, v);
  if (type == PH_NOTYPE) return;
  const ph_definition more = {.block = some_block(e),
                              .value = anywhere(e, type)};
  ph_repair_rewrite(e->f, &v, 1, &more, 1);
}

static void edit_value(editor *e, ph_value v) {
  switch (next(e, 6)) {
    case 0:
      replace(e, v);
      break;
    case 1:
      set_arg(e, v);
      break;
    case 2:
      insert(e, v);
      break;
    case 3:
      erase(e, v);
      break;
    case 4:
      move(e, v);
      break;
    default:
      repair(e, v);
  }
}

/* }== Edges ========================================================== */

static ph_block new_block(editor *e) {
  const ph_value arg = anywhere(e, PH_I64);
  const ph_terminator t = {PH_RET, &arg, 1, NULL, 0};
  const ph_block b = ph_edit_newblock(e->f, fuzz_str("new"));
  if (next(e, 2) != 0) ph_edge_setterminator(e->f, b, &t, NULL, 0);
  return b;
}

/* Returns a new block, or one to which b has an edge. */
static ph_block other_target(editor *e, ph_block b) {
  const uint32_t i = next(e, 8);
  return i < ph_block_nsuccs(e->f, b) ? ph_block_succ(e->f, b, i)
                                      : new_block(e);
}

static void add_edge(editor *e, ph_block b) {
  const ph_op op = ph_value_op(e->f, ph_block_terminator(e->f, b));
  const int64_t key = next(e, 6);
  ph_incoming in[PHIS];
  if (op != PH_JUMP && op != PH_SWITCH) return;
  if (op == PH_SWITCH && ph_edge_haskey(e->f, b, key)) return;
  const ph_value when =
      op == PH_JUMP ? anywhere(e, PH_I1) : ph_const_int(e->f, PH_I64, key);
  const ph_block to = other_target(e, b);
  const uint32_t n = incoming(e, to, in);
  if (n < PHIS) ph_edge_add(e->f, b, when, to, in, n);
}

static void retarget(editor *e, ph_block b, ph_block from) {
  const ph_block to = other_target(e, b);
  ph_incoming in[PHIS];
  if (ph_same(from, to)) return;
  const uint32_t n = incoming(e, to, in);
  if (n < PHIS) ph_edge_retarget(e->f, b, from, to, in, n);
}

static void set_terminator(editor *e, ph_block b) {
  const ph_value cond = anywhere(e, PH_I1);
  const ph_block to = ph_block_succ(e->f, b, 0), more = new_block(e);
  const ph_block targets[] = {more, to};
  const ph_terminator t = {PH_BRANCH, &cond, 1, targets, 2};
  ph_edge_setterminator(e->f, b, &t, NULL, 0);
}

static void edit_edge(editor *e, ph_block b) {
  if (ph_edge_isinert(e->f, b) || ph_block_nsuccs(e->f, b) == 0) return;
  const ph_block to =
      ph_block_succ(e->f, b, next(e, 8) % ph_block_nsuccs(e->f, b));
  const uint32_t nth = next(e, 4) % ph_edge_count(e->f, b, to);
  switch (next(e, 6)) {
    case 0:
      ph_edge_remove(e->f, b, to, nth);
      break;
    case 1:
      ph_edge_split(e->f, b, to, nth, fuzz_str("s"));
      break;
    case 2:
      add_edge(e, b);
      break;
    case 3:
      retarget(e, b, to);
      break;
    case 4:
      if (ph_edge_canmerge(e->f, b)) ph_edge_merge(e->f, b);
      break;
    default:
      set_terminator(e, b);
  }
}

/* }== All ============================================================ */

static void clean(editor *e) {
  ph_finish_dropunreachable(e->f);
  ph_redundant_phi_remove(e->f);
  fuzz_verify(e->f);
}

static void pass(editor *e) {
  switch (next(e, 6)) {
    case 0:
      ph_dce_run(e->f);
      break;
    case 4:
      clean(e);
      ph_promote_run(e->f);
      ph_forward_run(e->f);
      break;
    case 1:
      ph_redundant_phi_remove(e->f);
      break;
    case 2:
      ph_dead_phi_remove(e->f);
      break;
    case 3:
      clean(e);
      ph_leave_split(e->f, ph_leave_new(e->f, next(e, 2) != 0));
      break;
    default:
      clean(e);
  }
}

void edits_do(ph_func *f, bytes *in) {
  editor e = {f, in};
  /* an edit of unreachable code can change where it begins, and so what
  ** dominates in it */
  ph_finish_keepunreachable(f, false);
  clean(&e);
  while (in->left > 0) {
    const uint32_t kind = next(&e, 12);
    const ph_block b = some_block(&e);
    if (kind < 5)
      edit_value(&e, some_value(&e, b));
    else if (kind < 9)
      edit_edge(&e, b);
    else if (kind == 9)
      new_phi(&e, b);
    else
      pass(&e);
  }
  clean(&e);
}

/* }=================================================================== */
