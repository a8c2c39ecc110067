/* parse_decls.c: the first pass over a text, which finds its definitions.
**
** A phi may refer to a value that is defined further down, and a jump to a
** block.  So the text is read twice: here only the head and the start of each
** line, which contain all blocks, all values and their types; then by parse.c,
** for which everything is defined.
**
** An id that the text shows is kept.  What shows none gets a free id above that
** of its predecessor, so that ids follow the text as far as possible.  Unused
** ids in between become dropped values and removed blocks.  Since these take
** memory, an id that is much larger than the length of the text is not kept: it
** gets a free one, too.
**
** Blocks that are marked as unreachable come last in a text, whatever their ids
** are.  So the ids of these follow the text, and the ids of the others.
*/
#include "core/text/parse_decls.h"

#include "core/base/strbuf.h"
#include "core/ir/effect_classes.h"
#include "core/ir/effects.h"
#include "core/ir/value.h"
#include "core/text/naming.h"

/*
** {== Scopes =========================================================
*/

static uint32_t entry_of(const ph_ids *table, uint32_t i) {
  return i < table->n ? table->at[i] : 0;
}

/* Returns the index + 1 of what is declared with this id or, if that is 0, with this
** name alone; or 0. */
static uint32_t find_index(const ph_scope *s, uint32_t name, uint32_t id) {
  if (id == 0) return entry_of(&s->named, name);
  return id < s->numbered.n ? s->numbered.at[id] : ph_idmap_get(&s->large, id);
}

/* Returns what is declared with this name and id (0: none is shown), or
** NULL. */
static const ph_decl *find_decl(const ph_scope *s, uint32_t name, uint32_t id) {
  uint32_t i = find_index(s, name, id);
  const ph_decl *d = i != 0 ? &s->all.at[i - 1] : NULL;
  return d != NULL && d->name == name ? d : NULL;
}

/* Enters the definition, the next one, into one of the tables. */
static void enter_decl(ph_reader *r, ph_scope *s, const ph_decl *d, bool keep) {
  ph_ids *table = d->id != 0 ? &s->numbered : &s->named;
  uint32_t i = d->id != 0 ? d->id : d->name;
  if (keep) {
    ph_ids_extend(table, r->lex.arena, i + 1);
    table->at[i] = s->all.n + 1;
  } else {
    ph_idmap_set(&s->large, r->lex.arena, i, s->all.n + 1);
  }
}

static void declare(ph_reader *r, ph_scope *s, ph_decl d) {
  uint32_t first = find_index(s, d.name, d.id);
  bool keep = d.id <= r->lex.text.n + 1024;
  if (d.id == UINT32_MAX) {
    ph_lex_fail(&r->lex, d.at, "the id of '$' is too large",
                ph_lex_source(&r->lex, d.at));
  } else if (first != 0) {
    uint32_t line, col;
    ph_ascii_position(r->lex.text, s->all.at[first - 1].at, &line, &col);
    ph_lex_fail(&r->lex, d.at, "'$' is defined in line # already",
                ph_lex_source(&r->lex, d.at), line);
  } else if (d.id != 0 || d.name != 0) {
    enter_decl(r, s, &d, keep);
  }
  if (!keep) d.id = 0;
  ph_decls_push(&s->all, r->lex.arena, d);
}

/* The definitions with the same mark. */
typedef struct {
  ph_scope *s;
  bool unreachable;
  uint32_t i; /* index of the next one that needs an id, not less than ... */
  uint32_t least; /* ... this */
  uint32_t shown; /* index of the next one that shows its id */
} sequence;

/* Returns the index of the first one from i on that has an id, or has none; or
** the number of all definitions. */
static uint32_t find_from(const sequence *q, uint32_t i, bool has_id) {
  const ph_decls *all = &q->s->all;
  while (i < all->n && (all->at[i].unreachable != q->unreachable ||
                        (all->at[i].id != 0) != has_id))
    i++;
  return i;
}

/* Goes to the first one from i on that needs an id. */
static void go_to_free(sequence *q, uint32_t i) {
  q->i = find_from(q, i, false);
  for (; q->shown < q->i; q->shown = find_from(q, q->shown + 1, true))
    if (q->s->all.at[q->shown].id >= q->least)
      q->least = q->s->all.at[q->shown].id + 1;
}

static sequence sequence_of(ph_scope *s, bool unreachable) {
  sequence q = {s, unreachable, 0, 1, 0};
  q.shown = find_from(&q, 0, true);
  go_to_free(&q, 0);
  return q;
}

