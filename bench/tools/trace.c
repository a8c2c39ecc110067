/* trace.c: reads a trace (.sst) and checks it.
**
** An event is a line, its fields are separated by one space.  Everything that
** a replay relies on is checked here and in typed.c: numbers are in range, a
** block is filled once and ends with its terminator, no edge leads to a sealed
** block, every block is filled at the end.  The reader keeps the lines where
** each block was opened and sealed, for these checks and their messages.
*/
#include "reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* {== Failure and memory ============================================= */

_Noreturn void reader_fail(const reader *r, const char *format, ...) {
  va_list args;
  fprintf(stderr, "%s:%u: ", r->path, (unsigned)r->line);
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  exit(EXIT_FAILURE);
}

/* Room for item number n in an array of *cap items. */
void *reader_room(void *array, size_t n, size_t *cap, size_t size) {
  if (n < *cap) return array;
  *cap = 2 * n + 64;
  array = realloc(array, *cap * size);
  if (array == NULL) {
    fputs("out of memory\n", stderr);
    exit(EXIT_FAILURE);
  }
  return array;
}

void reader_push(reader *r, int32_t word) {
  trace *t = r->t;
  t->code =
      (int32_t *)reader_room(t->code, t->ncode, &r->capcode, sizeof *t->code);
  t->code[t->ncode++] = word;
}

/* }== Fields ========================================================= */

uint32_t reader_digits(reader *r, const char *what, uint32_t limit) {
  uint32_t n = 0;
  if (*r->p < '0' || *r->p > '9') reader_fail(r, "%s expected", what);
  for (; *r->p >= '0' && *r->p <= '9'; r->p++) {
    n = n * 10 + (uint32_t)(*r->p - '0');
    if (n >= limit)
      reader_fail(r, "%s out of range (below %u expected)", what,
                  (unsigned)limit);
  }
  return n;
}

uint32_t reader_number(reader *r, const char *what, uint32_t limit) {
  if (*r->p != ' ') reader_fail(r, "%s expected", what);
  r->p++;
  return reader_digits(r, what, limit);
}

uint32_t reader_count(reader *r, const char *what) {
  return reader_number(r, what, INT32_MAX / 16);
}

static uint32_t block(reader *r) {
  return reader_number(r, "block number", r->func->nblocks);
}

static char *name(reader *r) {
  const char *start = r->p + 1;
  size_t n = *r->p == ' ' ? strcspn(start, " \r\n") : 0;
  size_t cap = 0;
  char *copy;
  if (n == 0) reader_fail(r, "function name expected");
  copy = (char *)reader_room(NULL, n, &cap, 1);
  memcpy(copy, start, n);
  copy[n] = '\0';
  r->p = start + n;
  return copy;
}

/* }== Events ========================================================= */

void reader_filling(const reader *r) {
  if (!r->open) reader_fail(r, "no block is being filled");
}

static void blocks_of(reader *r, uint32_t n) {
  size_t size = sizeof *r->openedat;
  size_t cap = r->capblocks;
  r->openedat = (uint32_t *)reader_room(r->openedat, n, &cap, size);
  r->sealedat = (uint32_t *)reader_room(r->sealedat, n, &r->capblocks, size);
  memset(r->openedat, 0, n * size);
  memset(r->sealedat, 0, n * size);
}

static void start(reader *r) {
  trace *t = r->t;
  if (r->func != NULL)
    reader_fail(r, "function '%s' has no end", r->func->name);
  t->funcs = (trace_func *)reader_room(t->funcs, t->nfuncs, &r->capfuncs,
                                       sizeof *t->funcs);
  r->func = &t->funcs[t->nfuncs++];
  r->func->name = name(r);
  r->func->nblocks = reader_count(r, "number of blocks");
  r->func->nvars = reader_count(r, "number of variables");
  r->func->start = t->ncode;
  r->func->typed = *r->p == ' ';
  r->func->result = 0;
  if (r->func->nblocks == 0)
    reader_fail(r, "a function has at least one block");
  if (r->func->nblocks > t->maxblocks) t->maxblocks = r->func->nblocks;
  if (r->func->nvars > t->maxvars) t->maxvars = r->func->nvars;
  blocks_of(r, r->func->nblocks);
  if (r->func->typed) typed_start(r);
}

