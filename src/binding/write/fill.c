/* fill.c: rows filled for an instruction: tests, operands, constants, traps. */
#include <ctype.h>
#include <string.h>

#include "binding/args/payload.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/message.h"
#include "binding/write/writing.h"

static ph_value value(uint32_t id) { return (ph_value){id}; }

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
  PL_OPROWS(l)[now->row].special[first][result] = (uint16_t)(index + 1);
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

pl_now pl_fill_now(pl_writing *w, uint32_t id) {
  const ph_func *f = w->program.f;
  pl_now now = {.id = id,
                .nargs = ph_value_nargs(f, value(id)),
                .op = ph_value_op(f, value(id)),
                .type = ph_value_type(f, value(id))};
  if (now.op == PH_REFINE) now.nargs = 1;
  for (uint32_t i = 0; i < PL_OPERANDS && i < now.nargs; i++) {
    now.args[i] = ph_value_arg(f, value(id), i).id;
    now.types[i] = ph_value_type(f, value(now.args[i]));
  }
  now.row = pl_language_row(w, now.op);
  now.special = special_of(w, &now);
  return now;
}

/* The lines of an instruction. */
static pl_row row_of(const pl_writing *w, const pl_now *now) {
  return PL_SPECIALS(w->language)[now->special].row;
}

/* A value as the only operand of a form. */
static pl_now form_of(const pl_writing *w, uint32_t id) {
  ph_type type = ph_value_type(w->program.f, value(id));
  return (pl_now){id, 1, PH_COPY, 0, PH_COPY, type, {id}, {type}};
}

static ph_type type_of(const pl_now *now, unsigned which) {
  return which < PL_OPERANDS ? now->types[which] : now->type;
}

/* The value of an integer constant or a truth; undef is zero. */
static bool known_of(const pl_writing *w, uint32_t id, int64_t *n) {
  const ph_func *f = w->program.f;
  ph_op op = id != 0 ? ph_value_op(f, value(id)) : PH_PARAM;
  *n = 0;
  if (op == PH_UNDEF) return !ph_type_isfloat(ph_value_type(f, value(id)));
  if (op != PH_CONST) return false;
  if (ph_value_data(f, value(id)).tag != PH_DATA_INT) return false;
  *n = (int64_t)ph_value_data(f, value(id)).bits;
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
      return type_of(now, test->which) < PH_TYPES &&
             (test->value >> type_of(now, test->which) & 1) != 0;
    case PL_TEST_KNOWN:
      return pl_writing_isconstant(w, id);
    case PL_TEST_EQUAL:
      return known_of(w, id, &n) && n == test->value;
    case PL_TEST_LESS:
      return known_of(w, id, &n) && n < test->value;
    case PL_TEST_SAME:
      return is_same(w, id, now->args[test->value]);
    case PL_TEST_INLINE:
      return (w->values[id].flags & PL_IS_INLINE) != 0;
    case PL_TEST_EXTREME:
    case PL_TEST_UEXTREME:
      return known_of(w, id, &n) &&
             is_extreme(n, ph_type_width(type_of(now, test->which)),
                        test->kind == PL_TEST_EXTREME);
    default:
      return (w->flags & (uint64_t)test->value) != 0;
  }
}

