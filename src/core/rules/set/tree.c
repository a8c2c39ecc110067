/* tree.c: rules as trees, for hosts. */

#include "core/ir/op.h"
#include "core/rules/set/constexpr.h"

static const ph_rule *rule_at(const ph_ruleset *set, uint32_t n) {
  ph_must(0 < n && n < set->rules.n && "from 1 to ph_ruleset_count");
  return set->rules.at[n];
}

ph_rule_tree ph_ruleset_tree(const ph_ruleset *set, uint32_t n) {
  const ph_rule *rule = rule_at(ph_ptr(set), n);
  ph_rule_tree t = {.pattern = rule->lhs,
                    .result = rule->rhs,
                    .guard = rule->guard,
                    .nodes = rule->nnodes - 1,
                    .types = rule->ntypes - 1,
                    .alternative = rule->alternative,
                    .prio = rule->prio,
                    .late = (rule->flags & PH_RULE_LATE) != 0,
                    .always = (rule->flags & PH_RULE_ALWAYS) != 0,
                    .unoriented = (rule->flags & PH_RULE_UNORIENTED) != 0,
                    .tested = (rule->flags & PH_RULE_SAMPLED) != 0};
  if ((rule->flags & PH_RULE_UNSAFE) != 0) t.unsafe = &rule->unsafe;
  return t;
}

/* The name of an op, or of what only rules have. */
static ph_str op_name(const ph_ruleset *set, uint16_t op) {
  static const char *const logical[] = {"and", "or", "not"};
  const ph_function *f = ph_function_row(op);
  const char *name;
  if (op < PH_F_AND) return ph_op_name(&set->space, op);
  name = f != NULL ? f->name : logical[op - PH_F_AND];
  return (ph_str){name, strlen(name)};
}

ph_rule_node ph_ruleset_node(const ph_ruleset *set, uint32_t n, uint32_t node) {
  const ph_rule *rule = rule_at(ph_ptr(set), n);
  const ph_rulenode *at = &rule->nodes[node];
  ph_rule_node it = {.kind = at->kind,
                     .type = at->type,
                     .kids = at->nkids,
                     .first = at->first,
                     .next = at->next,
                     .once = at->once};
  ph_must(0 < node && node < rule->nnodes && "a node of the rule");
  if (it.kind == PH_R_OP) it.dialect = ph_op_dialect(&set->space, at->op);
  if (it.kind == PH_R_OP || it.kind == PH_R_EXPR)
    it.name = op_name(set, at->op);
  else if (it.kind == PH_R_VAR || it.kind == PH_R_CONST ||
           it.kind == PH_R_LABEL || it.kind == PH_R_DATA)
    it.name = rule->vars[at->var].name;
  else if (it.kind == PH_R_LIT)
    it.literal = (ph_data){.tag = at->var, .bits = at->bits};
  else if (ph_rule_iscall(at))
    it.callback = at->var;
  if (it.kind == PH_R_LIT && at->var == PH_DATA_STR)
    it.name = rule->vars[at->op].name;
  if (it.kind == PH_R_OP) it.as = rule->vars[at->var].name;
  if (it.kind == PH_R_OP) it.data = (uint32_t)at->bits;
  return it;
}

bool ph_ruleset_allows(const ph_ruleset *set, uint32_t n, uint32_t type,
                       ph_type one) {
  const ph_rule *rule = rule_at(ph_ptr(set), n);
  const ph_ruletype *t = &rule->types[type];
  ph_must(0 < type && type < rule->ntypes && "a type of the rule");
  if (t->fixed != PH_NOTYPE) return one == t->fixed;
  return one >= PH_TYPES ? t->dialects : (t->mask & 1u << one) != 0;
}
