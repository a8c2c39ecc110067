--- A function that is being written: what rows that are functions are called with.
local callees = require "phial.code.callees"
local core = require "phial.core"
local errors = require "phial.errors"
local later = require "phial.later"

local write = later("phial.code.site", "write")

---@class phial.code.Body
---@field fn phial.Function
---@field name string
---@field result string? the type of its first result
---@field w phial.core.Writing
---@field needed table<string, true> helpers, and lines that were declared
---@field type fun(self, v: integer, type: string): string a type of phial in the language
---@field declare fun(self, line: string) adds a line outside functions
--- For functions that write ops:
---@field key string the field of ops that has them
---@field language string as errors name it
---@field temp fun(self, type: string?, text: string?): string a new name, and what it gets
---@field nowhere fun(self, type: string): string the place of a result that nothing uses
---@field target fun(self, jump: string): string an edge, as functions get it
---@field trapping fun(self, v: integer, why: string): string what traps at an instruction
local Body = {}
Body.__index = Body

--- Makes a class.
---@param base table?
---@return table
function Body.class(base)
  local class = setmetatable({}, base or Body)
  class.__index = class
  return class
end

function Body:args(v) return (select(2, core.instruction(self.fn, v))) end
function Body:type_of(v) return (core.instruction(self.fn, v)) end
function Body:text(v) return self.w:text(v) end
function Body:bare(v) return self.w:text(v, "=") end
function Body:line(format, ...) self.w:line(format:format(...)) end
function Body:put(line) self.w:line(line) end
function Body.target(_, jump) return jump end
function Body:handle(v) return core.value(self.fn, v) end
function Body:ends_block(v) return self:handle(v):block():terminator():id() == v end

--- An instruction as errors and traps name it.
---@param v integer
---@return string
function Body:where(v) return core.where(self.fn, v) end

--- Raises that an instruction cannot be written.
---@param v integer
---@param format string
function Body:refuse(v, format, ...)
  errors.raise("%s: %s", self:where(v), format:format(...))
end

--- Notes that a helper is needed; returns its name.
---@param name string
---@return string
function Body:need(name)
  self.needed[name] = true
  return name
end

---@class phial.code.Result a further result of an instruction
---@field id integer
---@field index integer
---@field type string

--- The projections of an instruction.
---@param v integer
---@return phial.code.Result[]
function Body:projections(v)
  local list = self.w:results(v)
  for i, id in ipairs(list) do
    list[i] = { id = id, index = self:handle(id):index() or 0, type = self:type_of(id) }
  end
  return list
end

--- The same, in order.
---@param v integer
---@return phial.code.Result[]
function Body:further(v)
  local list = self:projections(v)
  table.sort(list, function(a, b) return a.index < b.index end)
  return list
end

-- {== Ops of dialects ==================================================

--- Writes an instruction by a function, which is in this field of its op.
---@param v integer
---@param key string
---@param f fun(v: phial.Value, operands: string[], emit: phial.Site): string|string[]
function Body:write(v, key, f) write(self, v, key, f) end

--- Writes an op of a dialect.
---@param v integer
function Body:dialect(v)
  local op, key = self:handle(v):op(), self.key
  local f = callees.of_dialect(self.fn, op, key)
  if not f then
    self:refuse(v, "op '%s' has no %s: it cannot be written %s", op, key, self.language)
  end
  self:write(v, key, f)
end

-- }====================================================================

return Body
