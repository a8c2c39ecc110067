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

static void next_out_of_range(ph_func *f) { node(f, SUM)->next = 12345; }
static void list_into_itself(ph_func *f) { node(f, SUM)->next = SUM; }
static void phis_into_themselves(ph_func *f) { node(f, S)->next = I; }
static void value_of_another_block(ph_func *f) { node(f, SUM)->block = HEAD; }
static void no_way_back(ph_func *f) { node(f, spec_last(f, BODY))->prev = 0; }

static void replaced_and_listed(ph_func *f) { node(f, SUM)->forward = STEP; }

static void dropped_and_listed(ph_func *f) {
  node(f, SUM)->flags |= PH_IS_DROPPED;
}

static void no_phi_among_phis(ph_func *f) { node(f, MERGED)->op = PH_NEG; }
static void phi_among_instructions(ph_func *f) { node(f, STEP)->op = PH_PHI; }
static void constant_in_a_block(ph_func *f) { node(f, SUM)->op = PH_CONST; }

static void operands_out_of_range(ph_func *f) { node(f, SUM)->args = 5000; }

static void too_many_operands(ph_func *f) {
  node(f, SUM)->nargs = f->operands.n + 1;
}

static void operand_out_of_range(ph_func *f) {
  f->operands.at[node(f, SUM)->args + 1] = 5000;
}

static void operand_none(ph_func *f) { f->operands.at[node(f, SUM)->args] = 0; }

static void last_instruction_wrong(ph_func *f) { block(f, JOIN)->last = 0; }
static void last_phi_wrong(ph_func *f) { block(f, HEAD)->last_phi = I; }

static const spec_breakage values[] = {
    SPEC_BREAKAGE(spec_leave, ""),
    SPEC_BREAKAGE(next_out_of_range,
                  "block 'body' lists '%12345', which does not exist"),
    SPEC_BREAKAGE(list_into_itself,
                  "block 'body' lists '%23', which was listed before"),
    SPEC_BREAKAGE(phis_into_themselves,
                  "block 'head' lists '%20', which was listed before"),
    SPEC_BREAKAGE(value_of_another_block,
                  "block 'body' lists '%23', which belongs to no such list"),
    SPEC_BREAKAGE(
        no_way_back,
        "block 'body' lists '%43' after '%23', but not the other way"),
    SPEC_BREAKAGE(replaced_and_listed,
                  "block 'body' lists '%23', which was removed"),
    SPEC_BREAKAGE(dropped_and_listed,
                  "block 'body' lists '%23', which was removed"),
    SPEC_BREAKAGE(no_phi_among_phis,
                  "'%26' is among the phis of block 'join', but is none"),
    SPEC_BREAKAGE(phi_among_instructions,
                  "phi '%27' follows an instruction of block 'join': phis "
                  "come first"),
    SPEC_BREAKAGE(
        constant_in_a_block,
        "'%23' is a constant or an argument: it cannot be in block 'body'"),
    SPEC_BREAKAGE(operands_out_of_range, "the operands of '%23' do not exist"),
    SPEC_BREAKAGE(too_many_operands, "the operands of '%23' do not exist"),
    SPEC_BREAKAGE(operand_out_of_range,
                  "operand 2 of '%23', '%5000', does not exist"),
    SPEC_BREAKAGE(operand_none, "operand 1 of '%23', '%0', does not exist"),
    SPEC_BREAKAGE(last_instruction_wrong,
                  "the last one that block 'join' lists is '%46', not '%0'"),
    SPEC_BREAKAGE(last_phi_wrong,
                  "the last one that block 'head' lists is '%21', not '%20'"),
};

/* }== Edges ========================================================== */

static ph_edge *edge(ph_func *f, uint32_t e) { return &f->edges.at[e]; }

static ph_edge *way_out(ph_func *f, uint32_t b) {
  return edge(f, block(f, b)->first_succ);
}

static ph_edge *way_in(ph_func *f, uint32_t b) {
  return edge(f, block(f, b)->first_pred);
}

