/* interface.c: functions of phial.h that neither the Lua module nor an example
** calls, answered for the function spec_sum and for small ones.
*/
#include "spec.h"

#include <string.h>

/*
** {== Order, loops, edges, uses ======================================
*/

static bool has_its_position(ph_func *f) {
  const ph_rpo *o = ph_rpo_new(f);
  bool good = ph_rpo_count(o) == 7 && ph_same(ph_rpo_at(o, 0), ph_blockid(1));
  for (uint32_t i = 0; i < ph_rpo_count(o); i++)
    good = good && ph_rpo_index(o, ph_rpo_at(o, i)) == i;
  return good && !ph_rpo_isreached(o, ph_blockid(DEAD));
}

static bool contains_its_blocks(ph_func *f) {
  const ph_loops *l = ph_loops_new(f);
  bool good = ph_loops_count(l) == 1 &&
              ph_same(ph_loops_header(l, 1), ph_blockid(HEAD));
  for (uint32_t b = ENTRY; b <= DEAD; b++)
    good = good &&
           ph_loops_contains(l, 1, ph_blockid(b)) == (b >= HEAD && b <= JOIN);
  return good;
}

static bool is_succ(const ph_func *f, ph_block from, ph_block to) {
  for (uint32_t i = 0; i < ph_block_nsuccs(f, from); i++)
    if (ph_same(ph_block_succ(f, from, i), to)) return true;
  return false;
}

static bool has_edges_at_both_ends(ph_func *f) {
  ph_block b = {0};
  uint32_t edges = 0;
  while (ph_some(b = ph_block_next(f, b))) {
    uint32_t e = ph_block_firstpred(f, b), n = 0;
    for (; e != 0; e = ph_block_nextpred(f, e), n++)
      if (!ph_same(ph_block_edgeto(f, e), b) ||
          !is_succ(f, ph_block_edgefrom(f, e), b))
        return false;
    if (n != ph_block_npreds(f, b)) return false;
    edges += n;
  }
  return edges == 8;
}

static bool has_operands_where_uses_say(ph_func *f) {
  for (uint32_t v = 1; v <= ph_value_count(f); v++) {
    uint32_t u = ph_uses_first(f, ph_valueid(v)), n = 0;
    for (; u != 0; u = ph_uses_next(f, ph_valueid(v), u), n++) {
      ph_value user = ph_uses_user(f, u);
      if (!ph_same(ph_value_arg(f, user, ph_uses_index(f, u)), ph_valueid(v)))
        return false;
    }
    if (n != ph_uses_count(f, ph_valueid(v))) return false;
  }
  return ph_uses_count(f, ph_valueid(SUM)) == 3;
}

static bool is_where_it_was_put(ph_func *f) {
  const ph_srcloc loc = {ph_intern_add(f, spec_str("moved.c")), 7, 9, 7, 12};
  const ph_value v = {NEXT};
  uint32_t version = ph_func_version(f);
  ph_value_setloc(f, v, loc);
  return ph_value_loc(f, v).file == loc.file && ph_value_loc(f, v).line == 7 &&
         ph_value_loc(f, v).col == 9 && ph_func_version(f) > version;
}

/* }== Types and operands ============================================= */

static bool is_text(ph_str s, const char *expected) {
  return s.n == strlen(expected) && memcmp(s.at, expected, s.n) == 0;
}

static bool has_names_of_types(ph_func *f) {
  static const char *const types[] = {"table"};
  static const ph_dialect lua = {.name = "lua", .types = types, .ntypes = 1};
  ph_type table;
  ph_op_attachdialect(f, &lua);
  table = ph_type_ofdialect(f, &lua, PH_TYPES);
  return is_text(ph_type_name(f, table), "table") &&
         is_text(ph_type_dialect(f, table), "lua") &&
         is_text(ph_type_name(f, PH_F32), "f32") &&
         is_text(ph_type_dialect(f, PH_F32), "");
}

/* What is wrong with these operands, and which one. */
static bool is_misfit(const ph_func *f, ph_op op, uint32_t a, uint32_t b,
                      ph_type type, ph_mismatch_kind kind, int arg) {
  ph_value args[2];
  ph_mismatch m;
  args[0] = ph_valueid(a);
  args[1] = ph_valueid(b);
  m = ph_opcheck_values(f, op, args, b != 0 ? 2 : 1, &type);
  return m.kind == kind && (kind == PH_WRONG_COUNT || m.arg == arg);
}

