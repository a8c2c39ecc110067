/* finish.c: finish and its checks; verify, clean, reopen.
**
** An error lists all problems of its kind at once.  If the checks before
** sealing fail, the function stays unchanged; it stays open, but sealed, after
** undefined reads that only sealing reveals and problems that verify finds.
*/
#include <string.h>

#include "binding/analysis/analysis.h"
#include "binding/args/read.h"
#include "binding/rules/callback.h"
#include "binding/rules/ruleset.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/message.h"
#include "binding/state/method.h"

static const ph_block nowhere = {0};

/*
** {== Blocks without an end ==========================================
**
** Those that are empty, and that the entry does not reach, were made for an edge
** that nobody needed: they are ended here, and dropped as others are.
*/

static ph_value last_inst(const ph_func *f, ph_block b) {
  ph_value last = {0}, v = ph_block_nextinst(f, b, last);
  for (; ph_some(v); v = ph_block_nextinst(f, b, v)) last = v;
  return last;
}

static void say_unfilled(lua_State *L, pl_funcobj *h, ph_block b) {
  ph_value last = last_inst(h->f, b);
  pl_message_add(L, h, "\n  block '%b'%p: ", b,
                 ph_block_hostloc(h->f, b, PH_AT_MADE));
  if (ph_some(last))
    pl_message_add(L, h, "its last instruction is '%i'%p%l", last,
                   ph_value_hostloc(h->f, last), ph_value_loc(h->f, last));
  else
    pl_message_add(L, h, "it is empty");
}

static ph_block next_unfilled(pl_funcobj *h, ph_block b) {
  do b = ph_finish_unfilled(h->f, b);
  while (ph_some(b) && !ph_some(ph_block_nextinst(h->f, b, (ph_value){0})) &&
         !ph_some(ph_block_nextphi(h->f, b, (ph_value){0})) &&
         !ph_rpo_isreached(pl_analysis_order(h), b));
  return b;
}

typedef ph_block next_bad(pl_funcobj *h, ph_block after);
typedef void say_bad(lua_State *L, pl_funcobj *h, ph_block b);

/* Raises `what` with a line about each bad block, if there are any. */
static void check_blocks(lua_State *L, pl_funcobj *h, const char *what,
                         next_bad *next, say_bad *say) {
  ph_block b = next(h, nowhere);
  if (!ph_some(b)) return;
  pl_error_start(L, h);
  pl_message_add(L, h, "function '%f' cannot be finished: %s", what);
  for (; ph_some(b); b = next(h, b)) say(L, h, b);
  pl_error_raiselist(L, h);
}

/* phial.core.unfilled(fn): a list of the blocks for whose terminators finish
** would refuse the function */
static int l_unfilled(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_KIND_FUNC);
  ph_block b;
  pl_access_read(L, h);
  b = next_unfilled(h, nowhere);
  pl_handle_start(h);
  for (; ph_some(b); b = next_unfilled(h, b)) pl_handle_gather(h, b.id);
  pl_handle_pushlist(L, h, 1, PL_KIND_BLOCK);
  return 1;
}

/* }== Blocks that are not sealed (strict) ============================ */

static void say_unsealed(lua_State *L, pl_funcobj *h, ph_block b) {
  const ph_value none = {0};
  const char *before = ": incomplete phis of '";
  pl_message_add(L, h, "\n  block '%b'%p", b,
                 ph_block_hostloc(h->f, b, PH_AT_MADE));
  if (ph_block_announced(h->f, b) >= 0)
    pl_message_add(L, h, ", which waits for %d of %d predecessors",
                   (int)ph_block_awaited(h->f, b), ph_block_announced(h->f, b));
  for (ph_value v = ph_block_nextphi(h->f, b, none); ph_some(v);
       v = ph_block_nextphi(h->f, b, v)) {
    if (!ph_value_isincomplete(h->f, v)) continue;
    pl_message_add(L, h, "%s%x'", before, ph_value_var(h->f, v));
    before = ", '";
  }
}

static ph_block next_unsealed(pl_funcobj *h, ph_block b) {
  do b = ph_finish_unsealed(h->f, b);
  while (ph_some(b) && !ph_block_isfilled(h->f, b));
  return b;
}

