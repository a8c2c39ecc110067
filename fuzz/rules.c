/* rules.c: any bytes as the text of rules.  What can be read is linted, checked
** a little, explained, and applied.
*/
#include "fuzz.h"

static bool find(void *ud, ph_str name, uint32_t *number) {
  (void)ud;
  (void)name;
  *number = 0;
  return true;
}

static int guard(void *ud, ph_func *f, uint32_t rule, uint32_t function,
                 const ph_callback_arg *args, uint32_t n) {
  (void)ud, (void)f, (void)rule, (void)function, (void)args;
  return n % 2;
}

static int constant(void *ud, ph_func *f, uint32_t rule, uint32_t function,
                    const ph_callback_arg *args, uint32_t n, ph_type type,
                    ph_data *result) {
  bool real = type == PH_F32 || type == PH_F64;
  (void)ud, (void)f, (void)rule, (void)function, (void)args;
  *result = (ph_data){real ? 0 : n, real ? PH_DATA_FLOAT : PH_DATA_INT};
  return n < 3;
}

static const ph_callbacks callbacks = {.guard = guard, .constant = constant};

/* An op with data. */
static const ph_type operands[] = {PH_I64};
static const ph_opspec ops[] = {
    {.name = "k", .args = operands, .nargs = 1, .result = PH_I64}};
static const ph_dialect dialect = {.name = "d", .ops = ops, .nops = 1};

static void ignore(void *ud, const ph_check_result *result) {
  (void)ud;
  (void)result;
}

/* Operands of all types, constants among them. */
enum { OPERANDS = 12 };

static void make_operands(ph_func *f, ph_value *vs) {
  static const ph_type types[] = {PH_I1, PH_I8, PH_I64, PH_F64, PH_PTR, PH_I64};
  for (uint32_t i = 0; i < 6; i++)
    vs[i] = ph_value_newparam(f, fuzz_str(""), types[i]);
  vs[6] = ph_const_int(f, PH_I64, 0);
  vs[7] = ph_const_int(f, PH_I64, 1);
  vs[8] = ph_const_int(f, PH_I8, -1);
  vs[9] = ph_const_int(f, PH_I1, 1);
  vs[10] = ph_const_float(f, PH_F64, 0.0);
  vs[11] = ph_const_undef(f, PH_I64);
}

static bool fits(ph_func *f, ph_op op, const ph_value *args, int n,
                 ph_type *type) {
  return ph_opcheck_values(f, op, args, n, type).kind == PH_FITS;
}

/* An instruction, if operands are of the right types, and one that uses it. */
static void apply(ph_func *f, ph_ruleset *set, ph_op op, const ph_value *args,
                  int n) {
  const ph_block entry = ph_block_entry(f);
  ph_strbuf b = {.mem = &ph_mem_libc};
  ph_type type = PH_I8;
  if (!fits(f, op, args, n, &type)) return;
  ph_ruleset_explain(&b, f, set, &callbacks, op, type, args, (uint32_t)n, NULL,
                     0);
  ph_strbuf_done(&b);
  ph_value v = ph_build_emit(f, entry, op, type, args, (uint32_t)n);
  const ph_value again[] = {v, args[0]};
  if (type != PH_NOTYPE && fits(f, PH_SUB, again, 2, &type))
    ph_build_emit(f, entry, PH_SUB, type, again, 2);
}

static void apply_all(ph_ruleset *set) {
  ph_func *f = ph_func_new(&ph_mem_libc, fuzz_str("f"), PH_NOTYPE, NULL);
  ph_value vs[OPERANDS];
  const ph_value none = {0};
  make_operands(f, vs);
  ph_peephole_enable(f, set, false);
  ph_match_setcallbacks(f, &callbacks);
  for (ph_op op = PH_ADD; op < PH_KNOWN_OPS; op++)
    if (ph_op_class(op) != PH_CLASS_OTHER && ph_op_nargs(f, op) <= 2)
      for (int i = 0; i < OPERANDS * OPERANDS; i++) {
        const ph_value args[] = {vs[i / OPERANDS], vs[i % OPERANDS]};
        apply(f, set, op, args, ph_op_nargs(f, op));
      }
  ph_build_ret(f, ph_block_entry(f), none);
  ph_finish_run(f);
  fuzz_verify(f);
  ph_func_free(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const ph_callback_names names = {.find = find};
  const ph_check_options how = {
      .width = 2, .limit = 6, .cases = 8, .callbacks = &callbacks};
  ph_ruleset *set = ph_ruleset_new(&ph_mem_libc, NULL);
  ph_strbuf why = {.mem = &ph_mem_libc};
  ph_op_attachdialect(ph_ruleset_space(set), &dialect);
  if (ph_ruleset_load(set, fuzz_str("text"), (ph_str){(const char *)data, size},
                      &names, &why) &&
      ph_ruleset_count(set) > 0) {
    ph_ruleset_lint(set, fuzz_ignore, NULL);
    ph_ruleset_check(set, 0, &how, ignore, NULL);
    apply_all(set);
  }
  ph_strbuf_done(&why);
  ph_ruleset_free(set);
  return 0;
}
