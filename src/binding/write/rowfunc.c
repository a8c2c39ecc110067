/* rowfunc.c: what rows that are functions ask of a function that is being
** written, and write.
*/
#include "binding/state/arg.h"
#include "binding/state/method.h"
#include "binding/write/writing.h"

/*
** {== All languages ==================================================
*/

static uint32_t take_id(lua_State *L, const pl_writing *w, int arg) {
  lua_Integer id = luaL_checkinteger(L, arg);
  luaL_argcheck(L, id > 0 && (uint32_t)id < w->nvalues, arg, "no such value");
  return (uint32_t)id;
}

/* The edge of the current block whose number from 1 is argument 2. */
static uint32_t take_edge(lua_State *L, const pl_writing *w) {
  uint32_t n = ph_block_nsuccs(w->program.f, pl_writing_block(w, w->block));
  return (uint32_t)pl_arg_int(L, 2, 1, n) - 1;
}

static void push_span(lua_State *L, const pl_writing *w, pl_span s) {
  lua_pushlstring(L, w->names.at + s.at, s.n);
}

/* w:text(id[, form]): an operand */
PL_WRITING_METHOD(text) {
  uint32_t id = take_id(L, w, 2);
  const char *form = luaL_optstring(L, 3, "");
  size_t start = w->text.n;
  pl_fill_operand(w, id, *form);
  pl_writing_take(w, start);
  return 1;
}

/* w:filled(id, pattern): with the operands of an instruction */
PL_WRITING_METHOD(filled) {
  uint32_t id = take_id(L, w, 2);
  size_t start = w->text.n;
  luaL_checkstring(L, 3);
  lua_settop(L, 3);
  pl_fill_pattern(w, id);
  pl_writing_take(w, start);
  return 1;
}

/* w:line(text), w:directive(text) */
PL_WRITING_METHOD(line) {
  luaL_checkstring(L, 2);
  lua_settop(L, 2);
  pl_writing_begin(w);
  pl_writing_addtop(w);
  pl_writing_end(w);
  return 0;
}
PL_WRITING_METHOD(directive) {
  luaL_checkstring(L, 2);
  lua_settop(L, 2);
  pl_writing_addtop(w);
  pl_writing_add(w, "\n", 1);
  return 0;
}

PL_WRITING_METHOD(indent) {
  w->indent += (uint32_t)luaL_checkinteger(L, 2);
  return 0;
}

/* w:set(id, text): assigns it */
PL_WRITING_METHOD(set) {
  uint32_t id = take_id(L, w, 2);
  luaL_checkstring(L, 3);
  lua_settop(L, 3);
  pl_blocks_set(w, id, NULL);
  return 0;
}

/* w:trap(id, test or nil, why) */
PL_WRITING_METHOD(trap) {
  uint32_t id = take_id(L, w, 2);
  size_t start = w->text.n;
  bool always = lua_isnil(L, 3);
  luaL_checkstring(L, 4);
  lua_settop(L, 4);
  if (!w->traps) return 0;
  if (!always) {
    lua_pushvalue(L, 3);
    pl_writing_addtop(w);
  }
  pl_trap_write(w, id, start, always);
  return 0;
}

/* w:go(i[, may_fall]): edge i of the current block */
PL_WRITING_METHOD(go) {
  uint32_t i = take_edge(L, w);
  pl_blocks_go(w, i, lua_toboolean(L, 3));
  return 0;
}

/* w:jump(i): edge i as a statement on one line; in SSA form the label of its
** target */
PL_WRITING_METHOD(jump) {
  uint32_t i = take_edge(L, w);
  size_t start = w->text.n;
  if (w->language->ssa)
    pl_writing_text(w, pl_names_target(w, i));
  else
    pl_blocks_addstatement(w, i);
  pl_writing_take(w, start);
  return 1;
}

/* w:restart(): a jump to the first block */
PL_WRITING_METHOD(restart) {
  (void)L;
  pl_blocks_jump(w, 0, 0);
  return 0;
}

/* w:target(i): the number of the block to which edge i of the current block goes,
** and whether it has moves */
PL_WRITING_METHOD(target) {
  ph_block b = pl_writing_block(w, w->block);
  uint32_t i = take_edge(L, w), edge = ph_block_succedge(w->program.f, b, i);
  lua_pushinteger(L, (lua_Integer)pl_blocks_target(w, i) + 1);
  lua_pushboolean(L, pl_blocks_hasmoves(w, edge));
  return 2;
}

