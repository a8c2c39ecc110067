/* rule_tree.c: R:rules([name]), rules as tables: what solvers, printers and
** other tools read.
**
** The table of each node is made first, then each gets its kids: nothing
** recurses.  A rule never changes, so it may be read while finalizers run.
*/
#include <string.h>

#include "binding/rules/ruleset.h"
#include "binding/state/arg.h"
#include "binding/state/method.h"

/* Stack indices: the arguments, the list of rules, a rule, its nodes. */
enum { SET = 1, NAME, LIST, RULE, NODES };

static void set_string(lua_State *L, const char *field, ph_str s) {
  lua_pushlstring(L, s.at, s.n);
  lua_setfield(L, -2, field);
}

static void set_flag(lua_State *L, const char *field, bool is) {
  if (!is) return;
  lua_pushboolean(L, true);
  lua_setfield(L, -2, field);
}

/* Pushes a name with that of its dialect, if it has one. */
static void push_full(lua_State *L, ph_str dialect, ph_str name) {
  if (dialect.n == 0)
    lua_pushlstring(L, name.at, name.n);
  else
    lua_pushfstring(L, "%s.%s", dialect.at, name.at);
}

/*
** {== Nodes ==========================================================
*/

static const char *const kinds[] = {
    [PH_R_VAR] = "value",       [PH_R_CONST] = "constant",
    [PH_R_LIT] = "literal",     [PH_R_MIN] = "int_min",
    [PH_R_MAX] = "int_max",     [PH_R_ANY] = "any",
    [PH_R_TYPE] = "type",       [PH_R_OP] = "op",
    [PH_R_EXPR] = "expression", [PH_R_LABEL] = "label",
    [PH_R_CALL] = "callback",   [PH_R_ONLY] = "only",
    [PH_R_HELPER] = "helper",   [PH_R_DATA] = "data",
};

static void push_literal(lua_State *L, const ph_rule_node *n) {
  ph_data literal = n->literal;
  lua_Number x;
  memcpy(&x, &literal.bits, sizeof x);
  if (literal.tag == PH_DATA_FLOAT)
    lua_pushnumber(L, x);
  else if (literal.tag == PH_DATA_BOOL)
    lua_pushboolean(L, literal.bits != 0);
  else if (literal.tag == PH_DATA_INT)
    lua_pushinteger(L, (lua_Integer)literal.bits);
  else if (literal.tag == PH_DATA_STR)
    lua_pushlstring(L, n->name.at, n->name.n);
  else
    lua_pushnil(L);
}

/* Pushes the table of a node, without kids. */
static void push_node(lua_State *L, const ph_rule_node *n) {
  lua_createtable(L, (int)n->kids, 3);
  lua_pushstring(L, kinds[n->kind]);
  lua_setfield(L, -2, "kind");
  if (n->type != 0) pl_userdata_setnumber(L, "type", n->type);
  set_flag(L, "once", n->once);
  if (n->name.n > 0 && n->kind != PH_R_LIT) {
    push_full(L, n->dialect, n->name);
    lua_setfield(L, -2,
                 n->kind == PH_R_OP || n->kind == PH_R_EXPR ? "op" : "name");
  }
  if (n->as.n > 0) set_string(L, "as", n->as);
  if (n->kind == PH_R_LIT) {
    push_literal(L, n);
    lua_setfield(L, -2, "value");
  }
  if (n->kind == PH_R_CALL || n->kind == PH_R_HELPER) {
    lua_getiuservalue(L, SET, PL_ITS_CALLEES);
    lua_rawgeti(L, -1, (lua_Integer)n->callback + 1);
    lua_setfield(L, -3, "callback");
    lua_pop(L, 1);
  }
}

/* Makes the tables of all nodes, at NODES. */
static void make_nodes(lua_State *L, const ph_ruleset *set, uint32_t n,
                       uint32_t nodes) {
  lua_createtable(L, (int)nodes, 0);
  for (uint32_t i = 1; i <= nodes; i++) {
    const ph_rule_node node = ph_ruleset_node(set, n, i);
    push_node(L, &node);
    lua_rawseti(L, NODES, i);
  }
  for (uint32_t i = 1; i <= nodes; i++) {
    lua_Integer k = 0;
    const ph_rule_node node = ph_ruleset_node(set, n, i);
    uint32_t kid = node.first;
    lua_rawgeti(L, NODES, i);
    if (node.data != 0) {
      lua_rawgeti(L, NODES, node.data);
      lua_setfield(L, -2, "data");
    }
    for (; kid != 0; kid = ph_ruleset_node(set, n, kid).next) {
      lua_rawgeti(L, NODES, kid);
      lua_rawseti(L, -2, ++k);
    }
    lua_pop(L, 1);
  }
}

