/* fill.c: what rows say filled for an instruction: constants, operands, calls. */
#include <ctype.h>
#include <string.h>

#include "binding/args/payload.h"
#include "binding/write/writing.h"

/* A value as the only operand of a form. */
static pl_now form_of(const pl_writing *w, uint32_t id) {
  ph_type type = ph_value_type(w->program.f, pl_valueid(id));
  return (pl_now){id, 1, PH_COPY, 0, PH_COPY, type, {id}, {type}};
}

/*
** {== Constants ======================================================
*/

/* Calls the language's function for a constant, whose value is on top, in a
** form; replaces it by the text. */
static void call_constant(pl_writing *w, ph_type type, char form) {
  lua_State *L = w->L;
  ph_str name;
  pl_writing_check(w);
  name = ph_type_name(w->program.f, type);
  pl_writing_language(w, PL_LANGUAGE_CONSTANT);
  lua_insert(L, -2);
  lua_pushlstring(L, name.at, name.n);
  lua_insert(L, -2);
  if (form == 0)
    lua_pushnil(L);
  else
    lua_pushlstring(L, &form, 1);
  lua_getiuservalue(L, w->self, PL_WRITING_HOST);
  pl_writing_call(w, 4, 1);
  if (lua_type(L, -1) != LUA_TSTRING)
    pl_error_plain(L, "the language has no constant of this kind");
}

static void add_hex(pl_writing *w, uint64_t n) {
  int shift = 60;
  pl_writing_add(w, "0x", 2);
  while (shift > 0 && n >> shift == 0) shift -= 4;
  for (; shift >= 0; shift -= 4)
    pl_writing_add(w, &"0123456789abcdef"[n >> shift & 15], 1);
}

/* Appends a constant in a form.  Small numbers are the same in all languages. */
static void add_constant(pl_writing *w, uint32_t id, char form) {
  const ph_func *f = w->program.f;
  ph_type type = ph_value_type(f, pl_valueid(id));
  int64_t n;
  ph_op op = ph_value_op(f, pl_valueid(id));
  if (op != PH_CONST && op != PH_UNDEF)
    pl_error(w->L, w->program.h, "operand '%v' is not in a reachable block",
             pl_valueid(id));
  if (form == '=') form = 0;
  if (form != '!' && type != PH_I1 && ph_type_isint(type) &&
      pl_row_known(w, id, &n) && n >= 0 && n <= INT32_MAX) {
    pl_writing_integer(w, n);
    return;
  }
  if (form == 0 && w->values[id].name.n > 0) {
    pl_writing_text(w, w->values[id].name);
    return;
  }
  if (w->language->ssa && !pl_language_has(w->language, type))
    pl_trap_refuse_type(w, w->ssa.id, type);
  if (op == PH_UNDEF)
    lua_pushnil(w->L);
  else
    pl_literal_push(w->L, f, type, ph_value_data(f, pl_valueid(id)));
  call_constant(w, type, form);
  if (form == 0) {
    lua_pushvalue(w->L, -1);
    w->values[id].name = pl_writing_copyname(w);
  }
  pl_writing_addtop(w);
}

/* }== Parts ========================================================== */

static void add_number(pl_writing *w, const pl_part *part, const pl_now *now) {
  pl_numbers of = {{0}, {0}};
  int64_t n = 0;
  for (uint32_t i = 0; i < PL_OPERANDS; i++) {
    if (now->args[i] != 0) pl_row_known(w, now->args[i], &of.known[i]);
    of.width[i] = ph_type_width(now->types[i]);
  }
  of.width[PL_RESULT] = ph_type_width(now->type);
  pl_template_number(w->language->t.texts.at + part->at, part->n, &of, &n);
  if (part->form == 'k') {
    lua_pushinteger(w->L, n);
    call_constant(w, now->type != PH_NOTYPE ? now->type : now->types[0], 0);
    pl_writing_addtop(w);
  } else if (part->form == 'x') {
    add_hex(w, (uint64_t)n);
  } else {
    pl_writing_integer(w, n);
  }
}

static char form_for(const pl_writing *w, const pl_part *part,
                     const pl_now *now) {
  bool both = part->which == 0 && now->nargs > 1 &&
              (part->form == 0 || part->form == '=') &&
              w->language->forms['!'].nlines > 0 &&
              pl_writing_isconstant(w, now->args[0]) &&
              pl_writing_isconstant(w, now->args[1]);
  return both ? '!' : (char)part->form;
}