/* w:edges(): how many the current block has */
PL_WRITING_METHOD(edges) {
  lua_pushinteger(L,
                  ph_block_nsuccs(w->program.f, pl_writing_block(w, w->block)));
  return 1;
}

/* w:results(id): the ids of its further results */
PL_WRITING_METHOD(results) {
  uint32_t id = take_id(L, w, 2), n = 0;
  lua_newtable(L);
  pl_writing_check(w);
  for (id = w->program.next[id]; id != 0; id = w->program.next[id]) {
    lua_pushinteger(L, id);
    lua_rawseti(L, -2, ++n);
    pl_writing_check(w);
  }
  return 1;
}

/* w:about(id): op, type, name, uses, whether it is declared where it is assigned,
** inline, and whether it keeps one of several values */
PL_WRITING_METHOD(about) {
  uint32_t id = take_id(L, w, 2);
  const pl_written *v = &w->values[id];
  const pl_variable *it = &w->variables[v->variable];
  const ph_func *f = w->program.f;
  ph_type type = ph_value_type(f, pl_valueid(id));
  ph_op op = ph_value_op(f, pl_valueid(id));
  lua_settop(L, 2);
  lua_pushstring(L, op < PH_OPS ? ph_op_row(op)->name : NULL);
  pl_writing_check(w);
  if (type == PH_NOTYPE)
    lua_pushnil(L);
  else
    lua_pushlstring(L, ph_type_name(f, type).at, ph_type_name(f, type).n);
  pl_writing_check(w);
  if (v->name.n > 0)
    push_span(L, w, v->name);
  else
    lua_pushnil(L);
  pl_writing_check(w);
  lua_pushinteger(L, v->uses);
  lua_pushboolean(L, v->variable != 0 && it->is_local);
  lua_pushboolean(L, (v->flags & PL_IS_INLINE) != 0);
  lua_pushboolean(L, v->variable != 0 && it->shared && it->kept);
  lua_pushboolean(L, v->position == 0);
  return 8;
}

enum { COLUMNS = 80 };

/* Declares the variables of a type, from `first` on, in lines of several. */
static void declare(pl_writing *w, ph_type type, size_t first) {
  const uint32_t *at = (const uint32_t *)(const void *)w->declared.at;
  pl_span word = w->language->types[type]['D' - 'A'],
          stars = {word.at + word.n, 0};
  size_t line = 0; /* where it begins */
  bool is_begun = false;
  while (stars.n < word.n && w->language->t.texts.at[stars.at - 1] == '*') {
    stars.at--;
    stars.n++;
  }
  for (size_t i = first; i < w->declared.n / sizeof *at; i++) {
    const pl_variable *it = &w->variables[at[i]];
    if (it->type != type) continue;
    if (is_begun && w->text.n - line + it->name.n + 3 > COLUMNS) {
      pl_writing_puts(w, ";\n");
      is_begun = false;
    }
    if (!is_begun) {
      is_begun = true;
      line = w->text.n;
      pl_writing_puts(w, "  ");
      pl_writing_span(w, word);
    } else {
      pl_writing_puts(w, ", ");
      pl_writing_span(w, stars);
    }
    pl_writing_text(w, it->name);
  }
  pl_writing_puts(w, ";\n");
}

/* w:declared(): the declarations of variables, except those that are declared
** where they are assigned; in a language with few locals, their names */
PL_WRITING_METHOD(declared) {
  const uint32_t *at = (const uint32_t *)(const void *)w->declared.at;
  size_t start = w->text.n;
  bool done[PH_KNOWN_TYPES] = {false};
  (void)L;
  for (size_t i = 0; i < w->declared.n / sizeof *at; i++) {
    ph_type type = w->variables[at[i]].type;
    if (w->language->few) {
      if (i > 0) pl_writing_puts(w, ", ");
      pl_writing_text(w, w->variables[at[i]].name);
    }
    if (w->language->few || !pl_language_has(w->language, type)) continue;
    if (!done[type]) declare(w, type, i);
    done[type] = true;
  }
  pl_writing_take(w, start);
  return 1;
}

