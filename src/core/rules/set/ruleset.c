/* ruleset.c: sets of rules.
**
** A set is a list of pointers to rules that never change.  So a set over a base
** costs a copy of that list, and a rule is switched off in one set only.  The
** rules of each root op form a chain, in order of definition, with a version:
** comparing versions tells whether rules have changed, and whether a set still
** has exactly those of its base.
*/
#include "core/rules/set/ruleset.h"

#include <assert.h>
#include <string.h>

#include "core/ir/type.h"
#include "phial/rules.h"
#include "core/base/strbuf.h"
#include "core/ir/func.h"
#include "core/ir/intern.h"
#include "core/ir/op.h"

/*
** {== Birth and death ================================================
*/

size_t ph_ruleset_size(void) { return sizeof(ph_ruleset); }

void ph_ruleset_blank(ph_ruleset *set, const ph_mem *mem) {
  memset(set, 0, sizeof *set);
  ph_func_blank(&set->space, mem);
}

static void chain(ph_ruleset *set, ph_op root, uint32_t n) {
  uint32_t last = set->last.at[root];
  if (last == 0)
    set->first.at[root] = n;
  else
    set->next.at[last] = n;
  set->last.at[root] = n;
}

/* Adds the rule in its last step, after all allocations. */
static void enter(ph_ruleset *set, const ph_rule *rule, uint32_t state) {
  ph_arena *a = &set->space.arena;
  uint32_t n = set->rules.n;
  ph_op root = rule == NULL ? PH_NONE : rule->root;
  ph_ids_extend(&set->states, a, n + 1);
  ph_ids_extend(&set->next, a, n + 1);
  ph_ids_extend(&set->first, a, root + 1u);
  ph_ids_extend(&set->last, a, root + 1u);
  ph_ids_extend(&set->version, a, root + 1u);
  ph_rulelist_push(&set->rules, a, rule);
  set->states.at[n] = state;
  if (rule != NULL) chain(set, root, n);
}

void ph_ruleset_change(ph_ruleset *set, ph_op root) {
  assert(!set->frozen && "a frozen set does not change");
  set->version.at[root] = ++set->changes;
}

static void inherit(ph_ruleset *set, const ph_ruleset *base) {
  for (uint32_t i = 0; i < base->space.dialects.n; i++)
    ph_op_attachdialect(&set->space, base->space.dialects.at[i].dialect);
  for (uint32_t n = 1; n < base->rules.n; n++)
    enter(set, base->rules.at[n], base->states.at[n]);
  for (uint32_t op = 0; op < base->version.n; op++)
    set->version.at[op] = base->version.at[op];
  set->changes = base->changes;
}

void ph_ruleset_init(ph_ruleset *set, ph_ruleset *base) {
  const ph_str nameless = {"", 0};
  ph_func_start(&set->space, nameless, PH_NOTYPE, NULL);
  enter(set, NULL, PH_RULE_REMOVED);
  set->base = base;
  if (base == NULL) return;
  if (!base->frozen) base->frozen = true; /* frozen ones are only read */
  inherit(set, base);
}

void ph_ruleset_done(ph_ruleset *set) {
  ph_mem mem = set->space.mem;
  if (set->forget != NULL) set->forget(set);
  ph_func_done(&set->space);
  ph_ruleset_blank(set, &mem);
}

void ph_ruleset_abandon(ph_ruleset *set) {
  ph_arena_done(&set->space.scratch);
  ph_arena_done(&set->space.told);
}

ph_ruleset *ph_ruleset_new(const ph_mem *mem, ph_ruleset *base) {
  ph_ruleset *set = mem->realloc(mem->ud, NULL, 0, sizeof *set);
  ph_ruleset_blank(set, mem);
  ph_ruleset_init(set, base);
  return set;
}

void ph_ruleset_free(ph_ruleset *set) {
  ph_mem mem = set->space.mem;
  if (set->forget != NULL) set->forget(set);
  ph_func_done(&set->space);
  mem.realloc(mem.ud, set, sizeof *set, 0);
}

size_t ph_ruleset_bytes(const ph_ruleset *set) {
  return ph_func_bytes(&set->space);
}

ph_func *ph_ruleset_space(ph_ruleset *set) { return &set->space; }

bool ph_ruleset_isfrozen(const ph_ruleset *set) { return set->frozen; }

/* }== Copies of rules ================================================ */

static ph_str kept(ph_ruleset *set, ph_str s) {
  ph_func *f = &set->space;
  return ph_intern_string(f, ph_intern_add(f, s));
}

static void *copied(ph_ruleset *set, const void *p, size_t n) {
  return memcpy(ph_arena_alloc(&set->space.arena, n), p, n);
}

static ph_rule *copy_of(ph_ruleset *set, const ph_rule *rule) {
  ph_rule *copy = copied(set, rule, sizeof *rule);
  ph_rulevar *vars = copied(set, rule->vars, rule->nvars * sizeof *vars);
  for (uint32_t i = 1; i < rule->nvars; i++)
    vars[i].name = kept(set, vars[i].name);
  copy->name = kept(set, rule->name);
  copy->source = kept(set, rule->source);
  copy->text = kept(set, rule->text);
  copy->unsafe = kept(set, rule->unsafe);
  copy->vars = vars;
  copy->nodes = copied(set, rule->nodes, rule->nnodes * sizeof *rule->nodes);
  copy->types = copied(set, rule->types, rule->ntypes * sizeof *rule->types);
  return copy;
}

