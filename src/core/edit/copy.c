/* copy.c: copies a finished function into another one, or into itself.
**
** The copy is made first, blocks in reverse postorder, while both functions are
** as they were: so a function can be copied into itself.  Then the block is
** split, and its first part leads to the copy.  Values get their ids before
** their operands, since loops use what comes later.
**
** Only what the callee's entry reaches is copied: what else there is, edits
** have left behind, or nothing will ever run.
**
** Takes time for the callee's size, and for the instructions of the block from
** the split on, which belong to a new block.
**
** Requires: both functions are finished.  Keeps: phis of the blocks that the
** split one led to; uses.
*/
#include "core/analysis/rpo.h"
#include "core/edit/edge_order.h"
#include "core/edit/edit.h"
#include "core/ir/block.h"
#include "core/ir/contract.h"
#include "core/ir/effects.h"
#include "core/ir/event.h"
#include "core/ir/identity.h"
#include "core/ir/op.h"
#include "core/ir/opcheck.h"
#include "core/ir/value.h"

PH_VEC(returns, ph_value)

typedef struct {
  ph_func *f;
  const ph_func *from;
  ph_copying *made;
  const ph_rpo *order; /* of `from` */
  uint32_t *strings;   /* by string of `from`: that of f, or 0 */
  uint32_t *vars;      /* by variable of `from`: that of f, or 0 */
  uint32_t *made_for;  /* by identity of `from`: that of f */
  ph_ids operands;     /* of the value that is being copied */
  ph_ids allocas;      /* copies that are in no block yet */
  ph_ids ends;         /* copies of the blocks that return */
  returns returned;    /* what they return, all results of each in a row */
} copier;

/*
** {== What the functions name differently ============================
*/

static uint32_t string_of(copier *k, uint32_t s) {
  if (s == 0 || k->from == k->f) return s;
  if (k->strings[s] == 0)
    k->strings[s] = ph_intern_add(k->f, ph_intern_string(k->from, s));
  return k->strings[s];
}

static ph_type type_of(const copier *k, ph_type type) {
  return k->from == k->f ? type : ph_type_in(k->f, k->from, type);
}

static ph_op op_of(const copier *k, ph_op op) {
  const ph_attached *a = ph_op_owner(k->from, op);
  if (a == NULL || k->from == k->f) return op;
  return (ph_op)(ph_op_attachdialect(k->f, a->dialect) + op - a->op);
}

static uint32_t var_of(copier *k, uint32_t var) {
  const ph_varrec *rec = &k->from->vars.at[var];
  if (var == 0 || k->from == k->f) return var;
  if (k->vars[var] == 0)
    k->vars[var] = ph_var_new(k->f, ph_intern_string(k->from, rec->name),
                              type_of(k, rec->type))
                       .id;
  return k->vars[var];
}

static uint64_t hosted(const copier *k, uint64_t number) {
  return k->made->host != NULL ? k->made->host(k->made->ud, number) : number;
}

static ph_data data_of(copier *k, ph_data d) {
  switch (d.tag) {
    case PH_DATA_STR:
      d.bits = string_of(k, (uint32_t)d.bits);
      break;
    case PH_DATA_HOST:
      d.bits = hosted(k, d.bits);
      break;
    case PH_DATA_SYMBOL:
      d.bits = hosted(k, d.bits >> 32) << 32 | string_of(k, (uint32_t)d.bits);
      break;
    default:
      break;
  }
  return d;
}

static ph_srcloc place_of(copier *k, ph_srcloc loc) {
  loc.file = string_of(k, loc.file);
  return loc;
}

/* }== Values ========================================================= */

static uint32_t block_of(const copier *k, uint32_t b) {
  return k->made->blocks[b];
}

/* Returns the constant, or undef, that v is in f. */
static uint32_t leaf_of(copier *k, uint32_t v) {
  const ph_node *n = ph_node_of(k->from, v);
  if (k->from == k->f) return v;
  if (n->op == PH_UNDEF) return ph_const_undef(k->f, type_of(k, n->type)).id;
  assert(n->op == PH_CONST && "a value that the entry reaches");
  return ph_const_of(k->f, type_of(k, n->type),
                     data_of(k, k->from->datas.at[n->aux]));
}