/* True if compilers may see what an operand is: what is written of it has no
** variable, or none that decides. */
static bool is_foldable(pl_writing *w, uint32_t id) {
  const pl_written *v = &w->values[id];
  pl_now now;
  pl_shape shape;
  ph_effect effect;
  if (v->position == 0 || (v->flags & PL_IS_NAME) != 0) return true;
  if ((v->flags & PL_IS_INLINE) == 0) return false;
  now = pl_row_now(w, id);
  effect = ph_op_effect(w->program.f, now.op);
  if (effect == PH_EFFECT_READ || effect == PH_EFFECT_WRITE) return false;
  if (now.op == PH_SELECT) return is_foldable(w, now.args[0]);
  shape = pl_row_shape(w, &now);
  if (shape.atoms) return true;
  for (uint32_t i = 0; i < now.nargs; i++)
    if (is_foldable(w, now.args[i]) == shape.lazy) return shape.lazy;
  return !shape.lazy;
}

PL_WRITING_METHOD(foldable) {
  lua_pushboolean(L, is_foldable(w, take_id(L, w, 2)));
  return 1;
}

/* }== Few locals ===================================================== */

/* w:blocks(): how many there are; before the first is written, also whether the
** locals are too many, and how many edges lead across the beginning of a block at
** most */
PL_WRITING_METHOD(blocks) {
  lua_pushinteger(L, w->program.nblocks);
  if (w->begun) return 1;
  lua_pushboolean(L, !w->few.fits);
  lua_pushinteger(L, pl_locals_crossing(w));
  return 3;
}

enum { ALL, INSTRUCTIONS, END };

static int write_part(lua_State *L, void *ud) {
  pl_writing *w = ud;
  uint32_t number = (uint32_t)lua_tointeger(L, 2) - 1;
  lua_Integer part = lua_tointeger(L, 3);
  size_t start = w->text.n;
  w->L = L;
  if (part != END) {
    w->few.declares = false;
    pl_blocks_start(w, number);
    pl_blocks_instructions(w, number);
  }
  if (part != INSTRUCTIONS) {
    pl_blocks_end(w, number);
    pl_locals_leave(w, number);
  }
  pl_writing_take(w, start);
  return 1;
}

/* w:block(number[, "instructions"|"end"]): the text of a block, after those
** before it, and whether locals are declared in it */
PL_WRITING_METHOD(block) {
  static const char *const parts[] = {"all", "instructions", "end", NULL};
  int part = luaL_checkoption(L, 3, "all", parts);
  pl_arg_int(L, 2, 1, w->program.nblocks);
  if (pl_writing_isbusy(w)) pl_writing_refuse(L);
  lua_settop(L, 2);
  lua_pushinteger(L, part);
  for (int i = 1; i <= 3; i++) lua_pushvalue(L, i);
  pl_writing_protect(w, write_part, 3);
  lua_pushboolean(L, w->few.declares);
  return 2;
}

/* w:declare(id): declares the local of a value that is assigned later */
PL_WRITING_METHOD(declare) {
  uint32_t id = take_id(L, w, 2);
  if ((w->values[id].flags & PL_IS_LOCAL) == 0) return 0;
  pl_writing_begin(w);
  pl_writing_target(w, id);
  pl_writing_end(w);
  w->values[id].flags &= (uint8_t)~PL_IS_LOCAL;
  return 0;
}

/* w:home(id): where other blocks find a value, or nothing */
PL_WRITING_METHOD(home) {
  uint32_t id = take_id(L, w, 2);
  pl_span home = pl_variableof(w, id)->name;
  if (w->values[id].variable == 0 || home.n == 0) return 0;
  push_span(L, w, home);
  return 1;
}

/* w:is_target(number): something goes to the block; its label, and its id */
PL_WRITING_METHOD(is_target) {
  uint32_t number = (uint32_t)pl_arg_int(L, 2, 1, w->program.nblocks) - 1;
  size_t start = w->text.n;
  lua_pushboolean(L, w->targets[number]);
  pl_writing_text(w, w->labels[number]);
  pl_writing_take(w, start);
  lua_pushinteger(L, pl_writing_block(w, number).id);
  return 3;
}

/* }== Names ========================================================== */

/* w:take(wanted): a new name, for a value or label, without its sigil; with it */
PL_WRITING_METHOD(take) {
  size_t n;
  const char *wanted = luaL_checklstring(L, 2, &n);
  pl_span name = pl_names_take(w, &w->taken, (ph_str){wanted, n});
  push_span(L, w, name);
  pl_writing_check(w);
  push_span(L, w, pl_names_sigil(w, name));
  return 2;
}

/* }== SSA form ======================================================= */

