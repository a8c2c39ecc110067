/* naming.h: how values, blocks, constants and types look in text. */
#ifndef PH_TEXT_NAMING_H
#define PH_TEXT_NAMING_H

#include "core/base/strbuf.h"
#include "core/ir/body.h"

/* Is v shown with its name: a parameter or the result of an instruction that
** is there?  The name, or 0. */
uint32_t ph_naming_valuename(const ph_func *f, uint32_t v);
/* "%12"; with a name "%n", and "%n.12" unless it is the only one. */
void ph_naming_value(ph_strbuf *b, ph_str name, uint32_t id, bool only);
/* "b3"; "head"; "head.3". */
void ph_naming_block(ph_strbuf *b, ph_str name, uint32_t id, bool only);
/* Does an unquoted s read as the id of a block: b3? */
bool ph_naming_isblockid(ph_str s);
/* What stands between braces: "nil", "12", "host 3". */
void ph_naming_data(ph_strbuf *b, const ph_func *f, ph_data data);
/* A constant or an undef. */
void ph_naming_const(ph_strbuf *b, const ph_func *f, uint32_t v);
static inline bool ph_naming_isconst(const ph_func *f, uint32_t v) {
  ph_op op = ph_node_of(f, v)->op;
  return op == PH_CONST || op == PH_UNDEF;
}

#endif
