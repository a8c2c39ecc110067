/* opmap.c: maps op and type numbers between a function and a set.
**
** Dialects are attached to a function and to a set in any order, so an op of a
** dialect has a number in each; the ops of phial have the same.  The map is
** rebuilt when a dialect is attached to either.
*/
#include "core/rules/match/opmap.h"

#include "core/ir/op.h"

/* Returns the number in `f` of an op of attached dialect `a`, or PH_NONE. */
static ph_op number_in(const ph_func *f, const ph_attached *a, ph_op op) {
  for (uint32_t i = 0; i < f->dialects.n; i++)
    if (f->dialects.at[i].dialect == a->dialect)
      return (ph_op)(f->dialects.at[i].op + (op - a->op));
  return PH_NONE;
}

static void make_map(const ph_func *f, ph_matcher *m) {
  m->ops.n = 0;
  for (uint32_t i = 0; i < f->dialects.n; i++) {
    const ph_attached *a = &f->dialects.at[i];
    for (uint32_t k = 0; k < a->dialect->nops; k++)
      ph_ids_push(&m->ops, m->arena,
                  number_in(&m->set->space, a, (ph_op)(a->op + k)));
  }
  m->ndialects = f->dialects.n;
  m->nspace = m->set->space.dialects.n;
}

ph_op ph_opmap_mapped(const ph_func *f, ph_matcher *m, ph_op op) {
  if (m->ndialects != f->dialects.n || m->nspace != m->set->space.dialects.n)
    make_map(f, m);
  return (ph_op)m->ops.at[op - PH_OPS];
}

ph_op ph_opmap_ownop(const ph_func *f, const ph_matcher *m, ph_op op) {
  if (op < PH_OPS) return op;
  return number_in(f, ph_op_owner(&m->set->space, op), op);
}

ph_type ph_opmap_owntype(const ph_func *f, const ph_matcher *m, ph_type type) {
  const ph_dialects *all = &m->set->space.dialects;
  const ph_attached *a = all->at + all->n;
  if (type < PH_TYPES) return type;
  do a--;
  while (type < a->type);
  return ph_type_ofdialect(f, a->dialect, (ph_type)(type - a->type + PH_TYPES));
}

uint32_t ph_opmap_consttag(const ph_func *f, const ph_node *n) {
  int64_t i = (int64_t)f->datas.at[n->aux].bits;
  if (!ph_type_isint(n->type)) return PH_TAG_CONST;
  if (i == 0) return PH_TAG_ZERO;
  if (n->type == PH_I1) return PH_TAG_TRUE;
  return i == 1 ? PH_TAG_ONE : i == -1 ? PH_TAG_MINUS : PH_TAG_CONST;
}
