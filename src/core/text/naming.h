/* naming.h: how values and blocks are named in text, or numbered. */
#ifndef PH_TEXT_NAMING_H
#define PH_TEXT_NAMING_H

#include "core/base/strbuf.h"
#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Returns the name that v is shown with, if it is a parameter or the result of
** an existing instruction; otherwise 0. */
uint32_t ph_naming_valuename(const ph_func *f, uint32_t v);
/* Appends "%12"; with a name "%n", or "%n.12" unless it is the `only` one. */
void ph_naming_value(ph_strbuf *b, ph_str name, uint32_t id, bool only);
/* Appends "b3"; "head"; "head.3". */
void ph_naming_block(ph_strbuf *b, ph_str name, uint32_t id, bool only);
/* True if s, without quotes, would be read as the id of a block: b3. */
bool ph_naming_isblockid(ph_str s);
/* Returns that id, or 0; one that exceeds 32 bits becomes the largest, which
** nothing has. */
uint32_t ph_naming_blockid(ph_str s);
/* Returns the value, or block, that is the only one that text shows with this
** name; otherwise 0. */
uint32_t ph_naming_onlyvalue(ph_func *f, uint32_t name);
uint32_t ph_naming_onlyblock(ph_func *f, uint32_t name);

/* Canonical numbers: they depend only on the shape of a function. */
typedef struct {
  uint32_t *blocks;               /* in the order of their numbers */
  uint32_t count;                 /* number of these blocks */
  uint32_t *block_number;         /* by block, from 1 */
  uint32_t *value_number;         /* by value, from 1; 0: no result */
  uint32_t *first_phi, *next_phi; /* by block, by value: the sorted phis */
} ph_canonical;

/* Returns the blocks in that order, `count` of them. */
uint32_t *ph_canonical_order(const ph_func *f, ph_arena *a, uint32_t *count);
/* Computes the numbers of f, in memory of `a`. */
ph_canonical ph_canonical_compute(const ph_func *f, ph_arena *a);

#pragma GCC visibility pop
#endif
