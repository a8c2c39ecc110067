/* locals.c: names in a language whose functions have few locals.
**
** A variable that crosses blocks is a local of the function, or a slot of the
** frame; other values are locals of their block, which they share if there are
** too many.  What is computed in a block for others can have a local there, too:
** its name is that of the local until the block ends, and then its home.
*/
#include <string.h>

#include "binding/write/writing.h"

static bool has_frame(const pl_writing *w) {
  return w->few.form == PL_FORM_BLOCKS || w->few.form == PL_FORM_FLAT;
}

/*
** {== Texts ==========================================================
*/

/* Appends a name as an identifier, as portable.lua makes one. */
static void add_identifier(pl_writing *w, ph_str name) {
  enum { LONGEST = 40 };
  size_t start = w->text.n;
  if (name.at[0] >= '0' && name.at[0] <= '9') pl_writing_add(w, "_", 1);
  for (size_t i = 0; i < name.n && w->text.n - start < LONGEST; i++) {
    char c = name.at[i];
    bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                   (c >= '0' && c <= '9');
    pl_writing_add(w, is_word ? &c : "_", 1);
  }
}

/* Makes a name that ends in a number, which no other one has, and what follows. */
static pl_span name_number(pl_writing *w, ph_str name, char letter,
                           uint32_t number, const char *behind) {
  size_t start = w->text.n;
  if (name.n > 0) add_identifier(w, name);
  pl_writing_add(w, name.n > 0 ? "_" : &letter, 1);
  pl_writing_integer(w, number);
  pl_writing_puts(w, behind);
  return pl_writing_keep(w, start);
}

/* Makes the name of a new slot. */
static pl_span new_slot(pl_writing *w) {
  size_t start = w->text.n;
  pl_writing_span(w, w->language->words[PL_WORD_SLOT]);
  pl_writing_integer(w, ++w->few.slots);
  pl_writing_span(w, w->language->words[PL_WORD_SLOTTED]);
  return pl_writing_keep(w, start);
}

/* }== Homes ========================================================== */

/* True if an instruction computes its result in a statement, which wants a
** place. */
static bool sets(pl_writing *w, uint32_t id) {
  pl_now now;
  if (ph_value_op(w->program.f, pl_valueid(id)) >= PH_OPS) return false;
  now = pl_row_now(w, id);
  return pl_row_shape(w, &now).sets;
}

/* True if the value of an instruction or phi is in a place. */
static bool has_place(pl_writing *w, uint32_t id) {
  const pl_written *v = &w->values[id];
  return v->variable != 0 && (v->flags & (PL_IS_INLINE | PL_IS_NAME)) == 0 &&
         (v->uses > 0 || sets(w, id));
}

static void take_home(pl_writing *w, uint32_t id) {
  pl_variable *it = pl_variableof(w, id);
  uint32_t wanted = it->wanted != 0 ? it->wanted : id;
  if (it->name.n > 0) return;
  it->name = has_frame(w)
                 ? new_slot(w)
                 : name_number(w, pl_plan_wanted(w, wanted), 'v', wanted, "");
  if (w->few.form == PL_FORM_LABELS) {
    pl_plan_declare(w, w->values[id].variable);
    w->few.slots++;
  }
}

static void go_home(pl_writing *w, uint32_t id) {
  w->values[id].name = pl_variableof(w, id)->name;
}

/* Makes a value a local of its block, of that name; without a name, of its
** own. */
static void be_local(pl_writing *w, uint32_t id, pl_span name) {
  pl_written *v = &w->values[id];
  pl_variable *it = pl_variableof(w, id);
  if (name.n == 0) name = name_number(w, pl_plan_wanted(w, id), 'v', id, "");
  v->name = name;
  v->flags |= PL_IS_LOCAL;
  if (it->name.n == 0) it->name = name;
}

/* True if what is written of an operand reads a variable. */
static bool reads(const pl_writing *w, uint32_t id, uint32_t variable) {
  const pl_written *v = &w->values[id];
  const ph_func *f = w->program.f;
  if (v->position == 0) return false;
  if ((v->flags & PL_IS_INLINE) == 0) return v->variable == variable;
  for (uint32_t i = 0; i < pl_plan_nargs(f, id); i++)
    if (reads(w, ph_value_arg(f, pl_valueid(id), i).id, variable)) return true;
  return false;
}

