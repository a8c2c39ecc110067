/* handle.h: handles of blocks, variables, values; of lists of them. */
#ifndef PH_BINDING_HANDLE_H
#define PH_BINDING_HANDLE_H

#include "binding/state/arg.h"
#include "binding/state/funcobj.h"

/* The userdata of a block, a variable or a value; of a cursor: the value that
** it stands before. */
typedef struct {
  ph_host *host;
  uint32_t id;
} ph_handle;

/* What the kinds are called, by the upvalue of their metatable. */
extern const char *const ph_handle_kinds[];

static inline ph_module *ph_handle_module(lua_State *L) {
  return lua_touserdata(L, lua_upvalueindex(PH_UP_MODULE));
}
/* The userdata at `arg` when it is of that kind, or NULL. */
static inline void *ph_handle_kind(lua_State *L, const ph_module *m, int arg,
                                   int kind) {
  bool same;
  if (!lua_getmetatable(L, arg)) return NULL;
  same = lua_topointer(L, -1) == m->kinds[kind];
  lua_pop(L, 1);
  return same ? lua_touserdata(L, arg) : NULL;
}
static inline void *ph_handle_test(lua_State *L, int arg, int kind) {
  return ph_handle_kind(L, ph_handle_module(L), arg, kind);
}
/* The same, quicker: leaves the metatable, if there is one, on the stack. */
static inline void *ph_handle_peek(lua_State *L, const ph_module *m, int arg,
                                   int kind) {
  if (!lua_getmetatable(L, arg) || lua_topointer(L, -1) != m->kinds[kind])
    return NULL;
  return lua_touserdata(L, arg);
}
void ph_handle_badself(lua_State *L, int kind);
/* Argument 1 of a method, which takes `least` to `most` more. */
static inline void *ph_handle_self(lua_State *L, int kind) {
  void *p = ph_handle_test(L, 1, kind);
  if (p == NULL) ph_handle_badself(L, kind);
  return p;
}
static inline void *ph_handle_method(lua_State *L, int kind, int least,
                                     int most) {
  void *p = ph_handle_self(L, kind);
  int n = lua_gettop(L) - 1;
  if (n < least || n > most) ph_arg_count(L, least, most);
  return p;
}
/* The same for `n` arguments, quicker: leaves a value above them. */
void ph_handle_refuse(lua_State *L, int kind, int top, int least, int most);
static inline void *ph_handle_quick(lua_State *L, int kind, int n) {
  int top = lua_gettop(L);
  void *p = ph_handle_peek(L, ph_handle_module(L), 1, kind);
  if (p == NULL || top != n + 1) ph_handle_refuse(L, kind, top, n, n);
  return p;
}
/* The block, value of a method, which is there still. */
ph_block ph_handle_block(lua_State *L, const ph_handle *me);
ph_value ph_handle_value(lua_State *L, const ph_handle *me);
/* Argument `arg`: a handle of the same function, of something there. */
ph_block ph_handle_argblock(lua_State *L, ph_host *h, int arg);
/* The same for what came with argument `arg` and lies at `at`. */
ph_block ph_handle_blockat(lua_State *L, ph_host *h, int at, int arg);
ph_value ph_handle_valueat(lua_State *L, ph_host *h, int at, int arg);
ph_value ph_handle_argvalue(lua_State *L, ph_host *h, int arg);
ph_var ph_handle_checkvar(lua_State *L, ph_host *h, int arg);
/* Leaves a value on the stack. */
static inline ph_var ph_handle_argvar(lua_State *L, ph_host *h, int arg) {
  const ph_handle *a = ph_handle_peek(L, h->module, arg, PH_UP_VAR);
  if (a == NULL || a->host != h) return ph_handle_checkvar(L, h, arg);
  return (ph_var){a->id};
}
/* Pushes the function of the handle at `arg`; returns its index. */
int ph_handle_pushowner(lua_State *L, int arg);
/* Pushes the handle; fn: index of the function. */
void ph_handle_pushblock(lua_State *L, int fn, ph_block b);
void ph_handle_pushvar(lua_State *L, int fn, ph_var var);
void ph_handle_pushvalue(lua_State *L, int fn, ph_value v);
/* Pushes the handle of that kind; fn 0: argument 1 is a handle of the same
** function. */
void ph_handle_give(lua_State *L, ph_host *h, int fn, int kind, uint32_t id);
/* Pushes the handle, or nil when there is none; argument 1 is one of the same
** function. */
void ph_handle_find(lua_State *L, const ph_host *h, int kind, uint32_t id);
/* Pushes a handle for what is still to be made (fn: as above); gives the one
** at `at`, which is `it`, its id then. */
ph_handle *ph_handle_prepare(lua_State *L, ph_host *h, int fn, int kind);
void ph_handle_settle(lua_State *L, ph_handle *it, int kind, int at,
                      uint32_t id);
/* The same for what may be there already: then its own handle replaces it. */
void ph_handle_found(lua_State *L, ph_handle *it, int kind, int at,
                     uint32_t id);
/* Lists: gather ids, then push them all as a table of handles. */
void ph_handle_start(ph_host *h);
void ph_handle_gather(ph_host *h, uint32_t id);
void ph_handle_pushlist(lua_State *L, ph_host *h, int fn, int kind);
extern const luaL_Reg ph_handle_blockmeta[], ph_handle_varmeta[],
    ph_handle_valuemeta[];

#endif
