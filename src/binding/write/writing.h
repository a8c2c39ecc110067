/* writing.h: a language, and a function that is being written in it. */
#ifndef PL_WRITE_WRITING_H
#define PL_WRITE_WRITING_H

#include "binding/analysis/program.h"
#include "binding/args/template.h"
#include "binding/state/error.h"
#pragma GCC visibility push(hidden)

/*
** {== Languages ======================================================
*/

typedef enum {
  PL_ROW_NONE,
  PL_ROW_TEXT,
  PL_ROW_STATEMENT, /* a Lua function that writes lines */
  PL_ROW_EXPRESSION /* one that returns the text of the value */
} pl_row_kind;

/* What a row does with the operands of an instruction. */
typedef struct {
  bool value, /* it gives a text for the result */
      pre,    /* lines precede that, at the place of the instruction */
      sets,   /* one of them computes the result */
      lazy,   /* an operand may not be evaluated */
      apart,  /* the text is no part of another one */
      atoms;  /* an operand is not evaluated exactly once, with the result */
} pl_shape;

/* Texts around what is written: in the texts of the language. */
typedef struct {
  uint32_t at, n;
} pl_span;

typedef enum {
  PL_WORD_SET,  /* between a name and its text */
  PL_WORD_END,  /* after a statement */
  PL_WORD_DROP, /* around a text whose result nothing uses */
  PL_WORD_DROPPED,
  PL_WORD_GOTO,
  PL_WORD_IF, /* around a condition */
  PL_WORD_THEN,
  PL_WORD_BEGIN, /* after it, if several statements follow */
  PL_WORD_DONE,  /* after these */
  PL_WORD_NOT,
  PL_WORD_TRAP, /* around the message of a trap */
  PL_WORD_TRAPPED,
  PL_WORD_BETWEEN,  /* its place and its reason, if these are two texts */
  PL_WORD_LANGUAGE, /* its name, for errors */
  /* of a language in SSA form: */
  PL_WORD_SIGIL,     /* before the name of a value */
  PL_WORD_LABEL,     /* around the label of a block */
  PL_WORD_LABELLED,  /* ... */
  PL_WORD_OTHERWISE, /* between the labels of a conditional jump */
  PL_WORD_NUMBER,    /* between a name and what makes it unique */
  PL_WORD_AT,        /* between an instruction and the number of its position */
  PL_WORD_PLACE, /* a position: %1 is its number, %2 the line, %3 the column,
                        %4 the number of its scope */
  /* of a language with few locals: */
  PL_WORD_LOCAL,   /* before the name of a local that is declared */
  PL_WORD_LEAVE,   /* before what the function of a block goes to */
  PL_WORD_SLOT,    /* around the number of a slot of the frame */
  PL_WORD_SLOTTED, /* ... */
  PL_WORD_BLOCK,   /* around that of a function of a block */
  PL_WORD_BLOCKED, /* ... */
  PL_WORD_FRAME,   /* the frame, as an argument */
  PL_WORDS
} pl_word;

enum { PL_LETTERS = 26, PL_FORMS = 128 };

/* A row for operands of certain types: only lines that can count there, only
** tests that types do not decide. */
typedef struct {
  pl_row row;
  bool is_static; /* no line has a test: the shape is always this one */
  pl_shape shape;
} pl_special;

/* What is known of an op. */
typedef struct {
  uint8_t kind;
  bool checks;   /* a function writes what precedes the value */
  bool patterns; /* a function makes a pattern for calls that are alike */
  pl_row row;
  uint32_t special[PH_KNOWN_TYPES]
                  [PH_KNOWN_TYPES]; /* 1 + index, by the types of the first
                                           operand and the result; 0: not
                                           made yet */
} pl_oprow;

/* The number of the row of ops of dialects that have none of their own: those of
** phial precede it, those that have one follow. */
enum { PL_ROW_DIALECT = PH_KNOWN_OPS };