/* True if the lines that follow the one that sets a value may read what its
** variable had before. */
static bool overwrites_operand(pl_writing *w, uint32_t id) {
  const ph_func *f = w->program.f;
  if (!pl_variableof(w, id)->shared || !sets(w, id)) return false;
  for (uint32_t i = 0; i < ph_value_nargs(f, pl_valueid(id)); i++)
    if (reads(w, ph_value_arg(f, pl_valueid(id), i).id, w->values[id].variable))
      return true;
  return false;
}

/* Gives a home to a value that crosses blocks, if it has a place; true: it is a
** local of its block. */
static bool place(pl_writing *w, uint32_t id) {
  const pl_written *v = &w->values[id];
  bool shared = pl_variableof(w, id)->shared;
  if (!has_place(w, id)) return false;
  if (w->few.form == PL_FORM_NESTED) return true;
  if (!shared && (v->flags & PL_IS_FAR) == 0) return true;
  take_home(w, id);
  if (shared ? overwrites_operand(w, id) : has_frame(w)) return true;
  go_home(w, id);
  return false;
}

/* }== Locals of a block ============================================== */

/* Notes that the text of an operand is evaluated at a position. */
static void use(pl_writing *w, uint32_t *last, uint32_t id, uint32_t at) {
  const ph_func *f = w->program.f;
  if (w->values[id].position == 0) return;
  last[id] = at;
  if ((w->values[id].flags & PL_IS_INLINE) == 0) return;
  for (uint32_t i = 0; i < pl_plan_nargs(f, id); i++)
    use(w, last, ph_value_arg(f, pl_valueid(id), i).id, at);
}

/* Notes the last use of each value in a block; edges use at its end. */
static uint32_t *measure(pl_writing *w, uint32_t k) {
  const pl_program *p = &w->program;
  ph_block b = ph_rpo_at(p->o, k);
  uint32_t end = p->phis[k + 1], *last;
  if (w->few.last.n == 0) {
    size_t bytes = w->nvalues * sizeof *last;
    memset(pl_grown_more(w->L, &w->few.last, bytes), 0, bytes);
  }
  last = (uint32_t *)(void *)w->few.last.at;
  for (uint32_t i = p->insts[k]; i < end; i++) {
    ph_value v = pl_valueid(p->kept[i]);
    if (w->values[v.id].flags & PL_IS_INLINE) continue;
    for (uint32_t a = 0; a < pl_plan_nargs(p->f, v.id); a++)
      use(w, last, ph_value_arg(p->f, v, a).id, i);
  }
  for (uint32_t i = 0; i < ph_block_nsuccs(p->f, b); i++) {
    uint32_t to = ph_rpo_index(p->o, ph_block_succ(p->f, b, i));
    uint32_t nth = p->operand[ph_block_succedge(p->f, b, i)];
    for (uint32_t m = p->phis[to]; m < p->insts[to]; m++)
      use(w, last, ph_value_arg(p->f, pl_valueid(p->kept[m]), nth).id, end);
  }
  return last;
}

enum { MOST_LOCALS = 256 };

/* Locals that are used again after the last use of what they have. */
typedef struct {
  pl_span name[MOST_LOCALS];
  uint32_t until[MOST_LOCALS]; /* 0: it is free */
  uint32_t n, room;
} pool;

static void release(pool *it, uint32_t at) {
  for (uint32_t i = 0; i < it->n; i++)
    if (it->until[i] <= at) it->until[i] = 0;
}

/* Gives a value a local of the pool until its last use; false: none is free. */
static bool take(pl_writing *w, pool *it, uint32_t id, uint32_t until) {
  uint32_t i = 0;
  while (i < it->n && it->until[i] != 0) i++;
  if (i == it->room) return false;
  it->until[i] = until;
  if (i == it->n) {
    it->name[it->n++] = name_number(w, (ph_str){NULL, 0}, 't', i + 1, "");
    be_local(w, id, it->name[i]);
  } else {
    be_local(w, id, it->name[i]);
    w->values[id].flags &= (uint8_t)~PL_IS_LOCAL;
  }
  return true;
}

/* True if the result may be set before all operands are read. */
static bool is_statement(pl_writing *w, uint32_t id) {
  pl_now now = pl_row_now(w, id);
  return now.op >= PH_OPS || !pl_row_shape(w, &now).value;
}

