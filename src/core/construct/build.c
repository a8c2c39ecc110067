/* build.c: the interface of SSA construction (Algorithms 1 and 4).
**
** A block is filled when it has its terminator (fill.c), and sealed when no more
** predecessors will come; the two are independent.
*/
#include "phial/construct.h"

#include "core/base/noinline.h"
#include "core/construct/build.h"
#include "core/construct/refine.h"
#include "core/ir/contract.h"
#include "core/ir/effects.h"
#include "core/ir/event.h"
#include "core/ir/opcheck.h"
#include "core/ir/value.h"
#include "core/lookup/lookup.h"
#include "core/lookup/trivial_phi.h"
#include "core/simplify/peephole.h"

/*
** {== Writes =========================================================
*/

/* A block in which something can be written, read or emitted. */
static inline void require_place(const ph_func *f, ph_block b) {
  ph_require(ph_contract_isopen(f) && "a function under construction");
  ph_require(ph_contract_keeps(f, b) && "a block of this function");
}

static inline void require_definition(const ph_func *f, ph_var var,
                                      ph_value v) {
  ph_require(ph_contract_hasvar(f, var) && "a variable of this function");
  ph_require(ph_contract_hasvalue(f, v) && "a value of this function");
  ph_require(f->vars.at[var.id].type == ph_value_type(f, v) &&
             "a value of the variable's type");
}

static inline void define_in_cell(ph_func *f, uint32_t var, uint32_t b,
                                  uint32_t v) {
  ph_state *state = ph_state_for(f, var, b);
  state->skips.blocks.at[b].written |= ph_join_skip_bit(var);
  ph_current_def_set(&state->defs, &f->working, var, b, v);
}

/* The same for a variable that may be in a group: then it has no cell. */
static PH_NOINLINE void define_any(ph_func *f, uint32_t var, uint32_t b,
                                   uint32_t v) {
  ph_state *state = ph_state_for(f, var, b);
  state->skips.blocks.at[b].written |= ph_join_skip_bit(var);
  if (ph_groups_first(f->groups, var) == 0)
    ph_current_def_set(&state->defs, &f->working, var, b, v);
  else
    ph_current_def_put(&state->defs, &f->working, var, b, v);
}

/* Writes v with the copy, and the record, that options ask for; returns what is
** written. */
static PH_NOINLINE uint32_t write_more(ph_func *f, uint32_t var, uint32_t b,
                                       uint32_t v) {
  if (f->options.copies) v = ph_value_copy(f, var, b, v);
  if (f->deferred != NULL) {
    f->deferred->write(f, var, b, v);
    return v;
  }
  define_any(f, var, b, v);
  ph_event_note(f, PH_EV_WRITE, b, var, v, 0);
  return v;
}

ph_value ph_build_write(ph_func *f, ph_var var, ph_block b, ph_value v) {
  uint32_t id;
  require_place(f, b);
  ph_require(!ph_blockrec_of(f, b.id)->filled && "write before the terminator");
  require_definition(f, var, v);
  id = ph_body_resolve(f, v.id);
  if (f->writes_more) return ph_valueid(write_more(f, var.id, b.id, id));
  define_in_cell(f, var.id, b.id, id);
  ph_event_note(f, PH_EV_WRITE, b.id, var.id, id, 0);
  return ph_valueid(id);
}

void ph_build_kill(ph_func *f, ph_var var, ph_block b) {
  ph_state *state;
  require_place(f, b);
  ph_require(!ph_blockrec_of(f, b.id)->filled && "kill before the terminator");
  ph_require(ph_contract_hasvar(f, var) && "a variable of this function");
  if (f->deferred != NULL) {
    f->deferred->write(f, var.id, b.id, 0);
    return;
  }
  state = ph_state_for(f, var.id, b.id);
  state->kills = true;
  state->skips.blocks.at[b.id].written |= ph_join_skip_bit(var.id);
  if (ph_groups_first(f->groups, var.id) == 0)
    ph_current_def_kill(&state->defs, &f->working, var.id, b.id);
  else
    ph_current_def_put(&state->defs, &f->working, var.id, b.id, PH_KILLED);
  ph_event_note(f, PH_EV_KILL, b.id, var.id, 0, 0);
}

/* The sets of existing links do not contain the new definition. */
void ph_build_assume(ph_func *f, ph_var var, ph_block b, ph_value v) {
  ph_state *state;
  require_place(f, b);
  require_definition(f, var, v);
  ph_require(f->deferred == NULL && "construction on the fly");
  state = ph_state_for(f, var.id, b.id);
  ph_require(ph_current_def_read(&state->defs, var.id, b.id) == 0 &&
             "a variable that was neither read nor written there");
  if (state->sealed > 0 || state->skips.linked)
    ph_join_skip_unlink(&state->skips);
  define_any(f, var.id, b.id, ph_body_resolve(f, v.id));
}

