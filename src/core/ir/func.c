/* func.c: makes and frees functions; the variables of the source program. */
#include "core/ir/func.h"

#include <string.h>

#include "core/ir/block.h"
#include "core/ir/contract.h"
#include "core/ir/event.h"
#include "core/ir/intern.h"
#include "phial/analysis.h"

/*
** {== Functions ======================================================
*/

size_t ph_func_size(void) { return sizeof(ph_func); }

void ph_func_blank(ph_func *f, const ph_mem *mem) {
  (void)ph_ptr(mem);
  memset(ph_ptr(f), 0, sizeof *f);
  f->mem = *mem;
  f->seed = (uint32_t)((uintptr_t)f >> 4) * 0x9e3779b1u;
  ph_arena_init(&f->arena, &f->mem);
  ph_arena_init(&f->working, &f->mem);
  ph_arena_init(&f->editing, &f->mem);
  ph_arena_init(&f->asking_flow.arena, &f->mem);
  ph_arena_init(&f->asking_code.arena, &f->mem);
  ph_arena_init(&f->scratch, &f->mem);
  ph_arena_init(&f->rounds, &f->mem);
  ph_arena_init(&f->told, &f->mem);
}

/* Arrays for a small function, allocated together. */
typedef struct {
  ph_node nodes[32];
  ph_edge edges[20];
  ph_blockrec blocks[14];
  ph_varrec vars[8];
  ph_phirec phis[8];
  ph_readrec reads[8];
  ph_data datas[4];
  ph_srcloc places[2];
  ph_str strings[4];
  ph_attached dialects[2];
  uint8_t flags[16];
  uint32_t operands[48];
  uint32_t consts[8];
} small;
_Static_assert(sizeof(small) < PH_ARENA_LARGE, "see ph_arena_grow");

static const ph_str entry_name = {"entry", 5};

#define ROOM(array) array, sizeof(array) / sizeof *(array)

/* Makes an empty table of n slots, a power of two. */
static void start_table(ph_func *f, ph_table *t, uint32_t *at, uint32_t n) {
  if (PH_VEC_MOVES(n)) at = ph_arena_alloc(&f->arena, n * sizeof *at);
  *t = (ph_table){memset(at, 0, n * sizeof *at), 0, n};
}

/* Makes all other arrays.  Element 0 of each is none. */
static void start_arrays(ph_func *f) {
  small *s = ph_arena_alloc(&f->arena, sizeof *s);
  ph_nodes_start(&f->nodes, &f->arena, ROOM(s->nodes));
  ph_edges_start(&f->edges, &f->arena, ROOM(s->edges));
  ph_blocks_start(&f->blocks, &f->arena, ROOM(s->blocks));
  ph_vars_start(&f->vars, &f->arena, ROOM(s->vars));
  ph_phis_start(&f->phis, &f->arena, ROOM(s->phis));
  ph_datas_start(&f->datas, &f->arena, ROOM(s->datas));
  ph_srclocs_start(&f->places, &f->arena, ROOM(s->places));
  ph_strs_start(&f->strings, &f->arena, ROOM(s->strings));
  ph_ids_start(&f->operands, &f->arena, ROOM(s->operands));
  ph_reads_start(&f->reads, &f->arena, ROOM(s->reads));
  start_table(f, &f->const_table, ROOM(s->consts));
  f->strings.at[0].at = "";
  f->strings.at[1] = entry_name;
  f->strings.n = 2;
  f->operands.n = f->reads.n = 0;
  if (f->dialects.n == 0) {
    /* Before text is parsed, dialects are attached: then these exist. */
    ph_dialects_start(&f->dialects, &f->arena, ROOM(s->dialects));
    ph_bytes_start(&f->flags, &f->arena, ROOM(s->flags));
    f->dialects.n = f->flags.n = 0;
  }
}

void ph_func_start(ph_func *f, ph_str name, ph_type result,
                   const ph_options *options) {
  const ph_options none = {0};
  ph_must(f->nodes.n == 0 && "a blank function");
  ph_require(ph_contract_hastype(f, result) && "a type of this function");
  ph_require((options == NULL || ph_contract_isblank(options)) &&
             "reserved words that are zero");
  start_arrays(f);
  f->result = result;
  f->options = options != NULL ? *options : none;
  if (f->options.accesses) f->options.copies = true;
  ph_body_derive(f);
  f->keeps_unreachable = f->options.keep_unreachable;
  f->name = ph_intern_add(f, name);
}

void ph_func_init(ph_func *f, ph_str name, ph_type result,
                  const ph_options *options) {
  ph_func_start(ph_ptr(f), name, result, options);
  ph_block_make(f, entry_name, 0);
}

/* Analyses have memory of their own: a host makes one, queries it as often as
** it likes, and frees all of a kind together. */
static void free_analyses(ph_asking *k) {
  ph_arena_done(&k->arena);
  ph_asking_leave(k);
}

void ph_func_freeflowanalyses(ph_func *f) {
  free_analyses(&ph_ptr(f)->asking_flow);
}

void ph_func_freecodeanalyses(ph_func *f) {
  free_analyses(&ph_ptr(f)->asking_code);
}

void ph_func_freeanalyses(ph_func *f) {
  ph_func_freeflowanalyses(ph_ptr(f));
  ph_func_freecodeanalyses(f);
}

