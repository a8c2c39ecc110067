/* spec.h: what the specs of the core share.
**
** They check what Lua cannot reach: functions with broken insides, memory that
** runs out, and what is only in the C interface.  They are white-box: they
** include internal headers and are linked with the objects of the core.  Each
** case prints one line, `ok NAME` or `not ok NAME: got WHAT`; other lines start
** with '#'.
*/
#ifndef SPEC_H
#define SPEC_H

#include "core/ir/body.h"
#include "phial.h"

#define SPEC_COUNT(array) (sizeof(array) / sizeof *(array))

ph_str spec_str(const char *s);

/* Prints the line of a case; returns how many failed: 0 or 1. */
int spec_case(const char *name, bool good, const char *got);
/* The same: did these texts come out alike? */
int spec_equal(const char *name, const char *expected, const char *got);

/* Makes f, which need not be blank, of text in memory of the C library; the
** text must be right. */
void spec_parse(ph_func *f, const char *text);
/* The same in any memory. */
void spec_parsein(ph_func *f, const ph_mem *mem, const char *text);

/* A new instruction of type i64 in the entry. */
ph_value spec_emit(ph_func *f, ph_op op, ph_value a, ph_value b);

/* The text of a buffer, ended with a zero. */
const char *spec_text(ph_strbuf *b);

/* A function with a loop, a switch, floats and a dead block; the ids of its
** blocks and of some of its values. */
extern const char spec_sum[];
enum { ENTRY = 1, HEAD, BODY, THEN, ELSE, JOIN, DONE, DEAD };
enum { I = 20, S, LESS, SUM, NEXT, CALLED, MERGED, STEP, ALONE };

/* A case: the statement that follows breaks f, a function of this text, and the
** verifier must report the problem; "": none. */
#define SPEC_BREAK(text, name, problem) \
  SPEC_BREAK_LATER (text, name, problem, 0)
/* The same, but so many problems are reported before it. */
#define SPEC_BREAK_LATER(text, name, problem, before) \
  for (ph_func *f = spec_whole(text); f != NULL;      \
       f = spec_broken(f, #name, problem, before))

ph_func *spec_whole(const char *text);
/* Frees f; returns NULL. */
ph_func *spec_broken(ph_func *f, const char *name, const char *problem,
                     uint32_t before);
/* How many of these cases have failed since it was last called. */
int spec_unreported(void);

/* The first and the last instruction of a block. */
uint32_t spec_first(const ph_func *f, uint32_t b);
uint32_t spec_last(const ph_func *f, uint32_t b);

/* The topics; each returns how many cases failed. */
int spec_lists(void);
int spec_verify(void);
int spec_damage(uint32_t runs, uint32_t seed);
int spec_construction(void);
int spec_programs(char **paths);
int spec_questions(void);
int spec_reports(void);
int spec_texts(void);
int spec_sets(void);
int spec_assume(void);
int spec_interface(void);
int spec_pool(void);
int spec_misuse(void);
int spec_calls(void);
int spec_freeze(void);

#endif
