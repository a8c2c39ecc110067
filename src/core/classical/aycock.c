/* aycock.c: phis at all joins, for each variable that some block reads before it
** writes it (for others, a phi is never read).  Trivial ones go after renaming
** (rename.c).
*/
#include "core/classical/place.h"

void ph_aycock_place(ph_program *p) {
  PH_EACH_BLOCK(p->f, b) {
    if (ph_blockrec_of(p->f, b)->npreds < 2) continue;
    for (uint32_t var = 1; var < p->nvars; var++)
      if (p->readers.first[var] != p->readers.first[var + 1])
        ph_program_place(p, var, b);
  }
}
