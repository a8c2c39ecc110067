--- phial.exporter: an emitter for a language in SSA form, of a table of rows and a frame. The core
-- writes functions by the rows; here is what surrounds that: functions that are reached, their
-- names, and what is wrong with rows.
local Names = require "phial.emit.llvm.names"
local Ssa = require "phial.code.ssa"
local base = require "phial.code.symbols"
local callees = require "phial.code.callees"
local core = require "phial.core"
local errors = require "phial.errors"
local global = require "phial.module.global"
local options = require "phial.options"
local portable = require "phial.portable"
local programs = require "phial.code.program"
local structs = require "phial.code.structs"
local types = require "phial.code.types"

local M = {}

-- {== The description ===================================================

local FIELDS <const> = {
  name = "string", types = "table", rows = "table", frame = "function", constant = "function",
  value = "string", label = "string", incoming = "string", argument = "string", trap = "string",
  longest = { 1 }, help = "string",
}

local OPTIONAL <const> = { argument = true, trap = true, longest = true, help = true }

local function refuse(format, ...)
  errors.raise("'phial.exporter': %s", format:format(...))
end

local function check_types(spec)
  for type, words in next, spec.types do
    if not types.size(type) then
      refuse("option 'types': '%s' is not a type", portable.tostring(type))
    elseif _G.type(words) ~= "table" then
      refuse("option 'types': %s: table expected, got %s", type, errors.got(words))
    end
    for key, word in next, words do
      local letter = portable.tostring(key)
      if not letter:find "^[A-Z]$" or _G.type(word) ~= "string" or word == "" then
        refuse("option 'types': %s: texts by capital letters expected, got '%s'", type, letter)
      end
    end
  end
end

local function check_rows(spec)
  local known = {}
  for _, op in ipairs(core.ops()) do known[op.name] = not op.leaf or nil end
  for op, row in next, spec.rows do
    if not known[op] and not portable.tostring(op):find "^[%a_][%w_]*%.[%a_][%w_]*$" then
      local name = portable.tostring(op)
      refuse("option 'rows': '%s' is not an instruction%s", name, errors.near(name, known))
    elseif type(row) ~= "string" and type(row) ~= "function" then
      refuse("option 'rows': %s: text or function expected, got %s", op, errors.got(row))
    end
  end
end

-- The parts of a text around its placeholders, which a pattern finds; of a row if `name` has no
-- field.
local function parts_of(spec, name, pattern, form)
  local text = spec[name] or spec.rows[name]
  local parts = { tostring(text):match(pattern) }
  if type(text) ~= "string" or not parts[1] then
    refuse(spec[name] and "option '%s': '%s' expected" or "option 'rows': %s: '%s' expected", name,
      form)
  end
  for i, part in ipairs(parts) do parts[i] = part:gsub("%$([$@[])", "%1") end
  return table.unpack(parts)
end

-- What the core puts around what it writes.
local function words_of(spec)
  local words = { language = spec.name, number = "." }
  words.sigil, words.set = parts_of(spec, "value", "^(.-)%$v(.*)$", "... $v ...")
  words.label, words.labelled = parts_of(spec, "label", "^(.-)%$v(.*)$", "... $v ...")
  words.jump = parts_of(spec, "jump", "^do (.-)%$>1$", "do ... $>1")
  words.test, words["then"], words.otherwise = parts_of(spec, "branch",
    "^do (.-)%$a(.-)%$>1(.-)%$>2$", "do ... $a ... $>1 ... $>2")
  if spec.trap then
    words.trap, words.trapped = parts_of(spec, "trap", "^([^\n]+)\n?(.*)$", "a line, or two")
  end
  return words
end

local function constant(spec, type, value, code)
  if value == nil then value = types.undef(type) end
  local text = spec.constant(type, value)
  if _G.type(text) == "string" then return text end
  errors.raise("%s: constant %s of type %s cannot be written in %s", code.name,
    portable.tostring(value), type, spec.name)
end

-- The description for the core.
local function language_of(spec)
  local rows = {}
  for op, row in next, spec.rows do
    rows[op] = type(row) == "string" and row or function(code, v) code:write(v, "row", row) end
  end
  return core.language {
    ssa = true, longest = spec.longest, incoming = spec.incoming, argument = spec.argument,
    forms = {}, types = spec.types, words = words_of(spec), rows = rows, flag = "traps",
    constant = function(type, value, _, code) return constant(spec, type, value, code) end,
    dialect = function(code, v)
      code:refuse(v, "%s has no row for it", spec.name)
    end,
  }
end

-- }== Symbols ===========================================================

