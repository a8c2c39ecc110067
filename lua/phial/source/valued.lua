--- Expressions with values: instructions of the dialect; `and`, `or` and `not` of conditions are
-- control flow.
local dialect = require "phial.source.dialect"
local fields = require "phial.source.fields"
local flow = require "phial.source.flow"

local branch, called, go_on, jump, read = flow.branch, flow.called, flow.go_on, flow.jump, flow.read
local may_run = flow.may_run

local M = {}
local eval = {}

-- {== Values ==========================================================

-- An instruction, made for a node.
local function emit(t, node, op, ...)
  local fn = t.fn
  fn:set_node(node)
  flow.set_line(t, node.line)
  return fn:emit(dialect[op], ...)
end

local function const(t, value) return t.fn:const(value, "any") end

--- Begins a function.
function M.start(t) t.globals = t.fn:entry():emit(dialect.getupval, { data = "_ENV" }) end

--- The value of an expression, the first one of several.
function M.one(t, node) return eval[node.tag](t, node) end
local one = M.one

local OPEN <const> = { Call = true, Invoke = true, Dots = true }

-- All results of an expression that may have several.
local function open_one(t, node)
  if node.tag ~= "Dots" then return M.call(t, node, "callall") end
  read(t, t.program.names[node], node)
  return emit(t, node, "varargs")
end

--- The values of a list, from its nth on; the last one is a pack if it may be several.
function M.open(t, list, first)
  local values, n = {}, #list
  for i = first or 1, n do
    local node = list[i]
    values[#values + 1] = i == n and OPEN[node.tag] and open_one(t, node) or one(t, node)
  end
  return values
end

--- The values of a list, which are n, as some are cut off, or nil.
function M.adjust(t, list, n)
  local last = list[#list]
  local several = n > #list and OPEN[last.tag]
  local values = {}
  for i = 1, several and #list - 1 or #list do values[i] = one(t, list[i]) end
  if several then
    local pack = open_one(t, last)
    for i = #list, n do
      values[i] = emit(t, last, "item", pack, { data = i - #list + 1 })
    end
  end
  for i = #list + 1, n do values[i] = values[i] or const(t, nil) end
  return values
end

function M.ret(t, values) t.fn:emit(dialect["return"], table.unpack(values)) end

function M.close(t, value) t.fn:emit(dialect.tbc, value) end

-- }== Names and constants =============================================

-- The table of globals: a local _ENV, or that of the chunk.
local function globals(t, node)
  local env = t.program.names[node]
  if env then return read(t, env, node) end
  return t.globals
end

-- An instruction that may run a metamethod.
local function operate(t, node, op, ...)
  local value = emit(t, node, op, ...)
  may_run(t, node)
  return value
end

-- The value of a field: that of its path, if it has one.
local function field_of(t, node, object, key)
  local value, var = operate(t, node, "index", object, key), fields.var(t, node)
  return var and t.fn:read(var) or value
end

function eval.Id(t, node)
  local v = t.program.names[node]
  if v and v.name == node[1] then return read(t, v, node) end
  return field_of(t, node, globals(t, node), node[1])
end

function eval.Dots(t, node)
  return emit(t, node, "item", open_one(t, node), { data = 1 })
end

function eval.Nil(t) return const(t, nil) end
function eval.True(t) return const(t, true) end
function eval.False(t) return const(t, false) end
function eval.String(t, node) return const(t, node[1]) end
function eval.Number(t, node) return const(t, tonumber(node[1]) or node[1]) end
function eval.Paren(t, node) return one(t, node[1]) end

function eval.Function(t, node)
  local inner = t.translate(node)
  flow.close_over(t, inner)
  return emit(t, node, "closure", { data = inner })
end

-- }== Tables and calls ================================================

function eval.Index(t, node)
  local object = one(t, node[1])
  return field_of(t, node, object, one(t, node[2]))
end

function eval.Table(t, node)
  local it, list = emit(t, node, "newtable"), {}
  for i, field in ipairs(node) do
    if field.tag == "Pair" then
      local key = one(t, field[1])
      emit(t, field, "setindex", it, key, one(t, field[2]))
    else
      list[#list + 1] = i == #node and OPEN[field.tag] and open_one(t, field) or one(t, field)
    end
  end
  if #list > 0 then emit(t, node, "setlist", it, table.unpack(list)) end
  return it
end

-- What follows a call that returns only if its first argument is true, or never.
local function returned(t, node, known, is_statement, value)
  if known.returns == "never" then
    t.fn:unreachable()
    t.open = false
    if not is_statement then flow.start_dead(t) end
  elseif known.returns == "if true" and value then
    local yes, no = { name = "holds" }, { name = "fails" }
    if value:type() ~= "any" then value = emit(t, node, "item", value, { data = 1 }) end
    branch(t, emit(t, node, "truthy", value), yes, no, M.refined(t, node[2]))
    go_on(t, no)
    t.fn:unreachable()
    go_on(t, yes)
  end
end

local NOTHING <const> = {}

--- A call: as a statement, or by an op that gives its results.
function M.call(t, node, op)
  local callee = one(t, node[1])
  local args
  if node.tag == "Invoke" then
    local object = callee
    callee = operate(t, node, "index", object, one(t, node[2]))
    args = M.open(t, node, 3)
    table.insert(args, 1, object)
  else
    args = M.open(t, node, 2)
  end
  local result = emit(t, node, op or "callnone", callee, table.unpack(args))
  local known = t.opts.calls and t.opts.calls(t.program, node) or NOTHING
  if known.writes ~= false then called(t, node, known.writes) end
  returned(t, node, known, not op, node[2] and args[1])
  return result
end

function eval.Call(t, node) return M.call(t, node, "call") end
eval.Invoke = eval.Call

-- }== Operators =======================================================

local CONSTANT <const> = flow.LITERALS
local SWAPPED <const> = { gt = "lt", ge = "le" }

-- What compares two values, and whether the answer is to be negated; nil for other operators.
local function comparison(t, node)
  local op = node[1]
  local a, b = node[2], node[3]
  if op == "eq" or op == "ne" then
    if CONSTANT[a.tag] then a, b = b, a end
    local x = one(t, a)
    local is_raw, y = CONSTANT[b.tag], one(t, b)
    return (is_raw and emit or operate)(t, node, is_raw and "rawequal" or "eq", x, y), op == "ne"
  end
  local x, y = one(t, a), one(t, b)
  if SWAPPED[op] then return operate(t, node, SWAPPED[op], y, x) end
  return operate(t, node, op, x, y)
end

local COMPARES <const> = { eq = true, ne = true, lt = true, le = true, gt = true, ge = true }

-- `a and b`, `a or b`: a, or b if a is true, or is not.
local function choice(t, node)
  local fn, a = t.fn, one(t, node[2])
  local rest, short, after = { name = "rest" }, { name = "short" }, { name = "after" }
  local yes, no = rest, short
  if node[1] == "or" then yes, no = no, yes end
  branch(t, emit(t, node[2], "truthy", a), yes, no, M.refined(t, node[2]))
  go_on(t, short)
  jump(t, after)
  go_on(t, rest)
  local b = one(t, node[3])
  local from = fn:current()
  jump(t, after)
  go_on(t, after)
  fn:set_node(node)
  return fn:phi { [short.block] = a, [from] = b }
end

function eval.Op(t, node)
  local op = node[1]
  if op == "and" or op == "or" then return choice(t, node) end
  if COMPARES[op] then
    local test, negated = comparison(t, node)
    local value = emit(t, node, "boolean", test)
    return negated and emit(t, node, "not", value) or value
  end
  local a = one(t, node[2])
  if op == "not" then return emit(t, node, op, a) end
  if not node[3] then return operate(t, node, op, a) end
  return operate(t, node, op, a, one(t, node[3]))
end

-- }== Conditions ======================================================

local PARTS <const> = 100 -- of a condition

-- The variables that a condition is about, for a refinement; further ones where it is a name
-- whose value is a copy, or another condition, and neither has changed since. Of a long condition
-- the outermost parts count: each operator of a chain asks anew.
local function about(t, node, list, fixed)
  local tag = node.tag
  list.left = list.left - 1
  if list.left < 0 then return end
  if tag == "Op" or tag == "Call" then
    for i = 2, #node do about(t, node[i], list, fixed) end
  elseif tag == "Paren" then
    about(t, node[1], list, fixed)
  elseif fields.var(t, node) then
    list[#list + 1] = fields.var(t, node)
  elseif tag == "Id" then
    local v = t.program:variable(node)
    if not v or list[v] or fixed and v.writes > 0 then return end
    list[v], list[#list + 1] = true, t.vars[v]
    if v.writes == 0 and v.value then about(t, v.value, list, true) end
  end
end

--- The variables that a branch on a condition refines; nil without the option.
function M.refined(t, node)
  if not t.opts.refine then return nil end
  local list, vars = { left = PARTS }, {}
  about(t, node, list)
  table.move(list, 1, #list, 1, vars)
  return vars
end

--- Branches on a condition.
function M.test(t, node, yes, no)
  local op = node.tag == "Op" and node[1]
  if op == "not" then return M.test(t, node[2], no, yes) end
  if node.tag == "Paren" then return M.test(t, node[1], yes, no) end
  if op == "and" or op == "or" then
    local rest = { name = "rest" }
    if op == "and" then M.test(t, node[2], rest, no) else M.test(t, node[2], yes, rest) end
    go_on(t, rest)
    if not t.open then flow.start_dead(t) end
    return M.test(t, node[3], yes, no)
  end
  local constant = flow.CONSTANTS[node.tag]
  if constant ~= nil then
    one(t, node)
    return jump(t, constant and yes or no)
  end
  if COMPARES[op] then
    local test, negated = comparison(t, node)
    if negated then yes, no = no, yes end
    return branch(t, test, yes, no, M.refined(t, node))
  end
  local value = one(t, node)
  branch(t, emit(t, node, "truthy", value), yes, no, M.refined(t, node))
end

-- }== Assignments =====================================================

--- What is evaluated of the target of an assignment before its value.
function M.place(t, target)
  if target.tag ~= "Index" then return nil end
  local object = one(t, target[1])
  return { object, one(t, target[2]) }
end

function M.assign(t, target, place, value)
  local v = t.program:variable(target)
  if v then return flow.write(t, v, target, value) end
  local object = place and place[1] or globals(t, target)
  operate(t, target, "setindex", object, place and place[2] or target[1], value)
  if not t.anything then return end
  local key = place and target[2] or target
  fields.assign(t, target, (key.tag == "String" or not place) and key[1] or nil, value)
end

--- The value that `x += 1` assigns.
function M.compound(t, node)
  local value = one(t, node[2])
  return operate(t, node, node[1], value, one(t, node[3]))
end

-- }== Loops ===========================================================

-- What a loop needs in each turn is in variables of its own: unreachable code may lead into it.
local function hidden(t, node, ...)
  local vars = {}
  t.fn:set_node(node)
  for i, value in ipairs { ... } do
    vars[i] = t.fn:var "(loop)"
    t.fn:write(vars[i], value)
  end
  return vars
end

function M.start_numeric(t, node)
  local first, limit = one(t, node[2]), one(t, node[3])
  return hidden(t, node, first, limit, node[5] and one(t, node[4]) or const(t, 1))
end

function M.start_generic(t, node)
  local values = M.adjust(t, node[2], 3)
  return hidden(t, node, values[3], values[1], values[2])
end

--- Branches to the next turn of a loop; the values of its variables.
function M.step(t, node, loop, yes, after)
  t.fn:set_node(node)
  local index, a, b = t.fn:read(loop[1], loop[2], loop[3])
  if node.tag == "Fornum" then
    branch(t, emit(t, node, "for", index, a, b), yes, after)
    return { index }
  end
  local pack, values = emit(t, node, "callall", a, b, index), {}
  for i = 1, #node[1] do values[i] = emit(t, node, "item", pack, { data = i }) end
  called(t, node)
  t.fn:write(loop[1], values[1])
  branch(t, emit(t, node, "rawequal", values[1], const(t, nil)), after, yes)
  return values
end

--- The end of a turn.
function M.next(t, node, loop)
  if node.tag == "Forin" or not t.open then return end
  t.fn:set_node(node)
  local index, step = t.fn:read(loop[1], loop[3])
  t.fn:write(loop[1], emit(t, node, "add", index, step))
end

-- }=====================================================================

return M