static bool can_take(const sequence *q, uint32_t id) {
  return q->i < q->s->all.n && id >= q->least;
}

/* Returns the id that the next one must not reach.  The entry gets the first
** id. */
static uint32_t end_of(const sequence *q) {
  if (q->i == 0) return 0;
  return q->shown < q->s->all.n ? q->s->all.at[q->shown].id : UINT32_MAX;
}

static sequence *choose_sequence(sequence *a, sequence *b, uint32_t id) {
  if (!can_take(b, id)) return can_take(a, id) ? a : NULL;
  return can_take(a, id) && end_of(a) <= end_of(b) ? a : b;
}

/* Gives each free id to the sequence whose ids must end first: if both can
** follow the text, they do. */
static void assign_ids(ph_scope *s) {
  sequence a = sequence_of(s, false), b = sequence_of(s, true);
  for (uint32_t id = 1; a.i < s->all.n || b.i < s->all.n; id++) {
    sequence *q = choose_sequence(&a, &b, id);
    if (q == NULL || entry_of(&s->numbered, id) != 0) continue;
    s->all.at[q->i].id = id;
    go_to_free(q, q->i + 1);
  }
  for (uint32_t i = 0; i < s->all.n; i++)
    if (s->all.at[i].id > s->last) s->last = s->all.at[i].id;
}

/* }== Types, values, blocks ========================================== */

ph_type ph_parse_decls_type(ph_reader *r) {
  const ph_token *t = &r->lex.now;
  ph_type type;
  if (t->kind != PH_TOK_WORD || t->id != 0) {
    ph_lex_unexpected(&r->lex, "a type");
    return PH_NOTYPE;
  }
  if (!ph_type_find(r->f, t->s, &type)) {
    ph_lex_unknown(&r->lex, "type");
    return PH_NOTYPE;
  }
  ph_lex_next(&r->lex);
  return type;
}

/* Reads a reference to a value. */
static ph_decl value_key(ph_reader *r) {
  const ph_token *t = &r->lex.now;
  ph_decl d = {.id = t->id, .at = t->at};
  if (t->kind == PH_TOK_VALUE) d.name = ph_intern_add(r->f, t->s);
  ph_lex_expect(&r->lex, PH_TOK_VALUE, "a value");
  return d;
}

static bool is_block(const ph_token *t) {
  if (t->kind == PH_TOK_STRING) return t->s.n > 0;
  if (t->kind != PH_TOK_WORD || !ph_ascii_isname(t->s)) return false;
  return !ph_naming_isblockid(t->s) ||
         (t->id == 0 && ph_naming_blockid(t->s) != 0);
}

/* Reads a reference to a block. */
static ph_decl block_key(ph_reader *r) {
  const ph_token *t = &r->lex.now;
  ph_decl d = {.id = t->id, .at = t->at};
  if (!is_block(t)) {
    ph_lex_unexpected(&r->lex, "a block");
    return d;
  }
  if (t->kind == PH_TOK_WORD && ph_naming_isblockid(t->s))
    d.id = ph_naming_blockid(t->s);
  else
    d.name = ph_intern_add(r->f, t->s);
  ph_lex_next(&r->lex);
  return d;
}

static uint32_t resolve(ph_reader *r, const ph_scope *s, const ph_decl *key,
                        const char *missing) {
  const ph_decl *d = find_decl(s, key->name, key->id);
  if (r->lex.failed) return 0;
  if (d != NULL) return d->id;
  ph_lex_fail(&r->lex, key->at, missing, ph_lex_source(&r->lex, key->at));
  return 0;
}

uint32_t ph_parse_decls_value(ph_reader *r) {
  ph_decl key = value_key(r);
  return resolve(r, &r->values, &key, "there is no value '$'");
}

uint32_t ph_parse_decls_block(ph_reader *r) {
  ph_decl key = block_key(r);
  return resolve(r, &r->blocks, &key, "there is no block '$'");
}

/* }== Effects ======================================================== */

bool ph_parse_decls_ateffects(const ph_reader *r) {
  return ph_lex_isword(&r->lex, "reads") || ph_lex_isword(&r->lex, "writes");
}