/* What a function needs while it is written. */
enum { PL_BUFFERS = 22 };

/* The userdata phial.Language.  Its user values: the Lua functions of rows, by
** number, and the numbers of rows, by op of a dialect; the function that writes
** constants; that for ops of dialects; that which puts strings in quotes; the
** numbers of rows by texts that dialects have. */
enum {
  PL_LANGUAGE_FUNCTIONS = 1,
  PL_LANGUAGE_CONSTANT,
  PL_LANGUAGE_DIALECT,
  PL_LANGUAGE_QUOTE,
  PL_LANGUAGE_TEXTS,
  PL_LANGUAGE_USERVALUES = PL_LANGUAGE_TEXTS
};
enum { PL_ESCAPE = 8 }; /* bytes of what stands for one, with its end */
typedef struct {
  pl_templates t;
  pl_grown rows; /* of ops */
  pl_grown specials;
  pl_row forms[PL_FORMS]; /* by character; without lines: plain */
  bool has_type[PH_KNOWN_TYPES];
  pl_span types[PH_KNOWN_TYPES]
               [PL_LETTERS]; /* words of types, by capital letter */
  pl_span words[PL_WORDS];
  bool few;                     /* functions have few locals: locals.c */
  bool quotes;                  /* it has a function that does, */
  char escapes[256][PL_ESCAPE]; /* and what it made of bytes */
  bool ssa;         /* each value has a name, and blocks have phis */
  bool has_column;  /* ops of dialects have a field for the language, */
  uint8_t column;   /* pl_opfunction */
  pl_row incoming;  /* what a phi has for an edge */
  pl_row argument;  /* what $* has for an operand */
  uint32_t longest; /* bytes of a name, without what makes it unique; 0: any */
  pl_grown spare[PL_BUFFERS]; /* memory for the next function that is written */
} pl_language;

#define PL_OPROWS(l) ((pl_oprow *)(void *)(l)->rows.at)

static inline bool pl_language_has(const pl_language *l, ph_type type) {
  return type < PH_KNOWN_TYPES && l->has_type[type];
}

/* }== Functions ====================================================== */

enum {
  PL_IS_QUIET = 1,  /* no line precedes its text */
  PL_IS_FAR = 2,    /* used in another block */
  PL_IS_INLINE = 4, /* part of the text of another value */
  PL_IS_NAME = 8,   /* its name is given, and it is not written */
  PL_IS_LOCAL = 16  /* its name is declared where it is assigned */
};

/* What is known of a value. */
typedef struct {
  uint32_t position; /* in the order of writing, from 1 */
  uint32_t uses;
  uint32_t variable; /* 0: none */
  union {
    pl_span name;           /* in the names; length 0: none */
    struct {                /* until all is chosen, unless the name is given: */
      uint32_t loads, acts; /* positions of the first load, and of the call, in
                               its text; 0: none */
    };
  };
  uint8_t weight; /* operators in its text; 0: it is no part of others */
  uint8_t flags;
} pl_written;

/* A location of fn:leave(). */
typedef struct {
  uint32_t first;  /* its first value */
  uint32_t wanted; /* a value whose name it should have, or 0 */
  union {
    pl_span name;
    struct {             /* until all is chosen, unless the name is given: */
      uint32_t assigned; /* position of the latest assignment */
      uint32_t moved;    /* serial number of the edge that has assigned it */
    };
  };
  uint32_t needed; /* that of the one whose moves need its value */
  ph_type type;
  bool shared : 1;   /* it gets several values */
  bool kept : 1;     /* it has one of them, other than that of a parameter */
  bool is_local : 1; /* declared where it is assigned */
  bool is_bytes : 1; /* the name of the bytes of an alloca */
  bool declared : 1;
} pl_variable;

/* A move of an edge: from a variable, or, if that is 0, of a value's text. */
typedef struct {
  uint32_t to, from, value;
} pl_move;

