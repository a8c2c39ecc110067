--- Expressions without values: their reads, calls and closures, in the order of evaluation.
-- `and` and `or` are not control flow here, since no expression writes a variable of its
-- function.
local dialect = require "phial.source.dialect"
local flow = require "phial.source.flow"

local called, close_over, may_run, read = flow.called, flow.close_over, flow.may_run, flow.read

local M = {}
local visit = {}

--- The value of an expression, of which there is none.
function M.one(t, node)
  local f = visit[node.tag]
  if f then f(t, node) end
end
local one = M.one

local function all(t, list, first)
  for i = first or 1, #list do one(t, list[i]) end
end

local function name(t, node)
  local v = t.program.names[node]
  if v then read(t, v, node) end
  if not v or v.name ~= node[1] then may_run(t, node) end
end

visit.Id, visit.Dots = name, name
visit.Paren, visit.Table, visit.Pair = all, all, all

function visit.Index(t, node)
  all(t, node)
  may_run(t, node)
end

local RAW <const> = { ["and"] = true, ["or"] = true, ["not"] = true }

-- True if an operator calls no metamethod.
local function is_raw(node)
  local op, has_literal = node[1], false
  for i = 2, #node do has_literal = has_literal or flow.LITERALS[node[i].tag] end
  return RAW[op] or (op == "eq" or op == "ne") and has_literal
end

function visit.Op(t, node)
  all(t, node, 2)
  if not is_raw(node) then may_run(t, node) end
end

function visit.Call(t, node)
  all(t, node)
  called(t, node)
end

function visit.Invoke(t, node)
  one(t, node[1])
  may_run(t, node)
  all(t, node, 3)
  called(t, node)
end

function visit.Function(t, node) close_over(t, t.translate(node)) end

--- Begins a function.
function M.start() end

--- A call as a statement.
M.call = one

--- The values of a list of expressions: none.
function M.adjust(t, list) all(t, list) end
M.open = M.adjust

function M.ret(t) t.fn:ret() end

--- The value of a variable that its scope will close.
function M.close() end

--- What is evaluated of the target of an assignment before its value.
function M.place(t, target)
  if target.tag == "Index" then all(t, target) end
end

function M.assign(t, target, _, value)
  local v = t.program.names[target]
  if v and target.tag == "Id" and v.name == target[1] then
    flow.write(t, v, target, value)
  elseif v then
    read(t, v, target) -- a field of a local _ENV
  end
  if not v or v.name ~= target[1] then may_run(t, target) end
end

function M.compound(t, node)
  one(t, node[2])
  one(t, node[3])
  may_run(t, node)
end

-- Whether a condition counts as true, if literals in it decide that.
local function decided(node)
  local op = node.tag == "Op" and node[1]
  if node.tag == "Paren" then return decided(node[1]) end
  if op == "not" then
    local it = decided(node[2])
    if it ~= nil then return not it end
  elseif op == "and" or op == "or" then
    local a, b, ends = decided(node[2]), decided(node[3]), op == "or"
    if a == ends or b == ends then return ends end
    if a ~= nil then return b end
  end
  return flow.CONSTANTS[node.tag]
end

--- Branches on a condition.
function M.test(t, node, yes, no)
  local constant = decided(node)
  one(t, node)
  if constant == nil then
    flow.branch(t, t.fn:emit(dialect.unknown_test), yes, no)
  else
    flow.jump(t, constant and yes or no)
  end
end

-- Loops.

function M.start_numeric(t, node)
  for i = 2, #node - 1 do one(t, node[i]) end
end

function M.start_generic(t, node) all(t, node[2]) end

--- Branches to the next turn of a loop; the values of its variables.
function M.step(t, node, _, yes, after)
  if node.tag == "Forin" then called(t, node) end
  flow.branch(t, t.fn:emit(dialect.unknown_test), yes, after)
end

--- The end of a turn.
function M.next() end

return M
