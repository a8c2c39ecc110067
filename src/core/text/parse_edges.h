/* parse_edges.h: connects edges according to the `<-` lists of a text. */
#ifndef PH_TEXT_PARSE_EDGES_H
#define PH_TEXT_PARSE_EDGES_H

#include "core/text/parse_decls.h"
#pragma GCC visibility push(hidden)

/* Connects all edges to their targets, in the order of the lists. */
void ph_parse_edges_run(ph_reader *r);

#pragma GCC visibility pop
#endif
