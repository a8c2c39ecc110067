/* lines.c: the lines that rows have before the value of an instruction. */
#include "binding/write/writing.h"

/* Writes the line that assigns the result, or declares what it will be. */
static void write_set(pl_writing *w, const pl_line *line, const pl_now *now) {
  if (line->nparts == 0 && (w->values[now->id].flags & PL_IS_LOCAL) == 0)
    return;
  pl_writing_begin(w);
  pl_writing_target(w, now->id);
  if (line->nparts > 0) {
    pl_writing_span(w, w->language->words[PL_WORD_SET]);
    pl_fill_parts(w, line->part, line->nparts, now);
  }
  pl_writing_span(w, w->language->words[PL_WORD_END]);
  pl_writing_end(w);
}

void pl_lines_set(pl_writing *w, pl_span name, const pl_line *line,
                  const pl_now *now) {
  uint32_t part = line->part, n = line->nparts;
  pl_writing_begin(w);
  pl_writing_text(w, name);
  if (name.n > 0) pl_writing_span(w, w->language->words[PL_WORD_SET]);
  pl_fill_parts(w, part, n, now);
  pl_writing_end(w);
}

/* True if an instruction has an operand of that name. */
static bool reads(const pl_writing *w, const pl_now *now, uint32_t name) {
  const ph_func *f = w->program.f;
  for (uint32_t i = 0; i < now->nargs; i++)
    if (w->values[ph_value_arg(f, pl_valueid(now->id), i).id].name.at == name)
      return true;
  return false;
}

/* The number of the result that a projection is. */
static uint32_t result_of(const pl_writing *w, uint32_t id) {
  return (uint32_t)ph_value_data(w->program.f, pl_valueid(id)).bits;
}

/* Writes the line of a further result, if something needs that.  Without SSA form
** it has a variable, maybe that of an operand, which the rest still reads. */
static void write_result(pl_writing *w, const pl_line *line,
                         const pl_now *now) {
  uint32_t id = w->program.next[now->id], part = line->part, n = line->nparts;
  ph_type type;
  pl_span name;
  bool late;
  w->ssa.results |= UINT32_C(1) << line->let;
  while (id != 0 && result_of(w, id) != line->let) id = w->program.next[id];
  if (id == 0) return;
  name = w->values[id].name;
  type = ph_value_type(w->program.f, pl_valueid(id));
  late = !w->language->ssa && reads(w, now, name.at);
  if (late)
    name = w->language->few ? pl_names_number(w, NULL, 'r', id)
                            : pl_names_take(w, &w->taken, (ph_str){"t", 1});
  pl_writing_begin(w);
  if (!late) {
    pl_writing_target(w, id);
  } else {
    if (w->language->few)
      pl_writing_span(w, w->language->words[PL_WORD_LOCAL]);
    else if (type < PH_KNOWN_TYPES)
      pl_writing_span(w, w->language->types[type]['D' - 'A']);
    pl_writing_text(w, name);
  }
  pl_writing_span(w, w->language->words[PL_WORD_SET]);
  pl_fill_parts(w, part, n, now);
  pl_writing_span(w, w->language->words[PL_WORD_END]);
  pl_writing_end(w);
  w->ssa.further[line->let] = name;
}

void pl_lines_after(pl_writing *w, const pl_now *now) {
  const pl_span *words = w->language->words;
  for (uint32_t id = w->program.next[now->id]; id != 0;
       id = w->program.next[id]) {
    uint32_t number = result_of(w, id);
    pl_span from = {0, 0};
    if (number < PL_LETS && (w->ssa.results >> number & 1) != 0)
      from = w->ssa.further[number];
    else
      pl_trap_refuse(w, now->id, "its row has no result %d", (int)number);
    if (from.at == w->values[id].name.at) continue;
    if (w->language->ssa) {
      w->values[id].name = from;
      continue;
    }
    pl_writing_begin(w);
    pl_writing_target(w, id);
    pl_writing_span(w, words[PL_WORD_SET]);
    pl_writing_text(w, from);
    pl_writing_span(w, words[PL_WORD_END]);
    pl_writing_end(w);
  }
}

/* Writes a test for each key of a switch, and the jump to its default. */
static void write_cases(pl_writing *w, const pl_line *line, const pl_now *now) {
  for (uint32_t i = 1; i < now->nargs; i++) {
    pl_now it = *now;
    pl_span test = pl_names_sigil(
                w, pl_names_take(w, &w->taken, (ph_str){"t", 1})),
            next;
    it.nargs = 2;
    it.args[1] = ph_value_arg(w->program.f, pl_valueid(now->id), i).id;
    pl_lines_set(w, test, line, &it);
    next = pl_names_take(w, &w->taken, (ph_str){"case", 4});
    pl_writing_begin(w);
    pl_writing_span(w, w->language->words[PL_WORD_IF]);
    pl_writing_text(w, test);
    pl_names_branch(w, pl_names_target(w, i), next);
    pl_names_leave(w, i);
    pl_names_start(w, next);
  }
  pl_names_jump(w, pl_names_target(w, 0));
}

static void write_before(pl_writing *w, const pl_line *line,
                         const pl_now *now) {
  pl_line it = *line; /* lines can move */
  size_t start;
  if (it.kind == PL_LINE_NEED || it.kind == PL_LINE_DECLARE) {
    pl_fill_note(w, it, now);
  } else if (it.kind == PL_LINE_RESULT) {
    write_result(w, &it, now);
  } else if (it.kind == PL_LINE_CASE) {
    write_cases(w, &it, now);
  } else if (it.kind == PL_LINE_LET) {
    pl_span name =
        pl_names_sigil(w, pl_names_take(w, &w->taken, (ph_str){"t", 1}));
    pl_lines_set(w, name, &it, now);
    w->ssa.lets[it.let] = name;
    w->ssa.let |= UINT32_C(1) << it.let;
  } else if (it.kind == PL_LINE_DO) {
    if (it.ends && w->indent > 0) w->indent--;
    pl_writing_begin(w);
    pl_fill_parts(w, it.part, it.nparts, now);
    pl_writing_end(w);
    if (it.begins) w->indent++;
  } else if (it.kind == PL_LINE_SET) {
    write_set(w, &it, now);
  } else if (it.kind == PL_LINE_TRAP) {
    size_t after;
    start = w->text.n;
    pl_fill_parts(w, it.part, it.nparts, now);
    after = w->text.n;
    pl_fill_parts(w, it.message, it.nmessage, now);
    pl_writing_take(w, after);
    pl_trap_write(w, now->id, start, it.nparts == 0);
  }
}

bool pl_lines_before(pl_writing *w, const pl_now *now, pl_line *last) {
  const pl_language *l = w->language;
  pl_row row;
  if (PL_OPROWS(l)[now->row].checks) {
    if (w->checks) pl_fill_call(w, now, "check", 0);
    return false;
  }
  if (pl_row_kindof(w, now) == PL_ROW_STATEMENT) {
    pl_fill_call(w, now, NULL, 0);
    return false;
  }
  w->ssa.let = w->ssa.results = 0;
  row = pl_row_of(w, now);
  for (uint32_t i = 0; i < row.nlines; i++) {
    const pl_line *line = PL_LINES(&l->t) + row.line + i;
    if (!pl_row_counts(w, line, now)) continue;
    if (line->kind == PL_LINE_VALUE) {
      *last = *line;
      return true;
    }
    write_before(w, line, now);
  }
  return false;
}
