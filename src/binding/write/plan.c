/* plan.c: before a function is written: which values share variables, what
** edges move, what is written inside expressions, and names.
**
** An operand that is used once, in its block, is part of the text of its user
** unless what it computes could be another value there: a load after a write,
** a variable that was assigned in between, a call before something else that
** acts.  Texts have a limited number of operators, since compilers recurse.
*/
#include <string.h>

#include "binding/analysis/analysis.h"
#include "binding/write/writing.h"

/*
** {== Variables ======================================================
*/

ph_str pl_plan_varname(const pl_writing *w, uint32_t id) {
  const ph_func *f = w->program.f;
  ph_var var = ph_value_var(f, pl_valueid(id));
  if (ph_value_op(f, pl_valueid(id)) == PH_PARAM &&
      w->program.h->first_var != 0)
    var.id = w->program.h->first_var + w->values[id].position - 1;
  return ph_some(var) ? ph_var_name(f, var) : (ph_str){NULL, 0};
}

/* Parameters and phis should have the name of their variable. */
ph_str pl_plan_wanted(const pl_writing *w, uint32_t id) {
  const ph_func *f = w->program.f;
  ph_op op = ph_value_op(f, pl_valueid(id));
  ph_str name = {NULL, 0};
  if (op == PH_PHI || op == PH_PARAM) name = pl_plan_varname(w, id);
  return name.n > 0 ? name : ph_value_name(f, pl_valueid(id));
}

/* True if a name is a letter and a number, as those are that nameless things
** get. */
static bool is_number(ph_str name, char letter) {
  if (name.n < 2 || name.at[0] != letter) return false;
  for (size_t i = 1; i < name.n; i++)
    if (name.at[i] < '0' || name.at[i] > '9') return false;
  return true;
}

/* Gives a value the variable of its location. */
static void share(pl_writing *w, uint32_t id, uint32_t location, bool named) {
  pl_variable *it = &w->variables[location];
  bool is_phi = ph_value_op(w->program.f, pl_valueid(id)) == PH_PHI;
  w->values[id].variable = location;
  it->type = ph_value_type(w->program.f, pl_valueid(id));
  if (it->first == 0) it->first = id;
  if (it->first != id || (is_phi && pl_writing_moves(w))) it->shared = true;
  if (it->wanted == 0 && named) it->wanted = id;
}

/* Reads the kept values and what uses them. */
static void read_values(pl_writing *w) {
  const pl_program *p = &w->program;
  const ph_needed *needed = pl_analysis_needed(p->h);
  for (uint32_t i = 0; i < p->nkept; i++) {
    uint32_t id = p->kept[i], far = ph_needed_far(needed, pl_valueid(id));
    pl_written *it = &w->values[id];
    it->position = i + 1;
    it->uses = ph_needed_near(needed, pl_valueid(id)) + far;
    it->flags = far > 0 ? PL_IS_FAR : 0;
  }
}

static void read_locations(pl_writing *w, const ph_leaving *l) {
  const pl_program *p = &w->program;
  for (uint32_t i = 0; i < p->nkept; i++) {
    uint32_t id = p->kept[i];
    uint32_t location =
        l != NULL ? ph_leave_of(p->f, l, pl_valueid(id)) : i + 1;
    ph_str name = pl_plan_wanted(w, id);
    if (is_number(name, 'v')) w->numbered = true;
    if (location != 0) share(w, id, location, name.n > 0);
  }
}

/* }== Moves ========================================================== */

