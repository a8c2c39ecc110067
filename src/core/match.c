/* match.c: for the time being. */
#include "core/match.h"
uint32_t ph_match_room(const ph_func *f) {
  (void)f;
  return 8;
}
ph_matched ph_match_run(ph_func *f, ph_pending *p) {
  (void)f;
  (void)p;
  return PH_MATCH_NONE;
}
void ph_match_use(ph_func *f, ph_rules *set, const ph_engine *engine) {
  (void)f;
  (void)set;
  (void)engine;
}
bool ph_match_late(ph_func *f, bool late) {
  (void)f;
  return late && false;
}
