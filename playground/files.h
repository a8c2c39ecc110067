/* files.h: the Lua files that are part of the program. */
#ifndef PLAYGROUND_FILES_H
#define PLAYGROUND_FILES_H

#include <stddef.h>

/* A module: its name, the name of its chunk ("@phial/init.lua"), its text. */
struct file {
  const char *name;
  const char *chunk;
  const unsigned char *text;
  size_t size;
};

/* Sorted by name. */
extern const struct file files[];
extern const size_t file_count;

#endif
