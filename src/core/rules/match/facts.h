/* facts.h: what the definition of an integer tells of it. */
#ifndef PH_RULES_MATCH_FACTS_H
#define PH_RULES_MATCH_FACTS_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* At most so many values are looked at for one question. */
enum { PH_FACTS_MOST = 16 };

typedef struct {
  uint64_t zeros, ones; /* bits that are known, within the width */
  bool nonzero; /* one of the bits is 1, though which may not be known */
} ph_facts;

/* Returns what is known of v; of values of other types, nothing. */
ph_facts ph_facts_of(const ph_func *f, uint32_t v);

#pragma GCC visibility pop
#endif
