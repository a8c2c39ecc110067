/* funcobj.c: a function's life in Lua.
**
** The userdata is made first, empty and with its metatable, so that the
** collector frees whatever comes to hang on it.  `doing` is set before the
** core changes anything and cleared when it has: when the allocator jumps out
** in between, the mark stays and tells a broken function.
*/
#include "binding/state/funcobj.h"

#include <string.h>

#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/handle_slots.h"

/*
** {== Memory =========================================================
*/

enum { POOL = 0x80000 }; /* bytes that are kept for the next functions */

static void *allocate(lua_State *L, void *p, size_t old, size_t n) {
  void *ud;
  lua_Alloc alloc = lua_getallocf(L, &ud);
  return alloc(ud, p, old, n);
}

/* Finalizers run in here, so the function takes no call meanwhile. */
static void *retry(pl_funcobj *h, void *p, size_t old, size_t n) {
  lua_State *L = h->L;
  ph_pool_empty(&h->module->pool);
  h->collecting = true;
  lua_gc(L, LUA_GCCOLLECT);
  h->collecting = false;
  p = allocate(L, p, old, n);
  if (p == NULL) {
    lua_pushliteral(L, "not enough memory"); /* as Lua's own */
    lua_error(L);
  }
  return p;
}

/* What the pool gets and gives back. */
static void *from_lua(void *ud, void *p, size_t old, size_t n) {
  pl_module *m = ud;
  pl_funcobj *h = m->asker;
  void *q = allocate(m->L, p, p != NULL ? old : 0, n);
  return q == NULL && n > 0 ? retry(h, p, old, n) : q;
}

void pl_funcobj_startpool(lua_State *L, pl_module *m) {
  const ph_mem from = {from_lua, m};
  m->L = L;
  m->asker = NULL;
  m->runs = (pl_slot_runs){NULL, 0, 0, 0, false};
  ph_pool_init(&m->pool, &from, POOL);
}

void pl_funcobj_closepool(lua_State *L, pl_module *m) {
  pl_slot_runs *r = &m->runs;
  m->L = L;
  if (r->next != NULL)
    m->pool.mem.realloc(m->pool.mem.ud, r->next, r->room * sizeof *r->next, 0);
  *r = (pl_slot_runs){NULL, 0, 0, 0, true};
  ph_pool_done(&m->pool);
}

void *pl_funcobj_shared(pl_funcobj *h, void *p, size_t old, size_t n) {
  const ph_mem *mem = &h->module->pool.mem;
  h->module->L = h->L;
  h->module->asker = h;
  return mem->realloc(mem->ud, p, old, n);
}

static void *reallocate(void *ud, void *p, size_t old, size_t n) {
  pl_funcobj *h = ud;
  void *q;
  if (p == NULL) old = 0;
  q = pl_funcobj_shared(h, p, old, n);
  h->bytes += n - old;
  if (h->bytes < h->told) h->told = h->bytes;
  return q;
}

static void step(lua_State *L, size_t bytes) {
#if LUA_VERSION_NUM >= 505
  lua_gc(L, LUA_GCSTEP, bytes);
#else
  lua_gc(L, LUA_GCSTEP, (int)(bytes / 1024));
#endif
}

int pl_funcobj_tell(lua_State *L, pl_funcobj *h, int n) {
  size_t told;
  if (!h->closed && ph_event_count(h->f) > 0 && !h->calling && !h->telling)
    pl_log_tell(L, h);
  told = h->told;
  if (h->closed || h->bytes - told <= PL_FUNCOBJ_GROWTH) return n;
  h->told = h->bytes;
  if (lua_gc(L, LUA_GCISRUNNING)) step(L, h->bytes - told);
  return n;
}

/* }== Protected mode ================================================= */

typedef struct {
  pl_body *body;
  void *ud;
} guarded;

int pl_funcobj_protected(lua_State *L) {
  const guarded *p = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return p->body(L, p->ud);
}

