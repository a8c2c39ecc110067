/* value.c: values, blocks and edges.
**
** Nothing here knows why a value is made or goes; it keeps the lists of a
** block, the operands and the uses in step.
*/
#include "core/ir/value.h"

#include <assert.h>

#include "core/ir/event.h"
#include "core/ir/intern.h"
#include "core/ir/op.h"

/*
** {== Making =========================================================
*/

uint32_t ph_value_node(ph_func *f, ph_op op, ph_type type) {
  uint32_t v = ph_value_claim(f, 0);
  *ph_node_of(f, v) = (ph_node){.op = op, .type = type};
  return v;
}

uint32_t ph_value_keepdata(ph_func *f, ph_data data) {
  if (data.tag == PH_DATA_NONE) return 0;
  ph_datas_push(&f->datas, &f->arena, data);
  return f->datas.n - 1;
}

void ph_value_append(ph_func *f, uint32_t b, uint32_t v) {
  ph_blockrec *block = ph_blockrec_of(f, b);
  ph_node *n = ph_node_of(f, v);
  bool is_phi = n->op == PH_PHI;
  n->block = b;
  n->prev = is_phi ? block->last_phi : block->last;
  n->next = 0;
  if (is_phi)
    ph_value_chain(f, v, &block->first_phi, &block->last_phi);
  else
    ph_value_chain(f, v, &block->first, &block->last);
}

static uint32_t *give_operands(ph_func *f, uint32_t v, uint32_t n) {
  uint32_t at = f->operands.n;
  ph_ids_reserve(&f->operands, &f->arena, at + n);
  f->operands.n = at + n;
  ph_node_of(f, v)->args = at;
  ph_node_of(f, v)->nargs = n;
  return f->operands.at + at;
}

void ph_value_setargs(ph_func *f, uint32_t v, const uint32_t *args,
                      uint32_t n) {
  uint32_t *operands = give_operands(f, v, n);
  for (uint32_t i = 0; i < n; i++) operands[i] = args[i];
  ph_uses_link(f, v);
}

void ph_value_setvalues(ph_func *f, uint32_t v, const ph_value *args,
                        uint32_t n) {
  uint32_t *operands = give_operands(f, v, n);
  for (uint32_t i = 0; i < n; i++) operands[i] = ph_func_resolve(f, args[i].id);
  ph_uses_link(f, v);
}

void ph_value_setarg(ph_func *f, uint32_t v, uint32_t i, uint32_t w) {
  ph_uses_unlinkone(f, v, i);
  f->operands.at[ph_node_of(f, v)->args + i] = w;
  ph_uses_linkone(f, v, i);
  f->version++;
}

void ph_value_insert(ph_func *f, uint32_t v, uint32_t at) {
  uint32_t b = ph_node_of(f, at)->block, prev = ph_node_of(f, at)->prev;
  ph_node_of(f, v)->block = b;
  ph_node_of(f, v)->prev = prev;
  ph_node_of(f, v)->next = at;
  ph_node_of(f, at)->prev = v;
  if (prev != 0)
    ph_node_of(f, prev)->next = v;
  else
    ph_blockrec_of(f, b)->first = v;
}

uint32_t ph_value_newphi(ph_func *f, uint32_t b, uint32_t var, ph_type type) {
  uint32_t v = ph_value_node(f, PH_PHI, type);
  ph_phirec rec = {v, var, 0};
  ph_node_of(f, v)->aux = f->phis.n;
  ph_node_of(f, v)->flags |= PH_IS_INCOMPLETE;
  ph_phis_push(&f->phis, &f->arena, rec);
  ph_value_append(f, b, v);
  ph_srcloc_stamp(f, v);
  ph_event_note(f, PH_EV_PHI, b, var, v, 0);
  return v;
}

/* }== Taking out ===================================================== */

static void leave_list(ph_func *f, const ph_node *n) {
  ph_blockrec *block = ph_blockrec_of(f, n->block);
  bool is_phi = n->op == PH_PHI;
  if (n->prev != 0)
    ph_node_of(f, n->prev)->next = n->next;
  else if (is_phi)
    block->first_phi = n->next;
  else
    block->first = n->next;
  if (n->next != 0)
    ph_node_of(f, n->next)->prev = n->prev;
  else if (is_phi)
    block->last_phi = n->prev;
  else
    block->last = n->prev;
}

void ph_value_takeout(ph_func *f, uint32_t v) {
  ph_uses_unlink(f, v);
  leave_list(f, ph_node_of(f, v));
  f->version++;
}

void ph_value_replace(ph_func *f, uint32_t v, uint32_t w) {
  ph_node *n = ph_node_of(f, v);
  if (w == 0) {
    n->flags |= PH_IS_DROPPED;
    return;
  }
  assert(v != w && "a value cannot replace itself");
  ph_node_of(f, w)->flags |= n->flags & PH_IS_READ;
  ph_uses_join(f, v, w);
  ph_node_of(f, v)->forward = w;
  f->version++;
}

/* }== Parameters and variables ======================================= */