static void edges_out_of_range(ph_func *f) {
  block(f, HEAD)->first_succ = 4000000000;
}

static void too_many_edges(ph_func *f) {
  block(f, HEAD)->nsuccs = f->edges.n + 1;
}

static void edge_from_another_block(ph_func *f) {
  way_out(f, HEAD)->from = BODY;
}

static void edge_to_no_block(ph_func *f) { way_out(f, HEAD)->to = 0; }
static void edge_out_of_range(ph_func *f) { way_out(f, HEAD)->to = 77; }

static void pred_out_of_range(ph_func *f) { block(f, DONE)->first_pred = 999; }

static void pred_from_no_block(ph_func *f) {
  ph_edge nowhere = {0, DONE, 0};
  block(f, DONE)->first_pred = f->edges.n;
  ph_edges_push(&f->edges, &f->arena, nowhere);
}

static void pred_among_no_successors(ph_func *f) {
  ph_edge stray = {HEAD, DONE, 0};
  block(f, DONE)->first_pred = f->edges.n;
  ph_edges_push(&f->edges, &f->arena, stray);
}

static void pred_leads_elsewhere(ph_func *f) { way_in(f, DONE)->to = HEAD; }

static void preds_into_themselves(ph_func *f) {
  way_in(f, DONE)->next = block(f, DONE)->first_pred;
}

static void removed_pred(ph_func *f) { block(f, THEN)->removed = true; }
static void preds_miscounted(ph_func *f) { block(f, JOIN)->npreds = 1; }

static void last_pred_wrong(ph_func *f) {
  block(f, JOIN)->last_pred = block(f, JOIN)->first_pred;
}

static void edge_to_removed(ph_func *f) { block(f, DONE)->removed = true; }

static void edge_not_arrived(ph_func *f) {
  block(f, DONE)->first_pred = block(f, DONE)->last_pred = 0;
  block(f, DONE)->npreds = 0;
}

static void cut_but_reachable(ph_func *f) {
  way_in(f, DONE)->next = block(f, DONE)->first_pred;
  edge_not_arrived(f);
}

static const spec_breakage edges[] = {
    SPEC_BREAKAGE(edges_out_of_range,
                  "the edges that leave block 'head' do not exist"),
    SPEC_BREAKAGE(too_many_edges,
                  "the edges that leave block 'head' do not exist"),
    SPEC_BREAKAGE(edge_from_another_block,
                  "edge 1 of block 'head' does not leave it"),
    SPEC_BREAKAGE(edge_to_no_block, "edge 1 of block 'head' leads nowhere"),
    SPEC_BREAKAGE(edge_out_of_range, "edge 1 of block 'head' leads nowhere"),
    SPEC_BREAKAGE(pred_out_of_range,
                  "an edge into block 'done' leaves no block"),
    SPEC_BREAKAGE(pred_from_no_block,
                  "an edge into block 'done' leaves no block"),
    SPEC_BREAKAGE(pred_among_no_successors,
                  "an edge into block 'done' leaves no block"),
    SPEC_BREAKAGE(
        pred_leads_elsewhere,
        "block 'done' lists an edge from 'head' that leads elsewhere"),
    SPEC_BREAKAGE(preds_into_themselves,
                  "block 'done' lists an edge from 'head' twice"),
    SPEC_BREAKAGE(removed_pred,
                  "block 'join' has the removed block 'then.4' as predecessor"),
    SPEC_BREAKAGE(preds_miscounted,
                  "block 'join' has 1 predecessor, but lists 2"),
    SPEC_BREAKAGE(last_pred_wrong,
                  "the last edge into block 'join' is not the last listed"),
    SPEC_BREAKAGE(edge_to_removed,
                  "block 'head' leads to block 'done.7', which was removed"),
    SPEC_BREAKAGE(edge_not_arrived,
                  "block 'head' leads to 'done', but is no predecessor of it"),
    SPEC_BREAKAGE(cut_but_reachable,
                  "block 'head' leads to 'done', but is no predecessor of it"),
};

