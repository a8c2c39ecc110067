/* blocks.c: blocks as lines: results, edges, terminators, labels, in languages
** without SSA form.
**
** Blocks are written one after another in reverse postorder, and afterwards the
** labels are put before those to which something goes.
*/
#include <string.h>

#include "binding/write/writing.h"

/*
** {== Results ========================================================
*/

static void take_position(pl_writing *w, uint32_t id) {
  ph_srcloc loc;
  if (w->lines.first == 0) return;
  loc = ph_value_loc(w->program.f, pl_valueid(id));
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

void pl_blocks_set(pl_writing *w, uint32_t id, const pl_now *now) {
  const pl_span *words = w->language->words;
  bool is_unused = !w->language->ssa && w->values[id].uses == 0;
  bool drops =
      is_unused &&
      (now == NULL || (now->op != PH_CALL && now->op != PH_CALL_INDIRECT));
  line_start line = begin_line(w);
  size_t start;
  if (drops) pl_writing_span(w, words[PL_WORD_DROP]);
  if (!is_unused) {
    pl_writing_target(w, id);
    pl_writing_span(w, words[PL_WORD_SET]);
  }
  start = w->text.n;
  if (now != NULL)
    pl_fill_value(w, now);
  else
    pl_writing_addtop(w);
  if (!is_unused) {
    end_assignment(w, w->values[id].name, line, start);
    return;
  }
  pl_writing_span(w, words[drops ? PL_WORD_DROPPED : PL_WORD_END]);
  pl_writing_end(w);
}

/* }== Instructions =================================================== */

static void write_instruction(pl_writing *w, uint32_t id) {
  pl_line last;
  uint8_t flags = w->values[id].flags;
  bool is_inline = (flags & PL_IS_INLINE) != 0;
  pl_now now;
  pl_shape shape;
  if ((flags & PL_IS_NAME) != 0 || (is_inline && (flags & PL_IS_QUIET) != 0))
    return;
  now = pl_row_now(w, id);
  shape = pl_row_shape(w, &now);
  if (is_inline && !(shape.pre && shape.value)) return;
  take_position(w, id);
  if (pl_row_kindof(w, &now) == PL_ROW_NONE) pl_trap_refuse_op(w, id);
  if (pl_row_kindof(w, &now) == PL_ROW_TEXT && !shape.value && !shape.sets &&
      w->values[id].uses > 0)
    pl_trap_refuse(w, id, "its row has no value");
  pl_lines_before(w, &now, &last);
  if (shape.value && !is_inline) pl_blocks_set(w, id, &now);
  if (w->program.next[id] != 0 && pl_row_kindof(w, &now) == PL_ROW_TEXT)
    pl_lines_after(w, &now);
  if (w->program.next[id] != 0 && pl_row_kindof(w, &now) == PL_ROW_EXPRESSION)
    pl_fill_call(w, &now, "further", 0);
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

bool pl_blocks_hasmoves(const pl_writing *w, uint32_t edge) {
  const pl_move *moves = (const pl_move *)(const void *)w->moves.at;
  return w->edges[edge] != 0 && moves[w->edges[edge] - 1].to != 0;
}

uint32_t pl_blocks_target(const pl_writing *w, uint32_t i) {
  return ph_rpo_index(
      w->program.o,
      ph_block_succ(w->program.f, pl_writing_block(w, w->block), i));
}

/* Appends a jump to a block by an edge. */
static void add_jump(pl_writing *w, uint32_t to, uint32_t edge) {
  w->targets[to] = true;
  if (w->language->few && w->few.form != PL_FORM_LABELS) {
    pl_locals_jump(w, to, edge);
    return;
  }
  pl_writing_span(w, w->language->words[PL_WORD_GOTO]);
  pl_writing_text(w, w->labels[to]);
  pl_writing_span(w, w->language->words[PL_WORD_END]);
}

void pl_blocks_jump(pl_writing *w, uint32_t to, uint32_t edge) {
  pl_writing_begin(w);
  add_jump(w, to, edge);
  pl_writing_end(w);
}

static uint32_t edge_of(const pl_writing *w, uint32_t i) {
  return ph_block_succedge(w->program.f, pl_writing_block(w, w->block), i);
}

/* True if a block comes after the current one. */
static bool follows(const pl_writing *w, uint32_t to) {
  return to == w->block + 1 &&
         (!w->language->few || w->few.form == PL_FORM_LABELS);
}

/* Writes edge i of the current block; without a jump if its target follows. */
void pl_blocks_go(pl_writing *w, uint32_t i, bool may_fall) {
  uint32_t to = pl_blocks_target(w, i);
  write_moves(w, edge_of(w, i));
  if (!may_fall || !follows(w, to)) pl_blocks_jump(w, to, edge_of(w, i));
}

static void go_if(pl_writing *w, uint32_t cond, bool negated, uint32_t i) {
  const pl_span *words = w->language->words;
  pl_writing_begin(w);
  pl_writing_span(w, words[PL_WORD_IF]);
  if (negated) pl_writing_span(w, words[PL_WORD_NOT]);
  pl_fill_operand(w, cond, negated ? 0 : '=');
  pl_writing_span(w, words[PL_WORD_THEN]);
  if (!pl_blocks_hasmoves(w, edge_of(w, i))) {
    pl_writing_then(w);
    add_jump(w, pl_blocks_target(w, i), edge_of(w, i));
    pl_writing_endthen(w);
    return;
  }
  pl_writing_span(w, words[PL_WORD_BEGIN]);
  pl_writing_end(w);
  w->indent++;
  pl_blocks_go(w, i, false);
  w->indent--;
  pl_writing_begin(w);
  pl_writing_span(w, words[PL_WORD_DONE]);
  pl_writing_end(w);
}

static void write_branch(pl_writing *w, uint32_t cond) {
  bool next = follows(w, pl_blocks_target(w, 0));
  go_if(w, cond, next, next ? 1 : 0);
  pl_blocks_go(w, next ? 0 : 1, true);
}

/* Appends edge i of the current block as a statement on one line. */
void pl_blocks_addstatement(pl_writing *w, uint32_t i) {
  uint32_t indent = w->indent, line = w->lines.line, n = 0;
  int64_t at = w->lines.at;
  size_t start, end;
  if (!w->language->few) pl_writing_add(w, "{ ", 2);
  start = w->text.n;
  w->lines.at = -1;
  w->lines.line = 0;
  w->indent = 0;
  pl_blocks_go(w, i, false);
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
  uint32_t n = ph_block_nsuccs(w->program.f, pl_writing_block(w, w->block));
  w->jumps.n = 0;
  for (uint32_t i = 0; i < n; i++) {
    size_t start = w->text.n;
    pl_span it;
    pl_blocks_addstatement(w, i);
    it = pl_writing_keep(w, start);
    *(pl_span *)pl_grown_more(w->L, &w->jumps, sizeof it) = it;
  }
}

static void write_terminator(pl_writing *w, uint32_t id) {
  pl_line last;
  pl_now now = pl_row_now(w, id);
  take_position(w, id);
  if (now.op >= PH_OPS && pl_row_kindof(w, &now) == PL_ROW_TEXT) {
    make_jumps(w);
    w->few.declares = true; /* it may return */
  }
  if (now.op == PH_RET) w->returns = true;
  if (now.op == PH_JUMP)
    pl_blocks_go(w, 0, true);
  else if (now.op == PH_BRANCH)
    write_branch(w, now.args[0]);
  else
    pl_lines_before(w, &now, &last);
}

/* }== Blocks ========================================================= */

/* Positions are not known until the block has one. */
void pl_blocks_start(pl_writing *w, uint32_t number) {
  const pl_program *p = &w->program;
  w->block = number;
  w->starts[number] = (uint32_t)w->text.n;
  w->lines.line = 0;
  if (w->lines.at >= 0) w->lines.at = 0;
  for (uint32_t i = p->insts[number];
       w->lines.first != 0 && i < p->phis[number + 1] && w->lines.line == 0;
       i++)
    take_position(w, p->kept[i]);
}

void pl_blocks_instructions(pl_writing *w, uint32_t number) {
  const pl_program *p = &w->program;
  uint32_t end = p->phis[number + 1];
  uint32_t last = ph_block_terminator(p->f, pl_writing_block(w, number)).id;
  for (uint32_t i = p->insts[number]; i < end; i++) {
    uint32_t id = p->kept[i];
    if (id != last && ph_value_op(p->f, pl_valueid(id)) != PH_PROJ)
      write_instruction(w, id);
  }
}

void pl_blocks_end(pl_writing *w, uint32_t number) {
  w->block = number;
  write_terminator(
      w, ph_block_terminator(w->program.f, pl_writing_block(w, number)).id);
}

static void write_block(pl_writing *w, uint32_t number) {
  pl_blocks_start(w, number);
  if (number == 0) {
    lua_getiuservalue(w->L, w->self, PL_WRITING_HOST);
    if (lua_getfield(w->L, -1, "start") == LUA_TFUNCTION) {
      lua_insert(w->L, -2);
      pl_writing_call(w, 1, 0);
    } else {
      lua_pop(w->L, 2);
    }
  }
  pl_blocks_instructions(w, number);
  pl_blocks_end(w, number);
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
      pl_writing_text(w, w->labels[k]);
      pl_writing_puts(w, behind);
      pl_writing_swap(w, &w->heads);
    }
    w->ends[k] = (uint32_t)w->heads.n;
  }
}

void pl_blocks_all(pl_writing *w) {
  for (uint32_t k = 0; k < w->program.nblocks; k++) write_block(w, k);
  write_labels(w);
  pl_writing_putheads(w);
}

/* }=================================================================== */
