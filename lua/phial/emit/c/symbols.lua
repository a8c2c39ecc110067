-- The symbols of a text: functions and globals that it defines, and those that lie
-- elsewhere. A name that C cannot have stays that of the linker.
local boundary = require "phial.emit.c.boundary"
local callees = require "phial.code.callees"
local core = require "phial.core"
local errors = require "phial.errors"
local global = require "phial.module.global"
local names = require "phial.emit.c.names"
local prelude = require "phial.emit.c.prelude"
local types = require "phial.emit.c.types"

local Symbols = {}
Symbols.__index = Symbols

---@class phial.emit.c.Symbols
---@field scope phial.emit.c.Scope
---@field is_static boolean nothing is visible from outside
---@field roots table<phial.Function|phial.Global, true> what is visible from outside
---@field by_name table<string, phial.Function> functions given, by name
---@field c_names table<any, string> of functions and globals; of what lies elsewhere, by its
--- declaration, with a hash sign for its name
---@field functions phial.Function[] to define, in the order in which they are reached
---@field globals phial.Global[] to define
---@field outside string[] declarations of what lies elsewhere
---@field needed table<string, true> helpers
---@field structs string[] the types of those that are passed; also their names by their members
---@field data string[] the types of globals that have addresses or gaps: packed structs
---@field outer table<phial.Function, string> what C calls: boundary
---@field inward string[][] functions that call those of C
---@field throughs table<phial.Function, string> those that call one of its signature at an address
---@field takes_address boolean? of a function that is defined
---@field calls_out boolean? something is called that may be any function of C

--- No symbols.
---@param is_static boolean
---@param needed table<string, true> to which helpers are added
---@return phial.emit.c.Symbols
function Symbols.new(is_static, needed)
  return setmetatable({ scope = names.scope(), is_static = is_static, needed = needed, roots = {},
    by_name = {}, c_names = {}, functions = {}, globals = {}, outside = {}, structs = {}, data = {},
    outer = {}, inward = {}, throughs = {} }, Symbols)
end

--
-- {== Definitions =====================================================
--

-- True for what other files see.
local function is_visible(self, it)
  return self.roots[it] and not self.is_static
end

--- "static " for what other files cannot see.
---@param it phial.Function|phial.Global
---@param c_name string? of the one of its two functions that is meant, if C calls another one
---@return string
function Symbols:storage(it, c_name)
  local is_inner = self.outer[it] and c_name ~= self.outer[it]
  return is_visible(self, it) and not is_inner and "" or "static "
end

-- True for the name of a symbol that every assembler reads. They do not agree on others:
-- these have the C name.
local function is_symbol(name) return name:find "^[A-Za-z_][A-Za-z0-9_.$]*$" ~= nil end

-- What follows a declaration whose C name is not that of the linker.
local function label(self, c_name, name)
  if c_name == name or not is_symbol(name) or prelude.has(name) then return "" end
  self.needed.PHIAL_SYMBOL = true
  return (" PHIAL_SYMBOL(%s)"):format(names.quoted(name))
end

--- The label of a symbol that is visible under another name than its C name.
---@param it phial.Function|phial.Global
---@param c_name string?
---@return string
function Symbols:label(it, c_name)
  c_name = c_name or self.c_names[it]
  return self:storage(it, c_name) == "" and label(self, c_name, it:name()) or ""
end

-- The C name that a symbol should have. Where nobody reads or links it, no header and no
-- compiler can know it: none has names that end with an underscore.
local function wanted(self, name) return self.is_static and name .. "_" or name end

local function define(self, it)
  local is_global = global.is(it)
  if not is_global then errors.check_finished(it, "be written in C") end
  local c_name = self.c_names[it] or self.scope:take(wanted(self, it:name()), true)
  if not is_global and boundary.is_needed(it) and is_visible(self, it) then
    self.outer[it], c_name = c_name, self.scope:take(c_name .. "_in")
  end
  self.c_names[it] = c_name
  table.insert(is_global and self.globals or self.functions, it)
end

--- Adds a function or global that is visible from outside.
---@param it phial.Function|phial.Global
function Symbols:add(it)
  if self.roots[it] then return end
  self.roots[it] = true
  if not global.is(it) then self.by_name[it:name()] = self.by_name[it:name()] or it end
  define(self, it)
end

--- Takes the names that C can have before others are made of names that it cannot have.
---@param list (phial.Function|phial.Global)[] that will be added
function Symbols:reserve(list)
  for _, it in ipairs(list) do
    local name = wanted(self, it:name())
    if names.is_plain(name) and not names.is_library(name) then
      self.c_names[it] = self.scope:take(name, true)
    end
  end
end

-- }== Elsewhere =======================================================

