/* strbuf.h: classes of characters, and text beyond the public functions of
** ph_strbuf. */
#ifndef PH_BASE_STRBUF_H
#define PH_BASE_STRBUF_H

#include <stdarg.h>

#include "core/base/vec.h"
#include "phial/base.h"
#pragma GCC visibility push(hidden)

bool ph_ascii_isletter(char c); /* a-z, A-Z or _: may start an identifier */
bool ph_ascii_isdigit(char c);
bool ph_ascii_iscontrol(char c);
/* True if s is an identifier: a letter, then letters and digits. */
bool ph_ascii_isname(ph_str s);
/* True if c is a hexadecimal digit, of this value. */
bool ph_ascii_hexvalue(char c, unsigned *value);

/* The string s, which a zero terminates; true if a is the same. */
ph_str ph_ascii_str(const char *s);
bool ph_ascii_equal(ph_str a, const char *s);
bool ph_ascii_same(ph_str a, ph_str b);

/* Return the position after what starts at byte `at` of a text: blanks and a
** comment, from -- to the end of the line; a word of letters and digits; one
** with a dot inside, maybe; a character, which can have several bytes. */
uint32_t ph_ascii_skipblanks(ph_str text, uint32_t at);
uint32_t ph_ascii_skipword(ph_str text, uint32_t at);
uint32_t ph_ascii_skipname(ph_str text, uint32_t at);
uint32_t ph_ascii_skipchar(ph_str text, uint32_t at);
/* Computes line and column of a byte, from 1. */
void ph_ascii_position(ph_str text, uint32_t at, uint32_t *line, uint32_t *col);

void ph_strbuf_char(ph_strbuf *b, char c);
void ph_strbuf_uint(ph_strbuf *b, uint64_t u);
void ph_strbuf_hex(ph_strbuf *b, uint64_t u);
void ph_strbuf_hexbyte(ph_strbuf *b, unsigned char c); /* two digits */
/* Appends a message, in which each # stands for a uint32_t, each $ for at most
** about 60 bytes of a ph_str, control bytes as \xNN. */
void ph_strbuf_message(ph_strbuf *b, const char *format, va_list args);

/* Decimal digits; ph_strbuf_decimal stores those of u in d and returns them. */
typedef struct {
  char at[20];
} ph_digits;
ph_str ph_strbuf_decimal(ph_digits *d, uint64_t u);

/* Texts that are composed one after another and told at the end.  Refers to
** itself: not to be copied. */
typedef struct {
  ph_arena *a;
  ph_mem mem;     /* the arena, for `all` */
  ph_strbuf all;  /* all texts, the current one last */
  size_t begin;   /* of the current one */
  ph_ids lengths; /* of those that are complete */
} ph_texts;

void ph_texts_start(ph_texts *t, ph_arena *a);
/* Completes the current text, and begins the next one. */
void ph_texts_end(ph_texts *t);
/* Calls report(ud, text) for each complete text, in order. */
void ph_texts_tell(const ph_texts *t, void (*report)(void *ud, ph_str text),
                   void *ud);

#pragma GCC visibility pop
#endif