/* A value that is marked as a local, of a block that has too many. */
static void pack(pl_writing *w, pool *it, uint32_t id, uint32_t until) {
  w->values[id].flags &= (uint8_t)~PL_IS_LOCAL;
  if (take(w, it, id, until)) return;
  if (!has_frame(w)) {
    w->few.fits = false;
    return;
  }
  take_home(w, id);
  go_home(w, id);
}

static void pack_block(pl_writing *w, uint32_t k, uint32_t room) {
  const pl_program *p = &w->program;
  const uint32_t *last = measure(w, k);
  pool it = {.n = 0, .room = room < MOST_LOCALS ? room : MOST_LOCALS};
  for (uint32_t i = p->insts[k]; i < p->phis[k + 1] && w->few.fits;) {
    uint32_t at = i;
    if (!is_statement(w, p->kept[at])) release(&it, at);
    do {
      uint32_t id = p->kept[i];
      if (w->values[id].flags & PL_IS_LOCAL)
        pack(w, &it, id, last[id] > at ? last[id] : at);
      i++;
    } while (i < p->phis[k + 1] &&
             ph_value_op(p->f, pl_valueid(p->kept[i])) == PH_PROJ);
    release(&it, at);
  }
}

/* The n locals of a block are marked as such; gives them names. */
static void name_locals(pl_writing *w, uint32_t k, uint32_t n, uint32_t room) {
  const pl_program *p = &w->program;
  if (n > room && w->few.form != PL_FORM_NESTED) {
    uint32_t passed =
        w->few.form == PL_FORM_FLAT && k > 0 ? p->insts[k] - p->phis[k] : 0;
    pack_block(w, k, passed <= w->few.many ? room - passed : room);
    return;
  }
  for (uint32_t i = p->insts[k]; i < p->phis[k + 1]; i++)
    if (w->values[p->kept[i]].flags & PL_IS_LOCAL)
      be_local(w, p->kept[i], (pl_span){0, 0});
}

/* }== All names ====================================================== */

/* Phis that are parameters of the function of a block; returns how many. */
static uint32_t name_passed(pl_writing *w, uint32_t k) {
  const pl_program *p = &w->program;
  uint32_t n = p->insts[k] - p->phis[k];
  bool packed = w->few.form == PL_FORM_FLAT && n > w->few.many;
  for (uint32_t i = p->phis[k]; i < p->insts[k]; i++) {
    uint32_t id = p->kept[i];
    bool far = (w->values[id].flags & PL_IS_FAR) != 0;
    if (w->few.form == PL_FORM_FLAT && (far || packed)) take_home(w, id);
    if (packed) {
      go_home(w, id);
      continue;
    }
    be_local(w, id, (pl_span){0, 0});
    w->values[id].flags &= (uint8_t)~PL_IS_LOCAL;
  }
  return packed ? 0 : n;
}

static void name_params(pl_writing *w) {
  for (uint32_t i = 0; i < ph_value_nparams(w->program.f); i++) {
    uint32_t id = ph_value_param(w->program.f, i).id;
    w->values[id].name = pl_variableof(w, id)->name =
        has_frame(w) ? new_slot(w)
                     : name_number(w, pl_plan_wanted(w, id), 'v', id, "");
    if (w->few.form == PL_FORM_LABELS) w->few.slots++;
  }
}

static void name_blocks(pl_writing *w) {
  const pl_program *p = &w->program;
  const char *behind = w->few.form == PL_FORM_NESTED ? "k" : "";
  for (uint32_t k = 0; k < p->nblocks; k++) {
    ph_block b = ph_rpo_at(p->o, k);
    w->labels[k] = name_number(w, ph_block_name(p->f, b), 'b', b.id, behind);
  }
}

static void name_temporary(pl_writing *w, uint32_t number) {
  pl_variable *it = &w->variables[number];
  it->name = has_frame(w) ? new_slot(w)
                          : name_number(w, (ph_str){NULL, 0}, 's', number, "");
  if (has_frame(w)) return;
  pl_plan_declare(w, number);
  w->few.slots++;
}

