/* names.c: names, each of which is taken once, and lines with labels.  Languages in
** SSA form allow all names, in quotes if need be; hosts of others spell them.
*/
#include <string.h>

#include "binding/write/writing.h"

static ph_str text_of(const pl_writing *w, pl_span s) {
  return (ph_str){w->names.at + s.at, s.n};
}

/*
** {== Texts ==========================================================
*/

/* Makes room for a name of n bytes, after the sigil, and returns where it
** begins. */
static char *open_name(pl_writing *w, size_t n) {
  pl_span sigil = w->language->words[PL_WORD_SIGIL];
  char *to = pl_grown_more(w->L, &w->names, sigil.n + n);
  if (sigil.n > 0) memcpy(to, w->language->t.texts.at + sigil.at, sigil.n);
  return to + sigil.n;
}

static pl_span add_name(pl_writing *w, ph_str name) {
  char *to = open_name(w, name.n);
  if (name.n > 0) memcpy(to, name.at, name.n);
  return (pl_span){(uint32_t)(to - w->names.at), (uint32_t)name.n};
}

/* Forgets a name if it is the last one. */
static void drop_name(pl_writing *w, pl_span name) {
  name = pl_names_sigil(w, name);
  if (w->names.n == (size_t)name.at + name.n) w->names.n = name.at;
}

enum { DIGITS = 12 };

/* Writes a number so that it ends at the end of a buffer; returns where it
** begins. */
static size_t format(char text[DIGITS], uint32_t number) {
  size_t at = DIGITS;
  do text[--at] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  return at;
}

static pl_span add_numbered(pl_writing *w, pl_span stem, uint32_t number) {
  char digits[DIGITS];
  size_t first = format(digits, number);
  pl_span between = w->language->words[PL_WORD_NUMBER];
  uint32_t n = stem.n + between.n + (uint32_t)(DIGITS - first);
  char *to = open_name(w, n);
  memcpy(to, w->names.at + stem.at, stem.n);
  memcpy(to + stem.n, w->language->t.texts.at + between.at, between.n);
  memcpy(to + stem.n + between.n, digits + first, DIGITS - first);
  return (pl_span){(uint32_t)(to - w->names.at), n};
}

/* }== Sets of names ================================================== */

typedef struct {
  pl_span name; /* is not at 0, unless the place is free */
  union {
    struct {
      uint32_t number;   /* 0: it is not taken; else 1, and those made of it */
      uint32_t spelling; /* 1 + index, or 0: not known */
    };
    pl_span noted;
  };
} place;

/* What a wanted name becomes, and what precedes the number of those that are
** like it. */
typedef struct {
  pl_span name, stem;
} spelling;

static uint32_t hash_of(const char *at, size_t n) {
  uint32_t h = 2166136261u;
  while (n-- > 0) h = (h ^ (uint8_t)*at++) * 16777619u;
  return h ^ h >> 15;
}

/* The place of a name, which may be free. */
static place *find(const pl_writing *w, const pl_nameset *set, ph_str name) {
  place *all = (place *)(void *)set->places.at;
  size_t mask = set->places.n / sizeof *all - 1,
         i = hash_of(name.at, name.n) & mask;
  while (all[i].name.at != 0 &&
         (all[i].name.n != name.n ||
          memcmp(w->names.at + all[i].name.at, name.at, name.n) != 0))
    i = (i + 1) & mask;
  return &all[i];
}

static size_t count_places(const pl_nameset *set) {
  return set->places.n / sizeof(place);
}

void pl_names_reserve(pl_writing *w, pl_nameset *set, size_t most) {
  pl_nameset more = {.n = set->n, .has_outer = set->has_outer};
  size_t was = count_places(set), count = was > 0 ? was : 64;
  const place *old = (const place *)(const void *)set->places.at;
  while (count / 4 * 3 < most) count *= 2;
  if (count == was) return;
  if (was == 0) more.places = set->places; /* only memory */
  memset(pl_grown_more(w->L, &more.places, count * sizeof *old), 0,
         count * sizeof *old);
  for (size_t i = 0; i < was; i++)
    if (old[i].name.at != 0) *find(w, &more, text_of(w, old[i].name)) = old[i];
  if (was > 0) pl_grown_done(w->L, &set->places);
  *set = more;
}

