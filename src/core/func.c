/* func.c: a function from birth to death. */
#include "core/func.h"

#include <string.h>

size_t ph_func_size(void) { return sizeof(ph_func); }

void ph_func_blank(ph_func *f, const ph_mem *mem) {
  memset(f, 0, sizeof *f);
  f->mem = *mem;
  f->seed = (uint32_t)((uintptr_t)f >> 4) * 0x9e3779b1u;
  ph_mem_init(&f->arena, &f->mem);
  ph_mem_init(&f->working, &f->mem);
  ph_mem_init(&f->asking, &f->mem);
  ph_mem_init(&f->scratch, &f->mem);
}

/* Element 0 of each array is none. */
static void push_nones(ph_func *f) {
  const ph_node node = {0};
  const ph_edge edge = {0};
  const ph_blockrec block = {0};
  const ph_varrec var = {0};
  const ph_phirec phi = {0};
  const ph_data data = {0, PH_DATA_NONE};
  const ph_place place = {0};
  const ph_str empty = {"", 0};
  ph_nodes_reserve(&f->nodes, &f->arena, 32);
  ph_ids_reserve(&f->operands, &f->arena, 64);
  ph_edges_reserve(&f->edges, &f->arena, 16);
  ph_blocks_reserve(&f->blocks, &f->arena, 16);
  ph_nodes_push(&f->nodes, &f->arena, node);
  ph_edges_push(&f->edges, &f->arena, edge);
  ph_blocks_push(&f->blocks, &f->arena, block);
  ph_vars_push(&f->vars, &f->arena, var);
  ph_phis_push(&f->phis, &f->arena, phi);
  ph_datas_push(&f->datas, &f->arena, data);
  ph_places_push(&f->places, &f->arena, place);
  ph_strs_push(&f->strings, &f->arena, empty);
}

void ph_func_start(ph_func *f, ph_str name, ph_type result,
                   const ph_options *options) {
  const ph_options none = {PH_MARKER, PH_UNDEF_VALUE, false};
  push_nones(f);
  f->result = result;
  f->options = options != NULL ? *options : none;
  f->name = ph_name_intern(f, name);
}

void ph_func_init(ph_func *f, ph_str name, ph_type result,
                  const ph_options *options) {
  const ph_str entry = {"entry", 5};
  ph_func_start(f, name, result, options);
  ph_ir_block(f, entry, 0);
}

void ph_func_done(ph_func *f) {
  ph_mem mem = f->mem;
  ph_mem_done(&f->scratch);
  ph_mem_done(&f->asking);
  ph_mem_done(&f->working);
  ph_mem_done(&f->arena);
  ph_func_blank(f, &mem);
}

ph_func *ph_func_new(const ph_mem *mem, ph_str name, ph_type result,
                     const ph_options *options) {
  ph_func *f = mem->realloc(mem->ud, NULL, 0, sizeof *f);
  ph_func_blank(f, mem);
  ph_func_init(f, name, result, options);
  return f;
}

void ph_func_free(ph_func *f) {
  ph_mem mem = f->mem;
  ph_func_done(f);
  mem.realloc(mem.ud, f, sizeof *f, 0);
}

ph_str ph_func_name(const ph_func *f) { return ph_name_string(f, f->name); }

ph_type ph_func_result(const ph_func *f) { return f->result; }

ph_options ph_func_options(const ph_func *f) { return f->options; }

size_t ph_func_bytes(const ph_func *f) {
  return f->arena.bytes + f->working.bytes + f->asking.bytes + f->scratch.bytes;
}

uint32_t ph_func_version(const ph_func *f) { return f->version; }

ph_stats ph_func_stats(const ph_func *f) {
  ph_stats s = f->stats;
  PH_EACH_BLOCK(f, b) {
    s.blocks++;
    PH_EACH_PHI(f, b, v) s.phis++;
    PH_EACH_INST(f, b, v) s.values++;
  }
  s.values += s.phis;
  s.temporary_phis = f->phis.n - 1 - s.phis - f->unneeded;
  return s;
}
