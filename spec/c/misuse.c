/* misuse.c: what the headers forbid is told.
**
** Each misuse runs in a process of its own, which must end in a message that
** states the requirement it broke: MISUSE(name, prepare, requirement) and what
** breaks it, after `prepare` has made something to misuse.
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

static void begun(void) { begin(PH_I64); }

/* The entry branches to two blocks, which join in one with a phi. */
static ph_block left, right, join;
static ph_value sum, phi;

static void diamond(void) {
  begun();
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

static void with_rules(void) {
  ph_strbuf why = {.mem = &ph_mem_libc};
  begun();
  set = ph_ruleset_new(&ph_mem_libc, NULL);
  ph_ruleset_load(set, spec_str("r"),
                  spec_str("a: x + 0 => x\nb: branch(_, T, T) => jump(T)"),
                  NULL, &why);
}

/* }== In processes =================================================== */

static int failed;

/* The child: what assert says goes to `out`. */
static void begin_alone(void (*prepare)(void), int out) {
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  dup2(out, STDERR_FILENO);
  alarm(10);
  prepare();
}

static void read_all(int from, char *text, size_t room) {
  size_t got = 0;
  ssize_t more;
  while (got + 1 < room && (more = read(from, text + got, room - 1 - got)) > 0)
    got += (size_t)more;
  text[got] = '\0';
  close(from);
}

static const char *judge(const char *requirement, int status,
                         const char *text) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS)
    return "no word";
  if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT) return "a crash";
  return strstr(text, requirement) != NULL ? NULL : text;
}

/* True in a new process; in this one, false, when that has ended. */
static bool misused(const char *name, void (*prepare)(void),
                    const char *requirement) {
  char text[2000];
  const char *wrong = "no process";
  int out[2], status;
  pid_t child;
  fflush(stdout);
  if (pipe(out) == 0 && (child = fork()) >= 0) {
    if (child == 0) {
      begin_alone(prepare, out[1]);
      return true;
    }
    close(out[1]);
    read_all(out[0], text, sizeof text);
    waitpid(child, &status, 0);
    text[strcspn(text, "\n")] = '\0';
    wrong = judge(requirement, status, text);
  }
  failed += spec_case(name, wrong == NULL, wrong);
  return false;
}

