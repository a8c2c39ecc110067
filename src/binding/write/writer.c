/* writer.c: phial.core.writing(): a function that is being written, from its
** beginning to its end.
*/
#include <string.h>

#include "binding/analysis/analysis.h"
#include "binding/args/payload.h"
#include "binding/state/access.h"
#include "binding/state/method.h"
#include "binding/write/writing.h"

/*
** {== Memory =========================================================
*/

#define AT(field) offsetof(pl_writing, field)
/* Where its buffers are; that of the text is the last one. */
static const uint16_t buffers[PL_BUFFERS] = {AT(arrays),
                                             AT(needed.places),
                                             AT(memory),
                                             AT(further),
                                             AT(names),
                                             AT(given),
                                             AT(moves),
                                             AT(jumps),
                                             AT(own),
                                             AT(declared),
                                             AT(heads),
                                             AT(taken.places),
                                             AT(spellings),
                                             AT(taken_labels.places),
                                             AT(ssa.top),
                                             AT(ssa.traps),
                                             AT(ssa.between),
                                             AT(ssa.places),
                                             AT(ssa.known.places),
                                             AT(few.last),
                                             AT(few.counts),
                                             AT(text)};

static pl_grown *buffer(pl_writing *w, size_t i) {
  return (pl_grown *)(void *)((char *)w + buffers[i]);
}

enum { TEXT = PL_BUFFERS - 1, SPARE = 1 << 16 };

/* Takes what the function has left that was written last. */
static void take_spare(pl_writing *w) {
  for (size_t i = 0; i < PL_BUFFERS; i++) *buffer(w, i) = w->language->spare[i];
  memset(w->language->spare, 0, sizeof w->language->spare);
}

/* Leaves buffers from `first` on, before `end`, for the next function; frees those
** that are large. */
static void leave_spare(pl_writing *w, size_t first, size_t end) {
  for (size_t i = first; i < end; i++) {
    pl_grown *it = buffer(w, i), *spare = &w->language->spare[i];
    if (spare->at == NULL && it->cap <= SPARE) {
      *spare = *it;
      spare->n = 0;
      *it = (pl_grown){NULL, 0, 0};
    } else {
      pl_grown_done(w->L, it);
    }
  }
}

/* }== The beginning ==================================================== */

/* Gives values of phial's `address` the texts that the host has for their data. */
static void take_addresses(pl_writing *w, int fn) {
  const pl_program *p = &w->program;
  lua_getiuservalue(w->L, w->self, PL_WRITING_HOST);
  lua_getfield(w->L, -1, "texts");
  for (uint32_t i = 0; i < p->nkept; i++) {
    uint32_t id = p->kept[i];
    pl_written *v = &w->values[id];
    pl_variable *it = &w->variables[v->variable];
    if (ph_value_op(p->f, pl_valueid(id)) != PH_ADDRESS || v->variable == 0 ||
        it->shared)
      continue;
    pl_payload_push(w->L, p->h, fn, ph_value_data(p->f, pl_valueid(id)));
    pl_writing_check(w);
    if (lua_rawget(w->L, -2) != LUA_TSTRING) {
      lua_pop(w->L, 1);
      continue;
    }
    it->name = v->name = pl_writing_copyname(w);
    v->flags |= PL_IS_NAME;
  }
  lua_pop(w->L, 2);
}

/* The first instruction that has a position of the frontend, or 0. */
static uint32_t find_position(const pl_writing *w) {
  const pl_program *p = &w->program;
  for (uint32_t k = 0; k < p->nblocks; k++)
    for (uint32_t i = p->insts[k]; i < p->phis[k + 1]; i++)
      if (ph_value_loc(p->f, pl_valueid(p->kept[i])).line != 0)
        return p->kept[i];
  return 0;
}

static uint32_t take_number(lua_State *L, const char *name) {
  uint32_t n;
  lua_getfield(L, 4, name);
  n = (uint32_t)luaL_checkinteger(L, -1);
  lua_pop(L, 1);
  return n;
}