typedef struct {
  uint32_t edge; /* number, to find */
  uint32_t first, n;
} pl_moves;

/* Names that were taken or wanted: names.c. */
typedef struct {
  pl_grown places; /* an open hash */
  uint32_t n;
  bool has_outer; /* others are taken outside of the function */
} pl_nameset;

/* What languages in SSA form need besides: ssa.c. */
typedef struct {
  pl_grown top, between,
      traps;      /* the lines at the top; blocks on edges; those of
                                   traps */
  pl_span *from;  /* by edge: the label of the block from which it comes */
  pl_span *to;    /* by edge: that of the block to which it goes */
  uint32_t *last; /* by block: an edge to it */
  pl_span label;  /* of the block that is being written; in a phi, of an edge */
  bool in_phi;
  uint32_t let, results; /* sets of those that lines of a row have computed */
  bool told;             /* traps have messages */
  uint32_t id;           /* what is being written */
  pl_span lets[PL_LETS]; /* names */
  pl_span further[PL_LETS]; /* of results */
  pl_span suffix;           /* of lines: their position */
  pl_grown places;     /* their definitions that the host does not have yet, */
  uint32_t nplaces;    /* so many, */
  uint32_t next_place; /* the number of the next one */
  pl_nameset known;    /* suffixes, by position */
  ph_srcloc last_loc;  /* the latest, and its suffix */
  pl_span last_suffix;
} pl_ssa;

/* How a function is written in a language with few locals. */
typedef enum {
  PL_FORM_LABELS, /* blocks have labels, values are locals */
  PL_FORM_BLOCKS, /* a block is a function that returns the number of the next
                     one; what crosses blocks is in slots of a frame */
  PL_FORM_NESTED, /* a block is a function that calls the next one, inside the
                     functions of blocks that dominate it; phis are parameters */
  PL_FORM_FLAT    /* the same, but none is inside of another one, and what
                     crosses blocks is in slots of a frame that each passes on */
} pl_form;

/* What languages with few locals need besides. */
typedef struct {
  uint8_t form;
  bool fits;       /* the locals are not more than `room` */
  bool declares;   /* a local was declared since the beginning of the block */
  uint32_t room;   /* locals that a function may have */
  uint32_t many;   /* the most arguments of a block; more are in a table */
  uint32_t slots;  /* that are used */
  pl_grown last;   /* by value: the position of its last use in its block */
  pl_grown counts; /* by block: its locals */
} pl_few;

/* The userdata phial.Writing.  Its user values: the function, the language, the host's table, which rows get, the table of
** helpers that are needed, that of patterns of calls, and that of names that are
** taken outside of the function. */
enum {
  PL_WRITING_FUNC = 1,
  PL_WRITING_LANGUAGE,
  PL_WRITING_HOST,
  PL_WRITING_NEEDED,
  PL_WRITING_PATTERNS,
  PL_WRITING_OUTER,
  PL_WRITING_USERVALUES = PL_WRITING_OUTER
};
typedef struct {
  lua_State *L; /* of the call in progress, in which this is at index `self` */
  int self;
  pl_program program;
  pl_language *language;
  uint32_t version; /* of the function */
  uint32_t flags;   /* options that are set, of the language's */
  bool traps, numbered;
  bool checks;      /* functions write what precedes calls */
  bool begun, done; /* all blocks, once */
  bool returns;     /* a block does */
  uint32_t most;    /* operators of an expression */
  uint32_t ncalls;  /* of Lua functions, in progress */
  bool ready;       /* methods can be called */
  bool inside;  /* a method is in progress, and no such call; or has failed */
  bool in_line; /* a line is begun: rows cannot write others */
  pl_written *values;
  uint32_t nvalues;
  pl_variable *variables;
  uint32_t nvariables;
  pl_grown arrays;          /* of the program */
  pl_grown memory, further; /* of values; of variables, edges and blocks */
  pl_grown names, moves, text;
  pl_span *labels; /* of blocks */
  pl_grown jumps;  /* of a dialect's terminator: the texts of its edges */
  pl_grown given;  /* names of parameters where the function begins, if it has
                     locals: with a sign they are others */
  pl_nameset taken, taken_labels; /* in SSA form all are in the first one */
  pl_nameset needed;              /* helpers that the host's table has */
  pl_grown spellings;
  uint32_t *edges;   /* by edge: 1 + index of its moves' beginning, or 0 */
  pl_grown declared; /* variables, in order */
  uint32_t block;    /* the number of the one that is written */
  bool *targets;     /* by block: something goes there */
  pl_grown own;      /* by op of a dialect: 1 + the number of its row, or 0 */
  uint32_t *starts;  /* by block: where its text begins */
  pl_grown heads;    /* the lines that precede blocks: labels, phis ... */
  uint32_t *ends;    /* ... and by block where they end */
  uint32_t indent;
  struct {
    uint32_t first;      /* the first instruction that has one, if lines are
                            wanted; 0: none */
    uint32_t line, file; /* of what follows; 0: none */
    int64_t at; /* the line that compilers expect; -1: that of the text */
    uint32_t at_file;
  } lines;
  pl_ssa ssa;
  pl_few few;
} pl_writing;

