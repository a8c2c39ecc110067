/* rulecheck.h: whether rules hold, are useful, and why one does not apply.
**
** No other part of the library needs this one (src/core/rulecheck): a host that
** compiles phial itself can leave it out.
*/
#ifndef PHIAL_RULECHECK_H
#define PHIAL_RULECHECK_H

#include "phial/peephole.h"
#include "phial/rules.h"
#include "phial/text.h"

PH_BEGIN_DECLS

/*
** {== Lint ===========================================================
*/

/* Reports suspicious but valid rules among those that are enabled, one a call,
** and returns how many: rules that exist twice, that never apply, since others
** apply where they would or by themselves, that match the same as another with
** a different result, that go round in circles, whose mark @unoriented is
** needless. */
uint32_t ph_ruleset_lint(ph_ruleset *set, ph_report *report, void *ud);

/* }== Soundness ====================================================== */

/* What a shift by the width of its operand or more gives. */
typedef enum {
  PH_SHIFT_MOD,  /* a shift by the amount modulo the width, as in phial */
  PH_SHIFT_ZERO, /* 0, or copies of the sign */
  PH_SHIFT_UNDEF /* any value: a result must not depend on it */
} ph_shift_policy;

/* What a rule may do where its pattern traps. */
typedef enum {
  PH_TRAP_KEPT, /* nothing but trap */
  PH_TRAP_UNDEF /* anything: trapping is undefined behaviour */
} ph_trap_policy;

/* How to check; all zero: the defaults. */
typedef struct {
  ph_trap_policy traps;
  ph_shift_policy shifts;
  uint32_t width; /* integers of 1 to `width` bits are tried; 0: 4 */
  uint32_t limit; /* all values are tried if the variables have together at most
                     that many bits; 0: 12 */
  uint32_t cases; /* samples when not exhaustive, which the combinations of
                     types share; 0: 5000 */
  bool strict;    /* PH_RULE_TESTED does for rules marked '@ tested' only, and
                     PH_RULE_UNCHECKED for those marked '@ unsafe' */
  const ph_callbacks *callbacks; /* of the rules; or NULL */
  /* For rules whose result is made by an action: returns a function without
  ** parameters and instructions, using a set with only that rule
  ** (ph_ruleset_includeone).  The host frees it later.  NULL: it failed. */
  ph_func *(*open)(void *ud, uint32_t rule);
  /* For ops of dialects, numbered as in ph_ruleset_space: true if the host can
  ** evaluate it; evaluates it and sets the constant of *result, whose type is
  ** given, false: it traps.  NULL: rules with such ops are not checked.
  ** Values of a dialect's types, and of PH_ANY, are the host's: constant.bits
  ** numbers them, from 1 to `samples` those that variables have, while the
  ** number of a result is given, negative. */
  bool (*evals)(void *ud, ph_op op);
  bool (*eval)(void *ud, ph_op op, const ph_callback_arg *args, uint32_t n,
               ph_callback_arg *result);
  /* The number of samples of a type of the host; whether two of its values are
  ** equal; writes one for a verdict. */
  uint32_t (*samples)(void *ud, ph_type type);
  bool (*same)(void *ud, ph_type type, int64_t x, int64_t y);
  void (*show)(void *ud, ph_strbuf *b, ph_type type, int64_t x);
  /* Whether a function of guards may say that the arguments have a fact; -1:
  ** that is not known, -2: it failed.  NULL: it is never known. */
  int (*holds)(void *ud, uint32_t rule, uint32_t function,
               const ph_callback_arg *args, uint32_t n);
  /* Sets what the variable of that name is in a case that is tried at all types,
  ** numbered from 0 to `given` - 1; false: it can be anything. */
  bool (*give)(void *ud, uint32_t number, ph_str name, ph_data *value);
  uint32_t given;
  /* The number of samples of data of an op; *before: so many values of PH_ANY
  ** precede them. */
  uint32_t (*data)(void *ud, ph_op op, uint32_t *before);
  /* Returns a value of PH_ANY as data of an instruction of f, which `open` has
  ** returned. */
  ph_data (*keep)(void *ud, ph_func *f, int64_t x);
  void *ud;
  PH_RESERVED;
} ph_check_options;

typedef enum {
  PH_RULE_PROVED,    /* every combination of types and every value was tried */
  PH_RULE_CHECKED,   /* all values were tried at small widths, at some of which
                        it applied, by each side of an `or` in its guard, and
                        samples at the others */
  PH_RULE_TESTED,    /* samples were tried */
  PH_RULE_WRONG,     /* `text` has values for which it does not hold */
  PH_RULE_NEVER,     /* it never applied: `text` says why */
  PH_RULE_UNCHECKED, /* `text` says why */
  PH_RULE_FAILED     /* a callback failed: the last rule that is reported */
} ph_verdict;

typedef struct {
  uint32_t rule;
  ph_verdict verdict;
  bool good;        /* neither wrong nor never applied nor, when strict, only
                       tested or not checked without being marked so */
  bool unknown;     /* not checked, and not marked '@ unsafe' */
  bool assumed;     /* its guard asks something about values (uses, callbacks):
                       the answers were chosen as values are */
  uint64_t applied; /* the number of cases in which it applied */
  ph_str text;      /* the verdict in words; valid during the call */
} ph_check_result;

/* Checks whether the result of rule number `rule`, or of all enabled rules if
** it is 0, is equivalent to its pattern.  The verdict on each rule is reported.
** false: a callback failed.  `report`, `open`, `eval` and the callbacks may
** leave by longjmp or an exception (a jump; then call ph_ruleset_abandon); they
** must not check or lint the set. */
bool ph_ruleset_check(ph_ruleset *set, uint32_t rule,
                      const ph_check_options *how,
                      void (*report)(void *ud, const ph_check_result *result),
                      void *ud);

/* Frees the working memory of a check or lint of the set that was jumped out
** of: by the allocator, by `report`, or by a callback.  The set is as it was.
** (The next check or lint frees it, too.) */
void ph_ruleset_abandon(ph_ruleset *set);

/* }== Explaining ===================================================== */

/* Appends, for each rule of the set about this op, what keeps it from applying
** to such an instruction of f, or that it applies.  The operands fit; type is
** that of the result; the m targets are those of a terminator, as many as it
** takes.  Without callbacks (NULL) a rule whose guard calls one does not apply.
** f does not change.  false: a callback failed; what was appended is of no use.
*/
bool ph_ruleset_explain(ph_strbuf *b, ph_func *f, ph_ruleset *set,
                        const ph_callbacks *callbacks, ph_op op, ph_type type,
                        const ph_value *args, uint32_t n,
                        const ph_block *targets, uint32_t m);
/* The same of an instruction or terminator of f, as if it were reconsidered: its
** own use of an operand is no other use.  name: of the rules; "": all. */
bool ph_value_explain(ph_strbuf *b, ph_func *f, ph_ruleset *set,
                      const ph_callbacks *callbacks, ph_value v, ph_str name);

/* }=================================================================== */

PH_END_DECLS

#endif
