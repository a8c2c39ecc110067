/* access.h: reads and writes of variables, as the program makes them.
**
** With options.accesses, a function records each ph_build_read, ph_build_write
** and ph_build_maywrite as an access.  An access is a number, which counts from
** 1 in the order of these calls; 0 is none.  Since each write makes a copy
** (options.copies), the writes that reach a read are the copies that flow to
** its value, through phis, refinements and may-writes.
**
** What reaches what is answered for the function as it is now: before finish,
** for the edges that exist so far; after an edit that redirects the uses of a
** write's copy, or a sweep that removes it, without that write.
*/
#ifndef PHIAL_ACCESS_H
#define PHIAL_ACCESS_H

#include "phial/func.h"

PH_BEGIN_DECLS

typedef struct {
  uint32_t id;
} ph_access;

/*
** {== One access =====================================================
*/

/* Returns the number of accesses, which is the largest id. */
uint32_t ph_access_count(const ph_func *f);
/* True for a write or a may-write. */
bool ph_access_iswrite(const ph_func *f, ph_access a);
bool ph_access_ismaywrite(const ph_func *f, ph_access a);
/* Return the variable, none for a may-write to a group or to other than one
** variable, and the block, which may have been removed. */
ph_var ph_access_var(const ph_func *f, ph_access a);
ph_block ph_access_block(const ph_func *f, ph_access a);
/* Returns the value that was read, or the copy that was written, as what it is
** now; none if it was removed, or the block was. */
ph_value ph_access_value(const ph_func *f, ph_access a);
/* Return the source location, and the host location, at the time. */
ph_srcloc ph_access_loc(const ph_func *f, ph_access a);
ph_srcloc ph_access_hostloc(const ph_func *f, ph_access a);
/* Returns the node (identity.h) that was set at the time, or 0. */
uint32_t ph_access_node(const ph_func *f, ph_access a);
/* Sets the source location. */
void ph_access_setloc(ph_func *f, ph_access a, ph_srcloc loc);

/* }== Which reach which ============================================== */

/* Tells which accesses have a value; an analysis (analysis.h), valid until f
** changes or has more accesses. */
typedef struct ph_reaching ph_reaching;

/* Makes it in linear time. */
const ph_reaching *ph_reaching_new(ph_func *f);
/* Finds the writes that reach any of n reads, or the reads that any of n writes
** reaches, at most `limit`, and returns how many it has found: the search ends
** with the last of them.  (The list may have both: then both.)  Linear in the
** values visited, each once, and their accesses, except for sorting the
** answer. */
uint32_t ph_reaching_count(ph_func *f, const ph_reaching *r,
                           const ph_access *list, uint32_t n, uint32_t limit);
/* Finds the accesses of a value: the reads that gave it, or of a copy the write
** that made it, and the reads that gave it. */
uint32_t ph_reaching_ofvalue(ph_func *f, const ph_reaching *r, ph_value v);
/* Returns the k-th of those found last, from 0, in order of program. */
ph_access ph_reaching_at(const ph_func *f, uint32_t k);
/* True if one of the n reads may have seen no write: it is reached by undef, or
** by what the host said instead (ph_build_define).  After a search that ended
** at its limit, false may only mean that it had not come so far. */
bool ph_reaching_isundefined(const ph_func *f);

/* }=================================================================== */

PH_END_DECLS

#endif