/* True if edges assign phis, which then can share a variable with others. */
static inline bool pl_writing_moves(const pl_writing *w) {
  return !w->language->few || w->few.form < PL_FORM_NESTED;
}

/* {== language.c ====================================================== */

/* The number of the row of an op. */
uint32_t pl_language_row(pl_writing *w, ph_op op);

/* }== writing.c: text, lines, the host ================================ */

/* Raises an error if the writing has ended, or the function has changed since the
** beginning, which callbacks and finalizers can do. */
void pl_writing_check(pl_writing *w);
/* Runs a method for the writing that it is called with.  In another thread than
** that of a method that waits for a finalizer it is refused. */
typedef int pl_writing_method(lua_State *L, pl_writing *w);
int pl_writing_run(lua_State *L, pl_writing_method *method);
_Noreturn void pl_writing_refuse(lua_State *L);
#define PL_WRITING_METHOD(name)                                               \
  static int run_##name(lua_State *L, pl_writing *w);                         \
  static int l_##name(lua_State *L) { return pl_writing_run(L, run_##name); } \
  static int run_##name(lua_State *L, pl_writing *w)
/* Calls a Lua function with n arguments, which can call methods of the writing
** in any thread; checks it afterwards. */
void pl_writing_call(pl_writing *w, int n, int results);
/* Replaces the string on top by what the language's function makes of it. */
void pl_writing_quote(pl_writing *w);
/* Appends to the text. */
void pl_writing_add(pl_writing *w, const char *at, size_t n);
void pl_writing_puts(pl_writing *w, const char *s);
void pl_writing_integer(pl_writing *w, int64_t n);
void pl_writing_span(pl_writing *w, pl_span s);
/* The same of the names. */
void pl_writing_text(pl_writing *w, pl_span s);
/* Appends the string on top of the stack and pops it. */
void pl_writing_addtop(pl_writing *w);
/* The same, in quotes. */
void pl_writing_addquoted(pl_writing *w);
/* Pushes and forgets the text from `start` on. */
void pl_writing_take(pl_writing *w, size_t start);
/* Runs what writes blocks, with the writing and n arguments that are on top. */
void pl_writing_protect(pl_writing *w, pl_protect_body *f, int n);
/* Pushes a user value of the language. */
void pl_writing_language(pl_writing *w, int which);
/* Makes a name of the text from `start` on, which is forgotten. */
pl_span pl_writing_keep(pl_writing *w, size_t start);
/* Moves what the text has from `start` on into another one. */
void pl_writing_move(pl_writing *w, size_t start, pl_grown *text);
/* Lines are written into another text until the next swap. */
void pl_writing_swap(pl_writing *w, pl_grown *text);
/* Puts the lines that precede blocks there; the text has nothing else. */
void pl_writing_putheads(pl_writing *w);
/* Begin and end a line. */
void pl_writing_begin(pl_writing *w);
void pl_writing_end(pl_writing *w);
/* After a condition: the statement that is done where it holds begins, on a line
** of its own unless the language writes both on one; ends. */
void pl_writing_then(pl_writing *w);
void pl_writing_endthen(pl_writing *w);
/* Appends the name of a value that is assigned, declared if that is its only
** assignment. */
void pl_writing_target(pl_writing *w, uint32_t id);
/* Copies the string on top into the names, and pops it. */
pl_span pl_writing_copyname(pl_writing *w);
/* Calls the method of the host with the arguments on top; leaves n results. */
void pl_writing_host(pl_writing *w, const char *method, int nargs, int n);

