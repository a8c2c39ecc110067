/* parse_inst.c: reads the parts of an instruction.
**
** Reads what follows the '=': op, data, variable, operands, targets, position.
** Each kind of op has its own order of parts.  All checks that need nothing but
** these parts are made here.
*/
#include "core/text/parse_inst.h"

#include "phial/text.h"
#include "core/base/strbuf.h"
#include "core/ir/op.h"
#include "core/ir/opcheck.h"
#include "core/text/parse_value.h"

/*
** {== What does not fit ==============================================
*/

/* opcheck.c knows what fits; here its answer gets the names and the places of
** the text. */

/* Returns the name of a type, for a message. */
static ph_str type_name(ph_reader *r, ph_type type) {
  const ph_mem mem = ph_arena_mem(r->lex.arena);
  ph_strbuf b = {&mem, NULL, 0, 0};
  ph_print_type(&b, r->f, type);
  return (ph_str){b.at, b.n};
}

static ph_str op_text(ph_reader *r) {
  return ph_lex_source(&r->lex, r->inst.at);
}

/* Reports that operand `arg` must be what `wanted` says. */
static void explain_operand(ph_reader *r, int arg, ph_str wanted) {
  uint32_t at = r->inst.arg_at.at[arg];
  ph_type type = ph_value_type(r->f, r->inst.args.at[arg]);
  ph_lex_fail(&r->lex, at, "operand # of '$' must be $, '$' is $",
              (uint32_t)arg + 1, op_text(r), wanted, ph_lex_source(&r->lex, at),
              type_name(r, type));
}

static void explain_misfit(ph_reader *r, const ph_mismatch *m) {
  const char *wanted = ph_opcheck_wanted(m->kind);
  if (wanted != NULL) {
    explain_operand(r, m->arg, ph_ascii_str(wanted));
  } else if (m->kind == PH_WRONG_COUNT) {
    ph_lex_fail(&r->lex, r->inst.at,
                m->want == 1 ? "'$' takes # operand, not #"
                             : "'$' takes # operands, not #",
                op_text(r), (uint32_t)m->want, r->inst.args.n);
  } else if (m->kind == PH_WRONG_RESULT) {
    ph_lex_fail(&r->lex, r->inst.type_at, "'$' cannot give $ here", op_text(r),
                type_name(r, r->inst.type));
  } else {
    explain_operand(r, m->arg, type_name(r, m->type));
  }
}

static bool must_show(const ph_reader *r) {
  ph_op op = r->inst.op;
  if (op == PH_CALL || op == PH_CALL_INDIRECT) return false;
  return op == PH_PHI || ph_op_needstype(r->f, op);
}

/* Reports that r->inst shows no result. */
static void report_no_result(ph_reader *r) {
  ph_lex_fail(&r->lex, r->inst.at, "the result of '$' is missing", op_text(r));
}

static void explain_result(ph_reader *r, ph_type type) {
  const ph_inst *inst = &r->inst;
  if (inst->type == type) return;
  if (inst->type == PH_NOTYPE)
    report_no_result(r);
  else if (type == PH_NOTYPE)
    ph_lex_fail(&r->lex, inst->type_at, "'$' has no result", op_text(r));
  else
    ph_lex_fail(&r->lex, inst->type_at, "'$' gives $, not $", op_text(r),
                type_name(r, type), type_name(r, inst->type));
}

/* Reports an operand of a phi that does not have the type that the phi
** shows. */
static void explain_phi(ph_reader *r) {
  const ph_inst *inst = &r->inst;
  for (uint32_t i = 0; i < inst->args.n; i++) {
    if (ph_value_type(r->f, inst->args.at[i]) == inst->type) continue;
    explain_operand(r, (int)i, type_name(r, inst->type));
    return;
  }
}

/* Reports an instruction that does not belong into its block, or its function.
*/
static void explain_place(ph_reader *r) {
  const ph_inst *inst = &r->inst;
  if (!ph_opcheck_fitsblock(r->f, inst->op, inst->block))
    ph_lex_fail(&r->lex, inst->at,
                inst->op == PH_ALLOCA ? "an alloca belongs into the entry"
                                      : "this function is not variadic");
}

