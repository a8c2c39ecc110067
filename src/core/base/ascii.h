/* ascii.h: classes of characters, whatever the locale says. */
#ifndef PH_BASE_ASCII_H
#define PH_BASE_ASCII_H

#include "phial.h"

bool ph_ascii_isletter(char c); /* a-z, A-Z or _: may start an identifier */
bool ph_ascii_isdigit(char c);
bool ph_ascii_iscontrol(char c);
/* True if s is an identifier: a letter, then letters and digits. */
bool ph_ascii_isname(ph_str s);
/* The value of a hexadecimal digit; -1 when it is none. */
int ph_ascii_hexvalue(char c);

#endif
