/* run_rule.h: evaluates a rule with given values. */
#ifndef PH_RULECHECK_RUN_RULE_H
#define PH_RULECHECK_RUN_RULE_H

#include "core/rulecheck/inputs.h"
#include "core/rules/set/constexpr.h"
#include "phial/rulecheck.h"
#pragma GCC visibility push(hidden)

typedef enum {
  PH_MEANS_VALUE,
  PH_MEANS_TRAP,     /* it traps */
  PH_MEANS_ANYTHING, /* undefined: a shift by too much */
  PH_MEANS_NOTHING   /* never evaluated: the rule does not apply */
} ph_outcome;

typedef struct {
  ph_outcome is;
  int64_t bits; /* integers sign-extended from their width; of a terminator:
                   the label it goes to, a variable */
  bool inner;   /* an operand trapped, not the root */
} ph_semantics;

/* The most operands that a node can have. */
enum { PH_OPERANDS_MOST = 16 };

typedef struct ph_acted ph_acted;

/* A rule being checked. */
typedef struct {
  ph_ruleset *set;
  uint32_t number;
  const ph_rule *rule;
  const ph_check_options *how;
  ph_arena *arena;
  ph_inputs cases;
  ph_exprtype *types; /* by type of the rule */
  int64_t *vars;      /* by variable */
  int64_t *nodes;     /* by node: the value of _; the answer that a guard gets
                         about a value */
  bool nans;          /* a nan became another nan */
  bool assumed;       /* answers were chosen for what a guard asks */
  bool supposed;      /* so of a callback, whose facts nobody knows */
  bool named;         /* operations of the pattern have names */
  bool failed;        /* a callback failed */
  bool beyond;        /* an action made what cannot be evaluated */
  ph_acted *acted;    /* NULL: no action was called */
} ph_run_rule;

/* The outcome of one evaluation. */
typedef struct {
  bool guarded; /* the guard was true */
  bool meant;   /* and the pattern had a meaning */
  bool applies, holds;
  ph_semantics pattern, result; /* if it does not hold */
} ph_finding;

/* The number of values of a dialect's type, or PH_ANY, that the host gives. */
uint32_t ph_run_rule_samples(const ph_check_options *how, ph_type own);

/* Returns the type of a value or constant, or of data: PH_ANY. */
ph_exprtype ph_run_rule_typeof(const ph_run_rule *a, const ph_rulevar *var);

/* The number of samples that the host gives of data with that variable; *before:
** so many values precede them. */
uint32_t ph_run_rule_data(const ph_run_rule *a, uint32_t var, uint32_t *before);

void ph_run_rule_start(ph_run_rule *a);
/* Collects the unknowns, once the types are chosen. */
void ph_run_rule_typed(ph_run_rule *a);
/* True if the guard depends on types only, and is false for those chosen. */
bool ph_run_rule_excludes(ph_run_rule *a);
/* True if all literals can be represented and all casts are possible. */
bool ph_run_rule_fits(const ph_run_rule *a);
/* Evaluates an expression as the matcher does; false: it has no value. */
bool ph_run_rule_expr(ph_run_rule *a, uint32_t node, int64_t *value);
/* True if its guard is true, once the values are chosen. */
bool ph_run_rule_guarded(ph_run_rule *a);
/* Evaluates the rule then. */
ph_finding ph_run_rule_run(ph_run_rule *a);

/* Emits the pattern into the entry block of f, with parameters for its values
** and the chosen constants; returns the value, 0: a constant has none, or a
** callback failed. */
uint32_t ph_run_rule_emit(ph_run_rule *a, ph_func *f);

/* True if the op of a dialect can be evaluated, with so many operands. */
bool ph_run_op_knows(const ph_run_rule *a, ph_op op, uint32_t nargs);

/* True if a callback makes the rule's result. */
bool ph_run_action_has(const ph_rule *rule);
/* Applies the rule with the chosen constants; false: the callback failed, or
** there is nothing to try. */
bool ph_run_action_start(ph_run_rule *a);
/* Checks what was made with the chosen values. */
ph_finding ph_run_action_run(ph_run_rule *a);

#pragma GCC visibility pop
#endif
