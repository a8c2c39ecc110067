#ifndef MINIC_DIRENT_H
#define MINIC_DIRENT_H
#include <sys/types.h>
typedef struct DIR DIR;
/* As Linux has it. */
struct dirent {
  ino_t d_ino;
  off_t d_off;
  unsigned short d_reclen;
  unsigned char d_type;
  char d_name[256];
};
DIR *opendir(const char *path);
struct dirent *readdir(DIR *folder);
int closedir(DIR *folder);
#endif
