/* find.c: finds what a text names.
**
** The id, or the name that stands alone, says which value or block it can be;
** that is it if it is printed in the same way.
*/
#include <string.h>

#include "phial/text.h"
#include "core/ir/intern.h"
#include "core/text/lex.h"
#include "core/text/naming.h"

/* A name, read as a token; `printed` is empty. */
typedef struct {
  ph_arena_mark bottom;
  ph_mem mem;
  ph_strbuf printed;
  ph_token token;
  uint32_t name; /* 0: nothing has that name */
} reading;

static void start(reading *r, ph_func *f, ph_str text) {
  ph_lexer lex;
  memset(r, 0, sizeof *r);
  r->bottom = ph_scratch_enter(f);
  r->mem = ph_arena_mem(&f->scratch);
  r->printed.mem = &r->mem;
  ph_lex_start(&lex, &f->scratch, text, &r->printed);
  r->printed.n = 0; /* what is wrong with it */
  r->token = lex.now;
  r->name = ph_intern_find(f, lex.now.s);
}

/* Returns `id` if it is printed as the text. */
static uint32_t end(reading *r, ph_func *f, ph_str text, uint32_t id) {
  bool same = r->printed.n == text.n && text.n > 0 &&
              memcmp(r->printed.at, text.at, text.n) == 0;
  ph_scratch_leave(f, r->bottom);
  return same ? id : 0;
}

static bool is_here(const ph_func *f, uint32_t v) {
  const ph_node *n;
  if (v == 0 || v >= f->nodes.n) return false;
  n = ph_node_of(f, v);
  if (n->forward != 0 || n->flags & PH_IS_DROPPED) return false;
  return n->op == PH_PARAM ||
         (n->block != 0 && !ph_blockrec_of(f, n->block)->removed);
}

ph_value ph_find_value(ph_func *f, ph_str text) {
  reading r;
  uint32_t v;
  start(&r, f, text);
  v = r.token.id != 0 ? r.token.id : ph_naming_onlyvalue(f, r.name);
  if (is_here(f, v)) ph_print_value(&r.printed, f, ph_valueid(v));
  return ph_valueid(end(&r, f, text, v));
}

ph_block ph_find_block(ph_func *f, ph_str text) {
  reading r;
  uint32_t b;
  start(&r, f, text);
  b = r.token.id;
  if (b == 0 && r.token.kind == PH_TOK_WORD) b = ph_naming_blockid(r.token.s);
  if (b == 0) b = ph_naming_onlyblock(f, r.name);
  if (b != 0 && b < f->blocks.n && !ph_blockrec_of(f, b)->removed)
    ph_print_blockname(&r.printed, f, ph_blockid(b));
  return ph_blockid(end(&r, f, text, b));
}
