/* quote.h: strings inside texts of other languages. */
#ifndef PH_TEXT_QUOTE_H
#define PH_TEXT_QUOTE_H

#include "core/base/strbuf.h"
#pragma GCC visibility push(hidden)

/* Escape what b contains from byte `from` on: for a string of JSON, which can be
** put into HTML, too; for HTML. */
void ph_quote_json(ph_strbuf *b, size_t from);
void ph_quote_html(ph_strbuf *b, size_t from);

#pragma GCC visibility pop
#endif
