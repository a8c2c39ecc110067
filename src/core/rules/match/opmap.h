/* opmap.h: the rules that a function uses, and what they are applied to. */
#ifndef PH_RULES_MATCH_OPMAP_H
#define PH_RULES_MATCH_OPMAP_H

#include "phial/peephole.h"
#include "core/rules/match/rule_table.h"
#include "core/rules/set/constexpr.h"

/* An instruction to be: operands are resolved and in canonical order; in its
** arrays there is room for `room` operands and as many targets.  A result that
** needs more gets other arrays, from f->scratch. */
typedef struct {
  uint32_t block; /* at whose end it is to stand */
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
  PH_MATCH_AGAIN, /* it has become another one: begin again */
  PH_MATCH_FAILED /* a function of the host failed: undo all, and tell */
} ph_matched;

/* What matching needs of who makes instructions. */
typedef struct {
  /* The result of the rule is about to be made. */
  void (*apply)(ph_func *f, uint32_t rule);
  /* The value of an instruction at the end of the block: an existing one or a
  ** new one; 0: it failed.  With `only`, nothing may be appended: 0 then says
  ** that it would have to be.  The operands are copied before anything else. */
  uint32_t (*emit)(ph_func *f, uint32_t block, ph_op op, ph_type type,
                   const uint32_t *args, uint32_t n, bool only);
  /* Takes back what was appended since the mark. */
  uint32_t (*mark)(ph_func *f);
  void (*undo)(ph_func *f, uint32_t mark);
  /* Is v known to dominate the end of the block? */
  bool (*reaches)(ph_func *f, uint32_t v, uint32_t block);
} ph_engine;

PH_VEC(ph_numbers, int64_t)
PH_VEC(ph_exprtypes, ph_exprtype)

/* The rules that a function uses. */
struct ph_matcher {
  ph_ruleset *set;
  const ph_engine *engine;
  ph_callbacks callbacks;
  bool late;                  /* construction is over: uses are exact */
  bool failed;                /* a function of the host has */
  uint32_t self;              /* the instruction that is reconsidered, or 0 */
  uint32_t site;              /* the block that an action emits into, or 0 */
  uint32_t ndialects, nspace; /* of the function, the set: for which ... */
  ph_ids ops;                 /* by op of a dialect: the op of the set */
  ph_ids hits;                /* by rule */
  /* Of the attempts under way, the innermost last. */
  ph_ids values;
  ph_numbers numbers;
  ph_exprtypes types;
};

/* The number in the set of an op of f, and of an op of the set in f; PH_NONE
** when the other does not know it. */
ph_op ph_opmap_mapped(ph_func *f, ph_op op);
static inline ph_op ph_opmap_op(ph_func *f, ph_op op) {
  return op < PH_OPS ? op : ph_opmap_mapped(f, op);
}
ph_op ph_opmap_ownop(const ph_func *f, ph_op op);
/* The type of the set in f, or PH_NOTYPE. */
ph_type ph_opmap_owntype(const ph_func *f, ph_type type);

/* The tag of a value, with ops as the set numbers them.  What carries data is
** not what the op alone says: no pattern fits it. */
uint32_t ph_opmap_consttag(const ph_func *f, const ph_node *n);
static inline uint32_t ph_opmap_tag(ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  if (n->op == PH_CONST) return ph_opmap_consttag(f, n);
  return n->aux != 0 ? (uint32_t)PH_NONE : ph_opmap_op(f, n->op);
}

#endif
