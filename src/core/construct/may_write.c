/* may_write.c: groups of variables, and may-writes to them.
**
** A variable that joins a group leaves its cell in current_def, and its reads
** and writes take a slower way from then on.  In return a may-write to any
** number of variables is one record.
*/
#include "core/ir/contract.h"
#include "core/ir/event.h"
#include "core/ir/value.h"
#include "core/lookup/state.h"
#include "phial/construct.h"

/*
** {== Groups =========================================================
*/

static uint32_t new_group(ph_func *f, ph_type type) {
  ph_groups *g = ph_groups_of(f);
  ph_grouprecs_push(&g->all, &f->arena, (ph_grouprec){.type = type});
  return g->all.n - 1;
}

static bool has_group(const ph_func *f, ph_group group) {
  return f->groups != NULL && group.id > 0 && group.id < f->groups->all.n;
}

/* Gives var its first membership, for which its definitions leave its cell, or
** another one. */
static void join_group(ph_func *f, uint32_t var, uint32_t group) {
  ph_groups *g = f->groups;
  ph_lazy *l = ph_state_lazy(f);
  ph_member m = {group, l->maywrites.n - 1, 0, 1};
  ph_state_room(f);
  ph_ids_extend(&g->first, &f->arena, var + 1);
  m.next = g->first.at[var];
  if (m.next != 0) m.count += g->members.at[m.next].count;
  if (m.next == 0) ph_current_def_evict(&f->state->defs, &f->working, var);
  ph_members_push(&g->members, &f->arena, m);
  if (g->all.at[group].only == 0)
    ph_idmap_set(&g->all.at[group].since, &f->arena, var, m.since + 1);
  g->all.at[group].bits |= ph_join_skip_bit(var);
  g->first.at[var] = g->members.n - 1;
  f->has_group = true;
  ph_body_derive(f);
}

ph_group ph_group_new(ph_func *f, ph_type type) {
  ph_require(ph_contract_isopen(f) && "a function under construction");
  ph_require(f->deferred == NULL && "construction on the fly");
  ph_require(ph_contract_istype(f, type) && "a type of this function");
  return (ph_group){new_group(f, type)};
}

ph_type ph_group_type(const ph_func *f, ph_group group) {
  ph_require(has_group(ph_ptr(f), group) && "a group of this function");
  return f->groups->all.at[group.id].type;
}

void ph_group_add(ph_func *f, ph_group group, ph_var var) {
  ph_require(ph_contract_isopen(f) && "a function under construction");
  ph_require(has_group(f, group) && "a group of this function");
  ph_require(ph_contract_hasvar(f, var) && "a variable of this function");
  ph_require(f->vars.at[var.id].type == ph_group_type(f, group) &&
             "a variable of the group's type");
  if (ph_idmap_get(&f->groups->all.at[group.id].since, var.id) == 0)
    join_group(f, var.id, group.id);
}

/* Returns the group that is made for this variable alone. */
static ph_group single_group(ph_func *f, ph_var var) {
  ph_groups *g = ph_groups_of(f);
  uint32_t group;
  ph_ids_extend(&g->single, &f->arena, var.id + 1);
  group = g->single.at[var.id];
  if (group != 0) return (ph_group){group};
  group = new_group(f, f->vars.at[var.id].type);
  g->all.at[group].only = var.id;
  join_group(f, var.id, group);
  g->single.at[var.id] = group;
  return (ph_group){group};
}

/* }== May-writes ===================================================== */

static void require_place(const ph_func *f, ph_block b, ph_value v) {
  ph_require(ph_contract_isopen(f) && "a function under construction");
  ph_require(ph_contract_keeps(f, b) && "a block of this function");
  ph_require(!ph_blockrec_of(f, b.id)->filled && "write before the terminator");
  ph_require(ph_contract_hasvalue(f, v) && ph_value_type(f, v) != PH_NOTYPE &&
             "a value of this function");
}

/* Returns what a may-write of v writes: with options.accesses a copy, which
** tells it from others, and is recorded. */
static inline uint32_t written_by(ph_func *f, uint32_t var, uint32_t b,
                                  uint32_t v) {
  v = ph_body_resolve(f, v);
  if (!f->options.accesses) return v;
  v = ph_value_copy(f, var, b, v);
  ph_access_recordmay(f, b, var, v);
  return v;
}

static inline void note_may_write(ph_func *f, uint32_t group, uint32_t b,
                                  uint32_t v) {
  ph_lazy *l = ph_state_lazy(f);
  ph_state_of(f, b);
  ph_lazy_maywrite(f, l, b, group, v);
  ph_current_def_cover(&f->state->defs, &f->working, b,
                       f->groups->all.at[group].bits);
  f->inst_changes++;
}

ph_value ph_build_maywrite(ph_func *f, ph_group group, ph_block b, ph_value v) {
  uint32_t id;
  require_place(f, b, v);
  ph_require(has_group(f, group) && "a group of this function");
  ph_require(ph_group_type(f, group) == ph_value_type(f, v) &&
             "a value of the group's type");
  id = written_by(f, 0, b.id, v.id);
  note_may_write(f, group.id, b.id, id);
  return ph_valueid(id);
}

ph_value ph_build_maywriteto(ph_func *f, const ph_var *vars, uint32_t n,
                             ph_block b, ph_value v) {
  uint32_t id;
  require_place(f, b, v);
  for (uint32_t i = 0; i < n; i++)
    ph_require(ph_contract_hasvar(f, ph_ptr(vars)[i]) &&
               f->vars.at[vars[i].id].type == ph_value_type(f, v) &&
               "variables of this function, of the value's type");
  id = written_by(f, n == 1 ? vars[0].id : 0, b.id, v.id);
  for (uint32_t i = 0; i < n; i++)
    note_may_write(f, single_group(f, vars[i]).id, b.id, id);
  return ph_valueid(id);
}

/* }=================================================================== */