static void end(reader *r, int32_t event) {
  if (r->open) reader_fail(r, "the last block has no terminator");
  for (uint32_t b = 0; b < r->func->nblocks; b++)
    if (r->openedat[b] == 0)
      reader_fail(r, "block %u is not filled", (unsigned)b);
  reader_push(r, event);
  r->func = NULL;
}

static void open(reader *r, int32_t event) {
  uint32_t b = block(r);
  if (r->open) reader_fail(r, "the block before has no terminator");
  if (r->openedat[b] != 0)
    reader_fail(r, "block %u is filled already (line %u)", (unsigned)b,
                (unsigned)r->openedat[b]);
  r->openedat[b] = r->line;
  r->open = true;
  reader_push(r, event);
  reader_push(r, (int32_t)b);
}

static void seal(reader *r, int32_t event) {
  uint32_t b = block(r);
  if (r->sealedat[b] != 0)
    reader_fail(r, "block %u is sealed already (line %u)", (unsigned)b,
                (unsigned)r->sealedat[b]);
  r->sealedat[b] = r->line;
  reader_push(r, event);
  reader_push(r, (int32_t)b);
}

static void access(reader *r, int32_t event) {
  reader_filling(r);
  reader_push(r, event);
  reader_push(r, (int32_t)reader_number(r, "variable number", r->func->nvars));
  r->t->events++;
}

static void use(reader *r, int32_t event) {
  reader_filling(r);
  reader_push(r, event);
  r->t->events++;
}

/* The number of targets of a terminator; a switch has it as first operand. */
static uint32_t ntargets_of(reader *r, int32_t event) {
  uint32_t n;
  if (event != TRACE_SWITCH)
    return event == TRACE_JUMP ? 1 : event == TRACE_COND ? 2 : 0;
  n = reader_count(r, "number of targets");
  if (n == 0) reader_fail(r, "a switch has at least one target");
  reader_push(r, (int32_t)n);
  return n;
}

void reader_target(reader *r) {
  uint32_t b = block(r);
  if (r->sealedat[b] != 0)
    reader_fail(r,
                "block %u is sealed (line %u): it takes no more predecessors",
                (unsigned)b, (unsigned)r->sealedat[b]);
  reader_push(r, (int32_t)b);
}

void reader_filled(reader *r, uint32_t ntargets) {
  if (ntargets > r->t->maxtargets) r->t->maxtargets = ntargets;
  r->open = false;
  r->t->events++;
}

static void terminator(reader *r, int32_t event) {
  uint32_t n;
  reader_filling(r);
  reader_push(r, event);
  n = ntargets_of(r, event);
  for (uint32_t i = 0; i < n; i++) reader_target(r);
  reader_filled(r, n);
}

static const struct {
  char letter;
  int32_t event;
  void (*read)(reader *r, int32_t event);
} letters[] = {
    {'b', TRACE_BLOCK, open},        {'S', TRACE_SEAL, seal},
    {'r', TRACE_READ, access},       {'w', TRACE_WRITE, access},
    {'m', TRACE_MOVE, access},       {'u', TRACE_USE, use},
    {'j', TRACE_JUMP, terminator},   {'c', TRACE_COND, terminator},
    {'s', TRACE_SWITCH, terminator}, {'x', TRACE_RET, terminator},
    {'E', TRACE_END, end},
};