/* Reports an alloca whose operands are not constants that it can have. */
static void explain_alloca(ph_reader *r) {
  const ph_inst *inst = &r->inst;
  ph_alloca_fault fault =
      ph_opcheck_allocaargs(r->f, inst->args.at[0], inst->args.at[1]);
  int arg = fault == PH_ALLOCA_ALIGN;
  if (fault != PH_ALLOCA_FITS)
    ph_lex_fail(&r->lex, inst->arg_at.at[arg],
                arg == 0
                    ? "'$' is not a size: a constant from 1 to 1073741824"
                    : "'$' is not an alignment: a constant power of two up to "
                      "4096",
                ph_lex_source(&r->lex, inst->arg_at.at[arg]));
}

/* Checks the operands and the result of r->inst; reports what does not fit. */
static void check_fits(ph_reader *r) {
  const ph_inst *inst = &r->inst;
  ph_type type = inst->type;
  ph_mismatch m;
  if (type == PH_NOTYPE && must_show(r)) {
    report_no_result(r);
    return;
  }
  if (inst->op == PH_PHI) {
    explain_phi(r);
    return;
  }
  m = ph_opcheck_values(r->f, inst->op, inst->args.at, (int)inst->args.n,
                        &type);
  if (m.kind != PH_FITS)
    explain_misfit(r, &m);
  else
    explain_result(r, type);
  if (m.kind != PH_FITS) return;
  explain_place(r);
  if (inst->op == PH_ALLOCA) explain_alloca(r);
}

/* }== Operands and targets =========================================== */

static bool at_end(const ph_reader *r) {
  int kind = r->lex.now.kind;
  return kind == PH_TOK_LINE || kind == '@' || kind == PH_TOK_END ||
         ph_parse_decls_ateffects(r);
}

static void read_operand(ph_reader *r) {
  uint32_t at = r->lex.now.at;
  ph_value v = {ph_parse_value_read(r)};
  if (r->lex.failed) return;
  ph_values_push(&r->inst.args, r->lex.arena, v);
  ph_ids_push(&r->inst.arg_at, r->lex.arena, at);
}

static void read_operands(ph_reader *r) {
  if (at_end(r)) return;
  do read_operand(r);
  while (ph_lex_accept(&r->lex, ','));
}

static void read_target(ph_reader *r) {
  ph_block b = {ph_parse_decls_block(r)};
  ph_targets_push(&r->inst.targets, r->lex.arena, b);
}

/* }== Variables ====================================================== */

static bool at_var(const ph_reader *r) {
  return r->lex.now.kind == PH_TOK_WORD || r->lex.now.kind == PH_TOK_STRING;
}

static void check_vartype(ph_reader *r, uint32_t var, uint32_t at) {
  ph_type type = r->f->vars.at[var].type;
  if (type == r->inst.type) return;
  ph_lex_fail(&r->lex, at, "variable '$' has type $, not $",
              ph_lex_source(&r->lex, at), type_name(r, type),
              type_name(r, r->inst.type));
}

/* Returns the variable of rank k (from 1) among those of its name. */
static uint32_t find_var(ph_reader *r, uint32_t name, uint32_t k, uint32_t at) {
  const ph_ids none = {NULL, 0, 0};
  ph_wellformed_reserve(&r->vars, r->lex.arena, name + 1);
  while (r->vars.n <= name) r->vars.at[r->vars.n++] = none;
  ph_ids *list = &r->vars.at[name];
  if (k > 0 && k <= list->n) {
    check_vartype(r, list->at[k - 1], at);
    return list->at[k - 1];
  }
  if (k == list->n + 1) {
    ph_str s = ph_intern_string(r->f, name);
    uint32_t var = ph_var_new(r->f, s, r->inst.type).id;
    ph_ids_push(list, r->lex.arena, var);
    return var;
  }
  ph_lex_fail(&r->lex, at, "the next variable named '$' must be number #",
              ph_lex_source(&r->lex, at), list->n + 1);
  return 0;
}

/* i, "a b", i/2 */
static uint32_t read_var(ph_reader *r) {
  const ph_token *t = &r->lex.now;
  uint32_t at = t->at, name, k = 1;
  if (t->id != 0 || (t->kind == PH_TOK_WORD && !ph_ascii_isname(t->s))) {
    ph_lex_unexpected(&r->lex, "a variable");
    return 0;
  }
  if (r->inst.type == PH_NOTYPE) {
    report_no_result(r);
    return 0;
  }
  name = ph_intern_add(r->f, t->s);
  ph_lex_next(&r->lex);
  if (ph_lex_accept(&r->lex, '/')) k = ph_parse_value_count(r, "a number");
  return r->lex.failed ? 0 : find_var(r, name, k, at);
}

