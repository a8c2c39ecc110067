-- Names in C: identifiers that are unique where they are used, and are neither words
-- of C nor names that its headers define as macros.
local portable = require "phial.portable"

local M = {}

-- What no identifier may be: keywords, macros of the headers, names that emitted code
-- uses itself. (More macros are upper case, and more types end in _t: M.is_reserved.)
local RESERVED = {}
for word in ([[
  auto break case char const continue default do double else enum extern float for goto if inline
  int long register restrict return short signed sizeof static struct switch typedef union
  unsigned void volatile while asm typeof alignas alignof bool complex imaginary noreturn
  static_assert thread_local nullptr constexpr true false L_ctermid L_tmpnam P_tmpdir I stdin _
  stdout stderr errno assert offsetof unix linux i386 vax sun memcpy memset abort fputs va_arg
  va_copy va_end va_list va_start uint ulong ushort u_char u_int u_long u_short fd_mask fd_set
  be16toh be32toh be64toh le16toh le32toh le64toh htobe16 htobe32 htobe64 htole16 htole32
  htole64]])
  :gmatch "%S+" do
  RESERVED[word] = true
end

-- Functions that compilers know or that the headers declare: functions cannot have
-- these names, unless they are declarations of them. (More: M.is_library.)
local LIBRARY = {}
local VARIANTS <const> = { "", "f", "l", "f16", "f32", "f32x", "f64", "f64x", "f128" }
local function add_library(word)
  for _, variant in ipairs(VARIANTS) do LIBRARY[word .. variant] = true end
end
for word in ([[
  main abs labs llabs imaxabs div ldiv lldiv imaxdiv drem exp10 finite fma frexp gamma ilogb
  isfinite isgreater isgreaterequal isinf isless islessequal islessgreater isnan isnormal
  isunordered j0 j1 jn ldexp llrint llround lrint lround modf nan nexttoward pow10 remquo scalb
  scalbln scalbn signbit significand sincos y0 y1 yn cabs cacos cacosh carg casin casinh catan
  catanh ccos ccosh cexp cimag clog conj cpow cproj creal csin csinh csqrt ctan ctanh roundeven
  bcmp bcopy bzero index rindex ffs ffsl ffsll memchr memcmp memmove mempcpy strcasecmp strcat
  strchr strcmp strcpy strcspn strdup strlen strncasecmp strncat strncmp strncpy strndup strnlen
  strpbrk strrchr strspn strstr stpcpy stpncpy strcoll strerror strtok strxfrm isalnum isalpha
  isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit
  toascii tolower toupper iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint
  iswpunct iswspace iswupper iswxdigit towlower towupper clog10 feclearexcept fegetenv
  fegetexceptflag fegetround feholdexcept feraiseexcept fesetenv fesetexceptflag fesetround
  fetestexcept feupdateenv memcpy memset memccpy memrchr explicit_bzero strlcat strlcpy strsep
  strsignal wcslen fls flsl flsll abort fputs fseeko ftello fmemopen open_memstream vdprintf
  setbuffer setlinebuf getw putw flockfile ftrylockfile funlockfile tempnam memalign valloc
  reallocarray vec_malloc vec_calloc vec_realloc vec_free ecvt fcvt gcvt qecvt qfcvt qgcvt a64l
  l64a strtoq strtouq arc4random arc4random_buf arc4random_uniform initstate setstate erand48
  jrand48 lcong48 mrand48 nrand48 seed48 srand48 mkstemps clearenv getloadavg getsubopt on_exit
  pselect rpmatch vfork wcschr wcscmp wcsncmp wmemchr wmemcmp wmemcpy wmemmove fprintf fputc
  fscanf fwrite printf putchar puts scanf snprintf sprintf sscanf vfprintf vprintf vscanf
  vsnprintf vsprintf vsscanf vfscanf clearerr fclose feof ferror fflush fgetc fgetpos fgets fopen
  fread freopen fseek fsetpos ftell getc getchar gets perror putc remove rename rewind setbuf
  setvbuf tmpfile tmpnam ungetc getline getdelim dprintf fileno fdopen popen pclose ctermid
  renameat aligned_alloc alloca calloc free malloc posix_memalign realloc _exit exit atexit
  at_quick_exit quick_exit atof atoi atol atoll bsearch getenv mblen mbtowc wctomb mbstowcs
  wcstombs qsort rand srand strtod strtof strtold strtol strtoll strtoul strtoull system random
  srandom setenv unsetenv putenv mktemp mkstemp mkdtemp realpath drand48 lrand48 select execl
  execle execlp execv execve execvp fork dcgettext dgettext gettext strfmon strftime setjmp
  longjmp sigsetjmp clock time signal raise]]):gmatch "%S+" do
  add_library(word)
end

-- How C declares functions on floats that compilers know, making instructions of some.
local MATH = {}
for params, words in pairs {
  ["%s"] = [[
    acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor lgamma
    log log10 log1p log2 logb nearbyint rint round sin sinh sqrt tan tanh tgamma trunc]],
  ["%s, %s"] = "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder",
} do
  for word in words:gmatch "%S+" do
    add_library(word)
    MATH[word] = "double %s(" .. params:gsub("%%s", "double") .. ")"
    MATH[word .. "f"] = "float %s(" .. params:gsub("%%s", "float") .. ")"
  end