static void event(reader *r) {
  char letter = *r->p++;
  if (letter == 'F') {
    start(r);
    return;
  }
  if (r->func == NULL) reader_fail(r, "a function starts with F");
  if (r->func->typed && typed_event(r, letter)) return;
  for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
    if (letters[i].letter == letter) {
      letters[i].read(r, letters[i].event);
      return;
    }
  reader_fail(r, "unknown event '%c'", letter);
}

/* }== The file ======================================================= */

static void line_end(reader *r) {
  if (*r->p == '\r') r->p++;
  if (*r->p == '\n')
    r->p++;
  else if (*r->p != '\0')
    reader_fail(r, "end of line expected");
}

/* The text of a file, *size bytes, with a zero after them. */
static char *slurp(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  size_t n = 0, cap = 0, got;
  if (file == NULL) {
    perror(path);
    exit(EXIT_FAILURE);
  }
  do {
    text = (char *)reader_room(text, n + 65536, &cap, 1);
    got = fread(text + n, 1, cap - n - 1, file);
    n += got;
  } while (got > 0);
  if (ferror(file)) {
    perror(path);
    exit(EXIT_FAILURE);
  }
  fclose(file);
  text[n] = '\0';
  *size = n;
  return text;
}

trace trace_load(const char *path, const trace_names *names) {
  trace t = {0};
  size_t size;
  char *text = slurp(path, &size);
  reader r = {.path = path, .p = text, .t = &t, .names = names};
  while (r.p < text + size) {
    r.line++;
    event(&r);
    line_end(&r);
  }
  if (r.func != NULL) reader_fail(&r, "function '%s' has no end", r.func->name);
  free(r.openedat);
  free(r.sealedat);
  free(r.vars);
  free(r.values);
  free(r.args);
  free(r.types);
  free(text);
  return t;
}

void trace_free(trace *t) {
  for (size_t i = 0; i < t->nfuncs; i++) free(t->funcs[i].name);
  free(t->funcs);
  free(t->code);
}

size_t trace_width(const int32_t *c) {
  switch (*c) {
    case TRACE_USE:
    case TRACE_RET:
    case TRACE_END:
    case TRACE_EMIT:
      return 1;
    case TRACE_COND:
    case TRACE_GET:
    case TRACE_PUT:
      return 3;
    case TRACE_INST:
      return 6 + (size_t)c[5];
    case TRACE_TERM:
      return 4 + (size_t)c[2] + (size_t)c[3 + c[2]];
    case TRACE_SWITCH:
      return 2 + (size_t)c[1];
    default:
      return 2;
  }
}

void trace_freshen(trace *t) {
  for (size_t at = 0; at < t->ncode; at += trace_width(t->code + at))
    if (t->code[at] == TRACE_MOVE) t->code[at] = TRACE_WRITE;
}

static bool is_access(int32_t kind) {
  return kind == TRACE_READ || kind == TRACE_WRITE || kind == TRACE_MOVE;
}

/* Copies the events of a function at c to `out`, which does not lie after c;
** returns the end of the copy. */
static int32_t *copy_bare(const int32_t *c, int32_t *out) {
  bool latest = false; /* the block has a latest value */
  int32_t kind;
  do {
    size_t width = trace_width(c);
    kind = *c;
    if (kind == TRACE_BLOCK) latest = false;
    if (kind == TRACE_WRITE || (kind == TRACE_MOVE && !latest))
      *out++ = TRACE_EMIT;
    if (is_access(kind))
      latest = true;
    else
      for (size_t i = 0; i < width; i++) *out++ = c[i];
    c += width;
  } while (kind != TRACE_END);
  return out;
}

void trace_bare(trace *t) {
  int32_t *out = t->code;
  for (size_t i = 0; i < t->nfuncs; i++) {
    trace_func *func = &t->funcs[i];
    const int32_t *c = t->code + func->start;
    func->start = (size_t)(out - t->code);
    func->nvars = 0;
    out = copy_bare(c, out);
  }
  t->ncode = (size_t)(out - t->code);
}

/* }=================================================================== */
