/* trap.c: traps, and what is said of instructions. */
#include <stdarg.h>

#include "binding/args/payload.h"
#include "binding/state/handle.h"
#include "binding/state/message.h"
#include "binding/write/writing.h"

/*
** {== Places =========================================================
*/

/* True if data are the name of a symbol, or a function that is not closed, or a
** global: others are called by what they are. */
static bool has_symbol(lua_State *L, pl_funcobj *h, int fn, ph_data data) {
  int top = lua_gettop(L);
  uint32_t version = ph_func_version(h->f);
  bool result;
  const pl_funcobj *callee;
  if (data.tag != PH_DATA_SYMBOL) return data.tag == PH_DATA_STR;
  pl_payload_push(L, h, fn, data);
  callee = pl_userdata_test(L, -1, PL_KIND_FUNC);
  result = callee != NULL ? pl_userdata_isusable(callee)
                          : luaL_getmetafield(L, -1, "__symbol") != LUA_TNIL;
  lua_settop(L, top);
  if (!pl_userdata_isusable(h) || ph_func_version(h->f) != version)
    pl_error_plain(L, "the function was changed while it was read");
  return result;
}

void pl_trap_where(lua_State *L, pl_funcobj *h, int fn, ph_value v) {
  const ph_func *f = h->f;
  ph_srcloc loc = ph_value_loc(f, v);
  ph_data data = ph_value_data(f, v);
  ph_op op = ph_value_op(f, v);
  bool is_inst = ph_some(ph_value_block(f, v)); /* else a parameter */
  bool names = has_symbol(L, h, fn, data);
  h->L = L;
  pl_handle_start(h);
  pl_message_add(L, h, is_inst ? "%S: '%o" : "%S: '%o %v", ph_func_name(f), op,
                 v);
  if (names) ph_print_symbol(&h->buf, f, v);
  if (data.tag == PH_DATA_STR && (ph_op_flags(f, op) & PH_SYMBOLIC) == 0) {
    pl_message_add(L, h, " {");
    ph_strbuf_quoted(&h->buf, ph_intern_string(f, (uint32_t)data.bits));
    pl_message_add(L, h, "}");
  }
  for (uint32_t i = 0; i < ph_value_nargs(f, v) && i < 4; i++) {
    pl_message_add(L, h, i == 0 ? " " : ", ");
    if (i < 3)
      pl_message_add(L, h, "%v", ph_value_arg(f, v, i));
    else
      pl_message_add(L, h, "...");
  }
  if (is_inst) pl_message_add(L, h, "' in block '%b", ph_value_block(f, v));
  pl_message_add(L, h, "'");
  if (loc.line != 0) {
    pl_message_add(L, h, " (");
    if (loc.file != 0)
      pl_message_add(L, h, "%S:", ph_intern_string(f, loc.file));
    pl_message_add(L, h, "%d", (int)loc.line);
    if (loc.col != 0) pl_message_add(L, h, ":%d", (int)loc.col);
    pl_message_add(L, h, ")");
  }
  lua_pushlstring(L, h->buf.at, h->buf.n);
}

void pl_trap_pushwhere(pl_writing *w, uint32_t id) {
  lua_getiuservalue(w->L, w->self, PL_WRITING_FUNC);
  pl_trap_where(w->L, w->program.h, lua_gettop(w->L), pl_valueid(id));
  lua_replace(w->L, -2);
  pl_writing_check(w);
}

void pl_trap_refuse(pl_writing *w, uint32_t id, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  lua_pushvfstring(w->L, fmt, ap);
  va_end(ap);
  pl_writing_check(w);
  pl_trap_pushwhere(w, id);
  pl_error_plain(w->L, "%s: %s", lua_tostring(w->L, -1),
                 lua_tostring(w->L, -2));
}

/* Pushes the name of the language. */
static const char *push_language(pl_writing *w) {
  pl_span name = w->language->words[PL_WORD_LANGUAGE];
  if (name.n == 0) return lua_pushliteral(w->L, "the language");
  return lua_pushlstring(w->L, w->language->t.texts.at + name.at, name.n);
}

void pl_trap_refuse_op(pl_writing *w, uint32_t id) {
  pl_trap_refuse(w, id, "%s has no row for it", push_language(w));
}

