/* misuse.c: what the headers forbid is asserted.
**
** Each misuse runs in a process of its own, which must end in an assertion that
** states the requirement it broke.
*/
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "phial.h"
#include "spec.h"

/*
** {== Something to misuse ============================================
*/

static ph_func *f;       /* under construction, or finished */
static ph_value n, c, x; /* its parameters: i64, i1, f64 */
static ph_var var;       /* i64, with a definition in the entry */
static ph_block entry;
static ph_ruleset *set;

enum { NO_SUCH = 12345 };

static ph_block block(const char *name) {
  return ph_block_new(f, spec_str(name), -1);
}

static ph_value number(int64_t i) { return ph_const_int(f, PH_I64, i); }

static ph_value emit(ph_block b, ph_op op, ph_type type, ph_value v,
                     ph_value w) {
  const ph_value args[] = {v, w};
  return ph_build_emit(f, b, op, type, args, 2);
}

static ph_value add(ph_block b) { return emit(b, PH_ADD, PH_I64, n, n); }

static void begin(ph_type result) {
  const ph_options options = {.undefs = PH_UNDEF_ASK};
  f = ph_func_new(&ph_mem_libc, spec_str("f"), result, &options);
  n = ph_value_newparam(f, spec_str("n"), PH_I64);
  c = ph_value_newparam(f, spec_str("c"), PH_I1);
  x = ph_value_newparam(f, spec_str("x"), PH_F64);
  var = ph_var_new(f, spec_str("v"), PH_I64);
  entry = ph_block_entry(f);
  ph_build_write(f, var, entry, number(1));
}

/* The entry branches to two blocks, which join in one with a phi. */
static ph_block left, right, join;
static ph_value sum, phi;

static void diamond(void) {
  left = block("left");
  right = block("right");
  join = block("join");
  ph_build_branch(f, entry, c, left, right);
  ph_build_seal(f, left);
  ph_build_seal(f, right);
  sum = add(left);
  ph_build_write(f, var, left, sum);
  ph_build_jump(f, left, join);
  ph_build_jump(f, right, join);
  ph_build_seal(f, join);
  phi = ph_build_read(f, var, join);
}

static void finished(void) {
  diamond();
  ph_build_ret(f, join, phi);
  ph_finish_run(f);
}

static void begin_set(void) {
  ph_strbuf why = {.mem = &ph_mem_libc};
  set = ph_ruleset_new(&ph_mem_libc, NULL);
  ph_ruleset_load(set, spec_str("r"),
                  spec_str("a: x + 0 => x\nb: branch(_, T, T) => jump(T)"),
                  NULL, &why);
}

/* }== Edges and blocks =============================================== */

static void sealed_target(void) {
  ph_block head = block("head"), body = block("body");
  ph_build_jump(f, entry, head);
  ph_build_seal(f, head);
  ph_build_branch(f, head, c, body, body);
  ph_build_seal(f, body);
  ph_build_jump(f, body, head);
}

static void sealed_target_of_a_branch(void) {
  ph_block head = block("head");
  ph_build_seal(f, head);
  ph_build_branch(f, entry, c, head, head);
}

static void sealed_target_of_a_switch(void) {
  const ph_value args[] = {n, number(1)};
  ph_block targets[] = {block("a"), block("b")};
  ph_build_seal(f, targets[1]);
  ph_build_fill(f, entry, PH_SWITCH, args, 2, targets, 2);
}

static void sealed_target_when_simplified(void) {
  ph_block head = block("head");
  ph_peephole_enable(f, NULL, false);
  ph_build_seal(f, head);
  ph_build_jump(f, entry, head);
}

static void entry_as_target(void) {
  ph_block b = block("b");
  ph_build_jump(f, b, entry);
}

static void edge_too_many(void) {
  ph_block one = ph_block_new(f, spec_str("one"), 1);
  ph_build_branch(f, entry, c, one, one);
}

static void sealed_twice(void) {
  ph_block b = block("b");
  ph_build_seal(f, b);
  ph_build_seal(f, b);
}

static void no_block(void) { ph_build_seal(f, (ph_block){0}); }
static void strange_block(void) {
  ph_build_jump(f, entry, (ph_block){NO_SUCH});
}
static void read_in_strange_block(void) {
  ph_build_read(f, var, (ph_block){NO_SUCH});
}