/* The second edge of block 2 is cut. */
static const char kept[] = "fn f(%c: i1) {\n"
                           "entry:\n  ret\n"
                           "a: unreachable\n  branch %c, b, done\n"
                           "b: unreachable <- a\n  jump done\n"
                           "done: unreachable <- b\n  ret\n"
                           "}\n";

static void unreachable_not_arrived(ph_func *f) {
  block(f, 3)->first_pred = block(f, 3)->last_pred = 0;
  block(f, 3)->npreds = 0;
}

static const spec_breakage keeping[] = {
    SPEC_BREAKAGE(spec_leave, ""),
    SPEC_BREAKAGE(unreachable_not_arrived,
                  "block 'a' leads to 'b', but is no predecessor of it"),
};

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

static void parallel_edges_exchanged(ph_func *f) {
  ph_blockrec *join = block(f, 3);
  uint32_t first = join->first_pred, last = join->last_pred;
  uint32_t middle = edge(f, first)->next;
  join->first_pred = last;
  join->last_pred = first;
  edge(f, last)->next = middle;
  edge(f, middle)->next = first;
  edge(f, first)->next = 0;
}

static const spec_breakage orders[] = {
    SPEC_BREAKAGE(spec_leave, ""),
    SPEC_BREAKAGE(parallel_edges_exchanged,
                  "the edges from block 'entry' to block 'join' arrive in "
                  "another order than they leave in"),
};

/* }== Uses =========================================================== */

/* The first use of v; from here on f keeps its uses. */
static ph_userec *use(ph_func *f, uint32_t v) {
  uint32_t first = ph_uses_first(f, ph_valueid(v));
  return &f->uses.recs.at[first - 1];
}

static void uses_asked_for(ph_func *f) { use(f, SUM); }

static void uses_miscounted(ph_func *f) {
  use(f, SUM);
  f->uses.count.at[SUM]++;
}

static void no_uses(ph_func *f) {
  use(f, SUM);
  f->uses.first.at[SUM] = 0;
}

static void use_of_another_value(ph_func *f) { use(f, SUM)->next = 1; }
static void use_out_of_range(ph_func *f) { use(f, SUM)->next = 5000; }
static void user_out_of_range(ph_func *f) { use(f, SUM)->user = 5000; }

static void user_in_no_block(ph_func *f) {
  use(f, SUM)->user = f->params.at[0];
}

static void user_of_another_operand(ph_func *f) { use(f, SUM)->user = LESS; }

static void uses_into_themselves(ph_func *f) {
  ph_userec *first = use(f, SUM);
  first->next = f->uses.first.at[SUM];
}

static const spec_breakage uses[] = {
    SPEC_BREAKAGE(uses_asked_for, ""),
    SPEC_BREAKAGE(uses_miscounted,
                  "'%23' is an operand 3 times, but its list of uses says 4"),
    SPEC_BREAKAGE(no_uses, "the list of the uses of '%23' is broken"),
    SPEC_BREAKAGE(use_of_another_value,
                  "the list of the uses of '%23' is broken"),
    SPEC_BREAKAGE(use_out_of_range, "the list of the uses of '%23' is broken"),
    SPEC_BREAKAGE(user_out_of_range, "the list of the uses of '%23' is broken"),
    SPEC_BREAKAGE(user_in_no_block, "the list of the uses of '%23' is broken"),
    SPEC_BREAKAGE(user_of_another_operand,
                  "the list of the uses of '%23' is broken"),
    SPEC_BREAKAGE(uses_into_themselves,
                  "the list of the uses of '%23' is broken"),
};

int spec_lists(void) {
  return spec_break(spec_sum, values, SPEC_COUNT(values)) +
         spec_break(spec_sum, edges, SPEC_COUNT(edges)) +
         spec_break(kept, keeping, SPEC_COUNT(keeping)) +
         spec_break(parallel, orders, SPEC_COUNT(orders)) +
         spec_break(spec_sum, uses, SPEC_COUNT(uses));
}

/* }=================================================================== */
