/* What a program of WASI needs of its host, after the functions of the module in one file of C.
   (WASI snapshot preview 1.) */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUCCESS = 0, BAD_FILE = 8, FAULT = 21, INPUT_OUTPUT = 29 };

static int argument_count;
static char **arguments;

uint32_t wasm_grow(uint64_t bytes) {
  (void)bytes;
  return 1;
}

/* The memory from an address on; NULL if it has not so many bytes there. */
static uint8_t *within(uint32_t at, uint64_t bytes) {
  return at <= wasm_bytes && bytes <= wasm_bytes - at
             ? (uint8_t *)&wasm_memory + at
             : NULL;
}

static uint32_t get(const uint8_t *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
         (uint32_t)p[3] << 24;
}

static uint32_t put(uint32_t at, uint32_t value) {
  uint8_t *p = within(at, 4);
  if (p == NULL) return FAULT;
  for (int i = 0; i < 4; i++) p[i] = (uint8_t)(value >> 8 * i);
  return SUCCESS;
}

uint32_t wasi_snapshot_preview1_fd_write(uint32_t fd, uint32_t list, uint32_t n,
                                         uint32_t written) {
  uint32_t sum = 0;
  const uint8_t *vector = within(list, 8 * (uint64_t)n);
  if (fd != 1 && fd != 2) return BAD_FILE;
  if (vector == NULL) return FAULT;
  for (; n > 0; n--, vector += 8) {
    const uint8_t *bytes = within(get(vector), get(vector + 4));
    uint32_t left = get(vector + 4);
    if (bytes == NULL) return FAULT;
    for (ssize_t done; left > 0;
         bytes += done, left -= (uint32_t)done, sum += (uint32_t)done)
      if ((done = write((int)fd, bytes, left)) < 0) return INPUT_OUTPUT;
  }
  return put(written, sum);
}

_Noreturn void wasi_snapshot_preview1_proc_exit(uint32_t status) {
  exit((int)status);
}

uint32_t wasi_snapshot_preview1_args_sizes_get(uint32_t count, uint32_t size) {
  uint32_t bytes = 0, failed = put(count, (uint32_t)argument_count);
  for (int i = 0; i < argument_count; i++)
    bytes += (uint32_t)strlen(arguments[i]) + 1;
  return failed ? failed : put(size, bytes);
}

uint32_t wasi_snapshot_preview1_args_get(uint32_t list, uint32_t to) {
  for (int i = 0; i < argument_count; i++, list += 4) {
    uint32_t bytes = (uint32_t)strlen(arguments[i]) + 1;
    uint8_t *p = within(to, bytes);
    if (p == NULL || put(list, to)) return FAULT;
    memcpy(p, arguments[i], bytes);
    to += bytes;
  }
  return SUCCESS;
}

int main(int argc, char **argv) {
  argument_count = argc;
  arguments = argv;
  wasm_init();
  wasm_start();
}
