/* events.h: what construction does, step by step. */
#ifndef PHIAL_EVENTS_H
#define PHIAL_EVENTS_H

#include "phial/func.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What happens while a function is constructed, for a host that explains or
** records it.  Values are named by the ids they had then. */
typedef enum {
  PH_EV_BLOCK,      /* block was made */
  PH_EV_VAR,        /* var was made */
  PH_EV_EMIT,       /* value, an instruction, was added to block */
  PH_EV_WRITE,      /* var is value in block */
  PH_EV_LOOKUP,     /* var is looked for beyond block: READ will follow */
  PH_EV_READ,       /* var was read in block: value */
  PH_EV_PHI,        /* value, a phi for var, was made in block */
  PH_EV_OPERAND,    /* operand `index` of the phi value is other, from `from` */
  PH_EV_TRIVIAL,    /* value, a phi, was trivial: other replaced it */
  PH_EV_REDUNDANT,  /* value was in a redundant set: other replaced it */
  PH_EV_RULE,       /* rule `index` changes what is emitted into block */
  PH_EV_SIMPLIFIED, /* value, an instruction, is other from now on */
  PH_EV_FILLED,     /* block ended with the terminator value */
  PH_EV_SEALED,     /* block was sealed: its phis get operands next */
  PH_EV_DEFINED,    /* where var has no definition it is value */
  PH_EV_DROPPED,    /* block was not reached: it is gone */
  PH_EV_FINISHED,   /* construction is over */
  PH_EV_REOPENED,   /* and goes on */
  PH_EV_EDITED      /* is edited: value, or block; other events may follow */
} ph_eventkind;

typedef struct {
  ph_eventkind kind;
  ph_block block;
  ph_var var;
  ph_value value, other;
  uint32_t index; /* from 0 */
  ph_block from;
} ph_event;

/* From now on events are kept, in order, until ph_event_clear. */
void ph_event_listen(ph_func *f);
uint32_t ph_event_count(const ph_func *f);
ph_event ph_event_at(const ph_func *f, uint32_t i); /* from 0 */
/* The operands of an instruction by the ids that they had when it was made. */
uint32_t ph_event_nargs(const ph_func *f, ph_value v);
ph_value ph_event_arg(const ph_func *f, ph_value v, uint32_t i);
void ph_event_clear(ph_func *f);

#ifdef __cplusplus
}
#endif

#endif
