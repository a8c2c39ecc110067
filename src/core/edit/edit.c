/* edit.c: makes, moves, replaces and erases instructions of a finished
** function.
**
** During construction the value of a variable is computed; here the caller
** chooses values.  So what would need a look at the whole function is not
** checked: ph_verify_func checks that definitions dominate their uses, and phis
** that become redundant stay until ph_redundant_phi_remove.  Local invariants hold after each call: lists of blocks, operands and their
** uses are consistent, and ids are never reused.
**
** Replacing a value rewrites its uses one by one.  A union, as for phis under
** construction, would remove the replaced instruction along with its uses; here
** it stays until it is erased, and can be an operand of its replacement.
**
** Requires: the function is finished.  Keeps: blocks and edges; uses.
*/
#include "core/edit/edit.h"

#include "core/ir/block.h"
#include "core/ir/contract.h"
#include "core/ir/event.h"
#include "core/ir/op.h"
#include "core/ir/opcheck.h"
#include "core/ir/uses.h"
#include "core/ir/value.h"
#include "phial/edit.h"

static uint32_t resolve_value(const ph_func *f, ph_value v) {
  ph_must(ph_ptr(f)->finished && "a finished function");
  ph_must(ph_contract_hasvalue(f, v) && "a value of this function");
  return ph_body_resolve(f, v.id);
}

static void note_edit(ph_func *f, uint32_t v) {
  ph_event_note(f, PH_EV_EDITED, 0, 0, v, 0);
}

/*
** {== Uses ===========================================================
*/

void ph_edit_replace(ph_func *f, ph_value v, ph_value w) {
  ph_arena_mark bottom = ph_scratch_open(ph_ptr(f));
  uint32_t to = resolve_value(f, w);
  ph_ids uses = {0};
  ph_must(to != resolve_value(f, v) && "a value cannot replace itself");
  ph_must(ph_value_type(f, v) == ph_value_type(f, w) &&
          "a value of the same type");
  note_edit(f, resolve_value(f, v));
  PH_EACH_USE(f, resolve_value(f, v), use) {
    if (ph_uses_user(f, use).id != to) ph_ids_push(&uses, &f->scratch, use);
  }
  ph_identity_share(f, resolve_value(f, v), to);
  for (uint32_t i = 0; i < uses.n; i++) {
    uint32_t user = ph_uses_user(f, uses.at[i]).id;
    ph_value_setarg(f, user, ph_uses_index(f, uses.at[i]), to);
  }
  ph_scratch_leave(f, bottom);
}

void ph_edit_setarg(ph_func *f, ph_value v, uint32_t i, ph_value w) {
  ph_must(i < ph_node_of(ph_ptr(f), resolve_value(f, v))->nargs &&
          "an existing operand");
  ph_must(ph_contract_hasvalues(f, &w, 1) && "a value of this function");
  ph_must(ph_opcheck_fitsas(f, v, i, w) && "operands that fit the op");
  ph_must((i == 0 || ph_node_of(f, resolve_value(f, v))->op != PH_SWITCH) &&
          "not a key of a switch");
  ph_body_settleargs(f, resolve_value(f, v));
  note_edit(f, resolve_value(f, v));
  ph_value_setarg(f, resolve_value(f, v), i, resolve_value(f, w));
}

ph_value ph_edit_otheruser(ph_func *f, ph_value v) {
  uint32_t id, use;
  ph_must(ph_contract_hasvalue(f, v) && "a value of this function");
  id = ph_body_resolve(f, v.id);
  use = ph_uses_find(f, id);
  while (use != 0 && ph_uses_user(f, use).id == id)
    use = ph_uses_next(f, v, use);
  return use != 0 ? ph_uses_user(f, use) : ph_valueid(0);
}

/* }== Making ========================================================= */

uint32_t ph_edit_make(ph_func *f, ph_op op, ph_type type, const ph_value *args,
                      uint32_t n) {
  uint32_t v = ph_value_node(f, op, type);
  ph_value_setvalues(f, v, args, n);
  ph_srcloc_stamp(f, v);
  return v;
}

ph_value ph_edit_insert(ph_func *f, ph_value at, ph_op op, ph_type type,
                        const ph_value *args, uint32_t n) {
  uint32_t v;
  ph_must(ph_contract_isinst(ph_ptr(f), resolve_value(f, at)) &&
          "before an instruction");
  ph_must(ph_opcheck_isinst(f, op) && "an instruction");
  ph_must(ph_contract_hasvalues(f, args, n) &&
          "operands are values of this function");
  ph_must(ph_opcheck_fits(f, op, type, args, n) &&
          "operands and a type that fit the op");
  ph_must(
      ph_opcheck_fitsblock(f, op, ph_node_of(f, resolve_value(f, at))->block) &&
      "an alloca in the entry, va_start in a variadic function");
  note_edit(f, resolve_value(f, at));
  v = ph_edit_make(f, op, type, args, n);
  ph_value_insert(f, v, resolve_value(f, at));
  return ph_valueid(v);
}

