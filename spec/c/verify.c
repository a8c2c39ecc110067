/* verify.c: each invariant that holds beyond whole lists, broken alone, and
** what is said of it. */
#include "spec.h"

#include "core/ir/block.h"
#include "core/ir/value.h"

static ph_node *node(ph_func *f, uint32_t v) { return ph_node_of(f, v); }
static ph_blockrec *block(ph_func *f, uint32_t b) {
  return ph_blockrec_of(f, b);
}
static uint32_t param(ph_func *f, uint32_t i) { return f->params.at[i]; }

/*
** {== Endings ========================================================
*/

/* The terminator of b goes, its edges stay. */
static void behead(ph_func *f, uint32_t b) {
  ph_value_takeout(f, spec_last(f, b));
}

/* A new instruction at the end of b. */
static uint32_t append(ph_func *f, uint32_t b, ph_op op, ph_type type,
                       const uint32_t *args, uint32_t n) {
  uint32_t v = ph_value_node(f, op, type);
  ph_value_setargs(f, v, args, n);
  ph_value_append(f, b, v);
  return v;
}

static void break_endings(void) {
  SPEC_BREAK (spec_sum, filled_without_terminator,
              "block 'done' is filled, but has no terminator")
    behead(f, DONE);
  SPEC_BREAK (spec_sum, unfilled_with_terminator,
              "'ret %21' in block 'done' ends a block that is not filled")
    block(f, DONE)->filled = false;
  SPEC_BREAK (spec_sum, unfilled_when_finished,
              "block 'done' is not filled in a finished function") {
    behead(f, DONE);
    block(f, DONE)->filled = false;
  }
  SPEC_BREAK (spec_sum, unsealed_when_finished,
              "block 'done' is not sealed in a finished function")
    block(f, DONE)->sealed = false;
  SPEC_BREAK (spec_sum, unfilled_with_successors,
              "block 'then' is not filled, but leads to others") {
    behead(f, THEN);
    block(f, THEN)->filled = false;
    f->finished = false;
  }
  SPEC_BREAK (spec_sum, terminator_in_the_middle,
              "'ret %21' in block 'done' is not the last: a terminator must be")
    append(f, DONE, PH_UNREACHABLE, PH_NOTYPE, NULL, 0);
  SPEC_BREAK (
      spec_sum, call_without_callee,
      "'%25 = call %20' in block 'else' names neither a function nor a global")
    ph_node_of(f, CALLED)->aux = 0;
  SPEC_BREAK (
      spec_sum, callee_without_a_name,
      "'%25 = call %20' in block 'else' names neither a function nor a global")
    f->datas.at[ph_node_of(f, CALLED)->aux].bits = 0;
  SPEC_BREAK (spec_sum, trap_without_message,
              "'trap' in block 'done' has no message") {
    behead(f, DONE);
    append(f, DONE, PH_TRAP, PH_NOTYPE, NULL, 0);
  }
  SPEC_BREAK (spec_sum, key_no_constant,
              "'switch %23, %n' in block 'body': key 1, '%n', is no constant")
    ph_value_setarg(f, spec_last(f, BODY), 1, param(f, 0));
  SPEC_BREAK (spec_sum, too_few_keys,
              "'switch %23' in block 'body' has 2 targets, not 1")
    node(f, spec_last(f, BODY))->nargs = 1;
  SPEC_BREAK (spec_sum, too_many_targets,
              "'jump %22' in block 'head' has 2 targets, not 1")
    node(f, spec_last(f, HEAD))->op = PH_JUMP;
  SPEC_BREAK (spec_sum, edge_to_the_entry,
              "block 'done' leads to the entry 'entry': the entry has no "
              "predecessors") {
    const ph_block entry = {ENTRY};
    behead(f, DONE);
    append(f, DONE, PH_JUMP, PH_NOTYPE, NULL, 0);
    ph_block_connect(f, DONE, &entry, 1, false);
    ph_block_arrive(f, block(f, DONE)->first_succ);
  }
}

/* }== Operands and types ============================================= */

