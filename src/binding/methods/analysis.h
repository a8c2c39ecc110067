/* query.h: analyses, kept until the function changes. */
#ifndef PH_BINDING_QUERY_H
#define PH_BINDING_QUERY_H

#include "binding/state/funcobj.h"

const ph_order *ph_query_order(ph_host *h);
const ph_domtree *ph_query_domtree(ph_host *h);
const ph_loops *ph_query_loops(ph_host *h);
/* Sets field `loc` of the table on top, unless p is nowhere. */
void ph_query_setloc(lua_State *L, ph_host *h, ph_place p);

#endif
