#ifndef MINIC_STDIO_H
#define MINIC_STDIO_H
#include <stdarg.h>
#include <stddef.h>
#define EOF (-1)
typedef struct FILE FILE;
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
#endif
