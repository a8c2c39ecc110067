/* peephole.h: rules at work on what is emitted; callbacks of the host. */
#ifndef PHIAL_PEEPHOLE_H
#define PHIAL_PEEPHOLE_H

#include "phial/func.h"

#ifdef __cplusplus
extern "C" {
#endif

/* From now on f simplifies what is emitted: constants are folded, rules (NULL:
** none) applied, and what was computed before is used again; a branch on a
** constant becomes a jump.  Then ph_build_emit may return a value that is there
** already, and calls that emit or fill return none when a function of the host
** failed, or, if `strict`, when rules went round in circles; nothing has
** changed then.  Once, before anything is emitted. */
void ph_peephole_enable(ph_func *f, ph_ruleset *rules, bool strict);

/* What a function of the host behind $name is called with: a constant, or, with
** PH_DATA_NONE, a value. */
typedef struct {
  ph_type type;
  ph_data constant;
  ph_value value;
} ph_callback_arg;

/* How they are called: for a rule by its number; `function` is the number that
** ph_callback_names gave.  They return 1; 0: the rule does not apply; -1: it failed,
** all is undone. */
typedef struct {
  void *ud;
  int (*guard)(void *ud, ph_func *f, uint32_t rule, uint32_t function,
               const ph_callback_arg *args, uint32_t n);
  /* *result: the value that stands for an instruction of that type. */
  int (*action)(void *ud, ph_func *f, uint32_t rule, uint32_t function,
                const ph_callback_arg *args, uint32_t n, ph_type type,
                ph_value *result);
} ph_callbacks;
void ph_match_setcallbacks(ph_func *f, const ph_callbacks *callbacks);
/* Within an action: the block that it emits into; a pure instruction there,
** simplified, or none when a function of the host failed; is v known to be
** there? */
ph_block ph_match_block(const ph_func *f);
ph_value ph_match_emit(ph_func *f, ph_op op, ph_type type, const ph_value *args,
                       uint32_t n);
bool ph_match_reaches(ph_func *f, ph_value v);
/* How often has f applied that rule of its set? */
uint32_t ph_match_hits(const ph_func *f, uint32_t rule);
/* Did `strict` make the last call fail?  The rules that it applied, in order:
** how many; the i-th, from 0. */
bool ph_peephole_exhausted(const ph_func *f);
uint32_t ph_peephole_napplied(const ph_func *f);
uint32_t ph_peephole_applied(const ph_func *f, uint32_t i);

#ifdef __cplusplus
}
#endif

#endif