static void dropped_block(void) {
  finished();
  ph_finish_reopen(f);
  ph_block dead = ph_block_new(f, spec_str("dead"), 0);
  ph_build_ret(f, dead, number(1));
  ph_finish_run(f);
  ph_finish_reopen(f);
  ph_build_read(f, var, dead);
}

/* }== Instructions =================================================== */

static void after_the_terminator(void) {
  ph_build_ret(f, entry, n);
  add(entry);
}

static void written_after_the_terminator(void) {
  ph_build_ret(f, entry, n);
  ph_build_write(f, var, entry, n);
}

static void second_terminator(void) {
  ph_build_ret(f, entry, n);
  ph_build_ret(f, entry, n);
}

static void emitted_terminator(void) {
  ph_build_emit(f, entry, PH_RET, PH_NOTYPE, &n, 1);
}
static void emitted_phi(void) {
  ph_build_emit(f, entry, PH_PHI, PH_I64, &n, 1);
}
static void emitted_constant(void) {
  ph_build_emit(f, entry, PH_CONST, PH_I64, NULL, 0);
}
static void emitted_alloca_of_any_size(void) {
  const ph_value args[] = {n, ph_const_int(f, PH_I64, 8)};
  ph_build_emit(f, entry, PH_ALLOCA, PH_PTR, args, 2);
}
static void emitted_alloca_elsewhere(void) {
  const ph_value eight = ph_const_int(f, PH_I64, 8), args[] = {eight, eight};
  ph_build_emit(f, ph_block_new(f, (ph_str){"b", 1}, -1), PH_ALLOCA, PH_PTR,
                args, 2);
}
static void filled_with_an_add(void) {
  const ph_value args[] = {n, n};
  ph_build_fill(f, entry, PH_ADD, args, 2, NULL, 0);
}

static void one_target_of_two(void) {
  ph_block b = block("b");
  ph_build_fill(f, entry, PH_BRANCH, &c, 1, &b, 1);
}
static void one_target_for_two_keys(void) {
  const ph_value args[] = {n, number(1), number(2)};
  ph_block b = block("b");
  ph_build_fill(f, entry, PH_SWITCH, args, 3, &b, 1);
}
static void equal_keys(void) {
  const ph_value args[] = {n, number(1), number(1)};
  ph_block b = block("b");
  const ph_block targets[] = {b, b, b};
  ph_build_fill(f, entry, PH_SWITCH, args, 3, targets, 3);
}
static void key_no_constant(void) {
  const ph_value args[] = {n, n};
  ph_block b = block("b");
  const ph_block targets[] = {b, b};
  ph_build_fill(f, entry, PH_SWITCH, args, 2, targets, 2);
}

static void one_operand_of_two(void) {
  ph_build_emit(f, entry, PH_ADD, PH_I64, &n, 1);
}
static void operands_of_two_types(void) { emit(entry, PH_ADD, PH_I64, n, x); }
static void operands_of_two_types_simplified(void) {
  ph_peephole_enable(f, NULL, false);
  emit(entry, PH_ADD, PH_I64, n, x);
}
static void another_result_type(void) { emit(entry, PH_ADD, PH_I32, n, n); }
static void impossible_cast(void) {
  ph_build_emit(f, entry, PH_TRUNC, PH_I64, &n, 1);
}
static void condition_no_i1(void) {
  ph_block b = block("b");
  ph_build_branch(f, entry, n, b, b);
}
static void no_value(void) { emit(entry, PH_ADD, PH_I64, n, (ph_value){0}); }
static void strange_value(void) {
  emit(entry, PH_ADD, PH_I64, n, (ph_value){NO_SUCH});
}
static void operand_without_a_result(void) {
  ph_value v = ph_build_emit(f, entry, PH_CALL, PH_NOTYPE, &n, 1);
  emit(entry, PH_ADD, PH_I64, n, v);
}
static void removed_operand(void) {
  ph_value v;
  finished();
  v = ph_edit_insert(f, sum, PH_NEG, PH_I64, &n, 1);
  ph_edit_erase(f, v);
  ph_edit_insert(f, sum, PH_NEG, PH_I64, &v, 1);
}
static void strange_op(void) {
  ph_build_emit(f, entry, PH_OPS + 7, PH_I64, &n, 1);
}