ph_value ph_value_newparam(ph_func *f, ph_str name, ph_type type) {
  ph_data index = {f->params.n, PH_DATA_INT};
  uint32_t data = ph_value_keepdata(f, index);
  uint32_t v = ph_value_node(f, PH_PARAM, type);
  ph_node_of(f, v)->aux = data;
  ph_ids_push(&f->params, &f->arena, v);
  ph_value_setname(f, ph_valueid(v), name);
  return ph_valueid(v);
}

uint32_t ph_value_nparams(const ph_func *f) { return f->params.n; }

ph_value ph_value_param(const ph_func *f, uint32_t i) {
  return ph_valueid(f->params.at[i]);
}

ph_var ph_var_new(ph_func *f, ph_str name, ph_type type) {
  ph_varrec var = {0};
  var.name = ph_intern_of(f, name);
  var.type = type;
  var.made = ph_srcloc_now(f);
  ph_vars_push(&f->vars, &f->arena, var);
  ph_event_note(f, PH_EV_VAR, 0, f->vars.n - 1, 0, 0);
  return (ph_var){f->vars.n - 1};
}

uint32_t ph_var_count(const ph_func *f) { return f->vars.n - 1; }

ph_type ph_var_type(const ph_func *f, ph_var var) {
  return f->vars.at[var.id].type;
}

/* }== Blocks and edges =============================================== */

ph_block ph_block_entry(const ph_func *f) {
  (void)f;
  return ph_blockid(1);
}

static void announce(ph_func *f, uint32_t b, uint32_t preds) {
  ph_ids_extend(&f->announced, &f->arena, b + 1);
  f->announced.at[b] = preds + 1;
  ph_blockrec_of(f, b)->awaited = preds;
}

ph_block ph_block_new(ph_func *f, ph_str name, int preds) {
  uint32_t string = ph_intern_of(f, name), id = f->blocks.n;
  ph_blockrec *b;
  ph_blocks_reserve(&f->blocks, &f->arena, id + 1);
  f->blocks.n = id + 1;
  b = ph_blockrec_of(f, id);
  *b = (ph_blockrec){.name = string, .sealed = preds == 0};
  b->places[PH_AT_MADE] = ph_srcloc_now(f);
  if (b->sealed) b->places[PH_AT_SEALED] = ph_srcloc_now(f);
  if (preds >= 0 && id != 1) announce(f, id, (uint32_t)preds);
  f->version++;
  ph_event_note(f, PH_EV_BLOCK, id, 0, 0, 0);
  return ph_blockid(id);
}

static void arrive(ph_edge *edges, uint32_t edge, ph_blockrec *to) {
  *(to->last_pred != 0 ? &edges[to->last_pred].next : &to->first_pred) = edge;
  to->last_pred = edge;
  to->npreds++;
}

void ph_block_arrive(ph_func *f, uint32_t edge) {
  ph_edge *edges = f->edges.at;
  edges[edge].next = 0;
  arrive(edges, edge, ph_blockrec_of(f, edges[edge].to));
}

void ph_block_connect(ph_func *f, uint32_t b, const ph_block *targets,
                      uint32_t m, bool arriving) {
  uint32_t first = f->edges.n;
  ph_edge *edges;
  ph_edges_reserve(&f->edges, &f->arena, first + m);
  f->edges.n = first + m;
  edges = f->edges.at;
  for (uint32_t i = 0; i < m; i++) {
    edges[first + i] = (ph_edge){b, targets[i].id, 0};
    if (arriving) arrive(edges, first + i, ph_blockrec_of(f, targets[i].id));
  }
  ph_blockrec_of(f, b)->first_succ = first;
  ph_blockrec_of(f, b)->nsuccs = m;
}

/* Keeps of a phi the operands of the edges that stay.  Slots that get free
** are 0, as operands.c wants them. */
static void thin_phi(ph_func *f, uint32_t v, const bool *stays) {
  ph_node *n = ph_node_of(f, v);
  uint32_t *args = f->operands.at + n->args;
  uint32_t kept = 0;
  if (!ph_func_iswhole(f, v)) return;
  ph_uses_unlink(f, v);
  for (uint32_t i = 0; i < n->nargs; i++)
    if (stays[i]) args[kept++] = args[i];
  for (uint32_t i = kept; i < n->nargs; i++) args[i] = 0;
  n->nargs = kept;
  ph_uses_link(f, v);
}

void ph_block_unlink(ph_func *f, uint32_t b, ph_block_gone *gone,
                     const void *ud) {
  ph_blockrec *block = ph_blockrec_of(f, b);
  uint32_t n = block->npreds;
  uint32_t e = block->first_pred;
  bool *stays = ph_arena_alloc(&f->scratch, n + 1);
  block->first_pred = block->last_pred = block->npreds = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t next = f->edges.at[e].next;
    stays[i] = !gone(ud, e);
    if (stays[i]) ph_block_arrive(f, e);
    e = next;
  }
  PH_EACH_PHI(f, b, v) thin_phi(f, v, stays);
  f->version++;
}

