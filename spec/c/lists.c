/* lists.c: each way in which the lists of a function can be broken, and what
** is said of it. */
#include "spec.h"

#include "core/ir/block.h"
#include "core/ir/value.h"
#include "core/ir/uses.h"

static ph_node *node(ph_func *f, uint32_t v) { return ph_node_of(f, v); }
static ph_blockrec *block(ph_func *f, uint32_t b) {
  return ph_blockrec_of(f, b);
}

/*
** {== Values =========================================================
*/

static void break_values(void) {
  SPEC_BREAK (spec_sum, whole, "") {
  }
  SPEC_BREAK (spec_sum, next_out_of_range,
              "block 'body' lists '%12345', which does not exist")
    node(f, SUM)->next = 12345;
  SPEC_BREAK (spec_sum, list_into_itself,
              "block 'body' lists '%23', which was listed before")
    node(f, SUM)->next = SUM;
  SPEC_BREAK (spec_sum, phis_into_themselves,
              "block 'head' lists '%20', which was listed before")
    node(f, S)->next = I;
  SPEC_BREAK (spec_sum, value_of_another_block,
              "block 'body' lists '%23', which belongs to no such list")
    node(f, SUM)->block = HEAD;
  SPEC_BREAK (spec_sum, no_way_back,
              "block 'body' lists '%43' after '%23', but not the other way")
    node(f, spec_last(f, BODY))->prev = 0;
  SPEC_BREAK (spec_sum, replaced_and_listed,
              "block 'body' lists '%23', which was removed")
    node(f, SUM)->forward = STEP;
  SPEC_BREAK (spec_sum, dropped_and_listed,
              "block 'body' lists '%23', which was removed")
    node(f, SUM)->flags |= PH_IS_DROPPED;
  SPEC_BREAK (spec_sum, no_phi_among_phis,
              "'%26' is among the phis of block 'join', but is none")
    node(f, MERGED)->op = PH_NEG;
  SPEC_BREAK (
      spec_sum, phi_among_instructions,
      "phi '%27' follows an instruction of block 'join': phis come first")
    node(f, STEP)->op = PH_PHI;
  SPEC_BREAK (
      spec_sum, constant_in_a_block,
      "'%23' is a constant or an argument: it cannot be in block 'body'")
    node(f, SUM)->op = PH_CONST;
  SPEC_BREAK (spec_sum, operands_out_of_range,
              "the operands of '%23' do not exist")
    node(f, SUM)->args = 5000;
  SPEC_BREAK (spec_sum, too_many_operands, "the operands of '%23' do not exist")
    node(f, SUM)->nargs = f->operands.n + 1;
  SPEC_BREAK (spec_sum, operand_out_of_range,
              "operand 2 of '%23', '%5000', does not exist")
    f->operands.at[node(f, SUM)->args + 1] = 5000;
  SPEC_BREAK (spec_sum, operand_none,
              "operand 1 of '%23', '%0', does not exist")
    f->operands.at[node(f, SUM)->args] = 0;
  SPEC_BREAK (spec_sum, last_instruction_wrong,
              "the last one that block 'join' lists is '%46', not '%0'")
    block(f, JOIN)->last = 0;
  SPEC_BREAK (spec_sum, last_phi_wrong,
              "the last one that block 'head' lists is '%21', not '%20'")
    block(f, HEAD)->last_phi = I;
}

/* }== Edges ========================================================== */

static ph_edge *edge(ph_func *f, uint32_t e) { return &f->edges.at[e]; }

static ph_edge *way_out(ph_func *f, uint32_t b) {
  return edge(f, block(f, b)->first_succ);
}

static ph_edge *way_in(ph_func *f, uint32_t b) {
  return edge(f, block(f, b)->first_pred);
}

/* No edge arrives in b, it says. */
static void cut(ph_func *f, uint32_t b) {
  block(f, b)->first_pred = block(f, b)->last_pred = 0;
  block(f, b)->npreds = 0;
}

