/* system.c: shared objects, folders, files and the size of the stack. */
#define _XOPEN_SOURCE 700
#define _DARWIN_C_SOURCE
#define _GNU_SOURCE

#include <string.h>

#include "binding/native/system.h"

#if defined(__unix__) || defined(__APPLE__)

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

void *pl_system_open(const char *path) {
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

void pl_system_close(void *handle) { dlclose(handle); }

const char *pl_system_whynot(void) {
  const char *why = dlerror();
  return why != NULL ? why : "the system does not say why";
}

/* ISO C does not convert pointers to data to those to functions. */
bool pl_system_find(void *handle, const char *name, void *to) {
  void *at = dlsym(handle != NULL ? handle : RTLD_DEFAULT, name);
  memcpy(to, &at, sizeof at);
  return at != NULL;
}

/* Copies at most so much, which a pipe has room for: the system looks whether both
** are memory. */
static bool pass(const int *ends, void *to, const void *from, size_t n) {
  return write(ends[1], from, n) == (ssize_t)n &&
         read(ends[0], to, n) == (ssize_t)n;
}

static bool copy_through_pipe(char *to, const char *from, size_t n) {
  int ends[2];
  bool done = pipe(ends) == 0;
  if (!done) return false;
  for (size_t i = 0; done && i < n; i += PIPE_BUF)
    done = pass(ends, to + i, from + i, n - i < PIPE_BUF ? n - i : PIPE_BUF);
  close(ends[0]);
  close(ends[1]);
  return done;
}

/* Linux copies what it can between a process and itself, unless a sandbox or an
** emulator refuses that. */
bool pl_system_copy(void *to, const void *from, size_t n, pl_copying how) {
#ifdef __linux__
  struct iovec here = {to, n}, there = {NULL, n};
  memcpy(how == PL_READ ? &there.iov_base : &here.iov_base, &from, sizeof from);
  if (how != PL_READ) there.iov_base = to;
  if (how != PL_KNOWN && n > 0) {
    ssize_t done = how == PL_READ
                       ? process_vm_readv(getpid(), &here, 1, &there, 1, 0)
                       : process_vm_writev(getpid(), &here, 1, &there, 1, 0);
    if (done == (ssize_t)n) return true;
    if (done >= 0 || errno == EFAULT || errno == EINVAL) return false;
  }
#endif
  if (how != PL_KNOWN) return copy_through_pipe(to, from, n);
  memcpy(to, from, n);
  return true;
}

bool pl_system_mkdir(char *path) { return mkdtemp(path) != NULL; }
bool pl_system_rmdir(const char *path) { return rmdir(path) == 0; }
const char *pl_system_whynodir(void) { return strerror(errno); }

/* Neither opening nor reading waits, whatever is there. */
FILE *pl_system_regular(const char *path) {
  int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  struct stat what;
  FILE *stream = NULL;
  if (file < 0) return NULL;
  if (fstat(file, &what) == 0 && S_ISREG(what.st_mode))
    stream = fdopen(file, "rb");
  if (stream == NULL) close(file);
  return stream;
}

/* Of the process's limit some is in use already, and some is for what is called
** at the end. */
size_t pl_system_stack(size_t wanted) {
  enum { LEAST = 64 << 10, USUAL = 4 << 20 };
  struct rlimit limit;
  size_t most;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return wanted != 0 ? wanted : USUAL;
  most = (size_t)limit.rlim_cur / 4 * 3;
  if (wanted != 0) return wanted < most ? wanted : most;
  if (most / 3 * 2 > USUAL) return USUAL;
  return most / 3 * 2 < LEAST ? LEAST : most / 3 * 2;
}

#else

void *pl_system_open(const char *path) {
  (void)path;
  return NULL;
}

void pl_system_close(void *handle) { (void)handle; }

const char *pl_system_whynot(void) {
  return "this system does not load shared objects by dlopen";
}

bool pl_system_find(void *handle, const char *name, void *to) {
  (void)handle, (void)name, (void)to;
  return false;
}

bool pl_system_copy(void *to, const void *from, size_t n, pl_copying how) {
  (void)how;
  memcpy(to, from, n);
  return true;
}

bool pl_system_mkdir(char *path) {
  (void)path;
  return false;
}

bool pl_system_rmdir(const char *path) {
  (void)path;
  return false;
}

const char *pl_system_whynodir(void) { return pl_system_whynot(); }

FILE *pl_system_regular(const char *path) {
  (void)path;
  return NULL;
}

size_t pl_system_stack(size_t wanted) { return wanted; }

#endif
