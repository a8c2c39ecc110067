-- Reads modules from text: its own lines here, functions and declarations by the core. Makes
-- up dialects that nobody knows, if the option `dialects` says "any".
local core = require "phial.core"
local errors = require "phial.errors"
local global = require "phial.module.global"
local later = require "phial.later"
local link = require "phial.module.link"
local module = require "phial.module"
local options = require "phial.options"
local portable = require "phial.portable"
local types = require "phial.code.types"

local made_up_dialects = later("phial.dialects", "of_text")

local M = {}

---@class phial.module.Reader
---@field text string
---@field at integer byte, from 1
---@field opts table
---@field starts table<string, integer> where the text of each symbol starts
---@field lines integer newlines before `counted`
---@field counted integer
local Reader = {}
Reader.__index = Reader

-- {== Errors ==========================================================

-- Characters in a message.
local function shown(chars) return portable.quoted(chars):sub(2, -2) end

-- A message about a byte of a text.
local function complaint(text, at, file, message)
  local before = text:sub(1, at - 1)
  local _, lines = before:gsub("\n", "")
  local column = at - (before:match "^.*()\n" or 0)
  return ("%s%d:%d: %s"):format(file and file .. ":" or "", lines + 1, column, message)
end

-- Ends reading: raises a table that parse_module catches.
function Reader:fail(at, format, ...)
  error { why = complaint(self.text, at, self.opts.file, format:format(...)) }
end

-- The line of the current position, as places are reported.
function Reader:place()
  local _, lines = self.text:sub(self.counted, self.at - 1):gsub("\n", "")
  self.lines, self.counted = self.lines + lines, self.at
  return ("line %d"):format(self.lines + 1)
end

function Reader:unexpected(what)
  local got = self.text:match("^[A-Za-z0-9_.]+", self.at)
    or self.text:match("^.[\x80-\xbf]*", self.at)
  if not got then self:fail(self.at, "%s expected, the text ends", what) end
  if got == "\n" then self:fail(self.at, "%s expected, the line ends", what) end
  if got:find "^[^ -~]" then self:fail(self.at, "no token starts with '%s'", shown(got)) end
  self:fail(self.at, "%s expected, got '%s'", what, got)
end

-- }== Tokens ==========================================================

-- Skips blanks and comments; newlines too, if `lines`.
function Reader:skip(lines)
  local pattern = lines and "^[ \t\r\v\f\n]*()" or "^[ \t\r\v\f]*()"
  repeat
    self.at = self.text:match(pattern, self.at)
    local comment = self.text:match("^%-%-[^\n]*()", self.at)
    self.at = comment or self.at
  until not comment
end

-- The match of a pattern here, which is consumed, or nil.
function Reader:accept(pattern)
  self:skip()
  local found, at = self.text:match("^(" .. pattern .. ")()", self.at)
  self.at = at or self.at
  return found
end

function Reader:word(word) return self:accept(word .. "%f[^A-Za-z0-9_]") end

-- Tells what is wrong in the string that starts at `start`.
function Reader:wrong_character(start)
  local escape = self.text:match("^\\[^\n][\x80-\xbf]*", self.at)
  if escape then self:fail(self.at, "no such escape: '\\%s'", shown(escape:sub(2))) end
  local char = self.text:match("^[^\\\n]", self.at)
  if not char then self:fail(start, "this string has no end on its line") end
  self:fail(self.at, "a control character in a string: write it '%s'", shown(char))
end

function Reader:string()
  self:skip()
  local start = self.at
  if not self.text:find('^"', start) then return nil end
  local value
  value, self.at = portable.unquoted(self.text, start, '[^"\\\0-\31\127]*')
  return value or self:wrong_character(start)
end

function Reader:name(what)
  self:skip()
  local at = self.at
  local name = self:accept "[A-Za-z_][A-Za-z0-9_]*" or self:string() or self:unexpected(what)
  if name == "" then self:fail(at, "%s expected, not an empty one", what) end
  return name
end

-- The integer of digits, which may have a sign; nil if it does not fit 64 bits.
local function integer(digits)
  local number = tonumber(digits)
  return math.type(number) == "integer" and number or nil
end

-- A count, which is negative if `sign` is a minus.
function Reader:count(what, sign)
  self:skip()
  local at = self.at
  local digits = self:accept "%d+" or self:unexpected(what)
  return integer((sign == "-" and sign or "") .. digits)
    or self:fail(at, "'%s' does not fit 64 bits", digits)
end

function Reader:line_end()
  if self:accept "\n" or self.at > #self.text then return end
  self:unexpected "the end of the line"
