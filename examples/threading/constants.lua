-- What is known of a value without running the function: constants, and what While's and
-- Lua's instructions make of them.
local M = {}

local FAR = 100 -- in unreachable blocks phis can be one another's operands

-- The value after phis with one operand, which threading makes.
local function resolved(v)
  for _ = 1, FAR do
    if v:op() ~= "phi" or #v:args() ~= 1 then break end
    v = v:args()[1]
  end
  return v
end

-- True and the Lua value, if it is a constant.
local function constant(v)
  v = resolved(v)
  if v:op() ~= "const" then return false end
  return true, (v:const())
end

-- By op: what it gives for these constants; nil if that is not known.
local eval = {
  eq = function(a, b) return a == b end,
  ne = function(a, b) return a ~= b end,
  slt = function(a, b) return a < b end,
  sle = function(a, b) return a <= b end,
  sgt = function(a, b) return a > b end,
  sge = function(a, b) return a >= b end,
  ["lua.truthy"] = function(a) return a ~= nil and a ~= false end,
  ["lua.not"] = function(a) return not a end,
  ["lua.rawequal"] = function(a, b) return a == b end,
  ["lua.eq"] = function(a, b) return a == b end,
  ["lua.lt"] = function(a, b) if math.type(a) and math.type(b) then return a < b end end,
  ["lua.le"] = function(a, b) if math.type(a) and math.type(b) then return a <= b end end,
}

-- Ops of values that are neither nil nor false.
local TRUTHY = { ["lua.newtable"] = true, ["lua.closure"] = true }

--- What an instruction gives for operands; nil if that is not known.
---@param op string
---@param args phial.Value[]
---@return boolean?
function M.result(op, args)
  if op == "lua.truthy" and TRUTHY[resolved(args[1]):op()] then return true end
  local values = {}
  for i, arg in ipairs(args) do
    local known, value = constant(arg)
    if not known then return nil end
    values[i] = value
  end
  if eval[op] then return eval[op](table.unpack(values, 1, #args)) end
end

--- True or false if the condition of a branch is that; else nil.
---@param v phial.Value
---@return boolean?
function M.condition(v)
  local known, value = constant(v)
  if known then return value end
end

return M
