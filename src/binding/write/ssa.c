/* ssa.c: functions in languages in SSA form: names, blocks, phis, positions.
**
** Each value has a name and is computed by a line of its own.  A trap ends a
** block of the language, and what follows the check begins another one, so phis
** name as predecessor the block in which the terminator was written: the
** instructions of all blocks are written first, phis afterwards.
*/
#include <string.h>

#include "binding/write/writing.h"

/*
** {== Names of values and blocks ======================================
*/

/* Names that users have given come first, so that they are kept. */
static void name_value(pl_writing *w, uint32_t id, bool named) {
  const ph_func *f = w->program.f;
  ph_str wanted = ph_value_name(f, pl_valueid(id));
  if (ph_value_type(f, pl_valueid(id)) == PH_NOTYPE || (wanted.n > 0) != named)
    return;
  if (!named) wanted = pl_plan_varname(w, id);
  w->values[id].name =
      pl_names_sigil(w, wanted.n > 0 ? pl_names_take(w, &w->taken, wanted)
                                     : pl_names_number(w, &w->taken, 'v', id));
}

static void name_block(pl_writing *w, uint32_t number, bool named) {
  ph_block b = ph_rpo_at(w->program.o, number);
  ph_str wanted = ph_block_name(w->program.f, b);
  pl_span name;
  if ((wanted.n > 0) != named) return;
  name = named ? pl_names_take(w, &w->taken, wanted)
               : pl_names_number(w, &w->taken, 'b', b.id);
  w->labels[number] = name;
}

static void name_all(pl_writing *w, bool named) {
  const pl_program *p = &w->program;
  for (uint32_t i = 0; i < ph_value_nparams(p->f); i++)
    name_value(w, p->kept[i], named);
  for (uint32_t k = 0; k < p->nblocks; k++) {
    name_block(w, k, named);
    for (uint32_t i = p->phis[k]; i < p->phis[k + 1]; i++)
      name_value(w, p->kept[i], named);
  }
}

/* }== Reading ======================================================== */

void pl_ssa_read(pl_writing *w) {
  const pl_program *p = &w->program;
  pl_plan_allocate(w, 1);
  for (uint32_t i = 0; i < p->nkept; i++)
    w->values[p->kept[i]].position = i + 1;
  pl_names_reserve(w, &w->taken, p->nkept + (size_t)p->nblocks);
  name_all(w, true);
  name_all(w, false);
}

/* }== Positions ====================================================== */

/* Gives the host the places that it does not have yet; returns the number of the
** scope of those in a file. */
static uint32_t give_places(pl_writing *w, uint32_t file) {
  uint32_t scope;
  lua_pushlstring(w->L, w->ssa.places.at, w->ssa.places.n);
  lua_pushinteger(w->L, w->ssa.nplaces);
  pl_writing_check(w);
  if (file != 0) {
    ph_str name = ph_intern_string(w->program.f, file);
    lua_pushlstring(w->L, name.at, name.n);
  } else {
    lua_pushnil(w->L);
  }
  w->ssa.places.n = w->ssa.nplaces = 0;
  pl_writing_host(w, "places", 3, 2);
  w->ssa.next_place = (uint32_t)lua_tointeger(w->L, -1);
  scope = (uint32_t)lua_tointeger(w->L, -2);
  lua_pop(w->L, 2);
  return scope;
}

/* Defines a place; returns what is appended to instructions there. */
static pl_span add_place(pl_writing *w, uint32_t line, uint32_t column,
                         uint32_t scope) {
  const pl_span *words = w->language->words;
  const uint32_t numbers[] = {w->ssa.next_place, line, column, scope};
  pl_span word = words[PL_WORD_PLACE], it;
  size_t start = w->text.n;
  pl_writing_span(w, words[PL_WORD_AT]);
  pl_writing_integer(w, w->ssa.next_place++);
  it = pl_writing_keep(w, start);
  if (w->ssa.nplaces++ > 0) pl_writing_add(w, "\n", 1);
  for (const char *at = w->language->t.texts.at + word.at, *end = at + word.n;
       at < end;) {
    const char *number = memchr(at, '%', (size_t)(end - at));
    pl_writing_add(w, at, (size_t)((number != NULL ? number : end) - at));
    if (number == NULL) break;
    pl_writing_integer(w, numbers[(number[1] - '1') & 3]);
    at = number + 2;
  }
  pl_writing_move(w, start, &w->ssa.places);
  return it;
}

