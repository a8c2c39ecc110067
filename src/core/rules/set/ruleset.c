/* ruleset.c: sets of rules.
**
** A set is a list of pointers to rules that never change.  So a set over a base
** costs a copy of that list, and a rule is switched off in one set only.  The
** rules of each root op form a chain, in order of definition, with a version:
** comparing versions tells whether rules have changed, and whether a set still
** has exactly those of its base.
*/
#include "core/rules/set/ruleset.h"

#include <string.h>

#include "phial/rules.h"
#include "core/base/idmap.h"
#include "core/base/strbuf.h"
#include "core/ir/func.h"
#include "core/ir/intern.h"
#include "core/ir/op.h"

/*
** {== Birth and death ================================================
*/

size_t ph_ruleset_size(void) { return sizeof(ph_ruleset); }

void ph_ruleset_blank(ph_ruleset *set, const ph_mem *mem) {
  memset(ph_ptr(set), 0, sizeof *set);
  ph_func_blank(&set->space, ph_ptr(mem));
}

/* Adds the rule in its last step, after all allocations. */
static void push_rule(ph_ruleset *set, const ph_rule *rule, uint32_t state) {
  ph_arena *a = &set->space.arena;
  uint32_t n = set->rules.n;
  ph_op root = rule == NULL ? PH_NONE : rule->root;
  ph_ids_extend(&set->states, a, n + 1);
  ph_ids_extend(&set->next, a, n + 1);
  ph_ids_extend(&set->first, a, root + 1u);
  ph_ids_extend(&set->last, a, root + 1u);
  ph_ids_extend(&set->version, a, root + 1u);
  ph_ids_extend(&set->data, a, root + 1u);
  ph_rulelist_push(&set->rules, a, rule);
  set->states.at[n] = state;
  if (rule == NULL) return;
  uint32_t last = set->last.at[root];
  if (last == 0)
    set->first.at[root] = n;
  else
    set->next.at[last] = n;
  set->last.at[root] = n;
  set->data.at[root] |= rule->nodes[rule->lhs].bits != 0;
  set->late = set->late || (rule->flags & PH_RULE_LATE);
}

/* To be called when the rules with this root change. */
static void ph_ruleset_change(ph_ruleset *set, ph_op root) {
  ph_must(!set->frozen && "a frozen set does not change");
  set->version.at[root] = ++set->changes;
}

void ph_ruleset_init(ph_ruleset *set, ph_ruleset *base) {
  const ph_str nameless = {"", 0};
  ph_func_start(&ph_ptr(set)->space, nameless, PH_NOTYPE, NULL);
  push_rule(set, NULL, PH_RULE_REMOVED);
  set->base = base;
  if (base == NULL) return;
  if (!base->frozen) base->frozen = true; /* frozen ones are only read */
  for (uint32_t i = 0; i < base->space.dialects.n; i++)
    ph_op_attachdialect(&set->space, base->space.dialects.at[i].dialect);
  for (uint32_t n = 1; n < base->rules.n; n++)
    push_rule(set, base->rules.at[n], base->states.at[n]);
  for (uint32_t op = 0; op < base->version.n; op++)
    set->version.at[op] = base->version.at[op];
  set->changes = base->changes;
}

void ph_ruleset_done(ph_ruleset *set) {
  ph_mem mem = ph_ptr(set)->space.mem;
  if (set->forget != NULL) set->forget(set);
  ph_func_done(&set->space);
  ph_ruleset_blank(set, &mem);
}

ph_ruleset *ph_ruleset_new(const ph_mem *mem, ph_ruleset *base) {
  ph_ruleset *set = ph_ptr(mem)->realloc(mem->ud, NULL, 0, sizeof *set);
  ph_ruleset_blank(set, mem);
  ph_ruleset_init(set, base);
  return set;
}

void ph_ruleset_free(ph_ruleset *set) {
  ph_mem mem;
  if (set == NULL) return;
  mem = set->space.mem;
  ph_ruleset_done(set);
  mem.realloc(mem.ud, set, sizeof *set, 0);
}

