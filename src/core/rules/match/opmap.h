/* opmap.h: the rules that a function uses, and what they are applied to. */
#ifndef PH_RULES_MATCH_OPMAP_H
#define PH_RULES_MATCH_OPMAP_H

#include "phial/peephole.h"
#include "core/rules/match/rule_table.h"
#include "core/rules/set/constexpr.h"
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
  uint32_t rule; /* the last one applied */
} ph_pending;

typedef enum {
  PH_MATCH_NONE,  /* no rule applies */
  PH_MATCH_VALUE, /* args[0] is its value */
  PH_MATCH_AGAIN, /* it is another one now: start again */
  PH_MATCH_FAILED /* a callback failed: undo all, and report */
} ph_matched;

/* The services that matching needs from construction. */
typedef struct {
  /* Called before the result of a rule is made. */
  void (*apply)(ph_func *f, uint32_t rule);
  /* Returns the value of an instruction at the end of the block, an existing or
  ** a new one; 0: it failed.  With `only`, nothing may be appended: 0 then
  ** means that it would be necessary.  Operands are copied first. */
  uint32_t (*emit)(ph_func *f, uint32_t block, ph_op op, ph_type type,
                   const uint32_t *args, uint32_t n, bool only);
  /* Removes what was appended since the mark. */
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
  bool late;                  /* construction is over: uses are exact */
  bool failed;                /* a callback has */
  uint32_t self;              /* the instruction that is reconsidered, or 0 */
  uint32_t site;              /* the block that an action emits into, or 0 */
  uint32_t ndialects, nspace; /* dialects of f, of the set; `ops` is for them */
  ph_ids ops;                 /* by op of a dialect: the op of the set */
  ph_ids hits;                /* by rule */
  /* Stacks of the nested attempts, the innermost on top. */
  ph_ids values;
  ph_numbers numbers;
  ph_exprtypes types;
};

/* Convert op numbers between f and the set; PH_NONE if the other does not know
** the op. */
ph_op ph_opmap_mapped(const ph_func *f, ph_matcher *m, ph_op op);
static inline ph_op ph_opmap_op(const ph_func *f, ph_matcher *m, ph_op op) {
  return op < PH_OPS ? op : ph_opmap_mapped(f, m, op);
}
ph_op ph_opmap_ownop(const ph_func *f, const ph_matcher *m, ph_op op);
/* Converts a type of the set to one of f, or PH_NOTYPE. */
ph_type ph_opmap_owntype(const ph_func *f, const ph_matcher *m, ph_type type);

/* Return the tag of a value, with ops as the set numbers them.  A value with
** data has none, since its op alone does not describe it: no pattern matches
** it. */
uint32_t ph_opmap_consttag(const ph_func *f, const ph_node *n);
static inline uint32_t ph_opmap_tag(const ph_func *f, ph_matcher *m,
                                    uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  if (n->op == PH_CONST) return ph_opmap_consttag(f, n);
  return n->aux != 0 ? (uint32_t)PH_NONE : ph_opmap_op(f, m, n->op);
}

#pragma GCC visibility pop
#endif
