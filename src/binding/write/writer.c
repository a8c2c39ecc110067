/* writer.c: a function as text: lines, blocks, edges; phial.core.writing().
**
** Blocks are written one after another in reverse postorder, and afterwards the
** labels are put before those to which something goes.
*/
#include <stdio.h>
#include <string.h>

#include "binding/analysis/analysis.h"
#include "binding/args/payload.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"
#include "binding/write/writing.h"

static ph_value value(uint32_t id) { return (ph_value){id}; }

/*
** {== Results ========================================================
*/

static void take_position(pl_writing *w, uint32_t id) {
  ph_srcloc loc;
  if (!w->lines.wanted) return;
  loc = ph_value_loc(w->program.f, value(id));
  if (loc.line == 0) return;
  w->lines.line = loc.line;
  w->lines.file = loc.file;
}

/* Where a line began, and what compilers expected there. */
typedef struct {
  size_t text;
  int64_t at;
  uint32_t at_file;
} line_start;

static line_start begin_line(pl_writing *w) {
  line_start it = {w->text.n, w->lines.at, w->lines.at_file};
  pl_writing_begin(w);
  return it;
}

/* Ends the line that assigns a text, which begins at `start`, to what has this
** name; it is none if both are the same. */
static void end_assignment(pl_writing *w, pl_span name, line_start line,
                           size_t start) {
  if (w->text.n - start == name.n &&
      memcmp(w->text.at + start, w->names.at + name.at, name.n) == 0) {
    w->text.n = line.text;
    w->lines.at = line.at;
    w->lines.at_file = line.at_file;
    w->in_line = false;
    return;
  }
  pl_writing_span(w, w->language->words[PL_WORD_END]);
  pl_writing_end(w);
}

static void end_set(pl_writing *w, uint32_t id, line_start line, size_t start) {
  const pl_written *v = &w->values[id];
  end_assignment(w, v->name, line, start);
}

static void set_value(pl_writing *w, const pl_now *now) {
  const pl_span *words = w->language->words;
  line_start line = begin_line(w);
  size_t start;
  if (w->values[now->id].uses == 0) {
    bool drops = now->op != PH_CALL && now->op != PH_CALL_INDIRECT;
    if (drops) pl_writing_span(w, words[PL_WORD_DROP]);
    pl_fill_value(w, now);
    pl_writing_span(w, words[drops ? PL_WORD_DROPPED : PL_WORD_END]);
    pl_writing_end(w);
    return;
  }
  pl_writing_target(w, now->id);
  pl_writing_span(w, words[PL_WORD_SET]);
  start = w->text.n;
  pl_fill_value(w, now);
  end_set(w, now->id, line, start);
}

/* }== Instructions =================================================== */

static void write_instruction(pl_writing *w, uint32_t id) {
  pl_line last;
  pl_now now = pl_fill_now(w, id);
  pl_shape shape = pl_fill_shape(w, &now);
  bool is_inline = (w->values[id].flags & PL_IS_INLINE) != 0;
  if ((w->values[id].flags & PL_IS_NAME) != 0 ||
      (is_inline && !(shape.pre && shape.value)))
    return;
  take_position(w, id);
  if (pl_fill_kind(w, &now) == PL_ROW_NONE) pl_trap_refuse_op(w, id);
  if (pl_fill_kind(w, &now) == PL_ROW_TEXT && !shape.value && !shape.sets &&
      w->values[id].uses > 0)
    pl_trap_refuse(w, id, "its row has no value");
  pl_fill_before(w, &now, &last);
  if (shape.value && !is_inline) set_value(w, &now);
  if (w->program.next[id] != 0 && pl_fill_kind(w, &now) == PL_ROW_TEXT)
    pl_fill_after(w, &now);
  if (!w->language->few) return;
  pl_locals_store(w, id);
  for (id = w->program.next[id]; id != 0; id = w->program.next[id])
    pl_locals_store(w, id);
}

/* }== Edges ========================================================== */

static void write_moves(pl_writing *w, uint32_t edge) {
  const pl_span *words = w->language->words;
  const pl_move *moves = (const pl_move *)(const void *)w->moves.at;
  uint32_t first, n;
  if (w->edges[edge] == 0) return;
  n = first = w->edges[edge] - 1;
  while (moves[n].to != 0) n++;
  while (n-- > first) {
    pl_move m = moves[n];
    const pl_variable *to = &w->variables[m.to];
    line_start line = begin_line(w);
    size_t start;
    pl_writing_text(w, to->name);
    pl_writing_span(w, words[PL_WORD_SET]);
    start = w->text.n;
    if (m.from != 0)
      pl_writing_text(w, w->variables[m.from].name);
    else
      pl_fill_operand(w, m.value, '=');
    end_assignment(w, to->name, line, start);
  }
}

static bool has_moves(const pl_writing *w, uint32_t edge) {
  const pl_move *moves = (const pl_move *)(const void *)w->moves.at;
  return w->edges[edge] != 0 && moves[w->edges[edge] - 1].to != 0;
}

static void add_label(pl_writing *w, uint32_t number) {
  pl_writing_text(w, ((pl_span *)(void *)w->labels.at)[number]);
}

static ph_block block_at(const pl_writing *w, uint32_t number) {
  return ph_rpo_at(w->program.o, number);
}

static uint32_t target_of(const pl_writing *w, uint32_t i) {
  return ph_rpo_index(w->program.o,
                      ph_block_succ(w->program.f, block_at(w, w->block), i));
}

/* Appends a jump to a block by an edge. */
static void add_jump(pl_writing *w, uint32_t to, uint32_t edge) {
  w->targets[to] = true;
  if (w->language->few && w->few.form != PL_FORM_LABELS) {
    pl_locals_jump(w, to, edge);
    return;
  }
  pl_writing_span(w, w->language->words[PL_WORD_GOTO]);
  add_label(w, to);
  pl_writing_span(w, w->language->words[PL_WORD_END]);
}

