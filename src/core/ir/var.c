/* var.c: the variables of the source program. */
#include "core/ir/contract.h"
#include "core/ir/event.h"
#include "core/ir/intern.h"
#include "core/ir/srcloc.h"

ph_var ph_var_new(ph_func *f, ph_str name, ph_type type) {
  ph_varrec var = {0};
  ph_require(type != PH_NOTYPE && "a type");
  var.name = ph_intern_of(f, name);
  var.type = type;
  var.made = ph_srcloc_now(f);
  ph_vars_push(&f->vars, &f->arena, var);
  ph_event_note(f, PH_EV_VAR, 0, f->vars.n - 1, 0, 0);
  return (ph_var){f->vars.n - 1};
}

uint32_t ph_var_count(const ph_func *f) { return f->vars.n - 1; }

static const ph_varrec *rec(const ph_func *f, ph_var var) {
  ph_require(ph_contract_hasvar(f, var) && "a variable of this function");
  return &f->vars.at[var.id];
}

ph_type ph_var_type(const ph_func *f, ph_var var) { return rec(f, var)->type; }

ph_str ph_var_name(const ph_func *f, ph_var var) {
  return ph_intern_string(f, rec(f, var)->name);
}

ph_srcloc ph_var_hostloc(const ph_func *f, ph_var var) {
  return ph_srcloc_of(f, rec(f, var)->made);
}
