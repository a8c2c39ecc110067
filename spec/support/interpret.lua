-- Runs a function's SSA form as it reads: slow, and plainly right. It knows the
-- ops of type i64 and i1 that structured programs are made of.
local ops = {
  add = function(a, b) return a + b end,
  sub = function(a, b) return a - b end,
  mul = function(a, b) return a * b end,
  eq = function(a, b) return a == b end,
  ne = function(a, b) return a ~= b end,
  slt = function(a, b) return a < b end,
  sle = function(a, b) return a <= b end,
  sgt = function(a, b) return a > b end,
  sge = function(a, b) return a >= b end,
  uge = function(a, b) return not math.ult(a, b) end,
  bnot = function(a) return not a end,
}

local function value_of(values, v)
  if v:op() == "const" then return (v:const()) end
  local it = values[v:now()]
  assert(it ~= nil, "use before definition")
  return it
end

-- The number of the edge that the terminator takes.
local choose = {
  jump = function() return 1 end,
  branch = function(values, args) return value_of(values, args[1]) and 1 or 2 end,
  switch = function(values, args)
    local value = value_of(values, args[1])
    for k = 2, #args do
      if args[k]:const() == value then return k end
    end
    return 1
  end,
}

-- Which of the target's predecessors the k-th edge of the block is.
local function edge_index(block, succs, k)
  local nth = 0
  for i = 1, k do
    if succs[i] == succs[k] then nth = nth + 1 end
  end
  for i, pred in ipairs(succs[k]:preds()) do
    if pred == block then nth = nth - 1 end
    if nth == 0 then return i end
  end
end

-- The phis of a block take their values at once.
local function go(values, block, k)
  local succs, new = block:succs(), {}
  local index = edge_index(block, succs, k)
  for _, phi in ipairs(succs[k]:phis()) do new[phi] = value_of(values, phi:args()[index]) end
  for phi, value in pairs(new) do values[phi] = value end
  return succs[k]
end

local function execute(values, inst, env)
  local args = inst:args()
  for i, arg in ipairs(args) do args[i] = value_of(values, arg) end
  if inst:op() == "call" then
    env[inst:data()](table.unpack(args))
  else
    values[inst] = ops[inst:op()](table.unpack(args))
  end
end

--- Runs fn; env has the functions that are called by name.
return function(fn, env, ...)
  local values, block = {}, fn:entry()
  for i, it in ipairs { ... } do values[fn:arg(i)] = it end
  while true do
    local insts = block:insts()
    for i = 1, #insts - 1 do execute(values, insts[i], env) end
    local last = insts[#insts]
    if last:op() == "ret" then return value_of(values, last:args()[1]) end
    block = go(values, block, choose[last:op()](values, last:args()))
  end
end