size_t ph_ruleset_bytes(const ph_ruleset *set) {
  return ph_func_bytes(&ph_ptr(set)->space);
}

ph_func *ph_ruleset_space(ph_ruleset *set) { return &ph_ptr(set)->space; }

bool ph_ruleset_isfrozen(const ph_ruleset *set) { return ph_ptr(set)->frozen; }

/* }== Copies of rules ================================================ */

static ph_str keep_string(ph_ruleset *set, ph_str s) {
  ph_func *f = &set->space;
  return ph_intern_string(f, ph_intern_add(f, s));
}

static void *copy_bytes(ph_ruleset *set, const void *p, size_t n) {
  return memcpy(ph_arena_alloc(&set->space.arena, n), p, n);
}

static ph_rule *copy_rule(ph_ruleset *set, const ph_rule *rule) {
  ph_rule *copy = copy_bytes(set, rule, sizeof *rule);
  ph_rulevar *vars = copy_bytes(set, rule->vars, rule->nvars * sizeof *vars);
  for (uint32_t i = 1; i < rule->nvars; i++)
    vars[i].name = keep_string(set, vars[i].name);
  copy->name = keep_string(set, rule->name);
  copy->source = keep_string(set, rule->source);
  copy->text = keep_string(set, rule->text);
  copy->unsafe = keep_string(set, rule->unsafe);
  copy->vars = vars;
  copy->nodes =
      copy_bytes(set, rule->nodes, rule->nnodes * sizeof *rule->nodes);
  copy->types =
      copy_bytes(set, rule->types, rule->ntypes * sizeof *rule->types);
  return copy;
}

void ph_ruleset_append(ph_ruleset *set, const ph_rule *rule) {
  const ph_rule *copy = copy_rule(set, rule);
  push_rule(set, copy, PH_RULE_ON);
  ph_ruleset_change(set, copy->root);
}

/* Copying rules from `from` to `set`, whose dialects have other numbers. */
typedef struct {
  ph_ruleset *set;
  const ph_ruleset *from;
  const uint32_t *callees; /* by number; NULL: the same */
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
  return ph_type_in(&m->set->space, &m->from->space, type);
}

static uint32_t moved_callee(const moving *m, uint32_t callee) {
  return m->callees != NULL ? m->callees[callee] : callee;
}

static bool calls_same(const moving *m, const ph_rule *there,
                       const ph_rule *here) {
  for (uint32_t i = 1; i < there->nnodes; i++)
    if (ph_rule_iscall(&there->nodes[i]) &&
        moved_callee(m, there->nodes[i].var) != here->nodes[i].var)
      return false;
  return true;
}

/* Rules by their texts, which are interned. */
typedef struct {
  ph_idmap last; /* by text: the last rule with it */
  ph_ids before; /* by rule: the one before it with the same text, or 0 */
} by_text;

static void enter_text(ph_ruleset *set, by_text *t, uint32_t n) {
  uint32_t text = ph_intern_add(&set->space, set->rules.at[n]->text);
  t->before.at[n] = ph_idmap_get(&t->last, text);
  ph_idmap_set(&t->last, &set->space.scratch, text, n);
}

/* True if the set has the rule of another one: the same text of the same place,
** which calls the same functions. */
static bool has_rule(const moving *m, const by_text *t, const ph_rule *there) {
  uint32_t n =
      ph_idmap_get(&t->last, ph_intern_add(&m->set->space, there->text));
  for (; n != 0; n = t->before.at[n]) {
    const ph_rule *here = m->set->rules.at[n];
    if (m->set->states.at[n] != PH_RULE_REMOVED && here->line == there->line &&
        here->alternative == there->alternative &&
        ph_ascii_same(here->source, there->source) &&
        calls_same(m, there, here))
      return true;
  }
  return false;
}

