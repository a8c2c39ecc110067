/* row.c: the row of an instruction: its lines for these types, which of them count,
** and what they do.
*/
#include "binding/write/writing.h"

/*
** {== The instruction ================================================
*/

/* True if types decide a test; *result: how. */
static bool is_decided(const pl_test *test, ph_type first, ph_type result,
                       bool *holds) {
  ph_type type = test->which == PL_RESULT ? result : first;
  if (test->kind != PL_TEST_TYPE ||
      (test->which != PL_RESULT && test->which != 0))
    return false;
  *holds = (type < PH_TYPES && (test->value >> type & 1) != 0) != test->negated;
  return true;
}

/* Appends a line without the tests that types decide; false: it does not
** count. */
static bool add_line(lua_State *L, pl_templates *t, const pl_line *line,
                     ph_type first, ph_type result) {
  pl_line it = *line;
  it.test = (uint32_t)(t->tests.n / sizeof(pl_test));
  it.ntests = 0;
  for (uint32_t i = 0; i < line->ntests; i++) {
    pl_test test = PL_TESTS(t)[line->test + i], *to;
    bool holds;
    if (is_decided(&test, first, result, &holds)) {
      if (!holds) return false;
      continue;
    }
    to = pl_grown_more(L, &t->tests, sizeof test);
    *to = test;
    it.ntests++;
  }
  *(pl_line *)pl_grown_more(L, &t->lines, sizeof it) = it;
  return true;
}

static pl_shape shape_of(const pl_writing *w, const pl_now *now);

/* Makes the row of an op for these types. */
static uint32_t specialize(pl_writing *w, const pl_now *now, ph_type first,
                           ph_type result) {
  pl_language *l = w->language;
  pl_row row = PL_OPROWS(l)[now->row].row;
  uint32_t index = (uint32_t)(l->specials.n / sizeof(pl_special));
  pl_special it = {{(uint32_t)(l->t.lines.n / sizeof(pl_line)), 0},
                   row.nlines == 0 ||
                       ph_op_nargs(w->program.f, now->op) != PH_VARIADIC,
                   {0}};
  it.shape.value = PL_OPROWS(l)[now->row].kind == PL_ROW_EXPRESSION;
  it.shape.pre = PL_OPROWS(l)[now->row].checks;
  for (uint32_t i = 0; i < row.nlines; i++) {
    pl_line line = PL_LINES(&l->t)[row.line + i];
    if (!add_line(w->L, &l->t, &line, first, result)) continue;
    line = PL_LINES(&l->t)[it.row.line + it.row.nlines++];
    if (line.ntests > 0 || line.kind == PL_LINE_TRAP) it.is_static = false;
    if (line.kind == PL_LINE_VALUE && line.ntests == 0) break;
  }
  *(pl_special *)pl_grown_more(w->L, &l->specials, sizeof it) = it;
  PL_OPROWS(l)[now->row].special[first][result] = index + 1;
  if (it.is_static && row.nlines > 0) {
    pl_now any = *now;
    any.special = index;
    any.id = 0; /* no operand is a constant */
    it.shape = shape_of(w, &any);
    ((pl_special *)(void *)l->specials.at)[index] = it;
  }
  return index;
}

/* The row of an op for the types of its first operand and result. */
static uint32_t special_of(pl_writing *w, const pl_now *now) {
  ph_type first = now->types[0] < PH_TYPES ? now->types[0] : PH_NOTYPE;
  ph_type result = now->type < PH_TYPES ? now->type : PH_NOTYPE;
  uint32_t known = PL_OPROWS(w->language)[now->row].special[first][result];
  return known != 0 ? known - 1 : specialize(w, now, first, result);
}

pl_now pl_row_now(pl_writing *w, uint32_t id) {
  const ph_func *f = w->program.f;
  pl_now now = {.id = id,
                .nargs = ph_value_nargs(f, pl_valueid(id)),
                .op = ph_value_op(f, pl_valueid(id)),
                .type = ph_value_type(f, pl_valueid(id))};
  if (now.op == PH_REFINE) now.nargs = 1;
  for (uint32_t i = 0; i < PL_OPERANDS && i < now.nargs; i++) {
    now.args[i] = ph_value_arg(f, pl_valueid(id), i).id;
    now.types[i] = ph_value_type(f, pl_valueid(now.args[i]));
  }
  now.row = pl_language_row(w, now.op);
  now.special = special_of(w, &now);
  return now;
}

pl_row pl_row_of(const pl_writing *w, const pl_now *now) {
  return PL_SPECIALS(w->language)[now->special].row;
}

bool pl_row_known(const pl_writing *w, uint32_t id, int64_t *n) {
  const ph_func *f = w->program.f;
  ph_op op = id != 0 ? ph_value_op(f, pl_valueid(id)) : PH_PARAM;
  *n = 0;
  if (op == PH_UNDEF) return !ph_type_isfloat(ph_value_type(f, pl_valueid(id)));
  if (op != PH_CONST) return false;
  if (ph_value_data(f, pl_valueid(id)).tag != PH_DATA_INT) return false;
  *n = (int64_t)ph_value_data(f, pl_valueid(id)).bits;
  return true;
}