/* A new alloca before the terminator of b. */
static void add_alloca(ph_func *f, uint32_t b, uint32_t size, int64_t align) {
  uint32_t args[2], v;
  args[0] = size;
  args[1] = ph_const_int(f, PH_I64, align).id;
  v = ph_value_node(f, PH_ALLOCA, PH_PTR);
  ph_value_setargs(f, v, args, 2);
  ph_value_insert(f, v, spec_last(f, b));
}

static uint32_t eight(ph_func *f) { return ph_const_int(f, PH_I64, 8).id; }

static void break_types(void) {
  SPEC_BREAK (
      spec_sum, alloca_in_a_loop,
      "'%54 = alloca 8, 8' in block 'body': an alloca belongs into the entry")
    add_alloca(f, BODY, eight(f), 8);
  SPEC_BREAK (spec_sum, alloca_of_any_size,
              "'%54 = alloca %n, 8' in block 'entry': size '%n' is not a "
              "constant from 1 to 1073741824")
    add_alloca(f, ENTRY, param(f, 0), 8);
  SPEC_BREAK (spec_sum, alloca_aligned_to_six,
              "'%55 = alloca 8, 6' in block 'entry': alignment '6' is not a "
              "constant power of two up to 4096")
    add_alloca(f, ENTRY, eight(f), 6);
  SPEC_BREAK (
      spec_sum, va_start_without_arguments,
      "'va_start %54' in block 'entry': this function is not variadic") {
    uint32_t p, v;
    add_alloca(f, ENTRY, eight(f), 8);
    p = f->nodes.n - 1;
    v = ph_value_node(f, PH_VA_START, PH_NOTYPE);
    ph_value_setargs(f, v, &p, 1);
    ph_value_insert(f, v, spec_last(f, ENTRY));
  }
  SPEC_BREAK (spec_sum, operand_of_removed_block,
              "'%23 = add %28, %20' (at sum.c:4:5) in block 'body' uses '%28', "
              "which went with block 'dead.8'") {
    ph_value_setarg(f, SUM, 0, ALONE);
    block(f, DEAD)->removed = true;
  }
  SPEC_BREAK (
      spec_sum, operand_dropped,
      "'%26 = phi %24, %23' in block 'join' uses '%24', which was removed") {
    ph_value_takeout(f, NEXT);
    ph_value_replace(f, NEXT, 0);
  }
  SPEC_BREAK (spec_sum, operand_in_no_block,
              "'%23 = add %53, %20' (at sum.c:4:5) in block 'body' uses '%53', "
              "which is in no block")
    ph_value_setarg(f, SUM, 0, ph_value_node(f, PH_NEG, PH_I64));
  SPEC_BREAK (spec_sum, operand_unlike_another,
              "'%23 = add %21, %22' (at sum.c:4:5) in block 'body': operand 2, "
              "'%22', has type i1: it must be i64 like operand 1")
    ph_value_setarg(f, SUM, 1, LESS);
  SPEC_BREAK (spec_sum, operand_of_another_type,
              "'branch %n' in block 'head': operand 1, '%n', has type i64: it "
              "must be i1")
    ph_value_setarg(f, spec_last(f, HEAD), 0, param(f, 0));
  SPEC_BREAK (spec_sum, operand_no_integer,
              "'%23 = add %x, %20' (at sum.c:4:5) in block 'body': operand 1, "
              "'%x', has type f64: it must be an integer")
    ph_value_setarg(f, SUM, 0, param(f, 1));
  SPEC_BREAK (spec_sum, operand_no_float,
              "'%23 = fadd %21, %20' (at sum.c:4:5) in block 'body': operand "
              "1, '%21', has type i64: it must be a float")
    node(f, SUM)->op = PH_FADD;
  SPEC_BREAK (spec_sum, operand_no_value,
              "'%25 = call %41' in block 'else': operand 1, '%41', has type "
              "nothing: it must be a value")
    ph_value_setarg(f, CALLED, 0, spec_last(f, ENTRY));
  SPEC_BREAK (
      spec_sum, operand_missing,
      "'%23 = add %21' (at sum.c:4:5) in block 'body': it has 1 operand, not 2")
    node(f, SUM)->nargs = 1;
  SPEC_BREAK (spec_sum, type_impossible,
              "'%27 = trunc %20' in block 'join': it cannot have type i64") {
    node(f, STEP)->op = PH_TRUNC;
    node(f, STEP)->nargs = 1;
  }
  SPEC_BREAK (
      spec_sum, type_of_another_result,
      "'%40 = fadd %x, 1.5' in block 'entry' has type i32: its result is f64")
    node(f, spec_first(f, ENTRY))->type = PH_I32;
  SPEC_BREAK (spec_sum, result_missing,
              "'ret' in block 'done': it has 0 operands, not 1 (the function "
              "returns i64)")
    node(f, spec_last(f, DONE))->nargs = 0;
  SPEC_BREAK (spec_sum, result_of_another_type,
              "'ret %22' in block 'done': operand 1, '%22', has type i1: it "
              "must be i64 (the function returns i64)")
    ph_value_setarg(f, spec_last(f, DONE), 0, LESS);
  SPEC_BREAK (spec_sum, result_of_none,
              "'ret %21' in block 'done': it has 1 operand, not 0 (the "
              "function returns nothing)")
    f->result = PH_NOTYPE;
}