/* The place of a name, which has that from now on. */
static place *place_of(pl_writing *w, pl_nameset *set, pl_span name) {
  place *it;
  pl_names_reserve(w, set, set->n + (size_t)1);
  it = find(w, set, text_of(w, name));
  if (it->name.at == 0) {
    it->name = name;
    set->n++;
  }
  return it;
}

pl_span *pl_names_noted(pl_writing *w, pl_nameset *set, ph_str key) {
  pl_span name;
  if (set->n > 0) {
    place *it = find(w, set, key);
    if (it->name.at != 0) return &it->noted;
  }
  name = add_name(w, key);
  return &place_of(w, set, name)->noted;
}

pl_span *pl_names_place(pl_writing *w, uint32_t line, uint32_t column,
                        uint32_t scope) {
  const uint32_t key[] = {line, column, scope};
  return pl_names_noted(w, &w->ssa.known,
                        (ph_str){(const char *)key, sizeof key});
}

void pl_names_need(pl_writing *w, ph_str name) {
  pl_span *noted = pl_names_noted(w, &w->needed, name);
  if (noted->n > 0) return;
  noted->n = 1;
  lua_getiuservalue(w->L, w->self, PL_WRITING_NEEDED);
  lua_pushlstring(w->L, name.at, name.n);
  lua_pushboolean(w->L, true);
  lua_rawset(w->L, -3);
  lua_pop(w->L, 1);
  pl_writing_check(w);
}

/* True if a name is taken outside of the function. */
static bool is_outside(pl_writing *w, pl_span name) {
  bool result;
  lua_getiuservalue(w->L, w->self, PL_WRITING_OUTER);
  lua_pushlstring(w->L, w->names.at + name.at, name.n);
  result = lua_rawget(w->L, -2) != LUA_TNIL;
  lua_pop(w->L, 2);
  pl_writing_check(w);
  return result;
}

/* Takes the name of a place, which can move; false: it is taken already. */
static bool take(pl_writing *w, pl_nameset *set, place *it) {
  pl_span name = it->name;
  if (it->number != 0) return false;
  if (set->has_outer) {
    if (is_outside(w, name)) return false;
    it = find(w, set, text_of(w, name));
  }
  it->number = 1;
  return true;
}

/* }== Names ========================================================== */

/* Asks the host how it spells a name, unless its table of stems has one for it:
** then it is spelled so. */
static spelling ask(pl_writing *w, pl_span wanted) {
  lua_State *L = w->L;
  spelling it = {wanted, {0, 0}};
  int top = lua_gettop(L);
  bool has_stems;
  lua_getiuservalue(L, w->self, PL_WRITING_HOST);
  has_stems = lua_getfield(L, -1, "stems") == LUA_TTABLE;
  lua_pushlstring(L, w->names.at + wanted.at, wanted.n);
  pl_writing_check(w);
  lua_pushvalue(L, -1);
  if (has_stems && lua_rawget(L, top + 2) == LUA_TSTRING) {
    it.stem = pl_writing_copyname(w);
  } else {
    lua_settop(L, top + 3);
    pl_writing_host(w, "spell", 1, 2);
    it.stem = pl_writing_copyname(w);
    it.name = pl_writing_copyname(w);
  }
  lua_settop(L, top);
  return it;
}