static bool tells_misfits_apart(ph_func *f) {
  enum { N = 1, X = 2 }; /* the parameters, i64 and f64 */
  ph_value both[2] = {{N}, {SUM}};
  ph_type type = PH_NOTYPE;
  uint32_t jump = ph_block_terminator(f, ph_blockid(THEN)).id;
  return ph_opcheck_values(f, PH_ADD, both, 2, &type).kind == PH_FITS &&
         type == PH_I64 && is_misfit(f, PH_ADD, N, 0, 0, PH_WRONG_COUNT, 0) &&
         is_misfit(f, PH_ADD, N, LESS, 0, PH_WRONG_LIKE, 1) &&
         is_misfit(f, PH_ADD, X, N, 0, PH_WANTS_INT, 0) &&
         is_misfit(f, PH_FADD, X, N, 0, PH_WRONG_LIKE, 1) &&
         is_misfit(f, PH_FNEG, N, 0, 0, PH_WANTS_FLOAT, 0) &&
         is_misfit(f, PH_COPY, jump, 0, 0, PH_WANTS_VALUE, 0) &&
         is_misfit(f, PH_BRANCH, N, 0, 0, PH_WRONG_TYPE, 0) &&
         is_misfit(f, PH_TRUNC, LESS, 0, PH_I8, PH_WRONG_RESULT, 0);
}

/* }== Phis =========================================================== */

/* Two phis of the loop are used by each other only. */
static const char circle[] = "fn circle(%n: i64, %c: i1) {\n"
                             "entry:\n"
                             "  branch %c, head, done\n"
                             "head: <- entry, back\n"
                             "  %10: i64 = phi [entry: %n, back: %11]\n"
                             "  branch %c, left, right\n"
                             "left: <- head\n"
                             "  jump back\n"
                             "right: <- head\n"
                             "  jump back\n"
                             "back: <- left, right\n"
                             "  %11: i64 = phi [left: %10, right: 1]\n"
                             "  branch %c, head, done\n"
                             "done: <- entry, back\n"
                             "  ret\n"
                             "}\n";

static bool loses_dead_phis(ph_func *f) {
  bool first = ph_dead_phi_find(f).id == 10;
  return first && ph_dead_phi_remove(f) == 2 && ph_dead_phi_remove(f) == 0 &&
         !ph_some(ph_dead_phi_find(f)) &&
         ph_value_isdropped(f, ph_valueid(11)) && ph_func_stats(f).phis == 0;
}

/* }== Sets of rules ================================================== */

static bool freezes_its_base(void) {
  ph_ruleset *base = ph_ruleset_new(&ph_mem_libc, NULL), *set;
  bool good = !ph_ruleset_isfrozen(base);
  set = ph_ruleset_new(&ph_mem_libc, base);
  good = good && ph_ruleset_isfrozen(base) && !ph_ruleset_isfrozen(set);
  ph_ruleset_free(set);
  ph_ruleset_free(base);
  return good;
}

/* A text that names a callback, where the host has none. */
static bool refuses_unknown_callbacks(void) {
  const ph_callback_names none = {0};
  ph_ruleset *set = ph_ruleset_new(&ph_mem_libc, NULL);
  ph_str text = spec_str("x + 0 => x if $odd(x)");
  ph_strbuf why = {.mem = &ph_mem_libc};
  bool good = !ph_ruleset_load(set, spec_str("r"), text, NULL, &why) &&
              !ph_ruleset_load(set, spec_str("r"), text, &none, &why) &&
              ph_ruleset_count(set) == 0 && why.n > 0;
  ph_strbuf_done(&why);
  ph_ruleset_free(set);
  return good;
}

static bool find(void *ud, ph_str name, uint32_t *number) {
  (void)ud;
  (void)name;
  *number = 0;
  return true;
}

static int say_yes(void *ud, ph_func *f, uint32_t rule, uint32_t function,
                   const ph_callback_arg *args, uint32_t n) {
  (void)ud, (void)f, (void)rule, (void)function, (void)args, (void)n;
  return 1;
}

static int give_zero(void *ud, ph_func *f, uint32_t rule, uint32_t function,
                     const ph_callback_arg *args, uint32_t n, ph_type type,
                     ph_data *result) {
  (void)ud, (void)f, (void)rule, (void)function;
  *result = (ph_data){0, PH_DATA_INT};
  return n == 1 && args[0].constant.bits == 7 && type == PH_I64;
}

/* True if the rule applies to x + 0. */
static bool applies_with(const ph_callbacks *callbacks, const char *text) {
  const ph_callback_names names = {.find = find};
  ph_ruleset *set = ph_ruleset_new(&ph_mem_libc, NULL);
  ph_strbuf why = {.mem = &ph_mem_libc};
  ph_func *f = ph_func_new(&ph_mem_libc, spec_str("f"), PH_NOTYPE, NULL);
  ph_value args[2], v;
  bool applies;
  ph_ruleset_load(set, spec_str("r"), spec_str(text), &names, &why);
  ph_peephole_enable(f, set, false);
  ph_match_setcallbacks(f, callbacks);
  args[0] = ph_value_newparam(f, spec_str("x"), PH_I64);
  args[1] = ph_const_int(f, PH_I64, 0);
  v = ph_build_emit(f, ph_block_entry(f), PH_ADD, PH_I64, args, 2);
  applies = ph_value_op(f, v) != PH_ADD;
  ph_func_free(f);
  ph_ruleset_free(set);
  return applies;
}

