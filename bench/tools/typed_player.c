/* typed_player.c: makes typed functions through the C interface, with the
** default rules if they are given as an option.
*/
#include "names.h"
#include "player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static names *words;
static ph_ruleset *rules; /* or NULL */
static ph_value *values;  /* of the function being made, by their ids */
static ph_value *args;    /* of the instruction being made */

/* {== Before the first function ====================================== */

/* The default rules, compiled: that is done once, not for each function. */
static ph_ruleset *default_rules(void) {
  ph_ruleset *set = ph_ruleset_new(&ph_mem_libc, NULL);
  ph_strbuf text = {&ph_mem_libc, NULL, 0, 0};
  ph_strbuf why = {&ph_mem_libc, NULL, 0, 0};
  ph_str source = {"default", strlen("default")};
  ph_ruleset_builtin(&text);
  if (!ph_ruleset_load(set, source, (ph_str){text.at, text.n}, NULL, &why)) {
    fprintf(stderr, "%.*s\n", (int)why.n, why.at);
    exit(EXIT_FAILURE);
  }
  ph_strbuf_done(&text);
  ph_strbuf_done(&why);
  ph_ruleset_freeze(set);
  return set;
}

static void done(void) {
  if (rules != NULL) ph_ruleset_free(rules);
  names_free(words);
  free(values);
  free(args);
}

trace player_load(const options *o, char **argv) {
  trace t;
  (void)argv;
  words = names_new();
  t = trace_load(o->file, names_table(words));
  for (size_t i = 0; i < t.nfuncs; i++)
    if (!t.funcs[i].typed) {
      fprintf(stderr, "%s: function '%s' has no types\n", o->file,
              t.funcs[i].name);
      exit(EXIT_FAILURE);
    }
  if (o->bare || o->fresh_moves) {
    fprintf(stderr, "%s: --bare and --fresh-moves are for plain traces\n",
            o->file);
    exit(EXIT_FAILURE);
  }
  values = (ph_value *)player_array(t.maxvalue, sizeof *values);
  args = (ph_value *)player_array(t.maxargs, sizeof *args);
  rules = o->rules ? default_rules() : NULL;
  atexit(done);
  return t;
}

/* }== Replaying one function ========================================= */

typedef struct {
  ph_func *f;
  ph_block block;
  uint32_t nparams, nvars; /* so far */
} place;

static void param(player *r, place *p, ph_type type) {
  const ph_str unnamed = {"", 0};
  ph_value v = ph_value_newparam(p->f, unnamed, type);
  ph_var var = ph_var_new(p->f, unnamed, type);
  ph_build_write(p->f, var, r->blocks[0], v);
  values[++p->nparams] = v;
  r->vars[p->nvars++] = var;
}

static void variable(player *r, place *p, ph_type type) {
  r->vars[p->nvars++] = ph_var_new(p->f, (ph_str){"", 0}, type);
}

static inline ph_value value(const place *p, int32_t a) {
  return a >= 0 ? values[a] : names_constant(words, p->f, ~a);
}

/* Puts the n operands at c into args; returns the end of these. */
static inline const int32_t *operands(const place *p, const int32_t *c,
                                      uint32_t n) {
  for (uint32_t i = 0; i < n; i++) args[i] = value(p, c[i]);
  return c + n;
}

/* Replays an instruction whose op is at c; returns the end of it. */
static inline const int32_t *instruction(const place *p, const int32_t *c) {
  uint32_t n = (uint32_t)c[4];
  ph_data data = {0, PH_DATA_NONE};
  const int32_t *end = operands(p, c + 5, n);
  ph_value v;
  if (c[2] >= 0) data = (ph_data){(uint64_t)c[2], PH_DATA_INT};
  v = ph_build_emitdata(p->f, p->block, (ph_op)c[0], (ph_type)c[1], args, n,
                        data);
  if (c[3] != 0) values[c[3]] = v;
  return end;
}

static inline const int32_t *ending(player *r, const place *p,
                                    const int32_t *c) {
  ph_op op = (ph_op)c[0];
  uint32_t m = (uint32_t)c[1], n = (uint32_t)c[2 + m];
  const int32_t *end = operands(p, c + 3 + m, n);
  for (uint32_t i = 0; i < m; i++) r->targets[i] = r->blocks[c[2 + i]];
  ph_build_fill(p->f, p->block, op, args, n, r->targets, m);
  return end;
}

static void events(player *r, place *p, const int32_t *c) {
  for (;;) {
    int32_t kind = *c++;
    switch (kind) {
      case TRACE_BLOCK:
        p->block = r->blocks[*c++];
        break;
      case TRACE_PARAM:
        param(r, p, (ph_type)*c++);
        break;
      case TRACE_VAR:
        variable(r, p, (ph_type)*c++);
        break;
      case TRACE_GET:
        values[c[1]] = ph_build_read(p->f, r->vars[c[0]], p->block);
        c += 2;
        break;
      case TRACE_PUT:
        ph_build_write(p->f, r->vars[c[0]], p->block, value(p, c[1]));
        c += 2;
        break;
      case TRACE_INST:
        c = instruction(p, c);
        break;
      case TRACE_TERM:
        c = ending(r, p, c);
        break;
      case TRACE_JUMP:
        ph_build_jump(p->f, p->block, r->blocks[*c++]);
        break;
      case TRACE_SEAL: /* the entry is sealed */
        if (*c != 0) ph_build_seal(p->f, r->blocks[*c]);
        c++;
        break;
      default: /* TRACE_END */
        return;
    }
  }
}

ph_func *player_build(player *r, const trace_func *tf) {
  const ph_str unnamed = {"", 0};
  ph_str name = {tf->name, strlen(tf->name)};
  place p = {0};
  p.f = ph_func_new(ph_pool_mem(r->pool), name, tf->result, &r->options);
  if (r->given->is_classic) ph_classical_start(p.f, r->given->classic);
  ph_op_attachdialect(p.f, &names_dialect);
  if (rules != NULL) ph_peephole_enable(p.f, rules, false);
  r->blocks[0] = ph_block_entry(p.f);
  for (uint32_t i = 1; i < tf->nblocks; i++)
    r->blocks[i] = ph_block_new(p.f, unnamed, -1);
  events(r, &p, r->t->code + tf->start);
  return p.f;
}

/* With --at-once by all steps of ph_finish_run but one. */
void player_finish(const player *r, ph_func *f) {
  if (!r->given->at_once) {
    ph_finish_run(f);
    return;
  }
  ph_finish_sealall(f);
  ph_finish_dropunreachable(f);
  ph_finish_phis(f);
  ph_finish_close(f);
}

/* }=================================================================== */