-- Declares something that lies elsewhere once; returns its C name. format: of the
-- declaration, with the C name.
local function declare(self, name, format)
  local key = name .. "#" .. format
  if self.c_names[key] then return self.c_names[key] end
  local is_math = names.is_math(name, format)
  local c_name = self.scope:take(is_symbol(name) and not is_math and wanted(self, name) or name,
    not is_math)
  self.calls_out = self.calls_out or not is_math
  self.c_names[key] = c_name
  self.outside[#self.outside + 1] = ("extern %s%s;"):format(format:format(c_name),
    label(self, c_name, name))
  return c_name
end

local function check_declared(fn, type)
  if type and not types.name(type) then
    errors.raise("function '%s' has type %s, which C does not have", fn:name(), type)
  end
end

-- The type of a function of phial, with %s for its name.
local function type_of(fn)
  local params = {}
  for i, var in ipairs(fn:params()) do
    check_declared(fn, var:type())
    params[i] = types.passed(var:type(), fn:passing(i))
  end
  check_declared(fn, fn:result())
  if fn:is_variadic() then params[#params + 1] = "..." end
  return types.declared_function(types.passed(fn:result(), fn:passing()), params)
end

--- The type of a function of which only calls are known, with %s for its name: it is what a call
--- makes of it.
---@param result string?
---@param args phial.code.Value[]
---@param first integer? of the arguments
---@param named integer? how many of them parameters take, of a variadic function
---@return string
function Symbols.type_of_call(result, args, first, named)
  local params = {}
  first = first or 1
  for i = first, named and first + named - 1 or #args do
    params[#params + 1] = types.passed(args[i].type, types.PASSING[args[i].type])
  end
  if named then params[#params + 1] = "..." end
  return types.declared_function(types.passed(result, types.PASSING[result]), params)
end

--- The type of a function, or of a name that is called, with %s for its name.
---@param it phial.Function|string
---@param result string?
---@param args phial.code.Value[]
---@return string
function Symbols:type_of(it, result, args)
  if type(it) == "string" then return self.type_of_call(result, args) end
  return type_of(it)
end

-- The bits of a float as an integer: not every float has a constant expression.
local BITS = { f32 = "i32", f64 = "i64" }

-- The declarator of a global, with its type. Floats are kept as their bits, an i1 as a byte;
-- what has addresses at offsets, as a struct with this tag.
local function declarator(g, c_name, tag)
  local type = g:type()
  local text = tag and ("struct %s %s"):format(tag, c_name)
    or type and types.declared(BITS[type] or type == "i1" and "i8" or type, c_name)
    or ("uint8_t %s[%d]"):format(c_name, g:size())
  if g:is_constant() then
    text = type == "ptr" and text:gsub("%*", "*const ") or "const " .. text
  end
  local align = not type and 1 or types.size(type)
  if g:align() > align and not g:is_declaration() then
    text = ("_Alignas(%d) %s"):format(g:align(), text)
  end
  return text
end

-- }== Uses ============================================================

--- What a name or declaration means in a function, as callees.found says, or in what is written.
---@param fn phial.Function
---@param it any
---@return any
function Symbols:found(fn, it)
  it = callees.found(fn, it)
  return type(it) == "string" and self.by_name[it] or it
end

--- The type of a struct that C passes.
---@param struct phial.code.Struct
---@return string
function Symbols:struct(struct)
  local list = self.structs
  if not list[struct.text] then
    local members, name = {}, ("struct phial_%d"):format(#list + 1)
    for i, it in ipairs(struct.members) do
      members[i] = types.declared(it.type, it.count and ("m%d[%d]"):format(i, it.count) or "m" .. i)
    end
    list[struct.text] = name
    list[#list + 1] = ("%s { %s; };"):format(name, table.concat(members, "; "))
  end
  return list[struct.text]
end

-- Declares a function that lies elsewhere; returns its C name.
local function declare_function(self, fn)
  local type = type_of(fn)
  return declare(self, fn:name(), boundary.is_needed(fn) and boundary.type(self, fn) or type)
end

--- Notes a symbol that is used; returns its C name.
---@param it phial.Function|phial.Global
---@return string
function Symbols:of(it)
  if self.c_names[it] then return self.c_names[it] end
  if global.is(it) and it:is_declaration() then
    self.c_names[it] = declare(self, it:name(), (declarator(it, "%s")))
  elseif not global.is(it) and it:is_declaration() then
    local outer = declare_function(self, it)
    self.c_names[it] = outer
    if boundary.is_needed(it) then
      self.c_names[it] = self.scope:take(outer .. "_in")
      self.inward[#self.inward + 1] = boundary.inward(self, it, self.c_names[it], outer)
    end
  else
    define(self, it)
  end
  return self.c_names[it]
end

--- The C name of what calls the function at an address, its first argument, where C passes by
--- value what fn gets as addresses.
---@param fn phial.Function
---@return string
function Symbols:through(fn)
  if not self.throughs[fn] then
    self.throughs[fn] = self.scope:take(fn:name() .. "_at")
    self.inward[#self.inward + 1] = boundary.inward(self, fn, self.throughs[fn])
  end
  return self.throughs[fn]
end

--- The C name of a function that is known by its name only.
---@param name string
---@param result string?
---@param args phial.code.Value[]
---@return string
function Symbols:called(name, result, args)
  return declare(self, name, self.type_of_call(result, args))
end

--- The address of a symbol, as an expression.
---@param it any as found
---@return string? nil: it has none
function Symbols:address(it)
  if type(it) == "string" then return "(char *)" .. declare(self, it, "char %s[]") end
  if global.is(it) then return "(char *)&" .. self:of(it) end
  if errors.class(it) ~= "phial.Function" or not core.is_usable(it) then return nil end
  if it:is_declaration() then return "(char *)" .. declare_function(self, it) end
  local c_name = self:of(it)
  self.takes_address = true
  if boundary.is_needed(it) then
    self.outer[it] = self.outer[it] or self.scope:take(c_name .. "_out")
    c_name = self.outer[it]
  end
  return "(char *)" .. c_name
end

-- }== Globals of modules ==============================================

-- Globals are accessed through pointers to bytes.

-- Initial bytes of an array of that size: a string if one more byte, its end, has room.
local function bytes(text, size)
  local used = #text
  while used > 0 and text:byte(used) == 0 do used = used - 1 end
  if used < size then return names.quoted(text:sub(1, used)) end
  local list = {}
  for i = 1, size do list[i] = text:byte(i) end
  return ("{ %s }"):format(table.concat(list, ", "))
end

local function bits(type, value)
  local format = type == "f32" and "<f" or "<d"
  return (string.unpack(type == "f32" and "<i4" or "<i8", string.pack(format, value)))
end

-- The address of a symbol, plus a number of bytes.
local function address(self, g, it)
  local text, plus = self:address(callees.found(g, it.symbol)), it.plus
  if plus == 0 then return text end
  local is_less = plus < 0 and plus ~= math.mininteger -- which has no opposite
  return ("%s %s %s"):format(text, is_less and "-" or "+",
    types.signed_constant(is_less and -plus or plus))
end

-- Of a global of a type.
local function initial(self, g)
  local type, value = g:type(), g:initial()
  if type == "ptr" then return address(self, g, global.addresses(g)[1]) end
  if type == "i1" then return value and "1" or "0" end
  if BITS[type] then type, value = BITS[type], bits(type, value) end
  return types.unsigned(type, value)
end

-- The bytes before a gap that ends the parts, if nothing else is among these.
local function first_bytes(parts)
  local text = type(parts[1]) == "string" and parts[1] or ""
  local gap = text == "" and 1 or 2
  return not parts[gap + 1] and type(parts[gap]) ~= "table" and text or nil
end

-- The members of a struct of bytes and addresses, and what they are at first: gaps are left out.
local function members(self, g, parts)
  local list, values, has_gaps = {}, {}, false
  for _, part in ipairs(parts) do has_gaps = has_gaps or type(part) == "number" end
  for i, part in ipairs(parts) do
    local value
    if type(part) == "table" then
      list[i], value = ("char *m%d;"):format(i), address(self, g, part)
    else
      local is_gap = type(part) == "number"
      local size = is_gap and part or #part
      list[i], value = ("uint8_t m%d[%d];"):format(i, size), not is_gap and bytes(part, size)
    end
    if value then values[#values + 1] = (has_gaps and (".m%d = "):format(i) or "") .. value end
  end
  return table.concat(list, " "), ("{ %s }"):format(table.concat(values, ", "))
end

--- The definition of a global, and a declaration that may come before it.
---@param g phial.Global
---@return string definition
---@return string declaration
function Symbols:define_global(g)
  local storage, c_name, tag, value = self:storage(g), self:of(g), nil, nil
  if g:initial() ~= nil then
    local parts = not g:type() and global.parts(g)
    local text = parts and first_bytes(parts)
    if not parts then
      value = initial(self, g)
    elseif text then
      value = bytes(text, g:size())
    else
      local list
      tag = self.scope:take(c_name .. "_data")
      list, value = members(self, g, parts)
      self.data[#self.data + 1] = ("struct %s { %s };"):format(tag, list)
    end
  end
  local text = declarator(g, c_name, tag)
  local class = storage == "" and "extern " or storage
  return ("%s%s%s;"):format(storage, text, value and " = " .. value or ""),
    ("%s%s%s;"):format(class, text, self:label(g))
end

-- }====================================================================

return Symbols
