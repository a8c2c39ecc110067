/* naming.c: how values and blocks are named in text.
**
** A name appears alone if nothing else of its kind has that name; otherwise the
** id follows it.  For a single thing, name_count.c finds that out; print.c and
** report.c, which show many, count all names once.
*/
#include "core/text/naming.h"

#include "core/base/ascii.h"
#include "core/base/numfmt.h"
#include "core/ir/name_count.h"

/* The presence of block b, and of what it contains. */
static ph_presence look_at_home(const ph_func *f, uint32_t b) {
  return ph_blockrec_of(f, b)->removed ? PH_NAME_GONE : PH_NAME_HERE;
}

static ph_presence look_at_value(const ph_func *f, uint32_t v, uint32_t name) {
  const ph_node *n = ph_node_of(f, v);
  if (f->names.at[v] != name || n->forward != 0 || n->flags & PH_IS_DROPPED ||
      n->type == PH_NOTYPE)
    return PH_NAME_GONE;
  if (n->op == PH_PARAM) return PH_NAME_HERE;
  return n->block == 0 ? PH_NAME_AWAY : look_at_home(f, n->block);
}

static ph_presence look_at_block(const ph_func *f, uint32_t b, uint32_t name) {
  return ph_blockrec_of(f, b)->name == name ? look_at_home(f, b) : PH_NAME_GONE;
}

uint32_t ph_naming_valuename(const ph_func *f, uint32_t v) {
  uint32_t name = v < f->names.n ? f->names.at[v] : 0;
  return name != 0 && look_at_value(f, v, name) == PH_NAME_HERE ? name : 0;
}

static void put_id(ph_strbuf *b, char before, uint32_t id) {
  ph_strbuf_char(b, before);
  ph_strbuf_uint(b, id);
}

void ph_naming_value(ph_strbuf *b, ph_str name, uint32_t id, bool only) {
  if (name.n == 0) {
    put_id(b, '%', id);
    return;
  }
  ph_strbuf_char(b, '%');
  ph_strbuf_name(b, name);
  if (!only) put_id(b, '.', id);
}

bool ph_naming_isblockid(ph_str s) {
  if (s.n < 2 || s.at[0] != 'b') return false;
  for (size_t i = 1; i < s.n; i++)
    if (!ph_ascii_isdigit(s.at[i])) return false;
  return true;
}

uint32_t ph_naming_blockid(ph_str s) {
  int64_t id;
  ph_str digits = {s.at + 1, s.n - 1};
  if (!ph_naming_isblockid(s)) return 0;
  return ph_numfmt_int(digits, &id) && id < UINT32_MAX ? (uint32_t)id
                                                       : UINT32_MAX;
}

void ph_naming_block(ph_strbuf *b, ph_str name, uint32_t id, bool only) {
  if (name.n == 0) {
    put_id(b, 'b', id);
    return;
  }
  if (ph_naming_isblockid(name))
    ph_strbuf_quoted(b, name);
  else
    ph_strbuf_name(b, name);
  if (!only) put_id(b, '.', id);
}

uint32_t ph_naming_onlyvalue(ph_func *f, uint32_t name) {
  ph_name_counts *s = &f->named_values;
  for (; s->met < f->names.n; s->met++)
    ph_name_count_add(f, s, s->met, f->names.at[s->met]);
  return ph_name_count_only(f, s, name, look_at_value);
}

uint32_t ph_naming_onlyblock(ph_func *f, uint32_t name) {
  ph_name_counts *s = &f->named_blocks;
  for (; s->met < f->blocks.n; s->met++)
    ph_name_count_add(f, s, s->met, ph_blockrec_of(f, s->met)->name);
  return ph_name_count_only(f, s, name, look_at_block);
}
