-- What Pallene's compiler asks of a function, answered by phial.
local construct = require("pallene.construct").construct
local phial = require "phial"

local M = {}

--- Variables that are used before they are initialized, one message each, and functions that may
--- end without a result, as Pallene's uninitialized.lua words them.
---@param func table recorded
---@return string[]
function M.uninitialized(func)
  local fn, vars = construct(func, { rules = false })
  local list, told, result = {}, {}, func.returns[1] and vars[func.returns[1]]
  for _, read in ipairs(fn:undefined_reads()) do
    local at = read.loc
    if read.var == result then
      list[#list + 1] = func.at .. ": control reaches end of function with non-empty return type"
    elseif not told[read.var] then
      told[read.var] = true
      list[#list + 1] = ("%s:%d:%d: error: variable '%s' is used before being initialized"):format(
        at.file, at.line, at.col, read.var:name())
    end
  end
  return list
end

local COLLECTS <const> = { CallStatic = true, CallDyn = true, CheckGC = true }

--- By command that may run the collector: the numbers of variables whose references are live when
--- it begins, ascending. Each write makes a copy, so that values tell their variables.
---@param func table recorded
---@return table<table, integer[]>
function M.live_at_collections(func)
  local fn, vars = construct(func, { rules = false, copies = true })
  local number, live = {}, {}
  for i, var in ipairs(vars) do number[var] = i end
  for i = 1, func.params do number[fn:arg(i)] = i end
  for block in fn:blocks() do
    for _, v in ipairs(block:insts()) do
      local cmd = v:nodes()[1]
      if cmd and COLLECTS[cmd.op] and v:op():find "^pallene" then
        local set, list = {}, {}
        for _, w in ipairs(table.move(v:args(), 1, #v:args(), #v:live_across() + 1,
          v:live_across())) do
          local i = number[w] or number[w:var()]
          if i and func.vars[i].gc and not set[i] then list[#list + 1], set[i] = i, true end
        end
        table.sort(list)
        live[cmd] = list
      end
    end
  end
  return live
end

-- The operand of an instruction as construct.key has it, if it is a constant, or an upvalue that
-- is one.
local function constant(arg, upvalues)
  local text = arg:const()
  local upvalue = text and math.tointeger(text:match "^Upvalue (%d+)$")
  if upvalue then return upvalues[upvalue] end
  return text
end

--- By command: which operands are always the same constant, across functions: an upvalue is, if
--- the variable is that it was made of.
---@param functions table[] all those of a module
---@return table<table, (string|false)[]>
function M.constants(functions)
  local found, upvalues = {}, {}
  for number, func in ipairs(functions) do
    local own = upvalues[number] or {}
    for v in construct(func, { rules = false }):values() do
      local cmd = v:nodes()[1]
      local list = {}
      for i, arg in ipairs(cmd and v:args() or {}) do list[i] = constant(arg, own) or false end
      if cmd then found[cmd] = list end
      if cmd and cmd.op == "InitUpvalues" then
        upvalues[cmd.name] = table.move(list, 2, #list, 1, {})
      end
    end
  end
  return found
end

--- The commands that renormalize an array where an equal one has done so, and nothing was written
--- since.
---@param func table recorded
---@return table[]
function M.redundant(func)
  local fn, list = construct(func, { rules = phial.rules() }), {}
  for v in fn:values() do
    local nodes = v:op() == "pallene.renormalize" and v:nodes() or {}
    table.move(nodes, 2, #nodes, #list + 1, list)
  end
  return list
end

return M