static inline ph_block pl_writing_block(const pl_writing *w, uint32_t number) {
  return ph_rpo_at(w->program.o, number);
}
static inline ph_value pl_valueid(uint32_t id) { return (ph_value){id}; }
static inline pl_variable *pl_variableof(const pl_writing *w, uint32_t id) {
  return &w->variables[w->values[id].variable];
}

/* True if blocks or what Lua was called for are being written. */
static inline bool pl_writing_isbusy(const pl_writing *w) {
  return w->ncalls > 0 || (w->begun && !w->done);
}

static inline bool pl_writing_isconstant(const pl_writing *w, uint32_t id) {
  return w->values[id].position == 0;
}

/* }== names.c ========================================================= */

/* Takes a name: that one, or one that begins so.  The sigil precedes it. */
pl_span pl_names_take(pl_writing *w, pl_nameset *set, ph_str wanted);
/* Takes the text from `start` on as a name. */
pl_span pl_names_takefrom(pl_writing *w, size_t start);
/* Takes the name that a letter and a number are, as "v12"; set: NULL if no other
** name is like that. */
pl_span pl_names_number(pl_writing *w, pl_nameset *set, char letter,
                        uint32_t number);
/* What a set of anything but names has for these bytes, at first nothing; it can
** move. */
pl_span *pl_names_noted(pl_writing *w, pl_nameset *set, ph_str key);
/* What is known of a position: its suffix, which is at 0 if there is none yet.  The
** column PL_A_FILE is for a file: at 1 + its scope; PL_A_TRAP is for a suffix: the
** label of the trap there.  The place can move. */
enum { PL_COLUMNS = 0xffff, PL_A_FILE, PL_A_TRAP };
pl_span *pl_names_place(pl_writing *w, uint32_t line, uint32_t column,
                        uint32_t scope);
/* Notes that a helper is needed. */
void pl_names_need(pl_writing *w, ph_str name);
/* The name with its sigil. */
pl_span pl_names_sigil(const pl_writing *w, pl_span name);
/* Makes room for so many names. */
void pl_names_reserve(pl_writing *w, pl_nameset *set, size_t most);
/* Writes the line that begins a block. */
void pl_names_label(pl_writing *w, pl_span label);
/* Begins a block in that which is being written. */
void pl_names_start(pl_writing *w, pl_span label);
/* Ends the line of a conditional jump, after the condition. */
void pl_names_branch(pl_writing *w, pl_span yes, pl_span no);
/* Notes from where edge i of the block comes: what is being written ends with
** it. */
void pl_names_leave(pl_writing *w, uint32_t i);
/* Writes a jump. */
void pl_names_jump(pl_writing *w, pl_span label);
/* The label to which edge i of the block goes; without SSA form, the statement
** that goes there. */
pl_span pl_names_target(const pl_writing *w, uint32_t i);

/* }== trap.c ========================================================== */

