/* classes.c: class tables.
**
** A root op may have hundreds of patterns, of which hardly any matches a given
** instruction.  The ops of its first two operands decide which can, where the
** constants 0, 1 and -1 count as ops of their own: most identities are decided
** by that alone.  A table indexed by two ops would be large and nearly uniform,
** so tags that all patterns treat alike share a class (as in table-driven code
** generators: Proebsting, "BURS automata generation", 1995), and equal lists
** are stored once.  The table is exact: the patterns of a cell have passed
** their tests of these two tags.
**
** A set of patterns is a row of bits, in the order in which they are tried: a
** cell is the intersection of two rows.
*/
#include "core/rules/match/classes.h"

typedef uint64_t word;

/* The table under construction; rows of bits are `words` long. */
typedef struct {
  ph_classes *d;
  ph_arena *arena, *scratch;
  const ph_wanteds *patterns;
  uint32_t nops;
  size_t words;   /* of a row */
  word *rows[2];  /* by operand and class */
  word *unequal;  /* patterns that do not require equal operands */
  uint32_t *hash; /* lists by their hash */
  uint32_t cap;
} maker;

/*
** {== Classes ========================================================
*/

static word *new_row(const maker *m, uint32_t n) {
  return ph_arena_zero(m->scratch, n * m->words * sizeof(word));
}

static void set_bit(word *row, uint32_t i) { row[i / 64] |= (word)1 << i % 64; }

/* Returns the class with this row, a new one if necessary. */
static uint32_t class_of(maker *m, int i, const word *row) {
  uint32_t n = m->d->nclass[i];
  for (uint32_t c = 0; c < n; c++)
    if (memcmp(m->rows[i] + c * m->words, row, m->words * sizeof *row) == 0)
      return c;
  memcpy(m->rows[i] + n * m->words, row, m->words * sizeof *row);
  m->d->nclass[i]++;
  return n;
}

static void classify_tag(maker *m, int i, uint32_t tag, word *row) {
  memset(row, 0, m->words * sizeof *row);
  for (uint32_t p = 0; p < m->patterns->n; p++) {
    ph_want want = m->patterns->at[p].want[i];
    if (want == PH_WANT_ANY || ph_want_accepts(want, tag)) set_bit(row, p);
  }
  m->d->classes[i][ph_classes_row(m->d, tag)] = class_of(m, i, row);
}

/* Returns the tags, a bit each, that some pattern requires of operand i. */
static word *find_asked(const maker *m, int i) {
  word *asked = ph_arena_zero(m->scratch, (m->nops / 64 + 1) * sizeof *asked);
  for (uint32_t p = 0; p < m->patterns->n; p++) {
    ph_want want = m->patterns->at[p].want[i];
    if (want < m->nops) set_bit(asked, want);
  }
  return asked;
}

/* Puts all ops that no pattern requires into class 0: op 0 is none. */
static void classify_tags(maker *m, int i) {
  word *asked = find_asked(m, i), *row = new_row(m, 1);
  uint32_t most = 1 + PH_TAG_CONSTS;
  for (uint32_t op = 1; op < m->nops; op++)
    most += asked[op / 64] >> op % 64 & 1;
  m->rows[i] = new_row(m, most);
  m->d->classes[i] =
      ph_arena_zero(m->arena, m->d->ntags * sizeof *m->d->classes[i]);
  classify_tag(m, i, 0, row);
  for (uint32_t op = 1; op < m->nops; op++)
    if (asked[op / 64] >> op % 64 & 1) classify_tag(m, i, op, row);
  for (uint32_t tag = PH_TAG_CONST; tag < PH_TAG_END; tag++)
    classify_tag(m, i, tag, row);
}

/* }== Lists ========================================================== */

static uint32_t count_bits(const maker *m, const word *row) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->words; i++)
    for (word w = row[i]; w != 0; w &= w - 1) n++;
  return n;
}

