/* writing.c: text and lines of a function that is being written, and its host. */
#include <string.h>

#include "binding/state/arg.h"
#include "binding/state/handle.h"
#include "binding/write/writing.h"

/*
** {== Text ===========================================================
*/

void pl_writing_check(pl_writing *w) {
  pl_funcobj *h = w->program.h;
  if (w->program.f == NULL)
    pl_error_plain(w->L, "the function has been written");
  if (!pl_userdata_isusable(h) || ph_func_version(h->f) != w->version) {
    const char *name = pl_error_pushname(w->L, h);
    pl_error_plain(w->L, "%s was changed while it was read", name);
  }
  h->L = w->L;
}

int pl_writing_run(lua_State *L, pl_writing_method *method) {
  pl_writing *w = pl_userdata_test(L, 1, PL_KIND_WRITING);
  bool inside;
  int n;
  if (w == NULL) pl_arg_badself(L, PL_KIND_WRITING);
  inside = w->inside;
  if (!w->ready || (inside && w->L != L)) pl_writing_refuse(L);
  w->L = L;
  pl_writing_check(w);
  w->inside = true;
  n = method(L, w);
  w->inside = inside;
  return n;
}

void pl_writing_refuse(lua_State *L) {
  pl_error_plain(L, "the function is being written");
}

void pl_writing_call(pl_writing *w, int n, int results) {
  lua_State *L = w->L;
  bool in_line = w->in_line;
  int status;
  w->ncalls++;
  w->inside = false;
  status = lua_pcall(L, n, results, 0);
  w->ncalls--;
  w->inside = true;
  w->L = L;
  w->in_line = in_line;
  if (status != LUA_OK) lua_error(L);
  pl_writing_check(w);
}

void pl_writing_protect(pl_writing *w, pl_protect_body *f, int n) {
  lua_State *L = w->L;
  int status;
  w->begun = true;
  w->done = false;
  status = pl_protect_run(L, f, w, n);
  w->L = L;
  w->ncalls = 0;
  w->done = true;
  if (status != LUA_OK) lua_error(L);
}

void pl_writing_language(pl_writing *w, int which) {
  lua_getiuservalue(w->L, w->self, PL_WRITING_LANGUAGE);
  lua_getiuservalue(w->L, -1, which);
  lua_replace(w->L, -2);
}

void pl_writing_quote(pl_writing *w) {
  pl_writing_language(w, PL_LANGUAGE_QUOTE);
  lua_insert(w->L, -2);
  pl_writing_call(w, 1, 1);
}

void pl_writing_add(pl_writing *w, const char *at, size_t n) {
  char *to = w->text.cap - w->text.n >= n ? w->text.at + w->text.n : NULL;
  if (to != NULL) w->text.n += n;
  if (n > 0) memcpy(to != NULL ? to : pl_grown_more(w->L, &w->text, n), at, n);
}

void pl_writing_puts(pl_writing *w, const char *s) {
  pl_writing_add(w, s, strlen(s));
}

void pl_writing_integer(pl_writing *w, int64_t n) {
  char digits[24];
  size_t length = 0;
  uint64_t rest = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
  do digits[sizeof digits - ++length] = (char)('0' + rest % 10);
  while ((rest /= 10) > 0);
  if (n < 0) digits[sizeof digits - ++length] = '-';
  pl_writing_add(w, digits + (sizeof digits - length), length);
}

void pl_writing_span(pl_writing *w, pl_span s) {
  if (s.n > 0) pl_writing_add(w, w->language->t.texts.at + s.at, s.n);
}

void pl_writing_text(pl_writing *w, pl_span s) {
  if (s.n > 0) pl_writing_add(w, w->names.at + s.at, s.n);
}

void pl_writing_addtop(pl_writing *w) {
  size_t n;
  const char *at = lua_tolstring(w->L, -1, &n);
  if (at == NULL) pl_error_plain(w->L, "a row gave no text");
  pl_writing_add(w, at, n);
  lua_pop(w->L, 1);
}

/* What stands for a byte between quotes; the language is asked once. */
static const char *escape(pl_writing *w, char byte) {
  char *escape = w->language->escapes[(unsigned char)byte];
  size_t n;
  if (escape[0] != '\0') return escape;
  lua_pushlstring(w->L, &byte, 1);
  pl_writing_quote(w);
  n = lua_rawlen(w->L, -1);
  if (lua_type(w->L, -1) != LUA_TSTRING || n < 3 || n - 2 >= PL_ESCAPE)
    pl_error_plain(w->L, "the language does not quote '%c'", byte);
  memcpy(escape, lua_tostring(w->L, -1) + 1, n - 2);
  lua_pop(w->L, 1);
  return escape;
}

void pl_writing_addquoted(pl_writing *w) {
  size_t n, from = 0;
  const char *text = lua_tolstring(w->L, -1, &n);
  pl_writing_add(w, "\"", 1);
  for (size_t i = 0; i < n; i++) {
    bool is_plain = text[i] >= ' ' && text[i] < 127 && text[i] != '"' &&
                    text[i] != '\\' && text[i] != '?';
    if (is_plain) continue;
    pl_writing_add(w, text + from, i - from);
    pl_writing_puts(w, escape(w, text[i]));
    from = i + 1;
  }
  pl_writing_add(w, text + from, n - from);
  pl_writing_add(w, "\"", 1);
  lua_pop(w->L, 1);
}

