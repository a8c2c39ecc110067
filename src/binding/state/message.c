/* message.c: text about a function, composed in its buffer. */
#include "binding/state/message.h"

#include <stdio.h>
#include <string.h>

/*
** {== What things are called =========================================
*/

static void say_n(pl_funcobj *h, const char *fmt, long long n) {
  char text[40];
  snprintf(text, sizeof text, fmt, n);
  ph_strbuf_puts(&h->buf, text);
}

static void say_var(pl_funcobj *h, ph_var var) {
  ph_str name = ph_var_name(h->f, var);
  if (name.n == 0)
    say_n(h, "v%lld", var.id);
  else
    ph_strbuf_add(&h->buf, name);
}

/* A dropped block is not in the text, so it has no unique name there. */
static void say_block(pl_funcobj *h, ph_block b) {
  ph_str name = ph_block_name(h->f, b);
  if (!ph_block_isremoved(h->f, b))
    ph_print_blockname(&h->buf, h->f, b);
  else if (name.n == 0)
    say_n(h, "b%lld", b.id);
  else
    ph_strbuf_add(&h->buf, name);
}

static void say_type(pl_funcobj *h, ph_type type) {
  if (type == PH_NOTYPE)
    ph_strbuf_puts(&h->buf, "nothing");
  else
    ph_print_type(&h->buf, h->f, type);
}

/* A place in the host: " (at FILE:LINE)"; or in the frontend's source:
** " @ FILE:LINE:COL". */
static void say_place(pl_funcobj *h, ph_srcloc p, bool of_host) {
  ph_str file = ph_intern_string(h->f, p.file);
  if (p.line == 0) return;
  ph_strbuf_puts(&h->buf, of_host ? " (at " : " @ ");
  ph_strbuf_add(&h->buf, file);
  say_n(h, file.n > 0 ? ":%lld" : of_host ? "line %lld" : "%lld", p.line);
  if (p.col != 0 && !of_host) say_n(h, ":%lld", p.col);
  if (of_host) ph_strbuf_puts(&h->buf, ")");
}

static void say_separator(pl_funcobj *h, uint32_t i) {
  ph_strbuf_puts(&h->buf, i == 0 ? " " : ", ");
}

/* An instruction in short: "jump head", "%8 = add %4, %3", "call @f %8". */
static void say_inst(pl_funcobj *h, ph_value v) {
  ph_op op = ph_value_op(h->f, v);
  bool ends = (ph_op_flags(h->f, op) & PH_TERMINATOR) != 0;
  ph_block b = ph_value_block(h->f, v);
  uint32_t n = ph_value_nargs(h->f, v), m = ends ? ph_block_nsuccs(h->f, b) : 0;
  if (ph_value_type(h->f, v) != PH_NOTYPE) {
    ph_print_value(&h->buf, h->f, v);
    ph_strbuf_puts(&h->buf, " = ");
  }
  ph_print_op(&h->buf, h->f, op);
  ph_print_symbol(&h->buf, h->f, v);
  for (uint32_t i = 0; i < n && i < 3; i++) {
    say_separator(h, i);
    ph_print_value(&h->buf, h->f, ph_value_arg(h->f, v, i));
  }
  for (uint32_t i = 0; i < m && n + i < 3; i++) {
    say_separator(h, n + i);
    ph_print_blockname(&h->buf, h->f, ph_block_succ(h->f, b, i));
  }
  if (n + m > 3) ph_strbuf_puts(&h->buf, ", ...");
}

static const char *name_of_type(lua_State *L, int arg) {
  static const char *const names[LUA_NUMTYPES] = {
      [LUA_TNIL] = "nil",
      [LUA_TSTRING] = "a string",
      [LUA_TTABLE] = "a table",
      [LUA_TFUNCTION] = "a function",
      [LUA_TTHREAD] = "a thread",
      [LUA_TUSERDATA] = "a userdata",
      [LUA_TLIGHTUSERDATA] = "a userdata"};
  if (lua_isnone(L, arg)) return "no value";
  if (lua_isboolean(L, arg)) return lua_toboolean(L, arg) ? "true" : "false";
  return names[lua_type(L, arg)];
}

static void say_kind(lua_State *L, pl_funcobj *h, int arg) {
  for (int kind = PL_KIND_FUNC; kind <= PL_KIND_EVENT; kind++)
    if (pl_userdata_test(L, arg, kind) != NULL) {
      ph_strbuf_puts(&h->buf, "a ");
      ph_strbuf_puts(&h->buf, pl_userdata_names[kind]);
      return;
    }
  ph_strbuf_puts(&h->buf, name_of_type(L, arg));
}