static void append_moved(const moving *m, const ph_rule *rule, uint8_t set,
                         uint8_t cleared) {
  ph_rule copy = *rule;
  copy.flags = (uint8_t)((copy.flags | set) & ~cleared);
  copy.root = moved_op(m, rule->root);
  ph_rulenode *nodes =
      copy_bytes(m->set, rule->nodes, rule->nnodes * sizeof *nodes);
  for (uint32_t i = 1; i < rule->nnodes; i++) {
    if (nodes[i].kind == PH_R_OP) nodes[i].op = moved_op(m, nodes[i].op);
    if (ph_rule_iscall(&nodes[i])) nodes[i].var = moved_callee(m, nodes[i].var);
  }
  copy.nodes = nodes;
  ph_ruletype *types =
      copy_bytes(m->set, rule->types, rule->ntypes * sizeof *types);
  for (uint32_t i = 1; i < rule->ntypes; i++)
    types[i].fixed = moved_type(m, types[i].fixed);
  copy.types = types;
  ph_ruleset_append(m->set, &copy);
}

void ph_ruleset_include(ph_ruleset *set, const ph_ruleset *from,
                        const uint32_t *callees) {
  const moving m = {ph_ptr(set), ph_ptr(from), callees};
  ph_arena_mark bottom = ph_scratch_enter(&set->space);
  by_text known = {{0}, {0}};
  uint32_t shared = 1; /* rules of a common base come first in both */
  while (shared < set->rules.n && shared < from->rules.n &&
         set->rules.at[shared] == from->rules.at[shared])
    shared++;
  ph_ids_extend(&known.before, &set->space.scratch, set->rules.n);
  for (uint32_t n = set->base != NULL ? set->base->rules.n : 1;
       n < set->rules.n; n++)
    enter_text(set, &known, n);
  for (uint32_t n = shared; n < from->rules.n; n++)
    if (ph_ruleset_ison(from, n) && !has_rule(&m, &known, from->rules.at[n]))
      append_moved(&m, from->rules.at[n], 0, 0);
  ph_scratch_leave(&set->space, bottom);
}

void ph_ruleset_includeone(ph_ruleset *set, const ph_ruleset *from,
                           uint32_t n) {
  const moving m = {ph_ptr(set), ph_ptr(from), NULL};
  ph_must(0 < n && n < from->rules.n && "from 1 to ph_ruleset_count");
  append_moved(&m, from->rules.at[n], PH_RULE_ALWAYS, PH_RULE_LATE);
}

/* }== Weights ======================================================== */

static uint32_t own_weight(const ph_func *space, const ph_rulenode *n) {
  switch (n->kind) {
    case PH_R_OP:
      if (n->op >= PH_OPS) {
        uint32_t cost = ph_op_spec(space, n->op)->cost;
        return cost != 0 ? cost : 3;
      }
      return ph_op_rows[n->op].weight;
    case PH_R_VAR:
    case PH_R_ANY:
      return 1;
    default:
      return 0;
  }
}

uint32_t ph_rule_cost(const ph_func *space, const ph_rulenode *n) {
  uint32_t cost = n->op < PH_OPS ? 1 : ph_op_spec(space, n->op)->cost;
  return cost > 0 ? cost : 1;
}

typedef struct {
  const ph_func *space;
  const ph_rulenode *nodes;
  const ph_rulevar *vars;
  uint32_t nvars;
} weighed;

/* A name of a name of a name ... can mean a tree of any size. */
static void add_most(uint32_t *sum, uint64_t x) {
  *sum = x > UINT32_MAX - *sum ? UINT32_MAX : *sum + (uint32_t)x;
}

/* Adds the weight of a tree that occurs so many times; counts the occurrences
** of its values. */
static void weigh_tree(const weighed *w, uint32_t node, uint32_t times,
                       uint32_t *weight, uint32_t *counts) {
  const ph_rulenode *n = &w->nodes[node];
  add_most(weight, (uint64_t)own_weight(w->space, n) * times);
  if (n->kind == PH_R_VAR) add_most(&counts[n->var], times);
  for (uint32_t kid = n->first; kid != 0; kid = w->nodes[kid].next)
    weigh_tree(w, kid, times, weight, counts);
}

