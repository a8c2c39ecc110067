-- The symbols of a text of C. A name that C cannot have stays that of the linker.
local base = require "phial.code.symbols"
local boundary = require "phial.emit.c.boundary"
local callees = require "phial.code.callees"
local core = require "phial.core"
local errors = require "phial.errors"
local global = require "phial.module.global"
local hosts = require "phial.emit.c.hosts"
local names = require "phial.emit.c.names"
local prelude = require "phial.emit.c.prelude"
local types = require "phial.emit.c.types"

local Symbols = base.class()

---@class phial.emit.c.Symbols: phial.code.Symbols
---@field scope phial.emit.c.Scope
---@field is_static boolean nothing is visible from outside
---@field by_name table<string, phial.Function> functions given, by name
---@field reserved table<phial.Function|phial.Global, string> names that C can have
---@field outside string[] declarations of what lies elsewhere
---@field needed table<string, true> helpers
---@field structs string[] the types of those that are passed; also their names by their members
---@field data string[] the types of globals that have addresses or gaps: packed structs
---@field outer table<phial.Function, string> what C calls: boundary
---@field inward string[][] functions that call those of C
---@field throughs table<phial.Function, string> those that call one of its signature at an address
---@field takes_address boolean? of a function that is defined
---@field calls_out boolean? a callee may be any function of C
---@field env table? the option of native code
---@field hosts phial.emit.c.Host[] functions of Lua, by the number of the site
---@field callers table<string, string> what calls them, by the letters of the signature
---@field is_host table<string, true> by name
---@field growing phial.emit.c.Growing[] globals of native code that can grow; also by the global

---@class phial.emit.c.Growing
---@field global phial.Global
---@field mapping userdata
---@field address integer

-- The C name that a symbol should have. Where nobody reads or links it, no header and no
-- compiler can know it: none has names that end with an underscore.
local function own_name(self, name) return self.is_static and name .. "_" or name end

-- Takes the names that C can have before others are made of names that it cannot have.
local function reserve(self, list)
  for _, it in ipairs(list) do
    local name = own_name(self, it:name())
    if names.is_plain(name) and not names.is_library(name) then
      self.reserved[it] = self.scope:take(name, true)
    end
  end
end

--- The symbols of what is given, and visible from outside.
---@param functions phial.Function[]
---@param globals phial.Global[]
---@param is_static boolean
---@param needed table<string, true> to which helpers are added
---@param env table? the option of native code
---@return phial.emit.c.Symbols
function Symbols.new(functions, globals, is_static, needed, env)
  local self = base.new(Symbols, { scope = names.scope(), is_static = is_static, needed = needed,
    by_name = {}, reserved = {}, outside = {}, structs = {}, data = {}, outer = {}, inward = {},
    throughs = {}, env = env, hosts = {}, callers = {}, is_host = {}, growing = {} })
  for _, fn in ipairs(functions) do
    errors.check_finished(fn, "be written in C")
    self.by_name[fn:name()] = self.by_name[fn:name()] or fn
  end
  reserve(self, globals)
  reserve(self, functions)
  for _, g in ipairs(globals) do
    if not self:reserve(g) then self:add(g, not is_static) end
  end
  for _, fn in ipairs(functions) do self:add(fn, not is_static) end
  return self
end

--
-- {== Definitions =====================================================
--

--- "static " for what other files cannot see.
---@param it phial.Function|phial.Global
---@param outer string? the name of what C calls, if that is meant
---@return string
function Symbols:storage(it, outer)
  return self.visible[it] and self.outer[it] == outer and "" or "static "
end

-- True for the name of a symbol that every assembler reads. They do not agree on others:
-- these have the C name.
local function is_symbol(name) return name:find "^[A-Za-z_][A-Za-z0-9_.$]*$" ~= nil end

-- What follows a declaration whose C name is not that of the linker.
local function label(self, c_name, name)
  if c_name == name or not is_symbol(name) or prelude.index[name] then return "" end
  self.needed.PHIAL_SYMBOL = true
  return (" PHIAL_SYMBOL(%s)"):format(names.quoted(name))
end

--- The label of a symbol that is visible under another name than its C name.
---@param it phial.Function|phial.Global
---@param outer string?
---@return string
function Symbols:label(it, outer)
  return self:storage(it, outer) == "" and label(self, outer or self.names[it], it:name()) or ""
end

function Symbols:define(it)
  if not global.is(it) then errors.check_finished(it, "be written in C") end
  local c_name = self.reserved[it] or self.scope:take(own_name(self, it:name()), true)
  if not global.is(it) and boundary.is_needed(self, it) and self.visible[it] then
    self.outer[it], c_name = c_name, self.scope:take(c_name .. "_in")
  end
  return c_name
end

-- }== Elsewhere =======================================================

