/* options.h: the command line of a replay. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "phial.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum { SEAL_TRACED, SEAL_END, SEAL_RANDOM } seal_order;

typedef struct {
  const char *file;
  int repeats;
  ph_construction construction;
  bool is_classic; /* a classical algorithm is used: `classic` */
  ph_classic classic;
  const char *construction_name;
  seal_order seal;
  const char *seal_name;
  uint32_t seed; /* of SEAL_RANDOM */
  bool fresh_moves, verify;
  bool bare;        /* no variables: see trace_bare */
  bool structured;  /* only functions with structured control flow */
  bool rules;       /* simplify with the default rules */
  bool at_once;     /* only when an instruction is emitted */
  bool verified;    /* verify in the timed passes, too */
  bool left;        /* leave SSA form in the timed passes, count moves */
  const char *phis; /* file for the numbers of phis, or NULL */
} options;

/* Prints an error or the usage and exits if the command line is wrong. */
options options_read(int argc, char **argv);

#endif
