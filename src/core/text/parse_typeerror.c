/* parse_typeerror.c: says why operands or the result do not fit an op.
**
** opcheck.c knows what fits; here its answer gets the names and the places of
** the text.
*/
#include "core/text/parse_typeerror.h"

#include <string.h>

#include "core/ir/opcheck.h"

ph_str ph_parse_typeerror_type(ph_reader *r, ph_type type) {
  ph_str dialect = ph_type_dialect(r->f, type);
  ph_str name = ph_type_name(r->f, type);
  char *s;
  if (dialect.n == 0) return name;
  s = ph_arena_alloc(r->lex.arena, dialect.n + 1 + name.n);
  memcpy(s, dialect.at, dialect.n);
  s[dialect.n] = '.';
  memcpy(s + dialect.n + 1, name.at, name.n);
  return (ph_str){s, dialect.n + 1 + name.n};
}

static ph_str op_text(ph_reader *r) {
  return ph_lex_source(&r->lex, r->inst.at);
}

static void explain_count(ph_reader *r, int want) {
  ph_digits wanted, got;
  ph_lex_fail(&r->lex, r->inst.at,
              want == 1 ? "'$' takes $ operand, not $"
                        : "'$' takes $ operands, not $",
              op_text(r), ph_strbuf_decimal(&wanted, (uint64_t)want),
              ph_strbuf_decimal(&got, r->inst.args.n));
}

/* Reports that operand `arg` must be what `wanted` says. */
static void explain_operand(ph_reader *r, int arg, ph_str wanted) {
  uint32_t at = r->inst.arg_at.at[arg];
  ph_type type = ph_value_type(r->f, r->inst.args.at[arg]);
  ph_digits digits;
  ph_lex_fail(&r->lex, at, "operand $ of '$' must be $, '$' is $",
              ph_strbuf_decimal(&digits, (uint64_t)arg + 1), op_text(r), wanted,
              ph_lex_source(&r->lex, at), ph_parse_typeerror_type(r, type));
}

static void explain(ph_reader *r, const ph_mismatch *m) {
  switch (m->kind) {
    case PH_FITS:
      break;
    case PH_WRONG_COUNT:
      explain_count(r, m->want);
      break;
    case PH_WRONG_TYPE:
    case PH_WRONG_LIKE:
      explain_operand(r, m->arg, ph_parse_typeerror_type(r, m->type));
      break;
    case PH_WANTS_INT:
      explain_operand(r, m->arg, (ph_str){"an integer", 10});
      break;
    case PH_WANTS_FLOAT:
      explain_operand(r, m->arg, (ph_str){"a float", 7});
      break;
    case PH_WANTS_INTPTR:
      explain_operand(r, m->arg, (ph_str){"an integer or ptr", 17});
      break;
    case PH_WANTS_STORED:
      explain_operand(r, m->arg, (ph_str){"an integer, float or ptr", 24});
      break;
    case PH_WANTS_VALUE:
      explain_operand(r, m->arg, (ph_str){"a value", 7});
      break;
    case PH_WRONG_RESULT:
      ph_lex_fail(&r->lex, r->inst.type_at, "'$' cannot give $ here",
                  op_text(r), ph_parse_typeerror_type(r, r->inst.type));
      break;
  }
}

static bool must_show(const ph_reader *r) {
  ph_op op = r->inst.op;
  if (op == PH_CALL || op == PH_CALL_INDIRECT) return false;
  return op == PH_PHI || ph_op_needstype(r->f, op);
}

void ph_parse_typeerror_noresult(ph_reader *r) {
  ph_lex_fail(&r->lex, r->inst.at, "the result of '$' is missing", op_text(r));
}

static void explain_result(ph_reader *r, ph_type type) {
  const ph_inst *inst = &r->inst;
  if (inst->type == type) return;
  if (inst->type == PH_NOTYPE)
    ph_parse_typeerror_noresult(r);
  else if (type == PH_NOTYPE)
    ph_lex_fail(&r->lex, inst->type_at, "'$' has no result", op_text(r));
  else
    ph_lex_fail(&r->lex, inst->type_at, "'$' gives $, not $", op_text(r),
                ph_parse_typeerror_type(r, type),
                ph_parse_typeerror_type(r, inst->type));
}

/* Reports an operand of a phi that does not have the type that the phi
** shows. */
static void explain_phi(ph_reader *r) {
  const ph_inst *inst = &r->inst;
  for (uint32_t i = 0; i < inst->args.n; i++) {
    if (ph_value_type(r->f, inst->args.at[i]) == inst->type) continue;
    explain_operand(r, (int)i, ph_parse_typeerror_type(r, inst->type));
    return;
  }
}

/* Reports an alloca that is not in the entry, or whose operands are not
** constants that it can have. */
static void explain_alloca(ph_reader *r) {
  const ph_inst *inst = &r->inst;
  ph_alloca_fault fault =
      ph_opcheck_allocaargs(r->f, inst->args.at[0], inst->args.at[1]);
  int arg = fault == PH_ALLOCA_ALIGN;
  if (!ph_opcheck_fitsblock(inst->op, inst->block))
    ph_lex_fail(&r->lex, inst->at, "an alloca belongs into the entry");
  if (fault != PH_ALLOCA_FITS)
    ph_lex_fail(&r->lex, inst->arg_at.at[arg],
                arg == 0
                    ? "'$' is not a size: a constant from 1 to 1073741824"
                    : "'$' is not an alignment: a constant power of two up to "
                      "4096",
                ph_lex_source(&r->lex, inst->arg_at.at[arg]));
}

void ph_parse_typeerror_misfit(ph_reader *r) {
  const ph_inst *inst = &r->inst;
  ph_type type = inst->type;
  ph_mismatch m;
  if (type == PH_NOTYPE && must_show(r)) {
    ph_parse_typeerror_noresult(r);
    return;
  }
  if (inst->op == PH_PHI) {
    explain_phi(r);
    return;
  }
  m = ph_opcheck_values(r->f, inst->op, inst->args.at, (int)inst->args.n,
                        &type);
  if (m.kind != PH_FITS)
    explain(r, &m);
  else
    explain_result(r, type);
  if (m.kind == PH_FITS && inst->op == PH_ALLOCA) explain_alloca(r);
}