--- Declares something that lies elsewhere once; returns its C name.
---@param name string
---@param format string the declaration, with %s for the C name
---@return string
function Symbols:outer_name(name, format)
  local key = name .. "#" .. format
  if self.names[key] then return self.names[key] end
  local is_math = names.is_math(name, format)
  local c_name = self.scope:take(is_symbol(name) and not is_math and own_name(self, name) or name,
    not is_math)
  self.calls_out = self.calls_out or not is_math
  self.names[key] = c_name
  self.outside[#self.outside + 1] = ("extern %s%s;"):format(format:format(c_name),
    label(self, c_name, name))
  return c_name
end

-- The type of a parameter or result.
local function passed(fn, type, passing)
  if type and not types.name(type) then
    errors.raise("function '%s' has type %s, which C does not have", fn:name(), type)
  end
  return types.passed(type, passing)
end

--- The struct in which C returns several results of a function; nil: it has not several.
---@param fn phial.Function
---@return string?
function Symbols:several(fn)
  local results = self:interface(fn).results
  if not results then return nil end
  local members = {}
  for i, type in ipairs(results) do members[i] = { type = passed(fn, type) and type } end
  return self:struct { members = members, text = ("{%s}"):format(table.concat(results, ", ")) }
end

--- What a function returns in C.
---@param fn phial.Function
---@return string?
function Symbols:returned(fn)
  local of = self:interface(fn)
  return self:several(fn) or passed(fn, of.result, of.passing)
end

--- What a callee returns in C of which only a call in a function is known.
---@param fn phial.Function
---@param op string of the call
---@param type string? its type
---@return string?
function Symbols:wanted(fn, op, type)
  local is_tail = op:find "^tail_call" ~= nil
  if is_tail then type = fn:result() end
  return is_tail and self:several(fn) or types.passed(type, types.PASSING[type])
end

