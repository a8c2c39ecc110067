/* template.c: from the text of a row to its lines, tests and parts. */
#include "binding/args/template.h"

#include <stdlib.h>
#include <string.h>

#include "binding/state/error.h"
#include "binding/state/memory.h"

/*
** {== Memory =========================================================
*/

void *pl_grown_more(lua_State *L, pl_grown *g, size_t n) {
  if (g->cap - g->n < n) {
    size_t cap = g->cap < 64 ? 128 : 2 * g->cap;
    char *at;
    if (cap - g->n < n) cap = g->n + n;
    at = pl_memory_piece(L, pl_userdata_module(L), g->at, g->cap, cap);
    if (at == NULL) pl_memory_raise(L);
    g->at = at;
    g->cap = cap;
  }
  g->n += n;
  return g->at + (g->n - n);
}

void pl_grown_done(lua_State *L, pl_grown *g) {
  pl_memory_piece(L, pl_userdata_module(L), g->at, g->cap, 0);
  *g = (pl_grown){NULL, 0, 0};
}

void pl_template_start(lua_State *L, pl_templates *t) {
  pl_grown *all[] = {&t->texts, &t->parts, &t->tests, &t->lines};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    pl_grown_more(L, all[i], 1);
    all[i]->n = 0;
  }
}

void pl_template_done(lua_State *L, pl_templates *t) {
  pl_grown_done(L, &t->texts);
  pl_grown_done(L, &t->parts);
  pl_grown_done(L, &t->tests);
  pl_grown_done(L, &t->lines);
}

/* }== What can be said =============================================== */

enum {
  DIGITS = 9,    /* lets, results and edges are numbered from 1 to this */
  LONGEST = 1000 /* bytes of an expression, whose parts are read recursively */
};

pl_saying pl_template_own(bool ssa) {
  return (pl_saying){.symbols = ssa,
                     .messages = true,
                     .ssa = ssa,
                     .options = true,
                     .typed = true,
                     .operands = PL_OPERANDS,
                     .results = 1,
                     .edges = DIGITS};
}

static uint16_t most(int n) {
  return (uint16_t)(n == PH_VARIADIC || n > DIGITS ? DIGITS : n);
}

pl_saying pl_template_saying(const ph_opspec *spec, bool ssa) {
  return (pl_saying){.ssa = ssa,
                     .typed = spec->result != PH_NOTYPE,
                     .operands = most(spec->nargs),
                     .results = most(spec->nresults),
                     .edges = most(spec->ntargets)};
}

/* }== Reading ======================================================== */

typedef struct {
  lua_State *L;
  pl_templates *t;
  const char *what;    /* the row, for messages */
  int number;          /* of the line */
  uint32_t lets;       /* a set of those that precede */
  const char *at, *to; /* the rest of the line */
} reader;

/* Without a row, the caller says where. */
static _Noreturn void refuse(const reader *r, const char *why) {
  const char *rest = lua_pushlstring(r->L, r->at, (size_t)(r->to - r->at));
  if (r->what == NULL) {
    lua_pushfstring(r->L, "line %d: %s at '%s'", r->number, why, rest);
    lua_error(r->L);
  }
  pl_error_plain(r->L, "%s: line %d: %s at '%s'", r->what, r->number, why,
                 rest);
}

static void skip_blanks(reader *r) {
  while (r->at < r->to && *r->at == ' ') r->at++;
}

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (c >= '0' && c <= '9');
}

/* Takes a word, which may be empty. */
static ph_str take_word(reader *r) {
  ph_str word = {r->at, 0};
  while (r->at < r->to && is_word(*r->at)) r->at++;
  word.n = (size_t)(r->at - word.at);
  return word;
}

static bool is(ph_str word, const char *text) {
  return strlen(text) == word.n && memcmp(word.at, text, word.n) == 0;
}

/* Skips a character; false: another one is there. */
static bool accept(reader *r, char c) {
  if (r->at == r->to || *r->at != c) return false;
  r->at++;
  return true;
}