ph_block ph_block_next(const ph_func *f, ph_block b) {
  uint32_t i = b.id + 1;
  while (i < f->blocks.n && f->blocks.at[i].removed) i++;
  return ph_blockid(i < f->blocks.n ? i : 0);
}

uint32_t ph_block_count(const ph_func *f) { return f->blocks.n - 1; }

int ph_block_announced(const ph_func *f, ph_block b) {
  if (b.id == 1) return 0;
  return b.id < f->announced.n ? (int)f->announced.at[b.id] - 1 : -1;
}

uint32_t ph_block_awaited(const ph_func *f, ph_block b) {
  return f->blocks.at[b.id].awaited;
}

bool ph_block_removed(const ph_func *f, ph_block b) {
  return f->blocks.at[b.id].removed;
}

bool ph_block_sealed(const ph_func *f, ph_block b) {
  return f->blocks.at[b.id].sealed;
}

bool ph_block_filled(const ph_func *f, ph_block b) {
  return f->blocks.at[b.id].filled;
}

bool ph_block_dead(const ph_func *f, ph_block b) {
  return ph_func_isdead(f, b.id);
}

uint32_t ph_block_npreds(const ph_func *f, ph_block b) {
  return f->blocks.at[b.id].npreds;
}

uint32_t ph_block_nsuccs(const ph_func *f, ph_block b) {
  return f->blocks.at[b.id].nsuccs;
}

uint32_t ph_block_firstpred(const ph_func *f, ph_block b) {
  return f->blocks.at[b.id].first_pred;
}

uint32_t ph_block_nextpred(const ph_func *f, uint32_t edge) {
  return f->edges.at[edge].next;
}

ph_block ph_block_edgefrom(const ph_func *f, uint32_t edge) {
  return ph_blockid(f->edges.at[edge].from);
}

ph_block ph_block_edgeto(const ph_func *f, uint32_t edge) {
  return ph_blockid(f->edges.at[edge].to);
}

ph_block ph_block_succ(const ph_func *f, ph_block b, uint32_t i) {
  return ph_block_edgeto(f, f->blocks.at[b.id].first_succ + i);
}

/* }== Values ========================================================= */

static const ph_node *now(const ph_func *f, ph_value v) {
  return ph_node_of(f, ph_func_resolve(f, v.id));
}

ph_value ph_value_now(const ph_func *f, ph_value v) {
  return ph_valueid(ph_func_resolve(f, v.id));
}

uint32_t ph_value_count(const ph_func *f) { return f->nodes.n - 1; }

bool ph_value_dropped(const ph_func *f, ph_value v) {
  return (now(f, v)->flags & PH_IS_DROPPED) != 0;
}

ph_op ph_value_op(const ph_func *f, ph_value v) { return now(f, v)->op; }

ph_type ph_value_type(const ph_func *f, ph_value v) { return now(f, v)->type; }

ph_block ph_value_block(const ph_func *f, ph_value v) {
  return ph_blockid(now(f, v)->block);
}

uint32_t ph_value_nargs(const ph_func *f, ph_value v) {
  return now(f, v)->nargs;
}

ph_value ph_value_arg(const ph_func *f, ph_value v, uint32_t i) {
  return ph_valueid(ph_func_operand(f, ph_func_resolve(f, v.id), i));
}

static bool has_data(const ph_node *n) {
  return n->op != PH_PHI && n->op != PH_COPY;
}

ph_data ph_value_data(const ph_func *f, ph_value v) {
  const ph_node *n = now(f, v);
  return f->datas.at[has_data(n) ? n->aux : 0];
}

void ph_value_setdata(ph_func *f, ph_value v, ph_data data) {
  uint32_t kept = ph_value_keepdata(f, data);
  ph_node *n = ph_node_of(f, ph_func_resolve(f, v.id));
  assert(has_data(n) && "phis and copies have no data");
  n->aux = kept;
  f->version++;
}

ph_var ph_value_var(const ph_func *f, ph_value v) {
  const ph_node *n = now(f, v);
  if (n->op == PH_PHI) return (ph_var){f->phis.at[n->aux].var};
  return (ph_var){n->op == PH_COPY ? n->aux : 0};
}

bool ph_value_incomplete(const ph_func *f, ph_value v) {
  return (now(f, v)->flags & PH_IS_INCOMPLETE) != 0;
}

ph_value ph_block_nextphi(const ph_func *f, ph_block b, ph_value v) {
  return ph_valueid(ph_some(v) ? f->nodes.at[v.id].next
                               : f->blocks.at[b.id].first_phi);
}

ph_value ph_block_nextinst(const ph_func *f, ph_block b, ph_value v) {
  return ph_valueid(ph_some(v) ? f->nodes.at[v.id].next
                               : f->blocks.at[b.id].first);
}

ph_value ph_block_terminator(const ph_func *f, ph_block b) {
  const ph_blockrec *block = ph_blockrec_of(f, b.id);
  return ph_valueid(block->filled ? block->last : 0);
}

/* }=================================================================== */
