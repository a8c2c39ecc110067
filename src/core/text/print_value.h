/* print_value.h: constants and data as text, beyond phial/text.h. */
#ifndef PH_TEXT_PRINT_VALUE_H
#define PH_TEXT_PRINT_VALUE_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Appends what appears between braces: nil, 12, host 3. */
void ph_print_datum(ph_strbuf *b, const ph_func *f, ph_data data);
/* Appends a constant or an undef. */
void ph_print_const(ph_strbuf *b, const ph_func *f, uint32_t v);
/* For other programs: append a variable, which may have no name; return the data
** that v shows; append such data, which are only hinted at if they are the
** host's, and "@f" for what has a name. */
void ph_print_var(ph_strbuf *b, const ph_func *f, uint32_t var);
ph_data ph_print_dataof(const ph_func *f, uint32_t v);
void ph_print_hint(ph_strbuf *b, const ph_func *f, ph_data data);
/* Appends what differs from what follows from the op: " reads(heap)"; the
** separator is that of classes. */
void ph_print_effects(ph_strbuf *b, const ph_func *f, ph_op op, ph_effects e,
                      const char *separator);
/* Returns the type that a constant has in text if none is stated. */
ph_type ph_print_usualtype(ph_data data, ph_type type);
static inline bool ph_print_isconst(const ph_func *f, uint32_t v) {
  ph_op op = ph_node_of(f, v)->op;
  return op == PH_CONST || op == PH_UNDEF;
}

#pragma GCC visibility pop
#endif