/* }== Numbers ======================================================== */

typedef struct {
  const char *at, *to;
  const pl_numbers *of;
  bool wrong;
} calculation;

static int64_t calculate(calculation *c, int least);

static int64_t letter_of(calculation *c, char letter) {
  int which = letter - 'a';
  if (letter != 'w') return c->of->known[which];
  if (c->to - c->at < 2 || *c->at != '.') return c->of->width[PL_RESULT];
  which = c->at[1] - 'a';
  c->at += 2;
  if (which >= 0 && which < PL_OPERANDS) return c->of->width[which];
  c->wrong = true;
  return 0;
}

static void skip_spaces(calculation *c) {
  while (c->at < c->to && *c->at == ' ') c->at++;
}

static int64_t operand(calculation *c) {
  char letter = ' ';
  int64_t result = 0;
  skip_spaces(c);
  if (c->at < c->to) letter = *c->at++;
  if (letter == '-') return (int64_t)(0 - (uint64_t)operand(c));
  if (letter == '~') return ~operand(c);
  if ((letter >= 'a' && letter < 'a' + PL_OPERANDS) || letter == 'w')
    return letter_of(c, letter);
  if (letter == '(') {
    result = calculate(c, 0);
    if (c->at == c->to || *c->at++ != ')') c->wrong = true;
    return result;
  }
  if (letter < '0' || letter > '9') c->wrong = true;
  for (c->at--; c->at < c->to && *c->at >= '0' && *c->at <= '9'; c->at++)
    result = (int64_t)(10 * (uint64_t)result + (uint64_t)(*c->at - '0'));
  return result;
}

/* The operators, from those that bind least. */
static const char operators[] = "|&<>+-*";

static int64_t apply(char sign, int64_t a, int64_t b) {
  uint64_t x = (uint64_t)a, y = (uint64_t)b;
  switch (sign) {
    case '|':
      return a | b;
    case '&':
      return a & b;
    case '<':
      return y < 64 ? (int64_t)(x << y) : 0;
    case '>':
      return y < 64 ? (int64_t)(x >> y) : 0;
    case '+':
      return (int64_t)(x + y);
    case '-':
      return (int64_t)(x - y);
    default:
      return (int64_t)(x * y);
  }
}

static int64_t calculate(calculation *c, int least) {
  int64_t a = operand(c);
  while (!c->wrong) {
    const char *sign;
    skip_spaces(c);
    sign = c->at < c->to ? strchr(operators, *c->at) : NULL;
    if (sign == NULL || *sign == 0 || sign - operators < least) break;
    c->at += *sign == '<' || *sign == '>' ? 2 : 1;
    if (c->at > c->to) c->at = c->to;
    a = apply(*sign, a, calculate(c, (int)(sign - operators) + 1));
  }
  return a;
}

bool pl_template_number(const char *text, size_t n, const pl_numbers *of,
                        int64_t *result) {
  calculation c = {text, text + n, of, n > LONGEST};
  *result = c.wrong ? 0 : calculate(&c, 0);
  return !c.wrong && c.at == c.to;
}

/* }== Tests ========================================================== */

/* The operand or result that a letter stands for; -1: none. */
static int which_of(const reader *r, ph_str word) {
  int which = word.n == 1 ? word.at[0] - 'a' : -1;
  if (is(word, "t")) {
    if (!r->t->may.typed) refuse(r, "the op has no result");
    return PL_RESULT;
  }
  if (is(word, "x")) which = 0; /* that of a form */
  if (which < 0 || which >= PL_OPERANDS) return -1;
  if (which >= r->t->may.operands)
    refuse(r, lua_pushfstring(r->L, "the op has no operand '%c'", 'a' + which));
  return which;
}

static const struct {
  const char *name;
  ph_type type;
} types[] = {{"i1", PH_I1},      {"i8", PH_I8},   {"i16", PH_I16},
             {"i32", PH_I32},    {"i64", PH_I64}, {"f32", PH_F32},
             {"f64", PH_F64},    {"any", PH_ANY}, {"ptr", PH_PTR},
             {"none", PH_NOTYPE}};

