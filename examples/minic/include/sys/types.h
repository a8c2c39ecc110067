#ifndef MINIC_SYS_TYPES_H
#define MINIC_SYS_TYPES_H
#include <stddef.h>
typedef long ssize_t, off_t, time_t, suseconds_t, blksize_t, blkcnt_t;
typedef unsigned long dev_t, ino_t, nlink_t;
typedef unsigned mode_t, uid_t, gid_t;
typedef int pid_t;
#endif
