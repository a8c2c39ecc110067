/* peephole.h: simplification of what is emitted, by folding, rules and CSE.
**
** Once it is enabled, an instruction is simplified before it is appended: it is
** evaluated if its operands are constants, rewritten by rules (rules.h), and
** replaced by an equal value that dominates it.  Terminators are folded too.
**
** Rules can call back the host where they name a function, $name: as a guard,
** which says whether the rule applies, or as an action, which makes its result.
** The host is also asked what pure ops of dialects compute from constants.
*/
#ifndef PHIAL_PEEPHOLE_H
#define PHIAL_PEEPHOLE_H

#include "phial/func.h"

PH_BEGIN_DECLS

/* From now on f simplifies what is emitted, with the rules of a set; NULL: only
** by folding and CSE.  To be called once, before any phi or instruction is made
** (except the copies of writes); the set must outlive f.  strict: rules that
** run in circles make a call fail; else they are stopped, and the instruction
** stays as it is by then.  Once that has happened in finish, or finish and what
** simplifies again have made f many times as large as the host has, they apply no
** rules until the set changes. */
void ph_peephole_enable(ph_func *f, ph_ruleset *rules, bool strict);

/* What f simplified with before a phase. */
typedef struct {
  struct ph_peephole *peephole;
  struct ph_matcher *matcher;
} ph_phase;

/* A phase: until the call of _leave, with what _enter returns, a finished f has
** the rules of another set, without callbacks, and only those; then the ones
** before.  What f applies counts as what it has applied, except for
** ph_match_hits, which is about the set that f has.  A phase takes some hundred
** bytes of f. */
ph_phase ph_peephole_enter(ph_func *f, ph_ruleset *rules, bool strict);
void ph_peephole_leave(ph_func *f, ph_phase outer);

/* From now on f, which simplifies, applies at most n rules: to find the
** application that makes it wrong. */
void ph_peephole_limit(ph_func *f, uint32_t n);

/* Of a function that simplifies: about the last call that emitted or filled. */

/* True if it failed because rules ran in circles. */
bool ph_peephole_isexhausted(const ph_func *f);
/* The rules that it applied, in order: how many; the number of the i-th, from
** 0. */
uint32_t ph_peephole_napplied(const ph_func *f);
uint32_t ph_peephole_applied(const ph_func *f, uint32_t i);

/* The rules that were applied when rules ran in circles for the first time: how
** many, 0 if they never did; the number of the i-th, from 0. */
uint32_t ph_peephole_ncircle(const ph_func *f);
uint32_t ph_peephole_circle(const ph_func *f, uint32_t i);

/* Returns how often f has applied rule number `rule` of its set. */
uint32_t ph_match_hits(const ph_func *f, uint32_t rule);

/*
** {== Callbacks ======================================================
*/

/* An argument of a callback: a constant; or a value, if `constant` is
** PH_DATA_NONE. */
typedef struct {
  ph_type type;
  ph_data constant;
  ph_value value;
} ph_callback_arg;

/* The callbacks of rules.  `rule` is the number of the rule in the set,
** `function` the number that ph_callback_names gave to the name.
**
** Each may be NULL: rules that need it do not apply, ops of dialects do not fold.
** Where a function is an operand, or an argument, `constant` is called.
**
** They return 1; or 0: it does not apply, has no value; or -1: they failed.  Then the
** call in progress takes back what it has done and reports failure.  A callback
** must not change f, except that an action can call ph_match_emit, and must not
** leave by longjmp or an exception. */
typedef struct {
  void *ud;
  int (*guard)(void *ud, ph_func *f, uint32_t rule, uint32_t function,
               const ph_callback_arg *args, uint32_t n);
  /* *result: a value that replaces an instruction of that type. */
  int (*action)(void *ud, ph_func *f, uint32_t rule, uint32_t function,
                const ph_callback_arg *args, uint32_t n, ph_type type,
                ph_value *result);
  /* *result: the constant of that type that the op, pure and of one result, has
  ** for these constants, the last of which is the data of the instruction, if it
  ** has any. */
  int (*eval)(void *ud, ph_func *f, ph_op op, const ph_callback_arg *args,
              uint32_t n, ph_type type, ph_value *result);
  /* *result: the constant of that type that the function has for these; PH_I64
  ** stands for any integer, of which the low bits count; PH_ANY: any copy. */
  int (*constant)(void *ud, ph_func *f, uint32_t rule, uint32_t function,
                  const ph_callback_arg *args, uint32_t n, ph_type type,
                  ph_data *result);
  PH_RESERVED;
} ph_callbacks;

/* Sets the callbacks, which are copied.  f must have a set of rules.  Without
** callbacks, rules that name a function do not apply. */
void ph_match_setcallbacks(ph_func *f, const ph_callbacks *callbacks);

/* Within an action only: */

/* Returns the block in which the result is made. */
ph_block ph_match_block(const ph_func *f);
/* Makes a pure instruction there, simplified like any other.  Returns its
** value; none if a callback failed: the action must fail, too. */
ph_value ph_match_emit(ph_func *f, ph_op op, ph_type type, const ph_value *args,
                       uint32_t n);
/* True if v is known to be available there: its definition dominates. */
bool ph_match_isavailable(ph_func *f, ph_value v);

/* }=================================================================== */

PH_END_DECLS

#endif