/* Notes the moves of an edge without those to phis that nothing uses; the last
** one is first. */
static void read_moves(pl_writing *w, const ph_leaving *l, uint32_t edge,
                       uint32_t first_phi, uint32_t end_phis) {
  uint32_t n = ph_leave_nmoves(l, edge),
           first = (uint32_t)(w->moves.n / sizeof(pl_move));
  pl_move end = {0, 0, 0};
  for (uint32_t i = first_phi; i < end_phis; i++)
    pl_variableof(w, w->program.kept[i])->needed = edge;
  while (n-- > 0) {
    ph_move m = ph_leave_move(l, edge, n);
    pl_variable *to = &w->variables[m.to];
    pl_move *move;
    if (to->needed != edge) continue;
    move = pl_grown_more(w->L, &w->moves, sizeof *move);
    *move = (pl_move){m.to, m.from, m.from == 0 ? m.constant.id : 0};
    to->needed = 0;
    if (m.from == 0) continue;
    w->variables[m.from].needed = edge;
    if (w->variables[m.from].first == 0) {
      w->variables[m.from].type = ph_leave_type(l, m.from);
      w->variables[m.from].shared = true;
    }
  }
  *(pl_move *)pl_grown_more(w->L, &w->moves, sizeof end) = end;
  w->edges[edge] = first + 1;
}

static void read_edges(pl_writing *w, const ph_leaving *l) {
  const pl_program *p = &w->program;
  for (uint32_t k = 0; k < p->nblocks; k++) {
    ph_block b = ph_rpo_at(p->o, k);
    for (uint32_t i = 0; i < ph_block_nsuccs(p->f, b); i++) {
      uint32_t to = ph_rpo_index(p->o, ph_block_succ(p->f, b, i));
      if (p->phis[to] < p->insts[to])
        read_moves(w, l, ph_block_succedge(p->f, b, i), p->phis[to],
                   p->insts[to]);
    }
  }
}

/* Edges have spans in SSA form only. */
void pl_plan_allocate(pl_writing *w, uint32_t nvariables) {
  const pl_program *p = &w->program;
  size_t edges = w->language->ssa ? p->edges : 0;
  size_t bytes = nvariables * sizeof *w->variables +
                 (2 * edges + p->nblocks) * sizeof(pl_span) +
                 (p->edges + 3 * p->nblocks) * sizeof(uint32_t) +
                 p->nblocks * sizeof(bool);
  w->nvariables = nvariables;
  w->variables = memset(pl_grown_more(w->L, &w->further, bytes), 0, bytes);
  w->labels = (pl_span *)(void *)(w->variables + nvariables);
  w->ssa.from = w->labels + p->nblocks;
  w->ssa.to = w->ssa.from + edges;
  w->edges = (uint32_t *)(void *)(w->ssa.to + edges);
  w->ssa.last = w->edges + p->edges;
  w->starts = w->ssa.last + p->nblocks;
  w->ends = w->starts + p->nblocks;
  w->targets = (bool *)(void *)(w->ends + p->nblocks);
}

/* Of a large function, what is needed and the locations are not kept at once. */
void pl_plan_read(pl_writing *w) {
  const pl_program *p = &w->program;
  const ph_leaving *l = NULL;
  read_values(w);
  pl_analysis_forget(p->h);
  if (pl_writing_moves(w)) l = pl_analysis_leaving(p->h, true);
  pl_plan_allocate(w, (l != NULL ? ph_leave_count(l) : p->nkept) + 1);
  read_locations(w, l);
  if (l != NULL) read_edges(w, l);
  pl_analysis_forget(p->h);
}

/* }== Parts ========================================================== */

typedef struct {
  pl_writing *w;
  uint32_t written; /* position of the last instruction that may write memory */
  uint32_t acted;   /* that of the last one with an effect, a trap or a load */
  uint32_t edge;    /* whose moves are read; 0: none */
} walk;

uint32_t pl_plan_nargs(const ph_func *f, uint32_t id) {
  ph_op op = ph_value_op(f, pl_valueid(id));
  return op == PH_REFINE ? 1
         : op == PH_PROJ ? 0
                         : ph_value_nargs(f, pl_valueid(id));
}

/* True if each variable that v or a part of it reads was assigned before that,
** if at all: before the moves of an edge, too, if they are being read. */
static bool reads_same(const walk *it, uint32_t id) {
  const pl_writing *w = it->w;
  const ph_func *f = w->program.f;
  uint32_t at = w->values[id].position, n = pl_plan_nargs(f, id);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t arg = ph_value_arg(f, pl_valueid(id), i).id;
    const pl_variable *var = pl_variableof(w, arg);
    if (pl_writing_isconstant(w, arg) || (w->values[arg].flags & PL_IS_NAME))
      continue;
    if (w->values[arg].flags & PL_IS_INLINE) {
      if (!reads_same(it, arg)) return false;
    } else if (it->edge != 0 ? var->moved == it->edge : var->assigned > at) {
      return false;
    }
  }
  return true;
}

