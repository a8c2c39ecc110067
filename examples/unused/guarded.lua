-- Translates bytecode so that tests refine the local variables that they test: behind
-- `if x then`, a read of x yields a `refine` value.  A call of `assert` becomes a test, too,
-- and one of `error` ends its block.
local Shared = require "luac.shared"
local tests = require "unused.tests"
local ops = require "luac.dialect"

---@class unused.Guarded: luac.Shared
---@field never table<string, boolean>
local Guarded = setmetatable({}, { __index = Shared })
Guarded.__index = Guarded

-- Values, not variables, so that it can be seen what is tested and called.
function Guarded:read(register)
  local operand = Shared.read(self, register)
  return operand == self.vars[register] and self.block:read(operand) or operand
end

-- The variables whose value is what a condition tests: that which was read for it, and
-- those from which it was copied.
local function tested(self, condition)
  local test, list, seen = tests.of(condition), {}, {}
  local value = test and test.value
  local root = value and tests.origin(value)
  while value do
    local variable = value:var()
    if variable and not seen[variable] then
      seen[variable] = true
      local now = self.block:read(variable)
      if tests.origin(now) == root then list[#list + 1] = variable end
    end
    value = value ~= root and value:args()[1] or nil
  end
  return list
end

function Guarded:branch(condition, yes, no)
  self.block:branch(condition, yes, no, { refine = tested(self, condition), split = true })
end

-- A call of assert is a test of its argument.
local function assert_(self, value)
  if not value or value:type() ~= "any" then return end
  local holds, fails = self.fn:block("holds", 1), self.fn:block("fails", 1)
  self:branch(self.block:emit(ops.truthy, value), holds, fails)
  fails:unreachable()
  self.block = holds
end

-- What usually does not return.  Nothing but its name says what a function of another file
-- does.
local NEVER = {}
for name in ("abort die error exit fail fatal quit raise throw"):gmatch "%a+" do
  NEVER[name] = true
end

-- True if a callee never returns, as its name says, or the file.
local function is_never(self, callee)
  local name = (tests.called(callee) or ""):match "[^.]*$"
  local here = self.never[name]
  if here == nil then return NEVER[name] end
  return here
end

function Guarded:call(op, callee, ...)
  local result = self.block:emit(op, callee, ...)
  if tests.called(callee) == "assert" then
    assert_(self, ...)
  elseif op == ops.callnone and is_never(self, callee) then
    self.block:unreachable()
    self.block = self.fn:block("never", 0)
  end
  return result
end

function Guarded:let(register, op, ...)
  self:write(register, op == ops.call and self:call(op, ...) or self.block:emit(op, ...))
end

--- The state that translates the functions of a file.
---@param never table<string, boolean> whether functions of the file never return, by name
---@return unused.Guarded
return function(never)
  local state = setmetatable({ never = never }, Guarded)
  state.__index = state
  return state
end