local Symbols = base.class()

---@class phial.exporter.Symbols: phial.code.Symbols
---@field spec phial.ExporterSpec
---@field scope phial.emit.llvm.Names
---@field is_own table<string, true> names of what is not seen from outside

-- The name of what keeps it.
local function mention(self, name)
  if not name:find "^[A-Za-z_.][A-Za-z0-9_.]*$" then
    errors.raise("'%s' cannot be a name in %s", name, self.spec.name)
  elseif self.is_own[name] then
    errors.raise("'%s' is the name of a function, and of something that lies elsewhere", name)
  end
  self.scope.taken[name] = true
  return name
end

local function check_signature(self, fn)
  local language = self.spec.name
  if fn:is_variadic() then
    errors.raise("function '%s' is variadic, which %s does not have", fn:name(), language)
  end
  for i, var in ipairs(fn:params()) do
    if not self.spec.types[var:type()] then
      errors.raise("function '%s': parameter '%s' is of type %s, which %s does not have",
        fn:name(), var:name(), var:type(), language)
    elseif structs.of(fn:passing(i)) then
      errors.raise("function '%s': parameter '%s' is %s, which %s does not have", fn:name(),
        var:name(), fn:passing(i), language)
    end
  end
  if fn:results()[2] then
    errors.raise("function '%s' has several results, which %s does not have", fn:name(), language)
  end
  if fn:result() and not self.spec.types[fn:result()] then
    errors.raise("function '%s': the result is of type %s, which %s does not have", fn:name(),
      fn:result(), language)
  end
end

function Symbols:define(it)
  if global.is(it) then
    errors.raise("global '%s' cannot be written in %s", it:name(), self.spec.name)
  end
  errors.check_finished(it, "be written")
  check_signature(self, it)
  if self.visible[it] then return mention(self, it:name()) end
  local wanted = it:name():gsub("[^A-Za-z0-9_.]", "_"):gsub("^%d", "_")
  local name = self.scope:take(wanted)
  self.is_own[name] = true
  return name
end

function Symbols:declare(it)
  if not global.is(it) then check_signature(self, it) end
  return mention(self, it:name())
end

-- }== Functions =========================================================

---@class phial.exporter.Body: phial.code.Ssa
---@field unit phial.exporter.Unit
---@field texts table<integer, string> none: addresses are values
---@field flags table<string, boolean>
local Body = Ssa.class()

function Body:type(v, type)
  local words = self.unit.spec.types[type]
  return words and words.T or self:refuse(v, "type '%s' has no counterpart in %s", type,
    self.unit.spec.name)
end

function Body:declare(line) table.insert(self.unit.lines, line) end

function Body:trap()
  if self.unit.spec.trap then return "" end
  errors.raise("%s: a row traps, and the exporter has no 'trap'", self.name)
end

function Body:trapping()
  local trap = self.unit.spec.trap
  return trap and trap:gsub("%$([$@[])", "%1") or self:trap()
end