end

-- }== Globals =========================================================

local LARGEST <const> = "18446744073709551615"

-- An integer of 64 bits without a sign, as Lua has it; nil if it does not fit.
local function unsigned(digits)
  local number = 0
  digits = digits:match "^0*(%d*)$"
  if not digits or #digits > 20 or #digits == 20 and portable.precedes(LARGEST, digits) then
    return nil
  end
  for digit in digits:gmatch "%d" do number = number * 10 + digit:byte() - ("0"):byte() end
  return number
end

-- The number that starts at `at`; nil if it is not of the type.
function Reader:number(at, text, type)
  local is_float = type:find "^f" ~= nil
  if text:find "^%-?%d+$" and not is_float then
    local number = integer(text)
    if number then return number end
    number = unsigned(text) or self:fail(at, "'%s' does not fit 64 bits", text)
    return type == "i64" and number or nil
  end
  local number = portable.tonumber(text)
  if not number then
    self:fail(at, "'%s' is not a %s", text, text:find "^[-.%d]" and "number" or "value")
  end
  if math.abs(number) == math.huge then self:fail(at, "'%s' is too large for a float", text) end
  return number
end

-- A nan by its bits; an f32 has the upper ones.
function Reader:nan(bits, type)
  local value = #bits <= 18 and portable.float(math.tointeger(tonumber(bits)))
  if not value or value == value then
    self:fail(self.at - #bits - 1, "the bits of a nan expected, got '%s'", bits)
  end
  return (type == "f64" or tonumber(bits) & 0x1fffffff == 0) and value or nil
end

-- The value that starts here; nil if it is not of the type.
function Reader:value(at, type)
  if self:accept "@" then
    local name = self:name "a name"
    local sign = self:accept "[+-]"
    local plus = sign and self:count("a number of bytes", sign)
    if type ~= "ptr" then return nil end
    return plus and global.ref(name, plus) or name
  end
  if self:string() then return nil end
  local bits = self:accept "nan%(0x%x+%)"
  if bits then return self:nan(bits:match "0x%x+", type) end
  local text = self:accept "%-?[0-9.]+[eE][+-]?%d+" or self:accept "%-?[A-Za-z0-9.]+"
    or self:unexpected "an initial value"
  local value = portable.WORDS[text]
  if value ~= nil then return value end
  return self:number(at, text, type)
end

-- 16: "..."
function Reader:run()
  local offset = self:count "an offset"
  if not self:accept ":" then self:unexpected "':'" end
  local bytes = self:string()
  if bytes then return { offset, "bytes", bytes } end
  local type = self:type()
  return { offset, type, self:initial(type) }
end

-- { 0: i32 5, 8: ptr @f + 4 }, without the first brace
function Reader:runs()
  local runs = {}
  if self:accept "}" then return runs end
  repeat runs[#runs + 1] = self:run() until not self:accept ","
  if not self:accept "}" then self:unexpected "',' or '}'" end
  return runs
end

-- The initial value of a global of a type, or of a size.
function Reader:initial(type)
  self:skip()
  local at = self.at
  if math.type(type) == "integer" then
    if self:accept "{" then return self:runs() end
    return self:string() or self:unexpected "a string, or runs in braces,"
  end
  local value = self:value(at, type)
  local fitting = value
  if value ~= 0 or type ~= "ptr" then fitting = global.fitting(type, value) end
  if fitting == nil or math.abs(tonumber(fitting) or 0) == math.huge and fitting ~= value then
    self:fail(at, "'%s' is not a value of type %s", self.text:sub(at, self.at - 1), type)
  end
  return value
end

function Reader:type()
  self:skip()
  local at = self.at
  local name = self:name "a type or 'bytes'"
  if not types.size(name) then self:fail(at, "memory cannot hold a type '%s'", name) end
  return name
end

-- internal global table: bytes 64 align 16 = "..."
-- global memory: bytes 65536 reserve 4294967296
-- declare global stdout: ptr
function Reader:global(m, state)
  local start, place, opts = self.at, self:place(), {}
  local is_declaration = self:word "declare"
  opts.linkage = self:word "internal" and "internal" or nil
  opts.constant = self:word "constant" ~= nil
  if not opts.constant and not self:word "global" then
    self:unexpected(opts.linkage and "'fn', 'global' or 'constant'" or "'global' or 'constant'")
  end
  local name = self:name "the global's name"
  if not self:accept ":" then self:unexpected "':'" end
  local type = self:word "bytes" and self:count "a size" or self:type()
  opts.reserve = self:word "reserve" and self:count "a number of bytes" or nil
  opts.align = self:word "align" and self:count "an alignment" or nil
  local initial
  if not is_declaration and self:accept "=" then initial = self:initial(type) end
  self:line_end()
  self:make(start, function()
    if is_declaration then return m:declare_global(name, type, opts) end
    m:global(name, type, initial, opts)
  end)
  self.starts[name], state.places[name] = start, place
end

-- }== The module ======================================================

-- Calls make; its errors are those of the text at `at`.
function Reader:make(at, make)
  local ok, err = pcall(make)
  if ok then return end
  self:fail(at, "%s", core.refusal(err) or error(err, 0))
end

function Reader:part(_, state)
  local start, place = self.at, self:place()
  local fn, after = core.parse_part(self.text, self.opts, start)
  if not fn then error { why = after } end
  self.at, self.starts[fn:name()] = after, start
  self:make(start, function() module.adopt(state, fn, place) end)
end

-- The reader of the next symbol; nil: none begins so.
function Reader:kind()
  local word, after, name = self.text:match("^(%l+)[ \t]*(%l*)[ \t]*([%a_\"]?)", self.at)
  if word == "fn" or word == "internal" and after == "fn" then return self.part end
  if word == "global" or word == "constant" or word == "internal" then return self.global end
  -- a function can be called `global`
  local is_global = (after == "global" or after == "constant") and name ~= ""
  return word == "declare" and (is_global and self.global or self.part) or nil
end

-- The position of a name in the text of a symbol that uses it.
function Reader:find_use(user, name)
  local start = self.starts[user]
  local written = portable.name(name):gsub("[^A-Za-z0-9_]", "%%%0")
  -- The text may end with the name.
  return (self.text .. "\n"):match("()@" .. written .. "[^A-Za-z0-9_]", start) or start
end

function Reader:read()
  self:word "module"
  local m = module.new(self:name "the module's name", { dialects = self.opts.dialects })
  local state = module.state(m)
  self:line_end()
  self:skip(true)
  while self.at <= #self.text do
    local symbol = self:kind() or self:unexpected(
      "'fn', 'declare', 'global', 'constant' or 'internal'")
    symbol(self, m, state)
    self:skip(true)
  end
  local wrong = link.resolve(state)[1]
  if wrong then self:fail(self:find_use(wrong.user, wrong.name), "%s", wrong.text) end
  return m
end

-- }== A text ==========================================================

