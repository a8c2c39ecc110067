/* plain_player.c: makes plain functions through the C interface.
**
** They use one dialect: a pure op with two operands, an effect, a branch and a
** switch, on values of type any.
*/
#include "dispatch.h"
#include "player.h"

#include <string.h>

trace player_load(const options *o, char **argv) {
  dispatch_typed(o, argv);
  return trace_load(o->file, NULL);
}

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
static inline const int32_t *branch(player *r, place *p, int op,
                                    const int32_t *to, uint32_t n) {
  ph_value arg = p->latest;
  for (uint32_t i = 0; i < n; i++) r->targets[i] = r->blocks[to[i]];
  ph_build_fill(p->f, p->block, (ph_op)(p->op + op), &arg, 1, r->targets, n);
  return to + n;
}

static inline void seal(player *r, place *p, int32_t b) {
  if (b != 0) ph_build_seal(p->f, r->blocks[b]); /* the entry is sealed */
}

/* Replays a terminator with operands at c; returns the end of these. */
static inline const int32_t *terminator(player *r, place *p, int32_t kind,
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

static void events(player *r, place *p, const int32_t *c) {
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

ph_func *player_build(player *r, const trace_func *tf) {
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

void player_finish(const player *r, ph_func *f) {
  (void)r;
  ph_finish_run(f);
}

/* }=================================================================== */
