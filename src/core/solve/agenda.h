/* agenda.h: a worklist of numbers, worked off in sweeps from small to large. */
#ifndef PH_SOLVE_AGENDA_H
#define PH_SOLVE_AGENDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#pragma GCC visibility push(hidden)

enum { PH_AGENDA_LEVELS = 7 }; /* for 2^32 numbers, 32 to a word */

/* A tree of bits.  Level 0 has one for each number; a bit of another level says
** that a word of the level below is not 0. */
typedef struct {
  uint32_t *level[PH_AGENDA_LEVELS];
  uint32_t depth; /* number of levels */
  uint32_t n;     /* the numbers are 0 .. n - 1 */
  uint32_t next;  /* the sweep goes on from here */
} ph_agenda;

/* Returns the number of words that an agenda for n numbers needs. */
size_t ph_agenda_words(uint32_t n);
/* Makes it, empty; words: that many, all 0. */
void ph_agenda_init(ph_agenda *a, uint32_t n, uint32_t *words);
void ph_agenda_add(ph_agenda *a, uint32_t i);
/* Takes out the first number of the sweep, or of the next one if this one is
** over; false: there is none. */
bool ph_agenda_take(ph_agenda *a, uint32_t *i);

#pragma GCC visibility pop
#endif
