/* rules.h: sets of rules: made, checked, asked about. */
#ifndef PHIAL_RULES_H
#define PHIAL_RULES_H

#include "phial/peephole.h"
#include "phial/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A set of rules, written in the language of docs/rules.md.  Sets grow; many
** functions can share one.  What is added or removed holds from the next
** instruction on. */

/* A new set.  `base`: the rules it starts with; that set must not change from
** now on, and must outlive this one.  NULL: none. */
ph_ruleset *ph_ruleset_new(const ph_mem *mem, ph_ruleset *base);
void ph_ruleset_free(ph_ruleset *set);
/* The same in memory of the host, as for a function. */
size_t ph_ruleset_size(void);
void ph_ruleset_blank(ph_ruleset *set, const ph_mem *mem);
void ph_ruleset_init(ph_ruleset *set, ph_ruleset *base);
void ph_ruleset_done(ph_ruleset *set);
size_t ph_ruleset_bytes(const ph_ruleset *set);
/* The function that knows the names of ops and types of the set: attach
** dialects to it, before rules that name their ops. */
ph_func *ph_ruleset_space(ph_ruleset *set);
/* Is it the base of another? */
bool ph_ruleset_isfrozen(const ph_ruleset *set);

/* The functions behind $name in a text: by name their numbers, from 0, which
** are the host's; false: there is none of that name. */
typedef struct {
  bool (*find)(void *ud, ph_str name, uint32_t *number);
  void *ud;
} ph_callback_names;

/* Adds the rules of a text: all, or none and false.  Then `why` says what is
** wrong, where, with the line and a caret.  `source` names the text. */
bool ph_ruleset_load(ph_ruleset *set, ph_str source, ph_str text,
                     const ph_callback_names *callees, ph_strbuf *why);
/* Adds the rules of another set that are on; its functions number i become
** number `callees` + i. */
void ph_ruleset_include(ph_ruleset *set, const ph_ruleset *from,
                        uint32_t callees);
/* Adds rule n of another set, with the same numbers of functions, such that it
** applies wherever it can. */
void ph_ruleset_includeone(ph_ruleset *set, const ph_ruleset *from, uint32_t n);
/* Rules by name, which several can share; how many there are. */
uint32_t ph_ruleset_remove(ph_ruleset *set, ph_str name);
uint32_t ph_ruleset_enable(ph_ruleset *set, ph_str name, bool on);

/* Rules have numbers from 1 on; one of several alternatives [a|b] is a rule. */
uint32_t ph_ruleset_count(const ph_ruleset *set); /* the largest number */
bool ph_ruleset_isremoved(const ph_ruleset *set, uint32_t n);
bool ph_ruleset_isenabled(const ph_ruleset *set, uint32_t n);
ph_str ph_ruleset_name(const ph_ruleset *set, uint32_t n);
ph_str ph_ruleset_text(const ph_ruleset *set, uint32_t n);
ph_str ph_ruleset_source(const ph_ruleset *set, uint32_t n);
uint32_t ph_ruleset_line(const ph_ruleset *set, uint32_t n);
/* As in messages: its name, or the line it stands in. */
void ph_ruleset_print(ph_strbuf *b, const ph_ruleset *set, uint32_t n);

/* What is odd about the rules that are on: one a call; how many.  Rules that
** are there twice or are never reached behind others, that match the same as
** others with another result, that can never apply, that need not end. */
uint32_t ph_ruleset_lint(ph_ruleset *set, ph_report *report, void *ud);

/* What is meant by a shift by the width or more: by the rest (as phial has
** it), 0 or the sign, or nothing that a rule may count on. */
typedef enum { PH_SHIFT_MOD, PH_SHIFT_ZERO, PH_SHIFT_UNDEF } ph_shift_policy;
/* A rule keeps traps as they are; or where the pattern traps (which is undefined
** then) it may do anything, but never traps on its own. */
typedef enum { PH_TRAP_KEPT, PH_TRAP_UNDEF } ph_trap_policy;

typedef struct {
  ph_trap_policy traps;
  ph_shift_policy shifts;
  uint32_t width; /* all widths up to it are looked at; 0: 4 */
  uint32_t limit; /* bits of variables up to which all values are; 0: 12 */
  uint32_t cases; /* values at random where not all are; 0: 500 */
  /* The functions behind $name, or NULL.  For a rule whose result one of them
  ** makes, the host opens a function without parameters or instructions that uses
  ** that rule alone (ph_ruleset_includeone); NULL: it failed. */
  const ph_callbacks *callbacks;
  ph_func *(*open)(void *ud, uint32_t rule);
  void *ud;
} ph_check_options;

typedef enum {
  PH_RULE_HOLDS,     /* for all values at some widths, for many at others */
  PH_RULE_TESTED,    /* for many values */
  PH_RULE_WRONG,     /* `text` tells values for which it does not hold */
  PH_RULE_NEVER,     /* it never applied */
  PH_RULE_UNCHECKED, /* `text` tells why */
  PH_RULE_FAILED     /* a function of the host failed: nothing comes behind */
} ph_verdict;

typedef struct {
  uint32_t rule;
  ph_verdict verdict;
  bool assumed;   /* what its guard asks of values was taken as it suits */
  uint32_t never; /* widths at which it never applies: 1 << width */
  ph_str text;    /* of all but PH_RULE_HOLDS: a line */
} ph_check_result;

/* Checks the rule, or all that are on with 0: is each result worth its pattern?
** false: a function of the host failed. */
bool ph_ruleset_check(ph_ruleset *set, uint32_t rule,
                      const ph_check_options *how,
                      void (*report)(void *ud, const ph_check_result *checked),
                      void *ud);

/* The text of the set that phial has for integers, floats and branches. */
void ph_ruleset_builtin(ph_strbuf *b);

/* Writes for each rule of the set that is about this op what keeps it from
** applying to such an instruction of f, or that it applies; callbacks may be
** NULL. */
void ph_ruleset_explain(ph_strbuf *b, ph_func *f, ph_ruleset *set,
                        const ph_callbacks *callbacks, ph_op op, ph_type type,
                        const ph_value *args, uint32_t n,
                        const ph_block *targets, uint32_t m);

#ifdef __cplusplus
}
#endif

#endif