/* Pushes an instruction as errors name it: "sum: 'sdiv %3, 0' in block 'b' (x:12)". */
void pl_trap_where(lua_State *L, pl_funcobj *h, int fn, ph_value v);
void pl_trap_pushwhere(pl_writing *w, uint32_t id);
/* Raises why instruction id cannot be written; fmt is that of lua_pushfstring. */
_Noreturn void pl_trap_refuse(pl_writing *w, uint32_t id, const char *fmt, ...);
/* Raises that its op has no row. */
_Noreturn void pl_trap_refuse_op(pl_writing *w, uint32_t id);
/* Raises that the language does not have a type, which instruction id needs. */
_Noreturn void pl_trap_refuse_type(pl_writing *w, uint32_t id, ph_type type);
/* Writes a trap for the case that the text from `start` on holds, which is taken
** back; `always`: in any case.  The message is on top. */
void pl_trap_write(pl_writing *w, uint32_t id, size_t start, bool always);

/* }== row.c =========================================================== */

/* An instruction that is being written. */
typedef struct {
  uint32_t id, nargs;
  uint32_t row;     /* the number of that of its op */
  uint32_t special; /* index of the one for its types */
  ph_op op;
  ph_type type;
  uint32_t args[PL_OPERANDS];
  ph_type types[PL_OPERANDS];
} pl_now;

pl_now pl_row_now(pl_writing *w, uint32_t id);
/* The lines of its row. */
pl_row pl_row_of(const pl_writing *w, const pl_now *now);
/* True if the tests of a line hold. */
bool pl_row_counts(const pl_writing *w, const pl_line *line, const pl_now *now);
/* What the row of an instruction does. */
pl_shape pl_row_shape(const pl_writing *w, const pl_now *now);
/* The value of an integer constant or a truth; undef is zero. */
bool pl_row_known(const pl_writing *w, uint32_t id, int64_t *n);
#define PL_SPECIALS(l) ((const pl_special *)(const void *)(l)->specials.at)
/* True if a row does the same for all operands of these types. */
static inline bool pl_row_isstatic(const pl_writing *w, const pl_now *now) {
  return now->row != PL_ROW_DIALECT &&
         PL_SPECIALS(w->language)[now->special].is_static;
}
/* The kind of row that the op has. */
static inline pl_row_kind pl_row_kindof(const pl_writing *w,
                                        const pl_now *now) {
  return (pl_row_kind)PL_OPROWS(w->language)[now->row].kind;
}
/* The type of an operand or of the result. */
static inline ph_type pl_row_typeof(const pl_now *now, unsigned which) {
  return which < PL_OPERANDS ? now->types[which] : now->type;
}

/* }== fill.c ========================================================== */

/* Pushes the pattern of a call: its text, with a byte from 1 to 5 for each operand;
** false, and pushes nothing: it is written by itself. */
bool pl_fill_pushpattern(pl_writing *w, const pl_now *now);
/* Appends the pattern on top with the operands of an instruction, and pops it. */
void pl_fill_pattern(pl_writing *w, uint32_t id);
/* Appends a value as an operand in a form: 0: what binds more tightly than
** operators; '=': a whole expression. */
void pl_fill_operand(pl_writing *w, uint32_t id, char form);
/* Appends a value as the language has arguments. */
void pl_fill_argument(pl_writing *w, uint32_t id);
/* Appends the text that computes a value; true: it needs no parentheses. */
bool pl_fill_value(pl_writing *w, const pl_now *now);
/* Appends the text of a line. */
void pl_fill_parts(pl_writing *w, uint32_t part, uint32_t n, const pl_now *now);
/* Notes what a line needs: helpers, or a line outside functions. */
void pl_fill_note(pl_writing *w, pl_line line, const pl_now *now);
/* Calls the Lua function of the row, or the one in a field of it: f(host, id).
** Leaves n results. */
void pl_fill_call(pl_writing *w, const pl_now *now, const char *field, int n);

/* }== lines.c ========================================================= */

