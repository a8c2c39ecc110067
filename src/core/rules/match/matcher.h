/* matcher.h: the rules that a function uses, what they are applied to, and the
** tests of their patterns. */
#ifndef PH_RULES_MATCH_MATCHER_H
#define PH_RULES_MATCH_MATCHER_H

#include "core/rules/match/rule_table.h"
#include "core/rules/set/constexpr.h"
#include "phial/peephole.h"
#pragma GCC visibility push(hidden)

/* An instruction that is about to be made: operands are resolved and in
** canonical order; its arrays have room for `room` operands and as many
** targets.  A result that needs more gets other arrays, from f->scratch. */
typedef struct {
  uint32_t block; /* at the end of which it will be inserted */
  ph_op op;
  ph_type type;
  uint32_t nargs, ntargets;
  uint32_t room;
  uint32_t *args, *targets;
  ph_data data;
  uint32_t rule; /* the last one applied */
  uint32_t was;  /* with listeners: what that has been applied to, as ph_event
                    has it */
} ph_pending;

typedef enum {
  PH_MATCH_NONE,  /* no rule applies */
  PH_MATCH_VALUE, /* args[0] is its value */
  PH_MATCH_AGAIN, /* it is another one now: start again */
  PH_MATCH_FAILED /* a callback failed: undo all, and report */
} ph_matched;

/* The services that matching needs from construction. */
typedef struct {
  /* Called before the result of a rule that applies to *p is made. */
  void (*apply)(ph_func *f, ph_pending *p, uint32_t rule);
  /* Returns the value of an instruction at the end of the block, an existing or
  ** a new one; 0: it failed.  With `only`, nothing may be appended: 0 then
  ** means that it would be necessary.  Operands are copied first. */
  uint32_t (*emit)(ph_func *f, uint32_t block, ph_op op, ph_type type,
                   const uint32_t *args, uint32_t n, ph_data data, bool only);
  /* Sets a mark; removes what was appended since one. */
  uint32_t (*mark)(ph_func *f);
  void (*undo)(ph_func *f, uint32_t mark);
  /* True if v is known to dominate the end of the block. */
  bool (*reaches)(ph_func *f, uint32_t v, uint32_t block);
} ph_engine;

PH_VEC(ph_numbers, int64_t)
PH_VEC(ph_exprtypes, ph_exprtype)

/* The rules that a function uses. */
struct ph_matcher {
  ph_ruleset *set;
  ph_arena *arena; /* of the lists below */
  const ph_engine *engine;
  ph_callbacks callbacks;
  bool late;     /* construction is over: uses are exact */
  bool failed;   /* a callback has, or fuel ran out, in the emit under way */
  uint32_t self; /* the instruction that is reconsidered, or 0 */
  uint32_t site; /* the block that an action emits into, or 0 */
  uint32_t ndialects, nspace; /* dialects of f, of the set; `ops` is for them */
  ph_ids ops;                 /* by op of a dialect: the op of the set */
  ph_ids hits;                /* by rule */
  /* Stacks of the nested attempts, the innermost on top. */
  ph_ids values;
  ph_numbers numbers;
  ph_exprtypes types;
};

/* Returns the number in the set of an op of f; PH_NONE: the set does not know
** it. */
ph_op ph_matcher_mapped(const ph_func *f, ph_matcher *m, ph_op op);
static inline ph_op ph_matcher_op(const ph_func *f, ph_matcher *m, ph_op op) {
  if (op < PH_OPS) return op;
  return m->set->space.dialects.n == 0 ? PH_NONE : ph_matcher_mapped(f, m, op);
}

/* Return the tag of a value, with ops as the set numbers them.  A value with
** data has none, since its op alone does not describe it: PH_TEST_DATA looks at
** it. */
uint32_t ph_matcher_consttag(const ph_func *f, const ph_node *n);
static inline uint32_t ph_matcher_tag(const ph_func *f, ph_matcher *m,
                                      uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  if (n->op == PH_CONST) return ph_matcher_consttag(f, n);
  return n->aux != 0 ? (uint32_t)PH_NONE : ph_matcher_op(f, m, n->op);
}

typedef struct ph_asked ph_asked;

/* One instruction that patterns are tested against.  Its slots are the
** matcher's values from `base` on. */
typedef struct {
  ph_func *f;
  ph_matcher *m;
  const ph_ruletable *table;
  ph_pending *p;
  uint32_t base;
  uint32_t numbers, types; /* likewise, for the pattern being tried */
  const ph_pattern *pattern;
  uint32_t chosen;  /* the number of choices made (PH_TEST_LOADS) */
  uint32_t choices; /* a bit each: the operands are exchanged */
  uint32_t tags[PH_SLOTS];
  bool bound;      /* ph_test_bind was called */
  ph_asked *asked; /* what guards have said of it */
} ph_test_state;

static inline uint32_t *ph_test_slots(const ph_test_state *t) {
  return t->m->values.at + t->base;
}
static inline uint32_t ph_test_note(const ph_test_state *t, uint32_t list,
                                    uint32_t i) {
  return t->table->list.notes.at[list + i];
}

/* Returns the value that a variable of the pattern is bound to. */
static inline uint32_t ph_test_var(const ph_test_state *t, uint32_t var) {
  return ph_test_slots(t)[ph_test_note(t, t->pattern->vars, var)];
}
/* Returns the bits of a literal at a type. */
static inline uint64_t ph_test_literal(const ph_rulenode *n, ph_type type) {
  uint64_t top;
  if (n->kind == PH_R_LIT) return n->bits;
  top = (uint64_t)1 << (ph_type_width(type) - 1);
  return n->kind == PH_R_MIN ? top : top - 1;
}

/* True if all tests of t->pattern pass except those that the class table
** decides and those that are tried first, which are not run; false also if a
** callback failed (m->failed). */
bool ph_test_run(ph_test_state *t);
/* Runs all tests of t->pattern, and returns the number of those that pass, with
** the choices for which it is largest. */
uint32_t ph_test_count(ph_test_state *t);

/* Returns how many instructions that the pattern takes apart nothing else uses;
** the search ends at `most`. */
uint32_t ph_test_spare(const ph_test_state *t, uint32_t most);

/* Returns what these instructions cost; `all`: also those that others use. */
uint32_t ph_test_saved(const ph_test_state *t, bool all);

/* Pushes the constants and types of t->pattern above those of the attempts
** around this one, with room for a number for each node of its result; once. */
void ph_test_bind(ph_test_state *t);
/* Returns what the type of the rule is here. */
ph_type ph_test_type(const ph_test_state *t, uint32_t type);
/* Computes an expression of the rule; false: it has no value. */
bool ph_test_eval(ph_test_state *t, uint32_t node, int64_t *value);
/* Returns the data of the instruction in the slot. */
ph_data ph_test_dataof(const ph_test_state *t, uint32_t slot);
/* True if the data are a literal of the rule. */
bool ph_test_isdata(const ph_test_state *t, ph_data data, const ph_rulenode *n);
/* Asks for the constant of a PH_R_HELPER, of that type as ph_callbacks has it;
** false: there is none. */
bool ph_test_help(ph_test_state *t, uint32_t node, ph_type type, ph_data *data);
/* Calls the callback of a PH_R_CALL, with *value for an action, NULL for a
** guard; returns what the callback does. */
int ph_test_call(ph_test_state *t, uint32_t node, ph_value *value);
/* Asks the host for the constant that *p, of an op of a dialect, computes;
** returns what the callback does. */
int ph_matcher_eval(ph_func *f, const ph_pending *p, uint32_t *v);

#pragma GCC visibility pop
#endif
