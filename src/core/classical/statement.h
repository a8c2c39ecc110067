/* statement.h: the statements that structure.c recovers. */
#ifndef PH_CLASSICAL_STATEMENT_H
#define PH_CLASSICAL_STATEMENT_H

#include "core/base/vec.h"

typedef enum { PH_BRANCHES, PH_WHILE, PH_REPEAT } ph_statement_kind;

typedef struct {
  ph_statement_kind kind;
  uint32_t head;     /* the block that branches; of a loop, its first block */
  uint32_t join;     /* where its phis go; 0: not known yet */
  uint32_t outer;    /* the statement that contains it, or 0 */
  uint32_t arm;      /* of PH_BRANCHES: number of arms that have been entered */
  uint32_t arrivals; /* of PH_BRANCHES: those that have ended */
  uint32_t exit;     /* of a loop: the block after it */
} ph_statement;

PH_VEC(ph_statements, ph_statement)

#endif