static uint32_t value_of(copier *k, uint32_t v) {
  uint32_t *at = &k->made->values[v];
  if (*at == 0) *at = leaf_of(k, v);
  return *at;
}

static void carry_places(copier *k, uint32_t v, uint32_t copy) {
  ph_srcloc loc = ph_value_loc(k->from, ph_valueid(v));
  ph_srcloc host = ph_value_hostloc(k->from, ph_valueid(v));
  if (loc.line != 0) ph_srcloc_setloc(k->f, copy, place_of(k, loc));
  if (host.line != 0) ph_srcloc_sethostloc(k->f, copy, place_of(k, host));
}

static void carry_nodes(copier *k, uint32_t v, uint32_t copy) {
  uint32_t identity = ph_identity_of(k->from, v);
  if (identity != 0) ph_identity_add(k->f, copy, k->made_for[identity]);
}

/* Tail calls become calls, which may write everything, as they did. */
static void carry_effects(copier *k, uint32_t v, uint32_t copy) {
  uint32_t said = ph_effects_said(k->from, v);
  if (said == 0) return;
  said = ph_effects_keep(
      k->f, ph_effects_translate(k->f, k->from, k->from->effects.at[said]));
  ph_effects_say(k->f, copy, said);
}

static bool is_tail_call(ph_op op) {
  return op == PH_TAIL_CALL || op == PH_TAIL_CALL_INDIRECT;
}

static uint32_t copy_own(copier *k, const ph_node *n) {
  if (n->op == PH_PHI) {
    ph_phirec rec = {0, var_of(k, k->from->phis.at[n->aux].var), 0};
    ph_phis_push(&k->f->phis, &k->f->arena, rec);
    return k->f->phis.n - 1;
  }
  if (ph_op_namesvar(n->op)) return var_of(k, n->aux);
  return ph_value_keepdata(k->f, data_of(k, k->from->datas.at[n->aux]));
}

/* Makes a copy of v, a phi or instruction, that is in no block and has no
** operands. */
static void copy_value(copier *k, uint32_t v) {
  ph_node n = *ph_node_of(k->from, v);
  ph_str name = ph_value_name(k->from, ph_valueid(v));
  uint32_t copy, own;
  if (is_tail_call(n.op)) { /* not the end of this function */
    n.op = n.op == PH_TAIL_CALL ? PH_CALL : PH_CALL_INDIRECT;
    n.type = k->from->result;
  }
  copy = ph_value_node(k->f, op_of(k, n.op), type_of(k, n.type));
  own = copy_own(k, &n);
  ph_node_of(k->f, copy)->aux = own;
  ph_node_of(k->f, copy)->flags = n.flags & (PH_IS_READ | PH_IS_LAZY);
  if (n.op == PH_PHI) k->f->phis.at[own].value = copy;
  if (name.n > 0) ph_value_setname(k->f, ph_valueid(copy), name);
  carry_places(k, v, copy);
  carry_effects(k, v, copy);
  k->made->values[v] = copy;
}

/* Gives a copy the operands in k->operands. */
static void give_operands(copier *k, uint32_t copy) {
  ph_value_setargs(k->f, copy, k->operands.at, k->operands.n);
  k->operands.n = 0;
}

static void add_operand(copier *k, uint32_t v, uint32_t i) {
  ph_ids_push(&k->operands, &k->f->scratch,
              value_of(k, ph_body_operand(k->from, v, i)));
}

/* }== Blocks ========================================================= */

static bool is_copied(const copier *k, uint32_t b) {
  return k->order->index[b] != PH_UNREACHED;
}

static void fill_phi(copier *k, uint32_t b, uint32_t v) {
  uint32_t i = 0;
  PH_EACH_PRED(k->from, b, e) {
    if (is_copied(k, k->from->edges.at[e].from)) add_operand(k, v, i);
    i++;
  }
  give_operands(k, k->made->values[v]);
  ph_value_append(k->f, block_of(k, b), k->made->values[v]);
  carry_nodes(k, v, k->made->values[v]);
}