static pl_writing *of_ssa(lua_State *L, pl_writing *w) {
  if (!w->language->ssa) pl_error_plain(L, "the language has no SSA form");
  return w;
}

/* w:start(label): begins a block */
PL_WRITING_METHOD(start) {
  pl_span label = {0, 0};
  lua_settop(L, 2);
  luaL_checkstring(L, 2);
  label = pl_writing_copyname(of_ssa(L, w));
  pl_names_start(w, label);
  return 0;
}

/* w:name(id, text): what stands for a value from now on */
PL_WRITING_METHOD(name) {
  pl_written *v = &w->values[take_id(L, w, 2)];
  luaL_checkstring(L, 3);
  lua_settop(L, 3);
  v->name = pl_writing_copyname(of_ssa(L, w));
  return 0;
}

/* w:write(id): the lines of one instruction */
PL_WRITING_METHOD(write) {
  size_t start = of_ssa(L, w)->text.n;
  w->indent = 1;
  pl_ssa_write(w, take_id(L, w, 2));
  pl_writing_take(w, start);
  return 1;
}

/* w:params(): the parameters as a language in SSA form has arguments; else their
** declarations, and whether some has a sign, or nothing uses it */
PL_WRITING_METHOD(params) {
  size_t start = w->text.n;
  bool is_odd = false;
  for (uint32_t i = 0; i < ph_value_nparams(w->program.f); i++) {
    if (i > 0) pl_writing_puts(w, ", ");
    if (w->language->ssa)
      pl_fill_argument(w, ph_value_param(w->program.f, i).id);
    else if (!w->language->few)
      is_odd = pl_plan_param(w, i) || is_odd;
  }
  pl_writing_take(w, start);
  lua_pushboolean(L, is_odd);
  return 2;
}

/* w:given(): the names of the parameters where the function begins */
PL_WRITING_METHOD(given) {
  uint32_t n = ph_value_nparams(w->program.f);
  bool has_own = w->given.n / sizeof(pl_span) == n;
  lua_createtable(L, (int)n, 0);
  pl_writing_check(w);
  for (uint32_t i = 0; i < n; i++) {
    push_span(L, w,
              has_own ? ((const pl_span *)(const void *)w->given.at)[i]
                      : w->values[ph_value_param(w->program.f, i).id].name);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
    pl_writing_check(w);
  }
  return 1;
}

/* w:position(): line and file of the first instruction that has one */
PL_WRITING_METHOD(position) {
  ph_srcloc loc;
  ph_str file;
  if (w->lines.first == 0) return 0;
  loc = ph_value_loc(w->program.f, pl_valueid(w->lines.first));
  file = ph_intern_string(w->program.f, loc.file);
  lua_pushinteger(L, loc.line);
  if (loc.file == 0) return 1;
  lua_pushlstring(L, file.at, file.n);
  return 2;
}

/* }=================================================================== */

const pl_method pl_rowfunc_methods[] = {
    {PL_OF_WRITING, "text", l_text},
    {PL_OF_WRITING, "filled", l_filled},
    {PL_OF_WRITING, "line", l_line},
    {PL_OF_WRITING, "directive", l_directive},
    {PL_OF_WRITING, "indent", l_indent},
    {PL_OF_WRITING, "set", l_set},
    {PL_OF_WRITING, "trap", l_trap},
    {PL_OF_WRITING, "go", l_go},
    {PL_OF_WRITING, "jump", l_jump},
    {PL_OF_WRITING, "restart", l_restart},
    {PL_OF_WRITING, "target", l_target},
    {PL_OF_WRITING, "edges", l_edges},
    {PL_OF_WRITING, "results", l_results},
    {PL_OF_WRITING, "about", l_about},
    {PL_OF_WRITING, "declared", l_declared},
    {PL_OF_WRITING, "foldable", l_foldable},
    {PL_OF_WRITING, "take", l_take},
    {PL_OF_WRITING, "start", l_start},
    {PL_OF_WRITING, "name", l_name},
    {PL_OF_WRITING, "write", l_write},
    {PL_OF_WRITING, "params", l_params},
    {PL_OF_WRITING, "given", l_given},
    {PL_OF_WRITING, "position", l_position},
    {PL_OF_WRITING, "blocks", l_blocks},
    {PL_OF_WRITING, "block", l_block},
    {PL_OF_WRITING, "declare", l_declare},
    {PL_OF_WRITING, "home", l_home},
    {PL_OF_WRITING, "is_target", l_is_target},
    {0},
};
