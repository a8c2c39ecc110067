/* naming.c: how values and blocks are named in text, or numbered.
**
** A name appears alone if nothing else of its kind has that name; otherwise the
** id follows it.  For a single thing, intern.c finds that out; print.c, which
** shows all, counts all names once.
*/
#include "core/text/naming.h"

#include <string.h>

#include "core/analysis/rpo.h"
#include "core/base/numfmt.h"
#include "core/base/strbuf.h"
#include "core/ir/intern.h"

/*
** {== Names ==========================================================
*/

/* The presence of block b, and of what it contains. */
static ph_presence look_at_home(const ph_func *f, uint32_t b) {
  return ph_blockrec_of(f, b)->removed ? PH_NAME_GONE : PH_NAME_HERE;
}

static ph_presence look_at_value(const ph_func *f, uint32_t v, uint32_t name) {
  const ph_node *n = ph_node_of(f, v);
  if (f->names.at[v] != name || n->forward != 0 || n->flags & PH_IS_DROPPED ||
      n->type == PH_NOTYPE)
    return PH_NAME_GONE;
  if (n->op == PH_PARAM) return PH_NAME_HERE;
  return n->block == 0 ? PH_NAME_AWAY : look_at_home(f, n->block);
}

static ph_presence look_at_block(const ph_func *f, uint32_t b, uint32_t name) {
  return ph_blockrec_of(f, b)->name == name ? look_at_home(f, b) : PH_NAME_GONE;
}

uint32_t ph_naming_valuename(const ph_func *f, uint32_t v) {
  uint32_t name = v < f->names.n ? f->names.at[v] : 0;
  return name != 0 && look_at_value(f, v, name) == PH_NAME_HERE ? name : 0;
}

static void put_id(ph_strbuf *b, char before, uint32_t id) {
  ph_strbuf_char(b, before);
  ph_strbuf_uint(b, id);
}

void ph_naming_value(ph_strbuf *b, ph_str name, uint32_t id, bool only) {
  if (name.n == 0) {
    put_id(b, '%', id);
    return;
  }
  ph_strbuf_char(b, '%');
  ph_strbuf_name(b, name);
  if (!only) put_id(b, '.', id);
}

bool ph_naming_isblockid(ph_str s) {
  if (s.n < 2 || s.at[0] != 'b') return false;
  for (size_t i = 1; i < s.n; i++)
    if (!ph_ascii_isdigit(s.at[i])) return false;
  return true;
}

uint32_t ph_naming_blockid(ph_str s) {
  int64_t id;
  ph_str digits = {s.at + 1, s.n - 1};
  if (!ph_naming_isblockid(s)) return 0;
  return ph_numfmt_int(digits, &id) && id < UINT32_MAX ? (uint32_t)id
                                                       : UINT32_MAX;
}

void ph_naming_block(ph_strbuf *b, ph_str name, uint32_t id, bool only) {
  if (name.n == 0) {
    put_id(b, 'b', id);
    return;
  }
  if (ph_naming_isblockid(name))
    ph_strbuf_quoted(b, name);
  else
    ph_strbuf_name(b, name);
  if (!only) put_id(b, '.', id);
}

uint32_t ph_naming_onlyvalue(ph_func *f, uint32_t name) {
  ph_name_counts *s = &f->named_values;
  for (; s->met < f->names.n; s->met++)
    ph_name_count_add(f, s, s->met, f->names.at[s->met]);
  return ph_name_count_only(f, s, name, look_at_value);
}

uint32_t ph_naming_onlyblock(ph_func *f, uint32_t name) {
  ph_name_counts *s = &f->named_blocks;
  for (; s->met < f->blocks.n; s->met++)
    ph_name_count_add(f, s, s->met, ph_blockrec_of(f, s->met)->name);
  return ph_name_count_only(f, s, name, look_at_block);
}

/* }== Canonical numbers, for comparing functions ======================
**
** Two functions that were constructed in different ways (another order of
** sealing, another variant of the algorithm) differ in their ids, and in the
** order of the phis of a block.  They do not differ when they are numbered in
** reverse postorder, with the phis of a block sorted by variable.
**
** Unreachable blocks follow: in reverse postorder if the function keeps them,
** otherwise in the order of their ids.  All phis are sorted at
** once, by counting: linear, however many a block has.
**
** Requires: nothing.  Changes nothing.
*/

