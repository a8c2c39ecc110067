/* body.h: how a function is stored.
**
** Everything is an array indexed by an id, and lists are chained by ids.
** Element 0 of each array stands for none.  Hold ids, not pointers, across
** anything that can push.
**
** A replaced value forwards to its replacement (union-find with path halving).
** Operands are stored as they were given and resolved when they are read, so
** replacing is O(1).
*/
#ifndef PH_IR_BODY_H
#define PH_IR_BODY_H

#include "core/base/vec.h"
#include "phial/effects.h"
#include "phial/events.h"
#include "phial/func.h"
#pragma GCC visibility push(hidden)

enum {
  PH_IS_READ = 1, /* a read returned it: it stays, since a read is a use */
  PH_IS_INCOMPLETE = 2, /* a phi that has not been given its operands yet */
  PH_IS_DROPPED = 4,    /* removed, without a replacement */
  PH_IS_DOUBLE = 8,     /* another value may be equal to it */
  /* The phi is known to be in no redundant set, while the state is `sure`
  ** (trivial_phi.c). */
  PH_IS_FIRM = 16,
  /* A look-up has made it of a lazy definition: a refinement or may-write.  It
  ** goes when nothing needs it, as phis do. */
  PH_IS_LAZY = 32
};

typedef struct {
  ph_op op;
  ph_type type;
  uint8_t flags;
  uint32_t block;
  uint32_t next, prev; /* in the list of phis, or instructions, of its block */
  uint32_t args;       /* index of the first operand in `operands` */
  uint32_t nargs;
  uint32_t forward; /* its replacement, or 0 */
  uint32_t aux; /* phi: index in `phis`; copy, refine, may: variable; others:
                   in `datas` */
} ph_node;

typedef struct {
  uint32_t from, to;
  uint32_t next; /* the next edge into `to`; itself: it has not arrived there */
} ph_edge;

typedef struct {
  uint32_t name;
  uint32_t first_phi, last_phi;
  uint32_t first, last;           /* instructions */
  uint32_t first_pred, last_pred; /* edges, chained by `next` */
  uint32_t npreds;
  uint32_t first_succ, nsuccs; /* range in `edges` */
  uint32_t awaited;    /* number of announced edges that have not arrived */
  uint32_t incomplete; /* first incomplete phi: index in `phis` */
  uint32_t places[3];  /* by ph_moment: index in `places` */
  bool sealed, filled;
  uint8_t removed; /* PH_PRESENT, or why not */
  bool inert;      /* edges that leave it have been cut */
} ph_blockrec;

/* Whether a block is in its function. */
enum {
  PH_PRESENT,
  PH_REMOVED,
  PH_TAKEN_OUT /* removed while passes run (unreachable.c) */
};

typedef struct {
  uint32_t name;
  uint32_t undef; /* value of reads where it has no definition, or 0 */
  uint32_t made;  /* index in `places` */
  ph_type type;
  bool missing; /* it was read where it has no definition */
} ph_varrec;

/* What is stored of a phi only.  `next` chains the incomplete phis of a
** block. */
typedef struct {
  uint32_t value, var, next;
} ph_phirec;

/* A read that found a phi or an undef: it may see no definition. */
typedef struct {
  uint32_t var, block, value;
  uint32_t here, loc; /* indices in `places` */
  bool killed;        /* the variable had ended in that block */
} ph_readrec;

/* A read or a write that the host wants to know. */
typedef struct {
  uint32_t block, var, value;
  uint32_t here, loc; /* indices in `places` */
  uint32_t identity;  /* a node, in `identities`, or 0 */
  bool writes;
  bool may; /* it is a may-write; var is 0 unless it can write that one only */
} ph_accessrec;

/* What values were made for (identity.c): a node of the host, and 0; or two
** others, one after the other. */
typedef struct {
  uint32_t first, then;
} ph_identity;

typedef struct {
  const ph_dialect *dialect;
  ph_op op;     /* number of its first op */
  ph_type type; /* number of its first type */
} ph_attached;

PH_VEC(ph_nodes, ph_node)
PH_VEC(ph_edges, ph_edge)
PH_VEC(ph_blocks, ph_blockrec)
PH_VEC(ph_vars, ph_varrec)
PH_VEC(ph_phis, ph_phirec)
PH_VEC(ph_reads, ph_readrec)
PH_VEC(ph_accessrecs, ph_accessrec)
PH_VEC(ph_identities, ph_identity)
PH_VEC(ph_effectsvec, ph_effects)
PH_VEC(ph_datas, ph_data)
PH_VEC(ph_events, ph_event)
PH_VEC(ph_srclocs, ph_srcloc)
PH_VEC(ph_strs, ph_str)
PH_VEC(ph_dialects, ph_attached)
PH_VEC(ph_bytes, uint8_t)

