/* atom.h: constants in text. */
#ifndef PH_ATOM_H
#define PH_ATOM_H

#include "core/text/parse_decls.h"

/* Each reads one and goes on.  A constant or a reference to a value: which
** value it is; 0 after a mistake. */
uint32_t ph_atom_operand(ph_reader *r);
/* Behind an op: {12}; nothing there is PH_DATA_NONE. */
ph_data ph_atom_data(ph_reader *r);
/* A number that fits 32 bits; `what` says which is missing. */
uint32_t ph_atom_count(ph_reader *r, const char *what);

#endif