/* A phi made by hand counts as read, since its maker holds it. */
ph_value ph_edit_newphi(ph_func *f, ph_block b, ph_type type,
                        const ph_value *args, uint32_t n) {
  uint32_t v;
  ph_must(ph_contract_canedit(f, b) && "a block of a finished function");
  ph_must(n == ph_blockrec_of(f, b.id)->npreds && "an operand for each edge");
  ph_must(ph_contract_hasvalues(f, args, n) &&
          "operands are values of this function");
  ph_must(ph_opcheck_fits(f, PH_PHI, type, args, n) &&
          "operands of the phi's type");
  ph_body_settleblock(f, b.id);
  ph_event_note(f, PH_EV_EDITED, b.id, 0, 0, 0);
  v = ph_value_newphi(f, b.id, 0, type);
  ph_identity_stamp(f, v);
  ph_value_setvalues(f, v, args, n);
  ph_node_of(f, v)->flags &= (uint8_t)~PH_IS_INCOMPLETE;
  ph_node_of(f, v)->flags |= PH_IS_READ;
  return ph_valueid(v);
}

/* }== Moving and erasing ============================================= */

void ph_edit_move(ph_func *f, ph_value v, ph_value at) {
  uint32_t id = resolve_value(ph_ptr(f), v);
  ph_must(ph_contract_isinst(f, id) &&
          !ph_op_has(f, ph_node_of(f, id)->op, PH_TERMINATOR) &&
          "an instruction other than phis and terminators");
  ph_must(ph_contract_isinst(f, resolve_value(f, at)) &&
          "before an instruction");
  ph_must(ph_opcheck_fitsblock(f, ph_node_of(f, id)->op,
                               ph_node_of(f, resolve_value(f, at))->block) &&
          "an alloca in the entry, va_start in a variadic function");
  if (id == resolve_value(f, at)) return;
  note_edit(f, id);
  ph_value_takeout(f, id);
  ph_value_insert(f, id, resolve_value(f, at));
  ph_uses_link(f, id);
}

void ph_edit_erase(ph_func *f, ph_value v) {
  uint32_t id = resolve_value(ph_ptr(f), v);
  ph_must(ph_node_of(f, id)->block != 0 &&
          !ph_op_has(f, ph_node_of(f, id)->op, PH_TERMINATOR) &&
          "a phi or instruction, not a terminator");
  ph_must(!ph_some(ph_edit_otheruser(f, v)) && "nothing uses it");
  note_edit(f, id);
  ph_value_takeout(f, id);
  ph_value_replace(f, id, 0);
}

void ph_edit_moverest(ph_func *f, uint32_t b, uint32_t v, uint32_t to) {
  while (v != 0) {
    uint32_t next = ph_node_of(f, v)->next;
    if (ph_node_of(f, v)->op != PH_ALLOCA) {
      ph_value_takeout(f, v);
      ph_value_append(f, to, v);
      ph_uses_link(f, v);
    }
    v = next;
  }
  ph_blockrec_of(f, to)->filled = true;
  ph_blockrec_of(f, to)->places[PH_AT_FILLED] =
      ph_blockrec_of(f, b)->places[PH_AT_FILLED];
}

/* }== Blocks ========================================================= */

uint32_t ph_edit_open(ph_func *f, ph_str name) {
  ph_block b = ph_block_make(f, name, 0);
  f->announced.at[b.id] = 0;
  return b.id;
}

ph_value ph_edit_fill(ph_func *f, uint32_t b, uint32_t v) {
  ph_value_append(f, b, v);
  ph_blockrec_of(f, b)->filled = true;
  ph_blockrec_of(f, b)->places[PH_AT_FILLED] = ph_srcloc_now(f);
  return ph_valueid(v);
}

ph_block ph_edit_newblock(ph_func *f, ph_str name) {
  uint32_t b;
  ph_must(ph_ptr(f)->finished && "a finished function");
  ph_event_note(f, PH_EV_EDITED, 0, 0, 0, 0);
  b = ph_edit_open(f, name);
  ph_edit_fill(f, b, ph_edit_make(f, PH_UNREACHABLE, PH_NOTYPE, NULL, 0));
  return ph_blockid(b);
}

/* }=================================================================== */
