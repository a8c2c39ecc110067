/* host.c: a function's life in Lua.
**
** The userdata is made first, empty and with its metatable, so that the
** collector frees whatever comes to hang on it.  `doing` is set before the
** core changes anything and cleared when it has: when the allocator jumps out
** in between, the mark stays and tells a broken function.
*/
#include "binding/state/funcobj.h"

#include <string.h>

#include "binding/state/arg.h"
#include "binding/state/errors.h"
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
static void *retry(ph_host *h, void *p, size_t old, size_t n) {
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
  ph_module *m = ud;
  ph_host *h = m->asker;
  void *q = allocate(m->L, p, p != NULL ? old : 0, n);
  return q == NULL && n > 0 ? retry(h, p, old, n) : q;
}

void ph_host_startpool(lua_State *L, ph_module *m) {
  const ph_mem from = {from_lua, m};
  m->L = L;
  m->asker = NULL;
  m->runs = (ph_runs){NULL, 0, 0, 0, false};
  ph_pool_init(&m->pool, &from, POOL);
}

void ph_host_closepool(lua_State *L, ph_module *m) {
  ph_runs *r = &m->runs;
  m->L = L;
  if (r->next != NULL)
    m->pool.mem.realloc(m->pool.mem.ud, r->next, r->room * sizeof *r->next, 0);
  *r = (ph_runs){NULL, 0, 0, 0, true};
  ph_pool_done(&m->pool);
}

void *ph_host_shared(ph_host *h, void *p, size_t old, size_t n) {
  const ph_mem *mem = &h->module->pool.mem;
  h->module->L = h->L;
  h->module->asker = h;
  return mem->realloc(mem->ud, p, old, n);
}

