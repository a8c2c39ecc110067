/* system.h: shared objects, folders, files and the size of the stack.
**
** Where there is no dlopen, everything fails and says that.
*/
#ifndef PL_NATIVE_SYSTEM_H
#define PL_NATIVE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#pragma GCC visibility push(hidden)

/* Opens a shared object; NULL: pl_system_whynot tells why not. */
void *pl_system_open(const char *path);
void pl_system_close(void *handle);
const char *pl_system_whynot(void);
/* Stores the address of a symbol in the pointer `to`; false: it has none.
** handle: NULL: of the process. */
bool pl_system_find(void *handle, const char *name, void *to);

/* How bytes are copied: what is not known to be memory is read, or written, by
** the system, if it can do that. */
typedef enum { PL_KNOWN, PL_READ, PL_WRITE } pl_copying;
/* Copies n bytes; false: the system says that they are not memory, or that it
** cannot be written. */
bool pl_system_copy(void *to, const void *from, size_t n, pl_copying how);

/* Makes a folder; the last six letters of its path, XXXXXX, are replaced, so
** that it is a new one.  False: pl_system_whynodir tells why not. */
bool pl_system_mkdir(char *path);
bool pl_system_rmdir(const char *path);
const char *pl_system_whynodir(void);

/* Opens a regular file to read it, at once; NULL: it is none, or that is not
** possible.  What it is is asked of the open file, which no other can replace
** any more. */
FILE *pl_system_regular(const char *path);

/* The bytes of the stack that native code may take: those that are wanted, at
** most three quarters of the process's limit; 0: half of it, or less. */
size_t pl_system_stack(size_t wanted);

#pragma GCC visibility pop
#endif
