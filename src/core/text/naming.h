/* naming.h: how values and blocks are called in text. */
#ifndef PH_TEXT_NAMING_H
#define PH_TEXT_NAMING_H

#include "core/base/strbuf.h"
#include "core/ir/body.h"

/* The name that v is shown with: it is a parameter or the result of an existing
** instruction; or 0. */
uint32_t ph_naming_valuename(const ph_func *f, uint32_t v);
/* "%12"; with a name "%n", and "%n.12" unless it is the only one. */
void ph_naming_value(ph_strbuf *b, ph_str name, uint32_t id, bool only);
/* "b3"; "head"; "head.3". */
void ph_naming_block(ph_strbuf *b, ph_str name, uint32_t id, bool only);
/* True if s, unquoted, reads as the id of a block: b3. */
bool ph_naming_isblockid(ph_str s);
/* True if no other value, or block, that text shows has the name of this one. */
bool ph_naming_isonlyvalue(ph_func *f, uint32_t v);
bool ph_naming_isonlyblock(ph_func *f, uint32_t b);

#endif