static int64_t type_of(ph_str word) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (is(word, types[i].name)) return INT64_C(1) << types[i].type;
  return 0;
}

static int64_t flag_of(reader *r, ph_str word) {
  pl_templates *t = r->t;
  uint32_t i = 0;
  while (i < t->nflags && !is(word, t->flags[i])) i++;
  if (i < t->nflags) return INT64_C(1) << i;
  if (t->may.options && i < PL_FLAGS && word.n > 0 && word.n < PL_FLAG_NAME) {
    memcpy(t->flags[i], word.at, word.n);
    t->flags[i][word.n] = 0;
    t->nflags++;
    return INT64_C(1) << i;
  }
  refuse(r, "test expected");
}

static int64_t take_integer(reader *r) {
  char *end;
  int64_t n = strtoll(r->at, &end, 10);
  if (end == r->at || end > r->to) refuse(r, "number expected");
  r->at = end;
  return n;
}

/* Reads what follows `which =`. */
static void take_property(reader *r, pl_test *test) {
  static const struct {
    const char *name;
    uint8_t kind;
  } properties[] = {{"const", PL_TEST_KNOWN},
                    {"inline", PL_TEST_INLINE},
                    {"extreme", PL_TEST_EXTREME},
                    {"uextreme", PL_TEST_UEXTREME}};
  const char *start = r->at;
  ph_str word = take_word(r);
  for (size_t i = 0; i < sizeof properties / sizeof *properties; i++)
    if (is(word, properties[i].name)) {
      test->kind = properties[i].kind;
      return;
    }
  if ((test->value = which_of(r, word)) >= 0) {
    test->kind = PL_TEST_SAME;
  } else if ((test->value = type_of(word)) != 0) {
    test->kind = PL_TEST_TYPE;
    while (accept(r, '|')) {
      int64_t more = type_of(take_word(r));
      if (more == 0) refuse(r, "type expected");
      test->value |= more;
    }
  } else {
    r->at = start;
    test->kind = PL_TEST_EQUAL;
    test->value = take_integer(r);
  }
}

static void take_test(reader *r) {
  pl_test test = {PL_TEST_FLAG, 0, false, 0}, *to;
  ph_str word;
  int which;
  skip_blanks(r);
  test.negated = accept(r, '!');
  word = take_word(r);
  which = which_of(r, word);
  if (which >= 0) {
    test.which = (uint8_t)which;
    if (accept(r, '=')) {
      take_property(r, &test);
    } else if (accept(r, '<')) {
      test.kind = PL_TEST_LESS;
      test.value = take_integer(r);
    } else {
      refuse(r, "'=' or '<' expected");
    }
  } else if (is(word, "inline")) {
    test.kind = PL_TEST_INLINE;
    test.which = PL_RESULT;
  } else {
    test.value = flag_of(r, word);
  }
  to = pl_grown_more(r->L, &r->t->tests, sizeof test);
  *to = test;
  skip_blanks(r);
}

static void take_tests(reader *r, pl_line *line) {
  line->test = (uint32_t)(r->t->tests.n / sizeof(pl_test));
  if (!accept(r, '[')) return;
  do take_test(r);
  while (accept(r, ','));
  if (!accept(r, ']')) refuse(r, "']' expected");
  line->ntests = (uint16_t)(r->t->tests.n / sizeof(pl_test) - line->test);
  skip_blanks(r);
}

/* }== Parts ========================================================== */

static void add_part(reader *r, pl_part part) {
  pl_part *to = pl_grown_more(r->L, &r->t->parts, sizeof part);
  *to = part;
}

static pl_part text_part(reader *r, pl_part_kind kind, const char *at,
                         size_t n) {
  pl_part part = {(uint8_t)kind, 0, 0, (uint32_t)r->t->texts.n, (uint32_t)n};
  memcpy(pl_grown_more(r->L, &r->t->texts, n), at, n);
  return part;
}