/* }== Phis and copies ================================================ */

/* Reads `head: %3`, for entry k of the `<-` lists; the list of its block is the
** last. */
static void read_phi_operand(ph_reader *r, uint32_t k) {
  uint32_t at = r->lex.now.at;
  uint32_t b = ph_parse_decls_block(r);
  if (r->lex.failed) return;
  if (k >= r->preds.n)
    ph_lex_fail(&r->lex, at, "one operand more than '<-' has blocks");
  else if (r->preds.at[k] != b)
    ph_lex_fail(&r->lex, at, "'$' expected, in the order of '<-'",
                ph_lex_source(&r->lex, r->pred_at.at[k]));
  ph_lex_expect(&r->lex, ':', "':'");
  read_operand(r);
}

/* phi i [a: %1, b: %2]; phi i ... */
static void read_phi(ph_reader *r) {
  if (at_var(r)) r->inst.var = read_var(r);
  r->inst.incomplete = ph_lex_accept(&r->lex, PH_TOK_DOTS);
  if (!r->inst.incomplete) {
    uint32_t k = r->first_pred.at[r->first_pred.n - 1];
    ph_lex_expect(&r->lex, '[', "'['");
    if (r->lex.now.kind != ']') {
      do read_phi_operand(r, k++);
      while (ph_lex_accept(&r->lex, ','));
    }
    if (r->lex.now.kind == ']' && k < r->preds.n)
      ph_lex_fail(&r->lex, r->lex.now.at, "the operand for '$' is missing",
                  ph_lex_source(&r->lex, r->pred_at.at[k]));
    ph_lex_expect(&r->lex, ']', "',' or ']'");
  } else if (ph_blockrec_of(r->f, r->inst.block)->sealed) {
    ph_lex_fail(&r->lex, r->inst.at,
                "a phi of a sealed block has all its operands");
  }
}

/* True if a word or string names a variable; it is a constant if no value
** follows. */
static bool names_var(ph_reader *r) {
  uint32_t at = r->lex.now.at;
  bool found;
  if (!at_var(r)) return false;
  ph_lex_next(&r->lex);
  found = !at_end(r) && r->lex.now.kind != ':' && r->lex.now.kind != '(';
  ph_lex_goto(&r->lex, at);
  return found;
}

/* }== Terminators ==================================================== */

/* switch %v, default [1: a, 2: b] */
static void read_switch(ph_reader *r) {
  read_operand(r);
  ph_lex_expect(&r->lex, ',', "','");
  read_target(r);
  ph_lex_expect(&r->lex, '[', "'['");
  if (ph_lex_accept(&r->lex, ']')) return;
  do {
    read_operand(r);
    ph_lex_expect(&r->lex, ':', "':'");
    read_target(r);
  } while (ph_lex_accept(&r->lex, ','));
  ph_lex_expect(&r->lex, ']', "',' or ']'");
}

/* jump a; branch %c, a, b; unreachable */
static void read_fixed(ph_reader *r) {
  int nargs = ph_op_nargs(r->f, r->inst.op);
  int n = nargs + ph_op_ntargets(r->f, r->inst.op);
  for (int i = 0; i < n; i++) {
    if (i > 0) ph_lex_expect(&r->lex, ',', "','");
    if (i < nargs)
      read_operand(r);
    else
      read_target(r);
  }
}

/* lua.br %c, [a, b] */
static void read_dialect_terminator(ph_reader *r) {
  bool more = !at_end(r);
  while (more && r->lex.now.kind != '[') {
    read_operand(r);
    more = ph_lex_accept(&r->lex, ',');
  }
  if (more) {
    ph_lex_expect(&r->lex, '[', "'['");
    do read_target(r);
    while (ph_lex_accept(&r->lex, ','));
    ph_lex_expect(&r->lex, ']', "',' or ']'");
  }
  int want = ph_op_ntargets(r->f, r->inst.op);
  if (want == PH_VARIADIC || r->inst.targets.n == (uint32_t)want) return;
  ph_lex_fail(&r->lex, r->inst.at,
              want == 1 ? "'$' takes # target, not #"
                        : "'$' takes # targets, not #",
              op_text(r), (uint32_t)want, r->inst.targets.n);
}

