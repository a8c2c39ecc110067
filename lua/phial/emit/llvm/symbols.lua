-- The symbols of the text: functions, globals and names, with their signatures.
local Names = require "phial.emit.llvm.names"
local base = require "phial.code.symbols"
local c = require "phial.emit.c.names"
local errors = require "phial.errors"
local global = require "phial.module.global"
local structs = require "phial.code.structs"
local types = require "phial.emit.llvm.types"

local Symbols = base.class()

---@class phial.emit.llvm.Symbols: phial.code.Symbols names have no prefix
---@field is_typed boolean pointers have types
---@field scope phial.emit.llvm.Names
---@field by_name table<string, phial.Function|phial.Global> defined ones that keep their names
---@field called string[] names that are called or declared
---@field signatures table<string, string> theirs
---@field addressed string[] names whose address is taken; also a set
---@field declared phial.Global[] those that lie elsewhere
---@field types table<phial.Global|phial.Function, string> of their memory; of functions
---@field structs string[] definitions of types

--- No symbols.
---@param is_typed boolean
---@return phial.emit.llvm.Symbols
function Symbols.new(is_typed)
  return base.new(Symbols, { is_typed = is_typed, scope = Names.new(), by_name = {}, called = {},
    signatures = {}, addressed = {}, declared = {}, types = {}, structs = {} })
end

--
-- {== Signatures ======================================================
--

--- The name of a type in LLVM, or nil.
---@param type string
---@return string?
function Symbols:type(type)
  if type == "ptr" then return self.is_typed and "i8*" or "ptr" end
  return types.NAMES[type]
end

-- The type of a parameter or result.
local function type_of(self, fn, type)
  return self:type(type) or errors.raise("function '%s': type '%s' has no counterpart in LLVM",
    fn:name(), type)
end

-- Platforms pass structs in ways that LLVM leaves to its frontends.
local function check_passings(self, fn)
  if not self:interface(fn).by_value then return end
  for i, var in ipairs(fn:params()) do
    if structs.of(fn:passing(i)) then
      errors.raise("function '%s': parameter '%s' is %s, which LLVM cannot say: go through C",
        fn:name(), var:name(), fn:passing(i))
    end
  end
end

--- What a function returns: several results as a struct of LLVM's own, which C does not have.
---@param fn phial.Function
---@return string
function Symbols:returned(fn)
  local of = self:interface(fn)
  if not of.results then
    return types.returned(of.result and type_of(self, fn, of.result), of.passing)
  end
  local members = {}
  for i, type in ipairs(of.results) do members[i] = type_of(self, fn, type) end
  return "{ " .. table.concat(members, ", ") .. " }"
end

-- Several results are for functions of the text: C has them in a struct, which platforms return in
-- ways that LLVM leaves to its frontends.
local function check_results(fn)
  if not fn:results()[2] then return end
  errors.raise("function '%s' has several results and is %s: LLVM cannot say how C returns them: "
    .. "go through C%s", fn:name(), fn:is_declaration() and "a declaration" or "visible",
    fn:is_declaration() and "" or ", or make it internal")
end

--- The type of a function, with attributes: "i64 (i64, i1 zeroext)".
---@param fn phial.Function
---@return string
function Symbols:signature(fn)
  local known = self.types[fn]
  if known then return known end
  check_passings(self, fn)
  local of, params = self:interface(fn), {}
  for i, type in ipairs(of.types) do
    params[i] = types.passed(type_of(self, fn, type), of.passings[i])
  end
  if of.variadic then params[#params + 1] = "..." end
  known = self:returned(fn) .. " (" .. table.concat(params, ", ") .. ")"
  self.types[fn] = known
  return known
end

-- }== Names ===========================================================

-- Takes the name of something that the text does not define, maybe.
local function mention(self, name)
  if name:find "^llvm%." then
    errors.raise("function '%s': names that start with 'llvm.' are those of LLVM's own functions",
      name)
  elseif name:find "%z" then
    errors.raise("'%s' lies elsewhere: LLVM and linkers have no names with zero bytes", name)
  end
  self.scope.taken[name] = true
end

--- Notes that something is called by its name, with this signature; returns another one
--- with which it is used, if one exists.
---@param name string
---@param signature string
---@return string?
function Symbols:call(name, signature)
  local other = self.signatures[name]
  mention(self, name)
  if other then return other ~= signature and other or nil end
  self.signatures[name] = signature
  table.insert(self.called, name)
end

-- Gives something that will be defined its name: its own unless that is taken, or one of C
-- that nobody is to link with it. Names that start with a dot are the assembler's, those that
-- start with `llvm.` LLVM's, which also drops a byte 1 in front.
function Symbols:define(it)
  local name = it:name()
  if not global.is(it) then
    errors.check_finished(it, "be written")
    check_passings(self, it)
    if self.visible[it] then check_results(it) end
  end
  local is_hidden = not self.visible[it] and c.is_library(name)
  if is_hidden then self.scope.taken[name] = true end
  local is_own = not is_hidden and not self.by_name[name]
    and (self.signatures[name] or self.addressed[name])
  local given = is_own and name
    or self.scope:take(name:find "^[.\1l]" and name:gsub("^[.\1]", "_%0"):gsub("^llvm%.", "_%0")
      or name)
  if given == name then self.by_name[name] = it end
  return given
end

function Symbols:declare(it)
  local name = it:name()
  if global.is(it) then
    mention(self, name)
    if self.signatures[name] or self.by_name[name] then
      errors.raise("global '%s' is declared, but the name is also that of something else", name)
    end
    self.by_name[name] = it
    table.insert(self.declared, it)
  else
    check_results(it)
    local signature = self:signature(it)
    local other = self:call(name, signature)
    if other then
      errors.raise("function '%s' is declared as %s, but also used as %s", name, signature, other)
    end
  end
  return name
end

--- What precedes the type in a definition.
---@param it phial.Function|phial.Global
---@return string
function Symbols:linkage(it)
  return self.visible[it] and "" or "internal "
end

--- What follows the parameters in a definition: LLVM must not take the function for that of
--- C which has its name.
---@param fn phial.Function
---@return string
function Symbols:attributes(fn)
  return self.visible[fn] and c.is_library(fn:name()) and " nobuiltin" or ""
end

-- }== Addresses =======================================================

