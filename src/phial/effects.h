/* effects.h: which parts of memory instructions read and write.
**
** A *class* is a part of memory, or of whatever else instructions read and
** write, with a name: "heap", "len".  That classes do not overlap is the host's
** promise.  An instruction reads one set of classes and writes another; the set
** PH_EFFECTS_ALL is everything, also what has no class, and is what nothing
** else is said of.  An op of a dialect has sets of its own (ph_opspec); one
** instruction, or the calls of a declaration, can have others.
**
** Two equal reads are one if nothing in between writes a class that they read.
** A function has at most 32 classes, so that a set is a word.  Where a name
** would be one too many (an op of a dialect that is attached, a copy of another
** function), the set is everything, which is never wrong.
**
** Time: linear, for each class in use.  A function without classes pays
** nothing.
*/
#ifndef PHIAL_EFFECTS_H
#define PHIAL_EFFECTS_H

#include "phial/op.h"

PH_BEGIN_DECLS

#define PH_CLASSES_MOST 32
#define PH_EFFECTS_ALL UINT32_MAX

/* Sets of classes: bit i is class i. */
typedef struct {
  uint32_t reads, writes;
} ph_effects;

/* True if a class can have that name: an identifier other than "all", which
** means PH_EFFECTS_ALL where the host's language has names for sets. */
bool ph_effects_isclass(ph_str name);
/* Finds the class of that name, which can be one, makes it if it is new, and
** adds it to *set.  False: f has PH_CLASSES_MOST others; nothing has changed. */
bool ph_effects_find(ph_func *f, ph_str name, uint32_t *set);
/* Returns the number of classes of f, and the name of class i, from 0. */
uint32_t ph_effects_nclasses(const ph_func *f);
ph_str ph_effects_class(const ph_func *f, uint32_t i);
/* Lists the classes of a set, not PH_EFFECTS_ALL, by name; returns how many there
** are. */
uint32_t ph_effects_list(const ph_func *f, uint32_t set,
                         uint32_t list[PH_CLASSES_MOST]);

/* Returns what v reads and writes. */
ph_effects ph_effects_of(const ph_func *f, ph_value v);
/* Returns of what more can be said for instructions of that op: PH_EFFECTS_ALL
** or 0.  Of loads it is `reads`, of stores and fills `writes`; of calls,
** copies of bytes, and ops of dialects both, as their effect is; of volatile
** accesses and terminators nothing. */
ph_effects ph_effects_sayable(const ph_func *f, ph_op op);
/* True if instructions of that op can be said to write nothing: calls, ops of
** dialects. */
bool ph_effects_canbenone(ph_op op);
/* True if an instruction of that op can be said to have e: classes of f, of
** what can be said; otherwise what the op has. */
bool ph_effects_fits(const ph_func *f, ph_op op, ph_effects e);
/* Returns what an instruction of that op reads and writes if nothing is
** said. */
ph_effects ph_effects_usual(const ph_func *f, ph_op op);

/* The same as ph_build_emitdata (construct.h), for an instruction of which `e`
** is said; e fits op. */
ph_value ph_build_emiteffects(ph_func *f, ph_block b, ph_op op, ph_type type,
                              const ph_value *args, uint32_t n, ph_data data,
                              ph_effects e);
/* Says it of an instruction of a finished function; e fits its op. */
void ph_effects_set(ph_func *f, ph_value v, ph_effects e);

/* Set and return what calls of a declaration (ph_func_declare) read and write,
** as classes of f, the declaration. */
void ph_effects_declare(ph_func *f, ph_effects e);
ph_effects ph_effects_declared(const ph_func *f);
/* Returns the classes of f with the names that those of `from` have, which are
** made if they are new. */
ph_effects ph_effects_translate(ph_func *f, const ph_func *from, ph_effects e);

PH_END_DECLS

#endif