static void fill_inst(copier *k, uint32_t b, uint32_t v) {
  uint32_t copy = k->made->values[v], n = ph_node_of(k->from, v)->nargs;
  for (uint32_t i = 0; i < n; i++) add_operand(k, v, i);
  give_operands(k, copy);
  ph_node_of(k->f, copy)->block = 1; /* allocas will be there */
  if (ph_node_of(k->from, v)->op == PH_ALLOCA)
    ph_ids_push(&k->allocas, &k->f->scratch, copy);
  else
    ph_value_append(k->f, block_of(k, b), copy);
  carry_nodes(k, v, copy);
}

/* Returns result i, from 1, of a call that is the last instruction of b. */
static uint32_t further_of(copier *k, uint32_t b, uint32_t call, uint32_t i) {
  ph_type type = type_of(k, ph_body_result(k->from, i));
  uint32_t proj = ph_value_node(k->f, PH_PROJ, type);
  uint32_t which = ph_value_keepdata(k->f, (ph_data){i + 1, PH_DATA_INT});
  ph_node_of(k->f, proj)->aux = which;
  ph_value_setargs(k->f, proj, &call, 1);
  ph_value_append(k->f, block_of(k, b), proj);
  return proj;
}

/* Returns the copy of result i, from 0, which b returns by v. */
static uint32_t returned_by(copier *k, uint32_t b, uint32_t v, uint32_t i) {
  if (!is_tail_call(ph_node_of(k->from, v)->op))
    return value_of(k, ph_body_operand(k->from, v, i));
  uint32_t call = k->made->values[v];
  return i == 0 ? call : further_of(k, b, call, i);
}

/* Ends the copy of b, which returns by v, with a jump. */
static void fill_return(copier *k, uint32_t b, uint32_t v) {
  uint32_t jump = ph_value_node(k->f, PH_JUMP, PH_NOTYPE);
  for (uint32_t i = 0; i < ph_body_nresults(k->from); i++)
    returns_push(&k->returned, &k->f->scratch,
                 ph_valueid(returned_by(k, b, v, i)));
  ph_ids_push(&k->ends, &k->f->scratch, block_of(k, b));
  carry_places(k, v, jump);
  ph_edit_fill(k->f, block_of(k, b), jump);
  carry_nodes(k, v, jump);
}

static void fill_block(copier *k, uint32_t b) {
  uint32_t last = ph_blockrec_of(k->from, b)->last;
  PH_EACH_PHI(k->from, b, v) fill_phi(k, b, v);
  PH_EACH_INST(k->from, b, v) {
    if (ph_node_of(k->from, v)->op != PH_RET) fill_inst(k, b, v);
  }
  if (ph_node_of(k->from, last)->op == PH_RET ||
      is_tail_call(ph_node_of(k->from, last)->op)) {
    fill_return(k, b, last);
    return;
  }
  ph_blockrec block = *ph_blockrec_of(k->from, b);
  ph_block *targets =
      ph_arena_alloc(&k->f->scratch, (block.nsuccs + 1) * sizeof *targets);
  for (uint32_t i = 0; i < block.nsuccs; i++)
    targets[i].id = block_of(k, k->from->edges.at[block.first_succ + i].to);
  ph_block_connect(k->f, block_of(k, b), targets, block.nsuccs, false);
  ph_blockrec_of(k->f, block_of(k, b))->filled = true;
  ph_blockrec_of(k->f, block_of(k, b))->places[PH_AT_FILLED] =
      ph_srcloc_now(k->f);
}

/* Lets the edges into the copy of b arrive in the order of the edges into b. */
static void arrive_edges(copier *k, uint32_t b) {
  PH_EACH_PRED(k->from, b, e) {
    uint32_t from = k->from->edges.at[e].from;
    uint32_t nth = e - ph_blockrec_of(k->from, from)->first_succ;
    if (is_copied(k, from))
      ph_block_arrive(
          k->f, ph_blockrec_of(k->f, block_of(k, from))->first_succ + nth);
  }
}

