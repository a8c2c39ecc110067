/* error.c: errors, positioned at the first frame outside phial.
**
** The facade tells where its own files lie (the rock); frames from there are
** skipped.  A message about a function is composed in the host's buffer and
** becomes a Lua string at the very end: no code of the user runs while the
** function is being read.
*/
#include "binding/state/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "binding/state/method.h"

/*
** {== Where ==========================================================
*/

/* phial.core.rock(prefix) */
static int l_rock(lua_State *L) {
  pl_module *m = lua_touserdata(L, lua_upvalueindex(PL_UP_MODULE));
  const char *prefix = luaL_checkstring(L, 1);
  lua_settop(L, 1);
  lua_setiuservalue(L, lua_upvalueindex(PL_UP_MODULE), PL_MODULE_ROCK);
  m->rock = prefix;
  m->nrock = strlen(prefix);
  return 0;
}

bool pl_error_caller(lua_State *L, lua_Debug *ar) {
  const pl_module *m = pl_userdata_module(L);
  for (int level = 1; lua_getstack(L, level, ar); level++) {
    lua_getinfo(L, "Sl", ar);
    if (ar->currentline > 0 &&
        (m->nrock == 0 || strncmp(ar->source, m->rock, m->nrock) != 0))
      return true;
  }
  return false;
}

/* }== Plain errors =================================================== */

