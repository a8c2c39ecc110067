/* Writes its arguments, a line each; exits with their number, and 3 from new memory. */
#define WASI(name) \
  __attribute__((import_module("wasi_snapshot_preview1"), import_name(#name)))

struct vector {
  const char *bytes;
  unsigned n;
};

WASI(fd_write) int fd_write(int, const struct vector *, int, int *);
WASI(args_sizes_get) int args_sizes_get(int *, int *);
WASI(args_get) int args_get(char **, char *);
WASI(proc_exit) void proc_exit(int);

static char *arguments[100], bytes[4000];

__attribute__((visibility("default"))) void _start(void) {
  int n, size, written;
  args_sizes_get(&n, &size);
  args_get(arguments, bytes);
  for (int i = 1; i < n; i++) {
    struct vector line[2] = {{arguments[i], 0}, {"\n", 1}};
    while (arguments[i][line[0].n]) line[0].n++;
    fd_write(1, line, 2, &written);
  }
  volatile char *more = (char *)(__builtin_wasm_memory_grow(0, 100) << 16);
  more[99 * 65536] = 3;
  proc_exit(more[99 * 65536] + n);
}
