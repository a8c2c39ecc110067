/* typed.c: reads the lines that only typed functions have: those of
** docs/trace.md as far as the replayer knows them.  Blocks and variables are
** numbers, so is data, an instruction has at most one result.
*/
#include "reader.h"

#include <string.h>

enum { MOST_VALUES = 1 << 24 };

/* {== Words ========================================================== */

typedef struct {
  const char *at;
  size_t n;
} word;

static bool more(const reader *r) { return *r->p == ' '; }

/* True if the next word begins with this character. */
static bool next_is(const reader *r, char c) { return more(r) && r->p[1] == c; }

static word word_of(reader *r, const char *what) {
  word w = {r->p + 1, 0};
  if (more(r)) w.n = strcspn(w.at, " \r\n");
  if (w.n == 0) reader_fail(r, "%s expected", what);
  r->p = w.at + w.n;
  return w;
}

static uint8_t type_called(const reader *r, word w) {
  uint8_t type = r->names->type(r->names->ud, w.at, w.n);
  if (type == 0) reader_fail(r, "unknown type '%.*s'", (int)w.n, w.at);
  return type;
}

static uint8_t type_of(reader *r) { return type_called(r, word_of(r, "type")); }

static int32_t op_called(const reader *r, word w, bool terminator) {
  int32_t op = r->names->op(r->names->ud, w.at, w.n, terminator);
  if (op < 0)
    reader_fail(r, "'%.*s' is not %s that is replayed", (int)w.n, w.at,
                terminator ? "a terminator" : "an op");
  return op;
}

static int32_t ending(const reader *r, const char *name) {
  return op_called(r, (word){name, strlen(name)}, true);
}

static uint32_t variable(reader *r) {
  return reader_number(r, "variable number", r->nvars);
}

/* Data in braces. */
static int32_t data(reader *r) {
  r->p += 2;
  int32_t n = (int32_t)reader_digits(r, "number", INT32_MAX / 16);
  if (*r->p++ != '}') reader_fail(r, "'}' expected");
  return n;
}

/* }== Values ========================================================= */

static uint32_t id(reader *r) {
  r->p += 2;
  uint32_t v = reader_digits(r, "value", MOST_VALUES);
  if (v == 0) reader_fail(r, "values are numbered from 1");
  return v;
}

static void define(reader *r, uint32_t v, uint8_t type) {
  if (v <= r->maxvalue && r->values[v] != 0)
    reader_fail(r, "%%%u is already defined", (unsigned)v);
  r->values =
      (uint8_t *)reader_room(r->values, v, &r->capvalues, sizeof *r->values);
  while (r->maxvalue < v) r->values[++r->maxvalue] = 0;
  r->values[v] = type;
  if (v > r->t->maxvalue) r->t->maxvalue = v;
}

/* A value: its id, or ~ the number of a constant. */
static int32_t value(reader *r, uint8_t *type) {
  int32_t k;
  word w;
  if (next_is(r, '%')) {
    uint32_t v = id(r);
    *type = v <= r->maxvalue ? r->values[v] : 0;
    if (*type == 0) reader_fail(r, "there is no value %%%u", (unsigned)v);
    return (int32_t)v;
  }
  w = word_of(r, "value");
  k = r->names->constant(r->names->ud, w.at, w.n, type);
  if (k < 0) reader_fail(r, "value expected, got '%.*s'", (int)w.n, w.at);
  return ~k;
}

/* Reads an operand of the line. */
static void operand(reader *r) {
  uint32_t n = r->nargs++;
  r->args = (int32_t *)reader_room(r->args, n, &r->capargs, sizeof *r->args);
  r->types = (uint8_t *)reader_room(r->types, n, &r->captypes, 1);
  r->args[n] = value(r, &r->types[n]);
}

/* Checks the operands that were read, and ends the event with them. */
static void push_operands(reader *r, int32_t op, uint8_t result) {
  if (!r->names->fits(r->names->ud, op, r->types, r->nargs, result))
    reader_fail(r, "the operands or the result do not fit");
  reader_push(r, (int32_t)r->nargs);
  for (uint32_t i = 0; i < r->nargs; i++) reader_push(r, r->args[i]);
  if (r->nargs > r->t->maxargs) r->t->maxargs = r->nargs;
}

/* }== Variables and instructions ===================================== */

static void add_variable(reader *r, int32_t event, uint8_t type) {
  r->vars =
      (uint8_t *)reader_room(r->vars, r->nvars, &r->capvars, sizeof *r->vars);
  r->vars[r->nvars++] = type;
  if (r->nvars > r->t->maxvars) r->t->maxvars = r->nvars;
  reader_push(r, event);
  reader_push(r, type);
}

static void declare(reader *r) {
  word_of(r, "name");
  add_variable(r, TRACE_VAR, type_of(r));
}

static void read_variable(reader *r) {
  uint32_t var = variable(r);
  reader_filling(r);
  if (!next_is(r, '%')) reader_fail(r, "'%%' and a number expected");
  reader_push(r, TRACE_GET);
  reader_push(r, (int32_t)var);
  reader_push(r, (int32_t)id(r));
  define(r, (uint32_t)r->t->code[r->t->ncode - 1], r->vars[var]);
  r->t->events++;
}