/* }== Rules ========================================================== */

/* Pushes the list of the names of types that a type of rule n can be. */
static void push_types(lua_State *L, pl_ruleset *r, uint32_t n, uint32_t type) {
  const ph_func *space = ph_ruleset_space(r->set);
  lua_Integer k = 0;
  lua_newtable(L);
  for (ph_type one = PH_I1; one < PH_TYPES + r->ntypes; one++) {
    if (one == PH_KNOWN_TYPES) one = PH_TYPES;
    if (one == PH_TYPES + r->ntypes) break;
    if (!ph_ruleset_allows(r->set, n, type, one)) continue;
    push_full(L, ph_type_dialect(space, one), ph_type_name(space, one));
    lua_rawseti(L, -2, ++k);
  }
}

static void set_attributes(lua_State *L, const ph_ruleset *set, uint32_t n,
                           const ph_rule_tree *t) {
  if (ph_ruleset_name(set, n).n > 0)
    set_string(L, "name", ph_ruleset_name(set, n));
  set_string(L, "text", ph_ruleset_text(set, n));
  set_string(L, "source", ph_ruleset_source(set, n));
  pl_userdata_setnumber(L, "line", ph_ruleset_line(set, n));
  if (t->alternative > 0)
    pl_userdata_setnumber(L, "alternative", t->alternative);
  pl_userdata_setnumber(L, "prio", t->prio);
  set_flag(L, "late", t->late);
  set_flag(L, "always", t->always);
  set_flag(L, "unoriented", t->unoriented);
  set_flag(L, "tested", t->tested);
  if (t->unsafe != NULL) set_string(L, "unsafe", *t->unsafe);
}

static void set_tree(lua_State *L, const char *field, uint32_t node) {
  if (node == 0) return;
  lua_rawgeti(L, NODES, node);
  lua_setfield(L, RULE, field);
}

/* Appends rule n, if it is on, to the list. */
static void append_rule(lua_State *L, pl_ruleset *r, uint32_t n) {
  const ph_rule_tree t = ph_ruleset_tree(r->set, n);
  if (ph_ruleset_isremoved(r->set, n) || !ph_ruleset_isenabled(r->set, n))
    return;
  lua_newtable(L);
  set_attributes(L, r->set, n, &t);
  lua_createtable(L, (int)t.types, 0);
  for (uint32_t i = 1; i <= t.types; i++) {
    push_types(L, r, n, i);
    lua_rawseti(L, -2, i);
  }
  lua_setfield(L, RULE, "types");
  make_nodes(L, r->set, n, t.nodes);
  set_tree(L, "pattern", t.pattern);
  set_tree(L, "result", t.result);
  set_tree(L, "guard", t.guard);
  lua_settop(L, RULE);
  lua_rawseti(L, LIST, (lua_Integer)lua_rawlen(L, LIST) + 1);
}

/* R:rules([name]): the rules that are on, or those of that name, in order */
static int l_rules(lua_State *L) {
  pl_ruleset *r = pl_ruleset_check(L, SET);
  ph_str name = {"", 0};
  if (lua_gettop(L) > NAME) pl_arg_count(L, 0, 1);
  lua_settop(L, NAME);
  if (!lua_isnil(L, NAME)) name = pl_arg_str(L, NAME);
  luaL_checkstack(L, NODES + 6, NULL);
  lua_newtable(L);
  if (name.n == 0)
    for (uint32_t i = 1; i <= ph_ruleset_count(r->set); i++)
      append_rule(L, r, i);
  for (uint32_t i = name.n > 0 ? ph_ruleset_find(r->set, name) : 0; i != 0;
       i = ph_ruleset_findnext(r->set, i))
    append_rule(L, r, i);
  if (name.n > 0 && lua_rawlen(L, LIST) == 0) pl_ruleset_refusename(L, 2);
  return pl_ruleset_return(L, r, 1);
}

/* }=================================================================== */

const pl_method pl_rule_tree_methods[] = {
    {PL_OF_RULES, "rules", l_rules},
    {0},
};
