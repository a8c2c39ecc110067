/* userdata.c: the names of the kinds of userdata. */
#include "binding/state/userdata.h"

const char *const pl_userdata_names[] = {"",
                                         "phial.Function",
                                         "phial.Block",
                                         "phial.Variable",
                                         "phial.Value",
                                         "phial.Op",
                                         "phial.Cursor",
                                         "phial.Rules",
                                         "phial.Actor"};
