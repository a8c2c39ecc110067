/* Initial values: of globals, with addresses, in cycles; designators; statics; literals. */
#include <stdio.h>

struct node {
  const char *name;
  struct node *next;
  int (*run)(int);
  int *at;
};
static int twice(int x) { return 2 * x; }
static int negated(int x);
static struct node second;
static int numbers[8] = {1, [4] = 5, 6, [2] = 3};
static struct node first = {"first", &second, twice, &numbers[4]};
static struct node second = {
    .at = numbers + 1, .next = &first, .run = negated, .name = "second"};
static int negated(int x) { return -x; }
static const char *const names[] = {"zero", "one", [3] = "three"};
static int grid[][3] = {1, 2, 3, {4}, 5};
char text[] = "text", *middle = text + 2, letters[3] = "abc";
int tentative;
int tentative = 4;
int tentative;
static struct {
  char c;
  union {
    int i;
    char bytes[4];
  } u;
  unsigned low : 4, high : 4;
} packed[] = {{'x', {0x01020304}, 5, 10},
              {.u.bytes = {1, 2}, .high = 3},
              [2].u = {.bytes[3] = 9}};
static struct nested {
  int a;
  struct {
    int b;
    union {
      long l;
      char s[8];
    };
  };
  struct {
    int x, y;
  } p[2];
} nested = {.b = 9, .s = "xyz", .p[1].y = 3, .p[1].x = 2, .p[0] = {4}};
static double *zero = 0, reals[] = {1, 2.5f, -3};
static int *literal = (int[]){7, 8, 9};
extern int later;
static int *forward = &later;
int later = 12;

static int counter(void) {
  static int count = 40, *where = &count;
  return ++*where;
}

static int sum(const int *list, int n) {
  return n ? *list + sum(list + 1, n - 1) : 0;
}

int main(void) {
  struct node here = {.name = first.next->name, .run = first.run}, *p = &here;
  int squares[4] = {[1] = 1, 4, 9}, n = 3, local[] = {n, n * n, [4] = n + 1};
  const char *word[2] = {names[0], names[3]};
  printf("%s %s %d %d %d\n", first.next->name, second.next->name, first.run(4),
         second.run(4), *second.at + *first.at);
  printf("%d %d %d %s\n", numbers[2], numbers[5], numbers[7],
         names[2] ? "?" : names[1]);
  printf("%d %d %d %d\n", (int)(sizeof grid / sizeof *grid), grid[1][0],
         grid[2][0], grid[2][2]);
  printf("%s %.3s %d %d %d\n", middle, letters, tentative, literal[2],
         *forward);
  for (int i = 0; i < 3; i++)
    printf("%x %d %d %d;", packed[i].u.i, packed[i].low, packed[i].high,
           packed[i].u.bytes[3]);
  counter(), counter();
  printf("\n%d %d %g %s %d\n", counter(), zero == NULL, reals[1] + reals[2],
         p->name, p->next == 0);
  printf("%d %d %s%s %d\n", sum(squares, 4), sum(local, 5), word[0], word[1],
         sum((int[]){1, n, 5}, 3));
  struct nested again = {
      .b = n, .l = 1, .s = "now", .p[0].x = n + 1, .p[0].y = 5};
  printf("%d %s %d %d %d\n", nested.b, nested.s, nested.p[1].x, nested.p[1].y,
         nested.p[0].x);
  printf("%d %s %d %d\n", again.b, again.s, again.p[0].x, again.p[0].y);
  return sizeof packed;
}