/* Many instructions in a row have one position. */
static pl_span suffix_for(pl_writing *w, ph_srcloc loc) {
  uint32_t column = loc.col <= PL_COLUMNS ? loc.col : 0, scope;
  ph_srcloc last = w->ssa.last_loc;
  pl_span *it;
  if (w->ssa.last_suffix.n > 0 && last.line == loc.line &&
      last.col == loc.col && last.file == loc.file)
    return w->ssa.last_suffix;
  scope = pl_names_place(w, 0, PL_A_FILE, loc.file)->at;
  if (scope == 0) {
    scope = give_places(w, loc.file) + 1;
    pl_names_place(w, 0, PL_A_FILE, loc.file)->at = scope;
  }
  it = pl_names_place(w, loc.line, column, scope - 1);
  if (it->at == 0) *it = add_place(w, loc.line, column, scope - 1);
  w->ssa.last_loc = loc;
  w->ssa.last_suffix = *it;
  return *it;
}

static bool is_call(ph_op op) {
  return op >= PH_OPS || op == PH_CALL || op == PH_CALL_INDIRECT ||
         op == PH_TAIL_CALL || op == PH_TAIL_CALL_INDIRECT;
}

/* A call has a position wherever the function has any. */
static void locate(pl_writing *w, uint32_t id, ph_op op) {
  ph_srcloc loc;
  w->ssa.suffix = (pl_span){0, 0};
  if (w->lines.first == 0) return;
  loc = ph_value_loc(w->program.f, pl_valueid(id));
  if (loc.line == 0) {
    if (!w->ssa.told && !is_call(op)) return;
    loc.col = loc.file = 0;
  }
  w->ssa.suffix = suffix_for(w, loc);
}

/* }== Edges ========================================================== */

/* True if two edges bring the same values to a block. */
static bool brings_same(const pl_writing *w, uint32_t a, uint32_t b,
                        uint32_t to) {
  const pl_program *p = &w->program;
  uint32_t x = p->operand[a], y = p->operand[b];
  for (uint32_t i = p->phis[to]; a != b && i < p->insts[to]; i++)
    if (ph_value_arg(p->f, pl_valueid(p->kept[i]), x).id !=
        ph_value_arg(p->f, pl_valueid(p->kept[i]), y).id)
      return false;
  return true;
}

/* Decides where the edges of the block go.  Of two to the same block that bring
** different values, one gets a block of its own: languages distinguish edges by
** the block from which they come only. */
static void choose_edges(pl_writing *w) {
  const pl_program *p = &w->program;
  ph_block b = pl_writing_block(w, w->block);
  for (uint32_t i = 0; i < ph_block_nsuccs(p->f, b); i++) {
    uint32_t e = ph_block_succedge(p->f, b, i),
             to = ph_rpo_index(p->o, ph_block_succ(p->f, b, i)),
             last = w->ssa.last[to];
    size_t start = w->text.n;
    pl_span target = w->labels[to];
    if (last == 0 || ph_block_edgefrom(p->f, last).id != b.id)
      w->ssa.last[to] = last = e;
    w->ssa.to[e] = target;
    if (brings_same(w, last, e, to)) continue;
    w->ssa.to[e] = pl_names_take(w, &w->taken, (ph_str){"edge", 4});
    w->ssa.suffix = (pl_span){0, 0};
    pl_names_label(w, w->ssa.to[e]);
    pl_names_jump(w, target);
    pl_writing_move(w, start, &w->ssa.between);
  }
}

/* Notes from where the edges of the block come, which has been written, unless
** that is known. */
static void note_edges(pl_writing *w) {
  const pl_program *p = &w->program;
  ph_block b = pl_writing_block(w, w->block);
  for (uint32_t i = 0; i < ph_block_nsuccs(p->f, b); i++)
    if (w->ssa.from[ph_block_succedge(p->f, b, i)].n == 0) pl_names_leave(w, i);
}

/* }== Blocks ========================================================= */

/* Raises if a type is none of the language; calls do that themselves. */
static void check_type(pl_writing *w, uint32_t id, ph_op op) {
  ph_type type = ph_value_type(w->program.f, pl_valueid(id));
  if (type == PH_NOTYPE || is_call(op)) return;
  if (!pl_language_has(w->language, type)) pl_trap_refuse_type(w, id, type);
}

