/* program.c: bytes as a program: blocks, variables, instructions.
**
** What is legal is decided by what the bytes have said so far (such as which
** blocks get no more edges), not by what construction has done with it: so they
** say the same program in every way.
*/
#include "program.h"

enum { BLOCKS = 12, VARS = 6, INTS = 4, STEPS = 120 };

/* The first byte. */
enum {
  COPIES = 1,
  KEEP = 2,
  ASK = 4,
  ACCESSES = 8,
  SIMPLIFY = 16,
  REFINE = 32
};

typedef struct {
  ph_block b;
  uint32_t awaited; /* edges until it is closed; 0: the bytes say when */
  bool filled, closed;
  ph_value last[2]; /* an i64 and an i1 that are defined in it */
} block;

typedef struct {
  ph_func *f;
  bytes *in;
  uint32_t flags;
  way way;
  ph_var vars[VARS]; /* the last ones are i1 */
  ph_group group;
  block blocks[BLOCKS];
  uint32_t n;
} program;

static uint32_t next(program *p, uint32_t n) { return bytes_next(p->in, n); }

/*
** {== Values =========================================================
*/

static void define(program *p) {
  for (;;) {
    const ph_var var = ph_build_undefvar(p->f);
    if (!ph_some(var)) return;
    ph_build_define(p->f, var, ph_const_int(p->f, ph_var_type(p->f, var), 1));
  }
}

static ph_var variable(program *p, bool is_i1) {
  return is_i1 ? p->vars[INTS + next(p, VARS - INTS)] : p->vars[next(p, INTS)];
}

static ph_value read(program *p, block *b, ph_var var) {
  ph_value v = ph_build_read(p->f, var, b->b);
  define(p);
  return v;
}

static ph_value operand(program *p, block *b, bool is_i1) {
  const ph_type type = is_i1 ? PH_I1 : PH_I64;
  switch (next(p, 6)) {
    case 0:
      return ph_value_param(p->f, is_i1);
    case 1:
      return ph_const_int(p->f, type, (int64_t)next(p, 2));
    case 2:
      if (ph_some(b->last[is_i1])) return b->last[is_i1];
      return ph_const_undef(p->f, type);
    default:
      return read(p, b, variable(p, is_i1));
  }
}

static void emit(program *p, block *b) {
  static const ph_op ops[] = {PH_ADD,  PH_SUB,    PH_MUL, PH_SLT,
                              PH_SDIV, PH_SELECT, PH_EQ,  PH_CALL};
  const ph_op op = ops[next(p, 8)];
  ph_value args[3];
  uint32_t n = 0;
  ph_type type = PH_I64;
  if (op == PH_SELECT) args[n++] = operand(p, b, true);
  args[n++] = operand(p, b, false);
  if (op != PH_CALL) args[n++] = operand(p, b, false);
  ph_opcheck_values(p->f, op, args, (int)n, &type);
  b->last[type == PH_I1] =
      op == PH_CALL ? ph_build_call(p->f, b->b, type, fuzz_str("g"), args, n)
                    : ph_build_emit(p->f, b->b, op, type, args, n);
}

/* }== Blocks ========================================================= */

static void new_block(program *p) {
  if (p->n == BLOCKS) return;
  block *b = &p->blocks[p->n++];
  *b = (block){.awaited = next(p, 4)};
  b->b = ph_block_new(p->f, fuzz_str(next(p, 2) != 0 ? "b" : ""),
                      p->way.late || b->awaited == 0 ? -1 : (int)b->awaited);
}

/* No more edges lead there from now on. */
static void close(program *p, block *b) {
  if (b->closed || b->awaited > 0) return;
  b->closed = true;
  if (p->way.late) return;
  ph_build_seal(p->f, b->b);
  define(p);
}

/* Returns a block that may get one more edge; NULL: there is none. */
static block *target(program *p) {
  const uint32_t first = next(p, BLOCKS);
  for (uint32_t i = 0; i < p->n; i++) {
    block *b = &p->blocks[(first + i) % p->n];
    if (b->closed) continue;
    if (b->awaited > 0 && --b->awaited == 0) b->closed = true;
    return b;
  }
  return NULL;
}

static void fill_with(program *p, block *b, ph_op op, const ph_value *args,
                      uint32_t n, uint32_t m) {
  ph_block targets[4];
  const ph_refined what = {p->vars, VARS, next(p, 2) != 0};
  for (uint32_t i = 0; i < m; i++) {
    const block *to = target(p);
    if (to != NULL)
      targets[i] = to->b;
    else if (i > 0) /* those that are chosen have edges to come: none is lost */
      op = PH_JUMP, n = 0, m = 1;
    else
      op = PH_TRAP;
    if (op == PH_TRAP) break;
  }
  if (op == PH_TRAP)
    ph_build_trap(p->f, b->b, fuzz_str("nowhere"));
  else if (op != PH_JUMP && m > 0 && (p->flags & REFINE) != 0)
    ph_build_refine(p->f, b->b, op, args, n, targets, m, &what);
  else
    ph_build_fill(p->f, b->b, op, args, n, targets, m);
}