/* Reads ".a", if it is there. */
static uint8_t take_which(reader *r) {
  if (r->to - r->at >= 2 && r->at[0] == '.') {
    int which = which_of(r, (ph_str){r->at + 1, 1});
    if (which >= 0) {
      r->at += 2;
      return (uint8_t)which;
    }
  }
  return (uint8_t)which_of(r, (ph_str){"t", 1});
}

/* Raises if a letter of an expression stands for nothing. */
static void check_letters(reader *r, const char *at, const char *to) {
  for (; at < to; at++) {
    bool is_width = *at == 'w' && at + 1 < to && at[1] == '.';
    if (*at == 'w' && !is_width) which_of(r, (ph_str){"t", 1});
    if (*at != 'w') which_of(r, (ph_str){at, 1});
  }
}

/* Reads an expression in parentheses. */
static void take_number(reader *r, char format) {
  static const pl_numbers any = {{0}, {1, 1, 1, 1}};
  pl_part part = {PL_PART_NUMBER, (uint8_t)format, PL_RESULT, 0, 0};
  const char *start = r->at + 1;
  int depth = 0;
  int64_t unused;
  do {
    if (r->at == r->to) refuse(r, "')' expected");
    depth += (*r->at == '(') - (*r->at == ')');
    r->at++;
  } while (depth > 0);
  if (!pl_template_number(start, (size_t)(r->at - 1 - start), &any, &unused)) {
    r->at = start;
    refuse(r, "expression expected");
  }
  check_letters(r, start, r->at - 1);
  part = text_part(r, PL_PART_NUMBER, start, (size_t)(r->at - 1 - start));
  part.form = (uint8_t)format;
  part.which = PL_RESULT;
  add_part(r, part);
}

/* Reads the number of a let, a result or an edge; raises if it exceeds the
** most. */
static uint8_t take_digit(reader *r, int least, int most, const char *why) {
  if (r->at == r->to || *r->at < '1' || *r->at > '9')
    refuse(r, "number expected");
  if (*r->at - '0' < least || *r->at - '0' > most) refuse(r, why);
  return (uint8_t)(*r->at++ - '0');
}

static void take_parts(reader *r, const char *end);

/* Reads what follows "$w". */
static void take_where(reader *r) {
  add_part(r, (pl_part){PL_PART_WHERE, 0, 0, 0, 0});
  if (accept(r, '(')) {
    const char *end = memchr(r->at, ')', (size_t)(r->to - r->at));
    if (end != NULL) {
      take_parts(r, end);
      r->at = end + 1;
    } else {
      refuse(r, "')' expected");
    }
  }
  add_part(r, (pl_part){PL_PART_WHERED, 0, 0, 0, 0});
}

/* Reads a type's word, its name, a name or an operand in a form, whose letter or
** digit is c: what is about one thing. */
static pl_part take_thing(reader *r, char c, char form) {
  pl_part part = {PL_PART_OPERAND, (uint8_t)form, 0, 0, 0};
  int which = c != 't' ? which_of(r, (ph_str){&c, 1}) : -1;
  if (which >= 0 && which < PL_OPERANDS) {
    part.which = (uint8_t)which;
    return part;
  }
  if (form != 0) refuse(r, "operand expected");
  if (c == 't' || (c >= 'A' && c <= 'Z')) {
    part.kind = c == 't' ? PL_PART_TYPE : PL_PART_WORD;
    part.form = c == 't' ? 0 : (uint8_t)c;
    part.which = take_which(r);
  } else if (c == 'v' && r->t->may.few) {
    part.kind = PL_PART_NAME;
  } else if (c == 'f' && r->t->may.symbols) {
    part.kind = PL_PART_SYMBOL;
  } else if (c == 'm' && r->t->may.messages) {
    part.kind = PL_PART_MESSAGE;
  } else if (c >= '1' && c <= '9') {
    part.kind = PL_PART_LET;
    part.form = (uint8_t)(c - '0');
    if (!(r->lets >> part.form & 1)) refuse(r, "no such 'let' precedes");
  } else {
    refuse(r, "placeholder expected");
  }
  return part;
}

