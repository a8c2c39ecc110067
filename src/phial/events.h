/* events.h: what happens to a function, step by step.
**
** For a host that explains or records construction.  Events are kept until the
** host takes them, after the call that made them: so it may do with the
** function what it likes meanwhile.
*/
#ifndef PHIAL_EVENTS_H
#define PHIAL_EVENTS_H

#include "phial/func.h"

PH_BEGIN_DECLS

/* The fields that an event has besides its kind; all others are none or 0. */
typedef enum {
  PH_EV_BLOCK,   /* block was made */
  PH_EV_VAR,     /* var was made */
  PH_EV_EMIT,    /* value, an instruction, was added to block; rule `index`, if
                       any, has made it what it is */
  PH_EV_WRITE,   /* var is value in block */
  PH_EV_KILL,    /* var has ended in block */
  PH_EV_LOOKUP,  /* var is looked up beyond block; a READ will follow */
  PH_EV_READ,    /* var was read in block and is value */
  PH_EV_PHI,     /* value, a phi for var (or none), was made in block */
  PH_EV_OPERAND, /* operand `index` of the phi value is other; its edge comes
                       from block `from` */
  PH_EV_TRIVIAL, /* value, a trivial phi of block, was replaced by other */
  PH_EV_REDUNDANT, /* value, a redundant phi of block, was replaced by other */
  PH_EV_RULE,    /* rule `index` rewrites what is being emitted into block; the
                       result is value, if no instruction is needed */
  PH_EV_FOLDED,  /* what is being emitted into block has constant operands: it
                       is value; a branch or switch becomes a jump */
  PH_EV_SWAPPED, /* the operands of what is being emitted into block are put
                       into canonical order */
  PH_EV_MERGED,  /* what is being emitted into block is computed already, by
                       value */
  PH_EV_SIMPLIFIED, /* value, an instruction of block, was replaced by other */
  PH_EV_FILLED,     /* block was ended by the terminator value */
  PH_EV_SEALED,     /* block was sealed; its phis get their operands next */
  PH_EV_DEFINED,    /* var is value wherever it has no definition */
  PH_EV_DROPPED,    /* block is not reached and was removed */
  PH_EV_FINISHED,   /* construction has ended */
  PH_EV_REOPENED,   /* construction continues */
  PH_EV_EDITED,     /* value or block is being edited, or (both none) f; events
                       of the edit may follow */
  /* With ph_event_listendetail only: */
  PH_EV_CLIMB,      /* a look-up of var went from the end of block `from` up to
                       block, over `index` dominators between, and found value
                       there, if any */
  PH_EV_MARKED,     /* block was marked: a look-up of var enters it (3.3) */
  PH_EV_MARKFOUND,  /* a look-up of var came back to the mark of block */
  PH_EV_UNMARKED,   /* block lost the mark: all that reaches it is value */
  PH_EV_REEXAMINED, /* value, a phi of block, is examined again, because one of
                       its operands was replaced (Algorithm 3) */
  PH_EV_FRONTIER,   /* block is in the dominance frontier of block `from` */
  PH_EV_QUEUED,  /* block enters the worklist for var: it writes var or, right
                       after PLACED for var, has a phi for it */
  PH_EV_TAKEN,   /* block leaves the worklist for var: its frontier is next */
  PH_EV_PLACED,  /* block will have a phi for var, for it is in the frontier
                       of block `from`, which writes var or has a phi for it */
  PH_EV_ENTERED, /* renaming enters block: its phis are pushed on the stacks
                       of their variables, as is what it writes next */
  PH_EV_LEFT     /* renaming leaves block: what it has pushed is popped */
} ph_eventkind;

/* Values have the ids that they had at the time. */
typedef struct {
  ph_eventkind kind;
  ph_block block;
  ph_var var;
  ph_value value, other;
  uint32_t
      index; /* operand from 0; rule from 1, or 0; PH_EV_CLIMB: see there */
  ph_block from;
  uint32_t was, becomes; /* for ph_event_inst and ph_event_becomes */
} ph_event;

/* An instruction as it was at an event: its operands have the ids of then. */
typedef struct {
  ph_op op; /* PH_NONE: there is no instruction */
  uint32_t nargs;
  const ph_value *args;
} ph_eventinst;

/* Keeps the events of f from now on. */
void ph_event_listen(ph_func *f);
/* The same, with details of look-ups, and of the classical algorithms: how those
** that use dominance frontiers place phis; which stacks renaming has. */
void ph_event_listendetail(ph_func *f);
/* True if events of that kind are details. */
bool ph_event_isdetail(ph_eventkind kind);
/* Returns the number of events kept. */
uint32_t ph_event_count(const ph_func *f);
/* Returns event i in the order in which they happened, from 0. */
ph_event ph_event_at(const ph_func *f, uint32_t i);
/* Forgets them all. */
void ph_event_clear(ph_func *f);

/* Returns what is rewritten by a rule, folded, swapped or merged; of PH_EV_EMIT
** and PH_EV_FILLED, value as it was made.  (ph_value_arg resolves operands.)  Its
** operands can be read until f changes or forgets events. */
ph_eventinst ph_event_inst(const ph_func *f, ph_event e);
/* Returns what that becomes, if it becomes another instruction, which is not made
** yet. */
ph_eventinst ph_event_becomes(const ph_func *f, ph_event e);

PH_END_DECLS

#endif