static void ret(program *p, block *b) {
  ph_build_ret(p->f, b->b, operand(p, b, false));
}

static void fill(program *p, block *b) {
  const uint32_t kind = next(p, 8);
  ph_value args[4];
  if (kind < 3) {
    fill_with(p, b, PH_JUMP, NULL, 0, 1);
  } else if (kind < 6) {
    args[0] = operand(p, b, true);
    fill_with(p, b, PH_BRANCH, args, 1, 2);
  } else if (kind == 6) {
    const uint32_t n = 1 + next(p, 4);
    args[0] = operand(p, b, false);
    for (uint32_t i = 1; i < n; i++) args[i] = ph_const_int(p->f, PH_I64, i);
    fill_with(p, b, PH_SWITCH, args, n, n);
  } else {
    ret(p, b);
  }
  b->filled = true;
  define(p);
}

/* }== The whole ====================================================== */

static void may_write(program *p, block *b) {
  const ph_value v = operand(p, b, false);
  if (next(p, 2) != 0)
    ph_build_maywrite(p->f, p->group, b->b, v);
  else
    ph_build_maywriteto(p->f, p->vars, 1 + next(p, INTS), b->b, v);
}

static void into(program *p, block *b, uint32_t kind) {
  const bool is_i1 = kind % 4 == 0;
  if (kind < 8)
    ph_build_write(p->f, variable(p, is_i1), b->b, operand(p, b, is_i1));
  else if (kind < 12)
    emit(p, b);
  else if (kind == 12)
    ph_build_kill(p->f, variable(p, next(p, 2) != 0), b->b);
  else if (kind == 13)
    may_write(p, b);
  else
    fill(p, b);
}

static void step(program *p) {
  const uint32_t kind = next(p, 22);
  if (kind == 0) {
    new_block(p);
    return;
  }
  block *b = &p->blocks[next(p, p->n)];
  if (kind < 3)
    close(p, b);
  else if (kind < 6)
    read(p, b, variable(p, kind == 3));
  else if (!b->filled)
    into(p, b, kind - 6);
}

static void start(program *p) {
  static const char *const names[VARS] = {"a", "b", "", "d", "p", "q"};
  ph_func *f = p->f;
  if ((p->flags & SIMPLIFY) != 0) ph_peephole_enable(f, NULL, false);
  ph_value_newparam(f, fuzz_str("n"), PH_I64);
  ph_value_newparam(f, fuzz_str("c"), PH_I1);
  for (uint32_t i = 0; i < VARS; i++)
    p->vars[i] = ph_var_new(f, fuzz_str(names[i]), i < INTS ? PH_I64 : PH_I1);
  p->group = ph_group_new(f, PH_I64);
  ph_group_add(f, p->group, p->vars[0]);
  ph_group_add(f, p->group, p->vars[2]);
  p->blocks[p->n++] = (block){.b = ph_block_entry(f), .closed = true};
}

static void end(program *p) {
  for (uint32_t i = 0; i < p->n; i++)
    if (!p->blocks[i].filled) ret(p, &p->blocks[i]);
  ph_finish_sealall(p->f);
  define(p);
  ph_finish_run(p->f);
}

program_kind program_look(bytes in) {
  const uint32_t flags = bytes_next(&in, 64);
  if ((flags & SIMPLIFY) != 0) return PROGRAM_VARIES;
  /* nothing is asked of reads in a block that is known to be dead */
  if ((flags & KEEP) != 0 && (flags & ASK) != 0) return PROGRAM_BY_SEALS;
  return (flags & REFINE) != 0 ? PROGRAM_BY_SEALS : PROGRAM_SAME;
}

void program_build(ph_func *f, bytes *in, way w) {
  program p = {.f = f, .in = in, .way = w, .flags = bytes_next(in, 64)};
  const ph_options options = {.construction = w.construction,
                              .undefs = (p.flags & ASK) != 0 ? PH_UNDEF_ASK
                                                             : PH_UNDEF_VALUE,
                              .copies = (p.flags & COPIES) != 0,
                              .accesses = (p.flags & ACCESSES) != 0,
                              .keep_unreachable = (p.flags & KEEP) != 0};
  ph_func_init(f, fuzz_str("f"), PH_I64, &options);
  start(&p);
  for (uint32_t i = 0, n = 1 + next(&p, STEPS); i < n && in->left > 0; i++)
    step(&p);
  end(&p);
}

/* }=================================================================== */