static void returned_nothing(void) { ph_build_ret(f, entry, (ph_value){0}); }
static void returned_another_type(void) { ph_build_ret(f, entry, x); }
static void returned_something(void) {
  begin(PH_NOTYPE);
  ph_build_ret(f, entry, n);
}

/* }== Variables, phis, constants ===================================== */

static void no_variable(void) { ph_build_read(f, (ph_var){0}, entry); }
static void strange_variable(void) {
  ph_build_write(f, (ph_var){NO_SUCH}, entry, n);
}
static void written_another_type(void) { ph_build_write(f, var, entry, x); }
static void written_no_value(void) {
  ph_build_write(f, var, entry, (ph_value){0});
}
static void assumed_after_a_read(void) {
  finished();
  ph_finish_reopen(f);
  ph_build_read(f, var, left);
  ph_build_assume(f, var, left, n);
}
static void defined_by_an_instruction(void) {
  ph_var u = ph_var_new(f, spec_str("u"), PH_I64);
  ph_build_read(f, u, entry);
  ph_build_define(f, ph_build_undefined(f), add(entry));
}
static void defined_unasked(void) { ph_build_define(f, var, n); }

static void phi_before_sealing(void) {
  ph_build_phi(f, block("b"), PH_I64, NULL, 0);
}
static void phi_with_an_operand_less(void) {
  diamond();
  ph_build_phi(f, join, PH_I64, &n, 1);
}
static void phi_of_another_type(void) {
  const ph_value args[] = {n, x};
  diamond();
  ph_build_phi(f, join, PH_I64, args, 2);
}

static void constant_too_large(void) { ph_const_int(f, PH_I8, 256); }
static void integer_as_float(void) { ph_const_int(f, PH_F64, 1); }
static void float_as_integer(void) { ph_const_float(f, PH_I64, 1.5); }
static void data_of_a_constant(void) {
  const ph_data data = {1, PH_DATA_INT};
  ph_value_setdata(f, number(7), data);
}
static void after_a_phi_of_another_block(void) {
  finished();
  ph_block_nextphi(f, left, phi);
}
static void strange_name(void) { ph_intern_string(f, NO_SUCH); }
static void strange_edge(void) { ph_block_edgeto(f, NO_SUCH); }
static void strange_use(void) {
  ph_uses_first(f, n);
  ph_uses_user(f, NO_SUCH);
}
static void parameter_that_is_not(void) { ph_value_param(f, 3); }
static void operand_that_is_not(void) { ph_value_arg(f, add(entry), 2); }
static void target_that_is_not(void) { ph_block_succ(f, entry, 0); }

/* }== Beginning and ending =========================================== */

static void simplified_late(void) {
  add(entry);
  ph_peephole_enable(f, NULL, false);
}
static void simplified_twice(void) {
  ph_peephole_enable(f, NULL, false);
  ph_peephole_enable(f, NULL, false);
}
static void begun_twice(void) {
  const ph_options options = {0};
  ph_func_init(f, spec_str("again"), PH_I64, &options);
}
static void parsed_into_another(void) {
  ph_strbuf why = {.mem = &ph_mem_libc};
  uint32_t line, col;
  ph_parse_start(f);
  ph_parse_func(f, spec_str(spec_sum), &why, &line, &col);
}
static void parsed_twice(void) {
  ph_strbuf why = {.mem = &ph_mem_libc};
  uint32_t line, col;
  ph_func_done(f);
  ph_parse_start(f);
  ph_parse_func(f, spec_str(spec_sum), &why, &line, &col);
  ph_parse_func(f, spec_str(spec_sum), &why, &line, &col);
}
static void frozen_reopened(void) {
  ph_strbuf why = {.mem = &ph_mem_libc};
  uint32_t line, col;
  ph_func_done(f);
  ph_parse_start(f);
  ph_parse_func(f, spec_str("fn f() {\nentry:\n}\n"), &why, &line, &col);
  if (ph_finish_isfrozen(f)) ph_finish_reopen(f);
}
static void finished_unfilled(void) {
  block("b");
  ph_build_ret(f, entry, n);
  ph_finish_run(f);
}
static void finished_twice(void) {
  finished();
  ph_finish_run(f);
}
static void reopened_unfinished(void) { ph_finish_reopen(f); }
static void emitted_when_finished(void) {
  finished();
  add(join);
}
static void read_when_finished(void) {
  finished();
  ph_build_read(f, var, join);
}
static void block_when_finished(void) {
  finished();
  block("b");
}
static void swept_unfinished(void) {
  add(entry);
  ph_dce_run(f);
}

