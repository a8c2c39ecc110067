/* parse_decls.h: the definitions of a text. */
#ifndef PH_TEXT_PARSE_DECLS_H
#define PH_TEXT_PARSE_DECLS_H

#include "core/base/idmap.h"
#include "core/ir/body.h"
#include "core/text/lex.h"
#pragma GCC visibility push(hidden)

/* The declaration of a parameter, an instruction, or a block. */
typedef struct {
  uint32_t name; /* 0: it has none */
  uint32_t id;   /* 0: not assigned yet */
  uint32_t at;   /* its position in the text */
  ph_type type;
  ph_passing passing; /* that a parameter shows */
  ph_str members;     /* of the struct that it is */
  bool unreachable;   /* it is a block that is marked so */
} ph_decl;

PH_VEC(ph_decls, ph_decl)
PH_VEC(ph_wellformed, ph_ids)

/* Definitions of one kind, values or blocks, in the order of the text.  The
** numbers in the tables are indices into `all` + 1; 0 is none. */
typedef struct {
  ph_decls all;
  ph_ids numbered; /* by id: definitions that show it ... */
  ph_idmap large;  /* ... and do not keep it: it is too large */
  ph_ids named;    /* by name: definitions that show only the name */
  uint32_t last;   /* the largest id */
} ph_scope;

PH_VEC(ph_values, ph_value)
PH_VEC(ph_targets, ph_block)

/* The instruction that is being read. */
typedef struct {
  uint32_t value; /* its id */
  uint32_t block; /* the id of its block */
  ph_op op;
  ph_type type; /* of its result; PH_NOTYPE: it shows none */
  ph_data data;
  ph_srcloc loc;
  uint32_t var;    /* of a phi or copy, or 0 */
  uint32_t said;   /* of what it reads and writes; or 0 */
  bool incomplete; /* it is a phi that does not have its operands yet */
  ph_values args;
  ph_targets targets;
  uint32_t at, type_at; /* positions of the op and the type */
  ph_ids arg_at;        /* positions of the operands */
} ph_inst;

/* A text that is being read into f. */
typedef struct {
  ph_func *f;
  ph_lexer lex;
  ph_scope values, blocks;
  uint32_t nparams;   /* number of parameters, which are the first values */
  bool part;          /* the text may go on after the function */
  uint32_t body;      /* position of the first line of the body */
  ph_ids preds;       /* the `<-` lists of all blocks */
  ph_ids pred_at;     /* positions of their entries */
  ph_ids first_pred;  /* by index of a block: start of its list */
  ph_wellformed vars; /* by name: variables with that name */
  uint32_t next_value, next_block; /* indices of the next definitions */
  ph_inst inst;
} ph_reader;

/* Reads the head and finds all definitions.  Makes the blocks, and the values,
** which have no op and are in no block yet. */
void ph_parse_decls_run(ph_reader *r);

/* Each of these reads one thing and goes on; returns 0 after an error. */
ph_type ph_parse_decls_type(ph_reader *r);
uint32_t ph_parse_decls_value(ph_reader *r);
uint32_t ph_parse_decls_block(ph_reader *r);
/* Reads what may be said of what an instruction of that op, or the calls of a
** declaration, read and write, and returns its index in f->effects; 0: nothing
** is. */
uint32_t ph_parse_decls_effects(ph_reader *r, ph_op op);
/* True where that begins. */
bool ph_parse_decls_ateffects(const ph_reader *r);

#pragma GCC visibility pop
#endif