/* True if the host, or the table at that index, has a field. */
static bool takes(lua_State *L, int table, const char *name) {
  bool result;
  lua_getfield(L, table, name);
  result = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return result;
}

/* The host's fields `form`, `room`, `many` and `most`. */
static void take_form(pl_writing *w) {
  static const char *const forms[] = {"goto", "blocks", "nested", "flat", NULL};
  lua_State *L = w->L;
  lua_getfield(L, 4, "form");
  w->few.form = (uint8_t)luaL_checkoption(L, -1, NULL, forms);
  lua_pop(L, 1);
  w->few.room = take_number(L, "room");
  w->few.many = take_number(L, "many");
  w->most = take_number(L, "most");
  w->few.fits = true;
}

static void take_options(pl_writing *w) {
  lua_State *L = w->L;
  bool has_lines = takes(L, 4, "lines");
  lua_getfield(L, 4, "flags");
  for (uint32_t i = 0; i < w->language->t.nflags; i++)
    if (takes(L, -1, w->language->t.flags[i])) w->flags |= UINT32_C(1) << i;
  w->traps = takes(L, -1, "traps");
  lua_pop(L, 1);
  w->numbered = takes(L, 4, "numbered");
  w->ssa.told = takes(L, 4, "told");
  w->checks = takes(L, 4, "checks");
  w->most = 16;
  if (w->language->few) take_form(w);
  pl_writing_check(w);
  w->lines.at = -1;
  if (has_lines) w->lines.first = find_position(w);
}

/* Makes the values, and all texts some, with room: an address in one is never null.
** No name is at 0. */
static void allocate(pl_writing *w) {
  pl_grown *texts[] = {&w->text, &w->ssa.top, &w->ssa.between, &w->ssa.traps,
                       &w->ssa.places};
  size_t likely = (w->program.nkept + (size_t)1) * 32;
  w->nvalues = ph_value_count(w->program.f) + 1;
  w->values = pl_grown_more(w->L, &w->memory, w->nvalues * sizeof *w->values);
  memset(w->values, 0, w->nvalues * sizeof *w->values);
  pl_grown_more(w->L, &w->names, likely / 4);
  *w->names.at = 0;
  w->names.n = 1;
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    pl_grown_more(w->L, texts[i], i == 0 ? likely : 1);
    texts[i]->n = 0;
  }
}

/* Pushes a writing: the one that is the host's field `w`, if that has ended. */
static pl_writing *push_writing(lua_State *L, const pl_language *l) {
  pl_writing *w;
  lua_getfield(L, 3, "w");
  w = pl_userdata_test(L, -1, PL_KIND_WRITING);
  if (w == NULL || w->language != l || w->program.f != NULL || !w->done ||
      w->inside || w->ncalls > 0) {
    w = lua_newuserdatauv(L, sizeof *w, PL_WRITING_USERVALUES);
    memset(w, 0, sizeof *w);
    pl_userdata_setkind(L, PL_KIND_WRITING);
    lua_replace(L, -2);
  } else {
    memset(w, 0, sizeof *w);
  }
  return w;
}

