/* value.h: adds, replaces and removes values; constants by their data. */
#ifndef PH_IR_VALUE_H
#define PH_IR_VALUE_H

#include "core/ir/body.h"
#include "core/ir/event.h"
#include "core/ir/identity.h"
#include "core/ir/uses.h"
#pragma GCC visibility push(hidden)

/* Adds a value, and n operands after all others, for the caller to write; if
** memory runs out, neither. */
static inline uint32_t ph_value_claim(ph_func *f, uint32_t n) {
  uint32_t v = f->nodes.n;
  ph_nodes_reserve(&f->nodes, &f->arena, v + 1);
  ph_ids_reserve(&f->operands, &f->arena, f->operands.n + n);
  f->nodes.n = v + 1;
  f->operands.n += n;
  return v;
}
/* Makes a value that is in no block. */
uint32_t ph_value_node(ph_func *f, ph_op op, ph_type type);
/* Gives v its n operands; called once. */
void ph_value_setargs(ph_func *f, uint32_t v, const uint32_t *args, uint32_t n);
/* Does the same from handles, which are resolved. */
void ph_value_setvalues(ph_func *f, uint32_t v, const ph_value *args,
                        uint32_t n);
/* Appends v, which already refers to b and to the last value, to a list of
** b. */
static inline void ph_value_chain(ph_func *f, uint32_t v, uint32_t *first,
                                  uint32_t *last) {
  *(*last != 0 ? &ph_node_of(f, *last)->next : first) = v;
  *last = v;
}
/* Appends v, an instruction in no list, to those of its block. */
static inline void ph_value_appendinst(ph_func *f, uint32_t v) {
  ph_node *n = ph_node_of(f, v);
  ph_blockrec *block = ph_blockrec_of(f, n->block);
  n->prev = block->last;
  ph_value_chain(f, v, &block->first, &block->last);
}
/* Makes a value with these operands at the end of b. */
static inline uint32_t ph_value_add(ph_func *f, uint32_t b, ph_op op,
                                    ph_type type, const ph_value *args,
                                    uint32_t n) {
  uint32_t v = ph_value_claim(f, n), at = f->operands.n - n;
  *ph_node_of(f, v) =
      (ph_node){.op = op, .type = type, .block = b, .args = at, .nargs = n};
  ph_value_appendinst(f, v);
  for (uint32_t i = 0; i < n; i++)
    f->operands.at[at + i] = ph_body_resolve(f, args[i].id);
  ph_uses_link(f, v);
  ph_srcloc_stamp(f, v);
  return v;
}
/* Makes a copy of v at the end of b that records the variable it was made for,
** or 0. */
uint32_t ph_value_copy(ph_func *f, uint32_t var, uint32_t b, uint32_t v);
/* Sets operand i of v to w. */
void ph_value_setarg(ph_func *f, uint32_t v, uint32_t i, uint32_t w);
/* Appends v to the phis, or to the instructions, of b. */
void ph_value_append(ph_func *f, uint32_t b, uint32_t v);
/* Puts v, which is in no block, before the instruction `at`. */
void ph_value_insert(ph_func *f, uint32_t v, uint32_t at);
/* Removes v from its block; its operands are no longer used by it. */
void ph_value_takeout(ph_func *f, uint32_t v);
/* Replaces v, which is not in a block any more, by w, which gets its nodes; 0:
** only marks v as removed. */
void ph_value_replace(ph_func *f, uint32_t v, uint32_t w);
/* Makes a phi without operands at the end of b's phis; var is 0 for one made by
** hand. */
uint32_t ph_value_newphi(ph_func *f, uint32_t b, uint32_t var, ph_type type);
/* Stores data and returns its index; 0 for PH_DATA_NONE. */
uint32_t ph_value_keepdata(ph_func *f, ph_data data);

/* Returns the interned constant of that type and data. */
uint32_t ph_const_of(ph_func *f, ph_type type, ph_data data);
/* Returns that constant of an integer type, or 0 if it was never made. */
uint32_t ph_const_find(ph_func *f, ph_type type, int64_t i);
/* Returns i as constants of the type store it: sign-extended; i1 is 0 or 1. */
int64_t ph_const_normal(ph_type type, int64_t i);

#pragma GCC visibility pop
#endif