/* }== Undefined reads ================================================
**
** With undef = "error" those that see no definition on some path; in a body of
** phial.build, unless it says otherwise, those that see none on any path.
*/

enum { PATHS = 20, STEPS = 8 }; /* paths shown, blocks shown of each */

static void say_path(lua_State *L, pl_funcobj *h, uint32_t i) {
  uint32_t n = ph_undef_reads_path(h->f, i);
  for (uint32_t k = 0; k < n; k++) {
    bool left_out = n > STEPS && k >= STEPS / 2 && k < n - STEPS / 2;
    if (!left_out)
      pl_message_add(L, h, k == 0 ? ": %b" : " -> %b",
                     ph_undef_reads_step(h->f, k));
    else if (k == STEPS / 2)
      pl_message_add(L, h, " -> ...");
  }
}

static void check_defined(lua_State *L, pl_funcobj *h) {
  bool always = h->undef_policy == PL_UNDEF_UNWRITTEN;
  uint32_t n = 0;
  if (h->undef_policy == PL_UNDEF_ERROR) n = ph_undef_reads_count(h->f);
  if (always) n = ph_undef_reads_unwritten(h->f);
  if (n == 0) return;
  pl_error_start(L, h);
  pl_message_add(L, h, "function '%f' cannot be finished: %s",
                 always ? "no path to these reads writes their variables"
                        : "these reads see no definition on a path");
  for (uint32_t i = 0; i < n; i++) {
    ph_read r = ph_undef_reads_at(h->f, i);
    pl_message_add(L, h, "\n  variable '%x'%p, read in block '%b'%p%l", r.var,
                   ph_var_hostloc(h->f, r.var), r.block, r.here, r.loc);
    if (i < PATHS && !always) say_path(L, h, i);
  }
  pl_error_raiselist(L, h);
}

/* phial.core.refuse_unwritten(fn): unless the option undef was given, finish
** refuses reads to which no path writes their variable */
static int l_refuse_unwritten(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_KIND_FUNC);
  if (h->undef_policy == PL_UNDEF_UNSAID) h->undef_policy = PL_UNDEF_UNWRITTEN;
  return 0;
}

/* }== Verifying ====================================================== */

static void say_problem(void *ud, ph_str problem) {
  pl_funcobj *h = ud;
  if (h->buf.n == 0) {
    pl_error_start(h->L, h);
    pl_message_add(h->L, h, "function '%f' is not well-formed");
  }
  ph_strbuf_puts(&h->buf, "\n  ");
  ph_strbuf_add(&h->buf, problem);
}

/* Gathers problems for a list; each ends with a zero. */
static void gather_problem(void *ud, ph_str problem) {
  pl_funcobj *h = ud;
  ph_strbuf_add(&h->buf, problem);
  ph_strbuf_add(&h->buf, (ph_str){"", 1});
}

/* fn:verify(): true, or nil and a list of problems */
static int l_verify(lua_State *L) {
  pl_funcobj *h = pl_arg_only(L, PL_KIND_FUNC);
  uint32_t n;
  const char *at;
  pl_access_read(L, h);
  pl_handle_start(h);
  n = ph_verify_func(h->f, gather_problem, h);
  if (n == 0) {
    lua_pushboolean(L, true);
    return pl_access_return(L, h, 1);
  }
  at = lua_pushlstring(L, h->buf.at, h->buf.n);
  lua_pushnil(L);
  lua_createtable(L, (int)n, 0);
  for (uint32_t i = 1; i <= n; i++, at += strlen(at) + 1) {
    lua_pushstring(L, at);
    lua_rawseti(L, -2, i);
  }
  return pl_access_return(L, h, 2);
}

/* }== Finishing ======================================================
**
** The steps are those of the core (ph_finish_run).  Between them callbacks of
** the user can run: each step begins as a call of its own.
*/

static void begin_finishing(lua_State *L, pl_funcobj *h) {
  pl_access_open(L, h);
  pl_access_begin(h, "finishing", nowhere);
}

