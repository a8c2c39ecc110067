/* ruleset.h: rules and sets of them.
**
** A rule is three trees over one array of nodes: the pattern, the result and the
** guard.  It never changes once it is made, so sets share rules.
*/
#ifndef PH_RULES_SET_RULESET_H
#define PH_RULES_SET_RULESET_H

#include "core/ir/body.h"
#include "phial/rules.h"
#pragma GCC visibility push(hidden)

/*
** {== Rules ==========================================================
*/

/* Nodes and variables are numbered from 1; 0 is none. */
typedef struct {
  uint8_t kind; /* ph_nodekind */
  bool once;    /* once(...): it has no other use so far */
  uint16_t op;
  uint16_t type; /* index of a type; 0: none (a terminator), or of an
                    expression: a plain integer of 64 bits */
  uint16_t nkids;
  uint32_t var;         /* of an operation of the pattern: its name, or 0 */
  uint32_t first, next; /* first kid, next sibling */
  uint32_t at;          /* its offset in the text */
  uint64_t bits;        /* of a literal; of an operation: the node of its data,
                           0: it has none */
} ph_rulenode;

/* True if the node stands for a constant. */
static inline bool ph_rule_isconst(const ph_rulenode *n) {
  return n->kind == PH_R_CONST || n->kind == PH_R_LIT || n->kind == PH_R_MIN ||
         n->kind == PH_R_MAX || n->kind == PH_R_EXPR || n->kind == PH_R_HELPER;
}

/* True if the node calls the host. */
static inline bool ph_rule_iscall(const ph_rulenode *n) {
  return n->kind == PH_R_CALL || n->kind == PH_R_HELPER;
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

typedef enum {
  PH_V_VALUE,
  PH_V_CONST,
  PH_V_LABEL,
  PH_V_DATA,
  PH_V_TEXT /* data that are its name; a literal (PH_DATA_STR) has its number as
               `op` */
} ph_rulevarkind;

typedef struct {
  ph_str name;
  uint16_t kind; /* ph_rulevarkind */
  uint16_t type; /* 0 for labels and data */
  uint32_t node; /* the operation that it names, z @ (x + y); or 0 */
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
  uint32_t alternative; /* of [a|b], forms of let: its number, from 1; or 0 */
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

/* The weights of pattern and result. */
typedef struct {
  uint32_t pattern, result;
  bool lighter;  /* the result is less in the order of load.c, but for `more` */
  uint32_t more; /* a variable that occurs more often in the result, or 0 */
} ph_weights;
/* Weighs a rule with these nodes and variables. */
ph_weights ph_rule_weigh(const ph_func *space, ph_arena *a, const ph_rule *rule,
                         const ph_rulenode *nodes, const ph_rulevar *vars,
                         uint32_t nvars);

/* Returns what the instruction of a node, an op, costs. */
uint32_t ph_rule_cost(const ph_func *space, const ph_rulenode *n);

/* }== Sets =========================================================== */

/* A set over a base starts with the base's rules.  Whether a rule is enabled is
** stored in the set.
**
** A set has a function of its own, `space`, without blocks: only its tables of
** ops, types and names are used.  So a dialect is attached to a set as to a
** function, and ops and types in rules are numbers of `space`. */

PH_VEC(ph_rulelist, const ph_rule *)

enum { PH_RULE_ON, PH_RULE_OFF, PH_RULE_REMOVED };

typedef struct ph_compiled ph_compiled;

/* Rules by name. */
typedef struct {
  ph_ids table;   /* an open hash: the last rule of a name */
  uint32_t count; /* number of names in it */
  ph_ids next;    /* by rule: the next one with its name, in a ring */
  uint32_t met;   /* smaller numbers have been entered */
} ph_rulenames;

/* Rules are numbered from 1 in order of definition, those of the base first;
** removing rules keeps the numbers. */
struct ph_ruleset {
  ph_func space; /* must be first; its arena holds the whole set */
  ph_ruleset *base;
  ph_rulelist rules;
  ph_ids states;  /* by rule: PH_RULE_ON ... */
  ph_ids next;    /* by rule: the next one with the same root */
  ph_ids first;   /* by root: its first rule ... */
  ph_ids last;    /* ... and its last */
  ph_ids data;    /* by root: a pattern is for instructions with data */
  ph_ids version; /* by root: changes whenever its rules do; the base's as
                     long as they have not */
  ph_rulenames names;
  uint32_t changes;      /* the last version assigned */
  bool late;             /* some rule is, which may be off */
  bool frozen;           /* it is the base of other sets: it must not change */
  ph_compiled *compiled; /* rule_table.h */
  void (*forget)(ph_ruleset *set); /* frees `compiled`; or NULL */
};

/* Returns the first rule with this root, or 0; set->next has the next one.
** Some may be off. */
static inline uint32_t ph_ruleset_first(const ph_ruleset *set, ph_op root) {
  return root < set->first.n ? set->first.at[root] : 0;
}
/* True if a pattern with this root is for instructions with data. */
static inline bool ph_ruleset_takesdata(const ph_ruleset *set, ph_op root) {
  return root < set->data.n && set->data.at[root] != 0;
}
static inline uint32_t ph_ruleset_version(const ph_ruleset *set, ph_op root) {
  return root < set->version.n ? set->version.at[root] : 0;
}
static inline bool ph_ruleset_ison(const ph_ruleset *set, uint32_t n) {
  return set->states.at[n] == PH_RULE_ON;
}

/* Adds a copy of a rule. */
void ph_ruleset_append(ph_ruleset *set, const ph_rule *rule);
/* }=================================================================== */

#pragma GCC visibility pop
#endif
