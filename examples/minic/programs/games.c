/* Searches: recursion over arrays; a small machine that interprets its code. */
#include <stdio.h>
#include <string.h>

#define N 6

static int columns[N], solutions;

static int is_safe(int row, int column) {
  for (int i = 0; i < row; i++) {
    int d = columns[i] - column;
    if (d == 0 || d == row - i || d == i - row) return 0;
  }
  return 1;
}

static void queens(int row) {
  if (row == N) {
    if (!solutions++)
      for (int i = 0; i < N; i++) printf("%d ", columns[i]);
    return;
  }
  for (int c = 0; c < N; c++)
    if (is_safe(row, c)) columns[row] = c, queens(row + 1);
}

static unsigned ackermann(unsigned m, unsigned n) {
  return m == 0 ? n + 1 : ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

static int is_odd(int n);
static int is_even(int n) { return n == 0 || is_odd(n - 1); }
static int is_odd(int n) { return n != 0 && is_even(n - 1); }

enum op {
  PUSH,
  ADD,
  MULTIPLY,
  COPY,
  DECREMENT,
  JUMP_NONZERO,
  SWAP,
  PRINT,
  HALT
};

static int execute(const signed char *code) {
  int stack[16], *top = stack, steps = 0, t;
  for (const signed char *pc = code;; steps++) switch ((enum op) * pc++) {
      case PUSH:
        *top++ = *pc++;
        break;
      case ADD:
        top--, top[-1] += *top;
        break;
      case MULTIPLY:
        top--, top[-1] *= *top;
        break;
      case COPY:
        *top = top[-2], top++;
        break;
      case DECREMENT:
        --top[-1];
        break;
      case JUMP_NONZERO:
        pc += top[-1] ? *pc : 1;
        break;
      case SWAP:
        t = top[-1], top[-1] = top[-2], top[-2] = t;
        break;
      case PRINT:
        printf("%d\n", *--top);
        break;
      case HALT:
        return steps;
    }
}

int main(void) {
  /* the product 1 * 2 * ... * 10 */
  static const signed char factorial[] = {
      PUSH, 1,         PUSH,         10, SWAP, COPY,  MULTIPLY,
      SWAP, DECREMENT, JUMP_NONZERO, -6, SWAP, PRINT, HALT};
  char board[3][3], (*b)[3] = board;
  queens(0);
  printf("%d\n%u %d %d\n", solutions, ackermann(2, 3), is_even(20), is_odd(7));
  printf("%d\n", execute(factorial));
  memset(board, '.', sizeof board);
  for (int i = 0; i < 3; i++) b[i][i] = "xo"[i & 1];
  for (int i = 0; i < 3; i++) printf("%.3s\n", board[i]);
  return solutions;
}
