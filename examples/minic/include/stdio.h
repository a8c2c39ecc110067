#ifndef MINIC_STDIO_H
#define MINIC_STDIO_H
#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
typedef struct FILE FILE;
typedef struct {
  long minic_position[2];
} fpos_t;
extern FILE *stdin, *stdout, *stderr;
int printf(const char *format, ...);
int dprintf(int file, const char *format, ...);
int fprintf(FILE *file, const char *format, ...);
int sprintf(char *to, const char *format, ...);
int snprintf(char *to, size_t n, const char *format, ...);
int vprintf(const char *format, va_list list);
int vfprintf(FILE *file, const char *format, va_list list);
int vsprintf(char *to, const char *format, va_list list);
int vsnprintf(char *to, size_t n, const char *format, va_list list);
int puts(const char *s);
int putchar(int c);
int putc(int c, FILE *file);
int fputc(int c, FILE *file);
int fputs(const char *s, FILE *file);
int fflush(FILE *file);
int getchar(void);
FILE *fopen(const char *path, const char *mode);
int fclose(FILE *file);
size_t fread(void *to, size_t size, size_t count, FILE *file);
size_t fwrite(const void *from, size_t size, size_t count, FILE *file);
int fgetc(FILE *file);
int getc(FILE *file);
char *fgets(char *to, int n, FILE *file);
FILE *fdopen(int file, const char *mode);
FILE *freopen(const char *path, const char *mode, FILE *file);
FILE *tmpfile(void);
FILE *popen(const char *command, const char *mode);
int pclose(FILE *file);
int fileno(FILE *file);
int feof(FILE *file);
int ferror(FILE *file);
void clearerr(FILE *file);
int ungetc(int c, FILE *file);
int fseek(FILE *file, long offset, int from);
int fseeko(FILE *file, off_t offset, int from);
long ftell(FILE *file);
off_t ftello(FILE *file);
void rewind(FILE *file);
int fgetpos(FILE *file, fpos_t *to);
int fsetpos(FILE *file, const fpos_t *from);
void setbuf(FILE *file, char *buffer);
int setvbuf(FILE *file, char *buffer, int mode, size_t n);
int remove(const char *path);
int rename(const char *path, const char *to);
char *tmpnam(char *to);
void perror(const char *text);
int scanf(const char *format, ...);
int fscanf(FILE *file, const char *format, ...);
int sscanf(const char *from, const char *format, ...);
void flockfile(FILE *file);
void funlockfile(FILE *file);
int getc_unlocked(FILE *file);
#endif
