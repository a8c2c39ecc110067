#undef assert
#ifdef NDEBUG
#define assert(x) ((void)0)
#else
#include <stdio.h>
#include <stdlib.h>
#define MINIC_TEXT(x) #x
#define MINIC_LINE(x) MINIC_TEXT(x)
#define assert(x)                                                             \
  ((x) ? (void)0                                                              \
       : (fflush(stdout),                                                     \
          dprintf(2, "%s",                                                    \
                  __FILE__ ":" MINIC_LINE(__LINE__) ": assertion failed: " #x \
                                                    "\n"),                    \
          abort()))
#endif
