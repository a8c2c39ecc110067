#ifndef MINIC_SYS_MMAN_H
#define MINIC_SYS_MMAN_H
#include <sys/types.h>
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FAILED ((void *)-1)
void *mmap(void *at, size_t n, int protection, int flags, int file,
           off_t offset);
int munmap(void *at, size_t n);
#endif