int pl_funcobj_protect(lua_State *L, pl_body *body, void *ud, int n) {
  guarded p = {body, ud};
  lua_getiuservalue(L, lua_upvalueindex(PL_UP_MODULE), PL_MODULE_PROTECTED);
  lua_insert(L, -n - 1);
  lua_pushlightuserdata(L, &p);
  return lua_pcall(L, n + 1, 1, 0);
}

/* }== Making and closing ============================================= */

pl_funcobj *pl_funcobj_new(lua_State *L) {
  pl_funcobj *h = lua_newuserdatauv(L, sizeof *h, PL_ITS_HANDLES);
  memset(h, 0, sizeof *h);
  h->closed = true;
  h->module = pl_handle_module(L);
  lua_pushvalue(L, lua_upvalueindex(PL_UP_FUNC));
  lua_setmetatable(L, -2);
  lua_createtable(L, 0, 1); /* a dialect, mostly */
  lua_setiuservalue(L, -2, PL_ITS_KEPT);
  h->L = L;
  h->mem = (ph_mem){reallocate, h};
  h->buf.mem = &h->mem;
  h->f = reallocate(h, NULL, 0, ph_func_size());
  ph_func_blank(h->f, &h->mem);
  h->closed = false;
  return h;
}

void pl_funcobj_close(lua_State *L, pl_funcobj *h) {
  if (h->closed || h->collecting || h->matching) return;
  h->L = L;
  h->closed = true;
  h->source_name[0] = '\0';
  h->doing = NULL;
  ph_strbuf_done(&h->buf);
  pl_handle_slots_forget(h);
  ph_func_done(h->f);
  reallocate(h, h->f, ph_func_size(), 0);
  h->f = NULL;
}

static int l_gc(lua_State *L) {
  pl_funcobj_close(L, pl_handle_self(L, PL_UP_FUNC));
  return 0;
}

/* The name, for what is asked of the handles that are left. */
static void copy_name(char *to, ph_str name) {
  size_t n = name.n < LUA_IDSIZE ? name.n : LUA_IDSIZE - 1;
  memcpy(to, name.at, n);
  to[n] = '\0';
}

static int l_close(lua_State *L) {
  pl_funcobj *h = pl_handle_self(L, PL_UP_FUNC);
  char name[LUA_IDSIZE];
  if (h->closed) return 0;
  if (h->calling || h->collecting)
    pl_error_plain(L, "the function is busy: it cannot be closed");
  copy_name(name, ph_func_name(h->f));
  pl_funcobj_close(L, h);
  strcpy(h->source_name, name);
  return 0;
}

const luaL_Reg pl_funcobj_methods[] = {{"close", l_close}, {NULL, NULL}};
const luaL_Reg pl_funcobj_meta[] = {
    {"__gc", l_gc}, {"__close", l_close}, {NULL, NULL}};

/* }== Access ========================================================= */

static void push_culprit(lua_State *L, const pl_funcobj *h) {
  ph_str name = ph_some(h->doing_in) ? ph_block_name(h->f, h->doing_in)
                                     : ph_func_name(h->f);
  if (name.n > 0 || !ph_some(h->doing_in))
    lua_pushlstring(L, name.at, name.n);
  else
    lua_pushfstring(L, "b%d", (int)h->doing_in.id);
}

void pl_funcobj_refuse(lua_State *L, pl_funcobj *h) {
  if (h->closed && h->source_name[0] == '\0')
    pl_error_plain(L, "the function is closed");
  if (h->closed) pl_error_plain(L, "function '%s' is closed", h->source_name);
  if (h->collecting) pl_error_plain(L, "the function is busy");
  push_culprit(L, h);
  pl_error_plain(L, "out of memory while %s '%s'", h->doing,
                 lua_tostring(L, -1));
}

ph_func *pl_funcobj_change(lua_State *L, pl_funcobj *h) {
  ph_func *f = pl_funcobj_look(L, h);
  if (h->calling)
    pl_error(L, h,
             "function '%f' is busy with a function of yours (undef, log or of "
             "a rule): it "
             "can be read, not changed");
  return f;
}