-- Parses a text with the dialects that the options name.
local function parse(...)
  local text, opts = ...
  local reader = setmetatable({ text = text, at = 1, starts = {}, lines = 0, counted = 1 }, Reader)
  reader:skip(true)
  local word = text:match("^%l+%f[^A-Za-z0-9_]", reader.at)
  if word == "fn" or word == "internal" or word == "declare" then return core.parse(...) end
  core.parse("", select(2, ...)) -- refuses wrong arguments
  opts = opts or {}
  reader.opts = { dialects = rawget(opts, "dialects"), file = rawget(opts, "file") }
  local ok, it = pcall(word == "module" and reader.read or reader.unexpected, reader,
    "'fn', 'internal', 'declare' or 'module'")
  if ok then return it end
  if type(it) == "table" and it.why then return nil, it.why end
  error(it, 0)
end

-- The dialects that the option gives; then true if all others are to be made up.
local function split(option)
  local given, any = {}, option == "any"
  local list = type(option) == "table" and core.list(option, "option 'dialects'") or {}
  for _, dialect in ipairs(list) do
    if dialect == "any" then any = true else given[#given + 1] = dialect end
  end
  return given, any
end

-- Parses a text with given dialects and made-up ones.
local function parse_any(given, text, opts, ...)
  local list, at, why = made_up_dialects(text, given)
  opts = options.union(opts, { dialects = list or {} })
  if list then return parse(text, opts, ...) end
  core.parse("", opts, ...) -- raises if other options are wrong
  return nil, complaint(text, at, rawget(opts, "file"), why)
end

--- Reads a function, or a module, from text; nil and an error with line and column if the
--- text is wrong.
function M.parse(...)
  local text, opts = ...
  local option = type(opts) == "table" and rawget(opts, "dialects")
  if type(option) == "string" and option ~= "any" then
    errors.raise('option \'dialects\': a list of dialects or "any" expected, got %s',
      errors.got(option))
  end
  if type(text) ~= "string" then return core.parse(...) end
  local given, any = split(option)
  if any then return parse_any(given, ...) end
  return parse(...)
end

-- }====================================================================

return M
