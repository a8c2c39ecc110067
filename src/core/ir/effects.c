/* effects.c: which parts of memory instructions read and write.
**
** What an instruction does follows from its op, unless something else is said of
** it: that is in arrays that only functions with such instructions have.
*/
#include "core/ir/effects.h"

#include "core/ir/contract.h"
#include "core/ir/event.h"

/*
** {== Ops ============================================================
*/

/* True of the ops that only write. */
static bool only_writes(ph_op op) {
  return ph_op_stores(op) || op == PH_MEMSET;
}

/* What can be said of an op, everything or nothing. */
static ph_effects widest(const ph_func *f, ph_op op) {
  ph_effects e = {0, 0};
  bool acts = ph_op_effectof(f, op) == PH_EFFECT_WRITE ||
              (op >= PH_OPS && ph_op_has(f, op, PH_TERMINATOR)) ||
              op == PH_TAIL_CALL || op == PH_TAIL_CALL_INDIRECT;
  if (acts) e.writes = PH_EFFECTS_ALL;
  if ((acts && !only_writes(op)) || ph_op_effectof(f, op) == PH_EFFECT_READ)
    e.reads = PH_EFFECTS_ALL;
  return e;
}

ph_effects ph_effects_usual(const ph_func *f, ph_op op) {
  ph_effects e, own;
  ph_require(ph_contract_hasop(f, op) && "an op of this function");
  e = widest(f, op);
  if (op < PH_OPS || (uint32_t)(op - PH_OPS) >= f->op_effects.n) return e;
  own = f->op_effects.at[op - PH_OPS];
  return (ph_effects){e.reads & own.reads, e.writes & own.writes};
}

ph_effects ph_effects_sayable(const ph_func *f, ph_op op) {
  const ph_effects none = {0, 0};
  ph_require(ph_contract_hasop(f, op) && "an op of this function");
  return ph_op_has(f, op, PH_TERMINATOR) || op == PH_LOAD_VOLATILE ||
                 op == PH_STORE_VOLATILE
             ? none
             : widest(f, op);
}

/* True if `set` consists of classes of f. */
static bool is_known(const ph_func *f, uint32_t set) {
  return set == PH_EFFECTS_ALL || f->classes.n == PH_CLASSES_MOST ||
         set >> f->classes.n == 0;
}

bool ph_effects_canbenone(ph_op op) {
  return op >= PH_OPS || op == PH_CALL || op == PH_CALL_INDIRECT;
}

bool ph_effects_fits(const ph_func *f, ph_op op, ph_effects e) {
  ph_effects can = ph_effects_sayable(f, op), most = widest(f, op);
  if (!is_known(f, e.reads) || !is_known(f, e.writes)) return false;
  if (can.writes != 0 && e.writes == 0 && !ph_effects_canbenone(op))
    return false;
  return (can.reads != 0 || e.reads == most.reads) &&
         (can.writes != 0 || e.writes == most.writes);
}

/* }== Instructions =================================================== */

ph_effects ph_effects_of(const ph_func *f, ph_value v) {
  ph_require(ph_contract_hasvalue(f, v) && "a value of this function");
  return ph_effects_get(f, ph_body_resolve(f, v.id));
}

uint32_t ph_effects_keep(ph_func *f, ph_effects e) {
  const ph_effects *last =
      f->effects.n > 0 ? &f->effects.at[f->effects.n - 1] : NULL;
  if (last != NULL && f->effects.n > 1 && last->reads == e.reads &&
      last->writes == e.writes)
    return f->effects.n - 1;
  if (last == NULL)
    ph_effectsvec_push(&f->effects, &f->arena, (ph_effects){0, 0});
  ph_effectsvec_push(&f->effects, &f->arena, e);
  return f->effects.n - 1;
}

void ph_effects_say(ph_func *f, uint32_t v, uint32_t said) {
  ph_ids_extend(&f->said, &f->arena, v + 1);
  f->said.at[v] = said;
}

void ph_effects_set(ph_func *f, ph_value v, ph_effects e) {
  uint32_t id;
  ph_require(ph_contract_hasvalue(f, v) && "a value of this function");
  id = ph_body_resolve(f, v.id);
  ph_require(ph_effects_fits(f, ph_node_of(f, id)->op, e) &&
             "effects that the op can have");
  ph_event_note(f, PH_EV_EDITED, ph_node_of(f, id)->block, 0, 0, 0);
  ph_effects_say(f, id, ph_effects_keep(f, e));
}

/* }== Declarations =================================================== */

void ph_effects_declare(ph_func *f, ph_effects e) {
  ph_require(ph_ptr(f)->declared && ph_effects_fits(f, PH_CALL, e) &&
             "classes of a declaration");
  f->saying = ph_effects_keep(f, e);
}

ph_effects ph_effects_declared(const ph_func *f) {
  const ph_effects all = {PH_EFFECTS_ALL, PH_EFFECTS_ALL};
  return ph_ptr(f)->declared && f->saying != 0 ? f->effects.at[f->saying] : all;
}

/* }=================================================================== */