/* }== Edits ========================================================== */

static void edited_unfinished(void) { ph_edit_replace(f, add(entry), n); }
static void replaced_by_another_type(void) {
  finished();
  ph_edit_replace(f, sum, x);
}
static void replaced_by_itself(void) {
  finished();
  ph_edit_replace(f, sum, sum);
}
static void erased_in_use(void) {
  finished();
  ph_edit_erase(f, sum);
}
static void erased_terminator(void) {
  finished();
  ph_edit_erase(f, ph_block_terminator(f, join));
}
static void erased_constant(void) {
  finished();
  ph_edit_erase(f, number(77));
}
static void set_operand_that_is_not(void) {
  finished();
  ph_edit_setarg(f, sum, 2, n);
}
static void set_key(void) {
  const ph_value args[] = {n, number(1)};
  ph_block targets[2];
  const ph_terminator t = {PH_SWITCH, args, 2, targets, 2};
  ph_value v;
  finished();
  targets[0] = left;
  targets[1] = right;
  v = ph_edge_setterminator(f, entry, &t, NULL, 0);
  ph_edit_setarg(f, v, 1, n);
}
static void set_operand_of_another_type(void) {
  finished();
  ph_edit_setarg(f, sum, 0, x);
}
static void inserted_terminator(void) {
  finished();
  ph_edit_insert(f, sum, PH_RET, PH_NOTYPE, &n, 1);
}
static void inserted_before_a_phi(void) {
  const ph_value args[] = {n, n};
  finished();
  ph_edit_insert(f, phi, PH_ADD, PH_I64, args, 2);
}
static void inserted_with_two_types(void) {
  const ph_value args[] = {n, x};
  finished();
  ph_edit_insert(f, sum, PH_ADD, PH_I64, args, 2);
}
static void moved_phi(void) {
  finished();
  ph_edit_move(f, phi, ph_block_terminator(f, join));
}
static void edited_phi_with_an_operand_less(void) {
  finished();
  ph_edit_newphi(f, join, PH_I64, &n, 1);
}

static void repaired_unfinished(void) {
  diamond();
  ph_repair_rewrite(f, &sum, 1, NULL, 0);
}
static void repaired_nothing(void) {
  finished();
  ph_repair_rewrite(f, NULL, 0, NULL, 0);
}
static void repaired_constant(void) {
  const ph_value v = number(77);
  finished();
  ph_repair_rewrite(f, &v, 1, NULL, 0);
}
static void repaired_two_types(void) {
  const ph_value values[] = {n, x};
  finished();
  ph_repair_rewrite(f, values, 2, NULL, 0);
}
static void repaired_by_another_type(void) {
  const ph_definition d = {join, {0}, x};
  finished();
  ph_repair_rewrite(f, &sum, 1, &d, 1);
}
static void repaired_behind_a_parameter(void) {
  const ph_definition d = {{0}, n, n};
  finished();
  ph_repair_rewrite(f, &sum, 1, &d, 1);
}

static void retargeted_to_the_entry(void) {
  finished();
  ph_edge_retarget(f, left, join, entry, NULL, 0);
}
static void retargeted_to_the_same(void) {
  finished();
  ph_edge_retarget(f, left, join, join, NULL, 0);
}
static void retargeted_without_a_value(void) {
  finished();
  ph_edge_retarget(f, entry, left, join, NULL, 0);
}
static void incoming_of_another_type(void) {
  ph_incoming in;
  finished();
  in.phi = phi;
  in.value = x;
  ph_edge_retarget(f, entry, left, join, &in, 1);
}
static void ended_to_the_entry(void) {
  const ph_terminator t = {PH_JUMP, NULL, 0, &entry, 1};
  finished();
  ph_edge_setterminator(f, right, &t, NULL, 0);
}
static void ended_by_an_add(void) {
  const ph_value args[] = {n, n};
  const ph_terminator t = {PH_ADD, args, 2, NULL, 0};
  finished();
  ph_edge_setterminator(f, right, &t, NULL, 0);
}
static void ended_with_a_target_less(void) {
  const ph_terminator t = {PH_BRANCH, &c, 1, &left, 1};
  finished();
  ph_edge_setterminator(f, entry, &t, NULL, 0);
}
static void edge_added_to_ret(void) {
  finished();
  ph_edge_add(f, join, c, left, NULL, 0);
}
static void edge_removed_that_is_not(void) {
  finished();
  ph_edge_remove(f, entry, right, 1);
}
static void edge_split_that_is_not(void) {
  finished();
  ph_edge_split(f, entry, right, 1, spec_str("b"));
}

