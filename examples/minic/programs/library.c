/* What the headers declare of the C library. */
#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

static void numbers(void) {
  char *end;
  printf("%.17g %.17g %.17g %.17g %d %d\n", DBL_MAX, DBL_MIN, DBL_EPSILON,
         DBL_TRUE_MIN, DBL_DIG, DBL_MANT_DIG);
  printf("%.9g %.9g %d %d\n", FLT_MAX, FLT_TRUE_MIN, FLT_MAX_EXP,
         DBL_MIN_10_EXP);
  double x = strtod("2.5e3xyz", &end);
  printf("%g %s %d\n", x, end, isinf(HUGE_VAL) && isnan(NAN) && !isfinite(NAN));
  errno = 0;
  printf("%d ", strtod("1e999", NULL) == HUGE_VAL);
  printf("%d\n", errno == ERANGE);
  printf("%lld %llu %g\n", strtoll("-9000000000", NULL, 10),
         strtoull("0xffffffffffffffff", NULL, 0), strtof("0.1", NULL));
  int exponent;
  double whole, fraction = frexp(48.0, &exponent);
  printf("%g %d %g ", fraction, exponent, ldexp(0.75, 4));
  fraction = modf(-2.75, &whole);
  printf("%g %g %g %g\n", fraction, whole, cbrt(27), log2(8));
}

static void files(void) {
  char text[80], name[] = "/tmp/minic_XXXXXX";
  int n = 0, file;
  struct stat about;
  FILE *f = fopen("/no/such/file", "r");
  printf("%d %s\n", f == NULL && errno == ENOENT, strerror(ENOENT));
  f = tmpfile();
  fprintf(f, "%d %s\n", 42, "words");
  long end = ftell(f);
  rewind(f);
  printf("%d ", fscanf(f, "%d", &n));
  printf("%d%s", n, fgets(text, sizeof text, f));
  printf("%d %ld ", feof(f), end);
  printf("%d ", fseek(f, 3, SEEK_SET));
  printf("%c ", ungetc('x', f));
  printf("%c\n", fgetc(f));
  fclose(f);
  file = mkstemp(name);
  printf("%zd ", write(file, "12345678", 8));
  printf("%ld ", lseek(file, -3, SEEK_END));
  printf("%zd ", read(file, text, 80));
  printf("%.3s %d ", text, fstat(file, &about));
  printf("%d %ld\n", S_ISREG(about.st_mode), about.st_size);
  struct flock lock = {F_WRLCK, SEEK_SET, 0, 4};
  printf("%d %d ", fcntl(file, F_SETLK, &lock), fcntl(file, F_GETFD));
  char *there = mmap(NULL, 8, PROT_READ, MAP_SHARED, file, 0);
  printf("%.8s %d %d ", there, close(file), unlink(name));
  printf("%d ", open(name, O_RDONLY));
  printf("%d\n", errno == ENOENT);
  DIR *folder = opendir("/");
  while (n && readdir(folder)->d_name[0] != 'e')
    ;
  printf("%d %d ", closedir(folder), stat("/", &about));
  printf("%d\n", S_ISDIR(about.st_mode) != 0);
}

static volatile sig_atomic_t caught;
static void on_signal(int number) { caught = number; }

static void system_calls(void) {
  struct sigaction action = {on_signal}, old;
  struct rusage usage;
  struct timeval now;
  sigemptyset(&action.sa_mask);
  signal(SIGINT, on_signal);
  raise(SIGINT);
  printf("%d ", caught == SIGINT);
  sigaction(SIGALRM, &action, &old);
  kill(getpid(), SIGALRM);
  printf("%d %d\n", caught == SIGALRM, old.sa_handler == SIG_DFL);
  int status = system("exit 3");
  printf("%d %d\n", WIFEXITED(status), WEXITSTATUS(status));
  gettimeofday(&now, NULL);
  printf("%d ", labs(now.tv_sec - time(NULL)) < 2);
  printf("%d ", getrusage(RUSAGE_SELF, &usage));
  printf("%d\n", usage.ru_utime.tv_usec < 1000000);
  printf("%d %s\n", getenv("NO_SUCH_NAME") == NULL, getpwuid(0)->pw_dir);
}

static void times(void) {
  char text[80];
  time_t t = 1700000000;
  struct tm at = *gmtime(&t);
  strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &at);
  printf("%s %d %d %g\n", text, at.tm_yday, at.tm_wday, difftime(t, 1));
  printf("%d %d\n", clock() >= 0, mktime(localtime(&t)) == t);
  struct timespec now;
  printf("%d ", clock_gettime(CLOCK_MONOTONIC, &now));
  printf("%d\n", now.tv_nsec >= 0);
  printf("%s ", setlocale(LC_ALL, "C"));
  printf("%s\n", localeconv()->decimal_point);
}

static int by_value(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

int main(void) {
  int list[] = {1, 3, 5, 7}, key = 5;
  char text[] = "a,b;c";
  numbers();
  files();
  system_calls();
  times();
  printf("%ld ", (int *)bsearch(&key, list, 4, sizeof *list, by_value) - list);
  printf("%s ", strtok(text, ",;"));
  printf("%s %zu %zu\n", strtok(NULL, ",;"), strspn("aab", "a"),
         strcspn("xyz", "z"));
  return 0;
}