static void read_class(ph_reader *r, uint32_t *set) {
  const ph_token *t = &r->lex.now;
  if (t->kind != PH_TOK_WORD || t->id != 0 || !ph_ascii_isname(t->s))
    ph_lex_unexpected(&r->lex, "the name of a class");
  else if (!ph_effects_isclass(t->s))
    ph_lex_fail(&r->lex, t->at, "'$' is not a class: ... is everything", t->s);
  else if (!ph_effects_find(r->f, t->s, set))
    ph_lex_fail(&r->lex, t->at, "class '$' is one too many: a function has 32",
                t->s);
  ph_lex_next(&r->lex);
}

/* reads(heap, len), reads(), reads(...) */
static void read_classes(ph_reader *r, const char *word, uint32_t *set) {
  if (!ph_lex_isword(&r->lex, word)) return;
  ph_lex_next(&r->lex);
  ph_lex_expect(&r->lex, '(', "'('");
  *set = 0;
  if (ph_lex_accept(&r->lex, PH_TOK_DOTS))
    *set = PH_EFFECTS_ALL;
  else if (r->lex.now.kind != ')')
    do read_class(r, set);
    while (ph_lex_accept(&r->lex, ','));
  ph_lex_expect(&r->lex, ')', "',' or ')'");
}

uint32_t ph_parse_decls_effects(ph_reader *r, ph_op op) {
  uint32_t at = r->lex.now.at;
  ph_effects e = ph_effects_usual(r->f, op);
  if (!ph_parse_decls_ateffects(r)) return 0;
  read_classes(r, "reads", &e.reads);
  read_classes(r, "writes", &e.writes);
  if (!r->lex.failed && !ph_effects_fits(r->f, op, e))
    ph_lex_fail(&r->lex, at, "a '$' cannot have these classes",
                ph_op_name(r->f, op));
  return r->lex.failed ? 0 : ph_effects_keep(r->f, e);
}

/* Finds the classes that the rest of the line says.  If one is too many, the second
** pass tells. */
static void find_classes(ph_reader *r) {
  bool inside = false;
  uint32_t found = 0;
  while (r->lex.now.kind != PH_TOK_LINE && r->lex.now.kind != PH_TOK_END) {
    const ph_token was = r->lex.now;
    bool says = ph_parse_decls_ateffects(r);
    if (inside && was.kind == PH_TOK_WORD && ph_effects_isclass(was.s))
      ph_effects_find(r->f, was.s, &found);
    ph_lex_next(&r->lex);
    inside = says ? r->lex.now.kind == '(' : inside && was.kind != ')';
  }
}

/* }== The head ======================================================= */

_Static_assert(PH_PARAMS_MAX == 250000, "as the message says");

/* %n: i64 */
static void declare_typed(ph_reader *r) {
  ph_decl d;
  if (r->values.all.n == PH_PARAMS_MAX)
    ph_lex_fail(&r->lex, r->lex.now.at,
                "a function has at most 250000 parameters");
  d = value_key(r);
  ph_lex_expect(&r->lex, ':', "':'");
  d.type = ph_parse_decls_type(r);
  declare(r, &r->values, d);
}

static bool accept_word(ph_reader *r, const char *word) {
  bool is = ph_lex_isword(&r->lex, word);
  if (is) ph_lex_next(&r->lex);
  return is;
}

/* Reads how parameter i, from 1, or the result (0), is passed, if that is said.
*/
static ph_passing read_passing(ph_reader *r, ph_type type, uint32_t i) {
  uint32_t at = r->lex.now.at;
  ph_passing passing = accept_word(r, "zeroext")   ? PH_ZEROEXT
                       : accept_word(r, "signext") ? PH_SIGNEXT
                       : accept_word(r, "va_list") ? PH_VALIST
                       : accept_word(r, "byval")   ? PH_BYVAL
                       : accept_word(r, "sret")    ? PH_SRET
                                                   : PH_PLAIN;
  if (passing != PH_PLAIN && !ph_type_canpass(type, i, passing))
    ph_lex_fail(&r->lex, at, ph_passing_demand(passing));
  return passing;
}

/* {i32, f64, i8[3]} */
static ph_str read_struct(ph_reader *r) {
  ph_lexer *lx = &r->lex;
  uint32_t begin = lx->now.at;
  ph_str s = {lx->text.at + begin, 0};
  while (lx->now.kind != '}' && lx->now.kind != PH_TOK_LINE &&
         lx->now.kind != PH_TOK_END)
    ph_lex_next(lx);
  s.n = lx->now.end - begin;
  if (!ph_struct_is(r->f, s))
    ph_lex_fail(lx, begin,
                "members expected, as in {i32, f64, i8[3]}, and at most 1 MiB");
  ph_lex_next(lx);
  return s;
}