/* A table of interned things: an open hash of ids. */
typedef struct {
  uint32_t *at;
  uint32_t n, cap; /* cap: a power of two, or 0 */
} ph_table;

/* Uses (uses.c): one record for each operand, parallel to `operands`. */
typedef struct {
  uint32_t user, next, prev;
} ph_userec;
PH_VEC(ph_userecs, ph_userec)

typedef struct {
  enum { PH_NO_USES, PH_USES_COUNTED, PH_USES_CHAINED } kept;
  ph_userecs recs; /* by operand slot */
  ph_ids first;    /* by value: a use, or 0 */
  ph_ids count;    /* by value: number of uses */
} ph_uses;

/* The things that have a name (intern.c): for each name, a list of
** records. */
typedef struct {
  uint32_t id, next;
} ph_namerec;
PH_VEC(ph_namerecs, ph_namerec)

typedef struct {
  ph_ids first; /* by name: index in `recs`, or 0 */
  ph_namerecs recs;
  uint32_t met; /* smaller ids have been entered */
} ph_name_counts;

typedef struct ph_state ph_state;   /* state.h: construction's own data */
typedef struct ph_groups ph_groups; /* lazy.h: groups of variables */
typedef struct ph_edge_index ph_edge_index; /* edge_order.c: where edges are */
typedef struct ph_peephole ph_peephole;
typedef struct ph_matcher ph_matcher;         /* match.h: the rules in use */
typedef struct ph_before ph_before;           /* unreachable.c: a copy of f */
typedef struct ph_undef_reads ph_undef_reads; /* undef_reads.c: answers */

/* Does what construction on the fly does otherwise: reads and writes are
** recorded, and phis placed later (the classical algorithms). */
typedef struct {
  uint32_t (*read)(ph_func *f, uint32_t var, uint32_t b);
  /* v = 0: the variable ends. */
  void (*write)(ph_func *f, uint32_t var, uint32_t b, uint32_t v);
  void (*place)(ph_func *f);
} ph_deferred;

/* The last answers of queries that give their results one by one. */
typedef struct {
  ph_ids reached;  /* reaching.c: values */
  ph_ids reaching; /* ... accesses, ... */
  bool unwritten;  /* ... and whether reads may have seen no write */
  ph_ids live;     /* ph_livepoints_count */
  ph_ids nodes;    /* ph_identity_count */
} ph_answers;

/* Memory of analyses that the host holds. */
typedef struct {
  ph_arena arena;
  ph_arena_mark end; /* of the latest of them */
} ph_asking;

struct ph_func {
  ph_arena arena;        /* the function itself */
  ph_arena working;      /* the state of construction, freed by finish */
  ph_arena editing;      /* the index of edges */
  ph_asking asking_flow; /* the host's analyses of blocks and edges alone, */
  ph_asking asking_code; /* and those of phis and instructions */
  ph_arena scratch;      /* memory of a pass: see ph_scratch_enter */
  ph_arena rounds;       /* what passes of simplification share, and `before`;
                            else empty */
  ph_arena told;         /* what the host is being told; empty between passes */
  ph_mem mem;

  uint32_t name;
  ph_type result;
  ph_bytes further; /* types of the results from the second on */
  /* ph_func_setpassing: of the result, of each parameter, and the interned
  ** members of its struct; only as many as are needed */
  ph_bytes passings;
  ph_ids structs;
  ph_options options;
  /* Numbers of changes: of blocks and edges, other than new edges; of phis and
  ** instructions, other than new values; of names and places. */
  uint32_t flow_changes, inst_changes, name_changes;
  uint32_t seed; /* makes hashes differ between functions */
  bool finished, frozen;
  bool keeps_unreachable; /* finish keeps unreachable blocks, analyses count */
  bool as_placed; /* phis are those of a classical algorithm: not minimal */
  bool declared;  /* ph_func_declare */
  bool tells;     /* events are stored */
  bool details;   /* so are details of look-ups */
  bool has_lazy;  /* some definitions are lazy (lazy.h) */
  bool has_group; /* a variable is in a group */
  bool refines;   /* it has, or had, values with PH_IS_LAZY */
  /* Derived by ph_body_derive: */
  bool listening;   /* something is told of events */
  bool extra;       /* reads and seals do more than usual */
  bool writes_more; /* so do writes */
  uint32_t calling; /* number of guards and actions under way */