/* Reads all operands from one on, behind "$*". */
static pl_part take_args(reader *r) {
  int which = r->at < r->to ? *r->at - 'a' : -1;
  if (which < 0 || which >= PL_OPERANDS) refuse(r, "operand expected");
  r->at++;
  return (pl_part){PL_PART_ARGS, 0, (uint8_t)which, 0, 0};
}

/* Reads what follows a dollar sign. */
static void take_placeholder(reader *r) {
  char c = r->at < r->to ? *r->at : ' ', form = 0;
  bool has_number = r->to - r->at > 1 && r->at[1] == '(';
  if (c == '(') {
    take_number(r, 0);
    return;
  }
  if (strchr("=+-!~^?", c) != NULL) {
    form = c;
    c = ++r->at < r->to ? *r->at : ' ';
  }
  if (r->at == r->to) refuse(r, "placeholder expected");
  r->at++;
  if (form != 0)
    add_part(r, take_thing(r, c, form));
  else if ((c == 'x' || c == 'k') && has_number)
    take_number(r, c);
  else if (c == '$' || c == '@' || c == '[')
    add_part(r, text_part(r, PL_PART_TEXT, &c, 1));
  else if (c == 'w' && r->t->may.few)
    take_where(r);
  else if (c == '>')
    add_part(r, (pl_part){PL_PART_EDGE,
                          take_digit(r, 1, r->t->may.edges,
                                     "the op has no such target"),
                          0, 0, 0});
  else if (c == '*')
    add_part(r, take_args(r));
  else
    add_part(r, take_thing(r, c, 0));
}

/* Reads the name of a helper. */
static void take_need(reader *r) {
  const char *start = r->at;
  add_part(r, (pl_part){PL_PART_NEEDS, 0, 0, 0, 0});
  for (;;) {
    ph_str word = take_word(r);
    if (word.n > 0)
      add_part(r, text_part(r, PL_PART_TEXT, word.at, word.n));
    else if (r->to - r->at > 1 && r->at[0] == '$' && r->at[1] == 't')
      r->at++, take_placeholder(r);
    else
      break;
  }
  if (r->at == start) refuse(r, "name of a helper expected");
  add_part(r, (pl_part){PL_PART_NEEDED, 0, 0, 0, 0});
}

/* Reads parts up to `end`, or up to the end of the line. */
static void take_parts(reader *r, const char *end) {
  while (r->at < end) {
    const char *start = r->at;
    while (r->at < end && *r->at != '$' && *r->at != '@') r->at++;
    if (r->at > start)
      add_part(r, text_part(r, PL_PART_TEXT, start, (size_t)(r->at - start)));
    if (r->at == end) break;
    if (*r->at++ == '$')
      take_placeholder(r);
    else if (r->t->may.helpers)
      take_need(r);
    else
      add_part(r, text_part(r, PL_PART_TEXT, "@", 1));
  }
}

/* True if a text needs no parentheses: it does not begin with an operator, and
** has none outside of parentheses. */
static bool is_closed(const char *at, const char *to) {
  int depth = 0;
  if (at < to && strchr("-~!", *at) != NULL) return false;
  for (; at < to; at++) {
    if (*at == '(') depth++;
    if (*at == ')') depth--;
    if (*at == ' ' && depth == 0) return false;
  }
  return true;
}

/* }== Lines ========================================================== */

static uint32_t count_parts(const reader *r) {
  return (uint32_t)(r->t->parts.n / sizeof(pl_part));
}