static void say_value(pl_funcobj *h, ph_value v) {
  if (ph_value_type(h->f, v) == PH_NOTYPE && !ph_value_isdropped(h->f, v)) {
    ph_strbuf_puts(&h->buf, "'");
    say_inst(h, v);
    ph_strbuf_puts(&h->buf, "', which has no result");
    return;
  }
  say_type(h, ph_value_type(h->f, v));
  ph_strbuf_puts(&h->buf, " '");
  ph_print_value(&h->buf, h->f, v);
  ph_strbuf_puts(&h->buf, "'");
}

static void say_variable(pl_funcobj *h, ph_var var) {
  ph_print_type(&h->buf, h->f, ph_var_type(h->f, var));
  ph_strbuf_puts(&h->buf, " variable '");
  say_var(h, var);
  ph_strbuf_puts(&h->buf, "'");
}

/* The argument as it was found: "i1 '%c'", "i64 variable 'x'", "1.5",
** "a string". */
static void say_got(lua_State *L, pl_funcobj *h, int arg) {
  const pl_handle *v = pl_userdata_test(L, arg, PL_KIND_VALUE);
  const pl_handle *var = pl_userdata_test(L, arg, PL_KIND_VAR);
  if (v != NULL && v->owner == h) {
    say_value(h, (ph_value){v->id});
  } else if (var != NULL && var->owner == h) {
    say_variable(h, (ph_var){var->id});
  } else if (lua_type(L, arg) == LUA_TNUMBER) {
    if (lua_isinteger(L, arg))
      say_n(h, "%lld", (long long)lua_tointeger(L, arg));
    else
      ph_print_float(&h->buf, lua_tonumber(L, arg));
  } else {
    say_kind(L, h, arg);
  }
}

/* The same for what fits as an operand, without its type: "%c", "1.5". */
static void say_operand(lua_State *L, pl_funcobj *h, int arg) {
  const pl_handle *me = pl_userdata_test(L, arg, PL_KIND_VALUE);
  if (me != NULL && me->owner == h)
    ph_print_value(&h->buf, h->f, (ph_value){me->id});
  else
    say_got(L, h, arg);
}

/* }== Letters ======================================================== */

/* Adds what the letter of a format means; message.h lists them. */
static void say_letter(lua_State *L, pl_funcobj *h, char letter, va_list *ap) {
  switch (letter) {
    case 's':
      ph_strbuf_puts(&h->buf, va_arg(*ap, const char *));
      break;
    case 'S':
      ph_strbuf_add(&h->buf, va_arg(*ap, ph_str));
      break;
    case 'd':
      say_n(h, "%lld", va_arg(*ap, int));
      break;
    case 'b':
      say_block(h, va_arg(*ap, ph_block));
      break;
    case 'x':
      say_var(h, va_arg(*ap, ph_var));
      break;
    case 'v':
      ph_print_value(&h->buf, h->f, va_arg(*ap, ph_value));
      break;
    case 'i':
      say_inst(h, va_arg(*ap, ph_value));
      break;
    case 't':
      say_type(h, (ph_type)va_arg(*ap, int));
      break;
    case 'o':
      ph_print_op(&h->buf, h->f, (ph_op)va_arg(*ap, int));
      break;
    case 'p':
      say_place(h, va_arg(*ap, ph_srcloc), true);
      break;
    case 'l':
      say_place(h, va_arg(*ap, ph_srcloc), false);
      break;
    case 'g':
      say_got(L, h, va_arg(*ap, int));
      break;
    case 'w':
      say_operand(L, h, va_arg(*ap, int));
      break;
    case 'f':
      ph_strbuf_add(&h->buf, ph_func_name(h->f));
      break;
  }
}

void pl_message_addv(lua_State *L, pl_funcobj *h, const char *fmt,
                     va_list *ap) {
  for (;;) {
    size_t n = strcspn(fmt, "%");
    ph_strbuf_add(&h->buf, (ph_str){fmt, n});
    if (fmt[n] == '\0') return;
    say_letter(L, h, fmt[n + 1], ap);
    fmt += n + 2;
  }
}

void pl_message_add(lua_State *L, pl_funcobj *h, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  pl_message_addv(L, h, fmt, &ap);
  va_end(ap);
}

/* }=================================================================== */
