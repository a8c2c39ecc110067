/* text.h: functions as text: printed, parsed, verified.
**
** docs/text.md describes the language.  The text of a finished function says
** everything about it: parsed, it is the same function again.
*/
#ifndef PHIAL_TEXT_H
#define PHIAL_TEXT_H

#include "phial/analysis.h"

PH_BEGIN_DECLS

/*
** {== Printing =======================================================
*/

typedef enum {
  PH_IDS_OWN,  /* permanent ids and names */
  PH_IDS_DENSE /* numbered in reverse postorder, phis sorted: equal texts for
                  functions that differ in ids only */
} ph_numbering;

/* Appends the text of f, which may be unfinished, to b. */
void ph_print_func(ph_strbuf *b, ph_func *f, ph_numbering ids);
/* Appends a module of n functions and declarations, for the command `phial`. */
void ph_print_module(ph_strbuf *b, ph_str name, ph_func *const *functions,
                     uint32_t n, ph_numbering ids);
/* What else texts can be; 0: as ph_print_func prints. */
typedef struct {
  ph_numbering ids;
  bool in_rpo; /* blocks in reverse postorder, then those that are not reached,
                  by id; dense ids are so in any case */
  bool without_positions; /* of the frontend; a dense text has none */
  PH_RESERVED;
} ph_print_style;
void ph_print_styled(ph_strbuf *b, ph_func *f, ph_print_style style);
/* Appends what is to be said of the data of v, which only the host knows, to b;
** nothing: no comment is printed.  It does not change f, and does not jump
** out. */
typedef void ph_describe(void *ud, ph_strbuf *b, ph_value v);
/* Sets what texts of f show as comments after such instructions; NULL:
** nothing. */
void ph_print_sethost(ph_func *f, ph_describe *describe, void *ud);
/* Append one thing as it appears in the text: "%7", "%sum", "42"; "head". */
void ph_print_value(ph_strbuf *b, ph_func *f, ph_value v);
void ph_print_blockname(ph_strbuf *b, ph_func *f, ph_block block);
/* Return what is printed so; 0: nothing in f is.  The first call takes time in
** proportion to the names in f. */
ph_value ph_find_value(ph_func *f, ph_str text);
ph_block ph_find_block(ph_func *f, ph_str text);
void ph_print_op(ph_strbuf *b, const ph_func *f, ph_op op);
/* Appends what a call calls, or an address is that of, " @f"; nothing if it has
** no name. */
void ph_print_symbol(ph_strbuf *b, const ph_func *f, ph_value v);
void ph_print_type(ph_strbuf *b, const ph_func *f, ph_type type);
/* Appends a number as it appears in the text: the shortest decimal that reads
** back as x, with a point in every locale; "inf", "nan", "nan(0x...)".  At most
** 24 bytes. */
void ph_print_float(ph_strbuf *b, double x);

/* }== Printing for other programs ==================================== */

/* Appends the blocks of f, which may be unfinished, as a graph in Graphviz's
** language; o and d are those of f. */
void ph_print_graph(ph_strbuf *b, ph_func *f, const ph_rpo *o,
                    const ph_domtree *d);
/* Returns the row of a value that f does not have any more; "": none. */
typedef ph_str ph_json_row(void *ud, ph_value v);
/* True if x is to be listed, though no value of f is about it. */
typedef bool ph_json_lists(void *ud, ph_var x);
/* What a document says of f besides what f itself does. */
typedef struct {
  const ph_domtree *dom; /* of f */
  const ph_loops *loops;
  const ph_srcloc *places; /* that precede those of instructions */
  uint32_t nplaces;
  ph_json_row *row;     /* or NULL: there are none */
  ph_json_lists *lists; /* or NULL: none is */
  void *ud;
  PH_RESERVED;
} ph_json_known;
/* The lists of a document about a function (docs/json.md). */
enum {
  PH_JSON_VARS,
  PH_JSON_BLOCKS,
  PH_JSON_VALUES,
  PH_JSON_LOOPS,
  PH_JSON_PLACES,
  PH_JSON_PARTS
};
/* Appends them, one after the other; ends[i] becomes the length of b after
** list i. */
void ph_print_json(ph_strbuf *b, ph_func *f, const ph_json_known *known,
                   size_t ends[PH_JSON_PARTS]);

/* }== Parsing ======================================================== */

/* Reads a text into f.  f comes from ph_func_blank and ph_parse_start; dialects
** that the text names are attached in between or after that.  false: the text
** is wrong; `why` gets the message, *line and *col the position, from 1, and f
** is only good for ph_func_done.  The text of an unfinished function gives one
** that is frozen (ph_finish_isfrozen). */
bool ph_parse_func(ph_func *f, ph_str text, ph_strbuf *why, uint32_t *line,
                   uint32_t *col);
/* The same for the function or declaration at byte *at of a text with several;
** *at becomes the position after its last line.  at NULL: the text has nothing
** else. */
bool ph_parse_part(ph_func *f, ph_str text, size_t *at, ph_strbuf *why,
                   uint32_t *line, uint32_t *col);
/* Makes a blank f ready for ph_parse_func. */
void ph_parse_start(ph_func *f);

/* }== Verifying ====================================================== */

/* Gets one problem a call, a line of text that is valid during the call.  It
** may jump out, by longjmp or an exception, and may call any function except
** the one that reports, for the same ph_func or set. */
typedef void ph_report(void *ud, ph_str problem);

/* Checks every invariant of f: lists, edges, types, uses, that definitions
** dominate uses, and, if f is finished, that no phi is trivial or redundant.
** Returns the number of problems, each of which was reported. */
uint32_t ph_verify_func(ph_func *f, ph_report *report, void *ud);

/* }=================================================================== */

PH_END_DECLS

#endif
