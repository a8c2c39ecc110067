-- An interpreter for the trees of spec/support/structured.lua.
local M = {}

local STOP = {} -- raised when enough was shown

-- A statement returns nil, or how it was left: break and continue with the number
-- of loops still to leave, goto with the label, ret with the value.

local run, eval = {}, {}

local function evaluate(env, node) return eval[node[1]](env, node) end

function eval.name(env, node)
  local it = env
  while it.vars[node[2]] == nil do it = it.up end
  return it.vars[node[2]]
end

function eval.number(_, node) return node[2] end
local ops = {
  add = function(x, y) return x + y end,
  sub = function(x, y) return x - y end,
  mul = function(x, y) return x * y end,
  slt = function(x, y) return x < y end,
  sge = function(x, y) return x >= y end,
  eq = function(x, y) return x == y end,
  ne = function(x, y) return x ~= y end,
}

function eval.op(env, node)
  return ops[node[2]](evaluate(env, node[3]), evaluate(env, node[4]))
end

function eval.choose(env, node)
  if evaluate(env, node[2]) then return evaluate(env, node[3]) end
  return evaluate(env, node[4])
end

eval["not"] = function(env, node) return not evaluate(env, node[2]) end
eval["and"] = function(env, node) return evaluate(env, node[2]) and evaluate(env, node[3]) end
eval["or"] = function(env, node) return evaluate(env, node[2]) or evaluate(env, node[3]) end

local function execute(outer, list)
  local env, labels, i = { vars = {}, up = outer, show = outer.show }, {}, 1
  for k, node in ipairs(list) do
    if node[1] == "label" then labels[node[2]] = k end
  end
  while i <= #list do
    local how, what = run[list[i][1]](env, list[i])
    if how == "goto" and labels[what] then
      i = labels[what]
    elseif how then
      return how, what
    else
      i = i + 1
    end
  end
end

function run.assign(env, node)
  local new = evaluate(env, node[3])
  while env.vars[node[2]] == nil do env = env.up end
  env.vars[node[2]] = new
end

run["local"] = function(env, node) env.vars[node[2]] = evaluate(env, node[3]) end

function run.show(env, node) env.show(evaluate(env, node[2])) end

function run.label(env) env.show(1000) end

function run.ret(env, node) return "ret", evaluate(env, node[2]) end

run["if"] = function(env, node)
  for i = 2, #node - 1, 2 do
    if evaluate(env, node[i]) then return execute(env, node[i + 1]) end
  end
  if #node % 2 == 0 then return execute(env, node[#node]) end
end

-- Executes an iteration: returns whether the loop is left, and how.
local function iterate(env, list)
  local how, what = execute(env, list)
  if how == "break" or how == "continue" then
    if what > 1 then return true, how, what - 1 end
    return how == "break"
  end
  return how ~= nil, how, what
end

run["while"] = function(env, node)
  while evaluate(env, node[2]) do
    local left, how, what = iterate(env, node[3])
    if left then return how, what end
  end
end

run["repeat"] = function(env, node)
  repeat
    local left, how, what = iterate(env, node[2])
    if left then return how, what end
  until evaluate(env, node[3])
end

function run.loop(env, node)
  while true do
    local left, how, what = iterate(env, node[2])
    if left then return how, what end
  end
end

run["for"] = function(env, node)
  for i = evaluate(env, node[3]), evaluate(env, node[4]), node[5] do
    local inner = { vars = { [node[2]] = i }, up = env, show = env.show }
    local left, how, what = iterate(inner, node[6])
    if left then return how, what end
  end
end

function run.switch(env, node)
  local arm = node[3][evaluate(env, node[2])] or node[3].default
  if arm then return execute(env, arm) end
end

function run.scope(env, node) return execute(env, node[2]) end

run["break"] = function(_, node) return "break", node[2] end
run["continue"] = function(_, node) return "continue", node[2] end
run["goto"] = function(_, node) return "goto", node[2] end

--- What go(show) shows, at most `most`, and then what it returns.
function M.watch(most, go)
  local shown = {}
  local ok, result = pcall(go, function(it)
    shown[#shown + 1] = it
    if #shown >= most then error(STOP, 0) end
  end)
  if not ok and result ~= STOP then error(result, 0) end
  shown[#shown + 1] = ok and { result } or nil
  return shown
end

--- What the program returns, executed over its tree.
function M.run(program, show, a, b, c)
  local env = { vars = { a = a, b = b, c = c }, show = show }
  local how, what = execute(env, program.list)
  return how == "ret" and what or 0
end

return M
