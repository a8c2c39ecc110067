/* The part of the C library that the interpreter has as C, compiled with the program it runs.
** A function here is left out unless what precedes it uses it, so callers come first. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What main gets: run.lua writes the words of the command there. */
long minic_arguments[8192];

FILE *stdin = (FILE *)0, *stdout = (FILE *)1, *stderr = (FILE *)2;

int putc(int c, FILE *file) { return fputc(c, file); }

int putchar(int c) { return fputc(c, stdout); }

int fputc(int c, FILE *file) {
  char text[2] = {c, 0};
  fprintf(file, "%c", c);
  return (unsigned char)c;
}

int puts(const char *s) { return printf("%s\n", s); }

int fputs(const char *s, FILE *file) { return fprintf(file, "%s", s); }

void qsort(void *base, size_t count, size_t size,
           int (*compare)(const void *, const void *)) {
  char *p = base;
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && compare(p + (j - 1) * size, p + j * size) > 0;
         j--)
      for (size_t k = 0; k < size; k++) {
        char c = p[(j - 1) * size + k];
        p[(j - 1) * size + k] = p[j * size + k];
        p[j * size + k] = c;
      }
}

char *strdup(const char *s) { return strcpy(malloc(strlen(s) + 1), s); }

void *calloc(size_t count, size_t size) {
  void *p = malloc(count * size);
  return p ? memset(p, 0, count * size) : p;
}

/* Blocks have their size in front; those that are free are kept in lists by size. */
static size_t minic_heap[8 << 20];
static size_t minic_used;
static char *minic_free[1024];

void *realloc(void *p, size_t n) {
  char *to = malloc(n);
  if (to && p) {
    size_t old = *((size_t *)p - 2);
    memcpy(to, p, old < n ? old : n);
    free(p);
  }
  return to;
}

void free(void *p) {
  size_t n;
  if (!p) return;
  n = *((size_t *)p - 2);
  if (n / 16 < 1024) {
    *(char **)p = minic_free[n / 16];
    minic_free[n / 16] = p;
  }
}

void *malloc(size_t n) {
  char *p;
  n = n ? (n + 15) / 16 * 16 : 16;
  if (n / 16 < 1024 && (p = minic_free[n / 16])) {
    minic_free[n / 16] = *(char **)p;
    return p;
  }
  if (n > sizeof minic_heap - 16 - minic_used) return NULL;
  p = (char *)minic_heap + minic_used + 16;
  minic_used += n + 16;
  *((size_t *)p - 2) = n;
  return p;
}

static unsigned long minic_seed = 1;

void srand(unsigned seed) { minic_seed = seed; }

int rand(void) {
  minic_seed = minic_seed * 6364136223846793005 + 1442695040888963407;
  return minic_seed >> 33;
}

int abs(int n) { return n < 0 ? -n : n; }

long labs(long n) { return n < 0 ? -n : n; }

int atoi(const char *s) { return strtol(s, NULL, 10); }

long atol(const char *s) { return strtol(s, NULL, 10); }

long strtol(const char *s, char **end, int base) {
  return strtoul(s, end, base);
}

unsigned long strtoul(const char *s, char **end, int base) {
  const char *start = s, *digits;
  unsigned long value = 0;
  int negative;
  while (isspace(*s)) s++;
  negative = *s == '-';
  if (*s == '-' || *s == '+') s++;
  if ((base == 0 || base == 16) && s[0] == '0' &&
      (s[1] == 'x' || s[1] == 'X')) {
    base = 16;
    s += 2;
  }
  if (base == 0) base = *s == '0' ? 8 : 10;
  for (digits = s; isalnum(*s); s++) {
    int digit = isdigit(*s) ? *s - '0' : tolower(*s) - 'a' + 10;
    if (digit >= base) break;
    value = value * base + digit;
  }
  if (end) *end = (char *)(s == digits ? start : s);
  return negative ? -value : value;
}

char *strcat(char *to, const char *from) {
  strcpy(to + strlen(to), from);
  return to;
}

char *strncat(char *to, const char *from, size_t n) {
  char *p = to + strlen(to);
  while (n-- > 0 && *from) *p++ = *from++;
  *p = 0;
  return to;
}

char *strcpy(char *to, const char *from) {
  char *p = to;
  while ((*p++ = *from++))
    ;
  return to;
}

char *strncpy(char *to, const char *from, size_t n) {
  size_t i;
  for (i = 0; i < n && from[i]; i++) to[i] = from[i];
  for (; i < n; i++) to[i] = 0;
  return to;
}

char *strstr(const char *s, const char *part) {
  size_t n = strlen(part);
  for (; *s; s++)
    if (strncmp(s, part, n) == 0) return (char *)s;
  return n ? NULL : (char *)s;
}

size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

int strcmp(const char *a, const char *b) { return strncmp(a, b, -1); }

int strncmp(const char *a, const char *b, size_t n) {
  for (; n > 0; n--, a++, b++)
    if (*a != *b || !*a) return (unsigned char)*a - (unsigned char)*b;
  return 0;
}

char *strchr(const char *s, int c) {
  for (; *s != (char)c; s++)
    if (!*s) return NULL;
  return (char *)s;
}

char *strrchr(const char *s, int c) {
  const char *last = NULL;
  do
    if (*s == (char)c) last = s;
  while (*s++);
  return (char *)last;
}

void *memmove(void *to, const void *from, size_t n) {
  char *p = to;
  const char *q = from;
  if (p <= q) return memcpy(to, from, n);
  while (n-- > 0) p[n] = q[n];
  return to;
}

void *memcpy(void *to, const void *from, size_t n) {
  char *p = to;
  const char *q = from;
  for (size_t i = 0; i < n; i++) p[i] = q[i];
  return to;
}

void *memset(void *to, int byte, size_t n) {
  for (char *p = to; n > 0; n--) *p++ = byte;
  return to;
}

int memcmp(const void *a, const void *b, size_t n) {
  for (const unsigned char *p = a, *q = b; n > 0; n--, p++, q++)
    if (*p != *q) return *p - *q;
  return 0;
}

void *memchr(const void *s, int byte, size_t n) {
  for (const unsigned char *p = s; n > 0; n--, p++)
    if (*p == (unsigned char)byte) return (void *)p;
  return NULL;
}

int toupper(int c) { return islower(c) ? c - 32 : c; }
int tolower(int c) { return isupper(c) ? c + 32 : c; }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isalpha(int c) { return isupper(c) || islower(c); }
int isxdigit(int c) {
  return isdigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F';
}
int ispunct(int c) { return c > 32 && c < 127 && !isalnum(c); }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isdigit(int c) { return c >= '0' && c <= '9'; }
int isspace(int c) { return c == ' ' || c >= 9 && c <= 13; }
int isprint(int c) { return c >= 32 && c < 127; }
int isgraph(int c) { return c > 32 && c < 127; }
int iscntrl(int c) { return c >= 0 && c < 32 || c == 127; }
