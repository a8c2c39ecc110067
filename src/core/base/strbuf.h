/* buf.h: text, beyond what phial.h says of ph_buf. */
#ifndef PH_BUF_H
#define PH_BUF_H

#include "phial.h"

void ph_buf_char(ph_buf *b, char c);
void ph_buf_uint(ph_buf *b, uint64_t u);
void ph_buf_int(ph_buf *b, int64_t i);
void ph_buf_hex(ph_buf *b, uint64_t u);
/* s between double quotes, as Lua reads it. */
void ph_buf_quoted(ph_buf *b, ph_str s);
/* s as it is when it is an identifier, else quoted. */
void ph_buf_name(ph_buf *b, ph_str s);
/* At most about 60 bytes of s, control bytes as \xNN: for messages. */
void ph_buf_excerpt(ph_buf *b, ph_str s);

/* Characters of names, whatever the locale says. */
bool ph_buf_isletter(char c); /* may start an identifier */
bool ph_buf_isdigit(char c);
bool ph_buf_iscontrol(char c);
bool ph_buf_isname(ph_str s); /* an identifier */
int ph_buf_hexvalue(char c);  /* -1: no hexadecimal digit */

/* The decimal digits of u, in d. */
typedef struct {
  char at[20];
} ph_digits;
ph_str ph_buf_decimal(ph_digits *d, uint64_t u);

#endif