--- What $f stands for.
---@param v integer
---@return string
function Body:symbol(v)
  local handle, symbols = self:handle(v), self.unit.symbols
  local it, op = callees.found(self.fn, handle:data()), handle:op()
  if type(it) == "string" then return mention(symbols, it) end
  if errors.class(it) == "phial.Function" then
    if op ~= "address" then callees.check(self, callees.record(self.fn, v), it) end
  elseif op ~= "address" or not global.is(it) then
    self:refuse(v, "it refers to %s: only functions of phial and names can be written",
      it == nil and "what is not known" or errors.got(it))
  end
  return symbols:of(it)
end

local function write(unit, fn)
  local spec, symbols = unit.spec, unit.symbols
  local code = setmetatable({ unit = unit, fn = fn, name = fn:name(), result = fn:result(),
    needed = unit.needed, texts = {}, flags = unit.flags, label_of = unit.label_of }, Body)
  local w = core.writing(unit.language, fn, code)
  code.w = w
  local it = { name = symbols:of(fn), params = spec.argument and w:params() or "",
    is_exported = symbols.visible[fn] }
  it.body = w:body()
  local text = spec.frame(fn, it)
  if type(text) ~= "string" then
    errors.raise("%s: the frame returned %s: text expected", fn:name(), errors.got(text))
  end
  return text
end

-- }== Units =============================================================

---@class phial.exporter.Unit what is written together
---@field spec phial.ExporterSpec
---@field language phial.core.Language
---@field label_of fun(line: string): string?
---@field symbols phial.exporter.Symbols
---@field needed table<string, true>
---@field flags table<string, boolean>
---@field lines string[] those outside functions

local function new_unit(exporter, opts)
  opts = options.argument(exporter.spec.name, 2, opts, { traps = { "checked", "undefined" } })
  return { spec = exporter.spec, language = exporter.language, label_of = exporter.label_of,
    needed = {}, flags = { traps = opts.traps ~= "undefined" }, lines = {},
    symbols = base.new(Symbols, { spec = exporter.spec, scope = Names.new(), is_own = {} }) }
end

-- The text of a unit: of all that it reaches.
local function text_of(unit)
  local versions, texts = {}, {}
  programs.reading(versions, function()
    unit.symbols:each(function(fn)
      versions[fn] = fn:version()
      texts[#texts + 1] = write(unit, fn)
    end)
  end)
  if #unit.lines > 0 then table.insert(texts, 1, table.concat(unit.lines, "\n")) end
  return table.concat(texts, "\n\n") .. "\n"
end

-- The label of the block that a line begins.
local function label_finder(words)
  local function escaped(text) return (text:gsub("%W", "%%%0")) end
  local pattern = ("^%s([A-Za-z0-9_.]+)%s$"):format(escaped(words.label), escaped(words.labelled))
  return function(line) return line:match(pattern) end
end

--- Makes an emitter: what a module phial.emit.NAME is.
function M.new(spec)
  errors.check_table("phial.exporter", 1, spec)
  spec = options.take("'phial.exporter': ", spec, FIELDS)
  for _, name in ipairs(portable.sorted(FIELDS)) do
    if spec[name] == nil and not OPTIONAL[name] then refuse("option '%s' is missing", name) end
  end
  check_types(spec)
  check_rows(spec)
  local exporter = { spec = spec, language = language_of(spec),
    label_of = label_finder(words_of(spec)) }
  local emitter = { help = spec.help }
  function emitter.func(fn, opts)
    if errors.class(fn) ~= "phial.Function" then errors.arg("func", 1, "phial.Function", fn) end
    local unit = new_unit(exporter, opts)
    unit.symbols:add(fn, true)
    return text_of(unit)
  end
  function emitter.module(m, opts)
    local unit = new_unit(exporter, opts)
    for _, g in ipairs(m:globals()) do
      if not g:is_declaration() then unit.symbols:add(g, true) end
    end
    for _, fn in ipairs(m:functions()) do unit.symbols:add(fn, fn:linkage() == "external") end
    return text_of(unit)
  end
  return emitter
end

-- }======================================================================

return M