void pl_trap_refuse_type(pl_writing *w, uint32_t id, ph_type type) {
  ph_str name = ph_type_name(w->program.f, type);
  const char *text = lua_pushlstring(w->L, name.at, name.n);
  pl_trap_refuse(w, id, "type '%s' has no counterpart in %s", text,
                 push_language(w));
}

/* }== In SSA form ==================================================== */

/* Writes the block of a trap, whose call is on top; returns its label. */
static pl_span write_trap(pl_writing *w) {
  pl_span label = pl_names_take(w, &w->taken, (ph_str){"trap", 4});
  size_t start = w->text.n;
  pl_names_label(w, label);
  pl_writing_begin(w);
  pl_writing_span(w, w->language->words[PL_WORD_TRAP]);
  pl_writing_addtop(w);
  pl_writing_end(w);
  if (w->language->words[PL_WORD_TRAPPED].n > 0) {
    pl_writing_begin(w);
    pl_writing_span(w, w->language->words[PL_WORD_TRAPPED]);
    pl_writing_end(w);
  }
  pl_writing_move(w, start, &w->ssa.traps);
  return label;
}

/* The label of a trap for the reason on top, which is popped: all of one position
** share it if they do not tell the reason. */
static pl_span trap_of(pl_writing *w, uint32_t id) {
  lua_State *L = w->L;
  pl_span label;
  if (w->ssa.told) {
    pl_trap_pushwhere(w, id);
    lua_pushliteral(L, ": ");
    lua_rotate(L, -3, -1);
    lua_concat(L, 3);
    pl_writing_check(w);
    pl_writing_host(w, "trap", 1, 1);
    return write_trap(w);
  }
  lua_pop(L, 1);
  label = *pl_names_place(w, 0, PL_A_TRAP, w->ssa.suffix.at);
  if (label.n > 0) return label;
  pl_writing_host(w, "trap", 0, 1);
  label = write_trap(w);
  *pl_names_place(w, 0, PL_A_TRAP, w->ssa.suffix.at) = label;
  return label;
}

static void write_split(pl_writing *w, uint32_t id, bool always) {
  const pl_span *words = w->language->words;
  pl_span next, trap;
  if (always) {
    ph_op op = ph_value_op(w->program.f, pl_valueid(id));
    pl_names_jump(w, trap_of(w, id));
    lua_pop(w->L, 1);
    /* What follows is never reached, and must be in a block all the same. */
    if (!(ph_op_flags(w->program.f, op) & PH_TERMINATOR))
      pl_names_start(w, pl_names_take(w, &w->taken, (ph_str){"ok", 2}));
    return;
  }
  next = pl_names_take(w, &w->taken, (ph_str){"ok", 2});
  trap = trap_of(w, id);
  pl_writing_begin(w);
  pl_writing_span(w, words[PL_WORD_IF]);
  pl_writing_addtop(w);
  pl_names_branch(w, trap, next);
  pl_names_start(w, next);
}

/* }== Else =========================================================== */

/* Appends where an instruction is, and the reason of its trap, which is on
** top. */
static void add_message(pl_writing *w, uint32_t id) {
  pl_trap_pushwhere(w, id);
  if (w->language->words[PL_WORD_BETWEEN].n > 0) {
    pl_writing_addquoted(w);
    pl_writing_span(w, w->language->words[PL_WORD_BETWEEN]);
  } else {
    lua_pushliteral(w->L, ": ");
    lua_rotate(w->L, -3, -1);
    lua_concat(w->L, 3);
    pl_writing_check(w);
  }
  pl_writing_addquoted(w);
}

void pl_trap_write(pl_writing *w, uint32_t id, size_t start, bool always) {
  const pl_span *words = w->language->words;
  pl_writing_take(w, start);
  lua_insert(w->L, -2);
  if (w->language->ssa) {
    write_split(w, id, always);
    return;
  }
  pl_writing_begin(w);
  if (!always) {
    pl_writing_span(w, words[PL_WORD_IF]);
    lua_pushvalue(w->L, -2);
    pl_writing_addtop(w);
    pl_writing_span(w, words[PL_WORD_THEN]);
    pl_writing_then(w);
  }
  pl_writing_span(w, words[PL_WORD_TRAP]);
  add_message(w, id);
  pl_writing_span(w, words[PL_WORD_TRAPPED]);
  if (!always)
    pl_writing_endthen(w);
  else
    pl_writing_end(w);
  lua_pop(w->L, 1);
  pl_names_need(w, (ph_str){"trap", 4});
}

/* }=================================================================== */
