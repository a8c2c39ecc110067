#ifndef MINIC_SYS_STAT_H
#define MINIC_SYS_STAT_H
#include <sys/types.h>
#include <time.h>
/* As Linux has it on x86-64. */
struct stat {
  dev_t st_dev;
  ino_t st_ino;
  nlink_t st_nlink;
  mode_t st_mode;
  uid_t st_uid;
  gid_t st_gid;
  int minic_pad;
  dev_t st_rdev;
  off_t st_size;
  blksize_t st_blksize;
  blkcnt_t st_blocks;
  struct timespec st_atim, st_mtim, st_ctim;
  long minic_reserved[3];
};
#define st_mtime st_mtim.tv_sec
#define S_IFMT 0170000
#define S_ISREG(mode) (((mode)&S_IFMT) == 0100000)
#define S_ISDIR(mode) (((mode)&S_IFMT) == 0040000)
#define S_ISLNK(mode) (((mode)&S_IFMT) == 0120000)
#define S_ISCHR(mode) (((mode)&S_IFMT) == 0020000)
#define S_ISFIFO(mode) (((mode)&S_IFMT) == 0010000)
int stat(const char *path, struct stat *to);
int lstat(const char *path, struct stat *to);
int fstat(int file, struct stat *to);
int chmod(const char *path, mode_t mode);
int fchmod(int file, mode_t mode);
int mkdir(const char *path, mode_t mode);
mode_t umask(mode_t mask);
#endif
