/* names.c: names in languages in SSA form, each of which is taken once, and lines
** with labels.
*/
#include <string.h>

#include "binding/state/error.h"
#include "binding/write/writing.h"

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

void pl_names_reserve(pl_writing *w, size_t most) {
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

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '.';
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_simple(ph_str name) {
  for (size_t i = 0; i < name.n; i++)
    if (!is_letter(name.at[i]) && (i == 0 || !is_digit(name.at[i])))
      return false;
  return name.n > 0;
}

/* Takes a name whose characters are simple, instead of one. */
static pl_span take_simple(pl_writing *w, pl_span name) {
  char *text = lua_newuserdatauv(w->L, name.n + 1, 0);
  pl_writing_check(w);
  memcpy(text, w->names.at + name.at, name.n);
  for (size_t i = 0; i < name.n; i++)
    if (!is_letter(text[i]) && (i == 0 || !is_digit(text[i]))) text[i] = '_';
  if (name.n == 0) text[name.n++] = '_';
  name = pl_names_take(w, (ph_str){text, name.n});
  lua_pop(w->L, 1);
  return name;
}

/* The name as the language spells it, if it has more than simple ones. */
static pl_span spelled(pl_writing *w, pl_span name) {
  lua_State *L = w->L;
  pl_span text;
  if (is_simple(text_of(w, name))) return name;
  if (!w->language->quotes) return take_simple(w, name);
  lua_pushlstring(L, w->names.at + name.at, name.n);
  pl_writing_quote(w);
  if (lua_type(L, -1) != LUA_TSTRING)
    pl_error_plain(L, "the language has no such name");
  text = add_name(w, (ph_str){lua_tostring(L, -1), lua_rawlen(L, -1)});
  lua_pop(L, 1);
  return text;
}

pl_span pl_names_take(pl_writing *w, ph_str wanted) {
  uint32_t longest = w->language->longest;
  pl_span name;
  taken *it;
  if (longest > 0 && wanted.n > longest) wanted.n = longest;
  pl_names_reserve(w, w->ssa.ntaken + (size_t)2);
  name = add_name(w, wanted);
  it = find(w, w->names.at + name.at, name.n);
  if (it->name.at != 0) {
    size_t base = (size_t)(it - (taken *)(void *)w->ssa.taken.at);
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

pl_span pl_names_sigil(const pl_writing *w, pl_span name) {
  uint32_t n = w->language->words[PL_WORD_SIGIL].n;
  return (pl_span){name.at - n, name.n + n};
}

pl_span pl_names_number(pl_writing *w, char letter, uint32_t number) {
  char text[DIGITS];
  size_t n = 0;
  do text[DIGITS - ++n] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  text[DIGITS - ++n] = letter;
  return pl_names_take(w, (ph_str){text + (DIGITS - n), n});
}

pl_span pl_names_temp(pl_writing *w) {
  return pl_names_sigil(w, pl_names_take(w, (ph_str){"t", 1}));
}

/* }== Labels ========================================================= */

void pl_names_label(pl_writing *w, pl_span label) {
  pl_writing_span(w, w->language->words[PL_WORD_LABEL]);
  pl_writing_text(w, label);
  pl_writing_span(w, w->language->words[PL_WORD_LABELLED]);
  pl_writing_add(w, "\n", 1);
}

void pl_names_start(pl_writing *w, pl_span label) {
  if (w->in_line) pl_error_plain(w->L, "a line cannot be written in another");
  w->ssa.label = label;
  pl_names_label(w, label);
}

void pl_names_branch(pl_writing *w, pl_span yes, pl_span no) {
  const pl_span *words = w->language->words;
  pl_writing_span(w, words[PL_WORD_THEN]);
  pl_writing_text(w, yes);
  pl_writing_span(w, words[PL_WORD_OTHERWISE]);
  pl_writing_text(w, no);
  pl_writing_end(w);
}

void pl_names_leave(pl_writing *w, uint32_t i) {
  const pl_program *p = &w->program;
  ph_block b = ph_rpo_at(p->o, w->block);
  uint32_t e = ph_block_succedge(p->f, b, i),
           to = ph_rpo_index(p->o, ph_block_succ(p->f, b, i));
  pl_span label = ((const pl_span *)(const void *)w->labels.at)[to];
  bool direct = w->ssa.to[e].at == label.at;
  w->ssa.from[e] = direct ? w->ssa.label : w->ssa.to[e];
}

void pl_names_jump(pl_writing *w, pl_span label) {
  pl_writing_begin(w);
  pl_writing_span(w, w->language->words[PL_WORD_GOTO]);
  pl_writing_text(w, label);
  pl_writing_end(w);
}

pl_span pl_names_target(const pl_writing *w, uint32_t i) {
  ph_block b = ph_rpo_at(w->program.o, w->block);
  if (w->ssa.in_phi) return w->ssa.label;
  if (!w->language->ssa && i < w->jumps.n / sizeof(pl_span))
    return ((const pl_span *)(const void *)w->jumps.at)[i];
  if (!w->language->ssa || i >= ph_block_nsuccs(w->program.f, b))
    pl_error_plain(w->L, "the block has no edge %d", (int)i + 1);
  return w->ssa.to[ph_block_succedge(w->program.f, b, i)];
}

/* }=================================================================== */