/* Copies all blocks; nothing leads to them. */
static void copy_body(copier *k) {
  for (uint32_t i = 0; i < k->order->count; i++) {
    ph_block b = {k->order->rpo[i]};
    ph_str name = i == 0 ? ph_func_name(k->from) : ph_block_name(k->from, b);
    k->made->blocks[b.id] = ph_edit_open(k->f, name);
  }
  for (uint32_t i = 0; i < k->order->count; i++) {
    PH_EACH_PHI(k->from, k->order->rpo[i], v) copy_value(k, v);
    PH_EACH_INST(k->from, k->order->rpo[i], v) {
      if (ph_node_of(k->from, v)->op != PH_RET) copy_value(k, v);
    }
  }
  for (uint32_t i = 0; i < k->order->count; i++)
    fill_block(k, k->order->rpo[i]);
  for (uint32_t i = 0; i < k->order->count; i++)
    arrive_edges(k, k->order->rpo[i]);
}

/* }== The split block ================================================ */

/* Puts the allocas at the start of the entry. */
static void place_allocas(const copier *k) {
  uint32_t at = ph_blockrec_of(k->f, 1)->first;
  for (uint32_t i = 0; i < k->allocas.n; i++)
    ph_value_insert(k->f, k->allocas.at[i], at);
}

/* Ends b, which has no terminator and leads nowhere, with a jump. */
static void jump_to(ph_func *f, uint32_t b, uint32_t to) {
  const ph_block target = {to};
  ph_block_connect(f, b, &target, 1, false);
  ph_edge_order_need(f);
  ph_edge_order_append(f, ph_blockrec_of(f, b)->first_succ,
                       (ph_incomings){NULL, 0});
}

/* Moves what follows the cursor to a block of its own, which is returned. */
static uint32_t split_block(ph_func *f, uint32_t at) {
  uint32_t b = ph_node_of(f, at)->block;
  uint32_t rest = ph_edit_open(f, (ph_str){"", 0});
  ph_edge_order_source(f, b);
  ph_edge_order_handover(f, b, rest);
  ph_edit_moverest(f, b, at, rest);
  return rest;
}

/* Returns result i, from 0: a phi if it is not always the same value; values has
** room for what each of the ends returns. */
static ph_value make_result(const copier *k, uint32_t i, ph_value *values) {
  uint32_t ends = k->ends.n, n = ph_body_nresults(k->from);
  ph_type type = type_of(k, ph_body_result(k->from, i));
  bool same = true;
  if (ends == 0) return ph_const_undef(k->f, type);
  for (uint32_t e = 0; e < ends; e++) {
    values[e] = k->returned.at[e * n + i];
    same = same && ph_same(values[e], values[0]);
  }
  return same ? values[0]
              : ph_edit_newphi(k->f, k->made->rest, type, values, ends);
}

static void make_results(const copier *k) {
  uint32_t n = ph_body_nresults(k->from);
  ph_value *values =
      ph_arena_alloc(&k->f->scratch, (k->ends.n + 1) * sizeof *values);
  k->made->result.id = 0;
  if (n > 0) k->made->result = make_result(k, 0, values);
  for (uint32_t i = 1; i < n; i++)
    k->made->further[i - 1] = make_result(k, i, values);
}

/* }== Copying ======================================================== */

/* Begins with what reads both functions and what else can be needed. */
static copier start(ph_func *f, ph_func *callee, ph_copying *made) {
  copier k = {.f = f, .from = callee, .made = made};
  ph_arena *a = &f->scratch;
  ph_body_settle(callee);
  ph_edge_order_need(f);
  k.order = ph_rpo_compute(callee, a);
  k.strings = ph_arena_zero(a, callee->strings.n * sizeof *k.strings);
  k.vars = ph_arena_zero(a, callee->vars.n * sizeof *k.vars);
  k.made_for =
      ph_arena_zero(a, (callee->identities.n + 1) * sizeof *k.made_for);
  const ph_identities *from = &k.from->identities;
  for (uint32_t i = 1; i < from->n; i++) {
    ph_identity r = from->at[i];
    if (k.from == k.f)
      k.made_for[i] = i;
    else if (r.then == 0)
      k.made_for[i] = ph_identity_new(k.f, r.first + k.made->nodes, 0);
    else
      k.made_for[i] =
          ph_identity_new(k.f, k.made_for[r.first], k.made_for[r.then]);
  }
  for (uint32_t i = 0; i < callee->dialects.n; i++)
    ph_op_attachdialect(f, callee->dialects.at[i].dialect);
  return k;
}