static bool may_say(const reader *r, uint8_t kind) {
  const pl_saying *may = &r->t->may;
  if (kind == PL_LINE_NEED) return may->helpers;
  if (kind == PL_LINE_SET || kind == PL_LINE_RAW) return may->few;
  if (kind == PL_LINE_CASE) return may->ssa && may->edges > 0;
  return may->ssa || (kind != PL_LINE_LET && kind != PL_LINE_TOP);
}

static uint8_t take_kind(reader *r) {
  static const struct {
    const char *name;
    uint8_t kind;
  } kinds[] = {{"do", PL_LINE_DO},     {"trap", PL_LINE_TRAP},
               {"let", PL_LINE_LET},   {"result", PL_LINE_RESULT},
               {"case", PL_LINE_CASE}, {"need", PL_LINE_NEED},
               {"lazy", PL_LINE_LAZY}, {"apart", PL_LINE_APART},
               {"top", PL_LINE_TOP},   {"declare", PL_LINE_DECLARE},
               {"set", PL_LINE_SET},   {"raw", PL_LINE_RAW}};
  const char *start = r->at;
  ph_str word = take_word(r);
  if (r->at == r->to || *r->at == ' ' || *r->at == ':')
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
      if (is(word, kinds[i].name)) {
        if (may_say(r, kinds[i].kind)) return kinds[i].kind;
        r->at = start;
        refuse(r, "the language has no such line");
      }
  r->at = start;
  return PL_LINE_VALUE;
}

/* Where a trap's message begins. */
static const char *find_colon(reader *r) {
  const char *at = r->at;
  while (at < r->to && *at != ':') at++;
  if (at == r->to) refuse(r, "':' expected");
  return at;
}

static void take_trap(reader *r, pl_line *line) {
  const char *colon = find_colon(r), *end = colon;
  while (end > r->at && end[-1] == ' ') end--;
  take_parts(r, end);
  line->nparts = count_parts(r) - line->part;
  r->at = colon + 1;
  skip_blanks(r);
  line->message = count_parts(r);
  take_parts(r, r->to);
  line->nmessage = count_parts(r) - line->message;
}

static void take_line(reader *r) {
  pl_line line = {0}, *to;
  take_tests(r, &line);
  line.kind = take_kind(r);
  skip_blanks(r);
  if (line.kind == PL_LINE_LET) line.let = take_digit(r, 1, DIGITS, "");
  if (line.kind == PL_LINE_RESULT)
    line.let = take_digit(r, 2, r->t->may.results, "the op has no such result");
  skip_blanks(r);
  line.part = count_parts(r);
  line.closed = is_closed(r->at, r->to);
  line.begins = r->to > r->at && r->to[-1] == '{';
  line.ends = r->at < r->to && *r->at == '}';
  if (line.kind == PL_LINE_TRAP) {
    take_trap(r, &line);
  } else if (line.kind == PL_LINE_NEED) {
    take_need(r);
    line.nparts = count_parts(r) - line.part;
  } else {
    take_parts(r, r->to);
    line.nparts = count_parts(r) - line.part;
  }
  if (line.kind == PL_LINE_LET) r->lets |= UINT32_C(1) << line.let;
  to = pl_grown_more(r->L, &r->t->lines, sizeof line);
  *to = line;
}

pl_row pl_template_compile(lua_State *L, pl_templates *t, int text,
                           const char *what) {
  size_t n;
  const char *at = lua_tolstring(L, text, &n), *end = at + n;
  reader r = {L, t, what, 0, 0, at, at};
  pl_row row = {(uint32_t)(t->lines.n / sizeof(pl_line)), 0};
  for (; at <= end; at = r.to + 1) {
    const char *to = memchr(at, '\n', (size_t)(end - at));
    r.number++;
    r.at = at;
    r.to = to != NULL ? to : end;
    at = r.to;
    skip_blanks(&r);
    while (r.to > r.at && r.to[-1] == ' ') r.to--;
    if (r.at < r.to) take_line(&r);
    r.to = at;
  }
  row.nlines = (uint32_t)(t->lines.n / sizeof(pl_line)) - row.line;
  return row;
}

/* }=================================================================== */