/* }== Tests ========================================================== */

static bool is_extreme(int64_t n, int width, bool has_sign) {
  int64_t last = -1;
  if (width == 0) return false;
  if (has_sign) last = (int64_t)(UINT64_MAX >> (64 - width) >> 1);
  return n == last || n == ~last;
}

/* True if two operands have one text. */
static bool is_same(const pl_writing *w, uint32_t a, uint32_t b) {
  const pl_written *x = &w->values[a], *y = &w->values[b];
  return a == b ||
         (x->name.n > 0 && x->name.n == y->name.n && x->name.at == y->name.at);
}

static bool holds(const pl_writing *w, const pl_test *test, const pl_now *now) {
  uint32_t id = test->which < PL_OPERANDS ? now->args[test->which] : now->id;
  int64_t n;
  switch ((pl_test_kind)test->kind) {
    case PL_TEST_TYPE:
      return pl_row_typeof(now, test->which) < PH_TYPES &&
             (test->value >> pl_row_typeof(now, test->which) & 1) != 0;
    case PL_TEST_KNOWN:
      return pl_writing_isconstant(w, id);
    case PL_TEST_EQUAL:
      return pl_row_known(w, id, &n) && n == test->value;
    case PL_TEST_LESS:
      return pl_row_known(w, id, &n) && n < test->value;
    case PL_TEST_SAME:
      return is_same(w, id, now->args[test->value]);
    case PL_TEST_INLINE:
      return (w->values[id].flags & PL_IS_INLINE) != 0;
    case PL_TEST_EXTREME:
    case PL_TEST_UEXTREME:
      return pl_row_known(w, id, &n) &&
             is_extreme(n, ph_type_width(pl_row_typeof(now, test->which)),
                        test->kind == PL_TEST_EXTREME);
    default:
      return (w->flags & (uint64_t)test->value) != 0;
  }
}

bool pl_row_counts(const pl_writing *w, const pl_line *line,
                   const pl_now *now) {
  const pl_test *tests = PL_TESTS(&w->language->t) + line->test;
  for (uint32_t i = 0; i < line->ntests; i++)
    if (holds(w, &tests[i], now) == tests[i].negated) return false;
  return line->kind != PL_LINE_TRAP || w->traps || now->op == PH_TRAP_IF ||
         now->op == PH_TRAP;
}

/* Counts the operands that parts have, those that have no letter together. */
static void count_operands(const pl_templates *t, uint32_t part, uint32_t n,
                           uint32_t count[PL_OPERANDS + 1]) {
  const pl_part *parts = PL_PARTS(t) + part;
  for (uint32_t i = 0; i < n; i++) {
    if (parts[i].kind == PL_PART_OPERAND) count[parts[i].which]++;
    for (uint32_t a = parts[i].which;
         parts[i].kind == PL_PART_ARGS && a <= PL_OPERANDS; a++)
      count[a]++;
  }
}

/* What the lines of a row do. */
static pl_shape shape_of(const pl_writing *w, const pl_now *now) {
  const pl_templates *t = &w->language->t;
  pl_shape shape = {0};
  uint32_t early[PL_OPERANDS + 1] = {0}, late[PL_OPERANDS + 1] = {0};
  pl_row row = pl_row_of(w, now);
  for (uint32_t i = 0; i < row.nlines && !shape.value; i++) {
    const pl_line *line = PL_LINES(t) + row.line + i;
    if (!pl_row_counts(w, line, now)) continue;
    shape.value = line->kind == PL_LINE_VALUE;
    shape.lazy = shape.lazy || line->kind == PL_LINE_LAZY;
    shape.apart = shape.apart || line->kind == PL_LINE_APART;
    shape.sets = shape.sets || line->kind == PL_LINE_SET;
    if (line->kind == PL_LINE_RESULT)
      shape.pre = shape.apart = shape.atoms = true;
    if (line->kind == PL_LINE_DO || line->kind == PL_LINE_TRAP ||
        line->kind == PL_LINE_LET || line->kind == PL_LINE_SET) {
      shape.pre = true;
      count_operands(t, line->part, line->nparts, early);
    }
    if (shape.value) count_operands(t, line->part, line->nparts, late);
  }
  for (uint32_t i = 0; i <= PL_OPERANDS && i < now->nargs; i++)
    if ((early[i] + late[i] != 1 || (shape.value && early[i] != 0)) &&
        (now->id == 0 || i == PL_OPERANDS ||
         !pl_writing_isconstant(w, now->args[i])))
      shape.atoms = true;
  return shape;
}

pl_shape pl_row_shape(const pl_writing *w, const pl_now *now) {
  const pl_shape of_dialect = {.atoms = !w->language->few};
  if (now->row == PL_ROW_DIALECT) return of_dialect;
  if (!pl_row_isstatic(w, now)) return shape_of(w, now);
  return PL_SPECIALS(w->language)[now->special].shape;
}

/* }=================================================================== */