/* }== Reads ==========================================================
**
** They differ from look-ups for operands of phis in what is recorded of them,
** in listeners, and in that they are the outermost ones: what lazy definitions
** need is looked up when they are over.
*/

/* True if var has ended in b. */
static PH_NOINLINE bool is_killed(const ph_func *f, uint32_t var, uint32_t b) {
  ph_landing l = ph_lookup_climb(f, var, b);
  return l.block == b && l.found == PH_KILLED;
}

static inline void push_read(ph_func *f, uint32_t var, uint32_t b, uint32_t v) {
  ph_readrec r = {var, b, v, f->here, f->loc, false};
  if (f->state->kills) r.killed = is_killed(f, var, b);
  ph_reads_push(&f->reads, &f->arena, r);
}

/* Records a read that found a phi or an undef: it may turn out to be undefined;
** so may any, if the host says what is found then. */
static inline void note_read(ph_func *f, uint32_t var, uint32_t b, uint32_t v) {
  ph_op op = ph_node_of(f, v)->op;
  if (op == PH_PHI) ph_node_of(f, v)->flags |= PH_IS_READ;
  if (op == PH_PHI || op == PH_UNDEF || f->options.undefs == PH_UNDEF_ASK)
    push_read(f, var, b, v);
}

/* True if the latest recorded read of var was in b, too, and found v.
** Variables with cells need not ask. */
static bool is_again(ph_func *f, uint32_t var, uint32_t b, uint32_t v) {
  ph_ids *latest;
  const ph_readrec *r;
  if (ph_groups_first(f->groups, var) == 0) return false;
  latest = &ph_state_lazy(f)->read;
  ph_ids_extend(latest, &f->working, var + 1);
  r = &f->reads.at[latest->at[var] - 1];
  if (latest->at[var] != 0 && r->block == b && r->value == v) return true;
  latest->at[var] = f->reads.n + 1;
  return false;
}

/* Does the same if v can be the value of a lazy definition. */
static void note_any(ph_func *f, uint32_t var, uint32_t b, uint32_t v) {
  ph_node *n = ph_node_of(f, v);
  bool can_go = n->op == PH_PHI || n->flags & PH_IS_LAZY;
  if (can_go) n->flags |= PH_IS_READ;
  if (!can_go && n->op != PH_UNDEF && f->options.undefs != PH_UNDEF_ASK) return;
  if (!is_again(f, var, b, v)) push_read(f, var, b, v);
}

/* Returns the value of var, which is not written in b, in a function with
** listeners or lazy definitions. */
static PH_NOINLINE uint32_t read_more(ph_func *f, uint32_t var, uint32_t b,
                                      ph_landing l) {
  uint32_t v;
  ph_event_note(f, PH_EV_LOOKUP, b, var, 0, 0);
  if (f->details) ph_lookup_tellclimb(f, var, b, l);
  v = ph_lookup_result(f, var, l);
  note_any(f, var, b, v);
  if (ph_groups_first(f->groups, var) == 0)
    ph_current_def_noteread(&f->state->defs, var, b, v);
  else if (l.block != b || l.found == 0)
    ph_current_def_put(&f->state->defs, &f->working, var, b, v | PH_MEMO);
  ph_lookup_settle(f);
  v = ph_body_resolve(f, v);
  ph_event_note(f, PH_EV_READ, b, var, v, 0);
  return v;
}

static bool is_written(ph_landing l, uint32_t b) {
  return l.block == b && l.found != 0 && !(l.found & PH_MEMO);
}

/* Returns the value of var at the end of b: tells listeners of the read,
** remembers its result in the variable's cell, and records it if it may be
** undefined. */
static uint32_t look_up(ph_func *f, uint32_t var, uint32_t b) {
  ph_state *state = ph_state_for(f, var, b);
  ph_landing l = ph_lookup_climb(f, var, b);
  uint32_t v;
  if (l.found == 0 && f->deferred != NULL) return f->deferred->read(f, var, b);
  if (is_written(l, b)) {
    v = ph_body_resolve(f, l.found);
    ph_event_note(f, PH_EV_READ, b, var, v, 0);
    return v;
  }
  if (f->extra) return read_more(f, var, b, l);
  v = ph_lookup_result(f, var, l);
  note_read(f, var, b, v);
  ph_current_def_noteread(&state->defs, var, b, v);
  return v;
}

ph_value ph_build_read(ph_func *f, ph_var var, ph_block b) {
  const ph_state *state = ph_ptr(f)->state;
  uint32_t v;
  require_place(f, b);
  ph_require(ph_contract_hasvar(f, var) && "a variable of this function");
  v = state != NULL ? ph_current_def_read(&state->defs, var.id, b.id) : 0;
  if (v == 0) return ph_valueid(look_up(f, var.id, b.id));
  v = ph_body_resolve(f, v);
  ph_event_note(f, PH_EV_READ, b.id, var.id, v, 0);
  return ph_valueid(v);
}