static void edge_split_by_a_strange_number(void) {
  finished();
  ph_edge_splitedge(f, NO_SUCH, spec_str("b"));
}

/* }== Questions ====================================================== */

static void beyond_the_order(void) {
  finished();
  ph_rpo_at(ph_rpo_new(f), 4);
}
static void place_of_the_unreached(void) {
  ph_block b;
  finished();
  b = ph_edit_newblock(f, spec_str("b"));
  ph_rpo_index(ph_rpo_new(f), b);
}
static void loop_0(void) {
  finished();
  ph_loops_header(ph_loops_new(f), 0);
}
static void beyond_the_live(void) {
  finished();
  ph_liveness_at(ph_liveness_new(f), entry, NO_SUCH);
}
static void live_out_of_a_strange_block(void) {
  const ph_block strange = {NO_SUCH};
  finished();
  ph_liveness_outcount(f, ph_liveness_new(f), strange);
}
static void beyond_the_live_out(void) {
  finished();
  ph_liveness_outat(f, ph_liveness_outcount(f, ph_liveness_new(f), entry));
}
static void left_unfinished(void) { ph_leave_new(f, true); }
static void location_0(void) {
  finished();
  ph_leave_type(ph_leave_new(f, true), 0);
}
static void location_of_a_strange_value(void) {
  const ph_value strange = {NO_SUCH};
  finished();
  ph_leave_of(f, ph_leave_new(f, true), strange);
}
static void beyond_the_moves(void) {
  finished();
  ph_leave_move(ph_leave_new(f, true), ph_block_firstpred(f, join), NO_SUCH);
}
static void beyond_the_critical(void) {
  finished();
  ph_leave_critical(ph_leave_new(f, true), NO_SUCH);
}
static ph_solver *solver(void) {
  static max_align_t memory[1024];
  if (ph_solver_size(f) > sizeof memory) abort();
  return ph_solver_init(f, memory, PH_FORWARD);
}
static void solved_unfinished(void) { solver(); }
static void no_edge_taken(void) {
  finished();
  ph_solver_take(solver());
}
static void fact_of_a_strange_value(void) {
  const ph_value strange = {NO_SUCH};
  finished();
  ph_solver_changed(solver(), strange);
}
static void solved_further_after_a_change(void) {
  ph_solver *s;
  finished();
  s = solver();
  number(123);
  ph_solver_next(s);
}
static void phi_revisited(void) {
  finished();
  ph_solver_revisit(solver(), phi);
}
static void beyond_the_reads(void) {
  finished();
  ph_undef_reads_count(f);
  ph_undef_reads_at(f, 0);
}
static void access_0(void) {
  const ph_access none = {0};
  finished();
  ph_access_value(f, none);
}
static void access_of_a_strange_number(void) {
  const ph_access strange = {1};
  finished();
  ph_access_iswrite(f, strange);
}
static void beyond_the_reaching(void) {
  finished();
  ph_reaching_count(f, ph_reaching_new(f), NULL, 0);
  ph_reaching_at(f, 0);
}
static void beyond_the_sources(void) {
  finished();
  ph_flow_at(f, ph_flow_sources(f, phi, 1));
}
static void end_before_the_beginning(void) {
  const ph_srcloc loc = {.line = 2, .end_line = 1};
  ph_srcloc_set(f, loc);
}
static void beyond_the_events(void) {
  ph_event_listen(f);
  ph_event_at(f, 0);
}

/* }== Rules ========================================================== */