static int raise_plain(lua_State *L) {
  lua_Debug ar;
  if (pl_error_caller(L, &ar)) {
    lua_pushfstring(L, "%s:%d: ", ar.short_src, ar.currentline);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

int pl_error_plain(lua_State *L, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  lua_pushvfstring(L, fmt, ap);
  va_end(ap);
  return raise_plain(L);
}

static const char *own_name(lua_State *L) {
  return lua_tostring(L, lua_upvalueindex(PL_UP_NAME));
}

/* Functions are named with the module's name, methods without; metamethods
** count their operands. */
static bool is_method(const char *name) {
  return strncmp(name, "phial.", 6) != 0 && strncmp(name, "__", 2) != 0;
}

int pl_error_plainarg(lua_State *L, int arg, const char *fmt, ...) {
  const char *name = own_name(L);
  va_list ap;
  va_start(ap, fmt);
  lua_pushvfstring(L, fmt, ap);
  va_end(ap);
  lua_pushfstring(L, "bad argument #%d to '%s' (%s)",
                  is_method(name) ? arg - 1 : arg, name, lua_tostring(L, -1));
  return raise_plain(L);
}

/* }== Operators ====================================================== */

static const struct {
  const char *event, *sign;
} signs[] = {{"__add", "+"},   {"__sub", "-"},  {"__mul", "*"},  {"__div", "/"},
             {"__idiv", "//"}, {"__mod", "%"},  {"__band", "&"}, {"__bor", "|"},
             {"__bxor", "~"},  {"__shl", "<<"}, {"__shr", ">>"}, {"__unm", "-"},
             {"__bnot", "~"}};

const char *pl_error_sign(const char *event) {
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (strcmp(signs[i].event, event) == 0) return signs[i].sign;
  return event;
}

/* }== What things are called ========================================= */

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

/* What was dropped is in no text: it has its own name only. */
static void say_block(pl_funcobj *h, ph_block b) {
  ph_str name = ph_block_name(h->f, b);
  if (!ph_block_removed(h->f, b))
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

static void say_place(pl_funcobj *h, ph_srcloc p) {
  ph_str file = ph_intern_string(h->f, p.file);
  if (p.line == 0) return;
  ph_strbuf_puts(&h->buf, " (at ");
  ph_strbuf_add(&h->buf, file);
  say_n(h, file.n > 0 ? ":%lld)" : "line %lld)", p.line);
}

static void say_loc(pl_funcobj *h, ph_srcloc p) {
  ph_str file = ph_intern_string(h->f, p.file);
  if (p.line == 0) return;
  ph_strbuf_puts(&h->buf, " @ ");
  ph_strbuf_add(&h->buf, file);
  say_n(h, file.n > 0 ? ":%lld" : "%lld", p.line);
  if (p.col != 0) say_n(h, ":%lld", p.col);
}

static void separate(pl_funcobj *h, uint32_t i) {
  ph_strbuf_puts(&h->buf, i == 0 ? " " : ", ");
}

/* An instruction in short: "jump head", "%8 = add %4, %3". */
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
  for (uint32_t i = 0; i < n && i < 3; i++) {
    separate(h, i);
    ph_print_value(&h->buf, h->f, ph_value_arg(h->f, v, i));
  }
  for (uint32_t i = 0; i < m && n + i < 3; i++) {
    separate(h, n + i);
    ph_print_blockname(&h->buf, h->f, ph_block_succ(h->f, b, i));
  }
  if (n + m > 3) ph_strbuf_puts(&h->buf, ", ...");
}

static const char *name_of_type(lua_State *L, int arg) {
  switch (lua_type(L, arg)) {
    case LUA_TNONE:
      return "no value";
    case LUA_TNIL:
      return "nil";
    case LUA_TBOOLEAN:
      return lua_toboolean(L, arg) ? "true" : "false";
    case LUA_TSTRING:
      return "a string";
    case LUA_TTABLE:
      return "a table";
    case LUA_TFUNCTION:
      return "a function";
    case LUA_TTHREAD:
      return "a thread";
    default:
      return "a userdata";
  }
}

static void say_kind(lua_State *L, pl_funcobj *h, int arg) {
  for (int kind = PL_UP_FUNC; kind <= PL_UP_ACTOR; kind++)
    if (pl_userdata_test(L, arg, kind) != NULL) {
      ph_strbuf_puts(&h->buf, "a ");
      ph_strbuf_puts(&h->buf, pl_userdata_names[kind]);
      return;
    }
  ph_strbuf_puts(&h->buf, name_of_type(L, arg));
}

static void say_number(lua_State *L, pl_funcobj *h, int arg) {
  char text[40];
  if (lua_isinteger(L, arg)) {
    say_n(h, "%lld", (long long)lua_tointeger(L, arg));
    return;
  }
  snprintf(text, sizeof text, "%.14g", (double)lua_tonumber(L, arg));
  ph_strbuf_puts(&h->buf, text);
  if (strpbrk(text, ".einf") == NULL) ph_strbuf_puts(&h->buf, ".0");
}

static void say_value(pl_funcobj *h, ph_value v) {
  if (ph_value_type(h->f, v) == PH_NOTYPE && !ph_value_dropped(h->f, v)) {
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

/* The argument as it was found: "i1 '%c'", "1.5", "a string". */
static void say_got(lua_State *L, pl_funcobj *h, int arg) {
  const pl_handle *me = pl_userdata_test(L, arg, PL_UP_VALUE);
  if (me != NULL && me->owner == h) {
    say_value(h, (ph_value){me->id});
  } else if (lua_type(L, arg) == LUA_TNUMBER) {
    say_number(L, h, arg);
  } else {
    say_kind(L, h, arg);
  }
}

/* }== Composing ====================================================== */

static void say_one(lua_State *L, pl_funcobj *h, char what, va_list *ap) {
  ph_strbuf *b = &h->buf;
  switch (what) {
    case 's':
      ph_strbuf_puts(b, va_arg(*ap, const char *));
      break;
    case 'd':
      say_n(h, "%lld", va_arg(*ap, int));
      break;
    case 'S':
      ph_strbuf_add(b, va_arg(*ap, ph_str));
      break;
    case 'b':
      say_block(h, va_arg(*ap, ph_block));
      break;
    case 'v':
      ph_print_value(b, h->f, va_arg(*ap, ph_value));
      break;
    case 'x':
      say_var(h, va_arg(*ap, ph_var));
      break;
    case 't':
      say_type(h, (ph_type)va_arg(*ap, int));
      break;
    case 'o':
      ph_print_op(b, h->f, (ph_op)va_arg(*ap, int));
      break;
    case 'i':
      say_inst(h, va_arg(*ap, ph_value));
      break;
    case 'p':
      say_place(h, va_arg(*ap, ph_srcloc));
      break;
    case 'l':
      say_loc(h, va_arg(*ap, ph_srcloc));
      break;
    case 'g':
      say_got(L, h, va_arg(*ap, int));
      break;
    default: /* 'f' */
      ph_strbuf_add(b, ph_func_name(h->f));
  }
}

static void say(lua_State *L, pl_funcobj *h, const char *fmt, va_list *ap) {
  for (;;) {
    size_t n = strcspn(fmt, "%");
    ph_strbuf_add(&h->buf, (ph_str){fmt, n});
    if (fmt[n] == '\0') return;
    say_one(L, h, fmt[n + 1], ap);
    fmt += n + 2;
  }
}

void pl_error_start(lua_State *L, pl_funcobj *h) {
  lua_Debug ar;
  h->L = L;
  h->buf.n = 0;
  if (!pl_error_caller(L, &ar)) return;
  ph_strbuf_puts(&h->buf, ar.short_src);
  say_n(h, ":%lld: ", ar.currentline);
}

void pl_error_say(lua_State *L, pl_funcobj *h, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  say(L, h, fmt, &ap);
  va_end(ap);
}

int pl_error_raise(lua_State *L, pl_funcobj *h) {
  lua_pushlstring(L, h->buf.at, h->buf.n);
  return lua_error(L);
}

int pl_error(lua_State *L, pl_funcobj *h, const char *fmt, ...) {
  va_list ap;
  pl_error_start(L, h);
  va_start(ap, fmt);
  say(L, h, fmt, &ap);
  va_end(ap);
  return pl_error_raise(L, h);
}

int pl_error_arg(lua_State *L, pl_funcobj *h, int arg, const char *fmt, ...) {
  const char *name = own_name(L);
  va_list ap;
  pl_error_start(L, h);
  pl_error_say(L, h, "bad argument #%d to '%s' (",
               is_method(name) ? arg - 1 : arg, pl_error_sign(name));
  va_start(ap, fmt);
  say(L, h, fmt, &ap);
  va_end(ap);
  ph_strbuf_puts(&h->buf, ")");
  return pl_error_raise(L, h);
}

/* }=================================================================== */

const pl_method pl_error_methods[] = {
    {PL_OF_MODULE, "rock", l_rock},
    {0},
};
