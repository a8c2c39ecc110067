/* switch.c: block:switch(value, default, {[key] = block}).
**
** Edges are ordered by the values of the keys' constants: 255 of type i8 is -1
** and precedes 0.
*/
#include <stdlib.h>

#include "binding/args/payload.h"
#include "binding/args/operand.h"
#include "binding/emit/emission.h"
#include "binding/emit/terminator.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

typedef struct {
  lua_Integer key, value; /* as given; as a constant has it */
  ph_block target;
} arm;

static int by_key(const void *p, const void *q) {
  const arm *a = p, *b = q;
  return (a->value > b->value) - (a->value < b->value);
}

/* Takes the key and block on top. */
static arm take_arm(lua_State *L, pl_funcobj *h, ph_type type) {
  int top = lua_gettop(L);
  arm a = {0};
  if (!lua_isinteger(L, top - 1))
    pl_error_arg(L, h, 4, "integer keys expected, got %g", top - 1);
  a.key = lua_tointeger(L, top - 1);
  if (!ph_const_fits(type, a.key))
    pl_error_arg(L, h, 4, "key %g does not fit %t", top - 1, type);
  if (pl_userdata_test(L, top, PL_UP_BLOCK) == NULL)
    pl_error_arg(L, h, 4, "key %g: phial.Block expected, got %g", top - 1, top);
  a.value = pl_literal_wrap(type, a.key);
  a.target = pl_handle_blockat(L, h, top, 4);
  return a;
}

static void check_distinct(lua_State *L, pl_funcobj *h, ph_type type,
                           const arm *arms, int n) {
  for (int i = 1; i < n; i++)
    if (arms[i].value == arms[i - 1].value) {
      bool less = arms[i - 1].key < arms[i].key;
      lua_pushinteger(L, arms[less ? i - 1 : i].key);
      lua_pushinteger(L, arms[less ? i : i - 1].key);
      pl_error_arg(L, h, 4, "keys %g and %g are the same %t", -2, -1, type);
    }
}

/* Reads the table at 4, at most n entries; returns their number. */
static int take_arms(lua_State *L, pl_funcobj *h, ph_type type, arm *arms,
                     int n) {
  int found = 0;
  lua_pushnil(L);
  while (found < n && lua_next(L, 4) != 0) {
    arms[found++] = take_arm(L, h, type);
    lua_pop(L, 1);
  }
  qsort(arms, (size_t)found, sizeof *arms, by_key);
  check_distinct(L, h, type, arms, found);
  return found;
}

static int count_entries(lua_State *L, int table) {
  int n = 0;
  for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1)) n++;
  return n;
}

/* Takes the operand that is switched on. */
static ph_type take_value(lua_State *L, pl_emission *e) {
  pl_operands *o = &e->operands;
  ph_type type =
      pl_operand_take(L, e->h, 2, PH_NOTYPE, (ph_var){0}, &o->args[0]);
  if (pl_operand_isvar(o->args[0])) {
    if (ph_some(e->before)) pl_handle_argvalue(L, e->h, 2);
    o->nvars = 1;
    o->reads = e->b;
  }
  pl_terminator_checkvalue(L, e->h);
  if (!ph_type_isint(type))
    pl_error_arg(L, e->h, 2, "integer expected, got %g", 2);
  o->types[0] = type;
  return type;
}

/* Makes the constants. */
static void make_operands(lua_State *L, pl_emission *e, const arm *arms,
                          int n) {
  pl_operands *o = &e->operands;
  pl_operand_make(L, e->h->f, o);
  for (int i = 0; i < n; i++)
    o->args[o->n++] = ph_const_int(e->h->f, o->types[0], arms[i].key);
}

/* block:switch(value, default, {[key] = block}) */
static int l_switch(lua_State *L) {
  pl_emission e;
  ph_block *targets;
  ph_type type;
  arm *arms;
  int n;
  pl_terminator_start(L, &e, PH_SWITCH, 3, 3);
  pl_arg_table(L, 4);
  n = count_entries(L, 4);
  arms = lua_newuserdatauv(L, ((size_t)n + 1) * sizeof *arms, 0);
  targets = lua_newuserdatauv(L, ((size_t)n + 1) * 2 * sizeof *targets, 0);
  pl_operand_room(L, &e.operands, 2, n + 1, 1);
  pl_terminator_place(L, &e);
  type = take_value(L, &e);
  n = take_arms(L, e.h, type, arms, n);
  targets[0] = pl_handle_argblock(L, e.h, 3);
  for (int i = 0; i < n; i++) targets[i + 1] = arms[i].target;
  pl_terminator_check(L, &e, targets, targets + n + 1, (uint32_t)n + 1);
  e.operands.n = 1;
  pl_operand_read(L, e.h, &e.operands, e.fn);
  pl_terminator_begin(L, &e);
  make_operands(L, &e, arms, n);
  return pl_terminator_end(L, &e, targets, (uint32_t)n + 1);
}

const pl_method pl_switch_methods[] = {
    {PL_OF_POSITION, "switch", l_switch},
    {0},
};
