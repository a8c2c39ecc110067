/* strbuf.h: text, beyond the public functions of ph_strbuf. */
#ifndef PH_BASE_STRBUF_H
#define PH_BASE_STRBUF_H

#include "phial/base.h"
#pragma GCC visibility push(hidden)

void ph_strbuf_char(ph_strbuf *b, char c);
void ph_strbuf_uint(ph_strbuf *b, uint64_t u);
void ph_strbuf_int(ph_strbuf *b, int64_t i);
void ph_strbuf_hex(ph_strbuf *b, uint64_t u);
/* Appends s in double quotes, as Lua reads it. */
void ph_strbuf_quoted(ph_strbuf *b, ph_str s);
/* Appends s as it is if it is an identifier, otherwise quoted. */
void ph_strbuf_name(ph_strbuf *b, ph_str s);
/* Appends at most about 60 bytes of s, control bytes as \xNN, for messages. */
void ph_strbuf_excerpt(ph_strbuf *b, ph_str s);

/* Decimal digits; ph_strbuf_decimal stores those of u in d and returns them. */
typedef struct {
  char at[20];
} ph_digits;
ph_str ph_strbuf_decimal(ph_digits *d, uint64_t u);

#pragma GCC visibility pop
#endif
