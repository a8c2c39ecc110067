--- phial.native: functions as native code. Their C is compiled into a shared object, in
-- a folder of its own that is removed as soon as the object is loaded.
local compiler = require "phial.native.compiler"
local core = require "phial.core"
local emit = require "phial.emit.c"
local errors = require "phial.errors"
local module = require "phial.module"
local options = require "phial.options"
local signature = require "phial.signature"

local M = {}

---@class phial.native.Options
--- The compiler, a name or path, or a list of it and its first arguments (default: what
--- the environment variable CC says, or "cc").
---@field cc? string|string[]
--- Further arguments, in a string separated by blanks, or a list (default: "-O2").
---@field flags? string|string[]
---@field traps? "checked"|"undefined" as for `phial.emit.c`
---@field lines? boolean as for `phial.emit.c`
---@field stack? integer the bytes that a recursion may take (default: half of the limit)

-- The least stack of a recursion.
local LEAST <const> = 4096

local KNOWN <const> = {
  cc = true, flags = true, traps = { "checked", "undefined" }, lines = "boolean",
  stack = { LEAST },
}

--
-- {== Options =========================================================
--

local function check_words(name, it)
  for _, word in ipairs(type(it) == "table" and it or { it }) do
    if type(word) ~= "string" then
      errors.raise("option '%s': string or list of strings expected, got %s", name, errors.got(it))
    elseif word:find("\0", 1, true) then
      errors.raise("option '%s': words without NUL expected, got %s", name, errors.got(word))
    end
  end
end

local function check_command(cc)
  local word = cc
  if type(cc) == "table" then word = cc[1] end
  if word and word ~= "" then return end
  errors.raise("option 'cc': a command expected, got %s", word == cc and '""'
    or word and 'a list that starts with ""' or "a list without words")
end

local function take_options(opts)
  if opts == nil then opts = {} end
  if type(opts) ~= "table" then errors.arg("compile", 1, "table", opts) end
  opts = options.take("", opts, KNOWN)
  local usual = os.getenv "CC"
  opts.cc = opts.cc or usual ~= "" and usual or "cc"
  opts.flags = opts.flags or "-O2"
  check_words("cc", opts.cc)
  check_command(opts.cc)
  check_words("flags", opts.flags)
  return opts
end

-- }== Functions =======================================================

-- Those that are compiled: a function, those of a module, or a list of functions.
local function functions_of(what)
  if module.state(what) then return emit.functions(what) end
  local list = errors.class(what) == "phial.Function" and { what } or what
  local by_name = {}
  if type(list) ~= "table" then errors.arg("compile", 1, "phial.Function or list", what) end
  for i, fn in ipairs(list) do
    if errors.class(fn) ~= "phial.Function" then
      errors.arg("compile", 1, "list of functions", fn, "element " .. i)
    end
    if by_name[fn:name()] then errors.raise("two functions are named '%s'", fn:name()) end
    by_name[fn:name()] = true
  end
  return list
end

local LETTERS = {
  i1 = "b", i8 = "c", i16 = "s", i32 = "i", i64 = "l", f32 = "f", f64 = "d", ptr = "p",
}

local function letters(of)
  local text = {}
  for i, param in ipairs(of.params) do text[i] = LETTERS[param.type] end
  return table.concat(text) .. (LETTERS[of.result] or "-")
end

-- }== Compiling =======================================================

-- What raises errors of calls; called by the C module with the number of arguments, or
-- the number of one that is wrong, and it.
local function raises(signatures)
  return function(name, what, n, it)
    local of = signatures[name]
    if what == "closed" then errors.raise("function '%s': its library is closed", name) end
    errors.raise("%s", what == "count" and signature.count(of, n)
      or signature.argument(of, n, it))
  end
end

--- Compiles functions and all that they call and refer to. Globals are data of the library.
---@param what phial.Function|phial.Module|phial.Function[]
---@param opts? phial.native.Options
---@return phial.Library
function M.compile(what, opts)
  local functions, signatures = functions_of(what), {}
  opts = take_options(opts)
  local source, unit = emit.generate(functions, {}, { native = true,
    traps = opts.traps, lines = opts.lines ~= false, file = "phial.c" })
  for _, fn in ipairs(functions) do signatures[fn:name()] = signature.of(fn) end
  local calls_out = unit.symbols.calls_out == true
  local library = compiler.load(source, opts, function(path)
    return core.open_library(path, opts.stack or 0, raises(signatures), calls_out)
  end)
  for _, fn in ipairs(functions) do
    core.link(library, fn:name(), unit.program[fn].symbol, letters(signatures[fn:name()]))
  end
  return library
end

-- }====================================================================

return M
