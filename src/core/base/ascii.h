/* ascii.h: classes of characters, independent of the locale. */
#ifndef PH_BASE_ASCII_H
#define PH_BASE_ASCII_H

#include "phial/base.h"
#pragma GCC visibility push(hidden)

bool ph_ascii_isletter(char c); /* a-z, A-Z or _: may start an identifier */
bool ph_ascii_isdigit(char c);
bool ph_ascii_iscontrol(char c);
/* True if s is an identifier: a letter, then letters and digits. */
bool ph_ascii_isname(ph_str s);
/* Returns the value of a hexadecimal digit, or -1 if c is not one. */
int ph_ascii_hexvalue(char c);

/* The string s, which a zero terminates; true if a is the same. */
ph_str ph_ascii_str(const char *s);
bool ph_ascii_equal(ph_str a, const char *s);

#pragma GCC visibility pop
#endif
