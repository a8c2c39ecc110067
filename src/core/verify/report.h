/* report.h: composes messages about what is wrong with a function. */
#ifndef PH_VERIFY_REPORT_H
#define PH_VERIFY_REPORT_H

#include "core/base/strbuf.h"
#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

typedef struct {
  ph_func *f;
  uint32_t count; /* number of problems reported */
  ph_texts texts; /* these, and the current one */
  uint32_t last;  /* the latest %n in it, for %e */
} ph_problems;

void ph_report_init(ph_problems *p, ph_func *f);

/* Appends to the text of the current problem.  Directives in the format take
** ids and numbers of type uint32_t, unless noted otherwise:
**   %b  a block: 'head'            %v  a value: '%5'
**   %w  a value that may be broken, by its number
**   %i  an instruction: '%5 = add %3, %4' (at sum.lua:12) in block 'body'
**   %f  a phi: phi '%5' (at sum.lua:12) in block 'head'
**   %x  a variable: 'x'            %t  a type
**   %n  a number                   %s  a string (const char *)
**   %e  takes nothing: the "s" of a plural, unless the latest %n was 1 */
void ph_report_say(ph_problems *p, const char *format, ...);
/* Reports the current problem, and begins the next one. */
void ph_report_end(ph_problems *p);
/* Does both in one call. */
void ph_report_add(ph_problems *p, const char *format, ...);

#pragma GCC visibility pop
#endif
