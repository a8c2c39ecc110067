-- What a condition of a Lua function says about values.
--
-- What is known of a value is a set of kinds: nil, false, and all others.  A test has two
-- sides, and on each of them the kinds that the value may have there.
local M = {}

local NIL <const>, FALSE <const>, OTHER <const> = 1, 2, 4
local ALL <const> = NIL | FALSE | OTHER
M.NIL, M.FALSE, M.OTHER, M.ALL = NIL, FALSE, OTHER, ALL

local PASSES <const> = { copy = true, refine = true }

--- What a value is a copy of, or a refinement of; for a constant, the first copy of it.
---@param value phial.Value
---@return phial.Value
function M.origin(value)
  while PASSES[value:op()] do
    local from = value:args()[1]
    if from:op() == "const" then return value end
    value = from
  end
  return value
end
local origin = M.origin

--- The kind of a constant, or nil.
---@param value phial.Value
---@return integer?
function M.constant(value)
  local it, type = value:const()
  if not type then return nil end
  return it == nil and NIL or it == false and FALSE or OTHER
end

--- The name of the function that a call calls, if it is a global, an upvalue, or a field:
--- "assert", "os.exit", "?.close"; or nil.
---@param callee phial.Value
---@return string?
function M.called(callee)
  local value = M.origin(callee)
  if value:op() == "lua.getupval" then return value:data() end
  if value:op() == "lua.closure" then return value:data():match "^(.*):%d+" end
  if value:op() ~= "lua.index" then return nil end
  local object, key = M.called(value:args()[1]), value:args()[2]:const()
  if type(key) ~= "string" then return nil end
  return object == "_ENV" and key or (object or "?") .. "." .. key
end

-- By the name that `type` returns, the kinds of values that have it, and that do not.
local TYPES = { ["nil"] = { NIL, FALSE | OTHER }, boolean = { FALSE | OTHER, ALL } }
local OTHERS <const> = { OTHER, ALL }

-- The value whose type this is, or nil.
local function typed(value)
  local call = origin(value)
  if call:op() ~= "lua.call" then return nil end
  local args = call:args()
  return #args == 2 and M.called(args[1]) == "type" and args[2] or nil
end

---@class unused.Test
---@field value phial.Value
---@field yes integer its kinds if the condition holds
---@field no integer and if not

local function truthy(value)
  local it = origin(value)
  if it:op() ~= "lua.not" then return { value = value, yes = OTHER, no = NIL | FALSE } end
  local test = truthy(it:args()[1])
  return { value = test.value, yes = test.no, no = test.yes }
end

local function rawequal_(value, constant)
  local kind = M.constant(constant)
  local subject = typed(value)
  if not subject then
    return { value = value, yes = kind, no = kind == OTHER and ALL or ALL & ~kind }
  end
  local kinds = TYPES[constant:const()] or OTHERS
  return { value = subject, yes = kinds[1], no = kinds[2] }
end

--- What a condition says, or nil.
---@param condition phial.Value
---@return unused.Test?
function M.of(condition)
  local op, args = condition:op(), condition:args()
  if op == "lua.truthy" then return truthy(args[1]) end
  if op == "lua.rawequal" and M.constant(args[2]) then return rawequal_(args[1], args[2]) end
  return nil
end

return M