void pl_writing_take(pl_writing *w, size_t start) {
  lua_pushlstring(w->L, w->text.at + start, w->text.n - start);
  w->text.n = start;
  pl_writing_check(w);
}

void pl_writing_move(pl_writing *w, size_t start, pl_grown *text) {
  size_t n = w->text.n - start;
  memcpy(pl_grown_more(w->L, text, n), w->text.at + start, n);
  w->text.n = start;
}

pl_span pl_writing_keep(pl_writing *w, size_t start) {
  uint32_t n = (uint32_t)(w->text.n - start);
  pl_writing_move(w, start, &w->names);
  return (pl_span){(uint32_t)w->names.n - n, n};
}

void pl_writing_swap(pl_writing *w, pl_grown *text) {
  pl_grown was = w->text;
  w->text = *text;
  *text = was;
}

void pl_writing_putheads(pl_writing *w) {
  size_t end = w->text.n, to = end + w->heads.n;
  pl_grown_more(w->L, &w->text, w->heads.n);
  for (uint32_t k = w->program.nblocks; k-- > 0;) {
    size_t n = end - w->starts[k], head = k > 0 ? w->ends[k - 1] : 0;
    end = w->starts[k];
    to -= n;
    memmove(w->text.at + to, w->text.at + end, n);
    n = w->ends[k] - head;
    to -= n;
    if (n > 0) memcpy(w->text.at + to, w->heads.at + head, n);
  }
}

/* }== Lines ========================================================== */

/* Makes the next line one of the frontend's position.  Where it is one of the
** text again, a directive without a number stands for that. */
static void locate(pl_writing *w) {
  uint32_t line = w->lines.line, file = w->lines.file;
  bool changes = file != 0 && file != w->lines.at_file;
  if (line == 0) {
    if (w->lines.at >= 0) pl_writing_puts(w, "#line\n");
    w->lines.at = -1;
    w->lines.at_file = 0;
    return;
  }
  if (w->lines.at != line || changes) {
    pl_writing_puts(w, "#line ");
    pl_writing_integer(w, line);
    if (changes) {
      ph_str name = ph_intern_string(w->program.f, file);
      pl_writing_puts(w, " ");
      lua_pushlstring(w->L, name.at, name.n);
      pl_writing_addquoted(w);
    }
    pl_writing_puts(w, "\n");
  }
  w->lines.at = (int64_t)line + 1;
  if (file != 0) w->lines.at_file = file;
}

void pl_writing_begin(pl_writing *w) {
  if (w->in_line) pl_error_plain(w->L, "a line cannot be written in another");
  if (w->lines.line != 0 || w->lines.at >= 0) locate(w);
  for (uint32_t i = 0; i < w->indent; i++) pl_writing_add(w, "  ", 2);
  w->in_line = true;
}

void pl_writing_end(pl_writing *w) {
  if (w->ssa.suffix.n > 0) pl_writing_text(w, w->ssa.suffix);
  pl_writing_add(w, "\n", 1);
  w->in_line = false;
}

void pl_writing_then(pl_writing *w) {
  if (w->language->few) {
    pl_writing_add(w, " ", 1);
    return;
  }
  pl_writing_end(w);
  w->indent++;
  pl_writing_begin(w);
}

void pl_writing_endthen(pl_writing *w) {
  if (w->language->few) {
    pl_writing_add(w, " ", 1);
    pl_writing_span(w, w->language->words[PL_WORD_DONE]);
  } else {
    w->indent--;
  }
  pl_writing_end(w);
}

void pl_writing_target(pl_writing *w, uint32_t id) {
  const pl_written *v = &w->values[id];
  ph_type type = ph_value_type(w->program.f, (ph_value){id});
  if (w->language->few) {
    if (v->flags & PL_IS_LOCAL) {
      pl_writing_span(w, w->language->words[PL_WORD_LOCAL]);
      w->few.declares = true;
    }
  } else if (w->variables[v->variable].is_local && type < PH_KNOWN_TYPES) {
    pl_writing_span(w, w->language->types[type]['D' - 'A']);
  }
  pl_writing_text(w, v->name);
}

/* }== The host ======================================================= */

pl_span pl_writing_copyname(pl_writing *w) {
  size_t length;
  const char *text = lua_tolstring(w->L, -1, &length);
  if (text == NULL) pl_error_plain(w->L, "the host gave no name");
  memcpy(pl_grown_more(w->L, &w->names, length), text, length);
  lua_pop(w->L, 1);
  pl_writing_check(w);
  return (pl_span){(uint32_t)(w->names.n - length), (uint32_t)length};
}

void pl_writing_host(pl_writing *w, const char *method, int nargs, int n) {
  lua_State *L = w->L;
  luaL_checkstack(L, 5, NULL);
  lua_getiuservalue(L, w->self, PL_WRITING_HOST);
  lua_getfield(L, -1, method);
  lua_insert(L, -2 - nargs);
  lua_insert(L, -1 - nargs);
  pl_writing_call(w, nargs + 1, n);
}

/* }=================================================================== */