/* Pushes what calls that are alike have in common.  Several functions share
** patterns: what only this one knows makes a call one of its own. */
static void push_kind(pl_writing *w, const pl_now *now) {
  const ph_func *f = w->program.f;
  const pl_written *v = &w->values[now->id];
  ph_data data = ph_value_data(f, pl_valueid(now->id));
  ph_str name = {"", 0};
  bool own = now->type >= PH_TYPES;
  size_t start = w->text.n;
  uint64_t head[] = {now->op,     data.tag,    data.bits,
                     now->type,   now->nargs,  v->flags & PL_IS_INLINE,
                     v->uses > 0, (uintptr_t)f};
  for (uint32_t i = 0; i < now->nargs; i++) {
    ph_type type = ph_value_type(f, ph_value_arg(f, pl_valueid(now->id), i));
    own = own || type >= PH_TYPES;
    pl_writing_add(w, (const char *)&type, sizeof type);
  }
  if (data.tag == PH_DATA_STR) {
    name = ph_intern_string(f, (uint32_t)data.bits);
    head[2] = 0;
  } else if (data.tag > PH_DATA_STR) { /* the function keeps it alive */
    lua_getiuservalue(w->L, w->self, PL_WRITING_FUNC);
    pl_payload_push(w->L, w->program.h, lua_gettop(w->L), data);
    head[2] = (uintptr_t)lua_topointer(w->L, -1);
    own = own || !(lua_istable(w->L, -1) || lua_isuserdata(w->L, -1));
    if (own) head[2] = data.bits;
    lua_pop(w->L, 2);
  }
  if (!own) head[7] = 0;
  pl_writing_add(w, (const char *)head, sizeof head);
  pl_writing_add(w, name.at, name.n);
  pl_writing_take(w, start);
}

/* Pushes the text that a function in a field of the row, or the host for the
** symbol, makes of calls that are alike; false if it does not make one. */
static void push_alike(pl_writing *w, const pl_now *now, const char *field) {
  lua_State *L = w->L;
  luaL_checkstack(L, 10, NULL);
  lua_getiuservalue(L, w->self, PL_WRITING_PATTERNS);
  push_kind(w, now);
  lua_pushvalue(L, -1);
  if (lua_rawget(L, -3) == LUA_TNIL) {
    lua_pop(L, 1);
    if (field != NULL) {
      pl_fill_call(w, now, field, 1);
    } else {
      lua_pushinteger(L, now->id);
      pl_writing_host(w, "symbol", 1, 1);
    }
    if (lua_type(L, -1) != LUA_TSTRING) {
      lua_pop(L, 1);
      lua_pushboolean(L, false);
    }
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, -5);
    pl_writing_check(w);
  }
  lua_replace(L, -3);
  lua_pop(L, 1);
}

static const pl_line *find_line(pl_writing *w, pl_row row, const pl_now *now,
                                pl_line_kind kind);

void pl_fill_argument(pl_writing *w, uint32_t id) {
  pl_now it = form_of(w, id);
  const pl_line *line = find_line(w, w->language->argument, &it, PL_LINE_VALUE);
  if (line == NULL)
    pl_error_plain(w->L, "the language has no 'argument' for this type");
  pl_fill_parts(w, line->part, line->nparts, &it);
}

/* Appends the operands from number `first` on. */
static void add_args(pl_writing *w, uint32_t first, const pl_now *now) {
  for (uint32_t i = first; i < now->nargs; i++) {
    if (i > first) pl_writing_add(w, ", ", 2);
    pl_fill_argument(w, ph_value_arg(w->program.f, pl_valueid(now->id), i).id);
  }
}

/* Appends the word of a type. */
static void add_word(pl_writing *w, const pl_now *now, ph_type type,
                     char letter) {
  pl_span word = {0, 0};
  if (pl_language_has(w->language, type))
    word = w->language->types[type][letter - 'A'];
  if (word.n == 0)
    pl_trap_refuse_type(w, w->ssa.id != 0 ? w->ssa.id : now->id, type);
  pl_writing_span(w, word);
}

/* Appends an operand, which a row of any number of operands may lack. */
static void add_operand(pl_writing *w, const pl_part *part, const pl_now *now) {
  if (now->args[part->which] == 0)
    pl_trap_refuse(w, now->id, "its row asks for operand %d", part->which + 1);
  pl_fill_operand(w, now->args[part->which], form_for(w, part, now));
}

