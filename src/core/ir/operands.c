/* operands.c: lists of operands that change their length.
**
** Construction gives a value its operands once, contiguous with those of all
** others.  A list that grows later moves to the end of the array, with room to
** grow further: adding operands one by one takes linear memory.
**
** The end of a list's room is not stored.  A free slot holds 0, which is not a
** value; so a 0 right after the last operand of a list is room that the list
** can take, because an empty list has no room and moves when it grows.
** (ph_block_unlink, which removes operands of phis, leaves 0 behind, too.)
**
** Requires: v has got its operands.  Keeps: uses.
*/
#include "core/ir/operands.h"

#include <assert.h>

#include "core/ir/uses.h"

static bool has_room(const ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  uint32_t end = n->args + n->nargs;
  return n->nargs > 0 && end < f->operands.n && f->operands.at[end] == 0;
}

static void move_away(ph_func *f, uint32_t v) {
  uint32_t n = ph_node_of(f, v)->nargs;
  uint32_t from = ph_node_of(f, v)->args, to = f->operands.n;
  ph_uses_unlink(f, v);
  ph_ids_extend(&f->operands, &f->arena, to + n + n / 2 + 4);
  for (uint32_t i = 0; i < n; i++)
    f->operands.at[to + i] = f->operands.at[from + i];
  ph_node_of(f, v)->args = to;
  ph_uses_link(f, v);
}

void ph_operands_add(ph_func *f, uint32_t v, uint32_t w) {
  ph_node *n = ph_node_of(f, v);
  if (!has_room(f, v)) move_away(f, v);
  f->operands.at[n->args + n->nargs] = w;
  n->nargs++;
  ph_uses_linkone(f, v, n->nargs - 1);
  f->version++;
}

void ph_operands_pop(ph_func *f, uint32_t v) {
  ph_node *n = ph_node_of(f, v);
  assert(n->nargs > 0 && "an existing operand");
  ph_uses_unlinkone(f, v, n->nargs - 1);
  n->nargs--;
  f->operands.at[n->args + n->nargs] = 0;
  f->version++;
}