/* A host that has some callbacks, or none: rules that need others do not apply. */
static bool does_without_callbacks(void) {
  const ph_callbacks none = {.guard = NULL}, guards = {.guard = say_yes};
  const ph_callbacks constants = {.constant = give_zero};
  const char *act = "x + 0 => $id(x) if $yes(x)";
  const char *zero = "x + C => x if C == $zero(7)";
  return !applies_with(&none, act) && !applies_with(&guards, act) &&
         !applies_with(&guards, zero) && applies_with(&constants, zero) &&
         !applies_with(&constants, "x + C => x if C == $zero(6)");
}

/* A host that simplifies without rules is told of each instruction what becomes of
** it. */
static bool tells_without_rules(void) {
  ph_func *f = ph_func_new(&ph_mem_libc, spec_str("f"), PH_NOTYPE, NULL);
  ph_value args[2];
  bool good;
  ph_peephole_enable(f, NULL, false);
  ph_event_listen(f);
  args[0] = args[1] = ph_const_int(f, PH_I64, 7);
  ph_build_emit(f, ph_block_entry(f), PH_ADD, PH_I64, args, 2);
  ph_build_emit(f, ph_block_entry(f), PH_SUB, PH_I64, args, 2);
  good = ph_event_count(f) == 2 && ph_event_at(f, 1).kind == PH_EV_FOLDED;
  ph_func_free(f);
  return good;
}

/* ph_build_call, ph_print_module; what is freed may not be there. */
static int print_calls_in_a_module(void) {
  const char *wanted =
      "module m\n\n"
      "fn f() -> i64 {\nentry:\n  %2: i64 = call @g 7\n  ret %2\n}\n\n"
      "declare g(%n: i64) -> i64\n";
  ph_func *fns[2] = {ph_func_new(&ph_mem_libc, spec_str("f"), PH_I64, NULL),
                     ph_func_new(&ph_mem_libc, spec_str("g"), PH_I64, NULL)};
  ph_value v, seven = ph_const_int(fns[0], PH_I64, 7);
  ph_strbuf text = {.mem = &ph_mem_libc};
  int failed;
  v = ph_build_call(fns[0], ph_block_entry(fns[0]), PH_I64, spec_str("g"),
                    &seven, 1);
  ph_build_ret(fns[0], ph_block_entry(fns[0]), v);
  ph_value_newparam(fns[1], spec_str("n"), PH_I64);
  ph_func_declare(fns[1]);
  ph_print_module(&text, spec_str("m"), fns, 2, PH_IDS_OWN);
  failed = spec_equal("calls_in_a_module", wanted, spec_text(&text));
  ph_strbuf_done(&text);
  ph_func_free(fns[0]);
  ph_func_free(fns[1]);
  ph_func_free(NULL);
  ph_ruleset_free(NULL);
  ph_pool_free(NULL);
  return failed;
}

/* }=================================================================== */

static int ask(const char *name, const char *text, bool (*good)(ph_func *f)) {
  ph_func f;
  int failed;
  spec_parse(&f, text);
  failed = spec_case(name, good(&f), "another answer");
  ph_func_done(&f);
  return failed;
}

int spec_interface(void) {
  return ask("blocks_in_reverse_postorder", spec_sum, has_its_position) +
         ask("blocks_of_a_loop", spec_sum, contains_its_blocks) +
         ask("both_ends_of_edges", spec_sum, has_edges_at_both_ends) +
         ask("operands_of_uses", spec_sum, has_operands_where_uses_say) +
         ask("a_location_set_later", spec_sum, is_where_it_was_put) +
         ask("names_of_types", spec_sum, has_names_of_types) +
         ask("operands_that_do_not_fit", spec_sum, tells_misfits_apart) +
         ask("dead_phis", circle, loses_dead_phis) + print_calls_in_a_module() +
         spec_case("bases_of_sets", freezes_its_base(), "another answer") +
         spec_case("callbacks_that_do_not_exist", refuses_unknown_callbacks(),
                   "another answer") +
         spec_case("rules_whose_callback_is_missing", does_without_callbacks(),
                   "another answer") +
         spec_case("simplifying_without_rules", tells_without_rules(),
                   "another answer");
}
