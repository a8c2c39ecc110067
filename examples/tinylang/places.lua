-- Where the variables of a procedure are: in SSA form, or in memory at an address.
--
-- A local in memory has a variable of phial besides, `given`, that says whether it has
-- been assigned. Nothing uses that, so it leaves no trace in the code; but reads of it
-- are among those that `fn:undefined_reads()` tells if nothing was assigned.
local M = {}

local TYPES = { INTEGER = "i64", BOOLEAN = "i1" }

--- The type of phial for one of tinylang; nil for none.
---@param type string?
---@return string?
function M.type(type) return type and TYPES[type] end

---@class tinylang.Places
---@field fn phial.Function into whose current block reads and writes go
---@field vars table<tinylang.Symbol, phial.Variable> the locals in SSA form; of VAR parameters and
--- of locals in memory, the address
---@field given table<tinylang.Symbol, phial.Variable> of locals in memory
---@field globals table<tinylang.Symbol, phial.Global>
local Places = {}
Places.__index = Places

-- The address of a variable; nil if it is in SSA form.
local function address(self, symbol)
  local global = self.globals[symbol]
  if global then return self.fn:address(global) end
  if symbol.by_reference or symbol.in_memory then return self.vars[symbol] end
end

---@param symbol tinylang.Symbol
---@return phial.Value
function Places:read(symbol)
  local at = address(self, symbol)
  if not at then return self.fn:read(self.vars[symbol]) end
  if self.given[symbol] then self.fn:read(self.given[symbol]) end
  return self.fn:load(at, M.type(symbol.type))
end

---@param symbol tinylang.Symbol
---@param value phial.Operand
function Places:write(symbol, value)
  local at = address(self, symbol)
  if not at then return self.fn:write(self.vars[symbol], value) end
  if self.given[symbol] then self.fn:write(self.given[symbol], true) end
  self.fn:store(at, value)
end

--- The address of a variable that is passed as VAR, and may be assigned there.
---@param symbol tinylang.Symbol
---@return phial.Operand
function Places:lend(symbol)
  if self.given[symbol] then self.fn:write(self.given[symbol], true) end
  return address(self, symbol)
end

-- A local in memory: a parameter begins with its argument, others with 0, so that what
-- is called finds the same there in each run.
local function put_in_memory(self, symbol, argument)
  local fn, type = self.fn, M.type(symbol.type)
  local at, given = fn:var(symbol.name, "ptr"), fn:var(symbol.name, "i1")
  fn:write(at, fn:alloca(type))
  fn:store(at, argument or type == "i1" and false or fn:const(0, type))
  if argument then fn:write(given, true) end
  self.vars[symbol], self.given[symbol] = at, given
end

--- The variables of a procedure, or of the code of a module.
---@param fn phial.Function whose current block is the entry
---@param owner tinylang.Symbol
---@param globals table<tinylang.Symbol, phial.Global>
---@return tinylang.Places
function M.new(fn, owner, globals)
  local self = setmetatable({ fn = fn, vars = {}, given = {}, globals = globals }, Places)
  for i, symbol in ipairs(owner.parameters or {}) do
    self.vars[symbol] = fn:param(i)
    if symbol.in_memory then put_in_memory(self, symbol, fn:arg(i)) end
  end
  for _, symbol in ipairs(owner.kind == "procedure" and owner.declared or {}) do
    if symbol.kind == "variable" then
      if symbol.in_memory then
        put_in_memory(self, symbol)
      else
        self.vars[symbol] = fn:var(symbol.name, M.type(symbol.type))
      end
    end
  end
  return self
end

return M
