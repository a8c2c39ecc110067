/* report.c: composes messages about what is wrong with a function. */
#include "core/verify/report.h"

#include <stdarg.h>
#include <string.h>

#include "phial/text.h"
#include "core/base/strbuf.h"
#include "core/ir/op.h"
#include "core/text/naming.h"
#include "core/text/print_value.h"

void ph_report_init(ph_problems *p, ph_func *f) {
  memset(p, 0, sizeof *p);
  p->f = f;
  ph_texts_start(&p->texts, &f->told);
}

/*
** {== Names ==========================================================
*/

/* What was removed is shown without the name that it had. */
static void say_value(ph_problems *p, uint32_t v) {
  uint32_t name = ph_naming_valuename(p->f, v);
  if (ph_print_isconst(p->f, v))
    ph_print_const(&p->texts.all, p->f, v);
  else
    ph_naming_value(&p->texts.all, ph_intern_string(p->f, name), v,
                    ph_naming_onlyvalue(p->f, name) == v);
}

/* }== Instructions =================================================== */

static void say_inst(ph_problems *p, uint32_t v) {
  const ph_node *n = ph_node_of(p->f, v);
  if (n->type != PH_NOTYPE) {
    say_value(p, v);
    ph_strbuf_puts(&p->texts.all, " = ");
  }
  ph_print_op(&p->texts.all, p->f, n->op);
  for (uint32_t i = 0; i < n->nargs && i < 3; i++) {
    ph_strbuf_puts(&p->texts.all, i == 0 ? " " : ", ");
    say_value(p, ph_body_operand(p->f, v, i));
  }
  if (n->nargs > 3) ph_strbuf_puts(&p->texts.all, ", ...");
}

/* The frontend's location takes precedence over the host's. */
static ph_srcloc place_of(const ph_func *f, uint32_t v) {
  ph_srcloc at = ph_value_loc(f, ph_valueid(v));
  if (at.line == 0) at = ph_value_hostloc(f, ph_valueid(v));
  if (at.line == 0 && ph_op_has(f, ph_node_of(f, v)->op, PH_TERMINATOR))
    at = ph_block_hostloc(f, ph_value_block(f, ph_valueid(v)), PH_AT_FILLED);
  return at;
}

static void say_place(ph_problems *p, uint32_t v) {
  ph_srcloc at = place_of(p->f, v);
  if (at.line == 0) return;
  ph_strbuf_puts(&p->texts.all, " (at ");
  ph_strbuf_add(&p->texts.all, ph_intern_string(p->f, at.file));
  ph_strbuf_puts(&p->texts.all, at.file != 0 ? ":" : "line ");
  ph_strbuf_uint(&p->texts.all, at.line);
  if (at.col != 0) {
    ph_strbuf_char(&p->texts.all, ':');
    ph_strbuf_uint(&p->texts.all, at.col);
  }
  ph_strbuf_char(&p->texts.all, ')');
}

/* }== Composing ====================================================== */

static void say_bare(ph_problems *p, char what, uint32_t id) {
  if (what == 'b') ph_print_blockname(&p->texts.all, p->f, ph_blockid(id));
  if (what == 'v') say_value(p, id);
  if (what == 'i') say_inst(p, id);
  if (what == 'x')
    ph_strbuf_name(&p->texts.all, ph_var_name(p->f, (ph_var){id}));
  if (what == 'w') {
    ph_strbuf_char(&p->texts.all, '%');
    ph_strbuf_uint(&p->texts.all, id);
  }
}

static void say_quoted(ph_problems *p, char what, uint32_t id) {
  ph_strbuf_char(&p->texts.all, '\'');
  say_bare(p, what, id);
  ph_strbuf_char(&p->texts.all, '\'');
}

static void say_located(ph_problems *p, char what, uint32_t v) {
  if (what == 'f') ph_strbuf_puts(&p->texts.all, "phi ");
  say_quoted(p, what == 'f' ? 'v' : 'i', v);
  say_place(p, v);
  ph_strbuf_puts(&p->texts.all, " in block ");
  say_quoted(p, 'b', ph_node_of(p->f, v)->block);
}

static void say_id(ph_problems *p, char what, uint32_t id) {
  if (what == 'n') {
    ph_strbuf_uint(&p->texts.all, p->last = id);
  } else if (what == 't') {
    if (id == PH_NOTYPE)
      ph_strbuf_puts(&p->texts.all, "nothing");
    else
      ph_print_type(&p->texts.all, p->f, (ph_type)id);
  } else if (what == 'i' || what == 'f') {
    say_located(p, what, id);
  } else {
    say_quoted(p, what, id);
  }
}

static void say_one(ph_problems *p, char what, va_list *ap) {
  if (what == 's')
    ph_strbuf_puts(&p->texts.all, va_arg(*ap, const char *));
  else if (what == 'e')
    ph_strbuf_puts(&p->texts.all, p->last == 1 ? "" : "s");
  else
    say_id(p, what, va_arg(*ap, uint32_t));
}

static void compose(ph_problems *p, const char *format, va_list *ap) {
  for (;;) {
    size_t n = strcspn(format, "%");
    ph_strbuf_add(&p->texts.all, (ph_str){format, n});
    if (format[n] == '\0') return;
    say_one(p, format[n + 1], ap);
    format += n + 2;
  }
}

void ph_report_say(ph_problems *p, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  compose(p, format, &ap);
  va_end(ap);
}

void ph_report_end(ph_problems *p) {
  p->count++;
  ph_texts_end(&p->texts);
}

void ph_report_add(ph_problems *p, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  compose(p, format, &ap);
  va_end(ap);
  ph_report_end(p);
}

/* }=================================================================== */