void ph_ruleset_append(ph_ruleset *set, const ph_rule *rule) {
  const ph_rule *copy = copy_of(set, rule);
  enter(set, copy, PH_RULE_ON);
  ph_ruleset_change(set, copy->root);
}

/* Copying rules from `from` to `set`, whose dialects have other numbers. */
typedef struct {
  ph_ruleset *set;
  const ph_ruleset *from;
  uint32_t callees;
} moving;

static ph_op moved_op(const moving *m, ph_op op) {
  const ph_attached *a = ph_op_owner(&m->from->space, op);
  if (a == NULL) return op;
  return (ph_op)(ph_op_attachdialect(&m->set->space, a->dialect) +
                 (op - a->op));
}

static ph_type moved_type(const moving *m, ph_type type) {
  const ph_attached *a = ph_type_owner(&m->from->space, type);
  if (a == NULL) return type;
  ph_op_attachdialect(&m->set->space, a->dialect);
  return ph_type_ofdialect(&m->set->space, a->dialect,
                           (ph_type)(type - a->type + PH_TYPES));
}

static const ph_rulenode *moved_nodes(const moving *m, const ph_rule *rule) {
  ph_rulenode *nodes =
      copied(m->set, rule->nodes, rule->nnodes * sizeof *nodes);
  for (uint32_t i = 1; i < rule->nnodes; i++) {
    if (nodes[i].kind == PH_R_OP) nodes[i].op = moved_op(m, nodes[i].op);
    if (nodes[i].kind == PH_R_CALL) nodes[i].var += m->callees;
  }
  return nodes;
}

static const ph_ruletype *moved_types(const moving *m, const ph_rule *rule) {
  ph_ruletype *types =
      copied(m->set, rule->types, rule->ntypes * sizeof *types);
  for (uint32_t i = 1; i < rule->ntypes; i++)
    types[i].fixed = moved_type(m, types[i].fixed);
  return types;
}

static void move(const moving *m, const ph_rule *rule, uint8_t set,
                 uint8_t cleared) {
  ph_rule copy = *rule;
  copy.flags = (uint8_t)((copy.flags | set) & ~cleared);
  copy.root = moved_op(m, rule->root);
  copy.nodes = moved_nodes(m, rule);
  copy.types = moved_types(m, rule);
  ph_ruleset_append(m->set, &copy);
}

void ph_ruleset_include(ph_ruleset *set, const ph_ruleset *from,
                        uint32_t callees) {
  const moving m = {set, from, callees};
  uint32_t shared = 1; /* rules of a common base come first in both */
  while (shared < set->rules.n && shared < from->rules.n &&
         set->rules.at[shared] == from->rules.at[shared])
    shared++;
  for (uint32_t n = shared; n < from->rules.n; n++)
    if (ph_ruleset_ison(from, n)) move(&m, from->rules.at[n], 0, 0);
}

void ph_ruleset_includeone(ph_ruleset *set, const ph_ruleset *from,
                           uint32_t n) {
  const moving m = {set, from, 0};
  assert(0 < n && n < from->rules.n && "from 1 to ph_ruleset_count");
  move(&m, from->rules.at[n], PH_RULE_ALWAYS, PH_RULE_LATE);
}

/* }== Questions ====================================================== */

uint32_t ph_ruleset_count(const ph_ruleset *set) { return set->rules.n - 1; }

static const ph_rule *at(const ph_ruleset *set, uint32_t n) {
  assert(0 < n && n < set->rules.n && "from 1 to ph_ruleset_count");
  return set->rules.at[n];
}

bool ph_ruleset_isremoved(const ph_ruleset *set, uint32_t n) {
  assert(0 < n && n < set->rules.n && "from 1 to ph_ruleset_count");
  return set->states.at[n] == PH_RULE_REMOVED;
}

bool ph_ruleset_isenabled(const ph_ruleset *set, uint32_t n) {
  assert(0 < n && n < set->rules.n && "from 1 to ph_ruleset_count");
  return ph_ruleset_ison(set, n);
}

ph_str ph_ruleset_name(const ph_ruleset *set, uint32_t n) {
  return at(set, n)->name;
}

ph_str ph_ruleset_text(const ph_ruleset *set, uint32_t n) {
  return at(set, n)->text;
}

ph_str ph_ruleset_source(const ph_ruleset *set, uint32_t n) {
  return at(set, n)->source;
}

uint32_t ph_ruleset_line(const ph_ruleset *set, uint32_t n) {
  return at(set, n)->line;
}

void ph_ruleset_print(ph_strbuf *b, const ph_ruleset *set, uint32_t n) {
  const ph_rule *rule = at(set, n);
  if (rule->name.n > 0) {
    ph_strbuf_add(b, rule->name);
    return;
  }
  ph_strbuf_add(b, rule->source);
  ph_strbuf_char(b, ':');
  ph_strbuf_uint(b, rule->line);
}

/* }=================================================================== */
