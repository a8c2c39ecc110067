/* leave.c: fn:leave(opts) and the userdata phial.Leaving: locations and moves.
**
** The answer is kept by the function, with its analyses, or made again; a
** phial.Leaving refuses to answer once the function has changed.
*/
#include <string.h>

#include "binding/analysis/analysis.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/* Its user value is the function. */
typedef struct {
  pl_funcobj *owner;
  bool coalesce;
  uint32_t version; /* of the function, when it was made */
  pl_between edges; /* that were asked for last */
} leaving;

/*
** {== fn:leave =======================================================
*/

/* Changes with everything that an answer depends on, and with reopening: the
** answer of a function that is not finished may be freed. */
static uint32_t version_of(const pl_funcobj *h) {
  return ph_func_codeversion(h->f) + h->nchanges;
}

/* Splits critical edges until none has moves. */
static void split_edges(lua_State *L, pl_funcobj *h, bool coalesce) {
  const ph_block nowhere = {0};
  const ph_leaving *l = pl_analysis_leaving(h, coalesce);
  while (ph_leave_ncritical(l) > 0) {
    pl_access_beginhere(L, h, "splitting edges of", nowhere, PL_WHERE_BLOCKS);
    ph_leave_split(h->f, l);
    pl_access_end(h);
    l = pl_analysis_leaving(h, coalesce);
  }
}

static leaving *push_leaving(lua_State *L) {
  leaving *d = lua_newuserdatauv(L, sizeof *d, 1);
  memset(d, 0, sizeof *d);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 1);
  return d;
}

/* fn:leave{coalesce = boolean, split = boolean} */
static int l_leave(lua_State *L) {
  static const char *const known[] = {"coalesce", "split"};
  pl_funcobj *h = pl_arg_method(L, PL_KIND_FUNC, 0, 1);
  bool coalesce, splits;
  leaving *d;
  pl_access_read(L, h);
  lua_settop(L, 2);
  pl_arg_fields(L, 2, known, 2);
  coalesce = pl_arg_flag(L, 2, "coalesce", true);
  splits = pl_arg_flag(L, 2, "split", false);
  d = push_leaving(L);
  pl_access_read(L, h);
  if (!ph_finish_isdone(h->f))
    pl_error(L, h,
             "function '%f' is not finished: it can leave SSA form after "
             "fn:finish()");
  if (splits) {
    pl_access_edit(L, h);
    split_edges(L, h, coalesce);
  }
  d->owner = h;
  d->coalesce = coalesce;
  pl_analysis_leaving(h, coalesce);
  d->version = version_of(h);
  pl_userdata_setkind(L, PL_KIND_LEAVING);
  return pl_access_return(L, h, 1);
}

/* }== Locations ====================================================== */

/* Self, of a method with `least` to `most` arguments. */
static leaving *unchanged_self(lua_State *L, int least, int most) {
  leaving *d = pl_arg_method(L, PL_KIND_LEAVING, least, most);
  pl_access_read(L, d->owner);
  if (d->version != version_of(d->owner))
    pl_error(L, d->owner,
             "function '%f' has changed since fn:leave(): call it again");
  return d;
}

static const ph_leaving *answer_of(const leaving *d) {
  return pl_analysis_leaving(d->owner, d->coalesce);
}

/* d:location(value): its location, or nil */
static int l_location(lua_State *L) {
  const leaving *d = unchanged_self(L, 1, 1);
  ph_value v = pl_handle_argvalue(L, d->owner, 2);
  uint32_t location = ph_leave_of(d->owner->f, answer_of(d), v);
  if (location != 0)
    lua_pushinteger(L, location);
  else
    lua_pushnil(L);
  return 1;
}

/* d:values(location): the values that it is the location of */
static int l_values(lua_State *L) {
  const leaving *d = unchanged_self(L, 1, 1);
  pl_funcobj *h = d->owner;
  lua_Integer location = pl_arg_int(L, 2, 1, ph_leave_count(answer_of(d)));
  ph_value v = {0};
  pl_handle_start(h);
  while (v = ph_leave_nextvalue(answer_of(d), (uint32_t)location, v),
         ph_some(v))
    pl_handle_gather(h, v.id);
  pl_handle_pushlist(L, h, pl_handle_pushowner(L, 1), PL_KIND_VALUE);
  return pl_access_return(L, h, 1);
}

/* d:count() */
static int l_count(lua_State *L) {
  const leaving *d = unchanged_self(L, 0, 0);
  lua_pushinteger(L, ph_leave_count(answer_of(d)));
  return 1;
}

