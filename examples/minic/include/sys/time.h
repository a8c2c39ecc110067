#ifndef MINIC_SYS_TIME_H
#define MINIC_SYS_TIME_H
#include <sys/types.h>
struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};
int gettimeofday(struct timeval *to, void *zone);
int utimes(const char *path, const struct timeval times[2]);
#endif