static void refuse_finished(lua_State *L, pl_funcobj *h) {
  if (ph_finish_isfrozen(h->f))
    pl_error(L, h,
             "function '%f' was parsed from the text of an unfinished "
             "function: it can be read, not changed");
  pl_error(L, h, "function '%f' is finished: call fn:reopen() to change it");
}

void pl_funcobj_refuseopen(lua_State *L, pl_funcobj *h) {
  pl_funcobj_change(L, h);
  refuse_finished(L, h);
}

ph_func *pl_funcobj_edit(lua_State *L, pl_funcobj *h) {
  ph_func *f = pl_funcobj_change(L, h);
  if (ph_finish_isfrozen(f)) refuse_finished(L, h);
  if (!ph_finish_isdone(f))
    pl_error(L, h, "function '%f' is not finished: edit it after fn:finish()");
  return f;
}

void pl_funcobj_leave(pl_funcobj *h) {
  const ph_srcloc nowhere = {0, 0, 0};
  ph_srcloc_setcurrenthost(h->f, nowhere, false);
  h->placed = false;
}

void pl_funcobj_note(lua_State *L, pl_funcobj *h) {
  lua_Debug ar;
  ph_srcloc here = {0, 0, 0};
  if (h->where == PL_WHERE_NONE || !pl_error_caller(L, &ar)) return;
  if (strcmp(h->source_name, ar.short_src) != 0) {
    h->source =
        ph_intern_add(h->f, (ph_str){ar.short_src, strlen(ar.short_src)});
    strcpy(h->source_name, ar.short_src);
  }
  here.file = h->source;
  here.line = (uint32_t)ar.currentline;
  h->placed = true;
  ph_srcloc_setcurrenthost(h->f, here, h->where == PL_WHERE_ALL);
}

/* }== The undef function ============================================= */

/* Runs it for var; leaves its answer or error. */
static int call_undef(lua_State *L, pl_funcobj *h, int fn, ph_var var) {
  int status;
  luaL_checkstack(L, 6, NULL);
  lua_getiuservalue(L, fn, PL_ITS_KEPT);
  lua_rawgeti(L, -1, PL_KEPT_UNDEF);
  lua_remove(L, -2);
  pl_handle_pushvar(L, fn, var);
  h->doing = NULL;
  h->calling = true;
  status = lua_pcall(L, 1, 1, 0);
  h->calling = false;
  if (h->closed) pl_error_plain(L, "the undef function closed its function");
  h->L = L;
  return status;
}

static bool is_answer(lua_State *L, pl_funcobj *h, ph_type type) {
  const pl_handle *v = pl_handle_test(L, -1, PL_UP_VALUE);
  ph_value value;
  if (v == NULL) return pl_literal_is(L, -1) && pl_literal_fits(L, -1, type);
  value.id = v->id;
  return v->host == h && !ph_value_dropped(h->f, value) &&
         (ph_op_flags(h->f, ph_value_op(h->f, value)) & PH_LEAF) &&
         ph_value_type(h->f, value) == type;
}

/* A variable for which the function fails stays asked for: the next call that
** can read asks again. */
static void ask(lua_State *L, pl_funcobj *h, int fn, ph_var var) {
  const ph_block nowhere = {0};
  ph_type type = ph_var_type(h->f, var);
  if (call_undef(L, h, fn, var) != LUA_OK) lua_error(L);
  if (!is_answer(L, h, type))
    pl_error(L, h,
             "the undef function must return a constant or an argument of "
             "type %t for variable '%x', got %g",
             type, var, -1);
  pl_funcobj_begin(h, "asking for definitions in", nowhere);
  ph_build_define(h->f, var, pl_operand_one(L, h->f, -1, type));
  pl_funcobj_end(h);
  lua_pop(L, 1);
}

void pl_funcobj_settle(lua_State *L, pl_funcobj *h, int fn) {
  while (h->policy == PL_POLICY_CALL && ph_some(ph_build_asked(h->f)))
    ask(L, h, fn, ph_build_asked(h->f));
}

/* }=================================================================== */