end

-- Bytes at the ends of names, which decide most of what follows.
local UNDERSCORE <const>, D <const>, L <const>, R <const>, T <const> = ("_dlrt"):byte(1, -1)

-- Which names are reserved, by their first letter.
local CAPITALS <const> = "^[A-Z][A-Z0-9_]+[A-Z0-9]$"
local BEGINNINGS = { [UNDERSCORE] = "^_[_A-Z]", [("p"):byte()] = "^p[Hh][Ii][Aa][Ll]_" }
for letter = ("A"):byte(), ("Z"):byte() do BEGINNINGS[letter] = CAPITALS end

--- True if the name is a word of C, or one that emitted code or headers use.
---@param name string
---@return boolean
function M.is_reserved(name)
  local before, last = name:byte(-2, -1)
  if RESERVED[name] or before == UNDERSCORE and last == T then return true end
  local beginning = BEGINNINGS[name:byte()]
  return beginning ~= nil and (name:find(beginning) or name:find "^P[Hh][Ii][Aa][Ll]_") ~= nil
end

--- True for the declaration that C has of a function on floats: the function can have its
--- own name.
---@param name string
---@param format string of the declaration: "double %s(double)"
---@return boolean
function M.is_math(name, format) return MATH[name] == format end

--- True if a library of C has a function of that name, or may have it.
---@param name string
---@return boolean
function M.is_library(name)
  local before, last = name:byte(-2, -1)
  return LIBRARY[name] == true or before == UNDERSCORE and (last == L or last == R)
    or last == D and name:sub(-9) == "_unlocked"
    or name:byte() == UNDERSCORE and name:find "^_[_A-Z]" ~= nil
end

--- True for a name that C can have as it is.
---@param name string
---@return boolean
function M.is_plain(name)
  return name:find "^[a-zA-Z_][a-zA-Z_0-9]*$" ~= nil and #name <= 200 and not M.is_reserved(name)
end

-- Bytes other than letters of ASCII are octal, and no two question marks follow one another: they
-- could be a trigraph.
local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\", ["?"] = "\\?", ["\n"] = "\\n" }
for byte = 0, 255 do
  local c = string.char(byte)
  if c:find "[\0-\31\127-\255]" and c ~= "\n" then ESCAPES[c] = ("\\%03o"):format(byte) end
end

--- A string in quotes.
---@param s string
---@return string
function M.quoted(s)
  return '"' .. s:gsub('[\0-\31"?\\\127-\255]', ESCAPES) .. '"'
end

-- The most characters of a name that is changed.
local LONG <const> = 60

---@class phial.emit.c.Scope names that are taken, here and further out
---@field taken table<string, true> also further out
---@field numbered boolean? a name is like those of nameless values: "v12"
---@field counts table<string, integer> by identifier: the last number
---@field stems table<string, string> by identifier: what precedes numbers; of all scopes of a unit
local Scope = {}
Scope.__index = Scope

--- Makes an empty scope.
---@param outer phial.emit.c.Scope?
---@return phial.emit.c.Scope
function M.scope(outer)
  return setmetatable({ taken = setmetatable({}, { __index = outer and outer.taken }), counts = {},
    stems = outer and outer.stems or {} }, Scope)
end

-- An identifier like a name, which can be taken already.
local function identifier(name, is_function)
  local is_plain = M.is_plain(name)
  if is_plain and not (is_function and M.is_library(name)) then return name end
  local base = is_plain and name or portable.identifier(name, LONG)
  if M.is_reserved(base) or is_function and M.is_library(base) then
    base = base:gsub("^_+", ""):gsub("^[0-9]", "n%0") .. "_"
  end
  if base:find "^_*$" then base = "x" end
  return M.is_reserved(base) and "x_" .. base or base
end

-- What precedes the underscore and the number of identifiers that are like a taken one.
local function stem_of(base)
  local stem = base:byte(-1) == UNDERSCORE and base:sub(1, -2) or base
  return BEGINNINGS[stem:byte()] and M.is_reserved(stem .. "_2") and "x_" .. stem or stem
end

--- An identifier like a name, which can be taken already; and what precedes the underscore and
--- the number of others that are like it.
---@param name string
---@return string
---@return string
function Scope:spell(name)
  local stems = self.stems
  local base = stems[name] and name or identifier(name)
  stems[base] = stems[base] or stem_of(base)
  return base, stems[base]
end

--- Takes an identifier like a name.
---@param name string
---@param is_function boolean? it must not be a library's
---@return string
function Scope:take(name, is_function)
  local base = identifier(name, is_function)
  if not self.taken[base] then
    self.taken[base] = true
    if base:find "^v%d+$" then self.numbered = true end
    return base
  end
  local stem, n, text = stem_of(base), self.counts[base] or 1
  repeat
    n = n + 1
    text = stem .. "_" .. n
  until not self.taken[text]
  self.counts[base], self.taken[text] = n, true
  return text
end

return M