static void break_edges(void) {
  SPEC_BREAK (spec_sum, edges_out_of_range,
              "the edges that leave block 'head' do not exist")
    block(f, HEAD)->first_succ = 4000000000;
  SPEC_BREAK (spec_sum, too_many_edges,
              "the edges that leave block 'head' do not exist")
    block(f, HEAD)->nsuccs = f->edges.n + 1;
  SPEC_BREAK (spec_sum, edge_from_another_block,
              "edge 1 of block 'head' does not leave it")
    way_out(f, HEAD)->from = BODY;
  SPEC_BREAK (spec_sum, edge_to_no_block,
              "edge 1 of block 'head' leads nowhere")
    way_out(f, HEAD)->to = 0;
  SPEC_BREAK (spec_sum, edge_out_of_range,
              "edge 1 of block 'head' leads nowhere")
    way_out(f, HEAD)->to = 77;
  SPEC_BREAK (spec_sum, pred_out_of_range,
              "an edge into block 'done' leaves no block")
    block(f, DONE)->first_pred = 999;
  SPEC_BREAK (spec_sum, pred_from_no_block,
              "an edge into block 'done' leaves no block") {
    ph_edge nowhere = {0, DONE, 0};
    block(f, DONE)->first_pred = f->edges.n;
    ph_edges_push(&f->edges, &f->arena, nowhere);
  }
  SPEC_BREAK (spec_sum, pred_among_no_successors,
              "an edge into block 'done' leaves no block") {
    ph_edge stray = {HEAD, DONE, 0};
    block(f, DONE)->first_pred = f->edges.n;
    ph_edges_push(&f->edges, &f->arena, stray);
  }
  SPEC_BREAK (spec_sum, pred_leads_elsewhere,
              "block 'done' lists an edge from 'head' that leads elsewhere")
    way_in(f, DONE)->to = HEAD;
  SPEC_BREAK (spec_sum, preds_into_themselves,
              "block 'done' lists an edge from 'head' twice")
    way_in(f, DONE)->next = block(f, DONE)->first_pred;
  SPEC_BREAK (spec_sum, removed_pred,
              "block 'join' has the removed block 'then.4' as predecessor")
    block(f, THEN)->removed = true;
  SPEC_BREAK (spec_sum, preds_miscounted,
              "block 'join' has 1 predecessor, but lists 2")
    block(f, JOIN)->npreds = 1;
  SPEC_BREAK (spec_sum, last_pred_wrong,
              "the last edge into block 'join' is not the last listed")
    block(f, JOIN)->last_pred = block(f, JOIN)->first_pred;
  SPEC_BREAK (spec_sum, edge_to_removed,
              "block 'head' leads to block 'done.7', which was removed")
    block(f, DONE)->removed = true;
  SPEC_BREAK (spec_sum, edge_not_arrived,
              "block 'head' leads to 'done', but is no predecessor of it")
    cut(f, DONE);
  SPEC_BREAK (spec_sum, cut_but_reachable,
              "block 'head' leads to 'done', but is no predecessor of it") {
    way_in(f, DONE)->next = block(f, DONE)->first_pred;
    cut(f, DONE);
  }
}

/* The second edge of block 2 is cut. */
static const char kept[] = "fn f(%c: i1) {\n"
                           "entry:\n  ret\n"
                           "a: unreachable\n  branch %c, b, done\n"
                           "b: unreachable <- a\n  jump done\n"
                           "done: unreachable <- b\n  ret\n"
                           "}\n";

static void break_kept(void) {
  SPEC_BREAK (kept, whole, "") {
  }
  SPEC_BREAK (kept, unreachable_not_arrived,
              "block 'a' leads to 'b', but is no predecessor of it")
    cut(f, 3);
}

static const char parallel[] =
    "fn f(%n: i64) -> i64 {\n"
    "entry:\n"
    "  switch %n, join [1: other, 2: join]\n"
    "other: <- entry\n"
    "  jump join\n"
    "join: <- entry, other, entry\n"
    "  %9: i64 = phi [entry: 1, other: 2, entry: 3]\n"
    "  ret %9\n"
    "}\n";

static void break_order(void) {
  SPEC_BREAK (parallel, whole, "") {
  }
  SPEC_BREAK (parallel, parallel_edges_exchanged,
              "the edges from block 'entry' to block 'join' arrive in another "
              "order than they leave in") {
    ph_blockrec *join = block(f, 3);
    uint32_t first = join->first_pred, last = join->last_pred;
    uint32_t middle = edge(f, first)->next;
    join->first_pred = last;
    join->last_pred = first;
    edge(f, last)->next = middle;
    edge(f, middle)->next = first;
    edge(f, first)->next = 0;
  }
}

/* }== Uses =========================================================== */

/* The first use of v; from here on f keeps its uses. */
static ph_userec *use(ph_func *f, uint32_t v) {
  uint32_t first = ph_uses_first(f, ph_valueid(v));
  return &f->uses.recs.at[first - 1];
}

static void break_uses(void) {
  SPEC_BREAK (spec_sum, uses_asked_for, "") use(f, SUM);
  SPEC_BREAK (spec_sum, uses_miscounted,
              "'%23' is an operand 3 times, but its list of uses says 4") {
    use(f, SUM);
    f->uses.count.at[SUM]++;
  }
  SPEC_BREAK (spec_sum, no_uses, "the list of the uses of '%23' is broken") {
    use(f, SUM);
    f->uses.first.at[SUM] = 0;
  }
  SPEC_BREAK (spec_sum, use_of_another_value,
              "the list of the uses of '%23' is broken")
    use(f, SUM)->next = 1;
  SPEC_BREAK (spec_sum, use_out_of_range,
              "the list of the uses of '%23' is broken")
    use(f, SUM)->next = 5000;
  SPEC_BREAK (spec_sum, user_out_of_range,
              "the list of the uses of '%23' is broken")
    use(f, SUM)->user = 5000;
  SPEC_BREAK (spec_sum, user_in_no_block,
              "the list of the uses of '%23' is broken")
    use(f, SUM)->user = f->params.at[0];
  SPEC_BREAK (spec_sum, user_of_another_operand,
              "the list of the uses of '%23' is broken")
    use(f, SUM)->user = LESS;
  SPEC_BREAK (spec_sum, uses_into_themselves,
              "the list of the uses of '%23' is broken") {
    ph_userec *first = use(f, SUM);
    first->next = f->uses.first.at[SUM];
  }
}

int spec_lists(void) {
  break_values();
  break_edges();
  break_kept();
  break_order();
  break_uses();
  return spec_unreported();
}

/* }=================================================================== */