/* True if v has no position of the frontend, or that of its user. */
static bool is_there(const pl_writing *w, uint32_t id, uint32_t user) {
  ph_srcloc of = ph_value_loc(w->program.f, pl_valueid(id));
  ph_srcloc at = ph_value_loc(w->program.f, pl_valueid(user));
  return of.line == 0 || (of.line == at.line && of.file == at.file);
}

/* True if the only user of v can compute it: no part of it would be another
** value, too late, or elsewhere. */
static bool is_part(const walk *it, uint32_t id, uint32_t user) {
  const pl_written *v = &it->w->values[id];
  const walk now = {it->w, it->written, it->acted, 0};
  if (v->loads != 0 && v->loads <= it->written) return false;
  if (v->acts != 0 && v->acts != it->acted) return false;
  return reads_same(&now, id) &&
         (it->w->lines.first == 0 || is_there(it->w, id, user));
}

ph_effect pl_plan_effect(const ph_func *f, ph_op op) {
  if (op >= PH_OPS) return PH_EFFECT_WRITE;
  if (ph_op_flags(f, op) & PH_TERMINATOR) return PH_EFFECT_NONE;
  return ph_op_effect(f, op);
}

/* What the text of an instruction does.  Nothing is known of what a function
** writes for an op of a dialect. */
static ph_effect effect_of(const ph_func *f, const pl_now *now) {
  if (now->op < PH_OPS || now->row == PL_ROW_DIALECT ||
      (ph_op_flags(f, now->op) & (PH_TRAPS | PH_TERMINATOR)))
    return pl_plan_effect(f, now->op);
  return ph_op_effect(f, now->op);
}

/* Makes operands parts of v, and v one that can be a part. */
static void read_operands(const walk *it, const pl_now *now, pl_shape shape,
                          bool acts) {
  pl_writing *w = it->w;
  pl_written *v = &w->values[now->id];
  uint32_t weight = 1, loads = 0, call = 0,
           n = pl_plan_nargs(w->program.f, now->id);
  bool is_typed = acts; /* its type in the language is not that of constants */
  for (uint32_t i = 0; i < n; i++) {
    uint32_t id = ph_value_arg(w->program.f, pl_valueid(now->id), i).id;
    pl_written *arg = &w->values[id];
    if (arg->position == 0) continue;
    is_typed = true;
    if (arg->weight == 0 || shape.atoms || weight + arg->weight > w->most ||
        !is_part(it, id, now->id) || (shape.lazy && arg->acts != 0))
      continue;
    arg->flags |= PL_IS_INLINE;
    weight += arg->weight;
    if (call == 0) call = arg->acts;
    if (arg->loads != 0 && (loads == 0 || arg->loads < loads))
      loads = arg->loads;
  }
  if (v->uses != 1 || (v->flags & (PL_IS_FAR | PL_IS_NAME)) || !is_typed ||
      !shape.value || shape.apart || w->program.next[now->id] != 0)
    return;
  v->weight = (uint8_t)weight;
  v->loads = loads;
  v->acts = call;
}

static void assign(pl_writing *w, uint32_t id, uint32_t at) {
  pl_variable *it = pl_variableof(w, id);
  if (w->values[id].variable != 0 && it->shared) it->assigned = at;
}

