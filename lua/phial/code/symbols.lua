--- The symbols of a text that is emitted: functions and globals that it defines, in the order in
--- which they are reached, and what lies elsewhere. An emitter derives a class of its own, which
--- says how they are named and spelled.
local callees = require "phial.code.callees"
local core = require "phial.core"
local global = require "phial.module.global"

---@class phial.code.Interface how a function is called
---@field types string[] of its parameters
---@field passings (string?)[] theirs
---@field result string? the first
---@field results string[]? if there are several
---@field passing string? that of the result
---@field variadic boolean
---@field by_value boolean a parameter is the address of what C passes by value

---@class phial.code.Alike what functions of a module have in common
---@field symbols table<string, any> what names mean
---@field callees table<any, phial.Function> that have names, by what instructions know them by
---@field texts table<any, string> addresses, by the same
---@field patterns table<string, string|false> of calls that are alike

---@class phial.code.Symbols
---@field interfaces table<phial.Function, phial.code.Interface>
---@field modules table<any, phial.code.Alike> by module; of a function without one, by itself
---@field visible table<phial.Function|phial.Global, boolean> from outside
---@field names table<any, string> of functions and globals, as the text has them; of what lies
--- elsewhere also by what the emitter knows it by
---@field functions phial.Function[] to define
---@field globals phial.Global[] to define
---@field define fun(self, it: phial.Function|phial.Global): string makes the name of what will be
--- defined
---@field declare fun(self, it: phial.Function|phial.Global): string declares what lies elsewhere;
--- returns its name
---@field address fun(self, it: phial.Function|phial.Global|string): string
---@field plus fun(self, address: string, n: integer): string
---@field bytes fun(part: string|integer): string? bytes of an initial value, or so many zeros
local Symbols = {}
Symbols.__index = Symbols

--- Makes a class of symbols.
---@return table
function Symbols.class()
  local class = setmetatable({}, Symbols)
  class.__index = class
  return class
end

--- No symbols.
---@param class table
---@param fields table those of the class
---@return phial.code.Symbols
function Symbols.new(class, fields)
  fields.visible, fields.names, fields.functions, fields.globals = {}, {}, {}, {}
  fields.interfaces, fields.modules = {}, {}
  return setmetatable(fields, class)
end

--- How a function is called.
---@param fn phial.Function
---@return phial.code.Interface
function Symbols:interface(fn)
  local it = self.interfaces[fn]
  if not it then
    it = core.interface(fn)
    self.interfaces[fn] = it
  end
  return it
end

--- What the functions have in common that belong to the module of one.
---@param fn phial.Function
---@return phial.code.Alike
function Symbols:alike(fn)
  local key = fn:module() or fn
  local it = self.modules[key]
  if not it then
    it = { symbols = {}, callees = {}, texts = {}, patterns = {} }
    self.modules[key] = it
  end
  return it
end

--- Adds a function or global.
---@param it phial.Function|phial.Global
---@param is_visible boolean from outside
---@return string # its name
function Symbols:add(it, is_visible)
  self.visible[it] = is_visible
  return self:of(it)
end

--- The name of a function or global. One that is met for the first time will be defined or is
--- declared.
---@param it phial.Function|phial.Global
---@return string
function Symbols:of(it)
  local name = self.names[it]
  if name then return name end
  if it:is_declaration() then
    name = self:declare(it)
  else
    table.insert(global.is(it) and self.globals or self.functions, it)
    name = self:define(it)
  end
  self.names[it] = name
  return name
end

--- Calls functions for all that is reached, also what they reach.
---@param read fun(fn: phial.Function)
---@param write fun(g: phial.Global)
function Symbols:each(read, write)
  local functions, globals, f, g = self.functions, self.globals, 1, 1
  while functions[f] or globals[g] do
    local fn, it = functions[f], globals[g]
    if fn then
      read(fn)
      f = f + 1
    end
    if it then
      write(it)
      g = g + 1
    end
  end
end

--- A part of an initial value.
---@param g phial.Global
---@param part string|integer|phial.module.Address
---@return string?
function Symbols:part(g, part)
  if type(part) ~= "table" then return self.bytes(part) end
  local text = self:address(callees.found(g, part.symbol))
  return part.plus == 0 and text or self:plus(text, part.plus)
end

return Symbols
