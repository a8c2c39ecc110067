/* names.c: what the words of a typed function mean to phial.
**
** Ops and types are looked up in a function with the same dialect as those that
** are replayed, so they have the same numbers there.  Constants are kept by
** number; each use of one makes it anew, as a frontend does.
*/
#include "names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* {== The dialect ==================================================== */

#define OPAQUE(op, does) \
  { .name = op, .nargs = PH_VARIADIC, .result = PH_SAIDTYPE, .effect = does }

static const ph_opspec ops[] = {
    OPAQUE("pure", PH_EFFECT_NONE),
    OPAQUE("read", PH_EFFECT_READ),
    OPAQUE("new", PH_EFFECT_NEW),
    OPAQUE("value", PH_EFFECT_WRITE),
    {.name = "effect", .nargs = PH_VARIADIC},
    {.name = "control",
     .nargs = PH_VARIADIC,
     .ntargets = PH_VARIADIC,
     .flags = PH_TERMINATOR},
};

const ph_dialect names_dialect = {
    .name = "trace", .ops = ops, .nops = sizeof ops / sizeof *ops};

/* }== Constants ====================================================== */

typedef struct {
  ph_type type;
  bool undef;
  ph_data data;
} constant;

struct names {
  ph_func *space;
  constant *constants;
  size_t nconstants, capacity;
  trace_names table;
};

static ph_data integer(int64_t i) {
  return (ph_data){(uint64_t)i, PH_DATA_INT};
}

static ph_data real(double d) {
  ph_data data = {0, PH_DATA_FLOAT};
  memcpy(&data.bits, &d, sizeof d);
  return data;
}

/* Reads a number or bool; sets the type that it has if none is given. */
static bool literal(const char *text, ph_data *data, ph_type *type) {
  char *end;
  *type = PH_I1;
  *data = integer(strcmp(text, "true") == 0);
  if (data->bits == 1 || strcmp(text, "false") == 0) return true;
  *type = PH_I64;
  *data = integer(strtoll(text, &end, 10));
  if (*text != '\0' && *end == '\0') return true;
  *type = PH_F64;
  *data = real(strtod(text, &end));
  return *text != '\0' && *end == '\0';
}

/* Reads what precedes the colon; c->type is given, or PH_NOTYPE. */
static bool read_constant(constant *c, const char *text) {
  ph_type type = PH_ANY;
  c->undef = strcmp(text, "undef") == 0;
  c->data = (ph_data){0, PH_DATA_NIL};
  if (c->undef) return c->type != PH_NOTYPE;
  if (strcmp(text, "nil") != 0 && !literal(text, &c->data, &type)) return false;
  if (c->type == PH_NOTYPE) c->type = type;
  if (ph_type_isint(c->type))
    return ph_type_isint(type) && ph_const_fits(c->type, (int64_t)c->data.bits);
  if (ph_type_isfloat(c->type) && type == PH_I64)
    c->data = real((double)(int64_t)c->data.bits);
  return ph_type_isfloat(c->type) ? type == PH_I64 || type == PH_F64
                                  : c->type == PH_ANY && type != PH_I1;
}

ph_value names_constant(const names *n, ph_func *f, int32_t k) {
  const constant *c = &n->constants[k];
  double d;
  if (c->undef) return ph_const_undef(f, c->type);
  if (c->type == PH_ANY) return ph_const_any(f, c->data);
  if (ph_type_isint(c->type))
    return ph_const_int(f, c->type, (int64_t)c->data.bits);
  memcpy(&d, &c->data.bits, sizeof d);
  return ph_const_float(f, c->type, d);
}

/* }== Words ========================================================== */

static uint8_t type_called(void *ud, const char *at, size_t n) {
  const names *all = (const names *)ud;
  ph_type type;
  return ph_type_find(all->space, (ph_str){at, n}, &type) ? type : 0;
}

/* What computes, or ends a block, but a jump; and ops of the dialect. */
static int32_t op_called(void *ud, const char *at, size_t n, bool terminator) {
  const names *all = (const names *)ud;
  ph_op op;
  bool ends;
  if (!ph_op_find(all->space, (ph_str){at, n}, &op) || op == PH_JUMP) return -1;
  ends = (ph_op_flags(all->space, op) & PH_TERMINATOR) != 0;
  if (!ends && op < PH_OPS && ph_op_class(op) == PH_CLASS_OTHER) return -1;
  return ends == terminator ? (int32_t)op : -1;
}

static int32_t constant_called(void *ud, const char *at, size_t n,
                               uint8_t *type) {
  names *all = (names *)ud;
  constant c = {PH_NOTYPE, false, {0, PH_DATA_NIL}};
  char text[64];
  const char *colon = (const char *)memchr(at, ':', n);
  size_t length = colon != NULL ? (size_t)(colon - at) : n;
  if (length >= sizeof text) return -1;
  memcpy(text, at, length);
  text[length] = '\0';
  if (colon != NULL) {
    c.type = type_called(all, colon + 1, n - length - 1);
    if (c.type == PH_NOTYPE) return -1;
  }
  if (!read_constant(&c, text) || all->nconstants >= INT32_MAX / 2) return -1;
  if (all->nconstants == all->capacity) {
    all->capacity = 2 * all->capacity + 64;
    all->constants =
        (constant *)realloc(all->constants, all->capacity * sizeof c);
    if (all->constants == NULL) abort();
  }
  all->constants[all->nconstants] = c;
  *type = c.type;
  return (int32_t)all->nconstants++;
}

/* What a function returns is not known here. */
static bool fits(void *ud, int32_t op, const uint8_t *types, uint32_t n,
                 uint8_t result) {
  const names *all = (const names *)ud;
  ph_type type = result;
  if (op == PH_RET) return n <= 1;
  return ph_opcheck_types(all->space, (ph_op)op, types, (int)n, &type).kind ==
             PH_FITS &&
         type == result;
}

static int compare(const void *a, const void *b) {
  uint32_t x = ((const ph_value *)a)->id, y = ((const ph_value *)b)->id;
  return (x > y) - (x < y);
}

/* Equal constants are one value. */
static bool distinct(void *ud, const int32_t *constants, uint32_t n) {
  const names *all = (const names *)ud;
  ph_value *values = (ph_value *)malloc((n + 1) * sizeof *values);
  bool are = true;
  if (values == NULL) abort();
  for (uint32_t i = 0; i < n; i++)
    values[i] = names_constant(all, all->space, constants[i]);
  qsort(values, n, sizeof *values, compare);
  for (uint32_t i = 1; i < n; i++)
    are = are && values[i].id != values[i - 1].id;
  free(values);
  return are;
}

/* }=================================================================== */

names *names_new(void) {
  names *n = (names *)calloc(1, sizeof *n);
  if (n == NULL) abort();
  n->space = ph_func_new(&ph_mem_libc, (ph_str){"", 0}, PH_NOTYPE, NULL);
  ph_op_attachdialect(n->space, &names_dialect);
  n->table =
      (trace_names){n, type_called, op_called, constant_called, fits, distinct};
  return n;
}

void names_free(names *n) {
  ph_func_free(n->space);
  free(n->constants);
  free(n);
}

const trace_names *names_table(const names *n) { return &n->table; }
