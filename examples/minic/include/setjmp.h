#ifndef MINIC_SETJMP_H
#define MINIC_SETJMP_H
typedef struct {
  long minic_state[64]; /* at least what C libraries keep */
} jmp_buf[1];
int _setjmp(jmp_buf state); /* a function that calls it is compiled for that */
_Noreturn void longjmp(jmp_buf state, int value);
#define setjmp(state) _setjmp(state)
#endif
