/* suggest.c: the op whose name resembles an unknown one.
**
** The distance of two names is the number of insertions, deletions,
** replacements and swaps of neighbours between them (the restricted distance of
** Damerau and Levenshtein), computed row by row.  A third of the letters may
** differ, and in any case one.
*/
#include "binding/state/suggest.h"

#include <string.h>

enum { LONGEST = 40 }; /* longer names get no suggestion */

static int least_of(int a, int b) { return a < b ? a : b; }

/* rows: for i, i - 1 and i - 2 letters of a, indexed by letters of b. */
static void next_row(int *const rows[3], ph_str a, ph_str b, size_t i) {
  int *row = rows[i % 3], *last = rows[(i + 2) % 3],
      *before = rows[(i + 1) % 3];
  row[0] = (int)i;
  for (size_t j = 1; j <= b.n; j++) {
    bool same = a.at[i - 1] == b.at[j - 1];
    row[j] = least_of(last[j], row[j - 1]) + 1;
    row[j] = least_of(row[j], last[j - 1] + !same);
    if (i > 1 && j > 1 && a.at[i - 1] == b.at[j - 2] &&
        a.at[i - 2] == b.at[j - 1])
      row[j] = least_of(row[j], before[j - 2] + 1);
  }
}

/* Both have at most LONGEST letters. */
static int distance(ph_str a, ph_str b) {
  int memory[3][LONGEST + 1];
  int *const rows[3] = {memory[0], memory[1], memory[2]};
  for (size_t j = 0; j <= b.n; j++) rows[0][j] = (int)j;
  for (size_t i = 1; i <= a.n; i++) next_row(rows, a, b, i);
  return rows[a.n % 3][b.n];
}

/* The distance of `name` from the op's name, with or without its dialect. */
static int how_far(const ph_func *f, ph_op op, ph_str name) {
  ph_str dialect = ph_op_dialect(f, op), own = ph_op_name(f, op);
  char text[LONGEST];
  ph_str full = {text, dialect.n + 1 + own.n};
  if (own.n > LONGEST) return LONGEST;
  if (dialect.n == 0 || full.n > LONGEST) return distance(name, own);
  memcpy(text, dialect.at, dialect.n);
  text[dialect.n] = '.';
  memcpy(text + dialect.n + 1, own.at, own.n);
  return least_of(distance(name, own), distance(name, full));
}

static bool can_be_meant(const ph_func *f, ph_op op) {
  return op != PH_PHI && op != PH_PROJ && !(ph_op_flags(f, op) & PH_LEAF);
}

ph_op pl_suggest_op(const pl_funcobj *h, ph_str name) {
  int least = name.n < 3 ? 2 : (int)name.n / 3 + 1;
  ph_op best = PH_NONE;
  if (name.n > LONGEST) return PH_NONE;
  for (uint32_t i = PH_CONST; i < PH_OPS + h->nops; i++) {
    ph_op op = (ph_op)i;
    int far = can_be_meant(h->f, op) ? how_far(h->f, op, name) : LONGEST;
    if (far < least) {
      best = op;
      least = far;
    }
  }
  return best;
}
