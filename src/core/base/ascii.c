/* ascii.c: classes of characters.
**
** Nothing here uses the C library's classes, because they depend on the locale.
*/
#include "core/base/ascii.h"

#include <string.h>

bool ph_ascii_isletter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool ph_ascii_isdigit(char c) { return c >= '0' && c <= '9'; }

bool ph_ascii_iscontrol(char c) { return (unsigned char)c < 0x20 || c == 0x7f; }

int ph_ascii_hexvalue(char c) {
  if (ph_ascii_isdigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool ph_ascii_isname(ph_str s) {
  if (s.n == 0 || !ph_ascii_isletter(s.at[0])) return false;
  for (size_t i = 1; i < s.n; i++)
    if (!ph_ascii_isletter(s.at[i]) && !ph_ascii_isdigit(s.at[i])) return false;
  return true;
}

ph_str ph_ascii_str(const char *s) { return (ph_str){s, strlen(s)}; }

bool ph_ascii_equal(ph_str a, const char *s) {
  return a.n > 0 && a.at[0] == s[0] && strlen(s) == a.n &&
         memcmp(a.at, s, a.n) == 0;
}
