/* writer.c: phial.core.writing(): a function that is being written, from its
** beginning to its end.
*/
#include <string.h>

#include "binding/analysis/analysis.h"
#include "binding/args/payload.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/method.h"
#include "binding/write/writing.h"

/*
** {== Memory =========================================================
*/

/* Its buffers; that of the text is the last one. */
static pl_grown *buffer(pl_writing *w, size_t i) {
  pl_grown *const all[PL_BUFFERS] = {&w->arrays,
                                     &w->needed.places,
                                     &w->memory,
                                     &w->further,
                                     &w->names,
                                     &w->given,
                                     &w->moves,
                                     &w->labels,
                                     &w->jumps,
                                     &w->own,
                                     &w->declared,
                                     &w->taken.places,
                                     &w->spellings,
                                     &w->heads,
                                     &w->taken_labels.places,
                                     &w->ssa.top,
                                     &w->ssa.traps,
                                     &w->ssa.between,
                                     &w->ssa.places,
                                     &w->ssa.known.places,
                                     &w->few.last,
                                     &w->few.counts,
                                     &w->text};
  return all[i];
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

/* The host's fields `form`, `room`, `many` and `most`. */
static void take_form(pl_writing *w) {
  static const char *const forms[] = {"goto", "blocks", "nested", "flat", NULL};
  lua_State *L = w->L;
  lua_getfield(L, 4, "form");
  w->few.form = (uint8_t)luaL_checkoption(L, -1, NULL, forms);
  lua_getfield(L, 4, "room");
  w->few.room = (uint32_t)luaL_checkinteger(L, -1);
  lua_getfield(L, 4, "many");
  w->few.many = (uint32_t)luaL_checkinteger(L, -1);
  lua_getfield(L, 4, "most");
  w->most = (uint32_t)luaL_checkinteger(L, -1);
  lua_pop(L, 4);
  w->few.fits = true;
}

static void take_options(pl_writing *w) {
  lua_State *L = w->L;
  lua_getiuservalue(L, w->self, PL_WRITING_HOST);
  lua_getfield(L, -1, "flags");
  for (uint32_t i = 0; i < w->language->t.nflags; i++) {
    lua_getfield(L, -1, w->language->t.flags[i]);
    if (lua_toboolean(L, -1)) w->flags |= UINT32_C(1) << i;
    lua_pop(L, 1);
  }
  lua_getfield(L, -1, "traps");
  w->traps = lua_toboolean(L, -1);
  lua_getfield(L, -3, "numbered");
  w->numbered = lua_toboolean(L, -1);
  lua_getfield(L, -4, "lines");
  w->lines.wanted = lua_toboolean(L, -1);
  lua_getfield(L, -5, "told");
  w->ssa.told = lua_toboolean(L, -1);
  lua_getfield(L, -6, "checks");
  w->checks = lua_toboolean(L, -1);
  lua_pop(L, 7);
  w->lines.at = -1;
  w->most = 16;
  if (w->language->few) take_form(w);
}

/* Makes all texts some, with room: an address in one is never null.  No name is
** at 0. */
static void start_texts(pl_writing *w) {
  pl_grown *texts[] = {&w->text, &w->ssa.top, &w->ssa.between, &w->ssa.traps,
                       &w->ssa.places};
  size_t likely = (w->program.nkept + (size_t)1) * 32;
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
  if (w == NULL || w->language != l || w->program.f != NULL || !w->done) {
    w = lua_newuserdatauv(L, sizeof *w, PL_WRITING_USERVALUES);
    memset(w, 0, sizeof *w);
    pl_userdata_setkind(L, PL_KIND_WRITING);
    lua_replace(L, -2);
  } else {
    memset(w, 0, sizeof *w);
    lua_pushnil(L);
    lua_setiuservalue(L, -2, PL_WRITING_TRAPS);
  }
  return w;
}

/* phial.core.writing(language, fn, host) */
static int l_writing(lua_State *L) {
  pl_language *l = pl_userdata_test(L, 1, PL_KIND_LANGUAGE);
  pl_funcobj *h = pl_userdata_test(L, 2, PL_KIND_FUNC);
  pl_writing *w;
  bool has_lines = false;
  if (l == NULL || h == NULL) return luaL_error(L, "bad arguments");
  luaL_checktype(L, 3, LUA_TTABLE);
  pl_access_read(L, h);
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
  start_texts(w);
  for (uint32_t i = 0; w->lines.wanted && !has_lines && i < w->program.nkept;
       i++)
    has_lines = ph_value_loc(h->f, pl_valueid(w->program.kept[i])).line != 0;
  w->lines.wanted = has_lines;
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
  lua_settop(L, 1);
  return pl_access_return(L, h, 1);
}

/* }== The end ========================================================== */

static int write_all(lua_State *L, void *ud) {
  pl_writing *w = ud;
  w->L = L;
  if (w->language->ssa) {
    pl_ssa_body(w);
  } else {
    pl_blocks_all(w);
  }
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

static bool has_return(const pl_writing *w) {
  const pl_program *p = &w->program;
  for (uint32_t k = 0; k < p->nblocks; k++)
    if (ph_value_op(p->f, ph_block_terminator(p->f, ph_rpo_at(p->o, k))) ==
        PH_RET)
      return true;
  return false;
}

/* w:body(): the text of all blocks, once; it is the end, and that of the last line
** is missing, except in a language with few locals.  Then whether a block
** returns, and whether compilers expect a line of the frontend after it */
PL_WRITING_METHOD(body) {
  bool returns = has_return(w);
  int status;
  if (w->begun) pl_error_plain(L, "the function has been written");
  w->begun = true;
  w->indent = 1;
  lua_settop(L, 1);
  lua_pushvalue(L, 1);
  status = pl_protect_run(L, write_all, w, 1);
  w->L = L;
  w->ncalls = 0;
  w->done = true;
  if (status != LUA_OK) lua_error(L);
  lua_pushboolean(L, returns);
  lua_pushboolean(L, w->lines.at >= 0);
  return 3;
}

static bool is_busy(const pl_writing *w) {
  return w->ncalls > 0 || (w->begun && !w->done);
}

/* w:close(): frees its memory */
PL_WRITING_METHOD(close) {
  if (is_busy(w)) pl_error_plain(L, "the function is being written");
  leave_spare(w, 0, PL_BUFFERS);
  w->program.f = NULL;
  return 0;
}

/* (While something is called, only a program with the debug library gets
** here.) */
static int l_gc(lua_State *L) {
  pl_writing *w = pl_userdata_test(L, 1, PL_KIND_WRITING);
  if (w == NULL || is_busy(w) || pl_userdata_module(L)->closed) return 0;
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