/* A name counts as what it names.  That was read before the name was made, so
** it contains only names with smaller numbers. */
static uint32_t weigh(const weighed *w, uint32_t root, uint32_t *counts) {
  uint32_t weight = 0;
  weigh_tree(w, root, 1, &weight, counts);
  for (uint32_t i = w->nvars; i-- > 1;) {
    if (w->vars[i].node == 0 || counts[i] == 0) continue;
    if (weight != UINT32_MAX) weight -= counts[i];
    weigh_tree(w, w->vars[i].node, counts[i], &weight, counts);
    counts[i] = 0;
  }
  return weight;
}

static bool has_lighter_root(const weighed *w, const ph_rule *rule) {
  const ph_rulenode *to = &w->nodes[rule->rhs], *from = &w->nodes[rule->lhs];
  return to->kind == PH_R_OP &&
         own_weight(w->space, to) < own_weight(w->space, from);
}

ph_weights ph_rule_weigh(const ph_func *space, ph_arena *a, const ph_rule *rule,
                         const ph_rulenode *nodes, const ph_rulevar *vars,
                         uint32_t nvars) {
  const weighed is = {space, nodes, vars, nvars};
  uint32_t *before = ph_arena_zero(a, nvars * sizeof *before);
  uint32_t *after = ph_arena_zero(a, nvars * sizeof *after);
  ph_weights w = {0, 0, false, 0};
  w.pattern = weigh(&is, rule->lhs, before);
  w.result = weigh(&is, rule->rhs, after);
  w.lighter = w.result < w.pattern ||
              (w.result == w.pattern && w.result != UINT32_MAX &&
               has_lighter_root(&is, rule));
  for (uint32_t i = nvars; i-- > 1;)
    if (after[i] > before[i]) w.more = i;
  return w;
}

/* }== Questions ====================================================== */

uint32_t ph_ruleset_count(const ph_ruleset *set) {
  return ph_ptr(set)->rules.n - 1;
}

static const ph_rule *rule_at(const ph_ruleset *set, uint32_t n) {
  ph_must(0 < n && n < set->rules.n && "from 1 to ph_ruleset_count");
  return set->rules.at[n];
}

bool ph_ruleset_isremoved(const ph_ruleset *set, uint32_t n) {
  ph_must(0 < n && n < ph_ptr(set)->rules.n && "from 1 to ph_ruleset_count");
  return set->states.at[n] == PH_RULE_REMOVED;
}

bool ph_ruleset_isenabled(const ph_ruleset *set, uint32_t n) {
  ph_must(0 < n && n < ph_ptr(set)->rules.n && "from 1 to ph_ruleset_count");
  return ph_ruleset_ison(set, n);
}

ph_str ph_ruleset_name(const ph_ruleset *set, uint32_t n) {
  return rule_at(ph_ptr(set), n)->name;
}

ph_str ph_ruleset_text(const ph_ruleset *set, uint32_t n) {
  return rule_at(ph_ptr(set), n)->text;
}

ph_str ph_ruleset_source(const ph_ruleset *set, uint32_t n) {
  return rule_at(ph_ptr(set), n)->source;
}

uint32_t ph_ruleset_line(const ph_ruleset *set, uint32_t n) {
  return rule_at(ph_ptr(set), n)->line;
}

void ph_ruleset_print(ph_strbuf *b, const ph_ruleset *set, uint32_t n) {
  const ph_rule *rule = rule_at(ph_ptr(set), n);
  if (rule->name.n > 0) {
    ph_strbuf_add(ph_ptr(b), rule->name);
    return;
  }
  ph_strbuf_add(b, rule->source);
  ph_strbuf_char(b, ':');
  ph_strbuf_uint(b, rule->line);
}