/* %n: i64; or the dots that are the last parameter */
static void read_param(ph_reader *r) {
  ph_decl *d;
  r->f->options.variadic = ph_lex_accept(&r->lex, PH_TOK_DOTS);
  if (r->f->options.variadic) return;
  declare_typed(r);
  if (r->lex.failed) return;
  d = &r->values.all.at[r->values.all.n - 1];
  d->passing = read_passing(r, d->type, r->values.all.n);
  if (d->passing >= PH_BYVAL) d->members = read_struct(r);
}

_Static_assert(PH_RESULTS_MAX == 1000, "as the message says");

/* Reads the types of the results from the second on. */
static void read_further(ph_reader *r) {
  while (!r->lex.failed && ph_lex_accept(&r->lex, ',')) {
    if (ph_body_nresults(r->f) == PH_RESULTS_MAX)
      ph_lex_fail(&r->lex, r->lex.now.at,
                  "a function has at most 1000 results");
    ph_bytes_push(&r->f->further, &r->f->arena, ph_parse_decls_type(r));
  }
}

static void read_results(ph_reader *r) {
  uint32_t at = r->lex.now.at;
  ph_passing passing;
  if (r->nparams > 0 && r->values.all.at[0].passing == PH_SRET)
    ph_lex_fail(&r->lex, at,
                "a function whose first parameter is sret has no result");
  r->f->result = ph_parse_decls_type(r);
  if (r->lex.failed) return;
  passing = read_passing(r, r->f->result, 0);
  if (!r->lex.failed && passing != PH_PLAIN)
    ph_func_setpassing(r->f, 0, passing);
  if (passing == PH_PLAIN) read_further(r);
}

static void read_params(ph_reader *r) {
  ph_lex_expect(&r->lex, '(', "'('");
  if (ph_lex_accept(&r->lex, ')')) return;
  do read_param(r);
  while (!r->f->options.variadic && ph_lex_accept(&r->lex, ','));
  ph_lex_expect(&r->lex, ')', r->f->options.variadic ? "')'" : "',' or ')'");
  r->nparams = r->values.all.n;
}

static void read_funcname(ph_reader *r) {
  const ph_token *t = &r->lex.now;
  if ((t->kind != PH_TOK_WORD || !ph_ascii_isname(t->s)) &&
      t->kind != PH_TOK_STRING) {
    ph_lex_unexpected(&r->lex, "the function's name");
    return;
  }
  r->f->name = ph_intern_add(r->f, t->s);
  ph_lex_next(&r->lex);
}

/* Accepts `fn`, `internal fn` or `declare`. */
static void read_keyword(ph_reader *r) {
  ph_func *f = r->f;
  while (ph_lex_accept(&r->lex, PH_TOK_LINE)) continue;
  f->declared = accept_word(r, "declare");
  if (f->declared) return;
  f->options.internal = accept_word(r, "internal");
  if (!accept_word(r, "fn"))
    ph_lex_unexpected(&r->lex, f->options.internal
                                   ? "'fn'"
                                   : "'fn', 'internal' or 'declare'");
}

static void read_brace(ph_reader *r, const char *what) {
  if (!r->f->declared) ph_lex_expect(&r->lex, '{', what);
}

static void read_head(ph_reader *r) {
  read_keyword(r);
  read_funcname(r);
  read_params(r);
  if (ph_lex_accept(&r->lex, PH_TOK_ARROW)) {
    read_results(r);
    read_brace(r, "'{'");
  } else {
    read_brace(r, "'->' or '{'");
  }
  if (r->f->declared) r->f->saying = ph_parse_decls_effects(r, PH_CALL);
  r->body = r->lex.now.at;
  if (!r->f->declared || r->lex.now.kind != PH_TOK_END)
    ph_lex_expect(&r->lex, PH_TOK_LINE, "the end of the line");
  if (!r->f->declared) r->body = r->lex.now.at;
}

/* }== The body ======================================================= */

static bool is_label(ph_reader *r) {
  uint32_t at = r->lex.now.at;
  bool found;
  if (r->lex.now.kind == PH_TOK_STRING) return true;
  if (r->lex.now.kind != PH_TOK_WORD) return false;
  ph_lex_next(&r->lex);
  found = r->lex.now.kind == ':';
  ph_lex_goto(&r->lex, at);
  return found;
}