static void do_step(lua_State *L, pl_funcobj *h, ph_finish_step step) {
  bool simplifies = step == PH_FINISH_SIMPLIFIED || ph_finish_isdone(h->f);
  if (step == PH_FINISH_SIMPLIFIED) pl_ruleset_begin(L, h, 1);
  pl_access_begin(h, simplifies ? "simplifying" : "finishing", nowhere);
  if (step == PH_FINISH_SEALED || step == PH_FINISH_SIMPLIFIED)
    pl_access_here(L, h, PL_WHERE_BLOCKS);
  if (!ph_finish_do(h->f, step)) pl_callback_fail(L, h);
  pl_access_notecomplete(h);
  pl_access_end(h);
}

typedef struct {
  bool verify, strict, keep_unreachable;
} given;

static void refuse_keeping(lua_State *L, pl_funcobj *h) {
  pl_error(L, h,
           "function '%f' cannot keep unreachable blocks: it is constructed by "
           "a classical algorithm, which starts from the entry");
}

static int l_finish(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_KIND_FUNC, 0, 1);
  given o = {true, h->strict, false};
  o.keep_unreachable = ph_func_options(pl_access_read(L, h)).keep_unreachable;
  static const char *const known[] = {"verify", "strict", "keep_unreachable"};
  pl_arg_fields(L, 2, known, 3);
  o.verify = pl_arg_flag(L, 2, "verify", o.verify);
  o.strict = pl_arg_flag(L, 2, "strict", o.strict);
  o.keep_unreachable =
      pl_arg_flag(L, 2, "keep_unreachable", o.keep_unreachable);
  pl_access_open(L, h);
  check_blocks(L, h,
               "these blocks need a terminator (jump, branch, switch, ret or "
               "unreachable)",
               next_unfilled, say_unfilled);
  if (o.strict)
    check_blocks(L, h, "strict, and these blocks are not sealed", next_unsealed,
                 say_unsealed);
  if (o.keep_unreachable && ph_classical_isused(h->f)) refuse_keeping(L, h);
  if (h->undef_policy == PL_UNDEF_ERROR) check_defined(L, h);
  ph_block b = ph_finish_unfilled(h->f, nowhere);
  pl_access_beginhere(L, h, "finishing", nowhere, PL_WHERE_BLOCKS);
  for (; ph_some(b); b = ph_finish_unfilled(h->f, b))
    ph_build_fill(h->f, b, PH_UNREACHABLE, NULL, 0, NULL, 0);
  pl_access_end(h);
  for (int i = 0; i < PH_FINISH_STEPS; i++) {
    pl_access_open(L, h);
    if (i == PH_FINISH_REACHABLE)
      ph_finish_keepunreachable(h->f, o.keep_unreachable);
    if (i == PH_FINISH_CLOSED && o.verify) {
      h->buf.n = 0;
      if (ph_verify_func(h->f, say_problem, h) > 0) pl_error_raiselist(L, h);
    }
    do_step(L, h, (ph_finish_step)i);
    if (i < PH_FINISH_SIMPLIFIED) pl_undef_settle(L, h, 1);
    if (i == PH_FINISH_SEALED) check_defined(L, h);
  }
  pl_callback_warn(L, h);
  h->current = nowhere;
  lua_settop(L, 1);
  return pl_access_return(L, h, 1);
}

/* The definition of parameter i: its first write, if that was recorded and its
** copy still exists, or the parameter. */
static ph_value definition_of(const ph_func *f, uint32_t i) {
  ph_access write = {i + 1};
  ph_value v = {0};
  if (ph_func_options(f).accesses) v = ph_access_value(f, write);
  return ph_some(v) && ph_value_op(f, v) == PH_COPY ? v : ph_value_param(f, i);
}

static int l_reopen(lua_State *L) {
  pl_funcobj *h = pl_arg_only(L, PL_KIND_FUNC);
  pl_access_change(L, h);
  if (ph_finish_isfrozen(h->f)) pl_access_open(L, h);
  if (!ph_finish_isdone(h->f))
    pl_error(L, h, "function '%f' is not finished: there is nothing to reopen");
  pl_access_begin(h, "reopening", nowhere);
  ph_finish_reopen(h->f);
  pl_access_notecomplete(h);
  h->nchanges++;
  if (h->undef_policy == PL_UNDEF_UNWRITTEN) h->undef_policy = PL_UNDEF_UNSAID;
  if (h->first_var != 0) {
    for (uint32_t i = 0; i < ph_value_nparams(h->f); i++) {
      ph_var var = {h->first_var + i};
      ph_build_assume(h->f, var, ph_block_entry(h->f), definition_of(h->f, i));
    }
  }
  pl_access_end(h);
  lua_settop(L, 1);
  return pl_access_return(L, h, 1);
}