static void changed_base(void) {
  ph_strbuf why = {.mem = &ph_mem_libc};
  begin_set();
  ph_ruleset_new(&ph_mem_libc, set);
  ph_ruleset_load(set, spec_str("r"), spec_str("x - 0 => x"), NULL, &why);
}
static void rule_0(void) {
  begin_set();
  ph_ruleset_name(set, 0);
}
static void rule_that_is_not(void) {
  begin_set();
  ph_ruleset_text(set, 3);
}
static void explained_with_a_target_less(void) {
  ph_strbuf said = {.mem = &ph_mem_libc};
  ph_block b = block("b");
  begin_set();
  ph_ruleset_explain(&said, f, set, NULL, PH_BRANCH, PH_NOTYPE, &c, 1, &b, 1);
}
static void changed_when_frozen(void) {
  begin_set();
  ph_ruleset_freeze(set);
  ph_ruleset_enable(set, spec_str("a"), false);
}
static void checked_rule_that_is_not(void) {
  const ph_check_options how = {.cases = 1};
  begin_set();
  ph_ruleset_check(set, 3, &how, NULL, NULL);
}
static void explained_with_other_types(void) {
  const ph_value args[] = {n, x};
  ph_strbuf said = {.mem = &ph_mem_libc};
  begin_set();
  ph_ruleset_explain(&said, f, set, NULL, PH_ADD, PH_I64, args, 2, NULL, 0);
}
static void emitted_outside_an_action(void) {
  const ph_value args[] = {n, n};
  begin_set();
  ph_peephole_enable(f, set, false);
  ph_match_emit(f, PH_ADD, PH_I64, args, 2);
}
static void callbacks_without_rules(void) {
  const ph_callbacks callbacks = {NULL, NULL, NULL};
  ph_match_setcallbacks(f, &callbacks);
}

/* }== All of them ==================================================== */

typedef struct {
  const char *name;
  void (*how)(void);
  const char *rule; /* that the assertion tells */
} misuse;

