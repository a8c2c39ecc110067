/* parse_decls.h: what a text defines. */
#ifndef PH_TEXT_PARSE_DECLS_H
#define PH_TEXT_PARSE_DECLS_H

#include "core/ir/body.h"
#include "core/text/lex.h"

/* A parameter, an instruction, or a block. */
typedef struct {
  uint32_t name; /* 0: none */
  uint32_t id;   /* 0: not yet */
  uint32_t at;   /* where it stands */
  ph_type type;
} ph_decl;

PH_VEC(ph_decls, ph_decl)
PH_VEC(ph_wellformed, ph_ids)

/* Definitions of one kind, values or blocks, in the order of the text.  A
** number in the tables is an index into `all` + 1; 0 is none. */
typedef struct {
  ph_decls all;
  ph_ids numbered; /* by id: those that show it */
  ph_ids named;    /* by name: those that show the name alone */
  uint32_t last;   /* the largest id */
} ph_scope;

PH_VEC(ph_values, ph_value)
PH_VEC(ph_targets, ph_block)

/* The instruction being read. */
typedef struct {
  uint32_t value; /* which it is */
  uint32_t block; /* where it is */
  ph_op op;
  ph_type type; /* of its result; PH_NOTYPE: it shows none */
  ph_data data;
  ph_srcloc loc;
  uint32_t var;    /* of a phi or copy, or 0 */
  bool incomplete; /* a phi without operands yet */
  ph_values args;
  ph_targets targets;
  uint32_t at, type_at; /* where the op and the type stand */
  ph_ids arg_at;        /* and the operands */
} ph_inst;

/* A text being read into f. */
typedef struct {
  ph_func *f;
  ph_lexer lex;
  ph_scope values, blocks;
  uint32_t nparams;   /* how many of the values come first */
  uint32_t body;      /* where the first line of the body starts */
  ph_ids preds;       /* the `<-` lists, one behind the other */
  ph_ids pred_at;     /* where each entry stands */
  ph_ids first_pred;  /* by block, in order: where its list starts */
  ph_wellformed vars; /* by name: the variables of that name */
  uint32_t next_value, next_block; /* the definitions to come */
  ph_inst inst;
} ph_reader;

/* Reads the head and looks for all definitions.  Makes the blocks, and the
** values: without op, in no block. */
void ph_parse_decls_run(ph_reader *r);

/* Each reads one and goes on; 0 after a mistake. */
ph_type ph_parse_decls_type(ph_reader *r);
uint32_t ph_parse_decls_value(ph_reader *r);
uint32_t ph_parse_decls_block(ph_reader *r);

#endif
