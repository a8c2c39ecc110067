--- Dialects for a trace, made up from how it uses their ops: any operands, with
--- an effect; some ops of the dialect `trace` are known to do less.
local dialects = require "phial.dialects"

local M = {}

-- The ops of plain traces.
local plain = {
  op2 = { args = 2, result = "any", pure = true },
  use = { args = 1 },
  br = { args = 1, terminator = true, targets = 2 },
  sw = { args = 1, terminator = true, targets = "*" },
}

-- Further ops of the dialect `trace`, a frontend's own instructions: what they do.
local effects = { pure = "none", read = "read", new = "new", value = "write" }

local plain_op = {
  w = function(step) return not step.value and "op2" end,
  m = function() return "op2" end,
  u = function() return "use" end,
  c = function(step) return not step.value and "br" end,
  s = function(step) return not step.value and "sw" end,
}

--- The op of the dialect `trace` for a line without operands.
---@param step phial.trace.Step
---@return string?
function M.plain(step)
  local op = plain_op[step.letter]
  return op and op(step) or nil
end

local function note_type(found, type)
  local dialect, own = (type or ""):match "^([A-Za-z_][A-Za-z0-9_]*)%.([A-Za-z_][A-Za-z0-9_]*)$"
  if dialect then dialects.note_type(found, dialect, own) end
end

local function note_types(found, step)
  note_type(found, step.type)
  note_type(found, step.value and step.value.type)
  for _, arg in ipairs(step.args or {}) do note_type(found, arg.type) end
end

-- The type without the prefix of the dialect.
local function own_type(dialect, type)
  return type and type:match("^" .. dialect .. "%.(.*)$") or type
end

-- An op whose results differ from place to place says what they are.
local function widened(one, other)
  if one.result ~= other.result then one.result = "*" end
  if one.results ~= other.results then one.results = "*" end
  return one
end

local function made_up(dialect, name, step)
  if step.letter == "t" then return { args = "*", terminator = true, targets = "*" } end
  return { args = "*", result = own_type(dialect, step.type),
    results = #step.results > 1 and #step.results or nil,
    effect = dialect == "trace" and step.type and effects[name] or nil }
end

local function note_op(found, step)
  local dialect, name = (step.op or ""):match "^(.-)%.(.*)$"
  if not dialect then return end
  local ops = dialects.used(found, dialect).ops
  local spec = made_up(dialect, name, step)
  local other = ops[name]
  if other and (other.terminator ~= spec.terminator or not other.result ~= not spec.result) then
    error({ step = step, mistake = ("'%s' has other results elsewhere"):format(step.op) }, 0)
  end
  ops[name] = other and widened(other, spec) or spec
end

local function note_plain(found, step)
  local op = M.plain(step)
  if op then dialects.used(found, "trace").ops[op] = plain[op] end
end

local function uses(func, found)
  note_type(found, func.result)
  for _, param in ipairs(func.params or {}) do note_type(found, param:match "([^:]*)$") end
  for _, step in ipairs(func.steps) do
    note_types(found, step)
    note_op(found, step)
    note_plain(found, step)
  end
  return found
end

--- The dialects of a function: the given ones, and made-up ones for the rest.
---@param func phial.trace.Function
---@param given? phial.Dialect[]
---@return phial.Dialect[]
function M.of(func, given)
  return dialects.list(uses(func, {}), given or {})
end

return M