--- The type of a function of which only calls are known, with %s for its name: it is what a call
--- makes of it.
---@param returned string? in C
---@param args string[] their types
---@param first integer? of the arguments
---@param named integer? how many of them parameters take, of a variadic function
---@return string
function Symbols.type_of_call(returned, args, first, named)
  local params = {}
  first = first or 1
  for i = first, named and first + named - 1 or #args do
    params[#params + 1] = types.passed(args[i], types.PASSING[args[i]])
  end
  if named then params[#params + 1] = "..." end
  return types.declared_function(returned, params)
end

--- The type of a function, or of a name that is called, with %s for its name.
---@param it phial.Function|string
---@param wanted string? in C, what the call wants
---@param args string[] their types
---@return string
function Symbols:type_of(it, wanted, args)
  if type(it) == "string" then return self.type_of_call(wanted, args) end
  local of, params = self:interface(it), {}
  for i, type in ipairs(of.types) do params[i] = passed(it, type, of.passings[i]) end
  if of.variadic then params[#params + 1] = "..." end
  return types.declared_function(self:returned(it), params)
end

-- What globals of some types are kept as. Not every float has a constant expression.
local KEPT = { i1 = "i8", f32 = "i32", f64 = "i64" }

-- The declarator of a global, with its type; of what has addresses at offsets, a struct with this
-- tag.
local function declarator(g, c_name, tag)
  local it = global.behind(g)
  local type = it.type
  local text = tag and ("struct %s %s"):format(tag, c_name)
    or type and types.declared(KEPT[type] or type, c_name)
    or ("uint8_t %s[%d]"):format(c_name, it.reserve or it.size)
  if it.is_constant then
    text = type == "ptr" and text:gsub("%*", "*const ") or "const " .. text
  end
  local align = not type and 1 or types.size(type)
  if it.align > align and not it.is_declaration then
    text = ("_Alignas(%d) %s"):format(it.align, text)
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
  return hosts.found(self, type(it) == "string" and self.by_name[it] or it)
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
  local type, is_needed = self:type_of(fn), boundary.is_needed(self, fn)
  return self:outer_name(fn:name(), is_needed and boundary.type(self, fn) or type)
end

function Symbols:declare(it)
  if global.is(it) then return self:outer_name(it:name(), (declarator(it, "%s"))) end
  local outer = declare_function(self, it)
  if not boundary.is_needed(self, it) then return outer end
  local c_name = self.scope:take(outer .. "_in")
  table.insert(self.inward, boundary.inward(self, it, c_name, outer))
  return c_name
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

--- True unless C has no function that calls one of Lua for a declaration.
---@param fn phial.Function
---@return boolean
function Symbols:can_point(fn)
  local of = self:interface(fn)
  for _, type in ipairs(of.types) do
    if not types.name(type) then return false end
  end
  return not of.variadic and not of.results and not boundary.is_needed(self, fn)
    and (not of.result or types.name(of.result) ~= nil)
end

-- The name of a function of C that calls one of Lua and has the signature of a declaration.
local function host_address(self, fn, f, name)
  if self.throughs[fn] then return self.throughs[fn] end
  if not self:can_point(fn) then
    errors.raise("option 'env': %s is a function of Lua, and has an address: it cannot get a "
      .. "struct or va_list by value, further arguments, or types that C does not have, and it "
      .. "gives one result", name)
  end
  local of = self:interface(fn)
  self.throughs[fn] = hosts.pointer(self, f, name, name, of.result, of.types, fn)
  return self.throughs[fn]
end

--- The address of a global of native code that can grow, for which it is reserved at once; nil of
--- other ones.
---@param it any
---@return string?
function Symbols:reserve(it)
  local bytes = self.env and global.is(it) and it:reserve()
  if not bytes then return nil end
  if not self.growing[it] then
    local mapping, address = core.reserve(bytes)
    if not mapping then
      errors.raise("global '%s': %d bytes of addresses cannot be reserved", it:name(), bytes)
    end
    self.growing[it] = { global = it, mapping = mapping, address = address }
    table.insert(self.growing, self.growing[it])
  end
  return types.pointer(self.growing[it].address)
end

--- The address of a symbol, as an expression.
---@param it phial.Function|phial.Global|string
---@return string
function Symbols:address(it)
  it = hosts.found(self, it)
  if math.type(it) == "integer" then return types.pointer(it) end
  local reserved, f, name = self:reserve(it), hosts.lua_function(self, it)
  if reserved then return reserved end
  if f and type(it) ~= "string" then return "(char *)" .. host_address(self, it, f, name) end
  if f then
    errors.raise("%s is a function of Lua: it must be declared, since it has an address", name)
  end
  if type(it) == "string" then return "(char *)" .. self:outer_name(it, "char %s[]") end
  if global.is(it) then return "(char *)&" .. self:of(it) end
  if it:is_declaration() then return "(char *)" .. declare_function(self, it) end
  local c_name = self:of(it)
  self.takes_address = true
  if boundary.is_needed(self, it) then
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
  for i = 1, size, 100 do -- the stack has room for so many
    list[#list + 1] = table.concat({ text:byte(i, math.min(i + 99, size)) }, ", ")
  end
  return ("{ %s }"):format(table.concat(list, ", "))
end

-- Gaps are left out.
function Symbols.bytes(part) return type(part) == "string" and bytes(part, #part) or nil end

function Symbols.plus(_, text, n)
  local is_less = n < 0 and n ~= math.mininteger -- which has no opposite
  return ("%s %s %s"):format(text, is_less and "-" or "+",
    types.signed_constant(is_less and -n or n))
end

-- The bytes before a gap that ends the parts, if nothing else is among these.
local function first_bytes(parts)
  local text = type(parts[1]) == "string" and parts[1] or ""
  local gap = text == "" and 1 or 2
  return not parts[gap + 1] and type(parts[gap]) ~= "table" and text or nil
end

-- Adds a struct with a member for each part; returns the initial value. An address takes eight
-- bytes, also where pointers have four.
local function add_struct(self, g, parts, tag)
  local list, values, has_gaps = {}, {}, false
  for _, part in ipairs(parts) do has_gaps = has_gaps or type(part) == "number" end
  for i, part in ipairs(parts) do
    local value = self:part(g, part)
    if type(part) == "table" then
      value, self.needed.phial_pointer = ("{ %s }"):format(value), true
    end
    list[i] = type(part) == "table" and "phial_pointer m" .. i .. ";"
      or "uint8_t m" .. i .. "[" .. (type(part) == "string" and #part or part) .. "];"
    if value then values[#values + 1] = (has_gaps and (".m%d = "):format(i) or "") .. value end
  end
  table.insert(self.data, ("struct %s { %s };"):format(tag, table.concat(list, " ")))
  return ("{ %s }"):format(table.concat(values, ", "))
end

-- The initial value of a global; also the tag of the struct that it is.
local function initial(self, g)
  local type, value = g:type(), global.behind(g).initial
  if value == nil then return nil end
  if type == "ptr" then return self:part(g, global.addresses(g)[1]) end
  if KEPT[type] then value = ("<i" .. g:size()):unpack(g:bytes()) end
  if type then return types.unsigned(KEPT[type] or type, value) end
  global.check_written(g)
  local parts = global.parts(g)
  local text = first_bytes(parts)
  if text then return bytes(text, g:size()) end
  local tag = self.scope:take(self:of(g) .. "_data")
  return add_struct(self, g, parts, tag), tag
end

--- The definition of a global, and a declaration that may come before it.
---@param g phial.Global
---@return string definition
---@return string declaration
function Symbols:define_global(g)
  local storage, value, tag = self:storage(g), initial(self, g)
  local text = declarator(g, self:of(g), tag)
  return storage .. text .. (value and " = " .. value .. ";" or ";"),
    (storage == "" and "extern " or storage) .. text .. self:label(g) .. ";"
end

-- }====================================================================

return Symbols
