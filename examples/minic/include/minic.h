/* Defined before each program: what is built into other compilers. */
#define __extension__
#define __builtin_expect(value, expected) (value)