static void write_row(pl_writing *w, const pl_now *now) {
  pl_span name = w->values[now->id].name;
  bool patterns = PL_OPROWS(w->language)[now->row].patterns;
  pl_line line;
  if (patterns && !pl_fill_pushpattern(w, now)) {
    pl_fill_call(w, now, "write", 0);
    return;
  }
  if (pl_row_kindof(w, now) == PL_ROW_EXPRESSION) {
    if (!patterns) pl_fill_call(w, now, "expr", 1);
    pl_writing_begin(w);
    pl_writing_text(w, name);
    if (name.n > 0) pl_writing_span(w, w->language->words[PL_WORD_SET]);
    if (patterns)
      pl_fill_pattern(w, now->id);
    else
      pl_writing_addtop(w);
    pl_writing_end(w);
    return;
  }
  if (pl_lines_before(w, now, &line))
    pl_lines_set(w, name, &line, now);
  else if (name.n > 0 && pl_row_kindof(w, now) == PL_ROW_TEXT)
    pl_trap_refuse(w, now->id, "its row has no value");
  if (w->program.next[now->id] != 0 && pl_row_kindof(w, now) == PL_ROW_TEXT)
    pl_lines_after(w, now);
}

void pl_ssa_write(pl_writing *w, uint32_t id) {
  pl_now now = pl_row_now(w, id);
  pl_row row = PL_OPROWS(w->language)[now.row].row;
  size_t start;
  if (now.op == PH_PROJ) return;
  w->ssa.id = id;
  locate(w, id, now.op);
  if (pl_row_kindof(w, &now) == PL_ROW_NONE) pl_trap_refuse_op(w, id);
  check_type(w, id, now.op);
  start = w->text.n;
  write_row(w, &now);
  if (row.nlines > 0 && PL_LINES(&w->language->t)[row.line].kind == PL_LINE_TOP)
    pl_writing_move(w, start, &w->ssa.top);
}

static void write_block(pl_writing *w, uint32_t number) {
  const pl_program *p = &w->program;
  w->block = number;
  w->starts[number] = (uint32_t)w->text.n;
  choose_edges(w);
  w->ssa.label = w->labels[number];
  for (uint32_t i = p->insts[number]; i < p->phis[number + 1]; i++)
    pl_ssa_write(w, p->kept[i]);
  note_edges(w);
}

static void write_phi(pl_writing *w, uint32_t id) {
  const ph_func *f = w->program.f;
  ph_type type = ph_value_type(f, pl_valueid(id));
  uint32_t e = ph_block_firstpred(f, ph_value_block(f, pl_valueid(id)));
  pl_now now = {
      .id = id, .nargs = 1, .op = PH_PHI, .type = type, .types = {type}};
  const pl_line *lines = PL_LINES(&w->language->t);
  pl_line head = lines[PL_OPROWS(w->language)[PH_PHI].row.line],
          each = lines[w->language->incoming.line];
  const char *separator = " ";
  w->ssa.id = id;
  check_type(w, id, PH_PHI);
  pl_writing_begin(w);
  pl_writing_text(w, w->values[id].name);
  pl_writing_span(w, w->language->words[PL_WORD_SET]);
  pl_fill_parts(w, head.part, head.nparts, &now);
  for (uint32_t i = 0; e != 0; e = ph_block_nextpred(f, e), i++) {
    if (w->program.incoming[e] == 0) continue;
    now.args[0] = ph_value_arg(f, pl_valueid(id), i).id;
    w->ssa.label = w->ssa.from[e];
    pl_writing_puts(w, separator);
    separator = ", ";
    pl_fill_parts(w, each.part, each.nparts, &now);
  }
  pl_writing_end(w);
}

static void write_heads(pl_writing *w) {
  const pl_program *p = &w->program;
  pl_writing_swap(w, &w->heads);
  for (uint32_t k = 0; k < p->nblocks; k++) {
    pl_names_label(w, w->labels[k]);
    if (k == 0) pl_writing_add(w, w->ssa.top.at, w->ssa.top.n);
    for (uint32_t i = p->phis[k]; i < p->insts[k]; i++)
      write_phi(w, p->kept[i]);
    w->ends[k] = (uint32_t)w->text.n;
  }
  pl_writing_swap(w, &w->heads);
}

void pl_ssa_body(pl_writing *w) {
  if (PL_OPROWS(w->language)[PH_PHI].row.nlines == 0 ||
      w->language->incoming.nlines == 0)
    pl_error_plain(w->L, "the language has no phis");
  for (uint32_t k = 0; k < w->program.nblocks; k++) write_block(w, k);
  w->ssa.suffix = (pl_span){0, 0};
  w->ssa.in_phi = true;
  write_heads(w);
  pl_writing_putheads(w);
  pl_writing_add(w, w->ssa.between.at, w->ssa.between.n);
  pl_writing_add(w, w->ssa.traps.at, w->ssa.traps.n);
  if (w->ssa.nplaces > 0) give_places(w, 0);
}

/* }=================================================================== */