static void declare_line(ph_reader *r) {
  if (is_label(r)) {
    ph_decl d = block_key(r);
    ph_lex_expect(&r->lex, ':', "':'");
    /* a mark: the function keeps the block */
    d.unreachable = ph_lex_isword(&r->lex, "unreachable");
    if (d.unreachable) r->f->keeps_unreachable = true;
    declare(r, &r->blocks, d);
  } else if (r->lex.now.kind == PH_TOK_VALUE ||
             r->lex.now.kind == PH_TOK_WORD) {
    if (r->blocks.all.n == 0) {
      ph_lex_fail(&r->lex, r->lex.now.at, "this needs a block: no label yet");
    } else if (r->lex.now.kind == PH_TOK_VALUE) {
      declare_typed(r);
      ph_lex_expect(&r->lex, '=', "'='");
    } else {
      ph_decl d = {.at = r->lex.now.at};
      declare(r, &r->values, d);
    }
  } else {
    ph_lex_unexpected(&r->lex, "a label, an instruction or '}'");
  }
  if (r->f->op_effects.n > 0) find_classes(r);
  ph_lex_skipline(&r->lex);
}

/* }== Making ========================================================= */

static void make_values(ph_reader *r) {
  ph_func *f = r->f;
  for (uint32_t id = 1; id <= r->values.last; id++) {
    uint32_t v = ph_value_node(f, PH_NONE, PH_NOTYPE);
    ph_node_of(f, v)->flags = PH_IS_DROPPED;
  }
  for (uint32_t i = 0; i < r->values.all.n; i++) {
    ph_decl d = r->values.all.at[i];
    ph_node_of(f, d.id)->flags = 0;
    ph_node_of(f, d.id)->type = d.type;
    if (d.name == 0) continue;
    ph_ids_extend(&f->names, &f->arena, d.id + 1);
    f->names.at[d.id] = d.name;
  }
}

static void make_params(ph_reader *r) {
  for (uint32_t i = 0; i < r->nparams; i++) {
    ph_data index = {i, PH_DATA_INT};
    uint32_t data = ph_value_keepdata(r->f, index);
    uint32_t v = r->values.all.at[i].id;
    ph_node_of(r->f, v)->op = PH_PARAM;
    ph_node_of(r->f, v)->aux = data;
    ph_ids_push(&r->f->params, &r->f->arena, v);
  }
}

static void make_blocks(ph_reader *r) {
  const ph_str nameless = {"", 0};
  for (uint32_t id = 1; id <= r->blocks.last; id++) {
    ph_block b = ph_block_new(r->f, nameless, 0);
    ph_blockrec_of(r->f, b.id)->removed = PH_REMOVED;
  }
  for (uint32_t i = 0; i < r->blocks.all.n; i++) {
    ph_decl d = r->blocks.all.at[i];
    ph_blockrec_of(r->f, d.id)->removed = PH_PRESENT;
    ph_blockrec_of(r->f, d.id)->name = d.name;
  }
}

/* Classes that the text says come before those of dialects: they were all in the
** function that it shows. */
void ph_parse_decls_run(ph_reader *r) {
  ph_effects_forget(r->f);
  read_head(r);
  if (!r->f->declared) {
    while (r->lex.now.kind != '}' && !r->lex.failed) {
      if (!ph_lex_accept(&r->lex, PH_TOK_LINE)) declare_line(r);
    }
    if (r->blocks.all.n == 0)
      ph_lex_fail(&r->lex, r->lex.now.at, "a function has at least one block");
  }
  if (r->lex.failed) return;
  ph_effects_reattach(r->f);
  assign_ids(&r->values);
  assign_ids(&r->blocks);
  if (!r->f->declared && r->blocks.all.at[0].id != 1) {
    ph_lex_fail(&r->lex, r->blocks.all.at[0].at,
                "the first block is the entry, only it can be b1");
    return;
  }
  make_values(r);
  make_params(r);
  for (uint32_t i = 0; i < r->nparams; i++) {
    ph_decl d = r->values.all.at[i];
    if (d.passing >= PH_BYVAL)
      ph_func_setstruct(r->f, i + 1, d.passing, d.members);
    else if (d.passing != PH_PLAIN)
      ph_func_setpassing(r->f, i + 1, d.passing);
  }
  make_blocks(r);
}

/* }=================================================================== */