static void write_jump(pl_writing *w, uint32_t to, uint32_t edge) {
  pl_writing_begin(w);
  add_jump(w, to, edge);
  pl_writing_end(w);
}

static uint32_t edge_of(const pl_writing *w, uint32_t i) {
  return ph_block_succedge(w->program.f, block_at(w, w->block), i);
}

/* True if a block comes behind the current one. */
static bool follows(const pl_writing *w, uint32_t to) {
  return to == w->block + 1 &&
         (!w->language->few || w->few.form == PL_FORM_LABELS);
}

/* Writes edge i of the current block; without a jump if its target follows. */
static void go(pl_writing *w, uint32_t i, bool may_fall) {
  uint32_t to = target_of(w, i);
  write_moves(w, edge_of(w, i));
  if (!may_fall || !follows(w, to)) write_jump(w, to, edge_of(w, i));
}

static void go_if(pl_writing *w, uint32_t cond, bool negated, uint32_t i) {
  const pl_span *words = w->language->words;
  pl_writing_begin(w);
  pl_writing_span(w, words[PL_WORD_IF]);
  if (negated) pl_writing_span(w, words[PL_WORD_NOT]);
  pl_fill_operand(w, cond, negated ? 0 : '=');
  pl_writing_span(w, words[PL_WORD_THEN]);
  if (!has_moves(w, edge_of(w, i))) {
    pl_writing_then(w);
    add_jump(w, target_of(w, i), edge_of(w, i));
    pl_writing_endthen(w);
    return;
  }
  pl_writing_span(w, words[PL_WORD_BEGIN]);
  pl_writing_end(w);
  w->indent++;
  go(w, i, false);
  w->indent--;
  pl_writing_begin(w);
  pl_writing_span(w, words[PL_WORD_DONE]);
  pl_writing_end(w);
}

static void write_branch(pl_writing *w, uint32_t cond) {
  bool next = follows(w, target_of(w, 0));
  go_if(w, cond, next, next ? 1 : 0);
  go(w, next ? 0 : 1, true);
}

/* Appends edge i of the current block as a statement on one line. */
static void add_statement(pl_writing *w, uint32_t i) {
  uint32_t indent = w->indent, line = w->lines.line, n = 0;
  int64_t at = w->lines.at;
  size_t start, end;
  if (!w->language->few) pl_writing_add(w, "{ ", 2);
  start = w->text.n;
  w->lines.at = -1;
  w->lines.line = 0;
  w->indent = 0;
  go(w, i, false);
  w->indent = indent;
  w->lines.at = at;
  w->lines.line = line;
  end = w->text.n - 1;
  for (size_t k = start; k < end; k++)
    if (w->text.at[k] == '\n') {
      w->text.at[k] = ' ';
      n++;
    }
  if (w->language->few) {
    w->text.n = end;
  } else if (n > 0) {
    w->text.n = end;
    pl_writing_add(w, " }", 2);
  } else {
    memmove(w->text.at + start - 2, w->text.at + start, end - start);
    w->text.n = end - 2;
  }
}

/* Makes the texts of the edges of a terminator of a dialect. */
static void make_jumps(pl_writing *w) {
  uint32_t n = ph_block_nsuccs(w->program.f, block_at(w, w->block));
  w->jumps.n = 0;
  for (uint32_t i = 0; i < n; i++) {
    size_t start = w->text.n, length;
    pl_span it;
    add_statement(w, i);
    length = w->text.n - start;
    memcpy(pl_grown_more(w->L, &w->names, length), w->text.at + start, length);
    w->text.n = start;
    it = (pl_span){(uint32_t)(w->names.n - length), (uint32_t)length};
    *(pl_span *)pl_grown_more(w->L, &w->jumps, sizeof it) = it;
  }
}

static void write_terminator(pl_writing *w, uint32_t id) {
  pl_line last;
  pl_now now = pl_fill_now(w, id);
  take_position(w, id);
  if (now.op >= PH_OPS && pl_fill_kind(w, &now) == PL_ROW_TEXT) {
    make_jumps(w);
    w->few.declares = true; /* it may return */
  }
  if (now.op == PH_JUMP)
    go(w, 0, true);
  else if (now.op == PH_BRANCH)
    write_branch(w, now.args[0]);
  else
    pl_fill_before(w, &now, &last);
}

/* }== Blocks ========================================================= */

/* Positions are not known until the block has one. */
static void start_block(pl_writing *w, uint32_t number) {
  const pl_program *p = &w->program;
  w->block = number;
  w->starts[number] = (uint32_t)w->text.n;
  w->lines.line = 0;
  if (w->lines.at >= 0) w->lines.at = 0;
  for (uint32_t i = p->insts[number];
       w->lines.wanted && i < p->phis[number + 1] && w->lines.line == 0; i++)
    take_position(w, p->kept[i]);
}

static void write_instructions(pl_writing *w, uint32_t number) {
  const pl_program *p = &w->program;
  uint32_t end = p->phis[number + 1];
  uint32_t last = ph_block_terminator(p->f, block_at(w, number)).id;
  for (uint32_t i = p->insts[number]; i < end; i++) {
    uint32_t id = p->kept[i];
    if (id != last && ph_value_op(p->f, value(id)) != PH_PROJ)
      write_instruction(w, id);
  }
}

static void write_end(pl_writing *w, uint32_t number) {
  w->block = number;
  write_terminator(w,
                   ph_block_terminator(w->program.f, block_at(w, number)).id);
}

static void write_block(pl_writing *w, uint32_t number) {
  start_block(w, number);
  if (number == 0) {
    lua_getiuservalue(w->L, w->self, PL_WRITING_HOST);
    if (lua_getfield(w->L, -1, "start") == LUA_TFUNCTION) {
      lua_insert(w->L, -2);
      pl_writing_call(w, 1, 0);
    } else {
      lua_pop(w->L, 2);
    }
  }
  write_instructions(w, number);
  write_end(w, number);
}

