/* rules.h: sets of peephole rules.
**
** docs/rules.md describes the language of rules.  A function uses a set by
** ph_peephole_enable; many functions can share one.  A change of a set takes
** effect with the next instruction that is emitted.
**
** Rules are numbered from 1, in order of addition, those of the base first; a
** number is never reused.  Each alternative of [a|b], with each combination of
** the forms of what it names by let, is a rule of its own.
*/
#ifndef PHIAL_RULES_H
#define PHIAL_RULES_H

#include "phial/func.h"

PH_BEGIN_DECLS

/*
** {== Sets ===========================================================
*/

/* Returns a new set with the rules of `base`, which must not change from then
** on and must outlive it; base NULL: no rules.  `mem` is copied. */
ph_ruleset *ph_ruleset_new(const ph_mem *mem, ph_ruleset *base);
/* Frees a set that no function uses any more; NULL: nothing. */
void ph_ruleset_free(ph_ruleset *set);
/* The same in the host's own memory, as for functions: see ph_func_blank. */
size_t ph_ruleset_size(void);
void ph_ruleset_blank(ph_ruleset *set, const ph_mem *mem);
void ph_ruleset_init(ph_ruleset *set, ph_ruleset *base);
void ph_ruleset_done(ph_ruleset *set);

/* Returns the bytes that the set holds now, without ph_ruleset_size(). */
size_t ph_ruleset_bytes(const ph_ruleset *set);
/* Returns the function, without blocks, in which ops and types of the set are
** looked up: dialects whose ops rules name are attached to it, before the rules
** are added. */
ph_func *ph_ruleset_space(ph_ruleset *set);
/* Compiles the set and its bases completely and freezes them.  From then on
** functions that use them, and new sets over them, only read them: functions of
** several threads may use them at the same time.  (Checking, linting and
** finding by name write to the set: not while another thread uses it.)  Without
** it, the rules of an op are compiled when the first instruction of it is
** emitted. */
void ph_ruleset_freeze(ph_ruleset *set);
/* True if the set is frozen, or the base of another one: it must not be
** changed. */
bool ph_ruleset_isfrozen(const ph_ruleset *set);

/* Appends the text of the built-in rules, for integers, floats, branches. */
void ph_ruleset_builtin(ph_strbuf *b);

/* }== Adding and removing ============================================ */

/* Gives the callbacks that a text names, $name, the numbers that ph_callbacks
** are called with: 0 or more, chosen by the host.  find returns false if there
** is none of that name; find NULL, or no names at all (NULL): there are no
** callbacks. */
typedef struct {
  bool (*find)(void *ud, ph_str name, uint32_t *number);
  void *ud;
  PH_RESERVED;
} ph_callback_names;

/* Adds the rules of a text, which `source` names in messages.  false: the text
** is wrong and nothing was added; `why` gets a message of several lines: what
** is wrong and where, the line of the text, and a caret. */
bool ph_ruleset_load(ph_ruleset *set, ph_str source, ph_str text,
                     const ph_callback_names *names, ph_strbuf *why);
/* Adds the enabled rules of another set, except those that `set` has: from a
** common base, or of the same place and text with the same callbacks.  The
** callback number i of `from` becomes number callbacks[i]; NULL: i. */
void ph_ruleset_include(ph_ruleset *set, const ph_ruleset *from,
                        const uint32_t *callbacks);
/* Adds rule n of another set, with the same numbers of callbacks, such that it
** applies wherever it matches: however often its inner values are used, and at
** once even if it is marked @late. */
void ph_ruleset_includeone(ph_ruleset *set, const ph_ruleset *from, uint32_t n);
/* Returns the first rule with this name, or 0; and the next one with the name
** of rule n, or 0.  They may be disabled or removed. */
uint32_t ph_ruleset_find(ph_ruleset *set, ph_str name);
uint32_t ph_ruleset_findnext(const ph_ruleset *set, uint32_t n);
/* Remove, or enable or disable, all rules with this name; return how many there
** are. */
uint32_t ph_ruleset_remove(ph_ruleset *set, ph_str name);
uint32_t ph_ruleset_enable(ph_ruleset *set, ph_str name, bool on);

