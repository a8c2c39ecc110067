/* handle_slots.h: where the handles of a function are stored. */
#ifndef PL_STATE_HANDLE_SLOTS_H
#define PL_STATE_HANDLE_SLOTS_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

enum { PL_SLOT_SHARED = 4096 }; /* slots of a function in the shared table */
#define PL_SLOT_OWN 0x80000000u /* a slot in the function's own table */
/* The slot of the handle of a block, variable or value; 0: it never had one. */
uint32_t pl_handle_slots_of(const pl_funcobj *h, int kind, uint32_t id);
/* The same, but gives it a slot if it has none. */
uint32_t pl_handle_slots_claim(pl_funcobj *h, int kind, uint32_t id);
/* Gives back all slots of a function that is closed. */
void pl_handle_slots_forget(pl_funcobj *h);

#pragma GCC visibility pop
#endif