static void give_back(ph_func *f) {
  ph_arena_done(&f->told);
  ph_arena_done(&f->rounds);
  ph_arena_done(&f->scratch);
  ph_arena_done(&f->asking_code.arena);
  ph_arena_done(&f->asking_flow.arena);
  ph_arena_done(&f->editing);
  ph_arena_done(&f->working);
  ph_arena_done(&f->arena);
}

void ph_func_done(ph_func *f) {
  ph_mem mem = ph_ptr(f)->mem;
  give_back(f);
  ph_func_blank(f, &mem);
}

int ph_version(void) { return PH_VERSION_NUMBER; }

ph_func *ph_func_new(const ph_mem *mem, ph_str name, ph_type result,
                     const ph_options *options) {
  ph_func *f = ph_ptr(mem)->realloc(mem->ud, NULL, 0, sizeof *f);
  ph_func_blank(f, mem);
  ph_func_init(f, name, result, options);
  return f;
}

void ph_func_free(ph_func *f) {
  ph_mem mem;
#ifndef PH_TRUSTED /* a branch there makes gcc inline less elsewhere */
  if (f == NULL) return;
#endif
  mem = f->mem;
  give_back(f);
  mem.realloc(mem.ud, f, sizeof *f, 0);
}

/* A blank function has no strings yet. */
ph_str ph_func_name(const ph_func *f) {
  const ph_str none = {"", 0};
  return ph_ptr(f)->name != 0 ? ph_intern_string(f, f->name) : none;
}

ph_type ph_func_result(const ph_func *f) { return ph_ptr(f)->result; }

void ph_func_setresults(ph_func *f, const ph_type *types, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    ph_require(ph_contract_istype(f, ph_ptr(types)[i]) &&
               "types of this function");
  ph_must(ph_ptr(f)->nodes.n == 1 + f->params.n && "nothing but parameters");
  ph_must(n <= PH_RESULTS_MAX && "at most PH_RESULTS_MAX");
  f->result = n > 0 ? types[0] : PH_NOTYPE;
  f->further.n = 0;
  for (uint32_t i = 1; i < n; i++)
    ph_bytes_push(&f->further, &f->arena, types[i]);
}

uint32_t ph_func_nresults(const ph_func *f) {
  return ph_body_nresults(ph_ptr(f));
}

ph_type ph_func_resulttype(const ph_func *f, uint32_t i) {
  ph_must(i < ph_body_nresults(ph_ptr(f)) && "from 0 to ph_func_nresults - 1");
  return ph_body_result(f, i);
}

void ph_func_declare(ph_func *f) {
  ph_must(!ph_ptr(f)->finished && !f->frozen &&
          "a function under construction");
  f->declared = f->frozen = true;
}

bool ph_func_isdeclaration(const ph_func *f) { return ph_ptr(f)->declared; }

ph_options ph_func_options(const ph_func *f) { return ph_ptr(f)->options; }

size_t ph_func_bytes(const ph_func *f) {
  return ph_ptr(f)->arena.bytes + f->working.bytes + f->editing.bytes +
         f->asking_flow.arena.bytes + f->asking_code.arena.bytes +
         f->scratch.bytes + f->rounds.bytes + f->told.bytes;
}

uint32_t ph_func_version(const ph_func *f) {
  return ph_ptr(f)->flow_changes + f->inst_changes + f->name_changes +
         f->nodes.n;
}

uint32_t ph_func_flowversion(const ph_func *f) {
  return ph_ptr(f)->flow_changes + f->edges.n;
}

uint32_t ph_func_codeversion(const ph_func *f) {
  return ph_func_flowversion(ph_ptr(f)) + f->inst_changes + f->nodes.n;
}

ph_stats ph_func_stats(const ph_func *f) {
  ph_stats s = ph_ptr(f)->stats;
  PH_EACH_BLOCK(f, b) {
    s.blocks++;
    PH_EACH_PHI(f, b, v) s.phis++;
    PH_EACH_INST(f, b, v) s.values++;
  }
  s.values += s.phis;
  s.temporary_phis = f->phis.n - 1 - s.phis - f->unneeded;
  return s;
}

/* }== Variables ====================================================== */

ph_var ph_var_new(ph_func *f, ph_str name, ph_type type) {
  ph_varrec var = {0};
  ph_require(ph_contract_istype(f, type) && "a type of this function");
  var.name = ph_intern_of(f, name);
  var.type = type;
  var.made = ph_srcloc_now(f);
  ph_vars_push(&f->vars, &f->arena, var);
  ph_event_note(f, PH_EV_VAR, 0, f->vars.n - 1, 0, 0);
  return (ph_var){f->vars.n - 1};
}

uint32_t ph_var_count(const ph_func *f) { return ph_ptr(f)->vars.n - 1; }

static const ph_varrec *rec(const ph_func *f, ph_var var) {
  ph_require(ph_contract_hasvar(f, var) && "a variable of this function");
  return &f->vars.at[var.id];
}

ph_type ph_var_type(const ph_func *f, ph_var var) { return rec(f, var)->type; }

ph_str ph_var_name(const ph_func *f, ph_var var) {
  return ph_intern_string(f, rec(f, var)->name);
}

ph_srcloc ph_var_hostloc(const ph_func *f, ph_var var) {
  return ph_srcloc_of(f, rec(f, var)->made);
}

/* }=================================================================== */
