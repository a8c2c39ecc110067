/* inquiry.c: what can be asked about a set of rules. */
#include "binding/rules.h"

const luaL_Reg ph_inquiry_methods[] = {{NULL, NULL}};