/* }== Cleaning up ====================================================
**
** In the order in which one thing makes another: what is not reached keeps
** values in use, and phis and rules leave dead ones.
*/

static uint32_t drop_unreached(lua_State *L, pl_funcobj *h) {
  uint32_t n = ph_func_stats(h->f).blocks;
  (void)L;
  pl_access_begin(h, "dropping blocks of", nowhere);
  ph_finish_keepunreachable(h->f, false);
  ph_finish_dropunreachable(h->f);
  pl_access_end(h);
  return n - ph_func_stats(h->f).blocks;
}

static uint32_t remove_redundant(lua_State *L, pl_funcobj *h) {
  uint32_t n = ph_func_stats(h->f).redundant_phis;
  (void)L;
  pl_access_begin(h, "minimizing", nowhere);
  ph_redundant_phi_remove(h->f);
  pl_access_end(h);
  return ph_func_stats(h->f).redundant_phis - n;
}

static uint32_t count_simplified(const ph_func *f) {
  ph_simplify_counts later = ph_func_stats(f).later;
  return later.folded + later.applied + later.merged;
}

static uint32_t apply_rules(lua_State *L, pl_funcobj *h) {
  uint32_t n = count_simplified(h->f);
  for (int i = PH_FINISH_REACHABLE; i <= PH_FINISH_SIMPLIFIED; i++)
    do_step(L, h, (ph_finish_step)i);
  pl_callback_warn(L, h);
  return count_simplified(h->f) - n;
}

static uint32_t sweep_dead(lua_State *L, pl_funcobj *h) {
  uint32_t n;
  (void)L;
  pl_access_begin(h, "sweeping", nowhere);
  n = ph_dce_run(h->f);
  pl_access_end(h);
  return n;
}

/* A phase: with the rules of another set. */
static int run_phase(lua_State *L, void *ud) {
  pl_funcobj *h = ud;
  uint32_t n = apply_rules(L, h);
  lua_pushinteger(L, n);
  return pl_access_return(L, h, 1);
}

/* True if what is to be cleaned names a set, which is pushed. */
static bool push_rules(lua_State *L, bool all) {
  int type = all ? LUA_TNIL : pl_arg_field(L, 2, "rules");
  if (type == LUA_TNIL || type == LUA_TBOOLEAN) return false;
  if (pl_userdata_test(L, lua_gettop(L), PL_KIND_RULES) == NULL)
    pl_error_plainarg(L, 2,
                      "option 'rules': phial.Rules or boolean expected, got %s",
                      pl_error_got(L, -1));
  pl_ruleset_check(L, lua_gettop(L));
  return true;
}

/* fn:clean{unreached =, phis =, rules =, dead =}: of what is true, or of all
** without a table, how much was removed or changed */
static int l_clean(lua_State *L) {
  static const char *const names[] = {"unreached", "phis", "rules", "dead"};
  static uint32_t (*const chores[])(lua_State *, pl_funcobj *) = {
      drop_unreached, remove_redundant, apply_rules, sweep_dead};
  enum { CHORES = sizeof names / sizeof *names };
  pl_funcobj *h = pl_arg_method(L, PL_KIND_FUNC, 0, 1);
  bool all = lua_isnoneornil(L, 2), wanted[CHORES], phase;
  pl_access_edit(L, h);
  pl_arg_fields(L, 2, names, CHORES);
  phase = push_rules(L, all);
  for (int i = 0; i < CHORES; i++)
    wanted[i] =
        (phase && chores[i] == apply_rules) || pl_arg_flag(L, 2, names[i], all);
  lua_createtable(L, 0, CHORES);
  for (int i = 0; i < CHORES; i++) {
    if (!wanted[i]) continue;
    pl_access_edit(L, h); /* a callback or finalizer may have run */
    if (phase && chores[i] == apply_rules) {
      pl_callback_phase(L, h, run_phase, lua_gettop(L) - 1);
      lua_setfield(L, -2, names[i]);
      continue;
    }
    pl_userdata_setnumber(L, names[i], chores[i](L, h));
  }
  return pl_access_return(L, h, 1);
}