-- A packed struct of what is made of the parts of an initial value; a single part is itself.
local function struct(parts, make)
  local texts = {}
  for i, part in ipairs(parts) do texts[i] = make(part) end
  return texts[2] and ("<{ %s }>"):format(table.concat(texts, ", ")) or texts[1]
end

-- The type of a part of an initial value.
local function part_type(self, part)
  if type(part) == "table" then return self:type "ptr" end
  return ("[%d x i8]"):format(type(part) == "string" and #part or part)
end

-- The type of a global's memory in LLVM, of which the parts may be known. One that is long and
-- written with each address has a name.
local function global_type(self, g, parts)
  local text = self.types[g]
  if text then return text end
  local type = g:type()
  if type then
    text = type == "i1" and "i8" or self:type(type)
  else
    text = struct(parts or global.parts(g), function(part) return part_type(self, part) end)
    if self.is_typed and text:find "^<" then
      local name = ("%%phial.data.%d"):format(#self.structs + 1)
      table.insert(self.structs, ("%s = type %s"):format(name, text))
      text = name
    end
  end
  self.types[g] = text
  return text
end

-- A pointer to a symbol of a type of LLVM, as an operand.
local function pointer(self, symbol, type)
  symbol = "@" .. Names.quoted(symbol)
  if not self.is_typed or type == "i8" then return symbol end
  return ("bitcast (%s* %s to i8*)"):format(type, symbol)
end

--- The address of a function, a global or a name, as an operand.
---@param it phial.Function|phial.Global|string
---@return string
function Symbols:address(it)
  if type(it) == "string" then
    mention(self, it)
    if not self.addressed[it] then table.insert(self.addressed, it) end
    self.addressed[it] = true
    local signature = self.signatures[it]
    return pointer(self, it, signature and types.plain(signature) or "i8")
  end
  local name = self:of(it)
  if not self.is_typed then return pointer(self, name) end
  return pointer(self, name, global.is(it) and global_type(self, it)
    or types.plain(self:signature(it)))
end

-- }== Globals =========================================================

function Symbols.bytes(part)
  return type(part) == "string" and ('c"%s"'):format(Names.escaped(part)) or "zeroinitializer"
end

function Symbols:plus(text, n)
  return ("getelementptr (i8, %s %s, i64 %d)"):format(self:type "ptr", text, n)
end

local function initial(self, g, parts)
  local type, value = g:type(), global.behind(g).initial
  if value == nil then return "zeroinitializer" end
  if type == "ptr" then return self:part(g, global.addresses(g)[1]) end
  if type == "i1" then return value and "1" or "0" end
  if type then return types.constant(type, value) end
  return struct(parts, function(part)
    local text = self:part(g, part)
    return parts[2] and ("%s %s"):format(part_type(self, part), text) or text
  end)
end

--- The definition of a global.
---@param g phial.Global
---@return string
function Symbols:define_global(g)
  global.check_written(g)
  local parts = not g:type() and global.parts(g) or nil
  return ("@%s = %s%s %s %s, align %d"):format(Names.quoted(self:of(g)), self:linkage(g),
    g:is_constant() and "constant" or "global", global_type(self, g, parts),
    initial(self, g, parts), g:align())
end

-- }== What is outside =================================================

--- Declarations of what the text does not define.
---@return string[]
function Symbols:outside()
  local lines = {}
  for _, name in ipairs(self.called) do
    local fn, used = self.by_name[name], self.signatures[name]
    if not fn then
      local returned, params = used:match "^(.-) (%(.*)$"
      lines[#lines + 1] = ("declare %s @%s%s"):format(returned, Names.quoted(name), params)
    elseif global.is(fn) or self:signature(fn) ~= used then
      errors.raise("'%s' is called by its name as %s, but is %s", name, used,
        global.is(fn) and "a global" or self:signature(fn))
    end
  end
  for _, g in ipairs(self.declared) do
    lines[#lines + 1] = ("@%s = external %s %s, align %d"):format(Names.quoted(g:name()),
      g:is_constant() and "constant" or "global", global_type(self, g), g:align())
  end
  for _, name in ipairs(self.addressed) do
    if not self.by_name[name] and not self.signatures[name] then
      lines[#lines + 1] = ("@%s = external global i8"):format(Names.quoted(name))
    end
  end
  return lines
end

-- }====================================================================

return Symbols