/* phial.core.writing(language, fn, host) */
static int l_writing(lua_State *L) {
  pl_language *l = pl_userdata_test(L, 1, PL_KIND_LANGUAGE);
  pl_funcobj *h = pl_userdata_test(L, 2, PL_KIND_FUNC);
  pl_writing *w;
  if (l == NULL || h == NULL) return luaL_error(L, "bad arguments");
  luaL_checktype(L, 3, LUA_TTABLE);
  if (!ph_finish_isdone(pl_access_read(L, h)))
    pl_error(L, h, "function '%f' is not finished");
  lua_settop(L, 3);
  w = push_writing(L, l);
  lua_insert(L, 1);
  w->L = L;
  w->self = 1;
  w->language = l;
  lua_pushvalue(L, 2);
  lua_setiuservalue(L, 1, PL_WRITING_LANGUAGE);
  lua_pushvalue(L, 3);
  lua_setiuservalue(L, 1, PL_WRITING_FUNC);
  lua_pushvalue(L, 4);
  lua_setiuservalue(L, 1, PL_WRITING_HOST);
  if (lua_getfield(L, 4, "texts") != LUA_TTABLE ||
      lua_getfield(L, 4, "flags") != LUA_TTABLE ||
      lua_getfield(L, 4, "needed") != LUA_TTABLE)
    return luaL_error(L, "bad arguments");
  lua_setiuservalue(L, 1, PL_WRITING_NEEDED);
  w->taken.has_outer = lua_getfield(L, 4, "outer") == LUA_TTABLE;
  lua_setiuservalue(L, 1, PL_WRITING_OUTER);
  if (lua_getfield(L, 4, "patterns") != LUA_TTABLE) lua_newtable(L);
  lua_setiuservalue(L, 1, PL_WRITING_PATTERNS);
  take_spare(w);
  pl_program_read(L, &w->program, h, l->ssa, &w->arrays);
  w->version = ph_func_version(h->f);
  take_options(w);
  allocate(w);
  if (l->ssa) {
    pl_analysis_forget(h);
    pl_ssa_read(w);
  } else {
    pl_plan_read(w);
    take_addresses(w, 3);
    pl_plan_choose(w);
    if (l->few)
      pl_locals_name(w);
    else
      pl_plan_name(w);
  }
  w->ready = true;
  w->inside = false;
  lua_settop(L, 1);
  return pl_access_return(L, h, 1);
}

/* }== The end ========================================================== */

static int write_all(lua_State *L, void *ud) {
  pl_writing *w = ud;
  w->L = L;
  if (w->language->ssa)
    pl_ssa_body(w);
  else
    pl_blocks_all(w);
  if (w->language->few) {
    pl_writing_take(w, 0);
    return 1;
  }
  leave_spare(w, 0, TEXT); /* the text is copied next */
  w->program.f = NULL;
  lua_pushlstring(L, w->text.at, w->text.n - (w->text.n > 0));
  leave_spare(w, TEXT, PL_BUFFERS);
  return 1;
}

/* w:body(): the text of all blocks, once; it is the end, and that of the last line
** is missing, except in a language with few locals.  Then whether a block
** returns, and whether compilers expect a line of the frontend after it */
PL_WRITING_METHOD(body) {
  if (w->begun) pl_error_plain(L, "the function has been written");
  w->indent = 1;
  lua_settop(L, 1);
  lua_pushvalue(L, 1);
  pl_writing_protect(w, write_all, 1);
  lua_pushboolean(L, w->returns);
  lua_pushboolean(L, w->lines.at >= 0);
  return 3;
}

/* w:close(): frees its memory */
PL_WRITING_METHOD(close) {
  if (pl_writing_isbusy(w)) pl_writing_refuse(L);
  leave_spare(w, 0, PL_BUFFERS);
  w->program.f = NULL;
  return 0;
}

/* (While something is called, only a program with the debug library gets
** here.) */
static int l_gc(lua_State *L) {
  pl_writing *w = pl_userdata_test(L, 1, PL_KIND_WRITING);
  if (w == NULL || pl_writing_isbusy(w) || pl_userdata_module(L)->closed)
    return 0;
  for (size_t i = 0; i < PL_BUFFERS; i++) pl_grown_done(L, buffer(w, i));
  w->program.f = NULL;
  return 0;
}

/* }=================================================================== */

const pl_method pl_writer_methods[] = {
    {PL_OF_MODULE, "writing", l_writing},
    {PL_OF_WRITING, "body", l_body},
    {PL_OF_WRITING, "close", l_close},
    {PL_OF_WRITING, "__gc", l_gc},
    {0},
};