void pl_locals_name(pl_writing *w) {
  const pl_program *p = &w->program;
  uint32_t *counts = pl_grown_more(w->L, &w->few.counts,
                                   (p->nblocks + (size_t)1) * sizeof *counts);
  uint32_t room;
  name_params(w);
  for (uint32_t k = 0; k < p->nblocks; k++) {
    bool passes = k == 0 || !pl_writing_moves(w);
    counts[k] = k > 0 && passes ? name_passed(w, k) : 0;
    for (uint32_t i = passes ? p->insts[k] : p->phis[k]; i < p->phis[k + 1];
         i++) {
      if (!place(w, p->kept[i])) continue;
      w->values[p->kept[i]].flags |= PL_IS_LOCAL;
      counts[k]++;
    }
  }
  pl_plan_temporaries(w, name_temporary);
  room = w->few.room;
  if (w->few.form == PL_FORM_LABELS) {
    w->few.fits = w->few.slots <= room;
    if (w->few.fits) room -= w->few.slots;
  }
  for (uint32_t k = 0; k < p->nblocks && w->few.fits; k++)
    name_locals(w, k, counts[k], room);
  name_blocks(w);
}

/* }== While a block is written ======================================== */

void pl_locals_store(pl_writing *w, uint32_t id) {
  const pl_written *v = &w->values[id];
  pl_span home = pl_variableof(w, id)->name;
  if (v->variable == 0 || v->name.n == 0 || v->name.at == home.at) return;
  pl_writing_begin(w);
  pl_writing_text(w, home);
  pl_writing_span(w, w->language->words[PL_WORD_SET]);
  pl_writing_text(w, v->name);
  pl_writing_end(w);
}

void pl_locals_leave(pl_writing *w, uint32_t number) {
  const pl_program *p = &w->program;
  for (uint32_t i = p->phis[number]; i < p->phis[number + 1]; i++) {
    uint32_t id = p->kept[i];
    if (w->values[id].variable != 0 && pl_variableof(w, id)->name.n > 0)
      go_home(w, id);
  }
}

static void add_arguments(pl_writing *w, uint32_t to, uint32_t edge) {
  const pl_program *p = &w->program;
  uint32_t n = p->insts[to] - p->phis[to];
  bool flat = w->few.form == PL_FORM_FLAT, packed = flat && n > w->few.many;
  if (to == 0) n = 0;
  pl_writing_puts(w, "(");
  if (flat) pl_writing_span(w, w->language->words[PL_WORD_FRAME]);
  for (uint32_t i = 0; i < n; i++) {
    ph_value phi = pl_valueid(p->kept[p->phis[to] + i]);
    if (i > 0 || flat) pl_writing_puts(w, ", ");
    if (i == 0 && packed) pl_writing_puts(w, "{ ");
    pl_fill_operand(w, ph_value_arg(p->f, phi, p->operand[edge]).id, '=');
  }
  pl_writing_puts(w, packed ? " })" : ")");
}

void pl_locals_jump(pl_writing *w, uint32_t to, uint32_t edge) {
  const pl_span *words = w->language->words;
  bool flat = w->few.form == PL_FORM_FLAT;
  pl_writing_span(w, words[PL_WORD_LEAVE]);
  if (flat) pl_writing_span(w, words[PL_WORD_BLOCK]);
  if (w->few.form != PL_FORM_NESTED)
    pl_writing_integer(w, (int64_t)to + 1);
  else
    pl_writing_text(w, w->labels[to]);
  if (flat) pl_writing_span(w, words[PL_WORD_BLOCKED]);
  if (w->few.form != PL_FORM_BLOCKS) add_arguments(w, to, edge);
}

uint32_t pl_locals_crossing(const pl_writing *w) {
  const pl_program *p = &w->program;
  uint32_t now = 0, most = 0;
  uint32_t *arriving = w->starts; /* not used yet */
  memset(arriving, 0, p->nblocks * sizeof *arriving);
  for (uint32_t k = 0; k < p->nblocks; k++) {
    ph_block b = ph_rpo_at(p->o, k);
    now -= arriving[k];
    for (uint32_t i = 0; i < ph_block_nsuccs(p->f, b); i++) {
      uint32_t to = ph_rpo_index(p->o, ph_block_succ(p->f, b, i));
      if (to <= k) continue;
      now++;
      arriving[to]++;
    }
    if (now > most) most = now;
  }
  return most;
}

/* }=================================================================== */