/* The function whose memory is to become values, without what nothing
** reaches. */
static pl_funcobj *begin_memory(lua_State *L) {
  pl_funcobj *h = pl_arg_only(L, PL_KIND_FUNC);
  pl_access_edit(L, h);
  for (int i = PH_FINISH_REACHABLE; i < PH_FINISH_SIMPLIFIED; i++)
    do_step(L, h, (ph_finish_step)i);
  return h;
}

static void end_memory(lua_State *L, pl_funcobj *h) {
  pl_access_end(h);
  do_step(L, h, PH_FINISH_SIMPLIFIED);
  pl_callback_warn(L, h);
}

/* fn:forward(): what was done, by name */
static int l_forward(lua_State *L) {
  pl_funcobj *h = begin_memory(L);
  ph_forwarded n;
  pl_access_begin(h, "forwarding", nowhere);
  n = ph_forward_run(h->f);
  end_memory(L, h);
  lua_createtable(L, 0, 3);
  pl_userdata_setnumber(L, "loads", n.loads);
  pl_userdata_setnumber(L, "stores", n.stores);
  pl_userdata_setnumber(L, "phis", n.phis);
  return pl_access_return(L, h, 1);
}

/* fn:promote(): what was done, by name */
static int l_promote(lua_State *L) {
  pl_funcobj *h = begin_memory(L);
  ph_promoted n;
  pl_access_begin(h, "promoting", nowhere);
  n = ph_promote_run(h->f);
  end_memory(L, h);
  lua_createtable(L, 0, 5);
  pl_userdata_setnumber(L, "allocas", n.allocas);
  pl_userdata_setnumber(L, "fields", n.fields);
  pl_userdata_setnumber(L, "loads", n.loads);
  pl_userdata_setnumber(L, "writes", n.writes);
  pl_userdata_setnumber(L, "phis", n.phis);
  return pl_access_return(L, h, 1);
}

/* }== Classical algorithms =========================================== */

/* phial.core.classical(fn, name): chooses the algorithm for a new function */
static int l_classical(lua_State *L) {
  static const char *const names[] = {"cytron", "briggs",  "choi", "djgraph",
                                      "aycock", "brandis", NULL};
  pl_funcobj *h = pl_arg_self(L, PL_KIND_FUNC);
  int which = luaL_checkoption(L, 2, NULL, names);
  if (ph_finish_keepsunreachable(h->f)) refuse_keeping(L, h);
  begin_finishing(L, h);
  ph_classical_start(h->f, (ph_classic)which);
  pl_access_end(h);
  return 0;
}

/* phial.core.unstructured(fn): seals all blocks of a filled function and drops
** those that nothing reaches; a block at which the algorithm finds the rest not
** to be structured, or nil */
static int l_unstructured(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_KIND_FUNC);
  ph_block b;
  pl_access_open(L, h);
  do_step(L, h, PH_FINISH_SEALED);
  pl_undef_settle(L, h, 1);
  begin_finishing(L, h);
  ph_finish_dropunreachable(h->f);
  b = ph_classical_unstructured(h->f);
  pl_access_end(h);
  if (!ph_some(b)) return 0;
  pl_handle_pushblock(L, 1, b);
  return pl_access_return(L, h, 1);
}

/* }=================================================================== */

const pl_method pl_finish_methods[] = {
    {PL_OF_MODULE, "unfilled", l_unfilled},
    {PL_OF_MODULE, "refuse_unwritten", l_refuse_unwritten},
    {PL_OF_MODULE, "classical", l_classical},
    {PL_OF_MODULE, "unstructured", l_unstructured},
    {PL_OF_FUNC, "verify", l_verify},
    {PL_OF_FUNC, "finish", l_finish},
    {PL_OF_FUNC, "clean", l_clean},
    {PL_OF_FUNC, "forward", l_forward},
    {PL_OF_FUNC, "promote", l_promote},
    {PL_OF_FUNC, "reopen", l_reopen},
    {0},
};
