/* func.h: functions, their variables, constants, blocks and values. */
#ifndef PHIAL_FUNC_H
#define PHIAL_FUNC_H

#include "phial/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
** {== Functions =========================================================
*/

typedef enum {
  PH_MARKER, /* the paper's 3.3: mark blocks, place phis where needed */
  PH_SIMPLE  /* Algorithms 1 to 4 as printed */
} ph_construction;

typedef enum {
  PH_UNDEF_VALUE, /* an undefined variable reads as the undef of its type */
  PH_UNDEF_ASK    /* as an undef of its own until ph_build_define */
} ph_undefs;

typedef struct {
  ph_construction construction;
  ph_undefs undefs;
  bool copies; /* each write makes a copy of its own */
} ph_options;

/* A new function in memory of its own, with its entry block, which is sealed:
** nothing leads to it.  (A host whose allocator jumps out anchors the memory
** first: ph_func_blank, ph_func_init.) */
ph_func *ph_func_new(const ph_mem *mem, ph_str name, ph_type result,
                     const ph_options *options);
void ph_func_free(ph_func *f);
/* The same in memory of the host: ph_func_size() bytes at f.  ph_func_blank makes
** f safe for ph_func_done and allocates nothing; then ph_func_init. */
size_t ph_func_size(void);
void ph_func_blank(ph_func *f, const ph_mem *mem);
void ph_func_init(ph_func *f, ph_str name, ph_type result,
                  const ph_options *options);
void ph_func_done(ph_func *f);

ph_str ph_func_name(const ph_func *f);
ph_type ph_func_result(const ph_func *f);
ph_options ph_func_options(const ph_func *f);
/* Bytes held now, and a number that every change makes larger. */
size_t ph_func_bytes(const ph_func *f);
uint32_t ph_func_version(const ph_func *f);

/* Names: a string kept in f, the same number for the same bytes; 0 for "". */
uint32_t ph_intern_add(ph_func *f, ph_str s);
ph_str ph_intern_string(const ph_func *f, uint32_t name);

/* Places.  `here` is where the host is (recorded for blocks, seals and
** terminators; for each instruction with `every`); `loc` is the frontend's
** own position, recorded for each instruction made while it is set. */
void ph_srcloc_sethost(ph_func *f, ph_srcloc here, bool every);
void ph_srcloc_set(ph_func *f, ph_srcloc loc);
ph_srcloc ph_value_loc(const ph_func *f, ph_value v);
ph_srcloc ph_value_hostloc(const ph_func *f, ph_value v);
void ph_value_setloc(ph_func *f, ph_value v, ph_srcloc loc);

/* Parameters come first, in order; each is a value. */
ph_value ph_value_newparam(ph_func *f, ph_str name, ph_type type);
uint32_t ph_value_nparams(const ph_func *f);
ph_value ph_value_param(const ph_func *f, uint32_t i); /* from 0 */

ph_var ph_var_new(ph_func *f, ph_str name, ph_type type);
uint32_t ph_var_count(const ph_func *f); /* the largest id */
ph_str ph_var_name(const ph_func *f, ph_var var);
ph_type ph_var_type(const ph_func *f, ph_var var);

/* Constants are interned.  An integer must fit -2^(w-1) .. 2^w-1. */
bool ph_const_fits(ph_type type, int64_t i);
ph_value ph_const_int(ph_func *f, ph_type type, int64_t i);
ph_value ph_const_float(ph_func *f, ph_type type, double d);
ph_value ph_const_any(ph_func *f, ph_data data); /* a constant of type any */
ph_value ph_const_undef(ph_func *f, ph_type type);

/* }== Blocks ============================================================ */

ph_block ph_block_entry(const ph_func *f);
/* A new block; it seals itself when `preds` edges have arrived, or with
** preds < 0 when it is told to. */
ph_block ph_block_new(ph_func *f, ph_str name, int preds);
ph_block ph_block_next(const ph_func *f, ph_block b); /* none: the first */
uint32_t ph_block_count(const ph_func *f);            /* the largest id */
/* The number of edges told to ph_block_new, or < 0, and how many of them are
** still to come. */
int ph_block_announced(const ph_func *f, ph_block b);
uint32_t ph_block_awaited(const ph_func *f, ph_block b);
ph_str ph_block_name(const ph_func *f, ph_block b);
bool ph_block_removed(const ph_func *f, ph_block b); /* finish dropped it */
bool ph_block_sealed(const ph_func *f, ph_block b);
bool ph_block_filled(const ph_func *f, ph_block b);
/* Sealed without predecessors and not the entry: adds no edges. */
bool ph_block_dead(const ph_func *f, ph_block b);
ph_srcloc ph_var_hostloc(const ph_func *f, ph_var var);
typedef enum { PH_AT_MADE, PH_AT_FILLED, PH_AT_SEALED } ph_moment;
ph_srcloc ph_block_hostloc(const ph_func *f, ph_block b, ph_moment when);

/* Edges, in the order in which they arrived (preds) or are named by the
** terminator (succs).  An edge is a number; 0 is none. */
uint32_t ph_block_npreds(const ph_func *f, ph_block b);
uint32_t ph_block_nsuccs(const ph_func *f, ph_block b);
uint32_t ph_block_firstpred(const ph_func *f, ph_block b);
uint32_t ph_block_nextpred(const ph_func *f, uint32_t edge);
ph_block ph_block_edgefrom(const ph_func *f, uint32_t edge);
ph_block ph_block_edgeto(const ph_func *f, uint32_t edge);
ph_block ph_block_succ(const ph_func *f, ph_block b, uint32_t i); /* from 0 */

/* }== Values ============================================================ */

ph_value ph_value_resolve(const ph_func *f, ph_value v); /* what v stands for */
uint32_t ph_value_count(const ph_func *f);               /* the largest id */
/* Is it gone without a replacement (finish dropped its block; swept)? */
bool ph_value_dropped(const ph_func *f, ph_value v);
ph_op ph_value_op(const ph_func *f, ph_value v);
ph_type ph_value_type(const ph_func *f, ph_value v);
ph_block ph_value_block(const ph_func *f, ph_value v); /* none: a constant */
uint32_t ph_value_nargs(const ph_func *f, ph_value v);
ph_value ph_value_arg(const ph_func *f, ph_value v, uint32_t i);
ph_data ph_value_data(const ph_func *f, ph_value v);
void ph_value_setdata(ph_func *f, ph_value v, ph_data data);
ph_str ph_value_name(const ph_func *f, ph_value v);
void ph_value_setname(ph_func *f, ph_value v, ph_str name);
ph_var ph_value_var(const ph_func *f, ph_value v); /* a phi's, a copy's */
/* Is it a phi that waits for the sealing of its block? */
bool ph_value_incomplete(const ph_func *f, ph_value v);
/* Phis and instructions of a block, in order; the last one of a filled block
** is its terminator.  Given none they return the first. */
ph_value ph_block_nextphi(const ph_func *f, ph_block b, ph_value v);
ph_value ph_block_nextinst(const ph_func *f, ph_block b, ph_value v);
ph_value ph_block_terminator(const ph_func *f, ph_block b);

/* Uses: made at the first question, kept exact from then on.  A use is a
** number; 0 is none.  Operand `index` of `user` is v. */
uint32_t ph_uses_count(ph_func *f, ph_value v);
uint32_t ph_uses_first(ph_func *f, ph_value v);
uint32_t ph_uses_next(ph_func *f, ph_value v, uint32_t use);
ph_value ph_uses_user(const ph_func *f, uint32_t use);
uint32_t ph_uses_index(const ph_func *f, uint32_t use);

/* }=================================================================== */

#ifdef __cplusplus
}
#endif

#endif