static bool counts(const pl_writing *w, const pl_line *line,
                   const pl_now *now) {
  const pl_test *tests = PL_TESTS(&w->language->t) + line->test;
  for (uint32_t i = 0; i < line->ntests; i++)
    if (holds(w, &tests[i], now) == tests[i].negated) return false;
  return line->kind != PL_LINE_TRAP || w->traps;
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
  pl_row row = row_of(w, now);
  for (uint32_t i = 0; i < row.nlines && !shape.value; i++) {
    const pl_line *line = PL_LINES(t) + row.line + i;
    if (!counts(w, line, now)) continue;
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

pl_shape pl_fill_shape(const pl_writing *w, const pl_now *now) {
  const pl_shape of_dialect = {.atoms = !w->language->few};
  const pl_special *it;
  if (now->row == PL_ROW_DIALECT) return of_dialect;
  it = &PL_SPECIALS(w->language)[now->special];
  return it->is_static ? it->shape : shape_of(w, now);
}

/* }== Constants ====================================================== */

/* Calls the language's function for a constant, whose value is on top, in a
** form; replaces it by the text. */
static void call_constant(pl_writing *w, ph_type type, char form) {
  lua_State *L = w->L;
  ph_str name;
  pl_writing_check(w);
  name = ph_type_name(w->program.f, type);
  lua_getiuservalue(L, w->self, PL_WRITING_LANGUAGE);
  lua_getiuservalue(L, -1, PL_LANGUAGE_CONSTANT);
  lua_replace(L, -2);
  lua_insert(L, -2);
  lua_pushlstring(L, name.at, name.n);
  lua_insert(L, -2);
  if (form == 0)
    lua_pushnil(L);
  else
    lua_pushlstring(L, &form, 1);
  lua_getiuservalue(L, w->self, PL_WRITING_HOST);
  pl_writing_call(w, 4, 1);
  if (lua_type(L, -1) != LUA_TSTRING)
    pl_error_plain(L, "the language has no constant of this kind");
}

static void add_hex(pl_writing *w, uint64_t n) {
  int shift = 60;
  pl_writing_add(w, "0x", 2);
  while (shift > 0 && n >> shift == 0) shift -= 4;
  for (; shift >= 0; shift -= 4)
    pl_writing_add(w, &"0123456789abcdef"[n >> shift & 15], 1);
}

/* Appends a constant in a form.  Small numbers are the same in all languages. */
static void add_constant(pl_writing *w, uint32_t id, char form) {
  const ph_func *f = w->program.f;
  ph_type type = ph_value_type(f, value(id));
  int64_t n;
  ph_op op = ph_value_op(f, value(id));
  if (op != PH_CONST && op != PH_UNDEF)
    pl_error(w->L, w->program.h, "operand '%v' is not in a reachable block",
             value(id));
  if (form == '=') form = 0;
  if (form != '!' && type != PH_I1 && ph_type_isint(type) &&
      known_of(w, id, &n) && n >= 0 && n <= INT32_MAX) {
    pl_writing_integer(w, n);
    return;
  }
  if (form == 0 && w->values[id].name.n > 0) {
    pl_writing_text(w, w->values[id].name);
    return;
  }
  if (w->language->ssa && !pl_language_has(w->language, type))
    pl_trap_refuse_type(w, w->ssa.id, type);
  if (op == PH_UNDEF)
    lua_pushnil(w->L);
  else
    pl_literal_push(w->L, f, type, ph_value_data(f, value(id)));
  call_constant(w, type, form);
  if (form == 0) {
    lua_pushvalue(w->L, -1);
    w->values[id].name = pl_writing_copyname(w);
  }
  pl_writing_addtop(w);
}

/* }== Parts ========================================================== */

static void add_text(pl_writing *w, const pl_part *part) {
  pl_writing_span(w, (pl_span){part->at, part->n});
}

static void add_number(pl_writing *w, const pl_part *part, const pl_now *now) {
  pl_numbers of = {{0}, {0}};
  int64_t n = 0;
  for (uint32_t i = 0; i < PL_OPERANDS; i++) {
    if (now->args[i] != 0) known_of(w, now->args[i], &of.known[i]);
    of.width[i] = ph_type_width(now->types[i]);
  }
  of.width[PL_RESULT] = ph_type_width(now->type);
  pl_template_number(w->language->t.texts.at + part->at, part->n, &of, &n);
  if (part->form == 'k') {
    lua_pushinteger(w->L, n);
    call_constant(w, now->type != PH_NOTYPE ? now->type : now->types[0], 0);
    pl_writing_addtop(w);
  } else if (part->form == 'x') {
    add_hex(w, (uint64_t)n);
  } else {
    pl_writing_integer(w, n);
  }
}

/* Notes that the helper is needed whose name begins at `start`. */
static void need(pl_writing *w, size_t start) {
  lua_getiuservalue(w->L, w->self, PL_WRITING_NEEDED);
  lua_pushlstring(w->L, w->text.at + start, w->text.n - start);
  lua_pushboolean(w->L, true);
  lua_rawset(w->L, -3);
  lua_pop(w->L, 1);
  pl_writing_check(w);
}

static char form_for(const pl_writing *w, const pl_part *part,
                     const pl_now *now) {
  bool both = part->which == 0 && now->nargs > 1 &&
              (part->form == 0 || part->form == '=') &&
              w->language->has_form['!'] &&
              pl_writing_isconstant(w, now->args[0]) &&
              pl_writing_isconstant(w, now->args[1]);
  return both ? '!' : (char)part->form;
}

/* Pushes what calls that are alike have in common.  Several functions share
** patterns: what only this one knows makes a call one of its own. */
static void push_kind(pl_writing *w, const pl_now *now) {
  const ph_func *f = w->program.f;
  const pl_written *v = &w->values[now->id];
  ph_data data = ph_value_data(f, value(now->id));
  ph_str name = {"", 0};
  bool own = now->type >= PH_TYPES;
  size_t start = w->text.n;
  uint64_t head[] = {now->op,     data.tag,    data.bits,
                     now->type,   now->nargs,  v->flags & PL_IS_INLINE,
                     v->uses > 0, (uintptr_t)f};
  for (uint32_t i = 0; i < now->nargs; i++) {
    ph_type type = ph_value_type(f, ph_value_arg(f, value(now->id), i));
    own = own || type >= PH_TYPES;
    pl_writing_add(w, (const char *)&type, sizeof type);
  }
  if (data.tag == PH_DATA_STR) {
    name = ph_intern_string(f, (uint32_t)data.bits);
    head[2] = 0;
  } else if (data.tag > PH_DATA_STR) { /* the function keeps it alive */
    lua_getiuservalue(w->L, w->self, PL_WRITING_FUNC);
    pl_payload_push(w->L, w->program.h, lua_gettop(w->L), data);
    head[2] = (uintptr_t)lua_topointer(w->L, -1);
    own = own || !(lua_istable(w->L, -1) || lua_isuserdata(w->L, -1));
    if (own) head[2] = data.bits;
    lua_pop(w->L, 2);
  }
  if (!own) head[7] = 0;
  pl_writing_add(w, (const char *)head, sizeof head);
  pl_writing_add(w, name.at, name.n);
  pl_writing_take(w, start);
}

/* Pushes the text that a function in a field of the row, or the host for the
** symbol, makes of calls that are alike; false if it does not make one. */
static void push_alike(pl_writing *w, const pl_now *now, const char *field) {
  lua_State *L = w->L;
  luaL_checkstack(L, 10, NULL);
  lua_getiuservalue(L, w->self, PL_WRITING_PATTERNS);
  push_kind(w, now);
  lua_pushvalue(L, -1);
  if (lua_rawget(L, -3) == LUA_TNIL) {
    lua_pop(L, 1);
    if (field != NULL) {
      pl_fill_call(w, now, field, 1);
    } else {
      lua_pushinteger(L, now->id);
      pl_writing_host(w, "symbol", 1, 1);
    }
    if (lua_type(L, -1) != LUA_TSTRING) {
      lua_pop(L, 1);
      lua_pushboolean(L, false);
    }
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, -5);
    pl_writing_check(w);
  }
  lua_replace(L, -3);
  lua_pop(L, 1);
}

static void add_parts(pl_writing *w, uint32_t part, uint32_t n,
                      const pl_now *now);
static const pl_line *value_line(pl_writing *w, pl_row row, const pl_now *now);

void pl_fill_argument(pl_writing *w, uint32_t id) {
  pl_now it = form_of(w, id);
  const pl_line *line = value_line(w, w->language->argument, &it);
  if (line == NULL)
    pl_error_plain(w->L, "the language has no 'argument' for this type");
  add_parts(w, line->part, line->nparts, &it);
}

/* Appends the operands from number `first` on. */
static void add_args(pl_writing *w, uint32_t first, const pl_now *now) {
  for (uint32_t i = first; i < now->nargs; i++) {
    if (i > first) pl_writing_add(w, ", ", 2);
    pl_fill_argument(w, ph_value_arg(w->program.f, value(now->id), i).id);
  }
}

/* Appends the word of a type. */
static void add_word(pl_writing *w, const pl_now *now, ph_type type,
                     char letter) {
  pl_span word = {0, 0};
  if (pl_language_has(w->language, type))
    word = w->language->types[type][letter - 'A'];
  if (word.n == 0)
    pl_trap_refuse_type(w, w->ssa.id != 0 ? w->ssa.id : now->id, type);
  pl_writing_span(w, word);
}

/* Appends an operand, which a row of any number of operands may lack. */
static void add_operand(pl_writing *w, const pl_part *part, const pl_now *now) {
  if (now->args[part->which] == 0)
    pl_trap_refuse(w, now->id, "its row asks for operand %d", part->which + 1);
  pl_fill_operand(w, now->args[part->which], form_for(w, part, now));
}

static void add_parts(pl_writing *w, uint32_t part, uint32_t n,
                      const pl_now *now) {
  size_t helper = 0, where = 0;
  for (uint32_t i = part; i < part + n; i++) {
    const pl_part *it = PL_PARTS(&w->language->t) + i;
    ph_str name;
    switch ((pl_part_kind)it->kind) {
      case PL_PART_TEXT:
        add_text(w, it);
        break;
      case PL_PART_OPERAND:
        add_operand(w, it, now);
        break;
      case PL_PART_WORD:
        add_word(w, now, type_of(now, it->which), (char)it->form);
        break;
      case PL_PART_TYPE:
        name = ph_type_name(w->program.f, type_of(now, it->which));
        pl_writing_add(w, name.at, name.n);
        break;
      case PL_PART_NUMBER:
        add_number(w, it, now);
        break;
      case PL_PART_NAME:
        pl_writing_text(w, w->values[now->id].name);
        break;
      case PL_PART_ARGS:
        add_args(w, it->which, now);
        break;
      case PL_PART_SYMBOL:
        push_alike(w, now, NULL);
        pl_writing_addtop(w);
        break;
      case PL_PART_LET:
        if (!(w->ssa.let >> it->form & 1))
          pl_trap_refuse(w, now->id, "its row asks for let %d", it->form);
        pl_writing_text(w, w->ssa.lets[it->form]);
        break;
      case PL_PART_EDGE:
        pl_writing_text(w, pl_names_target(w, it->form - 1u));
        break;
      case PL_PART_NEEDS:
        helper = w->text.n;
        break;
      case PL_PART_NEEDED:
        need(w, helper);
        break;
      case PL_PART_WHERE:
        where = w->text.n;
        break;
      case PL_PART_WHERED:
        pl_trap_pushwhere(w, now->id);
        if (w->text.n > where) lua_pushliteral(w->L, ": ");
        pl_writing_take(w, where);
        lua_concat(w->L, lua_rawlen(w->L, -1) > 0 ? 3 : 2);
        pl_writing_check(w);
        pl_trap_addquoted(w);
        break;
    }
  }
}

/* Notes that a line outside functions is needed. */
static void declare(pl_writing *w, const pl_line *line, const pl_now *now) {
  size_t start = w->text.n;
  add_parts(w, line->part, line->nparts, now);
  pl_writing_take(w, start);
  lua_getiuservalue(w->L, w->self, PL_WRITING_NEEDED);
  lua_pushvalue(w->L, -2);
  if (lua_rawget(w->L, -2) == LUA_TNIL) {
    lua_pushvalue(w->L, -3);
    lua_pushboolean(w->L, true);
    lua_rawset(w->L, -4);
    lua_pop(w->L, 2);
    pl_writing_host(w, "declare", 1, 0);
  } else {
    lua_pop(w->L, 3);
  }
  pl_writing_check(w);
}

static void write_need(pl_writing *w, const pl_line *line, const pl_now *now) {
  size_t start = w->text.n;
  add_parts(w, line->part, line->nparts, now);
  w->text.n = start;
}

/* The line of a row that gives its value; NULL: none does.  Notes what is
** needed. */
static const pl_line *value_line(pl_writing *w, pl_row row, const pl_now *now) {
  for (uint32_t i = 0; i < row.nlines; i++) {
    const pl_line *line = PL_LINES(&w->language->t) + row.line + i;
    if (line->kind != PL_LINE_VALUE && line->kind != PL_LINE_NEED) continue;
    if (!counts(w, line, now)) continue;
    if (line->kind == PL_LINE_VALUE) return line;
    write_need(w, line, now); /* lines can move */
  }
  return NULL;
}

/* The line of a row for where bits beyond the type do not matter; NULL: there is
** none. */
static const pl_line *raw_line(const pl_writing *w, pl_row row,
                               const pl_now *now) {
  for (uint32_t i = 0; i < row.nlines; i++) {
    const pl_line *line = PL_LINES(&w->language->t) + row.line + i;
    if (line->kind == PL_LINE_RAW && counts(w, line, now)) return line;
  }
  return NULL;
}

/* }== Operands ======================================================= */

/* Appends an operand as a whole expression, with its sign unless it is a name. */
static void add_extended(pl_writing *w, uint32_t id) {
  size_t start = w->text.n, at = start;
  pl_fill_operand(w, id, '=');
  while (at < w->text.n &&
         (isalnum((uint8_t)w->text.at[at]) || w->text.at[at] == '_'))
    at++;
  if (at == w->text.n && !pl_writing_isconstant(w, id)) return;
  w->text.n = start;
  pl_fill_operand(w, id, '+');
}

void pl_fill_operand(pl_writing *w, uint32_t id, char form) {
  const pl_written *v = &w->values[id];
  size_t start = w->text.n;
  const pl_line *raw;
  pl_now now;
  bool closed;
  if (form == '^') {
    add_extended(w, id);
    return;
  }
  if (v->position == 0) {
    add_constant(w, id, form != '~' ? form : 0);
    return;
  }
  if (form != 0 && form != '=' && w->language->has_form[(int)form]) {
    const pl_line *line;
    now = form_of(w, id);
    line = value_line(w, w->language->forms[(int)form], &now);
    if (line != NULL) add_parts(w, line->part, line->nparts, &now);
    return;
  }
  if (v->name.n > 0) {
    pl_writing_text(w, v->name);
    return;
  }
  now = pl_fill_now(w, id);
  if (form != '=') pl_writing_add(w, "(", 1);
  raw = form == '~' ? raw_line(w, row_of(w, &now), &now) : NULL;
  closed = raw != NULL && raw->closed;
  if (raw != NULL)
    add_parts(w, raw->part, raw->nparts, &now);
  else
    closed = pl_fill_value(w, &now);
  if (form == '=') return;
  if (closed) {
    memmove(w->text.at + start, w->text.at + start + 1, w->text.n - start - 1);
    w->text.n--;
  } else {
    pl_writing_add(w, ")", 1);
  }
}

/* Calls the Lua function of the row: f(host, id).  Leaves n results. */
static void call_row(pl_writing *w, const pl_now *now, const char *field,
                     int n) {
  lua_State *L = w->L;
  luaL_checkstack(L, 10, NULL);
  lua_getiuservalue(L, w->self, PL_WRITING_LANGUAGE);
  if (now->row != PL_ROW_DIALECT) {
    lua_getiuservalue(L, -1, PL_LANGUAGE_FUNCTIONS);
    lua_rawgeti(L, -1, now->row);
    lua_replace(L, -2);
    if (field != NULL) {
      lua_getfield(L, -1, field);
      lua_replace(L, -2);
    }
  } else {
    lua_getiuservalue(L, -1, PL_LANGUAGE_DIALECT);
  }
  lua_replace(L, -2);
  lua_getiuservalue(L, w->self, PL_WRITING_HOST);
  lua_pushinteger(L, now->id);
  pl_writing_call(w, 2, n);
}

/* }== Calls ==========================================================
**
** Calls that are alike have one pattern.  In it, a byte stands for the next
** operand.
*/

enum {
  HOLE_OPERAND = 1,
  HOLE_WHOLE,    /* as a whole expression */
  HOLE_EXTENDED, /* the same, with its sign unless it is a name */
  HOLE_SIGNED,   /* with its sign */
  HOLE_TYPED     /* as a whole expression; a constant gets its type */
};

static void fill_hole(pl_writing *w, uint32_t id, char hole) {
  ph_type type = ph_value_type(w->program.f, value(id));
  static const char forms[] = {0, 0, '=', '^', '+', '='};
  if (hole == HOLE_TYPED && pl_writing_isconstant(w, id) && type < PH_TYPES) {
    pl_writing_add(w, "(", 1);
    pl_writing_span(w, w->language->types[type]['T' - 'A']);
    pl_writing_add(w, ")", 1);
  }
  pl_fill_operand(w, id, forms[(uint8_t)hole]);
}

void pl_fill_pattern(pl_writing *w, uint32_t id) {
  size_t n;
  const char *at = lua_tolstring(w->L, -1, &n), *to = at + n;
  for (uint32_t i = 0;; i++) {
    const char *hole = at;
    while (hole < to && (*hole < HOLE_OPERAND || *hole > HOLE_TYPED)) hole++;
    pl_writing_add(w, at, (size_t)(hole - at));
    if (hole == to) break;
    if (i < ph_value_nargs(w->program.f, value(id)))
      fill_hole(w, ph_value_arg(w->program.f, value(id), i).id, *hole);
    at = hole + 1;
  }
  lua_pop(w->L, 1);
}

bool pl_fill_pushpattern(pl_writing *w, const pl_now *now) {
  if (w->program.next[now->id] != 0) return false;
  push_alike(w, now, "pattern");
  if (lua_type(w->L, -1) == LUA_TSTRING) return true;
  lua_pop(w->L, 1);
  return false;
}

/* }== Values ========================================================= */

bool pl_fill_value(pl_writing *w, const pl_now *now) {
  const pl_line *line;
  bool is_closed;
  if (pl_fill_kind(w, now) == PL_ROW_EXPRESSION) {
    bool closed;
    if (PL_OPROWS(w->language)[now->row].patterns &&
        pl_fill_pushpattern(w, now)) {
      pl_fill_pattern(w, now->id);
      return true;
    }
    call_row(w, now, "expr", 2);
    closed = lua_toboolean(w->L, -1);
    lua_pop(w->L, 1);
    pl_writing_addtop(w);
    return closed;
  }
  line = value_line(w, row_of(w, now), now);
  if (line == NULL) pl_trap_refuse(w, now->id, "its row has no value");
  is_closed = line->closed;
  add_parts(w, line->part, line->nparts, now);
  return is_closed;
}

/* }== Before the value =============================================== */

/* Writes the line that assigns the result, or declares what it will be. */
static void write_set(pl_writing *w, const pl_line *line, const pl_now *now) {
  if (line->nparts == 0 && (w->values[now->id].flags & PL_IS_LOCAL) == 0)
    return;
  pl_writing_begin(w);
  pl_writing_target(w, now->id);
  if (line->nparts > 0) {
    pl_writing_span(w, w->language->words[PL_WORD_SET]);
    add_parts(w, line->part, line->nparts, now);
  }
  pl_writing_span(w, w->language->words[PL_WORD_END]);
  pl_writing_end(w);
}

void pl_fill_set(pl_writing *w, pl_span name, const pl_line *line,
                 const pl_now *now) {
  uint32_t part = line->part, n = line->nparts;
  pl_writing_begin(w);
  pl_writing_text(w, name);
  if (name.n > 0) pl_writing_span(w, w->language->words[PL_WORD_SET]);
  add_parts(w, part, n, now);
  pl_writing_end(w);
}

/* True if an instruction has an operand of that name. */
static bool reads(const pl_writing *w, const pl_now *now, uint32_t name) {
  const ph_func *f = w->program.f;
  for (uint32_t i = 0; i < now->nargs; i++)
    if (w->values[ph_value_arg(f, value(now->id), i).id].name.at == name)
      return true;
  return false;
}

/* The number of the result that a projection is. */
static uint32_t result_of(const pl_writing *w, uint32_t id) {
  return (uint32_t)ph_value_data(w->program.f, value(id)).bits;
}

/* Writes the line of a further result, if something needs that.  Without SSA form
** it has a variable, maybe that of an operand, which the rest still reads. */
static void write_result(pl_writing *w, const pl_line *line,
                         const pl_now *now) {
  uint32_t id = w->program.next[now->id], part = line->part, n = line->nparts;
  pl_span name;
  w->ssa.results |= UINT32_C(1) << line->let;
  while (id != 0 && result_of(w, id) != line->let) id = w->program.next[id];
  if (id == 0) return;
  name = w->values[id].name;
  if (w->language->ssa) {
    pl_fill_set(w, name, line, now);
  } else {
    ph_type type = ph_value_type(w->program.f, value(id));
    bool late = reads(w, now, name.at);
    if (late)
      name = w->language->few ? pl_names_number(w, NULL, 'r', id)
                              : pl_names_take(w, &w->taken, (ph_str){"t", 1});
    pl_writing_begin(w);
    if (late && w->language->few)
      pl_writing_span(w, w->language->words[PL_WORD_LOCAL]);
    else if (late && type < PH_TYPES)
      pl_writing_span(w, w->language->types[type]['D' - 'A']);
    if (late)
      pl_writing_text(w, name);
    else
      pl_writing_target(w, id);
    pl_writing_span(w, w->language->words[PL_WORD_SET]);
    add_parts(w, part, n, now);
    pl_writing_span(w, w->language->words[PL_WORD_END]);
    pl_writing_end(w);
  }
  w->ssa.further[line->let] = name;
}

void pl_fill_after(pl_writing *w, const pl_now *now) {
  const pl_span *words = w->language->words;
  for (uint32_t id = w->program.next[now->id]; id != 0;
       id = w->program.next[id]) {
    uint32_t number = result_of(w, id);
    pl_span from = {0, 0};
    if (number < PL_LETS && (w->ssa.results >> number & 1) != 0)
      from = w->ssa.further[number];
    else
      pl_trap_refuse(w, now->id, "its row has no result %d", (int)number);
    if (from.at == w->values[id].name.at) continue;
    if (w->language->ssa) {
      w->values[id].name = from;
      continue;
    }
    pl_writing_begin(w);
    pl_writing_target(w, id);
    pl_writing_span(w, words[PL_WORD_SET]);
    pl_writing_text(w, from);
    pl_writing_span(w, words[PL_WORD_END]);
    pl_writing_end(w);
  }
}

/* Writes a test for each key of a switch, and the jump to its default. */
static void write_cases(pl_writing *w, const pl_line *line, const pl_now *now) {
  for (uint32_t i = 1; i < now->nargs; i++) {
    pl_now it = *now;
    pl_span test = pl_names_sigil(
                w, pl_names_take(w, &w->taken, (ph_str){"t", 1})),
            next;
    it.nargs = 2;
    it.args[1] = ph_value_arg(w->program.f, value(now->id), i).id;
    pl_fill_set(w, test, line, &it);
    next = pl_names_take(w, &w->taken, (ph_str){"case", 4});
    pl_writing_begin(w);
    pl_writing_span(w, w->language->words[PL_WORD_IF]);
    pl_writing_text(w, test);
    pl_names_branch(w, pl_names_target(w, i), next);
    pl_names_leave(w, i);
    pl_names_start(w, next);
  }
  pl_names_jump(w, pl_names_target(w, 0));
}

static void write_before(pl_writing *w, const pl_line *line,
                         const pl_now *now) {
  pl_line it = *line; /* lines can move */
  size_t start;
  if (it.kind == PL_LINE_NEED) {
    write_need(w, &it, now);
  } else if (it.kind == PL_LINE_DECLARE) {
    declare(w, &it, now);
  } else if (it.kind == PL_LINE_RESULT) {
    write_result(w, &it, now);
  } else if (it.kind == PL_LINE_CASE) {
    write_cases(w, &it, now);
  } else if (it.kind == PL_LINE_LET) {
    pl_span name =
        pl_names_sigil(w, pl_names_take(w, &w->taken, (ph_str){"t", 1}));
    pl_fill_set(w, name, &it, now);
    w->ssa.lets[it.let] = name;
    w->ssa.let |= UINT32_C(1) << it.let;
  } else if (it.kind == PL_LINE_DO) {
    if (it.ends && w->indent > 0) w->indent--;
    pl_writing_begin(w);
    add_parts(w, it.part, it.nparts, now);
    pl_writing_end(w);
    if (it.begins) w->indent++;
  } else if (it.kind == PL_LINE_SET) {
    write_set(w, line, now);
  } else if (it.kind == PL_LINE_TRAP) {
    size_t behind;
    start = w->text.n;
    add_parts(w, it.part, it.nparts, now);
    behind = w->text.n;
    add_parts(w, it.message, it.nmessage, now);
    lua_pushlstring(w->L, w->text.at + behind, w->text.n - behind);
    w->text.n = behind;
    pl_trap_write(w, now->id, start, it.nparts == 0);
  }
}

bool pl_fill_before(pl_writing *w, const pl_now *now, pl_line *last) {
  const pl_language *l = w->language;
  pl_row row;
  if (PL_OPROWS(l)[now->row].checks) {
    if (w->checks) call_row(w, now, "check", 0);
    return false;
  }
  if (pl_fill_kind(w, now) == PL_ROW_STATEMENT) {
    call_row(w, now, NULL, 0);
    return false;
  }
  w->ssa.let = w->ssa.results = 0;
  row = row_of(w, now);
  for (uint32_t i = 0; i < row.nlines; i++) {
    const pl_line *line = PL_LINES(&l->t) + row.line + i;
    if (!counts(w, line, now)) continue;
    if (line->kind == PL_LINE_VALUE) {
      *last = *line;
      return true;
    }
    write_before(w, line, now);
  }
  return false;
}

/* }== Lines of other files ============================================ */

void pl_fill_parts(pl_writing *w, uint32_t part, uint32_t n,
                   const pl_now *now) {
  add_parts(w, part, n, now);
}

void pl_fill_call(pl_writing *w, const pl_now *now, const char *field, int n) {
  call_row(w, now, field, n);
}

/* }=================================================================== */