  ph_before *before;         /* unreachable blocks are taken out; or NULL */
  ph_edge_index *edge_index; /* NULL: none */
  /* Puts the edges of a block in order, or all of them (0); NULL: they are. */
  void (*settle)(ph_func *f, uint32_t b);

  ph_nodes nodes;
  ph_ids operands;
  ph_edges edges;
  ph_blocks blocks; /* block 1 is the entry */
  ph_vars vars;
  ph_phis phis;
  ph_reads reads;         /* in order of time, from 0 */
  ph_accessrecs accesses; /* in order of time, from 0: access 1 */
  ph_datas datas;
  ph_events events; /* in order of time, from 0 */
  ph_ids rewritten; /* instructions of events: op, number of operands, these */
  ph_strs strings;
  ph_srclocs places;
  ph_dialects dialects;
  /* A ph_describe of phial/text.h: says what data of the host are; or NULL. */
  void (*describe)(void *ud, ph_strbuf *b, ph_value v);
  void *describe_ud;
  ph_bytes flags;           /* by op of a dialect, from PH_OPS on: op.h */
  ph_effectsvec op_effects; /* by op of a dialect, may be shorter: its own */
  ph_ids announced; /* by block, may be shorter: 1 + announced edges, or 0 */
  ph_ids params;    /* values, in order */
  ph_ids names;     /* by value, may be shorter */
  ph_ids locs;      /* by value, may be shorter: place in the source */
  ph_ids wheres;    /* by value, may be shorter: place of the host */
  ph_ids made_for;  /* by value, may be shorter: index in `identities` */
  ph_identities identities; /* from 1; empty as long as there are none */
  ph_strs classes;          /* names of classes of effects */
  ph_ids said; /* by value, may be shorter: what is said, in `effects` */
  ph_effectsvec effects; /* from 1; empty as long as nothing is said */
  ph_uses uses;
  ph_name_counts named_values, named_blocks;

  ph_table string_table, const_table;
  ph_ids undefs;      /* by type: its undef, or 0 */
  uint32_t here, loc; /* places of what is made next: host, source */
  uint32_t identity;  /* ... and what it is made for */
  uint32_t saying;    /* in `effects`: what is said of the next instruction; of
                         a declaration, of its calls; or 0 */
  bool every;         /* record `here` for each instruction */
  bool stamping;      /* record any of these for each instruction */

  ph_answers answers;
  ph_undef_reads *undef_reads; /* NULL: nobody has asked, nothing was kept */
  ph_deferred *deferred;       /* NULL: phis are placed on the fly */
  ph_groups *groups;           /* NULL: there are none */
  ph_state *state;
  uint32_t built; /* number of blocks the state has room for; 0: no state */
  ph_peephole *peephole; /* NULL: instructions are not simplified */
  ph_matcher *matcher;   /* NULL: no rules */
  ph_stats stats;
  uint32_t unneeded; /* number of phis replaced without operands looked up */
};

/* Shorthands; pointers are valid until the next push. */
static inline ph_node *ph_node_of(const ph_func *f, uint32_t v) {
  return &f->nodes.at[v];
}
static inline ph_blockrec *ph_blockrec_of(const ph_func *f, uint32_t b) {
  return &f->blocks.at[b];
}

static inline ph_value ph_valueid(uint32_t id) { return (ph_value){id}; }
static inline ph_block ph_blockid(uint32_t id) { return (ph_block){id}; }

/* Derives the flags by which hot calls see at once whether they have more to do.
** To be called when something changes that they depend on. */
static inline void ph_body_derive(ph_func *f) {
  f->listening = f->tells || f->options.accesses; /* recorded from events */
  f->extra = f->listening || f->has_lazy;
  f->writes_more = f->options.copies || f->deferred != NULL || f->has_group;
}

/* Return the number of results, and the type of result i, from 0, which f has. */
static inline uint32_t ph_body_nresults(const ph_func *f) {
  return f->result == PH_NOTYPE ? 0 : 1 + f->further.n;
}
static inline ph_type ph_body_result(const ph_func *f, uint32_t i) {
  return i == 0 ? f->result : f->further.at[i - 1];
}