void ph_edit_copyinto(ph_func *f, ph_value at, ph_func *callee,
                      const ph_value *args, ph_copying *made) {
  ph_arena_mark bottom = ph_scratch_open(ph_ptr(f));
  uint32_t inst, b;
  copier k;
  ph_must(ph_contract_isblank(ph_ptr(made)) && "reserved words that are zero");
  ph_must(f->finished && ph_ptr(callee)->finished && "finished functions");
  ph_must(!callee->options.variadic && "a callee that is not variadic");
  ph_must((callee->further.n == 0 || made->further != NULL) &&
          "memory for further results");
  ph_must(ph_contract_hasvalues(f, &at, 1) &&
          ph_contract_isinst(f, ph_body_resolve(f, at.id)) &&
          "before an instruction");
  ph_must(ph_contract_hasvalues(f, args, callee->params.n) &&
          "arguments are values of this function");
  inst = ph_body_resolve(f, at.id);
  b = ph_node_of(f, inst)->block;
  ph_event_note(f, PH_EV_EDITED, b, 0, 0, 0);
  k = start(f, callee, made);
  for (uint32_t i = 0; i < callee->params.n; i++)
    made->values[callee->params.at[i]] = ph_body_resolve(f, args[i].id);
  copy_body(&k);
  made->entry.id = block_of(&k, 1);
  ph_edge_order_enter(f, made->entry.id);
  place_allocas(&k);
  made->rest.id = split_block(f, inst);
  for (uint32_t i = 0; i < k.ends.n; i++)
    jump_to(f, k.ends.at[i], made->rest.id);
  jump_to(f, b, made->entry.id);
  ph_edit_fill(f, b, ph_edit_make(f, PH_JUMP, PH_NOTYPE, NULL, 0));
  make_results(&k);
  f->refines |= callee->refines;
  ph_scratch_leave(f, bottom);
}

/* }== What cannot be copied ========================================== */

/* True if v is defined in no block that the entry reaches, and no parameter or
** constant. */
static bool is_stray(const ph_func *f, const ph_rpo *o, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  if (n->flags & PH_IS_DROPPED) return true;
  return n->block != 0 && o->index[n->block] == PH_UNREACHED;
}

static bool uses_stray(const ph_func *f, const ph_rpo *o, uint32_t v) {
  for (uint32_t i = 0; i < ph_node_of(f, v)->nargs; i++)
    if (is_stray(f, o, ph_body_operand(f, v, i))) return true;
  return false;
}

/* The same for a phi: operands that come from unreachable blocks do not
** count. */
static bool joins_stray(const ph_func *f, const ph_rpo *o, uint32_t phi) {
  uint32_t i = 0;
  PH_EACH_PRED(f, ph_node_of(f, phi)->block, e) {
    uint32_t arg = ph_body_operand(f, phi, i++);
    if (o->index[f->edges.at[e].from] != PH_UNREACHED && is_stray(f, o, arg))
      return true;
  }
  return false;
}

/* Returns a phi or instruction of b that uses such a value, or 0. */
static uint32_t user_in(const ph_func *f, const ph_rpo *o, uint32_t b) {
  PH_EACH_PHI(f, b, v) {
    if (joins_stray(f, o, v)) return v;
  }
  PH_EACH_INST(f, b, v) {
    if (uses_stray(f, o, v)) return v;
  }
  return 0;
}

ph_value ph_edit_strayuser(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(ph_ptr(f));
  const ph_rpo *o = ph_rpo_compute(f, &f->scratch);
  uint32_t found = 0;
  ph_must(f->finished && "a finished function");
  for (uint32_t i = 0; i < o->count && found == 0; i++)
    found = user_in(f, o, o->rpo[i]);
  ph_scratch_leave(f, bottom);
  return ph_valueid(found);
}

/* }=================================================================== */