static void *reallocate(void *ud, void *p, size_t old, size_t n) {
  ph_host *h = ud;
  void *q;
  if (p == NULL) old = 0;
  q = ph_host_shared(h, p, old, n);
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

int ph_host_tell(lua_State *L, ph_host *h, int n) {
  size_t told;
  if (!h->closed && ph_event_count(h->f) > 0 && !h->calling && !h->telling)
    ph_log_tell(L, h);
  told = h->told;
  if (h->closed || h->bytes - told <= PH_HOST_GROWTH) return n;
  h->told = h->bytes;
  if (lua_gc(L, LUA_GCISRUNNING)) step(L, h->bytes - told);
  return n;
}

/* }== Protected mode ================================================= */

typedef struct {
  ph_body *body;
  void *ud;
} guarded;

int ph_host_protected(lua_State *L) {
  const guarded *p = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return p->body(L, p->ud);
}

int ph_host_protect(lua_State *L, ph_body *body, void *ud, int n) {
  guarded p = {body, ud};
  lua_getiuservalue(L, lua_upvalueindex(PH_UP_MODULE), PH_MODULE_PROTECTED);
  lua_insert(L, -n - 1);
  lua_pushlightuserdata(L, &p);
  return lua_pcall(L, n + 1, 1, 0);
}

/* }== Making and closing ============================================= */

ph_host *ph_host_new(lua_State *L) {
  ph_host *h = lua_newuserdatauv(L, sizeof *h, PH_ITS_HANDLES);
  memset(h, 0, sizeof *h);
  h->closed = true;
  h->module = ph_handle_module(L);
  lua_pushvalue(L, lua_upvalueindex(PH_UP_FUNC));
  lua_setmetatable(L, -2);
  lua_createtable(L, 0, 1); /* a dialect, mostly */
  lua_setiuservalue(L, -2, PH_ITS_KEPT);
  h->L = L;
  h->mem = (ph_mem){reallocate, h};
  h->buf.mem = &h->mem;
  h->f = reallocate(h, NULL, 0, ph_func_size());
  ph_func_blank(h->f, &h->mem);
  h->closed = false;
  return h;
}

void ph_host_close(lua_State *L, ph_host *h) {
  if (h->closed || h->collecting || h->matching) return;
  h->L = L;
  h->closed = true;
  h->source_name[0] = '\0';
  h->doing = NULL;
  ph_buf_done(&h->buf);
  ph_slot_forget(h);
  ph_func_done(h->f);
  reallocate(h, h->f, ph_func_size(), 0);
  h->f = NULL;
}

static int l_gc(lua_State *L) {
  ph_host_close(L, ph_handle_self(L, PH_UP_FUNC));
  return 0;
}

/* The name, for what is asked of the handles that are left. */
static void copy_name(char *to, ph_str name) {
  size_t n = name.n < LUA_IDSIZE ? name.n : LUA_IDSIZE - 1;
  memcpy(to, name.at, n);
  to[n] = '\0';
}

static int l_close(lua_State *L) {
  ph_host *h = ph_handle_self(L, PH_UP_FUNC);
  char name[LUA_IDSIZE];
  if (h->closed) return 0;
  if (h->calling || h->collecting)
    ph_fail_plain(L, "the function is busy: it cannot be closed");
  copy_name(name, ph_func_name(h->f));
  ph_host_close(L, h);
  strcpy(h->source_name, name);
  return 0;
}

const luaL_Reg ph_host_methods[] = {{"close", l_close}, {NULL, NULL}};
const luaL_Reg ph_host_meta[] = {
    {"__gc", l_gc}, {"__close", l_close}, {NULL, NULL}};

/* }== Access ========================================================= */

static void push_culprit(lua_State *L, const ph_host *h) {
  ph_str name = ph_some(h->doing_in) ? ph_name_block(h->f, h->doing_in)
                                     : ph_func_name(h->f);
  if (name.n > 0 || !ph_some(h->doing_in))
    lua_pushlstring(L, name.at, name.n);
  else
    lua_pushfstring(L, "b%d", (int)h->doing_in.id);
}

void ph_host_refuse(lua_State *L, ph_host *h) {
  if (h->closed && h->source_name[0] == '\0')
    ph_fail_plain(L, "the function is closed");
  if (h->closed) ph_fail_plain(L, "function '%s' is closed", h->source_name);
  if (h->collecting) ph_fail_plain(L, "the function is busy");
  push_culprit(L, h);
  ph_fail_plain(L, "out of memory while %s '%s'", h->doing,
                lua_tostring(L, -1));
}

ph_func *ph_host_change(lua_State *L, ph_host *h) {
  ph_func *f = ph_host_look(L, h);
  if (h->calling)
    ph_fail(L, h,
            "function '%f' is busy with a function of yours (undef, log or of "
            "a rule): it "
            "can be read, not changed");
  return f;
}

static void refuse_finished(lua_State *L, ph_host *h) {
  if (ph_finish_isfrozen(h->f))
    ph_fail(L, h,
            "function '%f' was parsed from the text of an unfinished "
            "function: it can be read, not changed");
  ph_fail(L, h, "function '%f' is finished: call fn:reopen() to change it");
}

void ph_host_refuseopen(lua_State *L, ph_host *h) {
  ph_host_change(L, h);
  refuse_finished(L, h);
}

ph_func *ph_host_edit(lua_State *L, ph_host *h) {
  ph_func *f = ph_host_change(L, h);
  if (ph_finish_isfrozen(f)) refuse_finished(L, h);
  if (!ph_finish_isdone(f))
    ph_fail(L, h, "function '%f' is not finished: edit it after fn:finish()");
  return f;
}

void ph_host_leave(ph_host *h) {
  const ph_place nowhere = {0, 0, 0};
  ph_place_here(h->f, nowhere, false);
  h->placed = false;
}

void ph_host_note(lua_State *L, ph_host *h) {
  lua_Debug ar;
  ph_place here = {0, 0, 0};
  if (h->where == PH_WHERE_NONE || !ph_fail_caller(L, &ar)) return;
  if (strcmp(h->source_name, ar.short_src) != 0) {
    h->source =
        ph_name_intern(h->f, (ph_str){ar.short_src, strlen(ar.short_src)});
    strcpy(h->source_name, ar.short_src);
  }
  here.file = h->source;
  here.line = (uint32_t)ar.currentline;
  h->placed = true;
  ph_place_here(h->f, here, h->where == PH_WHERE_ALL);
}

/* }== The undef function ============================================= */

/* Runs it for var; leaves its answer or error. */
static int call_undef(lua_State *L, ph_host *h, int fn, ph_var var) {
  int status;
  luaL_checkstack(L, 6, NULL);
  lua_getiuservalue(L, fn, PH_ITS_KEPT);
  lua_rawgeti(L, -1, PH_KEPT_UNDEF);
  lua_remove(L, -2);
  ph_handle_pushvar(L, fn, var);
  h->doing = NULL;
  h->calling = true;
  status = lua_pcall(L, 1, 1, 0);
  h->calling = false;
  if (h->closed) ph_fail_plain(L, "the undef function closed its function");
  h->L = L;
  return status;
}

static bool is_answer(lua_State *L, ph_host *h, ph_type type) {
  const ph_handle *v = ph_handle_test(L, -1, PH_UP_VALUE);
  ph_value value;
  if (v == NULL) return ph_literal_is(L, -1) && ph_literal_fits(L, -1, type);
  value.id = v->id;
  return v->host == h && !ph_ir_dropped(h->f, value) &&
         (ph_op_flags(h->f, ph_ir_op(h->f, value)) & PH_LEAF) &&
         ph_ir_type(h->f, value) == type;
}

/* A variable for which the function fails stays asked for: the next call that
** can read asks again. */
static void ask(lua_State *L, ph_host *h, int fn, ph_var var) {
  const ph_block nowhere = {0};
  ph_type type = ph_ir_vartype(h->f, var);
  if (call_undef(L, h, fn, var) != LUA_OK) lua_error(L);
  if (!is_answer(L, h, type))
    ph_fail(L, h,
            "the undef function must return a constant or an argument of "
            "type %t for variable '%x', got %g",
            type, var, -1);
  ph_host_begin(h, "asking for definitions in", nowhere);
  ph_build_define(h->f, var, ph_operand_one(L, h->f, -1, type));
  ph_host_end(h);
  lua_pop(L, 1);
}

void ph_host_settle(lua_State *L, ph_host *h, int fn) {
  while (h->policy == PH_POLICY_CALL && ph_some(ph_build_asked(h->f)))
    ask(L, h, fn, ph_build_asked(h->f));
}

/* }=================================================================== */
