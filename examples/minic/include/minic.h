/* Defined before each program: what is built into other compilers. */
#define __extension__
#define __builtin_expect(value, expected) (value)
#define __inline inline
#define __inline__ inline
#define __restrict restrict
#define __const const
#define __volatile__ volatile
#define __signed__ signed
#define __attribute __attribute__