static bool is_list(const maker *m, uint32_t list, const word *row) {
  const uint32_t *at = m->d->lists.at + list;
  uint32_t n = *at++;
  if (n != count_bits(m, row)) return false;
  while (n-- > 0)
    if (!(row[at[n] / 64] >> at[n] % 64 & 1)) return false;
  return true;
}

static uint32_t hash_of(const maker *m, const word *row) {
  word h = 0;
  for (uint32_t i = 0; i < m->words; i++)
    h = (h ^ row[i]) * UINT64_C(0x9e3779b97f4a7c15), h ^= h >> 29;
  return (uint32_t)(h >> 32);
}

/* Returns the list of these patterns, made if it is new; 0: the empty one. */
static uint32_t list_of(maker *m, const word *row) {
  uint32_t slot;
  if (count_bits(m, row) == 0) return 0;
  slot = hash_of(m, row) & (m->cap - 1);
  while (m->hash[slot] != 0) {
    if (is_list(m, m->hash[slot], row)) return m->hash[slot];
    slot = (slot + 1) & (m->cap - 1);
  }
  m->hash[slot] = m->d->lists.n;
  ph_ids *lists = &m->d->lists;
  ph_ids_push(lists, m->arena, count_bits(m, row));
  for (uint32_t i = 0; i < m->words; i++)
    for (uint32_t bit = 0; row[i] >> bit != 0; bit++) {
      if (row[i] >> bit & 1) ph_ids_push(lists, m->arena, i * 64 + bit);
      if (bit == 63) break;
    }
  return m->hash[slot];
}

/* }== Cells ========================================================== */

static void intersect_rows(const maker *m, word *row, uint32_t c, uint32_t c2) {
  const word *a = m->rows[0] + c * m->words, *b = m->rows[1] + c2 * m->words;
  for (size_t i = 0; i < m->words; i++) row[i] = a[i] & b[i];
}

static void fill_cells(maker *m) {
  ph_classes *d = m->d;
  word *row = new_row(m, 1);
  d->cells =
      ph_arena_zero(m->arena, sizeof *d->cells * d->nclass[0] * d->nclass[1]);
  for (uint32_t tag = 0; tag < d->ntags; tag++)
    d->classes[0][tag] *= d->nclass[1];
  for (uint32_t c = 0; c < d->nclass[0]; c++)
    for (uint32_t c2 = 0; c2 < d->nclass[1]; c2++) {
      intersect_rows(m, row, c, c2);
      for (uint32_t i = 0; i < m->words; i++) row[i] &= m->unequal[i];
      d->cells[c * d->nclass[1] + c2] = list_of(m, row);
    }
}

static void fill_same(maker *m) {
  ph_classes *d = m->d;
  word *row = new_row(m, 1);
  d->same = ph_arena_zero(m->arena, d->ntags * sizeof *d->same);
  for (uint32_t tag = 0; tag < d->ntags; tag++) {
    intersect_rows(m, row, d->classes[0][tag] / d->nclass[1],
                   d->classes[1][tag]);
    d->same[tag] = list_of(m, row);
  }
}

void ph_classes_make(ph_classes *d, ph_arena *a, ph_arena *scratch,
                     const ph_wanteds *patterns, uint32_t nops) {
  maker m = {
      d,    a,    scratch, patterns, nops, patterns->n / 64 + 1, {NULL, NULL},
      NULL, NULL, 0};
  memset(d, 0, sizeof *d);
  d->ntags = nops + PH_TAG_CONSTS;
  ph_ids_push(&d->lists, a, 0);
  classify_tags(&m, 0);
  classify_tags(&m, 1);
  uint32_t lists = m.d->nclass[0] * m.d->nclass[1] + m.d->ntags;
  m.cap = 1;
  while (m.cap < 2 * lists) m.cap *= 2;
  m.hash = ph_arena_zero(m.scratch, m.cap * sizeof *m.hash);
  m.unequal = new_row(&m, 1);
  for (uint32_t p = 0; p < patterns->n; p++)
    if (!patterns->at[p].same) set_bit(m.unequal, p);
  fill_cells(&m);
  fill_same(&m);
}

/* }=================================================================== */