uint32_t *ph_canonical_order(const ph_func *f, ph_arena *a, uint32_t *count) {
  const ph_rpo *o = ph_rpo_whole(f, a);
  uint32_t *blocks = ph_arena_alloc(a, f->blocks.n * sizeof(uint32_t));
  *count = o->total;
  memcpy(blocks, o->rpo, *count * sizeof(uint32_t));
  PH_EACH_BLOCK(f, b) {
    if (o->index[b] == PH_UNREACHED) blocks[(*count)++] = b;
  }
  return blocks;
}

static uint32_t var_of(const ph_func *f, uint32_t phi) {
  return f->phis.at[ph_node_of(f, phi)->aux].var;
}

/* Marks the phis in next_phi and counts those of each variable.  Returns, by
** variable, the index of its first phi in the sorted list of all. */
static uint32_t *count_phis(ph_canonical *d, const ph_func *f, ph_arena *a) {
  uint32_t *starts = ph_arena_zero(a, (f->vars.n + 1) * sizeof(uint32_t));
  PH_EACH_BLOCK(f, b) {
    PH_EACH_PHI(f, b, v) {
      d->next_phi[v] = 1;
      starts[var_of(f, v) + 1]++;
    }
  }
  for (uint32_t i = 0; i < f->vars.n; i++) starts[i + 1] += starts[i];
  return starts;
}

/* Returns all phis, sorted by variable, those of one variable by id. */
static uint32_t *sort_phis(ph_canonical *d, const ph_func *f, ph_arena *a,
                           uint32_t *count) {
  uint32_t *starts = count_phis(d, f, a);
  uint32_t *sorted = ph_arena_alloc(a, f->phis.n * sizeof(uint32_t));
  *count = 0;
  for (uint32_t v = 1; v < f->nodes.n; v++) {
    if (d->next_phi[v] == 0) continue;
    sorted[starts[var_of(f, v)]++] = v;
    ++*count;
  }
  return sorted;
}

/* Chains the phis of each block, from the last to the first, so that each chain
** begins with the first. */
static void chain_phis(ph_canonical *d, const ph_func *f, ph_arena *a) {
  const uint32_t *sorted;
  uint32_t i;
  d->first_phi = ph_arena_zero(a, f->blocks.n * sizeof(uint32_t));
  d->next_phi = ph_arena_zero(a, f->nodes.n * sizeof(uint32_t));
  sorted = sort_phis(d, f, a, &i);
  while (i-- > 0) {
    uint32_t *first = &d->first_phi[ph_node_of(f, sorted[i])->block];
    d->next_phi[sorted[i]] = *first;
    *first = sorted[i];
  }
}

static void number_values(ph_canonical *d, const ph_func *f, ph_arena *a) {
  uint32_t n = 0;
  d->value_number = ph_arena_zero(a, f->nodes.n * sizeof(uint32_t));
  for (uint32_t i = 0; i < f->params.n; i++)
    d->value_number[f->params.at[i]] = ++n;
  for (uint32_t i = 0; i < d->count; i++) {
    uint32_t b = d->blocks[i];
    for (uint32_t v = d->first_phi[b]; v != 0; v = d->next_phi[v])
      d->value_number[v] = ++n;
    PH_EACH_INST(f, b, v) {
      if (ph_node_of(f, v)->type != PH_NOTYPE) d->value_number[v] = ++n;
    }
  }
}

ph_canonical ph_canonical_compute(const ph_func *f, ph_arena *a) {
  ph_canonical d;
  d.blocks = ph_canonical_order(f, a, &d.count);
  d.block_number = ph_arena_zero(a, f->blocks.n * sizeof(uint32_t));
  for (uint32_t i = 0; i < d.count; i++) d.block_number[d.blocks[i]] = i + 1;
  chain_phis(&d, f, a);
  number_values(&d, f, a);
  return d;
}

/* }=================================================================== */