/* True if a line begins with the name of a type: no label may precede it in
** C11. */
static bool is_declaration(const char *at, const char *to) {
  const char *word;
  while (at < to && *at == ' ') at++;
  word = at;
  while (at < to && ((*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9') ||
                     *at == '_'))
    at++;
  if (at == word || at == to || *at != ' ') return false;
  if (at - word == 4 && memcmp(word, "goto", 4) == 0) return false;
  if (at - word == 6 && memcmp(word, "return", 6) == 0) return false;
  at++;
  if (at < to && *at == '*') at++;
  return at < to && ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                     *at == '_');
}

/* The first statement from `at` on, whose lines end at `to`; NULL: none. */
static const char *find_statement(const char *at, const char *to) {
  while (at < to && *at == '#') {
    at = memchr(at, '\n', (size_t)(to - at));
    at = at != NULL ? at + 1 : to;
  }
  return at < to ? at : NULL;
}

/* True if a label of block k would precede a declaration; another label cannot. */
static bool precedes_declaration(const pl_writing *w, uint32_t k) {
  const char *end = w->text.at + w->text.n,
             *at = find_statement(w->text.at + w->starts[k], end);
  if (at == NULL) return false;
  for (k++; k < w->program.nblocks && w->starts[k] <= (size_t)(at - w->text.at);
       k++)
    if (w->targets[k]) return false;
  return is_declaration(at, memchr(at, '\n', (size_t)(end - at)));
}

static void write_labels(pl_writing *w) {
  for (uint32_t k = 0; k < w->program.nblocks; k++) {
    const char *behind = ":\n";
    if (w->targets[k]) {
      if (precedes_declaration(w, k)) behind = ":;\n";
      pl_writing_swap(w, &w->heads);
      add_label(w, k);
      pl_writing_puts(w, behind);
      pl_writing_swap(w, &w->heads);
    }
    w->ends[k] = (uint32_t)w->heads.n;
  }
}

/* }== Methods ======================================================== */

static pl_writing *self(lua_State *L) {
  pl_writing *w = pl_userdata_test(L, 1, PL_KIND_WRITING);
  if (w == NULL) pl_arg_badself(L, PL_KIND_WRITING);
  if (w->program.f == NULL) pl_error_plain(L, "the function has been written");
  w->L = L;
  w->self = 1;
  pl_writing_check(w);
  return w;
}

static uint32_t take_id(lua_State *L, const pl_writing *w, int arg) {
  lua_Integer id = luaL_checkinteger(L, arg);
  luaL_argcheck(L, id > 0 && (uint32_t)id < w->nvalues, arg, "no such value");
  return (uint32_t)id;
}

/* The edge of the current block whose number from 1 is argument 2. */
static uint32_t take_edge(lua_State *L, const pl_writing *w) {
  uint32_t n = ph_block_nsuccs(w->program.f, block_at(w, w->block));
  return (uint32_t)pl_arg_int(L, 2, 1, n) - 1;
}

static void push_span(lua_State *L, const pl_writing *w, pl_span s) {
  lua_pushlstring(L, w->names.at + s.at, s.n);
}

/* A method, which runs in the thread that calls it. */
#define METHOD(name)                                                   \
  static int run_##name(lua_State *L, pl_writing *w);                  \
  static int l_##name(lua_State *L) { return run_##name(L, self(L)); } \
  static int run_##name(lua_State *L, pl_writing *w)