#define MISUSE(how, rule) \
  { #how, how, rule }

#define FITTING "that fit the op"
#define SEALED "no edge leads to a sealed block"
#define ENTERED "no edge leads to the entry"
#define TARGETS "as many targets as the op takes"
#define KEYS "keys are distinct constants"
#define OPENED "a function under construction"
#define FINISHED "a finished function"
#define VARYING "parameters, phis or instructions, of one type"
#define DEFINING "definitions of that type in blocks of this function"
#define OF_BLOCK "a block of this function"
#define OF_VALUE "a value of this function"
#define OPERANDS "operands are values of this function"
#define RETURNS "a value exactly if the function returns one"
#define OUTSIDE "targets in this function other than the entry"
#define EDGE "an existing edge"
#define OPERAND "an existing operand"
#define OF_VAR "a variable of this function"

static const misuse misuses[] = {
    MISUSE(sealed_target, SEALED),
    MISUSE(sealed_target_of_a_branch, SEALED),
    MISUSE(sealed_target_of_a_switch, SEALED),
    MISUSE(sealed_target_when_simplified, SEALED),
    MISUSE(entry_as_target, ENTERED),
    MISUSE(edge_too_many, "no more edges than were announced"),
    MISUSE(sealed_twice, "seal once"),
    MISUSE(no_block, OF_BLOCK),
    MISUSE(strange_block, "targets are blocks of this function"),
    MISUSE(read_in_strange_block, OF_BLOCK),
    MISUSE(dropped_block, OF_BLOCK),
    MISUSE(after_the_terminator, "nothing after the terminator"),
    MISUSE(written_after_the_terminator, "write before the terminator"),
    MISUSE(second_terminator, "one terminator"),
    MISUSE(emitted_terminator, "an instruction"),
    MISUSE(emitted_phi, "an instruction"),
    MISUSE(emitted_constant, "an instruction"),
    MISUSE(emitted_alloca_of_any_size, FITTING),
    MISUSE(emitted_alloca_elsewhere, "an alloca in the entry"),
    MISUSE(filled_with_an_add, "a terminator"),
    MISUSE(one_target_of_two, TARGETS),
    MISUSE(one_target_for_two_keys, TARGETS),
    MISUSE(equal_keys, KEYS),
    MISUSE(key_no_constant, KEYS),
    MISUSE(one_operand_of_two, FITTING),
    MISUSE(operands_of_two_types, FITTING),
    MISUSE(operands_of_two_types_simplified, FITTING),
    MISUSE(another_result_type, FITTING),
    MISUSE(impossible_cast, FITTING),
    MISUSE(condition_no_i1, FITTING),
    MISUSE(no_value, OPERANDS),
    MISUSE(strange_value, OPERANDS),
    MISUSE(removed_operand, OPERANDS),
    MISUSE(operand_without_a_result, FITTING),
    MISUSE(strange_op, "an instruction"),
    MISUSE(returned_nothing, RETURNS),
    MISUSE(returned_another_type, FITTING),
    MISUSE(returned_something, RETURNS),
    MISUSE(no_variable, OF_VAR),
    MISUSE(strange_variable, OF_VAR),
    MISUSE(written_another_type, "a value of the variable's type"),
    MISUSE(written_no_value, OF_VALUE),
    MISUSE(assumed_after_a_read, "neither read nor written there"),
    MISUSE(defined_by_an_instruction, "a constant or a parameter"),
    MISUSE(defined_unasked, "the variable of ph_build_undefined"),
    MISUSE(phi_before_sealing, "seal first"),
    MISUSE(phi_with_an_operand_less, "an operand for each edge"),
    MISUSE(phi_of_another_type, "operands of the phi's type"),
    MISUSE(constant_too_large, "an integer that fits"),
    MISUSE(integer_as_float, "an integer type"),
    MISUSE(float_as_integer, "a float type"),
    MISUSE(data_of_a_constant, "neither a phi nor a copy"),
    MISUSE(after_a_phi_of_another_block, "a phi or instruction of the block"),
    MISUSE(strange_name, "a number from ph_intern_add"),
    MISUSE(strange_edge, "an edge of this function"),
    MISUSE(strange_use, "a use"),
    MISUSE(parameter_that_is_not, "from 0 to ph_value_nparams - 1"),
    MISUSE(operand_that_is_not, "from 0 to ph_value_nargs - 1"),
    MISUSE(target_that_is_not, "from 0 to ph_block_nsuccs - 1"),
    MISUSE(simplified_late, "before anything is emitted"),
    MISUSE(simplified_twice, "enabled once"),
    MISUSE(begun_twice, "a blank function"),
    MISUSE(parsed_into_another, "a blank function"),
    MISUSE(finished_unfilled, "every block is filled"),
    MISUSE(finished_twice, OPENED),
    MISUSE(reopened_unfinished, FINISHED),
    MISUSE(parsed_twice, "a function fresh from ph_parse_start"),
    MISUSE(frozen_reopened, FINISHED),
    MISUSE(emitted_when_finished, OPENED),
    MISUSE(read_when_finished, OPENED),
    MISUSE(block_when_finished, OPENED),
    MISUSE(swept_unfinished, FINISHED),
    MISUSE(edited_unfinished, FINISHED),
    MISUSE(replaced_by_another_type, "a value of the same type"),
    MISUSE(replaced_by_itself, "a value cannot replace itself"),
    MISUSE(erased_in_use, "nothing uses it"),
    MISUSE(erased_terminator, "a phi or instruction, not a terminator"),
    MISUSE(erased_constant, "a phi or instruction, not a terminator"),
    MISUSE(set_operand_that_is_not, OPERAND),
    MISUSE(set_operand_of_another_type, FITTING),
    MISUSE(set_key, "not a key of a switch"),
    MISUSE(inserted_terminator, "an instruction"),
    MISUSE(inserted_before_a_phi, "before an instruction"),
    MISUSE(inserted_with_two_types, FITTING),
    MISUSE(moved_phi, "an instruction other than phis and terminators"),
    MISUSE(edited_phi_with_an_operand_less, "an operand for each edge"),
    MISUSE(repaired_unfinished, FINISHED),
    MISUSE(repaired_nothing, VARYING),
    MISUSE(repaired_constant, VARYING),
    MISUSE(repaired_two_types, VARYING),
    MISUSE(repaired_by_another_type, DEFINING),
    MISUSE(repaired_behind_a_parameter, DEFINING),
    MISUSE(retargeted_to_the_entry, OUTSIDE),
    MISUSE(retargeted_to_the_same, "another block"),
    MISUSE(retargeted_without_a_value, "a value for each phi of the target"),
    MISUSE(incoming_of_another_type, "values of the phis' types"),
    MISUSE(ended_to_the_entry, OUTSIDE),
    MISUSE(ended_by_an_add, "a terminator"),
    MISUSE(ended_with_a_target_less, TARGETS),
    MISUSE(edge_added_to_ret, "a terminator that can have one more target"),
    MISUSE(edge_removed_that_is_not, EDGE),
    MISUSE(edge_split_that_is_not, EDGE),
    MISUSE(edge_split_by_a_strange_number, EDGE),
    MISUSE(beyond_the_order, "from 0 to ph_rpo_total - 1"),
    MISUSE(place_of_the_unreached, "only blocks in the order have a position"),
    MISUSE(loop_0, "from 1 to ph_loops_count"),
    MISUSE(beyond_the_live, "from 0 to ph_liveness_count - 1"),
    MISUSE(live_out_of_a_strange_block, OF_BLOCK),
    MISUSE(beyond_the_live_out, "from 0 to ph_liveness_outcount - 1"),
    MISUSE(left_unfinished, FINISHED),
    MISUSE(location_0, "from 1 to ph_leave_count"),
    MISUSE(location_of_a_strange_value, OF_VALUE),
    MISUSE(beyond_the_moves, "from 0 to ph_leave_nmoves - 1"),
    MISUSE(beyond_the_critical, "from 0 to ph_leave_ncritical - 1"),
    MISUSE(solved_unfinished, FINISHED),
    MISUSE(no_edge_taken, "the latest step is an edge"),
    MISUSE(fact_of_a_strange_value, OF_VALUE),
    MISUSE(solved_further_after_a_change, "f has not changed since"),
    MISUSE(phi_revisited, "not a phi"),
    MISUSE(beyond_the_reads, "from 0 to ph_undef_reads_count - 1"),
    MISUSE(access_0, "an access of this function"),
    MISUSE(access_of_a_strange_number, "an access of this function"),
    MISUSE(beyond_the_reaching, "from 0 to ph_reaching_count - 1"),
    MISUSE(beyond_the_sources, "from 0 to the number found - 1"),
    MISUSE(end_before_the_beginning, "a location that ends after its begin"),
    MISUSE(beyond_the_events, "from 0 to ph_event_count - 1"),
    MISUSE(changed_base, "a frozen set does not change"),
    MISUSE(rule_0, "from 1 to ph_ruleset_count"),
    MISUSE(rule_that_is_not, "from 1 to ph_ruleset_count"),
    MISUSE(explained_with_a_target_less, TARGETS),
    MISUSE(explained_with_other_types, FITTING),
    MISUSE(changed_when_frozen, "a frozen set does not change"),
    MISUSE(checked_rule_that_is_not, "from 1 to ph_ruleset_count"),
    MISUSE(emitted_outside_an_action, "within an action"),
    MISUSE(callbacks_without_rules, "a function with a set of rules"),
};

/* }== In processes =================================================== */

/* The child: what assert says goes to `out`. */
static void run_alone(const misuse *m, int out) {
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  dup2(out, STDERR_FILENO);
  alarm(10);
  begin(PH_I64);
  m->how();
  _exit(EXIT_SUCCESS);
}

static void read_all(int from, char *text, size_t room) {
  size_t got = 0;
  ssize_t more;
  while (got + 1 < room && (more = read(from, text + got, room - 1 - got)) > 0)
    got += (size_t)more;
  text[got] = '\0';
  close(from);
}

static const char *judge(const misuse *m, int status, const char *text) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS)
    return "no word";
  if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT) return "a crash";
  return strstr(text, m->rule) != NULL ? NULL : text;
}

static int try_misuse(const misuse *m) {
  char text[2000];
  const char *wrong;
  int out[2], status;
  pid_t child;
  fflush(stdout);
  if (pipe(out) != 0 || (child = fork()) < 0)
    return spec_case(m->name, false, "no process");
  if (child == 0) run_alone(m, out[1]);
  close(out[1]);
  read_all(out[0], text, sizeof text);
  waitpid(child, &status, 0);
  text[strcspn(text, "\n")] = '\0';
  wrong = judge(m, status, text);
  return spec_case(m->name, wrong == NULL, wrong);
}

int spec_misuse(void) {
  int failed = 0;
#ifdef NDEBUG
  return spec_case("there_are_no_assertions", true, NULL);
#endif
  for (size_t i = 0; i < SPEC_COUNT(misuses); i++)
    failed += try_misuse(&misuses[i]);
  return failed;
}

/* }=================================================================== */
