/* ssa.c: functions in languages in SSA form: names, blocks, phis, positions.
**
** Each value has a name and is computed by a line of its own.  A trap ends a
** block of the language, and what follows the check begins another one, so phis
** name as predecessor the block in which the terminator was written: the
** instructions of all blocks are written first, phis afterwards.
*/
#include <string.h>

#include "binding/state/error.h"
#include "binding/write/writing.h"

static ph_value value(uint32_t id) { return (ph_value){id}; }

static ph_str text_of(const pl_writing *w, pl_span s) {
  return (ph_str){w->names.at + s.at, s.n};
}

/*
** {== Names that are taken ===========================================
*/

typedef struct {
  pl_span name;    /* is not at 0, unless the place is free */
  uint32_t number; /* the last one that was appended to it */
} taken;

enum { DIGITS = 12 };

static uint32_t hash_of(const char *at, size_t n) {
  uint32_t h = 2166136261u;
  while (n-- > 0) h = (h ^ (uint8_t)*at++) * 16777619u;
  return h ^ h >> 15;
}

/* The place of a name: of it, or where it belongs. */
static taken *find(const pl_writing *w, const char *at, size_t n) {
  taken *all = (taken *)(void *)w->ssa.taken.at;
  size_t mask = w->ssa.taken.n / sizeof *all - 1, i = hash_of(at, n) & mask;
  while (
      all[i].name.at != 0 &&
      (all[i].name.n != n || memcmp(w->names.at + all[i].name.at, at, n) != 0))
    i = (i + 1) & mask;
  return &all[i];
}

static void make_room(pl_writing *w, size_t most) {
  pl_grown was = w->ssa.taken, more = {NULL, 0, 0};
  const taken *old = (const taken *)(const void *)was.at;
  size_t count = 64;
  while (count / 4 * 3 < most) count *= 2;
  if (count * sizeof *old <= was.n) return;
  memset(pl_grown_more(w->L, &more, count * sizeof *old), 0,
         count * sizeof *old);
  w->ssa.taken = more;
  for (size_t i = 0; i < was.n / sizeof *old; i++)
    if (old[i].name.at != 0)
      *find(w, text_of(w, old[i].name).at, old[i].name.n) = old[i];
  pl_grown_done(w->L, &was);
}

/* Appends a number and returns how many digits it has. */
static uint32_t add_digits(pl_writing *w, uint32_t number) {
  char digits[DIGITS];
  uint32_t n = 0;
  do digits[DIGITS - ++n] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  memcpy(pl_grown_more(w->L, &w->names, n), digits + (DIGITS - n), n);
  return n;
}

/* Appends a name behind the sigil.  None has zero bytes. */
static pl_span add_name(pl_writing *w, ph_str name) {
  pl_span sigil = w->language->words[PL_WORD_SIGIL], it;
  char *to = pl_grown_more(w->L, &w->names, sigil.n + name.n);
  memcpy(to, w->language->t.texts.at + sigil.at, sigil.n);
  to += sigil.n;
  it = (pl_span){(uint32_t)(to - w->names.at), (uint32_t)name.n};
  memcpy(to, name.at, name.n);
  for (; (to = memchr(to, 0, (size_t)(w->names.at + w->names.n - to))) != NULL;)
    *to = '_';
  return it;
}

