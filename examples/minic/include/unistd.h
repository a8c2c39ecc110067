#ifndef MINIC_UNISTD_H
#define MINIC_UNISTD_H
#include <sys/types.h>
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define _SC_PAGESIZE 30
int access(const char *path, int mode);
int close(int file);
int dup(int file);
int dup2(int file, int to);
int fchown(int file, uid_t user, gid_t group);
int fdatasync(int file);
int fsync(int file);
int ftruncate(int file, off_t size);
char *getcwd(char *to, size_t n);
pid_t fork(void);
uid_t geteuid(void);
uid_t getuid(void);
pid_t getpid(void);
int isatty(int file);
off_t lseek(int file, off_t offset, int from);
int mkstemp(char *path);
ssize_t pread(int file, void *to, size_t n, off_t at);
ssize_t pwrite(int file, const void *from, size_t n, off_t at);
ssize_t read(int file, void *to, size_t n);
ssize_t readlink(const char *path, char *to, size_t n);
int rmdir(const char *path);
unsigned sleep(unsigned seconds);
long sysconf(int name);
int unlink(const char *path);
int usleep(unsigned microseconds);
ssize_t write(int file, const void *from, size_t n);
void _exit(int status);
#endif
