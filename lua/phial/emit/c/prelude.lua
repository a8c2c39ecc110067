-- What precedes emitted functions: headers and helpers, those that they need.
local Helpers = require "phial.code.helpers"
local types = require "phial.emit.c.types"

-- Each with what it needs, in the order in which C must see them.
local SOURCES = {
  { "stdint", "", "#include <stdbool.h>\n#include <stdint.h>" },
  { "string", "", "#include <string.h>" },
  { "phial_pointer", "", "typedef union { char *p; uint8_t b[8]; } phial_pointer;" },
  { "phial_list", "", [[
#include <stdarg.h>
_Static_assert(sizeof(va_list) <= 32 && _Alignof(va_list) <= 8, "a va_list has 32 bytes");
#define phial_list(p) (*(va_list *)(p))]] },

  -- Compilers see that x != 4 || x < 5 is always true, or that a narrow x never equals ~x, and say
  -- so.
  { "comparisons", "", [[
#if defined __clang__
#pragma clang diagnostic ignored "-Wtautological-compare"
#elif defined __GNUC__ && !defined __TINYC__
#pragma GCC diagnostic ignored "-Waddress"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#pragma GCC diagnostic ignored "-Wtype-limits"
#endif]] },

  -- Compilers see that a function always calls itself, and say so.
  { "recursions", "", [[
#if defined __clang__
#pragma clang diagnostic ignored "-Winfinite-recursion"
#elif defined __GNUC__ && __GNUC__ >= 12
#pragma GCC diagnostic ignored "-Winfinite-recursion"
#endif]] },

  -- For phial_ptradd; before all functions, so that they have the same options.
  { "wrapping", "", [[
#if defined __OPTIMIZE__ && defined __GNUC__ && !defined __clang__
#define PHIAL_WRAPS
#pragma GCC optimize("wrapv-pointer")
#endif]] },

  -- A compiler must neither compute with more precision than a type has, nor contract
  -- a product and a sum.
  { "floats", "", [[
#include <float.h>
#if defined FLT_EVAL_METHOD && FLT_EVAL_METHOD == 2
#error "double is computed with more precision than it has: try -msse2 -mfpmath=sse"
#endif
#if defined __clang__
#pragma STDC FP_CONTRACT OFF
#elif defined __GNUC__ && defined __FP_FAST_FMA
#pragma GCC optimize("fp-contract=off")
#endif]] },

  -- Of native code: what src/binding/native/library.c finds in it. A library belongs to
  -- one Lua state, so its variable is that of one thread.
  { "native", "", [[
#include <stddef.h>
struct phial_state {
  void (*trap)(void *data, const char *why, size_t n);
  void (*call)(void *data, uint32_t site, const char *types, uint64_t *words);
  void *data;
  uintptr_t limit;
};
static struct phial_state phial_now;
struct phial_state *phial_state(void) { return &phial_now; }]] },
  { "native_trap", "native", [[
static _Noreturn void phial_trap(const char *why, size_t n) {
  phial_now.trap(phial_now.data, why, n);
  for (;;) {
  }
}
#define PHIAL_TRAP(why) phial_trap(why, sizeof(why) - 1)]] },
  { "phial_is_deep", "native", [[
#if defined __x86_64__ && defined __LP64__ && defined __GNUC__ && !defined __TINYC__
register uintptr_t phial_here __asm__("rsp");
#else
#define phial_here ((uintptr_t)__builtin_frame_address(0))
#endif
static inline bool phial_is_deep(uintptr_t limit, uint64_t bytes) {
  uintptr_t here = phial_here;
  return here < limit || here - limit < bytes;
}]] },

  -- Of a call that comes last, compilers make a loop or a jump, which takes no stack. The empty
  -- statement after this one keeps it a call, and takes no time.
  { "phial_nested", "", [[
#ifdef __OPTIMIZE__
#define phial_nested(type, call)             \
  __extension__({                            \
    type phial_result = call;                \
    __asm__ volatile("" : : : "memory");     \
    phial_result;                            \
  })
#else
#define phial_nested(type, call) call
#endif]] },
  { "phial_nested_void", "", [[
#ifdef __OPTIMIZE__
#define phial_nested_void(call) __extension__({ call; __asm__ volatile("" : : : "memory"); })
#else
#define phial_nested_void(call) call
#endif]] },

  -- A function whose call of itself comes last may become a loop, which is faster: it is passed the
  -- limit, which each call raises by a byte, as if it took that.
  { "phial_floor", "native", [[
#ifdef __OPTIMIZE__
#define phial_floor_param , uintptr_t phial_floor
#define phial_floor_now phial_floor
#define phial_floor_first , phial_now.limit
#define phial_floor_next , phial_floor + 1
#else
#define phial_floor_param
#define phial_floor_now phial_now.limit
#define phial_floor_first
#define phial_floor_next
#endif]] },

  -- What is called for an error. It must not return.
  { "PHIAL_TRAP", "", [[
#ifndef PHIAL_TRAP
#include <stdio.h>
#include <stdlib.h>
#define PHIAL_TRAP(why) (fputs(why "\n", stderr), abort())
#endif]] },

  -- Control never gets there.
  { "PHIAL_UNREACHABLE", "", [[
#ifndef PHIAL_UNREACHABLE
#if defined __GNUC__ && !defined __TINYC__
#define PHIAL_UNREACHABLE() __builtin_unreachable()
#else
#include <stdlib.h>
#define PHIAL_UNREACHABLE() abort()
#endif
#endif]] },

  { "PHIAL_MUSTTAIL", "", [[
#if !defined PHIAL_MUSTTAIL && defined __has_attribute
#if __has_attribute(musttail)
#define PHIAL_MUSTTAIL __attribute__((musttail))
#endif
#endif]] },

  -- A name for the linker.
  { "PHIAL_SYMBOL", "", [[
#ifndef __USER_LABEL_PREFIX__
#define __USER_LABEL_PREFIX__
#endif
#define PHIAL_TEXT(x) #x
#define PHIAL_EXPAND(x) PHIAL_TEXT(x)
#define PHIAL_SYMBOL(name) __asm__(PHIAL_EXPAND(__USER_LABEL_PREFIX__) name)]] },
}

local function add(...) SOURCES[#SOURCES + 1] = { ... } end

-- A function whose result has the bytes at an address.
local function copying(name, c_type, result, param, from)
  local text = [[
static inline TYPE NAME(PARAM) {
  TYPE RESULT;
  memcpy(&RESULT, FROM, sizeof RESULT);
  return RESULT;
}]]
  add(name, "string", (text:gsub("%u+", { TYPE = c_type, NAME = name, RESULT = result,
    PARAM = param, FROM = from })))
end

-- The bits of floats.
copying("phial_f32", "float", "x", "uint32_t bits", "&bits")
copying("phial_f64", "double", "x", "uint64_t bits", "&bits")
copying("phial_bits32", "uint32_t", "bits", "float x", "&x")
copying("phial_bits64", "uint64_t", "bits", "double x", "&x")

-- Bits, by a loop where a compiler has no function for it.
local function of_bits(name, built_in, loop)
  add("phial_" .. name, "", ([[
static inline uint64_t phial_%s(uint64_t x) {
#if defined __GNUC__ && !defined __TINYC__
  return %s;
#else
%s
#endif
}]]):format(name, built_in, loop))
end

of_bits("popcnt", "(uint64_t)__builtin_popcountll(x)", [[
  uint64_t n = 0;
  for (; x != 0; x &= x - 1) n++;
  return n;]])
of_bits("clz", "x == 0 ? 64 : (uint64_t)__builtin_clzll(x)", [[
  uint64_t n = 64;
  for (; x != 0; x >>= 1) n--;
  return n;]])
of_bits("ctz", "x == 0 ? 64 : (uint64_t)__builtin_ctzll(x)", [[
  uint64_t n = 0;
  while (n < 64 && (x >> n & 1) == 0) n++;
  return n;]])
of_bits("bswap", "__builtin_bswap64(x)", [[
  uint64_t y = 0;
  for (int i = 0; i < 64; i += 8) y = y << 8 | (x >> i & 255);
  return y;]])

-- The high half of a product, of products of halves.
add("phial_umulh_i64", "", [[
static inline uint64_t phial_umulh_i64(uint64_t a, uint64_t b) {
#if defined __SIZEOF_INT128__ && !defined __TINYC__
  return (uint64_t)((unsigned __int128)a * b >> 64);
#else
  uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
  uint64_t m = ah * bl + (al * bl >> 32);
  return ah * bh + (m >> 32) + ((al * bh + (uint32_t)m) >> 32);
#endif
}]])
add("phial_smulh_i64", "phial_umulh_i64", [[
static inline uint64_t phial_smulh_i64(uint64_t a, uint64_t b) {
  return phial_umulh_i64(a, b) - (a >> 63 ? b : 0) - (b >> 63 ? a : 0);
}]])

-- Operands that are converted by the call need no casts, and compilers do not warn of
-- constants among them.
for _, type in ipairs { "i8", "i16", "i32", "i64" } do
  local width = types.width(type)
  local function of_type(name, params, text, more)
    local helper = ("phial_%s_%s"):format(name, type)
    add(helper, more or "", (([[
static inline TYPE HELPER(PARAMS) {
  return (TYPE)(TEXT);
}]]):gsub("%u%u+", { HELPER = helper, PARAMS = params, TEXT = text })
      :gsub("%u%u+", { TYPE = types.name(type), SIGNED = types.signed(type) })))
  end
  local stop = width < 64 and (" | UINT64_C(1) << %d"):format(width) or ""
  of_type("popcnt", "TYPE x", "phial_popcnt(x)", "phial_popcnt")
  of_type("clz", "TYPE x", ("phial_clz(x) - %d"):format(64 - width), "phial_clz")
  of_type("ctz", "TYPE x", ("phial_ctz(x%s)"):format(stop), "phial_ctz")
  of_type("bswap", "TYPE x", ("phial_bswap(x) >> %d"):format(64 - width), "phial_bswap")
  of_type("umin", "TYPE a, TYPE b", "a < b ? a : b")
  of_type("umax", "TYPE a, TYPE b", "a > b ? a : b")
  local signed = "x >= 0x1p%d ? %s : x > -0x1p%d ? (TYPE)(SIGNED)x : x == x ? %s : 0"
  local most, least = ("%#x"):format((1 << width - 1) - 1), ("%#x"):format(1 << width - 1)
  of_type("ftoi_sat", "double x", signed:format(width - 1, most, width - 1, least))
  of_type("ftou_sat", "double x", ("x >= 0x1p%d ? (TYPE)-1 : x > 0 ? (TYPE)x : 0"):format(width))
  of_type("smin", "TYPE a, TYPE b", "(SIGNED)a < (SIGNED)b ? a : b")
  of_type("smax", "TYPE a, TYPE b", "(SIGNED)a > (SIGNED)b ? a : b")
  if width < 64 then
    of_type("umulh", "TYPE a, TYPE b", ("(uint64_t)a * b >> %d"):format(width))
    of_type("smulh", "TYPE a, TYPE b", ("(int64_t)(SIGNED)a * (SIGNED)b >> %d"):format(width))
  end
end

-- Functions of the library of C, declared as in its header.
for _, type in ipairs { "f32", "f64" } do
  local c_type, letter = types.name(type), type == "f32" and "f" or ""
  local function of_library(name, c_name, params, args)
    add(("phial_%s_%s"):format(name, type), "floats", (([[
extern TYPE CALLEE(PARAMS);
static inline TYPE HELPER(PARAMS) {
  return CALLEE(ARGS);
}]]):gsub("%u%u+", { CALLEE = c_name .. letter, ARGS = args, PARAMS = params:format(c_type, c_type),
      TYPE = c_type, HELPER = ("phial_%s_%s"):format(name, type) })))
  end
  of_library("fabs", "fabs", "%s x", "x")
  of_library("fsqrt", "sqrt", "%s x", "x")
  of_library("ffloor", "floor", "%s x", "x")
  of_library("fceil", "ceil", "%s x", "x")
  of_library("ftrunc", "trunc", "%s x", "x")
  of_library("fnearest", "rint", "%s x", "x")
  of_library("copysign", "copysign", "%s x, %s y", "x, y")

  -- The bits of equal operands differ at most in the sign of 0.
  local function extreme(name, less, join, picked)
    local helper, bits = ("phial_%s_%s"):format(name, type), "phial_bits" .. type:sub(2)
    add(helper, ("floats phial_%s %s"):format(type, bits), (([[
static inline TYPE HELPER(TYPE x, TYPE y) {
  TYPE extreme = x LESS y ? x : y;
  if (x == y) return phial_KIND(BITS(x) JOIN BITS(y));
  return PICKED != PICKED ? x : extreme;
}]]):gsub("%u%u+", { TYPE = c_type, HELPER = helper, LESS = less, KIND = type, BITS = bits,
      JOIN = join, PICKED = picked })))
  end
  extreme("fminimum", "<", "|", "x")
  extreme("fmaximum", ">", "&", "x")
  extreme("fminnum", "<", "|", "y")
  extreme("fmaxnum", ">", "&", "y")
end

-- Memory. Accesses can alias: where a compiler cannot be told, they copy bytes, as those do that
-- need not be aligned.
add("phial_alias", "", [[
#ifdef __GNUC__
#define PHIAL_ALIAS __attribute__((may_alias))
#else
#define PHIAL_ALIAS
#endif]])
add("phial_copies", "", [[
#if !defined __GNUC__ && !defined __TINYC__
#include <string.h>
#define PHIAL_COPIES
#endif]])
-- gcc forgets that an access is volatile if it knows the array.
add("phial_hidden", "", [[
#ifdef __OPTIMIZE__
static inline char *phial_hidden(char *p) {
  __asm__("" : "+r"(p));
  return p;
}
#else
#define phial_hidden(p) (p)
#endif]])
local COPYING <const> = {
  load = [[
static inline CTYPE phial_load_TYPE(const char *from) {
  CTYPE x;
  memcpy(&x, from, sizeof x);
  return x;
}]],
  store = [[
static inline void phial_store_TYPE(char *to, CTYPE x) {
  memcpy(to, &x, sizeof x);
}]],
}
local TYPED <const> = {
  load = "#define phial_load_TYPE(from) (*(const QUALIFIERphial_THERE *)HIDDEN(from))",
  store = "#define phial_store_TYPE(to, x) (*(QUALIFIERphial_THERE *)HIDDEN(to) = (x))",
}

for _, type in ipairs { "i8", "i16", "i32", "i64", "f32", "f64", "ptr" } do
  local there = type .. "_there"
  add("phial_" .. there, "phial_alias", ("typedef %s PHIAL_ALIAS phial_%s;"):format(
    types.name(type), there))
  for _, op in ipairs { "load", "store" } do
    local function accessing(kind, needs, format, qualifier)
      local text = format:gsub("COPYING", COPYING[op]):gsub("TYPED", TYPED[op])
      add(("phial_%s_%s%s"):format(op, kind, type), needs, (text:gsub("%u%u+", {
        CTYPE = types.name(type), TYPE = kind .. type, THERE = there, QUALIFIER = qualifier or "",
        HIDDEN = qualifier and "phial_hidden" or "",
      })))
    end
    accessing("", "phial_copies phial_" .. there,
      "#ifdef PHIAL_COPIES\nCOPYING\n#else\nTYPED\n#endif")
    accessing("unaligned_", "string", "COPYING")
    -- one access, which no compiler merges, removes or splits
    accessing("volatile_", "phial_hidden phial_" .. there, "TYPED", "volatile ")
  end
end

-- An i1 is a byte there.
for _, kind in ipairs { "", "unaligned_", "volatile_" } do
  local load, store = "phial_load_" .. kind, "phial_store_" .. kind
  add(load .. "i1", load .. "i8", ("#define %si1(from) ((%si8(from) & 1) != 0)"):format(load, load))
  add(store .. "i1", store .. "i8", ("#define %si1(to, x) %si8(to, x)"):format(store, store))
end

-- An address can lead anywhere, as long as nothing there is accessed. gcc makes better loops of
-- pointers than of integers, and can be told that pointers wrap around.
add("phial_ptradd", "wrapping", [[
#ifdef PHIAL_WRAPS
__attribute__((no_sanitize("pointer-overflow")))
static inline char *phial_ptradd(char *p, uint64_t n) {
  return p + (int64_t)n;
}
#else
#define phial_ptradd(p, n) ((char *)((uintptr_t)(p) + (n)))
#endif]])

-- Hides from a compiler, which would warn, that a switch goes one way.
for _, type in ipairs { "i1", "i8", "i16", "i32", "i64" } do
  local c_type = types.name(type)
  add("phial_any_" .. type, "",
    ("static inline %s phial_any_%s(%s x) { return x; }"):format(c_type, type, c_type))
end

return Helpers.new(SOURCES)
