/* identity.c: the nodes of the host that values were made for.
**
** The nodes of a value are a tree, whose leaves are nodes in the order in which
** they came.  Adding the nodes of another value makes one record, whose branches
** are shared: so it takes constant time, and both values keep theirs.  A branch
** that is met again, in what are then not trees any more, is passed over.
*/
#include "core/ir/identity.h"

#include "core/base/idmap.h"
#include "core/ir/contract.h"
#include "core/ir/event.h"
#include "phial/identity.h"

/*
** {== Making =========================================================
*/

uint32_t ph_identity_new(ph_func *f, uint32_t first, uint32_t then) {
  ph_identity r = {first, then};
  if (f->identities.n == 0)
    ph_identities_push(&f->identities, &f->arena, (ph_identity){0, 0});
  ph_identities_push(&f->identities, &f->arena, r);
  return f->identities.n - 1;
}

void ph_identity_set(ph_func *f, uint32_t node) {
  ph_stamp now = ph_srcloc_stampof(ph_ptr(f));
  now.identity = node != 0 ? ph_identity_new(f, node, 0) : 0;
  ph_srcloc_resume(f, now);
}

uint32_t ph_identity_current(const ph_func *f) {
  return ph_ptr(f)->identity != 0 ? f->identities.at[f->identity].first : 0;
}

void ph_identity_add(ph_func *f, uint32_t v, uint32_t identity) {
  uint32_t had = ph_identity_of(f, v);
  if (ph_node_of(f, v)->block == 0 || had == identity) return;
  if (had != 0 && f->identities.at[had].then == identity) return;
  if (had != 0) identity = ph_identity_new(f, had, identity);
  ph_ids_extend(&f->made_for, &f->arena, v + 1);
  f->made_for.at[v] = identity;
}

/* }== Questions ====================================================== */

/* Lists the nodes below the identity that `todo` holds. */
static void list_nodes(ph_func *f, ph_ids *todo) {
  ph_ids *nodes = &f->answers.nodes;
  ph_idset met = {0}, listed = {0};
  while (todo->n > 0) {
    uint32_t identity = todo->at[--todo->n];
    ph_identity r = f->identities.at[identity];
    if (r.then != 0) {
      if (!ph_idset_add(&met, &f->scratch, identity)) continue;
      ph_ids_push(todo, &f->scratch, r.then);
      ph_ids_push(todo, &f->scratch, r.first);
    } else if (ph_idset_add(&listed, &f->scratch, r.first)) {
      ph_ids_push(nodes, &f->arena, r.first);
    }
  }
}

uint32_t ph_identity_count(ph_func *f, ph_value v) {
  ph_arena_mark bottom = ph_scratch_open(ph_ptr(f));
  uint32_t identity;
  ph_ids todo = {0};
  ph_require(ph_contract_hasvalue(f, v) && "a value of this function");
  f->answers.nodes.n = 0;
  identity = ph_identity_of(f, ph_body_resolve(f, v.id));
  if (identity != 0) {
    ph_ids_push(&todo, &f->scratch, identity);
    list_nodes(f, &todo);
  }
  ph_scratch_leave(f, bottom);
  return f->answers.nodes.n;
}

uint32_t ph_identity_at(const ph_func *f, uint32_t i) {
  ph_require(i < ph_ptr(f)->answers.nodes.n &&
             "from 0 to ph_identity_count - 1");
  return f->answers.nodes.at[i];
}

/* }=================================================================== */