ph_var ph_build_undefvar(const ph_func *f) {
  const ph_state *state = ph_ptr(f)->state;
  bool any = state != NULL && state->answered < state->asked.n;
  return (ph_var){any ? state->asked.at[state->answered] : 0};
}

void ph_build_define(ph_func *f, ph_var var, ph_value v) {
  ph_must(ph_some(var) && ph_same(var, ph_build_undefvar(ph_ptr(f))) &&
          "the variable of ph_build_undefvar");
  require_definition(f, var, v);
  ph_must((ph_value_op(f, v) == PH_CONST || ph_value_op(f, v) == PH_PARAM) &&
          "a constant or a parameter");
  f->state->answered++;
  ph_event_note(f, PH_EV_DEFINED, 0, var.id, v.id, 0);
  ph_trivial_phi_merge(f, f->vars.at[var.id].undef, v.id);
}

/* }== Sealing ======================================================== */

/* Takes the incomplete phis of b, in the order in which they were made. */
static uint32_t take_incomplete(ph_func *f, uint32_t b) {
  uint32_t number = ph_blockrec_of(f, b)->incomplete, first = 0;
  ph_blockrec_of(f, b)->incomplete = 0;
  while (number != 0) {
    uint32_t next = f->phis.at[number].next;
    f->phis.at[number].next = first;
    first = number;
    number = next;
  }
  return first;
}

/* addPhiOperands (Algorithm 2). */
static void add_operands(ph_func *f, uint32_t b, uint32_t phi, uint32_t var) {
  ph_ids *values = &f->state->values;
  uint32_t base = values->n;
  PH_EACH_PRED(f, b, e) {
    uint32_t v = ph_lookup_value(f, var, f->edges.at[e].from);
    ph_ids_push(values, &f->working, v);
  }
  ph_trivial_phi_complete(f, phi, values->at + base, values->n - base);
  values->n = base;
}

/* Replaces a phi of b for a variable that no path from `up` to b writes, by the
** value of var there.  Its operands need no look-ups; they would be that value
** or the phi itself. */
static void replace_by_up(ph_func *f, uint32_t b, uint32_t phi, uint32_t var) {
  const ph_join_skips *skips = &f->state->skips;
  ph_ids *values = &f->state->values;
  uint32_t base = values->n;
  uint32_t v = ph_lookup_value(f, var, skips->blocks.at[b].up);
  f->unneeded++;
  if (f->listening) PH_EACH_PRED(f, b, e) {
      bool loops = ph_join_skip_isabove(skips, b, f->edges.at[e].from);
      ph_ids_push(values, &f->working, loops ? phi : v);
    }
  ph_trivial_phi_replace(f, phi, v, values->at + base);
  values->n = base;
}

/* The block counts as sealed before its phis get operands, so a look-up that
** comes back to it finds its predecessors. */
PH_NOINLINE void ph_build_complete(ph_func *f, uint32_t b) {
  ph_join_skip_link(f, &f->state->skips, b);
  for (uint32_t i = take_incomplete(f, b); i != 0;) {
    ph_phirec r = f->phis.at[i];
    if (ph_join_skip_istransparent(&f->state->skips, b, r.var))
      replace_by_up(f, b, r.value, r.var);
    else
      add_operands(f, b, r.value, r.var);
    i = r.next;
  }
}

/* The same in a function with listeners or lazy definitions. */
static PH_NOINLINE void seal_more(ph_func *f, uint32_t b) {
  ph_event_note(f, PH_EV_SEALED, b, 0, 0, 0);
  ph_refine_seal(f, b);
  ph_build_complete(f, b);
  ph_lookup_settle(f);
}

/* sealBlock (Algorithm 4). */
void ph_build_seal(ph_func *f, ph_block b) {
  ph_blockrec *block;
  ph_state *state;
  uint32_t from;
  require_place(f, b);
  block = ph_blockrec_of(f, b.id);
  state = ph_state_of(f, b.id);
  from = f->edges.at[block->first_pred].from;
  ph_require(!block->sealed && "seal once");
  state->sealed++;
  state->entered += from - 1 < b.id - 1; /* and not 0, none */
  block->sealed = true;
  block->places[PH_AT_SEALED] = ph_srcloc_now(f);
  f->inst_changes++;
  if (f->extra)
    seal_more(f, b.id);
  else if (block->npreds != 1 || block->filled || block->incomplete)
    ph_build_complete(f, b.id);
  else
    ph_join_skip_linkto(state->skips.blocks.at, b.id, from, 0);
}

/* }== Instructions =================================================== */

