/* label.h: how values, blocks, constants and types look in text. */
#ifndef PH_LABEL_H
#define PH_LABEL_H

#include "core/base/strbuf.h"
#include "core/ir/func.h"

/* Is v shown with its name: a parameter or the result of an instruction that
** is there?  The name, or 0. */
uint32_t ph_label_valuename(const ph_func *f, uint32_t v);
/* "%12"; with a name "%n", and "%n.12" unless it is the only one. */
void ph_label_value(ph_buf *b, ph_str name, uint32_t id, bool only);
/* "b3"; "head"; "head.3". */
void ph_label_block(ph_buf *b, ph_str name, uint32_t id, bool only);
/* Does an unquoted s read as the id of a block: b3? */
bool ph_label_isblockid(ph_str s);
/* What stands between braces: "nil", "12", "host 3". */
void ph_label_data(ph_buf *b, const ph_func *f, ph_data data);
/* A constant or an undef. */
void ph_label_const(ph_buf *b, const ph_func *f, uint32_t v);
static inline bool ph_label_isconst(const ph_func *f, uint32_t v) {
  ph_op op = ph_node_of(f, v)->op;
  return op == PH_CONST || op == PH_UNDEF;
}

#endif