static void write_variable(reader *r) {
  uint32_t var = variable(r);
  uint8_t type;
  int32_t v = value(r, &type);
  reader_filling(r);
  if (type != r->vars[var]) reader_fail(r, "the variable has another type");
  reader_push(r, TRACE_PUT);
  reader_push(r, (int32_t)var);
  reader_push(r, v);
  r->t->events++;
}

static void instruction(reader *r) {
  uint32_t result = next_is(r, '%') ? id(r) : 0;
  uint8_t type = result != 0 ? type_of(r) : 0;
  int32_t op = op_called(r, word_of(r, "op"), false);
  int32_t given = next_is(r, '{') ? data(r) : -1;
  reader_filling(r);
  while (more(r)) operand(r);
  reader_push(r, TRACE_INST);
  reader_push(r, op);
  reader_push(r, type);
  reader_push(r, given);
  reader_push(r, (int32_t)result);
  push_operands(r, op, type);
  if (result != 0) define(r, result, type);
  r->t->events++;
}

/* }== Terminators ==================================================== */

/* Starts a terminator with n targets, which are read. */
static void targets(reader *r, int32_t op, uint32_t n) {
  reader_filling(r);
  reader_push(r, TRACE_TERM);
  reader_push(r, op);
  reader_push(r, (int32_t)n);
  for (uint32_t i = 0; i < n; i++) reader_target(r);
  reader_filled(r, n);
}

static void branch(reader *r) {
  int32_t op = ending(r, "branch");
  targets(r, op, 2);
  operand(r);
  push_operands(r, op, 0);
}

/* Checks the n operands that follow the first, and makes indices of constants
** of them for that. */
static void check_keys(reader *r, uint32_t n) {
  int32_t *keys = r->args + 1;
  for (uint32_t i = 0; i < n; i++) {
    if (keys[i] >= 0 || r->types[i + 1] != r->types[0])
      reader_fail(r, "a key is a constant of the type of the value");
    keys[i] = ~keys[i];
  }
  if (!r->names->distinct(r->names->ud, keys, n))
    reader_fail(r, "two keys are equal");
  for (uint32_t i = 0; i < n; i++) keys[i] = ~keys[i];
}

static void select_one(reader *r) {
  int32_t op = ending(r, "switch");
  uint32_t n = reader_count(r, "number of targets");
  if (n == 0) reader_fail(r, "a switch has at least one target");
  targets(r, op, n);
  for (uint32_t i = 0; i < n; i++) operand(r);
  check_keys(r, n - 1);
  push_operands(r, op, 0);
}

static void give_back(reader *r) {
  int32_t op = ending(r, "ret");
  targets(r, op, 0);
  if (next_is(r, '-') && strcspn(r->p + 2, " \r\n") == 0)
    r->p += 2;
  else
    operand(r);
  if ((r->nargs > 0 ? r->types[0] : 0) != r->func->result)
    reader_fail(r, "the function returns another type");
  push_operands(r, op, 0);
}

static void other_end(reader *r) {
  int32_t op = op_called(r, word_of(r, "terminator"), true);
  size_t at;
  if (next_is(r, '{')) data(r); /* which nothing depends on */
  while (more(r) && !next_is(r, '>')) operand(r);
  targets(r, op, 0);
  at = r->t->ncode - 1;
  if (more(r)) r->p += 2;
  while (more(r)) {
    reader_target(r);
    r->t->code[at]++;
  }
  if ((uint32_t)r->t->code[at] > r->t->maxtargets)
    r->t->maxtargets = (uint32_t)r->t->code[at];
  push_operands(r, op, 0);
}

/* }=================================================================== */

static void parameter(reader *r, uint32_t number) {
  word w = word_of(r, "parameter");
  size_t name = strcspn(w.at, ": \r\n");
  if (name == 0 || name >= w.n)
    reader_fail(r, "a parameter and its type expected");
  w.at += name + 1;
  w.n -= name + 1;
  add_variable(r, TRACE_PARAM, type_called(r, w));
  define(r, number, r->vars[r->nvars - 1]);
}

void typed_start(reader *r) {
  uint32_t plain = r->func->nvars;
  word result = word_of(r, "type");
  if (r->names == NULL)
    reader_fail(r, "this program replays plain traces only");
  if (result.n != 1 || *result.at != '-')
    r->func->result = type_called(r, result);
  r->nvars = r->maxvalue = r->func->nvars = 0;
  for (uint32_t i = 1; more(r); i++) parameter(r, i);
  for (uint32_t i = 0; i < plain; i++)
    add_variable(r, TRACE_VAR, type_called(r, (word){"any", 3}));
}

static const struct {
  char letter;
  void (*read)(reader *r); /* NULL: lines that only plain functions have */
} letters[] = {
    {'V', declare},     {'r', read_variable}, {'w', write_variable},
    {'i', instruction}, {'c', branch},        {'s', select_one},
    {'x', give_back},   {'t', other_end},     {'m', NULL},
    {'u', NULL},
};

bool typed_event(reader *r, char letter) {
  size_t n = sizeof letters / sizeof *letters, i = 0;
  while (i < n && letters[i].letter != letter) i++;
  if (i == n) return false;
  if (letters[i].read == NULL)
    reader_fail(r, "'%c' is for plain functions", letter);
  r->nargs = 0;
  letters[i].read(r);
  return true;
}