/* }== Order ========================================================== */

/* Paths are searched for only so often. */
static void many_uses_not_dominated(ph_func *f) {
  const uint32_t args[] = {NEXT, NEXT};
  behead(f, DONE);
  for (uint32_t i = 0; i < 11; i++) append(f, DONE, PH_ADD, PH_I64, args, 2);
}

static void break_order(void) {
  SPEC_BREAK (spec_sum, use_before_definition,
              "'%23 = add %23, %20' (at sum.c:4:5) in block 'body' uses '%23' "
              "before it is defined")
    ph_value_setarg(f, SUM, 0, SUM);
  SPEC_BREAK (spec_sum, use_before_definition_in_dead_code, "")
    ph_value_setarg(f, ALONE, 0, ALONE);
  SPEC_BREAK (
      spec_sum, use_not_dominated,
      "'ret %t.24' in block 'done' uses '%t.24', but block 'then', which "
      "defines it, is not on every path there: 'entry' -> 'head' -> 'done' "
      "avoids it; write it to a variable in 'then' and read that in 'done'")
    ph_value_setarg(f, spec_last(f, DONE), 0, NEXT);
  SPEC_BREAK (
      spec_sum, use_of_a_phi_not_dominated,
      "'ret %26' in block 'done' uses '%26', but block 'join', which defines "
      "it, is not on every path there: 'entry' -> 'head' -> 'done' avoids it; "
      "'%26' is what variable 's' is in 'join': read 's' again in 'done'")
    ph_value_setarg(f, spec_last(f, DONE), 0, MERGED);
  SPEC_BREAK (
      spec_sum, use_in_an_unfinished_function,
      "'ret %t.24' in block 'done' uses '%t.24', but block 'then', which "
      "defines it, is not on every path there: 'entry' -> 'head' -> 'done' "
      "avoids it; write it to a variable in 'then' and read that in 'done'") {
    f->finished = false;
    ph_value_setarg(f, spec_last(f, DONE), 0, NEXT);
  }
  SPEC_BREAK_LATER (spec_sum, twentieth_use_not_dominated,
                    "'%62 = add %t.24, %t.24' in block 'done' uses '%t.24', "
                    "but block 'then', which defines it, is not on every path "
                    "there: 'entry' -> 'head' -> 'done' avoids it; write it to "
                    "a variable in 'then' and read that in 'done'",
                    20)
    many_uses_not_dominated(f);
  SPEC_BREAK_LATER (
      spec_sum, use_not_dominated_after_twenty,
      "'%63 = add %t.24, %t.24' in block 'done' uses '%t.24', but block "
      "'then', which defines it, is not on every path there; write it to a "
      "variable in 'then' and read that in 'done'",
      21)
    many_uses_not_dominated(f);
}

static const char far_away[] = "fn f(%c: i1) -> i64 {\n"
                               "entry:\n"
                               "  branch %c, a, b\n"
                               "a: <- entry\n"
                               "  %9: i64 = add 1, 2\n"
                               "  jump i\n"
                               "b: <- entry\n  jump c\n"
                               "c: <- b\n  jump d\n"
                               "d: <- c\n  jump e\n"
                               "e: <- d\n  jump f\n"
                               "f: <- e\n  jump g\n"
                               "g: <- f\n  jump h\n"
                               "h: <- g\n  jump i\n"
                               "i: <- a, h\n"
                               "  ret %9\n"
                               "}\n";