/* Reads an instruction and its projections, the kept values from i on; returns
** where the next one begins. */
static uint32_t read_instruction(walk *it, uint32_t i) {
  pl_writing *w = it->w;
  const pl_program *p = &w->program;
  pl_now now = pl_row_now(w, p->kept[i]);
  pl_written *v = &w->values[now.id];
  ph_effect effect = effect_of(p->f, &now);
  bool acts = effect == PH_EFFECT_READ || effect == PH_EFFECT_WRITE;
  pl_shape shape = pl_row_shape(w, &now);
  if (!shape.pre && pl_row_isstatic(w, &now)) v->flags |= PL_IS_QUIET;
  read_operands(it, &now, shape, acts);
  if (effect == PH_EFFECT_READ && v->loads == 0) v->loads = v->position;
  if (effect == PH_EFFECT_WRITE) v->acts = it->written = v->position;
  if (acts || shape.pre) it->acted = v->position;
  assign(w, now.id, v->position);
  for (i++;
       i < p->nkept && ph_value_op(p->f, pl_valueid(p->kept[i])) == PH_PROJ;
       i++)
    assign(w, p->kept[i], v->position);
  return i;
}

/* Makes values part of the moves of an edge, which are done one after the other,
** the last one first. */
static void read_edge(walk *it, uint32_t edge, uint32_t terminator) {
  pl_writing *w = it->w;
  uint32_t first = w->edges[edge] - 1, n = first;
  pl_move *moves = (pl_move *)(void *)w->moves.at;
  while (moves[n].to != 0) n++;
  while (n-- > first) {
    pl_variable *from = &w->variables[moves[n].from];
    uint32_t id = moves[n].from != 0 ? from->first : 0;
    const pl_written *v = &w->values[id];
    bool given = id != 0 && (v->flags & PL_IS_NAME) != 0;
    it->edge = 0;
    if (given || (id != 0 && v->weight != 0 && !from->shared && v->acts == 0 &&
                  is_part(it, id, terminator))) {
      it->edge = edge;
      if (reads_same(it, id)) {
        moves[n].from = 0;
        moves[n].value = id;
        if (!given) w->values[id].flags |= PL_IS_INLINE;
      }
    }
    w->variables[moves[n].to].moved = edge;
  }
  it->edge = 0;
}

/* Ends what is only known until all is chosen: names replace it, of which some
** are given. */
static void forget_times(pl_writing *w) {
  const pl_program *p = &w->program;
  const pl_span none = {0, 0};
  for (uint32_t i = 0; i < w->nvariables; i++) w->variables[i].name = none;
  for (uint32_t i = 0; i < p->nkept; i++) {
    uint32_t id = p->kept[i];
    if (w->values[id].flags & PL_IS_NAME)
      pl_variableof(w, id)->name = w->values[id].name;
    else
      w->values[id].name = none;
  }
}

void pl_plan_choose(pl_writing *w) {
  const pl_program *p = &w->program;
  walk it = {w, 0, 0, 0};
  for (uint32_t k = 0; k < p->nblocks; k++) {
    ph_block b = ph_rpo_at(p->o, k);
    uint32_t end = p->phis[k + 1];
    for (uint32_t i = p->insts[k]; i < end;) i = read_instruction(&it, i);
    for (uint32_t i = 0; i < ph_block_nsuccs(p->f, b); i++) {
      uint32_t edge = ph_block_succedge(p->f, b, i);
      if (w->edges[edge] != 0)
        read_edge(&it, edge, ph_block_terminator(p->f, b).id);
    }
  }
  forget_times(w);
}

/* }== Names ========================================================== */

/* A name for a value: what it should be called, or "v12", which is taken only if
** other names are like that. */
static pl_span take_name(pl_writing *w, ph_str wanted, uint32_t id) {
  if (wanted.n > 0) return pl_names_take(w, &w->taken, wanted);
  return pl_names_number(w, w->numbered ? &w->taken : NULL, 'v', id);
}

void pl_plan_declare(pl_writing *w, uint32_t number) {
  pl_variable *it = &w->variables[number];
  it->declared = true;
  if (!it->is_local && !it->is_bytes)
    *(uint32_t *)pl_grown_more(w->L, &w->declared, sizeof number) = number;
}