static bool is_simple(ph_str name) {
  for (size_t i = 0; i < name.n; i++) {
    char c = name.at[i];
    if ((c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '_' && c != '.' &&
        (c < '0' || c > '9' || i == 0))
      return false;
  }
  return name.n > 0;
}

/* The name as the language spells it. */
static pl_span spelled(pl_writing *w, pl_span name) {
  lua_State *L = w->L;
  pl_span text;
  if (is_simple(text_of(w, name))) return name;
  lua_getiuservalue(L, w->self, PL_WRITING_LANGUAGE);
  lua_getiuservalue(L, -1, PL_LANGUAGE_QUOTE);
  lua_replace(L, -2);
  lua_pushlstring(L, w->names.at + name.at, name.n);
  lua_call(L, 1, 1);
  pl_writing_check(w);
  if (lua_type(L, -1) != LUA_TSTRING)
    pl_error_plain(L, "the language has no such name");
  text = add_name(w, (ph_str){lua_tostring(L, -1), lua_rawlen(L, -1)});
  lua_pop(L, 1);
  return text;
}

pl_span pl_ssa_take(pl_writing *w, ph_str wanted) {
  uint32_t longest = w->language->longest;
  pl_span name;
  taken *it;
  if (longest > 0 && wanted.n > longest) wanted.n = longest;
  make_room(w, w->ssa.ntaken + (size_t)2);
  name = add_name(w, wanted);
  it = find(w, w->names.at + name.at, name.n);
  if (it->name.at != 0) {
    size_t base = it - (taken *)(void *)w->ssa.taken.at;
    pl_span first = name;
    uint32_t number = it->number;
    do {
      w->names.n = first.at + first.n;
      *(char *)pl_grown_more(w->L, &w->names, 1) = '.';
      name.n = first.n + 1 + add_digits(w, ++number);
      it = find(w, w->names.at + name.at, name.n);
    } while (it->name.at != 0);
    ((taken *)(void *)w->ssa.taken.at)[base].number = number;
  }
  *it = (taken){name, 0};
  w->ssa.ntaken++;
  return spelled(w, name);
}

static pl_span with_sigil(const pl_writing *w, pl_span name) {
  uint32_t n = w->language->words[PL_WORD_SIGIL].n;
  return (pl_span){name.at - n, name.n + n};
}

pl_span pl_ssa_temp(pl_writing *w) {
  return with_sigil(w, pl_ssa_take(w, (ph_str){"t", 1}));
}

/* }== Names of values and blocks ====================================== */

/* The name that a letter and a number are. */
static pl_span take_number(pl_writing *w, char letter, uint32_t number) {
  char text[DIGITS];
  size_t n = 0;
  do text[DIGITS - ++n] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  text[DIGITS - ++n] = letter;
  return pl_ssa_take(w, (ph_str){text + (DIGITS - n), n});
}

/* Names that users have given come first, so that they are kept. */
static void name_value(pl_writing *w, uint32_t id, bool named) {
  const ph_func *f = w->program.f;
  ph_str wanted = ph_value_name(f, value(id));
  pl_span name;
  if (ph_value_type(f, value(id)) == PH_NOTYPE || (wanted.n > 0) != named)
    return;
  if (!named) wanted = pl_plan_varname(w, id);
  name = with_sigil(w, wanted.n > 0 ? pl_ssa_take(w, wanted)
                                    : take_number(w, 'v', id));
  w->values[id].name = name.at;
  w->values[id].nname = name.n;
}

static pl_span *label_of(const pl_writing *w, uint32_t number) {
  return (pl_span *)(void *)w->labels.at + number;
}

static void name_block(pl_writing *w, uint32_t number, bool named) {
  ph_block b = ph_rpo_at(w->program.o, number);
  ph_str wanted = ph_block_name(w->program.f, b);
  pl_span name;
  if ((wanted.n > 0) != named) return;
  name = named ? pl_ssa_take(w, wanted) : take_number(w, 'b', b.id);
  *label_of(w, number) = name;
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

/* Numbers the operands that phis have for edges. */
static void number_edges(pl_writing *w, ph_block b) {
  const ph_func *f = w->program.f;
  uint32_t n = 0, e = ph_block_firstpred(f, b);
  for (; e != 0; e = ph_block_nextpred(f, e)) {
    if (e < w->nedges) w->ssa.index[e] = n;
    n++;
  }
}

static uint32_t count_edges(const pl_program *p) {
  uint32_t n = 1;
  for (uint32_t k = 0; k < p->nblocks; k++) {
    ph_block b = ph_rpo_at(p->o, k);
    for (uint32_t i = 0; i < ph_block_nsuccs(p->f, b); i++)
      if (ph_block_succedge(p->f, b, i) >= n)
        n = ph_block_succedge(p->f, b, i) + 1;
  }
  return n;
}

static void allocate(pl_writing *w) {
  const pl_program *p = &w->program;
  size_t bytes;
  w->nvalues = ph_value_count(p->f) + 1;
  w->nvariables = 1;
  w->nedges = count_edges(p);
  bytes = w->nvalues * sizeof *w->values + sizeof *w->variables +
          w->nedges * (2 * sizeof(pl_span) + 2 * sizeof(uint32_t)) +
          p->nblocks * (2 * sizeof(uint32_t) + sizeof(bool));
  w->values = pl_grown_more(w->L, &w->memory, bytes);
  memset(w->values, 0, bytes);
  w->variables = (pl_variable *)(void *)(w->values + w->nvalues);
  w->ssa.from = (pl_span *)(void *)(w->variables + 1);
  w->ssa.to = w->ssa.from + w->nedges;
  w->edges = (uint32_t *)(void *)(w->ssa.to + w->nedges);
  w->ssa.index = w->edges + w->nedges;
  w->ssa.last = w->ssa.index + w->nedges;
  w->starts = w->ssa.last + p->nblocks;
  w->targets = (bool *)(void *)(w->starts + p->nblocks);
  bytes = p->nblocks * sizeof(pl_span);
  memset(pl_grown_more(w->L, &w->labels, bytes), 0, bytes);
}

void pl_ssa_read(pl_writing *w) {
  const pl_program *p = &w->program;
  bool has_positions = false;
  allocate(w);
  *(char *)pl_grown_more(w->L, &w->names, 1) = 0; /* no name is at 0 */
  for (uint32_t i = 0; i < p->nkept; i++) {
    w->values[p->kept[i]].position = i + 1;
    w->values[p->kept[i]].flags = PL_IS_KEPT;
  }
  for (uint32_t k = 0; k < p->nblocks; k++) {
    number_edges(w, ph_rpo_at(p->o, k));
    for (uint32_t i = p->insts[k]; i < p->phis[k + 1] && !has_positions; i++)
      has_positions = ph_value_loc(p->f, value(p->kept[i])).line != 0;
  }
  w->lines.wanted = w->lines.wanted && has_positions;
  lua_newtable(w->L);
  lua_setiuservalue(w->L, w->self, PL_WRITING_TRAPS);
  lua_newtable(w->L);
  lua_setiuservalue(w->L, w->self, PL_WRITING_PATTERNS);
  pl_writing_check(w);
  make_room(w, p->nkept + (size_t)p->nblocks);
  name_all(w, true);
  name_all(w, false);
}

/* }== Positions ====================================================== */

void pl_writing_host(pl_writing *w, const char *method, int nargs, int n) {
  lua_State *L = w->L;
  luaL_checkstack(L, 5, NULL);
  lua_getiuservalue(L, w->self, PL_WRITING_HOST);
  lua_getfield(L, -1, method);
  lua_insert(L, -2 - nargs);
  lua_insert(L, -1 - nargs);
  lua_call(L, nargs + 1, n);
  pl_writing_check(w);
}

/* The suffix that the host has for a position. */
static pl_span suffix_for(pl_writing *w, ph_srcloc loc) {
  uint32_t hash = (loc.line * 31 + loc.col) * 31 + loc.file,
           i = (hash ^ hash >> 6) % PL_SSA_POSITIONS;
  pl_span s;
  if (w->ssa.positions[i].known && w->ssa.positions[i].line == loc.line &&
      w->ssa.positions[i].col == loc.col &&
      w->ssa.positions[i].file == loc.file)
    return w->ssa.positions[i].suffix;
  lua_pushinteger(w->L, loc.line);
  lua_pushinteger(w->L, loc.col);
  if (loc.file != 0) {
    ph_str name = ph_intern_string(w->program.f, loc.file);
    lua_pushlstring(w->L, name.at, name.n);
  } else {
    lua_pushnil(w->L);
  }
  pl_writing_host(w, "at", 3, 1);
  pl_plan_copyname(w, &s.at, &s.n);
  w->ssa.positions[i].line = loc.line;
  w->ssa.positions[i].col = loc.col;
  w->ssa.positions[i].file = loc.file;
  w->ssa.positions[i].suffix = s;
  w->ssa.positions[i].known = true;
  return s;
}

static bool is_call(ph_op op) {
  return op >= PH_OPS || op == PH_CALL || op == PH_CALL_INDIRECT ||
         op == PH_TAIL_CALL || op == PH_TAIL_CALL_INDIRECT;
}

/* A call has a position wherever the function has any. */
static void locate(pl_writing *w, uint32_t id, ph_op op) {
  ph_srcloc loc;
  w->ssa.suffix = (pl_span){0, 0};
  if (!w->lines.wanted) return;
  loc = ph_value_loc(w->program.f, value(id));
  if (loc.line == 0) {
    if (!w->ssa.told && !is_call(op)) return;
    loc.col = loc.file = 0;
  }
  w->ssa.suffix = suffix_for(w, loc);
}

/* }== Lines ========================================================== */

void pl_ssa_set(pl_writing *w, pl_span name, const pl_line *line,
                const pl_now *now) {
  uint32_t part = line->part, n = line->nparts;
  pl_writer_begin(w);
  pl_writing_text(w, name);
  pl_writing_span(w, w->language->words[PL_WORD_SET]);
  pl_fill_parts(w, part, n, now);
  pl_writer_end(w);
}

static void add_label(pl_writing *w, pl_span label) {
  pl_writing_span(w, w->language->words[PL_WORD_LABEL]);
  pl_writing_text(w, label);
  pl_writing_span(w, w->language->words[PL_WORD_LABELLED]);
  pl_writing_add(w, "\n", 1);
}

void pl_ssa_start(pl_writing *w, pl_span label) {
  if (w->in_line) pl_error_plain(w->L, "a line cannot be written in another");
  w->ssa.label = label;
  add_label(w, label);
}

static void write_jump(pl_writing *w, pl_span label) {
  pl_writer_begin(w);
  pl_writing_span(w, w->language->words[PL_WORD_GOTO]);
  pl_writing_text(w, label);
  pl_writer_end(w);
}

/* Lines are written into another text until the next swap. */
static void swap(pl_writing *w, pl_grown *text) {
  pl_grown was = w->text;
  w->text = *text;
  *text = was;
}

/* }== Traps ========================================================== */

/* Writes the block of a trap, whose call is on top; returns its label. */
static pl_span write_trap(pl_writing *w) {
  pl_span label = pl_ssa_take(w, (ph_str){"trap", 4});
  swap(w, &w->ssa.traps);
  add_label(w, label);
  pl_writer_begin(w);
  pl_writing_span(w, w->language->words[PL_WORD_TRAP]);
  pl_writing_addtop(w);
  pl_writer_end(w);
  pl_writer_begin(w);
  pl_writing_span(w, w->language->words[PL_WORD_TRAPPED]);
  pl_writer_end(w);
  swap(w, &w->ssa.traps);
  return label;
}

/* The label of a trap for the reason on top, which is popped: all of one position
** share it if they do not tell the reason. */
static pl_span trap_of(pl_writing *w, uint32_t id) {
  lua_State *L = w->L;
  pl_span label;
  if (w->ssa.told) {
    pl_fill_pushwhere(w, id);
    lua_pushliteral(L, ": ");
    lua_rotate(L, -3, -1);
    lua_concat(L, 3);
    pl_writing_check(w);
    pl_writing_host(w, "trap", 1, 1);
    return write_trap(w);
  }
  lua_pop(L, 1);
  lua_getiuservalue(L, w->self, PL_WRITING_TRAPS);
  lua_pushlstring(L, w->names.at + w->ssa.suffix.at, w->ssa.suffix.n);
  pl_writing_check(w);
  lua_pushvalue(L, -1);
  if (lua_rawget(L, -3) == LUA_TNUMBER) {
    lua_Integer both = lua_tointeger(L, -1);
    lua_pop(L, 3);
    return (pl_span){(uint32_t)(both >> 32), (uint32_t)both};
  }
  lua_pop(L, 1);
  pl_writing_host(w, "trap", 0, 1);
  label = write_trap(w);
  lua_pushinteger(L, (lua_Integer)label.at << 32 | label.n);
  lua_rawset(L, -3);
  lua_pop(L, 1);
  pl_writing_check(w);
  return label;
}

void pl_ssa_trap(pl_writing *w, uint32_t id, bool always) {
  const pl_span *words = w->language->words;
  pl_span next, trap;
  if (always) {
    write_jump(w, trap_of(w, id));
    lua_pop(w->L, 1);
    return;
  }
  next = pl_ssa_take(w, (ph_str){"ok", 2});
  trap = trap_of(w, id);
  pl_writer_begin(w);
  pl_writing_span(w, words[PL_WORD_IF]);
  pl_writing_addtop(w);
  pl_writing_span(w, words[PL_WORD_THEN]);
  pl_writing_text(w, trap);
  pl_writing_span(w, words[PL_WORD_OTHERWISE]);
  pl_writing_text(w, next);
  pl_writer_end(w);
  pl_ssa_start(w, next);
}

/* }== Edges ========================================================== */

static ph_block block_at(const pl_writing *w, uint32_t number) {
  return ph_rpo_at(w->program.o, number);
}

/* True if two edges bring the same values to a block. */
static bool brings_same(const pl_writing *w, uint32_t a, uint32_t b,
                        uint32_t to) {
  const pl_program *p = &w->program;
  uint32_t x = w->ssa.index[a], y = w->ssa.index[b];
  for (uint32_t i = p->phis[to]; a != b && i < p->insts[to]; i++)
    if (ph_value_arg(p->f, value(p->kept[i]), x).id !=
        ph_value_arg(p->f, value(p->kept[i]), y).id)
      return false;
  return true;
}

/* Decides where the edges of the block go.  Of two to the same block that bring
** different values, one gets a block of its own: languages distinguish edges by
** the block from which they come only. */
static void choose_edges(pl_writing *w) {
  const pl_program *p = &w->program;
  ph_block b = block_at(w, w->block);
  for (uint32_t i = 0; i < ph_block_nsuccs(p->f, b); i++) {
    uint32_t e = ph_block_succedge(p->f, b, i),
             to = ph_rpo_index(p->o, ph_block_succ(p->f, b, i)),
             last = w->ssa.last[to];
    pl_span target = *label_of(w, to);
    if (last == 0 || ph_block_edgefrom(p->f, last).id != b.id)
      w->ssa.last[to] = last = e;
    w->ssa.to[e] = target;
    if (brings_same(w, last, e, to)) continue;
    w->ssa.to[e] = pl_ssa_take(w, (ph_str){"edge", 4});
    swap(w, &w->ssa.between);
    w->ssa.suffix = (pl_span){0, 0};
    add_label(w, w->ssa.to[e]);
    write_jump(w, target);
    swap(w, &w->ssa.between);
  }
}

/* Notes from where the edges of the block come, which has been written. */
static void note_edges(pl_writing *w) {
  const pl_program *p = &w->program;
  ph_block b = block_at(w, w->block);
  for (uint32_t i = 0; i < ph_block_nsuccs(p->f, b); i++) {
    uint32_t e = ph_block_succedge(p->f, b, i),
             to = ph_rpo_index(p->o, ph_block_succ(p->f, b, i));
    bool direct = w->ssa.to[e].at == label_of(w, to)->at;
    w->ssa.from[e] = direct ? w->ssa.label : w->ssa.to[e];
  }
}

pl_span pl_ssa_target(const pl_writing *w, uint32_t i) {
  ph_block b = block_at(w, w->block);
  if (w->ssa.in_phi) return w->ssa.label;
  if (!w->language->ssa || i >= ph_block_nsuccs(w->program.f, b))
    pl_error_plain(w->L, "the block has no edge %d", (int)i + 1);
  return w->ssa.to[ph_block_succedge(w->program.f, b, i)];
}

/* }== Blocks ========================================================= */

static bool is_top(const pl_writing *w, ph_op op) {
  const pl_language *l = w->language;
  pl_row row;
  if (op >= PH_OPS || l->ops[op].kind != PL_ROW_TEXT) return false;
  row = l->ops[op].row;
  return row.nlines > 0 && PL_LINES(&l->t)[row.line].kind == PL_LINE_TOP;
}

/* Raises if a type is none of the language; calls do that themselves. */
static void check_type(pl_writing *w, uint32_t id, ph_op op) {
  ph_type type = ph_value_type(w->program.f, value(id));
  if (type == PH_NOTYPE || is_call(op)) return;
  if (type >= PH_TYPES || !w->language->has_type[type])
    pl_fill_refuse_type(w, type);
}

/* Begins the line that computes a value, if there is one. */
static void begin_set(pl_writing *w, uint32_t id) {
  const pl_written *v = &w->values[id];
  pl_writer_begin(w);
  if (v->nname == 0) return;
  pl_writing_text(w, (pl_span){v->name, v->nname});
  pl_writing_span(w, w->language->words[PL_WORD_SET]);
}

/* Pushes what calls have in common that are alike. */
static void push_kind(pl_writing *w, const pl_now *now) {
  const ph_func *f = w->program.f;
  ph_data data = ph_value_data(f, value(now->id));
  const uint64_t head[] = {now->op, data.tag, data.bits, now->type};
  size_t start = w->text.n;
  pl_writing_add(w, (const char *)head, sizeof head);
  for (uint32_t i = 0; i < now->nargs; i++) {
    ph_type type = ph_value_type(f, ph_value_arg(f, value(now->id), i));
    pl_writing_add(w, (const char *)&type, sizeof type);
  }
  pl_writing_take(w, start);
  pl_writing_check(w);
}

/* Pushes the pattern of a call, which has a byte 1 for each operand; or what is no
** string: it is written by itself. */
static void push_pattern(pl_writing *w, const pl_now *now) {
  lua_State *L = w->L;
  lua_getiuservalue(L, w->self, PL_WRITING_PATTERNS);
  push_kind(w, now);
  lua_pushvalue(L, -1);
  if (lua_rawget(L, -3) == LUA_TNIL) {
    lua_pop(L, 1);
    pl_fill_call(w, now, "pattern", 1);
    if (lua_isnil(L, -1)) {
      lua_pop(L, 1);
      lua_pushboolean(L, false);
    }
    lua_pushvalue(L, -1);
    lua_insert(L, -4);
    lua_rawset(L, -3);
    lua_pop(L, 1);
    pl_writing_check(w);
  } else {
    lua_replace(L, -3);
    lua_pop(L, 1);
  }
}

/* Writes a call by its pattern; false: it has none. */
static bool write_pattern(pl_writing *w, const pl_now *now) {
  const char *at, *to, *hole;
  size_t n;
  push_pattern(w, now);
  at = lua_type(w->L, -1) == LUA_TSTRING ? lua_tolstring(w->L, -1, &n) : NULL;
  if (at == NULL) {
    lua_pop(w->L, 1);
    return false;
  }
  to = at + n;
  begin_set(w, now->id);
  for (uint32_t i = 0; i < now->nargs; i++, at = hole + 1) {
    hole = memchr(at, 1, (size_t)(to - at));
    if (hole == NULL) break;
    pl_writing_add(w, at, (size_t)(hole - at));
    pl_fill_operand(w, ph_value_arg(w->program.f, value(now->id), i).id, 0);
  }
  pl_writing_add(w, at, (size_t)(to - at));
  pl_writer_end(w);
  lua_pop(w->L, 1);
  return true;
}

static void write_row(pl_writing *w, const pl_now *now) {
  const pl_written *v = &w->values[now->id];
  pl_span name = {v->name, v->nname};
  pl_line line;
  if (now->op < PH_OPS && w->language->ops[now->op].patterns) {
    if (w->program.next[now->id] != 0 || !write_pattern(w, now))
      pl_fill_call(w, now, "write", 0);
    return;
  }
  if (now->op < PH_OPS && w->language->ops[now->op].kind == PL_ROW_EXPRESSION) {
    pl_fill_call(w, now, "expr", 1);
    begin_set(w, now->id);
    pl_writing_addtop(w);
    pl_writer_end(w);
    return;
  }
  if (pl_fill_before(w, now, &line))
    pl_ssa_set(w, name, &line, now);
  else if (name.n > 0 && now->op < PH_OPS &&
           w->language->ops[now->op].kind == PL_ROW_TEXT)
    pl_error(w->L, w->program.h, "'%i': the row of '%o' has no value for it",
             value(now->id), now->op);
}

void pl_ssa_write(pl_writing *w, uint32_t id) {
  pl_now now = pl_fill_now(w, id);
  bool top = is_top(w, now.op);
  if (now.op == PH_PROJ) return;
  w->ssa.id = id;
  locate(w, id, now.op);
  if (now.op < PH_OPS && w->language->ops[now.op].kind == PL_ROW_NONE)
    pl_error(w->L, w->program.h, "'%i': the language has no row for '%o'",
             value(id), now.op);
  check_type(w, id, now.op);
  if (top) swap(w, &w->ssa.top);
  write_row(w, &now);
  if (top) swap(w, &w->ssa.top);
}

static void write_block(pl_writing *w, uint32_t number) {
  const pl_program *p = &w->program;
  w->block = number;
  w->starts[number] = (uint32_t)w->text.n;
  choose_edges(w);
  w->ssa.label = *label_of(w, number);
  for (uint32_t i = p->insts[number]; i < p->phis[number + 1]; i++)
    pl_ssa_write(w, p->kept[i]);
  note_edges(w);
}

static void write_phi(pl_writing *w, uint32_t id) {
  const ph_func *f = w->program.f;
  ph_type type = ph_value_type(f, value(id));
  uint32_t e = ph_block_firstpred(f, ph_value_block(f, value(id)));
  pl_now now = {
      .id = id, .nargs = 1, .op = PH_PHI, .type = type, .types = {type}};
  const pl_line *lines = PL_LINES(&w->language->t);
  pl_line head = lines[w->language->ops[PH_PHI].row.line],
          each = lines[w->language->incoming.line];
  const char *separator = " ";
  w->ssa.id = id;
  check_type(w, id, PH_PHI);
  pl_writer_begin(w);
  pl_writing_add(w, pl_writing_name(w, w->values[id].name),
                 w->values[id].nname);
  pl_writing_span(w, w->language->words[PL_WORD_SET]);
  pl_fill_parts(w, head.part, head.nparts, &now);
  for (uint32_t i = 0; e != 0; e = ph_block_nextpred(f, e), i++) {
    if (w->program.incoming[e] == 0) continue;
    now.args[0] = ph_value_arg(f, value(id), i).id;
    w->ssa.label = w->ssa.from[e];
    pl_writing_puts(w, separator);
    separator = ", ";
    pl_fill_parts(w, each.part, each.nparts, &now);
  }
  pl_writer_end(w);
}

static void append(pl_writing *w, const pl_grown *text) {
  pl_writing_add(w, text->at, text->n);
}

/* Appends the blocks, whose instructions end at `end`, and those besides. */
static void write_blocks(pl_writing *w, size_t end) {
  const pl_program *p = &w->program;
  for (uint32_t k = 0; k < p->nblocks; k++) {
    size_t first = w->starts[k],
           n = (k + 1 < p->nblocks ? w->starts[k + 1] : end) - first;
    add_label(w, *label_of(w, k));
    if (k == 0) append(w, &w->ssa.top);
    for (uint32_t i = p->phis[k]; i < p->insts[k]; i++)
      write_phi(w, p->kept[i]);
    pl_grown_more(w->L, &w->text, n);
    memcpy(w->text.at + (w->text.n - n), w->text.at + first, n);
  }
  append(w, &w->ssa.between);
  append(w, &w->ssa.traps);
}

void pl_ssa_body(pl_writing *w) {
  size_t end;
  if (w->language->ops[PH_PHI].row.nlines == 0 ||
      w->language->incoming.nlines == 0)
    pl_error_plain(w->L, "the language has no phis");
  for (uint32_t k = 0; k < w->program.nblocks; k++) write_block(w, k);
  end = w->text.n;
  w->ssa.suffix = (pl_span){0, 0};
  w->ssa.in_phi = true;
  write_blocks(w, end);
  w->text.n--;
  pl_writing_take(w, end);
}

/* }=================================================================== */