/* Writes the lines that precede the value of an instruction; true: *last is the
** line that gives the value. */
bool pl_lines_before(pl_writing *w, const pl_now *now, pl_line *last);
/* Assigns the further results that have not been assigned yet, behind the lines
** of a row. */
void pl_lines_after(pl_writing *w, const pl_now *now);
/* Writes a line that computes what has a name. */
void pl_lines_set(pl_writing *w, pl_span name, const pl_line *line,
                  const pl_now *now);

/* }== plan.c ========================================================== */

/* What an op does to memory, or otherwise; terminators: nothing. */
ph_effect pl_plan_effect(const ph_func *f, ph_op op);
/* The operands of an instruction that are written. */
uint32_t pl_plan_nargs(const ph_func *f, uint32_t id);
/* Reads a function: uses, variables, moves. */
void pl_plan_read(pl_writing *w);
/* Makes room for variables, edges and blocks. */
void pl_plan_allocate(pl_writing *w, uint32_t nvariables);
/* Decides what is written inside expressions. */
void pl_plan_choose(pl_writing *w);
/* Gives names. */
void pl_plan_name(pl_writing *w);
/* Calls a function for the numbers of temporaries of moves, to name them. */
void pl_plan_temporaries(pl_writing *w, void (*name)(pl_writing *, uint32_t));
/* Appends the declaration of parameter i; true: something is to be done with it,
** since it has a sign or nothing uses it. */
bool pl_plan_param(pl_writing *w, uint32_t i);
/* The name of the variable for which a parameter, phi or copy was made; or
** none. */
ph_str pl_plan_varname(const pl_writing *w, uint32_t id);
/* The name that a value should have, or none. */
ph_str pl_plan_wanted(const pl_writing *w, uint32_t id);
/* Notes that a variable is declared apart. */
void pl_plan_declare(pl_writing *w, uint32_t number);

/* }== locals.c ======================================================== */

/* Gives names, locals and slots. */
void pl_locals_name(pl_writing *w);
/* Leaves a block: its values are where other blocks find them. */
void pl_locals_leave(pl_writing *w, uint32_t number);
/* Writes what stores the value of an instruction for other blocks. */
void pl_locals_store(pl_writing *w, uint32_t id);
/* Appends what goes to a block by an edge. */
void pl_locals_jump(pl_writing *w, uint32_t to, uint32_t edge);
/* The most edges that lead across the beginning of a block. */
uint32_t pl_locals_crossing(const pl_writing *w);

/* }== blocks.c ======================================================== */

/* Assigns to a value the text of an instruction; now is NULL: the text on top, which
** is popped.  A call whose result nothing uses is a statement. */
void pl_blocks_set(pl_writing *w, uint32_t id, const pl_now *now);
/* Write a jump to a block by an edge; edge i of the current block, without a jump
** if its target follows and it may fall; the same as a statement, appended on
** one line. */
void pl_blocks_jump(pl_writing *w, uint32_t to, uint32_t edge);
void pl_blocks_go(pl_writing *w, uint32_t i, bool may_fall);
void pl_blocks_addstatement(pl_writing *w, uint32_t i);
/* The number of the block to which edge i of the current block goes; true if an
** edge has moves. */
uint32_t pl_blocks_target(const pl_writing *w, uint32_t i);
bool pl_blocks_hasmoves(const pl_writing *w, uint32_t edge);
/* Make a block the current one; write its instructions; its end. */
void pl_blocks_start(pl_writing *w, uint32_t number);
void pl_blocks_instructions(pl_writing *w, uint32_t number);
void pl_blocks_end(pl_writing *w, uint32_t number);
/* Writes all blocks. */
void pl_blocks_all(pl_writing *w);

/* }== ssa.c =========================================================== */

/* Reads a function for a language in SSA form, and gives names. */
void pl_ssa_read(pl_writing *w);
/* Writes an instruction. */
void pl_ssa_write(pl_writing *w, uint32_t id);
/* Writes all blocks. */
void pl_ssa_body(pl_writing *w);

/* }==================================================================== */

#pragma GCC visibility pop
#endif