/* Names the variable of a value that is kept. */
static void name_value(pl_writing *w, uint32_t id) {
  pl_written *v = &w->values[id];
  pl_variable *it = pl_variableof(w, id);
  if (v->uses == 0 || v->variable == 0 ||
      (v->flags & (PL_IS_INLINE | PL_IS_NAME)) != 0)
    return;
  if (it->name.n == 0) {
    it->is_local = !it->shared && (v->flags & PL_IS_FAR) == 0;
    it->is_bytes =
        !it->shared && ph_value_op(w->program.f, pl_valueid(id)) == PH_ALLOCA;
    it->name = take_name(
        w, it->wanted != 0 ? pl_plan_wanted(w, it->wanted) : (ph_str){NULL, 0},
        id);
    pl_plan_declare(w, v->variable);
  }
  if (it->shared) it->kept = true;
  v->name = it->name;
}

/* A name for a parameter that has a sign where the function begins. */
static pl_span take_outer(pl_writing *w, pl_span name) {
  size_t start = w->text.n;
  pl_writing_text(w, name);
  pl_writing_add(w, "_", 1);
  return pl_names_takefrom(w, start);
}

static void name_params(pl_writing *w) {
  for (uint32_t i = 0; i < ph_value_nparams(w->program.f); i++) {
    uint32_t id = ph_value_param(w->program.f, i).id;
    pl_written *v = &w->values[id];
    pl_variable *it = pl_variableof(w, id);
    pl_span name = take_name(w, pl_plan_wanted(w, id), id);
    it->name = v->name = name;
    if (ph_func_passing(w->program.f, i + 1) == PH_SIGNEXT)
      name = take_outer(w, name);
    *(pl_span *)pl_grown_more(w->L, &w->given, sizeof name) = name;
  }
}

bool pl_plan_param(pl_writing *w, uint32_t i) {
  uint32_t id = ph_value_param(w->program.f, i).id;
  ph_type type = ph_value_type(w->program.f, pl_valueid(id));
  pl_span name = ((const pl_span *)(const void *)w->given.at)[i];
  const pl_variable *it = pl_variableof(w, id);
  bool has_sign = name.at != w->values[id].name.at;
  if (type < PH_KNOWN_TYPES) {
    pl_writing_span(w, w->language->types[type][(has_sign ? 'S' : 'D') - 'A']);
    if (has_sign) pl_writing_add(w, " ", 1);
  }
  pl_writing_text(w, name);
  return has_sign || (w->values[id].uses == 0 &&
                      !(w->values[id].variable != 0 && it->shared && it->kept));
}

void pl_plan_temporaries(pl_writing *w, void (*name)(pl_writing *, uint32_t)) {
  for (size_t i = 0; i < w->moves.n / sizeof(pl_move); i++) {
    uint32_t number = ((const pl_move *)(const void *)w->moves.at)[i].from;
    const pl_variable *it = &w->variables[number];
    if (number != 0 && it->first == 0 && it->name.n == 0) name(w, number);
  }
}

static void name_temporary(pl_writing *w, uint32_t number) {
  w->variables[number].name = pl_names_take(w, &w->taken, (ph_str){"swap", 4});
  pl_plan_declare(w, number);
}

static void name_blocks(pl_writing *w) {
  const pl_program *p = &w->program;
  bool clash = false;
  for (uint32_t k = 0; k < p->nblocks; k++)
    if (is_number(ph_block_name(p->f, ph_rpo_at(p->o, k)), 'b')) clash = true;
  for (uint32_t k = 0; k < p->nblocks; k++) {
    ph_block b = ph_rpo_at(p->o, k);
    ph_str name = ph_block_name(p->f, b);
    pl_nameset *set = &w->taken_labels;
    w->labels[k] = name.n > 0
                       ? pl_names_take(w, set, name)
                       : pl_names_number(w, clash ? set : NULL, 'b', b.id);
  }
}

void pl_plan_name(pl_writing *w) {
  const pl_program *p = &w->program;
  name_params(w);
  for (uint32_t i = ph_value_nparams(p->f); i < p->nkept; i++)
    name_value(w, p->kept[i]);
  pl_plan_temporaries(w, name_temporary);
  name_blocks(w);
}

/* }=================================================================== */
