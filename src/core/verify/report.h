/* report.h: what is wrong with a function, in words. */
#ifndef PH_VERIFY_REPORT_H
#define PH_VERIFY_REPORT_H

#include "core/ir/body.h"

typedef struct {
  ph_func *f;
  ph_report *report;
  void *ud;
  uint32_t count;                        /* problems so far */
  ph_mem mem;                            /* f->scratch, as a host's memory */
  ph_strbuf text;                        /* of the problem under way */
  uint32_t last;                         /* the number said last in it */
  uint32_t *values_named, *blocks_named; /* by name: how many have it */
} ph_problems;

void ph_report_init(ph_problems *p, ph_func *f, ph_report *report, void *ud);

/* Adds to the text of a problem.  In the format stand, for ids and numbers of
** type uint32_t,
**   %b  a block: 'head'            %v  a value: '%5'
**   %w  a value that may be broken, by its number
**   %i  an instruction: '%5 = add %3, %4' (at sum.lua:12) in block 'body'
**   %f  a phi: phi '%5' (at sum.lua:12) in block 'head'
**   %x  a variable: 'x'            %t  a type
**   %n  a number                   %s  a string (const char *)
** and %e is the "s" of a plural, unless the number before was 1. */
void ph_report_say(ph_problems *p, const char *format, ...);
/* The problem is said: reports it. */
void ph_report_end(ph_problems *p);
/* Both. */
void ph_report_add(ph_problems *p, const char *format, ...);

#endif
