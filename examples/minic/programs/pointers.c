/* Pointers: functions, tables of them, arrays of arrays, strings, memory of the heap. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int fold(operation f, const int *list, size_t n, int start) {
  while (n--) start = f(start, *list++);
  return start;
}
static operation choose(int c) { return c == '+' ? add : subtract; }
static int (*(*chooser)(int))(int, int) = choose;

static int by_length(const void *a, const void *b) {
  const char *x = *(const char *const *)a, *y = *(const char *const *)b;
  return strlen(x) != strlen(y) ? (int)strlen(x) - (int)strlen(y)
                                : strcmp(x, y);
}

struct node {
  struct node *next;
  int value;
};

static struct node *push(struct node *list, int value) {
  struct node *n = malloc(sizeof *n);
  n->next = list, n->value = value;
  return n;
}

static void reverse(struct node **list) {
  struct node *done = NULL, *next;
  for (; *list; *list = next) {
    next = (*list)->next;
    (*list)->next = done;
    done = *list;
  }
  *list = done;
}

static void swap(int *a, int *b) {
  int t = *a;
  *a = *b, *b = t;
}

static long trace(int n, int m[][3]) {
  long sum = 0;
  for (int i = 0; i < n; i++) sum += m[i][i] * (*(m + i))[2 - i];
  return sum;
}

int main(int argc, char **argv) {
  int list[] = {5, 3, 8}, grid[2][3] = {{1, 2, 3}, {4, 5, 6}},
      (*row)[3] = grid + 1;
  const char *words[] = {"pear", "fig", "banana", "apple", "kiwi"};
  struct node *l = NULL;
  int x = 1, y = 2, *p = list + 3, **pp = &p;
  printf("%d %d\n", fold(choose('+'), list, 3, 0),
         fold(*chooser('-'), list, 3, 0));
  printf("%d %d %ld\n", (*row)[2], trace(2, grid) == grid[0][0],
         (long)(&grid[1][0] - grid[0]));
  qsort(words, sizeof words / sizeof *words, sizeof *words, by_length);
  for (int i = 0; i < 5; i++) printf("%s%c", words[i], i < 4 ? ' ' : '\n');
  for (int i = 0; i < 5; i++) l = push(l, i * i);
  reverse(&l);
  for (struct node *n = l; n; n = n->next) printf("%d ", n->value);
  swap(&x, &y);
  printf("%d %d %d", x, y, *--*pp);
  printf(" %d\n", p - list == 2 && p > list && p != NULL);
  while (l) {
    struct node *next = l->next;
    free(l);
    l = next;
  }
  char *s = strdup("a string"), *t = strchr(s, 's');
  t[2] = 'o', *t += 'S' - 's';
  printf("%s %d %.2s %s\n", s, strncmp(t, "Strong", 3) != 0, t,
         "adjacent "
         "literals" +
             4);
  for (int i = 1; i < argc; i++) printf("%s,", argv[i]);
  printf("%d\n", argv[argc] == NULL);
  return argc;
}