/* The place of what a wanted name becomes.  In SSA form none has zero bytes. */
static place *place_for(pl_writing *w, pl_nameset *set, ph_str wanted,
                        pl_span *stem) {
  pl_span key = add_name(w, wanted);
  char *at = w->names.at + key.at, *end = at + key.n;
  place *it;
  spelling how;
  if (w->language->ssa)
    for (; (at = memchr(at, 0, (size_t)(end - at))) != NULL;) *at = '_';
  it = place_of(w, set, key);
  if (it->name.at != key.at) drop_name(w, key);
  *stem = key = it->name;
  if (w->language->ssa) return it;
  if (it->spelling == 0) {
    how = ask(w, key);
    *(spelling *)pl_grown_more(w->L, &w->spellings, sizeof how) = how;
    it = place_of(w, set, key);
    it->spelling = (uint32_t)(w->spellings.n / sizeof how);
  }
  how = ((const spelling *)(const void *)w->spellings.at)[it->spelling - 1];
  *stem = how.stem;
  return place_of(w, set, how.name);
}

/* True if byte i of a name needs no quotes. */
static bool is_simple(ph_str name, uint32_t i) {
  char c = name.at[i];
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '.' || (i > 0 && c >= '0' && c <= '9');
}

static bool needs_quotes(ph_str name) {
  for (uint32_t i = 0; i < name.n; i++)
    if (!is_simple(name, i)) return true;
  return name.n == 0;
}

pl_span pl_names_takefrom(pl_writing *w, size_t start) {
  ph_str wanted = {w->text.at + start, w->text.n - start};
  w->text.n = start; /* and stays there */
  return pl_names_take(w, &w->taken, wanted);
}

/* Takes a name whose characters are simple, instead of one. */
static pl_span take_simple(pl_writing *w, pl_span name) {
  size_t start = w->text.n;
  for (uint32_t i = 0; i < name.n; i++)
    pl_writing_add(
        w, is_simple(text_of(w, name), i) ? w->names.at + name.at + i : "_", 1);
  if (name.n == 0) pl_writing_add(w, "_", 1);
  return pl_names_takefrom(w, start);
}

/* The name in quotes, if it needs these; a simple one if the language has none. */
static pl_span quoted(pl_writing *w, pl_span name) {
  lua_State *L = w->L;
  pl_span text;
  if (!w->language->ssa || !needs_quotes(text_of(w, name))) return name;
  if (!w->language->quotes) return take_simple(w, name);
  lua_pushlstring(L, w->names.at + name.at, name.n);
  pl_writing_quote(w);
  if (lua_type(L, -1) != LUA_TSTRING)
    pl_error_plain(L, "the language has no such name");
  text = add_name(w, (ph_str){lua_tostring(L, -1), lua_rawlen(L, -1)});
  lua_pop(L, 1);
  return text;
}

pl_span pl_names_take(pl_writing *w, pl_nameset *set, ph_str wanted) {
  uint32_t longest = w->language->longest, number;
  pl_span base, name, stem;
  place *it;
  if (longest > 0 && wanted.n > longest) wanted.n = longest;
  it = place_for(w, set, wanted, &stem);
  base = name = it->name;
  number = it->number == 0 ? 1 : it->number;
  if (!take(w, set, it)) {
    do {
      if (name.at != base.at) drop_name(w, name);
      name = add_numbered(w, stem, ++number - w->language->ssa);
    } while (!take(w, set, place_of(w, set, name)));
    find(w, set, text_of(w, base))->number = number;
  }
  return quoted(w, name);
}

pl_span pl_names_sigil(const pl_writing *w, pl_span name) {
  uint32_t n = w->language->words[PL_WORD_SIGIL].n;
  return (pl_span){name.at - n, name.n + n};
}

pl_span pl_names_number(pl_writing *w, pl_nameset *set, char letter,
                        uint32_t number) {
  char text[DIGITS];
  size_t first = format(text, number);
  ph_str name;
  text[--first] = letter;
  name = (ph_str){text + first, DIGITS - first};
  return set != NULL ? pl_names_take(w, set, name) : add_name(w, name);
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
  bool direct = w->ssa.to[e].at == w->labels[to].at;
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
