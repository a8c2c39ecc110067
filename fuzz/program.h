/* program.h: bytes as a program, which is constructed in several ways. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "fuzz.h"

typedef struct {
  const uint8_t *at;
  size_t left;
} bytes;

/* The next byte, modulo n; 0 if there is none. */
static inline uint32_t bytes_next(bytes *b, uint32_t n) {
  if (b->left == 0) return 0;
  b->left--;
  return *b->at++ % n;
}

/* How to construct; what it does not say is in the bytes. */
typedef struct {
  ph_construction construction;
  bool late; /* seals nothing until the end */
} way;

/* On what the function that is constructed may depend. */
typedef enum {
  PROGRAM_SAME,     /* on the bytes only */
  PROGRAM_BY_SEALS, /* on when blocks are sealed */
  PROGRAM_VARIES    /* on the way: it simplifies what it emits */
} program_kind;
program_kind program_look(bytes in);
/* Constructs the function that the bytes say, from the first on, in f, which is
** blank, and finishes it; *in is then after them. */
void program_build(ph_func *f, bytes *in, way w);

/* Edits a finished function as the bytes say, up to the last. */
void edits_do(ph_func *f, bytes *in);

#endif
