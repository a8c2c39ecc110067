#ifndef MINIC_TIME_H
#define MINIC_TIME_H
#include <stddef.h>
#include <sys/types.h>
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
typedef long clock_t;
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday,
      tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};
clock_t clock(void);
time_t time(time_t *to);
double difftime(time_t to, time_t from);
time_t mktime(struct tm *time);
struct tm *gmtime(const time_t *time);
struct tm *localtime(const time_t *time);
struct tm *gmtime_r(const time_t *time, struct tm *to);
struct tm *localtime_r(const time_t *time, struct tm *to);
char *asctime(const struct tm *time);
char *ctime(const time_t *time);
size_t strftime(char *to, size_t n, const char *format, const struct tm *time);
int clock_gettime(int clock, struct timespec *to);
int nanosleep(const struct timespec *time, struct timespec *rest);
#endif
