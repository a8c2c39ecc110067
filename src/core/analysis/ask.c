/* ask.c: the analyses that a host holds.
**
** Order, dominators and liveness are values in memory of their own arena: a
** host makes one, asks it as often as it likes, and gives all of them back
** together.
*/
#include "core/ir/func.h"

void ph_analysis_free(ph_func *f) { ph_arena_done(&f->asking); }
