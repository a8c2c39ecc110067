/* emit.h: instructions: made, and where they are put. */
#ifndef PL_EMIT_EMIT_H
#define PL_EMIT_EMIT_H

#include "binding/state/arg.h"
#include "binding/state/handle.h"

/*
** {== payload.c: data of instructions ===================================
*/

/* Puts the Lua value at `arg` where the function keeps what only the host
** knows (fn: index), and then makes the datum for it. */
void pl_payload_keep(lua_State *L, pl_funcobj *h, int fn, int arg);
ph_data pl_payload_of(lua_State *L, pl_funcobj *h, int arg);
int pl_payload_method(lua_State *L); /* value:data([new]) */

/* }== phi_inputs.c: what phis are along new edges ====================== */

typedef struct {
  uint32_t n;
  int arg;  /* the argument that they are */
  int list; /* stack index of the list of phi, value, phi, ... */
  ph_incoming *at;
  uint32_t *phis; /* sorted */
} pl_phi_inputs;

/* Copies the table at `at`, which came with argument `arg`, unless it is nil;
** pushes. */
void pl_phi_inputs_take(lua_State *L, pl_phi_inputs *in, int at, int arg);
/* Checks that it has a value for each phi of the n blocks in `news`, which are
** sorted, for an edge from b, and nothing else. */
void pl_phi_inputs_check(lua_State *L, pl_funcobj *h, ph_block b,
                         pl_phi_inputs *in, const ph_block *news, uint32_t n);
/* Makes constants of the literals. */
void pl_phi_inputs_make(lua_State *L, ph_func *f, pl_phi_inputs *in);

/* }== emit.c, terminator.c: instructions ============================= */

/* An instruction to be made, as it is read from the stack. */
typedef struct {
  pl_funcobj *h;
  int top; /* stack index of the last argument */
  int fn;  /* stack index of the function, 0: it is that of argument 1 */
  ph_block b;
  ph_value before; /* at a cursor: what that stands before; or none */
  ph_op op;
  const ph_opspec *spec; /* of op, when its handle was given */
  ph_type type;
  pl_operands operands;
  int data;         /* stack index of its datum; 0: none */
  pl_phi_inputs in; /* of a terminator at a cursor */
} pl_emission;

/* At the end of a block that is to be told, of the function of argument 1. */
static inline void pl_emit_start(lua_State *L, pl_emission *e) {
  e->top = lua_gettop(L);
  e->fn = 0;
  e->before.id = 0;
  e->spec = NULL;
}
/* The stack index of the function; can push. */
static inline int pl_emit_owner(lua_State *L, pl_emission *e) {
  if (e->fn == 0) e->fn = pl_handle_pushowner(L, 1);
  return e->fn;
}
/* Makes it; pushes its results. */
int pl_emit_run(lua_State *L, pl_emission *e);
/* Ends e->b with e->op and the m targets from `first` on, or those in the
** table at `extra` (0: none). */
int pl_terminator_run(lua_State *L, pl_emission *e, int first, int m,
                      int extra);
/* In parts: the block or cursor of a method, which takes `least` to `most`
** arguments, and at a cursor, if there are targets, what phis are along new
** edges; can it end there; the edges to m targets (spare: room for m more);
** filling. */
void pl_terminator_start(lua_State *L, pl_emission *e, ph_op op, int least,
                         int most);
void pl_terminator_place(lua_State *L, pl_emission *e);
void pl_terminator_check(lua_State *L, pl_emission *e, const ph_block *targets,
                         ph_block *spare, uint32_t m);
void pl_terminator_begin(lua_State *L, pl_emission *e);
int pl_terminator_end(lua_State *L, pl_emission *e, const ph_block *targets,
                      uint32_t m);
/* switch.c: i as a constant of the type is kept. */
lua_Integer pl_switch_key(ph_type type, lua_Integer i);
/* edge.c: can b get an edge to t, in a finished function? */
void pl_edge_checktarget(lua_State *L, pl_funcobj *h, ph_block b, ph_block t);
/* b takes no more. */
void pl_block_checkopen(lua_State *L, pl_funcobj *h, ph_block b);
/* operator.c: the block of fn:at. */
ph_block pl_operator_block(lua_State *L, pl_funcobj *h);
/* What is written for a metamethod of values: "+" for "__add"; other names as
** they are. */
const char *pl_operator_sign(const char *event);
/* The methods made from the op table, of blocks and of values. */
int pl_emit_blockop(lua_State *L);
int pl_emit_valueop(lua_State *L);

/* }== cursor.c: places in a finished function ======================== */

/* Argument 1 of a method that blocks and cursors have: sets e->h, e->b,
** e->before, e->fn, e->spec and e->top; may leave a value on the stack. */
void pl_cursor_self(lua_State *L, pl_emission *e);
static inline void pl_cursor_start(lua_State *L, pl_emission *e) {
  const pl_handle *me;
  pl_emit_start(L, e);
  me = pl_handle_peek(L, pl_handle_module(L), 1, PL_UP_BLOCK);
  if (me == NULL) {
    pl_cursor_self(L, e);
    return;
  }
  e->h = me->host;
  e->b.id = me->id;
}
/* Can something be emitted there? */
void pl_cursor_check(lua_State *L, pl_emission *e);
/* The instruction that follows when one is put before or behind v. */
ph_value pl_cursor_before(lua_State *L, pl_funcobj *h, ph_value v);
ph_value pl_cursor_after(lua_State *L, pl_funcobj *h, ph_value v);
extern const luaL_Reg pl_cursor_methods[], pl_cursor_meta[],
    pl_cursor_blockmethods[], pl_cursor_valuemethods[];

/* }=================================================================== */

#endif