void pl_fill_parts(pl_writing *w, uint32_t part, uint32_t n,
                   const pl_now *now) {
  size_t helper = 0, where = 0;
  for (uint32_t i = part; i < part + n; i++) {
    const pl_part *it = PL_PARTS(&w->language->t) + i;
    ph_data data;
    ph_str name;
    switch ((pl_part_kind)it->kind) {
      case PL_PART_TEXT:
        pl_writing_span(w, (pl_span){it->at, it->n});
        break;
      case PL_PART_OPERAND:
        add_operand(w, it, now);
        break;
      case PL_PART_WORD:
        add_word(w, now, pl_row_typeof(now, it->which), (char)it->form);
        break;
      case PL_PART_TYPE:
        name = ph_type_name(w->program.f, pl_row_typeof(now, it->which));
        pl_writing_add(w, name.at, name.n);
        break;
      case PL_PART_NUMBER:
        add_number(w, it, now);
        break;
      case PL_PART_NAME:
        pl_writing_text(w, w->values[now->id].name);
        break;
      case PL_PART_ARGS:
        add_args(w, it->which, now);
        break;
      case PL_PART_SYMBOL:
        push_alike(w, now, NULL);
        pl_writing_addtop(w);
        break;
      case PL_PART_MESSAGE:
        data = ph_value_data(w->program.f, pl_valueid(now->id));
        if (data.tag != PH_DATA_STR) break; /* of a trap it is one */
        name = ph_intern_string(w->program.f, (uint32_t)data.bits);
        pl_writing_add(w, name.at, name.n);
        break;
      case PL_PART_LET:
        if (!(w->ssa.let >> it->form & 1))
          pl_trap_refuse(w, now->id, "its row asks for let %d", it->form);
        pl_writing_text(w, w->ssa.lets[it->form]);
        break;
      case PL_PART_EDGE:
        pl_writing_text(w, pl_names_target(w, it->form - 1u));
        break;
      case PL_PART_NEEDS:
        helper = w->text.n;
        break;
      case PL_PART_NEEDED:
        pl_names_need(w, (ph_str){w->text.at + helper, w->text.n - helper});
        break;
      case PL_PART_WHERE:
        where = w->text.n;
        break;
      case PL_PART_WHERED:
        pl_trap_pushwhere(w, now->id);
        if (w->text.n > where) lua_pushliteral(w->L, ": ");
        pl_writing_take(w, where);
        lua_concat(w->L, lua_rawlen(w->L, -1) > 0 ? 3 : 2);
        pl_writing_check(w);
        pl_writing_addquoted(w);
        break;
    }
  }
}

void pl_fill_note(pl_writing *w, pl_line line, const pl_now *now) {
  size_t start = w->text.n;
  pl_fill_parts(w, line.part, line.nparts, now);
  if (line.kind == PL_LINE_NEED) {
    w->text.n = start;
    return;
  }
  pl_writing_take(w, start);
  lua_getiuservalue(w->L, w->self, PL_WRITING_NEEDED);
  lua_pushvalue(w->L, -2);
  if (lua_rawget(w->L, -2) == LUA_TNIL) {
    lua_pushvalue(w->L, -3);
    lua_pushboolean(w->L, true);
    lua_rawset(w->L, -4);
    lua_pop(w->L, 2);
    pl_writing_host(w, "declare", 1, 0);
  } else {
    lua_pop(w->L, 3);
  }
  pl_writing_check(w);
}

/* The line of a row that gives its value, or, of that kind, for where bits beyond
** the type do not matter; NULL: none does.  Notes what the value needs. */
static const pl_line *find_line(pl_writing *w, pl_row row, const pl_now *now,
                                pl_line_kind kind) {
  for (uint32_t i = 0; i < row.nlines; i++) {
    const pl_line *line = PL_LINES(&w->language->t) + row.line + i;
    bool notes = kind == PL_LINE_VALUE &&
                 (line->kind == PL_LINE_NEED || line->kind == PL_LINE_DECLARE);
    if ((line->kind != kind && !notes) || !pl_row_counts(w, line, now))
      continue;
    if (!notes) return line;
    pl_fill_note(w, *line, now);
  }
  return NULL;
}

/* }== Operands ======================================================= */

/* Appends an operand as a whole expression, with its sign unless it is a name. */
static void add_extended(pl_writing *w, uint32_t id) {
  size_t start = w->text.n, at = start;
  pl_fill_operand(w, id, '=');
  while (at < w->text.n &&
         (isalnum((uint8_t)w->text.at[at]) || w->text.at[at] == '_'))
    at++;
  if (at == w->text.n && !pl_writing_isconstant(w, id)) return;
  w->text.n = start;
  pl_fill_operand(w, id, '+');
}

