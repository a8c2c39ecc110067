-- Interpreters for the random programs of spec/support/programs.lua, one over
-- the variables and one over the SSA form: slow and plainly right.
local programs = require "spec.support.programs"

local M = {}

local UNDEFINED, mix, choice = programs.UNDEFINED, programs.mix, programs.choice

--- What a program shows in its first `steps` blocks, executed over its
--- variables. from: the number of the first block, 1 by default; stops: a set of blocks
--- in which it ends.
function M.variables(program, steps, from, stops)
  local vars, shown, at = {}, {}, from or 1
  for v = 1, program.vars do vars[v] = UNDEFINED end
  for step = 1, steps do
    local block = program.blocks[at]
    for k, op in ipairs(block) do
      local place = at * 100 + k
      if op.op == "init" then
        vars[op.var] = mix(place, 0)
      elseif op.op == "write" then
        vars[op.var] = mix(place, mix(vars[op.a], vars[op.b]))
      elseif op.op == "copy" then
        vars[op.var] = vars[op.a]
      elseif op.op == "const" then
        vars[op.var] = op.a
      elseif op.op == "kill" then
        vars[op.var] = UNDEFINED
      else
        shown[#shown + 1] = vars[op.a]
      end
    end
    local value = vars[block.cond]
    if #block.targets == 0 then
      shown[#shown + 1] = value
      return shown
    end
    at = block.targets[choice(value, step, #block.targets)]
    if stops and stops[at] then return shown end
  end
  return shown
end

-- An operand: its value if that is constant, else the value that computes it.
local function operand(v)
  local op = v:op()
  if op == "const" then return { value = v:const() } end
  if op == "undef" then return { value = UNDEFINED } end
  return { of = v:now() }
end

local function operands(v)
  local list = v:args()
  for i, arg in ipairs(list) do list[i] = operand(arg) end
  return list
end

--- The value of an operand of M.read_block.
function M.value_of(env, it)
  if it.value ~= nil then return it.value end
  local value = env[it.of]
  if value == nil then error "use before definition" end
  return value
end
local value_of = M.value_of

-- The edges that leave a block, by target: block and index among its edges; none where
-- finish has cut the edge.
local function read_edges(block)
  local edges, counts = {}, {}
  for k, to in ipairs(block:succs()) do
    counts[to] = (counts[to] or 0) + 1
    local nth = counts[to]
    for i, pred in ipairs(to:preds()) do
      if pred == block then nth = nth - 1 end
      if pred == block and nth == 0 then edges[k] = { to = to, index = i } break end
    end
  end
  return edges
end

--- A block as tables: its phis, instructions and edges.
function M.read_block(block)
  local phis, insts = block:phis(), block:insts()
  for i, phi in ipairs(phis) do phis[i] = { phi = phi, args = operands(phi) } end
  for i, inst in ipairs(insts) do
    insts[i] = { inst = inst, op = inst:op(), args = operands(inst) }
  end
  return { phis = phis, last = table.remove(insts), insts = insts, edges = read_edges(block),
    targets = #block:succs() }
end

--- Assigns the phis of a block at once, from edge `index`.
function M.enter(env, block, index)
  local new = {}
  for k, phi in ipairs(block.phis) do new[k] = value_of(env, phi.args[index]) end
  for k, phi in ipairs(block.phis) do env[phi.phi] = new[k] end
end

-- The index of the target that comes next.
local function way(env, last, step, targets)
  if last.op == "jump" then return 1 end
  local value = value_of(env, last.args[1])
  if last.op == "branch" then return value and 1 or 2 end
  return choice(value, step, targets)
end

-- Executes the definitions of a variable at a place: the latest counts.
local function define(env, variable, values)
  if not values then return end
  local it = value_of(env, operand(values[#values]))
  for _, v in ipairs(variable.values) do env[v] = it end
end

--- What the SSA form of a program shows in its first `steps` blocks. Blocks that
--- end with a jump or a branch come from edits and do not count. `variable`: values that
--- have become one variable, with its definitions `at` blocks and `behind` instructions.
--- from: the first block, the entry by default.
function M.ssa(fn, steps, variable, from)
  local env, shown, step = {}, {}, 1
  variable = variable or { values = {}, at = {}, behind = {} }
  for _, v in ipairs(variable.values) do env[v] = UNDEFINED end
  local blocks = setmetatable({}, { __index = function(blocks, block)
    blocks[block] = M.read_block(block)
    return blocks[block]
  end })
  local block = blocks[from or fn:entry()]
  define(env, variable, variable.at[fn:entry()])
  while step <= steps do
    for _, it in ipairs(block.insts) do
      local value = value_of(env, it.args[1])
      if it.op == "rnd.mix" then
        env[it.inst] = mix(value, value_of(env, it.args[2]))
      elseif it.op == "copy" then
        env[it.inst] = value
      elseif it.op == "bnot" then -- an inverted condition
        env[it.inst] = not value
      else
        shown[#shown + 1] = value
      end
      define(env, variable, variable.behind[it.inst])
    end
    local last = block.last
    if last.op == "ret" then return shown end
    local edge = block.edges[way(env, last, step, block.targets)]
    if not edge then return shown end
    if last.op == "rnd.fork" then step = step + 1 end
    define(env, variable, variable.behind[last.inst])
    block = blocks[edge.to]
    M.enter(env, block, edge.index)
    define(env, variable, variable.at[edge.to])
  end
  return shown
end

return M
