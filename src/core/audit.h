/* audit.h: is a rule fit to be used? */
#ifndef PH_AUDIT_H
#define PH_AUDIT_H

#include "core/draft.h"

/* Checks what the grammar does not: the mistake is the draft's. */
void ph_audit_rule(ph_draft *d);

#endif
