/* fuzz.h: what the fuzz targets share. */
#ifndef FUZZ_H
#define FUZZ_H

#include "phial.h"

/* What libFuzzer calls, once for each input. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

ph_str fuzz_str(const char *s);

/* Says what is wrong, shows the texts, and aborts. */
_Noreturn void fuzz_fail(const char *what, ph_str a, ph_str b);

/* Gives f, which is blank, the dialect that texts of the corpus name, and reads
** the function at *at of the text (NULL: the whole text).  false: it is wrong,
** and f is only good for ph_func_done. */
bool fuzz_parse(ph_func *f, ph_str text, size_t *at);
/* Makes a function that fuzz_parse can read into. */
ph_func *fuzz_blank(void);
/* Frees what fuzz_blank made. */
void fuzz_free(ph_func *f);

/* Fails if the texts of f and of what is parsed from it differ. */
void fuzz_roundtrip(ph_func *f);
/* Fails if the verifier finds a problem. */
void fuzz_verify(ph_func *f);
/* A report that does nothing. */
void fuzz_ignore(void *ud, ph_str text);

#endif
