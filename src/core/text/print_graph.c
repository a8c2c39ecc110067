/* print_graph.c: prints the blocks of a function as a graph in Graphviz's
** language.
**
** A block is a table: name, phis, instructions.  Edges are labelled with their
** condition or key.  Edges that lead backward in reverse postorder close a loop:
** to a dominator they are blue, otherwise red, since the loop is irreducible.
**
** Linear.  Requires: nothing; an unfinished function can be printed, too.
** Changes nothing.
*/
#include "phial/text.h"
#include "core/analysis/rpo.h"
#include "core/ir/op.h"
#include "core/text/quote.h"
#include "core/text/print_value.h"

typedef struct {
  ph_strbuf *b;
  ph_func *f;
  const ph_rpo *order;
  const ph_domtree *dom;
} graph;

static void put_value(graph *g, uint32_t v) {
  ph_print_value(g->b, g->f, ph_valueid(v));
}

static void put_phi(graph *g, uint32_t v) {
  const ph_node *n = ph_node_of(g->f, v);
  uint32_t edge = ph_blockrec_of(g->f, n->block)->first_pred;
  uint32_t var = g->f->phis.at[n->aux].var;
  if (var != 0) {
    ph_strbuf_char(g->b, ' ');
    ph_print_var(g->b, g->f, var);
  }
  ph_strbuf_puts(g->b, " [");
  for (uint32_t i = 0; i < n->nargs; i++) {
    const ph_edge *e = &g->f->edges.at[edge];
    if (i > 0) ph_strbuf_puts(g->b, ", ");
    ph_print_blockname(g->b, g->f, ph_blockid(e->from));
    ph_strbuf_puts(g->b, ": ");
    put_value(g, ph_body_operand(g->f, v, i));
    edge = e->next;
  }
  ph_strbuf_char(g->b, ']');
}

static void put_inst(graph *g, uint32_t v) {
  ph_data data = ph_print_dataof(g->f, v);
  if (data.tag != PH_DATA_NONE) {
    ph_strbuf_puts(g->b, " {");
    ph_print_hint(g->b, g->f, data);
    ph_strbuf_char(g->b, '}');
  }
  for (uint32_t i = 0; i < ph_node_of(g->f, v)->nargs; i++) {
    ph_strbuf_puts(g->b, i == 0 ? " " : ", ");
    put_value(g, ph_body_operand(g->f, v, i));
  }
}

static void put_line(graph *g, uint32_t v) {
  const ph_node *n = ph_node_of(g->f, v);
  size_t start = g->b->n;
  if (n->type != PH_NOTYPE) {
    put_value(g, v);
    ph_strbuf_puts(g->b, ": ");
    ph_print_type(g->b, g->f, n->type);
    ph_strbuf_puts(g->b, " = ");
  }
  ph_print_op(g->b, g->f, n->op);
  if (n->op == PH_PHI)
    put_phi(g, v);
  else
    put_inst(g, v);
  ph_quote_html(g->b, start);
  ph_strbuf_puts(g->b, "<br align=\"left\"/>");
}

/* A row of the table: the instructions from `first` on. */
static void put_lines(graph *g, uint32_t first, const char *color) {
  if (first == 0) return;
  ph_strbuf_puts(g->b, "<tr><td align=\"left\" balign=\"left\"");
  ph_strbuf_puts(g->b, color);
  ph_strbuf_char(g->b, '>');
  for (uint32_t v = first; v != 0; v = ph_node_of(g->f, v)->next)
    put_line(g, v);
  ph_strbuf_puts(g->b, "</td></tr>");
}

static void put_id(graph *g, uint32_t b) {
  ph_strbuf_char(g->b, 'b');
  ph_strbuf_uint(g->b, b);
}

static void put_node(graph *g, uint32_t b) {
  size_t start;
  ph_strbuf_puts(g->b, "  ");
  put_id(g, b);
  ph_strbuf_puts(g->b, " [label=<<table border=\"0\" cellborder=\"1\" "
                       "cellspacing=\"0\" cellpadding=\"4\">"
                       "<tr><td align=\"left\" bgcolor=\"#e8e8e8\"><b>");
  start = g->b->n;
  ph_print_blockname(g->b, g->f, ph_blockid(b));
  ph_quote_html(g->b, start);
  ph_strbuf_puts(g->b, "</b></td></tr>");
  put_lines(g, ph_blockrec_of(g->f, b)->first_phi, " bgcolor=\"#f4f8ff\"");
  put_lines(g, ph_blockrec_of(g->f, b)->first, "");
  ph_strbuf_puts(g->b, "</table>>];\n");
}

/* Appends the label of edge i, from 0, that leaves b, if it has one. */
static void put_label(graph *g, uint32_t b, uint32_t i) {
  const ph_blockrec *block = ph_blockrec_of(g->f, b);
  ph_op op = ph_node_of(g->f, block->last)->op;
  size_t start;
  if (block->nsuccs == 1 && op != PH_SWITCH) return;
  ph_strbuf_puts(g->b, "label=<");
  start = g->b->n;
  if (op == PH_BRANCH)
    ph_strbuf_puts(g->b, i == 0 ? "true" : "false");
  else if (op == PH_SWITCH && i == 0)
    ph_strbuf_puts(g->b, "default");
  else if (op == PH_SWITCH)
    put_value(g, ph_body_operand(g->f, block->last, i));
  else
    ph_strbuf_uint(g->b, i + 1);
  ph_quote_html(g->b, start);
  ph_strbuf_puts(g->b, ">, ");
}

static const char *color_of(const graph *g, uint32_t b, uint32_t to) {
  const uint32_t *at = g->order->index;
  if (at[b] == PH_UNREACHED || at[to] > at[b]) return "black";
  return ph_dom_dominates(g->dom, ph_blockid(to), ph_blockid(b)) ? "blue"
                                                                 : "red";
}

static void put_edges(graph *g, uint32_t b) {
  for (uint32_t i = 0; i < ph_blockrec_of(g->f, b)->nsuccs; i++) {
    uint32_t to = g->f->edges.at[ph_blockrec_of(g->f, b)->first_succ + i].to;
    ph_strbuf_puts(g->b, "  ");
    put_id(g, b);
    ph_strbuf_puts(g->b, " -> ");
    put_id(g, to);
    ph_strbuf_puts(g->b, " [");
    put_label(g, b, i);
    ph_strbuf_puts(g->b, "color=");
    ph_strbuf_puts(g->b, color_of(g, b, to));
    ph_strbuf_puts(g->b, "];\n");
  }
}

void ph_print_graph(ph_strbuf *b, ph_func *f, const ph_rpo *o,
                    const ph_domtree *d) {
  graph g = {ph_ptr(b), ph_ptr(f), ph_ptr(o), ph_ptr(d)};
  ph_body_settle(f);
  ph_strbuf_puts(b, "digraph {\n"
                    "  node [shape=plain, fontname=\"Courier\"];\n"
                    "  edge [fontname=\"Courier\"];\n");
  PH_EACH_BLOCK(f, block) put_node(&g, block);
  PH_EACH_BLOCK(f, block) put_edges(&g, block);
  ph_strbuf_puts(b, "}\n");
}