static void break_paths(void) {
  SPEC_BREAK (far_away, long_path,
              "'ret %9' in block 'i' uses '%9', but block 'a', which defines "
              "it, is not on every path there: 'entry' -> 'b' -> 'c' -> 'd' -> "
              "... -> 'f' -> 'g' -> 'h' -> 'i' avoids it; write it to a "
              "variable in 'a' and read that in 'i'") {
  }
}

/* }== Phis =========================================================== */

static void break_phis(void) {
  SPEC_BREAK (spec_sum, phi_operand_of_another_type,
              "phi '%20' in block 'head' has type i64, but its operand for "
              "'entry', '%x', has type f64")
    ph_value_setarg(f, I, 0, param(f, 1));
  SPEC_BREAK (spec_sum, phi_operand_not_dominated,
              "phi '%26' in block 'join' has the operand '%t.24' for 'else', "
              "but block 'then', which defines it, is not on every path there: "
              "'entry' -> 'head' -> 'body' -> 'else' avoids it; write it to a "
              "variable in 'then' and read that in 'else'")
    ph_value_setarg(f, MERGED, 1, NEXT);
  SPEC_BREAK (
      spec_sum, phi_operand_dropped,
      "'%20 = phi 0, %27' in block 'head' uses '%27', which was removed") {
    ph_value_takeout(f, STEP);
    ph_value_replace(f, STEP, 0);
  }
  SPEC_BREAK (spec_sum, phi_unlike_its_variable,
              "phi '%20' in block 'head' has type i64, but its variable 'i' "
              "has type i8")
    f->vars.at[ph_value_var(f, ph_valueid(I)).id].type = PH_I8;
  SPEC_BREAK (
      spec_sum, phi_incomplete_in_sealed_block,
      "phi '%20' in block 'head' has no operands, but the block is sealed")
    node(f, I)->flags |= PH_IS_INCOMPLETE;
  SPEC_BREAK (spec_sum, phi_operand_missing,
              "phi '%20' in block 'head' has 1 operand, but the block has 2 "
              "predecessors")
    node(f, I)->nargs = 1;
  SPEC_BREAK (spec_sum, phi_trivial, "phi '%26' in block 'join' is trivial")
    ph_value_setarg(f, MERGED, 0, SUM);
  SPEC_BREAK (spec_sum, phis_redundant,
              "phi '%21' in block 'head' is redundant: it always is '0'") {
    ph_value_setarg(f, MERGED, 0, S);
    ph_value_setarg(f, MERGED, 1, ph_body_operand(f, S, 0));
  }
}

/* A loop with three entries that nothing leads to. */
static const char island[] = "fn f(%c: i1) {\n"
                             "entry:\n  ret\n"
                             "a: <- b, c\n"
                             "  %10: i64 = phi [b: %11, c: %12]\n"
                             "  branch %c, b, c\n"
                             "b: <- a, c\n"
                             "  %11: i64 = phi [a: %10, c: %12]\n"
                             "  branch %c, a, c\n"
                             "c: <- a, b\n"
                             "  %12: i64 = phi [a: %10, b: %11]\n"
                             "  branch %c, a, b\n"
                             "}\n";

static void break_islands(void) {
  SPEC_BREAK (island, phis_of_nothing,
              "phi '%10' in block 'a' is redundant: no value comes to it") {
  }
}

/* What is unfinished may have phis that are not needed, or not whole. */
static const char unfinished[] = "fn f(%c: i1) {\n"
                                 "entry:\n"
                                 "  branch %c, a, b\n"
                                 "a: <- entry, ...\n"
                                 "  %10: i64 = phi x ...\n"
                                 "  jump b\n"
                                 "b: <- entry, a\n"
                                 "  %11: i64 = phi y [entry: 1, a: 1]\n"
                                 "}\n";

static void break_unfinished(void) {
  SPEC_BREAK (unfinished, unfinished_function, "") {
  }
}

int spec_verify(void) {
  break_endings();
  break_types();
  break_order();
  break_paths();
  break_phis();
  break_islands();
  break_unfinished();
  return spec_unreported();
}

/* }=================================================================== */
