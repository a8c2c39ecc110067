/* slot.h: where handles lie. */
#ifndef PH_BINDING_SLOT_H
#define PH_BINDING_SLOT_H

#include "binding/state/funcobj.h"

enum { PH_SLOT_SHARED = 4096 }; /* slots of a function in the shared table */
#define PH_SLOT_OWN 0x80000000u /* a slot in the function's own table */
/* Where the handle of a block, variable or value is, or has been; 0: it has had
** none. */
uint32_t ph_slot_of(const ph_host *h, int kind, uint32_t id);
/* The same; gives it a slot if it has none; 0: the module is closed. */
uint32_t ph_slot_claim(ph_host *h, int kind, uint32_t id);
/* Forgets all slots; the function is closed. */
void ph_slot_forget(ph_host *h);

#endif
