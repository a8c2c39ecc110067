/* draft.h: a rule while it is read. */
#ifndef PH_RULES_LANGUAGE_DRAFT_H
#define PH_RULES_LANGUAGE_DRAFT_H

#include "core/rules/language/rule_lex.h"
#include "core/rules/set/ruleset.h"
#include "phial/rules.h"
#pragma GCC visibility push(hidden)

/* One set of types of the rule; sets that turned out to be the same lead to one
** by `same`. */
typedef struct {
  ph_ruletype is;
  uint32_t same; /* or 0 */
  ph_str name;   /* of a type variable */
} ph_drafttype;

PH_VEC(ph_rulenodes, ph_rulenode)
PH_VEC(ph_rulevars, ph_rulevar)
PH_VEC(ph_drafttypes, ph_drafttype)

/* A bracket [a|b] at byte `at`, which is scanned once for all alternatives of
** the rule: its own ones are from `first` on; `after` is the lexer after it. */
typedef struct {
  ph_lexeme token;
  bool negative;
} ph_alternative;

typedef struct {
  uint32_t at, first;
  ph_rule_lexer after;
} ph_bracket;

PH_VEC(ph_alternatives, ph_alternative)
PH_VEC(ph_brackets, ph_bracket)
PH_VEC(ph_lexers, ph_rule_lexer)

/* A pattern with a name: let NAME(params) = form | form.  Each form is kept as
** the lexer before it. */
typedef struct {
  ph_str name, text;
  ph_strs params;
  ph_lexers forms;
  bool used; /* by the rule that is being read */
} ph_let;
PH_VEC(ph_lets, ph_let)

/* A use of one: its operands are read where a form has its parameters. */
typedef struct ph_let_use ph_let_use;
struct ph_let_use {
  const ph_let *let;
  ph_let_use *outer;   /* what its operands are part of; NULL: the rule */
  ph_rule_lexer *args; /* by parameter: the lexer before its operand */
  uint32_t *nodes;     /* by parameter: its operand, once it has been read */
};

/* One of several forms was chosen; the others are read later. */
typedef struct {
  uint32_t now, n;
} ph_choice;
PH_VEC(ph_choices, ph_choice)

typedef enum { PH_IN_PATTERN, PH_IN_RESULT, PH_IN_GUARD } ph_part;

typedef struct {
  ph_func *space;
  ph_arena *arena;
  const ph_callback_names *callees;
  ph_rule_lexer scan;
  ph_rule rule; /* as far as it has been read */
  uint32_t start, arrow;
  ph_rulenodes nodes;
  ph_rulevars vars;
  ph_drafttypes types;
  ph_part part;
  uint32_t depth;        /* of nested brackets and operators */
  uint32_t choice;       /* which alternative is being read, from 0 */
  uint32_t alternatives; /* how many [a|b] has; 0: none met yet */
  ph_alternatives listed;
  ph_brackets brackets;
  ph_lets lets;
  bool defining;     /* a form of `let` is read for the first time */
  bool in_form;      /* what is read is not in brackets: | ends it */
  ph_let_use *use;   /* whose form is read; NULL: none */
  ph_choices chosen; /* of the forms of `let`, in order of use ... */
  uint32_t choices;  /* ... and how many have been met */
} ph_draft;

/* The kinds of types, as masks of ph_ruletype. */
enum {
  PH_M_INT = 1 << PH_I1 | 1 << PH_I8 | 1 << PH_I16 | 1 << PH_I32 | 1 << PH_I64,
  PH_M_WIDE = 1 << PH_I16 | 1 << PH_I32 | 1 << PH_I64,
  PH_M_FLOAT = 1 << PH_F32 | 1 << PH_F64,
  PH_M_PTR = 1 << PH_PTR,
  PH_M_ALL = PH_M_INT | PH_M_FLOAT | PH_M_PTR | 1 << PH_ANY
};

void ph_draft_start(ph_draft *d);
static inline ph_rulenode *ph_draft_node(const ph_draft *d, uint32_t node) {
  return &d->nodes.at[node];
}
#define PH_EACH_DRAFT_KID(d, node, kid)                        \
  for (uint32_t kid = ph_draft_node(d, node)->first; kid != 0; \
       kid = ph_draft_node(d, kid)->next)
uint32_t ph_draft_make(ph_draft *d, ph_nodekind kind, uint32_t at);
/* Appends kid to the kids of node; last: the last one so far, or 0. */
void ph_draft_link(ph_draft *d, uint32_t node, uint32_t last, uint32_t kid);
/* Returns the variable of that name, or 0. */
uint32_t ph_draft_var(const ph_draft *d, ph_str name);
/* Returns the operand that a parameter of that name got, or 0: there is none,
** or it has not been read. */
uint32_t ph_draft_given(const ph_draft *d, ph_str name);
/* Returns the number of the parameter with that name, or that of parameters. */
uint32_t ph_let_param(const ph_let *let, ph_str name);
/* Returns the `let` that the name means here, or NULL: the last one, or the last
** before that whose form is read. */
ph_let *ph_draft_let(const ph_draft *d, ph_str name);

/* Make sets of types; find returns the one that a set has become. */
uint32_t ph_draft_type(ph_draft *d, uint16_t mask, bool dialects);
uint32_t ph_draft_fixed(ph_draft *d, ph_type type);
uint32_t ph_draft_find(const ph_draft *d, uint32_t type);
/* Requires that the node at `at`, of type `is`, has one of `want`: both become
** their intersection; if that is empty, notes an error. */
void ph_draft_unify(ph_draft *d, uint32_t want, uint32_t is, uint32_t at);

/* Infers the type of an expression in a guard with all its kids, and theirs: of
** plain integers unless a width matters. */
void ph_draft_inferguard(ph_draft *d, uint32_t node);
/* Returns the types that can represent a literal. */
uint32_t ph_draft_literaltype(ph_draft *d, uint32_t node);

uint32_t ph_draft_makeop(ph_draft *d, uint16_t op, uint32_t at);
/* Completes a node, which has all its kids: infers its types. */
uint32_t ph_draft_close(ph_draft *d, uint32_t node);

/* An operation that is being read: its operands so far, and its labels, which
** follow them. */
typedef struct {
  uint32_t node, n; /* n: the number of operands */
  uint32_t last;    /* the last operand */
  ph_ids labels;
} ph_operation;

/* True if a label must come next. */
bool ph_draft_wantslabel(const ph_draft *d, uint16_t op, const ph_operation *o);
void ph_draft_addkid(ph_draft *d, ph_operation *o, uint32_t kid);
/* Completes the operation: checks the number of its kids. */
uint32_t ph_draft_endop(ph_draft *d, ph_operation *o);

/* Returns the complete rule, in the draft's arena. */
const ph_rule *ph_draft_finish(ph_draft *d);

#pragma GCC visibility pop
#endif