static inline void require_emission(const ph_func *f, ph_block b, ph_op op,
                                    ph_type type, const ph_value *args,
                                    uint32_t n) {
  require_place(f, b);
  ph_require((op == PH_ALLOCA || !ph_blockrec_of(f, b.id)->filled) &&
             "nothing after the terminator");
  ph_require(ph_opcheck_isinst(f, op) && "an instruction");
  ph_require(ph_contract_hasvalues(f, args, n) &&
             "operands are values of this function");
  ph_require(ph_opcheck_fits(f, op, type, args, n) &&
             "operands and a type that fit the op");
  ph_require(ph_opcheck_fitsblock(f, op, b.id) &&
             "an alloca in the entry, va_start in a variadic function");
}

/* An alloca may come after the terminator of the entry, and is put before it: a
** frontend meets locals that need memory while the entry is long filled. */
static PH_NOINLINE uint32_t insert_alloca(ph_func *f, uint32_t b, ph_type type,
                                          const ph_value *args, uint32_t n) {
  uint32_t v = ph_value_node(f, PH_ALLOCA, type);
  ph_value_setvalues(f, v, args, n);
  ph_srcloc_stamp(f, v);
  ph_value_insert(f, v, ph_blockrec_of(f, b)->last);
  return v;
}

/* Here operands are resolved, once. */
static inline ph_value emit_inst(ph_func *f, ph_block b, ph_op op, ph_type type,
                                 const ph_value *args, uint32_t n,
                                 ph_data data) {
  uint32_t v;
  bool late;
  require_emission(f, b, op, type, args, n);
  ph_require(ph_op_fitsdata(op, data) &&
             "what is called, or its name; of an address, too; of a trap, why");
  late = op == PH_ALLOCA && ph_blockrec_of(f, b.id)->filled;
  if (f->peephole != NULL && !late)
    return ph_valueid(ph_peephole_emit(f, b.id, op, type, args, n, data));
  v = late ? insert_alloca(f, b.id, type, args, n)
           : ph_value_add(f, b.id, op, type, args, n);
  ph_event_note(f, PH_EV_EMIT, b.id, 0, v, 0);
  if (data.tag != PH_DATA_NONE) ph_value_setdata(f, ph_valueid(v), data);
  return ph_valueid(v);
}

ph_value ph_build_emit(ph_func *f, ph_block b, ph_op op, ph_type type,
                       const ph_value *args, uint32_t n) {
  const ph_data none = {0, PH_DATA_NONE};
  return emit_inst(f, b, op, type, args, n, none);
}

ph_value ph_build_emitdata(ph_func *f, ph_block b, ph_op op, ph_type type,
                           const ph_value *args, uint32_t n, ph_data data) {
  return emit_inst(f, b, op, type, args, n, data);
}

ph_value ph_build_call(ph_func *f, ph_block b, ph_type type, ph_str callee,
                       const ph_value *args, uint32_t n) {
  const ph_data data = {ph_intern_add(f, callee), PH_DATA_STR};
  return ph_build_emitdata(f, b, PH_CALL, type, args, n, data);
}

/* What is said is noted for the instruction itself, which rules may replace by
** another one with the same effect. */
ph_value ph_build_emiteffects(ph_func *f, ph_block b, ph_op op, ph_type type,
                              const ph_value *args, uint32_t n, ph_data data,
                              ph_effects e) {
  ph_value v;
  ph_require(ph_effects_fits(f, op, e) && "effects that the op can have");
  f->saying = ph_effects_keep(f, e);
  v = ph_build_emitdata(f, b, op, type, args, n, data);
  if (f->peephole == NULL) ph_effects_say(f, v.id, f->saying);
  f->saying = 0;
  return v;
}

/* A phi made by hand counts as read, since its maker holds it. */
ph_value ph_build_phi(ph_func *f, ph_block b, ph_type type,
                      const ph_value *args, uint32_t n) {
  ph_ids *values;
  uint32_t base, phi;
  require_place(f, b);
  ph_require(ph_blockrec_of(f, b.id)->sealed && "seal first");
  ph_require(ph_blockrec_of(f, b.id)->npreds == n &&
             "an operand for each edge");
  ph_require(ph_contract_hasvalues(f, args, n) &&
             "operands are values of this function");
  ph_require(ph_opcheck_fits(f, PH_PHI, type, args, n) &&
             "operands of the phi's type");
  values = &ph_state_of(f, b.id)->values;
  base = values->n;
  phi = ph_value_newphi(f, b.id, 0, type);
  ph_identity_stamp(f, phi);
  ph_node_of(f, phi)->flags |= PH_IS_READ;
  for (uint32_t i = 0; i < n; i++) ph_ids_push(values, &f->working, args[i].id);
  ph_trivial_phi_complete(f, phi, values->at + base, n);
  values->n = base;
  return ph_value_resolve(f, ph_valueid(phi));
}

/* }=================================================================== */