/* }== Instructions =================================================== */

static void read_op(ph_reader *r) {
  const ph_token *t = &r->lex.now;
  r->inst.at = t->at;
  if (t->kind != PH_TOK_WORD || t->id != 0)
    ph_lex_unexpected(&r->lex, "an op");
  else if (!ph_op_find(r->f, t->s, &r->inst.op))
    ph_lex_unknown(&r->lex, "op");
  else if (ph_op_has(r->f, r->inst.op, PH_LEAF))
    ph_lex_fail(&r->lex, t->at, "'$' is not an instruction", t->s);
  ph_lex_next(&r->lex);
}

static void read_parts(ph_reader *r) {
  ph_op op = r->inst.op;
  if (op != PH_PHI && !ph_op_namesvar(op))
    r->inst.data = ph_parse_value_data(r, ph_op_has(r->f, op, PH_SYMBOLIC));
  if (ph_op_tells(op) && r->inst.data.tag != PH_DATA_STR)
    ph_lex_fail(&r->lex, r->inst.at, "'$' needs a message, a string in braces",
                op_text(r));
  if (op == PH_PHI) {
    read_phi(r);
  } else if (ph_op_namesvar(op)) {
    if (names_var(r)) r->inst.var = read_var(r);
    read_operands(r);
  } else if (op == PH_SWITCH) {
    read_switch(r);
  } else if (op >= PH_OPS && ph_op_has(r->f, op, PH_TERMINATOR)) {
    read_dialect_terminator(r);
  } else if (ph_op_nargs(r->f, op) == PH_VARIADIC ||
             !ph_op_has(r->f, op, PH_TERMINATOR)) {
    read_operands(r);
  } else {
    read_fixed(r);
  }
}

/* -12:9: the end of a range.  The lexer takes the hyphen for a sign. */
static void read_end(ph_reader *r) {
  ph_lexer *lx = &r->lex;
  ph_srcloc *p = &r->inst.loc;
  uint32_t at = lx->now.at;
  if (lx->now.kind != PH_TOK_NUMBER || lx->now.s.at[0] != '-') return;
  lx->now.s.at++;
  lx->now.s.n--;
  p->end_line = ph_parse_value_count(r, "a line number");
  if (ph_lex_accept(lx, ':')) p->end_col = ph_parse_value_count(r, "a column");
  if (!ph_srcloc_isrange(*p) || p->end_line == 0)
    ph_lex_fail(lx, at, "the end precedes the beginning");
}

/* @ "file.x":12:5, or @ 12:5-12:9 */
static void read_loc(ph_reader *r) {
  ph_srcloc *p = &r->inst.loc;
  uint32_t at;
  if (!ph_lex_accept(&r->lex, '@')) return;
  if (r->lex.now.kind == PH_TOK_STRING) {
    p->file = ph_intern_add(r->f, r->lex.now.s);
    ph_lex_next(&r->lex);
    ph_lex_expect(&r->lex, ':', "':'");
  }
  at = r->lex.now.at;
  p->line = ph_parse_value_count(r, "a line number");
  if (p->line == 0) ph_lex_fail(&r->lex, at, "lines count from 1");
  if (ph_lex_accept(&r->lex, ':')) p->col = ph_parse_value_count(r, "a column");
  read_end(r);
}

void ph_parse_inst_read(ph_reader *r) {
  const ph_data none = {0, PH_DATA_NONE};
  const ph_srcloc nowhere = {0};
  r->inst.data = none;
  r->inst.loc = nowhere;
  r->inst.var = 0;
  r->inst.incomplete = false;
  r->inst.args.n = r->inst.arg_at.n = r->inst.targets.n = 0;
  read_op(r);
  if (r->lex.failed) return;
  read_parts(r);
  r->inst.said = ph_parse_decls_effects(r, r->inst.op);
  read_loc(r);
  ph_lex_expect(&r->lex, PH_TOK_LINE, "the end of the line");
  if (!r->lex.failed) check_fits(r);
}

/* }=================================================================== */