/* Returns the value that replaced v, or v itself. */
static inline uint32_t ph_body_resolve(const ph_func *f, uint32_t v) {
  ph_node *nodes = f->nodes.at;
  uint32_t w;
  while ((w = nodes[v].forward) != 0) {
    if (nodes[w].forward != 0) nodes[v].forward = nodes[w].forward;
    v = w;
  }
  return v;
}
/* Returns operand i of v, resolved. */
static inline uint32_t ph_body_operand(const ph_func *f, uint32_t v,
                                       uint32_t i) {
  return ph_body_resolve(f, f->operands.at[f->nodes.at[v].args + i]);
}
/* True if the target of e does not count it among its predecessors: the block
** that it leaves was dead when filled, or unreachable and cut off by finish. */
static inline bool ph_body_iscut(const ph_func *f, uint32_t e) {
  return f->edges.at[e].next == e;
}
/* True if v was replaced or removed. */
static inline bool ph_body_isgone(const ph_func *f, uint32_t v) {
  return f->nodes.at[v].forward != 0 || f->nodes.at[v].flags & PH_IS_DROPPED;
}
/* True if v is a phi with all its operands. */
static inline bool ph_body_iswhole(const ph_func *f, uint32_t v) {
  return f->nodes.at[v].op == PH_PHI &&
         !(f->nodes.at[v].flags & PH_IS_INCOMPLETE);
}

/* True if b is sealed without predecessors.  The entry is never dead. */
static inline bool ph_body_isdead(const ph_func *f, uint32_t b) {
  const ph_blockrec *block = ph_blockrec_of(f, b);
  return block->npreds == 0 && block->sealed && b != 1;
}

/* True if the terminator of b adds no edges. */
static inline bool ph_body_addsnone(const ph_func *f, uint32_t b) {
  return ph_body_isdead(f, b) && !f->options.keep_unreachable;
}

/* To be called before the order of edges, operands of phis or keys of switches
** is read: edits restore it only then (edge_order.c). */
static inline void ph_body_settle(const ph_func *f) {
  if (f->settle != NULL) f->settle((ph_func *)f, 0);
}
static inline void ph_body_settleblock(const ph_func *f, uint32_t b) {
  if (f->settle != NULL && b != 0) f->settle((ph_func *)f, b);
}
/* The same for the operands of v, whose order is that of edges or not. */
static inline void ph_body_settleargs(const ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  if (n->op == PH_PHI || n->op == PH_SWITCH) ph_body_settleblock(f, n->block);
}

/* The memory of a pass.  A public function that needs some calls
** ph_scratch_enter first, allocates from f->scratch, and gives the mark to
** ph_scratch_leave at the end; no core function calls another one that does.
** So while no guard and no action runs, what f->scratch contains at
** ph_scratch_enter was left there by a function that the host's allocator or
** report has jumped out of, and is freed.  A host that makes a query in a guard
** or action, which must not be jumped out of, adds to the memory of the pass
** that called it.
**
** ph_scratch_open does not put edges in order before: it is for edits, and for
** construction, in which they always are. */
static inline ph_arena_mark ph_scratch_open(ph_func *f) {
  if (f->calling == 0 && f->scratch.last != NULL) ph_arena_done(&f->scratch);
  return ph_arena_here(&f->scratch);
}
static inline ph_arena_mark ph_scratch_enter(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_open(f);
  ph_body_settle(f);
  return bottom;
}
static inline void ph_scratch_leave(ph_func *f, ph_arena_mark mark) {
  if (f->scratch.last != NULL) ph_arena_release(&f->scratch, mark);
}

/* Ends what no guard or action may do, an emit, in few instructions: frees also
** what was left there before. */
static inline void ph_scratch_clear(ph_func *f) {
  if (f->scratch.last != NULL) ph_arena_done(&f->scratch);
}

/* Frame the making of an analysis of f in its memory: what an earlier one has
** left there that memory ran out in is freed. */
static inline ph_arena *ph_asking_enter(ph_func *f, ph_asking *k) {
  ph_body_settle(f);
  ph_arena_release(&k->arena, k->end);
  return &k->arena;
}
static inline void ph_asking_leave(ph_asking *k) {
  k->end = ph_arena_here(&k->arena);
}

/* Loops over lists; `v`, `e` and `b` are ids. */
#define PH_EACH_PHI(f, b, v)                                 \
  for (uint32_t v = ph_blockrec_of(f, b)->first_phi; v != 0; \
       v = ph_node_of(f, v)->next)
#define PH_EACH_INST(f, b, v)                            \
  for (uint32_t v = ph_blockrec_of(f, b)->first; v != 0; \
       v = ph_node_of(f, v)->next)
#define PH_EACH_PRED(f, b, e)                                 \
  for (uint32_t e = ph_blockrec_of(f, b)->first_pred; e != 0; \
       e = (f)->edges.at[e].next)
#define PH_EACH_BLOCK(f, b)                    \
  for (uint32_t b = 1; b < (f)->blocks.n; b++) \
    if (!(f)->blocks.at[b].removed)

#pragma GCC visibility pop
#endif
