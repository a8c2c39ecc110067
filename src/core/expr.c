#include "core/expr.h"
bool ph_expr_eval(const ph_bindings *b, uint32_t node, int64_t *value) {
  (void)b;
  (void)node;
  (void)value;
  return false;
}
