/* rule_names.c: rules by name.
**
** A hash table maps a name to the last rule that has it; the rules of a name
** form a ring in order of definition.  Rules are entered when somebody first
** asks, so sets whose names nobody uses have no table.
*/
#include <string.h>

#include "core/rules/set/ruleset.h"
#include "phial/rules.h"

/* FNV-1a (Fowler, Noll and Vo). */
static uint32_t hash_of(ph_str name) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < name.n; i++)
    h = (h ^ (unsigned char)name.at[i]) * 16777619u;
  return h ^ h >> 16;
}

static bool is_named(const ph_ruleset *set, uint32_t n, ph_str name) {
  const ph_rule *rule = set->rules.at[n];
  return rule->name.n == name.n && memcmp(rule->name.at, name.at, name.n) == 0;
}

/* Returns the slot of the name, or a free one. */
static uint32_t *slot_of(const ph_rulenames *all, const ph_ruleset *set,
                         ph_str name) {
  uint32_t mask = all->table.n - 1, i = hash_of(name) & mask;
  while (all->table.at[i] != 0 && !is_named(set, all->table.at[i], name))
    i = (i + 1) & mask;
  return &all->table.at[i];
}

/* Makes a larger table. */
static void widen(ph_ruleset *set) {
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
static void enter(ph_ruleset *set, uint32_t n) {
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

static void enter_all(ph_ruleset *set) {
  ph_rulenames *all = &set->names;
  ph_ids_extend(&all->next, &set->space.arena, set->rules.n);
  for (; all->met < set->rules.n; all->met++) {
    if (2 * all->count >= all->table.n) widen(set);
    if (all->met > 0 && set->rules.at[all->met]->name.n > 0)
      enter(set, all->met);
  }
}

uint32_t ph_ruleset_find(ph_ruleset *set, ph_str name) {
  uint32_t last;
  enter_all(set);
  last = *slot_of(&set->names, set, name);
  return last == 0 ? 0 : set->names.next.at[last];
}

uint32_t ph_ruleset_findnext(const ph_ruleset *set, uint32_t n) {
  uint32_t next = set->names.next.at[n];
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
  return set_states(set, name, PH_RULE_REMOVED);
}

uint32_t ph_ruleset_enable(ph_ruleset *set, ph_str name, bool on) {
  return set_states(set, name, on ? PH_RULE_ON : PH_RULE_OFF);
}