/* }== Rules by name ================================================== */

/* A hash table maps a name to the last rule that has it; the rules of a name
** form a ring in order of definition.  Rules are entered when a name is first
** looked up, so sets in which none is have no table. */

/* FNV-1a (Fowler, Noll and Vo). */
static uint32_t hash_of(ph_str name) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < name.n; i++)
    h = (h ^ (unsigned char)name.at[i]) * 16777619u;
  return h ^ h >> 16;
}

/* Returns the slot of the name, or a free one. */
static uint32_t *slot_of(const ph_rulenames *all, const ph_ruleset *set,
                         ph_str name) {
  uint32_t mask = all->table.n - 1, i = hash_of(name) & mask;
  while (all->table.at[i] != 0 &&
         !ph_ascii_same(set->rules.at[all->table.at[i]]->name, name))
    i = (i + 1) & mask;
  return &all->table.at[i];
}

/* Makes a larger table. */
static void widen_table(ph_ruleset *set) {
  ph_rulenames *all = &set->names;
  ph_ids old = all->table, wide = {0};
  ph_ids_extend(&wide, &set->space.arena, old.n > 0 ? 2 * old.n : 64);
  all->table = wide;
  for (uint32_t i = 0; i < old.n; i++)
    if (old.at[i] != 0)
      *slot_of(all, set, set->rules.at[old.at[i]]->name) = old.at[i];
  ph_ids_drop(&old, &set->space.arena);
}

/* Adds rule n to the ring of its name; removed rules that are still in it
** leave. */
static void enter_name(ph_ruleset *set, uint32_t n) {
  ph_rulenames *all = &set->names;
  uint32_t *slot = slot_of(all, set, set->rules.at[n]->name);
  uint32_t last = *slot;
  all->count += last == 0;
  if (last != 0 && set->states.at[last] != PH_RULE_REMOVED) {
    all->next.at[n] = all->next.at[last];
    all->next.at[last] = n;
  } else {
    all->next.at[n] = n;
  }
  *slot = n;
}

static void enter_names(ph_ruleset *set) {
  ph_rulenames *all = &set->names;
  ph_ids_extend(&all->next, &set->space.arena, set->rules.n);
  for (; all->met < set->rules.n; all->met++) {
    if (2 * all->count >= all->table.n) widen_table(set);
    if (all->met > 0 && set->rules.at[all->met]->name.n > 0)
      enter_name(set, all->met);
  }
}

uint32_t ph_ruleset_find(ph_ruleset *set, ph_str name) {
  uint32_t last;
  enter_names(ph_ptr(set));
  last = *slot_of(&set->names, set, name);
  return last == 0 ? 0 : set->names.next.at[last];
}

uint32_t ph_ruleset_findnext(const ph_ruleset *set, uint32_t n) {
  uint32_t next;
  ph_must(n < ph_ptr(set)->names.next.n && "a rule that was found");
  next = set->names.next.at[n];
  return next > n ? next : 0;
}

static uint32_t set_states(ph_ruleset *set, ph_str name, uint32_t state) {
  uint32_t found = 0;
  for (uint32_t n = ph_ruleset_find(set, name); n != 0;
       n = ph_ruleset_findnext(set, n)) {
    if (set->states.at[n] == PH_RULE_REMOVED) continue;
    found++;
    if (set->states.at[n] == state) continue;
    ph_ruleset_change(set, set->rules.at[n]->root);
    set->states.at[n] = state;
  }
  return found;
}

uint32_t ph_ruleset_remove(ph_ruleset *set, ph_str name) {
  return set_states(ph_ptr(set), name, PH_RULE_REMOVED);
}

uint32_t ph_ruleset_enable(ph_ruleset *set, ph_str name, bool on) {
  return set_states(ph_ptr(set), name, on ? PH_RULE_ON : PH_RULE_OFF);
}

/* }=================================================================== */