/* w:args(id): the ids of the operands */
METHOD(args) {
  pl_now now = pl_fill_now(w, take_id(L, w, 2));
  lua_createtable(L, (int)now.nargs, 0);
  pl_writing_check(w);
  for (uint32_t i = 0; i < now.nargs; i++) {
    lua_pushinteger(L, ph_value_arg(w->program.f, value(now.id), i).id);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

/* w:text(id[, form]): an operand */
METHOD(text) {
  uint32_t id = take_id(L, w, 2);
  const char *form = luaL_optstring(L, 3, "");
  size_t start = w->text.n;
  pl_fill_operand(w, id, *form);
  pl_writing_take(w, start);
  return 1;
}

/* w:line(text), w:directive(text) */
METHOD(line) {
  luaL_checkstring(L, 2);
  lua_settop(L, 2);
  pl_writing_begin(w);
  pl_writing_addtop(w);
  pl_writing_end(w);
  return 0;
}
METHOD(directive) {
  luaL_checkstring(L, 2);
  lua_settop(L, 2);
  pl_writing_addtop(w);
  pl_writing_add(w, "\n", 1);
  return 0;
}

METHOD(indent) {
  w->indent += (uint32_t)luaL_checkinteger(L, 2);
  return 0;
}

/* w:set(id, text): assigns it */
METHOD(set) {
  uint32_t id = take_id(L, w, 2);
  line_start line;
  size_t start;
  luaL_checkstring(L, 3);
  lua_settop(L, 3);
  line = begin_line(w);
  if (w->language->ssa) {
    pl_writing_text(w, w->values[id].name);
    pl_writing_span(w, w->language->words[PL_WORD_SET]);
    pl_writing_addtop(w);
    pl_writing_end(w);
    return 0;
  }
  if (w->values[id].uses == 0) {
    pl_writing_span(w, w->language->words[PL_WORD_DROP]);
    pl_writing_addtop(w);
    pl_writing_span(w, w->language->words[PL_WORD_DROPPED]);
    pl_writing_end(w);
    return 0;
  }
  pl_writing_target(w, id);
  pl_writing_span(w, w->language->words[PL_WORD_SET]);
  start = w->text.n;
  pl_writing_addtop(w);
  end_set(w, id, line, start);
  return 0;
}

/* w:trap(id, test or nil, why) */
METHOD(trap) {
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
METHOD(go) {
  uint32_t i = take_edge(L, w);
  go(w, i, lua_toboolean(L, 3));
  return 0;
}

/* w:jump(i): edge i as a statement on one line */
METHOD(jump) {
  uint32_t i = take_edge(L, w);
  size_t start = w->text.n;
  add_statement(w, i);
  pl_writing_take(w, start);
  return 1;
}

/* w:restart(): a jump to the first block */
METHOD(restart) {
  (void)L;
  write_jump(w, 0, 0);
  return 0;
}

/* w:has_moves(i), w:target(i): of edge i of the current block */
METHOD(has_moves) {
  uint32_t i = take_edge(L, w);
  lua_pushboolean(L, has_moves(w, ph_block_succedge(w->program.f,
                                                    block_at(w, w->block), i)));
  return 1;
}
METHOD(target) {
  uint32_t i = take_edge(L, w);
  lua_pushinteger(L, (lua_Integer)target_of(w, i) + 1);
  return 1;
}

/* w:edges(): how many the current block has */
METHOD(edges) {
  lua_pushinteger(L, ph_block_nsuccs(w->program.f, block_at(w, w->block)));
  return 1;
}

/* w:results(id): the ids of its further results */
METHOD(results) {
  uint32_t id = take_id(L, w, 2), n = 0;
  lua_newtable(L);
  pl_writing_check(w);
  for (id = w->program.next[id]; id != 0; id = w->program.next[id]) {
    lua_pushinteger(L, id);
    lua_rawseti(L, -2, ++n);
  }
  return 1;
}

/* w:about(id): op, type, name, uses, whether it is declared where it is assigned,
** inline, and whether it keeps one of several values */
METHOD(about) {
  uint32_t id = take_id(L, w, 2);
  const pl_written *v = &w->values[id];
  const pl_variable *it = &w->variables[v->variable];
  const ph_func *f = w->program.f;
  ph_type type = ph_value_type(f, value(id));
  ph_op op = ph_value_op(f, value(id));
  lua_settop(L, 2);
  if (op < PH_OPS)
    lua_pushstring(L, ph_op_row(op)->name);
  else
    lua_pushnil(L);
  pl_writing_check(w);
  if (type == PH_NOTYPE)
    lua_pushnil(L);
  else
    lua_pushlstring(L, ph_type_name(f, type).at, ph_type_name(f, type).n);
  if (v->name.n > 0)
    push_span(L, w, v->name);
  else
    lua_pushnil(L);
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
** where they are assigned */
METHOD(declared) {
  const uint32_t *at = (const uint32_t *)(const void *)w->declared.at;
  size_t start = w->text.n;
  bool done[PH_TYPES] = {false};
  (void)L;
  for (size_t i = 0; i < w->declared.n / sizeof *at; i++) {
    ph_type type = w->variables[at[i]].type;
    if (!pl_language_has(w->language, type)) continue;
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
  now = pl_fill_now(w, id);
  effect = ph_op_effect(w->program.f, now.op);
  if (effect == PH_EFFECT_READ || effect == PH_EFFECT_WRITE) return false;
  if (now.op == PH_SELECT) return is_foldable(w, now.args[0]);
  shape = pl_fill_shape(w, &now);
  if (shape.atoms) return true;
  for (uint32_t i = 0; i < now.nargs; i++)
    if (is_foldable(w, now.args[i]) == shape.lazy) return shape.lazy;
  return !shape.lazy;
}

METHOD(foldable) {
  lua_pushboolean(L, is_foldable(w, take_id(L, w, 2)));
  return 1;
}

/* w:known(id): the value of a constant; of undef, nothing */
METHOD(known) {
  uint32_t id = take_id(L, w, 2);
  const ph_func *f = w->program.f;
  if (ph_value_op(f, value(id)) != PH_CONST) return 0;
  pl_literal_push(L, f, ph_value_type(f, value(id)),
                  ph_value_data(f, value(id)));
  return 1;
}

/* Frees all but the text. */
static void free_rest(lua_State *L, pl_writing *w) {
  pl_grown *all[] = {&w->memory,       &w->further,
                     &w->names,        &w->moves,
                     &w->labels,       &w->jumps,
                     &w->own,          &w->declared,
                     &w->taken.places, &w->taken_labels.places,
                     &w->spellings,    &w->heads,
                     &w->ssa.top,      &w->ssa.between,
                     &w->ssa.traps,    &w->few.last,
                     &w->few.counts};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    pl_grown_done(L, all[i]);
  w->program.f = NULL;
}

static int write_all(lua_State *L, void *ud) {
  pl_writing *w = ud;
  w->L = L;
  if (w->language->ssa) {
    pl_ssa_body(w);
  } else {
    for (uint32_t k = 0; k < w->program.nblocks; k++) write_block(w, k);
    write_labels(w);
    pl_writing_putheads(w);
    if (w->lines.at >= 0) pl_writing_puts(w, "#line\n");
  }
  if (w->language->few) {
    pl_writing_take(w, 0);
    return 1;
  }
  free_rest(L, w); /* the text is copied next */
  if (w->text.n > 0) w->text.n--;
  pl_writing_take(w, 0);
  pl_grown_done(L, &w->text);
  return 1;
}

/* w:body(): the text of all blocks, once; it is the end, and that of the last line
** is missing, except in a language with few locals */
METHOD(body) {
  int status;
  if (w->begun) pl_error_plain(L, "the function has been written");
  w->begun = true;
  w->indent = 1;
  lua_settop(L, 1);
  lua_pushvalue(L, 1);
  status = pl_protect_run(L, write_all, w, 1);
  w->L = L;
  w->ncalls = 0;
  w->done = true;
  if (status != LUA_OK) lua_error(L);
  return 1;
}

/* }== Few locals ===================================================== */

/* w:misfit(): the locals are too many; how many edges lead across the beginning
** of a block at most */
METHOD(misfit) {
  lua_pushboolean(L, !w->few.fits);
  lua_pushinteger(L, pl_locals_crossing(w));
  return 2;
}

/* w:blocks(): how many there are */
METHOD(blocks) {
  lua_pushinteger(L, w->program.nblocks);
  return 1;
}

enum { ALL, INSTRUCTIONS, END };

static int write_part(lua_State *L, void *ud) {
  pl_writing *w = ud;
  uint32_t number = (uint32_t)lua_tointeger(L, 2) - 1;
  lua_Integer part = lua_tointeger(L, 3);
  size_t start = w->text.n;
  w->L = L;
  w->begun = true;
  w->done = false;
  if (part != END) {
    w->few.declares = false;
    start_block(w, number);
    write_instructions(w, number);
  }
  if (part != INSTRUCTIONS) {
    write_end(w, number);
    pl_locals_leave(w, number);
  }
  pl_writing_take(w, start);
  return 1;
}

/* w:block(number[, "instructions"|"end"]): the text of a block, after those
** before it, and whether locals are declared in it */
METHOD(block) {
  static const char *const parts[] = {"all", "instructions", "end", NULL};
  int part = luaL_checkoption(L, 3, "all", parts), status;
  pl_arg_int(L, 2, 1, w->program.nblocks);
  lua_settop(L, 2);
  lua_pushinteger(L, part);
  for (int i = 1; i <= 3; i++) lua_pushvalue(L, i);
  status = pl_protect_run(L, write_part, w, 3);
  w->L = L;
  w->ncalls = 0;
  w->done = true;
  if (status != LUA_OK) lua_error(L);
  lua_pushboolean(L, w->few.declares);
  return 2;
}

/* w:locals(): the names of locals that the function declares at its beginning, in
** one text */
METHOD(locals) {
  const uint32_t *at = (const uint32_t *)(const void *)w->declared.at;
  size_t start = w->text.n;
  (void)L;
  for (size_t i = 0; i < w->declared.n / sizeof *at; i++) {
    if (i > 0) pl_writing_puts(w, ", ");
    pl_writing_text(w, w->variables[at[i]].name);
  }
  pl_writing_take(w, start);
  return 1;
}

/* w:declare(id): declares the local of a value that is assigned later */
METHOD(declare) {
  uint32_t id = take_id(L, w, 2);
  if ((w->values[id].flags & PL_IS_LOCAL) == 0) return 0;
  pl_writing_begin(w);
  pl_writing_target(w, id);
  pl_writing_end(w);
  w->values[id].flags &= (uint8_t)~PL_IS_LOCAL;
  return 0;
}

/* w:home(id): where other blocks find a value, or nothing */
METHOD(home) {
  uint32_t id = take_id(L, w, 2);
  pl_span home = pl_locals_home(w, id);
  if (w->values[id].variable == 0 || home.n == 0) return 0;
  lua_pushlstring(L, w->names.at + home.at, home.n);
  return 1;
}

/* w:is_target(number): something goes to the block; its label, and its id */
METHOD(is_target) {
  uint32_t number = (uint32_t)pl_arg_int(L, 2, 1, w->program.nblocks) - 1;
  size_t start = w->text.n;
  lua_pushboolean(L, w->targets[number]);
  add_label(w, number);
  pl_writing_take(w, start);
  lua_pushinteger(L, block_at(w, number).id);
  return 3;
}

/* }== Types ========================================================== */

/* w:type(id) */
METHOD(type) {
  ph_type type = ph_value_type(w->program.f, value(take_id(L, w, 2)));
  ph_str name = ph_type_name(w->program.f, type);
  if (type == PH_NOTYPE) return 0;
  lua_pushlstring(L, name.at, name.n);
  return 1;
}

/* w:take(wanted): a new name, for a value or label, without its sigil */
METHOD(take) {
  size_t n;
  const char *wanted = luaL_checklstring(L, 2, &n);
  push_span(L, w, pl_names_take(w, &w->taken, (ph_str){wanted, n}));
  return 1;
}

/* }== SSA form ======================================================= */

static pl_writing *of_ssa(lua_State *L, pl_writing *w) {
  if (!w->language->ssa) pl_error_plain(L, "the language has no SSA form");
  return w;
}

/* w:temp(): a name for what is no value, with its sigil */
METHOD(temp) {
  pl_span name = pl_names_take(of_ssa(L, w), &w->taken, (ph_str){"t", 1});
  push_span(L, w, pl_names_sigil(w, name));
  return 1;
}

/* w:start(label): begins a block */
METHOD(start) {
  pl_span label = {0, 0};
  lua_settop(L, 2);
  luaL_checkstring(L, 2);
  label = pl_writing_copyname(of_ssa(L, w));
  pl_names_start(w, label);
  return 0;
}

/* w:labels(): those to which the edges of the current block go */
METHOD(labels) {
  uint32_t n = ph_block_nsuccs(w->program.f, block_at(of_ssa(L, w), w->block));
  lua_createtable(L, (int)n, 0);
  pl_writing_check(w);
  for (uint32_t i = 0; i < n; i++) {
    push_span(L, w, pl_names_target(w, i));
    lua_rawseti(L, -2, (lua_Integer)i + 1);
    pl_writing_check(w);
  }
  return 1;
}

/* w:name(id, text): what stands for a value from now on */
METHOD(name) {
  pl_written *v = &w->values[take_id(L, w, 2)];
  luaL_checkstring(L, 3);
  lua_settop(L, 3);
  v->name = pl_writing_copyname(of_ssa(L, w));
  return 0;
}

/* w:write(id): the lines of one instruction */
METHOD(write) {
  size_t start = of_ssa(L, w)->text.n;
  w->indent = 1;
  pl_ssa_write(w, take_id(L, w, 2));
  pl_writing_take(w, start);
  return 1;
}

/* w:params(): the parameters as the language has arguments */
METHOD(params) {
  size_t start = w->text.n;
  (void)L;
  for (uint32_t i = 0; i < ph_value_nparams(w->program.f); i++) {
    if (i > 0) pl_writing_puts(w, ", ");
    pl_fill_argument(w, ph_value_param(w->program.f, i).id);
  }
  pl_writing_take(w, start);
  return 1;
}

/* w:share(id, other): gives a value the name of another one */
METHOD(share) {
  uint32_t id = take_id(L, w, 2), other = take_id(L, of_ssa(L, w), 3);
  w->values[id].name = w->values[other].name;
  return 0;
}

/* w:position(): line, column, file of the first instruction that has one */
METHOD(position) {
  const pl_program *p = &w->program;
  for (uint32_t k = 0; w->lines.wanted && k < p->nblocks; k++)
    for (uint32_t i = p->insts[k]; i < p->phis[k + 1]; i++) {
      ph_srcloc loc = ph_value_loc(p->f, value(p->kept[i]));
      if (loc.line == 0) continue;
      lua_pushinteger(L, loc.line);
      lua_pushinteger(L, loc.col);
      if (loc.file == 0) return 2;
      lua_pushlstring(L, ph_intern_string(p->f, loc.file).at,
                      ph_intern_string(p->f, loc.file).n);
      return 3;
    }
  return 0;
}

/* }== What is referred to ============================================ */

static bool is_symbolic(ph_op op) {
  return op == PH_CALL || op == PH_TAIL_CALL || op == PH_ADDRESS ||
         op == PH_CALL_INDIRECT || op == PH_TAIL_CALL_INDIRECT ||
         op == PH_ALLOCA;
}

/* The needed instruction that follows v in block b; the first one if v is
** none. */
static ph_value next_needed(pl_funcobj *h, ph_block b, ph_value v) {
  const ph_needed *needed = pl_analysis_needed(h);
  do v = ph_block_nextinst(h->f, b, v);
  while (ph_some(v) &&
         (!ph_needed_has(needed, v) || ph_value_op(h->f, v) == PH_PROJ));
  return v;
}

/* True if nothing but a return follows block b. */
static bool returns(pl_funcobj *h, ph_block b) {
  ph_op op = ph_value_op(h->f, ph_block_terminator(h->f, b));
  ph_value first = {0};
  if (op != PH_JUMP) return op == PH_RET;
  first = next_needed(h, ph_block_succ(h->f, b, 0), first);
  return ph_value_op(h->f, first) == PH_RET;
}

/* True if a value, needed or not, has a type that the language does not have. */
static bool lacks_type(const pl_language *l, const ph_func *f) {
  for (uint32_t id = ph_value_count(f); id > 0; id--) {
    ph_type type = ph_value_type(f, value(id));
    if (type != PH_NOTYPE && !pl_language_has(l, type)) return true;
  }
  return false;
}

/* The last instruction of block b that acts; none does: 0. */
static ph_value last_act(pl_funcobj *h, ph_block b) {
  ph_value last = {0}, v = {0};
  while (v = next_needed(h, b, v), ph_some(v)) {
    ph_effect effect = pl_plan_effect(h->f, ph_value_op(h->f, v));
    if (effect == PH_EFFECT_READ || effect == PH_EFFECT_WRITE) last = v;
  }
  return last;
}

/* phial.core.symbolic(fn, language): ids and ops of what refers to symbols, and of
** allocas; whether each is a call behind which the function returns; whether
** a type may be none of the language; whether some op is of a dialect */
static int l_symbolic(lua_State *L) {
  pl_funcobj *h = pl_userdata_test(L, 1, PL_KIND_FUNC);
  const pl_language *l = pl_userdata_test(L, 2, PL_KIND_LANGUAGE);
  uint32_t version;
  lua_Integer n = 0;
  bool has_others = false;
  if (l == NULL || h == NULL) return luaL_error(L, "bad arguments");
  for (int i = 0; i < 3; i++) lua_newtable(L);
  pl_access_read(L, h);
  version = ph_func_version(h->f);
  for (uint32_t k = 0; k < ph_rpo_count(pl_analysis_order(h)); k++) {
    ph_block b = ph_rpo_at(pl_analysis_order(h), k);
    bool ends = returns(h, b), is_last;
    ph_value v = {0}, last = ends ? last_act(h, b) : v;
    is_last = ends && !ph_some(last);
    while (v = next_needed(h, b, v), ph_some(v)) {
      ph_op op = ph_value_op(h->f, v);
      if (ph_same(v, last)) is_last = true;
      if (op >= PH_OPS) has_others = true;
      if (!is_symbolic(op)) continue;
      n++;
      lua_pushinteger(L, v.id);
      lua_rawseti(L, -4, n);
      lua_pushstring(L, ph_op_row(op)->name);
      lua_rawseti(L, -3, n);
      lua_pushboolean(L, is_last);
      lua_rawseti(L, -2, n);
      if (!pl_userdata_isusable(h) || ph_func_version(h->f) != version)
        return pl_error_plain(L, "the function was changed while it was read");
    }
  }
  lua_pushboolean(L, lacks_type(l, h->f));
  lua_pushboolean(L, has_others);
  return pl_access_return(L, h, 5);
}

/* phial.core.instruction(fn, id): its type, and the ids and types of its operands */
static int l_instruction(lua_State *L) {
  pl_funcobj *h = pl_userdata_test(L, 1, PL_KIND_FUNC);
  lua_Integer id = luaL_checkinteger(L, 2);
  ph_str name;
  ph_value v;
  uint32_t n;
  if (h == NULL) return luaL_error(L, "bad arguments");
  pl_access_read(L, h);
  luaL_argcheck(L, id > 0 && id <= ph_value_count(h->f), 2, "no such value");
  v = value((uint32_t)id);
  n = ph_value_nargs(h->f, v);
  lua_createtable(L, (int)n, 0);
  lua_createtable(L, (int)n, 0);
  for (uint32_t i = 0; i < n; i++) {
    ph_value arg = ph_value_arg(pl_access_read(L, h), v, i);
    lua_pushinteger(L, arg.id);
    lua_rawseti(L, 3, (lua_Integer)i + 1);
    name = ph_type_name(h->f, ph_value_type(h->f, arg));
    lua_pushlstring(L, name.at, name.n);
    lua_rawseti(L, 4, (lua_Integer)i + 1);
  }
  if (ph_value_type(pl_access_read(L, h), v) == PH_NOTYPE) {
    lua_pushnil(L);
  } else {
    name = ph_type_name(h->f, ph_value_type(h->f, v));
    lua_pushlstring(L, name.at, name.n);
  }
  lua_insert(L, 3);
  return pl_access_return(L, h, 3);
}

/* The first line of a text that is a directive without a number, or its end. */
static const char *find_mark(const char *at, const char *to) {
  static const char mark[] = "#line\n";
  size_t n = sizeof mark - 1;
  while (to - at >= (ptrdiff_t)n) {
    const char *end;
    if (memcmp(at, mark, n) == 0) return at;
    end = memchr(at, '\n', (size_t)(to - at));
    if (end == NULL) break;
    at = end + 1;
  }
  return to;
}

/* Replaces the text on top, in which directives without a number are those of
** `file`: lines have their own numbers again. */
static void number_lines(lua_State *L, int file) {
  size_t n;
  const char *at = lua_tolstring(L, -1, &n), *to = at + n;
  const char *mark = find_mark(at, to);
  int line = 1, text = lua_gettop(L);
  luaL_Buffer b;
  if (mark == to) return;
  luaL_buffinit(L, &b);
  for (; mark < to; mark = find_mark(at, to)) {
    char digits[24];
    for (const char *c = at; c <= mark; c++) line += c == mark || *c == '\n';
    luaL_addlstring(&b, at, (size_t)(mark - at));
    snprintf(digits, sizeof digits, "#line %d ", line);
    luaL_addstring(&b, digits);
    lua_pushvalue(L, file);
    luaL_addvalue(&b);
    luaL_addchar(&b, '\n');
    at = strchr(mark, '\n') + 1;
  }
  luaL_addlstring(&b, at, (size_t)(to - at));
  luaL_pushresult(&b);
  lua_replace(L, text);
}

enum { JOINED_AT_ONCE = 200 };

/* phial.core.joined(texts[, file]): a list as one text, with line breaks between
** its texts; lines have numbers if there is a file.  (A buffer would be a further
** copy.) */
static int l_joined(lua_State *L) {
  int n, joined = 0;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  n = (int)lua_rawlen(L, 1);
  luaL_checkstack(L, n / JOINED_AT_ONCE + 2 * JOINED_AT_ONCE + 8, NULL);
  for (int i = 1; i <= n; i++) {
    if (i > 1) lua_pushliteral(L, "\n");
    lua_rawgeti(L, 1, i);
    if (i % JOINED_AT_ONCE == 0 || i == n)
      lua_concat(L, lua_gettop(L) - 2 - joined++);
  }
  lua_concat(L, joined);
  if (!lua_isnil(L, 2)) number_lines(L, 2);
  return 1;
}

/* }== The function =================================================== */

static void free_memory(lua_State *L, pl_writing *w) {
  free_rest(L, w);
  pl_grown_done(L, &w->text);
}

static bool is_busy(const pl_writing *w) {
  return w->ncalls > 0 || (w->begun && !w->done);
}

/* w:close(): frees its memory */
METHOD(close) {
  if (is_busy(w)) pl_error_plain(L, "the function is being written");
  free_memory(L, w);
  return 0;
}

/* (While something is called, only a program with the debug library gets
** here.) */
static int l_gc(lua_State *L) {
  pl_writing *w = pl_userdata_test(L, 1, PL_KIND_WRITING);
  if (w != NULL && !is_busy(w) && !pl_userdata_module(L)->closed)
    free_memory(L, w);
  return 0;
}

/* Gives values of phial's `address` the texts that the host has for them. */
static void take_addresses(pl_writing *w) {
  const pl_program *p = &w->program;
  lua_getiuservalue(w->L, w->self, PL_WRITING_HOST);
  lua_getfield(w->L, -1, "texts");
  for (uint32_t i = 0; i < p->nkept; i++) {
    uint32_t id = p->kept[i];
    pl_written *v = &w->values[id];
    pl_variable *it = &w->variables[v->variable];
    if (ph_value_op(p->f, value(id)) != PH_ADDRESS || v->variable == 0 ||
        it->shared)
      continue;
    if (lua_rawgeti(w->L, -1, id) != LUA_TSTRING) {
      lua_pop(w->L, 1);
      continue;
    }
    it->name = v->name = pl_writing_copyname(w);
    v->flags |= PL_IS_NAME;
  }
  lua_pop(w->L, 2);
}

/* The host's fields `form` and `room`, and `most`, which is not more than
** usual. */
static void take_form(pl_writing *w) {
  static const char *const forms[] = {"goto", "blocks", "nested", "flat", NULL};
  lua_State *L = w->L;
  lua_getfield(L, 4, "form");
  w->few.form = (uint8_t)luaL_checkoption(L, -1, NULL, forms);
  lua_getfield(L, 4, "room");
  w->few.room = (uint32_t)luaL_checkinteger(L, -1);
  if (lua_getfield(L, 4, "most") != LUA_TNIL)
    w->most = (uint32_t)lua_tointeger(L, -1);
  lua_pop(L, 3);
  w->few.fits = true;
}

static void take_options(pl_writing *w) {
  lua_State *L = w->L;
  lua_getiuservalue(L, w->self, PL_WRITING_HOST);
  lua_getfield(L, -1, "flags");
  for (uint32_t i = 0; i < w->language->t.nflags; i++) {
    lua_getfield(L, -1, w->language->t.flags[i]);
    if (lua_toboolean(L, -1)) w->flags |= UINT32_C(1) << i;
    lua_pop(L, 1);
  }
  lua_getfield(L, -1, "traps");
  w->traps = lua_toboolean(L, -1);
  lua_getfield(L, -3, "numbered");
  w->numbered = lua_toboolean(L, -1);
  lua_getfield(L, -4, "lines");
  w->lines.wanted = lua_toboolean(L, -1);
  lua_getfield(L, -5, "told");
  w->ssa.told = lua_toboolean(L, -1);
  lua_pop(L, 6);
  w->lines.at = -1;
  w->most = w->language->few ? 10 : 16;
  if (w->language->few) take_form(w);
}

/* Makes all texts some, with room: an address in one is never null.  No name is
** at 0. */
static void start_texts(pl_writing *w) {
  pl_grown *texts[] = {&w->text, &w->ssa.top, &w->ssa.between, &w->ssa.traps};
  *(char *)pl_grown_more(w->L, &w->names, 1) = 0;
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    pl_grown_more(w->L, texts[i], 1);
    texts[i]->n = 0;
  }
}

/* phial.core.writing(language, fn, host) */
static int l_writing(lua_State *L) {
  pl_language *l = pl_userdata_test(L, 1, PL_KIND_LANGUAGE);
  pl_funcobj *h = pl_userdata_test(L, 2, PL_KIND_FUNC);
  pl_writing *w;
  bool has_lines = false;
  if (l == NULL || h == NULL) return luaL_error(L, "bad arguments");
  luaL_checktype(L, 3, LUA_TTABLE);
  pl_access_read(L, h);
  lua_settop(L, 3);
  w = lua_newuserdatauv(L, sizeof *w, PL_WRITING_USERVALUES);
  memset(w, 0, sizeof *w);
  pl_userdata_setkind(L, PL_KIND_WRITING);
  lua_insert(L, 1);
  w->L = L;
  w->self = 1;
  w->language = l;
  lua_pushvalue(L, 2);
  lua_setiuservalue(L, 1, PL_WRITING_LANGUAGE);
  lua_pushvalue(L, 3);
  lua_setiuservalue(L, 1, PL_WRITING_FUNC);
  lua_pushvalue(L, 4);
  lua_setiuservalue(L, 1, PL_WRITING_HOST);
  if (lua_getfield(L, 4, "texts") != LUA_TTABLE ||
      lua_getfield(L, 4, "flags") != LUA_TTABLE ||
      lua_getfield(L, 4, "needed") != LUA_TTABLE)
    return luaL_error(L, "bad arguments");
  lua_setiuservalue(L, 1, PL_WRITING_NEEDED);
  w->taken.has_outer = lua_getfield(L, 4, "outer") == LUA_TTABLE;
  lua_setiuservalue(L, 1, PL_WRITING_OUTER);
  pl_program_read(L, &w->program, h, l->ssa);
  lua_setiuservalue(L, 1, PL_WRITING_MEMORY);
  w->version = ph_func_version(h->f);
  take_options(w);
  start_texts(w);
  for (uint32_t i = 0; w->lines.wanted && !has_lines && i < w->program.nkept;
       i++)
    has_lines = ph_value_loc(h->f, value(w->program.kept[i])).line != 0;
  w->lines.wanted = has_lines;
  if (l->ssa) {
    pl_analysis_forget(h);
    pl_ssa_read(w);
  } else {
    pl_plan_read(w);
    take_addresses(w);
    pl_plan_choose(w);
    if (l->few)
      pl_locals_name(w);
    else
      pl_plan_name(w);
  }
  lua_settop(L, 1);
  return pl_access_return(L, h, 1);
}

/* }=================================================================== */

const pl_method pl_writer_methods[] = {
    {PL_OF_MODULE, "writing", l_writing},
    {PL_OF_MODULE, "symbolic", l_symbolic},
    {PL_OF_MODULE, "instruction", l_instruction},
    {PL_OF_MODULE, "joined", l_joined},
    {PL_OF_WRITING, "args", l_args},
    {PL_OF_WRITING, "type", l_type},
    {PL_OF_WRITING, "text", l_text},
    {PL_OF_WRITING, "line", l_line},
    {PL_OF_WRITING, "directive", l_directive},
    {PL_OF_WRITING, "indent", l_indent},
    {PL_OF_WRITING, "set", l_set},
    {PL_OF_WRITING, "trap", l_trap},
    {PL_OF_WRITING, "go", l_go},
    {PL_OF_WRITING, "jump", l_jump},
    {PL_OF_WRITING, "restart", l_restart},
    {PL_OF_WRITING, "has_moves", l_has_moves},
    {PL_OF_WRITING, "target", l_target},
    {PL_OF_WRITING, "edges", l_edges},
    {PL_OF_WRITING, "results", l_results},
    {PL_OF_WRITING, "about", l_about},
    {PL_OF_WRITING, "declared", l_declared},
    {PL_OF_WRITING, "foldable", l_foldable},
    {PL_OF_WRITING, "known", l_known},
    {PL_OF_WRITING, "take", l_take},
    {PL_OF_WRITING, "temp", l_temp},
    {PL_OF_WRITING, "start", l_start},
    {PL_OF_WRITING, "labels", l_labels},
    {PL_OF_WRITING, "name", l_name},
    {PL_OF_WRITING, "write", l_write},
    {PL_OF_WRITING, "params", l_params},
    {PL_OF_WRITING, "share", l_share},
    {PL_OF_WRITING, "position", l_position},
    {PL_OF_WRITING, "misfit", l_misfit},
    {PL_OF_WRITING, "blocks", l_blocks},
    {PL_OF_WRITING, "block", l_block},
    {PL_OF_WRITING, "locals", l_locals},
    {PL_OF_WRITING, "declare", l_declare},
    {PL_OF_WRITING, "home", l_home},
    {PL_OF_WRITING, "is_target", l_is_target},
    {PL_OF_WRITING, "body", l_body},
    {PL_OF_WRITING, "close", l_close},
    {PL_OF_WRITING, "__gc", l_gc},
    {0},
};
