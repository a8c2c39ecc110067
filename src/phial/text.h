/* text.h: text: printed, parsed, verified. */
#ifndef PHIAL_TEXT_H
#define PHIAL_TEXT_H

#include "phial/func.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  PH_IDS_OWN,  /* permanent ids */
  PH_IDS_DENSE /* numbered in reverse postorder, phis sorted: to compare */
} ph_numbering;

void ph_print_func(ph_strbuf *b, ph_func *f, ph_numbering ids);
/* As they stand in the text: "%7", "%sum", "42", "head". */
void ph_print_value(ph_strbuf *b, ph_func *f, ph_value v);
void ph_print_blockname(ph_strbuf *b, ph_func *f, ph_block b_);
void ph_print_op(ph_strbuf *b, const ph_func *f, ph_op op);
void ph_print_type(ph_strbuf *b, const ph_func *f, ph_type type);

/* Reads text into f, which is blank (ph_func_blank) with the dialects attached
** after ph_parse_start.  false: the text is wrong, *line, *col and why say
** where; f is then only good for ph_func_done. */
void ph_parse_start(ph_func *f);
bool ph_parse_func(ph_func *f, ph_str text, ph_strbuf *why, uint32_t *line,
                   uint32_t *col);

/* Checks every invariant.  Problems, one a call, go to `report`; returns
** how many there are. */
typedef void ph_report(void *ud, ph_str problem);
uint32_t ph_verify_func(ph_func *f, ph_report *report, void *ud);

#ifdef __cplusplus
}
#endif

#endif