void pl_fill_operand(pl_writing *w, uint32_t id, char form) {
  const pl_written *v = &w->values[id];
  size_t start = w->text.n;
  const pl_line *raw = NULL;
  pl_now now;
  bool closed;
  if (form == '^') {
    add_extended(w, id);
    return;
  }
  if (v->position == 0) {
    add_constant(w, id, form != '~' ? form : 0);
    return;
  }
  if (form != 0 && form != '=' && w->language->forms[(int)form].nlines > 0) {
    const pl_line *line;
    now = form_of(w, id);
    line = find_line(w, w->language->forms[(int)form], &now, PL_LINE_VALUE);
    if (line != NULL) pl_fill_parts(w, line->part, line->nparts, &now);
    return;
  }
  if (v->name.n > 0) {
    pl_writing_text(w, v->name);
    return;
  }
  now = pl_row_now(w, id);
  if (form != '=') pl_writing_add(w, "(", 1);
  if (form == '~') raw = find_line(w, pl_row_of(w, &now), &now, PL_LINE_RAW);
  closed = raw != NULL && raw->closed;
  if (raw != NULL)
    pl_fill_parts(w, raw->part, raw->nparts, &now);
  else
    closed = pl_fill_value(w, &now);
  if (form == '=') return;
  if (closed) {
    memmove(w->text.at + start, w->text.at + start + 1, w->text.n - start - 1);
    w->text.n--;
  } else {
    pl_writing_add(w, ")", 1);
  }
}

void pl_fill_call(pl_writing *w, const pl_now *now, const char *field, int n) {
  lua_State *L = w->L;
  luaL_checkstack(L, 10, NULL);
  pl_writing_language(w, now->row == PL_ROW_DIALECT ? PL_LANGUAGE_DIALECT
                                                    : PL_LANGUAGE_FUNCTIONS);
  if (now->row != PL_ROW_DIALECT) {
    lua_rawgeti(L, -1, now->row);
    lua_replace(L, -2);
    if (field != NULL) {
      lua_getfield(L, -1, field);
      lua_replace(L, -2);
    }
  }
  lua_getiuservalue(L, w->self, PL_WRITING_HOST);
  lua_pushinteger(L, now->id);
  pl_writing_call(w, 2, n);
}

/* }== Calls ==========================================================
**
** Calls that are alike have one pattern.  In it, a byte stands for the next
** operand.
*/

enum {
  HOLE_OPERAND = 1,
  HOLE_WHOLE,    /* as a whole expression */
  HOLE_EXTENDED, /* the same, with its sign unless it is a name */
  HOLE_SIGNED,   /* with its sign */
  HOLE_TYPED     /* as a whole expression; a constant gets its type */
};

static void fill_hole(pl_writing *w, uint32_t id, char hole) {
  ph_type type = ph_value_type(w->program.f, pl_valueid(id));
  static const char forms[] = {0, 0, '=', '^', '+', '='};
  if (hole == HOLE_TYPED && pl_writing_isconstant(w, id) &&
      type < PH_KNOWN_TYPES) {
    pl_writing_add(w, "(", 1);
    pl_writing_span(w, w->language->types[type]['T' - 'A']);
    pl_writing_add(w, ")", 1);
  }
  pl_fill_operand(w, id, forms[(uint8_t)hole]);
}

void pl_fill_pattern(pl_writing *w, uint32_t id) {
  size_t n;
  const char *at = lua_tolstring(w->L, -1, &n), *to = at + n;
  for (uint32_t i = 0;; i++) {
    const char *hole = at;
    while (hole < to && (*hole < HOLE_OPERAND || *hole > HOLE_TYPED)) hole++;
    pl_writing_add(w, at, (size_t)(hole - at));
    if (hole == to) break;
    if (i < ph_value_nargs(w->program.f, pl_valueid(id)))
      fill_hole(w, ph_value_arg(w->program.f, pl_valueid(id), i).id, *hole);
    at = hole + 1;
  }
  lua_pop(w->L, 1);
}

bool pl_fill_pushpattern(pl_writing *w, const pl_now *now) {
  if (w->program.next[now->id] != 0) return false;
  push_alike(w, now, "pattern");
  if (lua_type(w->L, -1) == LUA_TSTRING) return true;
  lua_pop(w->L, 1);
  return false;
}

/* }== Values ========================================================= */

bool pl_fill_value(pl_writing *w, const pl_now *now) {
  const pl_line *line;
  bool is_closed;
  if (pl_row_kindof(w, now) == PL_ROW_EXPRESSION) {
    bool closed;
    if (PL_OPROWS(w->language)[now->row].patterns &&
        pl_fill_pushpattern(w, now)) {
      pl_fill_pattern(w, now->id);
      return true;
    }
    pl_fill_call(w, now, "expr", 2);
    closed = lua_toboolean(w->L, -1);
    lua_pop(w->L, 1);
    pl_writing_addtop(w);
    return closed;
  }
  line = find_line(w, pl_row_of(w, now), now, PL_LINE_VALUE);
  if (line == NULL) pl_trap_refuse(w, now->id, "its row has no value");
  is_closed = line->closed;
  pl_fill_parts(w, line->part, line->nparts, now);
  return is_closed;
}

/* }=================================================================== */