#define MISUSE(name, prepare, requirement) \
  for (; misused(#name, prepare, requirement); _exit(EXIT_SUCCESS))

/* }== What assertions tell =========================================== */

#define FITTING "that fit the op"
#define NAMED "what is called, or its name"
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

/* }== Edges and blocks =============================================== */

static void edges_and_blocks(void) {
  MISUSE (sealed_target, begun, SEALED) {
    ph_block head = block("head"), body = block("body");
    ph_build_jump(f, entry, head);
    ph_build_seal(f, head);
    ph_build_branch(f, head, c, body, body);
    ph_build_seal(f, body);
    ph_build_jump(f, body, head);
  }
  MISUSE (sealed_target_of_a_branch, begun, SEALED) {
    ph_block head = block("head");
    ph_build_seal(f, head);
    ph_build_branch(f, entry, c, head, head);
  }
  MISUSE (sealed_target_of_a_switch, begun, SEALED) {
    const ph_value args[] = {n, number(1)};
    ph_block targets[] = {block("a"), block("b")};
    ph_build_seal(f, targets[1]);
    ph_build_fill(f, entry, PH_SWITCH, args, 2, targets, 2);
  }
  MISUSE (sealed_target_when_simplified, begun, SEALED) {
    ph_block head = block("head");
    ph_peephole_enable(f, NULL, false);
    ph_build_seal(f, head);
    ph_build_jump(f, entry, head);
  }
  MISUSE (entry_as_target, begun, ENTERED) {
    ph_block b = block("b");
    ph_build_jump(f, b, entry);
  }
  MISUSE (edge_too_many, begun, "no more edges than were announced") {
    ph_block one = ph_block_new(f, spec_str("one"), 1);
    ph_build_branch(f, entry, c, one, one);
  }
  MISUSE (sealed_twice, begun, "seal once") {
    ph_block b = block("b");
    ph_build_seal(f, b);
    ph_build_seal(f, b);
  }
  MISUSE (no_block, begun, OF_BLOCK) ph_build_seal(f, (ph_block){0});
  MISUSE (strange_block, begun, "targets are blocks of this function")
    ph_build_jump(f, entry, (ph_block){NO_SUCH});
  MISUSE (read_in_strange_block, begun, OF_BLOCK)
    ph_build_read(f, var, (ph_block){NO_SUCH});
  MISUSE (dropped_block, finished, OF_BLOCK) {
    ph_finish_reopen(f);
    ph_block dead = ph_block_new(f, spec_str("dead"), 0);
    ph_build_ret(f, dead, number(1));
    ph_finish_run(f);
    ph_finish_reopen(f);
    ph_build_read(f, var, dead);
  }
}

/* }== Instructions =================================================== */

/* Told once, it returns. */
static void note_violation(void *ud, const ph_violation *v) {
  int *told = ud;
  if (++*told > 1 || v->line == 0) _exit(EXIT_SUCCESS);
}

static void instructions(void) {
  MISUSE (after_the_terminator, begun, "nothing after the terminator") {
    ph_build_ret(f, entry, n);
    add(entry);
  }
  MISUSE (written_after_the_terminator, begun, "write before the terminator") {
    ph_build_ret(f, entry, n);
    ph_build_write(f, var, entry, n);
  }
  MISUSE (second_terminator, begun, "one terminator") {
    ph_build_ret(f, entry, n);
    ph_build_ret(f, entry, n);
  }
  MISUSE (emitted_terminator, begun, "an instruction")
    ph_build_emit(f, entry, PH_RET, PH_NOTYPE, &n, 1);
  MISUSE (emitted_phi, begun, "an instruction")
    ph_build_emit(f, entry, PH_PHI, PH_I64, &n, 1);
  MISUSE (emitted_constant, begun, "an instruction")
    ph_build_emit(f, entry, PH_CONST, PH_I64, NULL, 0);
  MISUSE (emitted_alloca_of_any_size, begun, FITTING) {
    const ph_value args[] = {n, ph_const_int(f, PH_I64, 8)};
    ph_build_emit(f, entry, PH_ALLOCA, PH_PTR, args, 2);
  }
  MISUSE (emitted_alloca_elsewhere, begun, "an alloca in the entry") {
    const ph_value eight = ph_const_int(f, PH_I64, 8), args[] = {eight, eight};
    ph_build_emit(f, ph_block_new(f, (ph_str){"b", 1}, -1), PH_ALLOCA, PH_PTR,
                  args, 2);
  }
  MISUSE (emitted_va_start_elsewhere, begun,
          "va_start in a variadic function") {
    const ph_value p = ph_const_int(f, PH_PTR, 8);
    ph_build_emit(f, entry, PH_VA_START, PH_NOTYPE, &p, 1);
  }
  MISUSE (extended_i64, begun, "a type that is passed so")
    ph_func_setpassing(f, 1, PH_ZEROEXT);
  MISUSE (result_as_va_list, begun, "a type that is passed so")
    ph_func_setpassing(f, 0, PH_VALIST);
  MISUSE (struct_without_members, begun, "a struct has members")
    ph_func_setpassing(f, 1, PH_BYVAL);
  MISUSE (struct_that_is_extended, begun, "a struct")
    ph_func_setstruct(f, 1, PH_ZEROEXT, (ph_str){"{i8}", 4});
  MISUSE (struct_of_nothing, begun, "members of a struct")
    ph_func_setstruct(f, 1, PH_BYVAL, (ph_str){"{}", 2});
  MISUSE (struct_as_i64, begun, "a type that is passed so")
    ph_func_setstruct(f, 1, PH_BYVAL, (ph_str){"{i8}", 4});
  MISUSE (sret_and_a_result, begun, "sret of a function without a result")
    ph_func_setstruct(f, 1, PH_SRET, (ph_str){"{i8}", 4});
  MISUSE (results_of_a_body, diamond, "nothing but parameters") {
    const ph_type types[] = {PH_I64, PH_I32};
    ph_func_setresults(f, types, 2);
  }
  MISUSE (result_beyond_the_last, begun, "from 0 to ph_func_nresults - 1")
    ph_func_resulttype(f, 1);
  MISUSE (passed_plainly, begun, "not plain")
    ph_func_setpassing(f, 1, PH_PLAIN);
  MISUSE (passed_beyond_the_last, begun, "from 0 to ph_value_nparams")
    ph_func_passing(f, 4);
  MISUSE (filled_with_an_add, begun, "a terminator") {
    const ph_value args[] = {n, n};
    ph_build_fill(f, entry, PH_ADD, args, 2, NULL, 0);
  }
  MISUSE (one_target_of_two, begun, TARGETS) {
    ph_block b = block("b");
    ph_build_fill(f, entry, PH_BRANCH, &c, 1, &b, 1);
  }
  MISUSE (one_target_for_two_keys, begun, TARGETS) {
    const ph_value args[] = {n, number(1), number(2)};
    ph_block b = block("b");
    ph_build_fill(f, entry, PH_SWITCH, args, 3, &b, 1);
  }
  MISUSE (equal_keys, begun, KEYS) {
    const ph_value args[] = {n, number(1), number(1)};
    ph_block b = block("b");
    const ph_block targets[] = {b, b, b};
    ph_build_fill(f, entry, PH_SWITCH, args, 3, targets, 3);
  }
  MISUSE (key_no_constant, begun, KEYS) {
    const ph_value args[] = {n, n};
    ph_block b = block("b");
    const ph_block targets[] = {b, b};
    ph_build_fill(f, entry, PH_SWITCH, args, 2, targets, 2);
  }
  MISUSE (one_operand_of_two, begun, FITTING)
    ph_build_emit(f, entry, PH_ADD, PH_I64, &n, 1);
  MISUSE (operands_of_two_types, begun, FITTING)
    emit(entry, PH_ADD, PH_I64, n, x);
  MISUSE (operands_of_two_types_simplified, begun, FITTING) {
    ph_peephole_enable(f, NULL, false);
    emit(entry, PH_ADD, PH_I64, n, x);
  }
  MISUSE (another_result_type, begun, FITTING)
    emit(entry, PH_ADD, PH_I32, n, n);
  MISUSE (impossible_cast, begun, FITTING)
    ph_build_emit(f, entry, PH_TRUNC, PH_I64, &n, 1);
  MISUSE (condition_no_i1, begun, FITTING) {
    ph_block b = block("b");
    ph_build_branch(f, entry, n, b, b);
  }
  MISUSE (no_value, begun, OPERANDS)
    emit(entry, PH_ADD, PH_I64, n, (ph_value){0});
  MISUSE (strange_value, begun, OPERANDS)
    emit(entry, PH_ADD, PH_I64, n, (ph_value){NO_SUCH});
  MISUSE (operand_without_a_result, begun, FITTING) {
    ph_value v = ph_build_call(f, entry, PH_NOTYPE, spec_str("g"), &n, 1);
    emit(entry, PH_ADD, PH_I64, n, v);
  }
  MISUSE (removed_operand, finished, OPERANDS) {
    ph_value v = ph_edit_insert(f, sum, PH_NEG, PH_I64, &n, 1);
    ph_edit_erase(f, v);
    ph_edit_insert(f, sum, PH_NEG, PH_I64, &v, 1);
  }
  MISUSE (call_without_a_callee, begun, NAMED)
    ph_build_emit(f, entry, PH_CALL, PH_I64, &n, 1);
  MISUSE (call_of_nothing, begun, NAMED)
    ph_build_call(f, entry, PH_I64, spec_str(""), &n, 1);
  MISUSE (callee_that_is_a_number, begun, NAMED) {
    const ph_data seven = {7, PH_DATA_INT};
    ph_build_emitdata(f, entry, PH_CALL, PH_I64, &n, 1, seven);
  }
  MISUSE (address_without_a_symbol, begun, NAMED)
    ph_build_emit(f, entry, PH_ADDRESS, PH_PTR, NULL, 0);
  MISUSE (callee_taken_away, begun, "data that the op can have") {
    const ph_data none = {0, PH_DATA_NONE};
    ph_value_setdata(f, ph_build_call(f, entry, PH_I64, spec_str("g"), &n, 1),
                     none);
  }
  MISUSE (trap_without_a_message, begun, NAMED)
    ph_build_emit(f, entry, PH_TRAP_IF, PH_NOTYPE, &c, 1);
  MISUSE (call_of_type_77, begun, FITTING)
    ph_build_call(f, entry, 77, spec_str("g"), &n, 1);
  MISUSE (handler_that_returns, begun, "a type of this function") {
    int told = 0;
    ph_violation_sethandler(note_violation, &told);
    ph_var_new(f, spec_str("v"), 77);
  }
  MISUSE (strange_op, begun, "an instruction")
    ph_build_emit(f, entry, PH_OPS + 7, PH_I64, &n, 1);
  MISUSE (returned_nothing, begun, RETURNS)
    ph_build_ret(f, entry, (ph_value){0});
  MISUSE (returned_another_type, begun, FITTING) ph_build_ret(f, entry, x);
  MISUSE (returned_something, begun, RETURNS) {
    begin(PH_NOTYPE);
    ph_build_ret(f, entry, n);
  }
}

/* }== Variables, phis, constants ===================================== */

static void variables(void) {
  MISUSE (no_variable, begun, OF_VAR) ph_build_read(f, (ph_var){0}, entry);
  MISUSE (strange_variable, begun, OF_VAR)
    ph_build_write(f, (ph_var){NO_SUCH}, entry, n);
  MISUSE (written_another_type, begun, "a value of the variable's type")
    ph_build_write(f, var, entry, x);
  MISUSE (written_no_value, begun, OF_VALUE)
    ph_build_write(f, var, entry, (ph_value){0});
  MISUSE (assumed_after_a_read, finished, "neither read nor written there") {
    ph_finish_reopen(f);
    ph_build_read(f, var, left);
    ph_build_assume(f, var, left, n);
  }
  MISUSE (defined_by_an_instruction, begun, "a constant or a parameter") {
    ph_var u = ph_var_new(f, spec_str("u"), PH_I64);
    ph_build_read(f, u, entry);
    ph_build_define(f, ph_build_undefvar(f), add(entry));
  }
  MISUSE (defined_unasked, begun, "the variable of ph_build_undefvar")
    ph_build_define(f, var, n);
  MISUSE (phi_before_sealing, begun, "seal first")
    ph_build_phi(f, block("b"), PH_I64, NULL, 0);
  MISUSE (phi_with_an_operand_less, diamond, "an operand for each edge")
    ph_build_phi(f, join, PH_I64, &n, 1);
  MISUSE (phi_of_another_type, diamond, "operands of the phi's type") {
    const ph_value args[] = {n, x};
    ph_build_phi(f, join, PH_I64, args, 2);
  }
  MISUSE (constant_too_large, begun, "an integer that fits")
    ph_const_int(f, PH_I8, 256);
  MISUSE (integer_as_float, begun, "an integer type")
    ph_const_int(f, PH_F64, 1);
  MISUSE (float_as_integer, begun, "a float type")
    ph_const_float(f, PH_I64, 1.5);
  MISUSE (data_of_a_constant, begun, "neither a phi nor a copy") {
    const ph_data data = {1, PH_DATA_INT};
    ph_value_setdata(f, number(7), data);
  }
  MISUSE (after_a_phi_of_another_block, finished,
          "a phi or instruction of the block")
    ph_block_nextphi(f, left, phi);
  MISUSE (strange_name, begun, "a number from ph_intern_add")
    ph_intern_string(f, NO_SUCH);
  MISUSE (strange_edge, begun, "an edge of this function")
    ph_block_edgeto(f, NO_SUCH);
  MISUSE (strange_use, begun, "a use") {
    ph_uses_first(f, n);
    ph_uses_user(f, NO_SUCH);
  }
  MISUSE (parameter_that_is_not, begun, "from 0 to ph_value_nparams - 1")
    ph_value_param(f, 3);
  MISUSE (operand_that_is_not, begun, "from 0 to ph_value_nargs - 1")
    ph_value_arg(f, add(entry), 2);
  MISUSE (target_that_is_not, begun, "from 0 to ph_block_nsuccs - 1")
    ph_block_succ(f, entry, 0);
}

/* }== Effects ======================================================== */

#define SAYABLE "effects that the op can have"
#define CLASS "the name of a class"
#define BLANK "reserved words that are zero"
#define OF_OP "an op of this function"

static void effects(void) {
  static const char *const len[] = {"len", NULL};
  static const ph_opspec get = {.name = "get", .result = PH_I64, .reads = len};
  static const ph_dialect quiet = {.name = "quiet", .ops = &get, .nops = 1};
  static const char *const everything[] = {"all", NULL};
  static const ph_opspec put = {.name = "put", .writes = everything};
  static const ph_dialect loud = {
      .name = "loud", .ops = &put, .nops = 1, .classes = true};
  const ph_effects all = {PH_EFFECTS_ALL, PH_EFFECTS_ALL}, none = {0, 0};
  const ph_effects first = {1, 0};
  const ph_data plain = {0, PH_DATA_NONE};
  const ph_value strange = {NO_SUCH};
  uint32_t list[PH_CLASSES_MOST], set_of = 0;
  MISUSE (reserved_word_of_a_dialect, begun, BLANK) {
    static const ph_dialect later = {.name = "later", .reserved = {0, 1}};
    ph_op_attachdialect(f, &later);
  }
  MISUSE (reserved_word_of_an_op, begun, BLANK) {
    static const ph_opspec op = {.name = "op", .reserved = {1}};
    static const ph_dialect later = {.name = "later", .ops = &op, .nops = 1};
    ph_op_attachdialect(f, &later);
  }
  MISUSE (number_between_those_of_ops, begun, OF_OP)
    ph_op_name(f, PH_KNOWN_OPS);
  MISUSE (dialect_that_hides_classes, begun,
          "`classes` of a dialect whose ops have some")
    ph_op_attachdialect(f, &quiet);
  MISUSE (class_without_a_name, begun, CLASS)
    ph_effects_find(f, spec_str(""), &set_of);
  MISUSE (class_named_all, begun, CLASS)
    ph_effects_find(f, spec_str("all"), &set_of);
  MISUSE (dialect_of_a_class_named_all, begun, CLASS)
    ph_op_attachdialect(f, &loud);
  MISUSE (class_that_is_not, begun, "from 0 to ph_effects_nclasses - 1")
    ph_effects_class(f, 0);
  MISUSE (list_of_everything, begun, "a set of classes of this function")
    ph_effects_list(f, PH_EFFECTS_ALL, list);
  MISUSE (effects_of_a_strange_value, begun, OF_VALUE)
    ph_effects_of(f, strange);
  MISUSE (effects_of_a_strange_op, begun, OF_OP) ph_effects_usual(f, NO_SUCH);
  MISUSE (sayable_of_a_strange_op, begun, OF_OP) ph_effects_sayable(f, NO_SUCH);
  MISUSE (effects_of_an_add, begun, SAYABLE) {
    const ph_value args[] = {n, n};
    ph_build_emiteffects(f, entry, PH_ADD, PH_I64, args, 2, plain, all);
  }
  MISUSE (unknown_class, begun, SAYABLE) {
    const ph_value p = ph_const_int(f, PH_PTR, 8);
    ph_build_emiteffects(f, entry, PH_LOAD, PH_I64, &p, 1, plain, first);
  }
  MISUSE (store_that_writes_nothing, begun, SAYABLE) {
    const ph_value args[] = {ph_const_int(f, PH_PTR, 8), n};
    ph_build_emiteffects(f, entry, PH_STORE, PH_NOTYPE, args, 2, plain, none);
  }
  MISUSE (effects_set_of_an_add, finished, SAYABLE)
    ph_effects_set(f, sum, first);
  MISUSE (effects_set_of_a_strange_value, finished, OF_VALUE)
    ph_effects_set(f, strange, none);
  MISUSE (declared_of_a_definition, begun, "classes of a declaration")
    ph_effects_declare(f, none);
}

/* }== Beginning and ending =========================================== */

static void beginning_and_ending(void) {
  MISUSE (simplified_late, begun, "before anything is emitted") {
    add(entry);
    ph_peephole_enable(f, NULL, false);
  }
  MISUSE (simplified_twice, begun, "enabled once") {
    ph_peephole_enable(f, NULL, false);
    ph_peephole_enable(f, NULL, false);
  }
  MISUSE (limited_plain, begun, "a function that simplifies") {
    ph_peephole_limit(f, 3);
  }
  MISUSE (begun_twice, begun, "a blank function") {
    const ph_options options = {0};
    ph_func_init(f, spec_str("again"), PH_I64, &options);
  }
  MISUSE (parsed_into_another, begun, "a blank function") {
    ph_strbuf why = {.mem = &ph_mem_libc};
    uint32_t line, col;
    ph_parse_start(f);
    ph_parse_func(f, spec_str(spec_sum), &why, &line, &col);
  }
  MISUSE (parsed_twice, begun, "a function fresh from ph_parse_start") {
    ph_strbuf why = {.mem = &ph_mem_libc};
    uint32_t line, col;
    ph_func_done(f);
    ph_parse_start(f);
    ph_parse_func(f, spec_str(spec_sum), &why, &line, &col);
    ph_parse_func(f, spec_str(spec_sum), &why, &line, &col);
  }
  MISUSE (frozen_reopened, begun, FINISHED) {
    ph_strbuf why = {.mem = &ph_mem_libc};
    uint32_t line, col;
    ph_func_done(f);
    ph_parse_start(f);
    ph_parse_func(f, spec_str("fn f() {\nentry:\n}\n"), &why, &line, &col);
    if (ph_finish_isfrozen(f)) ph_finish_reopen(f);
  }
  MISUSE (finished_unfilled, begun, "every block is filled") {
    block("b");
    ph_build_ret(f, entry, n);
    ph_finish_run(f);
  }
  MISUSE (finished_twice, finished, OPENED) ph_finish_run(f);
  MISUSE (reopened_unfinished, begun, FINISHED) ph_finish_reopen(f);
  MISUSE (emitted_when_finished, finished, OPENED) add(join);
  MISUSE (read_when_finished, finished, OPENED) ph_build_read(f, var, join);
  MISUSE (block_when_finished, finished, OPENED) block("b");
  MISUSE (swept_unfinished, begun, FINISHED) {
    add(entry);
    ph_dce_run(f);
  }
}

/* }== Edits ========================================================== */

static void edits(void) {
  MISUSE (edited_unfinished, begun, FINISHED) ph_edit_replace(f, add(entry), n);
  MISUSE (replaced_by_another_type, finished, "a value of the same type")
    ph_edit_replace(f, sum, x);
  MISUSE (replaced_by_itself, finished, "a value cannot replace itself")
    ph_edit_replace(f, sum, sum);
  MISUSE (erased_in_use, finished, "nothing uses it") ph_edit_erase(f, sum);
  MISUSE (erased_terminator, finished, "a phi or instruction, not a terminator")
    ph_edit_erase(f, ph_block_terminator(f, join));
  MISUSE (erased_constant, finished, "a phi or instruction, not a terminator")
    ph_edit_erase(f, number(77));
  MISUSE (set_operand_that_is_not, finished, OPERAND)
    ph_edit_setarg(f, sum, 2, n);
  MISUSE (set_key, finished, "not a key of a switch") {
    const ph_value args[] = {n, number(1)};
    const ph_block targets[] = {left, right};
    const ph_terminator t = {PH_SWITCH, args, 2, targets, 2};
    ph_value v = ph_edge_setterminator(f, entry, &t, NULL, 0);
    ph_edit_setarg(f, v, 1, n);
  }
  MISUSE (set_operand_of_another_type, finished, FITTING)
    ph_edit_setarg(f, sum, 0, x);
  MISUSE (inserted_terminator, finished, "an instruction")
    ph_edit_insert(f, sum, PH_RET, PH_NOTYPE, &n, 1);
  MISUSE (inserted_before_a_phi, finished, "before an instruction") {
    const ph_value args[] = {n, n};
    ph_edit_insert(f, phi, PH_ADD, PH_I64, args, 2);
  }
  MISUSE (inserted_with_two_types, finished, FITTING) {
    const ph_value args[] = {n, x};
    ph_edit_insert(f, sum, PH_ADD, PH_I64, args, 2);
  }
  MISUSE (moved_phi, finished, "an instruction other than phis and terminators")
    ph_edit_move(f, phi, ph_block_terminator(f, join));
  MISUSE (edited_phi_with_an_operand_less, finished, "an operand for each edge")
    ph_edit_newphi(f, join, PH_I64, &n, 1);
  MISUSE (repaired_unfinished, diamond, FINISHED)
    ph_repair_rewrite(f, &sum, 1, NULL, 0);
  MISUSE (repaired_nothing, finished, VARYING)
    ph_repair_rewrite(f, NULL, 0, NULL, 0);
  MISUSE (repaired_constant, finished, VARYING) {
    const ph_value v = number(77);
    ph_repair_rewrite(f, &v, 1, NULL, 0);
  }
  MISUSE (repaired_two_types, finished, VARYING) {
    const ph_value values[] = {n, x};
    ph_repair_rewrite(f, values, 2, NULL, 0);
  }
  MISUSE (repaired_by_another_type, finished, DEFINING) {
    const ph_definition d = {join, {0}, x};
    ph_repair_rewrite(f, &sum, 1, &d, 1);
  }
  MISUSE (repaired_behind_a_parameter, finished, DEFINING) {
    const ph_definition d = {{0}, n, n};
    ph_repair_rewrite(f, &sum, 1, &d, 1);
  }
  MISUSE (retargeted_to_the_entry, finished, OUTSIDE)
    ph_edge_retarget(f, left, join, entry, NULL, 0);
  MISUSE (retargeted_to_the_same, finished, "another block")
    ph_edge_retarget(f, left, join, join, NULL, 0);
  MISUSE (retargeted_without_a_value, finished,
          "a value for each phi of the target")
    ph_edge_retarget(f, entry, left, join, NULL, 0);
  MISUSE (incoming_of_another_type, finished, "values of the phis' types") {
    const ph_incoming in = {.phi = phi, .value = x};
    ph_edge_retarget(f, entry, left, join, &in, 1);
  }
  MISUSE (ended_to_the_entry, finished, OUTSIDE) {
    const ph_terminator t = {PH_JUMP, NULL, 0, &entry, 1};
    ph_edge_setterminator(f, right, &t, NULL, 0);
  }
  MISUSE (ended_by_an_add, finished, "a terminator") {
    const ph_value args[] = {n, n};
    const ph_terminator t = {PH_ADD, args, 2, NULL, 0};
    ph_edge_setterminator(f, right, &t, NULL, 0);
  }
  MISUSE (ended_with_a_target_less, finished, TARGETS) {
    const ph_terminator t = {PH_BRANCH, &c, 1, &left, 1};
    ph_edge_setterminator(f, entry, &t, NULL, 0);
  }
  MISUSE (edge_added_to_ret, finished,
          "a terminator that can have one more target")
    ph_edge_add(f, join, c, left, NULL, 0);
  MISUSE (edge_removed_that_is_not, finished, EDGE)
    ph_edge_remove(f, entry, right, 1);
  MISUSE (edge_split_that_is_not, finished, EDGE)
    ph_edge_split(f, entry, right, 1, spec_str("b"));
  MISUSE (merged_at_a_branch, finished, "the only edge out of b")
    ph_edge_merge(f, entry);
  MISUSE (edge_split_by_a_strange_number, finished, EDGE)
    ph_edge_splitedge(f, NO_SUCH, spec_str("b"));
}

/* }== Questions ====================================================== */

static ph_solver *solver(void) {
  static max_align_t memory[1024];
  if (ph_solver_size(f) > sizeof memory) abort();
  return ph_solver_init(f, memory, PH_FORWARD);
}

static void questions(void) {
  MISUSE (beyond_the_order, finished, "from 0 to ph_rpo_total - 1")
    ph_rpo_at(ph_rpo_new(f), 4);
  MISUSE (place_of_the_unreached, finished,
          "only blocks in the order have a position") {
    ph_block b = ph_edit_newblock(f, spec_str("b"));
    ph_rpo_index(ph_rpo_new(f), b);
  }
  MISUSE (second_result_of_one, finished, "from 0 to ph_op_nresults - 1")
    ph_op_resulttype(f, PH_ADD, PH_I64, 1);
  MISUSE (result_type_of_a_strange_op, finished, "an op of this function")
    ph_op_resulttype(f, NO_SUCH, PH_I64, 0);
  MISUSE (loop_0, finished, "from 1 to ph_loops_count")
    ph_loops_header(ph_loops_new(f), 0);
  MISUSE (beyond_the_live, finished, "from 0 to ph_liveness_count - 1")
    ph_liveness_at(ph_liveness_new(f), entry, NO_SUCH);
  MISUSE (beyond_the_live_out, finished, "from 0 to ph_liveness_outcount - 1")
    ph_liveness_outat(ph_liveness_new(f), entry, NO_SUCH);
  MISUSE (live_behind_a_strange_value, finished, OF_VALUE) {
    const ph_value strange = {NO_SUCH};
    ph_livepoints_count(f, ph_livepoints_new(f, ph_liveness_new(f)), strange,
                        false);
  }
  MISUSE (beyond_the_live_behind, finished, "from 0 to ph_livepoints_count - 1")
    ph_livepoints_at(f, NO_SUCH);
  MISUSE (left_unfinished, begun, FINISHED) ph_leave_new(f, true);
  MISUSE (location_0, finished, "from 1 to ph_leave_count")
    ph_leave_type(ph_leave_new(f, true), 0);
  MISUSE (location_of_a_strange_value, finished, OF_VALUE) {
    const ph_value strange = {NO_SUCH};
    ph_leave_of(f, ph_leave_new(f, true), strange);
  }
  MISUSE (values_of_location_0, finished, "from 1 to ph_leave_count")
    ph_leave_nextvalue(ph_leave_new(f, true), 0, (ph_value){0});
  MISUSE (beyond_the_moves, finished, "from 0 to ph_leave_nmoves - 1")
    ph_leave_move(ph_leave_new(f, true), ph_block_firstpred(f, join), NO_SUCH);
  MISUSE (beyond_the_critical, finished, "from 0 to ph_leave_ncritical - 1")
    ph_leave_critical(ph_leave_new(f, true), NO_SUCH);
  MISUSE (solved_unfinished, begun, FINISHED) solver();
  MISUSE (no_edge_taken, finished, "the latest step is an edge")
    ph_solver_take(solver());
  MISUSE (fact_of_a_strange_value, finished, OF_VALUE) {
    const ph_value strange = {NO_SUCH};
    ph_solver_changed(solver(), strange);
  }
  MISUSE (solved_further_after_a_change, finished, "f has not changed since") {
    ph_solver *s = solver();
    number(123);
    ph_solver_next(s);
  }
  MISUSE (phi_revisited, finished, "not a phi")
    ph_solver_revisit(solver(), phi);
  MISUSE (beyond_the_reads, finished, "from 0 to ph_undef_reads_count - 1") {
    ph_undef_reads_count(f);
    ph_undef_reads_at(f, 0);
  }
  MISUSE (unwritten_when_finished, finished, "a function under construction")
    ph_undef_reads_unwritten(f);
  MISUSE (access_0, finished, "an access of this function") {
    const ph_access none = {0};
    ph_access_value(f, none);
  }
  MISUSE (nodes_of_no_value, finished, "a value of this function") {
    const ph_value none = {0};
    ph_identity_count(f, none);
  }
  MISUSE (beyond_the_nodes, finished, "from 0 to ph_identity_count - 1") {
    ph_identity_at(f, ph_identity_count(f, phi));
  }
  MISUSE (access_of_a_strange_number, finished, "an access of this function") {
    const ph_access strange = {1};
    ph_access_iswrite(f, strange);
  }
  MISUSE (beyond_the_reaching, finished, "from 0 to ph_reaching_count - 1") {
    ph_reaching_count(f, ph_reaching_new(f), NULL, 0, UINT32_MAX);
    ph_reaching_at(f, 0);
  }
  MISUSE (beyond_the_sources, finished, "from 0 to the number found - 1")
    ph_flow_at(f, ph_flow_sources(f, phi, 1));
  MISUSE (end_before_the_beginning, begun,
          "a location that ends after its begin") {
    const ph_srcloc loc = {.line = 2, .end_line = 1};
    ph_srcloc_set(f, loc);
  }
  MISUSE (beyond_the_events, begun, "from 0 to ph_event_count - 1") {
    ph_event_listen(f);
    ph_event_at(f, 0);
  }
}

/* }== Rules ========================================================== */

static void rules(void) {
  MISUSE (changed_base, with_rules, "a frozen set does not change") {
    ph_strbuf why = {.mem = &ph_mem_libc};
    ph_ruleset_new(&ph_mem_libc, set);
    ph_ruleset_load(set, spec_str("r"), spec_str("x - 0 => x"), NULL, &why);
  }
  MISUSE (rule_0, with_rules, "from 1 to ph_ruleset_count")
    ph_ruleset_name(set, 0);
  MISUSE (rule_that_is_not, with_rules, "from 1 to ph_ruleset_count")
    ph_ruleset_text(set, 3);
  MISUSE (explained_with_a_target_less, with_rules, TARGETS) {
    ph_strbuf said = {.mem = &ph_mem_libc};
    ph_block b = block("b");
    ph_ruleset_explain(&said, f, set, NULL, PH_BRANCH, PH_NOTYPE, &c, 1, &b, 1);
  }
  MISUSE (changed_when_frozen, with_rules, "a frozen set does not change") {
    ph_ruleset_freeze(set);
    ph_ruleset_enable(set, spec_str("a"), false);
  }
  MISUSE (reserved_word_of_options, begun, BLANK) {
    const ph_options later = {.reserved = {0, 0, 0, 1}};
    ph_func_new(&ph_mem_libc, PH_STR("g"), PH_I64, &later);
  }
  MISUSE (reserved_word_of_callbacks, with_rules, BLANK) {
    const ph_callbacks later = {.reserved = {1}};
    ph_peephole_enable(f, set, false);
    ph_match_setcallbacks(f, &later);
  }
  MISUSE (reserved_word_of_names, with_rules, BLANK) {
    const ph_callback_names later = {.reserved = {1}};
    ph_strbuf why = {.mem = &ph_mem_libc};
    ph_ruleset_load(set, PH_STR("r"), PH_STR(""), &later, &why);
  }
  MISUSE (reserved_word_of_check_options, with_rules, BLANK) {
    const ph_check_options later = {.cases = 1, .reserved = {1}};
    ph_ruleset_check(set, 1, &later, NULL, NULL);
  }
  MISUSE (reserved_word_of_a_style, finished, BLANK) {
    const ph_print_style later = {.reserved = {1}};
    ph_strbuf text = {.mem = &ph_mem_libc};
    ph_print_styled(&text, f, later);
  }
  MISUSE (reserved_word_of_json, finished, BLANK) {
    const ph_json_known later = {.reserved = {1}};
    ph_strbuf text = {.mem = &ph_mem_libc};
    size_t ends[PH_JSON_PARTS];
    ph_print_json(&text, f, &later, ends);
  }
  MISUSE (checked_rule_that_is_not, with_rules, "from 1 to ph_ruleset_count") {
    const ph_check_options how = {.cases = 1};
    ph_ruleset_check(set, 3, &how, NULL, NULL);
  }
  MISUSE (explained_with_other_types, with_rules, FITTING) {
    const ph_value args[] = {n, x};
    ph_strbuf said = {.mem = &ph_mem_libc};
    ph_ruleset_explain(&said, f, set, NULL, PH_ADD, PH_I64, args, 2, NULL, 0);
  }
  MISUSE (emitted_outside_an_action, with_rules, "within an action") {
    const ph_value args[] = {n, n};
    ph_peephole_enable(f, set, false);
    ph_match_emit(f, PH_ADD, PH_I64, args, 2);
  }
  MISUSE (callbacks_without_rules, begun, "a function with a set of rules") {
    const ph_callbacks callbacks = {0};
    ph_match_setcallbacks(f, &callbacks);
  }
}

/* }=================================================================== */

int spec_misuse(void) {
#ifdef NDEBUG
  return spec_case("there_are_no_assertions", true, NULL);
#endif
  edges_and_blocks();
  instructions();
  variables();
  effects();
  beginning_and_ending();
  edits();
  questions();
  rules();
  return failed;
}