/* }== Rules ========================================================== */

/* Returns the largest number of a rule. */
uint32_t ph_ruleset_count(const ph_ruleset *set);
bool ph_ruleset_isremoved(const ph_ruleset *set, uint32_t n);
/* True if rule n is neither disabled nor removed. */
bool ph_ruleset_isenabled(const ph_ruleset *set, uint32_t n);
/* Return the name of rule n ("" if it has none), its text, the name of the text
** in which it was written, and the line there, from 1.  The strings are valid
** until the set, or the base from which the rule is, is freed. */
ph_str ph_ruleset_name(const ph_ruleset *set, uint32_t n);
ph_str ph_ruleset_text(const ph_ruleset *set, uint32_t n);
ph_str ph_ruleset_source(const ph_ruleset *set, uint32_t n);
uint32_t ph_ruleset_line(const ph_ruleset *set, uint32_t n);
/* Appends how messages call rule n: by its name, or as SOURCE:LINE. */
void ph_ruleset_print(ph_strbuf *b, const ph_ruleset *set, uint32_t n);

/* }== Trees ========================================================== */

/* A rule is three trees over one array of nodes: pattern, result and guard. */

/* What a node is. */
typedef enum {
  PH_R_VAR,   /* a value; the same wherever it is repeated; `var` */
  PH_R_CONST, /* a constant, likewise; `var` */
  PH_R_LIT,   /* `bits` of ph_tag `var`: an integer, a double, true, false, nil;
                of data also a text */
  PH_R_MIN,   /* the least, largest integer of its type, signed */
  PH_R_MAX,
  PH_R_ANY,    /* _ */
  PH_R_TYPE,   /* the argument of width(): it has a type and no value */
  PH_R_OP,     /* `op` of the kids: operands, then labels */
  PH_R_EXPR,   /* `op`, or PH_F_..., of constant kids; in a pattern: a constant
                 with that value */
  PH_R_LABEL,  /* a target; `var` */
  PH_R_CALL,   /* $: callback `var` with the kids: a condition, or an action */
  PH_R_HELPER, /* $: the constant that callback `var` has for the kids */
  PH_R_DATA,   /* data of an instruction; the same wherever repeated; `var` */
  PH_R_ONLY    /* ! of the kid: only if that needs no new instruction */
} ph_nodekind;

/* Nodes and types of a rule are numbered from 1; 0 is none.  The strings are
** valid as those below are. */
typedef struct {
  ph_nodekind kind;
  ph_str name;     /* of a variable, an op, a function, `and`, `or`, `not` */
  ph_str dialect;  /* of an op; "": phial */
  ph_str as;       /* of an op of the pattern: what z @ calls it; "": nothing */
  uint32_t type;   /* 0: none (a terminator), or a plain integer of 64 bits */
  uint32_t kids;   /* how many */
  uint32_t first;  /* its first kid */
  uint32_t next;   /* the next kid of the node whose kid it is */
  bool once;       /* it has no other use so far */
  uint32_t data;   /* of PH_R_OP: the node of its data; 0: it has none */
  ph_data literal; /* of PH_R_LIT; a text (PH_DATA_STR) is the name */
  uint32_t callback; /* of PH_R_CALL, PH_R_HELPER: its number */
} ph_rule_node;

typedef struct {
  uint32_t pattern, result, guard;
  uint32_t nodes, types; /* their largest numbers */
  uint32_t alternative;  /* of [a|b], forms of let: its number, from 1; or 0 */
  int32_t prio;
  bool late, always, unoriented, tested;
  const ph_str *unsafe; /* why it is not checked; NULL: it is */
} ph_rule_tree;

/* Returns the trees of rule n, and a node of it. */
ph_rule_tree ph_ruleset_tree(const ph_ruleset *set, uint32_t n);
ph_rule_node ph_ruleset_node(const ph_ruleset *set, uint32_t n, uint32_t node);
/* True if what has this type of rule n can be of that one; types of dialects
** are numbered as in ph_ruleset_space. */
bool ph_ruleset_allows(const ph_ruleset *set, uint32_t n, uint32_t type,
                       ph_type one);

/* }=================================================================== */

PH_END_DECLS

#endif
