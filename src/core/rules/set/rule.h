/* rule.h: a rule: three trees over one array of nodes, the pattern, the result
** and the guard.  A rule never changes once it is made, so sets share rules.
*/
#ifndef PH_RULES_SET_RULE_H
#define PH_RULES_SET_RULE_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

typedef enum {
  PH_R_VAR,   /* a value; the same wherever it is repeated; `var` */
  PH_R_CONST, /* a constant, likewise; `var` */
  PH_R_LIT, /* `bits` of ph_tag `var`: an integer, a double, true, false, nil */
  PH_R_MIN, /* the least, largest integer of its type, signed */
  PH_R_MAX,
  PH_R_ANY,   /* _ */
  PH_R_TYPE,  /* the argument of width(): it has a type and no value */
  PH_R_OP,    /* `op` of the kids: operands, then labels */
  PH_R_EXPR,  /* `op`, or PH_F_..., of constant kids; in a pattern: a constant
                 with that value */
  PH_R_LABEL, /* a target; `var` */
  PH_R_CALL,  /* $: callback `var` with the kids */
  PH_R_ONLY   /* ! of the kid: only if that needs no new instruction */
} ph_nodekind;

/* Nodes and variables are numbered from 1; 0 is none. */
typedef struct {
  uint8_t kind; /* ph_nodekind */
  bool once;    /* once(...): it has no other use so far */
  uint16_t op;
  uint16_t type; /* index of a type; 0: none (a terminator), or of an
                    expression: a plain integer of 64 bits */
  uint16_t nkids;
  uint32_t var;
  uint32_t first, next; /* first kid, next sibling */
  uint32_t at;          /* its offset from the start of the rule */
  uint64_t bits;
} ph_rulenode;

/* True if the node stands for a constant. */
static inline bool ph_rule_isconst(const ph_rulenode *n) {
  return n->kind == PH_R_CONST || n->kind == PH_R_LIT || n->kind == PH_R_MIN ||
         n->kind == PH_R_MAX || n->kind == PH_R_EXPR;
}

/* A type of a rule: a set of types.  All positions with that type have the same
** one when the rule applies.  A type of a result occurs in the pattern too, or
** it is fixed. */
typedef struct {
  ph_type fixed; /* or PH_NOTYPE: several types */
  bool dialects; /* it may also be any type of a dialect */
  uint16_t mask; /* the types of phial, 1 << PH_I1 | ..., at which all its
                    literals can be represented */
} ph_ruletype;

typedef enum { PH_V_VALUE, PH_V_CONST, PH_V_LABEL } ph_rulevarkind;

typedef struct {
  ph_str name;
  uint16_t kind; /* ph_rulevarkind */
  uint16_t type; /* 0 for labels */
} ph_rulevar;

enum {
  PH_RULE_LATE = 1,       /* applies only in finish, when uses are exact */
  PH_RULE_ALWAYS = 2,     /* does not count uses */
  PH_RULE_UNORIENTED = 4, /* may increase the weight */
  PH_RULE_UNSAFE = 8,     /* not checked */
  PH_RULE_SAMPLED = 16    /* `@ tested`: samples are enough */
};

typedef struct {
  ph_str name;   /* "": none */
  ph_str source; /* name of the text */
  ph_str text;   /* of the rule alone */
  ph_str unsafe; /* why */
  uint32_t line;
  uint32_t alternative; /* [a|b]: its number, from 1; 0: none */
  int32_t prio;
  uint8_t flags;
  ph_op root; /* of the pattern */
  uint32_t lhs, rhs, guard;
  uint32_t nnodes, nvars, ntypes; /* index 0 of each array is unused */
  const ph_rulenode *nodes;
  const ph_rulevar *vars;
  const ph_ruletype *types;
} ph_rule;

#define PH_EACH_KID(rule, node, kid)                       \
  for (uint32_t kid = (rule)->nodes[node].first; kid != 0; \
       kid = (rule)->nodes[kid].next)

#pragma GCC visibility pop
#endif
