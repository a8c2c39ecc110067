/* names.h: what the words of a typed function mean to phial. */
#ifndef NAMES_H
#define NAMES_H

#include "phial.h"
#include "trace.h"

/* The dialect `trace`, which each typed function has. */
extern const ph_dialect names_dialect;

typedef struct names names;

names *names_new(void);
void names_free(names *n);
/* For trace_load, as long as the names live. */
const trace_names *names_table(const names *n);
/* Makes constant k in f. */
ph_value names_constant(const names *n, ph_func *f, int32_t k);

#endif
