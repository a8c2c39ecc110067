/* link.h: edges against the `<-` lists of a text. */
#ifndef PH_LINK_H
#define PH_LINK_H

#include "core/text/parse_decls.h"

/* Makes the edges arrive, in the order of the lists. */
void ph_link_run(ph_reader *r);

#endif
