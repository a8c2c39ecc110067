#ifndef MINIC_SYS_WAIT_H
#define MINIC_SYS_WAIT_H
#include <sys/types.h>
#define WTERMSIG(status) ((status)&0x7F)
#define WEXITSTATUS(status) ((status) >> 8 & 0xFF)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSIGNALED(status) ((signed char)(WTERMSIG(status) + 1) >> 1 > 0)
pid_t wait(int *status);
pid_t waitpid(pid_t process, int *status, int options);
#endif
