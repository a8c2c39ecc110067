/* calculate.c: prints what a program of calc.c calculates. */
#include <inttypes.h>
#include <stdio.h>

int64_t calculate(void);

int main(void) { printf("%" PRId64 "\n", calculate()); }