/* d:type(location) */
static int l_type(lua_State *L) {
  const leaving *d = unchanged_self(L, 1, 1);
  pl_funcobj *h = d->owner;
  lua_Integer location = pl_arg_int(L, 2, 1, ph_leave_count(answer_of(d)));
  h->buf.n = 0;
  ph_print_type(&h->buf, h->f, ph_leave_type(answer_of(d), (uint32_t)location));
  lua_pushlstring(L, h->buf.at, h->buf.n);
  return 1;
}

/* }== Moves and critical edges ======================================= */

/* Returns the edge from argument 2 to argument 3; if there are several,
** argument 4 says which one. */
static uint32_t take_edge(lua_State *L, leaving *d) {
  pl_funcobj *h = d->owner;
  uint32_t nth, n = pl_between_take(L, h, &d->edges, &nth);
  if (nth == 0 && n > 1)
    pl_error(L, h, "%d edges lead from '%b' to '%b': say which one, 1 to %d",
             (int)n, d->edges.from, d->edges.to, (int)n);
  return pl_between_nth(&d->edges, h->f, nth != 0 ? nth : 1);
}

static void gather_record(pl_funcobj *h, const void *record, size_t size) {
  ph_strbuf_add(&h->buf, (ph_str){record, size});
}

/* Pushes a table for the record; fn: stack index of the function. */
typedef void push_record(lua_State *L, int fn, const void *record);

/* Pushes the list of the records of that size that were gathered. */
static int push_records(lua_State *L, pl_funcobj *h, size_t size,
                        push_record *push) {
  size_t n = h->buf.n / size;
  int fn = pl_handle_pushowner(L, 1);
  const char *at = lua_pushlstring(L, h->buf.at, h->buf.n);
  lua_createtable(L, (int)n, 0);
  for (size_t i = 0; i < n; i++) {
    push(L, fn, at + i * size);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return pl_access_return(L, h, 1);
}

static void push_move(lua_State *L, int fn, const void *record) {
  ph_move m;
  memcpy(&m, record, sizeof m);
  lua_createtable(L, 0, 2);
  pl_userdata_setnumber(L, "to", m.to);
  if (m.from != 0) {
    pl_userdata_setnumber(L, "from", m.from);
  } else {
    pl_handle_pushvalue(L, fn, m.constant);
    lua_setfield(L, -2, "from");
  }
}

/* d:moves(from, to[, nth]) */
static int l_moves(lua_State *L) {
  leaving *d = unchanged_self(L, 2, 3);
  uint32_t edge = take_edge(L, d), n = ph_leave_nmoves(answer_of(d), edge);
  pl_handle_start(d->owner);
  for (uint32_t i = 0; i < n; i++) {
    ph_move m = ph_leave_move(answer_of(d), edge, i);
    gather_record(d->owner, &m, sizeof m);
  }
  return push_records(L, d->owner, sizeof(ph_move), push_move);
}

/* A critical edge. */
typedef struct {
  ph_block from, to;
  uint32_t nth; /* of the edges between the two, from 1 */
} place;

static void push_place(lua_State *L, int fn, const void *record) {
  place p;
  memcpy(&p, record, sizeof p);
  lua_createtable(L, 0, 3);
  pl_handle_pushblock(L, fn, p.from);
  lua_setfield(L, -2, "from");
  pl_handle_pushblock(L, fn, p.to);
  lua_setfield(L, -2, "to");
  pl_userdata_setnumber(L, "nth", p.nth);
}

/* d:critical_edges() */
static int l_critical_edges(lua_State *L) {
  const leaving *d = unchanged_self(L, 0, 0);
  const ph_func *f = d->owner->f;
  pl_handle_start(d->owner);
  for (uint32_t i = 0; i < ph_leave_ncritical(answer_of(d)); i++) {
    ph_nth_edge e = ph_leave_critical(answer_of(d), i);
    place p = {ph_block_edgefrom(f, e.edge), ph_block_edgeto(f, e.edge),
               e.nth + 1};
    gather_record(d->owner, &p, sizeof p);
  }
  return push_records(L, d->owner, sizeof(place), push_place);
}

/* }=================================================================== */

const pl_method pl_leave_methods[] = {
    {PL_OF_FUNC, "leave", l_leave},
    {PL_OF_LEAVING, "location", l_location},
    {PL_OF_LEAVING, "values", l_values},
    {PL_OF_LEAVING, "count", l_count},
    {PL_OF_LEAVING, "type", l_type},
    {PL_OF_LEAVING, "moves", l_moves},
    {PL_OF_LEAVING, "critical_edges", l_critical_edges},
    {0},
};
